"""Surprisal curves, batches of variants, and differences of runs in the page, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from opened_page import opened
from recorded_run import EVIL, recorded, surprisal_run

from gardenpath.report.page.differences import differences
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.observations import Observations
from gardenpath.runs.result.result import Finding, Result, Value, Verdict
from gardenpath.treebank import Treebank


def test_conditions_of_an_item_as_curves_and_as_a_table(browser: Any, tmp_path: Path) -> None:
    with opened(browser, tmp_path / "page.html", [surprisal_run(tmp_path / "run", ("the", EVIL))], 360) as view:
        view.locator("ol.sentences > li > button").click()
        view.locator(".trees summary", has_text="What b made of it").click()
        view.locator(".tree.curves").nth(1).wait_for()
        assert view.locator(".tree.curves").count() == 2
        first, second = view.locator(".tree.curves").nth(0), view.locator(".tree.curves").nth(1)
        assert first.locator("g.condition").evaluate_all("all => all.map(g => g.dataset.condition)") == ["good", "bad"]
        marks = "all => all.map(g => g.querySelectorAll('.mark title').length)"
        assert first.locator("g.condition").evaluate_all(marks) == [3, 4]
        assert second.locator("g.condition").evaluate_all(marks) == [3, 3]  # a word without a value has no point
        assert first.locator("rect.target").evaluate_all("all => all.map(r => r.dataset.region)") == ["2"]
        # Regions are aligned: the first word of the verb region is at the same place or within the same column.
        cells = view.locator(".trees table").nth(0).locator("tbody tr").nth(1).locator("td")
        assert cells.nth(1).inner_text().split() == ["are", "7.25", "here", "0.50"]
        assert cells.nth(1).get_attribute("class") == "asked"
        assert cells.last.inner_text() == "10.75"
        assert "–" in view.locator(".trees table").nth(1).inner_text()
        assert view.evaluate("window.evil") is None
        assert view.locator("main img, main script").count() == 0
        assert view.evaluate("document.documentElement.scrollWidth") <= 360


def test_checkpoints_are_steps_and_their_panels_can_be_read_on_a_phone(browser: Any, tmp_path: Path) -> None:
    head, classes = ("surprisal", "7 suites"), ("agreement", "islands", "binding", "negation", "garden paths", "gaps")
    groups: list[dict[str, Value]] = [{}, *({"class": name} for name in classes)]
    scores = [
        Finding(*head, "m", "accuracy", value, 40, value - 9, value + 9, {**by, "step": step})
        for by in groups
        for step, value in ((1, 50.0), (64, 80.0), (1560, 90.0))
    ]
    chance = [Finding(*head, "", "chance", 50.0, 40, by=by) for by in groups]
    verdict = Verdict(
        "m is above chance from step 64 on: accuracy 80.0 there, 90.0 at 1560.", "suggested", (*scores[1:3],)
    )
    with Run.open(tmp_path / "run", command="surprisal") as run:
        run.finish(Result("none", [*scores, *chance], verdicts=[verdict]))
    for width, columns in ((390, 1), (1280, 2)):
        with opened(browser, tmp_path / "page.html", [Run.load(tmp_path / "run")], width) as view:
            assert view.locator("#overview .bars .of").all_inner_texts() == ["step 64", "step 1,560"]
            chart = view.locator("[data-figure=surprisal-acquisition]")
            chart.scroll_into_view_if_needed()
            chart.locator("svg").wait_for()
            heights = "all => all.map(text => text.getBoundingClientRect().height).filter(height => height)"
            assert min(chart.locator("svg text").evaluate_all(heights)) >= 9
            titles = chart.locator("svg text").filter(has_text=re.compile("^(all|islands|binding|gaps)$"))
            boxes = titles.evaluate_all("all => all.map(title => title.getBoundingClientRect())")
            middles = sorted(box["x"] + box["width"] / 2 for box in boxes)
            assert len(middles) == 4
            assert 1 + sum(after - before > 50 for before, after in pairwise(middles)) == columns


def test_a_system_that_is_chosen_is_shown_alone(browser: Any, tmp_path: Path) -> None:
    with opened(browser, tmp_path / "page.html", [surprisal_run(tmp_path / "run")]) as view:
        view.locator("label", has_text="system").locator("select").select_option("b")
        view.locator("ol.sentences > li > button").click()
        assert view.locator(".tree.curves").evaluate_all("all => all.map(one => one.dataset.system)") == ["b"]


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
        rows = view.locator(".panel > ol.sentences > li")
        view.get_by_role("button", name="Show more").last.click()
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


def test_variants_of_a_batch_stand_below_the_original(browser: Any, tmp_path: Path) -> None:
    sentence = "# sent_id = {0}\n1\tin\t_\tX\t_\t_\t2\tcase\t_\t_\n2\t{1}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    names = (("a", "1999"), ("a-years-1", "5"), ("a-years-2", "1848"))
    gold = "".join(sentence.format(*one) for one in names).encode()
    columns = {
        "study": "consistency", "suite": "s", "item": "a", "condition": "years", "system": "x", "seed": 0,
        "unit": ["5", "1848"], "outcome": ["same as original", "other"], "value": 0, "replacement": ["5", "1848"],
        "variant_id": ["a-years-1", "a-years-2"],
    }  # fmt: skip
    with Run.open(tmp_path / "run", command="consistency") as run:
        result = Result("none", [Finding("consistency", "s", "x", "consistent", 50.0, 1)])
        run.finish(result, Observations(columns), {"gold": gold, "x": gold})
    with opened(browser, tmp_path / "page.html", [Run.load(tmp_path / "run")]) as view:
        rows = view.locator(".panel > ol.sentences > li")
        assert rows.count() == 1
        rows.locator("> button").click()
        assert view.locator("text.word.unit").count() == 0  # the unit is a year, not the number of a word
        view.locator(".variants summary").click()
        lines = view.locator(".variants li")
        lines.first.wait_for()
        assert sorted(lines.locator(".badge").all_inner_texts()) == ["other", "same as original"]
        assert sorted(lines.locator(".id").all_inner_texts()) == ["1848", "5"]
        lines.first.locator("> button").click()
        assert lines.first.locator(".tree").count() == 2


def test_the_worst_batch_is_drawn_on_top(browser: Any, tmp_path: Path) -> None:
    """Of two batches that with more trees that look different: one of each kind, and what differs is marked."""
    row = "# sent_id = {0}\n1\tin\t_\tX\t_\t_\t2\tcase\t_\t_\n2\t{1}\t_\tX\t_\t_\t0\troot\t_\t_\n"
    row += "3\tx\t_\tX\t_\t_\t2\t{2}\t_\t_\n\n"
    kinds = {"a": ["obl", "obl", "obl", "obl"], "b": ["obl", "nummod", "obl", "obl"]}
    parses = {"a": [1, 2, 3, 4], "b": [1, 3, 1, 2]}  # those of a, and the second of b, differ in features alone
    names = [(item, "1999", "obl") for item in kinds]
    rows = [
        (item, f"{item}-{n}", str(1800 + n), label) for item, labels in kinds.items() for n, label in enumerate(labels)
    ]
    gold = "".join(row.format(name, year, "obl") for name, year, _ in names)
    gold += "".join(row.format(name, year, "obl") for _, name, year, _ in rows)
    parsed = "".join(row.format(*one) for one in names) + "".join(row.format(*one[1:]) for one in rows)
    columns = {
        "study": "consistency", "suite": "s", "item": [one[0] for one in rows], "condition": "years", "system": "x",
        "seed": 0, "unit": [one[2] for one in rows], "outcome": "other", "value": 0,
        "replacement": [one[2] for one in rows], "variant_id": [one[1] for one in rows],
        "parse": [number for numbers in parses.values() for number in numbers],
        "parses": [max(parses[one[0]]) for one in rows],
    }  # fmt: skip
    with Run.open(tmp_path / "run", command="consistency") as run:
        result = Result("none", [Finding("consistency", "s", "x", "consistent", 50.0, 1)])
        run.finish(result, Observations(columns), {"gold": gold.encode(), "x": parsed.encode()})
    with opened(browser, tmp_path / "page.html", [Run.load(tmp_path / "run")]) as view:
        panel = view.locator("[data-batch]")
        panel.wait_for()
        assert panel.locator("h3").inner_text() == "3 different trees of one sentence"
        assert panel.locator("strong").all_inner_texts() == ["1800, 1802", "1801"]
        panel.locator("summary").click()
        panel.get_by_text("only tags or features differ").wait_for()  # drawn when the browser tells that it is open
        panel.locator("summary").click()
        assert panel.locator("svg").count() == 3
        assert panel.locator("svg").nth(0).locator(".edge.differs").count() == 0
        assert panel.locator("svg").nth(1).locator(".edge.differs").count() == 1


def sentences(labels: Sequence[str]) -> Treebank:
    row = "# sent_id = s{0}\n1\ta\t_\tX\t_\t_\t2\tnsubj\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n"
    row += "3\tc\t_\tX\t_\t_\t2\t{1}\t_\t_\n\n"
    return Treebank("".join(row.format(n, label) for n, label in enumerate(labels)).encode(), name="gold")


def test_paired_differences_of_two_runs(browser: Any, tmp_path: Path) -> None:
    gold = sentences(["obj"] * 12)
    first = recorded(tmp_path / "first", gold, {"system": sentences(["obj", "iobj"] * 6)})
    second = recorded(tmp_path / "second", gold, {"system": sentences(["obj", "obj", "iobj"] * 4)})
    (found,) = differences([first, second])
    overall = next(row for row in found["rows"] if row["measure"] == "las" and row["group"] == "all")
    # By hand: 30 and 32 of 36 words are right; 4 sentences better, 2 worse.
    assert round(overall["difference"], 4) == round(100 * 2 / 36, 4)
    assert overall["items"] == 12
    assert overall["low"] <= overall["difference"] <= overall["high"]
    assert (overall["baseline"], overall["system"]) == ("first: system", "second: system")
    with opened(browser, tmp_path / "page.html", [first, second]) as view:
        section = view.locator("section").filter(has=view.get_by_role("heading", name="Run against run", exact=True))
        row = section.locator("tbody tr").first.locator("th, td").all_inner_texts()
        assert row[:3] == ["LAS", "all", "12"]
        assert "+5.56" in row
        assert str(tmp_path) not in view.locator("main").inner_text()


def test_runs_on_other_suites_are_refused_and_other_studies_are_not_spoken_of(browser: Any, tmp_path: Path) -> None:
    first = recorded(tmp_path / "first", sentences(["obj"] * 3), {"system": sentences(["obj"] * 3)})
    other = recorded(tmp_path / "other", sentences(["obj"] * 2), {"system": sentences(["obj"] * 2)})
    spoken = surprisal_run(tmp_path / "surprisal")
    assert differences([first, spoken]) == []
    with opened(browser, tmp_path / "page.html", [first, other, spoken]) as view:
        text = view.locator("main").inner_text()
        assert "other against first" in text
        assert "Not compared: these runs are not of the same suite" in text
