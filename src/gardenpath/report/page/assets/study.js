"use strict";
// One run: its card on the first screen, and its section with verdicts, figure, findings and sentences; all else folded.

const VERDICTS = 2, BRIEF = 160, LONG = 220, PANEL = 30;

/** The sentence of a verdict; how sure it is, its badge says. One longer than `most` ends where its first clause does. */
function sentenceOf(run, verdict, most = Infinity) {
  const text = verdict.text.replace(` (${verdict.sure})`, ""), end = text.indexOf("; ");
  return prose(run, text.length > most && end > 0 ? `${text.slice(0, end)} …` : text);
}

function sureness(verdict) {
  return term(verdict.sure, verdict.meaning, `badge sure-${verdict.sure.replace(" ", "-")}`);
}

/** What the small figure of a card shows: the broadest scores that the first verdict speaks of, else the main ones. */
function telling(run) {
  const rests = run.verdicts.length ? run.verdicts[0].rests_on.map((at) => run.findings[at]) : [];
  const scores = rests.filter((one) => isNumber(one.value) && one.low !== null && !/_(difference|delta)$/.test(one.measure));
  const least = Math.min(...scores.map((one) => keysOf(one).length)), broadest = scores.filter((one) => keysOf(one).length === least);
  return (broadest.length > 1 ? broadest : mainFindings(run)).slice(0, 4);
}

/** A run on the first screen: its first verdict, or where it has none its main numbers, and one small figure. */
function card(run) {
  const [first, ...others] = run.verdicts, shown = telling(run), { title, meaning } = run.measures[(shown[0] || {}).measure] || {};
  return make("article", { class: "card" },
    make("h2", {}, make("a", { href: address(run) }, run.title), first ? sureness(first) : null),
    first ? make("p", { class: "say", "data-verdict": "" }, ...sentenceOf(run, first, BRIEF)) : shown.length ? make("p", { class: "say" }, term(title, meaning), ` of ${run.suiteName || "this run"}`) : null,
    // What the bars are of, where the sentence does not name it.
    first && title && shown.every((one) => one.measure === shown[0].measure) && !first.text.toLowerCase().includes(title.toLowerCase()) ? make("p", { class: "small soft measure" }, term(title, meaning)) : null,
    shown.length ? bars(run, shown) : null,
    others.length ? make("p", { class: "small rest" }, make("a", { href: address(run, "verdicts") }, `${counted(others.length, "more verdict")}${run.columns.length ? " and sentences" : ""}`)) : null);
}

/** The colours of charts are those of the page, light or dark. */
function chartConfig(house, legend) {
  const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
  const text = { labelColor: colour("--ink"), titleColor: colour("--soft") };
  return { ...house, aria: false, background: "transparent", text: { color: colour("--ink") },
    axis: { ...house.axis, ...text, gridColor: colour("--line"), domainColor: colour("--soft"), tickColor: colour("--soft"), labelLimit: 0 }, axisX: { titleAnchor: "end" },
    legend: { ...house.legend, ...text, labelLimit: 0, orient: "bottom", offset: 6, direction: legend, columns: legend === "vertical" ? 1 : 0, layout: { bottom: { anchor: "end", direction: "vertical" } } }, header: { ...house.header, ...text },
    title: { ...house.title, color: colour("--ink") },
    range: { ...house.range, category: house.range.category.map((one) => one === "#000000" ? colour("--ink") : one) } };
}

function figureData(spec) {
  const rows = [];
  const walk = (part) => {
    if (Array.isArray(part)) part.forEach(walk);
    else if (part && typeof part === "object") {
      if (part.data && Array.isArray(part.data.values)) rows.push(...part.data.values);
      Object.entries(part).forEach(([key, value]) => { if (key !== "data" && key !== "datasets") walk(value); });
    }
  };
  Object.values(spec.datasets || {}).forEach((values) => rows.push(...values));
  walk(spec);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value) => value === null || value === undefined ? "" : String(value).replace(/[\t\r\n]/g, " ");
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((row) => row.map(cell).join("\t")).join("\n") + "\n";
}

/** The script that draws charts, run when the first one is drawn; the page's policy knows its hash. */
function chartScript() {
  return chartScript.done ??= unpacked("charts").then((script) => { document.body.append(make("script", {}, script)); });
}

/** A figure with its own address. One chart takes the width there is; several side by side, and grids of squares, keep theirs. */
class Chart {
  constructor(section, figure) {
    Object.assign(this, { section, figure });
    const parts = ["facet", "concat", "hconcat", "vconcat", "repeat"].some((key) => key in figure.spec) || typeof figure.spec.height === "object";
    this.spec = parts ? figure.spec : { ...figure.spec, width: "container", autosize: { type: "fit-x", contains: "padding" } };
    this.place = make("div", { class: parts ? "chart parts" : "chart", tabindex: "0", role: "img", "aria-label": `${figure.title}. ${figure.caption}`, "data-figure": figure.name });
    this.tools = make("div", { class: "tools small" }, saver("TSV", `${figure.name}.tsv`, "text/tab-separated-values", () => figureData(figure.spec)),
      saver("SVG", `${figure.name}.svg`, "image/svg+xml", async () => { await this.drawn; return this.view.toSVG(); }));
    const title = make("h3", {}, make("a", { href: address(section.run, "figure", figure.name) }, figure.title));
    this.element = make("figure", {}, make("div", { class: "controls head small" }, title, this.tools), this.place, make("figcaption", { class: "small" }, figure.caption));
  }

  /** Of many panels as many side by side as there is room for: smaller ones could not be read. */
  inPanels() {
    const { columns, spec } = this.spec, room = Math.floor(this.place.clientWidth / ((spec && spec.width || 0) + PANEL));
    return columns && spec && spec.width && this.place.clientWidth ? { ...this.spec, columns: Math.max(1, Math.min(columns, room)) } : this.spec;
  }

  async embed(legend) {
    this.view?.finalize();
    this.view = (await vegaEmbed(this.place, { ...this.inPanels(), config: chartConfig(this.section.page.charts, legend) }, { ast: true, actions: false, renderer: "svg", loader: { http: { credentials: "omit" } } })).view;
  }

  /** The legend in one line, or where that is too long one line for each. */
  async draw() {
    try {
      await chartScript();
      await this.embed("horizontal");
      const legend = this.place.querySelector(".role-legend");
      if (legend && (legend.getBoundingClientRect().width > this.place.clientWidth - 8)) await this.embed("vertical");
      // The figure is named and told as a whole; its thousand marks say nothing to who hears them.
      this.place.querySelector("svg").setAttribute("aria-hidden", "true");
      this.view.addEventListener("click", (_, item) => this.section.followed(item && item.datum));
    } catch (error) {
      this.place.replaceChildren(make("p", { class: "warning" }, `This figure could not be drawn: ${error.message}`));
    }
  }
}

/** The section of a run. */
class StudySection {
  constructor(run, number, page) {
    Object.assign(this, { run, number, page, charts: [] });
    this.element = make("section", { id: run.address, "aria-labelledby": `${run.address}-title` }, make("h2", { id: `${run.address}-title`, tabindex: "-1" }, run.title, make("small", {}, run.about)));
    const verdicts = run.verdicts.map((verdict) => this.verdict(verdict));
    const open = isNarrow() || (verdicts.length && run.verdicts[0].text.length > LONG) ? 1 : VERDICTS, rest = verdicts.slice(open);
    if (verdicts.length) this.element.append(make("ul", { class: "verdicts" }, ...verdicts.slice(0, open)));
    if (rest.length) this.element.append(this.others = fold(counted(rest.length, "more verdict"), (place) => place.append(make("ul", { class: "verdicts" }, ...rest)), { class: "others" }));
    const two = this.two = make("div", { class: "two study" });
    const hasItems = document.getElementById(`items-${number}`) !== null;
    if (run.findings.length) {
      const panel = make("div", { class: "panel" });
      this.table = new FindingsTable(run, panel, hasItems || isNarrow() ? 3 : 5);
      two.append(panel);
    }
    if (run.figures.length) this.addChart(run.figures[0], two, "panel");
    if (hasItems) two.append(this.panel = make("div", { class: "panel read" }, make("p", { class: "soft small" }, "Unpacking sentences…")));
    this.element.append(two);
    this.folds = make("div", { class: "folds" });
    this.foldFigures(run.figures.slice(1));
    if (run.tables.length) this.tables = this.addFold(run.tables.length > 2 ? `All ${run.tables.length} tables` : run.tables.length > 1 ? "Both tables" : "The table", (place) => run.tables.forEach((table, at) => place.append(this.laidOut(table, at))));
    if (run.note) this.addFold("Method and citation", (place) => place.append(make("p", {}, run.note.method), make("p", { class: "soft" }, `Please cite: ${run.note.cite}`)));
    two.append(this.folds);
  }

  foldFigures(figures) {
    if (!figures.length) return;
    const more = fold(counted(figures.length, "more figure"), (place) => { const wall = make("div", { class: "wall" }); place.append(wall); figures.forEach((figure) => this.addChart(figure, wall, "panel")); });
    if (this.more) this.more.replaceWith(more); else this.folds.prepend(more);
    this.more = more;
  }

  /** Trees of one sentence say more than the first figure: they take its place, and it is folded with the others. */
  showBatch(batch) {
    const [first] = this.charts;
    if (!first) { this.panel.before(batch); return; }
    this.charts.shift();
    first.element.replaceWith(batch);
    this.foldFigures(this.run.figures);
  }

  addFold(title, fill) {
    const made = fold(title, fill);
    this.folds.append(made);
    return made;
  }

  addChart(figure, place, kind) {
    const chart = new Chart(this, figure);
    chart.element.className = kind;
    this.charts.push(chart);
    place.append(chart.element);
    if (this.filled) chart.drawn = chart.draw();
  }

  /** A verdict, with the way to the sentences behind it where there are some. */
  verdict(verdict) {
    const behind = verdict.rests_on.map((at) => this.run.findings[at]).filter((one) => keysOf(one).length && this.isShown(one)).at(-1);
    return make("li", { class: `sure-${verdict.sure.replace(" ", "-")}` }, ...sentenceOf(this.run, verdict), " ", sureness(verdict), behind ? make("a", { class: "small", href: cellAddress(this.run, behind) }, "sentences") : null);
  }

  /** Has the page the sentences of this finding? */
  isShown(finding) {
    const { columns } = this.run, has = (name) => columns.includes(name);
    return columns.length > 0 && Object.keys(byOf(finding)).every((key) => has(key) || has(`${key}s`) || (key === "property" && has("props")));
  }

  laidOut(table, at) {
    const list = make("div", {}), pages = new Pages(20, 40, (rows) => list.replaceChildren(grid(table.columns, rows, table.numeric, table.title)));
    pages.set(table.rows);
    return make("div", { class: "laid-out", "data-table": String(at + 1) }, make("h3", {}, make("a", { href: address(this.run, "table", String(at + 1)) }, table.title || `Table ${at + 1}`)), list, pages.element, table.note ? make("p", { class: "soft small" }, table.note) : null);
  }

  /** Its sentences and its figure, once. */
  fill() {
    return this.filled ??= this.unpack().then(() => this.draw());
  }

  async unpack() {
    if (!this.panel) return;
    Object.assign(this.run, JSON.parse(await unpacked(`items-${this.number}`)));
    this.panel.replaceChildren();
    this.sentences = new Sentences(this.run, this.panel);
    const batch = batchPanel(this.sentences);
    if (batch) this.showBatch(batch);
  }

  async draw() {
    for (const chart of this.charts) await (chart.drawn = chart.draw());
  }

  /** From a point of a figure to its sentences. */
  followed(datum) {
    if (!this.sentences || !datum) return;
    const by = Object.fromEntries(Object.entries(datum).filter(([key, value]) => !OWN.has(key) && value !== null && this.sentences.matching(key, value)));
    if (!Object.keys(by).length) return;
    const system = this.sentences.systems.find((name) => name === datum.system || this.run.names.get(name) === datum.system);
    this.sentences.show(by, system || this.sentences.system);
    this.panel.scrollIntoView({ block: "start" });
  }

  /** The element at an address below this section, made visible. */
  async reach(kind, name, query) {
    if (kind === "figure") {
      const open = () => this.charts.find((chart) => chart.figure.name === name);
      if (!open() && this.more) { this.more.open = true; this.more.fill(); }
      await Promise.all(this.charts.map((chart) => chart.drawn));
      return open()?.element;
    }
    if (kind === "verdicts" && this.others) {
      this.others.open = true;
      this.others.fill();
    }
    if (kind === "table" && this.tables) {
      this.tables.open = true;
      this.tables.fill();
      return this.tables.querySelector(`[data-table="${CSS.escape(name)}"]`);
    }
    if (kind === "sentence" && this.sentences) return this.sentences.reach(name, query.get("system"));
    if (kind === "cell" && this.table) {
      const finding = this.run.findings.find((one) => one.measure === name && cellAddress(this.run, one).split("?")[1] === query.toString());
      if (!finding) return null;
      const cell = this.table.reach(finding), by = byOf(finding);
      if (!this.sentences || !keysOf(finding).length || !this.sentences.canShow(by)) return cell;
      this.sentences.show(by, finding.system, finding);
      return this.panel;
    }
    return this.element;
  }
}
