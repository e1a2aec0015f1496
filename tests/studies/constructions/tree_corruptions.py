"""The same mistake made in a tree of either scheme: by rule, so that any parallel pair of trees can be spoiled.

Each function gives the wrong tree, or None where the sentence has no room for the mistake.
"""

from __future__ import annotations

from collections.abc import Callable

from gardenpath.phrase import PhraseTree, grown
from gardenpath.phrase.heads import head_token, nominal_head
from gardenpath.phrase.tree import Node
from gardenpath.suites.constructions.model import Construction

FIELDS = ("LV", "VF", "LK", "C", "MF", "VC", "NF", "FKOORD", "FKONJ")
SUBJECT = {"tiger": "SB", "tuebadz": "ON"}
OBJECT = {"tiger": "OA", "tuebadz": "OA"}


class Spoiled:
    """A tree whose nodes can be moved and renamed; what is left without tokens goes away."""

    def __init__(self, tree: PhraseTree) -> None:
        self.tree = tree
        self.tags, self.functions, self.mothers = list(tree.tags), list(tree.functions), list(tree.mothers)
        self.labels = list(tree.labels)

    def move(self, node: Node, mother: Node | None, function: str | None = None) -> None:
        self.mothers[node.number] = -1 if mother is None else mother.number
        if function is not None:
            self.functions[node.number] = function

    def rename(self, node: Node, label: str) -> None:
        self.labels[node.number - len(self.tree)] = label

    def grown(self) -> PhraseTree:
        size = len(self.tree)
        kept = set(range(size))
        for token in range(size):
            node = self.mothers[token]
            while node != -1 and node not in kept:
                kept.add(node)
                node = self.mothers[node]
        order = sorted(kept)
        new = {old: place for place, old in enumerate(order)} | {-1: -1}
        return grown(
            self.tree.words,
            self.tags,
            [self.labels[old - size] for old in order if old >= size],
            [self.functions[old] for old in order],
            [new[self.mothers[old]] for old in order],
        )


Corruption = Callable[[PhraseTree, Construction, str], PhraseTree | None]


def clause_over(node: Node) -> Node | None:
    return next((one for one in node.ancestors if one.label in ("S", "SIMPX", "R-SIMPX")), None)


def field_over(node: Node) -> Node | None:
    return next((one for one in node.ancestors if one.label in FIELDS), None)


def in_fields(clause: Node) -> list[Node]:
    """The phrases of a clause: its children, in TüBa-D/Z those of its fields, in TIGER also those of its VPs."""
    found = []
    for child in clause.children:
        inside = child.label in FIELDS or (child.label == "VP" and child.function == "OC")
        found += in_fields(child) if inside else [child]
    return found


def as_verbal(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A PP of a noun hangs at the verb."""
    pp, spoiled = tree[construction.node], Spoiled(tree)
    if scheme == "tiger":
        spoiled.move(pp, clause_over(pp), "MO")
    else:
        spoiled.move(pp, field_over(pp), "V-MOD")
    return spoiled.grown()


def hung_on_the_subject(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A relative clause hangs at the subject of its matrix clause, and not at the object."""
    clause, spoiled = tree[construction.node], Spoiled(tree)
    matrix = clause_over(clause)
    assert matrix is not None
    subject = next((one for one in in_fields(matrix) if one.function == SUBJECT[scheme]), None)
    if subject is None or nominal_head(subject, scheme) == construction.anchor("noun"):
        return None
    if subject.mask >> construction.anchor("noun") & 1:
        return None
    if scheme == "tiger":
        if subject.is_token:
            return None
        spoiled.move(clause, subject)
    else:
        spoiled.functions[clause.number] = "ON-MOD"
    return spoiled.grown()


def not_relative(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A relative clause is a clause of another kind."""
    clause, spoiled = tree[construction.node], Spoiled(tree)
    if scheme == "tiger":
        spoiled.functions[clause.number] = "OC"
    else:
        spoiled.rename(clause, "SIMPX")
    return spoiled.grown()


def dissolved(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """The parts of the relative clause stand in the matrix clause."""
    clause, spoiled = tree[construction.node], Spoiled(tree)
    for child in clause.children:
        spoiled.move(child, clause_over(clause))
    return spoiled.grown()


def without_its_object(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """One word of the relative clause, neither relative word nor verb, stands in the matrix clause."""
    clause, spoiled = tree[construction.node], Spoiled(tree)
    fixed = {construction.anchor("relative"), construction.anchor("verb")}
    words = [token for token in clause.positions if token not in fixed and not tree.tags[token].startswith("$")]
    if len(words) + len(fixed) < 3 or not words or tree[words[0]].mother is None:
        return None
    spoiled.move(tree[words[0]], clause_over(clause))
    return spoiled.grown()


def conjunct_clauses(tree: PhraseTree, construction: Construction) -> list[Node]:
    """The conjuncts over the two verbs."""
    node = tree[construction.node]
    verbs = [construction.anchor("verb1"), construction.anchor("verb2")]
    return [next(child for child in node.children if child.mask >> verb & 1) for verb in verbs]


def subject_mislabelled(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """The shared subject has the function of an object."""
    spoiled = Spoiled(tree)
    head = construction.anchor("subject")
    for node in (tree[head], *tree[head].ancestors):
        if node.function == SUBJECT[scheme]:
            spoiled.functions[node.number] = OBJECT[scheme]
            return spoiled.grown()
    return None


def object_as_subject(tree: PhraseTree, construction: Construction, scheme: str, which: int) -> PhraseTree | None:
    spoiled = Spoiled(tree)
    conjunct = conjunct_clauses(tree, construction)[which]
    found = next((one for one in in_fields(conjunct) if one.function == OBJECT[scheme]), None)
    if found is None:
        return None
    spoiled.functions[found.number] = SUBJECT[scheme]
    return spoiled.grown()


def second_object_as_subject(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """The object of the second conjunct is its subject."""
    return object_as_subject(tree, construction, scheme, 1)


def first_object_as_subject(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """The object of the first conjunct is a second subject."""
    return object_as_subject(tree, construction, scheme, 0)


def juxtaposed(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """Two clauses stand beside each other, and no node coordinates them."""
    node, spoiled = tree[construction.node], Spoiled(tree)
    first, second = conjunct_clauses(tree, construction)
    if scheme == "tiger":
        for child in node.children:
            spoiled.move(child, node.mother, "MO" if child in (first, second) else None)
        return spoiled.grown()
    clause = clause_over(node)
    assert clause is not None
    for child in first.children:
        spoiled.move(child, clause)
    for child in node.children:
        if child not in (first, second):
            spoiled.move(child, None)
    spoiled.move(second, None, "")
    spoiled.rename(second, "SIMPX")
    return spoiled.grown()


def verb_lost(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """The second verb is tagged as a noun."""
    spoiled = Spoiled(tree)
    spoiled.tags[construction.anchor("verb2")] = "NN"
    return spoiled.grown()


def conjunction_drawn_in(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """The first conjunct holds the conjunction."""
    node, spoiled = tree[construction.node], Spoiled(tree)
    conjunction = next((one for one in node.children if one.label == "KON"), None)
    first = next(one for one in node.children if one.function in ("CJ", "KONJ"))
    if conjunction is None or first.is_token:
        return None
    spoiled.move(conjunction, first)
    return spoiled.grown()


def other_function(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A PP of a verb is another complement or adjunct of it."""
    pp, spoiled = tree[construction.node], Spoiled(tree)
    known = ("MO", "OP") if scheme == "tiger" else ("V-MOD", "OPP")
    if pp.function in ("CJ", "KONJ"):
        return None
    spoiled.functions[pp.number] = known[1] if pp.function == known[0] else known[0]
    return spoiled.grown()


def shortened(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A PP loses its article to the clause."""
    pp, spoiled = tree[construction.node], Spoiled(tree)
    articles = [token for token in pp.positions if tree.tags[token] in ("ART", "PPOSAT", "ADJA")]
    if not articles or len(pp.positions) < 3:
        return None
    spoiled.move(tree[articles[0]], clause_over(pp), "MO")
    changed = spoiled.grown()
    # Where the article is the only child of a phrase, or heads one, more than the span would change.
    token = construction.anchor("noun")
    return changed if token >= 0 and head_token(pp, scheme) == construction.anchor("preposition") else None


def shortened_with_another_function(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A PP loses its article, and is another complement or adjunct of its verb."""
    shorter = shortened(tree, construction, scheme)
    other = other_function(tree, construction, scheme)
    if shorter is None or other is None:
        return None
    spoiled = Spoiled(shorter)
    preposition = shorter[construction.anchor("preposition")].mother
    assert preposition is not None
    spoiled.functions[preposition.number] = other.functions[_pp_of(other, construction).number]
    return spoiled.grown()


def _pp_of(tree: PhraseTree, construction: Construction) -> Node:
    mother = tree[construction.anchor("preposition")].mother
    assert mother is not None
    return mother


def hung_on_the_noun_before(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """A PP of a verb hangs at the noun right before it."""
    pp, spoiled = tree[construction.node], Spoiled(tree)
    if pp.start == 0 or tree.tags[pp.start - 1] != "NN":
        return None
    phrase = tree[pp.start - 1].mother
    if phrase is None or phrase.label not in ("NP", "PP", "NX"):
        return None
    spoiled.move(pp, phrase, "MNR" if scheme == "tiger" else "")
    return spoiled.grown()


def taken_apart(tree: PhraseTree, construction: Construction, scheme: str) -> PhraseTree | None:
    """There is no PP: its words stand in the clause."""
    pp, spoiled = tree[construction.node], Spoiled(tree)
    for child in pp.children:
        spoiled.move(child, clause_over(pp), "MO")
    return spoiled.grown()


CORRUPTIONS: dict[str, list[tuple[Corruption, str]]] = {
    "ppn": [(as_verbal, "D"), (taken_apart, "C")],
    "ppv": [
        (other_function, "B"), (shortened, "A"), (shortened_with_another_function, "C"), (hung_on_the_noun_before, "D"),
        (taken_apart, "C"),
    ],
    "erc": [(hung_on_the_subject, "B"), (not_relative, "A"), (dissolved, "C"), (without_its_object, "D")],
    "fcr": [
        (subject_mislabelled, "B"), (second_object_as_subject, "A"), (first_object_as_subject, "D"), (juxtaposed, "C"),
    ],
    "sgf": [
        (subject_mislabelled, "B"), (second_object_as_subject, "A"), (first_object_as_subject, "D"), (juxtaposed, "C"),
        (verb_lost, "E"),
    ],
    "cuc": [(conjunction_drawn_in, "wrong")],
}  # fmt: skip
"""By phenomenon: the mistakes, and the class each must have in both schemes."""
