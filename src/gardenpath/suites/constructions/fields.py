"""The finding rules for TüBa-D/Z on coordinations of fields (FKOORD): shared subjects, and unlike conjuncts."""

from __future__ import annotations

from collections.abc import Iterator

from ...phrase.heads import head_token, nominal_head
from ...phrase.schemes.tuebadz import FIELDS, TUEBADZ
from ...phrase.tree import Node, PhraseTree
from .clauses import nodes
from .model import Construction
from .tiger import unlike

_CATEGORIES, _FUNCTIONS = TUEBADZ.categories, TUEBADZ.functions
_PHRASES = frozenset(_CATEGORIES.kinds) | {"FX"}
_MODIFIERS = frozenset({"", "-", "--", "MOD", "V-MOD"})


def field_reductions(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Conjoined fields that share what stands left of them: the subject in VF (v2), or C in verb-last clauses (vl).

    In verb-last clauses a full subject stands in the middle field of the first conjunct, a relative pronoun in C.
    """
    for whole, conjuncts, verbs in _finite_conjuncts(tree):
        clause = whole.mother
        if clause is None:
            continue
        before = {child.label: child for child in clause.children if child.start < whole.start}
        last = FIELDS.complementiser in before and all(_field(verb) == FIELDS.right for verb in verbs)
        second = FIELDS.initial in before and all(_field(verb) == FIELDS.left for verb in verbs)
        first_subject = _subject(conjuncts[0])
        if last:
            subject = _subject(before[FIELDS.complementiser]) or first_subject
        elif second and first_subject is None:
            subject = _subject(before[FIELDS.initial])
        else:
            continue
        if subject is not None:
            yield from _pairs("fcr", "vl" if last else "v2", whole, conjuncts, verbs, subject)


def field_gaps(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Conjoined fields whose subject stands behind the first verb, in the middle field of the first conjunct.

    The initial field may stand above the coordination or in its first conjunct.
    """
    for whole, conjuncts, verbs in _finite_conjuncts(tree):
        fields = {child.label: child for child in conjuncts[0].children}
        if FIELDS.middle in fields and all(_field(verb) == FIELDS.left for verb in verbs):
            subject = _subject(fields[FIELDS.middle])
            if subject is not None:
                yield from _pairs("sgf", "", whole, conjuncts, verbs, subject)


def unlike_fields(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Coordinations of fields of which some have a verb and some not, and phrases with unlike conjuncts."""
    for whole in tree.inner:
        conjuncts = _conjuncts(whole)
        of_fields = whole.label == FIELDS.coordination
        if len(conjuncts) < 2 or not (of_fields or whole.label in _PHRASES):
            continue
        if of_fields and any(_finite_verb(conjunct) is not None for conjunct in conjuncts):
            continue  # clauses but for what they share: one of the rules above
        variant = unlike([_kind(conjunct) for conjunct in conjuncts], wide)
        if variant:
            heads = [(f"conjunct{at}", head_token(one, TUEBADZ)) for at, one in enumerate(conjuncts, 1)]
            joined = any(child.label in TUEBADZ.tags.conjunctions for child in whole.children)
            yield Construction("cuc", variant, whole.number, tuple(heads), () if joined else ("asyndetic",))


def _conjuncts(whole: Node) -> list[Node]:
    return [child for child in whole.children if child.function == _FUNCTIONS.conjunct]


def _finite_conjuncts(tree: PhraseTree) -> Iterator[tuple[Node, list[Node], list[Node]]]:
    """Each FKOORD whose conjuncts are all finite, its conjuncts and their verbs; a single field may be a conjunct."""
    for whole in nodes(tree, FIELDS.coordination):
        conjuncts = _conjuncts(whole)
        verbs = [verb for conjunct in conjuncts if (verb := _finite_verb(conjunct)) is not None]
        all_finite = len(conjuncts) > 1 and len(verbs) == len(conjuncts)
        if all_finite and any(conjunct.label == FIELDS.conjunct for conjunct in conjuncts):
            yield whole, conjuncts, verbs


def _finite_verb(conjunct: Node) -> Node | None:
    """The finite verb in the LK or VC of a conjunct, which may be that field itself."""
    for field in _fields(conjunct):
        if field.label in FIELDS.brackets:
            verb = next((node for node in field.descendants if node.label in TUEBADZ.tags.finite), None)
            if verb is not None:
                return verb
    return None


def _fields(conjunct: Node) -> tuple[Node, ...]:
    """The fields of a conjunct, which may be a lone field itself."""
    return conjunct.children if conjunct.label == FIELDS.conjunct else (conjunct,)


def _field(verb: Node) -> str:
    return next((node.label for node in verb.ancestors if node.label in FIELDS.brackets), "")


def _subject(node: Node) -> Node | None:
    """The phrase ON in a field, or in the fields of a conjunct."""
    phrases = [phrase for field in _fields(node) for phrase in field.children]
    return next((phrase for phrase in phrases if phrase.function == _FUNCTIONS.subject), None)


def _has_subject(conjunct: Node) -> bool:
    subjects = (_FUNCTIONS.subject, _FUNCTIONS.expletive)
    return any(phrase.function in subjects for field in _fields(conjunct) for phrase in field.children)


def _pairs(
    phenomenon: str, variant: str, whole: Node, conjuncts: list[Node], verbs: list[Node], subject: Node
) -> Iterator[Construction]:
    """The first conjunct with each later one that has no subject, and begins with its verb unless it is verb-last."""
    head = nominal_head(subject, TUEBADZ)
    interrupted = False
    for conjunct, verb in zip(conjuncts[1:], verbs[1:], strict=True):
        first = _fields(conjunct)[0].label
        has_subject = _has_subject(conjunct)
        if not has_subject and (variant == "vl" or first == FIELDS.left):
            anchors = (("verb1", verbs[0].number), ("verb2", verb.number), ("subject", head))
            flags = ["bare"] * (conjunct.label != FIELDS.conjunct) + ["interrupted"] * interrupted
            yield Construction(phenomenon, variant, whole.number, anchors, tuple(flags))
        interrupted = interrupted or has_subject


def _kind(conjunct: Node) -> str:
    """np, ap, pp, vp or s of a conjunct: a field counts as what its verb, else its main phrase, is."""
    if conjunct.label in (FIELDS.conjunct, FIELDS.right):
        return "vp" if any(field.label == FIELDS.right for field in _fields(conjunct)) else "other"
    if conjunct.label == FIELDS.middle:
        main = [child for child in conjunct.children if child.function not in _MODIFIERS] or list(conjunct.children)
        return _CATEGORIES.kinds.get(main[-1].label, "other")
    return _CATEGORIES.kinds.get(conjunct.label, "other")
