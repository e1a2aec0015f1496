"""What a person sees: tables in five formats."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, {"formats": ["plain", "render"], "terminal": ["print_tables"]})
