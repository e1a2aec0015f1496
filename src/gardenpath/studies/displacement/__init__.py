"""How far is test from training data, and does that explain the score? (EDV: Anderson and Gómez-Rodríguez 2022)."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .collection import Collection as Collection
    from .collection import measure_collection as measure_collection
    from .las import read_scores as read_scores
    from .pair import measure_pair as measure_pair
    from .pair import pair_study as pair_study
    from .study import collection_study as collection_study

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "collection": ["Collection", "measure_collection"],
        "las": ["read_scores"],
        "pair": ["measure_pair", "pair_study"],
        "study": ["collection_study"],
    },
)
