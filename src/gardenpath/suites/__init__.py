"""Suites of roles, of regions and of constructions: read, write, convert, check."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
