"""Annotation schemes of phrase trees: an object each, with its labels, its head rules, and how trees show it."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .model import Categories as Categories
    from .model import Fields as Fields
    from .model import Functions as Functions
    from .model import Scheme as Scheme
    from .model import Tags as Tags
    from .registry import SCHEMES as SCHEMES
    from .registry import scheme as scheme
    from .registry import scheme_of as scheme_of
    from .registry import schemes as schemes
    from .registry import title_of as title_of
    from .rules import HeadRules as HeadRules
    from .rules import Rule as Rule

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "model": ["Categories", "Fields", "Functions", "Scheme", "Tags"],
        "registry": ["SCHEMES", "scheme", "scheme_of", "schemes", "title_of"],
        "rules": ["HeadRules", "Rule"],
    },
)
