"""Text in SGML, as the LDC delivers newswire: `<DOC id="…"><TEXT><P>…</P></TEXT></DOC>`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from ...boundary.texts import utf8
from ...formats import head

DOCUMENT_END = b"</DOC>"
_DOCUMENT = re.compile(r"<DOC\b([^>]*)>(.*?)(?:</DOC>|\Z)", re.DOTALL | re.IGNORECASE)
_ID = re.compile(r"\bid\s*=\s*[\"']?([^\s\"'>]+)|<DOC(?:ID|NO)>\s*(\S+?)\s*</DOC", re.IGNORECASE)
_TEXT = re.compile(r"<(TEXT|BODY)\b[^>]*>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_BORDER = re.compile(r"<[^<>]*>|\n\s*\n")
_HAN = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_WRAPPED = re.compile(rf"(?<={_HAN})\s*\n\s*(?={_HAN})")


def is_sgml(data: bytes) -> bool:
    """Return whether text begins with a document in SGML."""
    return re.match(rb"<DOC[\s>]", head(data, 1 << 10), re.IGNORECASE) is not None


def sgml_documents(data: bytes, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the id and the paragraphs of each document that has text.

    Every tag in <TEXT> or <BODY> ends a paragraph. Headers, headlines and datelines before it are left out. Chinese
    lines of one paragraph are joined without a blank.
    """
    for document in _DOCUMENT.finditer(utf8(data, name)):
        known = _ID.search(document[1]) or _ID.search(document[2])
        pieces = [piece for text in _TEXT.finditer(document[2]) for piece in _BORDER.split(text[2])]
        paragraphs = [" ".join(unescape(_WRAPPED.sub("", piece)).split()) for piece in pieces]
        if kept := [paragraph for paragraph in paragraphs if paragraph]:
            yield (known[1] or known[2]) if known else "", kept
