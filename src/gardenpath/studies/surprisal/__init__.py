"""Does a language model expect what the grammar demands, also across intervening material?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .entrants import Entrant as Entrant
    from .observed import observations as observations
    from .outcomes import TIES as TIES
    from .regions import TOKENS as TOKENS
    from .study import GROUPINGS as GROUPINGS
    from .study import Judged as Judged
    from .study import judge as judge
    from .study import surprisal as surprisal

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "entrants": ["Entrant"],
        "observed": ["observations"],
        "outcomes": ["TIES"],
        "regions": ["TOKENS"],
        "study": ["GROUPINGS", "Judged", "judge", "surprisal"],
    },
)
