"""Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?"""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .answered import Answer as Answer
    from .answered import Answers as Answers
    from .answered import answers as answers
    from .asked import Asked as Asked
    from .asked import Case as Case
    from .asked import ask as ask
    from .judging import Judged as Judged
    from .judging import judge as judge
    from .observed import observations as observations
    from .observed import trees as trees
    from .remedies import retraining as retraining
    from .study import Part as Part
    from .study import consistency as consistency

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "answered": ["Answer", "Answers", "answers"],
        "asked": ["Asked", "Case", "ask"],
        "judging": ["Judged", "judge"],
        "observed": ["observations", "trees"],
        "remedies": ["retraining"],
        "study": ["Part", "consistency"],
    },
)
