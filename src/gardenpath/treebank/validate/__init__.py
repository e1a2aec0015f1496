"""Everything that can be wrong with a CoNLL-U file: one small check per problem, also for files no reader takes."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .registry import Problem as Problem
    from .report import as_result as as_result
    from .report import check_list as check_list
    from .report import checks as checks
    from .report import survey as survey
    from .report import validate as validate
    from .report import validate_bytes as validate_bytes

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "registry": ["Problem"],
        "report": ["as_result", "check_list", "checks", "survey", "validate", "validate_bytes"],
    },
)
