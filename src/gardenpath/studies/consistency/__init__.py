"""Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .answered import VariantAnswer as VariantAnswer
    from .answered import VariantAnswers as VariantAnswers
    from .answered import answers as answers
    from .asked import AskedVariants as AskedVariants
    from .asked import Case as Case
    from .asked import ask as ask
    from .judging import JudgedBatch as JudgedBatch
    from .judging import judge as judge
    from .observed import observations as observations
    from .observed import trees as trees
    from .parts import ConsistencyPart as ConsistencyPart
    from .parts import JudgedVariants as JudgedVariants
    from .remedies import REMEDIES as REMEDIES
    from .settings import ConsistencySettings as ConsistencySettings
    from .settings import RemediesSettings as RemediesSettings
    from .study import CONSISTENCY as CONSISTENCY

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "answered": ["VariantAnswer", "VariantAnswers", "answers"],
        "asked": ["AskedVariants", "Case", "ask"],
        "judging": ["JudgedBatch", "judge"],
        "observed": ["observations", "trees"],
        "parts": ["ConsistencyPart", "JudgedVariants"],
        "remedies": ["REMEDIES"],
        "settings": ["ConsistencySettings", "RemediesSettings"],
        "study": ["CONSISTENCY"],
    },
)
