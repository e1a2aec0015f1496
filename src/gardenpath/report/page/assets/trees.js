"use strict";
// Dependency trees as arc diagrams. The same drawing as report/trees/svg.py, made where it is looked at.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 26, GAP = 22, WORD = 15, LABEL = 11;

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

/** tree: {forms, tags, heads, labels}; other: heads and labels it is compared with, or null; units: words (from 1) to mark. */
function drawTree(tree, other, units, described) {
  const size = tree.forms.length;
  const widths = tree.forms.map((form, at) => GAP + Math.max(columnsOf(form) * WORD * 0.58,
    columnsOf(tree.tags[at] || "") * LABEL * 0.62, columnsOf(tree.labels[at] || "") * LABEL * 0.5));
  const total = widths.reduce((sum, width) => sum + width, 20);
  let end = 10;
  let places = widths.map((width) => (end += width) - width / 2);
  const letters = tree.forms.join("");
  if ((letters.match(RIGHT_TO_LEFT) || []).length * 2 > letters.length) places = places.map((place) => total - place);
  const arcs = [], dependents = [];
  for (let at = 0; at < size; at++) {
    if (tree.heads[at] > 0) { arcs.push([tree.heads[at], at + 1]); dependents.push(at); }
  }
  const levels = arcLevels(arcs);
  const height = STEP * (Math.max(0, ...levels) + 1) + LABEL;
  const base = height + 4, bottom = base + 2 * WORD + 16;
  const drawing = svgPart("svg", { width: total, height: bottom, viewBox: `0 0 ${total} ${bottom}`, role: "img", "aria-label": described });
  const differs = (at) => other && (other.heads[at] !== tree.heads[at] || other.labels[at] !== tree.labels[at]);
  const add = (at, path, x, middle, y) => {
    const group = svgPart("g", { class: differs(at) ? "edge differs" : "edge", "data-head": tree.heads[at], "data-dependent": at + 1 });
    group.append(svgPart("path", { class: "arc", d: path }));
    group.append(svgPart("path", { class: "tip", d: `M${x - 3.5} ${base - 6}L${x + 3.5} ${base - 6}L${x} ${base}Z` }));
    const half = columnsOf(tree.labels[at]) * LABEL * 0.29 + 2;
    group.append(svgPart("rect", { class: "back", x: middle - half, y: y - 7, width: 2 * half, height: 14 }));
    group.append(svgPart("text", { class: "label", x: middle, y: y + 4 }, tree.labels[at]));
    drawing.append(group);
  };
  arcs.forEach(([head, dependent], number) => {
    const sign = places[dependent - 1] > places[head - 1] ? 1 : -1;
    const a = places[head - 1] + 4 * sign, b = places[dependent - 1] - 2 * sign;
    const peak = base - STEP * levels[number], bend = Math.min(Math.abs(b - a) / 2, 14) * sign;
    add(dependents[number], `M${a} ${base}C${a} ${peak} ${a} ${peak} ${a + bend} ${peak}L${b - bend} ${peak}C${b} ${peak} ${b} ${peak} ${b} ${base}`, b, (a + b) / 2, peak);
  });
  for (let at = 0; at < size; at++) {
    if (tree.heads[at] === 0) add(at, `M${places[at]} 14L${places[at]} ${base}`, places[at], places[at], 10);
    drawing.append(svgPart("text", { class: units.has(at + 1) ? "word unit" : "word", x: places[at], y: base + WORD + 2 }, tree.forms[at]));
    drawing.append(svgPart("text", { class: "tag", x: places[at], y: base + 2 * WORD + 2 }, tree.tags[at] || ""));
  }
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
