"""Request to a parser, with everything hidden that it may not see; the tokens and the text of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ...errors import UsageError, unknown_name
from ...treebank import Treebank
from ...treebank.format.fields import text_of

if TYPE_CHECKING:
    from .protocol import Parser


def surface(rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """(form, MISC) of the surface tokens: multiword tokens, and the words outside them."""
    tokens, covered = [], 0
    for row in rows:
        if "-" in row[0]:
            covered = int(row[0].partition("-")[2])
            tokens.append((row[1], row[9]))
        elif row[0].isdecimal() and int(row[0]) > covered:
            tokens.append((row[1], row[9]))
    return tokens


def texts(treebank: Treebank) -> list[str]:
    """`# text` of every sentence, or what its tokens make."""
    return [text or text_of(surface(treebank[number].rows)) for number, text in enumerate(treebank.texts)]


def with_spaces(rows: list[list[str]], text: str) -> list[list[str]]:
    """SpaceAfter=No where the text has no blank; left alone where the input says it already, or nothing fits."""
    tokens = surface(rows)
    if any("SpaceAfter" in misc for _, misc in tokens) or text_of(tokens) == text:
        return rows
    glued = glued_tokens([form for form, _ in tokens], text)
    if glued is None:
        return rows
    at, covered = iter(glued), 0
    result = []
    for row in rows:
        row = row.copy()
        multiword = "-" in row[0]
        if multiword or (row[0].isdecimal() and int(row[0]) > covered):
            parts = [part for part in row[9].split("|") if part != "_" and not part.startswith("SpaceAfter=")]
            row[9] = "|".join(["SpaceAfter=No", *parts] if next(at) else parts) or "_"
            covered = int(row[0].partition("-")[2]) if multiword else covered
        result.append(row)
    return result


def glued_tokens(tokens: Sequence[str], text: str) -> list[bool] | None:
    """For each token: does the next one follow without a blank? None where the tokens do not make the text."""
    glued, at = [], 0
    text = text.strip()
    for token in tokens:
        while at < len(text) and text[at].isspace():
            at += 1
        if not text.startswith(token, at):
            return None
        at += len(token)
        glued.append(at < len(text) and not text[at].isspace())
    return glued if at == len(text) else None


MODES = ("tokens", "sentences", "text")
"""What is given: gold tokens; the raw text of each sentence; raw text."""
LAYERS = {"lemmas": (2,), "tags": (3, 4), "feats": (5,)}
"""Layers of gold that a user may allow, with their columns."""
HEADS, LABELS = "heads", "labels"
"""The columns HEAD and DEPREL: heads for one baseline, both to train on."""
ASKED = {"arguments": ("nsubj", "obj", "iobj", "obl:arg"), "phrase": ("case", "obl", "nmod")}
"""Layers for baselines: the words with one of these labels, all marked with the same label `dep`."""


@dataclass(frozen=True)
class Request:
    """What a parser is asked. Nothing of the gold annotation is in here but the layers in `gold`."""

    mode: str
    gold: frozenset[str]
    texts: tuple[str, ...]
    """The text of each sentence; in the mode `text`, of each paragraph."""
    conllu: str = ""
    """In the mode `tokens`: the tokens as CoNLL-U, with `# sent_id`, `# text` and SpaceAfter."""
    time_limit: float | None = None
    """Seconds that one call of a program or server may take."""

    @cached_property
    def tokens(self) -> Treebank:
        """The sentences of the mode `tokens`."""
        return Treebank(self.conllu.encode("utf-8"), name="<request>")


def check_mode(mode: str, parser: Parser) -> str:
    if mode not in MODES:
        raise unknown_name("mode", mode, MODES)
    if mode not in parser.modes:
        todo = f"modes it has: {', '.join(parser.modes)}"
        raise UsageError(f"it does not parse in the mode {mode}", where=parser.name, todo=todo)
    return mode


def check_gold(gold: str | Iterable[str]) -> frozenset[str]:
    """Layers by name, also as `tags,feats`."""
    names = [part.strip() for part in gold.split(",") if part.strip()] if isinstance(gold, str) else list(gold)
    for name in names:
        if name not in LAYERS:
            raise unknown_name("gold layer", name, LAYERS)
    return frozenset(names)


def request_for(treebank: Treebank, mode: str, gold: frozenset[str], time_limit: float | None = None) -> Request:
    """The request for these sentences: heads, labels, DEPS, empty nodes, other comments and MISC are hidden."""
    if mode == "text":
        return Request(mode, gold, tuple(paragraphs(treebank)), time_limit=time_limit)
    conllu = hidden(treebank, gold) if mode == "tokens" else ""
    return Request(mode, gold, tuple(texts(treebank)), conllu, time_limit)


def hidden(treebank: Treebank, gold: frozenset[str]) -> str:
    """CoNLL-U with nothing but tokens, `# sent_id`, `# text`, SpaceAfter and the layers in `gold`."""
    kept = {column for layer in gold & LAYERS.keys() for column in LAYERS[layer]}
    kept |= {column for column, layer in ((6, HEADS), (7, LABELS)) if layer in gold}
    asked = {label for layer in gold & ASKED.keys() for label in ASKED[layer]}
    blank = [column for column in range(2, 9) if column not in kept]
    lines: list[str] = []
    for sentence, sent_id, text in zip(treebank, treebank.sent_ids, texts(treebank), strict=True):
        if sent_id:
            lines.append(f"# sent_id = {sent_id}")
        lines.append(f"# text = {text}")
        for row in sentence.rows:
            if "." in row[0]:
                continue
            cells = row.copy()
            for column in range(2, 9) if "-" in row[0] else blank:
                cells[column] = "_"
            if row[7] in asked or row[7].partition(":")[0] in asked:
                cells[7] = "dep"
            cells[9] = "SpaceAfter=No" if "SpaceAfter=No" in row[9].split("|") else "_"
            lines.append("\t".join(cells))
        lines.append("")
    return "\n".join([*lines, ""])


def paragraph_starts(treebank: Treebank) -> list[int]:
    """The sentences that begin a paragraph or document, by their comments."""
    marks = ("newdoc", "newpar")
    return [
        number
        for number, sentence in enumerate(treebank)
        if number == 0 or any(comment.split(" ", 1)[0] in marks for comment in sentence.comments)
    ]


def paragraphs(treebank: Treebank) -> list[str]:
    """The running text of each paragraph; a sentence that ends with SpaceAfter=No is joined to the next."""
    starts = set(paragraph_starts(treebank))
    joined: list[str] = []
    glued = False
    for number, (sentence, text) in enumerate(zip(treebank, texts(treebank), strict=True)):
        if number in starts:
            joined.append(text)
        else:
            joined[-1] += ("" if glued else " ") + text
        glued = "SpaceAfter=No" in surface(sentence.rows)[-1][1].split("|")
    return joined
