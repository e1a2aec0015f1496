"""The small languages inside CoNLL-U fields: FEATS and MISC, and the text that forms make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def parse_pairs(field: str) -> dict[str, str]:
    """`A=x|B=y` as a dictionary; a part without `=` has the value "" (MISC allows it)."""
    if field == "_" or not field:
        return {}
    return {key: value for key, _, value in (part.partition("=") for part in field.split("|"))}


def parse_feats(field: str) -> dict[str, str]:
    """FEATS as a dictionary; where no part has a `=`, the colon separates, as suites in CoNLL-X have it."""
    return parse_pairs(field if "=" in field else "|".join(part.replace(":", "=", 1) for part in field.split("|")))


def parse_comment(comment: str) -> tuple[str, str] | None:
    """Key and value of `key = value`, with or without blanks around the sign; None for a comment of another form."""
    key, equals, value = comment.partition("=")
    return (key.strip(" \t"), value.lstrip(" \t")) if equals and key.strip(" \t") else None


def format_feats(feats: Mapping[str, str]) -> str:
    """FEATS sorted as the standard demands: by name, regardless of case."""
    return "|".join(f"{key}={feats[key]}" for key in sorted(feats, key=str.lower)) or "_"


def format_misc(misc: Mapping[str, str]) -> str:
    """MISC in its own order; a key with the value "" stands alone."""
    return "|".join(f"{key}={value}" if value else key for key, value in misc.items()) or "_"


def text_of(tokens: Iterable[tuple[str, str]]) -> str:
    """The text that surface tokens (form, MISC) make: a blank after each but where SpaceAfter=No."""
    pieces = [form if "SpaceAfter=No" in misc.split("|") else form + " " for form, misc in tokens]
    return "".join(pieces).rstrip(" ")
