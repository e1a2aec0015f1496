"""Where content from outside comes in: depth, size, encoding and numbers are bounded, and every fault is our error."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
