"""Heads of phrases, and further concepts of a scheme for a node: functions that give another node, and features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from .schemes.model import Rule, Scheme
from .schemes.registry import scheme as known_scheme
from .tree import NO_FUNCTION, Node, PhraseTree


def head_child(node: Node, scheme: Scheme | str) -> Node:
    """The child that a phrase has its head from; of a token, itself."""
    annotated = known_scheme(scheme)
    if node.is_token:
        return node
    children = _candidates(node, annotated)
    rules = (*annotated.heads.of(node.label), annotated.heads.fallback)
    return _chosen(rules, children, annotated) or children[0]


def head_token(node: Node, scheme: Scheme | str) -> int:
    """The number of the token that heads a node: of a PP the preposition, of a clause its finite verb."""
    while not node.is_token:
        node = head_child(node, scheme)
    return node.number


def nominal_head(node: Node, scheme: Scheme | str) -> int:
    """As `head_token`, but of a PP the noun (or whatever stands with the preposition)."""
    annotated = known_scheme(scheme)
    while not node.is_token:
        is_pp = node.label == annotated.categories.prepositional
        complement = _complement(node, annotated) if is_pp else None
        node = complement or head_child(node, annotated)
    return node.number


def tree_heads(tree: PhraseTree, scheme: Scheme | str) -> tuple[int, ...]:
    """The head token of every node of a tree, by number."""
    heads = list(range(len(tree)))
    for node in tree.inner:  # daughters come before their mothers
        heads.append(heads[head_child(node, scheme).number])
    return tuple(heads)


def full_verbs(tree: PhraseTree, scheme: Scheme | str) -> dict[int, int]:
    """For each auxiliary and modal the full verb of its chain: of *hat* and *werden* in *hat verkauft werden müssen*.

    A chain ends at an infinitive with *zu*, and goes through complements and predicates (*ist vertan*) only.
    """
    annotated = known_scheme(scheme)
    verbs: dict[int, int] = {}
    for node in tree.inner:  # daughters first: the chain below is known already
        auxiliary = head_token(node, annotated)  # also that of a VZ: *getan zu haben*
        if tree.tags[auxiliary] in annotated.tags.auxiliaries:
            for verb in _helped_verbs(node, annotated):
                verbs.setdefault(auxiliary, verbs.get(verb, verb))
    return verbs


def _helped_verbs(node: Node, scheme: Scheme) -> Iterator[int]:
    """The heads of the participles and bare infinitives beside the head, complements before predicates."""
    tags, categories = scheme.tags, scheme.categories
    phrases = categories.verbal - categories.clauses - {categories.clause_coordination}
    head = head_child(node, scheme)
    for function in (scheme.functions.complement, scheme.functions.predicate):
        for child in node.children:
            if child == head or child.function != function or not (child.is_token or child.label in phrases):
                continue
            verb = node.tree[head_token(child, scheme)]
            with_zu = verb.label in tags.zu_infinitives or any(sister.label in tags.zu for sister in verb.sisters)
            if verb.label in tags.nonfinite and not with_zu:
                yield verb.number


def _candidates(node: Node, scheme: Scheme) -> tuple[Node, ...]:
    """Children but punctuation, which heads a phrase only if there is nothing else, or if a parser drew such an arc."""
    children = node.children
    if scheme.arcs:
        return children
    marks = scheme.tags.punctuation
    return tuple(child for child in children if not (child.is_token and child.label in marks)) or children


def _chosen(rules: Iterable[Rule], children: Sequence[Node], scheme: Scheme) -> Node | None:
    return next((child for rule in rules if (child := _among(rule, children, scheme)) is not None), None)


def _among(rule: Rule, children: Sequence[Node], scheme: Scheme) -> Node | None:
    if rule.beside and not any(child.label in rule.beside for child in children):
        return None
    for child in reversed(children) if rule.last else children:
        if (
            (not rule.functions or child.function in rule.functions)
            and (not rule.labels or child.label in rule.labels)
            and child.label not in rule.but
            and (not rule.finite or child.tree.tags[head_token(child, scheme)] in scheme.tags.finite)
        ):
            return child
    return None


def _complement(node: Node, scheme: Scheme) -> Node | None:
    """What stands with the preposition of a PP; None if it stands alone or there is no preposition."""
    children = [child for child in _candidates(node, scheme) if not _is_preposition(child, scheme)]
    if not children or len(children) == len(node.children):
        return None
    return _chosen(scheme.heads.complement, children, scheme)


def _is_preposition(child: Node, scheme: Scheme) -> bool:
    """Is this the preposition of its PP, or several of them coordinated?"""
    return (
        child.function == scheme.functions.preposition
        or child.label in scheme.categories.preposition_coordinations
        or child.label in scheme.tags.prepositions
    )


V1, V2, VL = "v1", "v2", "vl"
"""Order of a clause: the finite verb first, second, last."""


def coordination(node: Node, scheme: Scheme) -> Node:
    """The topmost coordination of its own kind that a node is a conjunct of, such as the CPP of a PP; else the node."""
    mother, conjunct, label = node.mother, scheme.functions.conjunct, scheme.categories.coordination_of.get(node.label)
    while mother is not None and node.function == conjunct and mother.label == label:
        node, mother = mother, mother.mother
    return node


def clause_parts(node: Node, scheme: Scheme) -> tuple[Node, ...]:
    """Where phrases and verbs of a clause are looked for: in the node itself, or where there are fields in these."""
    if scheme.fields is None or node.label not in scheme.categories.clauses | {scheme.fields.conjunct}:
        return (node,)
    return node.children


def finite_verb(clause: Node, scheme: Scheme) -> Node | None:
    """The finite or imperative verb of a clause, or of the first clause of a coordination; with fields, that of a field
    for verbs, or of a conjunct that has one."""
    tags, categories, fields = scheme.tags.finite, scheme.categories, scheme.fields
    if fields is not None:
        brackets = (field for field in clause_parts(clause, scheme) if field.label in fields.brackets)
        return next((node for field in brackets for node in field.descendants if node.label in tags), None)
    if clause.label == categories.clause_coordination:
        clause = next((child for child in clause.children if child.label in categories.clauses), clause)
    head = scheme.functions.head
    return next((child for child in clause.children if child.function == head and child.label in tags), None)


def preverbal_units(clause: Node, verb: Node, scheme: Scheme) -> list[Node]:
    """The phrases before the verb. A VP that goes on behind it (a fronted participle, say) is looked into."""
    outside, marks = scheme.functions.outside, scheme.tags.punctuation
    units: list[Node] = []
    for child in clause.children:
        if child.start >= verb.number or child.function in outside or child.label in marks:
            continue
        if child.end > verb.number and child.label in scheme.categories.split_verb_phrases:
            units += preverbal_units(child, verb, scheme)
        else:
            units.append(child)
    return units


def verb_order(clause: Node, scheme: Scheme) -> str | None:
    """V1, V2 or VL; None where there is no finite verb. Only a clause within another one can be verb-last for having
    much before its verb."""
    verb = finite_verb(clause, scheme) if clause.label in scheme.categories.clauses else None
    if verb is None:
        return None
    if scheme.fields is not None:
        labels = {child.label for child in clause.children}
        return VL if scheme.fields.left not in labels else V2 if scheme.fields.initial in labels else V1
    functions, tags = scheme.functions, scheme.tags
    whole = coordination(clause, scheme)
    if any(child.function == functions.complementiser for child in clause.children):
        return VL
    if whole.function == functions.relative_clause and clause.tree.tags[clause.start] in tags.relative_pronouns:
        return VL
    units = preverbal_units(clause, verb, scheme)
    if whole.mother is not None and len(units) > 1:
        return VL
    return V2 if units else V1


def preverbal_count(clause: Node, scheme: Scheme) -> str | None:
    """How many phrases stand before the finite verb; None with fields, which say it themselves, and without a verb."""
    is_clause = scheme.fields is None and clause.label in scheme.categories.clauses
    verb = finite_verb(clause, scheme) if is_clause else None
    return None if verb is None else str(len(preverbal_units(clause, verb, scheme)))


def closest_clause(node: Node, scheme: Scheme) -> Node | None:
    """The closest clause over a node."""
    return next((above for above in node.ancestors if above.label in scheme.categories.clauses), None)


def outermost(phrase: Node, scheme: Scheme) -> Node:
    """The topmost of the nominal, prepositional, adjective and adverb phrases that a phrase is in; else itself."""
    for above in phrase.ancestors:
        if above.label not in scheme.categories.nominal | scheme.categories.modifying:
            break
        phrase = above
    return phrase


def preposition(phrase: Node, scheme: Scheme) -> Node | None:
    """The preposition of a PP; of coordinated ones the first."""
    if phrase.label != scheme.categories.prepositional:
        return None
    labels = scheme.tags.prepositions | scheme.categories.preposition_coordinations
    first = next((child for child in phrase.children if child.label in labels), None)
    return None if first is None else first.tree[first.start]


def pronominal_adverb(phrase: Node, scheme: Scheme) -> Node | None:
    """The pronominal adverb in a phrase: *damit* in *damit, dass …*."""
    return next((child for child in phrase.children if child.label in scheme.tags.pronominal_adverbs), None)


def complement(phrase: Node, scheme: Scheme) -> Node | None:
    """The noun of a PP; nothing where its preposition stands alone, or a pronominal adverb stands for both."""
    if phrase.label != scheme.categories.prepositional:
        return None
    first, noun = preposition(phrase, scheme), phrase.tree[nominal_head(phrase, scheme)]
    if first is None:
        return noun if pronominal_adverb(phrase, scheme) is None else None
    return noun if noun != first else None


def relative_word(clause: Node, scheme: Scheme) -> Node:
    """The first relative word of a clause; without any, its first word."""
    tags = clause.tree.tags
    words = (at for at in clause.positions if tags[at] in scheme.tags.relative_words)
    return clause.tree[next(words, clause.start)]


def matrix_verb(node: Node, scheme: Scheme) -> Node | None:
    """The finite verb of the closest clause over a node that has one."""
    for above in node.ancestors:
        if above.label in scheme.categories.clauses and (verb := _clause_verb(above, scheme)) is not None:
            return verb
    return None


def _clause_verb(clause: Node, scheme: Scheme) -> Node | None:
    """The finite verb of a clause; where fields are conjoined, that of the first conjunct."""
    if scheme.fields is None:
        return finite_verb(clause, scheme)
    head = clause.tree[head_token(clause, scheme)]
    return head if head.label in scheme.tags.finite else None


def subject(clause: Node, scheme: Scheme) -> Node | None:
    """The first subject of a clause, of a conjunct of fields, or in a field."""
    wanted = scheme.functions.subject
    parts = clause_parts(clause, scheme)
    if scheme.fields is not None and parts == (clause,) and clause.label not in scheme.fields.fields:
        return None
    return next((phrase for part in parts for phrase in part.children if phrase.function == wanted), None)


def modified(modifier: Node, scheme: Scheme) -> Node | None:
    """The phrase that the function of a modifier points at, the OA of an OA-MOD: in the fields of the same clause, the
    closest before the modifier, or else any."""
    target, clause = scheme.functions.target(modifier.function), closest_clause(modifier, scheme)
    if clause is None or not target:
        return None
    named = [phrase for phrase in field_phrases(clause, scheme) if phrase.function == target and phrase != modifier]
    before = [phrase for phrase in named if phrase.start < modifier.start]
    return before[-1] if before else (named[0] if named else None)


def field_phrases(node: Node, scheme: Scheme) -> Iterator[Node]:
    """The phrases in the fields of a clause, not of clauses within it."""
    fields = scheme.fields
    if fields is None:
        return
    for child in node.children:
        if child.label in fields.phrase_fields:
            yield from child.children
        elif child.label in (fields.coordination, fields.conjunct):
            yield from field_phrases(child, scheme)


def kind(node: Node, scheme: Scheme) -> str | None:
    """s, vp, ap, pp, np or avp: what a node is as a conjunct. A field is what its verb, else its main phrase, is."""
    kinds, fields, functions = scheme.categories.kinds, scheme.fields, scheme.functions
    if fields is None or node.is_token:
        return kinds.get(node.label)
    if node.label in (fields.conjunct, fields.right):
        return "vp" if any(field.label == fields.right for field in clause_parts(node, scheme)) else None
    if node.label == fields.middle:
        main = [child for child in node.children if child.function not in NO_FUNCTION | functions.weak] or list(
            node.children
        )
        return kinds.get(main[-1].label)
    return kinds.get(node.label)


def field(node: Node, scheme: Scheme) -> str | None:
    """The closest topological field over a node."""
    labels = scheme.fields.fields if scheme.fields is not None else frozenset[str]()
    return next((above.label for above in node.ancestors if above.label in labels), None)


NODE_FUNCTIONS: Mapping[str, Callable[[Node, Scheme], Node | None]] = {
    "head": lambda node, scheme: node.tree[head_token(node, scheme)],
    "noun": lambda node, scheme: node.tree[nominal_head(node, scheme)],
    "coordination": coordination,
    "clause": closest_clause,
    "verb": finite_verb,
    "matrix": matrix_verb,
    "subject": subject,
    "preposition": preposition,
    "adverb": pronominal_adverb,
    "complement": complement,
    "relative": relative_word,
    "outermost": outermost,
    "modified": modified,
}
"""What `Y = NAME(X)` in a query gives; nothing where a scheme, or a node, has none."""
NODE_FEATURES: Mapping[str, Callable[[Node, Scheme], str | None]] = {
    "kind": kind,
    "order": verb_order,
    "preverbal": preverbal_count,
    "field": field,
    "target": lambda node, scheme: scheme.functions.target(node.function) or None,
}
"""Features beside those of the trees themselves, by the scheme."""
