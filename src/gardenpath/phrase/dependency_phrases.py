"""Dependency trees written as phrase trees, and back: a word with its dependants is a phrase, wherever they stand.

The category is the word's part of speech, the function the label of its arc; the word itself has the function `head`.
No arc is lost, and crossing arcs are gaps. Lemmas and features are kept, other columns are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import InputError
from ..treebank import Draft, Treebank, Word, from_drafts
from ..treebank.fields import format_feats, parse_feats
from ..treebank.sentence import Sentence
from .heads import tree_heads
from .schemes.ud import HEAD, UD
from .tree import ROOT, PhraseTree, grown

NO_VALUE = "_"


def from_sentence(sentence: Sentence) -> PhraseTree:
    """A dependency tree as phrases; an error for what is not a tree.

    >>> import gardenpath as gp
    >>> from gardenpath.phrase.notation import to_notation
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
    functions = [HEAD if word in phrase else label for word, label in enumerate(labels)]
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
    return from_drafts(map(_draft, trees), name=name)


def _draft(tree: PhraseTree) -> Draft:
    governors, labels = arcs_of(tree)
    lemmas, morphs = (column or (NO_VALUE,) * len(tree) for column in (tree.lemmas, tree.morphs))
    words = [
        Word(tree.words[at], lemmas[at] or NO_VALUE, tree.tags[at] or NO_VALUE, feats=parse_feats(morphs[at]),
             head=governors[at] + 1, deprel=labels[at] or NO_VALUE)
        for at in range(len(tree))
    ]  # fmt: skip
    return Draft(words, comments=[f"sent_id = {tree.sent_id}"] if tree.sent_id else [])
