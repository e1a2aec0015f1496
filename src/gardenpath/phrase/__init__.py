"""Phrase-structure trees with functions, gaps and secondary edges: formats, transformations, heads, PARSEVAL."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
