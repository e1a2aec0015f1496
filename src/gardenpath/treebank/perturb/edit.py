"""Gold-preserving edits: some words get other forms, the tree and every other byte of the sentence stay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import UsageError
from ..fields import format_feats, parse_comment, parse_feats
from .places import token_places
from .structure import OF_THE_PLACE, Structure, restructured, without

if TYPE_CHECKING:
    from ..sentence import Sentence

MARK = "perturbation"
"""The comment that says what was changed: `# perturbation = numerals 5:1998>1505`."""
REASONS = {
    "no match": "nothing in the sentence is of the kind",
    "no token": "the text matches, but no token has that form",
    "multiword token": "the word is part of a multiword token",
    "agreement": "the edit would break agreement, or the sentence contradicts the list",
    "no form": "the list has no form for this case and number",
    "no value": "the list has no other value that could stand there",
    "ambiguous": "several entries of the list fit the word",
    "lemma": "the lemma is not the one that the list expects",
    "modified": "the word has a modifier that belongs to it alone",
    "fixed": "the word is part of an expression, or has a sense, in which no other word will do",
    "name part": "the word is another part of a name than the list says, or no name at all",
    "present": "the value stands in the sentence already",
    "no number": "there is no number beside the currency",
    "no constant": "the kind does not put values in one place, so that no constant can stand for them",
    "overlap": "two kinds that are combined would change the same word",
    "text": "# text is not what the forms make",
    "variant": "the sentence was made by a perturbation itself",
}
"""Why no edit is made; perturbations of others may have reasons of their own."""
_OF_THE_FORM = frozenset("Translit LTranslit Reading Gloss MGloss MSeg CorrectForm CorrectLemma".split())
_OF_THE_FEATURES = frozenset({"Ana"})
PLAIN = Structure()
"""Words get other forms, and nothing else happens."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one word. None keeps a column; `feats` sets features, or takes them away where None."""

    form: str
    lemma: str | None = None
    xpos: str | None = None
    feats: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Replacement:
    """One value that can stand in the sentence, and what it does to which words (by ID)."""

    value: str
    changes: Mapping[int, Change]
    group: str = ""
    """What kind of value it is, such as a century."""
    structure: Structure = PLAIN
    """Words that are put in or taken out, and tokens that are written otherwise."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a perturbation would change: the words, what they say now, and what they could say."""

    old: str
    words: tuple[int, ...]
    replacements: Sequence[Replacement]
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Values that are not used here, by reason."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a sentence is not changed; see `REASONS`."""

    reason: str


class Editor:
    """Makes many variants of one sentence: what they share is worked out once."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.text = sentence.metadata.get("text", "")
        places = token_places(sentence, self.text) if self.text else []
        self.fits = places is not None
        """Is the text what the forms make?"""
        tokens = zip(sentence.tokens, places or (), strict=False)
        self._places = {token.first: (at, at + len(token.form)) for token, at in tokens if not token.is_multiword}

    def edited(
        self,
        changes: Mapping[int, Change],
        structure: Structure = PLAIN,
        *,
        sent_id: str = "",
        mark: str = "",
        alone: bool = True,
    ) -> str:
        """The sentence in CoNLL-U with these words changed, and then its structure.

        `sent_id` is its new name, `mark` the comment that says what was done; a sentence that stands `alone`
        begins no document or paragraph.
        """
        for number, change in changes.items():
            _check(change, self.sentence.words[number - 1].form, self.sentence.sent_id)
        text = self._new_text(changes)
        rows = _rows(self.sentence, changes, moved=len(text) != len(self.text))
        if structure:
            rows, text = restructured(rows, text, structure)
        comments = _comments(self.sentence, text, sent_id, mark, alone)
        return "\n".join([*comments, *("\t".join(row) for row in rows), "", ""])

    def _new_text(self, changes: Mapping[int, Change]) -> str:
        text = self.text
        for number in sorted(changes.keys() & self._places.keys(), reverse=True):
            begin, end = self._places[number]
            text = text[:begin] + changes[number].form + text[end:]
        return text


def _rows(sentence: Sentence, changes: Mapping[int, Change], moved: bool) -> list[Sequence[str]]:
    done: list[Sequence[str]] = []
    for row in sentence.rows:
        change = _change_of(row, sentence, changes)
        if change is not None:
            row = _changed(row, change)
        if moved and row[9] != "_" and any(f"{key}=" in row[9] for key in OF_THE_PLACE):
            row = [*row[:9], without(row[9], OF_THE_PLACE)]
        done.append(row)
    return done


def _change_of(row: Sequence[str], sentence: Sentence, changes: Mapping[int, Change]) -> Change | None:
    """The change of this row; an empty node that copies a changed word changes with it."""
    number = row[0]
    if number.isdigit():
        return changes.get(int(number))
    if "." not in number:
        return None
    copies = (
        change
        for word, change in changes.items()
        if row[1:3] == [sentence.words[word - 1].form, sentence.words[word - 1].lemma]
    )
    return next(copies, None)


def _changed(row: Sequence[str], change: Change) -> list[str]:
    number, _, lemma, upos, xpos, feats, head, deprel, deps, misc = row
    if change.feats:
        together = {**parse_feats(feats), **change.feats}
        feats = format_feats({key: value for key, value in together.items() if value is not None})
    stale = _OF_THE_FORM | (_OF_THE_FEATURES if change.feats else set())
    lemma = lemma if change.lemma is None else change.lemma
    xpos = xpos if change.xpos is None else change.xpos
    return [number, change.form, lemma, upos, xpos, feats, head, deprel, deps, without(misc, stale)]


def _comments(sentence: Sentence, text: str, sent_id: str, mark: str, alone: bool) -> list[str]:
    """The comments in their order; what described the old text, such as a translation, is left out."""
    lines, seen = [], set[str]()
    for line in sentence.to_conllu().split("\n"):
        if not line.startswith("#"):
            continue
        pair = parse_comment(line[1:].removeprefix(" "))
        key = pair[0] if pair else line[1:].strip().split(" ")[0]
        if (alone and key.split(" ")[0] in ("newdoc", "newpar")) or key == "translit" or key.startswith("text_"):
            continue
        if key == "sent_id" and sent_id and key not in seen:
            line = f"# sent_id = {sent_id}"
        if key == "text" and key not in seen and pair and pair[1] != text:
            line = f"# text = {text}"
        seen.add(key)
        lines.append(line)
    return [*lines, f"# {MARK} = {mark}"] if mark else lines


_WHITE = re.compile(r"[\s\x00-\x1f\x7f]")


def check_value(value: str, where: str = "") -> str:
    """A form that can stand in CoNLL-U as one token, in the normal form NFC."""
    if not value or value == "_" or _WHITE.search(value):
        raise UsageError(
            f"{value!r} cannot be a token",
            where=where,
            todo="a value has no blanks, tabs or line breaks",
        )
    return unicodedata.normalize("NFC", value)


def _check(change: Change, old: str, where: str) -> None:
    if change.form != old and not _WHITE.search(old):  # what stands in the sentence already can stand there
        check_value(change.form, where)
    for text in (change.lemma, change.xpos, *change.feats, *change.feats.values()):
        if text is not None and (not text or re.search(r"[\t\r\n]", text)):
            raise UsageError(f"a field of CoNLL-U cannot be {text!r}", where=where, todo="use _ for an empty field")
