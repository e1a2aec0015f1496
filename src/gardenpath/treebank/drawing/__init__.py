"""Dependency trees as people look at them: on a terminal, as SVG, in LaTeX; alone or beside another analysis."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .terminal import drawn as drawn
    from .terminal import drawn_difference as drawn_difference
    from .tree import Tree as Tree
    from .tree import Word as Word

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {"terminal": ["drawn", "drawn_difference"], "tree": ["Tree", "Word"]}
)
