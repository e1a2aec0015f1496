// The ledger of docs/reproduction.tsv as a table with filters. Text only: nothing of the file becomes markup.
(async () => {
  const place = document.getElementById("ledger");
  const source = new URL("reproduction.tsv", document.currentScript?.src ?? new URL("../", location.href));
  const answer = await fetch(source).catch(() => null);
  if (!place || !answer?.ok) return;
  const [head, ...lines] = (await answer.text()).split("\n").filter((line) => line && !line.startsWith("#"));
  const names = head.split("\t");
  const rows = lines.map((line) => Object.fromEntries(line.split("\t").map((cell, i) => [names[i], cell])));
  const shown = { suite: "paper", table: "table", row: "row", system: "system", measure: "measure", printed: "printed",
                  value: "ours", kind: "kind", verdict: "verdict", outcome: "outcome", why: "why" };
  const made = (tag, text = "", parent = null) => {
    const element = document.createElement(tag);
    element.textContent = text;
    parent?.append(element);
    return element;
  };
  const number = (text) => (text && Number.isFinite(+text) ? String(+(+text).toPrecision(5)) : text);
  const bar = made("p", "", place);
  const choices = ["suite", "table", "kind", "verdict", "outcome"].map((name) => {
    const choice = made("select", "", bar);
    choice.setAttribute("aria-label", shown[name]);
    choice.name = name;
    made("option", `any ${shown[name]}`, choice).value = "";
    for (const value of new Set(rows.map((row) => row[name]).filter(Boolean))) made("option", value, choice).value = value;
    return choice;
  });
  const search = made("input", "", bar);
  search.type = "search";
  search.placeholder = "words of a line";
  const count = made("p", "", place);
  const table = made("table", "", place);
  const draw = () => {
    const words = search.value.toLowerCase();
    const kept = rows.filter((row) => choices.every((choice) => !choice.value || row[choice.name] === choice.value)
      && (!words || Object.values(row).join(" ").toLowerCase().includes(words)));
    count.textContent = `${kept.length} lines${kept.length > 200 ? ", the first 200 of them" : ""}`;
    table.replaceChildren();
    const top = made("tr", "", made("thead", "", table));
    for (const title of Object.values(shown)) made("th", title, top);
    const body = made("tbody", "", table);
    for (const row of kept.slice(0, 200)) {
      const line = made("tr", "", body);
      for (const name of Object.keys(shown)) made("td", name === "value" ? number(row[name]) : row[name], line);
    }
  };
  for (const control of [...choices, search]) control.addEventListener("input", draw);
  draw();
})();
