"""The remedies of the study: a treebank with variants of its sentences, or with a constant in place of the values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import InputError, UsageError
from .batch import Batch, Tally, perturb, substitute
from .edit import Refusal, check_value

if TYPE_CHECKING:
    from ..sentence import Sentence
    from ..treebank import Treebank
    from .registry import Perturbation

PER_SENTENCE = 20
"""Variants per sentence in the study."""


@dataclass
class Augmentation:
    """Takes a treebank piece by piece and counts what it does.

    Without `token` the sentences stay and each perturbation adds up to `per_sentence` variants of each; with it
    the first perturbation's words become that token and the treebank keeps its size.
    """

    perturbations: Sequence[Perturbation]
    per_sentence: int = PER_SENTENCE
    token: str = ""
    tallies: dict[str, Tally] = field(default_factory=dict)
    sentences: int = 0
    documents: bool = False
    """Does the treebank say where documents begin?"""

    def __post_init__(self) -> None:
        names = [one.name for one in self.perturbations]
        if not names:
            raise UsageError("no perturbation is named", todo="name one, such as numerals")
        if len(set(names)) < len(names):
            raise UsageError("a perturbation is named twice", todo="name each once")
        if self.token:
            check_value(self.token)
            if len(names) > 1:
                raise UsageError("a constant replaces the words of one perturbation", todo="name one perturbation")
        if self.per_sentence < 1:
            raise UsageError(f"cannot make {self.per_sentence} variants of a sentence", todo="ask for one or more")
        self.tallies = {name: Tally() for name in names}
        self._own: set[str] = set()
        self._made: set[str] = set()

    def feed(self, treebank: Treebank) -> tuple[bytes, bytes]:
        """The next piece: its sentences as they go on (changed only by `token`), and their variants."""
        self.sentences += len(treebank)
        self.documents = self.documents or b"# newdoc" in treebank.data
        if self.token:
            return "".join(self._substituted(sentence) for sentence in treebank).encode("utf-8"), b""
        self._own.update(treebank.sent_ids)
        made = [variant for sentence in treebank for variant in self._variants(sentence)]
        return treebank.data, "".join(made).encode("utf-8")

    def _substituted(self, sentence: Sentence) -> str:
        outcome = substitute(self.perturbations[0], sentence, self.token)
        tally = self.tallies[self.perturbations[0].name]
        tally.sentences += 1
        if isinstance(outcome, Refusal):
            tally.refused[outcome.reason] += 1
            return sentence.to_conllu()
        tally.batches += 1
        tally.variants += 1
        tally.distinct += 1
        return outcome

    def _variants(self, sentence: Sentence) -> list[str]:
        made = []
        for perturbation in self.perturbations:
            outcome = perturb(perturbation, sentence, self.per_sentence)
            self.tallies[perturbation.name].add(outcome)
            if isinstance(outcome, Batch):
                made += [variant.conllu for variant in outcome.variants]
                self._made |= {
                    f"{sentence.sent_id}-{perturbation.name}-{n}" for n in range(1, len(outcome.variants) + 1)
                }
        return made

    def check(self) -> None:
        """After the last piece: no variant may have the name of a sentence that is there."""
        if taken := sorted(self._made & self._own):
            raise InputError(f"there is a sentence {taken[0]} already", todo="was this treebank augmented before?")

    @property
    def variants(self) -> int:
        """All that was made or changed."""
        return sum(tally.variants for tally in self.tallies.values())
