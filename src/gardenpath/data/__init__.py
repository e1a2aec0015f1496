"""Public data by name: registry, download, store, mirror; and the samples that come with the package.

Called, it gives the place of data by name (fetched if it is not here), or without a name all records.

>>> import gardenpath as gp
>>> gp.data("bundled:de-test").name
'de_garden-test.conllu'
>>> [record.name for record in gp.data() if "surprisal" in record.name or record.name == "sorts"]
['sorts']
"""

from typing import TYPE_CHECKING

from .._lazy import callable_package, lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .bundle import bundled as bundled
    from .bundle import bundled_names as bundled_names
    from .download import Progress as Progress
    from .record import Record as Record
    from .registry import cite as cite
    from .registry import find as find
    from .registry import is_data_name as is_data_name
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
        "record": ["Record"],
        "registry": ["cite", "find", "is_data_name", "records"],
        "store": ["Fetched", "fetch", "get", "locate", "whereabouts"],
    },
)
callable_package(__name__, "gardenpath.data.names:data_called")
