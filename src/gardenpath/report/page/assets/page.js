"use strict";
// The page: what was tested, what was found, the figures, the sentences. Text from data is only ever text.

const OWN = new Set(["study", "suite", "system", "measure", "value", "n", "low", "high"]);
const MOST_ROWS = 400;

function shown(value, digits) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(digits);
  return String(value);
}

function table(title, columns, rows, note) {
  const isNumber = (value) => typeof value === "number" || /^(< )?[+-]?\d+\.\d+$/.test(value);
  const numeric = columns.map((_, at) => rows.some((row) => isNumber(row[at])) && rows.every((row) => row[at] === null || isNumber(row[at]) || row[at] instanceof Node));
  const cell = (kind, value, at) => make(kind, { class: numeric[at] ? "number" : String(value).length > 60 ? "wide" : "" }, value instanceof Node ? value : shown(value, 2));
  const grid = make("table", {}, title ? make("caption", {}, title) : null,
    make("thead", {}, make("tr", {}, ...columns.map((name, at) => make("th", { scope: "col", class: numeric[at] ? "number" : "" }, name)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((value, at) => cell("td", value, at))))));
  return make("div", {}, make("div", { class: "scroll", tabindex: "0" }, grid), note ? make("p", { class: "soft small" }, note) : null);
}

/** Systems are named by what tells them apart: folders that all share, and file endings, say nothing. */
function shortNames(names) {
  const short = (name) => name.replace(/^((?:[\w-]+:)?)(?:.*[/\\])/, "$1");
  const made = names.map(short);
  return new Map(names.map((name, at) => [name, made.filter((one) => one === made[at]).length === 1 ? made[at] : name]));
}

function keysOf(finding) {
  return Object.keys(finding).filter((key) => !OWN.has(key));
}

function byOf(finding) {
  return Object.fromEntries(keysOf(finding).map((key) => [key, finding[key]]));
}

/** The findings of a run by what they are grouped by: one table each, whose cells lead to sentences. */
function explorer(run, browser, place) {
  const groups = new Map();
  for (const finding of run.findings) {
    const key = [finding.study, ...keysOf(finding)].join("\u0000");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(finding);
  }
  for (const findings of groups.values()) place.append(findingsTable(run, findings, browser));
}

function valueCell(finding, browser) {
  const place = make("span", {});
  const exact = typeof finding.low === "number" && typeof finding.value === "number";
  const digits = typeof finding.value === "number" && Math.abs(finding.value) < 1 ? 4 : 2;
  const text = exact ? finding.value.toFixed(digits) : shown(finding.value, digits);
  const by = byOf(finding);
  if (browser && keysOf(finding).length && browser.canShow(by)) {
    place.append(make("button", { type: "button", class: "cell", title: "show the sentences", "data-by": JSON.stringify(by), onclick: () => browser.show(by, finding.system) }, text));
  } else place.append(text);
  if (exact && typeof finding.high === "number") {
    place.append(make("span", { class: "interval" }, `[${finding.low.toFixed(digits)}, ${finding.high.toFixed(digits)}]`));
  }
  return place;
}

function findingsTable(run, findings, browser) {
  const keys = keysOf(findings[0]);
  const place = make("section", {});
  const suites = [...new Set(findings.map((one) => one.suite))];
  const systems = [...new Set(findings.map((one) => one.system))];
  const measures = [...new Set(findings.map((one) => one.measure))];
  const columns = (suites.length > 1 ? suites : [null]).flatMap((suite) => systems.map((system) => ({ suite, system })));
  const names = shortNames(systems);
  const heads = columns.map(({ suite, system }) => [suite, names.get(system)].filter(Boolean).join(" · ") || "value");
  const fits = (one, { suite, system }) => one.system === system && (suite === null || one.suite === suite);
  const rest = make("div", {});
  const main = findings.filter((one) => one.low !== null);
  const draw = (measure) => {
    const chosen = keys.length ? findings.filter((one) => one.measure === measure) : measure === "all" || !main.length ? findings : main;
    const rows = new Map();
    for (const one of chosen) {
      const name = keys.length ? keys.map((key) => one[key]) : [one.measure.replaceAll("_", " ")];
      const id = JSON.stringify(name);
      if (!rows.has(id)) rows.set(id, { name, n: null, cells: columns.map(() => null) });
      const row = rows.get(id);
      if (one.n !== null) row.n = one.n;
      row.cells[columns.findIndex((column) => fits(one, column))] = valueCell(one, browser);
    }
    const body = [...rows.values()].map(({ name, n, cells }) => [...name, n, ...cells]);
    const note = body.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${body.length.toLocaleString("en")} rows; all are in the run's tables and JSON.` : "";
    rest.replaceChildren(table("", [...(keys.length ? keys : ["measure"]), "n", ...heads], body.slice(0, MOST_ROWS), note));
  };
  const title = keys.length ? `By ${keys.join(" and ").replaceAll("_", " ")}` : "Overall";
  place.append(make("h3", {}, title));
  if (keys.length && measures.length > 1) {
    const select = make("select", { onchange: () => draw(select.value) }, ...measures.map((name) => make("option", { value: name }, name.replaceAll("_", " "))));
    if (measures.includes("las")) select.value = "las";
    place.append(make("div", { class: "filters" }, make("label", {}, "measure", select)));
    draw(select.value);
  } else draw(measures[0]);
  place.append(rest);
  if (!keys.length && main.length && main.length < findings.length) {
    const all = make("details", {}, make("summary", {}, `All ${findings.length} overall findings`));
    all.addEventListener("toggle", () => draw(all.open ? "all" : "main"));
    place.append(all);
  }
  if (keys.length > 1 || (keys.length && findings.length > 200)) {
    const closed = make("details", {}, make("summary", {}, `${title} (${counted(findings.length, "finding")})`));
    place.firstChild.remove();
    closed.append(...place.childNodes);
    place.append(closed);
  }
  return place;
}

function facts(run) {
  const list = make("dl", { class: "facts" });
  const add = (name, value) => { if (value) list.append(make("dt", {}, name), make("dd", {}, value)); };
  add("command", make("code", {}, `gardenpath ${String(run.command).replace(/^gardenpath /, "")}`));
  add("suite", [...new Set(run.findings.map((one) => one.suite))].filter(Boolean).join(", "));
  add("systems", [...new Set(run.findings.map((one) => one.system))].filter(Boolean).join(", "));
  add("signature", make("code", {}, run.signature));
  add("inputs", run.inputs.map((one) => `${one.name} (sha256 ${String(one.sha256 || "").slice(0, 12)})`).join(", "));
  add("seed", run.seed === null ? "" : String(run.seed));
  add("done", run.started);
  add("with", Object.entries(run.packages).map(([name, version]) => `${name} ${version}`).join(", "));
  const failed = Object.entries(run.failures).filter(([, count]) => count);
  add("failures", failed.length ? failed.map(([name, count]) => `${name}: ${count.toLocaleString("en")}`).join(", ") : "none");
  return list;
}

function saver(label, name, type, content) {
  return make("button", { type: "button", onclick: async () => {
    const url = URL.createObjectURL(new Blob([await content()], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, label);
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

async function figure(one, browser, place) {
  const chart = make("div", { class: "chart", tabindex: "0", "data-figure": one.name });
  const tools = make("div", { class: "tools small" });
  place.append(make("figure", {}, make("h3", {}, one.title), chart, make("figcaption", {}, one.caption), tools));
  try {
    const { view } = await vegaEmbed(chart, one.spec, { ast: true, actions: false, renderer: "svg", loader: { http: { credentials: "omit" } } });
    tools.append(saver("Save data (TSV)", `${one.name}.tsv`, "text/tab-separated-values", () => figureData(one.spec)),
      saver("Save figure (SVG)", `${one.name}.svg`, "image/svg+xml", () => view.toSVG()));
    view.addEventListener("click", (_, item) => {
      if (!browser || !item || !item.datum) return;
      const by = Object.fromEntries(Object.entries(item.datum).filter(([key, value]) => !OWN.has(key) && value !== null && browser.matching(key, value)));
      if (Object.keys(by).length) browser.show(by, item.datum.system);
    });
  } catch (error) {
    chart.replaceChildren(make("p", { class: "warning" }, `This figure could not be drawn: ${error.message}`));
  }
}

/** What the studies say in sentences, before all else. */
function found(runs, section) {
  const told = runs.filter((run) => run.verdicts.length);
  if (!told.length) return;
  const place = section("What was found");
  for (const run of told) {
    if (runs.length > 1) place.append(make("h3", {}, run.name));
    place.append(make("ul", { class: "verdicts" }, ...run.verdicts.map((one) => make("li", { class: one.sure.replace(" ", "-") }, one.text))));
  }
}

/** Runs of one study next to each other: the same finding, and how much the others differ from the first. */
function sideBySide(runs, section) {
  const rows = new Map();
  runs.forEach((run, at) => {
    for (const one of run.findings) {
      if (typeof one.value !== "number" || keysOf(one).length > 1) continue;
      const name = [one.study, keysOf(one).map((key) => `${key} ${one[key]}`).join(", ") || "overall", one.measure];
      const id = JSON.stringify(name);
      if (!rows.has(id)) rows.set(id, { name, values: runs.map(() => null) });
      const values = rows.get(id).values;
      if (values[at] === null) values[at] = one.value;
    }
  });
  const shared = [...rows.values()].filter(({ values }) => values.filter((value) => value !== null).length > 1);
  if (!shared.length) return;
  const place = section("Side by side");
  const columns = ["study", "group", "measure", ...runs.map((run) => run.name), ...runs.slice(1).map((run) => `${run.name} − ${runs[0].name}`)];
  const body = shared.slice(0, MOST_ROWS).map(({ name, values }) => [...name, ...values, ...values.slice(1).map((value) => value === null || values[0] === null ? null : value - values[0])]);
  place.append(table("", columns, body, "The first system of each run."));
}

function shownP(value) {
  return value === null ? "" : value < 0.0001 ? "< 0.0001" : value.toFixed(4);
}

/** Differences of runs on the same items, or why there are none. */
function paired(differences, section) {
  if (!differences.length) return;
  const place = section("Differences");
  for (const one of differences) {
    place.append(make("h3", {}, `${one.second} against ${one.first}`));
    if (one.refused) { place.append(make("p", { class: "warning" }, `Not compared: ${one.refused}.`)); continue; }
    const sides = [...new Set(one.rows.map((row) => row.baseline))].length === 1 && [...new Set(one.rows.map((row) => row.system))].length === 1;
    const cells = (row) => [row.measure.length <= 3 ? row.measure.toUpperCase() : row.measure, row.group, ...(sides ? [] : [row.baseline, row.system]), row.items, row.first.toFixed(2), row.second.toFixed(2),
      `${row.difference > 0 ? "+" : ""}${row.difference.toFixed(2)}`, row.low === null ? "" : `[${row.low.toFixed(2)}, ${row.high.toFixed(2)}]`, shownP(row.p), shownP(row.p_holm)];
    const names = sides && one.rows.length ? [one.rows[0].baseline, one.rows[0].system] : [];
    const short = shortNames(names), [first, second] = names.length ? names.map((name) => short.get(name)) : [one.first, one.second];
    place.append(table("", ["measure", "group", ...(sides ? [] : ["baseline", "system"]), "items", first, second, "difference", "95 %", "p", "p Holm"], one.rows.slice(0, MOST_ROWS).map(cells),
      "Paired by item. Intervals are of a bootstrap over items; p is of a test that turns the signs of items' differences (of means: a t test), Holm's is corrected for all tests of this table." +
      (one.rows.length > MOST_ROWS ? ` The first ${MOST_ROWS} of ${one.rows.length.toLocaleString("en")} rows; all: gardenpath compare.` : "")));
  }
}

async function unpack() {
  const packed = atob(document.getElementById("data").textContent.trim());
  const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function theme() {
  const button = document.getElementById("theme");
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = name === "dark" ? "Light" : "Dark";
  };
  set(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  button.addEventListener("click", () => set(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
}

async function start() {
  theme();
  const main = document.getElementById("main"), nav = document.getElementById("nav");
  let data;
  try { data = await unpack(); } catch (error) {
    main.replaceChildren(make("p", { class: "warning" }, `This page could not be unpacked (${error.message}); it needs a browser of 2023 or later.`));
    return;
  }
  document.getElementById("title").textContent = data.title;
  document.title = data.title;
  main.replaceChildren();
  let count = 0;
  const section = (title) => {
    const id = `section-${++count}`;
    nav.append(make("a", { href: `#${id}` }, title));
    const place = make("section", { id }, make("h2", {}, title));
    main.append(place);
    return place;
  };
  const many = data.runs.length > 1;
  found(data.runs, section);
  if (many) sideBySide(data.runs, section);
  if (many) paired(data.differences || [], section);
  for (const run of data.runs) {
    const named = (title) => many ? `${run.name}: ${title}` : title;
    const findings = section(named("Findings"));
    const figures = run.figures.length ? section(named("Figures")) : null;
    let browser = null;
    if (run.sentences) browser = new SentenceBrowser(run, section(named("Sentences")));
    explorer(run, browser, findings);
    if (run.tables.length) {
      const all = make("details", {}, make("summary", {}, `All tables of this run (${run.tables.length})`));
      all.addEventListener("toggle", () => {
        if (all.open && all.children.length === 1) run.tables.forEach((one) => all.append(table(one.title, one.columns, one.rows.slice(0, MOST_ROWS).map((row) => row.map((value) => typeof value === "number" && !Number.isInteger(value) ? Number(value.toFixed(one.digits)) : value)), one.note)));
      });
      findings.append(all);
    }
    if (figures) {
      const wall = make("div", { class: "figures" });
      figures.append(wall);
      for (const one of run.figures) await figure(one, browser, wall);
    }
  }
  const notes = new Map(data.runs.flatMap((run) => run.notes).map((note) => [note.title, note]));
  if (notes.size) {
    const place = section("Method");
    for (const note of notes.values()) place.append(make("h3", {}, note.title), make("p", {}, note.method), make("p", { class: "soft" }, `Please cite: ${note.cite}`));
  }
  const origin = section("How it came about");
  for (const run of data.runs) origin.append(make("details", { class: "origin" }, make("summary", {}, many ? run.name : "Command, inputs, signature and versions"), facts(run)));
  document.body.dataset.ready = "yes";
}

start();
