"""Models of Transformers: causal ones by a trie of beginnings, masked ones by pseudo-log-likelihood."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .options import Options as Options
    from .system import HFModel as HFModel

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {"options": ["Options"], "system": ["HFModel"]},
)
