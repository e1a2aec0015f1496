"""Batches (a sentence with its variants), counts of refusals, and treebanks augmented with variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import GardenpathError, InputError, SystemFailure, UsageError
from .edit import MARK, PLAIN, Change, Editor, Proposal, Refusal, Structure, check_value, editable

if TYPE_CHECKING:
    from ..format.sentence import Sentence
    from ..format.treebank import Treebank
    from .registry import Perturbation


@dataclass(frozen=True, slots=True)
class Variant:
    """The sentence with one value in place of the old one; its gold tree is the original's."""

    value: str
    conllu: str
    group: str = ""
    aside: frozenset[int] = frozenset()
    """The IDs of its words that not all sentences of the batch have: the trees of the others are compared."""


@dataclass(frozen=True, slots=True)
class Batch:
    """All variants of one sentence by one perturbation, in the order of the values, repeated values repeated."""

    perturbation: str
    sentence: Sentence
    old: str
    words: tuple[int, ...]
    """The IDs of the edited words."""
    variants: tuple[Variant, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Values that could not stand here, by reason."""
    aside: frozenset[int] = frozenset()
    """The IDs of the original's words that some variant does not have."""

    @property
    def multiplicity(self) -> dict[str, int]:
        """How often each value occurs: the 50 published years are 46 different ones."""
        return dict(Counter(variant.value for variant in self.variants))

    @property
    def has_aside(self) -> bool:
        """Have the sentences of the batch not all the same words?"""
        return bool(self.aside) or any(variant.aside for variant in self.variants)

    @property
    def distinct(self) -> tuple[Variant, ...]:
        """The first variant of each value."""
        first: dict[str, Variant] = {}
        for variant in self.variants:
            first.setdefault(variant.value, variant)
        return tuple(first.values())

    def treebank(self) -> Treebank:
        """The variants as a treebank."""
        from ..format.treebank import Treebank

        return Treebank("".join(variant.conllu for variant in self.variants).encode("utf-8"), name=self.perturbation)


def perturb(perturbation: Perturbation, sentence: Sentence, limit: int | None = None) -> Batch | Refusal:
    """The batch of a sentence, `limit` variants at most, or why there is none."""
    if MARK in sentence.metadata:
        return Refusal("variant")
    proposal = _proposed(perturbation, sentence)
    if isinstance(proposal, Refusal):
        return proposal
    variants, editor = [], Editor(sentence)
    if not editor.fits:
        return Refusal("text")
    replacements = proposal.replacements[:limit]
    aside = frozenset(number for replacement in replacements for number in replacement.structure.removed)
    for number, replacement in enumerate(replacements, 1):
        name = f"{sentence.sent_id}-{perturbation.name}-{number}" if sentence.sent_id else ""
        mark = _mark(perturbation, sentence, replacement.changes, replacement.structure)
        conllu = editor.edited(replacement.changes, replacement.structure, sent_id=name, mark=mark)
        own = _aside(replacement.structure, len(sentence), aside)
        variants.append(Variant(replacement.value, conllu, replacement.group, own))
    if not variants:
        return Refusal("no value")
    return Batch(
        perturbation.name, sentence, proposal.old, proposal.words, tuple(variants), proposal.skipped, aside
    )  # fmt: skip


def _aside(structure: Structure, length: int, left_out: frozenset[int]) -> frozenset[int]:
    """The new IDs of words that are put in, and of words that other variants leave out."""
    numbers = structure.numbers(length)
    kept = {new for number, new in numbers.items() if number not in left_out}
    return frozenset(range(1, len(numbers) + len(structure.inserted) + 1)) - kept


def substitute(perturbation: Perturbation, sentence: Sentence, token: str) -> str | Refusal:
    """The sentence under its own name, with `token` as form and lemma of every word the perturbation would edit."""
    token = check_value(token)
    if MARK in sentence.metadata:
        return Refusal("variant")
    proposal = _proposed(perturbation, sentence)
    if isinstance(proposal, Refusal):
        return proposal
    if any(replacement.changes.keys() != set(proposal.words) for replacement in proposal.replacements):
        return Refusal("no constant")
    changes = {number: Change(token, token) for number in proposal.words}
    editor = Editor(sentence)
    if not editor.fits:
        return Refusal("text")
    return editor.edited(changes, mark=_mark(perturbation, sentence, changes), alone=False)


def _proposed(perturbation: Perturbation, sentence: Sentence) -> Proposal | Refusal:
    """What the perturbation proposes, which may be the code of others: its mistakes are named as its own."""
    where = f"{perturbation.name}, sentence {sentence.sent_id or sentence.number + 1}"
    try:
        proposal = perturbation.propose(sentence)
    except GardenpathError:
        raise
    except Exception as error:
        raise SystemFailure(f"the perturbation failed: {type(error).__name__}: {error}", where=where) from error
    if isinstance(proposal, Refusal):
        return proposal
    touched = {number for replacement in proposal.replacements for number in replacement.changes}
    touched |= set(proposal.words)
    structures = [replacement.structure for replacement in proposal.replacements if replacement.structure]
    last = len(sentence) + any(structure.inserted for structure in structures)
    named = touched.union(*(structure.touched for structure in structures))
    if not named <= set(range(1, last + 1)):
        raise SystemFailure(f"the perturbation edits a word that is not there: {max(named)}", where=where)
    known = editable(sentence, {number for s in structures for number in (*s.parted, *s.tokens)})
    return proposal if touched <= known else Refusal("multiword token")


def _mark(
    perturbation: Perturbation, sentence: Sentence, changes: Mapping[int, Change], structure: Structure = PLAIN
) -> str:
    """`numerals 5:1998>1505`: the perturbation, then every changed word as ID:old>new, then the structure."""
    words = (f"{number}:{sentence.words[number - 1].form}>{change.form}" for number, change in sorted(changes.items()))
    return " ".join([perturbation.name, *words, *structure.described()])


@dataclass(slots=True)
class Tally:
    """How many sentences got a batch, how many variants there are, and what was not done and why."""

    sentences: int = 0
    batches: int = 0
    variants: int = 0
    distinct: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Sentences without a batch, by reason."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Values that could not stand in a sentence that got a batch, by reason."""

    def add(self, outcome: Batch | Refusal) -> None:
        self.sentences += 1
        if isinstance(outcome, Refusal):
            self.refused[outcome.reason] += 1
            return
        self.batches += 1
        self.variants += len(outcome.variants)
        self.distinct += len(outcome.multiplicity)
        self.skipped.update(outcome.skipped)


def batches(
    perturbation: Perturbation, sentences: Iterable[Sentence], tally: Tally | None = None, limit: int | None = None
) -> Iterator[Batch]:
    """The batches of all sentences that have one; the tally counts the others too."""
    for sentence in sentences:
        outcome = perturb(perturbation, sentence, limit)
        if tally is not None:
            tally.add(outcome)
        if isinstance(outcome, Batch):
            yield outcome


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
