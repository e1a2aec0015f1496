"use strict";
// Phrase trees: tokens at the bottom, nodes as boxes above, crossing branches.

const NODE_STEP = 44, NODE_BOX = 18, NO_FUNCTION = new Set(["", "-", "--"]);

/** Tokens below each node, as [first, last] of those side by side; daughters have lower numbers than mothers. */
function stretchesOf(tree) {
  const size = tree.words.length, tokens = tree.mothers.map((_, node) => node < size ? [node] : []);
  tree.mothers.forEach((mother, node) => { if (mother >= 0) tokens[mother].push(...tokens[node]); });
  return tokens.map((own) => {
    const found = [];
    for (const token of own.sort((a, b) => a - b)) {
      const last = found[found.length - 1];
      if (last && last[1] === token - 1) last[1] = token; else found.push([token, token]);
    }
    return found;
  });
}

/** Places and levels of all nodes: a node stands over one stretch of its own tokens, so no other line goes through it. */
function phraseLayout(tree, places, stretches) {
  const size = tree.words.length, xs = [...places], levels = places.map(() => 0), taken = [];
  const children = tree.mothers.map(() => []);
  tree.mothers.forEach((mother, node) => { if (mother >= 0) children[mother].push(node); });
  for (let node = size; node < tree.mothers.length; node++) {
    const own = children[node].map((child) => xs[child]);
    let best = [];
    for (const [first, last] of stretches[node]) {
      const low = Math.min(xs[first], xs[last]), high = Math.max(xs[first], xs[last]);
      const over = own.filter((x) => low <= x && x <= high);
      if (over.length > best.length) best = over;
    }
    xs.push((Math.min(...best) + Math.max(...best)) / 2);
    const left = Math.min(...own, xs[node]), right = Math.max(...own, xs[node]);
    let level = 1 + Math.max(...children[node].map((child) => levels[child]));
    while ((taken[level] || []).some(([begin, end]) => left - GAP < end && begin < right + GAP)) level++;
    (taken[level] = taken[level] || []).push([left, right]);
    levels.push(level);
  }
  return { xs, levels, height: Math.max(0, ...levels) };
}

/** What of each node the other tree does not have: "node", "function", "tag", "root", or nothing. */
function phraseChanges(tree, other) {
  const size = tree.words.length, there = new Map();
  const key = (one, spans, node) => JSON.stringify([one.labels[node - size], spans[node]]);
  const mine = stretchesOf(tree), theirs = stretchesOf(other);
  for (let node = size; node < other.mothers.length; node++) {
    const name = key(other, theirs, node);
    if (!there.has(name)) there.set(name, []);
    there.get(name).push(other.functions[node]);
  }
  const changes = tree.mothers.map((mother, node) => node >= size ? "node" : [
    tree.tags[node] !== other.tags[node] ? "tag" : "", tree.functions[node] !== other.functions[node] ? "function" : "",
    (mother < 0) !== (other.mothers[node] < 0) ? "root" : ""].filter(Boolean).join(" and "));
  for (const exact of [true, false]) {
    for (let node = size; node < tree.mothers.length; node++) {
      const left = there.get(key(tree, mine, node)) || [];
      const at = exact ? left.indexOf(tree.functions[node]) : left.length - 1;
      if (changes[node] !== "node" || at < 0) continue;
      left.splice(at, 1);
      changes[node] = exact ? "" : "function";
    }
  }
  return changes;
}

/** tree: {words, tags, labels, functions, mothers, secondary}; changes as of phraseChanges; units: tokens (from 1) to mark. */
function drawPhrase(tree, changes, units, described) {
  const size = tree.words.length;
  const widths = tree.words.map((word, at) => GAP + Math.max(columnsOf(word) * WORD * 0.58,
    columnsOf(tree.tags[at]) * LABEL * 0.62, columnsOf(tree.functions[at]) * LABEL * 0.62, NODE_BOX));
  const total = widths.reduce((sum, width) => sum + width, 20), letters = tree.words.join("");
  let end = 10, places = widths.map((width) => (end += width) - width / 2);
  if ((letters.match(RIGHT_TO_LEFT) || []).length * 2 > letters.length) places = places.map((place) => total - place);
  const { xs, levels, height } = phraseLayout(tree, places, stretchesOf(tree));
  const base = 10 + NODE_STEP * height + NODE_BOX / 2, bottom = base + 2 * WORD + 20;
  const drawing = svgPart("svg", { width: total, height: bottom, viewBox: `0 0 ${total} ${bottom}`, role: "img", "aria-label": described });
  const y = (node) => base - NODE_STEP * levels[node];
  const plate = (group, text, x, middle, kind) => {
    const half = columnsOf(text) * LABEL * 0.3 + 2;
    group.append(svgPart("rect", { class: "back", x: x - half, y: middle - 7, width: 2 * half, height: 14 }), svgPart("text", { class: kind, x, y: middle + 4 }, text));
  };
  const labels = svgPart("g", {}), marked = svgPart("g", {});
  tree.mothers.forEach((mother, node) => {
    if (mother < 0) return;
    const kind = changes[node] ? "edge differs" : "edge";
    const edge = svgPart("g", { class: kind, "data-node": node, "data-mother": mother });
    edge.append(svgPart("path", { class: "arc", d: `M${xs[mother]} ${y(mother)}H${xs[node]}V${y(node) - (node < size ? 0 : NODE_BOX / 2)}` }));
    (changes[node] ? marked : drawing).append(edge);
    if (NO_FUNCTION.has(tree.functions[node])) return;
    const label = svgPart("g", { class: kind.replace("edge", "function") });
    plate(label, tree.functions[node], xs[node], y(mother) + NODE_STEP / 2, "label");
    labels.append(label);
  });
  for (const [node, label, mother] of tree.secondary || []) {
    if (mother < 0) continue;
    const x = xs[node], to = xs[mother], low = y(mother) + NODE_BOX / 2, side = to >= x ? 26 : -26;
    const group = svgPart("g", { class: "secondary", "data-node": node, "data-mother": mother });
    group.append(svgPart("path", { class: "second", d: `M${x} ${y(node)}C${x + side} ${y(node)} ${to - side} ${low + 30} ${to} ${low + 6}` }),
      svgPart("path", { class: "point", d: `M${to - 4} ${low + 7}L${to + 4} ${low + 7}L${to} ${low}Z` }));
    plate(group, label, x + 0.3 * (to - x), y(node) + 0.2 * (y(mother) - y(node)), "label");
    marked.append(group);
  }
  drawing.append(marked, labels);
  for (let node = size; node < tree.mothers.length; node++) {
    const label = tree.labels[node - size], half = columnsOf(label) * LABEL * 0.34 + 6;
    const box = svgPart("g", { class: changes[node] ? "node differs" : "node", "data-node": node });
    box.append(svgPart("rect", { class: "box", x: xs[node] - half, y: y(node) - NODE_BOX / 2, width: 2 * half, height: NODE_BOX, rx: changes[node] ? 0 : 8 }),
      svgPart("text", { class: "label", x: xs[node], y: y(node) + 4 }, label));
    drawing.append(box);
  }
  tree.words.forEach((word, at) => drawing.append(
    svgPart("text", { class: changes[at] ? "tag differs" : "tag", x: xs[at], y: base + 12 }, tree.tags[at]),
    svgPart("text", { class: units.has(at + 1) ? "word unit" : "word", x: xs[at], y: base + 15 + WORD }, word)));
  return drawing;
}

/** One line of brackets as people write them; pieces of a node with a gap share a mark: (NP:OA#1 …). */
function asNotation(tree) {
  const size = tree.words.length, stretches = stretchesOf(tree), marks = new Map(), children = tree.mothers.map(() => []), top = [];
  tree.mothers.forEach((mother, node) => (mother < 0 ? top : children[mother]).push(node));
  const plain = (text) => text.replaceAll("(", "-LRB-").replaceAll(")", "-RRB-").replace(/\s+/g, "_");
  const pieces = (nodes, begin, end) => nodes.flatMap((node) => stretches[node].flatMap(([first, last]) => {
    const from = Math.max(first, begin), to = Math.min(last, end);
    return from <= to ? [[node, from, to]] : [];
  })).sort((a, b) => a[1] - b[1]);
  const written = ([node, from, to]) => {
    const label = node < size ? tree.tags[node] : tree.labels[node - size];
    let name = plain(tree.functions[node] ? `${label}:${tree.functions[node]}` : label);
    if (node < size) return `(${name} ${plain(tree.words[node])})`;
    if (stretches[node].length > 1) {
      if (!marks.has(node)) marks.set(node, marks.size + 1);
      name += `#${marks.get(node)}`;
    }
    return `(${name} ${pieces(children[node], from, to).map(written).join(" ")})`;
  };
  return pieces(top, 0, size - 1).map(written).join(" ");
}

/** NEGRA export, version 4: a token or node a line. */
function asExport(id, tree) {
  const size = tree.words.length, cell = (text) => String(text || "--").replace(/\s+/g, "_");
  const number = (mother) => mother < 0 ? 0 : 500 + mother - size;
  const lines = tree.mothers.map((mother, node) => [
    node < size ? cell(tree.words[node]) : `#${number(node)}`, "--", cell(node < size ? tree.tags[node] : tree.labels[node - size]), "--",
    cell(tree.functions[node]), number(mother),
    ...(tree.secondary || []).filter(([from]) => from === node).flatMap(([, label, to]) => [cell(label), number(to)])].join("\t"));
  return [`#FORMAT 4`, `#BOS ${cell(id)}`, ...lines, `#EOS ${cell(id)}`, ""].join("\n");
}
