"""Items of a template as a suite (table of pairs, SyntaxGym, CoNLL-U), and templates to begin with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from gardenpath.errors import InputError, unknown_name
from gardenpath.formats import REGIONS, ROLES, Format
from gardenpath.runs import row_lines
from gardenpath.suites import KEY, DecisiveArc

from .template import Filled, Sentence, Template, expanded, looks_like_template, parse_template, text_of

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
