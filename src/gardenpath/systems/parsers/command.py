"""`command:PROGRAM …`: any program that reads CoNLL-U or text on standard input and writes CoNLL-U.

`command:trees PROGRAM …` is a phrase parser: it reads a sentence a line, its tokens separated by blanks, and writes
phrase trees in any format.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from ...errors import EmptyAnswer, FailedOnInput, InputError, NoAnswer, SystemFailure, UnreadableAnswer, UsageError
from ...runs.record.signatures import digest, file_hash, signature
from ...runs.work.program import OutputTooLargeError, run_program
from ..asking.protocol import Habits, Sentences
from ..asking.request import MODES, Request

if TYPE_CHECKING:
    from ...phrase.tree import PhraseTree

DEFAULT_LIMIT = 3600.0
_TAIL = 5
_RATIO, _HARMLESS = 200, 64 << 20
"""What a program may print: so many times what it was given, or so many bytes."""


TREES = "trees"
_FORMS = ("text", "conllu", TREES)


def command(argument: str) -> Program:
    """The program of an argument: a dependency parser, or a phrase parser if `trees` stands before it."""
    return (PhraseCommand if argument.partition(" ")[0] == TREES else Command)(argument)


class Program:
    """A program, called without a shell."""

    # What a program prints can depend on anything, so it is not kept; it may take long to start, so it gets much.
    habits = Habits(chunk=5000, cached=False, own_limit=True)

    def __init__(self, argument: str) -> None:
        form, _, rest = argument.partition(" ")
        self.reads = form if form in _FORMS and rest.strip() else "conllu"
        try:
            words = shlex.split(rest if form in _FORMS and rest.strip() else argument)
        except ValueError as error:
            raise UsageError(
                f"this is not a command: {error}", where=f"command:{argument}", todo="check the quotes"
            ) from None
        if not words:
            raise UsageError("no program is named", where=f"command:{argument}", todo="write command:PROGRAM ARGUMENTS")
        program = which(words[0])
        if program is None:
            raise UsageError(f"there is no program {words[0]}", where=f"command:{argument}", todo="check the path")
        self._words = [str(Path(program).absolute()), *words[1:]]
        self.name = f"command:{self.reads} {shlex.join(self._words)}"
        self._hash = _program_hash(self._words)

    @property
    def signature(self) -> str:
        return signature(
            ("kind", "command"), ("program", shlex.join(self._words)), ("sha256", self._hash), ("reads", self.reads)
        )

    def _run(self, given: bytes, limit: float) -> bytes:
        most = max(_HARMLESS, _RATIO * len(given))
        try:
            program = run_program(self._words, given, seconds=limit, most=most)
        except TimeoutError:
            raise NoAnswer(
                f"the program gave no answer within {limit:g} s",
                where=self.name,
                todo="give it more: --set work.time_limit=N",
            ) from None
        except OutputTooLargeError:
            what = f"the program printed more than {most >> 20} MB for {len(given):,} bytes"
            raise UnreadableAnswer(what, where=self.name, todo="it was ended; it must write trees alone") from None
        except OSError as error:
            raise SystemFailure(f"the program cannot be started: {error.strerror}", where=self.name) from error
        if program.code:
            how = (
                f"was ended by signal {-program.code}" if program.code < 0 else f"failed with exit code {program.code}"
            )
            lines = program.errors.decode("utf-8", "replace").strip().splitlines()[-_TAIL:]
            raise FailedOnInput(f"the program {how}", where=self.name, todo="\n  ".join(lines) or "it said nothing")
        return program.output


class Command(Program):
    """A dependency parser. `command:text PROGRAM …` gives it text instead of CoNLL-U."""

    @property
    def modes(self) -> tuple[str, ...]:
        return ("tokens",) if self.reads == "conllu" else MODES[1:]

    def parse(self, request: Request) -> str:
        if request.mode == "tokens":
            given = request.conllu
        else:
            given = ("\n" if request.mode == "sentences" else "\n\n").join(" ".join(t.split()) for t in request.texts)
        output = self._run(given.encode("utf-8"), request.time_limit or DEFAULT_LIMIT)
        if not output.strip():
            raise EmptyAnswer("the program printed nothing", where=self.name, todo="it must write CoNLL-U")
        try:
            return output.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableAnswer(f"what the program printed is not UTF-8: {error}", where=self.name) from None


class PhraseCommand(Program):
    """A phrase parser. A sentence whose tree is missing, empty or NOPARSE has no parse."""

    def parse_trees(self, sentences: Sentences) -> list[PhraseTree | None]:
        from ...phrase.formats.source import DEFAULT, FORMATS, Reading, detected
        from ..files.tree_file import trees_for

        given = "".join(f"{' '.join(words)}\n" for words in sentences)
        output = self._run(given.encode("utf-8"), DEFAULT_LIMIT)
        if not output.strip():
            raise EmptyAnswer("the program printed nothing", where=self.name, todo="it must write phrase trees")
        how = Reading("utf-8", DEFAULT, lambda _: None)
        try:
            trees: list[PhraseTree] = list(FORMATS.reader(detected(output))(output, self.name, how))
            return trees_for(sentences, (), trees, self.name)
        except InputError as error:
            raise UnreadableAnswer(error.what, where=error.where or self.name, todo=error.todo) from None


def _program_hash(words: Sequence[str]) -> str | None:
    """The start of the SHA-256 of a program and of all files among its arguments, such as a script or a model."""
    hashes = []
    for word in words:
        try:
            hashes.append(file_hash(Path(word)) if Path(word).is_file() else "")
        except OSError:  # it may be run, and not read
            hashes.append("")
    known = [one for one in hashes if one]
    return (known[0] if len(known) == 1 else digest(*hashes))[:12] if known else None
