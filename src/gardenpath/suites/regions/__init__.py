"""Suites of regions (SyntaxGym, the Mandarin suites, files of pairs): read, write, convert, check."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .reader import read_region_suites as read_region_suites

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "reader": ["read_region_suites"],
    },
)
