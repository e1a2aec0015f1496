"use strict";
// Surprisal word by word: the conditions of an item as curves over their regions, and the same as a table.

// Okabe and Ito's colours that have contrast on light and on dark; each goes with a dash and a mark of its own.
const CURVES = [["var(--curve)", "", "circle"], ["#d55e00", "6 3", "square"], ["#009e73", "2 3", "triangle"], ["#cc79a7", "9 3 2 3", "diamond"], ["#8a6d00", "4 4", "circle"], ["#999999", "1 3", "square"]];
const CURVE_HEIGHT = 150, CURVE_LEFT = 44;

function curveMark(kind, x, y, colour) {
  const shapes = { square: `M${x - 3.5} ${y - 3.5}h7v7h-7Z`, triangle: `M${x} ${y - 4.5}L${x + 4.5} ${y + 3.5}H${x - 4.5}Z`, diamond: `M${x} ${y - 5}L${x + 5} ${y}L${x} ${y + 5}L${x - 5} ${y}Z`,
    circle: `M${x - 3.8} ${y}a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0Z` };
  return svgPart("path", { class: "mark", d: shapes[kind], fill: colour });
}

/** The words of each region, condition by condition: [{region, words: [[word, bits], …] of each condition}]. */
function curveSlots(conditions, bits) {
  const regions = [...new Set(conditions.flatMap(([, , numbers]) => numbers))].sort((a, b) => a - b);
  return regions.map((region) => ({ region, words: conditions.map(([, words, numbers], at) =>
    words.map((word, place) => [word, bits[at][place], numbers[place]]).filter(([, , number]) => number === region)) }));
}

function drawCurves(conditions, bits, asked, names, described) {
  const slots = curveSlots(conditions, bits), shown = conditions.map((_, at) => at);
  const widthOf = (words) => words.reduce((sum, [word]) => sum + Math.max(34, columnsOf(word) * 7.4 + 14), 0);
  let x = CURVE_LEFT;
  for (const slot of slots) {
    slot.x = x;
    slot.width = Math.max(40, columnsOf(names[slot.region] || "") * 6 + 12, ...slot.words.map(widthOf));
    x += slot.width;
  }
  const values = bits.flat().filter((value) => value !== null), most = Math.max(1, ...values);
  const base = 20 + CURVE_HEIGHT, y = (value) => base - value / most * CURVE_HEIGHT;
  const rows = base + 16, height = rows + 16 * (shown.length + 1) + 6;
  const keys = Math.max(...conditions.map(([name]) => columnsOf(name))) * 7 + 34;
  const drawing = svgPart("svg", { width: x + keys + 10, height, viewBox: `0 0 ${x + keys + 10} ${height}`, role: "img", "aria-label": described });
  for (const { region, x: left, width } of slots) {
    if (asked.has(region)) drawing.append(svgPart("rect", { class: "target", "data-region": region, x: left, y: 12, width, height: height - 30 }));
    drawing.append(svgPart("path", { class: "axis", d: `M${left} 14V${height - 20}` }), svgPart("text", { class: "region", x: left + width / 2, y: height - 6 }, names[region] || String(region)));
  }
  for (const part of [0, 0.5, 1]) {
    drawing.append(svgPart("path", { class: "axis", d: `M${CURVE_LEFT} ${y(most * part)}H${x}` }), svgPart("text", { class: "value", x: CURVE_LEFT - 6, y: y(most * part) + 4 }, (most * part).toFixed(1)));
  }
  shown.forEach((at) => {
    const [colour, dash, mark] = CURVES[at % CURVES.length], group = svgPart("g", { class: "condition", "data-condition": conditions[at][0] });
    const points = [];
    let line = "";
    for (const { x: left, width, words } of slots) {
      const own = words[at];
      own.forEach(([word, value], place) => {
        const middle = left + width * (place + 0.5) / own.length;
        group.append(svgPart("text", { class: "word", x: middle, y: rows + 16 * at }, word));
        if (value === null) { line += " "; return; }
        points.push([middle, y(value), word, value]);
        line += `${line === "" || line.endsWith(" ") ? "M" : "L"}${middle} ${y(value)}`;
      });
    }
    group.prepend(svgPart("path", { class: "curve", d: line.trim() || "M0 0", stroke: colour, "stroke-dasharray": dash }));
    for (const [px, py, word, value] of points) {
      const point = curveMark(mark, px, py, colour);
      point.append(svgPart("title", {}, `${conditions[at][0]}: ${word} ${value.toFixed(2)} bits`));
      group.append(point);
    }
    group.append(curveMark(mark, x + 12, rows + 16 * at - 4, colour), svgPart("text", { class: "key", x: x + 22, y: rows + 16 * at }, conditions[at][0]));
    drawing.append(group);
  });
  return drawing;
}

function curvesTable(conditions, bits, asked, names, caption) {
  const slots = curveSlots(conditions, bits), isAsked = (region, name) => asked.some(([number, other]) => other === name && (number === region || number === 0));
  const cell = (words, region, name) => make("td", { class: isAsked(region, name) ? "asked" : "" }, ...words.flatMap(([word, value]) =>
    [make("bdi", {}, word), " ", make("span", { class: "bits" }, value === null ? "–" : value.toFixed(2)), " "]));
  const sum = (row) => row.some((value) => value === null) ? "–" : row.reduce((total, value) => total + value, 0).toFixed(2);
  const rows = conditions.map(([condition], at) => [condition, ...slots.map(({ region, words }) => cell(words[at], region, condition)), sum(bits[at])]);
  return grid(["condition", ...slots.map(({ region }) => names[region] || String(region)), "sum"], rows, [false, ...slots.map(() => false), true], caption);
}

/** All conditions of an item by a system: curves, and the values as a table. */
function showCurves(sentences, at, name, place) {
  const conditions = sentences.conditions[at], { regions, asked } = sentences.suites[sentences.suite[at]], bits = sentences.bits[name][at];
  if (!bits) { place.append(make("p", { class: "soft small" }, `${name}: no surprisals of this item`)); return; }
  const targets = new Set(asked.map(([region]) => region));
  place.append(make("div", { class: "small" }, make("strong", {}, name), " (bits; the regions that predictions speak of are shaded)"),
    make("div", { class: "tree curves", tabindex: "0", role: "group", "aria-label": `curves by ${name}`, "data-system": name }, drawCurves(conditions, bits, targets, regions, `surprisals by ${name}`)),
    make("div", { class: "curves" }, curvesTable(conditions, bits, asked, regions, `bits by ${name}, word by word`)));
}
