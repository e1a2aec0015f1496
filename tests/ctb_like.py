"""A folder laid out as the Chinese Treebank is delivered, of our own sentences: SGML around trees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from gardenpath.phrase.formats.source import written
from gardenpath.phrase.tree import PhraseTree

GENRES = ("nw", "mz", "bn", "bc", "wb")
SENTENCE = """( (IP-HLN (NP-SBJ (NN 老师))
          (VP (VV 看)
              (NP-OBJ (-NONE- *T*-1)
                      (NN 书)))
          (PU 。)) )"""
"""Over several lines, with functions and a trace, as the treebank writes it."""


def write_ctb(
    folder: Path, trees: Sequence[PhraseTree], *, files: int = 10, first: int = 1, encoding: str = "utf-8"
) -> Path:
    """Write `chtb_NNNN.GENRE` files with about equally many trees; returns their folder `bracketed`."""
    place = folder / "bracketed"
    place.mkdir(parents=True, exist_ok=True)
    texts = iter([*written(trees, "penn")])
    size, number = -(-len(trees) // files), 0
    for file in range(files):
        genre = GENRES[file % len(GENRES)]
        name = f"chtb_{first + file:04d}"
        lines = ["<DOC>", f"<DOCID> {name} </DOCID>", "<HEADER>", "<DATETIME>", "2000-01-01 (1)", "</DATETIME>",
                 f"<SOURCE>own ({genre})</SOURCE>", "</HEADER>", "<BODY>", "<HEADLINE>"]  # fmt: skip
        for place_in_file, text in enumerate(islice(texts, size)):
            number += 1
            body = f"( {text.strip()[1:-1].strip()} )"
            lines += [f"<S ID={number}>", body, "</S>"]
            lines += ["</HEADLINE>", "<TEXT>", "<P>"] if not place_in_file else []
        lines += ["</P>", "</TEXT>", "</BODY>", "</DOC>"]
        (place / f"{name}.{genre}").write_bytes("\n".join([*lines, ""]).encode(encoding))
    return place
