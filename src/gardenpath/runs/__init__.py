"""Where and how work is done: signature, run record, result cache, processes, cluster."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
