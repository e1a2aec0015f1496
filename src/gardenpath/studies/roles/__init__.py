"""Does a parser find subject and object (or the head of a PP), and which property of the sentence makes it fail?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .arcs import GoldArcs as GoldArcs
    from .arcs import JudgedArcs as JudgedArcs
    from .arcs import judge as judge
    from .clauses import Clauses as Clauses
    from .clauses import clauses_of as clauses_of
    from .confusion import KINDS as KINDS
    from .deltas import pair_deltas as pair_deltas
    from .examples import find_examples as find_examples
    from .observed import clause_observations as clause_observations
    from .observed import observations as observations
    from .settings import GROUPINGS as GROUPINGS
    from .settings import RolesSettings as RolesSettings
    from .settings import WordOrderSettings as WordOrderSettings
    from .study import ROLES as ROLES
    from .word_order import WORD_ORDER as WORD_ORDER

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "arcs": ["GoldArcs", "JudgedArcs", "judge"],
        "examples": ["find_examples"],
        "clauses": ["Clauses", "clauses_of"],
        "confusion": ["KINDS"],
        "deltas": ["pair_deltas"],
        "observed": ["clause_observations", "observations"],
        "settings": ["GROUPINGS", "RolesSettings", "WordOrderSettings"],
        "study": ["ROLES"],
        "word_order": ["WORD_ORDER"],
    },
)
