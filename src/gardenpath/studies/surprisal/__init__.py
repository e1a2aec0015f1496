"""Does a language model expect what the grammar demands, also across intervening material?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .observed import observations as observations
    from .scores import SuiteScores as SuiteScores
    from .settings import GROUPINGS as GROUPINGS
    from .settings import TIES as TIES
    from .settings import TOKENS as TOKENS
    from .settings import SurprisalSettings as SurprisalSettings
    from .study import SURPRISAL as SURPRISAL
    from .study import JudgedSurprisal as JudgedSurprisal

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "observed": ["observations"],
        "scores": ["SuiteScores"],
        "settings": ["GROUPINGS", "TIES", "TOKENS", "SurprisalSettings"],
        "study": ["SURPRISAL", "JudgedSurprisal"],
    },
)
