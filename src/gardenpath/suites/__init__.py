"""Suites of the roles study (SORTS, PPATS): read, write, convert, check; minimal pairs."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .conversion import Written as Written
    from .conversion import convert as convert
    from .model import Arc as Arc
    from .model import Arcs as Arcs
    from .model import Item as Item
    from .model import RoleSuite as RoleSuite
    from .pairs import MinimalPair as MinimalPair
    from .reader import detect as detect
    from .reader import read_suite as read_suite
    from .reader import read_suites as read_suites
    from .registry import Problem as Problem
    from .report import check as check
    from .report import checks as checks

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "conversion": ["Written", "convert"],
        "model": ["Arc", "Arcs", "Item", "RoleSuite"],
        "pairs": ["MinimalPair"],
        "reader": ["detect", "read_suite", "read_suites"],
        "registry": ["Problem"],
        "report": ["check", "checks"],
    },
)
