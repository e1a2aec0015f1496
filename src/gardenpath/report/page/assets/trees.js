"use strict";
// Dependency trees as arc diagrams.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 23, GAP = 22, WORD = 15, LABEL = 11, BEND = 14;

function svgPart(name, attributes, text) {
  const part = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  if (text !== undefined) part.textContent = text;
  return part;
}

/** How high each arc is drawn, from 1: above every shorter arc that it spans or crosses. */
function arcLevels(arcs) {
  const order = arcs.map((_, at) => at).sort((a, b) =>
    Math.abs(arcs[a][0] - arcs[a][1]) - Math.abs(arcs[b][0] - arcs[b][1]) || Math.min(...arcs[a]) - Math.min(...arcs[b]));
  const highest = [], levels = new Array(arcs.length).fill(0);
  for (const at of order) {
    const low = Math.min(...arcs[at]), high = Math.max(...arcs[at]);
    let top = 0;
    for (let gap = low; gap < high; gap++) top = Math.max(top, highest[gap] || 0);
    levels[at] = top + 1;
    for (let gap = low; gap < high; gap++) highest[gap] = top + 1;
  }
  return levels;
}

function columnsOf(text) {
  let columns = 0;
  for (const char of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(char)) continue;
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(char) ||
      char.codePointAt(0) > 0x1f2ff ? 2 : 1;
  }
  return columns;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/gu;

/** Half of what a label covers with its plate. */
function halfLabel(label) {
  return columnsOf(label) * LABEL * 0.33 + 4;
}

/** Where words stand: apart enough for what is written below, and for the label of every arc between them. */
function wordPlaces(tree) {
  const halves = tree.forms.map((form, at) => (GAP + Math.max(columnsOf(form) * WORD * 0.58, columnsOf(tree.tags[at] || "") * LABEL * 0.62)) / 2);
  const roots = tree.forms.map((_, at) => tree.heads[at] === 0 ? halfLabel(tree.labels[at]) : 0);
  const arcs = tree.heads.flatMap((head, at) => head > 0 && head !== at + 1 ? [[Math.min(head - 1, at), Math.max(head - 1, at), halfLabel(tree.labels[at])]] : []);
  const ending = tree.forms.map(() => []);
  for (const [low, high, half] of arcs) {
    ending[high].push([low, 2 * half + 2 * BEND + 6]);
    // Where a root or a crossing arc comes down below this one, the label has its place before it.
    const isCrossed = (word) => tree.heads[word] === 0 || arcs.some(([one, other]) => (one === word && other > high) || (other === word && one < low));
    for (let word = low + 1; word < high; word++) if (isCrossed(word)) { ending[word].push([low, 2 * half + BEND + 10]); break; }
  }
  const places = [];
  halves.forEach((half, at) => {
    const after = at ? places[at - 1] + halves[at - 1] + half : 10 + Math.max(half, roots[0]);
    places.push(Math.max(after, ...ending[at].map(([from, room]) => places[from] + room)));
  });
  const last = places.length - 1;
  return [places, last < 0 ? 20 : places[last] + Math.max(halves[last], roots[last]) + 10];
}

/** The place nearest to the middle of [from, to] at which no leg goes through a label of this half width. */
function clearPlace(from, to, half, legs) {
  const middle = (from + to) / 2, near = legs.filter((leg) => leg > from && leg < to);
  const tries = [middle, ...near.flatMap((leg) => [leg - half - 2, leg + half + 2])].filter((x) => x - half >= from && x + half <= to);
  const clear = tries.filter((x) => near.every((leg) => Math.abs(leg - x) > half));
  return clear.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle;
}

/** tree: {forms, tags, heads, labels}; other: heads and labels it is compared with, or null; units: words (from 1) to mark. */
function drawTree(tree, other, units, described) {
  const size = tree.forms.length;
  let [places, total] = wordPlaces(tree);
  const letters = tree.forms.join("");
  if ((letters.match(RIGHT_TO_LEFT) || []).length * 2 > letters.length) places = places.map((place) => total - place);
  const arcs = [], dependents = [];
  for (let at = 0; at < size; at++) {
    if (tree.heads[at] > 0) { arcs.push([tree.heads[at], at + 1]); dependents.push(at); }
  }
  const levels = arcLevels(arcs);
  const height = STEP * Math.max(0, ...levels) + 18 + LABEL;
  const base = height + 4, bottom = base + 2 * WORD + 10;
  const drawing = svgPart("svg", { width: total, height: bottom, viewBox: `0 0 ${total} ${bottom}`, role: "img", "aria-label": described });
  const differs = (at) => other && (other.heads[at] !== tree.heads[at] || other.labels[at] !== tree.labels[at]);
  const labels = svgPart("g", {});
  const add = (at, path, x, middle, y) => {
    const kind = differs(at) ? " differs" : "", half = halfLabel(tree.labels[at]);
    const group = svgPart("g", { class: `edge${kind}`, "data-head": tree.heads[at], "data-dependent": at + 1 });
    group.append(svgPart("path", { class: "arc", d: path }), svgPart("path", { class: "tip", d: `M${x - 3.5} ${base - 6}L${x + 3.5} ${base - 6}L${x} ${base}Z` }));
    drawing.append(group);
    const plate = svgPart("g", { class: `name${kind}`, "data-dependent": at + 1 });
    plate.append(svgPart("rect", { class: "back", x: middle - half, y: y - 7, width: 2 * half, height: 14 }), svgPart("text", { class: "label", x: middle, y: y + 4 }, tree.labels[at]));
    labels.append(plate);
  };
  const ends = arcs.map(([head, dependent]) => {
    const sign = places[dependent - 1] > places[head - 1] ? 1 : -1;
    return [places[head - 1] + 4 * sign, places[dependent - 1] - 2 * sign, sign];
  });
  arcs.forEach((_, number) => {
    const [a, b, sign] = ends[number], peak = base - STEP * levels[number], bend = Math.min(Math.abs(b - a) / 2, BEND) * sign;
    // Legs of higher arcs, and the line of the root, come down through this height.
    const legs = [...arcs.flatMap((_, one) => levels[one] > levels[number] ? ends[one].slice(0, 2) : []), ...places.filter((_, at) => tree.heads[at] === 0)];
    const middle = clearPlace(Math.min(a, b), Math.max(a, b), halfLabel(tree.labels[dependents[number]]), legs);
    add(dependents[number], `M${a} ${base}C${a} ${peak} ${a} ${peak} ${a + bend} ${peak}L${b - bend} ${peak}C${b} ${peak} ${b} ${peak} ${b} ${base}`, b, middle, peak);
  });
  for (let at = 0; at < size; at++) {
    if (tree.heads[at] === 0) add(at, `M${places[at]} 14L${places[at]} ${base}`, places[at], places[at], 10);
    drawing.append(svgPart("text", { class: units.has(at + 1) ? "word unit" : "word", x: places[at], y: base + WORD + 2 }, tree.forms[at]));
    drawing.append(svgPart("text", { class: "tag", x: places[at], y: base + 2 * WORD + 2 }, tree.tags[at] === "_" ? "" : tree.tags[at] || ""));
  }
  drawing.append(labels);
  return drawing;
}

function plainField(text) {
  return (text || "_").replace(/[\t\r\n]/g, " ");
}

function asConllu(id, text, tree) {
  const lines = [`# sent_id = ${id}`, `# text = ${text}`].map((line) => line.replace(/[\r\n]/g, " "));
  tree.forms.forEach((form, at) => lines.push([at + 1, plainField(form), "_", plainField(tree.tags[at]), "_", "_",
    tree.heads[at] < 0 ? "_" : tree.heads[at], plainField(tree.labels[at]), "_", "_"].join("\t")));
  return lines.join("\n") + "\n\n";
}

const TEX = { "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}" };

function asTikz(tree) {
  const tex = (text) => text.replace(/[\\&%$#_{}~^<>]/g, (char) => TEX[char]).replace(/\s+/g, " ");
  const lines = ["\\begin{dependency}", "\\begin{deptext}", tree.forms.map(tex).join(" \\& ") + " \\\\", "\\end{deptext}"];
  tree.heads.forEach((head, at) => {
    if (head === 0) lines.push(`\\deproot{${at + 1}}{${tex(tree.labels[at])}}`);
    if (head > 0) lines.push(`\\depedge{${head}}{${at + 1}}{${tex(tree.labels[at])}}`);
  });
  return [...lines, "\\end{dependency}", ""].join("\n");
}
