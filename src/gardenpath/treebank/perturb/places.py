"""Where the tokens of a sentence stand in its text."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..sentence import Sentence


def token_places(sentence: Sentence, text: str) -> list[int] | None:
    """Where each surface token begins in the text; None where the text is not what they make.

    Any white space may stand between tokens that a blank separates, and none between others.
    """
    places, at, blank = [], 0, False
    for token in sentence.tokens:
        start = at
        while blank and at < len(text) and text[at].isspace() and not text.startswith(token.form, at):
            at += 1
        if (blank and at == start) or not text.startswith(token.form, at):
            return None
        places.append(at)
        at += len(token.form)
        blank = "SpaceAfter=No" not in token.misc.split("|")
    return None if text[at:].strip() else places


def editable(sentence: Sentence, rewritten: Container[int] = ()) -> set[int]:
    """The IDs of the words that are tokens by themselves, not parts of multiword tokens.

    A multiword token whose first word is in `rewritten` is written anew with its words, so these may change too.
    """
    free = {token.first for token in sentence.tokens if not token.is_multiword}
    for token in sentence.tokens:
        if token.is_multiword and token.first in rewritten:
            free.update(range(token.first, token.last + 1))
    return free
