"""Numbers in, numbers out: intervals, tests, correlations and regressions. Knows no linguistics."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
