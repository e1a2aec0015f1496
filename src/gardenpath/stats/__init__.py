"""Numbers in, numbers out: intervals and paired tests on counts. Knows no linguistics."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .corrections import holm as holm
    from .resample import Interval as Interval
    from .resample import Paired as Paired
    from .resample import bootstrap_ratio as bootstrap_ratio
    from .resample import draw_weights as draw_weights
    from .resample import paired_bootstrap as paired_bootstrap
    from .resample import paired_randomisation as paired_randomisation

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "corrections": ["holm"],
        "resample": [
            "Interval",
            "Paired",
            "bootstrap_ratio",
            "draw_weights",
            "paired_bootstrap",
            "paired_randomisation",
        ],
    },
)
