"use strict";
// Small parts that all of the page is made of: elements, words with their meaning, numbers, long lists in pages.

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

/** What is packed in the element with this id. */
async function unpacked(id) {
  const packed = atob(document.getElementById(id).textContent), bytes = new Uint8Array(packed.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = packed.charCodeAt(at);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/** The browser has a moment to show what there is, and to answer whoever clicks. */
function pause() {
  return new Promise((resume) => document.hidden ? setTimeout(resume) : requestAnimationFrame(() => setTimeout(resume)));
}

/** Until the browser has nothing else to do, or a second has passed. */
function idle() {
  return new Promise((resume) => window.requestIdleCallback ? requestIdleCallback(resume, { timeout: 1000 }) : setTimeout(resume, 50));
}

/** A phone: lists open with less. */
function isNarrow() {
  return matchMedia("(max-width: 500px)").matches;
}

/** A fold whose content is made when it is first opened. */
function fold(summary, fill, attributes) {
  const place = make("details", attributes || {}, make("summary", {}, summary));
  place.fill = () => { if (fill) { const made = fill; fill = null; made(place); } };
  place.addEventListener("toggle", () => { if (place.open) place.fill(); });
  return place;
}

/** A word with what it means, told on hover, on focus and on tap. */
function term(content, meaning, kind) {
  if (!meaning) return make("span", { class: kind || "" }, content);
  const word = make("button", { type: "button", class: `term ${kind || ""}`, "aria-describedby": "tip" }, content);
  const show = () => {
    const tip = document.getElementById("tip"), box = word.getBoundingClientRect();
    tip.textContent = meaning;
    tip.hidden = false;
    const left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8));
    const above = box.bottom + tip.offsetHeight + 12 > innerHeight;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above ? box.top - tip.offsetHeight - 6 : box.bottom + 6) + scrollY}px`;
  };
  const hide = () => { document.getElementById("tip").hidden = true; };
  for (const event of ["mouseenter", "focus", "click"]) word.addEventListener(event, show);
  for (const event of ["mouseleave", "blur"]) word.addEventListener(event, hide);
  word.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  return word;
}

const FIELD_NAMES = { VF: "fore-field", LK: "left bracket", MF: "middle field", VC: "right bracket" };
const IN_FIELDS = { S: ["subj", "subject"], O: ["obj", "object"], V: ["verb", "verb"], ADV: ["adv", "adverb"] };
const ORDER = /(?:VF|LK|MF|VC)\[[A-Z]+\](?:(?:VF|LK|MF|VC)\[[A-Z]+\])*/;

/** A word order as a picture of its fields: VF[O]LK[V]MF[S] as three boxes. */
function orderPicture(code, meaning) {
  const fields = [...code.matchAll(/([A-Z]+)\[([A-Z]+)\]/g)].map(([, field, inside]) => [field, inside.match(/ADV|[SOV]/g) || []]);
  const picture = make("span", { class: "fields" }, ...fields.map(([, inside]) =>
    make("span", { class: "field" }, ...inside.map((role) => make("span", { class: `role-${role}` }, IN_FIELDS[role][0])))));
  const said = fields.map(([field, inside]) => `${FIELD_NAMES[field]}: ${inside.map((role) => IN_FIELDS[role][1]).join(", ")}`).join("; ");
  return term(picture, `${code} – ${meaning ? `${meaning} (${said})` : said}`, "order");
}

/** The value of a grouping key: orders as pictures, codes with their meaning beside them. */
function coded(run, key, value) {
  const whole = value === true ? "yes" : value === false ? "no" : String(value), text = run.names.get(whole) || whole, meanings = run.meanings[key] || {};
  if (ORDER.test(text)) return make("span", {}, ...text.split(" > ").flatMap((part, at) => [at ? " → " : "", orderPicture(part, (run.meanings.order || {})[part])]));
  if (key === "prediction") return make("span", {}, `prediction ${text}`);
  if (!meanings[text]) return make("span", {}, text);
  return key === "label" || key === "predicted" ? term(text, meanings[text], "code") : make("span", {}, make("span", { class: "code" }, text), " ", make("small", {}, meanings[text]));
}

/** A name that may go on in the next line behind a colon, slash or hyphen. */
function breakable(name) {
  return make("span", {}, ...name.split(/(?<=[:/_-])/).flatMap((part, at) => at ? [make("wbr", {}), part] : [part]));
}

/** Numbers that have an interval stand out, and the interval steps back. */
function weighed(text) {
  return text.replace(/(?<=^|[\s[(])-(?=\d)/g, "−").split(/([+−-]?\d[\d,.]*(?: points| bits| %)? \[[^\]]*\d\])/).flatMap((part, at) => {
    if (at % 2 === 0) return [part];
    const cut = part.indexOf(" [");
    return [make("strong", {}, part.slice(0, cut)), " ", make("span", { class: "soft interval" }, part.slice(cut + 1))];
  });
}

/** Words of the sentence that a remark names between asterisks stand out. */
function emphasised(text) {
  return text.split(/\*([^*]+)\*/).map((part, at) => at % 2 ? make("em", {}, part) : part);
}

/** A sentence in which orders are pictures and measures can be asked for their meaning. */
function prose(run, text) {
  const titles = new Map(Object.values(run.measures).filter((one) => one.meaning).map((one) => [one.title, one.meaning]));
  const words = [...titles.keys()].filter((title) => /^[A-Z]\w+$/.test(title)).map((title) => `\\b${title}\\b`);
  const parts = text.split(new RegExp(`(${[ORDER.source, ...words].join("|")})`));
  return parts.flatMap((part, at) => at % 2 === 0 ? weighed(part) : titles.has(part) ? term(part, titles.get(part)) : orderPicture(part, (run.meanings.order || {})[part]));
}

/** hf:gpt2 of hf:models/gpt2; a folder called like the kind says nothing alone: hf:gpt2/hf. */
function shortName(name) {
  const [, kind = "", path] = /^([\w-]+:)?([^]*)$/.exec(name), folders = path.replace(/[/\\]+$/, "").split(/[/\\]/), last = folders.at(-1);
  return name.includes("://") || folders.length === 1 ? name : kind + (`${last}:` === kind ? folders.slice(-2).join("/") : last);
}

/** Systems are named by what tells them apart: folders that all share say nothing. */
function shortNames(names) {
  const made = names.map(shortName);
  return new Map(names.map((name, at) => [name, made.filter((one) => one === made[at]).length === 1 ? made[at] : name]));
}

/** How many places all numbers of a column have. */
function placesFor(values) {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.every(Number.isInteger)) return 0;
  const most = Math.max(...numbers.map(Math.abs));
  return most >= 10 ? 1 : most >= 1 ? 2 : 3;
}

const FORMATS = [0, 1, 2, 3].map((places) => new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places }));

function numberText(value, places) {
  if (typeof value !== "number") return value === null || value === undefined ? "" : String(value);
  return FORMATS[places].format(value).replace(/^-(0(?:\.0+)?)$/, "$1").replace("-", "−");
}

function pText(value) {
  return value === null ? "" : value < 0.0001 ? "< 0.0001" : value.toFixed(4);
}

/** A long list: first the few that are seen at once, then page by page. Where it is told a head and a foot, what turns
 * the pages stands in the head until there are pages to turn. */
class Pages {
  constructor(first, size, draw, head, foot) {
    Object.assign(this, { first, size, draw, head, foot, items: [], at: 0, wide: false });
    this.range = make("span", { "aria-live": "polite" });
    this.back = make("button", { type: "button", onclick: () => this.go(this.at - this.size) }, "Back");
    this.next = make("button", { type: "button", onclick: () => this.wide ? this.go(this.at + this.size) : this.widen() }, "Next");
    this.element = make("div", { class: "pages small" }, this.back, this.range, this.next);
  }

  set(items) {
    this.items = items;
    this.wide = false;
    this.go(0);
  }

  widen() {
    this.wide = true;
    this.go(0);
  }

  /** Turns to the page with this item. */
  reach(number) {
    if (number >= (this.wide ? 0 : this.first)) this.wide = true;
    this.go(this.wide ? number - number % this.size : 0);
  }

  go(at) {
    this.at = Math.max(0, at);
    const total = this.items.length, end = Math.min(total, this.at + (this.wide ? this.size : this.first));
    this.range.textContent = total ? `${(this.at + 1).toLocaleString("en")}–${end.toLocaleString("en")} of ${total.toLocaleString("en")}` : "none";
    this.element.hidden = total <= this.first;
    this.back.hidden = this.at === 0;
    this.next.hidden = end >= total;
    this.next.textContent = this.wide ? "Next" : "Show more";
    this.draw(this.items.slice(this.at, end));
    if (this.head) this.place(this.wide ? this.foot : this.head);
  }

  /** Moved, and what was pressed still has the focus. */
  place(where) {
    const pressed = document.activeElement;
    if (this.element.parentElement === where) return;
    where.append(this.element);
    if (this.element.contains(pressed)) pressed.focus({ preventScroll: true });
  }
}

/** A table whose cells are text or elements; columns of numbers stand to the right. */
function grid(columns, rows, numeric, caption) {
  const kind = (at) => numeric[at] ? "number" : "";
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, make("table", {}, make("caption", { class: "unseen" }, caption),
    make("thead", {}, make("tr", {}, ...columns.map((name, at) => make("th", { scope: "col", class: kind(at) }, name || make("span", { class: "unseen" }, "what"))))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, at) => cell instanceof HTMLTableCellElement ? cell
      : make(at ? "td" : "th", { scope: at ? null : "row", class: kind(at) || (String(cell).length > 60 ? "wide" : "") }, cell)))))));
}

function picker(label, values, names, chosen, change, kind) {
  const select = make("select", { onchange: () => change(select.value) }, ...values.map((value, at) => make("option", { value }, names[at])));
  if (chosen !== null) select.value = chosen;
  return make("label", { class: kind }, make("span", {}, label), " ", select);
}

function saver(label, name, type, content) {
  return make("button", { type: "button", onclick: async () => {
    const url = URL.createObjectURL(new Blob([await content()], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, label);
}

/** A button that says for a moment whether it could copy. */
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
