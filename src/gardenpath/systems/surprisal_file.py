"""`surprisals:PATH`: surprisals that another program wrote, in a file, a folder of files, or a folder per seed.

Values are taken as they are: bits, if they are to be compared with those of other systems.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..data import is_data_name, locate
from ..errors import InputError, UsageError
from ..runs.signature import digest, signature
from .name_options import split_options
from .protocol import Habits
from .surprisal_match import SentenceIndex
from .surprisal_table import ScoredTokens, holds_words, read_surprisals

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
