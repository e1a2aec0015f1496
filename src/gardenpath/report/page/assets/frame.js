"use strict";
// What every page has around its content: light and dark, the menu, and its data unpacked.

/** As the reader's system has it, until they choose. */
function theme(changed) {
  const button = document.getElementById("theme"), root = document.documentElement;
  const set = (name) => { root.dataset.theme = name; button.textContent = name === "dark" ? "Light" : "Dark"; };
  set(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  button.addEventListener("click", () => { set(root.dataset.theme === "dark" ? "light" : "dark"); changed(); });
}

function menu() {
  const button = document.getElementById("menu"), nav = document.getElementById("nav");
  const set = (open) => { nav.classList.toggle("open", open); button.setAttribute("aria-expanded", String(open)); };
  button.addEventListener("click", () => set(!nav.classList.contains("open")));
  nav.addEventListener("click", (event) => { if (event.target.closest("a")) set(false); });
  nav.addEventListener("keydown", (event) => { if (event.key === "Escape") { set(false); button.focus(); } });
}

/** The data of the page, with its place emptied; null where this browser cannot unpack it, which the page then says. */
async function opened() {
  const main = document.getElementById("main");
  try {
    const data = JSON.parse(await unpacked("data"));
    document.title = data.title;
    main.replaceChildren();
    return data;
  } catch (error) {
    main.replaceChildren(make("p", { class: "warning" }, `This page could not be unpacked (${error.message}); it needs a browser of 2023 or later.`));
    return null;
  }
}
