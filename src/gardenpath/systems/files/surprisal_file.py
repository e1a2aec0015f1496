"""`surprisals:PATH`: surprisals that another program wrote, in a file, a folder of files, or a folder per seed.

Values are taken as they are: bits, if they are to be compared with those of other systems. Sentences are found by what
they say, so that permuting a file never changes a number.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...data import is_data_name, locate
from ...errors import InputError, UsageError
from ...runs.record.signatures import digest, signature
from ...treebank.trees.alignment import difference
from ..asking.protocol import Habits
from ..asking.registry import split_options
from .surprisal_table import ScoredTokens, holds_words, is_unknown, plain, read_surprisals

_NOISE = 1e-4
"""Bits that batches of other sizes leave between two readings of one sentence."""
_ORDER = "write #match=order behind the name if its sentences are in the order of the suite"


class SentenceIndex:
    """Sentences by their characters; blanks and the borders of words do not count.

    A token such as `<unk>` stands for any one word, where there are as many tokens as words and all others are equal.
    """

    def __init__(self, sentences: Sequence[ScoredTokens], where: str) -> None:
        self._sentences, self._where = sentences, where
        self._asked: set[int] = set()
        """The ids of sentences that someone asked for."""
        self._by_characters: defaultdict[str, list[ScoredTokens]] = defaultdict(list)
        self._by_known: dict[int, dict[frozenset[int], defaultdict[tuple[str, ...], list[ScoredTokens]]]] = {}
        """By number of tokens, by places of unknown ones, by the words that are known."""
        for sentence in sentences:
            tokens = sentence.tokens
            for key in dict.fromkeys(["".join(tokens), "".join(map(plain, tokens))]):
                self._by_characters[key].append(sentence)  # a mark of a tokenizer can be a letter (Ġ in Maltese)
            unknown = frozenset(place for place, token in enumerate(tokens) if is_unknown(token))
            if unknown:
                of_length = self._by_known.setdefault(len(tokens), {})
                of_length.setdefault(unknown, defaultdict(list))[_without(tokens, unknown)].append(sentence)

    @property
    def surplus(self) -> int:
        """Sentences that nobody has asked for."""
        return sum(id(sentence) not in self._asked for sentence in self._sentences)

    def found(self, asked: Sequence[Sequence[str]]) -> list[ScoredTokens]:
        """What is there for each sentence; one that is not there, or there with different values, is an error."""
        known: dict[tuple[str, ...], ScoredTokens] = {}
        for number, words in enumerate(asked, 1):
            if (key := tuple(words)) not in known:  # a sentence that is asked again is looked for once
                candidates = self._by_characters.get("".join(words)) or self._with_unknown(words)
                if not candidates:
                    raise self._missing(number, words)
                self._asked.update(map(id, candidates))
                scored = [sentence for sentence in candidates if not np.isnan(sentence.surprisals).any()] or candidates
                first = min(scored, key=lambda sentence: (sentence.tokens, sentence.surprisals.tolist()))
                for sentence in scored:
                    one, other = first.surprisals, sentence.surprisals
                    if len(one) != len(other) or not np.allclose(one, other, rtol=0, atol=_NOISE, equal_nan=True):
                        raise _ambiguous(number, words, first, sentence)
                known[key] = first
        return [known[tuple(words)] for words in asked]

    def _with_unknown(self, words: Sequence[str]) -> list[ScoredTokens]:
        """Sentences with unknown tokens that fit. A word that one of them knows is unknown to none that is meant."""
        fitting = {
            unknown: by_words[known]
            for unknown, by_words in self._by_known.get(len(words), {}).items()
            if (known := _without(words, unknown)) in by_words
        }
        least = [unknown for unknown in fitting if not any(subset < unknown for subset in fitting)]
        return [sentence for unknown in least for sentence in fitting[unknown]]

    def _missing(self, number: int, words: Sequence[str]) -> InputError:
        text = "".join(words)
        nearest = max(self._sentences, key=lambda sentence: _likeness(text, "".join(map(plain, sentence.tokens))))
        mismatch = difference(words, [plain(token) for token in nearest.tokens])
        return InputError(
            f"sentence {number} is missing: {' '.join(words)}; in the nearest one, {mismatch}",
            where=nearest.place,
            todo=f"{len(self._sentences)} sentences are in {self._where}; is it the output for this suite? {_ORDER}",
        )


def _without(words: Sequence[str], places: frozenset[int]) -> tuple[str, ...]:
    return tuple(word for place, word in enumerate(words) if place not in places)


def _ambiguous(number: int, words: Sequence[str], first: ScoredTokens, second: ScoredTokens) -> InputError:
    """The first token that has other values, or other borders, in two answers to the same sentence."""
    pairs = zip(first.tokens, first.surprisals.tolist(), second.tokens, second.surprisals.tolist(), strict=False)
    mismatch = next(
        (f"{a!r} has {x:g} bits at {first.place} and {b!r} {y:g} at {second.place}" for a, x, b, y in pairs
         if len(a) != len(b) or abs(x - y) > _NOISE),
        f"{len(first.tokens)} tokens at {first.place} and {len(second.tokens)} at {second.place}",
    )  # fmt: skip
    what = f"sentence {number} has answers that differ: {' '.join(words)}: {mismatch}"
    return InputError(what, where=first.place, todo=f"a model says the same of the same words; {_ORDER}")


def _likeness(first: str, second: str) -> int:
    """Characters at the begin and at the end that are the same."""
    return sum(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
        for a, b in ((first, second), (first[::-1], second[::-1]))
    )


CHOICES = {"match": ("content", "order")}
"""The values of each option behind the path, its default first."""
_ENDINGS = (".tsv", ".txt", ".csv", ".out", ".surprisals", "")


class SurprisalFiles:
    """A file, a folder with a file per suite, or a folder of such folders, one for each seed of a model."""

    habits = Habits(chunk=None, cached=False)

    def __init__(self, argument: str) -> None:
        path, options = split_options("surprisals", argument, CHOICES)
        self.path = (locate(path) if is_data_name(path) else Path(path).expanduser()).resolve()
        self.match = options.get("match", "content")
        """How sentences are found: by what they say, or by their order in the file."""
        self.name = f"surprisals:{self.path}" + (f"#match={self.match}" if self.match != "content" else "")
        if not path or not self.path.exists():
            raise InputError("no such file or folder", where=argument, todo="name what another program wrote")
        self._read: dict[Path, list[ScoredTokens]] = {}
        self._indexed: dict[tuple[Path, ...], SentenceIndex] = {}

    @cached_property
    def seeds(self) -> dict[str, list[Path]]:
        """The files of each seed, by the name of its folder; one nameless seed where there are no folders."""
        if self.path.is_file():
            return {"": [self.path]}
        files = _files_in(self.path)
        if files:
            return {"": files}
        folders = sorted((one for one in self.path.iterdir() if one.is_dir()), key=lambda one: _natural(one.name))
        by_folder = {folder.name: files for folder in folders if (files := _files_in(folder))}
        if not by_folder:
            todo = "expected files of surprisals, or a folder of them for each seed"
            raise InputError("no files in this folder", where=str(self.path), todo=todo)
        return by_folder

    @cached_property
    def signature(self) -> str:
        parts = [part for files in self.seeds.values() for file in files for part in (file.name, file.read_bytes())]
        match = self.match if self.match != "content" else None
        return signature(
            ("kind", "surprisals"), ("files", digest(*parts)[:12]), ("seeds", len(self.seeds)), ("match", match)
        )

    @property
    def answer_files(self) -> list[str]:
        return [str(file) for files in self.seeds.values() for file in files]

    def of_suite(self, title: str, sentences: Sequence[Sequence[str]], seed: str = "") -> list[ScoredTokens]:
        """What the file for this suite says of its sentences: found by their words, or with `match=order` by order.

        By order, a sentence may have other words; which regions still fit is for the study to say.
        """
        if self.match == "content" and all(map(holds_words, self.seeds[seed])):
            return self._index(self.seeds[seed]).found(sentences)  # such files hold several suites
        path = self._file_of(title, seed)
        if self.match == "content":
            return self._index([path]).found(sentences)
        there = self._sentences(path)
        if len(there) != len(sentences):
            what = f"{len(there)} sentences in the file and {len(sentences)} in {title}: their order says nothing"
            raise InputError(what, where=str(path), todo="leave out #match=order: sentences are found by their words")
        return there

    @property
    def surplus(self) -> int:
        """Sentences of the files read so far that nobody asked for."""
        return sum(index.surplus for index in self._indexed.values())

    def surprisals(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """By the words of each sentence, in whichever file it is."""
        return [sentence.surprisals for sentence in self._found(sentences)]

    def oov(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.bool_]]:
        """All False where the files do not say it."""
        return [
            sentence.oov if sentence.oov is not None else np.zeros(len(sentence.tokens), dtype=bool)
            for sentence in self._found(sentences)
        ]

    def _found(self, sentences: Sequence[Sequence[str]]) -> list[ScoredTokens]:
        if self.match == "order":
            todo = "leave out #match=order: sentences are found by their words"
            raise UsageError("the order of a file is that of a suite, and this is none", where=self.name, todo=todo)
        if len(self.seeds) > 1:
            todo = f"name one of its folders: {', '.join(self.seeds)}"
            raise UsageError(f"{len(self.seeds)} seeds, and one is asked", where=self.name, todo=todo)
        answers = self._index(next(iter(self.seeds.values()))).found(sentences)
        for asked, answer in zip(sentences, answers, strict=True):
            if len(asked) != len(answer.tokens):
                what = f"{len(answer.tokens)} tokens for {len(asked)} words: {' '.join(asked)}"
                raise InputError(what, where=answer.place, todo="surprisals of other tokens fit suites of regions only")
        return answers

    def _index(self, files: Sequence[Path]) -> SentenceIndex:
        """The sentences of these files, which are read once."""
        key = tuple(files)
        if key not in self._indexed:
            there = [sentence for path in files for sentence in self._sentences(path)]
            self._indexed[key] = SentenceIndex(there, str(files[0] if len(files) == 1 else self.path))
        return self._indexed[key]

    def _sentences(self, path: Path) -> list[ScoredTokens]:
        if path not in self._read:
            self._read[path] = read_surprisals(path)
        return self._read[path]

    def _file_of(self, title: str, seed: str) -> Path:
        files = self.seeds[seed]
        if len(files) == 1 and self.path.is_file():
            return files[0]
        pattern = re.compile(rf"(?:.*[-_.])?{re.escape(title)}(?:[-_.](?:surprisals?|outputs?))?", re.IGNORECASE)
        matching = [file for file in files if pattern.fullmatch(_stem(file))]
        exact = [one for one in matching if _stem(one).lower() == title.lower()]
        # `x_sub` also ends with `sub`; the file with the least before the name is the one that is meant.
        matching = exact or [one for one in matching if len(_stem(one)) == min(len(_stem(two)) for two in matching)]
        if len(matching) > 1:
            names = ", ".join(one.name for one in matching)
            raise InputError(
                f"{len(matching)} files for {title}: {names}", where=str(matching[0].parent), todo="keep one"
            )
        if not matching:
            from difflib import get_close_matches

            near = get_close_matches(title, [_stem(file) for file in files], n=1, cutoff=0.3)
            todo = f"the nearest is {near[0]}" if near else "name files after their suites, as surprisals_cls_adj.tsv"
            where = str(files[0].parent)
            raise InputError(f"no file with the surprisals of {title}", where=where, todo=todo)
        return matching[0]


def _files_in(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.iterdir()
        if file.is_file() and not file.name.startswith(".") and file.suffix.lower() in _ENDINGS
    )


def _stem(path: Path) -> str:
    return path.stem if path.suffix.lower() in _ENDINGS else path.name


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """trial2 comes before trial10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name))
