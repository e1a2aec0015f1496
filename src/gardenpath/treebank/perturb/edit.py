"""Gold-preserving edits: words get other forms, are put in, taken out or joined; the rest of the tree stays."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import UsageError
from ..format.fields import format_feats, parse_comment, parse_feats

if TYPE_CHECKING:
    from ..format.sentence import Sentence


def token_places(sentence: Sentence, text: str) -> list[int] | None:
    """Where each surface token begins in the text; None where the text is not what they make.

    Any white space may stand between tokens that a blank separates, and none between others.
    """
    places, at, blank = [], 0, False
    for token in sentence.tokens:
        start = at
        while blank and at < len(text) and text[at].isspace() and not text.startswith(token.form, at):
            at += 1
        if (blank and at == start) or not text.startswith(token.form, at):
            return None
        places.append(at)
        at += len(token.form)
        blank = "SpaceAfter=No" not in token.misc.split("|")
    return None if text[at:].strip() else places


def editable(sentence: Sentence, rewritten: Container[int] = ()) -> set[int]:
    """The IDs of the words that are tokens by themselves, not parts of multiword tokens.

    A multiword token whose first word is in `rewritten` is written anew with its words, so these may change too.
    """
    free = {token.first for token in sentence.tokens if not token.is_multiword}
    for token in sentence.tokens:
        if token.is_multiword and token.first in rewritten:
            free.update(range(token.first, token.last + 1))
    return free


NO_SPACE = "SpaceAfter=No"
OF_THE_PLACE = frozenset({"TokenRange", "start_char", "end_char"})
"""Keys of MISC that say where a token stands."""
_HEAD_IN_DEPS = re.compile(r"(?<![^|])(\d+)(?=[.:])")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A new word without dependents: it comes before the word with the ID `before`, which may be one past the last."""

    before: int
    form: str
    lemma: str
    upos: str
    head: int
    deprel: str
    xpos: str = "_"
    feats: str = "_"


@dataclass(frozen=True, slots=True)
class Structure:
    """What becomes of the tokens of a sentence, by the IDs that its words have before."""

    inserted: tuple[Insertion, ...] = ()
    removed: frozenset[int] = frozenset()
    """Words without dependents."""
    parted: frozenset[int] = frozenset()
    """Multiword tokens, by their first word, whose words become tokens."""
    joined: Mapping[int, str] = field(default_factory=dict)
    """A word that becomes one token with the next one, and how both are written together."""
    tokens: Mapping[int, str] = field(default_factory=dict)
    """Multiword tokens, by their first word, that are written otherwise."""

    def __bool__(self) -> bool:
        return bool(self.inserted or self.removed or self.parted or self.joined or self.tokens)

    def __or__(self, second: Structure) -> Structure:
        """Both edits at once."""
        return Structure(
            self.inserted + second.inserted, self.removed | second.removed, self.parted | second.parted,
            {**self.joined, **second.joined}, {**self.tokens, **second.tokens},
        )  # fmt: skip

    @property
    def touched(self) -> set[int]:
        """The words whose tokens are others afterwards."""
        own = {*self.removed, *self.parted, *self.joined, *self.tokens}
        return own | {number + 1 for number in self.joined} | {insertion.before for insertion in self.inserted}

    def described(self) -> list[str]:
        """For the comment of a variant: `+probably<5`, `8>`, `19-20>do not` are short for what was done."""
        return [
            *(f"+{word.form}<{word.before}" for word in self.inserted),
            *(f"-{number}" for number in sorted(self.removed)),
            *(f"{number}>parted" for number in sorted(self.parted)),
            *(f"{number}>{form}" for number, form in sorted({**self.joined, **self.tokens}.items())),
        ]

    def numbers(self, length: int) -> dict[int, int]:
        """The new ID of every word that is still there."""
        new, at = {}, 0
        for number in range(1, length + 1):
            at += sum(insertion.before == number for insertion in self.inserted)
            if number not in self.removed:
                at += 1
                new[number] = at
        return new


@dataclass(slots=True)
class _Token:
    """A surface token: its rows (that of a multiword token first, empty nodes last), and the white space after it."""

    rows: list[list[str]]
    gap: str
    moved: bool = False  # Is the white space other than it was?

    @property
    def first(self) -> int:
        return int(re.split("[-.]", self.rows[0][0])[0])

    @property
    def is_multiword(self) -> bool:
        return "-" in self.rows[0][0]


def restructured(rows: Sequence[Sequence[str]], text: str, structure: Structure) -> tuple[list[Sequence[str]], str]:
    """Rows and text after the edit. The text must be what the forms make."""
    tokens = _tokens(rows, text)
    tokens = [part for token in tokens for part in _parted(token, structure)]
    tokens = _joined(tokens, structure.joined)
    length = sum(row[0].isdigit() for row in rows)
    for word in structure.inserted:
        _insert(tokens, word)
    for number in structure.removed:
        _remove(tokens, number)
    done: list[Sequence[str]] = []
    new = {0: 0} | structure.numbers(length)
    at = 0
    for token in tokens:
        if token.moved:
            token.rows[0][9] = _spaced(token.rows[0][9], not token.gap)
        for row in token.rows:
            if row[0] == "+":
                row[0] = str(at + 1)
            elif "-" in row[0]:
                row[0] = "-".join(str(new[int(end)]) for end in row[0].split("-"))
            elif "." in row[0]:
                row[0] = f"{at}.{row[0].partition('.')[2]}"
            else:
                row[0] = str(new[int(row[0])])
            at += row[0].isdigit()
            row[6] = str(new[int(row[6])]) if row[6].isdigit() else row[6]
            row[8] = _HEAD_IN_DEPS.sub(lambda match: str(new.get(int(match[1]), match[1])), row[8])
            row[9] = without(row[9], OF_THE_PLACE)
            done.append(row)
    return done, "".join(token.rows[0][1] + token.gap for token in tokens).rstrip(" ") if text else text


def without(misc: str, keys: Iterable[str]) -> str:
    """MISC without these keys."""
    return "|".join(part for part in misc.split("|") if part.partition("=")[0] not in keys) or "_"


def _tokens(rows: Sequence[Sequence[str]], text: str) -> list[_Token]:
    tokens: list[_Token] = []
    last = 0
    for row in rows:
        number = row[0]
        inside = number.isdigit() and int(number) <= last
        if inside or ("." in number and tokens):
            tokens[-1].rows.append(list(row))
        else:
            tokens.append(_Token([list(row)], "" if NO_SPACE in row[9].split("|") else " "))
            last = int(number.partition("-")[2] or number.partition(".")[0])
    at = 0
    for token in tokens if text else ():
        at = text.index(token.rows[0][1], at) + len(token.rows[0][1])
        end = at
        while end < len(text) and text[end].isspace():
            end += 1
        token.gap, at = text[at:end], end
    return tokens


def _parted(token: _Token, structure: Structure) -> list[_Token]:
    if token.first in structure.tokens and token.is_multiword:
        token.rows[0][1] = structure.tokens[token.first]
    if token.first not in structure.parted or not token.is_multiword:
        return [token]
    words = [_Token([row], " ", moved=True) for row in token.rows[1:]]
    words[-1].gap = token.gap
    return words


def _joined(tokens: Sequence[_Token], joined: Mapping[int, str]) -> list[_Token]:
    done: list[_Token] = []
    for token in tokens:
        before = done[-1] if done else None
        if before is not None and before.first in joined and not before.is_multiword:
            whole = ["_"] * 10
            whole[0], whole[1] = f"{before.first}-{token.first}", joined[before.first]
            for row in (*before.rows, *token.rows):
                row[9] = without(row[9], ("SpaceAfter",))
            done[-1] = _Token([whole, *before.rows, *token.rows], token.gap, moved=True)
        else:
            done.append(token)
    return done


def _insert(tokens: list[_Token], word: Insertion) -> None:
    deps = f"{word.head}:{word.deprel}" if any(row[8] != "_" for token in tokens for row in token.rows) else "_"
    row = ["+", word.form, word.lemma, word.upos, word.xpos, word.feats, str(word.head), word.deprel, deps, "_"]
    place = next((n for n, token in enumerate(tokens) if token.rows[0][0] != "+" and token.first >= word.before), None)
    if place is None:  # at the end, close to the last word: a mark
        tokens.append(_Token([row], tokens[-1].gap, moved=True))
        tokens[-2].gap, tokens[-2].moved = "", True
    else:
        gap = tokens[place - 1].gap if place else " "  # in Chinese there is none
        tokens.insert(place, _Token([row], gap, moved=True))


def _remove(tokens: list[_Token], number: int) -> None:
    place = next(n for n, token in enumerate(tokens) if token.rows[0][0] == str(number))
    if place:
        tokens[place - 1].gap, tokens[place - 1].moved = tokens[place].gap, True
    del tokens[place]


def _spaced(misc: str, glued: bool) -> str:
    rest = without(misc, ("SpaceAfter",))
    if not glued:
        return rest
    return NO_SPACE if rest == "_" else f"{rest}|{NO_SPACE}"


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


def capitalised(form: str) -> str:
    return form[:1].upper() + form[1:]


def styled(new: str, form: str) -> str:
    """The new form in the capitals of the old one."""
    if form.isupper() and len(form) > 1:
        return new.upper()
    return capitalised(new) if form[:1].isupper() else new


def _check(change: Change, old: str, where: str) -> None:
    if change.form != old and not _WHITE.search(old):  # what stands in the sentence already can stand there
        check_value(change.form, where)
    for text in (change.lemma, change.xpos, *change.feats, *change.feats.values()):
        if text is not None and (not text or re.search(r"[\t\r\n]", text)):
            raise UsageError(f"a field of CoNLL-U cannot be {text!r}", where=where, todo="use _ for an empty field")
