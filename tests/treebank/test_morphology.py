"""Appendix C against a slow computation with dictionaries and sets, written from its equations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from math import log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.treebank import Draft, Treebank, Word, from_drafts, read
from gardenpath.treebank.morphology import Morphology, Variant, lemma_mask, morphological_complexity


def slowly(treebank: Treebank, variant: Variant) -> list[float | None]:
    """H*, TTR, F/L*, F/iL*, HPE* (Equations C.1 to C.11)."""
    words = [word for sentence in treebank for word in sentence]
    forms = Counter(word.form for word in words)
    entropy = -sum(n / len(words) * log2(n / len(words)) for n in forms.values())
    of_lemma = defaultdict(set)
    for word in words:
        if variant == "script" or word["lemma"] != "_" or word.form == "_":
            of_lemma[word["lemma"]].add(word.form)
    inflected = [found for found in of_lemma.values() if len(found) > 1]
    heads: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in treebank:
        for word in sentence:
            if word.head is None:
                continue
            if word.head == 0:
                tag = "ROOT" if variant == "text" else sentence.words[-1].upos
            else:
                tag = sentence.words[word.head - 1].upos
            heads[word.upos, word["feats"]][tag] += 1
    tags = len({word.upos for word in words})
    shares = []
    for found in heads.values():
        total = sum(found.values())
        hpe = -sum(n / total * log2(n / total) for n in found.values())
        choices = len(found) if variant == "text" else tags
        shares.append(hpe / log2(choices) if choices > 1 else 0)
    return [
        entropy / log2(len(forms)) if len(forms) > 1 else 0,
        len(forms) / len(words),
        1 - len(of_lemma) / sum(map(len, of_lemma.values())) if of_lemma else None,
        None if not of_lemma else 1 - len(inflected) / sum(map(len, inflected)) if inflected else 0,
        1 - sum(shares) / len(shares) if shares else None,
    ]


def assert_same_as_slowly(treebank: Treebank) -> None:
    for variant in ("text", "script"):
        expected = slowly(treebank, variant)
        found = morphological_complexity(treebank, variant)
        assert [value is None for value in found] == [value is None for value in expected]
        assert [value for value in found if value is not None] == pytest.approx(
            [value for value in expected if value is not None]
        )
        if None not in expected:
            assert found.complexity == pytest.approx(sum(filter(None, expected)) / 5)


def draft(*words: tuple[str, str, str, int | None]) -> Draft:
    """Words as form, lemma, UPOS, head."""
    return Draft([Word(form, lemma, upos, head=head) for form, lemma, upos, head in words])


DOGS = from_drafts(
    [
        draft(("dogs", "dog", "NOUN", 2), ("bark", "bark", "VERB", 0)),
        draft(("a", "a", "DET", 2), ("dog", "dog", "NOUN", 3), ("barks", "bark", "VERB", 0)),
        draft(("dogs", "dog", "NOUN", 0)),
    ]
)


def test_small_treebank_by_hand() -> None:
    found = morphological_complexity(DOGS)
    assert found.type_token_ratio == pytest.approx(5 / 6)
    assert found.word_entropy == pytest.approx((4 / 6 * log2(6) + 2 / 6 * log2(3)) / log2(5))
    assert found.form_to_lemma == pytest.approx(1 - 3 / 5)  # dog, bark and a have 2 + 2 + 1 forms
    assert found.form_to_inflected_lemma == pytest.approx(1 - 2 / 4)
    # NOUN is headed by VERB twice and by ROOT once; VERB by ROOT, DET by NOUN: no choice, no entropy.
    noun = (2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)) / log2(2)
    assert found.head_pos_entropy == pytest.approx(1 - noun / 3)


def test_script_takes_the_last_word_for_the_head_of_a_root() -> None:
    # NOUN is then headed by VERB, VERB, NOUN; three tags occur in the treebank.
    noun = (2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)) / log2(3)
    assert morphological_complexity(DOGS, "script").head_pos_entropy == pytest.approx(1 - noun / 3)


def test_one_type_has_no_entropy() -> None:
    found = morphological_complexity(from_drafts([draft(("a", "a", "X", 0))]))
    assert found == Morphology(0.0, 1.0, 0.0, 0.0, 1.0)
    assert found.complexity == pytest.approx(2 / 5)


def test_underscore_is_no_lemma_unless_it_is_the_form() -> None:
    treebank = from_drafts([draft(("a", "_", "X", 0), ("b", "_", "X", 1), ("_", "_", "X", 1))])
    assert lemma_mask(treebank).tolist() == [False, False, True]
    assert morphological_complexity(treebank).form_to_lemma == 0.0
    assert morphological_complexity(treebank, "script").form_to_lemma == pytest.approx(1 - 1 / 3)


def test_what_is_not_annotated_cannot_be_measured() -> None:
    found = morphological_complexity(from_drafts([draft(("a", "_", "X", None), ("b", "_", "X", None))]))
    assert (found.form_to_lemma, found.form_to_inflected_lemma, found.head_pos_entropy) == (None, None, None)
    assert found.complexity is None


def test_unknown_variant() -> None:
    with pytest.raises(UsageError, match="unknown variant 'texts'"):
        morphological_complexity(DOGS, "texts")  # type: ignore[arg-type]


WORDS = st.tuples(st.sampled_from("abc_"), st.sampled_from("xy_"), st.sampled_from(["NOUN", "VERB", "X"]))


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=6), st.data())
def test_any_treebank_equals_the_slow_way(sentences: list[list[tuple[str, str, str]]], data: st.DataObject) -> None:
    drafts = []
    for words in sentences:
        heads = st.none() | st.integers(0, len(words))
        drafts.append(draft(*((form, lemma, upos, data.draw(heads)) for form, lemma, upos in words)))
    assert_same_as_slowly(from_drafts(drafts))


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "bundled:en-test",
        "ud/UD_Tamil-TTB/ta_ttb-ud-test.conllu",
        "ud/UD_English-ParTUT/en_partut-ud-test.conllu",
    ],
)
def test_real_treebank_equals_the_slow_way(file_named: Callable[[str], Path], name: str) -> None:
    assert_same_as_slowly(read(file_named(name)))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("UD_Tamil-TTB/ta_ttb-ud-test", [0.90851, 0.49472, 0.33941, 0.67677, 0.88579]),
        ("UD_Turkish-IMST/tr_imst-ud-test", [0.83861, 0.43890, 0.55180, 0.77263, 0.83315]),
    ],
)
def test_authors_script(shared: Path, name: str, printed: list[float]) -> None:
    """What morphology_metrics.py of the paper's authors prints for these files."""
    found = morphological_complexity(read(shared / "ud" / f"{name}.conllu"), "script")
    assert list(found) == pytest.approx(printed, abs=5.1e-6)
