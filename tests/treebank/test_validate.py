"""Checks of CoNLL-U files: cases with known problems, and properties."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.treebank import Treebank
from gardenpath.treebank.validate.check import Problem
from gardenpath.treebank.validate.report import checks, survey, validate_bytes

CASES = Path(__file__).parent / "cases"
LINES = {
    "missing-columns": 4,
    "extra-columns": 4,
    "white-line": 6,
    "extra-blank-line": 7,
    "missing-final-blank-line": 5,
    "comment-inside-sentence": 4,
    "comments-only": 7,
    "no-words": 3,
    "broken-id": 4,
    "id-sequence": 5,
    "range-order": 5,
    "range-place": 6,
    "range-overlap": 7,
    "range-outside": 5,
    "range-columns": 5,
    "empty-node-place": 11,
    "empty-node-columns": 11,
    "head-form": 3,
    "missing-head": 3,
    "head-outside": 5,
    "self-loop": 5,
    "no-root": 3,
    "two-roots": 5,
    "cycle": 5,
    "head-zero-not-root": 4,
    "root-not-head-zero": 5,
    "missing-sent-id": 1,
    "repeated-sent-id": 2,
    "duplicate-sent-id": 7,
    "sent-id-form": 1,
    "missing-text": 1,
    "repeated-text": 3,
    "text-outer-space": 2,
    "text-mismatch": 2,
    "comment-form": 2,
    "space-after-inside-range": 6,
    "space-after-empty-node": 11,
    "space-after-value": 3,
    "empty-field": 4,
    "outer-whitespace": 4,
    "inner-whitespace": 4,
    "repeated-whitespace": 4,
    "unknown-upos": 3,
    "missing-upos": 3,
    "deprel-form": 3,
    "unknown-deprel": 3,
    "missing-deprel": 3,
    "feats-form": 3,
    "feats-colon": 3,
    "feats-unsorted": 4,
    "feats-duplicate": 3,
    "feats-values": 3,
    "misc-colon": 3,
    "misc-form": 3,
    "deps-form": 3,
    "deps-unsorted": 8,
    "deps-duplicate": 8,
    "deps-relation": 8,
    "deps-self-loop": 8,
    "deps-target": 8,
}
PERFECT = (CASES / "perfect.conllu").read_bytes()
BYTES = {
    "empty-file": (b"\n \n", 1),
    "byte-order-mark": (b"\xef\xbb\xbf" + PERFECT, 1),
    "nul": (PERFECT.replace(b"NNS", b"NN\0"), 3),
    "carriage-return": (PERFECT.replace(b"\n", b"\r\n"), 1),
    "not-utf8": (PERFECT.replace(b"\tArzt\tArzt", b"\tArzt\t\xc4rzt"), 14),
    "not-nfc": (PERFECT.replace(b"\tArzt\tArzt", "\tArzt\tA\u0308rzt".encode()), 14),
}


def validate(source: Any, **options: Any) -> list[Problem]:
    return [problem for report in survey(source, **options) for problem in report.problems]


def found(data: bytes) -> list[tuple[str, int]]:
    return [(problem.id, problem.line) for problem in validate_bytes(data)]


def test_a_perfect_file_has_no_problem() -> None:
    assert list(validate(CASES / "perfect.conllu")) == []
    assert len(Treebank(PERFECT)) == 2


@pytest.mark.parametrize("id", LINES)
def test_case(id: str) -> None:
    (problem,) = validate(CASES / f"{id}.conllu")
    assert (problem.id, problem.line) == (id, LINES[id])
    assert problem.message
    assert problem.todo
    assert str(problem).startswith(f"{CASES / id}.conllu:{LINES[id]}: {problem.level} {id}")


@pytest.mark.parametrize("id", BYTES)
def test_case_of_bytes(id: str) -> None:
    data, line = BYTES[id]
    assert found(data) == [(id, line)]


def test_every_check_has_a_case() -> None:
    assert {check.id for check in checks()} == LINES.keys() | BYTES.keys()
    assert {path.stem for path in CASES.glob("*.conllu")} == LINES.keys() | {"perfect"}


# ---- what udtools says (its validator, levels 1 and 2, on the same bytes)

SAME = {
    "missing-columns": "number-of-columns",
    "extra-columns": "number-of-columns",
    "white-line": "pseudo-empty-line",
    "extra-blank-line": "empty-sentence",
    "missing-final-blank-line": "missing-empty-line",
    "comment-inside-sentence": "misplaced-comment",
    "comments-only": "empty-sentence",
    "broken-id": "invalid-word-id",
    "id-sequence": "word-id-sequence",
    "range-place": "misplaced-word-interval",
    "range-overlap": "overlapping-word-intervals",
    "range-outside": "word-interval-out",
    "range-columns": "mwt-nonempty-field",
    "empty-node-place": "misplaced-empty-node",
    "empty-node-columns": "empty-node-nonempty-field",
    "head-form": "invalid-head",
    "missing-head": "invalid-head",
    "head-outside": "unknown-head",
    "self-loop": "head-self-loop",
    "no-root": "non-tree",
    "two-roots": "multiple-roots",
    "cycle": "non-tree",
    "missing-sent-id": "missing-sent-id",
    "repeated-sent-id": "multiple-sent-id",
    "duplicate-sent-id": "non-unique-sent-id",
    "sent-id-form": "invalid-sent-id",
    "missing-text": "missing-text",
    "repeated-text": "multiple-text",
    "text-outer-space": "text-trailing-whitespace",
    "text-mismatch": "text-form-mismatch",
    "space-after-inside-range": "spaceafter-mwt-node",
    "space-after-empty-node": "spaceafter-empty-node",
    "space-after-value": "spaceafter-value",
    "empty-field": "empty-column",
    "outer-whitespace": "trailing-whitespace",
    "inner-whitespace": "invalid-whitespace",
    "repeated-whitespace": "repeated-whitespace",
    "unknown-upos": "unknown-upos",
    "missing-upos": "unknown-upos",
    "deprel-form": "invalid-deprel",
    "unknown-deprel": "unknown-udeprel",
    "missing-deprel": "invalid-deprel",
    "feats-form": "invalid-feature",
    "feats-colon": "invalid-feature",
    "feats-unsorted": "unsorted-features",
    "feats-duplicate": "repeated-feature",
    "feats-values": "unsorted-feature-values",
    "misc-form": "empty-misc",
    "deps-form": "invalid-deps",
    "deps-unsorted": "unsorted-deps",
    "deps-duplicate": "repeated-deps",
    "deps-relation": "unknown-eudeprel",
    "deps-self-loop": "deps-self-loop",
    "deps-target": "unknown-ehead",
}
"""The checks that mean the same; the others are of higher levels there (root labels) or are not checked."""


def udtools_ids(path: Path) -> set[str]:
    from udtools.validator import Validator

    with contextlib.redirect_stderr(io.StringIO()):
        state = Validator(lang="ud", level=2, output=None).validate_files([str(path)])
    return {incident.testid for incident in state.error_tracker}


@pytest.mark.parametrize("id", SAME)
def test_udtools_agrees(id: str) -> None:
    assert SAME[id] in udtools_ids(CASES / f"{id}.conllu")


def test_udtools_finds_a_perfect_file_perfect() -> None:
    assert udtools_ids(CASES / "perfect.conllu") == set()


# ---- the frame


def test_a_broken_row_is_one_problem_and_says_what_is_skipped() -> None:
    rows = PERFECT.replace(b"2\tsleep\tsleep\tVERB", b"2\tsleep\tsleep VERB").replace(
        b"\t2\tnsubj\t_\t_", b"\t9\tnsubj\t_\t_"
    )
    (problem,) = validate_bytes(rows)
    assert problem.id == "missing-columns"
    assert "the tree and the text of this sentence cannot be checked" in problem.message
    twice = rows.replace(b"3\t.\t.\tPUNCT\t.\t_\t2", b"3\t.\t.\tPUNCT\t.")
    assert sum("cannot be checked" in problem.message for problem in validate_bytes(twice)) == 1


def test_text_mismatch_shows_the_place() -> None:
    (problem,) = validate(CASES / "text-mismatch.conllu")
    assert "character 9" in problem.message
    assert "'Cats slept.'" in problem.message


def test_white_space_between_tokens_may_be_any() -> None:
    assert found(PERFECT.replace(b"Er geht zum", "Er\u00a0geht  zum".encode())) == []


def test_a_range_that_cannot_be_trusted_skips_the_text_only() -> None:
    data = (CASES / "range-order.conllu").read_bytes().replace(b"\t2\tpunct\t2:punct", b"\t12\tpunct\t2:punct")
    assert found(data) == [("range-order", 5), ("head-outside", 13)]


def test_partial_gold_is_one_problem_a_sentence() -> None:
    data = b"# sent_id = a\n# text = x y\n" + b"".join(
        b"%d\t%s\t_\tX\t_\t_\t_\t_\t_\t_\n" % p for p in [(1, b"x"), (2, b"y")]
    )
    (problem,) = validate_bytes(data + b"\n")
    assert problem.id == "missing-head"
    assert problem.message.startswith("2 of 2 words")


def test_only_and_ignore() -> None:
    path = CASES / "missing-text.conllu"
    assert list(validate(path, ignore=["missing-text"])) == []
    assert list(validate(path, only=["cycle"])) == []
    with pytest.raises(UsageError, match="did you mean missing-text"):
        list(validate(path, only=["missing-txt"]))


def test_limit_keeps_some_and_counts_all(tmp_path: Path) -> None:
    path = tmp_path / "many.conllu"
    path.write_bytes(b"".join((CASES / "missing-sent-id.conllu").read_bytes() for _ in range(7)))
    (report,) = survey(path, limit=2)
    assert [problem.line for problem in report.problems] == [1, 6]
    assert report.counts == {"missing-sent-id": 7}
    assert (report.errors, report.warnings) == (7, 0)
    assert len(list(validate(path, limit=3))) == 3


def test_sources_are_those_of_read(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "a.conllu.gz").write_bytes(gzip.compress((CASES / "cycle.conllu").read_bytes()))
    (tmp_path / "b.conllu").write_bytes((CASES / "two-roots.conllu").read_bytes())
    assert [problem.id for problem in validate(tmp_path)] == ["cycle", "two-roots"]
    assert [problem.id for problem in validate([tmp_path / "b.conllu", str(tmp_path / "a*")])] == ["two-roots", "cycle"]
    with pytest.raises(InputError, match="no such file"):
        list(validate(tmp_path / "c.conllu"))


def test_sentences_run_over_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same problems, however small the pieces are that the file is read in."""
    files = [path.read_bytes() for path in sorted(CASES.glob("*.conllu"))]
    whole = [sorted(validate_bytes(data), key=str) for data in files]
    monkeypatch.setattr("gardenpath.treebank.validate.piece._BYTES", 1)
    assert [sorted(validate_bytes(data), key=str) for data in files] == whole


def test_a_long_sentence_is_checked_in_one_go() -> None:
    size = 20_000
    rows = [f"{i}\tw\tw\tX\t_\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_" for i in range(1, size + 1)]
    text = "# sent_id = long\n# text = " + " ".join(["w"] * size) + "\n"
    assert found((text + "\n".join(rows) + "\n\n").encode()) == []
    rows[0] = rows[0].replace("\t0\troot", f"\t{size}\tdep")
    assert found((text + "\n".join(rows) + "\n\n").encode()) == [("no-root", 3)]


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-train", "bundled:en-test", "bundled:zh-test",
        "ud/UD_German-PUD", "ud/UD_Tamil-TTB", "ud/UD_French-Sequoia", "ud/UD_Lithuanian-HSE", "ud/UD_Manx-Cadhan",
        "ud/UD_Marathi-UFAL", "ud/UD_Chinese-PUD", "ud/UD_Italian-TWITTIRO", "ud/UD_Kazakh-KTB",
        "ud/UD_Galician-TreeGal",
    ],
)  # fmt: skip
def test_released_treebanks_have_no_errors(file_named: Callable[[str], Path], name: str) -> None:
    assert [str(problem) for problem in validate(file_named(name)) if problem.level == "error"] == []


def test_suites_in_the_manner_of_conll_x(shared: Path) -> None:
    (report,) = survey(shared / "roles" / "ppats" / "pp-test-suite-all-heads.conll", limit=1)
    assert report.counts["feats-colon"] > 100
    expected = {"missing-sent-id", "missing-text", "missing-upos", "extra-blank-line", "missing-final-blank-line"}
    assert report.counts.keys() <= {"feats-colon", "carriage-return", *expected}


CASE_FILES = sorted((Path(__file__).parent / "cases").glob("*.conllu"))
SEEDS = [path.read_bytes() for path in CASE_FILES]
SNIPPETS = [
    b"\t", b"\n", b"\n\n", b"\r", b"\0", b" ", b"#", b"_", b"-", b".", b"|", b"=", b":", b"0", b"1", b"2", b"9", b"-1",
    b"1-2", b"2.1", b"0.1", b"99999999", b"root", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xc2\xa0",
    b"\xcc\x88", b"# sent_id = s1\n", b"# text =", b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n",
]  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A case with some bytes, fields or lines taken out, put in, doubled or swapped."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["delete", "insert", "replace", "line", "double", "swap", "field"]))
        at = draw(st.integers(0, len(data)))
        if kind in ("delete", "insert", "replace"):
            gone = 0 if kind == "insert" else draw(st.integers(1, 6))
            new = b"" if kind == "delete" else draw(st.sampled_from(SNIPPETS) | st.binary(max_size=3))
            data = data[:at] + new + data[at + gone :]
            continue
        lines = data.split(b"\n")
        here = draw(st.integers(0, len(lines) - 1))
        if kind == "line":
            del lines[here]
        elif kind == "double":
            lines.insert(here, lines[here])
        elif kind == "swap":
            there = draw(st.integers(0, len(lines) - 1))
            lines[here], lines[there] = lines[there], lines[here]
        else:
            fields = lines[here].split(b"\t")
            fields[draw(st.integers(0, len(fields) - 1))] = draw(st.sampled_from(SNIPPETS))
            lines[here] = b"\t".join(fields)
        data = b"\n".join(lines)
    return data


def assert_reader_and_validator_agree(data: bytes) -> None:
    """Validate answers, and has an error for all that the reader refuses."""
    problems = list(validate_bytes(data, "x.conllu"))
    last = data.count(b"\n") + 1
    for problem in problems:
        assert 1 <= problem.line <= last
        assert str(problem).isprintable()
    try:
        treebank = Treebank(data)
    except GardenpathError:
        assert any(problem.level == "error" for problem in problems)
        return
    for sentence in treebank:
        assert sentence.text is not None
        assert len(sentence.words) == len(sentence)
    assert treebank.to_bytes() == data


@settings(max_examples=400, deadline=None)
@given(mutations())
def test_mutations(data: bytes) -> None:
    assert_reader_and_validator_agree(data)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes(data: bytes) -> None:
    assert_reader_and_validator_agree(data)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=60))
def test_random_snippets(pieces: list[bytes]) -> None:
    assert_reader_and_validator_agree(b"".join(pieces))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-1, 7), min_size=1, max_size=6))
def test_trees_as_the_tree_module_sees_them(heads: list[int]) -> None:
    """No tree problem if and only if tree_mask says it is a tree."""
    import numpy as np

    from gardenpath.treebank import tree_mask

    size = len(heads)
    rows = [
        f"{i}\tw\tw\tX\t_\t_\t{'_' if h < 0 else h}\t{'root' if h == 0 else '_' if h < 0 else 'dep'}\t_\t_"
        for i, h in enumerate(heads, 1)
    ]
    text = "# sent_id = s\n# text = " + " ".join("w" * size) + "\n" + "\n".join(rows) + "\n\n"
    inside = all(head <= size for head in heads)
    is_tree = inside and bool(tree_mask(np.array(heads), np.array([0, size]))[0])
    assert (not list(validate_bytes(text.encode()))) == is_tree
