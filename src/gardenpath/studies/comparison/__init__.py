"""Runs against each other: the same items, paired; and runs against conditions that they must meet."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .conditions import Condition as Condition
    from .conditions import check as check
    from .conditions import parse_condition as parse_condition
    from .gating import Gate as Gate
    from .gating import gate as gate
    from .pairing import Entrant as Entrant
    from .pairing import Judgements as Judgements
    from .pairing import pair as pair
    from .study import compare as compare

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "conditions": ["Condition", "check", "parse_condition"],
        "gating": ["Gate", "gate"],
        "pairing": ["Entrant", "Judgements", "pair"],
        "study": ["compare"],
    },
)
