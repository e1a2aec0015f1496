"""Dependency treebanks, stored in columns: read, write, validate, views, measures of a tree."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .alignment import Alignment as Alignment
    from .alignment import align as align
    from .build import from_drafts as from_drafts
    from .draft import Draft as Draft
    from .draft import Span as Span
    from .draft import Word as Word
    from .measures import Measures as Measures
    from .measures import measure as measure
    from .node import Node as Node
    from .node import Token as Token
    from .pair import Pair as Pair
    from .pool import Column as Column
    from .scores import METRICS as METRICS
    from .scores import Scores as Scores
    from .scores import score as score
    from .sentence import Sentence as Sentence
    from .source import read as read
    from .source import read_each as read_each
    from .tree import crossings as crossings
    from .tree import cyclic_mask as cyclic_mask
    from .tree import depths as depths
    from .tree import possible_crossings as possible_crossings
    from .tree import projective_mask as projective_mask
    from .tree import root_counts as root_counts
    from .tree import tree_mask as tree_mask
    from .treebank import Treebank as Treebank
    from .treebank import concatenate as concatenate

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "alignment": ["Alignment", "align"],
        "build": ["from_drafts"],
        "draft": ["Draft", "Span", "Word"],
        "measures": ["Measures", "measure"],
        "node": ["Node", "Token"],
        "pair": ["Pair"],
        "pool": ["Column"],
        "scores": ["METRICS", "Scores", "score"],
        "sentence": ["Sentence"],
        "source": ["read", "read_each"],
        "treebank": ["Treebank", "concatenate"],
        "tree": [
            "crossings",
            "cyclic_mask",
            "depths",
            "possible_crossings",
            "projective_mask",
            "root_counts",
            "tree_mask",
        ],
    },
)
