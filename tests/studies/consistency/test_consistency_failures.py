"""Parsers that crash, hang, return nothing, two sentences or broken trees for some input: counted, and no more."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from batch_cases import GOLD, VALUES, asked, judged, treebank, years
from batch_cases import told as told_by

from gardenpath.errors import SystemFailure
from gardenpath.runs.work.where import Where
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.judging import VariantAnswers, answers
from gardenpath.studies.consistency.study import observations
from gardenpath.studies.consistency.variants import AskedVariants, ask
from gardenpath.treebank import Treebank

CHAIN = """
import os, re, sys, time
for block in sys.stdin.read().strip().split("\\n\\n"):
    rows = [line.split("\\t") for line in block.split("\\n") if line[0] != "#"]
    forms = [row[1] for row in rows]
    def show(rows, heads):
        for number, (row, head) in enumerate(zip(rows, heads), 1):
            print(number, row[1], row[1], "X", "_", "_", head, "root" if head == 0 else "dep", "_", "_", sep="\\t")
        print()
    chain = list(range(len(rows)))
    if "1505" in forms: CRASH
    elif "1798" in forms: HANG
    elif "1872" in forms: continue
    elif "1964" in forms: show(rows[:2], [0, 1]); show(rows[2:], [0, 1])
    elif "2024" in forms: show(rows, [2, 1, 2, 0])
    else: show(rows, chain)
"""


def program(folder: Path, *, crash: str = "os._exit(3)", hang: str = "time.sleep(600)") -> str:
    path = folder / "parser.py"
    path.write_text(CHAIN.replace("CRASH", crash).replace("HANG", hang), encoding="utf-8")
    return "command:" + shlex.join([sys.executable, "-S", str(path)])


@pytest.fixture(scope="module")
def given() -> AskedVariants:
    """Two sentences; of the six values five make trouble."""
    return ask(treebank(["a", "b"]), [years(["1505", "1798", "1872", "1964", "2024", "1200"])])


@pytest.fixture(scope="module")
def told(given: AskedVariants, tmp_path_factory: pytest.TempPathFactory) -> VariantAnswers:
    return answers(program(tmp_path_factory.mktemp("bad")), given.treebank, where=Where(time_limit=2))


def test_every_sentence_gets_its_own_verdict(given: AskedVariants, told: VariantAnswers) -> None:
    for case in given.cases:
        assert not told.answers[case.original].problem
        problems = {value: told.answers[place].problem for value, place in zip(case.values, case.variants, strict=True)}
        assert problems == {
            "1505": "crashed",
            "1798": "no-answer",
            "1872": "unparsed",
            "1964": "wrong segmentation",
            "2024": "cycle",
            "1200": "",
        }


def test_nothing_is_counted_twice(given: AskedVariants, told: VariantAnswers) -> None:
    kinds = ("crashed", "no-answer", "unparsed", "wrong segmentation", "cycle")
    assert told.failures() == dict.fromkeys(kinds, 2)
    result, batches = judged(given, {"bad": told}, ConsistencySettings())
    counted = {
        finding.measure: finding.value for finding in result.findings if set(finding.by) == {"perturbation", "order"}
    }
    assert (counted["variants"], counted["variants_failed"], counted["variants_no_tree"]) == (12, 6, 2)
    assert counted["variants_wrong_segmentation"] == 2
    assert counted["consistent"] == 0
    assert counted["changed"] == pytest.approx(100 * 10 / 12)  # all but 1200
    assert (counted["changed_least"], counted["consistent_most"]) == (0, 100)  # one tree is left in each batch
    assert result.failures == {f"bad: {kind}": 2 for kind in kinds}
    for batch in batches.batches["bad", "years", "surface"]:
        assert batch.case.size == 6 == len(batch.outcomes)
        assert list(batch.outcomes).count("failed") == 3


def test_a_parser_that_fails_on_everything_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "parser.py"
    path.write_text("import sys; sys.exit('no model found')", encoding="utf-8")
    many = ask(treebank([f"s{n}" for n in range(3)]), [years()])
    with pytest.raises(SystemFailure, match="no model found"):
        answers("command:" + shlex.join([sys.executable, "-S", str(path)]), many.treebank)


TEXT = """
import sys
for line in sys.stdin.read().split("\\n\\n"):
    words = line.split()
    if not words: continue
    parts = [words]
    if "1798" in words: parts = [words[:2], words[2:]]
    if "1872" in words: parts = [words[:-1]]
    for part in parts:
        for number, form in enumerate(part):
            print(number + 1, form, *"____", number, "dep" if number else "root", "_", "_", sep="\\t")
        print()
"""


def test_raw_text_is_cut_by_the_parser(tmp_path: Path) -> None:
    """Each sentence is a paragraph; one that is cut, and one that loses a word, do not touch the others."""
    path = tmp_path / "text.py"
    path.write_text(TEXT, encoding="utf-8")
    given = ask(treebank(["a", "b"]), [years()])
    name = "command:text " + shlex.join([sys.executable, "-S", str(path)])
    told = answers(name, given.treebank, mode="text")
    for case in given.cases:
        assert not told.answers[case.original].problem
        problems = [told.answers[place].problem for place in case.variants]
        assert problems == ["", "wrong segmentation", "other-tokens", "", ""]
        for place in (case.variants[0], case.variants[3]):
            assert Treebank(told.answers[place].conllu)[0].text == given.treebank[place].text
    assert told.failures() == {"wrong segmentation": 2, "other-tokens": 2}


JOINED = TEXT.replace('split("\\n\\n")', 'replace("\\n\\n", " ").split("@")')


def test_a_parser_that_joins_paragraphs(tmp_path: Path) -> None:
    path = tmp_path / "joined.py"
    path.write_text(JOINED.replace('"1798" in words', "False").replace('"1872" in words', "False"), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != TEXT
    given = Treebank((GOLD.format(name="a", year=1111) + GOLD.format(name="b", year=2222)).encode())
    told = answers("command:text " + shlex.join([sys.executable, "-S", str(path)]), given, mode="text")
    assert [one.problem for one in told.answers] == ["wrong segmentation"] * 2


def test_a_sentence_that_nobody_asked_for_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "more.py"
    extra = "1\\tnoch\\t_\\tX\\t_\\t_\\t0\\troot\\t_\\t_\\n"
    path.write_text(CHAIN.replace("CRASH", "show(rows, chain)").replace("HANG", "show(rows, chain)")
                    + f"print({extra!r})\n".replace("\\\\", "\\"), encoding="utf-8")  # fmt: skip
    given = treebank(["a", "b"])
    told = answers("command:" + shlex.join([sys.executable, "-S", str(path)]), given)
    assert [one.problem for one in told.answers] == ["", ""]
    assert told.failures() == {"surplus": 1}


LOSSY = """
import sys
for block in sys.stdin.read().strip().split("\\n\\n"):
    rows = [line.split("\\t") for line in block.split("\\n") if line[0] != "#"]
    if any(row[1] in ("1505", "1798", "1872") for row in rows): continue
    for number, row in enumerate(rows):
        print(number + 1, row[1], *"____", number, "dep" if number else "root", "_", "_", sep="\\t")
    print()
"""


def test_sentences_that_fail_together_have_each_their_own_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked again, a group of lost sentences may fail as a whole: then each is asked alone."""
    from gardenpath.errors import EmptyAnswer, FailedOnInput
    from gardenpath.studies.consistency import judging as answered

    real, calls = answered.parse_with, list[list[str]]()

    def parse(system: object, some: Treebank, **more: object) -> object:
        """All at once: three are lost. These three together: a crash. Alone: each in its way."""
        years = [sentence.words[2].form for sentence in some]
        calls.append(years)
        if years == ["1505", "1798", "1872"] or years == ["1505"]:
            raise FailedOnInput("it died")
        if years == ["1798"]:
            raise EmptyAnswer("nothing came")
        return real(system, some, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(answered, "parse_with", parse)
    path = tmp_path / "lossy.py"
    path.write_text(LOSSY, encoding="utf-8")
    given = Treebank("".join(GOLD.format(name=y, year=y) for y in ("1505", "1798", "1872", "2024")).encode())
    returned = answers("command:" + shlex.join([sys.executable, "-S", str(path)]), given)
    assert [answer.problem for answer in returned.answers] == ["crashed", "unparsed", "unparsed", ""]
    assert calls[2:] == [["1505"], ["1798"], ["1872"]]


def test_parses_that_are_no_trees_are_compared_by_their_columns() -> None:
    """Two roots in every variant are one parse; the bounds say what it would be if they had been trees."""
    kinds = {
        "alike": ["two roots", *["two roots"] * 4],
        "apart": ["gold", "gold", "two roots", "cycle", "gold"],
        "cut alike": ["[cut]", *["[cut]"] * 4],
        "cut once": ["gold", "gold", "[cut]", "gold", "gold"],
        "good": ["gold"] * 5,
    }
    given = asked(list(kinds), VALUES[:4])
    result, judgement = judged(given, {"x": told_by(given, kinds)}, ConsistencySettings())
    measured = {
        finding.measure: finding.value for finding in result.findings if set(finding.by) == {"perturbation", "order"}
    }
    assert (measured["originals"], measured["originals_no_tree"], measured["originals_wrong_segmentation"]) == (5, 1, 1)
    assert (measured["variants"], measured["variants_no_tree"], measured["variants_wrong_segmentation"]) == (20, 6, 5)
    assert measured["right"] == pytest.approx(100 * (2 + 3 + 4) / 20)
    assert measured["changed"] == pytest.approx(100 * (0 + 2 + 0 + 1 + 0) / 20)
    assert (measured["changed_least"], measured["changed_most"]) == pytest.approx((0, 100 * (4 + 2 + 4 + 1) / 20))
    assert measured["consistent"] == pytest.approx(100 * 3 / 5)  # alike, cut alike, good
    assert (measured["consistent_least"], measured["consistent_most"]) == (20, 100)
    clusters = {b.case.batch.sentence.sent_id: len(b.clusters) for b in judgement.batches["x", "years", "surface"]}
    assert clusters == {"alike": 1, "apart": 3, "cut alike": 1, "cut once": 2, "good": 1}
    # NCPTK needs trees: of the clusters of `apart` only one is, so there is no pair of them
    pairs = [
        finding for finding in result.findings if finding.measure == "ncptk" and finding.by.get("original") == "all"
    ]
    assert [(finding.value, finding.n) for finding in pairs] == [(None, 0)]
    labels = [row[0] for row in result.tables[0].rows]
    assert "one tree, if all without one were different (%)" in labels
    assert observations(judgement).columns["weight"] == [1] * 20


def test_a_parser_that_returns_garbage_has_the_denominators_of_a_good_one() -> None:
    """A third of all sentences, originals among them, come back broken in some way."""
    names = [f"s{n}" for n in range(12)]
    given = asked(names)
    faults = ("two roots", "cycle", "[crashed]", "[cut]", "[other-tokens]")
    good = {name: ["gold", "gold", "label", "gold", "gold", "head"] for name in names}
    bad = {
        name: [faults[(n + k) % 5] if (n + k) % 3 == 0 else kind for k, kind in enumerate(kinds)]
        for n, (name, kinds) in enumerate(good.items())
    }
    answered = {"good": told_by(given, good), "bad": told_by(given, bad)}
    result, judgement = judged(given, answered, ConsistencySettings(order="both"))
    totals: dict[str, dict[Any, Any]] = {"good": {}, "bad": {}}
    for finding in result.findings:
        whole = set(finding.by) == {"perturbation", "order"} or "replacement" in finding.by
        if whole and finding.measure in (*RATES, "originals", "variants", "variants_distinct"):
            totals[finding.system][finding.measure, repr(sorted(finding.by.items()))] = (
                finding.n if finding.measure in RATES else finding.value
            )
    assert totals["good"] == totals["bad"]
    assert len(totals["bad"]) > 2 * len(RATES)
    broken = sum(outcome in ("no tree", "wrong segmentation", "failed")
                 for batch in judgement.batches["bad", "years", "surface"] for outcome in batch.outcomes)  # fmt: skip
    assert broken == 20  # a third of 60
    rates = {(finding.system, finding.measure): finding.value for finding in result.findings
             if dict(finding.by) == {"perturbation": "years", "order": "surface"}}  # fmt: skip
    for measure in ("changed", "consistent"):
        assert rates["good", f"{measure}_least"] == rates["good", measure] == rates["good", f"{measure}_most"]
        assert rates["bad", f"{measure}_least"] <= rates["bad", measure] <= rates["bad", f"{measure}_most"]


RATES = ("original_right", "right", "changed", "changed_least", "consistent", "consistent_most", "value_right",
         "differs_from_majority", "differs_from_original")  # fmt: skip
