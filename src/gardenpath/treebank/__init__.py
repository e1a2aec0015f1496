"""Dependency treebanks, stored in columns: read, write, validate, views, measures of a tree."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
