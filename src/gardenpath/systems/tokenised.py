"""Tokenised text for language models: one sentence a line with blanks between tokens, CoNLL-U, or phrase trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from os import PathLike

from ..errors import InputError
from ..treebank import Treebank
from ..treebank.source import blocks
from .input import BLOCK, TEXTS, is_conllu
from .surface import surface

Source = str | PathLike[str]
BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
"""What models write for the begin and the end of a sentence, and for a word they do not know."""
_EDGES = (BEGIN.encode(), END.encode())
_TREES = 10_000
"""Phrase trees whose words are in memory at a time."""


@dataclass(frozen=True)
class Stretch:
    """Some sentences of a file, as bytes: a reader decides whether it wants tokens or lists of them."""

    name: str
    data: bytes
    lines_before: int = 0
    leaves: tuple[tuple[str, ...], ...] | None = None
    """The words of phrase trees, which are read already."""

    @property
    def conllu(self) -> bool:
        return is_conllu(self.data)

    def sentences(self) -> list[list[str]]:
        """The tokens of each sentence. Only ASCII white space separates them, as in KenLM; empty lines are no
        sentences. The tokens of CoNLL-U are its surface tokens, so that a multiword token is one."""
        if self.leaves is not None:
            return [list(words) for words in self.leaves]
        if self.conllu:
            treebank = Treebank(self.data, name=self.name, lines_before=self.lines_before)
            all_forms = [[form for form, _ in surface(sentence.rows)] for sentence in treebank]
            for sentence, forms in zip(treebank, all_forms, strict=True):
                for mark in _EDGES:
                    if mark.decode() in forms:
                        raise self._edge(mark, treebank.place(int(treebank.index.blocks[sentence.number])))
            return all_forms
        lines = (line.split() for line in self._checked().split(b"\n"))
        return [[token.decode("utf-8") for token in line] for line in lines if line]

    def tokens(self) -> list[bytes]:
        """All tokens in UTF-8, with `</s>` at the end of each line, empty ones too: the fast way to count."""
        end = END.encode()
        if self.conllu or self.leaves is not None:
            return [
                token for sentence in self.sentences() for token in (*(form.encode("utf-8") for form in sentence), end)
            ]
        tokens = self._checked().replace(b"\n", b" </s> ").split()
        return tokens if tokens[-1:] == [end] else [*tokens, end]

    def _checked(self) -> bytes:
        """UTF-8 without the marks of a sentence's edges as words."""
        data = self.data.removeprefix(b"\xef\xbb\xbf") if not self.lines_before else self.data
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"the text is not UTF-8 (byte {error.start})",
                where=self._place(data.count(b"\n", 0, error.start)),
                todo="convert it with iconv",
            ) from None
        for mark in _EDGES:
            if mark in data:
                for number, line in enumerate(data.split(b"\n")):
                    if mark in line.split():
                        raise self._edge(mark, self._place(number))
        return data

    def _place(self, number: int) -> str:
        return f"{self.name}:{self.lines_before + number + 1}"

    def _edge(self, mark: bytes, where: str) -> InputError:
        return InputError(
            f"the text has {mark.decode()} as a word, which stands for the edge of a sentence",
            where=where,
            todo="a line is a sentence already: take the marks out",
        )


def read_stretches(source: Source | Iterable[Source], size: int = BLOCK) -> Iterator[Stretch]:
    """Texts or treebanks in stretches of bounded size; an input without any word is an error."""
    for path in [source] if isinstance(source, str | PathLike) else list(source):
        empty = True
        if _holds_trees(str(path)):
            for trees in _leaves(path):
                empty = False
                yield trees
            if not empty:
                continue
        for block in blocks(path, size, lambda data: b"\n\n" if is_conllu(data) else b"\n"):
            if block.data.strip():
                empty = False
                yield Stretch(block.name, block.data, block.lines_before)
        if empty:
            raise InputError("there is no text in it", where=str(path))


def _holds_trees(source: str) -> bool:
    """Text may begin with a bracket too: a file that is called one is text."""
    from ..phrase.sniffing import holds_phrases

    return not source.lower().endswith(TEXTS) and holds_phrases(source)


def _leaves(source: Source) -> Iterator[Stretch]:
    """The words of phrase trees, without traces, which nobody says."""
    from ..phrase.brackets import Labels
    from ..phrase.source import stream

    trees = stream(source, labels=Labels(empty=False))
    while some := tuple(tree.words for tree in islice(trees, _TREES)):
        for words in some:
            for mark in (BEGIN, END):
                if mark in words:
                    raise Stretch(str(source), b"")._edge(mark.encode(), str(source))
        yield Stretch(str(source), b"", leaves=tuple(words for words in some if words))
