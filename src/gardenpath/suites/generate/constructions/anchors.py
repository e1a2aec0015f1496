"""The constructions of an abstract clause, told from its structure: nothing here looks for them in a tree.

Only the number of the construction's node is read off the tree, by climbing from one of the anchors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ....phrase.arcs import Arcs
from ....phrase.schemes.registry import scheme as known_scheme
from ....phrase.schemes.ud import UD
from ....phrase.tree import ROOT, PhraseTree
from ...constructions.model import PHENOMENA, Construction
from .clause import (
    Adjective,
    Clause,
    Clauses,
    Coordination,
    Nominal,
    Part,
    Phrase,
    Prepositional,
    Sentence,
    Unlike,
    Verbal,
    Word,
    head,
)

Anchors = tuple[tuple[str, Word], ...]


class Meant:
    """A construction before there is a tree: its phenomenon, its variant and its anchors as words."""

    __slots__ = ("anchors", "clause_governor", "phenomenon", "variant")

    def __init__(self, phenomenon: str, variant: str, anchors: Anchors, clause_governor: Word | None = None) -> None:
        self.phenomenon, self.variant, self.anchors = phenomenon, variant, anchors
        self.clause_governor = clause_governor
        """In schemes with fields a verb's PP hangs at the clause, not at a verb phrase: its finite verb."""

    def construction(self, tree: PhraseTree, scheme: str) -> Construction:
        """With the node in the tree of this scheme."""
        anchors = [(name, word.at) for name, word in self.anchors]
        annotated = known_scheme(scheme)
        if annotated.arcs:
            return self._of_arcs(tree, anchors)
        if annotated.fields is not None and self.clause_governor is not None:
            anchors[-1] = ("governor", self.clause_governor.at)
        start = anchors[0][1]
        flags: tuple[str, ...] = ()
        if self.phenomenon in ("ppn", "ppv"):
            node = tree.mothers[start]
            if start and tree.tags[start - 1] in annotated.tags.attachable:
                flags = ("ambiguous",)
        elif self.phenomenon == "erc":
            node = _above(tree, start, annotated.categories.relative_clauses or annotated.categories.clauses)
        elif self.phenomenon == "cuc":
            node = _above_both(tree, start, anchors[1][1])
        else:
            node = _above(tree, start, {annotated.categories.clause_coordination})
            if annotated.fields is None:  # by a secondary edge
                flags = ("confirmed",)
        return Construction(self.phenomenon, self.variant, node, tuple(anchors), flags)

    def _of_arcs(self, tree: PhraseTree, anchors: list[tuple[str, int]]) -> Construction:
        """Content words are heads: of a PP's governor and of conjuncts that are clauses."""
        arcs, flags = Arcs(tree), tuple[str, ...]()
        first = anchors[0][1]
        if self.phenomenon in ("ppn", "ppv"):
            noun = arcs.governors[first]
            anchors = [("preposition", first), ("noun", noun), ("governor", arcs.governors[noun])]
            flags = ("ambiguous",) if first and tree.tags[first - 1] in UD.tags.attachable else ()
            head = noun
        elif self.phenomenon == "erc":
            head = arcs.clause_of(dict(anchors)["verb"])
        else:
            if self.phenomenon == "cuc":
                anchors = [(name, arcs.clause_of(token)) for name, token in anchors]
            head = arcs.clause_of(first)
        return Construction(self.phenomenon, self.variant, tree.mothers[head], tuple(anchors), flags)


def _above(tree: PhraseTree, node: int, labels: Collection[str]) -> int:
    """The first node with one of these labels on the way up."""
    node = tree.mothers[node]
    while node != ROOT and tree.node_label(node) not in labels:
        node = tree.mothers[node]
    return node


def _above_both(tree: PhraseTree, first: int, second: int) -> int:
    both = 1 << first | 1 << second
    node = tree.mothers[first]
    while tree.masks[node] & both != both:
        node = tree.mothers[node]
    return node


def meant(sentence: Sentence) -> list[Meant]:
    """All constructions of a sentence, phenomenon by phenomenon and from left to right."""
    root = sentence.root
    clauses = root.conjuncts if isinstance(root, Clauses) else [root]
    meant_here = [one for clause in clauses for one in _clause(clause)]
    order = list(PHENOMENA)
    return sorted(meant_here, key=lambda one: (order.index(one.phenomenon), one.anchors[0][1].at))


def _clause(clause: Clause, finite: Word | None = None) -> Iterator[Meant]:
    """`finite` is the verb that heads the whole clause, where this is a later conjunct."""
    finite = finite or clause.finite
    for part in clause.parts():
        low = clause.verbs[0] if clause.verbs and part.level == "verb" else clause.finite
        yield from _part(part, clause, low, finite)
    if clause.later is not None:
        subject = clause.subject
        assert subject is not None
        phenomenon, variant = "fcr", "vl" if clause.order == "vl" else "v2"
        if clause.order != "vl" and subject is not clause.front:
            phenomenon, variant = "sgf", ""
        verbs = (("verb1", clause.finite), ("verb2", clause.later.finite), ("subject", head(subject.phrase)))
        yield Meant(phenomenon, variant, verbs)
        yield from _clause(clause.later, finite)


def _part(part: Part, clause: Clause, low: Word, finite: Word) -> Iterator[Meant]:
    phrase = part.phrase
    if isinstance(phrase, Prepositional) and part.role in ("adverbial", "oblique"):
        anchors = (("preposition", phrase.preposition), ("noun", head(phrase)), ("governor", low))
        yield Meant("ppv", "", anchors, finite)
    yield from _phrase(phrase, clause, finite)


def _phrase(phrase: Phrase, clause: Clause, finite: Word) -> Iterator[Meant]:
    if isinstance(phrase, Nominal):
        yield from _nominal(phrase, clause, finite)
    elif isinstance(phrase, Prepositional):
        yield from _phrase(phrase.nominal, clause, finite)
    elif isinstance(phrase, Coordination):
        for member in phrase.conjuncts:
            yield from _phrase(member, clause, finite)
    elif isinstance(phrase, Unlike):
        heads = tuple((f"conjunct{at}", _head(member)) for at, member in enumerate(phrase.conjuncts, 1))
        kinds = {_KINDS[type(conjunct)] for conjunct in phrase.conjuncts}
        yield Meant("cuc", "+".join(kind for kind in ("s", "vp", "ap", "np") if kind in kinds), heads)
        for member in phrase.conjuncts:
            if isinstance(member, Verbal):
                yield from _verbal(member, clause, finite)
            else:
                yield from _phrase(member, clause, finite)
    elif isinstance(phrase, Verbal):  # a participle clause, which has no finite verb
        yield from _verbal(phrase, clause, phrase.verb)
    elif isinstance(phrase, Clause):
        yield from _clause(phrase)


_KINDS: dict[type, str] = {Nominal: "np", Adjective: "ap", Verbal: "vp", Clause: "s"}


def _head(phrase: Phrase) -> Word:
    """The head as the schemes have it: of a clause its finite verb."""
    return phrase.finite if isinstance(phrase, Clause) else head(phrase)


def _verbal(phrase: Verbal, clause: Clause, finite: Word) -> Iterator[Meant]:
    for part in phrase.parts:
        yield from _part(part, clause, phrase.verb, finite)


def _nominal(nominal: Nominal, clause: Clause, finite: Word) -> Iterator[Meant]:
    if nominal.genitive is not None:
        yield from _nominal(nominal.genitive, clause, finite)
    for attribute in nominal.attributes:
        yield Meant(
            "ppn", "", (("preposition", attribute.preposition), ("noun", head(attribute)), ("governor", nominal.head))
        )
        yield from _phrase(attribute.nominal, clause, finite)
    relative = nominal.relative
    if relative is not None:
        if nominal.extraposed:
            assert relative.relative is not None
            word = head(relative.relative.phrase)
            anchors = (("relative", word), ("verb", relative.finite), ("noun", nominal.head), ("matrix", clause.finite))
            yield Meant("erc", "", anchors)
        yield from _clause(relative)
