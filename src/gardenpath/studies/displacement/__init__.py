"""How far is test from training data, and does that explain the score? (EDV: Anderson and Gómez-Rodríguez 2022)."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .collection import MeasuredCollection as MeasuredCollection
    from .collection_study import DISPLACEMENT_COLLECTION as DISPLACEMENT_COLLECTION
    from .experiment import DISPLACEMENT_EXPERIMENT as DISPLACEMENT_EXPERIMENT
    from .las import TreebankScores as TreebankScores
    from .las import read_scores as read_scores
    from .pair import measure_pair as measure_pair
    from .pair_study import DISPLACEMENT_PAIR as DISPLACEMENT_PAIR
    from .settings import CollectionSettings as CollectionSettings
    from .settings import ExperimentSettings as ExperimentSettings
    from .settings import PairSettings as PairSettings

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "collection": ["MeasuredCollection"],
        "collection_study": ["DISPLACEMENT_COLLECTION"],
        "experiment": ["DISPLACEMENT_EXPERIMENT"],
        "las": ["TreebankScores", "read_scores"],
        "pair": ["measure_pair"],
        "pair_study": ["DISPLACEMENT_PAIR"],
        "settings": ["CollectionSettings", "ExperimentSettings", "PairSettings"],
    },
)
