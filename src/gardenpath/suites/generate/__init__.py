"""Suites like SORTS and PPATS from a grammar and a lexicon: sentences with all properties, with full trees."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .attachment import generate_pp as generate_pp
    from .roles import generate_roles as generate_roles

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "attachment": ["generate_pp"],
        "roles": ["generate_roles"],
    },
)
