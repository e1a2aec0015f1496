"use strict";
// The sentences of a run: from any number to its sentences, one system at a time, and from a sentence to the trees.

const HIDDEN = new Set(["study", "item", "unit", "value", "seed", "system", "family", "variant_id", "reason", "difference", "sentence"]);
const NOT_WRONG = new Set(["right", "exact", "n/a", "no gold head"]);
const MOST_VARIANTS = 60;

class Sentences {
  constructor(run, place) {
    Object.assign(this, { run, place, sentences: run.sentences });
    this.columns = run.observations ? run.observations.columns : {};
    this.rows = run.observations ? run.observations.rows : 0;
    for (const column of Object.values(this.columns)) column.codes = column.codes ? Int32Array.from(column.codes) : new Int32Array(this.rows);
    this.systems = this.columns.system ? this.columns.system.values : Object.keys(this.sentences.systems);
    // Never several systems in one list: the first that is no baseline, until another is chosen.
    this.system = this.systems.find((name) => !name.startsWith("baseline:")) || this.systems[0] || "";
    // Of plain text there are words in place of gold: a parse is as the original's, or changed.
    this.bare = run.study === "consistency" && !this.sentences.gold?.heads?.some((heads) => heads?.some((head) => head >= 0));
    [this.good, this.bad] = this.bare ? ["as the original", "changed"] : ["right", "not right"];
    this.filters = new Map();
    this.group = {};
    this.index();
    this.build(place);
    this.apply();
  }

  /** Which sentence an observation is about, and which word. */
  index() {
    this.byId = new Map();
    for (let at = this.sentences.ids.length - 1; at >= 0; at--) this.byId.set(this.sentences.ids[at], at);
    const place = (name) => this.byId.has(name) ? this.byId.get(name) : -1;
    const items = this.columns.item, known = items ? items.values.map(place) : [];
    // Where names of items do not tell, the page has the place of each observation's sentence.
    const places = this.run.observations && this.run.observations.places ? Int32Array.from(this.run.observations.places) : null;
    this.itemOf = (row) => places ? places[row] : items ? known[items.codes[row]] : 0;
    // The unit of a batch is the value that was put in, not the number of a word.
    const units = this.columns.variant_id ? null : this.columns.unit;
    const numbers = units ? units.values.map((name) => parseInt(name, 10) || 0) : [];
    this.unitOf = (row) => units ? numbers[units.codes[row]] : 0;
    // A row about a batch names the variant that it judges; its family is the original.
    const variant = this.columns.variant_id, variants = variant ? variant.values.map(place) : null;
    this.memberOf = (row) => variants ? variants[variant.codes[row]] : this.itemOf(row);
    this.family = this.columns.family || (variant && items);
  }

  /** Which sentences are variants of one, for minimal pairs side by side: [family of a sentence, sentences of a family]. */
  families() {
    if (this.kin) return this.kin;
    const of = new Map(), members = new Map();
    const enter = (at, code) => {
      if (at < 0 || of.has(at)) return;
      of.set(at, code);
      if (!members.has(code)) members.set(code, []);
      members.get(code).push(at);
    };
    for (let row = 0; this.family && row < this.rows; row++) {
      if (this.columns.variant_id) enter(this.itemOf(row), this.family.codes[row]);
      enter(this.memberOf(row), this.family.codes[row]);
    }
    return this.kin = [of, members];
  }

  /** The other variants of a sentence, each with what tells it apart and what became of it. */
  variants(entry) {
    const [of, members] = this.families();
    const others = new Set((members.get(of.get(entry.at)) || []).filter((at) => at !== entry.at));
    if (!others.size) return null;
    return fold(`${counted(others.size, "variant")} of this sentence`, (place) => {
      const names = this.columns.replacement ? ["condition", "replacement"] : ["order", "props", "condition"];
      const told = names.map((name) => this.columns[name]).filter(Boolean).slice(0, 2);
      const rows = new Map(), { outcome } = this.columns, fits = this.test({ system: this.system });
      for (let row = 0; row < this.rows; row++) {
        const at = this.memberOf(row);
        if (!others.has(at) || !fits(row)) continue;
        if (!rows.has(at)) rows.set(at, { row, wrong: 0, outcomes: new Set() });
        const name = outcome ? outcome.values[outcome.codes[row]] : "right";
        rows.get(at).outcomes.add(name);
        if (!NOT_WRONG.has(name)) rows.get(at).wrong++;
      }
      const list = make("ol", { class: "sentences" }), batches = Boolean(this.columns.replacement);
      for (const [at, { row, wrong, outcomes }] of [...rows].sort((a, b) => b[1].wrong - a[1].wrong).slice(0, MOST_VARIANTS)) {
        const marks = told.map((column) => column.values[column.codes[row]]).join(" · ");
        list.append(this.line({ at, units: new Set(), wrong, rows: 1, said: batches ? [...outcomes].join(", ") : "" }, marks));
      }
      place.append(list);
      if (rows.size > MOST_VARIANTS) place.append(make("p", { class: "soft small" }, `and ${rows.size - MOST_VARIANTS} more`));
    }, { class: "variants" });
  }

  facets() {
    const all = Object.entries(this.columns).filter(([name, column]) => !HIDDEN.has(name) && column.values.length > 1 && column.values.length <= 400);
    // Where another column says the same (a phenomenon is the condition), one of them is enough.
    const same = (one, other) => one.values.length === other.values.length && one.codes.every((code, row) => code === other.codes[row]);
    return all.filter(([name, column]) => name !== "condition" || !all.some(([other, values]) => other !== name && same(column, values)));
  }

  /** The column that a grouping key of a finding speaks of, and the values that fit; null where there is none. */
  matching(key, value) {
    const wanted = String(value);
    let column = this.columns[key], fits = (text) => text === wanted;
    if (!column) {
      const name = [key + "s", key === "property" ? "properties" : "", key === "property" ? "props" : "", key === "class" ? "outcome" : ""].find((one) => one && this.columns[one]);
      if (!name) return null;
      column = this.columns[name];
      if (name !== "outcome") fits = (text) => text.split(/[-|,;\s]+/).includes(wanted);
    }
    const codes = new Set();
    column.values.forEach((text, code) => { if (text !== null && fits(String(text))) codes.add(code); });
    return codes.size ? { column, codes } : null;
  }

  canShow(by) {
    return Object.entries(by).every(([key, value]) => this.matching(key, value));
  }

  /** Does a row fit all of these? What no column speaks of is left aside. */
  test(wanted) {
    const tests = Object.entries(wanted).filter(([, value]) => value !== "").map(([key, value]) => this.matching(key, value)).filter(Boolean);
    return (row) => tests.every(({ column, codes }) => codes.has(column.codes[row]));
  }

  build(place) {
    this.inputs = {};
    const select = (name, values) => {
      const label = picker(name.replaceAll("_", " "), ["", ...values.map(String)], ["any", ...values.map((value) => value === "" ? "(none)" : String(value))], null, (value) => this.set(name, value));
      this.inputs[name] = label.querySelector("select");
      this.inputs[name].dataset.filter = name;
      return label;
    };
    const numeric = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    let wait = 0;
    const text = make("input", { type: "search", "data-filter": "text", oninput: () => { clearTimeout(wait); wait = setTimeout(() => this.set("text", text.value), 120); } });
    this.inputs.text = text;
    const filters = fold("Filter", (inside) => inside.append(make("div", { class: "controls small", role: "search", "aria-label": `Filter the sentences of ${this.run.title}` }, make("label", {}, "text ", text),
      ...this.facets().map(([name, column]) => select(name, [...column.values].filter((value) => value !== null).sort(numeric))))), { class: "filter" });
    this.chooser = this.systems.length > 1 ? picker("system", this.systems, this.systems.map((name) => this.run.names.get(name) || name), this.system, (name) => this.choose(name), "unnamed") : null;
    this.clearer = make("button", { type: "button", onclick: () => this.show({}, this.system) }, "All sentences");
    this.count = make("p", { role: "status", class: "status small" });
    this.list = make("ol", { class: "sentences", onkeydown: (event) => this.move(event) });
    const head = make("div", { class: "controls head small" }, make("h3", {}, "Sentences"), this.chooser, this.clearer, filters), line = make("div", { class: "controls head" }, this.count), left = this.sentences.left_out;
    this.pages = new Pages(isNarrow() ? 1 : 2, 20, (entries) => this.drawLines(entries), isNarrow() ? line : head, place);
    place.append(head, line,
      ...(left ? [make("p", { class: "warning" }, `${counted(left, "more sentence")} of this run ${left === 1 ? "is" : "are"} not in this page.`)] : []), this.list);
  }

  drawLines(entries) {
    this.list.replaceChildren(...entries.map((entry) => this.line(entry)));
    if (this.pages.wide) this.spread();
  }

  /** Takes all the width of the study, for trees and long lists; what was clicked stays where it is on the screen. */
  spread(clicked) {
    const top = clicked?.getBoundingClientRect().top;
    this.place.classList.add("broad");
    if (clicked) scrollBy(0, clicked.getBoundingClientRect().top - top);
  }

  set(name, value) {
    if (value === "") this.filters.delete(name); else this.filters.set(name, value);
    this.apply();
    if (!this.pages.wide) this.pages.widen();
  }

  choose(system) {
    this.system = system;
    if (this.chooser) this.chooser.querySelector("select").value = system;
    this.finding = null;
    this.apply();
  }

  /** The sentences behind a finding: its group, and its system. */
  show(by, system, finding) {
    this.filters.clear();
    for (const input of Object.values(this.inputs)) input.value = "";
    this.group = by;
    this.choose(this.systems.includes(system) ? system : this.system);
    this.finding = finding;
    this.describe();
    if (finding) this.pages.widen();
  }

  apply() {
    const { text = "", ...wanted } = Object.fromEntries(this.filters), fits = this.test({ ...this.group, ...wanted, system: this.system });
    const kept = new Map(), { outcome } = this.columns, wrong = outcome && outcome.values.map((name) => !NOT_WRONG.has(name));
    for (let row = 0; row < this.rows; row++) {
      const at = this.itemOf(row);
      if (at < 0 || !fits(row)) continue;
      let entry = kept.get(at);
      if (!entry) kept.set(at, entry = { at, units: new Set(), wrong: 0, rows: 0 });
      entry.rows++;
      if (this.unitOf(row)) entry.units.add(this.unitOf(row));
      if (wrong && wrong[outcome.codes[row]]) entry.wrong++;
    }
    let entries = this.rows ? [...kept.values()] : this.sentences.ids.map((_, at) => ({ at, units: new Set(), wrong: 0, rows: 0 }));
    const part = text.toLocaleLowerCase();
    if (part) entries = entries.filter(({ at }) => this.sentences.texts[at].toLocaleLowerCase().includes(part));
    this.entries = entries.sort((a, b) => (b.wrong > 0) - (a.wrong > 0) || a.at - b.at);
    this.narrow = this.filters.size + Object.keys(this.group).length > 0;
    this.describe();
    this.pages.set(this.entries);
  }

  /** What is in the list: of which system, which group, how many, and the number that led here. */
  describe() {
    const { run, finding, system } = this, wrong = this.entries.filter((entry) => entry.wrong).length, total = this.entries.length;
    const group = Object.entries(this.group).flatMap(([key, value]) => [`, ${key.replaceAll("_", " ")} `, coded(run, key, value)]);
    const named = make("strong", {}, run.names.get(system) || system || "all");
    this.clearer.hidden = !this.narrow;
    this.count.replaceChildren(named, ...group, ": ", `${counted(total, "sentence")}${this.columns.outcome ? `, ${wrong.toLocaleString("en")} ${this.bad}` : ""}.`);
    if (!finding) return;
    const { title, meaning } = run.measures[finding.measure], places = placesFor([finding.value, finding.low, finding.high]), range = intervalText(finding, places);
    this.count.append(" ", term(title, meaning), ` ${numberText(finding.value, places)}${range ? ` ${range}` : ""}${isNumber(finding.n) ? `, n ${finding.n.toLocaleString("en")}` : ""}.`);
  }

  line(entry, marks) {
    const { sentences } = this, id = sentences.ids[entry.at], text = make("span", { class: "text", dir: "auto" });
    if (this.narrow && entry.units.size && entry.units.size < sentences.forms[entry.at].length) {
      sentences.forms[entry.at].forEach((form, at) => text.append(!at ? "" : /^\p{P}$/u.test(form) && at === sentences.forms[entry.at].length - 1 ? "\u00a0" : " ", entry.units.has(at + 1) ? make("mark", {}, form) : form));
    } else text.append(sentences.texts[entry.at].replace(/ (?=\p{P}$)/u, "\u00a0"));
    const said = entry.said || (!entry.wrong ? this.good : entry.rows > entry.wrong ? `${entry.wrong} of ${entry.rows} ${this.bad}` : this.bad);
    const badge = this.columns.outcome ? make("span", { class: `badge ${entry.said === "same as original" ? "" : entry.wrong ? "wrong" : "right"}` }, said) : null;
    const button = make("button", { type: "button", "aria-expanded": "false" }, make("span", { class: "id", title: marks || id }, marks || id), text, badge);
    const item = make("li", { "data-sentence": id }, button);
    item.toggle = (open) => {
      if (open === Boolean(item.shown)) return;
      if (item.shown) item.shown.remove();
      item.shown = open ? this.opened(entry, Boolean(marks)) : null;
      if (open) { this.spread(item); item.append(item.shown); }
      button.setAttribute("aria-expanded", String(open));
    };
    button.addEventListener("click", () => {
      item.toggle(!item.shown);
      if (item.shown && !marks) history.replaceState(null, "", this.addressOf(entry.at));
    });
    return item;
  }

  addressOf(at) {
    return `${address(this.run, "sentence", this.sentences.ids[at])}${this.system ? `?${new URLSearchParams({ system: this.system })}` : ""}`;
  }

  /** Turns to a sentence and opens it; in the list that is shown where it is there, else among all. */
  reach(id, system) {
    const at = this.byId.get(id);
    if (at === undefined) return null;
    if (system && system !== this.system && this.systems.includes(system)) this.choose(system);
    const place = () => this.entries.findIndex((entry) => entry.at === at);
    if (place() < 0) this.show({}, this.system);
    if (place() < 0) return null;
    if (!this.item(id)) this.pages.reach(place());
    this.item(id).toggle(true);
    return this.item(id);
  }

  item(id) {
    return [...this.list.children].find((item) => item.dataset.sentence === id);
  }

  move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.parentElement.parentElement !== this.list) return;
    const buttons = [...this.list.children].map((item) => item.firstElementChild);
    const next = buttons[buttons.indexOf(event.target) + step];
    if (next) { next.focus(); event.preventDefault(); }
  }

  /** Gold and the system of the list; the other systems one click away. */
  opened(entry, nested) {
    const place = make("div", { class: "trees" }), { kind } = this.sentences;
    const draw = { curves: (name, into) => showCurves(this.sentences, entry.at, name, into), phrases: (name, into) => this.drawPhrases(entry, name, into) }[kind] || ((name, into) => this.drawArcs(entry, name, into));
    const shown = kind === "curves" ? Object.keys(this.sentences.bits) : Object.keys(this.sentences.systems), judged = this.sentences.judged || {};
    const systems = shown.filter((name) => !judged[name] || judged[name].includes(entry.at));
    if (kind !== "curves" && !this.bare) draw("gold", place);
    if (systems.includes(this.system)) draw(this.system, place);
    const others = systems.filter((name) => name !== this.system);
    if (others.length) place.append(fold(`What ${others.length === 1 ? this.run.names.get(others[0]) || others[0] : `${others.length} other systems`} made of it`, (inside) => others.forEach((name) => draw(name, inside))));
    const variants = nested ? null : this.variants(entry);
    if (variants) place.append(variants);
    if (!nested) place.append(make("p", { class: "small" }, make("a", { href: this.addressOf(entry.at) }, "Link to this sentence")));
    return place;
  }

  tree(at, name) {
    const { sentences } = this;
    const source = name === "gold" ? sentences.gold : sentences.systems[name];
    if (!source || !source.heads[at] || (name === "gold" && this.bare)) return null;
    const own = name !== "gold" && source.forms[at];
    return { forms: own || sentences.forms[at], tags: own ? own.map(() => "") : sentences.upos[at].map((code) => sentences.tags[code]),
      heads: source.heads[at], labels: source.labels[at].map((code) => sentences.labels[code]), other: Boolean(own) };
  }

  /** A phrase tree with its labels as text. */
  phrase(at, name) {
    const { sentences } = this;
    const source = name === "gold" ? sentences.gold[at] : sentences.systems[name][at];
    if (!source) return null;
    const texts = (codes) => codes.map((code) => sentences.labels[code]);
    return { words: source.words || sentences.forms[at], tags: texts(source.tags), labels: texts(source.labels), functions: texts(source.functions),
      mothers: source.mothers, secondary: source.secondary || [], other: Boolean(source.words) };
  }

  /** A drawing with its name, what is said of it, and ways to copy it. */
  drawing(place, name, kind, said, picture, ...copies) {
    place.append(make("div", { class: "small" }, make("strong", {}, this.run.names.get(name) || name), ...said),
      make("div", { class: `tree ${kind}`, tabindex: "0", role: "group", "aria-label": `tree by ${name}`, "data-system": name }, picture), make("div", { class: "tools small" }, ...copies));
  }

  drawPhrases({ at }, name, place) {
    const { sentences } = this, gold = this.phrase(at, "gold"), tree = this.phrase(at, name), units = new Set(sentences.marked[at]);
    if (!tree) { place.append(make("p", { class: "soft small" }, `${name}: no parse of this sentence`)); return; }
    const alone = name === "gold" && this.system && (sentences.systems[this.system] || [])[at] ? this.phrase(at, this.system) : null;
    const other = name === "gold" ? alone : gold;
    const changes = !other || tree.other || other.other ? tree.mothers.map(() => "") : phraseChanges(tree, other);
    const count = changes.filter(Boolean).length;
    const said = name === "gold" ? [] : tree.other ? [" (other words than gold)"] : [` (${count ? counted(count, "difference") : "as gold"})`, ...this.reason(at, name)];
    this.drawing(place, name, "phrase", said, drawPhrase(tree, changes, units, `${name}: ${sentences.texts[at]}`),
      copier("Copy brackets", () => asNotation(tree)), copier("Copy export", () => asExport(sentences.ids[at], tree)));
  }

  /** What the study says of a system's answer to an item. */
  reason(at, name) {
    const { outcome, reason } = this.columns, fits = this.test({ system: name });
    for (let row = 0; row < this.rows; row++) {
      if (this.itemOf(row) !== at || !fits(row)) continue;
      const said = [outcome, reason].map((column) => column && column.values[column.codes[row]]).filter(Boolean);
      if (said.length && /^[A-Z]$/.test(said[0])) said[0] = `error class ${said[0]}`;
      return said.length ? [" · ", ...emphasised(said.join(": "))] : [];
    }
    return [];
  }

  drawArcs(entry, name, place) {
    const { at } = entry, id = this.sentences.ids[at], text = this.sentences.texts[at], tree = this.tree(at, name);
    if (!tree) { place.append(make("p", { class: "soft small" }, `${name}: no analysis of this sentence`)); return; }
    const units = entry.units.size < this.sentences.forms[at].length ? entry.units : new Set();
    const other = name === "gold" || tree.other ? null : this.tree(at, "gold");
    const count = other ? tree.heads.filter((head, word) => head !== other.heads[word] || tree.labels[word] !== other.labels[word]).length : 0;
    const said = name === "gold" || this.bare ? [] : [tree.other ? " (other words than gold)" : ` (${count ? counted(count, "difference") : "as gold"})`];
    this.drawing(place, name, "", said, drawTree(tree, other, units, `${name}: ${text}`), copier("Copy CoNLL-U", () => asConllu(id, text, tree)), copier("Copy LaTeX", () => asTikz(tree)));
  }
}
