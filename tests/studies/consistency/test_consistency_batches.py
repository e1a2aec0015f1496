"""Q1 to Q5 on batches that were made by hand and counted by hand."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest
from batch_cases import VALUES, asked, judged, told, treebank, years

from gardenpath.errors import InputError, UsageError
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.consistency.clusters import published_clusters
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.study import CONSISTENCY, observations
from gardenpath.studies.consistency.tables import PaperTables
from gardenpath.studies.consistency.variants import ask
from gardenpath.studies.engine import study as engine
from gardenpath.systems.asking.request import Request
from gardenpath.treebank import Treebank
from gardenpath.treebank.perturb.registry import perturbation
from group_checks import same

KINDS = {
    "complete": ["gold", *["gold"] * 5],
    "mixed": ["gold", "gold", "gold", "label", "label", "head"],
    "wrong alike": ["label", *["label"] * 5],
    "wrong apart": ["upos", "upos", "upos", "feats", "feats", "root"],
    "lucky": ["head", *["gold"] * 5],
    "segmented": ["[wrong segmentation]", *["gold"] * 5],
    "crash": ["gold", "gold", "[crashed]", "[wrong segmentation]", "label", "label"],
}


def value(result: Result, measure: str, **by: Any) -> Any:
    wanted = {"perturbation": "years", **by}
    found = [one.value for one in result.findings if one.measure == measure and dict(one.by) == wanted]
    assert len(found) == 1, (measure, by, len(found))
    return found[0]


@pytest.fixture(scope="module")
def result() -> Result:
    given = asked(list(KINDS))
    return judged(given, {"hand": told(given, KINDS)}, ConsistencySettings())[0]


def test_table_1(result: Result) -> None:
    surface = {"order": "surface"}
    assert value(result, "originals", **surface) == 7
    assert value(result, "originals_wrong_segmentation", **surface) == 1
    assert value(result, "originals_right", **surface) == 3
    assert value(result, "original_right", **surface) == pytest.approx(100 * 3 / 7)
    assert value(result, "variants", **surface) == 35  # those of the original that was cut included
    assert value(result, "variants_wrong_segmentation", **surface) == 1
    assert value(result, "variants_failed", **surface) == 1
    assert value(result, "variants_right", **surface) == 5 + 2 + 0 + 0 + 5 + 5 + 1
    assert value(result, "right", **surface) == pytest.approx(100 * 18 / 35)
    # label, label, head in mixed; feats, feats, root; all of lucky and of segmented; all but the first in crash
    assert value(result, "changed", **surface) == pytest.approx(100 * (3 + 3 + 5 + 5 + 4) / 35)
    # complete, wrong alike, lucky, segmented: one tree; mixed, wrong apart, crash: more
    assert value(result, "consistent", **surface) == pytest.approx(100 * 4 / 7)


def test_questions_where_the_original_is_right(result: Result) -> None:
    plus = {"order": "surface", "original": "right"}
    assert value(result, "batches", **plus) == 3
    assert value(result, "complete_batches", **plus) == 1
    assert value(result, "right_per_batch", **plus) == pytest.approx((5 + 2 + 1) / 3)
    assert value(result, "right_per_batch_sd", **plus) == pytest.approx(statistics.pstdev([5, 2, 1]))
    assert value(result, "right_per_batch_median", **plus) == 2
    assert (value(result, "right_per_batch_min", **plus), value(result, "right_per_batch_max", **plus)) == (1, 5)
    assert value(result, "consistent_error_batches", **plus) == 0
    # mixed: gold, label, head; crash: gold, label, no answer (crashed; and cut, of which no columns are left)
    assert value(result, "clusters", **plus) == pytest.approx((3 + 3) / 2)
    # mixed: two pairs and one alone, which the published count loses; crash: a pair and one alone make two
    assert value(result, "clusters_published", **plus) == pytest.approx((2 + 2) / 2)


def test_questions_where_the_original_is_wrong(result: Result) -> None:
    minus = {"order": "surface", "original": "wrong"}
    assert value(result, "batches", **minus) == 4
    assert value(result, "complete_batches", **minus) == 2  # lucky, segmented
    assert value(result, "consistent_error_batches", **minus) == 1
    assert value(result, "clusters", **minus) == 3
    assert value(result, "clusters_published", **minus) == 2
    values = [value(result, f"ncptk{more}", **minus) for more in ("_min", "", "_max")]
    assert 0 <= values[0] < values[1] < values[2] < 1


def test_nothing_to_say_is_not_zero() -> None:
    given = asked(["complete"])
    result, _ = judged(given, {"hand": told(given, KINDS)}, ConsistencySettings(order="both"))
    for order in ("surface", "udon2"):
        for measure in ("clusters", "ncptk", "consistent_error_batches"):
            assert value(result, measure, order=order, original="right") is None
        assert value(result, "right_per_batch", order=order, original="wrong") is None
    shown = next(table for table in result.tables if table.title.startswith("Questions"))
    place = list(shown.columns).index("batches")
    empty = [row[0] for row in shown.rows if set(row[place:]) == {None}]
    assert empty.count("clusters (Q4)") == empty.count("with consistent errors (Q3)") == 4  # +, - in both orders


def test_values_and_groups(result: Result) -> None:
    # 2024 is the head in mixed, root in wrong apart: of seven batches, two are not the majority's
    by = {"replacement": "2024", "group": ""}
    assert value(result, "differs_from_majority", **by) == pytest.approx(100 * 2 / 7)
    assert value(result, "differs_from_majority", replacement="1505", group="") == pytest.approx(100 / 7)
    assert value(result, "differs_from_majority", replacement="1798", group="") == pytest.approx(100 / 7)  # crashed
    # lucky, segmented
    assert value(result, "differs_from_original", replacement="1505", group="") == pytest.approx(100 * 2 / 7)
    assert value(result, "differs_from_majority", group="1500s") == pytest.approx(100 / 7)


def test_what_changes(result: Result) -> None:
    assert value(result, "minority_clusters") == 2 + 2 + 1
    # mixed: gold is largest (two, as label, but the original's): label, head; apart: upos against feats and root;
    # crash: label (two) against gold
    assert value(result, "root_changed") == pytest.approx(100 / 5)
    assert value(result, "changed_words", part="head") == 1 + 2
    assert value(result, "clusters_changed", part="upos") == pytest.approx(100 * 2 / 5)
    assert value(result, "edited_word_changed") == pytest.approx(100 * 4 / 5)
    # mixed: obl is obj; apart: root is advcl and obl is root; crash: the other way round
    relabelled = {(finding.by["from"], finding.by["to"]): (finding.value, finding.n) for finding in result.findings
                  if finding.measure == "relabelled_words"}  # fmt: skip
    pairs = [("obl", "obj"), ("root", "advcl"), ("obl", "root"), ("obj", "obl")]
    assert relabelled == dict.fromkeys(pairs, (1, 4))


def test_repeated_values_count_as_often_as_they_are_there() -> None:
    values = ["1505", "1798", "1505", "1872"]
    given = asked(["s"], values)
    assert len(given.treebank) == 1 + 3
    answers = {"hand": told(given, {"s": ["label", "gold", "label", "head"]})}
    result, batches = judged(given, answers, ConsistencySettings(order="both"))
    both = {"order": "surface", "original": "wrong"}
    assert value(result, "variants", order="surface") == 4
    assert value(result, "variants_distinct", order="surface") == 3
    assert value(result, "right_per_batch", **both) == 2
    assert value(result, "clusters", **both) == 3
    assert value(result, "clusters_published", **both) == 2  # the pair, and the rest as one
    rows = observations(batches).columns
    assert rows["times"][:3] == [2, 1, 1]
    assert rows["outcome"][:3] == ["right", "same as original", "other"]
    assert rows["parse"][:3] == [1, 2, 3]
    assert rows["cluster"][:3] == ["s", "s", "s"]
    alone = observations(batches, independent=True).columns
    assert alone["cluster"] == alone["variant_id"]


def test_one_variant_alone_is_not_called_consistent() -> None:
    given = asked(["s", "t"], ["1505"])
    told_all = told(given, {"s": ["gold", "label"], "t": ["gold", "gold"]})
    result, _ = judged(given, {"hand": told_all, "twin": told_all}, ConsistencySettings())
    found = {one.measure: one.value for one in result.findings if one.system == "hand" and len(one.by) == 2}
    assert found["consistent"] is None
    assert found["changed"] == 50
    differences = {
        one.measure: one.value
        for one in result.findings
        if one.measure.endswith("_difference") and one.system == "twin"
    }
    differences = {name: value for name, value in differences.items() if not name.startswith(("uas", "las", "blex"))}
    assert differences == {"right_difference": 0, "changed_difference": 0}  # nothing to say about consistency


def test_clusters_of_appendix_c() -> None:
    """14 classes of which 4 stand alone: the script sees 10."""
    sizes = [2, 3, 3, 3, 4, 5, 5, 6, 7, 8, 1, 1, 1, 1]
    assert sum(sizes) == 50
    assert len(published_clusters([[0] * size for size in sizes])) == 10
    assert len(published_clusters([[0, 1, 2], [3], [4]])) == 2
    assert len(published_clusters([[0], [1]])) == 0


def test_features_that_the_values_need_are_compared_with_gold() -> None:
    """he and she: each has its own gender, and a parser that gives both theirs is consistent."""
    from gardenpath.studies.consistency.clusters import GOLD, BatchParses

    row = "1\t{}\t_\tPRON\t_\t{}\t0\troot\t_\t_\n\n"
    gold = [row.format("he", "Gender=Masc|Person=3").encode(), row.format("she", "Gender=Fem|Person=3").encode()]
    assert BatchParses(gold, gold).classes("surface") == [GOLD, GOLD]
    lacking = [row.format("he", "Gender=Masc").encode(), row.format("she", "Gender=Fem").encode()]
    assert BatchParses(gold, lacking).classes("surface") == [1, 1]
    mixed = [gold[0], row.format("she", "Gender=Masc|Person=3").encode()]
    assert BatchParses(gold, mixed).classes("surface") == [GOLD, 1]


def test_a_better_parser_is_better_by_the_paired_difference() -> None:
    given = asked([f"s{n}" for n in range(12)])
    first = told(given, {f"s{n}": ["gold", "gold", "label", "gold", "gold", "gold"] for n in range(12)})
    second = told(given, {f"s{n}": ["gold"] * 6 for n in range(12)})
    result, _ = judged(given, {"a": first, "b": second}, ConsistencySettings())
    assert value(result, "consistent_difference") == pytest.approx(100)
    assert value(result, "right_difference") == pytest.approx(20)


def test_order_of_siblings_makes_inconsistency() -> None:
    """UDon2 orders siblings by UPOS|DEPREL|FORM: two numbers that depend on one word change places."""
    text = (
        "# sent_id = s\n# text = Er kam 1998 1800 an\n1\tEr\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n"
        "2\tkam\t_\tVERB\t_\t_\t0\troot\t_\t_\n3\t1998\t_\tNUM\t_\t_\t2\tobl\t_\t_\n"
        "4\t1800\t_\tNUM\t_\tX=1\t2\tobl\t_\t_\n5\tan\t_\tADP\t_\t_\t2\tcompound:prt\t_\t_\n\n"
    )
    given = ask(Treebank(text.encode()), [years(["1505", "1900"])])
    perfect = told(given, {"s": ["gold"] * 3})
    result, _ = judged(given, {"gold": perfect}, ConsistencySettings(order="both"))
    assert value(result, "consistent", order="surface") == 100
    assert value(result, "consistent", order="udon2") == 0
    # The published gold keeps the order of the original's form (1800, 1998), so that 1505 cannot be right.
    assert value(result, "right", order="surface") == 100
    assert value(result, "right", order="udon2") == 50


def test_wrong_calls() -> None:
    given = asked(["s"])
    with pytest.raises(UsageError, match="named twice: years"):
        ask(given.treebank, [years(), years()])
    with pytest.raises(UsageError, match="named twice: numerals"):
        engine.run(CONSISTENCY, given.treebank, "baseline:x", ConsistencySettings(change=("numerals", "numerals")))
    nothing = ask(given.treebank, [years(VALUES[:1])], sentences=1)
    assert len(nothing.cases) == 1
    none = Treebank(b"1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", name="none")
    with pytest.raises(InputError, match=r"no sentence has a match\n.*numerals: no match \(1\)"):
        engine.run(CONSISTENCY, none, "baseline:right-branching")


def test_examples_say_what_changes_in_the_tree() -> None:
    given = asked(list(KINDS))
    answers = {"hand": told(given, KINDS)}

    def shown(examples: str, **more: Any) -> list[dict[str, Any]]:
        settings = ConsistencySettings(examples=examples, **more)
        return list(judged(given, answers, settings)[0].details["examples"])

    changed = shown("changed", limit=100)
    assert len(changed) == 3 + 3 + 5 + 5 + 4  # as counted for Table 1
    assert changed[0]["sent_id"] == "mixed"
    assert (changed[0]["old"], changed[0]["new"]) == ("1998", "1872")
    assert changed[0]["changed"] == ("3 1998: deprel obl > obj",)
    assert changed[2]["changed"] == ("4 allein: head 2 > 3",)
    assert [example["sent_id"] for example in shown("broken")] == ["mixed"] * 3 + ["crash"] * 4
    assert {example["sent_id"] for example in shown("repaired")} == {"lucky", "segmented"}
    assert [example["changed"] for example in shown("failed")] == [("crashed",), ("wrong segmentation",)]
    assert {example["new"] for example in shown("changed:2024")} == {"2024"}
    assert len(shown("changed", limit=2)) == 2


def test_every_number_of_a_table_is_a_finding(result: Result) -> None:
    kept = {number for finding in result.findings for number in (finding.value, finding.n, finding.low, finding.high)}
    for table in result.tables:
        for row in table.rows:
            for cell in row:
                numbers = cell if isinstance(cell, list) else [cell] if isinstance(cell, int | float) else []
                assert set(numbers) <= kept, (table.title, row)


def test_tables_that_are_not_asked_for_are_folded() -> None:
    given = asked(list(KINDS))
    answers = {"hand": told(given, KINDS)}
    tables = judged(given, answers, ConsistencySettings(by=("change",)))[0].tables
    titles = [table.title for table in tables if not table.folded]
    assert len(tables) > len(titles)
    assert [title.partition(",")[0] for title in titles] == [
        "years.conllu",
        "What changes between clusters",
        "Where trees change",
    ]


def shuffled(trees: Treebank) -> Treebank:
    blocks = [trees.block(number) for number in range(len(trees))]
    return Treebank(b"".join(blocks[1::2] + blocks[0::2]), name=trees.name)


def test_the_order_of_answers_never_changes_a_number() -> None:
    gold = treebank(["a", "b", "c"])
    given = ask(gold, [perturbation("numerals")], per_sentence=5)
    answers = told(given, {name: ["gold", "gold", "label", "gold", "head"] for name in ("a", "b", "c")})
    trees = Treebank(b"".join(answer.conllu for answer in answers.answers), name="parsed")
    settings = ConsistencySettings(per_sentence=5)
    result, moved = (engine.run(CONSISTENCY, gold, {"x": some}, settings) for some in (trees, shuffled(trees)))
    assert result.findings == moved.findings == judged(given, {"x": answers}, settings)[0].findings
    assert value_of(result, "consistent") == 0
    assert result.failures == moved.failures == {}
    fewer = engine.run(CONSISTENCY, gold, {"x": trees[: len(trees) - 2]}, settings)
    assert fewer.failures == {"x: unparsed": 2}
    assert len({result.signature, fewer.signature}) == 2  # another system has another signature


def value_of(result: Result, measure: str) -> Any:
    return next(finding.value for finding in result.findings if finding.measure == measure)


# ---- changed trees by what is said of sentences: those of the study on these sentences alone


def test_consistency() -> None:
    changed = {"s0": 0, "s1": 5, "s2": 2}

    def study(names: Sequence[str], **settings: Any) -> Result:
        given = asked(names)
        trees = {name: ["gold", *["label"] * changed[name], *["gold"] * (5 - changed[name])] for name in names}
        return judged(given, {"parser": told(given, trees)}, ConsistencySettings(**settings))[0]

    result = study(list(changed), by=("sent_id",))
    for name, count in changed.items():
        finding = next(each for each in result.findings if each.measure == "changed" and each.by.get("sent_id") == name)
        assert finding.value == pytest.approx(20 * count)
        alone = next(each for each in study([name]).findings if each.measure == "changed")
        same(finding, alone)


# ---- the paper's layout: test treebanks side by side, its denominators, NA where there is no batch


BY = {"perturbation": "numerals", "order": "surface"}


def _counts(treebank: str, originals: tuple[int, ...], variants: tuple[int, ...]) -> list[Finding]:
    return [
        Finding("consistency", treebank, "x", f"{kind}{measure}", value, by=by)
        for kind, counts, by in (("originals", originals, BY), ("variants", variants, {**BY, "layout": "paper"}))
        for measure, value in zip(("", "_wrong_segmentation", "_considered", "_right"), counts, strict=True)
    ]


def test_table_6_of_the_paper() -> None:
    """English: 235 originals, 5 of them cut in several, 230 right; no original of the 14 of dev."""
    findings = _counts("train", (235, 5, 230, 230), (11500, 0, 11500, 11452))
    findings += _counts("dev", (14, 0, 14, 0), (700, 0, 700, 0))
    columns = [(name, "x", name) for name in ("train", "dev")]
    shown = PaperTables(findings, columns, "numerals", "surface").counts("Table 6")
    assert list(shown.columns) == ["metric", "train", "dev"]
    assert [row[1:] for row in shown.rows] == [
        [235, 14], [5, 0], [230, 14], [230, 0], ["100.0%", "0.0%"],
        [11500, 700], [0, 0], [11500, 700], [11452, 0], ["99.6%", "0.0%"],
    ]  # fmt: skip
    assert shown.rows[2][0] == "Original considered"
    assert "Table 6" in shown.note
    constant = PaperTables(findings, columns[:1], "numerals", "surface").counts("Table 7", {"originals": "Substituted"})
    assert [row[0] for row in constant.rows][:1] == ["Substituted in total"]
    assert len(constant.rows) == 5


def test_the_five_questions_in_its_layout() -> None:
    steady, split = ["gold"] * 6, ["gold", "gold", "label", "gold", "gold", "gold"]
    given = asked(list("ab"))
    result, _ = judged(given, {"x": told(given, {"a": steady, "b": split})}, ConsistencySettings(by=("paper",)))
    (shown,) = [table for table in result.tables if table.title.startswith("Detailed analysis")]
    assert not shown.folded
    cells = {row[0].strip(): row[1:] for row in shown.rows if row[0].strip().endswith((")", "considered"))}
    assert cells["Batches considered"] == [2, 0]
    assert cells["Completely corr. batches (Q1)"] == [1, "NA"]
    assert cells["Median (Min - Max)"][1] == "NA"  # the last one: there is no original that was parsed wrong
    means = [row[1] for row in shown.rows if row[0] == "  Mean (SD)"]
    assert means[1] == "2 (0)"  # clusters of the only batch with several parses
    folded = judged(given, {"x": told(given, {"a": steady, "b": split})}, ConsistencySettings())[0]
    assert all(table.folded for table in folded.tables if "Laid out as" in table.note)


def test_the_papers_layout_considers_the_same_originals_in_both_tables(result: Result) -> None:
    """Table 1 of the paper: 223 English originals considered are the 53 + 170 batches of Table 2, and 223 x 50."""
    counts, questions = (table for table in result.tables if "Laid out as" in table.note)
    cells = {row[0]: row[1] for row in counts.rows}
    assert (cells["Original in total"], cells["Original considered"]) == (7, 6)
    assert (cells["Augmented in total"], cells["Augmented considered"]) == (6 * 5, 29)  # one of crash is cut
    assert next(row[1:] for row in questions.rows if row[0] == "Batches considered") == [3, 3]


CUT = ("[cut]", "[wrong segmentation]")
_KINDS_OF_TREES = st.sampled_from(["gold", "label", "head", "upos", "[crashed]", *CUT])


def paper_counts(kinds: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The cells by their labels, counted as the authors' script skips sentences: what was cut is not there."""
    batches = [variants for original, *variants in kinds if original not in CUT]
    tried = [kind for variants in batches for kind in variants]
    cells: dict[str, Any] = {
        "Original in total": len(kinds), "Original considered": len(batches), "Augmented in total": len(tried),
        "Augmented considered": sum(kind not in CUT for kind in tried),
    }  # fmt: skip
    for sign in "+-":
        sides = [
            [kind for kind in variants if kind not in CUT]
            for original, *variants in kinds
            if original not in CUT and (original == "gold") == (sign == "+")
        ]
        there = [kept for kept in sides if kept]
        cells[f"Batches considered {sign}"] = len(there)
        complete = [kept for kept in there if set(kept) == {"gold"}]
        alike = [kept for kept in there if len(set(kept)) == 1 and kept[0] not in ("gold", "[crashed]")]
        clusters = [len(set(kept)) for kept in there if len(set(kept)) > 1]
        cells[f"Completely corr. batches (Q1) {sign}"] = len(complete) if there else "NA"
        faulty = len(complete) < len(there)
        cells[f"Batches with consistent errors (Q3) {sign}"] = len(alike) if faulty else "NA"
        cells[f"right (Q2) {sign}"] = statistics.fmean(kept.count("gold") for kept in there) if there else None
        cells[f"clusters (Q4) {sign}"] = statistics.fmean(clusters) if clusters else None
    return cells


@hypothesis.settings(max_examples=40, deadline=None)
@hypothesis.given(st.lists(st.lists(_KINDS_OF_TREES, min_size=4, max_size=4), min_size=1, max_size=5))
def test_the_papers_layout_leaves_out_what_was_cut(kinds: list[list[str]]) -> None:
    names = [f"s{number}" for number in range(len(kinds))]
    given = asked(names, VALUES[:3])
    answers = told(given, dict(zip(names, kinds, strict=True)))
    result, _ = judged(given, {"x": answers}, ConsistencySettings(by=("paper",)))
    counts, questions = (table for table in result.tables if "Laid out as" in table.note)
    cells = {str(row[0]): row[1] for row in counts.rows}
    cells |= {f"{row[0]} {sign}": row[place] for row in questions.rows for place, sign in ((1, "+"), (2, "-"))}
    expected = paper_counts(kinds)
    paper = {"order": "surface", "layout": "paper"}
    for original, sign in (("right", "+"), ("wrong", "-")):
        for measure, name in (("right_per_batch", "right (Q2)"), ("clusters", "clusters (Q4)")):
            wanted = expected.pop(f"{name} {sign}")
            found = value(result, measure, original=original, **paper)
            assert found == (pytest.approx(wanted) if wanted is not None else None)
    assert {label: cells[label] for label in expected} == expected
    assert value(result, "variants", order="surface") == 3 * len(kinds)  # in our own layout all of them are there


# ---- plain text without gold: the first system says where the years are, and nothing is called right


TEXT = "She came in 1998 .\nIt was built in 1745 and burnt .\nNobody knows .\nThe war of 1866 was short .\n"


class _Flat:
    """Everything hangs on the first word; a year that begins with 2 hangs on the word before it."""

    modes = ("tokens", "sentences", "text")

    def __init__(self, name: str, moves: str) -> None:
        self.name, self.moves, self.signature = name, moves, f"flat:{moves}"

    def parse(self, request: Request) -> str:
        return "".join(self._tree(text.split()) for text in request.texts)

    def _tree(self, words: list[str]) -> str:
        rows = []
        for number, word in enumerate(words, 1):
            head = 0 if number == 1 else number - 1 if word.isdigit() and word[0] == self.moves else 1
            upos = "NUM" if word.isdigit() else "X"
            rows.append(f"{number}\t{word}\t{word}\t{upos}\t_\t_\t{head}\t{'root' if not head else 'dep'}\t_\t_")
        return "\n".join([*rows, "", ""])


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "en_three.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_system_is_compared_with_itself(sentences: Path) -> None:
    settings = ConsistencySettings(change=("years",), input="text", by=("questions",))
    systems = {"twenties": _Flat("twenties", "2"), "never": _Flat("never", "0")}
    result = engine.run(CONSISTENCY, sentences, systems, settings)
    of = {(one.system, one.measure): one for one in result.findings if set(one.by) == {"perturbation", "order"}}
    assert of["twenties", "originals"].value == of["never", "originals"].value == 3
    assert of["never", "changed"].value == 0
    variants = [one for one in result.findings if one.measure == "differs_from_original" and one.system == "twenties"]
    later = {str(one.by["replacement"]) for one in variants if one.value and "replacement" in one.by}
    assert later
    assert all(year.startswith("20") for year in later)  # the same years for all
    assert of["twenties", "consistent"].value == 0
    assert of["never", "consistent"].value == 100
    assert not [one for one in result.findings if "right" in one.measure or "complete" in one.measure]
    assert not [table for table in result.tables for row in table.rows if "right" in str(row[0])]
    assert "analysis:first system" in result.signature
    kept = CONSISTENCY.kept(result.judged, settings)
    assert b"\tNUM\t" not in kept.trees["gold"]  # words alone: the analysis is no gold
    assert b"\tNUM\t" in kept.trees["never"]
    assert kept.observations is not None
    assert set(kept.observations.columns["outcome"]) == {"same as original", "other"}
    questions = next(table for table in result.tables if table.title.startswith("Questions") and not table.folded)
    assert questions.rows[0][0] == "clusters (Q4)"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({}, "no gold tokens"),
        ({"input": "text", "stages": ("tokens",)}, "no gold tokens and tags"),
        ({"input": "text", "examples": "broken"}, "right or wrong"),
    ],
)
def test_what_needs_gold_is_refused(sentences: Path, given: dict[str, object], what: str) -> None:
    settings = ConsistencySettings(change=("years",), **given)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=what):
        engine.run(CONSISTENCY, sentences, {"x": _Flat("x", "2")}, settings)


# ---- scores over words: originals against variants


def test_word_scores_of_originals_and_variants() -> None:
    """Four words each: a wrong label costs LAS one word, a wrong head both; what failed has all words wrong."""
    kinds = {"a": ["gold", "gold", "label", "head", "[crashed]"], "b": ["label", *["label"] * 3, "[cut]"]}
    given = asked(list(kinds), VALUES[:4])
    result, _ = judged(given, {"x": told(given, kinds)}, ConsistencySettings(by=("perturbation",)))
    wanted = {  # in b, the word that was cut off is a root of its own: its head and its label are wrong
        "uas": (100 * 8 / 8, 100 * (4 + 4 + 3 + 0 + 4 * 3 + 3) / 32),
        "las": (100 * 7 / 8, 100 * (4 + 3 + 3 + 0 + 3 * 3 + 3) / 32),
    }
    for measure, (originals, variants) in wanted.items():
        assert value(result, measure, sentences="originals") == pytest.approx(originals)
        assert value(result, measure, sentences="variants") == pytest.approx(variants)
        assert value(result, f"{measure}_difference") == pytest.approx(variants - originals)
    (shown,) = [table for table in result.tables if table.title.startswith("UAS, LAS and BLEX")]
    assert [row[0] for row in shown.rows] == ["UAS", "LAS", "BLEX"]
    assert not shown.folded


def test_word_scores_weigh_a_repeated_value_and_are_a_family_of_their_own() -> None:
    names = [f"s{number}" for number in range(8)]
    given = asked(names, ["1505", "1505", "1798"])
    kinds = {name: ["gold", "label", "gold"] for name in names}  # the first value is there twice
    result, _ = judged(given, {"x": told(given, kinds), "y": told(given, kinds)}, ConsistencySettings())
    differences = [one.value for one in result.findings if one.measure == "las_difference"]
    assert differences == pytest.approx([100 * (4 + 3 + 3) / 12 - 100] * 2)
    tests = {one.measure: one.n for one in result.findings if one.measure.endswith("_holm")}
    assert tests["las_p_holm"] == 2 * 3  # systems, scores
    assert tests["changed_p_holm"] == 3
