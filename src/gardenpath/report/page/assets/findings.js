"use strict";
// The findings of a run: their addresses, the table that opens with the worst, and small bars with intervals.

/** Keys of findings as people call them in this study. */
function keyNames(run, keys) {
  const own = { suite: run.unit, ...(run.study === "consistency" ? { order: "order of siblings" } : {}) };
  return keys.map((key) => own[key] || key.replaceAll("_", " "));
}

const OWN = new Set(["study", "suite", "system", "measure", "value", "n", "low", "high"]);
const FEW = 10;
const OVERALL = "overall";
const WORST = new WeakSet();

function keysOf(finding) {
  return Object.keys(finding).filter((key) => !OWN.has(key));
}

function byOf(finding) {
  return Object.fromEntries(keysOf(finding).map((key) => [key, finding[key]]));
}

function address(run, ...parts) {
  return `#${[run.address, ...parts].map(encodeURIComponent).join("/")}`;
}

function cellAddress(run, finding) {
  const suite = run.suites.length > 1 ? { suite: finding.suite } : {};
  return `${address(run, "cell", finding.measure)}?${new URLSearchParams({ ...(finding.system ? { system: finding.system } : {}), ...suite, ...byOf(finding) })}`;
}

function isFew(finding) {
  return typeof finding.n === "number" && finding.n < FEW;
}

function isNumber(value) {
  return typeof value === "number";
}

/** The measure of a run that it is opened with; where the study names none, the first with an interval. */
function mainMeasure(run) {
  const there = (measure) => run.findings.some((one) => one.measure === measure && isNumber(one.value));
  const first = run.findings.find((one) => one.low !== null) || run.findings.find((one) => isNumber(one.value));
  return run.main.find(there) || (first ? first.measure : null);
}

/** The main measure of every system, over as much as there is; of one number alone, the other main ones too. */
function mainFindings(run) {
  const overall = (measure) => {
    const all = run.findings.filter((one) => one.measure === measure && isNumber(one.value)), least = Math.min(...all.map((one) => keysOf(one).length));
    const fewest = all.filter((one) => keysOf(one).length === least), sizes = new Map(fewest.map((one) => [one.suite, one.n || 0]));
    const [suite, most] = [...sizes].sort((a, b) => b[1] - a[1])[0] || [], rest = [...sizes.values()].reduce((sum, n) => sum + n, 0) - most;
    // All suites together have as many items as each of them; where nothing is of all together, the worst come first.
    if (sizes.size < 2 || (sizes.size > 2 && most >= rest)) return fewest.filter((one) => one.suite === suite);
    const sign = run.measures[measure].better === "less" ? -1 : 1;
    return fewest.sort((a, b) => sign * (a.value - b.value));
  };
  const main = overall(mainMeasure(run));
  return main.length > 1 ? main : [...new Set([mainMeasure(run), ...run.main])].flatMap(overall);
}

/** What a finding is of, as far as the others beside it are of something else. */
function labelOf(run, finding, others) {
  const varies = (read) => new Set(others.map(read)).size > 1, parts = [];
  if (varies((one) => one.system)) parts.push(run.names.get(finding.system));
  if (varies((one) => one.measure)) parts.push(run.measures[finding.measure].title);
  if (varies((one) => one.suite)) parts.push(finding.suite);
  for (const key of keysOf(finding)) if (varies((one) => String(one[key])) && !(key === "scheme" && parts.length)) parts.push(isNumber(finding[key]) ? `${key} ${finding[key].toLocaleString("en")}` : coded(run, key, finding[key]));
  const shown = parts.length ? parts : [run.measures[finding.measure].title];
  return shown.flatMap((part, at) => at ? [" · ", part] : [part]);
}

function intervalText(finding, places) {
  return isNumber(finding.low) && isNumber(finding.high) ? `[${numberText(finding.low, places)}, ${numberText(finding.high, places)}]` : "";
}

/** From where to where the bars of a measure reach, and how many places its numbers have. */
function scaleOf(run, findings, measure) {
  const values = findings.filter((finding) => finding.measure === measure).flatMap((finding) => [finding.value, finding.low, finding.high]).filter(isNumber);
  const isShare = run.measures[measure].meaning.endsWith("%"), low = isShare ? 0 : Math.min(0, ...values);
  return { low, high: isShare ? 100 : Math.max(0, ...values, low + 1e-9), places: placesFor(values) };
}

/** A few findings as bars: point, interval, value and n in a line each, the numbers of the interval for who cannot see it; each measure has its own scale. */
function bars(run, findings) {
  const scales = new Map(findings.map(({ measure }) => [measure, scaleOf(run, findings, measure)]));
  return make("ul", { class: "bars" }, ...findings.map((one) => {
    const { low, high, places } = scales.get(one.measure);
    const at = (value) => `${(100 * (value - low) / (high - low)).toFixed(2)}%`, share = (from, to) => `${(100 * (to - from) / (high - low)).toFixed(2)}%`;
    const track = make("span", { class: "track", "aria-hidden": "true" });
    const mark = (kind, left, width) => { const part = make("span", { class: kind }); part.style.left = left; if (width) part.style.width = width; track.append(part); };
    if (low < 0) mark("zero", at(0));
    if (isNumber(one.low) && isNumber(one.high)) mark("reach", at(one.low), share(one.low, one.high));
    mark("dot", at(one.value));
    const range = intervalText(one, places);
    return make("li", { class: isFew(one) ? "few" : "" }, make("span", { class: "of" }, ...labelOf(run, one, findings)),
      make("span", { class: "worth" }, make("strong", {}, numberText(one.value, places)), range ? make("span", { class: "unseen" }, ` ${range}`) : "", isNumber(one.n) ? ` n ${one.n.toLocaleString("en")}` : ""), track);
  }));
}

/** The worst of three or more, those of tiny n aside; where all are the same, none is. */
function markWorst(findings, sign) {
  const counted = findings.filter((one) => one && isNumber(one.value) && !isFew(one)), worst = Math.min(...counted.map((one) => sign * one.value));
  const isSame = counted.every((one) => sign * one.value === worst);
  for (const one of findings) if (one) WORST.delete(one);
  if (counted.length >= 3 && !isSame) for (const one of counted) if (sign * one.value === worst) WORST.add(one);
}

/** All findings of a run, grouping by grouping and measure by measure; opens with the worst cells of the main measure. */
class FindingsTable {
  constructor(run, place, first) {
    Object.assign(this, { run, first });
    this.groupings = new Map();
    for (const finding of run.findings) {
      const name = keysOf(finding).join(" and ") || OVERALL;
      if (!this.groupings.has(name)) this.groupings.set(name, []);
      this.groupings.get(name).push(finding);
    }
    this.controls = make("div", { class: "controls head small" });
    this.body = make("div", {});
    this.pages = new Pages(first, 20, (rows) => this.draw(rows), this.controls, place);
    place.append(this.controls, this.body);
    this.choose(...this.opening());
  }

  /** Grouping and measure with which the table opens: the first of the main measures that has some groups. */
  opening() {
    const wanted = [mainMeasure(this.run), ...this.run.main];
    const groups = wanted.flatMap((measure) => [...this.groupings].filter(([name, findings]) => name !== OVERALL && findings.some((one) => one.measure === measure && one.low !== null)).map(([name]) => [name, measure]));
    const sizes = groups.map((one) => this.tabled(...one).rows.filter((row) => ![...row.cells.values()].every(isFew)).length);
    const most = Math.max(...sizes, 0);
    return groups[sizes.findIndex((size) => size > 3 || size === most)] || [this.groupings.has(OVERALL) ? OVERALL : [...this.groupings.keys()][0], null];
  }

  choose(grouping, measure) {
    const measures = [...new Set((this.groupings.get(grouping) || []).map((one) => one.measure))];
    this.grouping = grouping;
    // Of one suite all that was measured is a list; of several, one measure is a row for each.
    this.isList = grouping === OVERALL && this.run.suites.length < 2;
    this.measure = measures.includes(measure) ? measure : measures.find((one) => this.run.main.includes(one)) || measures[0];
    const title = (name) => this.run.measures[name].title, names = [...this.groupings.keys()];
    this.controls.replaceChildren(picker("Findings", names, this.titles(names), grouping, (value) => this.choose(value, this.measure), "unnamed"));
    if (!this.isList && measures.length > 1) this.controls.append(picker("measure", measures, measures.map(title), this.measure, (value) => this.choose(this.grouping, value), "unnamed"));
    this.shown = this.tabled(grouping, this.measure);
    // One row more than is seen at once is not worth a click.
    this.pages.first = this.first + (this.shown.rows.length === this.first + 1);
    this.pages.set(this.shown.rows);
  }

  /** Groupings by the keys that tell their findings apart; by all of them where two would have the same title. */
  titles(names) {
    const title = (keys) => `by ${keyNames(this.run, keys).join(" and ")}`, full = (name) => name !== OVERALL ? title(name.split(" and ")) : this.run.suites.length > 1 ? title(["suite"]) : name;
    const short = names.map((name) => {
      const telling = name === OVERALL ? [] : name.split(" and ").filter((key) => new Set(this.groupings.get(name).map((one) => one[key])).size > 1);
      return telling.length ? title(telling) : full(name);
    });
    return names.map((name, at) => short.filter((one) => one === short[at]).length > 1 ? full(name) : short[at]);
  }

  /** Keys, systems and rows of a grouping, the worst first and those of tiny n last; overall, a row for each measure. */
  tabled(grouping, measure) {
    const all = (this.groupings.get(grouping) || []).filter((one) => one.value !== null), isOverall = grouping === OVERALL && this.run.suites.length < 2;
    const chosen = isOverall ? [...all.filter((one) => one.low !== null), ...all.filter((one) => one.low === null)] : all.filter((one) => one.measure === measure);
    const varies = (key) => new Set(chosen.map((one) => one[key])).size > 1;
    // A key that the system decides (the scheme of a grammar) tells no rows apart.
    const isDecided = (key) => { const of = new Map(chosen.map((one) => [one.system, one[key]])); return of.size > 1 && chosen.every((one) => of.get(one.system) === one[key]); };
    const keys = isOverall ? ["measure"] : keysOf(chosen[0] || {}).filter((key) => varies(key) && !isDecided(key));
    if (varies("suite")) keys.unshift("suite");
    const systems = [...new Set(chosen.map((one) => one.system))], rows = new Map();
    for (const finding of chosen) {
      const name = keys.map((key) => finding[key]), id = JSON.stringify(name);
      if (!rows.has(id)) rows.set(id, { name, cells: new Map() });
      rows.get(id).cells.set(finding.system, finding);
    }
    const { better } = isOverall ? {} : this.run.measures[measure] || {};
    if (!better) return { keys, systems, rows: [...rows.values()] };
    const tested = systems.filter((name) => !name.startsWith("baseline:")), sign = better === "less" ? -1 : 1;
    const values = (cells) => (tested.length ? tested : systems).map((name) => cells.get(name)).filter((one) => one && isNumber(one.value)).map((one) => sign * one.value);
    for (const name of systems) markWorst([...rows.values()].map((row) => row.cells.get(name)), sign);
    const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
    const ranked = [...rows.values()].map((row) => ({ ...row, few: [...row.cells.values()].every(isFew), worst: Math.min(...values(row.cells)), all: sum(values(row.cells)) }));
    return { keys, systems, rows: ranked.sort((a, b) => a.few - b.few || a.worst - b.worst || a.all - b.all) };
  }

  draw(rows) {
    const { run, shown: { keys, systems }, isList } = this, isP = /_p(_holm)?$/.test(this.measure || "");
    const places = placesFor((isList ? rows : this.shown.rows).flatMap(({ cells }) => [...cells.values()].flatMap((one) => [one.value, one.low, one.high])));
    // Numbers stand below each other also where some have no interval.
    const intervals = new Map(systems.map((system) => [system, rows.map(({ cells }) => cells.get(system)).filter(Boolean).map((one) => intervalText(one, places)).reduce((a, b) => a.length < b.length ? b : a, "")]));
    const interval = (finding) => { const range = intervalText(finding, places), room = intervals.get(finding.system); return range ? make("small", {}, range) : room ? make("small", { class: "room", "aria-hidden": "true" }, room) : null; };
    const cell = (finding) => {
      if (!finding) return make("td", { class: "number" });
      const text = isP ? pText(finding.value) : numberText(finding.value, places);
      return make("td", { class: `number${isFew(finding) ? " few" : WORST.has(finding) ? " worst" : ""}`, "data-cell": cellAddress(run, finding), title: isFew(finding) ? `from ${finding.n} only` : null },
        make("a", { href: cellAddress(run, finding) }, text), interval(finding));
    };
    const size = ({ cells }) => { const sizes = [...new Set([...cells.values()].map((one) => one.n).filter(isNumber))].sort((a, b) => a - b); return sizes.length > 1 ? `${sizes[0].toLocaleString("en")}–${sizes.at(-1).toLocaleString("en")}` : sizes.map((n) => n.toLocaleString("en")).join(""); };
    const sizes = rows.map(size), hasSizes = sizes.some(Boolean);
    const name = (key, value) => key === "measure" ? term(run.measures[value].title, run.measures[value].meaning) : coded(run, key, value);
    const { title, meaning } = run.measures[this.measure] || { title: "value", meaning: "" }, alone = systems.length === 1;
    const heads = systems.map((system) => alone && !isList ? term(title, meaning) : breakable(run.names.get(system) || "value"));
    const body = rows.map((row, at) => [make("th", { scope: "row" }, ...row.name.flatMap((value, place) => [place ? " · " : "", name(keys[place], value)])), ...(hasSizes ? [sizes[at]] : []), ...systems.map((system) => cell(row.cells.get(system)))]);
    const named = keyNames(run, keys).join(" · "), first = alone || isList ? named : term(title, meaning);
    const caption = isList ? "Overall findings" : `${title} by ${keyNames(run, this.grouping === OVERALL ? ["suite"] : this.grouping.split(" and ")).join(" and ")}`;
    this.body.replaceChildren(grid([first, ...(hasSizes ? ["n"] : []), ...heads], body, [false, ...(hasSizes ? [true] : []), ...systems.map(() => true)], caption));
    this.body.firstElementChild.classList.toggle("tight", systems.length > 2);
    this.mark();
  }

  /** Turns to the cell of a finding and marks it. */
  reach(finding) {
    const grouping = keysOf(finding).join(" and ") || OVERALL;
    this.marked = cellAddress(this.run, finding);
    if (this.grouping !== grouping || (!this.isList && this.measure !== finding.measure)) this.choose(grouping, finding.measure);
    const at = this.pages.items.findIndex(({ cells }) => [...cells.values()].includes(finding));
    if (at >= 0 && !this.cell()) this.pages.reach(at);
    this.mark();
    return this.cell();
  }

  cell() {
    return [...this.body.querySelectorAll("[data-cell]")].find((cell) => cell.dataset.cell === this.marked);
  }

  mark() {
    for (const cell of this.body.querySelectorAll(".here")) cell.classList.remove("here");
    this.cell()?.classList.add("here");
  }
}
