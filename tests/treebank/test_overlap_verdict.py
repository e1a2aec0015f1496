"""What `treebank overlap` says in a sentence: shares that are counts, and documents only where some are in both."""

from __future__ import annotations

import pytest

from gardenpath.runs.result import Finding
from gardenpath.runs.verdict import MEASURED
from gardenpath.treebank import Treebank
from gardenpath.treebank.overlap import LONG, overlap
from gardenpath.treebank.overlap_report import overlap_result
from verdict_checks import printed_numbers


def treebank(*sentences: str, document: str = "") -> Treebank:
    begin = f"# newdoc id = {document}\n" if document else ""
    return Treebank(
        "".join(
            f"{begin if not number else ''}# sent_id = s{number}\n"
            + "".join(f"{n}\t{word}\t_\t_\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, word in enumerate(text.split(), 1))
            + "\n"
            for number, text in enumerate(sentences)
        ).encode()
    )


TRAIN = treebank("a b c d e f", "g h i j k l m n o p", document="x")


@pytest.mark.parametrize(
    ("test", "text"),
    [
        (treebank("q r s", "t u v", document="y"), "No sentence of test (2 sentences) is in train, and none nearly."),
        (
            treebank("a b c d e f", "g h i j k l m n o q", "r s", "t u", document="y"),
            f"50.0 % of test is in train: 1 sentence word for word, 1 nearly; 2 of them with {LONG} words or more.",
        ),
        (
            treebank("q r s", "t u v", document="x"),
            "No sentence of test (2 sentences) is in train, and none nearly. "
            "In train by their id: 1 of 1 document of test, with 2 sentences.",
        ),
    ],
    ids=["none", "some", "a document alone"],
)
def test_it_says_what_was_counted_and_no_more(test: Treebank, text: str) -> None:
    result = overlap_result(overlap(TRAIN, test, 0.5), 0.5)
    (verdict,) = result.verdicts
    assert (verdict.text, verdict.sure) == (text, MEASURED)
    assert all(finding in result.findings for finding in verdict.rests_on)
    known = {number for finding in verdict.rests_on for number in numbers(finding)}
    assert {number for number, _ in printed_numbers(text)} <= known | {LONG}  # how long is long is the measure's name


def numbers(finding: Finding) -> set[float]:
    return {float(number) for number in (finding.value, finding.n) if isinstance(number, int | float)}
