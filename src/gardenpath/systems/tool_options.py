"""Options of a tool as a person writes them: `--option parser.hidden_layer=50`."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import UsageError


def parsed_options(given: Iterable[str]) -> dict[str, str]:
    """`name=value` as a dictionary.

    >>> parsed_options(["parser.iterations=3", "tagger = none"])
    {'parser.iterations': '3', 'tagger': 'none'}
    """
    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{text!r} is not an option", where="--option", todo="write it as name=value")
        pairs[name.strip()] = value.strip()
    return pairs
