"""Model formulas as lme4 writes them: read and checked before anything is fitted.

Only names, 0 and 1 and the operators of formulas are known; a call of a function is refused, so that a formula is
safe to hand to R.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import UsageError, unknown_name

_TOKEN = re.compile(r"\s*(?:([^\W\d][\w.]*)|(\d+)|(\|\||[~+\-*:/|()]))", re.UNICODE)
_EXAMPLE = "write it as in: outcome ~ system + (1|item) + (1+system|seed)"


@dataclass(frozen=True, slots=True)
class Formula:
    """A checked formula: what is explained, by what, and which groups have effects of their own."""

    text: str
    response: str
    fixed: tuple[str, ...]
    """Columns among the fixed effects."""
    slopes: tuple[str, ...]
    """Columns whose effect differs between groups."""
    groups: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([self.response, *self.fixed, *self.slopes, *self.groups]))


def read_formula(text: str, known: Iterable[str]) -> Formula:
    """The formula, all of its columns known; else an error that names the place or the nearest column."""
    tokens = _tokens(text)
    if [token for token, _ in tokens].count("~") != 1 or len(tokens) < 3 or tokens[1][0] != "~":
        raise UsageError("a formula is RESPONSE ~ TERMS", where=text, todo=_EXAMPLE)
    response = tokens[0][0]
    if not _is_name(response):
        raise UsageError(f"{response!r} is not a column to explain", where=text, todo=_EXAMPLE)
    fixed, slopes, groups = list[str](), list[str](), list[str]()
    inside = past_bar = False
    before = "+"
    for token, place in tokens[2:]:
        if token == "(":
            if inside or before not in ("+", "-", "~"):
                raise _unexpected(text, token, place, "functions and nested brackets are not known")
            inside, past_bar = True, False
        elif token == ")":
            if not inside or not past_bar or not _is_name(before):
                raise _unexpected(text, token, place, "a bracket holds a random effect: (1|item)")
            inside = False
        elif token in ("|", "||"):
            if not inside or past_bar or not (_is_name(before) or before in "01"):
                raise _unexpected(text, token, place, "a bar stands between effect and group: (1|item)")
            past_bar = True
        elif _is_name(token) or token.isdigit():
            if _is_name(before) or before.isdigit() or before == ")":
                raise _unexpected(text, token, place, "terms are joined by +")
            if token.isdigit() and (token not in ("0", "1") or past_bar):
                raise _unexpected(text, token, place, "the only numbers are 0 and 1, for the intercept")
            if _is_name(token):
                (groups if inside and past_bar else slopes if inside else fixed).append(token)
            if not inside and past_bar:
                past_bar = False
        elif token == "~" or (not (_is_name(before) or before.isdigit() or before == ")") and token not in "+-"):
            raise _unexpected(text, token, place, "a term is missing before it")
        before = token
    if inside or not (_is_name(before) or before.isdigit() or before == ")"):
        raise UsageError("the formula ends in the middle of a term", where=text, todo=_EXAMPLE)
    if not groups:
        raise UsageError("no random effect in the formula", where=text, todo="add one, such as (1|item)")
    names = list(known)
    for name in (response, *fixed, *slopes, *groups):
        if name not in names:
            raise unknown_name("column", name, names, where=text)
    unique = (tuple(dict.fromkeys(one)) for one in (fixed, slopes, groups))
    return Formula(text.strip(), response, *unique)


def _tokens(text: str) -> list[tuple[str, int]]:
    tokens, place = [], 0
    stripped = text.rstrip()
    while place < len(stripped):
        match = _TOKEN.match(stripped, place)
        if match is None:
            at = place + len(stripped[place:]) - len(stripped[place:].lstrip())
            raise _unexpected(text, stripped[at], at, "formulas have names, 0, 1 and the signs ~ + - * : / | ( )")
        token = next(group for group in match.groups() if group)
        tokens.append((token, match.end() - len(token)))
        place = match.end()
    return tokens


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] == "_"


def _unexpected(text: str, token: str, place: int, todo: str) -> UsageError:
    return UsageError(f"unexpected {token!r} at character {place + 1} of the formula", where=text, todo=todo)
