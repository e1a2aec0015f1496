"""Minimal pairs from a treebank: every site of a phenomenon, the rules that hold, and the sentences that change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ...errors import UsageError, unknown_name
from ...treebank.fields import format_feats
from ...treebank.treebank import Treebank
from .changes import Change, Changes
from .naturalness import LONGEST, Naturalness
from .paradigms import paradigms_of
from .rules import Rule, Rules
from .sites import NOMINAL, PHENOMENA, Site
from .words import Words


@dataclass(frozen=True, slots=True)
class TreebankPair:
    """A good sentence of the treebank and a bad one that differs in one word."""

    phenomenon: str
    sentence: int
    good: str
    bad: str
    good_word: str
    bad_word: str
    feature: str
    value: str
    other: str
    position: int
    """Of the changed word in its sentence, from 1."""
    controller: str
    controller_position: int
    attractors: int
    """Nominals between the two words that have another value of the feature."""
    feats: str
    """Of the bad word."""
    dependent: int
    """Of the arc between the two words: the subject, the object or the determiner."""

    @property
    def distance(self) -> int:
        return abs(self.position - self.controller_position)

    @property
    def order(self) -> str:
        """Of subject or object and the verb."""
        if self.feature == "Case":
            return "OV" if self.dependent < self.controller_position else "VO"
        return "SV" if self.dependent < self.position else "VS"


@dataclass(frozen=True, slots=True)
class TreebankPairs:
    """The pairs of a treebank by phenomenon, the rules they rest on, and why other sites gave none."""

    treebank: Treebank
    pairs: dict[str, list[TreebankPair]]
    rules: list[Rule]
    sites: Counter[str]
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __len__(self) -> int:
        return sum(map(len, self.pairs.values()))


def pairs_from_treebank(
    treebank: Treebank,
    phenomena: Sequence[str] = (),
    *,
    unimorph: str | Path | None = None,
    longest: int = LONGEST,
    most: int | None = None,
    seed: int = 0,
) -> TreebankPairs:
    """All pairs that a treebank gives, or at most so many of each phenomenon, drawn by chance.

    >>> import gardenpath as gp
    >>> len(pairs_from_treebank(gp.read("bundled:de-test"), ["subject-verb-number"]))
    32
    """
    for name in phenomena:
        if name not in PHENOMENA:
            raise unknown_name("phenomenon", name, PHENOMENA)
    if most is not None and most < 1:
        raise UsageError(f"{most} pairs of each phenomenon are none", todo="ask for at least one")
    words = Words(treebank)
    search = _Search(words, Changes(words, paradigms_of(words, unimorph)), Naturalness(words, longest=longest))
    for name in phenomena or PHENOMENA:
        search.run(name)
    if most is not None:
        for name, pairs in search.made.pairs.items():
            chosen = sorted(Random(f"{name}:{seed}").sample(range(len(pairs)), min(most, len(pairs))))
            search.made.pairs[name] = [pairs[number] for number in chosen]
    return search.made


class _Search:
    def __init__(self, words: Words, changes: Changes, naturalness: Naturalness) -> None:
        self.words, self.changes, self.naturalness = words, changes, naturalness
        self.made = TreebankPairs(words.treebank, {}, [], Counter())

    def run(self, name: str) -> None:
        sites = list(PHENOMENA[name].sites(self.words))
        rules = Rules(self.words, sites)
        self.made.rules.extend(rules.overview())
        self.made.sites[name] = len(sites)
        pairs: dict[tuple[str, str], TreebankPair] = {}
        for site in sites:
            pair = self._pair(site, rules)
            if not isinstance(pair, str) and (pair.good, pair.bad) in pairs:
                pair = "repeated"
            if isinstance(pair, str):
                self.made.left_out[name, pair] += 1
            else:
                pairs[pair.good, pair.bad] = pair
        self.made.pairs[name] = list(pairs.values())

    def _pair(self, site: Site, rules: Rules) -> TreebankPair | str:
        """The pair of a site, with the first value that gives one; else the reason of the last that was tried."""
        if rules.shown(site) != site.value:
            return "no agreement"
        if fault := self.naturalness.fault(self.words.sentences[site.target]):
            return fault
        reason = "no form"
        for other in self.changes.others(site):
            if not rules.rule(site, other).holds:
                reason = "no rule"
            elif rules.wavers(site, other):
                reason = "wavering"
            else:
                change = self.changes.change(site, other)
                pair = change if isinstance(change, str) else self._written(site, other, change)
                if not isinstance(pair, str):
                    return pair
                reason = pair
        return reason

    def _written(self, site: Site, other: str, change: Change) -> TreebankPair | str:
        words = self.words
        sentence = words.sentences[change.word]
        replaced = self.naturalness.replaced(change.word, change.form)
        if replaced is None:
            return "not a word of its own"
        written, bad = replaced
        begin = words.offsets[sentence]
        attractors = sum(
            words.tags[word] in NOMINAL and words.cell(word).get(site.feature, site.value) != site.value
            for word in words.between(change.word, site.controller)
        )
        return TreebankPair(
            site.phenomenon, sentence, words.text(sentence)[0], bad, words.forms[change.word], written,
            site.feature, site.value, other, change.word - begin + 1, words.forms[site.controller],
            site.controller - begin + 1, attractors, format_feats(change.cell),
            PHENOMENA[site.phenomenon].dependent(site) - begin + 1,
        )  # fmt: skip
