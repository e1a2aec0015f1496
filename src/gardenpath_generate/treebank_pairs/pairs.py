"""Minimal pairs of a treebank: made, compared in naturalness, counted, and written as a suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from gardenpath.errors import UsageError, unknown_name
from gardenpath.runs import Finding, Result, Table, Value, digest, row_lines, signature, write_bytes
from gardenpath.treebank import Treebank, format_feats

from .changes import DETERMINER_NOUN, NOMINAL, PHENOMENA, Change, Changes, Rule, Rules, Site
from .paradigms import Words, paradigms_of

SHORTEST, LONGEST = 4, 40
_QUOTES = frozenset("\"`'“”„‟‘’‚‛«»‹›「」『』")
_APOSTROPHES = frozenset("'’")
_BROKEN = frozenset(["dep", "goeswith", "orphan", "reparandum", "list"])
_OPENING = frozenset(" \t([{¿¡—–")


class Naturalness:
    """Answers for sentences once, however many sites they have."""

    def __init__(self, words: Words, *, longest: int = LONGEST) -> None:
        self._words, self._longest = words, longest
        self._known: dict[int, str] = {}

    def fault(self, sentence: int) -> str:
        """Why no pair is made of a sentence; empty where nothing speaks against it."""
        if sentence not in self._known:
            self._known[sentence] = self._fault(sentence)
        return self._known[sentence]

    def _fault(self, sentence: int) -> str:
        words = self._words
        begin, end = words.offsets[sentence : sentence + 2]
        if not SHORTEST <= end - begin <= self._longest:
            return "length"
        if not _BROKEN.isdisjoint(words.relations[begin:end]):
            return "broken sentence"
        text = words.text(sentence)[0]
        return "quotation" if _has_quotes(text) else ""

    def replaced(self, word: int, form: str) -> tuple[str, str] | None:
        """Another form as it is written in place of a word, and the sentence with it; None where the word does not
        stand alone between blanks and marks, or is not made of letters."""
        words = self._words
        sentence = words.sentences[word]
        text, places = words.text(sentence)
        place, old = places[word - words.offsets[sentence]], words.forms[word]
        if place < 0 or not (old.isalpha() and form.isalpha()) or (len(old) > 1 and old.isupper()):
            return None
        end = place + len(old)
        before, after = text[place - 1 : place], text[end : end + 1]
        if (before and before not in _OPENING) or after.isalnum() or after in _APOSTROPHES or after == "-":
            return None
        if after == "." and end + 1 < len(text.rstrip()):  # an abbreviation
            return None
        if old[0].isupper():
            form = form[0].upper() + form[1:]
        return form, text[:place] + form + text[end:]


def _has_quotes(text: str) -> bool:
    """Quotation marks; an apostrophe between letters, or after one, is none."""
    return any(
        mark in _QUOTES and not (mark in _APOSTROPHES and place and text[place - 1].isalnum())
        for place, mark in enumerate(text)
    )


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


REASONS = {
    "no agreement": "the treebank itself has another value there",
    "no rule": "too few sites keep the rule, or too many break it",
    "wavering": "this noun or verb is also found with the other value",
    "no form": "the other form is not known",
    "same form": "the other form is the same",
    "syncretic": "the other form may be right",
    "syncretic controller": "the noun or pronoun may have the other value",
    "roles may change": "the subject could be the object then",
    "vocative": "the subject could be the person that is spoken to",
    "several words": "more than one word would change",
    "sound": "the other determiner is not known before this letter",
    "contraction": "the other determiner would melt into the word before it",
    "passive": "the verb is passive",
    "not a word of its own": "part of a multiword token, with an apostrophe or a hyphen, or in capitals",
    "repeated": "the same two sentences are there already",
    "length": "the sentence is too short or too long",
    "quotation": "the sentence has quotation marks",
    "broken sentence": "the sentence is a list, a slip of the tongue or incomplete",
}


def pairs_overview(made: TreebankPairs, settings: list[tuple[str, object]]) -> Result:
    """One finding per phenomenon, reason and rule."""
    name = made.treebank.name
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for phenomenon, pairs in made.pairs.items():
        attracted = sum(pair.attractors > 0 for pair in pairs)
        rows.append([phenomenon, made.sites[phenomenon], len(pairs), attracted])
        by: dict[str, Value] = {"phenomenon": phenomenon}
        findings += [
            Finding("suites", name, "", "pairs", len(pairs), made.sites[phenomenon], by=by),
            Finding("suites", name, "", "pairs_with_attractors", attracted, len(pairs), by=by),
        ]
    left_out: list[list[Value]] = []
    for (phenomenon, reason), count in sorted(made.left_out.items()):
        left_out.append([phenomenon, reason, count, REASONS[reason]])
        by = {"phenomenon": phenomenon, "reason": reason}
        findings.append(Finding("suites", name, "", "left_out", count, made.sites[phenomenon], by=by))
    rules: list[list[Value]] = []
    for rule in made.rules:
        seen = rule.kept + rule.broken
        rules.append([rule.phenomenon, rule.value, rule.other, seen, 100 * rule.kept / seen])
        by = {"phenomenon": rule.phenomenon, "value": rule.value, "instead": rule.other}
        findings.append(Finding("suites", name, "", "kept", rule.kept / seen, seen, by=by))
    tables = [
        Table("Pairs", ["phenomenon", "sites", "pairs", "with attractors"], rows),
        Table("What the treebank shows", ["phenomenon", "value", "instead", "sites", "kept %"], rules, digits=1,
              note="a rule is counted for each order and form of the verb; one that is kept less often than in 95 % of "
              "the sites, or in fewer than 20, makes no pairs"),
        Table("Sites without a pair", ["phenomenon", "why", "sites", "meaning"], left_out),
    ]  # fmt: skip
    facts: list[tuple[str, object]] = [("command", "suite make pairs"), ("data", digest(made.treebank.data)[:12])]
    return Result(signature(*facts, *settings), findings, [table for table in tables if table.rows])


COLUMNS = (
    "item", "good", "bad", "class", "paradigm", "feature", "value", "instead", "attractors", "distance",
    "good_word", "bad_word", "position", "controller", "controller_position", "bad_features", "sent_id",
)  # fmt: skip
TREES, ARCS = "trees.conllu", "arcs.conllu"


def check_folder(folder: Path) -> None:
    """Fails before the work where the files would not have a place."""
    if folder.exists() and not folder.is_dir():
        raise UsageError("pairs are several files and need a folder, this is a file", where=str(folder))


def write_pairs(made: TreebankPairs, folder: Path) -> list[Path]:
    """The files of a folder: PHENOMENON.tsv, trees.conllu, and arcs.conllu where subjects or objects are decisive."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"{name}.tsv": to_table(made, name) for name, pairs in made.pairs.items() if pairs}
    used = sorted({pair.sentence for pairs in made.pairs.values() for pair in pairs})
    files[TREES] = b"".join(made.treebank.block(number) for number in used)
    if arcs := to_arcs(made):
        files[ARCS] = arcs
    for name, data in files.items():
        write_bytes(folder / name, data)
    return [folder / name for name in files]


def to_table(made: TreebankPairs, phenomenon: str) -> bytes:
    """The pairs of one phenomenon as a table that the study of surprisal reads."""
    rows = [
        (
            item, pair.good, pair.bad, PHENOMENA[phenomenon].group, phenomenon, pair.feature, pair.value, pair.other,
            pair.attractors, pair.distance, pair.good_word, pair.bad_word, pair.position, pair.controller,
            pair.controller_position, pair.feats, made.treebank.sent_ids[pair.sentence],
        )
        for item, pair in _items(made, phenomenon)
    ]  # fmt: skip
    return row_lines((COLUMNS, *rows)).encode("utf-8")


def _items(made: TreebankPairs, phenomenon: str) -> Iterator[tuple[str, TreebankPair]]:
    """The pairs with names: sentence and position of the changed word."""
    for pair in made.pairs[phenomenon]:
        sentence = made.treebank.sent_ids[pair.sentence] or str(pair.sentence + 1)
        yield f"{sentence}-{pair.position}", pair


def to_arcs(made: TreebankPairs) -> bytes:
    """Sentences with the one arc between verb and subject or object, good and in all its bad forms.

    Of each sentence the first such arc is taken, and no sentence comes twice: it could have other gold. Good and
    bad are minimal pairs of the suite; the bad one has the property wrong_FEATURE.
    """
    arcs: dict[str, list[TreebankPair]] = {}
    taken: set[str] = set()
    for phenomenon, pairs in made.pairs.items():
        for pair in pairs if PHENOMENA[phenomenon].group != DETERMINER_NOUN else ():
            known = arcs.get(pair.good, [])
            new = pair.good not in taken or (known and known[0].dependent == pair.dependent)
            if new and pair.bad not in taken:
                arcs[pair.good] = [*known, pair]
                taken |= {pair.good, pair.bad}
    blocks = []
    for pairs in arcs.values():
        blocks += [_block(made, pairs[0], bad=False), *(_block(made, pair, bad=True) for pair in pairs)]
    return "".join(blocks).encode("utf-8")


def _block(made: TreebankPairs, pair: TreebankPair, bad: bool) -> str:
    """A sentence of the suite: partial gold, and comments that say what it is."""
    name = f"{made.treebank.sent_ids[pair.sentence] or pair.sentence + 1}-{pair.dependent}"
    wrong = f"wrong_{pair.feature.lower()}"
    lines = [
        f"# sent_id = {name}-{wrong if bad else 'good'}", f"# text = {pair.bad if bad else pair.good}",
        f"# base = {name}", f"# order = {pair.order}", f"# props = base-{wrong if bad else 'acc'}",
    ]  # fmt: skip
    for row in made.treebank[pair.sentence].rows:
        fields = list(row)
        if fields[0].isdigit():
            number = int(fields[0])
            if bad and number == pair.position:
                fields[1], fields[5] = pair.bad_word, pair.feats
            if number != pair.dependent:
                fields[6:8] = ["_", "_"]
        elif "." in fields[0]:  # an empty node belongs to the enhanced graph, which is left out
            continue
        fields[8] = "_"
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"
