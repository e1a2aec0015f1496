"""Constructions in gold phrase trees: found by rule in either scheme, drawn into suites, read and written."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .model import Construction as Construction
    from .model import ConstructionItem as ConstructionItem
    from .model import ConstructionSuite as ConstructionSuite

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {"model": ["Construction", "ConstructionItem", "ConstructionSuite"]},
)
