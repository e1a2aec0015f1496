"""Generated German sentences in TIGER, TüBa-D/Z and UD at once, with the constructions that are in them."""

from typing import TYPE_CHECKING

from ...._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .phenomena import PLANS as PLANS
    from .treebank import MIX as MIX
    from .treebank import GeneratedTreebank as GeneratedTreebank
    from .treebank import Made as Made
    from .treebank import generate as generate

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "phenomena": ["PLANS"],
        "treebank": ["MIX", "GeneratedTreebank", "Made", "generate"],
    },
)
