"""Public data by name: registry, download, store, mirror; and the samples that come with the package."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .bundle import bundled as bundled
    from .bundle import bundled_names as bundled_names
    from .download import Progress as Progress
    from .registry import Record as Record
    from .registry import cite as cite
    from .registry import find as find
    from .registry import records as records
    from .store import Fetched as Fetched
    from .store import fetch as fetch
    from .store import get as get
    from .store import locate as locate
    from .store import whereabouts as whereabouts

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "bundle": ["bundled", "bundled_names"],
        "download": ["Progress"],
        "registry": ["Record", "cite", "find", "records"],
        "store": ["Fetched", "fetch", "get", "locate", "whereabouts"],
    },
)
