"""Deepened TIGER, as in SQUOIA and SMULTRON, made plain again.

Deepened trees give every argument and adverbial a phrase, `(NP:SB (PPER:HD))`, noun phrases a head, and prepositional
phrases an NP: `(PP (APPR:HD) (NP:NK (ART:NK) (NN:HD)))`. Plain TIGER has `(PPER:SB)`, flat noun phrases of NK, and
`(PP (APPR:AC) (ART:NK) (NN:NK))`.
"""

from __future__ import annotations

from .schemes.tiger import TIGER
from .tree import ROOT, PhraseTree
from .tree_edits import spliced

_CATEGORIES, _FUNCTIONS = TIGER.categories, TIGER.functions
_PHRASES = frozenset({"NP", "AP", "AVP"})
_HEADS = {_CATEGORIES.noun_phrase: _FUNCTIONS.noun_element, _CATEGORIES.prepositional: _FUNCTIONS.preposition}
"""What plain TIGER calls the child that deepened trees call the head."""


def plain(tree: PhraseTree) -> PhraseTree:
    """Phrases of one child dissolved, NP in PP dissolved, HD of NP called NK and HD of PP called AC.

    The only child takes over the function and the secondary edges of its phrase, the PP those of its NP.
    """
    size = len(tree)
    functions = list(tree.functions)
    labels = (*tree.tags, *tree.labels)
    gone: dict[int, int] = {}
    for node in range(len(tree.mothers) - 1, size - 1, -1):  # mothers first: functions are handed down
        children, label, mother = tree.children[node], labels[node], tree.mothers[node]
        only = children[0] if len(children) == 1 else None
        if only is not None and _needless(label, labels[only], tree.functions[only]):
            functions[only] = functions[node]
            gone[node] = only
            continue
        in_phrase = functions[node] == _FUNCTIONS.noun_element and mother != ROOT
        if in_phrase and label == _CATEGORIES.noun_phrase and labels[mother] == _CATEGORIES.prepositional:
            gone[node] = mother
        head = _HEADS.get(label)
        for child in children:
            if head is not None and tree.functions[child] == _FUNCTIONS.head:
                functions[child] = head
    return spliced(tree, set(gone), functions, gone)


def _needless(label: str, child: str, function: str) -> bool:
    """Does plain TIGER have no node here? A VP over one infinitive with *zu* is such a case, too."""
    is_only_part = function in (_FUNCTIONS.head, _FUNCTIONS.noun_element)
    return (label in _PHRASES and is_only_part) or (label == "VP" and child == "VZ")
