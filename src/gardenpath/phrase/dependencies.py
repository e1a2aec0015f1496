"""Phrase trees as dependency trees, every phrase reduced to its head; and dependency trees as phrases and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from ..errors import InputError
from ..treebank import Draft, Treebank, Word, from_drafts
from ..treebank.format.fields import format_feats, parse_feats
from ..treebank.format.sentence import Sentence
from ..treebank.trees.scores import universal
from .heads import head_child, head_token, nominal_head, tree_heads
from .schemes.model import UD, Fields, Scheme
from .schemes.registry import scheme as known_scheme
from .tree import ROOT, Node, PhraseTree, grown

Arc = tuple[int, str]


@dataclass(frozen=True)
class _Clause:
    """A clause (or a conjunct of fields) with its verbs from the highest down."""

    node: Node
    verbs: tuple[int, ...]
    outer: _Clause | None
    finite_tags: frozenset[str]

    @property
    def finite(self) -> int | None:
        """The finite verb; in a nonfinite conjunct of fields that of the clause around it."""
        own = next((verb for verb in self.verbs if self.node.tree.tags[verb] in self.finite_tags), None)
        if own is None and self.outer is not None:
            own = self.outer.finite
        return own if own is not None else (self.verbs[0] if self.verbs else None)

    @property
    def lowest(self) -> int | None:
        return self.verbs[-1] if self.verbs else (self.outer.lowest if self.outer is not None else None)


def through_fields(tree: PhraseTree, plain: Sequence[Arc], scheme: Scheme) -> list[Arc]:
    """The arcs of a tree: those of the projection (`plain`) but for what stands in a field or is a verb."""
    if scheme.fields is None:
        return list(plain)
    return _Arranged(tree, plain, scheme, scheme.fields).arcs


class _Arranged:
    """The arcs of one tree, clause by clause."""

    def __init__(self, tree: PhraseTree, plain: Sequence[Arc], scheme: Scheme, fields: Fields) -> None:
        self.scheme, self.fields = scheme, fields
        self.heads = tree_heads(tree, scheme)
        self.arcs = list(plain)
        for node in tree.inner:
            if node.label in scheme.categories.clauses and not self._is_coordinated(node):
                self._arrange(self._clause(node), {self.heads[node.number]})

    def _clause(self, node: Node, outer: _Clause | None = None) -> _Clause:
        return _Clause(node, self._verbs(node), outer, self.scheme.tags.finite)

    def _is_coordinated(self, node: Node) -> bool:
        conjunct, labels = self.scheme.functions.conjunct, self.scheme.categories.clauses | {self.fields.conjunct}
        return any(child.function == conjunct and child.label in labels for child in node.children)

    def _arrange(self, clause: _Clause, fixed: set[int]) -> None:
        """The arcs of one clause, and of the conjuncts of fields in it; those of the tokens in `fixed` stay."""
        node, heads = clause.node, self.heads
        for above, verb in pairwise(self._own_verbs(node)):
            self.arcs[verb] = (above, self.fields.verb_function)
        for phrase in self._phrases(node):
            token, governor = heads[phrase.number], self._governor(phrase, clause)
            if governor is not None and governor != token and token not in fixed and token not in clause.verbs:
                self.arcs[token] = (governor, phrase.function or "--")
        for child in node.children:
            if child.label == self.fields.coordination:
                conjuncts = self._conjuncts(child)
                for conjunct in conjuncts:  # a later one depends on what stands before it
                    kept = fixed if conjunct == conjuncts[0] else fixed | {heads[conjunct.number]}
                    self._arrange(self._clause(conjunct, clause), kept)

    def _conjuncts(self, node: Node) -> list[Node]:
        labels = self.fields.fields | self.scheme.categories.clauses | {self.fields.conjunct}
        return [child for child in node.children if child.label in labels]

    def _verbs(self, node: Node) -> tuple[int, ...]:
        """From the finite verb down; a clause whose fields are coordinated has those of the first conjunct."""
        own = self._own_verbs(node)
        coordinations = [child for child in node.children if child.label == self.fields.coordination]
        first = [conjunct for whole in coordinations for conjunct in self._conjuncts(whole)[:1]]
        return own + (self._verbs(first[0]) if first else ())

    def _own_verbs(self, node: Node) -> tuple[int, ...]:
        fields = self.fields
        inside = self._fields(node)
        left = [verb for field in inside if field.label == fields.left for verb in self._verbal(field)]
        brackets = fields.verb_fields - {fields.left}
        right = [verb for field in inside if field.label in brackets for verb in self._verbal(field)]
        head = self.scheme.functions.head
        # German verbs stack to the left: in `gekauft worden sein` each depends on the one after it.
        ranked = sorted(right, key=lambda verb: (verb.label != fields.finite_verb, verb.function != head, -verb.start))
        return tuple(self.heads[verb.number] for verb in [*left, *ranked])

    def _fields(self, node: Node) -> list[Node]:
        """The fields of a clause or conjunct; of a lone field, itself."""
        if node.label in self.fields.fields:
            return [node]
        return [child for child in node.children if child.label in self.fields.fields]

    def _verbal(self, field: Node) -> list[Node]:
        return [child for child in field.children if child.label in self.fields.verbs]

    def _phrases(self, node: Node) -> Iterator[Node]:
        """What stands in the fields of a clause, but its verbs."""
        for field in self._fields(node):
            yield from (child for child in field.children if child.label not in self.fields.verbs)

    def _governor(self, phrase: Node, clause: _Clause) -> int | None:
        function, fields, pointer = phrase.function, self.fields, self.scheme.functions.pointer
        if function in fields.at_finite:
            return clause.finite
        if function == self.scheme.functions.modifier:
            return clause.lowest if phrase.label in fields.low_modifiers else clause.finite
        if function == fields.particle:
            return clause.verbs[0] if clause.verbs else None
        if function in fields.at_lowest:
            return clause.lowest
        if pointer is not None and function.endswith(pointer):
            return self._modified(phrase, function.removesuffix(pointer), clause)
        return clause.finite

    def _modified(self, phrase: Node, target: str, clause: _Clause) -> int | None:
        """The head of the phrase with the function X for X-MOD (of a PX its noun); the nearest before, else after."""
        whole = clause
        while whole.outer is not None:
            whole = whole.outer
        named = [other for other in self._all_phrases(whole.node) if other.function == target and other != phrase]
        if not named:
            return clause.lowest
        before = [other for other in named if other.start < phrase.start]
        return nominal_head(before[-1] if before else named[0], self.scheme)

    def _all_phrases(self, node: Node) -> Iterator[Node]:
        """Also in the conjuncts of fields."""
        yield from self._phrases(node)
        for child in node.children:
            if child.label in (self.fields.coordination, self.fields.conjunct):
                yield from self._all_phrases(child)


NO_LABEL = "--"
"""Of arcs without a function, as export files write it."""


def to_dependencies(trees: Iterable[PhraseTree], scheme: Scheme | str, *, name: str = "<dependencies>") -> Treebank:
    """A treebank with a tree for each phrase tree: one root, no circle, functions as deprel and tags as XPOS."""
    annotated = known_scheme(scheme)
    return from_drafts((_draft(tree, annotated) for tree in trees), name=name)


def single_rooted(tree: PhraseTree, scheme: Scheme | str) -> list[Arc]:
    """As `arcs`, with one root: what else hangs at the virtual root depends on the head of the largest tree there."""
    annotated = known_scheme(scheme)
    marks = annotated.tags.punctuation
    rooted = arcs(tree, annotated)
    tops = [node for node in tree.top if not _is_punctuation(node, annotated)] or list(tree.top)
    main = max(tops, key=lambda node: (node.mask.bit_count(), -node.start))
    root = head_token(main, annotated)
    governing = {governor for governor, _ in rooted}
    for token, (governor, label) in enumerate(rooted):
        if token == root:
            rooted[token] = (ROOT, "root")
        elif tree.tags[token] in marks and token not in governing:
            rooted[token] = (root, "punct")
        elif governor == ROOT:
            rooted[token] = (root, label)
    return rooted


def arcs(tree: PhraseTree, scheme: Scheme | str) -> list[Arc]:
    """The governor of every token and the function; ROOT for each head of what hangs at the virtual root."""
    annotated = known_scheme(scheme)
    plain = _projected(tree, annotated)
    if annotated.fields is None:
        return plain

    return _without_circles(through_fields(tree, plain, annotated), plain)


def chained(children: Sequence[Node], scheme: Scheme) -> list[tuple[Node, Node]]:
    """Pairs of a conjunct or conjunction and what it depends on: the one before it. Empty if nothing is coordinated."""
    functions, tags = scheme.functions, scheme.tags
    if sum(child.function == functions.conjunct for child in children) < 2:
        return []
    links: list[tuple[Node, Node]] = []
    before: Node | None = None
    for child in children:
        joins = child.function == functions.conjunction or (child.is_token and child.label in tags.conjunctions)
        if child.function == functions.conjunct or (joins and before is not None):
            if before is not None:
                links.append((child, before))
            before = child
    return links


def _projected(tree: PhraseTree, scheme: Scheme) -> list[Arc]:
    """Each token depends on the head of the lowest phrase that it does not head itself."""
    heads = tree_heads(tree, scheme)
    projected: list[Arc] = [(ROOT, NO_LABEL)] * len(tree)
    for node in tree.top:
        projected[heads[node.number]] = (ROOT, node.function or NO_LABEL)
    for node in tree.inner:
        children, head = node.children, head_child(node, scheme)
        before = {child.number: other.number for child, other in chained(children, scheme)}
        for child in children:
            if child != head:
                governor = before.get(child.number, head.number)
                projected[heads[child.number]] = (heads[governor], child.function or NO_LABEL)
    return projected


def _without_circles(arcs: list[Arc], plain: Sequence[Arc]) -> list[Arc]:
    """Where arcs through fields run in a circle (in odd trees of parsers), those of the projection stand for them."""
    while circle := _circle(arcs):
        for token in circle:
            arcs[token] = plain[token]
    return arcs


def _circle(arcs: Sequence[Arc]) -> list[int]:
    done: set[int] = set()
    for token in range(len(arcs)):
        path: list[int] = []
        while token != ROOT and token not in done:
            if token in path:
                return path[path.index(token) :]
            path.append(token)
            token = arcs[token][0]
        done.update(path)
    return []


def _is_punctuation(node: Node, scheme: Scheme) -> bool:
    return all(node.tree.tags[token] in scheme.tags.punctuation for token in node.positions)


def _draft(tree: PhraseTree, scheme: Scheme) -> Draft:
    words = []
    lemmas = tree.lemmas or ("_",) * len(tree)
    for token, (governor, label) in enumerate(single_rooted(tree, scheme)):
        lemma = lemmas[token] or "_"
        word = Word(tree.words[token], lemma, xpos=tree.tags[token] or "_", head=governor + 1, deprel=label)
        words.append(word)
    comments = [f"sent_id = {tree.sent_id}"] if tree.sent_id else []
    return Draft(words, comments=comments)


NO_VALUE = "_"


def from_sentence(sentence: Sentence) -> PhraseTree:
    """A dependency tree as phrases; an error for what is not a tree.

    >>> import gardenpath as gp
    >>> from gardenpath.phrase.formats.notation import to_notation
    >>> to_notation(from_sentence(gp.read("bundled:en-test")[0]))[:60]
    '(VERB:root (NOUN:nsubj (DET:det The) (ADJ:amod old) (NOUN:he'
    """
    if not sentence.is_tree:
        where = f"sentence {sentence.sent_id or sentence.number + 1}"
        raise InputError("this is not a dependency tree", where=where, todo="gardenpath treebank validate says why")
    words = sentence.words
    return from_arcs(
        [word.form for word in words], [word.upos for word in words],
        [head - 1 if head else ROOT for head in sentence.heads.tolist()], [word.deprel for word in words],
        lemmas=[word.lemma for word in words], morphs=[format_feats(word.feats) for word in words],
        sent_id=sentence.sent_id,
    )  # fmt: skip


def from_arcs(
    words: Sequence[str], tags: Sequence[str], governors: Sequence[int], labels: Sequence[str], **more: Any
) -> PhraseTree:
    """The phrases of a tree whose words have these governors (ROOT of the root); `more` as `grown` takes it."""
    governing = sorted({governor for governor in governors if governor != ROOT})
    phrase = {word: len(words) + place for place, word in enumerate(governing)}  # of each word with dependants

    def under(governor: int) -> int:
        return ROOT if governor == ROOT else phrase[governor]

    mothers = [phrase.get(word, under(governor)) for word, governor in enumerate(governors)]
    functions = [UD.functions.head if word in phrase else label for word, label in enumerate(labels)]
    mothers += [under(governors[word]) for word in governing]
    functions += [labels[word] for word in governing]
    return grown(words, tags, [tags[word] for word in governing], functions, mothers, **more)


def arcs_of(tree: PhraseTree) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The governor of each word (ROOT of the root) and the label of its arc."""
    heads = tree_heads(tree, UD)
    governors, labels = list[int](), list[str]()
    for word in range(len(tree)):
        top = word
        while (mother := tree.mothers[top]) != ROOT and heads[mother] == word:
            top = mother
        governors.append(ROOT if mother == ROOT else heads[mother])
        labels.append(tree.functions[top])
    return tuple(governors), tuple(labels)


def to_treebank(trees: Iterable[PhraseTree], *, name: str = "<dependencies>") -> Treebank:
    """The dependency trees of phrases that were made of them."""
    return from_drafts(map(_drafted, trees), name=name)


def _drafted(tree: PhraseTree) -> Draft:
    governors, labels = arcs_of(tree)
    lemmas, morphs = (column or (NO_VALUE,) * len(tree) for column in (tree.lemmas, tree.morphs))
    words = [
        Word(tree.words[at], lemmas[at] or NO_VALUE, tree.tags[at] or NO_VALUE, feats=parse_feats(morphs[at]),
             head=governors[at] + 1, deprel=labels[at] or NO_VALUE)
        for at in range(len(tree))
    ]  # fmt: skip
    return Draft(words, comments=[f"sent_id = {tree.sent_id}"] if tree.sent_id else [])


SUBJECTS = frozenset({"nsubj", "csubj"})
_HELPERS = frozenset({"aux", "cop"})
"""Function words that may be the finite verb of a clause whose head is another word."""
_CLAUSAL = frozenset({"root", "conj", "ccomp", "xcomp", "csubj", "advcl", "acl", "parataxis"})
"""What the head of a clause may be."""


@dataclass(frozen=True)
class Arcs:
    """Who governs whom. Labels are compared without their subtypes."""

    tree: PhraseTree

    @cached_property
    def _columns(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        return arcs_of(self.tree)

    @property
    def governors(self) -> tuple[int, ...]:
        return self._columns[0]

    def label(self, word: int) -> str:
        return universal(self._columns[1][word])

    def dependants(self, word: int, *labels: str) -> list[int]:
        """The words that depend on this one; `labels`: with one of these."""
        there = [at for at, governor in enumerate(self.governors) if governor == word]
        return [at for at in there if not labels or self.label(at) in labels]

    @cached_property
    def below(self) -> tuple[int, ...]:
        """Each word with all words below it, as bits."""
        masks = [1 << word for word in range(len(self.tree))]
        for word in range(len(self.tree)):
            for above in self.above(word):
                masks[above] |= 1 << word
        return tuple(masks)

    def above(self, word: int) -> list[int]:
        """The governor, its governor, and so on."""
        chain = list[int]()
        while (word := self.governors[word]) != ROOT:
            chain.append(word)
        return chain

    def over(self, first: int, second: int) -> int:
        """The lowest word that has both below it, or is one of them; ROOT if there is none."""
        both = 1 << first | 1 << second
        return next((word for word in (first, *self.above(first)) if self.below[word] & both == both), ROOT)

    def lifted(self, word: int) -> int:
        """The first conjunct, whose arc stands for the whole coordination."""
        while self.label(word) == "conj" and self.governors[word] != ROOT:
            word = self.governors[word]
        return word

    def clause_of(self, verb: int) -> int:
        """The head of the clause of a finite verb: what an auxiliary or copula depends on, else the verb itself."""
        helped = self.governors[verb]
        return helped if self.label(verb) in _HELPERS and helped != ROOT else verb

    def lost_verb(self, verb: int) -> str:
        """Why a word is no finite verb of a clause here; empty if it is one. What is not tagged is not asked."""
        tag, word = self.tree.tags[verb], f"*{self.tree.words[verb]}*"
        if tag not in ("VERB", "AUX", "_", ""):
            return f"{word} is tagged {tag}"
        form = parse_feats(self.tree.morphs[verb] if self.tree.morphs else "_").get("VerbForm", "Fin")
        if form != "Fin":
            return f"{word} is tagged as VerbForm={form}"
        label = self.label(self.clause_of(verb))
        return "" if label in _CLAUSAL else f"{word} is {label or 'nothing'}, no head of a clause"
