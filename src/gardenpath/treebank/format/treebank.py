"""A treebank: its bytes plus an index. Immutable; columns are parsed only when they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, overload

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError, unknown_name
from . import index as layout
from .columns import Column, encode
from .draft import Draft
from .index import FIELDS, MULTIWORD, WORD, FaultError, Index, frozen

if TYPE_CHECKING:
    from ..query.nodes import QueryWords
    from ..query.search import Matches
    from .sentence import Sentence


class Treebank:
    """Sentences in columns. `treebank[i]` is a light view of a sentence; arrays run over all words.

    It never changes; slices, lists and masks select sentences into a new one.

    >>> import gardenpath as gp
    >>> treebank = gp.read("bundled:de-test")
    >>> treebank[treebank.lengths > 20]
    <Treebank de_garden-test.conllu: 6 sentences, 144 words>
    >>> treebank.heads[:9].tolist(), treebank.column("upos").counts()["VERB"]
    ([3, 3, 6, 5, 3, 0, 8, 6, 6], 137)
    """

    def __init__(
        self,
        data: bytes,
        *,
        name: str = "<bytes>",
        files: Sequence[tuple[str, int]] = (),
        repairs: Mapping[str, int] | None = None,
        lines_before: int = 0,
    ) -> None:
        """`data` is CoNLL-U; use `read` for files. `files` says where each file begins in the bytes,
        `lines_before` how many lines of the first one came before them."""
        self.name = name
        self.files = tuple(files) or ((name, 0),)
        self._lines_before = lines_before
        self.repairs: dict[str, int] = dict(repairs or {})
        self._missing_end = b"" if data.endswith(b"\n\n") else b"\n" if data.endswith(b"\n") else b"\n\n"
        self.data = data + self._missing_end if self._missing_end else data
        _check_encoding(self, data)
        try:
            self.index: Index = layout.build(self.data)
        except FaultError as error:
            fault = error.fault
            raise InputError(fault.what, where=self.place(fault.offset), todo=fault.todo) from None
        self._columns: dict[str, Column] = {}

    # ---- sentences

    def __len__(self) -> int:
        return len(self.index.rows) - 1

    @overload
    def __getitem__(self, which: int) -> Sentence: ...
    @overload
    def __getitem__(self, which: slice | Sequence[int] | NDArray[Any]) -> Treebank: ...
    def __getitem__(self, which: int | slice | Sequence[int] | NDArray[Any]) -> Sentence | Treebank:
        if isinstance(which, int | np.integer):
            from .sentence import Sentence

            number = int(which) + (len(self) if which < 0 else 0)
            if not 0 <= number < len(self):
                raise IndexError(f"sentence {which} of a treebank with {len(self)} sentences")
            return Sentence(self, number)
        return self.select(range(len(self))[which] if isinstance(which, slice) else which)

    def __iter__(self) -> Iterator[Sentence]:
        from .sentence import Sentence

        return (Sentence(self, number) for number in range(len(self)))

    def __repr__(self) -> str:
        names = " + ".join(PurePath(name).name for name in self.name.split(" + "))
        return f"<Treebank {names}: {len(self)} sentences, {self.word_count} words>"

    def block(self, number: int) -> bytes:
        """The bytes of a sentence, from its first comment to its blank line."""
        blocks = self.index.blocks
        return self.data[blocks[number] : blocks[number + 1]]

    # ---- words: one array entry per word, over all sentences

    @cached_property
    def word_rows(self) -> NDArray[np.int64]:
        """The rows of the index that are words (not multiword tokens, not empty nodes)."""
        return frozen(np.flatnonzero(self.index.kinds == WORD))

    @cached_property
    def word_count(self) -> int:
        return len(self.index.kinds) - len(self.index.seconds)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Sentence i has the words from offsets[i] to offsets[i + 1]."""
        if not self.index.seconds:
            return self.index.rows
        return frozen(np.searchsorted(self.word_rows, self.index.rows))

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Words per sentence."""
        return frozen(np.diff(self.offsets))

    @cached_property
    def sentence_of(self) -> NDArray[np.int64]:
        """The number of each word's sentence."""
        return frozen(np.repeat(np.arange(len(self)), self.lengths))

    @cached_property
    def ids(self) -> NDArray[np.int32]:
        """The ID of each word: 1, 2, 3, … in every sentence."""
        return self._of_words(self.index.numbers)

    @cached_property
    def heads(self) -> NDArray[np.int32]:
        """HEAD of each word: 0 for the root, -1 where there is none (partial gold)."""
        return self._of_words(self.index.heads)

    def _of_words(self, values: NDArray[Any]) -> NDArray[Any]:
        return frozen(values[self.word_rows]) if self.index.seconds else values

    def column(self, name: str) -> Column:
        """A string column over all words: form, lemma, upos, xpos, feats, deprel, deps or misc."""
        if name not in self._columns:
            if name not in FIELDS:
                raise unknown_name("column", name, FIELDS)
            self._columns[name] = encode(self.data, *self.field_spans(name))
        return self._columns[name]

    def field_spans(self, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where a field of each word begins and ends in the bytes."""
        number = FIELDS.index(name)
        begins = self.index.separators[:, number - 1] + 1 if number else self.index.starts
        ends = self.index.separators[:, number]
        return self._of_words(begins).astype(np.int64), self._of_words(ends).astype(np.int64)

    @cached_property
    def surface(self) -> Surface:
        """The tokens of the text, multiword tokens as one, and their places in it."""
        return Surface(self)

    # ---- sentences by comment

    @cached_property
    def documents(self) -> NDArray[np.int64] | None:
        """The number of each sentence's document; None where the treebank does not say where documents begin."""
        from .documents import document_numbers

        return document_numbers(self)

    @cached_property
    def sent_ids(self) -> list[str]:
        """`# sent_id` of every sentence; empty where there is none."""
        return self.comment_values("sent_id")

    @cached_property
    def sentence_names(self) -> list[str]:
        """`# sent_id` of every sentence, or its number from 1 where there is none."""
        return [name or str(number) for number, name in enumerate(self.sent_ids, 1)]

    @property
    def sentence_words(self) -> list[tuple[str, ...]]:
        """The word forms of every sentence."""
        forms, offsets = self.column("form").strings(), self.offsets.tolist()
        return [tuple(forms[begin:end]) for begin, end in pairwise(offsets)]

    @cached_property
    def texts(self) -> list[str]:
        """`# text` of every sentence; empty where there is none."""
        return self.comment_values("text")

    @property
    def comment_spans(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the comments of each sentence begin and end in the bytes."""
        begins, ends = self.index.blocks[:-1], self.index.starts[self.index.rows[:-1]]
        return begins.astype(np.int64), ends.astype(np.int64)

    def comment_blocks(self) -> Iterator[bytes]:
        """The bytes of each sentence's comments."""
        begins, ends = self.comment_spans
        return (self.data[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True))

    def comment_values(self, key: str) -> list[str]:
        """The value of `# key = value` in every sentence; empty where there is none. The first one counts."""
        pattern = re.compile(rb"^#[ \t]*" + re.escape(key.encode()) + rb"[ \t]*=[ \t]*(.*)", re.MULTILINE)
        begins, ends = (places.tolist() for places in self.comment_spans)
        matches = (pattern.search(self.data, begin, end) for begin, end in zip(begins, ends, strict=True))
        return [match[1].decode("utf-8") if match else "" for match in matches]

    # ---- queries

    def search(self, pattern: str) -> Matches:
        """All matches of a request in the pattern language of Grew.

        >>> import gardenpath as gp
        >>> gp.read("bundled:de-test").search("V -[nsubj]-> S; V -[obj]-> O; O << V; V << S")
        <7 matches in 7 of 100 sentences>
        """
        from ..query.search import search

        return search(self.query_words, pattern)

    @cached_property
    def query_words(self) -> QueryWords:
        """What queries ask about its words; the next query finds it made."""
        from ..query.nodes import QueryWords

        return QueryWords(self)

    # ---- other treebanks

    def select(self, which: Iterable[int] | NDArray[Any]) -> Treebank:
        """A treebank of these sentences, in this order; `which` has numbers, or yes or no for every sentence."""
        chosen = which if isinstance(which, np.ndarray) else np.array(list(which))
        numbers = np.arange(len(self))[chosen] if chosen.size else chosen
        if not numbers.size:
            raise InputError("no sentence is selected", where=self.name)
        return self._derived(b"".join(self.block(number) for number in numbers.tolist()), "selection")

    def _derived(self, data: bytes, how: str) -> Treebank:
        """Other bytes under the same name; places in them are no longer lines of the file."""
        return Treebank(data, name=self.name, files=[(f"{self.name} ({how})", 0)])

    def shuffled(self, seed: int) -> Treebank:
        return self.select(np.random.default_rng(seed).permutation(len(self)))

    def sample(self, count: int, seed: int) -> Treebank:
        """`count` different sentences by chance, in the order of the file."""
        if not 0 < count <= len(self):
            raise InputError(f"cannot draw {count} of {len(self)} sentences", where=self.name)
        return self.select(np.sort(np.random.default_rng(seed).permutation(len(self))[:count]))

    def replace(self, drafts: Mapping[int, Draft]) -> Treebank:
        """The treebank with some sentences changed; all others keep their bytes."""
        if unknown := sorted(drafts.keys() - range(len(self))):
            raise UsageError(f"no sentence {unknown[0]} in {len(self)} sentences", where=self.name)
        blocks = (drafts[i].to_conllu().encode() if i in drafts else self.block(i) for i in range(len(self)))
        return self._derived(b"".join(blocks), "changed")

    # ---- bytes

    def to_bytes(self) -> bytes:
        """The bytes that were read."""
        return self.data[: len(self.data) - len(self._missing_end)]

    def write(self, target: str | PathLike[str] | BinaryIO) -> None:
        """To a file, whole or not at all, or to a binary stream."""
        if isinstance(target, str | PathLike):
            from ...runs.record.writing import write_bytes

            write_bytes(target, self.to_bytes())
        else:
            target.write(self.to_bytes())

    def place(self, offset: int) -> str:
        """`file:line` of a byte."""
        name, begin = next((name, start) for name, start in reversed(self.files) if start <= offset)
        before = self._lines_before if begin == 0 else 0
        return f"{name}:{before + self.data.count(10, begin, offset) + 1}"


def concatenate(treebanks: Sequence[Treebank], name: str = "") -> Treebank:
    """One treebank of several, which remembers the files of each for messages.

    >>> import gardenpath as gp
    >>> len(concatenate([gp.read("bundled:de-dev"), gp.read("bundled:de-test")]))
    185
    """
    if not treebanks:
        raise UsageError("no treebank to join")
    if len(treebanks) == 1 and not name:
        return treebanks[0]
    files, begin, repairs = [], 0, dict[str, int]()
    for treebank in treebanks:
        files += [(file, start + begin) for file, start in treebank.files]
        begin += len(treebank.data)
        for kind, count in treebank.repairs.items():
            repairs[kind] = repairs.get(kind, 0) + count
    data = b"".join(treebank.data for treebank in treebanks)
    return Treebank(data, name=name or " + ".join(t.name for t in treebanks), files=files, repairs=repairs)


_HINT = "gardenpath treebank convert --repair FILE -o OUT repairs what can be repaired"


def _check_encoding(treebank: Treebank, data: bytes) -> None:
    """UTF-8 without byte order mark, NUL or carriage returns, and something in it."""

    def fault(offset: int, what: str, todo: str = "") -> InputError:
        return InputError(what, where=treebank.place(offset), todo=todo)

    if not data or data.isspace():
        raise InputError("the file is empty", where=treebank.name)
    if data.startswith(b"\xef\xbb\xbf"):
        raise fault(0, "the file begins with a byte order mark", _HINT)
    if (at := data.find(b"\0")) >= 0:
        raise fault(at, "a NUL byte: this is not text", "is the file compressed, UTF-16 or damaged?")
    if (at := data.find(b"\r")) >= 0:
        raise fault(at, "a carriage return: lines must end with LF alone", _HINT)
    if (bad := first_bad_utf8(data)) is not None:
        raise fault(bad, f"byte 0x{data[bad]:02x} is not UTF-8", "convert the file, e.g. iconv -f latin1 -t utf-8")


def first_bad_utf8(data: bytes) -> int | None:
    """The first byte that is not UTF-8; by pieces, so that few are decoded where most of the text is ASCII."""
    step, begin = 1 << 15, 0
    while begin < len(data):
        end = min(begin + step, len(data))
        while end < len(data) and end > begin and data[end] & 0xC0 == 0x80:
            end -= 1
        if end == begin:
            return begin
        piece = data[begin:end]
        if not piece.isascii():
            try:
                piece.decode("utf-8")
            except UnicodeDecodeError as error:
                return begin + error.start
        begin = end
    return None


SPACES = dict.fromkeys([0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000])
"""Unicode category Zs: these characters do not count when texts are compared."""


class Surface:
    """Tokens in the order of the text; positions count characters without blanks, over the whole treebank."""

    def __init__(self, treebank: Treebank) -> None:
        self._treebank = treebank
        index, count = treebank.index, treebank.word_count
        self.ranges: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
        """First and last word of each multiword token."""
        self.multiword = np.zeros(count, dtype=bool)
        """For each word: is it part of a multiword token?"""
        begins_token = np.ones(count, dtype=bool)
        self._token_rows = treebank.word_rows
        if index.seconds:
            rows = np.flatnonzero(index.kinds == MULTIWORD)
            begins = treebank.offsets[np.searchsorted(index.rows, rows, side="right") - 1] - 1
            firsts = begins + index.numbers[rows]
            lasts = begins + np.array([index.seconds[row] for row in rows.tolist()], dtype=np.int64)
            self.ranges = np.stack([firsts, lasts], axis=1)
            border = np.zeros(count + 1, dtype=np.int64)
            border[firsts] += 1
            np.add.at(border, lasts + 1, -1)
            self.multiword = np.cumsum(border[:-1]) > 0
            begins_token = ~self.multiword
            begins_token[firsts] = True
            token_rows = treebank.word_rows.copy()
            token_rows[firsts] = rows
            self._token_rows = token_rows[begins_token]
        self.token_of: NDArray[np.int64] = np.cumsum(begins_token) - 1
        """The token that each word belongs to."""

    def __len__(self) -> int:
        return len(self._token_rows)

    @cached_property
    def forms(self) -> Column:
        """Of each token, blanks left out."""
        if len(self.ranges):
            places = self._treebank.index.separators[self._token_rows]
            forms = encode(self._treebank.data, places[:, 0] + 1, places[:, 1])
        else:
            forms = self._treebank.column("form")
        every = "".join(forms.values)
        has_spaces = not every.isascii() or " " in every
        return forms.mapped(lambda form: form.translate(SPACES)) if has_spaces else forms

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where each token ends, in characters."""
        sizes = np.array([len(form) for form in self.forms.values], dtype=np.int64)
        return np.cumsum(sizes[self.forms.codes])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each token starts, in characters."""
        return np.concatenate([[0], self.ends[:-1]])

    @cached_property
    def sentence_spans(self) -> NDArray[np.int64]:
        """(sentences, 2): where the characters of each sentence begin and end."""
        offsets = self._treebank.offsets
        return np.stack([self.starts[self.token_of[offsets[:-1]]], self.ends[self.token_of[offsets[1:] - 1]]], axis=1)

    def sentences(self) -> list[str]:
        """The characters of each sentence, blanks left out."""
        text = self.text()
        return [text[begin:end] for begin, end in self.sentence_spans.tolist()]

    def text(self) -> str:
        """All characters of the treebank, blanks left out."""
        return "".join(self.forms.strings())

    def range_forms(self) -> list[str]:
        """The forms of the multiword tokens as they stand in the file."""
        rows = np.flatnonzero(self._treebank.index.kinds == MULTIWORD)
        places = self._treebank.index.separators[rows, :2]
        return [self._treebank.data[a + 1 : b].decode("utf-8") for a, b in places.tolist()]


def from_drafts(drafts: Iterable[Draft], name: str = "<built>") -> Treebank:
    """A treebank of built sentences, read back from their CoNLL-U so that only valid rows come to be.

    >>> from gardenpath import Draft, Word
    >>> from_drafts([Draft([Word("Komm", head=0, deprel="root"), Word("!", head=1, deprel="punct")])])[0].text
    'Komm !'
    """
    return Treebank("".join(draft.to_conllu() for draft in drafts).encode("utf-8"), name=name)
