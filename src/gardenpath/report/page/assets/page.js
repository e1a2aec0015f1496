"use strict";
// The page: the first screen, the way around, and what every address opens. Text from data is only ever text.

/** Studies of treebanks: what others call a suite is one here. */
const TREEBANKS = new Set(["evaluation", "consistency", "displacement"]);

/** What is derived of a run once, for all that show it. */
function prepared(run, runs) {
  const several = (read) => [...new Set(run.findings.map(read))].filter(Boolean);
  run.suites = several((one) => one.suite);
  run.unit = TREEBANKS.has(run.study) ? "treebank" : "suite";
  // A collection has findings of its own beside those of its treebanks, but not the main ones.
  const main = mainMeasure(run), measured = new Set(run.findings.filter((one) => one.measure === main).map((one) => one.suite));
  const single = run.suites.filter((name) => !/^\d+ suites$/.test(name) && measured.has(name));
  run.suiteName = single.length > 1 ? counted(single.length, run.unit) : (run.suites[0] || "").split(/[/\\]/).at(-1);
  const systems = several((one) => one.system);
  run.names = shortNames(systems);
  const alike = runs.filter((one) => one.study === run.study).length > 1, study = run.note ? run.note.title : run.study;
  run.title = alike ? `${study}: ${run.name}` : study;
  run.about = [run.suiteName, systems.length > 3 ? counted(systems.length, "system") : systems.map((name) => run.names.get(name)).join(", ")].filter(Boolean).join(" · ");
}

class Page {
  constructor(data) {
    this.charts = data.charts;
    this.runs = data.runs;
    for (const run of data.runs) prepared(run, data.runs);
    this.main = document.getElementById("main");
    this.links = document.getElementById("links");
    const overview = this.section("overview", "What was found", [make("div", { class: "cards" }, ...data.runs.map(card))]);
    overview.querySelector("h2").replaceWith(make("h1", { id: "overview-title", tabindex: "-1" }, data.title), ...(data.about || []).map((text) => make("p", {}, text)), this.lead(data));
    this.sections = new Map();
    this.data = data;
  }

  /** All below the first screen but charts and sentences. */
  build() {
    const { data } = this;
    if (data.differences.length) this.section("differences", "Run against run", [...data.differences.flatMap(difference), ...sideBySide(data.runs)]);
    for (const [at, run] of data.runs.entries()) {
      const section = new StudySection(run, at, this);
      this.sections.set(run.address, section);
      this.main.append(section.element);
      this.link(run.address, run.title, (run.verdicts[0] || {}).sure);
    }
    this.section("how", "How it came about", [make("div", { class: "folds" }, ...data.runs.map(provenance))]);
  }

  lead(data) {
    const systems = [...new Set(data.runs.flatMap((run) => [...run.names.values()]))], named = systems.length > 6 ? counted(systems.length, "system") : systems.join(", ");
    const firsts = data.runs.flatMap((run) => run.verdicts.slice(0, 1)), order = ["shown", "suggested", "not shown", "measured"];
    const marks = new Map(order.flatMap((sure) => firsts.filter((verdict) => verdict.sure === sure)).map((verdict) => [verdict.sure, verdict]));
    const total = data.runs.length, alike = new Set(data.runs.map((run) => run.study)).size < total, size = total === 1 ? "One study" : alike ? counted(total, "run") : `${total} studies`;
    return make("ul", { class: "soft lead" }, make("li", {}, `${size}${named ? ` of ${named}` : ""}`),
      ...[...marks.values()].map((verdict) => make("li", {}, sureness(verdict), ` ${verdict.meaning}`)));
  }

  section(id, title, children) {
    const element = make("section", { id, "aria-labelledby": `${id}-title` }, make("h2", { id: `${id}-title`, tabindex: "-1" }, title), ...children);
    this.main.append(element);
    this.link(id, title);
    return element;
  }

  link(id, title, sure) {
    const dot = sure ? make("span", { class: `sure sure-${sure.replace(" ", "-")}`, "aria-hidden": "true" }) : null;
    this.links.append(make("li", {}, make("a", { href: `#${encodeURIComponent(id)}` }, title, dot)));
  }

  /** Study by study what the first screen does not show; an address may have a later one filled before its turn. */
  async fill() {
    for (const section of this.sections.values()) {
      await idle();
      await section.fill();
    }
  }

  async draw() {
    for (const section of this.sections.values()) await section.draw();
  }

  /** Opens what the address says: a section, or a cell, figure, table or sentence in it. */
  async follow() {
    const [path, query] = location.hash.slice(1).split("?"), [id, kind, ...name] = path.split("/").map(decodeURIComponent);
    if (!id) return;
    const section = this.sections.get(id);
    // What is above the place is there first, so that nothing moves it away again.
    if (section || id !== "overview") for (const [name, above] of this.sections) { await above.fill(); if (name === id) break; }
    const place = section && kind ? await section.reach(kind, name.join("/"), new URLSearchParams(query)) : document.getElementById(id);
    document.body.dataset.address = location.hash;
    if (!place) return;
    for (const fold of ancestors(place, "details")) fold.open = true;
    for (const old of document.querySelectorAll(".reached")) old.classList.remove("reached");
    place.classList.add("reached");
    place.scrollIntoView({ block: "start" });
    (place.querySelector("h1, h2, h3, a, button") || place).focus({ preventScroll: true });
    // The last ones on a page cannot come to its top; they are still where the reader went.
    await pause();
    this.mark(id);
  }

  /** Marks where the reader is in the list of studies. */
  mark(id) {
    const links = [...this.links.querySelectorAll("a")], isOf = (link) => decodeURIComponent(link.hash.slice(1)) === id;
    if (links.some(isOf)) for (const link of links) link.setAttribute("aria-current", String(isOf(link)));
  }

  /** Follows who scrolls. */
  watch() {
    const seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
      if (isIntersecting) this.mark(target.id);
    }), { rootMargin: "-8% 0px -90% 0px" });
    for (const element of this.main.children) seen.observe(element);
  }
}

function* ancestors(element, selector) {
  for (let up = element.closest(selector); up; up = up.parentElement.closest(selector)) yield up;
}

/** A run against the first of its study on the same items, or why they are not compared. */
function difference(one) {
  const title = make("h3", {}, `${one.second} against ${one.first}`);
  if (one.refused) return [title, make("p", { class: "warning" }, `Not compared: ${one.refused}.`)];
  const names = shortNames([...new Set(one.rows.flatMap((row) => [row.baseline, row.system]))]);
  const alone = names.size <= 2, range = (row) => row.low === null ? "" : `[${row.low.toFixed(2)}, ${row.high.toFixed(2)}]`;
  const cells = (row) => [row.title, row.group, ...(alone ? [] : [names.get(row.baseline), names.get(row.system)]), row.items.toLocaleString("en"), row.first.toFixed(2), row.second.toFixed(2),
    `${row.difference > 0 ? "+" : ""}${row.difference.toFixed(2)}`, range(row), pText(row.p), pText(row.p_holm)];
  const heads = ["measure", "group", ...(alone ? [] : ["baseline", "system"]), "items", ...(alone && one.rows.length ? [names.get(one.rows[0].baseline), names.get(one.rows[0].system)] : [one.first, one.second]), "difference", "95 %", "p", "p Holm"];
  const list = make("div", {}), numeric = heads.map((_, at) => at > (alone ? 1 : 3));
  const pages = new Pages(6, 30, (rows) => list.replaceChildren(grid(heads, rows.map(cells), numeric, `${one.second} against ${one.first}`)));
  pages.set(one.rows);
  return [title, list, pages.element, make("p", { class: "soft small" }, "Paired by item; p Holm is corrected for all tests of this table.")];
}

/** Runs of one study next to each other, whether or not they can be compared: the same finding of each. */
function sideBySide(runs) {
  const studies = [...new Set(runs.map((run) => run.study))].map((study) => runs.filter((run) => run.study === study)).filter((alike) => alike.length > 1);
  return studies.map((alike) => fold(`${alike[0].study}: the same findings of ${alike.length} runs, not paired`, (place) => {
    const rows = new Map();
    alike.forEach((run, at) => run.findings.filter((one) => isNumber(one.value) && keysOf(one).length < 2).forEach((one) => {
      const name = [run.measures[one.measure].title, run.names.get(one.system) || "", keysOf(one).map((key) => `${key} ${one[key]}`).join(", ") || OVERALL], id = JSON.stringify(name);
      if (!rows.has(id)) rows.set(id, { name, values: alike.map(() => null) });
      rows.get(id).values[at] ??= one.value;
    }));
    const shared = [...rows.values()].filter(({ values }) => values.filter(isNumber).length > 1), list = make("div", {}), heads = ["measure", "system", "group", ...alike.map((run) => run.name)];
    const pages = new Pages(20, 40, (some) => list.replaceChildren(grid(heads, some.map(({ name, values }) => [...name, ...values.map((value) => numberText(value, 2))]), heads.map((_, at) => at > 2), "The same findings side by side")));
    place.append(list, pages.element);
    pages.set(shared);
  }, { class: "side" }));
}

/** What was called on what, and with what; the command line to do it again first. */
function provenance(run) {
  const { provenance: origin } = run;
  return fold(run.title, (place) => {
    const list = make("dl", { class: "facts" }), add = (name, value) => { if (value) list.append(make("dt", {}, name), make("dd", {}, value)); };
    place.append(make("p", {}, "To run it again:"), origin.call ? make("pre", { tabindex: "0" }, make("code", {}, origin.call)) : make("p", { class: "soft" }, "It was called from Python on objects, which no command line can name."),
      ...(origin.call ? [copier("Copy command", () => origin.call)] : []), list);
    add("signature", make("code", {}, origin.signature));
    add("inputs", origin.inputs.map((one) => `${one.name} (sha256 ${String(one.sha256 || "").slice(0, 12)})`).join(", "));
    add("seed", origin.seed === null ? "" : String(origin.seed));
    add("started", origin.started);
    add("with", Object.entries(origin.packages).filter(([, version]) => version).map(([name, version]) => `${name} ${version}`).join(", "));
    add("failures", Object.entries(origin.failures).map(([name, count]) => `${name}: ${count.toLocaleString("en")}`).join(", ") || "none");
  });
}

async function start() {
  let page = null;
  theme(() => page?.draw());
  menu();
  const data = await opened();
  if (!data) return;
  page = new Page(data);
  await pause();
  if (document.readyState === "loading") await new Promise((resume) => document.addEventListener("DOMContentLoaded", resume));
  page.build();
  addEventListener("hashchange", () => page.follow());
  // A link to where one is already goes there again.
  document.addEventListener("click", (event) => { const link = event.target.closest("a[href^='#']"); if (link && link.hash === location.hash) page.follow(); });
  await page.follow();
  page.watch();
  document.body.dataset.open = "yes";
  await page.fill();
  document.body.dataset.ready = "yes";
}

start();
