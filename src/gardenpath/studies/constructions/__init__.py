"""Does a parser get the hard constructions, whatever the scheme, and what kind of error does it make?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .examples import find_examples as find_examples
    from .judged import JudgedConstructions as JudgedConstructions
    from .judged import judge_trees as judge_trees
    from .judging import judge as judge
    from .observed import observations as observations
    from .settings import ConstructionsSettings as ConstructionsSettings
    from .study import CONSTRUCTIONS as CONSTRUCTIONS
    from .verdict import CLASSES as CLASSES
    from .verdict import Decisions as Decisions
    from .verdict import Verdict as Verdict
    from .verdict import decisions_from as decisions_from

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "examples": ["find_examples"],
        "judged": ["JudgedConstructions", "judge_trees"],
        "judging": ["judge"],
        "observed": ["observations"],
        "settings": ["ConstructionsSettings"],
        "study": ["CONSTRUCTIONS"],
        "verdict": ["CLASSES", "Decisions", "Verdict", "decisions_from"],
    },
)
