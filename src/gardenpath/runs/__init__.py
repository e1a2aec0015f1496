"""Where and how work is done: signature, run record, result cache, processes, cluster."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .atomic import atomic_writer as atomic_writer
    from .atomic import write_bytes as write_bytes
    from .atomic import write_text as write_text
    from .cache import ResultCache as ResultCache
    from .cluster import Cluster as Cluster
    from .cluster import connect as connect
    from .observations import COLUMNS as COLUMNS
    from .observations import Observations as Observations
    from .observations import read_observations as read_observations
    from .processes import available_cores as available_cores
    from .processes import worker_count as worker_count
    from .record import Run as Run
    from .result import Finding as Finding
    from .result import Result as Result
    from .result import Table as Table
    from .signature import digest as digest
    from .where import Where as Where
    from .work import map_tasks as map_tasks

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "atomic": ["atomic_writer", "write_bytes", "write_text"],
        "cache": ["ResultCache"],
        "cluster": ["Cluster", "connect"],
        "observations": ["COLUMNS", "Observations", "read_observations"],
        "processes": ["available_cores", "worker_count"],
        "record": ["Run"],
        "result": ["Finding", "Result", "Table"],
        "signature": ["digest"],
        "where": ["Where"],
        "work": ["map_tasks"],
    },
)
