"""The finding rules for TüBa-D/Z on coordinations of fields (FKOORD): shared subjects, and unlike conjuncts."""

from __future__ import annotations

from collections.abc import Iterator

from ...phrase.heads import FINITE, head_token, nominal_head
from ...phrase.tree import Node, PhraseTree
from .clauses import nodes
from .model import Construction
from .tiger import unlike

_PHRASES = frozenset("NX PX ADJX ADVX SIMPX R-SIMPX P-SIMPX VXINF FX".split())
_KINDS = {
    "NX": "np", "PX": "pp", "ADJX": "ap", "ADVX": "avp", "VXINF": "vp", "SIMPX": "s", "R-SIMPX": "s", "P-SIMPX": "s",
}  # fmt: skip
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
        last = "C" in before and all(_field(verb) == "VC" for verb in verbs)
        second = "VF" in before and all(_field(verb) == "LK" for verb in verbs)
        first_subject = _subject(conjuncts[0])
        if last:
            subject = _subject(before["C"]) or first_subject
        elif second and first_subject is None:
            subject = _subject(before["VF"])
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
        if "MF" in fields and all(_field(verb) == "LK" for verb in verbs):
            subject = _subject(fields["MF"])
            if subject is not None:
                yield from _pairs("sgf", "", whole, conjuncts, verbs, subject)


def unlike_fields(tree: PhraseTree, wide: bool = False) -> Iterator[Construction]:
    """Coordinations of fields of which some have a verb and some not, and phrases with unlike conjuncts."""
    for whole in tree.inner:
        conjuncts = [child for child in whole.children if child.function == "KONJ"]
        if len(conjuncts) < 2 or (whole.label != "FKOORD" and whole.label not in _PHRASES):
            continue
        if any(_finite_verb(conjunct) is not None for conjunct in conjuncts) and whole.label == "FKOORD":
            continue  # clauses but for what they share: one of the rules above
        variant = unlike([_kind(conjunct) for conjunct in conjuncts], wide)
        if variant:
            heads = [(f"conjunct{at}", head_token(one, "tuebadz")) for at, one in enumerate(conjuncts, 1)]
            joined = any(child.label == "KON" for child in whole.children)
            yield Construction("cuc", variant, whole.number, tuple(heads), () if joined else ("asyndetic",))


def _finite_conjuncts(tree: PhraseTree) -> Iterator[tuple[Node, list[Node], list[Node]]]:
    """Each FKOORD whose conjuncts are all finite, its conjuncts and their verbs; a single field may be a conjunct."""
    for whole in nodes(tree, "FKOORD"):
        conjuncts = [child for child in whole.children if child.function == "KONJ"]
        verbs = [verb for conjunct in conjuncts if (verb := _finite_verb(conjunct)) is not None]
        if len(conjuncts) > 1 and len(verbs) == len(conjuncts) and any(one.label == "FKONJ" for one in conjuncts):
            yield whole, conjuncts, verbs


def _finite_verb(conjunct: Node) -> Node | None:
    """The finite verb in the LK or VC of a conjunct, which may be that field itself."""
    fields = conjunct.children if conjunct.label == "FKONJ" else (conjunct,)
    for field in fields:
        if field.label in ("LK", "VC"):
            verb = next((one for one in field.descendants if one.label in FINITE), None)
            if verb is not None:
                return verb
    return None


def _field(verb: Node) -> str:
    return next((one.label for one in verb.ancestors if one.label in ("LK", "VC")), "")


def _subject(node: Node) -> Node | None:
    """The phrase ON in a field, or in the fields of a conjunct."""
    phrases = [one for field in node.children for one in field.children] if node.label == "FKONJ" else node.children
    return next((one for one in phrases if one.function == "ON"), None)


def _has_subject(conjunct: Node) -> bool:
    fields = conjunct.children if conjunct.label == "FKONJ" else (conjunct,)
    return any(one.function in ("ON", "ES") for field in fields for one in field.children)


def _pairs(
    phenomenon: str, variant: str, whole: Node, conjuncts: list[Node], verbs: list[Node], subject: Node
) -> Iterator[Construction]:
    """The first conjunct with each later one that has no subject, and begins with its verb unless it is verb-last."""
    head = nominal_head(subject, "tuebadz")
    interrupted = False
    for conjunct, verb in zip(conjuncts[1:], verbs[1:], strict=True):
        first = conjunct.children[0].label if conjunct.label == "FKONJ" else conjunct.label
        has_subject = _has_subject(conjunct)
        if not has_subject and (variant == "vl" or first == "LK"):
            anchors = (("verb1", verbs[0].number), ("verb2", verb.number), ("subject", head))
            flags = ["bare"] * (conjunct.label != "FKONJ") + ["interrupted"] * interrupted
            yield Construction(phenomenon, variant, whole.number, anchors, tuple(flags))
        interrupted = interrupted or has_subject


def _kind(conjunct: Node) -> str:
    """np, ap, pp, vp or s of a conjunct: a field counts as what its verb, else its main phrase, is."""
    if conjunct.label in ("FKONJ", "VC"):
        return "vp" if conjunct.label == "VC" or any(one.label == "VC" for one in conjunct.children) else "other"
    if conjunct.label == "MF":
        main = [child for child in conjunct.children if child.function not in _MODIFIERS] or list(conjunct.children)
        return _KINDS.get(main[-1].label, "other")
    return _KINDS.get(conjunct.label, "other")
