"""Labels as they are compared: without subtypes, and with what `--equal` says is the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import UsageError

Plain = Callable[[str], str]
"""From a label to the one that is compared."""


def plain_labels(equal: Sequence[str] = ()) -> Plain:
    """A label without its subtype; `obl:arg=obj` in `equal` makes every `obl:arg` an `obj`, in gold and in parses."""
    same = dict(_pair(text) for text in equal)

    def plain(label: str) -> str:
        universal = label.partition(":")[0]
        return same.get(label) or same.get(universal) or universal

    return plain


def _pair(text: str) -> tuple[str, str]:
    label, _, target = text.partition("=")
    if not label.strip() or not target.strip() or ":" in target or "=" in target:
        todo = "write LABEL=LABEL, such as obl:arg=obj; the second without a subtype"
        raise UsageError(f"{text!r} does not say which label counts as which", where="--equal", todo=todo)
    return label.strip(), target.strip()
