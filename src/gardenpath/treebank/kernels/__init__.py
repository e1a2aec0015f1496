"""Tree kernels: how many fragments two trees share, exactly and for many trees at once."""

from ..._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
