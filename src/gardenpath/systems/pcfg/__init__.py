"""Treebank PCFGs: markovised and smoothed grammars, unknown words by shape and ending, exact CKY and k-best trees."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .model import PCFG as PCFG
    from .model import learn as learn

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "model": ["PCFG", "learn"],
    },
)
