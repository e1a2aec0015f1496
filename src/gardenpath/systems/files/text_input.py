"""Text and CoNLL-U as input: sentences to parse, and tokenised text for language models."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike
from pathlib import Path

from ...errors import InputError, UsageError
from ...treebank import Draft, Treebank, Word, concatenate, from_drafts
from ...treebank.format.reading import SUFFIXES, Block, blocks
from ..asking.matching import BEFORE, escaped, spaces_after
from ..asking.request import surface
from .sgml_text import DOCUMENT_END, is_sgml, sgml_documents

Source = str | PathLike[str]
TEXTS = (".txt", ".txt.gz", ".txt.xz")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"(\S+)(\s*)")
_LINE_END = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""What ends a line for `str.splitlines`."""
_EMPTY_LINES = re.compile(rb"(?:[ \t\r]*\n)+")

BLOCK = 1 << 24
"""Bytes of input that are in memory at a time."""


def read_input(source: Source, mode: str | None = None) -> tuple[Treebank, str]:
    """All sentences to parse, and the mode: by default gold tokens for CoNLL-U and `text` for text."""
    stretches = list(read_blocks(source, mode))
    return concatenate([treebank for treebank, _ in stretches]), stretches[0][1]


def read_blocks(source: Source, mode: str | None = None, size: int = BLOCK) -> Iterator[tuple[Treebank, str]]:
    """The same in stretches of bounded size; the first decides the mode for all."""
    done = 0
    line_by_line = mode == "sentences"
    files = _text_files(source)
    sources: list[Source] = [*files] or [source]
    for file in sources:
        begin = True
        stretches = blocks(file, size, lambda data: _sentence_end(data, line_by_line))
        for block in _with_line_ends(stretches):
            if is_conllu(block.data):
                treebank = Treebank(block.data, name=block.name, repairs=block.repairs, lines_before=block.lines_before)
                mode = mode or "tokens"
            elif is_sgml(block.data):
                documents = list(_from_sgml(block.data, block.name, mode, done))
                if not documents:
                    continue
                treebank = concatenate(documents)
                mode = mode or "text"
            else:
                document = Path(file).name if len(files) > 1 and begin else ""
                treebank = _from_text(block.data, block.name, mode, done, document)
                mode = mode or "text"
            done += len(treebank)
            begin = False
            yield treebank, mode
    if not done:
        raise InputError("there is no text in it", where=str(source))


def _text_files(source: Source) -> list[Path]:
    """The texts of a folder that has no treebank, by name; none of anything else."""
    folder = Path(source)
    if str(source) == "-" or not folder.is_dir():
        return []
    names = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    if any(file.name.lower().endswith((*SUFFIXES, ".zip")) for file in names):
        return []
    texts = [file for file in names if file.name.lower().endswith(TEXTS)]
    if not texts:
        todo = "expected treebanks named *.conllu or *.conll, or texts named *.txt, also .gz or .xz"
        raise InputError("neither a treebank nor a text in this folder", where=str(source), todo=todo)
    return texts


def _with_line_ends(stretches: Iterable[Block]) -> Iterator[Block]:
    """Empty lines at the start of a stretch belong to the end of the one before, wherever it was cut."""
    held: Block | None = None
    for block in stretches:
        if held is not None:
            lines = _EMPTY_LINES.match(block.data) if block.name == held.name else None
            if lines:
                more = lines[0].count(b"\n")
                held = replace(held, data=held.data + lines[0])
                block = replace(block, data=block.data[lines.end() :], lines_before=block.lines_before + more)
            yield held
        held = block
    if held is not None:
        yield held


def is_conllu(data: bytes) -> bool:
    """Is the first line that is neither blank nor a comment one of several columns?"""
    for line in data[: 1 << 16].removeprefix(BOM_UTF8).splitlines():  # which the reader of CoNLL-U refuses
        if line.strip() and not line.startswith(b"#"):
            return line.count(b"\t") >= 5 or (line.count(b"\t") > 0 and line.split(b"\t")[0].isdigit())
    return True  # nothing but comments: the reader of CoNLL-U says what is wrong


def _sentence_end(data: bytes, line_by_line: bool) -> bytes:
    """What ends a stretch of a file with these first bytes: a line, a block of lines, or a document in SGML."""
    if is_conllu(data):
        return b"\n\n"
    return DOCUMENT_END if is_sgml(data) else b"\n" if line_by_line else b"\n\n"


def _from_sgml(data: bytes, name: str, mode: str | None, done: int) -> Iterator[Treebank]:
    """Yield each document that has text."""
    for document, paragraphs in sgml_documents(data, name):
        treebank = _from_text("\n\n".join(paragraphs).encode("utf-8"), name, mode, done, document)
        done += len(treebank)
        yield treebank


def _from_text(data: bytes, name: str, mode: str | None, done: int, document: str) -> Treebank:
    if mode == "tokens":
        raise UsageError(
            "plain text has no gold tokens", where=name, todo="use --input text, or sentences for one a line"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the text is not UTF-8 (byte {error.start})", where=name, todo="convert it with iconv"
        ) from None
    return text_treebank(text, by_line=mode == "sentences", name=name, first=done + 1, document=document)


def text_treebank(text: str, *, by_line: bool, name: str = "<text>", first: int = 1, document: str = "") -> Treebank:
    """A sentence per line, or a paragraph per block of lines; words are what white space separates.

    Their sent_ids are numbers from `first`. White space that is not one blank is kept in MISC. `document`
    is the id of the document that begins here.
    """
    drafts: list[Draft] = []
    lead = _SPACE.match(text)
    before, starts = lead[0] if lead else "", True
    for match in _WORD.finditer(text):
        word, space = match.groups()
        if starts:
            comments = [f"newdoc id = {document}"] if document and not drafts else []
            comments += [] if by_line else ["newpar"]
            drafts.append(Draft(comments=[*comments, f"sent_id = {len(drafts) + first}"]))
        starts = bool(_LINE_END.search(space)) if by_line else "\n\n" in space.replace("\r\n", "\n")
        # An indent belongs to the line that it begins.
        cut = space.rfind("\n") + 1 if starts and match.end() < len(text) else 0
        misc = ({BEFORE: escaped(before)} if before else {}) | spaces_after(space[: cut or None])
        drafts[-1].words.append(Word(word, misc=misc))
        before = space[cut:] if cut else ""
    if not drafts:
        raise InputError("there is no text in it", where=name)
    return from_drafts(drafts, name=name)


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
            what = f"the text is not UTF-8 (byte {error.start})"
            todo = "convert it with iconv"
            raise InputError(what, where=self._place(data.count(b"\n", 0, error.start)), todo=todo) from None
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
    from ...phrase.formats.sniffing import holds_phrases

    for path in [source] if isinstance(source, str | PathLike) else list(source):
        empty = True
        # Text may begin with a bracket too: a file that is called one is text.
        if not str(path).lower().endswith(TEXTS) and holds_phrases(str(path)):
            for trees in _leaves(path):
                empty = False
                yield trees
            if not empty:
                continue
        for block in blocks(path, size, lambda data: _sentence_end(data, line_by_line=True)):
            if is_sgml(block.data):
                lines = [line for _, paragraphs in sgml_documents(block.data, block.name) for line in paragraphs]
                block = replace(block, data="\n".join(lines).encode("utf-8"))
            if block.data.strip():
                empty = False
                yield Stretch(block.name, block.data, block.lines_before)
        if empty:
            raise InputError("there is no text in it", where=str(path))


def read_sentences(source: Source | Iterable[Source]) -> Iterator[list[str]]:
    """Yield the words of each sentence of texts or treebanks."""
    return (words for stretch in read_stretches(source) for words in stretch.sentences())


def tokenised_text(source: Source) -> bytes:
    """Return a text or treebank as language models read it: one sentence per line, words between blanks."""
    return "".join(" ".join(words) + "\n" for words in read_sentences(source)).encode("utf-8")


def _leaves(source: Source) -> Iterator[Stretch]:
    """The words of phrase trees, without traces, which nobody says."""
    from ...phrase.formats.brackets import Labels
    from ...phrase.formats.source import stream

    trees = stream(source, labels=Labels(empty=False))
    while some := tuple(tree.words for tree in islice(trees, _TREES)):
        for words in some:
            for mark in (BEGIN, END):
                if mark in words:
                    raise Stretch(str(source), b"")._edge(mark.encode(), str(source))
        yield Stretch(str(source), b"", leaves=tuple(words for words in some if words))
