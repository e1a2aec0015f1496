"use strict";
// The sentence browser: from any number to its sentences, and from a sentence to the trees.

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function counted(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

const HIDDEN = new Set(["study", "item", "unit", "value", "seed", "system", "family", "variant_id", "reason", "difference", "sentence"]);
const NOT_WRONG = new Set(["right", "exact", "n/a", "no gold head"]);
const MOST_VARIANTS = 60;
const PAGE = 40;

class SentenceBrowser {
  constructor(run, place) {
    this.run = run;
    this.sentences = run.sentences;
    this.columns = run.observations ? run.observations.columns : {};
    for (const column of Object.values(this.columns)) column.codes = Int32Array.from(column.codes);
    this.rows = run.observations ? run.observations.rows : 0;
    this.systems = this.columns.system ? this.columns.system.values : Object.keys(this.sentences ? this.sentences.systems : {});
    this.filters = new Map();
    this.shown = PAGE;
    this.index();
    this.build(place);
    this.apply();
  }

  /** Which sentence an observation is about, and which word. */
  index() {
    const ids = this.sentences ? this.sentences.ids : [];
    const byId = new Map();
    for (let at = ids.length - 1; at >= 0; at--) byId.set(ids[at], at);
    const items = this.columns.item;
    const known = items ? items.values.map((name) => byId.has(name) ? byId.get(name) : -1) : [];
    const places = placesOf(this.run);
    this.itemOf = (row) => places ? places[row] : items ? known[items.codes[row]] : 0;
    // The unit of a batch is the value that was put in, not the number of a word.
    const units = this.columns.variant_id ? null : this.columns.unit;
    const numbers = units ? units.values.map((name) => parseInt(name, 10) || 0) : [];
    this.unitOf = (row) => units ? numbers[units.codes[row]] : 0;
    // Which sentences are variants of one, for minimal pairs side by side.
    this.families = new Map();
    this.familyOf = new Map();
    // A row about a batch names the variant that it judges; its family is the original.
    const { variant_id: variant, family = variant && items } = this.columns;
    const variants = variant ? variant.values.map((name) => byId.has(name) ? byId.get(name) : -1) : null;
    this.memberOf = (row) => variants ? variants[variant.codes[row]] : this.itemOf(row);
    const enter = (at, code) => {
      if (at < 0 || this.familyOf.has(at)) return;
      this.familyOf.set(at, code);
      if (!this.families.has(code)) this.families.set(code, []);
      this.families.get(code).push(at);
    };
    for (let row = 0; family && row < this.rows; row++) {
      if (variants) enter(this.itemOf(row), family.codes[row]);
      enter(this.memberOf(row), family.codes[row]);
    }
  }

  /** The other variants of a sentence, each with what tells it apart and what became of it, by system. */
  variants(entry) {
    const others = new Set((this.families.get(this.familyOf.get(entry.at)) || []).filter((at) => at !== entry.at));
    if (!others.size) return null;
    const place = make("details", { class: "variants" }, make("summary", {}, `${counted(others.size, "variant")} of this sentence`));
    place.addEventListener("toggle", () => {
      if (!place.open || place.children.length > 1) return;
      const names = this.columns.replacement ? ["condition", "replacement"] : ["order", "props", "condition"];
      const told = names.map((name) => this.columns[name]).filter(Boolean).slice(0, 2);
      const rows = new Map(), counts = new Map();
      const only = this.filters.get("system"), { system, outcome } = this.columns;
      for (let row = 0; row < this.rows; row++) {
        const at = this.memberOf(row);
        if (!others.has(at)) continue;
        if (!rows.has(at)) rows.set(at, { row, wrong: 0, outcomes: new Set() });
        if (!outcome || (only && system.values[system.codes[row]] !== only)) continue;
        const name = outcome.values[outcome.codes[row]];
        counts.set(name, (counts.get(name) || 0) + 1);
        rows.get(at).outcomes.add(name);
        if (!NOT_WRONG.has(name)) rows.get(at).wrong++;
      }
      place.append(make("p", { class: "soft small" }, [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name}: ${count}`).join(", ")));
      const list = make("ol", { class: "sentences" }), batches = Boolean(this.columns.replacement);
      const sorted = [...rows].sort((a, b) => b[1].wrong - a[1].wrong);
      for (const [at, { row, wrong, outcomes }] of sorted.slice(0, MOST_VARIANTS)) {
        const marks = told.map((column) => column.values[column.codes[row]]).join(" · ");
        list.append(this.line({ at, units: entry.units.size ? new Set() : entry.units, wrong, rows: 1, said: batches ? [...outcomes].join(", ") : "" }, marks));
      }
      place.append(list);
      if (rows.size > MOST_VARIANTS) place.append(make("p", { class: "soft small" }, `and ${rows.size - MOST_VARIANTS} more`));
    });
    return place;
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
    return Boolean(this.sentences) && Object.entries(by).every(([key, value]) => this.matching(key, value));
  }

  build(place) {
    this.controls = make("div", { class: "filters", role: "search" });
    this.inputs = {};
    const select = (name, label, values) => {
      const input = make("select", { "data-filter": name, onchange: () => this.set(name, input.value) },
        make("option", { value: "" }, "any"), ...values.map((value) => make("option", { value: String(value) }, value === null || value === "" ? "(none)" : String(value))));
      this.inputs[name] = input;
      this.controls.append(make("label", {}, label, input));
    };
    if (this.systems.length > 1) select("system", "system", this.systems);
    for (const [name, column] of this.facets()) {
      const values = [...column.values].filter((value) => value !== null).sort((a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
      select(name, name.replaceAll("_", " "), values);
    }
    let wait = 0;
    const text = make("input", { type: "search", "data-filter": "text", title: "words in the sentence", oninput: () => { clearTimeout(wait); wait = setTimeout(() => this.set("text", text.value), 120); } });
    this.inputs.text = text;
    this.controls.append(make("label", {}, "text", text), make("button", { type: "button", onclick: () => this.clear() }, "Clear"));
    this.extra = make("p", { class: "soft small", hidden: "" });
    this.count = make("p", { class: "soft small", role: "status", "aria-live": "polite" });
    this.list = make("ol", { class: "sentences", onkeydown: (event) => this.move(event) });
    this.more = make("button", { type: "button", class: "more", onclick: () => { this.shown += PAGE; this.render(); } }, "Show more");
    place.append(this.controls, this.extra, this.count, this.list, this.more);
    if (this.sentences && this.sentences.left_out) {
      place.prepend(make("p", { class: "warning" }, `${counted(this.sentences.left_out, "more sentence")} of this run ${this.sentences.left_out === 1 ? "is" : "are"} not in this page.`));
    }
  }

  set(name, value) {
    if (value === "") this.filters.delete(name); else this.filters.set(name, value);
    this.shown = PAGE;
    this.apply();
  }

  clear() {
    this.filters.clear();
    this.group = null;
    for (const input of Object.values(this.inputs)) input.value = "";
    this.shown = PAGE;
    this.apply();
  }

  /** The sentences behind a finding: its group, and its system. */
  show(by, system) {
    this.clear();
    this.group = by;
    if (system && this.inputs.system && this.systems.includes(system)) {
      this.inputs.system.value = system;
      this.filters.set("system", system);
    }
    for (const [key, value] of Object.entries(by)) {
      if (this.inputs[key] && [...this.inputs[key].options].some((option) => option.value === String(value))) {
        this.inputs[key].value = String(value);
        this.filters.set(key, String(value));
      }
    }
    this.apply();
    this.controls.scrollIntoView({ block: "start" });
    this.count.focus?.();
  }

  apply() {
    const tests = [];
    const group = this.group ? Object.entries(this.group).filter(([key]) => !this.filters.has(key)) : [];
    for (const [key, value] of [...this.filters].filter(([key]) => key !== "text").concat(group)) {
      const match = this.matching(key, value);
      if (match) tests.push(match);
    }
    this.extra.hidden = group.length === 0;
    this.extra.textContent = group.map(([key, value]) => `${key}: ${value}`).join(", ");
    const found = new Map();
    const outcome = this.columns.outcome, wrong = outcome && outcome.values.map((name) => !NOT_WRONG.has(name));
    for (let row = 0; row < this.rows; row++) {
      let fits = true;
      for (const { column, codes } of tests) if (!codes.has(column.codes[row])) { fits = false; break; }
      if (!fits) continue;
      const at = this.itemOf(row);
      if (at < 0) continue;
      let entry = found.get(at);
      if (!entry) found.set(at, entry = { at, units: new Set(), wrong: 0, rows: 0 });
      entry.rows++;
      if (this.unitOf(row)) entry.units.add(this.unitOf(row));
      if (wrong && wrong[outcome.codes[row]]) entry.wrong++;
    }
    let entries = this.rows ? [...found.values()] : (this.sentences ? this.sentences.ids.map((_, at) => ({ at, units: new Set(), wrong: 0, rows: 0 })) : []);
    const text = (this.filters.get("text") || "").toLocaleLowerCase();
    if (text) entries = entries.filter(({ at }) => this.sentences.texts[at].toLocaleLowerCase().includes(text));
    entries.sort((a, b) => (b.wrong > 0) - (a.wrong > 0) || a.at - b.at);
    this.entries = entries;
    this.narrow = tests.length > 0;
    this.render();
  }

  render() {
    const wrong = this.entries.filter((entry) => entry.wrong).length;
    this.count.textContent = counted(this.entries.length, "sentence") + (this.columns.outcome ? `, ${wrong.toLocaleString("en")} of them with something not right` : "");
    this.list.replaceChildren(...this.entries.slice(0, this.shown).map((entry) => this.line(entry)));
    this.more.hidden = this.entries.length <= this.shown;
    this.more.textContent = `Show more (${Math.max(0, this.entries.length - this.shown).toLocaleString("en")} left)`;
  }

  line(entry, marks) {
    const { sentences } = this;
    const text = make("span", { class: "text", dir: "auto" });
    if (this.narrow && entry.units.size && entry.units.size < sentences.forms[entry.at].length) {
      sentences.forms[entry.at].forEach((form, at) => text.append(at ? " " : "", entry.units.has(at + 1) ? make("mark", {}, form) : form));
    } else text.append(sentences.texts[entry.at]);
    const badge = this.columns.outcome ? make("span", { class: entry.said === "same as original" ? "badge" : entry.wrong ? "badge wrong" : "badge right" }, entry.said || (entry.wrong ? (entry.rows > entry.wrong ? `${entry.wrong} of ${entry.rows} not right` : `${entry.wrong} not right`) : "right")) : null;
    const button = make("button", { type: "button", "aria-expanded": "false" }, make("span", { class: "id", title: marks || sentences.ids[entry.at] }, marks || sentences.ids[entry.at]), text, badge);
    const item = make("li", {}, button);
    button.addEventListener("click", () => {
      const open = item.querySelector(":scope > .trees");
      if (open) open.remove(); else item.append(this.trees(entry, Boolean(marks)));
      button.setAttribute("aria-expanded", String(!open));
    });
    return item;
  }

  move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.target.parentElement.parentElement !== this.list) return;
    const buttons = [...this.list.children].map((item) => item.firstElementChild);
    const next = buttons[buttons.indexOf(event.target) + step];
    if (next) { next.focus(); event.preventDefault(); }
  }

  tree(at, name) {
    const { sentences } = this;
    const source = name === "gold" ? sentences.gold : sentences.systems[name];
    if (!source || !source.heads[at]) return null;
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

  phrases(entry, place) {
    const { at } = entry, { sentences } = this, gold = this.phrase(at, "gold"), only = this.filters.get("system");
    const units = new Set(sentences.marked[at]), none = gold.mothers.map(() => ""), text = sentences.texts[at];
    const judged = (name) => !sentences.judged[name] || sentences.judged[name].includes(at);
    const add = (name, tree, changes, said) => place.append(make("div", { class: "small" }, make("strong", {}, name), said),
      make("div", { class: "tree phrase", tabindex: "0", "data-system": name }, drawPhrase(tree, changes, units, `${name}: ${text}`)),
      make("div", { class: "tools small" }, copier("Copy brackets", () => asNotation(tree)), copier("Copy export", () => asExport(sentences.ids[at], tree))));
    const names = Object.keys(sentences.systems).filter((name) => (!only || name === only) && judged(name));
    const first = names.length === 1 ? this.phrase(at, names[0]) : null;
    // With one system, gold shows what the system lacks; with several it would not say which.
    add("gold", gold, first && !first.other ? phraseChanges(gold, first) : none, "");
    for (const name of names) {
      const tree = this.phrase(at, name);
      if (!tree) { place.append(make("p", { class: "soft small" }, `${name}: no parse of this sentence`)); continue; }
      const changes = tree.other ? tree.mothers.map(() => "") : phraseChanges(tree, gold);
      const count = changes.filter(Boolean).length;
      add(name, tree, changes, tree.other ? " (other words than gold)" : ` (${count ? counted(count, "difference") : "as gold"})${this.reason(at, name)}`);
    }
  }

  /** What the study says of a system's answer to an item. */
  reason(at, name) {
    const { system, outcome, reason } = this.columns;
    for (let row = 0; row < this.rows; row++) {
      if (this.itemOf(row) !== at || (system && system.values[system.codes[row]] !== name)) continue;
      const said = [outcome, reason].map((column) => column && column.values[column.codes[row]]).filter(Boolean);
      return said.length ? ` · ${said.join(": ")}` : "";
    }
    return "";
  }

  trees(entry, nested) {
    const place = make("div", { class: "trees" });
    if (this.sentences.kind === "curves") {
      showCurves(this.sentences, entry.at, this.filters.get("system"), place);
      return place;
    }
    if (this.sentences.kind === "phrases") this.phrases(entry, place); else this.arcs(entry, place);
    const variants = nested ? null : this.variants(entry);
    if (variants) place.append(variants);
    return place;
  }

  arcs(entry, place) {
    const gold = this.tree(entry.at, "gold"), id = this.sentences.ids[entry.at], text = this.sentences.texts[entry.at];
    const only = this.filters.get("system");
    const units = entry.units.size < this.sentences.forms[entry.at].length ? entry.units : new Set();
    const names = ["gold", ...Object.keys(this.sentences.systems).filter((name) => !only || name === only)];
    for (const name of names) {
      const tree = this.tree(entry.at, name);
      if (!tree) { place.append(make("p", { class: "soft small" }, `${name}: no analysis of this sentence`)); continue; }
      const other = name === "gold" || tree.other ? null : gold;
      const differences = other ? tree.heads.filter((head, at) => head !== other.heads[at] || tree.labels[at] !== other.labels[at]).length : 0;
      const said = name === "gold" ? "" : tree.other ? " (other words than gold)" : ` (${differences ? counted(differences, "difference") : "as gold"})`;
      place.append(make("div", { class: "small" }, make("strong", {}, name), said),
        make("div", { class: "tree", tabindex: "0", "data-system": name }, drawTree(tree, other, units, `${name}: ${text}`)),
        make("div", { class: "tools small" }, copier("Copy CoNLL-U", () => asConllu(id, text, tree)), copier("Copy LaTeX", () => asTikz(tree))));
    }
  }
}

/** The sentence of each observation, where names of items do not tell it; -1 where it is not in the page. */
function placesOf(run) {
  return run.observations && run.observations.places ? Int32Array.from(run.observations.places) : null;
}

function copier(label, content) {
  const button = make("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    let done = true;
    try { await navigator.clipboard.writeText(content()); } catch { done = fallbackCopy(content()); }
    button.textContent = done ? "Copied" : "Could not copy";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

/** Pages opened from a file have no clipboard of their own in some browsers. */
function fallbackCopy(text) {
  const area = make("textarea", {});
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
