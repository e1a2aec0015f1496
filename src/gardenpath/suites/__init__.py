"""Suites of the roles study (SORTS, PPATS): read, write, convert, check; minimal pairs."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .conversion import convert as convert
    from .reader import read_suite as read_suite
    from .report import check as check

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "conversion": ["convert"],
        "reader": ["read_suite"],
        "report": ["check"],
    },
)
