"""Duplicates, near duplicates and the overlap of train and test."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.data import bundled
from gardenpath.errors import InputError, UsageError
from gardenpath.runs.result.result import Finding
from gardenpath.runs.result.verdict import MEASURED
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.split.deal import Split, documents, strata
from gardenpath.treebank.split.displacement import displacement_split
from gardenpath.treebank.split.methods import document_splits, fold_splits, random_split
from gardenpath.treebank.trees.duplicates import LONG, first_alike, near_texts, overlap, overlap_result
from verdict_checks import printed_numbers


def treebank(*sentences: str, comments: dict[int, str] | None = None) -> Treebank:
    """Words with blanks between them; the first word is the root of all."""
    blocks = []
    for number, text in enumerate(sentences):
        rows = "".join(
            f"{n}\t{word}\t_\t_\t_\t_\t{0 if n == 1 else 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n"
            for n, word in enumerate(text.split(), start=1)
        )
        blocks.append(f"{(comments or {}).get(number, '')}# sent_id = s{number}\n{rows}\n")
    return Treebank("".join(blocks).encode())


def likeness(left: str, right: str) -> float:
    """The oracle: shared pairs of neighbouring words over all, with sets."""
    sets = []
    for text in (left, right):
        words = ["", *(w.casefold() for w in text.split() if any(c.isalnum() for c in w)), ""]
        sets.append(set(itertools.pairwise(words)))
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


WORDS = st.lists(st.sampled_from(["a", "B", "c", "d", ".", "e"]), min_size=1, max_size=7).map(" ".join)


@settings(deadline=None, max_examples=60)
@given(st.lists(WORDS, min_size=2, max_size=25), st.sampled_from([0.3, 0.5, 0.7, 0.75, 1.0]))
def test_pairs_are_those_of_a_comparison_of_all_with_all(sentences: list[str], least: float) -> None:
    texts = near_texts(treebank(*sentences), least)
    first = {int(text): number for number, text in reversed(list(enumerate(texts.text_of.tolist())))}
    pairs = {
        (first[left], first[right]): share
        for left, right, share in zip(texts.left.tolist(), texts.right.tolist(), texts.likeness.tolist(), strict=True)
    }
    words = [[w.casefold() for w in text.split() if w != "."] for text in sentences]
    expected = {}
    for i, j in itertools.combinations(sorted(first.values()), 2):
        if words[i] and words[j] and (share := likeness(sentences[i], sentences[j])) >= least - 1e-9:
            expected[i, j] = share
    assert pairs == pytest.approx(expected)
    same = texts.text_of[:, None] == texts.text_of[None]
    for i, j in itertools.combinations(range(len(sentences)), 2):
        plain = words[i] == words[j] if words[i] or words[j] else sentences[i] == sentences[j]
        assert same[i, j] == plain


def test_groups_are_linked_through_others() -> None:
    given_treebank = treebank("a b c d", "x y", "a b c d e", "b c d e", "A B c d !")
    assert first_alike(given_treebank, 0.5).tolist() == [0, 1, 0, 0, 0]
    assert first_alike(given_treebank, 1).tolist() == [0, 1, 2, 3, 0]
    assert first_alike(given_treebank, None).tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(UsageError, match=r"cannot be alike to 1\.5"):
        near_texts(given_treebank, 1.5)


def varied(seed: int, count: int) -> list[str]:
    """Ten words each; every fifth sentence is the one before it with another last word."""
    rng = np.random.default_rng(seed)
    texts: list[str] = []
    for number in range(count):
        words = [f"w{word}" for word in rng.integers(5000, size=10)]
        texts.append(" ".join([*texts[-1].split()[:-1], "other"] if number % 5 == 4 else words))
    return texts


def in_two_parts(given_treebank: Treebank, split: Split) -> int:
    """Sentences of test that have a near partner in train, by a comparison of all with all."""
    texts = [" ".join(word.form for word in sentence.words) for sentence in given_treebank]
    return sum(
        any(likeness(texts[test], texts[train]) >= 0.6 for train in split.parts["train"].tolist())
        for test in split.parts["test"].tolist()
    )


def test_what_is_nearly_the_same_is_never_in_train_and_test() -> None:
    given_treebank = treebank(*varied(1, 60))
    assert any(in_two_parts(given_treebank, random_split(given_treebank, seed=seed, near=None)) for seed in range(3))
    splits = [random_split(given_treebank, seed=seed) for seed in range(3)]
    splits += [displacement_split(given_treebank, "max"), *fold_splits(given_treebank, 4, dev=0.1)]
    assert [in_two_parts(given_treebank, split) for split in splits] == [0] * len(splits)
    once = random_split(given_treebank, deduplicate=True)
    assert once.repeated == 12
    assert sum(map(len, once.parts.values())) == 48


def test_documents_leave_out_of_test_what_train_has() -> None:
    texts = varied(2, 60)
    borders = {number: f"# newdoc id = d{number // 6}\n" for number in range(0, 60, 6)}
    texts[6], texts[30], texts[55] = texts[0], texts[0], texts[0]
    given_treebank = treebank(*texts, comments=borders)
    owner = documents(given_treebank)
    splits = [random_split(given_treebank, by_document=True, seed=seed, tolerance=0.05) for seed in range(4)]
    splits += document_splits(given_treebank)
    assert [in_two_parts(given_treebank, split) for split in splits] == [0] * len(splits)
    for split in splits:
        owners = [set(owner[numbers].tolist()) for numbers in split.parts.values()]
        assert not set.intersection(*owners)
        assert sum(map(len, split.parts.values())) + split.shared == 60
    assert any(split.shared for split in splits)


# ---- folds, documents, strata


def test_every_sentence_is_in_test_once() -> None:
    given_treebank = read(bundled("de-train"))
    folds = fold_splits(given_treebank, 7, seed=3)
    assert sorted(np.concatenate([split.parts["test"] for split in folds]).tolist()) == list(range(len(given_treebank)))
    assert {len(split.parts["test"]) for split in folds} == {59}
    for split in folds:
        together = np.concatenate(list(split.parts.values()))
        assert sorted(together.tolist()) == list(range(len(given_treebank)))
    with_dev = fold_splits(given_treebank, 7, seed=3, dev=0.1)
    assert [len(split.parts["dev"]) for split in with_dev] == pytest.approx([41] * 7, abs=1)
    assert [a.parts["test"].tolist() for a in with_dev] == [b.parts["test"].tolist() for b in folds]
    reseeded = fold_splits(given_treebank, 7, seed=4)
    assert any(not np.array_equal(a.parts["test"], b.parts["test"]) for a, b in zip(folds, reseeded, strict=True))


def test_folds_of_documents_and_one_document_at_a_time() -> None:
    given_treebank = read(bundled("de-train"))
    owner = documents(given_treebank)
    folds = fold_splits(given_treebank, 3, by_document=True, tolerance=0.05)
    tested = [set(owner[split.parts["test"]].tolist()) for split in folds]
    assert sum(map(len, tested)) == len(set.union(*tested)) == owner[-1] + 1
    singly = document_splits(given_treebank, dev=0.1, tolerance=0.05)
    assert [set(owner[split.parts["test"]].tolist()) for split in singly] == [{n} for n in range(owner[-1] + 1)]
    assert all(not set(owner[s.parts["dev"]].tolist()) & set(owner[s.parts["train"]].tolist()) for s in singly)


@pytest.mark.parametrize("folds", [0, 1])
def test_one_fold_is_none(folds: int) -> None:
    with pytest.raises(UsageError, match="not a cross-validation"):
        fold_splits(treebank("a", "b"), folds)


def test_more_folds_than_sentences_and_too_large_a_dev() -> None:
    with pytest.raises(InputError, match="2 sentences cannot make 3 parts"):
        fold_splits(treebank("a", "b"), 3)
    with pytest.raises(UsageError, match=r"a share of 0\.6"):
        fold_splits(treebank(*"abcdef"), 2, dev=0.6)


def genres(count: int, border: int) -> Treebank:
    """Documents of `border` sentences: two of news, one of blogs, one of law, and so on; their heads say it."""
    names = ["news", "news", "blog", "law"]
    comments = {
        number: f"# newdoc id = {(name := names[number // border % 4])}-{number}\n# genre = {name}\n"
        for number in range(0, count, border)
    }
    return treebank(*(f"w{number} x{number}" for number in range(count)), comments=comments)


@pytest.mark.parametrize("key", ["genre", "id"])
def test_strata_have_their_share_in_every_part(key: str) -> None:
    given_treebank = genres(400, 5)
    stratum_of, names = strata(given_treebank, key)
    assert names == ["blog", "law", "news"]
    for seed in range(3):
        parts = random_split(given_treebank, seed=seed, stratify=key).parts
        counts = {part: np.bincount(stratum_of[numbers]).tolist() for part, numbers in parts.items()}
        assert counts["test"] == pytest.approx([10, 10, 20], abs=1)
        assert counts["train"] == pytest.approx([80, 80, 160], abs=2)
        whole = random_split(given_treebank, seed=seed, stratify=key, by_document=True).parts
        assert np.bincount(stratum_of[whole["test"]]).tolist() == [10, 10, 20]
    by_fold = [
        np.bincount(stratum_of[split.parts["test"]]).tolist() for split in fold_splits(given_treebank, 8, stratify=key)
    ]
    assert np.abs(np.array(by_fold) - [12.5, 12.5, 25]).max() < 2


def test_a_comment_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"(?s)unknown comment 'gerne'.*did you mean genre"):
        random_split(genres(40, 5), stratify="gerne")


# ---- overlap


def test_overlap_of_train_and_test() -> None:
    train = treebank("a b c d e f", "Thanks .", "g h i j k l m n o p", comments={0: "# newdoc id = x\n"})
    test = treebank(
        "a b c d e f", "thanks !", "g h i j k l m n o q", "r s t", "a b x d e f",
        comments={0: "# newdoc id = y\n", 3: "# newdoc id = x\n"},
    )  # fmt: skip
    both = overlap(train, test)
    assert both.partner.tolist() == [0, 1, 2, -1, -1]
    assert both.exact.tolist() == [True, False, False, False, False]
    assert both.likeness.tolist() == pytest.approx([1, 1, likeness("g h i j k l m n o p", "g h i j k l m n o q"), 0, 0])
    assert (both.documents, both.same_documents, both.in_same_documents) == (2, ("x",), 2)
    assert (both.mostly_seen, both.same_ids) == (1, 3)
    assert overlap(train, test, None).partner.tolist() == [0, -1, -1, -1, -1]


@settings(deadline=None, max_examples=30)
@given(st.lists(WORDS, min_size=1, max_size=12), st.lists(WORDS, min_size=1, max_size=12))
def test_overlap_against_a_comparison_of_all_with_all(train: list[str], test: list[str]) -> None:
    both = overlap(treebank(*train), treebank(*test), 0.5)
    for number, text in enumerate(test):
        assert both.exact[number] == (text in train)
        has_words = any(word != "." for word in text.split())
        shares = (
            [likeness(text, seen) for seen in train if any(word != "." for word in seen.split())] if has_words else []
        )
        best = 1.0 if text in train else max(shares, default=0.0)
        assert both.likeness[number] == pytest.approx(best if best >= 0.5 else 0)


def document_bank(*sentences: str, document: str = "") -> Treebank:
    begin = f"# newdoc id = {document}\n" if document else ""
    return Treebank(
        "".join(
            f"{begin if not number else ''}# sent_id = s{number}\n"
            + "".join(f"{n}\t{word}\t_\t_\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, word in enumerate(text.split(), 1))
            + "\n"
            for number, text in enumerate(sentences)
        ).encode()
    )


TRAIN = document_bank("a b c d e f", "g h i j k l m n o p", document="x")


@pytest.mark.parametrize(
    ("test", "text"),
    [
        (
            document_bank("q r s", "t u v", document="y"),
            "No sentence of test (2 sentences) is in train, and none nearly.",
        ),
        (
            document_bank("a b c d e f", "g h i j k l m n o q", "r s", "t u", document="y"),
            f"50.0 % of test is in train: 1 sentence word for word, 1 nearly; 2 of them with {LONG} words or more.",
        ),
        (
            document_bank("q r s", "t u v", document="x"),
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
