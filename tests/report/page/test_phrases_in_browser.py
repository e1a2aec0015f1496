"""Phrase trees in the page, in a real browser: the right edges, crossings and marks, and text that stays text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from opened_page import opened

from gardenpath.cli.main import main
from gardenpath.phrase import ROOT, PhraseTree, from_notation, grown, read, write
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.phrase_trees import PHRASES, JudgedPhrases, attached
from gardenpath.suites.constructions.storage import write_constructions
from gardenpath_generate.constructions.treebank import generate

EVIL = "</script><script>window.evil=1</script><img/src=x/onerror=window.evil=1>\"'&\u202e"
GOLD = from_notation("(S (NP:SB (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:OA (NN:NK Hunde))) ($. .)")
PARSE = from_notation(
    "(S (VP:OC#1 (NP:OA (ART:NK Die) (NN:NK Katze))) (VVFIN:HD sieht) (VP:OC#1 (NP:OA (NN:NK Hunde)))) ($. .)"
)
SECOND = grown(
    ["er", "kommt", "und", "geht"], ["PPER", "V", "KON", "V"], ["S", "S", "CS"],
    ["SB", "HD", "CD", "HD", "CJ", "CJ", ""], [4, 4, 6, 5, 6, 6, ROOT], [(0, "SB", 5)],
)  # fmt: skip


def recorded(folder: Path, items: list[tuple[PhraseTree, dict[str, PhraseTree | None]]]) -> Run:
    """A run whose items have these trees."""
    kept = [JudgedPhrases("suite <b>", "", f"item {n}", gold, systems, (0,)) for n, (gold, systems) in enumerate(items)]
    pairs = [(one.item, name) for one in kept for name in one.systems]
    columns = {
        "study": "brackets", "suite": "suite <b>", "item": [item for item, _ in pairs], "condition": "",
        "system": [name for _, name in pairs], "seed": 0, "unit": None, "outcome": "not exact", "value": 0,
    }  # fmt: skip
    with Run.open(folder, command="brackets") as run:
        result = Result("study:brackets", [Finding("brackets", "suite <b>", pairs[0][1], "f1", 50.0)], [])
        run.finish(result, Observations(columns), attached={PHRASES: attached(kept)})
    return Run.load(folder)


def edges(drawing: Any) -> set[tuple[int, int]]:
    found = drawing.locator("g.edge").evaluate_all("all => all.map(g => [g.dataset.node, g.dataset.mother])")
    return {(int(node), int(mother)) for node, mother in found}


def wanted(tree: PhraseTree) -> set[tuple[int, int]]:
    return {(node, mother) for node, mother in enumerate(tree.mothers) if mother != ROOT}


def crossings(drawing: Any) -> int:
    """Upright lines that go through the bars of other nodes, by the numbers in the paths."""
    paths = drawing.locator("g.edge").evaluate_all(
        "all => all.map(g => [g.dataset.node, g.dataset.mother, g.querySelector('.arc').getAttribute('d')])"
    )
    lines = []
    for node, mother, path in paths:
        x, y, to_x, to_y = map(float, re.fullmatch(r"M(\S+) (\S+)H(\S+)V(\S+)", path).groups())  # type: ignore[union-attr]
        lines.append((node, mother, x, y, to_x, to_y))
    return sum(
        other != one and mother not in (other_mother, one) and y < other_y < to_y and min(a, b) < to_x < max(a, b)
        for one, mother, _, y, to_x, to_y in lines
        for other, other_mother, a, other_y, b, _ in lines
        if mother != other_mother
    )


def test_edges_crossings_and_marks(browser: Any, tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", [(GOLD, {"parser": PARSE}), (SECOND, {"parser": None})])
    with opened(browser, tmp_path / "page.html", [run]) as view:
        view.locator("ol.sentences > li > button").nth(0).click()
        gold, parse = view.locator(".tree").nth(0), view.locator(".tree").nth(1)
        assert edges(gold) == wanted(GOLD)
        assert edges(parse) == wanted(PARSE)
        assert (crossings(gold), crossings(parse)) == (0, 1)
        assert parse.locator("g.node.differs text").all_text_contents() == ["NP", "VP"]
        assert gold.locator("g.node.differs").count() == 1
        assert gold.locator("text.word.unit").all_text_contents() == ["Die"]
        assert view.locator(".trees").inner_text().count("2 differences") == 1
        # Corners and dots tell the difference without colour.
        assert (
            parse.locator("g.node.differs rect").evaluate_all("all => all.map(r => r.getAttribute('rx'))") == ["0"] * 2
        )
        dash = parse.locator("g.edge.differs .arc").first.evaluate("path => getComputedStyle(path).strokeDasharray")
        assert dash != "none"
        view.locator("ol.sentences > li > button").nth(1).click()
        assert view.locator("g.secondary").count() == 1
        assert "parser: no parse of this sentence" in view.locator("main").inner_text()


def test_copies_can_be_read_again(browser: Any, tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", [(PARSE, {"parser": GOLD}), (SECOND, {"parser": SECOND})])
    with opened(browser, tmp_path / "page.html", [run]) as view:
        view.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        view.locator("ol.sentences > li > button").nth(0).click()
        view.get_by_role("button", name="Copy brackets").first.click()
        assert from_notation(view.evaluate("window.copied")) == PARSE
        view.locator("ol.sentences > li").nth(1).locator("> button").click()
        view.locator("ol.sentences > li").nth(1).get_by_role("button", name="Copy export").first.click()
        (tmp_path / "copied.export").write_text(view.evaluate("window.copied"), encoding="utf-8")
        assert read(tmp_path / "copied.export") == [SECOND]


def test_text_of_trees_does_not_run(browser: Any, tmp_path: Path) -> None:
    tree = grown([EVIL, "b"], [EVIL, "X"], [EVIL], [EVIL, EVIL, EVIL], [2, 2, ROOT], [(0, EVIL, 2)])
    run = recorded(tmp_path / "evil <i>", [(tree, {f"system {EVIL}": tree})])
    with opened(browser, tmp_path / "page.html", [run], 360) as view:
        view.locator("ol.sentences > li > button").click()
        assert view.evaluate("window.evil") is None
        assert view.locator("main img, main script, main b, main i").count() == 0
        assert EVIL in view.locator(".tree text.word").first.text_content()
        assert EVIL in view.locator(".tree g.node text").first.text_content()
        assert view.evaluate("document.documentElement.scrollWidth") <= 360


def test_three_hundred_tokens_right_to_left_and_the_keyboard(browser: Any, tmp_path: Path) -> None:
    size = 300
    mothers = [size + token for token in range(size)] + [size + 1 + token for token in range(size - 1)] + [ROOT]
    deep = grown([f"w{n}" for n in range(size)], ["X"] * size, ["NP"] * size, [""] * 2 * size, mothers)
    hebrew = from_notation("(S (PRON אני) (ADV כאן))")
    run = recorded(tmp_path / "run", [(deep, {"parser": deep}), (hebrew, {"parser": hebrew})])
    with opened(browser, tmp_path / "page.html", [run], 800) as view:
        view.locator("ol.sentences > li > button").first.focus()
        view.keyboard.press("Enter")
        drawn = view.locator(".tree").first
        assert edges(drawn) == wanted(deep)
        inner, outer = drawn.evaluate("one => [one.scrollWidth, one.clientWidth]")
        assert inner > outer * 5
        assert view.evaluate("document.documentElement.scrollWidth") <= 800
        view.keyboard.press("ArrowDown")
        view.keyboard.press("Enter")
        words = view.locator("ol.sentences > li").nth(1).locator("svg").first.locator("text.word")
        first, second = (float(words.nth(n).get_attribute("x")) for n in range(2))
        assert first > second


@pytest.fixture(scope="module")
def constructions(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A parallel suite, parsed with objects as subjects in both schemes."""
    folder = tmp_path_factory.mktemp("constructions")
    made = generate(40, seed=5)
    write_constructions(made.suites, folder / "suite")
    wrong = {"tiger": {"OA": "SB"}, "tuebadz": {"OA": "ON"}}
    for scheme, swapped in wrong.items():
        trees = [
            grown(t.words, t.tags, t.labels, [swapped.get(f, f) for f in t.functions], t.mothers, sent_id=t.sent_id)
            for t in made.trees(scheme)
        ]
        write(trees, folder / f"{scheme}.export")
    names = [str(folder / name) for name in ("suite", "tiger.export", "tuebadz.export")]
    with pytest.raises(SystemExit) as stop:
        main(["constructions", *names, "--run", str(folder / "run"), "-o", str(folder / "out.txt")])
    assert not stop.value.code
    return Run.load(folder / "run")


def test_items_of_both_schemes_have_their_own_trees(browser: Any, constructions: Run, tmp_path: Path) -> None:
    with opened(browser, tmp_path / "page.html", [constructions]) as view:
        rows = constructions.observations()
        shown = view.locator("[role=status]").first.inner_text()
        assert f": {rows.filter(rows['scheme'] == 'tiger')['item'].n_unique()} sentences" in shown  # of one system
        view.locator("td a[href*='scheme=tuebadz']").first.click()
        view.locator("[role=status]", has_text="tuebadz").first.wait_for()
        view.locator("ol.sentences > li > button").first.click()
        assert "(tuebadz)" in view.locator("ol.sentences .id").first.inner_text()
        drawn = view.locator(".tree")
        assert drawn.count() == 2
        labels = set(drawn.first.locator("g.node text").all_text_contents())
        assert labels & {"SIMPX", "VF", "LK"}
