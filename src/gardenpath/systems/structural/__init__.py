"""Models of words and trees: oracles, RNNG and parsing-as-language-modelling, word-synchronous beam search."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .actions import Inventory as Inventory
    from .oracle import Oracle as Oracle
    from .oracle import oracle_of as oracle_of
    from .oracle import oracles as oracles
    from .oracle import tree_of as tree_of
    from .projection import Projected as Projected
    from .projection import projected as projected

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "actions": ["Inventory"],
        "oracle": ["Oracle", "oracle_of", "oracles", "tree_of"],
        "projection": ["Projected", "projected"],
    },
)
