"""Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .settings import ConsistencySettings as ConsistencySettings
    from .study import CONSISTENCY as CONSISTENCY

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "settings": ["ConsistencySettings"],
        "study": ["CONSISTENCY"],
    },
)
