"""GGUF files read by llama.cpp, with their weights as they are."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .system import GGUFModel as GGUFModel

__getattr__, __dir__, __all__ = lazy_exports(__name__, {"system": ["GGUFModel"]})
