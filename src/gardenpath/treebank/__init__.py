"""Dependency treebanks, stored in columns: read, write, validate, views, measures of a tree."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .build import from_drafts as from_drafts
    from .draft import Draft as Draft
    from .draft import Word as Word
    from .measures import measure as measure
    from .node import Node as Node
    from .scores import score as score
    from .sentence import Sentence as Sentence
    from .source import read as read
    from .source import read_each as read_each
    from .tree import crossings as crossings
    from .tree import depths as depths
    from .tree import tree_mask as tree_mask
    from .treebank import Treebank as Treebank
    from .treebank import concatenate as concatenate

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "build": ["from_drafts"],
        "draft": ["Draft", "Word"],
        "measures": ["measure"],
        "node": ["Node"],
        "scores": ["score"],
        "sentence": ["Sentence"],
        "source": ["read", "read_each"],
        "treebank": ["Treebank", "concatenate"],
        "tree": ["crossings", "depths", "tree_mask"],
    },
)
