"""Phrase-structure trees with functions, gaps and secondary edges: formats, transformations, heads, PARSEVAL."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .notation import from_notation as from_notation
    from .notation import to_notation as to_notation
    from .raising import raised as raised
    from .source import read as read
    from .source import stream as stream
    from .source import write as write
    from .splitting import merged as merged
    from .tree import ROOT as ROOT
    from .tree import PhraseTree as PhraseTree
    from .tree import grown as grown

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "notation": ["from_notation", "to_notation"],
        "raising": ["raised"],
        "source": ["read", "stream", "write"],
        "splitting": ["merged"],
        "tree": ["ROOT", "PhraseTree", "grown"],
    },
)
