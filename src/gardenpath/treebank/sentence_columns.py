"""What a treebank says of its sentences, as columns: length, document, and every comment of the form `key = value`."""

from __future__ import annotations

from collections.abc import Sequence

from .fields import parse_comment
from .treebank import Treebank

_WHOLE_DOCUMENT = "meta::"
"""Comments with this prefix are said once, where a document begins, and hold for all of it."""
_TEXT = frozenset(("text", "text_en"))


def sentence_columns(treebank: Treebank) -> dict[str, Sequence[object]]:
    """Every column with its values, sentence by sentence; None where a sentence has none.

    `length` is the number of words; `document` what `# newdoc` calls it.
    """
    size = len(treebank)
    columns: dict[str, list[object]] = {"length": list(treebank.lengths.tolist())}
    kept: dict[str, str] = {}
    for number, block in enumerate(treebank.comment_blocks()):
        pairs = dict(reversed([pair for pair in map(parse_comment, _comments(block)) if pair]))
        if any(line.split("=")[0].strip() in ("newdoc", "newdoc id") for line in _comments(block)):
            kept = {"document": pairs.pop("newdoc id", "")}
        kept |= {key: value for key, value in pairs.items() if key.startswith(_WHOLE_DOCUMENT)}
        for key, value in (kept | pairs).items():
            if key not in _TEXT:
                columns.setdefault(key, [None] * size)[number] = value
    return dict(columns)


def _comments(block: bytes) -> list[str]:
    return [line[1:].removeprefix(" ") for line in block.decode("utf-8").splitlines() if line.startswith("#")]
