"""The tokens of a request, and reading them one after the other; an error points at the character."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from ...errors import UsageError
from .request import pointed_error

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s|%[^\n]*)+)
      | (?P<regex>re"(?:[^"\\]|\\.)*" | /(?:[^/\\\n]|\\.)+/i?)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<symbol>\]->|\]~>|->>|->|-\[|~>|~\[|<<|>>|><|<>|<=|>=|[{}\[\]();,:|=<>!^*.$])
      | (?P<word>-?\d+(?!\w) | \w(?:[\w@'’-]*[\w'’])?(?:\$(?!\s*\w))?)""",
    re.VERBOSE,
)
LONGEST = 20_000
"""Characters of a request."""


class Token(NamedTuple):
    kind: str
    text: str
    place: int


class TokenReader:
    """Stands at one token of a text, and takes what is expected there."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        if len(text) > LONGEST:
            raise UsageError(f"a request of {len(text):,} characters", todo=f"write it in {LONGEST:,} or less")
        self.tokens = list(self._tokens())

    def _tokens(self) -> list[Token]:
        tokens, place = [], 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None:
                self.fail(f"{self.text[place]!r} is not known here", place)
            if match.lastgroup != "blank":
                assert match.lastgroup is not None
                tokens.append(Token(match.lastgroup, match[0], place))
            place = match.end()
        return [*tokens, Token("end", "", len(self.text))]

    # ---- tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def following(self) -> Token:
        """The token after this one; at the end, the end itself."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def fail(self, what: str, place: int | None = None) -> NoReturn:
        place = self.token.place if place is None else place
        raise pointed_error(self.text, what, place)

    def here(self, *symbols: str) -> bool:
        return self.token.kind == "symbol" and self.token.text in symbols

    def taken(self, *symbols: str) -> bool:
        """Is one of these symbols here? Then it is read."""
        if self.here(*symbols):
            self.at += 1
            return True
        return False

    def expect(self, symbol: str) -> None:
        if not self.taken(symbol):
            self.fail(f"{symbol} is missing" + (f" before {self.token.text!r}" if self.token.text else " at the end"))

    def word(self, what: str) -> str:
        if self.token.kind != "word":
            self.fail(f"{what} is missing" + (f" before {self.token.text!r}" if self.token.text else " at the end"))
        self.at += 1
        return self.tokens[self.at - 1].text
