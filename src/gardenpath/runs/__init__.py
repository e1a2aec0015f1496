"""Where and how work is done: signature, run record, result cache, processes, cluster."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .observations import read_observations as read_observations
    from .record import Run as Run

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "observations": ["read_observations"],
        "record": ["Run"],
    },
)
