"""Suites like SORTS and PPATS from a grammar and a lexicon: sentences with all properties, with full trees."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .attachment import generate_pp as generate_pp
    from .entries import Lexicon as Lexicon
    from .lexicon import read_lexicon as read_lexicon
    from .roles import AMBIGUITIES as AMBIGUITIES
    from .roles import Generated as Generated
    from .roles import generate_roles as generate_roles

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "attachment": ["generate_pp"],
        "entries": ["Lexicon"],
        "lexicon": ["read_lexicon"],
        "roles": ["AMBIGUITIES", "Generated", "generate_roles"],
    },
)
