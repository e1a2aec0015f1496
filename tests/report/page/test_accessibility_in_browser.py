"""Every study's page for whoever does not see it, or not well: names, labels, and contrast in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from opened_page import opened

from gardenpath.data import bundled
from gardenpath.library import studies
from gardenpath.phrase import write
from gardenpath.runs.record.run import Run
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath.systems.files.tree_file import flat_tree

STUDIES = ("evaluation", "roles", "surprisal", "consistency", "displacement", "constructions", "brackets", "judgement")
CONTRAST = """
all => all.filter(one => one.textContent.trim() && one.getClientRects().length).map(one => {
  const parse = text => {
    const numbers = (text.match(/[\\d.]+/g) || []).map(Number);
    const [r, g, b, alpha = 1] = text.startsWith('color(srgb') ? numbers.map((v, at) => at < 3 ? 255 * v : v) : numbers;
    return [r, g, b, alpha];
  };
  const over = ([r, g, b, alpha], below) => [r, g, b].map((v, at) => alpha * v + (1 - alpha) * below[at]);
  const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(v => linear(v / 255))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const layers = [];
  for (let up = one; up && layers.at(-1)?.[3] !== 1; up = up.parentElement) {
    layers.push(parse(getComputedStyle(up).backgroundColor));
  }
  let back = layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  // In a chart a number may stand in a filled square of its own.
  const box = one.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
  for (const mark of one.closest('.chart') ? one.ownerSVGElement?.querySelectorAll('path, rect') ?? [] : []) {
    const area = mark.getBoundingClientRect(), { fill, fillOpacity } = getComputedStyle(mark);
    const isFilled = fill.startsWith('rgb(') && Number(fillOpacity) === 1;
    if (isFilled && area.left < x && x < area.right && area.top < y && y < area.bottom) back = parse(fill);
  }
  const style = getComputedStyle(one), ink = one instanceof SVGElement ? style.fill : style.color;
  const [a, b] = [light(parse(ink)), light(back)].sort((x, y) => y - x);
  return [(a + 0.05) / (b + 0.05), one.className.baseVal ?? one.className, one.textContent.slice(0, 30)];
})"""
"""How far text stands out from what is behind it (WCAG 2.1)."""
TEXT = "p, li, td, th, h1, h2, h3, a, button, summary, small, label, figcaption, .chart svg text, .tree text"


class Chat:
    """A chat model that takes the first of two, and says yes to all."""

    name, signature = "chat", "kind:chat"

    def replies(self, texts: list[str]) -> list[str]:
        return ["1" if "1 or 2" in text else "X" if "X and Y" in text else "yes" for text in texts]


def surprisals(sentences: list[list[str]]) -> list[list[float]]:
    drawn = np.random.default_rng(1)
    return [drawn.random(len(words)).tolist() for words in sentences]


@pytest.fixture(scope="module")
def every_study(several: list[Run], tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """A small run of each study."""
    folder = tmp_path_factory.mktemp("studies")
    trees = [item.tree for item in read_parallel(bundled("de-constructions"))["tiger"].items]
    write(trees, folder / "gold.export", "export")
    write(
        [flat_tree(tree.words) if at % 5 == 0 else tree for at, tree in enumerate(trees)],
        folder / "parsed.export",
        "export",
    )
    (folder / "pairs.tsv").write_text("good\tbad\nHe is .\tHe are .\nWe go .\tWe goes .\n", encoding="utf-8")
    systems = ["baseline:right-branching", "baseline:nearest-head"]
    parsed = {"flat": f"trees:{folder / 'parsed.export'}"}
    studies.surprisal("bundled:en-surprisal", {"random": surprisals}, run=folder / "surprisal")
    studies.consistency(
        "bundled:de-test",
        systems[:1],
        change="names",
        language="de",
        sentences=5,
        per_sentence=3,
        run=folder / "consistency",
    )
    studies.displacement("bundled:de-train", "bundled:de-test", draws=20, run=folder / "displacement")
    studies.constructions("bundled:de-constructions", parsed, run=folder / "constructions")
    studies.evaluate(folder / "gold.export", parsed, run=folder / "brackets")
    studies.surprisal(folder / "pairs.tsv", {"chat": Chat()}, run=folder / "judgement")
    names = ("surprisal", "consistency", "displacement", "constructions", "brackets", "judgement")
    return [*several[:2], *(Run.load(folder / name) for name in names)]


@pytest.fixture(scope="module")
def opened_up(browser: Any, every_study: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of every study in dark, with all that is folded open and a sentence of each."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    with opened(browser, path, every_study, 1280, color_scheme="dark") as view:
        for panel in view.locator(".panel > ol.sentences").all():
            panel.locator("> li > button").first.click()
        view.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        view.wait_for_function("() => [...document.querySelectorAll('.chart')].every(one => one.querySelector('svg'))")
        yield view


def test_every_study_is_there(opened_up: Any) -> None:
    assert opened_up.locator("main > section").count() == len(STUDIES) + 2  # what was found, and how it came about
    assert opened_up.locator("ol.sentences > li > .trees").count() == 6  # displacement and judgement have none
    assert opened_up.locator(".chart svg").count() > len(STUDIES)


def test_roles_and_names_for_screen_readers(opened_up: Any) -> None:
    seen = opened_up
    assert seen.locator("main").count() == 1
    assert seen.locator("h1").count() == 1
    assert seen.locator("nav[aria-label]").count() == 1
    assert seen.locator("section").evaluate_all(
        "all => all.every(one => document.getElementById(one.getAttribute('aria-labelledby')))"
    )
    assert seen.locator("table").evaluate_all(
        "all => all.every(one => one.caption && one.querySelector('th[scope=col]'))"
    )
    assert seen.locator("[role=img], svg[role=img]").evaluate_all(
        "all => all.every(one => one.getAttribute('aria-label'))"
    )
    named = "one.textContent.trim() || one.getAttribute('aria-label') || (one.labels || []).length"
    assert seen.locator("button, a, select, input").evaluate_all(f"all => all.every(one => {named})")
    names = seen.locator("[id]").evaluate_all("all => all.map(one => one.id)")
    assert len(names) == len(set(names))
    assert seen.locator("[tabindex='0']").evaluate_all(f"all => all.every(one => {named})")
    # Of several landmarks of a kind each has a name of its own; a figure is told by its caption, not by its marks.
    labels = seen.locator("[role=search]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert len(set(labels)) == len(labels) == 6
    assert seen.locator(".chart svg:not([aria-hidden=true])").count() == 0
    assert seen.locator("[aria-describedby], [aria-controls], [aria-labelledby]").evaluate_all(
        """all => all.every(one => ['aria-describedby', 'aria-controls', 'aria-labelledby'].every(
             key => !one.hasAttribute(key) || document.getElementById(one.getAttribute(key))))"""
    )
    levels = seen.locator("h1, h2, h3").evaluate_all("all => all.map(one => Number(one.tagName[1]))")
    assert all(level <= before + 1 for before, level in pairwise(levels))


def test_charts_and_text_follow_light_and_dark(opened_up: Any) -> None:
    for shown in ("dark", "light"):
        assert opened_up.locator("html").get_attribute("data-theme") == shown
        fills = opened_up.locator(".chart svg rect, .chart svg path.background").evaluate_all(
            "all => all.map(one => getComputedStyle(one).fill).filter(fill => fill === 'rgb(255, 255, 255)')"
        )
        assert fills == []
        contrasts = opened_up.locator(TEXT).evaluate_all(CONTRAST)
        assert len(contrasts) > 1000
        assert [contrast for contrast in contrasts if contrast[0] < 4.5] == []
        charts = opened_up.locator(".chart svg").count()
        opened_up.locator("#theme").click()
        opened_up.wait_for_function(f"() => document.querySelectorAll('.chart svg').length === {charts}")
