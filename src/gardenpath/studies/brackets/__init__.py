"""How good is a phrase parser on gold trees? PARSEVAL, leaf-ancestor and dependencies, and how sure that is."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .breakdown import by_group as by_group
    from .kept import observations as observations
    from .scores import MEASURES as MEASURES
    from .scores import BracketScores as BracketScores
    from .scores import bracket_scores as bracket_scores
    from .settings import GROUPINGS as GROUPINGS
    from .settings import BracketSettings as BracketSettings
    from .study import BRACKETS as BRACKETS

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "breakdown": ["by_group"],
        "kept": ["observations"],
        "scores": ["MEASURES", "BracketScores", "bracket_scores"],
        "settings": ["GROUPINGS", "BracketSettings"],
        "study": ["BRACKETS"],
    },
)
