"use strict";
// The batch of a study of consistency whose trees differ most: one tree of each kind, beside the most frequent one.

const OPEN_KINDS = 2, MOST_KINDS = 6;

/** What of a tree is drawn: parses that differ in tags or features alone look the same. */
function looks(tree) {
  return JSON.stringify([tree.heads, tree.labels]);
}

/** What differs between trees of the same words: those words with their heads, and a gap in place of others. */
function differingParts(trees) {
  const size = trees[0].forms.length, alike = trees.filter((tree) => tree.forms.length === size), kept = new Set();
  for (let at = 0; at < size; at++) {
    if (new Set(alike.map((tree) => JSON.stringify([tree.forms[at], tree.tags[at], tree.heads[at], tree.labels[at]]))).size > 1) kept.add(at);
  }
  for (const at of [...kept]) for (const tree of alike) if (tree.heads[at] > 0) kept.add(tree.heads[at] - 1);
  const places = [];  // of the words that are drawn; -1 is a gap
  for (let at = 0; at < size; at++) if (kept.has(at)) places.push(at); else if (places[places.length - 1] !== -1) places.push(-1);
  return trees.map((tree) => tree.forms.length !== size || !kept.size ? tree : {
    forms: places.map((at) => at < 0 ? "…" : tree.forms[at]),
    tags: places.map((at) => at < 0 ? "" : tree.tags[at]),
    heads: places.map((at) => at < 0 ? -1 : tree.heads[at] > 0 ? places.indexOf(tree.heads[at] - 1) + 1 || -1 : tree.heads[at]),
    labels: places.map((at) => at < 0 ? "" : tree.labels[at]),
  });
}

/** The batch with the most trees that look different, of those that the page has the sentences of. */
function worstBatch(sentences) {
  const { parse, parses, replacement } = sentences.columns;
  if (!parse || !parses || !replacement) return null;
  const fits = sentences.test({ system: sentences.system }), batches = new Map();
  for (let row = 0; row < sentences.rows; row++) {
    const member = sentences.memberOf(row), number = parse.values[parse.codes[row]];
    if (!fits(row) || member < 0 || !number || !sentences.tree(member, sentences.system)) continue;
    const { condition, order } = sentences.columns, key = [sentences.itemOf(row), condition?.codes[row], order?.codes[row]].join(" ");
    if (!batches.has(key)) batches.set(key, { original: sentences.itemOf(row), parses: parses.values[parses.codes[row]], kinds: new Map() });
    const { kinds } = batches.get(key);
    if (!kinds.has(number)) kinds.set(number, { at: member, values: [] });
    kinds.get(number).values.push(replacement.values[replacement.codes[row]]);
  }
  const several = [...batches.values()].filter((one) => one.kinds.size > 1);
  for (const one of several) one.looks = new Set([...one.kinds.values()].map((kind) => looks(sentences.tree(kind.at, sentences.system)))).size;
  return several.sort((a, b) => b.looks - a.looks || b.parses - a.parses)[0] || null;
}

/** What the drawing of a tree does not mark. */
function remark(tree, common, alike) {
  if (alike) return ": only tags or features differ, which are not drawn";
  return tree.forms.length === common.forms.length ? "" : ": cut into other words";
}

/** Drawn: what differs of the most frequent tree and of the next one beside it; more of them folded. */
function batchPanel(sentences) {
  const batch = worstBatch(sentences);
  if (!batch) return null;
  const [first, ...others] = [...batch.kinds].sort(([a], [b]) => a - b).map(([, kind]) => kind);
  const common = sentences.tree(first.at, sentences.system), shown = new Set([looks(common)]), alike = new Set();
  for (const kind of others) {
    const key = looks(sentences.tree(kind.at, sentences.system));
    if (shown.has(key)) alike.add(kind);
    shown.add(key);
  }
  const kinds = [first, ...others.filter((kind) => !alike.has(kind)), ...alike], name = sentences.run.names.get(sentences.system) || sentences.system;
  const listed = (values) => values.join(", ");
  const parts = differingParts(kinds.map((kind) => sentences.tree(kind.at, sentences.system)));
  const panel = make("figure", { class: "panel", "data-batch": "" },
    make("div", { class: "controls" }, make("h3", {}, `${batch.parses} different trees of one sentence`),
      make("span", { class: "soft small" }, `${name}: ${sentences.sentences.texts?.[batch.original] ?? sentences.sentences.ids[batch.original] ?? ""}`)));
  const drawn = (kind) => {
    const tree = parts[kinds.indexOf(kind)], same = tree.forms.length === parts[0].forms.length, caption = `tree with ${listed(kind.values)}`;
    return make("div", {}, make("p", { class: "small" }, make("strong", {}, listed(kind.values)), kind === first ? ": the most frequent tree" : remark(tree, parts[0], alike.has(kind))),
      make("div", { class: "tree", tabindex: "0", role: "group", "aria-label": caption }, drawTree(tree, kind !== first && same ? common : null, new Set(), caption)));
  };
  const pairs = (some) => make("div", { class: "pair" }, ...some.map(drawn));
  const open = isNarrow() ? 0 : OPEN_KINDS;
  if (open) panel.append(pairs(kinds.slice(0, open)));
  if (kinds.length > open) panel.append(fold(open ? counted(kinds.length - open, "more tree") : "Show them", (place) => {
    place.append(pairs(kinds.slice(open, MOST_KINDS)));
    if (kinds.length > MOST_KINDS) place.append(make("p", { class: "soft small" }, `${counted(kinds.length - MOST_KINDS, "more tree")} below, among the sentences`));
  }, { class: open ? "more small" : "" }));
  return panel;
}
