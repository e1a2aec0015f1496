"""Perturbations: edits that must not matter, with the gold tree carried along."""

from ..._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
