"""What a person sees: tables in five formats."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .formats import plain as plain
    from .formats import render as render
    from .measures import measure_tables as measure_tables

__getattr__, __dir__, __all__ = lazy_exports(__name__, {"formats": ["plain", "render"], "measures": ["measure_tables"]})
