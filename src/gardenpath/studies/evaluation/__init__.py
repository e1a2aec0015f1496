"""How good is a parser on gold trees? The CoNLL 2018 metrics, where the errors are, and how sure that is."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .breakdown import by_group as by_group
    from .breakdown import confusions as confusions
    from .comparison import compare as compare
    from .examples import find_examples as find_examples
    from .settings import GROUPINGS as GROUPINGS
    from .settings import EvaluationSettings as EvaluationSettings
    from .study import EVALUATION as EVALUATION
    from .study import observations as observations

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "breakdown": ["by_group", "confusions"],
        "comparison": ["compare"],
        "examples": ["find_examples"],
        "settings": ["GROUPINGS", "EvaluationSettings"],
        "study": ["EVALUATION", "observations"],
    },
)
