"""Sentences and suites by rule: weighted grammars that a linguist can read, and generators by name.

Other packages add generators of suites and treebanks by entry points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from random import Random
from typing import Any

from ..data.catalogue import bundled
from ..errors import InputError, unknown_name
from ..plugins import plugins

GROUP = "gardenpath.generators"
"""The group of entry points: `name = "package.module:function"`."""


def generator(name: str) -> Any:
    """Return the function that makes suites of this kind, such as `constructions`."""
    by_name = {plugin.name: plugin for plugin in plugins(GROUP)}
    if name not in by_name:
        raise unknown_name("generator", name, by_name)
    return by_name[name].load()


LANGUAGES = ("en", "zh")
START = "TEXT"
DEPTH = 12
"""Deeper than this, the first alternative is taken: it must lead to words."""
_MOST = 10_000
"""Values of all variables of a rule, multiplied."""
_VARIABLE = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class TextGrammar:
    """Names with their alternatives; a symbol that is no name is a word."""

    rules: dict[str, tuple[tuple[str, ...], ...]]
    weights: dict[str, tuple[float, ...]]
    """Running sums of the weights of the alternatives."""

    def sentence(self, draw: Random) -> list[str]:
        """One sentence, as words."""
        return [word for symbol in self._expanded(START, draw, 0) for word in symbol.split("_")]

    def _expanded(self, symbol: str, draw: Random, depth: int) -> Iterator[str]:
        if symbol not in self.rules:
            yield symbol
            return
        alternatives, weights = self.rules[symbol], self.weights[symbol]
        chosen = alternatives[0] if depth > DEPTH else draw.choices(alternatives, cum_weights=weights)[0]
        for part in chosen:
            yield from self._expanded(part, draw, depth + 1)


def sentences(language: str, count: int, seed: int = 0) -> Iterator[list[str]]:
    """So many sentences of this language, drawn with this seed; English ones begin with a capital letter."""
    grammar = text_grammar(language)
    draw = Random(f"{language}:{seed}")
    for _ in range(count):
        words = grammar.sentence(draw)
        yield [words[0][:1].upper() + words[0][1:], *words[1:]]


def text_grammar(language: str) -> TextGrammar:
    """The grammar that comes with the package."""
    if language not in LANGUAGES:
        raise unknown_name("language of texts", language, LANGUAGES)
    path = bundled(f"{language}-grammar")
    return parsed_grammar(path.read_text("utf-8"), path.name)


def parsed_grammar(text: str, name: str = "<grammar>") -> TextGrammar:
    """The grammar of a file; what is not understood is an error with its line."""
    variables: dict[str, list[str]] = {}
    productions: dict[str, list[tuple[float, tuple[str, ...]]]] = {}
    open_rule = ""
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.split("#", 1)[0].rstrip()
        where = f"{name}:{number}"
        if not bare:
            continue
        if bare.startswith("@"):
            variable, *values = bare[1:].split() or [""]
            if not values:
                raise InputError("a variable has a name and values", where=where, todo="write @n sg pl")
            variables[variable] = values
        elif bare.startswith("words "):
            for symbol, forms in _words(bare[len("words ") :], where):
                productions.setdefault(symbol, []).extend((1.0, (form,)) for form in forms)
        elif bare[0] != " ":
            open_rule = bare
        elif open_rule:
            weight, parts = _weighted(bare.split(), where)
            bound = _bound(open_rule, parts, variables, where)
            heads = len({head for head, _ in bound})
            for head, body in bound:
                productions.setdefault(head, []).append((weight * heads / len(bound), body))
        else:
            raise InputError("an alternative without a rule above it", where=where)
    _check_names(productions, name)
    rules = {symbol: tuple(body for _, body in alternatives) for symbol, alternatives in productions.items()}
    weights = {symbol: tuple(accumulate(weight for weight, _ in one)) for symbol, one in productions.items()}
    return TextGrammar(rules, weights)


def _words(line: str, where: str) -> Iterator[tuple[str, list[str]]]:
    heads, colon, forms = line.partition(":")
    names = heads.split()
    rows = [form.split("/") for form in forms.split()]
    if not colon or not names or not rows or any(len(row) != len(names) for row in rows):
        raise InputError("each word needs one form for each name", where=where, todo="write words A B: a1/b1 a2/b2")
    for place, symbol in enumerate(names):
        yield symbol, [row[place] for row in rows]


def _weighted(parts: list[str], where: str) -> tuple[float, list[str]]:
    try:
        weight = float(parts[0])
    except ValueError:
        weight = 0.0
    if not 0 < weight < float("inf"):
        raise InputError("an alternative begins with its weight, above 0", where=where, todo="write 3 NP VP")
    return weight, parts[1:]


def _bound(
    head: str, body: list[str], variables: dict[str, list[str]], where: str
) -> list[tuple[str, tuple[str, ...]]]:
    """The rule for all values of its variables: heads and bodies."""
    whole = " ".join([head, *body])
    names = list(dict.fromkeys(_VARIABLE.findall(whole)))
    for name in names:
        if name not in variables:
            raise unknown_name("variable", name, variables, where=where)
    if prod(len(variables[name]) for name in names) > _MOST:
        raise InputError(
            f"a rule of more than {_MOST:,} values of its variables", where=where, todo="use fewer of them"
        )
    lines = [whole]
    for name in names:
        lines = [line.replace(f"<{name}>", value) for line in lines for value in variables[name]]
    return [(first, tuple(rest)) for first, *rest in (line.split() for line in lines)]


def _check_names(productions: dict[str, list[tuple[float, tuple[str, ...]]]], name: str) -> None:
    """Names are written in capitals: one that is used and not declared is a slip of the pen, not a word."""
    if START not in productions:
        raise InputError(f"the grammar has no rule {START}", where=name)
    for symbol, alternatives in productions.items():
        for _, body in alternatives:
            for part in body:
                if part not in productions and len(part) > 1 and part.split(".")[0].isupper() and part.isascii():
                    raise unknown_name(f"name in the rule {symbol}:", part, productions, where=name)
