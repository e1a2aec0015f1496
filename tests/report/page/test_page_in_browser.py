"""The page in a real browser: it opens without errors or requests, draws, filters, and shows the right trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from opened_page import opened
from recorded_run import recorded

from gardenpath.runs.observations import Observations
from gardenpath.runs.record import Run
from gardenpath.runs.result import Finding, Result, Table
from gardenpath.treebank import Treebank

EVIL = "</script><script>window.evil=1</script><img/src=x/onerror=window.evil=1>\"'&\u202e"


def count(view: Any) -> int:
    return int(view.locator("[role=status]").first.inner_text().split()[0].replace(",", ""))


def test_figures_filters_cells_and_trees(browser: Any, evaluated: Run, tmp_path: Path) -> None:
    with opened(browser, tmp_path / "page.html", [evaluated]) as view:
        charts = view.locator(".chart")
        assert charts.count() == 5
        assert all(charts.nth(number).locator("svg").count() == 1 for number in range(5))
        assert count(view) == 100
        view.locator("input[data-filter=text]").fill("Rosen")
        view.locator("[role=status]").filter(has_not_text="100 sentences").wait_for()
        rows = view.locator("ol.sentences > li .text")
        assert 0 < count(view) < 100
        assert all("rosen" in text.lower() for text in rows.all_inner_texts())
        view.get_by_role("button", name="Clear").click()
        assert count(view) == 100
        # A number of a group leads to the sentences of that group.
        cell = view.locator('button.cell[data-by=\'{"length":"1–5"}\']').first
        cell.click()
        assert count(view) < 100
        assert all(len(text.split()) <= 6 for text in rows.all_inner_texts())
        # A sentence shows gold and the system that was clicked, with the edges of the treebank.
        view.locator("ol.sentences > li > button").first.click()
        drawn = view.locator(".trees .tree")
        assert drawn.count() == 2
        name = view.locator("ol.sentences .id").first.inner_text()
        gold = {node.ord: node.head for node in _sentence(evaluated, name).words}
        edges = drawn.first.locator("g.edge").evaluate_all("all => all.map(g => [g.dataset.dependent, g.dataset.head])")
        assert {int(dependent): int(head) for dependent, head in edges} == gold
        assert drawn.first.locator("g.differs").count() == 0


def _sentence(run: Run, name: str) -> Any:
    from gardenpath.treebank import read

    return next(sentence for sentence in read(run.trees()["gold"]) if sentence.sent_id == name)


def test_differences_are_those_of_the_trees(browser: Any, evaluated: Run, tmp_path: Path) -> None:
    from gardenpath.treebank import read

    gold, system = read(evaluated.trees()["gold"])[0], read(evaluated.trees()["baseline:nearest-head"])[0]
    pairs = zip(gold.words, system.words, strict=True)
    different = sum((a.head, a.deprel) != (b.head, b.deprel) for a, b in pairs)
    with opened(browser, tmp_path / "page.html", [evaluated]) as view:
        view.locator("input[data-filter=text]").fill(gold.text)
        view.locator("[role=status]").filter(has_text="1 sentence,").wait_for()
        view.locator("ol.sentences > li > button").click()
        assert view.locator("[data-system='baseline:nearest-head'] g.differs").count() == different > 0


def test_the_keyboard_moves_and_opens(browser: Any, evaluated: Run, tmp_path: Path) -> None:
    with opened(browser, tmp_path / "page.html", [evaluated]) as view:
        view.locator("ol.sentences > li > button").first.focus()
        view.keyboard.press("ArrowDown")
        view.keyboard.press("Enter")
        assert view.locator("ol.sentences > li").nth(1).locator(".trees").count() == 1
        assert view.locator("ol.sentences > li").nth(0).locator(".trees").count() == 0


@pytest.mark.parametrize("width", [360, 1600])
def test_no_sideways_scrolling_of_the_page(browser: Any, evaluated: Run, tmp_path: Path, width: int) -> None:
    with opened(browser, tmp_path / "page.html", [evaluated], width) as view:
        assert view.evaluate("document.documentElement.scrollWidth") <= width


def test_text_from_data_does_not_run(browser: Any, tmp_path: Path) -> None:
    row = f"1\t{EVIL}\t_\tX\t_\t_\t0\troot\t_\t_\n2\t{EVIL}b\t_\tX\t_\t_\t1\tobj:<b>\t_\t_\n\n"
    gold = Treebank(f"# sent_id = {EVIL.replace(' ', '')}\n# text = {EVIL} {EVIL}b\n{row}".encode())
    run = recorded(tmp_path / "evil run <i>", gold, {f"system:{EVIL}": gold})
    with opened(browser, tmp_path / "page.html", [run]) as view:
        view.locator("ol.sentences > li > button").click()
        assert view.evaluate("window.evil") is None
        assert view.locator("main img, main script, main b, main i").count() == 0
        assert EVIL in view.locator(".trees svg text.word").first.text_content()


def test_a_long_sentence_a_right_to_left_one_and_chinese(browser: Any, tmp_path: Path) -> None:
    long = "".join(f"{n}\tword{n}\t_\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n" for n in range(1, 301))
    hebrew = "1\tאני\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tכאן\t_\tADV\t_\t_\t0\troot\t_\t_\n"
    chinese = "1\t园丁\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\t浇\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    gold = Treebank("\n".join([long, hebrew, chinese, ""]).encode())
    run = recorded(tmp_path / "run", gold, {"system": gold})
    with opened(browser, tmp_path / "page.html", [run], 800) as view:
        for number in range(3):
            view.locator("ol.sentences > li > button").nth(number).click()
        widths = view.locator(".tree").evaluate_all("all => all.map(one => [one.clientWidth, one.scrollWidth])")
        assert widths[0][1] > widths[0][0] * 5
        assert view.evaluate("document.documentElement.scrollWidth") <= 800
        words = view.locator("ol.sentences > li").nth(1).locator("svg").first.locator("text.word")
        first, second = (float(words.nth(n).get_attribute("x")) for n in range(2))
        assert first > second


def test_variants_of_a_sentence_stand_below_it(browser: Any, tmp_path: Path) -> None:
    sentence = "# sent_id = {0}\n1\t{1}\t_\tX\t_\t_\t0\troot\t_\t_\n2\t{0}\t_\tX\t_\t_\t1\tobj\t_\t_\n\n"
    gold = "".join(
        sentence.format(name, word) for name, word in (("a", "sees"), ("b", "sees"), ("c", "hears"))
    ).encode()
    columns = {
        "study": "roles", "suite": "s", "item": ["a", "b", "c"], "condition": ["SO", "OS", "SO"], "system": "x",
        "seed": 0, "unit": "2 obj", "outcome": ["right", "swapped", "right"], "value": [1, 0, 1],
        "family": ["one", "one", "two"],
    }  # fmt: skip
    with Run.open(tmp_path / "run", command="roles") as run:
        result = Result("none", [Finding("roles", "s", "x", "las", 50.0, 3)])
        run.finish(result, Observations(columns), {"gold": gold, "x": gold})
    with opened(browser, tmp_path / "page.html", [Run.load(tmp_path / "run")]) as view:
        rows = view.locator("main > section > ol.sentences > li")
        assert rows.locator("> button .id").all_inner_texts() == ["b", "a", "c"]  # what is wrong comes first
        rows.nth(1).locator("> button").click()
        rows.nth(1).locator(".variants summary").click()
        variant = rows.nth(1).locator(".variants li")
        variant.first.wait_for()
        assert variant.count() == 1
        assert "sees b" in variant.inner_text()
        variant.locator("> button").click()
        assert variant.locator(".tree").count() == 2
        rows.nth(2).locator("> button").click()
        assert rows.nth(2).locator(".variants").count() == 0


def test_a_run_with_nothing_but_a_number(browser: Any, tmp_path: Path) -> None:
    with Run.open(tmp_path / "small", command="nothing") as run:
        finding = Finding("other", "", "", "answer", 42.5)
        run.finish(Result("none", [finding], [Table("", ["a"], [[1]])]))
    with opened(browser, tmp_path / "page.html", [Run.load(tmp_path / "small")]) as view:
        assert "42.50" in view.locator("main").inner_text()


def test_two_hundred_groups_and_two_runs(browser: Any, evaluated: Run, tmp_path: Path) -> None:
    folders = []
    for name, shift in (("first", 0.0), ("second", 1.5)):
        with Run.open(tmp_path / name, command="roles", settings={"shift": shift}) as run:
            groups = [
                Finding("roles", "s", "x", "las", n / 2 + shift, 10, by={"property": f"p{n}"}) for n in range(200)
            ]
            run.finish(Result("none", groups))
        folders.append(Run.load(tmp_path / name))
    with opened(browser, tmp_path / "page.html", folders) as view:
        table = view.locator("section").filter(has_text="Side by side").locator("table").first
        assert table.locator("tbody tr").count() == 200
        assert table.locator("tbody tr").first.locator("td").last.inner_text() == "1.50"
