"""Tree kernels: how many fragments two trees share, exactly and for many trees at once."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .gram import Gram as Gram
    from .kernel import KINDS as KINDS
    from .kernel import TreeKernel as TreeKernel
    from .shapes import ORDERS as ORDERS
    from .shapes import SHAPES as SHAPES
    from .shapes import kernel_trees as kernel_trees
    from .sharing import Forest as Forest
    from .sharing import equal_classes as equal_classes
    from .sharing import from_nested as from_nested

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "gram": ["Gram"],
        "kernel": ["KINDS", "TreeKernel"],
        "shapes": ["ORDERS", "SHAPES", "kernel_trees"],
        "sharing": ["Forest", "equal_classes", "from_nested"],
    },
)
