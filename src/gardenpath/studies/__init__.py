"""The studies: each takes a suite or treebank and systems, and returns observations and findings."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
