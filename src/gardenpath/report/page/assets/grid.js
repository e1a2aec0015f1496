"use strict";
// The page over many runs: a heat map of systems and suites, curves over checkpoints, and which systems differ.

const ROW = 20, COLUMN = 20, HEADS = 110, SVG = "http://www.w3.org/2000/svg", LEVEL = 0.05;

const isNumber = (value) => typeof value === "number";
const mean = (values) => values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
const ranged = (cell) => `${cell.value.toFixed(1)}${isNumber(cell.low) ? ` [${cell.low.toFixed(1)}, ${cell.high.toFixed(1)}]` : ""}`;

/** The rows that the columns of the data stand for. */
function rowsOf(columns) {
  const names = Object.keys(columns);
  return columns[names[0]].map((_, at) => Object.fromEntries(names.map((name) => [name, columns[name][at]])));
}

/** A colour between two, as a canvas takes it; both are #rrggbb. */
function between(low, high, share) {
  const part = (text, at) => parseInt(text.slice(1 + 2 * at, 3 + 2 * at), 16);
  return `rgb(${[0, 1, 2].map((at) => Math.round(part(low, at) + share * (part(high, at) - part(low, at)))).join(",")})`;
}

function filterBox(label, change) {
  const box = make("input", { type: "search", title: "empty: all", oninput: () => change(box.value.toLowerCase()) });
  return make("label", {}, label, " ", box);
}

/** Scores as squares: the darker the better, the smaller the wider the interval. One canvas, whatever their number. */
class HeatMap {
  constructor(study, choose) {
    Object.assign(this, { study, choose, at: [0, 0], shown: { systems: [], suites: [] }, wanted: { systems: "", suites: "", rows: "mean", columns: "mean" } });
    this.cells = new Map(rowsOf(study.cells).map((cell) => [cell.system * study.suites.length + cell.suite, cell]));
    this.means = { systems: study.systems.map(() => []), suites: study.suites.map(() => []) };
    for (const cell of this.cells.values()) { this.means.systems[cell.system].push(cell.value); this.means.suites[cell.suite].push(cell.value); }
    for (const side of ["systems", "suites"]) this.means[side] = this.means[side].map(mean);
    const values = [...this.cells.values()].map((cell) => cell.value).sort((a, b) => a - b);
    this.range = [values[Math.floor(0.02 * (values.length - 1))], values[Math.ceil(0.98 * (values.length - 1))]];
    this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": `${study.measure.title} of ${counted(study.systems.length, "system")} on ${counted(study.suites.length, "suite")}; arrow keys move, Enter chooses` });
    this.labels = make("div", { class: "heat-labels", "aria-hidden": "true" });
    this.status = make("p", { class: "soft small status", "aria-live": "polite" }, "Point at a square, or move with the arrow keys; a click shows its row and its column.");
    this.canvas.addEventListener("mousemove", (event) => this.point(event));
    this.canvas.addEventListener("click", (event) => { this.point(event); this.chosen(); });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    const again = (name) => (value) => { this.wanted[name] = value; this.arrange(); };
    const orders = [["mean", "name"], ["mean, best first", "name"]];
    this.element = make("div", { class: "panel" },
      make("div", { class: "controls" }, filterBox("Systems", again("systems")), filterBox("Suites", again("suites")),
        picker("Rows by", ...orders, "mean", again("rows")), picker("Columns by", orders[0], ["mean, hardest first", "name"], "mean", again("columns")), this.legend()),
      this.status, make("div", { class: "heat" }, this.labels, make("div", { class: "scroll" }, this.canvas)));
  }

  legend() {
    return make("span", { class: "soft small" }, `${this.study.measure.title}: light ${this.range[0].toFixed(1)}, dark ${this.range[1].toFixed(1)}; a small square has a wide interval; empty: not asked`);
  }

  arrange() {
    const { systems, suites } = this.study, sign = this.study.measure.better === "less" ? -1 : 1;
    const sorted = (names, means, wanted, by, down) => names.map((_, at) => at).filter((at) => names[at].toLowerCase().includes(wanted))
      .sort((a, b) => (by === "mean" ? (means[b] - means[a]) * sign * down : 0) || names[a].localeCompare(names[b]));
    this.shown.systems = sorted(systems, this.means.systems, this.wanted.systems, this.wanted.rows, 1);
    this.shown.suites = sorted(suites, this.means.suites, this.wanted.suites, this.wanted.columns, -1);
    this.at = [0, 0];
    this.told = false;
    this.draw();
  }

  cell(row, column) {
    const { systems, suites } = this.shown;
    return row < systems.length && column < suites.length ? this.cells.get(systems[row] * this.study.suites.length + suites[column]) : undefined;
  }

  draw() {
    const { systems, suites } = this.shown, style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
    const width = suites.length * COLUMN + 60, height = HEADS + systems.length * ROW, scale = Math.min(2, devicePixelRatio || 1);
    Object.assign(this.canvas, { width: width * scale, height: height * scale });
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d"), [least, most] = this.range, low = colour("--chip"), high = colour("--curve");
    pen.scale(scale, scale);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = colour("--soft");
    suites.forEach((suite, at) => {
      const name = this.study.suites[suite];
      pen.save();
      pen.translate(at * COLUMN + 14, HEADS - 6);
      pen.rotate(-Math.PI / 3);
      pen.fillText(name.length > 20 ? `${name.slice(0, 19)}…` : name, 0, 0);
      pen.restore();
    });
    systems.forEach((_, row) => suites.forEach((_, column) => {
      const cell = this.cell(row, column);
      if (!cell) return;
      const share = most > least ? Math.max(0, Math.min(1, (cell.value - least) / (most - least))) : 1;
      const wide = isNumber(cell.low) ? Math.min(1, (cell.high - cell.low) / 60) : 0, size = Math.round((ROW - 2) * (1 - 0.6 * wide));
      pen.fillStyle = between(low, high, this.study.measure.better === "less" ? 1 - share : share);
      pen.fillRect(column * COLUMN + (COLUMN - size) / 2, HEADS + row * ROW + (ROW - size) / 2, size, size);
    }));
    pen.strokeStyle = colour("--ink");
    if (document.activeElement === this.canvas || this.at.some(Boolean)) pen.strokeRect(this.at[1] * COLUMN + 0.5, HEADS + this.at[0] * ROW + 0.5, COLUMN - 1, ROW - 1);
    const short = shortNames(this.study.systems);
    this.labels.replaceChildren(...systems.map((system) => make("span", {}, short.get(this.study.systems[system]))));
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    this.move(Math.floor((event.clientY - box.top - HEADS) / ROW), Math.floor((event.clientX - box.left) / COLUMN));
  }

  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter") this.chosen();
    if (!steps) return;
    event.preventDefault();
    this.move(this.at[0] + steps[0], this.at[1] + steps[1]);
  }

  move(row, column) {
    if (row < 0 || column < 0 || row >= this.shown.systems.length || column >= this.shown.suites.length || (row === this.at[0] && column === this.at[1] && this.told)) return;
    this.at = [row, column];
    this.told = true;
    const cell = this.cell(row, column), names = `${shortNames(this.study.systems).get(this.study.systems[this.shown.systems[row]])} on ${this.study.suites[this.shown.suites[column]]}`;
    this.status.textContent = cell ? `${names}: ${ranged(cell)}${isNumber(cell.n) ? `, n ${cell.n.toLocaleString("en")}` : ""}` : `${names}: not asked`;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  chosen() {
    this.choose(this.shown.systems[this.at[0]], this.shown.suites[this.at[1]]);
  }
}

/** The scores of one system and of one suite, with intervals; the worst and the best come first. */
class Scores {
  constructor(study, map) {
    Object.assign(this, { study, map });
    this.element = make("div", { class: "two" });
  }

  show(system, suite) {
    const { study } = this, cells = [...this.map.cells.values()], sign = study.measure.better === "less" ? -1 : 1;
    const systems = study.systems.map((_, at) => at), suites = study.suites.map((_, at) => at);
    const short = shortNames(study.systems);
    const panel = (label, names, all, chosen, own, other, heads, down, change) => {
      const list = make("div", {}), rows = cells.filter((cell) => own(cell) === chosen).sort((a, b) => (a.value - b.value) * sign * down);
      const pages = new Pages(12, 30, (some) => list.replaceChildren(grid([heads, study.measure.title, "95 %", "n"], some.map((cell) => [
        breakable(other(cell)), cell.value.toFixed(1), isNumber(cell.low) ? `[${cell.low.toFixed(1)}, ${cell.high.toFixed(1)}]` : "", isNumber(cell.n) ? cell.n.toLocaleString("en") : ""]), [false, true, true, true], `${study.measure.title} of ${names[chosen]}`)));
      pages.set(rows);
      return make("div", { class: "panel" }, make("div", { class: "controls" }, picker(label, all.map(String), names, String(chosen), (value) => change(Number(value)))), list, pages.element);
    };
    this.element.replaceChildren(
      panel("System", study.systems, systems, system, (cell) => cell.system, (cell) => study.suites[cell.suite], "suite, worst first", 1, (value) => this.show(value, suite)),
      panel("Suite", study.suites, suites, suite, (cell) => cell.suite, (cell) => short.get(study.systems[cell.system]), "system, best first", -1, (value) => this.show(system, value)));
  }
}

/** Which pairs of systems differ, after correction for all of them. */
function pairsSection(study) {
  const pairs = rowsOf(study.pairs).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)), shown = pairs.filter((pair) => pair.p_holm < LEVEL);
  const short = shortNames([...new Set(pairs.flatMap((pair) => [pair.first, pair.second]))]), list = make("div", {}), wanted = { name: "", which: "differ" };
  const cells = (pair) => [breakable(short.get(pair.value > 0 ? pair.second : pair.first)), breakable(short.get(pair.value > 0 ? pair.first : pair.second)),
    `+${Math.abs(pair.value).toFixed(1)}`, isNumber(pair.low) ? `[${[pair.low, pair.high].map((end) => (pair.value > 0 ? end : -end)).sort((a, b) => a - b).map((end) => end.toFixed(1)).join(", ")}]` : "", pair.clusters.toLocaleString("en"), pText(pair.p), pText(pair.p_holm)];
  const pages = new Pages(10, 40, (some) => list.replaceChildren(grid([`more ${study.measure.title}`, "than", "difference", "95 %", "clusters", "p", "p Holm"], some.map(cells), [false, false, true, true, true, true, true], "Pairs of systems")));
  const again = () => pages.set((wanted.which === "all" ? pairs : shown).filter((pair) => [pair.first, pair.second].some((name) => name.toLowerCase().includes(wanted.name))));
  again();
  const summary = pairs.length ? `${shown.length.toLocaleString("en")} of ${counted(pairs.length, "pair")} of systems differ.` : "No two systems were asked the same.";
  return [make("h3", {}, summary),
    ...(pairs.length ? [make("div", { class: "controls" }, filterBox("System", (text) => { wanted.name = text; again(); }), picker("Show", ["differ", "all"], ["pairs that differ", "all pairs"], "differ", (value) => { wanted.which = value; again(); })), list, pages.element,
      make("p", { class: "soft small" }, `Paired over all items that both were asked, by clusters of items; p Holm is corrected for ${counted(pairs.length, "pair")}, and a pair differs where it is below 0.05.`)] : []),
    ...study.refused.slice(0, 5).map((text) => make("p", { class: "warning" }, `Not compared: ${text}.`))];
}

/** Scores over checkpoints: a line for each suite of one system, their mean on top of them. */
class Curves {
  constructor(study) {
    this.study = study;
    this.rows = rowsOf(study.curves);
    this.systems = [...new Set(this.rows.map((row) => row.system))];
    this.wanted = { system: this.systems[0], suite: "" };
    this.place = make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Curves over checkpoints" });
    this.element = make("div", { class: "panel" }, make("div", { class: "controls" },
      picker("System", this.systems.map(String), this.systems.map((at) => study.systems[at]), String(this.wanted.system), (value) => { this.wanted.system = Number(value); this.draw(); }),
      filterBox("Suites", (text) => { this.wanted.suite = text; this.draw(); })), this.place);
    this.draw();
  }

  draw() {
    const rows = this.rows.filter((row) => row.system === this.wanted.system && this.study.suites[row.suite].toLowerCase().includes(this.wanted.suite));
    const steps = [...new Set(rows.map((row) => row.step))].sort((a, b) => a - b), width = 640, height = 260, [left, bottom] = [44, 34];
    const log = (step) => Math.log10(step + 1), span = log(steps.at(-1)) - log(steps[0]) || 1;
    const x = (step) => left + (width - left - 14) * (log(step) - log(steps[0])) / span, y = (value) => 8 + (height - bottom - 8) * (1 - value / 100);
    const draw = (name, attributes, text) => { const element = document.createElementNS(SVG, name); for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value); if (text) element.textContent = text; return element; };
    const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "acquisition", role: "img", "aria-label": `${this.study.measure.title} over steps` });
    for (const value of [0, 25, 50, 75, 100]) picture.append(draw("line", { x1: left, x2: width - 14, y1: y(value), y2: y(value), class: "axis" }), draw("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    const every = Math.ceil(steps.length / 8);
    steps.forEach((step, at) => { if (at % every === 0 || at === steps.length - 1) picture.append(draw("text", { x: x(step), y: height - 14, "text-anchor": "middle" }, step.toLocaleString("en"))); });
    picture.append(draw("text", { x: width - 14, y: height - 1, "text-anchor": "end" }, "step"));
    const line = (points, kind, name) => { const path = draw("path", { class: kind, d: points.map(([step, value], at) => `${at ? "L" : "M"}${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("") }); path.append(draw("title", {}, name)); picture.append(path); };
    const suites = [...new Set(rows.map((row) => row.suite))];
    for (const suite of suites) line(rows.filter((row) => row.suite === suite).sort((a, b) => a.step - b.step).map((row) => [row.step, row.value]), suites.length > 1 ? "curve" : "curve mean", this.study.suites[suite]);
    if (suites.length > 1) line(steps.map((step) => [step, mean(rows.filter((row) => row.step === step).map((row) => row.value))]), "curve mean", "mean of suites");
    this.place.replaceChildren(picture, make("p", { class: "soft small" }, `${counted(suites.length, "suite")}${suites.length > 1 ? "; bold: their mean" : ""}; steps on a logarithmic axis.`));
  }
}

async function start() {
  const maps = [], main = document.getElementById("main"), links = document.getElementById("links");
  theme(() => maps.forEach((map) => map.draw()));
  menu();
  const data = await opened();
  if (!data) return;
  const section = (id, title, ...children) => {
    main.append(make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title`, tabindex: "-1" }, title), ...children));
    links.append(make("li", {}, make("a", { href: `#${id}` }, title)));
  };
  const systems = new Set(data.studies.flatMap((study) => study.systems)), scores = data.studies.reduce((sum, study) => sum + study.cells.value.length, 0);
  main.append(make("h1", {}, data.title), make("p", { class: "soft" }, `${counted(data.runs.length, "run")}, ${counted(systems.size, "system")}, ${counted(scores, "score")}.`));
  for (const [at, study] of data.studies.entries()) {
    const parts = [make("p", { class: "soft" }, `${study.measure.title}: ${study.measure.meaning || "the main score"}.`)], later = [];
    if (study.cells.value.length) {
      const detail = make("div", {}), map = new HeatMap(study, (system, suite) => table.show(system, suite)), table = new Scores(study, map);
      maps.push(map);
      detail.append(table.element);
      parts.push(map.element, detail);
      later.push(() => { map.arrange(); table.show(map.shown.systems[0], map.shown.suites[0]); });
    }
    section(`study-${at}`, study.title, ...parts);
    later.forEach((draw) => draw());
    await pause();
    if (study.curves.value.length) section(`curves-${at}`, `${study.title} over checkpoints`, new Curves(study).element);
    section(`pairs-${at}`, `${study.title}: which systems differ`, make("div", { class: "panel" }, ...pairsSection(study)));
  }
  section("how", "How it came about", fold(counted(data.runs.length, "run"), (place) => {
    const list = make("div", {}), pages = new Pages(20, 50, (some) => list.replaceChildren(grid(["run", "to run it again", "signature"], some.map((run) => [run.name, make("code", {}, run.call), make("code", {}, run.signature)]), [], "Runs")));
    pages.set(data.runs);
    place.append(list, pages.element);
  }), make("p", { class: "soft small" }, `gardenpath ${data.version}`));
  document.body.dataset.ready = "yes";
}

start();
