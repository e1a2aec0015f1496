"""The finding rules for TIGER, plain and deepened (unary phrases, NP inside PP): each takes a tree."""

from __future__ import annotations

from collections.abc import Iterator

from ...phrase.heads import head_token, nominal_head
from ...phrase.schemes.tiger import TIGER
from ...phrase.tree import Node, PhraseTree
from .clauses import V2, VL, SharedSubject, coordination, finite_verb, nodes, shared_subjects
from .model import Construction

_CATEGORIES, _FUNCTIONS, _TAGS = TIGER.categories, TIGER.functions, TIGER.tags
_NOMINAL = _CATEGORIES.nominal - {_CATEGORIES.prepositional_coordination}
_CLAUSAL = _CATEGORIES.clauses | _CATEGORIES.verb_phrases
_NOUN_PP = frozenset({"MNR", "PG", "OP"})
_VERB_PP = frozenset({"MO", "OP", "CVC"})


def noun_pps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """PPs that belong to a noun (MNR, PG, OP below a nominal phrase); a conjunct is where its CPP is."""
    for pp, outer, mother in _pps(tree):
        if mother.label in _NOMINAL and outer.function in _NOUN_PP:
            yield _pp("ppn", pp, outer, nominal_head(mother, TIGER))


def verb_pps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """PPs that belong to a verb (MO, OP, CVC below S or VP); the passive agent (SBP) is none of them."""
    for pp, outer, mother in _pps(tree):
        if mother.label in _CLAUSAL and outer.function in _VERB_PP:
            yield _pp("ppv", pp, outer, head_token(mother, TIGER))


def extraposed_relatives(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Relative clauses with a word that is not of the antecedent's phrase between them and their antecedent."""
    for clause in nodes(tree, *_CATEGORIES.clauses, _CATEGORIES.clause_coordination):
        phrase = clause.mother
        if clause.function != _FUNCTIONS.relative_clause or phrase is None or phrase.label not in _ANTECEDENT:
            continue
        before = phrase.mask & ~clause.mask & (1 << clause.start) - 1 & ~_punctuation(tree)
        if not before:
            continue
        gap = (1 << clause.start) - (1 << before.bit_length())
        if gap & ~_outermost(phrase).mask & ~_punctuation(tree):
            yield _relative(clause, phrase)


def forward_reductions(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Clauses that share what stands at their left: the subject before the verb (v2), or in verb-last clauses (vl)."""
    for pair in shared_subjects(tree):
        if pair.order == VL:
            yield _shared("fcr", "vl", pair)
        elif pair.order == V2 and pair.subject.start < pair.verb1.number and pair.verb_first:
            yield _shared("fcr", "v2", pair)


def subject_gaps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Clauses that share a subject which stands behind the first verb: `Abends schloss er die Tür und ging`."""
    for pair in shared_subjects(tree):
        if pair.order != VL and pair.subject.start > pair.verb1.number and pair.verb_first:
            yield _shared("sgf", "", pair)


def unlike_coordinations(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Coordinations (CO) of VP and AP, VP and NP, or S and NP; wide: of any two of S, VP, AP, PP and NP."""
    for whole in nodes(tree, *_CATEGORIES.unlike_coordinations):
        conjuncts = [child for child in whole.children if child.function == _FUNCTIONS.conjunct]
        kinds = [_CATEGORIES.kinds.get(child.label, "other") for child in conjuncts]
        variant = unlike(kinds, wide)
        if variant:
            heads = [(f"conjunct{at}", head_token(child, TIGER)) for at, child in enumerate(conjuncts, 1)]
            joined = any(child.function == _FUNCTIONS.conjunction for child in whole.children)
            yield Construction("cuc", variant, whole.number, tuple(heads), () if joined else ("asyndetic",))


RULES = {
    "ppn": noun_pps,
    "ppv": verb_pps,
    "erc": extraposed_relatives,
    "fcr": forward_reductions,
    "sgf": subject_gaps,
    "cuc": unlike_coordinations,
}

_PREPOSITIONS = _TAGS.prepositions | _CATEGORIES.preposition_coordinations
_ANTECEDENT = frozenset("NP PP AVP PN CNP".split())
_UPWARD = frozenset("NP PP PN NM AP AVP CNP CPP CAP CAVP".split())
STRICT = ("s+np", "vp+ap", "vp+np")
"""The three kinds of unlike coordination of the TEPACOC paper."""
_RANK = ("s", "vp", "ap", "pp", "np")


def unlike(kinds: list[str], wide: bool) -> str:
    """The variant of an unlike coordination, such as `vp+ap`, in a fixed order; empty if it is none."""
    if len(set(kinds)) != 2 or not set(kinds) <= set(_RANK):
        return ""
    variant = "+".join(sorted(set(kinds), key=_RANK.index))
    return variant if wide or variant in STRICT else ""


def _pps(tree: PhraseTree) -> Iterator[tuple[Node, Node, Node]]:
    """Each PP, itself or the coordination (CPP) it is a conjunct of, and the mother of that."""
    for pp in nodes(tree, _CATEGORIES.prepositional):
        outer = coordination(pp, (_CATEGORIES.prepositional_coordination,), TIGER)
        if outer.mother is not None:
            yield pp, outer, outer.mother


def _pp(phenomenon: str, pp: Node, outer: Node, governor: int) -> Construction:
    """The preposition is the PP's own; a PP may instead be a pronominal adverb and its clause (`damit, dass …`)."""
    preposition = next((child for child in pp.children if child.label in _PREPOSITIONS), None)
    adverb = next((child for child in pp.children if child.label in _TAGS.pronominal_adverbs), None)
    flags = ["coordinated"] * (outer.number != pp.number)
    flags += ["ambiguous"] * (pp.start > 0 and pp.tree.tags[pp.start - 1] in _TAGS.attachable)
    noun = nominal_head(pp, TIGER)
    if preposition is not None:
        first = preposition.start
    elif adverb is not None:
        first, noun = adverb.number, -1
        flags.append("correlate")
    else:
        first = -1
    if noun == first:
        noun = -1
    if "correlate" not in flags and -1 in (first, noun):
        flags.append("incomplete")
    anchors = (("preposition", first), ("noun", noun), ("governor", governor))
    return Construction(phenomenon, "", pp.number, anchors, tuple(flags))


def _relative(clause: Node, phrase: Node) -> Construction:
    tree = clause.tree
    clauses, is_coordinated = _CATEGORIES.clauses, clause.label == _CATEGORIES.clause_coordination
    inner = next((child for child in clause.children if child.label in clauses), clause) if is_coordinated else clause
    relative = next((at for at in clause.positions if tree.tags[at] in _TAGS.relative_words), clause.start)
    above = [node for node in phrase.ancestors if node.label in clauses]
    matrix = next((node for node in above if finite_verb(node)), above[0] if above else None)
    anchors = (
        ("relative", relative),
        ("verb", _verb(inner)),
        ("noun", nominal_head(phrase, TIGER)),
        ("matrix", _verb(matrix) if matrix is not None else -1),
    )
    return Construction("erc", "", clause.number, anchors, ("coordinated",) * is_coordinated)


def _verb(clause: Node) -> int:
    """The finite verb of a clause; where there is none (it is tagged as an infinitive, or left out), its head."""
    verb = finite_verb(clause)
    return verb.number if verb is not None else head_token(clause, TIGER)


def _shared(phenomenon: str, variant: str, pair: SharedSubject) -> Construction:
    subject = nominal_head(pair.subject, TIGER)
    anchors = (("verb1", pair.verb1.number), ("verb2", pair.verb2.number), ("subject", subject))
    flags = ["bare"] * pair.bare + ["confirmed"] * pair.confirmed + ["interrupted"] * pair.interrupted
    return Construction(phenomenon, variant, pair.coordination.number, anchors, tuple(flags))


def _outermost(phrase: Node) -> Node:
    """The topmost of the nominal, prepositional and adjective phrases that a phrase is in."""
    for above in phrase.ancestors:
        if above.label not in _UPWARD:
            break
        phrase = above
    return phrase


def _punctuation(tree: PhraseTree) -> int:
    """The punctuation of a sentence, as bits."""
    return sum(1 << at for at, tag in enumerate(tree.tags) if tag in _TAGS.punctuation)
