"""Every perturbation on real sentences of every language: the tree stays, and the text is what the forms make."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from gardenpath.treebank import Sentence, Treebank, read
from gardenpath.treebank.fields import text_of
from gardenpath.treebank.perturb import (
    Batch,
    Perturbation,
    PerturbationSettings,
    Proposal,
    Refusal,
    perturb,
    perturbation,
)
from gardenpath.treebank.perturb.batch import substitute as substituted
from gardenpath.treebank.perturb.edit import REASONS
from gardenpath.treebank.perturb.registry import SETS, kinds
from gardenpath.treebank.perturb.values import OwnValues
from gardenpath.treebank.validate.report import validate_bytes

BUNDLED = {"de": "de_garden-train", "en": "en_garden-test", "zh": "zh_garden-test"}
SHARED = {
    "de": ["UD_German-GSD/de_gsd-ud-dev", "UD_German-PUD/de_pud-ud-test"],
    "en": ["UD_English-EWT/en_ewt-ud-dev", "UD_English-ParTUT/en_partut-ud-dev"],
    "ru": ["UD_Russian-Taiga@r2.7/ru_taiga-ud-dev"],
    "sv": ["UD_Swedish-Talbanken/sv_talbanken-ud-test"],
    "uk": ["UD_Ukrainian-IU/uk_iu-ud-dev"],
    "zh": ["UD_Chinese-GSDSimp/zh_gsdsimp-ud-test", "UD_Chinese-PUD/zh_pud-ud-test", "UD_Chinese-GSD@r1.4/zh-ud-dev"],
}
NAMES = sorted(kinds())
WITHOUT_CONSTANT = ("adverbs", "capitals", "contractions", "punctuation", "quotes")
UNDIVIDED = {*WITHOUT_CONSTANT, "articles", "currencies", "digits", "pronouns", "synonyms", "typos"} - {"adverbs"}
"""Kinds with the same values to test and to train with: there are too few of them to divide."""

WIDE = ("adverbs", "capitals", "punctuation", "typos")
"""Kinds that most sentences have a match for: a few of these will do."""


def speaks(language: str, name: str) -> bool:
    languages = kinds()[name].languages
    return languages is None or language in languages


def problems(conllu: str) -> set[str]:
    return {problem.id for problem in validate_bytes(conllu.encode(), "x")}


def core(sentence: Sentence, aside: Collection[int]) -> list[tuple[str, str, int]]:
    """UPOS, label and head of the words that all sentences of a batch have; on the others nothing may hang."""
    kept = [word for word in sentence.words if word.ord not in aside]
    number = {0: 0} | {word.ord: place for place, word in enumerate(kept, 1)}
    return [(word.upos, word.deprel, number[word.head or 0]) for word in kept]


def check(sentence: Sentence, batch: Batch) -> None:
    """All that must hold between a sentence and its variants."""
    originals, wrong = sentence.rows, problems(sentence.to_conllu())
    assert len({one.sent_id for one in batch.treebank()}) == (len(batch.variants) if sentence.sent_id else 1)
    for variant, one in zip(batch.variants, batch.treebank(), strict=True):
        if variant.aside or [row[0] for row in one.rows] != [row[0] for row in originals]:
            assert core(one, variant.aside) == core(sentence, batch.aside)
        else:
            changed = set()
            for old, new in zip(originals, one.rows, strict=True):
                assert [old[n] for n in (3, 6, 7, 8)] == [new[n] for n in (3, 6, 7, 8)]  # UPOS, the tree, DEPS
                if old != new and old[0].isdigit():
                    changed.add(int(old[0]))
            assert changed <= set(batch.words)
            assert one.heads.tolist() == sentence.heads.tolist()
        surface = text_of((token.form, token.misc) for token in one.tokens)
        if "text" in sentence.metadata:
            assert one.text.split() == surface.split()
        assert problems(variant.conllu) <= wrong
        assert one.metadata["perturbation"].startswith(f"{batch.perturbation} ")


@cache
def made(language: str, name: str, split: str) -> Perturbation:
    return perturbation(name, PerturbationSettings(language, split))


def check_all(sentence: Sentence, language: str, name: str, split: str) -> bool:
    outcome = perturb(made(language, name, split), sentence, limit=3)
    if isinstance(outcome, Refusal):
        assert outcome.reason in REASONS
        return False
    check(sentence, outcome)
    constant = substituted(made(language, name, split), sentence, "NNNN")
    if isinstance(constant, Refusal):
        assert name in WITHOUT_CONSTANT
        assert constant.reason == "no constant"
        return True
    one = Treebank(constant.encode())[0]
    assert {word.ord for word in one.words if word.form == "NNNN"} == set(outcome.words)
    assert (one.sent_id, one.heads.tolist()) == (sentence.sent_id, sentence.heads.tolist())
    return True


@cache
def bank(path: str) -> Treebank:
    return read(path)


@pytest.mark.parametrize("language", BUNDLED)
def test_bundled_treebanks(samples: Path, language: str) -> None:
    found = {
        name
        for name in NAMES
        if speaks(language, name)
        for sentence in bank(str(samples / f"{BUNDLED[language]}.conllu"))[: 20 if name in WIDE else None]
        if check_all(sentence, language, name, "test")
    }
    assert {"names", "places", "pronouns"} <= found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.sampled_from(sorted(SHARED)), st.sampled_from(NAMES), st.sampled_from(SETS), st.data())
def test_real_treebanks(shared: Path, language: str, name: str, split: str, data: st.DataObject) -> None:
    assume(speaks(language, name))
    file = data.draw(st.sampled_from(SHARED[language]))
    treebank = bank(str(shared / "ud" / f"{file}.conllu"))
    # Most sentences have nothing to edit: from a place drawn by hypothesis on, the next one that has.
    begin = data.draw(st.integers(0, len(treebank) - 1))
    numbers = [number % len(treebank) for number in range(begin, begin + 30)]
    assume(any(check_all(treebank[number], language, name, split) for number in numbers))


@pytest.mark.parametrize(
    ("language", "file"),
    [
        *((language, f"bundled:{file.replace('_garden', '')}") for language, file in BUNDLED.items()),
        *((language, f"ud/{files[0]}.conllu") for language, files in SHARED.items()),
    ],
)
@pytest.mark.parametrize("name", sorted(set(NAMES) - UNDIVIDED))
def test_values_to_test_and_to_train_with_differ(
    file_named: Callable[[str], Path], language: str, file: str, name: str
) -> None:
    seen: dict[str, set[str]] = {split: set() for split in SETS}
    for sentence in bank(str(file_named(file)))[:200]:
        for split, values in seen.items():
            proposal = made(language, name, split).propose(sentence)
            if isinstance(proposal, Proposal):
                values |= {one.value for one in proposal.replacements}
    assert not seen["test"] & seen["train"]


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(["Ulm", "Bad", "東京", "Жмеринка", "e\u0301"]), min_size=1, max_size=4))
@example(["Talheim"])
def test_own_values(samples: Path, values: list[str]) -> None:
    treebank = bank(str(samples / "de_garden-test.conllu"))
    own = OwnValues(values, "[A-Z].*", ["PROPN"])
    outcomes = [(sentence, perturb(own, sentence)) for sentence in treebank]
    batches = [(sentence, batch) for sentence, batch in outcomes if isinstance(batch, Batch)]
    for sentence, batch in batches:
        check(sentence, batch)
    assert len(batches) >= 11
