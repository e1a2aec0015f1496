"""The page in a real browser: what is seen first, where addresses lead, and that it fits every screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from opened_page import follow, opened, screen_place
from recorded_run import EVIL, recorded

from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Result, Table
from gardenpath.treebank import Treebank, read

WIDTHS = (360, 390, 768, 1280, 1920)
OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


def count(view: Any, section: str = "main") -> int:
    """Sentences in the first list of a section."""
    status = re.search(r": ([\d,]+) sentences?", view.locator(f"{section} [role=status]").first.inner_text())
    assert status is not None
    return int(status[1].replace(",", ""))


def test_the_first_screen_says_what_was_found_and_shows_no_hash(seen: Any) -> None:
    verdicts = seen.locator("#overview [data-verdict]")
    assert verdicts.count() == 3
    boxes = [verdicts.nth(number).bounding_box() for number in range(3)]
    assert all(box["y"] + box["height"] < 900 for box in boxes)
    cards = seen.locator("#overview .card")
    assert [cards.nth(n).locator(".bars li").count() > 0 for n in range(4)] == [True] * 4
    assert "62.5" in cards.nth(3).inner_text()  # without verdicts, the main number
    assert "n 8" in cards.nth(3).inner_text()
    assert cards.nth(3).locator(".bars li.few").count() == 1
    # Nothing of how it came about is seen before it is asked for, neither here nor further down.
    assert not re.search(r"[0-9a-f]{8,}|sha256|signature", seen.locator("body").inner_text())


def test_a_study_has_verdicts_figure_worst_cells_and_sentences_in_this_order(seen: Any) -> None:
    section = seen.locator("#roles")
    parts = [section.locator(part).first for part in (".verdicts", ".two table", ".two svg", "ol.sentences", ".folds")]
    tops = [part.bounding_box()["y"] for part in parts]
    assert tops[0] < min(tops[1:3]) <= max(tops[1:3]) < tops[3] < tops[4]
    cells = section.locator(".two tbody tr td:nth-child(4) a").all_inner_texts()
    assert cells
    worst = [float(text.replace("−", "-")) for text in cells]
    assert worst == sorted(worst)


def test_every_address_opens_at_its_place(seen: Any) -> None:
    def is_seen(selector: str) -> None:
        top, _ = screen_place(seen, selector)
        assert -1 <= top < 850, selector

    follow(seen, "#roles")
    is_seen("#roles-title")
    address = "#roles/cell/las?system=baseline%3Asubject-first&order=VF%5BO%5DLK%5BV%5DMF%5BS%5D"
    follow(seen, address)
    is_seen("#roles .panel.reached h3")
    assert seen.locator("#roles td.here a").get_attribute("href") == address
    assert "LAS" in seen.locator("#roles [role=status]").first.inner_text()
    assert count(seen, "#roles") == 361
    follow(seen, "#roles/figure/roles-property")
    is_seen("#roles figure.reached svg")
    follow(seen, "#roles/table/2")
    is_seen("#roles [data-table='2'] h3")
    # A sentence that no page of the list shows yet, and one of another system.
    last = seen.evaluate("document.querySelectorAll('#roles ol.sentences > li').length")
    assert last <= 20
    follow(seen, "#roles/sentence/de-0035-base-spron-4?system=baseline%3Aright-branching")
    is_seen("#roles li.reached .tree")
    assert seen.locator("#roles li.reached").get_attribute("data-sentence") == "de-0035-base-spron-4"
    systems = seen.locator("#roles li.reached > .trees > .tree").evaluate_all("all => all.map(t => t.dataset.system)")
    assert systems == ["gold", "baseline:right-branching"]
    # A number without sentences is marked where it stands, whatever the table showed before.
    follow(seen, "#numbers/cell/accuracy?system=x&property=aux")
    is_seen("#numbers td.here")
    follow(seen, "#roles/sentence/no-such-sentence")
    follow(seen, "#nowhere/at/all")


def test_systems_are_never_pooled_into_one_list(seen: Any) -> None:
    chooser = seen.locator("#roles .controls select").nth(2)
    assert chooser.locator("option").all_inner_texts() == ["baseline:subject-first", "baseline:right-branching"]
    for name in ("baseline:subject-first", "baseline:right-branching"):
        chooser.select_option(name)
        assert seen.locator("#roles [role=status]").first.inner_text().startswith(name)
    seen.locator("#roles ol.sentences > li > button").first.click()
    drawn = seen.locator("#roles ol.sentences > li").first.locator("> .trees > .tree")
    assert drawn.evaluate_all("all => all.map(one => one.dataset.system)") == ["gold", "baseline:right-branching"]


@pytest.mark.parametrize("way", ["mouse", "keyboard", "tap"])
def test_codes_and_measures_are_explained_where_they_stand(seen: Any, way: str) -> None:
    follow(seen, "#overview")
    word = seen.locator("#overview .term", has_text="LAS").first
    order = seen.locator("#roles .two th .term.order").first
    assert "subj" in order.inner_text()
    for term, meaning in (
        (word, "labelled attachment score"),
        (order, "verb first, object before subject (left bracket: verb;"),
    ):
        term.scroll_into_view_if_needed()
        {"mouse": term.hover, "keyboard": term.focus, "tap": term.click}[way]()
        assert meaning in seen.locator("#tip").inner_text()
        term.press("Escape")
        assert seen.locator("#tip").is_hidden()
        term.evaluate("one => one.blur()")
    assert seen.locator("#numbers tbody th", has_text="Case syncretism").count() == 1


def test_intervals_of_tiny_n_are_grey_and_last(seen: Any, several: list[Run]) -> None:
    names = seen.locator("#numbers tbody tr th").all_inner_texts()
    assert [name.split()[0] for name in names] == ["amb", "aux"]
    assert seen.locator("#numbers tbody tr").nth(1).locator("td.few").count() == 1
    assert seen.locator("#numbers tbody tr").nth(0).locator("td.few").count() == 0


def test_no_sideways_scrolling_at_any_width_and_headings_below_the_bar(seen: Any) -> None:
    address = "#roles/cell/las?system=baseline%3Asubject-first&order=VF%5BO%5DLK%5BV%5DMF%5BS%5D"
    try:
        for width in WIDTHS:
            seen.set_viewport_size({"width": width, "height": 844})
            for place in ("#roles", address):
                follow(seen, place)
                assert seen.evaluate("document.documentElement.scrollWidth") <= width
                bar = screen_place(seen, "#nav")[1] if width < 860 else 0
                assert screen_place(seen, ".reached h2, .reached h3")[0] >= bar
        # On phones the studies are behind a button, which tells that it opened, and a link closes it.
        seen.set_viewport_size({"width": 390, "height": 844})
        assert seen.locator("#links").is_hidden()
        seen.locator("#menu").click()
        assert seen.locator("#menu").get_attribute("aria-expanded") == "true"
        seen.locator("#links a", has_text="Roles").click()
        assert seen.locator("#links").is_hidden()
        seen.wait_for_function("() => document.body.dataset.address === '#roles'")
        seen.evaluate(OPEN_ALL)
        seen.wait_for_function("() => [...document.querySelectorAll('.chart')].every(one => one.querySelector('svg'))")
        assert seen.evaluate("document.documentElement.scrollWidth") <= 390
        labels = seen.locator(".chart:not(.parts) svg").evaluate_all(
            "all => all.flatMap(svg => [...svg.querySelectorAll('text')].filter(text => text.textContent).map(text => {"
            "const box = text.getBoundingClientRect(), frame = svg.getBoundingClientRect();"
            "return [Math.min(box.left - frame.left, frame.right - box.right), text.textContent]; }))"
        )
        assert len(labels) > 20
        assert [label for label in labels if label[0] < -1] == []  # no label of a chart is cut off
    finally:
        seen.set_viewport_size({"width": 1280, "height": 900})


def test_how_it_came_about_is_folded_with_the_command_to_run_it_again(seen: Any) -> None:
    origin = seen.locator("#how details", has=seen.locator("summary", has_text="Roles"))
    origin.evaluate("one => { one.open = true; }")
    origin.locator("pre").wait_for()
    wanted = (
        "gardenpath roles bundled:de-roles baseline:subject-first baseline:right-branching "
        "--baseline baseline:subject-first --by order,property"
    )
    assert origin.locator("pre").inner_text() == wanted
    assert "study:roles" in origin.inner_text()
    objects = seen.locator("#how details", has=seen.locator("summary", has_text="Evaluation"))
    objects.evaluate("one => { one.open = true; }")
    objects.get_by_text("It was called from Python").wait_for()


def test_filters_cells_and_trees(browser: Any, evaluated: Run, tmp_path: Path) -> None:
    with opened(browser, tmp_path / "page.html", [evaluated]) as view:
        assert view.locator(".chart").count() == 1  # the others are folded
        view.locator("summary", has_text="more figures").click()
        view.wait_for_function("() => document.querySelectorAll('.chart svg').length === 5")
        assert count(view) == 100
        rows = view.locator("ol.sentences > li .text")
        assert rows.count() == 2
        view.get_by_role("button", name="Show more").nth(1).click()
        assert rows.count() == 20
        view.get_by_role("button", name="Next", exact=True).click()
        assert rows.count() == 20
        assert "21–40 of 100" in view.locator("#baselines").inner_text()
        view.locator("summary", has_text="Filter").click()
        view.locator("input[data-filter=text]").fill("Rosen")
        view.locator("[role=status]").filter(has_not_text="100 sentences").wait_for()
        assert 0 < count(view) < 100
        assert all("rosen" in text.lower() for text in rows.all_inner_texts())
        # A number of a group leads to the sentences of that group.
        view.locator(".controls select").first.select_option("length")
        cell = view.locator("td a[href*='length=1%E2%80%935']").first
        cell.click()
        view.locator("[role=status]", has_text="length").wait_for()
        assert count(view) < 100
        assert all(len(text.split()) <= 6 for text in rows.all_inner_texts())
        # A sentence shows gold and the system that was clicked, with the edges of the treebank.
        view.locator("ol.sentences > li > button").first.click()
        drawn = view.locator(".trees > .tree")
        assert drawn.count() == 2
        name = view.locator("ol.sentences .id").first.inner_text()
        gold = {node.ord: node.head for node in _sentence(evaluated, name).words}
        edges = drawn.first.locator("g.edge").evaluate_all("all => all.map(g => [g.dataset.dependent, g.dataset.head])")
        assert {int(dependent): int(head) for dependent, head in edges} == gold
        assert drawn.first.locator("g.differs").count() == 0
        assert view.evaluate("location.hash").startswith(f"#baselines/sentence/{name}")
        view.get_by_role("button", name="All sentences").click()
        assert count(view) == 100


def _sentence(run: Run, name: str) -> Any:
    return next(sentence for sentence in read(run.trees()["gold"]) if sentence.sent_id == name)


def test_a_card_leads_to_all_verdicts_and_the_worst_cell_stands_out(seen: Any, several: list[Run]) -> None:
    link = seen.locator("#overview .card", has=seen.locator("h2 a[href='#baselines']")).locator(".rest a")
    assert link.get_attribute("href") == "#baselines/verdicts"
    follow(seen, "#baselines/verdicts")
    verdicts = several[0].result().verdicts
    assert seen.locator("#baselines ul.verdicts > li:visible").count() == len(verdicts) > 2
    seen.locator("#baselines > details").first.evaluate("one => { one.open = false; }")
    # Of the baseline that takes the first noun for the subject: all orders with the object first have nothing right.
    worst = seen.locator("#roles td.worst a").evaluate_all("all => all.map(one => [one.textContent, one.href])")
    assert {text for text, href in worst if "subject-first" in href} == {"0.0"}
    sure = seen.locator("#links a[href='#roles'] .sure")
    assert sure.get_attribute("class") == "sure sure-shown"


def test_the_main_numbers_of_several_suites_are_those_of_all_together(seen: Any) -> None:
    findings = [
        Finding("surprisal", suite, system, "accuracy", 50.0, n, 40.0, 60.0).flat()
        for system in "ab"
        for suite, n in (("agreement", 10), ("2 suites", 20), ("npi", 10))
    ]
    main = seen.evaluate("findings => mainFindings({ main: ['accuracy'], findings })", findings)
    assert [(finding["system"], finding["suite"]) for finding in main] == [("a", "2 suites"), ("b", "2 suites")]


def test_differences_are_those_of_the_trees_and_the_keyboard_moves(
    browser: Any, evaluated: Run, tmp_path: Path
) -> None:
    gold, system = read(evaluated.trees()["gold"])[0], read(evaluated.trees()["baseline:nearest-head"])[0]
    pairs = zip(gold.words, system.words, strict=True)
    different = sum((a.head, a.deprel) != (b.head, b.deprel) for a, b in pairs)
    with opened(browser, tmp_path / "page.html", [evaluated]) as view:
        follow(view, f"#baselines/sentence/{gold.sent_id}?system=baseline%3Anearest-head")
        assert view.locator("[data-system='baseline:nearest-head'] g.edge.differs").count() == different > 0
        view.locator("ol.sentences > li > button").first.focus()
        opened_before = view.locator("ol.sentences > li > .trees").count()
        view.keyboard.press("ArrowDown")
        view.keyboard.press("Enter")
        assert view.locator("ol.sentences > li").nth(1).locator("> .trees").count() == 1
        assert view.locator("ol.sentences > li > .trees").count() == opened_before + 1


def test_labels_never_collide_with_arcs(browser: Any, tmp_path: Path) -> None:
    """Short words with long labels, crossing arcs, and an arc over the root: no label has a line through it."""
    trees = [
        [("a", 2, "nsubj:outer:long"), ("b", 0, "root"), ("c", 2, "advcl:relcl:very"), ("d", 3, "obl:tmod")],
        [("a", 3, "x"), ("b", 4, "compound:prt"), ("c", 0, "root"), ("d", 3, "y"), ("e", 2, "nmod"), ("f", 1, "acl")],
        [("a", 4, "dislocated"), ("b", 0, "root"), ("c", 2, "obj"), ("d", 2, "parataxis:obj"), ("e", 1, "orphan:long")],
    ]  # fmt: skip
    rows = [
        f"{at}\t{form}\t_\tX\t_\t_\t{head}\t{label}\t_\t_"
        for tree in trees
        for at, (form, head, label) in [*enumerate(tree, 1), (0, ("", 0, ""))]
    ]
    text = "\n".join("" if row.startswith("0") else row for row in rows) + "\n"
    gold = Treebank(text.encode())
    run = recorded(tmp_path / "run", gold, {"system": gold})
    hit = """all => all.flatMap(svg => {
      const plates = [...svg.querySelectorAll('g.name')], arcs = [...svg.querySelectorAll('g.edge')];
      return plates.flatMap(plate => {
        const box = plate.querySelector('rect').getBBox(), text = plate.querySelector('text').getBBox();
        const crossed = arcs.filter(arc => arc.dataset.dependent !== plate.dataset.dependent).filter(arc => {
          const path = arc.querySelector('.arc'), length = path.getTotalLength();
          for (let at = 0; at <= length; at++) {
            const point = path.getPointAtLength(at);
            const isBeside = point.x <= text.x || point.x >= text.x + text.width;
            if (!isBeside && point.y > box.y + 2 && point.y < box.y + box.height - 2) return true;
          }
          return false;
        });
        const names = crossed.map(arc => `${plate.textContent} by ${arc.dataset.dependent}`);
        return text.width > box.width ? ['too wide'] : names;
      });
    })"""
    with opened(browser, tmp_path / "page.html", [run]) as view:
        view.get_by_role("button", name="Show more").last.click()
        for number in range(3):
            view.locator("ol.sentences > li > button").nth(number).click()
        drawn = view.locator(".trees > .tree[data-system=gold] svg")
        assert drawn.count() == 3
        assert drawn.evaluate_all(hit) == []


def test_text_from_data_does_not_run(browser: Any, tmp_path: Path) -> None:
    row = f"1\t{EVIL}\t_\tX\t_\t_\t0\troot\t_\t_\n2\t{EVIL}b\t_\tX\t_\t_\t1\tobj:<b>\t_\t_\n\n"
    gold = Treebank(f"# sent_id = {EVIL.replace(' ', '')}\n# text = {EVIL} {EVIL}b\n{row}".encode())
    run = recorded(tmp_path / "evil run <i>", gold, {f"system:{EVIL}": gold})
    with opened(browser, tmp_path / "page.html", [run]) as view:
        view.evaluate(OPEN_ALL)
        view.locator("td a").first.click()
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
        view.get_by_role("button", name="Show more").last.click()
        for number in range(3):
            view.locator("ol.sentences > li > button").nth(number).click()
        widths = view.locator(".tree").evaluate_all("all => all.map(one => [one.clientWidth, one.scrollWidth])")
        assert widths[0][1] > widths[0][0] * 5
        assert view.evaluate("document.documentElement.scrollWidth") <= 800
        words = view.locator("ol.sentences > li").nth(1).locator("svg").first.locator("text.word")
        first, second = (float(words.nth(n).get_attribute("x")) for n in range(2))
        assert first > second


def test_a_run_with_nothing_but_a_number(browser: Any, tmp_path: Path) -> None:
    with Run.open(tmp_path / "small", command="nothing") as run:
        finding = Finding("other", "", "", "answer", 42.5)
        run.finish(Result("none", [finding], [Table("", ["a"], [[1]])]))
    with opened(browser, tmp_path / "page.html", [Run.load(tmp_path / "small")]) as view:
        assert "42.5" in view.locator("#overview").inner_text()


def test_two_hundred_groups_and_two_runs(browser: Any, tmp_path: Path) -> None:
    folders = []
    for name, shift in (("first", 0.0), ("second", 1.5)):
        with Run.open(tmp_path / name, command="roles", settings={"shift": shift}) as run:
            groups = [
                Finding("roles", "s", "x", "las", n / 2 + shift, 10, by={"property": f"p{n}"}) for n in range(200)
            ]
            run.finish(Result("none", groups))
        folders.append(Run.load(tmp_path / name))
    with opened(browser, tmp_path / "page.html", folders) as view:
        assert view.locator("#first .two tbody tr").count() == 5
        assert "1–5 of 200" in view.locator("#first").inner_text()
        view.locator("#differences .side summary").click()
        table = view.locator("#differences .side table")
        table.wait_for()
        assert table.locator("tbody tr").count() == 20
        assert table.locator("tbody tr").first.locator("td, th").all_inner_texts() == [
            "LAS",
            "x",
            "property p0",
            "0.00",
            "1.50",
        ]
