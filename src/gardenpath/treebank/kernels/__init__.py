"""Tree kernels: how many fragments two trees share, exactly and for many trees at once."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .kernel import TreeKernel as TreeKernel
    from .shapes import kernel_trees as kernel_trees
    from .sharing import equal_classes as equal_classes

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "kernel": ["TreeKernel"],
        "shapes": ["kernel_trees"],
        "sharing": ["equal_classes"],
    },
)
