"""N-gram models: interpolated modified Kneser-Ney trained from counts, ARPA in and out, scoring by back-off."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .arpa import read_arpa as read_arpa
    from .arpa import write_arpa as write_arpa
    from .counts import Counts as Counts
    from .counts import count as count
    from .encode import Corpus as Corpus
    from .encode import encoded as encoded
    from .kneser_ney import Discounts as Discounts
    from .kneser_ney import Estimate as Estimate
    from .kneser_ney import estimate as estimate
    from .model import BackoffModel as BackoffModel
    from .model import Level as Level

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "arpa": ["read_arpa", "write_arpa"],
        "counts": ["Counts", "count"],
        "encode": ["Corpus", "encoded"],
        "kneser_ney": ["Discounts", "Estimate", "estimate"],
        "model": ["BackoffModel", "Level"],
    },
)
