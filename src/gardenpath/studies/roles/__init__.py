"""Does a parser find subject and object (or the head of a PP), and which property of the sentence makes it fail?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .arcs import GoldArcs as GoldArcs
    from .arcs import Judged as Judged
    from .arcs import judge as judge
    from .clauses import Clauses as Clauses
    from .clauses import clauses_of as clauses_of
    from .confusion import KINDS as KINDS
    from .deltas import pair_deltas as pair_deltas
    from .examples import find_examples as find_examples
    from .observed import clause_observations as clause_observations
    from .observed import observations as observations
    from .study import GROUPINGS as GROUPINGS
    from .study import roles as roles
    from .view import treebank_view as treebank_view

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "arcs": ["GoldArcs", "Judged", "judge"],
        "examples": ["find_examples"],
        "clauses": ["Clauses", "clauses_of"],
        "confusion": ["KINDS"],
        "deltas": ["pair_deltas"],
        "observed": ["clause_observations", "observations"],
        "study": ["GROUPINGS", "roles"],
        "view": ["treebank_view"],
    },
)
