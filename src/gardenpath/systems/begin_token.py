"""The token that stands before every sentence of a causal model."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

from ..errors import UsageError

WAYS = ("auto", "add", "eos", "none")
"""`auto`: the token that begins a text, else the one that ends it; `add`: only the former; `eos`; nothing."""
TOKEN = r".*[^A-Za-z0-9].*"
"""A token by its own name has a character besides letters and digits."""
_CHAT = re.compile(r"im_start|start_of_turn|start_header|\bINST\b|<\|?(user|assistant|system|human)\|?>", re.IGNORECASE)
"""Tokens that begin a turn of a conversation."""


def begin_token(way: str, special_token: Callable[[str], str], where: str) -> str:
    """The token of a way, or a token by its name; empty: none. `special_token` knows those of `bos` and `eos`.

    Where no token begins a text, `auto` takes the one that ends it, as most models saw it between texts.
    """
    if way == "none":
        return ""
    if way not in WAYS:
        return way
    roles = {"add": ("bos",), "eos": ("eos",)}.get(way, ("bos", "eos"))
    for role in roles:
        if token := special_token(role):
            return token
    if way == "auto":
        return ""
    raise UsageError(f"its tokenizer has no {roles[0].upper()} token", where=where, todo="write #bos=none")


def warn_of_chat_mark(way: str, token: str, name: str) -> None:
    """A mark of chats that nobody asked for by its name."""
    if way in ("auto", "add") and _CHAT.search(token):
        warning = f"{name}: {token} stands before every sentence, and is a mark of chats, not of texts"
        warnings.warn(f"{warning}; #bos=TOKEN names another, such as #bos=<|endoftext|>", stacklevel=3)
