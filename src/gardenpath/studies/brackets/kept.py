"""What a run of the evaluation keeps: the dependencies and phrases that the report draws, and a row per sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...phrase.tree import ROOT, PhraseTree, grown
from .scores import BracketScores
from .settings import STUDY

if TYPE_CHECKING:
    from ...runs.observations import Observations
    from ..judged_phrases import JudgedPhrases

Trees = Sequence[PhraseTree | None]


def kept_trees(gold: Sequence[PhraseTree], systems: Mapping[str, Trees], scheme: str) -> dict[str, bytes]:
    """Gold and all trees as a run keeps them: their dependencies, which the report draws; none without a scheme."""
    if not scheme:
        return {}
    from ...phrase.dependencies import to_dependencies

    kept = {"gold": to_dependencies(gold, scheme).to_bytes()}
    for name, trees in systems.items():
        whole = [one if one is not None else _flat(other) for one, other in zip(trees, gold, strict=True)]
        named = [one.named(other.sent_id) for one, other in zip(whole, gold, strict=True)]
        kept[name] = to_dependencies(named, scheme).to_bytes()
    return kept


def judged_trees(gold: Sequence[PhraseTree], systems: Mapping[str, Trees], suite: str) -> Iterator[JudgedPhrases]:
    """Gold and all trees of each sentence, for the report."""
    from ..judged_phrases import JudgedPhrases

    for number, tree in enumerate(gold):
        item = tree.sent_id or str(number + 1)
        yield JudgedPhrases(suite, "", item, tree, {name: trees[number] for name, trees in systems.items()})


def _flat(tree: PhraseTree) -> PhraseTree:
    """The words without a tree, for a sentence that was not parsed."""
    return grown(tree.words, ["_"] * len(tree), [], [""] * len(tree), [ROOT] * len(tree))


def observations(
    gold: Sequence[PhraseTree], scores: Mapping[str, BracketScores], suite: str, seed: int = 0
) -> Observations:
    """One row per sentence and system: the labelled F1 of the sentence (`value`), and the counts behind it.

    `weight` is how many brackets there are on both sides: so weighted, the mean of the sentences is the F1 of all.
    """
    from ...runs.observations import Observations

    parts = []
    items = [tree.sent_id or str(number) for number, tree in enumerate(gold, 1)]
    for name, own in scores.items():
        sentences = own.sentences
        columns = {
            "study": STUDY, "suite": suite, "item": items, "condition": "", "system": name, "seed": seed, "unit": "",
            "outcome": ["no parse" if not s.parsed else "exact" if s.exact else "not exact" for s in sentences],
            "value": [_sentence_f1(s.labelled.right, s.labelled.gold, s.labelled.system) for s in sentences],
            "weight": [s.labelled.gold + s.labelled.system for s in sentences],
            "length": [s.length for s in sentences],
            "right": [s.labelled.right for s in sentences],
            "gold": [s.labelled.gold for s in sentences],
            "predicted": [s.labelled.system for s in sentences],
            "right_unlabelled": [s.unlabelled.right for s in sentences],
            "right_functions": [s.functions.right for s in sentences] if own.functions else None,
            "right_discontinuous": [s.discontinuous.right for s in sentences] if own.gaps else None,
            "crossing": [s.crossing for s in sentences],
            "words": [s.words for s in sentences],
            "tags": [s.tags for s in sentences],
            "leaf_ancestor": [s.leaf_ancestor for s in sentences],
            "leaf_ancestor_discodop": [s.leaf_ancestor_discodop for s in sentences],
        }  # fmt: skip
        if own.heads is not None:
            columns |= {
                key: own.heads[:, at].astype(int).tolist() for at, key in enumerate(("right_heads", "right_relations"))
            }
        parts.append(Observations(columns))
    return Observations.joined(parts)


def _sentence_f1(right: int, gold: int, system: int) -> float:
    """Per cent; a sentence without brackets on both sides is right."""
    return 200 * right / (gold + system) if gold + system else 100.0
