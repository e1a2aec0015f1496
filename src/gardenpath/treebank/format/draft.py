"""A draft: a sentence that can still be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...errors import UsageError
from .fields import format_feats, format_misc, parse_comment, parse_feats, parse_pairs, text_of

if TYPE_CHECKING:
    from .sentence import Sentence


@dataclass(slots=True)
class Word:
    """A word of a draft. `head` is the ID of another word, 0 for the root, None where it is unknown.

    >>> Word("Katze", upos="NOUN", head=3, deprel="nsubj").deprel
    'nsubj'
    """

    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: dict[str, str] = field(default_factory=dict)
    head: int | None = None
    deprel: str = "_"
    deps: str = "_"
    misc: dict[str, str] = field(default_factory=dict)
    _read: tuple[str, str] = field(default=("_", "_"), repr=False, compare=False)
    """FEATS and MISC as they were read: they are written so again as long as they mean the same."""

    def fields(self, number: int | str) -> list[str]:
        """The ten columns."""
        feats, misc = self._read
        feats = feats if parse_feats(feats) == self.feats else format_feats(self.feats)
        misc = misc if parse_pairs(misc) == self.misc else format_misc(self.misc)
        head = "_" if self.head is None else str(self.head)
        texts = [self.form, self.lemma, self.upos, self.xpos, feats]
        return [str(number), *texts, head, self.deprel, self.deps, misc]


@dataclass(slots=True)
class Span:
    """A multiword token over the words `first` to `last`."""

    first: int
    last: int
    form: str
    misc: dict[str, str] = field(default_factory=dict)
    feats: str = "_"
    _read: str = field(default="_", repr=False, compare=False)

    def fields(self) -> list[str]:
        """The ten columns."""
        misc = self._read if parse_pairs(self._read) == self.misc else format_misc(self.misc)
        return [f"{self.first}-{self.last}", self.form, *["_"] * 3, self.feats, *["_"] * 3, misc]


@dataclass(slots=True)
class Draft:
    """Words (ID = position from 1), multiword tokens, empty nodes and comments of a sentence in the making.

    >>> draft = Draft([Word("Katzen", head=2, deprel="nsubj"), Word("schlafen", head=0, deprel="root")])
    >>> draft.insert(1, Word("Alle", head=2, deprel="det"))  # heads move along
    >>> [(word.form, word.head) for word in draft.words]
    [('Alle', 2), ('Katzen', 3), ('schlafen', 0)]
    """

    words: list[Word] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    empty: list[tuple[int, Word]] = field(default_factory=list)
    """Empty nodes, each with the ID of the word before it (0: before the first)."""
    comments: list[str] = field(default_factory=list)
    """Without `# `."""

    @classmethod
    def from_sentence(cls, sentence: Sentence) -> Draft:
        draft = cls(comments=list(sentence.comments))
        for row in sentence.rows:
            number, form, lemma, upos, xpos, feats, head, deprel, deps, misc = row
            if "-" in number:
                first, last = map(int, number.split("-"))
                draft.spans.append(Span(first, last, form, parse_pairs(misc), feats, misc))
                continue
            pairs, above = parse_pairs(misc), None if head == "_" else int(head)
            word = Word(form, lemma, upos, xpos, parse_feats(feats), above, deprel, deps, pairs, (feats, misc))
            if "." in number:
                draft.empty.append((int(number.split(".")[0]), word))
            else:
                draft.words.append(word)
        return draft

    # ---- comments

    def get(self, key: str) -> str:
        """The value of `# key = value`, empty if there is none."""
        pairs = (pair for pair in map(parse_comment, self.comments) if pair)
        return next((value for name, value in pairs if name == key), "")

    def set(self, key: str, value: str) -> None:
        """Sets `# key = value`, in its old place or at the end."""
        _comment_line(f"{key} = {value}")
        self.comments = _with_comment(self.comments, key, value)

    # ---- changing the words

    def insert(self, number: int, word: Word) -> None:
        """Puts a word at ID `number`; the words from there on move up, and all heads with them.

        The head of the new word counts in the new numbers. A multiword token takes it in if it comes between its words.
        """
        if not 1 <= number <= len(self.words) + 1:
            raise UsageError(f"cannot insert word {number} into a sentence of {len(self.words)} words")
        self._refuse_deps("insert")
        self._renumber(lambda old: old + 1 if old >= number else old)
        for span in self.spans:
            span.last += number <= span.last
            span.first += number <= span.first
        self.words.insert(number - 1, word)

    def remove(self, number: int) -> None:
        """Takes a word out; its dependents go to its head. A multiword token that keeps one word is dissolved."""
        if not 1 <= number <= len(self.words):
            raise UsageError(f"no word {number} in a sentence of {len(self.words)} words")
        self._refuse_deps("remove")
        gone = self.words.pop(number - 1)
        for word in self.words:
            if word.head == number:
                word.head = None if gone.head == number else gone.head
        self._renumber(lambda old: old - 1 if old > number else old)
        for span in self.spans:
            span.last -= number <= span.last
            span.first -= number < span.first
        self.spans = [span for span in self.spans if span.last > span.first]

    def _refuse_deps(self, action: str) -> None:
        if any(word.deps != "_" for word in self.words) or self.empty:
            raise UsageError(
                f"cannot {action} a word in a sentence with enhanced dependencies",
                where=self.get("sent_id"),
                todo="call drop_enhanced() first",
            )

    def drop_enhanced(self) -> None:
        """Removes DEPS and empty nodes."""
        self.empty = []
        for word in self.words:
            word.deps = "_"

    def _renumber(self, new: Callable[[int], int]) -> None:
        for word in self.words:
            if word.head:
                word.head = new(word.head)

    # ---- writing

    def text(self) -> str:
        """The text that the surface tokens make."""
        covered, tokens = 0, []
        spans = {span.first: span for span in self.spans}
        for number, word in enumerate(self.words, 1):
            if number in spans:
                covered = spans[number].last
            if number in spans or number > covered:
                token = spans.get(number, word)
                tokens.append((token.form, format_misc(token.misc)))
        return text_of(tokens)

    def to_conllu(self) -> str:
        """The sentence as it stands in a file; `# text` is made from the forms."""
        self._check_places()
        spans = {span.first: span for span in self.spans}
        rows = _empty_rows(self.empty, 0)
        for number, word in enumerate(self.words, 1):
            if number in spans:
                rows.append(spans[number].fields())
            rows.append(word.fields(number))
            rows += _empty_rows(self.empty, number)
        lines = [_line(row) for row in rows]
        comments = [_comment_line(comment) for comment in _with_comment(self.comments, "text", self.text())]
        return "\n".join([*comments, *lines]) + "\n\n"

    def _check_places(self) -> None:
        """What has no place among the words would be lost without a word."""
        where, size = self.get("sent_id"), len(self.words)
        if not size:
            raise UsageError("a sentence needs at least one word", where=where)
        covered = 0
        for span in sorted(self.spans, key=lambda span: span.first):
            if not covered < span.first < span.last <= size:
                todo = f"it covers two or more of the {size} words and overlaps no other"
                raise UsageError(f"the range {span.first}-{span.last} does not fit", where=where, todo=todo)
            covered = span.last
        for after, _ in self.empty:
            if not 0 <= after <= size:
                raise UsageError(f"an empty node after word {after} of {size} words", where=where)


def _with_comment(comments: Sequence[str], key: str, value: str) -> list[str]:
    """The comments with `key = value` in its old place or at the end; untouched where it says so already."""
    for number, comment in enumerate(comments):
        pair = parse_comment(comment)
        if pair and pair[0] == key:
            new = comment if pair[1] == value else f"{key} = {value}"
            return [*comments[:number], new, *comments[number + 1 :]]
    return [*comments, f"{key} = {value}"]


def _comment_line(comment: str) -> str:
    if "\n" in comment or "\r" in comment:
        raise UsageError(f"a comment must stay on one line: {comment!r}")
    return f"# {comment}"


def _empty_rows(empty: Sequence[tuple[int, Word]], after: int) -> list[list[str]]:
    nodes = [node for at, node in empty if at == after]
    return [replace(node, head=None).fields(f"{after}.{number}") for number, node in enumerate(nodes, 1)]


def _line(fields: Sequence[str]) -> str:
    """A tab or a line break in a field would make another file than the one that was meant."""
    for text in fields:
        if not text or "\t" in text or "\n" in text or "\r" in text:
            raise UsageError(f"a field of CoNLL-U cannot be {text!r}", todo="use _ for an empty field")
    return "\t".join(fields)
