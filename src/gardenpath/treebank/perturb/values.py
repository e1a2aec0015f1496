"""A user's own list: values from a file for the words that match."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ...boundary.patterns import bounded_matching, compile_pattern
from ...boundary.texts import file_text
from ...errors import InputError, UsageError
from ...runs.record.signatures import digest
from ..query.parser import read_request, request_text
from ..query.search import Matches
from .edit import Change, Proposal, Refusal, Replacement, check_value, editable

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from ..format.treebank import Treebank


_LIST = b'# kind = "perturbation"'
"""What a list of words begins with, so that it is known for one."""


def is_word_list(path: str) -> bool:
    """Is this a list of words that began as our template of a perturbation?"""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(256).removeprefix(b"\xef\xbb\xbf").startswith(_LIST)
    except OSError:
        return False


def read_values(path: str | PathLike[str]) -> list[str]:
    """One value a line, repeated ones once; each must be able to stand as one token. `# ` begins a comment."""
    lines = file_text(path, "the list").splitlines()
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and f"{line} "[:2] != "# "]
    values = [check_value(line, f"{path}:{number}") for number, line in numbered]
    if not values:
        raise InputError("there are no values in it", where=str(path), todo="write one value a line")
    return list(dict.fromkeys(values))


def own_values(
    path: str | PathLike[str] | None, match: str, upos: Collection[str] = (), split: str = "", query: str = ""
) -> OwnValues | None:
    """A user's list as a perturbation; None where nothing of it is given.

    With `split` the list serves for training and for testing: every second value is for `train`.
    """
    if not path and not match and not upos and not query:
        return None
    if not path or not (match or query):
        todo = 'such as --set "match=Berlin|Hamburg", or match_pattern with a query'
        raise UsageError("a list of your own needs values and match", todo=todo)
    values = read_values(path)
    if split and len(values) < 2:
        raise UsageError("the list has one value", where=str(path), todo="half of it is for training: give two or more")
    return OwnValues(
        values[{"": slice(None), "test": slice(0, None, 2), "train": slice(1, None, 2)}[split]],
        match,
        upos,
        query=query,
    )


class OwnValues:
    """The first word whose whole form matches, of the given parts of speech; all tokens with that form.

    With a query, words are meant that its first node finds, and `match` may be empty.
    """

    def __init__(
        self, values: Sequence[str], match: str, upos: Collection[str] = (), name: str = "values", query: str = ""
    ) -> None:
        if not values:
            raise UsageError("the list of values is empty", todo="give at least one")
        self.values = [check_value(value) for value in values]
        try:
            self.pattern = compile_pattern(match or ".*")
        except ValueError as error:
            raise UsageError(f"the pattern {match!r} is not a regular expression: {error}") from None
        self.upos, self.name = tuple(upos), name
        self.request = read_request(request_text(query)) if query else None
        self._queried: tuple[Treebank, set[int]] | None = None
        queried = f"query={digest(self.request.text)[:12]}," if self.request else ""
        marks = (
            f"match={match or 'any'},{queried}upos={'+'.join(self.upos) or 'any'},values={digest(*self.values)[:12]}"
        )
        self.signature = f"{name}({marks})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free = editable(sentence)
        words = [word for word in self._meant(sentence) if not self.upos or word.upos in self.upos]
        with bounded_matching(f"the pattern {self.pattern.pattern!r}"):
            matching = [word for word in words if self.pattern.fullmatch(word.form)]
        first = next((word for word in matching if word.ord in free), None)
        if first is None:
            return Refusal("multiword token" if matching else "no match")
        same = [word for word in words if word.form == first.form and word.ord in free]
        lemmas = {word.ord: word.lemma for word in same}
        done = [
            Replacement(value, {n: Change(value, "_" if lemma == "_" else value) for n, lemma in lemmas.items()})
            for value in self.values
            if value != first.form
        ]
        return Proposal(first.form, tuple(lemmas), done) if done else Refusal("no value")

    def _meant(self, sentence: Sentence) -> list[Node]:
        """All words, or those that the query finds; its matches are kept for the next sentence of the treebank."""
        if self.request is None:
            return list(sentence.words)
        treebank = sentence.treebank
        if self._queried is None or self._queried[0] is not treebank:
            matches = Matches(self.request, treebank.query_words)
            self._queried = (treebank, set(matches.words(self.request.nodes[0]).tolist()))
        first = int(treebank.offsets[sentence.number])
        return [word for place, word in enumerate(sentence.words, first) if place in self._queried[1]]
