"""The files of requests by which constructions are found (`tiger.toml`, `ud.toml`), read into rules.

In a pattern `${key}` stands for one of the rule's own alternatives under this key (or, if these are a table, for that
of the variant), for a text under `[labels]` of the file, or for labels of the scheme: `${tags.finite}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from ...boundary.structured import read_toml
from ...phrase.schemes.model import Scheme

_OWN = frozenset({"phenomenon", "variant", "pattern", "finite", "anchors", "each", "node", "flags", "wide"})
"""Keys of a rule; others are alternatives that `${key}` in the pattern stands for."""
_PLACEHOLDER = re.compile(r"\$\{([\w.]+)\}")
_FINITE = "[VerbForm=Fin]|[Mood, !VerbForm]"
"""Some treebanks have no VerbForm; then a mood tells."""


@dataclass(frozen=True, slots=True)
class FindingRule:
    """One request, all alternatives decided."""

    phenomenon: str
    variant: str
    pattern: str
    anchors: tuple[tuple[str, tuple[str, ...]], ...]
    """The name of each anchor and its terms, `X` or `noun(X)`, of which the first counts that gives a node."""
    each: str
    """The node that differs between the matches of one construction: its anchors are numbered."""
    node: str
    """What the construction is: in dependency trees the word that heads it."""
    flags: tuple[tuple[str, tuple[str, ...]], ...]
    """Further blocks, of which one must hold."""
    wide: bool
    """Is it asked with `--wide` alone?"""


@cache
def finding_rules(scheme: Scheme) -> tuple[FindingRule, ...]:
    """The rules of the scheme's file, one for each combination of alternatives."""
    file = Path(__file__).with_name(f"{scheme.name}.toml")
    table = read_toml(file.read_bytes(), str(file))
    labels: dict[str, str] = {}

    def filled(text: str) -> str:
        return _PLACEHOLDER.sub(lambda key: labels[key[1]] if key[1] in labels else _labels_of(scheme, key[1]), text)

    for key, text in table.get("labels", {}).items():
        labels[key] = filled(text)

    return tuple(
        replace(
            rule,
            pattern=filled(rule.pattern),
            flags=tuple((flag, tuple(map(filled, texts))) for flag, texts in rule.flags),
        )
        for entry in table["rule"]
        for rule in _expanded(entry)
    )


def _labels_of(scheme: Scheme, path: str) -> str:
    """`tags.finite` as alternatives of a request."""
    value: Any = scheme
    for name in path.split("."):
        value = getattr(value, name)
    return "|".join(f'"{label}"' for label in sorted([value] if isinstance(value, str) else value))


def _expanded(entry: Mapping[str, Any]) -> Iterator[FindingRule]:
    """One rule for each variant, each choice of alternatives, and each way in which clauses have their finite verb."""
    own = {key: values for key, values in entry.items() if key not in _OWN}
    variants = next(
        (list(values) for values in own.values() if isinstance(values, Mapping)), [entry.get("variant", "")]
    )
    wide = entry.get("wide", False)
    finite: Mapping[str, str] = entry.get("finite", {})
    for variant in variants:
        lists = [[values[variant]] if isinstance(values, Mapping) else values for values in own.values()]
        for choice in product(*lists):
            pattern: str = entry["pattern"]
            for key, text in zip(own, choice, strict=True):
                pattern = pattern.replace(f"${{{key}}}", text)
            for helped in product((False, True), repeat=len(finite)):
                rule = _decided(entry, pattern, list(zip(finite.items(), helped, strict=True)))
                yield replace(rule, variant=variant, wide=variant in wide if isinstance(wide, list) else wide)


def _decided(entry: Mapping[str, Any], pattern: str, finite: Sequence[tuple[tuple[str, str], bool]]) -> FindingRule:
    """A rule whose finite verbs are auxiliaries and copulas (`helped`), or the heads of their clauses themselves."""
    same = {verb: head for (verb, head), helped in finite if not helped}

    def renamed(text: str) -> str:
        return re.sub(r"\b\w+\b", lambda word: same.get(word[0], word[0]), text) if same else text

    further = "".join(
        f"pattern {{ {head} -[1=aux|cop]-> {verb}; {verb} {_FINITE} }}" if helped else f"pattern {{ {head} {_FINITE} }}"
        for (verb, head), helped in finite
    )
    terms = {name: [given] if isinstance(given, str) else given for name, given in entry["anchors"].items()}
    return FindingRule(
        entry["phenomenon"], "", renamed(pattern) + further,
        tuple((name, tuple(map(renamed, texts))) for name, texts in terms.items()), entry.get("each", ""),
        entry["node"], tuple((flag, tuple(map(renamed, texts))) for flag, texts in entry.get("flags", {}).items()),
        False,
    )  # fmt: skip
