"""Building and editing trees: a draft is a sentence that can still be changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from .fields import format_feats, format_misc, parse_pairs, text_of
from .treebank import Treebank

if TYPE_CHECKING:
    from .sentence import Sentence


@dataclass(slots=True)
class Word:
    """A word of a draft. `head` is the ID of another word, 0 for the root, None where it is unknown."""

    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: dict[str, str] = field(default_factory=dict)
    head: int | None = None
    deprel: str = "_"
    deps: str = "_"
    misc: dict[str, str] = field(default_factory=dict)

    def fields(self, number: int | str) -> list[str]:
        """The ten columns."""
        head = "_" if self.head is None else str(self.head)
        texts = [self.form, self.lemma, self.upos, self.xpos, format_feats(self.feats)]
        return [str(number), *texts, head, self.deprel, self.deps, format_misc(self.misc)]


@dataclass(slots=True)
class Span:
    """A multiword token over the words `first` to `last`."""

    first: int
    last: int
    form: str
    misc: dict[str, str] = field(default_factory=dict)
    feats: str = "_"


@dataclass(slots=True)
class Draft:
    """Words (ID = position from 1), multiword tokens, empty nodes and comments of a sentence in the making."""

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
                draft.spans.append(Span(first, last, form, parse_pairs(misc), feats))
                continue
            word = Word(form, lemma, upos, xpos, parse_pairs(feats), None, deprel, deps, parse_pairs(misc))
            if "." in number:
                draft.empty.append((int(number.split(".")[0]), word))
            else:
                word.head = None if head == "_" else int(head)
                draft.words.append(word)
        return draft

    # ---- comments

    def get(self, key: str) -> str:
        """The value of `# key = value`, empty if there is none."""
        mark = f"{key} = "
        return next((comment[len(mark) :] for comment in self.comments if comment.startswith(mark)), "")

    def set(self, key: str, value: str) -> None:
        """Sets `# key = value`, in its old place or at the end."""
        if "\n" in key + value or "\r" in key + value:
            raise UsageError(f"a comment must stay on one line: {key} = {value!r}")
        mark = f"{key} = "
        for number, comment in enumerate(self.comments):
            if comment.startswith(mark):
                self.comments[number] = mark + value
                return
        self.comments.append(mark + value)

    # ---- changing the words

    def insert(self, number: int, word: Word) -> None:
        """Puts a word at ID `number`; the words from there on move up, and all heads with them."""
        if not 1 <= number <= len(self.words) + 1:
            raise UsageError(f"cannot insert word {number} into a sentence of {len(self.words)} words")
        self._refuse_deps("insert")
        self._renumber(lambda old: old + 1 if old >= number else old)
        for span in self.spans:
            span.last += number <= span.last
            span.first += number <= span.first
        self.empty = [(at + 1 if at >= number else at, node) for at, node in self.empty]
        self.words.insert(number - 1, word)

    def remove(self, number: int) -> None:
        """Takes a word out; its dependents go to its head. A multiword token that keeps one word is dissolved."""
        if not 1 <= number <= len(self.words):
            raise UsageError(f"no word {number} in a sentence of {len(self.words)} words")
        self._refuse_deps("remove")
        gone = self.words.pop(number - 1)
        for word in self.words:
            if word.head == number:
                word.head = gone.head
        self._renumber(lambda old: old - 1 if old > number else old)
        for span in self.spans:
            span.last -= number <= span.last
            span.first -= number < span.first
        self.spans = [span for span in self.spans if span.last > span.first]
        self.empty = [(at - 1 if at >= number else at, node) for at, node in self.empty]

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

    def _renumber(self, new: object) -> None:
        assert callable(new)
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
                span = spans[number]
                covered = span.last
                tokens.append((span.form, format_misc(span.misc)))
            elif number > covered:
                tokens.append((word.form, format_misc(word.misc)))
        return text_of(tokens)

    def to_conllu(self) -> str:
        """The sentence as it stands in a file; `# text` is made from the forms."""
        if not self.words:
            raise UsageError("a sentence needs at least one word", where=self.get("sent_id"))
        self.set("text", self.text())
        lines = [f"# {comment}" for comment in self.comments]
        spans = {span.first: span for span in self.spans}
        lines += _empty_lines(self.empty, 0)
        for number, word in enumerate(self.words, 1):
            if number in spans:
                span = spans[number]
                cells = [f"{span.first}-{span.last}", span.form, *["_"] * 3, span.feats, *["_"] * 3]
                lines.append("\t".join([*cells, format_misc(span.misc)]))
            lines.append("\t".join(_checked(word.fields(number))))
            lines += _empty_lines(self.empty, number)
        return "\n".join(lines) + "\n\n"


def _empty_lines(empty: Sequence[tuple[int, Word]], after: int) -> list[str]:
    nodes = [node for at, node in empty if at == after]
    return ["\t".join(replace(node, head=None).fields(f"{after}.{k}")) for k, node in enumerate(nodes, 1)]


def _checked(fields: list[str]) -> list[str]:
    """A tab or a line break in a field would make another file than the one that was meant."""
    for text in fields:
        if not text or "\t" in text or "\n" in text or "\r" in text:
            raise UsageError(f"a field of CoNLL-U cannot be {text!r}", todo="use _ for an empty field")
    return fields


def from_drafts(drafts: Iterable[Draft], name: str = "<built>") -> Treebank:
    """A treebank of built sentences, read back from their CoNLL-U so that only valid rows come to be."""
    return Treebank("".join(draft.to_conllu() for draft in drafts).encode("utf-8"), name=name)
