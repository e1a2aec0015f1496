"""Templates of suites: read, expanded by their slots, and written as role or region suites."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from math import prod
from random import Random
from typing import Any, NoReturn

import numpy as np

from gardenpath.boundary import read_toml
from gardenpath.errors import InputError, unknown_name
from gardenpath.formats import REGIONS, ROLES, Format
from gardenpath.runs import row_lines
from gardenpath.suites import KEY, DecisiveArc

KINDS = ("pairs", "surprisal", "roles")
_SLOT = re.compile(r"\{([^{}]*)\}")
_PART = re.compile(r"(\w+)(?:\.([$!]?)(\w+))?")
_KNOWN = {
    "kind", "name", "language", "class", "size", "seed", "words", "slots", "vary", "exclude", "sentences", "regions",
    "predictions", "arc",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """`{noun.sg}`, `{noun.$n}` (the value that the variable n has) or `{noun.!n}` (its other value)."""

    name: str
    sign: str
    form: str

    def form_with(self, values: Mapping[str, str], variables: Mapping[str, Sequence[str]]) -> str:
        """The form that is asked for when the variables have these values."""
        if not self.sign:
            return self.form
        value = values[self.form]
        if self.sign == "$":
            return value
        return next(other for other in variables[self.form] if other != value)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with slots: its condition, or its order and properties, and the text around the slots."""

    name: str
    properties: str
    pieces: tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """`words` has a list of lexemes for each name, a lexeme being its forms by name; `slots` says which list a slot
    takes its words from; `vary` the values of variables; `exclude` which words do not go together."""

    file: str
    kind: str
    name: str
    language: str
    group: str
    size: int | None
    seed: int
    words: Mapping[str, Sequence[Mapping[str, str]]]
    slots: Mapping[str, str]
    vary: Mapping[str, Sequence[str]]
    exclude: Sequence[Mapping[str, str]]
    sentences: Sequence[Sentence]
    regions: Sequence[str]
    predictions: Sequence[str]
    arc: tuple[str, ...] = ()
    """The labels of the decisive arc, whose words the sentences mark; empty where there is none."""


def looks_like_template(data: bytes, kinds: Sequence[str] = KINDS) -> bool:
    """Is this TOML that says it is a template of one of these kinds?"""
    match = re.search(rb'^kind[ \t]*=[ \t]*"(\w+)"', data[:65536], re.MULTILINE)
    return match is not None and match[1].decode() in kinds and b"[words]" in data


def parse_template(data: bytes, file: str) -> Template:
    """The template of a file; what is missing or misspelt is an error that says where and what to write."""
    return _Reader(read_toml(data, file, "look at this line and the one before"), file).template()


class _Reader:
    def __init__(self, raw: Mapping[str, Any], file: str) -> None:
        self.raw, self.file = raw, file

    def template(self) -> Template:
        for key in self.raw:
            if key not in _KNOWN:
                raise unknown_name("entry", key, _KNOWN, where=self.file)
        kind = self.raw.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise unknown_name("kind of template", str(kind), KINDS, where=self.file)
        words, vary = self._words(), self._vary()
        slots = {name: name for name in words} | dict(self._table("slots"))
        for slot, source in slots.items():
            if not isinstance(source, str) or source not in words:
                raise unknown_name(f"list of words for the slot {slot}:", str(source), words, where=self.file)
        sentences = self._sentences(kind, slots, words, vary)
        if kind == "pairs" and [sentence.name for sentence in sentences] != ["good", "bad"]:
            self._fail("a pair has two sentences, good and bad", "write [sentences] with good = … and bad = …")
        used = {piece.name for sentence in sentences for piece in sentence.pieces if isinstance(piece, Slot)}
        # One label, or a list of them; of suites of regions.
        arc = self.raw.get("arc", [])
        labels = [arc] if isinstance(arc, str) else arc
        if not isinstance(labels, list) or not all(isinstance(label, str) and label.strip() for label in labels):
            self._fail("arc is neither a label nor a list of labels", 'write arc = "nsubj"', "arc")
        if labels and kind != "surprisal":
            self._fail(f"a template of {kind} has no decisive arc", "leave arc out", "arc")
        return Template(
            self.file, kind, str(self.raw.get("name", "suite")), str(self.raw.get("language", "")),
            str(self.raw.get("class", "")), self._size(), self._whole("seed", 0), words,
            {slot: source for slot, source in slots.items() if slot in used}, vary, self._exclude(slots), sentences,
            self._texts("regions"), self._texts("predictions"), tuple(labels),
        )  # fmt: skip

    def _fail(self, what: str, todo: str, where: str = "") -> NoReturn:
        raise InputError(what, where=f"{self.file}: {where}" if where else self.file, todo=todo)

    def _table(self, key: str) -> Mapping[str, Any]:
        table = self.raw.get(key, {})
        if not isinstance(table, dict):
            self._fail(f"{key} is not a table", f"write [{key}] on a line of its own, and name = value below it")
        return table

    def _texts(self, key: str) -> tuple[str, ...]:
        texts = self.raw.get(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            self._fail(f"{key} is not a list of texts", f'write {key} = ["…", "…"]')
        return tuple(texts)

    def _whole(self, key: str, default: int) -> int:
        value = self.raw.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self._fail(f"{key} is not a whole number", f"write {key} = 40")
        return int(value)

    def _size(self) -> int | None:
        if "size" not in self.raw:
            return None
        size = self._whole("size", 1)
        if not size:
            self._fail("size is 0", "leave it out for all items")
        return size

    def _words(self) -> dict[str, list[dict[str, str]]]:
        words: dict[str, list[dict[str, str]]] = {}
        for name, entries in self._table("words").items():
            if not isinstance(entries, list) or not entries:
                self._fail("this is not a list of words", f'write {name} = ["one", "two"]', f"words.{name}")
            words[name] = [
                self._lexeme(entry, f"words.{name}, entry {place}") for place, entry in enumerate(entries, 1)
            ]
            forms = {frozenset(lexeme) for lexeme in words[name]}
            if len(forms) > 1:
                missing = sorted(frozenset.union(*forms) - frozenset.intersection(*forms))[0]
                place = next(number for number, lexeme in enumerate(words[name], 1) if missing not in lexeme)
                self._fail(
                    f"no form {missing}, which other words of the list have", f"add {missing} = …",
                    f"words.{name}, entry {place} ({next(iter(words[name][place - 1].values()))})",
                )  # fmt: skip
        if not words:
            self._fail("no words", 'write [words] and below it lists such as noun = [{ sg = "dog", pl = "dogs" }]')
        return words

    def _lexeme(self, entry: Any, where: str) -> dict[str, str]:
        if isinstance(entry, str):
            return {"": entry}
        if not isinstance(entry, dict) or not entry or not all(isinstance(form, str) for form in entry.values()):
            self._fail("this is neither a word nor its forms", 'write "dog" or { sg = "dog", pl = "dogs" }', where)
        return dict(entry)

    def _vary(self) -> dict[str, list[str]]:
        vary = {}
        for name, values in self._table("vary").items():
            if not isinstance(values, list) or len(values) < 2 or not all(isinstance(value, str) for value in values):
                self._fail("a variable needs two values or more", f'write {name} = ["sg", "pl"]', f"vary.{name}")
            vary[name] = values
        return vary

    def _exclude(self, slots: Mapping[str, str]) -> list[dict[str, str]]:
        rules = self.raw.get("exclude", [])
        if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
            self._fail("exclude is not a list", 'write [[exclude]] on a line of its own, and slot = "word" below it')
        for rule in rules:
            for slot in rule:
                if slot not in slots:
                    raise unknown_name("slot", slot, slots, where=f"{self.file}: exclude")
        return [{slot: str(word) for slot, word in rule.items()} for rule in rules]

    def _sentences(
        self, kind: str, slots: Mapping[str, str], words: Mapping[str, Any], vary: Mapping[str, Any]
    ) -> list[Sentence]:
        raw = self.raw.get("sentences")
        if kind == "roles":
            if not isinstance(raw, list) or not all(isinstance(entry, dict) for entry in raw) or not raw:
                self._fail("no sentences", 'write [[sentences]] and below it order = "SVO" and text = "…"')
            entries = [(str(row.get("order", "")), str(row.get("props", "base-acc")), row.get("text")) for row in raw]
        else:
            if not isinstance(raw, dict) or not raw:
                self._fail("no sentences", 'write [sentences] and below it good = "…" and bad = "…"')
            entries = [(str(name), "", text) for name, text in raw.items()]
        problems = []
        for place, (name, properties, text) in enumerate(entries, 1):
            where = f"sentences, {name or f'entry {place}'}"
            if not isinstance(text, str) or not text.strip():
                self._fail("a sentence without text", 'write it in quotes, as "the {noun.sg} barks"', where)
            problems.append(Sentence(name, properties, tuple(self._pieces(text, slots, words, vary, where))))
        return problems

    def _pieces(
        self, text: str, slots: Mapping[str, str], words: Mapping[str, Any], vary: Mapping[str, Any], where: str
    ) -> list[str | Slot]:
        texts = _SLOT.split(text)  # text and slots in turn
        for piece in texts[::2]:
            if "{" in piece or "}" in piece:
                self._fail(f"a brace without its other half: {piece.strip()}", "write slots as {noun.sg}", where)
        return [
            self._slot(piece, slots, words, vary, where) if place % 2 else piece for place, piece in enumerate(texts)
        ]

    def _slot(
        self, text: str, slots: Mapping[str, str], words: Mapping[str, Any], vary: Mapping[str, Any], where: str
    ) -> Slot:
        match = _PART.fullmatch(text)
        if match is None:
            self._fail(f"{{{text}}} is not a slot", "write {noun}, {noun.sg}, {noun.$n} or {noun.!n}", where)
        name, sign, form = match[1], match[2] or "", match[3] or ""
        place = f"{self.file}: {where}"
        if name not in slots:
            raise unknown_name("slot", name, slots, where=place)
        forms = [feature for feature in words[slots[name]][0] if feature]
        if sign:
            if form not in vary:
                raise unknown_name("variable", form, vary, where=place)
            if sign == "!" and len(vary[form]) != 2:
                self._fail(f"{{{text}}} asks for the other value of {form}, which has more than two", "name one", where)
            wanted = vary[form]
        else:
            wanted = [form]
        for feature in wanted:
            if feature not in words[slots[name]][0]:
                if not feature:
                    self._fail(f"which form of {name}?", f"write {{{name}.{forms[0]}}}", where)
                raise unknown_name(f"form of {name}:", feature, forms, where=place)
        return Slot(name, sign, form)


MOST = 100_000
_TRIES, _POOL = 60, 5_000


@dataclass(frozen=True, slots=True)
class Filled:
    """One item: the lexeme in each slot and the value of each variable."""

    lexemes: Mapping[str, Mapping[str, str]]
    values: Mapping[str, str]

    def word(self, slot: str) -> str:
        """The first form of the word in a slot: its name."""
        return next(iter(self.lexemes[slot].values()))


def expanded(template: Template, *, size: int | None = None, seed: int | None = None) -> list[Filled]:
    """All items, or so many of them in which words and values occur equally often as far as they can.

    Two slots that take their words from one list never have the same word.
    """
    size, seed = size or template.size, template.seed if seed is None else seed
    words, values = _choices(template)
    count = prod(map(len, [*words.values(), *values.values()]))
    if size is None and count > MOST:
        todo = "say how many are wanted: size = 200 in the template, or --size 200"
        raise InputError(f"the template has up to {count:,} items", where=template.file, todo=todo)
    draw = Random(f"{template.name}:{seed}")
    fillings = list(_all(template)) if count <= MOST else _drawn(template, max(_POOL, 20 * (size or 0)), draw)
    if size is not None and len(fillings) > size:
        fillings = _balanced(fillings, size, draw)
    if not fillings:
        raise InputError("no item is left", where=template.file, todo="add words, or take rules from exclude")
    if size is not None and len(fillings) < size:
        what = f"{size} items are asked for, and the template gives {len(fillings)}"
        raise InputError(what, where=template.file, todo="add words, or ask for fewer")
    return fillings


Lexeme = Mapping[str, str]


def _choices(template: Template) -> tuple[dict[str, Sequence[Lexeme]], dict[str, Sequence[str]]]:
    """What each slot and what each variable may be."""
    return {slot: template.words[source] for slot, source in template.slots.items()}, dict(template.vary)


def _all(template: Template) -> Iterator[Filled]:
    words, values = _choices(template)
    for lexemes in product(*words.values()):
        for combination in product(*values.values()):
            item = Filled(dict(zip(words, lexemes, strict=True)), dict(zip(values, combination, strict=True)))
            if _allowed(template, item):
                yield item


def _allowed(template: Template, item: Filled) -> bool:
    used: dict[str, list[Mapping[str, str]]] = {}
    for slot, lexeme in item.lexemes.items():
        others = used.setdefault(template.slots[slot], [])
        if lexeme in others:
            return False
        others.append(lexeme)
    return not any(
        all(slot in item.lexemes and word in item.lexemes[slot].values() for slot, word in rule.items())
        for rule in template.exclude
    )


def _drawn(template: Template, count: int, draw: Random) -> list[Filled]:
    """So many different items by chance, or fewer where most combinations are excluded."""
    words, values = _choices(template)
    fillings: dict[str, Filled] = {}
    for _ in range(_TRIES * count):
        if len(fillings) == count:
            break
        item = Filled(
            {slot: draw.choice(lexemes) for slot, lexemes in words.items()},
            {name: draw.choice(options) for name, options in values.items()},
        )
        if _allowed(template, item):
            fillings[repr(item)] = item
    return list(fillings.values())


def _balanced(items: list[Filled], size: int, draw: Random) -> list[Filled]:
    """So many of the items: the next one is always that whose words and values were used least so far.

    codes (items, names): which word a slot has; used (names, words): how often it was chosen. The cost of an item is
    the sum of the squares of its counts; of equal ones the first in a random order is taken.
    """
    items = draw.sample(items, len(items))
    texts = [[*map(repr, item.lexemes.values()), *item.values.values()] for item in items]
    columns = [np.unique(column, return_inverse=True)[1] for column in zip(*texts, strict=True)]
    codes = np.stack(columns, axis=1)
    names = np.arange(codes.shape[1])
    used = np.zeros((len(names), int(codes.max()) + 1))
    cost = np.zeros(len(items))
    chosen = []
    for _ in range(min(size, len(items))):
        best = int(np.argmin(cost))
        chosen.append(items[best])
        for name in names:
            word = codes[best, name]
            # its count goes from n to n + 1, and its square grows by 2n + 1
            cost[codes[:, name] == word] += 2 * used[name, word] + 1
            used[name, word] += 1
        cost[best] = np.inf
    return chosen


def text_of(template: Template, sentence: Sentence, item: Filled) -> str:
    """The sentence with its slots filled; blanks are single."""
    pieces = [
        item.lexemes[piece.name][piece.form_with(item.values, template.vary)] if isinstance(piece, Slot) else piece
        for piece in sentence.pieces
    ]
    return " ".join("".join(pieces).split())


FORMS = {"pairs": "pairs", "surprisal": "syntaxgym", "roles": "conllu"}
"""The format that each kind of template becomes."""
_LABELS = {"S": "nsubj", "O": "obj"}
_TAKEN = frozenset(("item_number", "conditions", "sent_id", "text", "base", "order", "props", "ambiguity", "changed"))
"""Names that items of suites have for something else."""


def suite_of(template: Template, items: list[Filled]) -> bytes:
    """The bytes of the suite, in the format of its kind."""
    write = {"pairs": _pairs, "surprisal": _regions, "roles": _roles}[template.kind]
    return write(template, items).encode("utf-8")


def _slot_words(template: Template, item: Filled) -> dict[str, str]:
    """Slots with the name of their word, and variables with their value: what results can be grouped by."""
    return {**{slot: item.word(slot) for slot in template.slots}, **item.values}


def _pairs(template: Template, items: list[Filled]) -> str:
    """A row for each item; slots and variables are columns, so that results can be grouped by them."""
    names = [*template.slots, *template.vary]
    header = ["item", "good", "bad", *(["class"] if template.group else []), *names]
    rows = [header]
    for number, item in enumerate(items, 1):
        sentences = [text_of(template, sentence, item) for sentence in template.sentences]
        words = _slot_words(template, item)
        group = [template.group] if template.group else []
        rows.append([str(number), *sentences, *group, *(words[name] for name in names)])
    return row_lines(rows)


def _regions(template: Template, items: list[Filled]) -> str:
    """Regions are separated by | in the sentences."""
    counts = {
        sentence.name: 1 + sum(piece.count("|") for piece in sentence.pieces if isinstance(piece, str))
        for sentence in template.sentences
    }
    count = max(counts.values())
    for name, per_condition in counts.items():
        if per_condition != count:
            what = f"{per_condition} regions here, {count} in another sentence"
            raise InputError(what, where=f"{template.file}: sentences, {name}", todo="put | between the same regions")
    if template.regions and len(template.regions) != count:
        what = f"{len(template.regions)} names for {count} regions"
        raise InputError(what, where=f"{template.file}: regions", todo="name each stretch between |")
    if not template.predictions:
        todo = f'write predictions = ["({count};%bad%) > ({count};%good%)"]'
        raise InputError("no prediction: nothing can be right or wrong", where=template.file, todo=todo)
    names = template.regions or [f"region {number}" for number in range(1, count + 1)]
    ours = {"gardenpath": {"properties": {"class": template.group}}} if template.group else {}
    whole: dict[str, Any] = {
        "meta": {"name": template.name, "metric": "sum", **ours},
        "region_meta": {str(number): name for number, name in enumerate(names, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in template.predictions],
        "items": [
            {"item_number": number, **_columns(template, item),
             "conditions": [_condition(template, sentence, item) for sentence in template.sentences]}
            for number, item in enumerate(items, 1)
        ],
    }  # fmt: skip
    return json.dumps(whole, ensure_ascii=False, indent=4) + "\n"


def _columns(template: Template, item: Filled) -> dict[str, str]:
    """What is said of an item beside what its format has."""
    return {name: word for name, word in _slot_words(template, item).items() if name not in _TAKEN}


def _condition(template: Template, sentence: Sentence, item: Filled) -> dict[str, Any]:
    regions = [region.split() for region in text_of(template, sentence, item).split("|")]
    arc: dict[str, Any] = {}
    if template.arc:
        _, marks = _unmarked([word for region in regions for word in region], "DH")
        if marks.count("D") != 1 or marks.count("H") != 1:
            todo = "write /D after the word whose head is decisive, and /H after that head"
            where = f"{template.file}: sentences, {sentence.name}"
            raise InputError("the two words of the decisive arc are not marked", where=where, todo=todo)
        words = DecisiveArc(marks.index("D") + 1, marks.index("H") + 1, template.arc)
        arc, regions = {KEY: words.as_json()}, [_unmarked(region, "DH")[0] for region in regions]
    return {
        "condition_name": sentence.name,
        "regions": [{"region_number": number, "content": " ".join(region)} for number, region in enumerate(regions, 1)],
        **arc,
    }


def _unmarked(words: Sequence[str], letters: str) -> tuple[list[str], list[str]]:
    """The words without marks such as `/V`, and the letter of each that has one."""
    marks = [word[-1] if len(word) > 2 and word[-2] == "/" and word[-1] in letters else "" for word in words]
    return [word[:-2] if mark else word for word, mark in zip(words, marks, strict=True)], marks


def _roles(template: Template, items: list[Filled]) -> str:
    """Each item in all its sentences: one base sentence, partial gold, order and properties in comments."""
    blocks = []
    for number, item in enumerate(items, 1):
        for place, sentence in enumerate(template.sentences, 1):
            words = text_of(template, sentence, item).split()
            where = f"{template.file}: sentences, {sentence.name or f'entry {place}'}"
            forms, marks = _unmarked(words, "SOV")
            if marks.count("V") != 1 or not {"S", "O"} & set(marks):
                todo = "write /V after the verb, /S after the noun of the subject, /O after that of the object"
                raise InputError("no verb, or neither subject nor object is marked", where=where, todo=todo)
            verb = marks.index("V") + 1
            lines = [
                f"# sent_id = {template.name}-{number}-{place}", f"# text = {' '.join(forms)}", f"# base = {number}",
                *([f"# order = {sentence.name}"] if sentence.name else []), f"# props = {sentence.properties}",
                *(f"# {name} = {word}" for name, word in _columns(template, item).items()),
            ]  # fmt: skip
            for at, (form, mark) in enumerate(zip(forms, marks, strict=True), 1):
                arc = f"{verb}\t{_LABELS[mark]}" if mark in _LABELS else "0\tverb" if mark == "V" else "_\t_"
                lines.append(f"{at}\t{form}\t_\t_\t_\t_\t{arc}\t_\t_")
            blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


# ---- templates as suites: what reads a suite reads a template, too


def _read(data: bytes, name: str, **how: Any) -> Any:
    """The suite that a template makes, under the template's own name."""
    template = parse_template(data, name)
    formats = ROLES if template.kind == "roles" else REGIONS
    if template.kind == "roles":
        how["language"] = how.get("language") or template.language
    return formats.reader(FORMS[template.kind])(suite_of(template, expanded(template)), name, **how)


REGION_TEMPLATE = Format(
    "template",
    "a template with slots",
    (".toml",),
    lambda data, _: looks_like_template(data, ("pairs", "surprisal")),
    _read,
)
ROLE_TEMPLATE = Format(
    "template", "a template with slots", (".toml",), lambda data, _: looks_like_template(data, ("roles",)), _read
)


STARTERS = {"pairs": "toml", "surprisal": "toml", "roles": "toml", "perturbation": "txt"}
"""The kinds of suites that can be begun, and the ending of their file."""


def starter(kind: str, language: str, name: str) -> str:
    """The text of a commented template for a language (ISO 639), with a name for the suite."""
    if kind not in STARTERS:
        raise unknown_name("kind of suite", kind, STARTERS)
    if not (language.isalpha() and language.isascii() and language.islower() and 2 <= len(language) <= 3):
        raise InputError(f"{language!r} is not a code of a language", where="--language", todo="write en, de, tr, …")
    text = files(__package__).joinpath("starters", f"{kind}.{STARTERS[kind]}").read_text("utf-8")
    return text.replace("{name}", name, 1).replace("{language}", language, 1)
