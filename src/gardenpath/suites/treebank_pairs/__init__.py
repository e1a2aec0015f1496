"""Minimal pairs by morphology from any UD treebank: agreement of subject and verb or determiner and noun, and case."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .making import pairs_from_treebank as pairs_from_treebank

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "making": ["pairs_from_treebank"],
    },
)
