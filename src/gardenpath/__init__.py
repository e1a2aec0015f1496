"""gardenpath: which grammar does a parser or a language model really know?

Studies, which take names or objects and return a `StudyResult`: `evaluate`, `roles`, `word_order`, `constructions`,
`surprisal`, `joint`, `judge`, `logs`, `displacement`, `consistency`, `remedies`. Around them: `read`, `read_suite`,
`search`, `train`, `parse`, `score`, `split`, `folds`, `overlap`, `diff`, `validate`, `show`, `compare`, `check`,
`gate`, `card`, `verify`, `report`, `export`, `reproduce`, `plan`, `run_plan`, `collect`, `systems`, `data`.
"""

from ._lazy import lazy_exports
from ._version import __version__ as __version__

TYPE_CHECKING = False  # as in _lazy
if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from . import data as data
    from . import report as report
    from . import systems as systems
    from .errors import GardenpathError as GardenpathError
    from .library.card import card as card
    from .library.export import export as export
    from .library.plans import collect as collect
    from .library.plans import plan as plan
    from .library.plans import run_plan as run_plan
    from .library.result import StudyResult as StudyResult
    from .library.run_tools import check as check
    from .library.run_tools import compare as compare
    from .library.run_tools import gate as gate
    from .library.run_tools import reproduce as reproduce
    from .library.run_tools import verify as verify
    from .library.studies import consistency as consistency
    from .library.studies import constructions as constructions
    from .library.studies import displacement as displacement
    from .library.studies import displacement_collection as displacement_collection
    from .library.studies import displacement_experiment as displacement_experiment
    from .library.studies import evaluate as evaluate
    from .library.studies import joint as joint
    from .library.studies import judge as judge
    from .library.studies import logs as logs
    from .library.studies import remedies as remedies
    from .library.studies import roles as roles
    from .library.studies import study_on as study_on
    from .library.studies import surprisal as surprisal
    from .library.studies import word_order as word_order
    from .library.tools import diff as diff
    from .library.tools import folds as folds
    from .library.tools import overlap as overlap
    from .library.tools import parse as parse
    from .library.tools import read_suite as read_suite
    from .library.tools import score as score
    from .library.tools import search as search
    from .library.tools import show as show
    from .library.tools import split as split
    from .library.tools import validate as validate
    from .runs.where import Where as Where
    from .systems.training import train as train
    from .treebank import Draft as Draft
    from .treebank import Node as Node
    from .treebank import Sentence as Sentence
    from .treebank import Treebank as Treebank
    from .treebank import Word as Word
    from .treebank import concatenate as concatenate
    from .treebank import from_drafts as from_drafts
    from .treebank import read as read
    from .treebank import read_each as read_each

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "errors": ["GardenpathError"],
        "library.card": ["card"],
        "library.export": ["export"],
        "library.plans": ["collect", "plan", "run_plan"],
        "library.result": ["StudyResult"],
        "library.run_tools": ["check", "compare", "gate", "reproduce", "verify"],
        "library.studies": [
            "consistency",
            "constructions",
            "displacement",
            "displacement_collection",
            "displacement_experiment",
            "evaluate",
            "joint",
            "judge",
            "logs",
            "remedies",
            "roles",
            "study_on",
            "surprisal",
            "word_order",
        ],
        "library.tools": [
            "diff",
            "folds",
            "overlap",
            "parse",
            "read_suite",
            "score",
            "search",
            "show",
            "split",
            "validate",
        ],
        "runs.where": ["Where"],
        "systems.training": ["train"],
        "treebank": [
            "Draft",
            "Node",
            "Sentence",
            "Treebank",
            "Word",
            "concatenate",
            "from_drafts",
            "read",
            "read_each",
        ],
    },
    packages=("data", "report", "systems"),
)
