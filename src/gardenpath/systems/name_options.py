"""Options behind the name of a system: `kind:ARGUMENT#option=value#option=value`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import UsageError, unknown_name

_TYPO = re.compile(r"[a-z]+=[A-Za-z0-9]*")
"""What looks like an option, also where its name is unknown."""


def split_options(
    kind: str, argument: str, choices: Mapping[str, Sequence[str]], others: Mapping[str, str] | None = None
) -> tuple[str, dict[str, str]]:
    """The argument without its options, and those that are given. A `#` that no `option=` follows is part of it.

    `others` has a pattern for options that take more than their choices.

    >>> split_options("hf", "models/gpt2#bos=none", {"bos": ("auto", "none")})
    ('models/gpt2', {'bos': 'none'})
    """
    parts = argument.split("#")
    cut, known = len(parts), tuple(f"{name}=" for name in choices)
    while cut > 1 and (_TYPO.fullmatch(parts[cut - 1]) or parts[cut - 1].startswith(known)):
        cut -= 1
    where, given = f"{kind}:{argument}", dict[str, str]()
    for part in parts[cut:]:
        name, _, value = part.partition("=")
        if name not in choices:
            raise unknown_name("option", name, choices, where=where)
        pattern = (others or {}).get(name)
        if value not in choices[name] and not (pattern and re.fullmatch(pattern, value)):
            raise unknown_name(f"value of {name}", value, choices[name], where=where)
        if name in given:
            raise UsageError(f"the option {name} is given twice", where=where)
        given[name] = value
    return "#".join(parts[:cut]), given
