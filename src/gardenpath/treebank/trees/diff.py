"""Differences between two releases of a treebank: sentences, annotation, and scores of a parser against both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...runs.record.signatures import signature, with_hash
from ...runs.result.layout import Column, measured, table
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import MEASURED, NOT_SHOWN, count_text, difference_text, score_text, sureness
from ...stats.sampling import Clusters, Difference, Estimate, share, share_difference
from ..format.columns import ranges
from ..format.documents import sentence_clusters
from ..format.sentence import Node
from ..format.treebank import Treebank, concatenate
from .alignment import Pair, SentenceKey, match
from .duplicates import near_texts
from .scores import universal
from .tree import parents

Ints = NDArray[Any]
Bools = NDArray[np.bool_]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")
"""What is compared of a word; its head is the same where the two heads are the same word."""
NEAR = 0.5
"""How much of their word pairs two sentences share at least that are taken to be one, with other words."""


@dataclass(frozen=True, eq=False)
class TreebankDiff:
    """Sentences of two releases side by side, and their words."""

    old: Treebank
    new: Treebank
    sentences: Ints
    """(pairs × 2): sentences that are the same, in the order of the old release."""
    is_exact: Bools
    """Of each pair: has it the same words?"""
    words: Ints
    """(pairs of words × 2): words that are the same, by number in their treebank."""

    @property
    def removed(self) -> Ints:
        return np.setdiff1d(np.arange(len(self.old)), self.sentences[:, 0])

    @property
    def added(self) -> Ints:
        return np.setdiff1d(np.arange(len(self.new)), self.sentences[:, 1])

    @cached_property
    def changed(self) -> dict[str, Bools]:
        """For each column: has each pair of words another value in it?"""
        pair, (old, new) = Pair(self.old, self.new), self.words.T
        changed = {name: ~pair.same(name, old, new) for name in COLUMNS if name != "head"}
        partner = np.full(self.old.word_count, -1)
        partner[old] = new
        # A root is its own parent here, and so is a word without head.
        above, below = (parents(treebank.heads, treebank.offsets) for treebank in (self.old, self.new))
        changed["head"] = partner[above[old]] != below[new]
        changed["head"] |= (self.old.heads[old] < 0) != (self.new.heads[new] < 0)
        return changed

    @property
    def changed_arcs(self) -> Bools:
        """Of each pair of words: has it another head or label, so that another parse is right?"""
        return self.changed["head"] | self.changed["deprel"]

    @property
    def pair_of_word(self) -> Ints:
        """The pair of sentences in which each pair of words stands."""
        number = np.full(len(self.old), -1)
        number[self.sentences[:, 0]] = np.arange(len(self.sentences))
        return number[self.old.sentence_of[self.words[:, 0]]]

    def changed_sentences(self) -> Bools:
        """Of each pair of sentences: has a word another annotation, or are the words others?"""
        anything = np.logical_or.reduce(list(self.changed.values()))
        counts = np.bincount(self.pair_of_word, weights=anything, minlength=len(self.sentences))
        return ~self.is_exact | (counts > 0)


def diff(old: Treebank, new: Treebank, near: float | None = NEAR) -> TreebankDiff:
    """Sentences are matched by their words (ids tell repeated ones apart), then (`near`) the most alike of the rest.

    >>> import gardenpath as gp
    >>> gold = gp.read("bundled:de-test")
    >>> both = diff(gold, gold[3:])
    >>> len(both.removed), len(both.added), int(both.changed_sentences().sum())
    (3, 0, 0)
    """
    partners = match(sentence_keys(old), sentence_keys(new))
    exact = {number: partner for number, partner in enumerate(partners) if partner is not None}
    alike = {} if near is None else _most_alike(old, new, exact, near)
    pairs = np.array(sorted({**exact, **alike}.items()), dtype=np.int64).reshape(-1, 2)
    is_exact = np.isin(pairs[:, 0], list(exact))
    words = [
        _same_words(old, new, first, second) if first in alike else _all_words(old, new, first, second)
        for first, second in pairs.tolist()
    ]
    return TreebankDiff(old, new, pairs, is_exact, np.concatenate(words) if words else np.empty((0, 2), dtype=np.int64))


def sentence_keys(treebank: Treebank) -> list[SentenceKey]:
    """By what sentences are found again: their words, and their id."""
    forms = treebank.column("form").strings()
    spans = zip(pairwise(treebank.offsets.tolist()), treebank.sent_ids, strict=True)
    return [SentenceKey(tuple(forms[begin:end]), sent_id) for (begin, end), sent_id in spans]


def _most_alike(old: Treebank, new: Treebank, exact: dict[int, int], near: float) -> dict[int, int]:
    """Of the sentences without a partner: the most alike first, of equal ones those with one id, each once."""
    left = np.setdiff1d(np.arange(len(old)), list(exact))
    right = np.setdiff1d(np.arange(len(new)), list(exact.values()))
    if not len(left) or not len(right):
        return {}
    texts = near_texts(concatenate([old[left], new[right]]), near)
    members: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for place, text in enumerate(texts.text_of.tolist()):
        is_new = place >= len(left)
        members[is_new].setdefault(text, []).append(int(right[place - len(left)] if is_new else left[place]))
    same = [(text, text, 1.0) for text in members[0]]
    pairs = list(zip(texts.left.tolist(), texts.right.tolist(), texts.likeness.tolist(), strict=True))
    reversed_pairs = [(right_text, left_text, share) for left_text, right_text, share in pairs]
    candidates = sorted(
        (-share, old.sent_ids[first] != new.sent_ids[second], first, second)
        for old_text, new_text, share in (*same, *pairs, *reversed_pairs)
        for first in members[0].get(old_text, ())
        for second in members[1].get(new_text, ())
    )
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, first, second in candidates:
        if first not in chosen and second not in taken:
            chosen[first] = second
            taken.add(second)
    return chosen


def _all_words(old: Treebank, new: Treebank, first: int, second: int) -> Ints:
    count = int(old.lengths[first])
    return np.stack([np.arange(count) + old.offsets[first], np.arange(count) + new.offsets[second]], axis=1)


def _same_words(old: Treebank, new: Treebank, first: int, second: int) -> Ints:
    """Words that stand in both in the same order, and single words that stand in each other's place."""
    matcher = SequenceMatcher(None, _forms(old, first), _forms(new, second), autojunk=False)
    pairs = list[tuple[int, int]]()
    for kind, begin, end, start, stop in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and end - begin == stop - start):
            pairs += zip(range(begin, end), range(start, stop), strict=True)
    words: Ints = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    words += np.array([old.offsets[first], new.offsets[second]])
    return words


def _forms(treebank: Treebank, number: int) -> Sequence[str]:
    return [word.form for word in treebank[number].words]


@dataclass(frozen=True, slots=True)
class TwoGolds:
    """LAS and UAS of a parse against both golds, over the sentences that have the same words in all three."""

    sentences: int
    words: int
    missing: int
    """Sentences that both releases have and the parse has not."""
    old: dict[str, Estimate]
    new: dict[str, Estimate]
    difference: dict[str, Difference]
    clusters: Clusters


def against_both(both: TreebankDiff, parsed: Treebank) -> TwoGolds:
    """Heads and universal relations of the same words, right by the old and by the new release."""
    pairs = both.sentences[both.is_exact]
    partners = match(sentence_keys(both.old[pairs[:, 0]]), sentence_keys(parsed)) if len(pairs) else []
    there = np.array([partner is not None for partner in partners], dtype=bool)
    if not there.any():
        todo = "the parse needs the words of sentences that both releases have"
        raise InputError("no sentence of both releases is in the parse", where=parsed.name, todo=todo)
    pairs, answers = pairs[there], np.array([partner for partner in partners if partner is not None])
    clusters = sentence_clusters(both.new).at(pairs[:, 1])
    words = both.old.lengths[pairs[:, 0]]
    right = {
        name: _right(gold, numbers, parsed, answers)
        for name, gold, numbers in (("old", both.old, pairs[:, 0]), ("new", both.new, pairs[:, 1]))
    }
    scores: dict[str, dict[str, Estimate]] = {
        name: {metric: share(counts, words, clusters) for metric, counts in by_metric.items()}
        for name, by_metric in right.items()
    }
    difference = {
        metric: share_difference((right["old"][metric], words), (right["new"][metric], words), clusters)
        for metric in ("uas", "las")
    }
    return TwoGolds(
        len(pairs), int(words.sum()), int((~there).sum()), scores["old"], scores["new"], difference, clusters
    )


def _right(gold: Treebank, numbers: Ints, parsed: Treebank, partners: Ints) -> dict[str, Ints]:
    """Right words of each sentence, by head, and by head and label."""
    lengths = gold.lengths[numbers]
    words, answers = ranges(gold.offsets[numbers], lengths), ranges(parsed.offsets[partners], lengths)
    owner = np.repeat(np.arange(len(numbers)), lengths)
    heads = gold.heads[words] == parsed.heads[answers]
    ours, theirs = Pair(gold, parsed).column("deprel", universal)
    same = ours.codes[words] == theirs.codes[answers]
    return {
        "uas": np.bincount(owner, weights=heads, minlength=len(numbers)),
        "las": np.bincount(owner, weights=heads & same, minlength=len(numbers)),
    }


STUDY = "diff"
_SENTENCES = {
    "unchanged": "the same",
    "annotation": "the same words, with another annotation",
    "words": "with other words",
    "removed": "removed",
    "added": "added",
}
_MOST_LABELS = 15


def diff_result(
    both: TreebankDiff, parsed: Treebank | None = None, near: float | None = NEAR, limit: int = 10
) -> Result:
    """Counts of sentences and words, the changes of labels with an example of each, and examples in their sentences."""
    suite = f"{_name(both.old)} > {_name(both.new)}"
    sentences, sentence_table = _sentences(both, suite)
    columns, column_table = _columns(both, suite)
    labels, label_table = _labels(both, suite)
    findings = [*sentences, *columns, *labels]
    tables = [sentence_table, column_table, *([label_table] if labels else [])]
    examples = _examples(both, limit)
    if examples:
        changed = int(both.changed_arcs.sum())
        shown = [Column(key, [example[key] for example in examples]) for key in examples[0]]
        tables.append(table(f"{count_text(changed, 'word')} with another head or label", shown, name="examples"))
    verdicts = [_verdict(sentences, columns)]
    failures: dict[str, int] = {}
    marks = [("old", both.old), ("new", both.new)]
    clusters = None
    if parsed is not None:
        marks.append(("parsed", parsed))
        scored = against_both(both, parsed)
        scores = _scores(scored, suite, _name(parsed))
        findings += scores
        tables.insert(1, _score_table(scores, scored))
        verdicts.insert(0, _score_verdict(scores, scored))
        clusters = scored.clusters.counted
        failures = {"sentences of both releases that the parse has not": scored.missing} if scored.missing else {}
    keys = [("command", "treebank diff"), *((name, with_hash(_name(t), t.to_bytes())) for name, t in marks)]
    return Result(
        signature(*keys, ("near", f"{near or 0:g}"), ("clusters", clusters)), findings, tables, failures,
        {"examples": examples, "removed": _ids(both.old, both.removed), "added": _ids(both.new, both.added)}, verdicts,
    )  # fmt: skip


def _name(treebank: Treebank) -> str:
    """The file, or of several what their names begin with."""
    names = [PurePath(name).name.removesuffix(".conllu") for name in treebank.name.split(" + ")]
    common = "".join(letters[0] for letters in zip(*names, strict=False) if len(set(letters)) == 1)
    return names[0] if len(names) == 1 else common.rstrip("-_") or names[0]


def _ids(treebank: Treebank, numbers: Ints) -> list[str]:
    return [treebank.sentence_names[number] for number in numbers.tolist()]


def _sentences(both: TreebankDiff, suite: str) -> tuple[list[Finding], Table]:
    changed = both.changed_sentences()
    counts = {
        "unchanged": int((~changed).sum()),
        "annotation": int((changed & both.is_exact).sum()),
        "words": int((~both.is_exact).sum()),
        "removed": len(both.removed),
        "added": len(both.added),
    }
    whole = {"added": len(both.new)}
    findings = [
        Finding(STUDY, suite, "", f"sentences_{kind}", count, whole.get(kind, len(both.old)))
        for kind, count in counts.items()
    ]
    names = Column("sentences", [_SENTENCES[kind] for kind in counts])
    note = "Per cent of the old release; added: of the new one."
    shown = [names, *measured("count", findings), _percent(findings)]
    return findings, table(suite, shown, note=note, name="sentences")


def _percent(findings: Sequence[Finding]) -> Column:
    return Column("%", [100 * float(finding.value or 0) / finding.n if finding.n else None for finding in findings])


def _columns(both: TreebankDiff, suite: str) -> tuple[list[Finding], Table]:
    total = len(both.words)
    counts = {name: int(both.changed[name].sum()) for name in COLUMNS}
    counts["head or deprel"] = int(both.changed_arcs.sum())
    findings = [
        Finding(STUDY, suite, "", "changed", count, total, by={"column": name}) for name, count in counts.items()
    ]
    shown = [Column("column", list(counts)), *measured("words", findings), _percent(findings)]
    return findings, table(f"What changed of {count_text(total, 'word')} that both have", shown, name="columns")


def _labels(both: TreebankDiff, suite: str) -> tuple[list[Finding], Table]:
    """Count which label became which, where head or label changed; the table has the most frequent with an example."""
    places = np.flatnonzero(both.changed_arcs)
    old, new = both.old.column("deprel"), both.new.column("deprel")
    counts: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str], int] = {}
    for place, is_moved in zip(places.tolist(), both.changed["head"][places].tolist(), strict=True):
        before, after = (int(word) for word in both.words[place])
        labels = old[before], new[after]
        counts[(*labels, "another head" if is_moved else "same head")] += 1
        first.setdefault(labels, place)
    findings = [
        Finding(STUDY, suite, "", "relabelled", count, len(both.words), by={"old": was, "new": now, "head": head})
        for (was, now, head), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    ]
    totals: Counter[tuple[str, str]] = Counter()
    moved: Counter[tuple[str, str]] = Counter()
    for (was, now, head), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        totals[was, now] += count
        moved[was, now] += count if head == "another head" else 0
    shown = [key for key, _ in totals.most_common(_MOST_LABELS)]
    columns = [
        Column("old", [old for old, _ in shown]),
        Column("new", [new for _, new in shown]),
        Column("words", [totals[key] for key in shown]),
        Column("with another head", [moved[key] for key in shown]),
        Column("for example", [_marked(both, first[key]) for key in shown]),
    ]
    more = f", the most frequent {len(shown)} of {len(totals)}" if len(totals) > len(shown) else ""
    return findings, table(f"Labels of words whose head or label changed{more}", columns, name="labels")


def _marked(both: TreebankDiff, place: int, reach: int = 4) -> str:
    """The word with those around it."""
    word = _node(both.old, int(both.words[place, 0]))
    around = word.sentence.words[max(word.ord - 1 - reach, 0) : word.ord + reach]
    return " ".join(f"«{node.form}»" if node.ord == word.ord else node.form for node in around)


def _examples(both: TreebankDiff, limit: int) -> list[dict[str, Value]]:
    """Words with another head or label, spread over the treebank."""
    places = np.flatnonzero(both.changed_arcs)
    chosen = places[np.linspace(0, len(places) - 1, min(limit, len(places))).astype(int)] if len(places) else places
    examples: list[dict[str, Value]] = []
    for place in chosen.tolist():
        before, after = _node(both.old, int(both.words[place, 0])), _node(both.new, int(both.words[place, 1]))
        examples.append({
            "sentence": after.sentence.sent_id or str(after.sentence.number + 1),
            "word": f"{before.ord} {before.form}",
            "old": _arc(before),
            "new": _arc(after),
            "text": _marked(both, place, 6),
        })  # fmt: skip
    return examples


def _node(treebank: Treebank, word: int) -> Node:
    number = int(treebank.sentence_of[word])
    return treebank[number].words[word - int(treebank.offsets[number])]


def _arc(node: Node) -> str:
    """`nsubj of 3 sees`, `root`."""
    above = node.parent
    return f"{node.deprel} of {above.ord} {above.form}" if above is not None and above.ord else node.deprel


def _scores(scored: TwoGolds, suite: str, system: str) -> list[Finding]:
    findings = []
    for metric in ("uas", "las"):
        for gold, estimate in (("old", scored.old[metric]), ("new", scored.new[metric])):
            low, high = estimate.percent
            findings.append(
                Finding(STUDY, suite, system, metric, 100 * estimate.value, scored.words, low, high, {"gold": gold})
            )
        change = scored.difference[metric]
        low, high = change.percent
        findings.append(
            Finding(STUDY, suite, system, f"{metric}_difference", 100 * change.value, scored.words, low, high)
        )
        findings.append(
            Finding(
                STUDY, suite, system, f"{metric}_difference_p", change.p, change.clusters, effective=change.effective
            )
        )
    return findings


def _score_table(scores: Sequence[Finding], scored: TwoGolds) -> Table:
    index = {(finding.measure, finding.by.get("gold", "")): finding for finding in scores}
    columns = [Column("", ["UAS", "LAS"])]
    for header, suffix, gold in (("old gold", "", "old"), ("new gold", "", "new"), ("new - old", "_difference", "")):
        columns += measured(header, [index[f"{metric}{suffix}", gold] for metric in ("uas", "las")], interval=True)
    title = f"The same parse against both, {count_text(scored.sentences, 'sentence')} that all three have"
    return table(title, columns, name="scores")


def _score_verdict(scores: Sequence[Finding], scored: TwoGolds) -> Verdict:
    """The same trees by two golds: that the score moves is said only where it is at least suggested."""
    old, new, change, p = [finding for finding in scores if finding.measure.startswith("las")]
    sure = sureness(float(p.value or 0), float(p.value or 0), float(p.value or 0), p.effective or 0)
    moved = f"{difference_text(change)} points"
    claim = "It is not shown that the gold alone moves LAS: " if sure == NOT_SHOWN else "The gold alone moves LAS by "
    mark = "" if sure == NOT_SHOWN else f" ({sure})"
    text = (
        f"{claim}{moved}{mark}; the same parse has {score_text(old)} by the old and {score_text(new)} by the new, "
        f"{count_text(change.n, 'word')}."
    )
    return Verdict(text, sure, (old, new, change, p), weight=abs(float(change.value or 0)))


def _verdict(sentences: Sequence[Finding], columns: Sequence[Finding]) -> Verdict:
    counts = {finding.measure.removeprefix("sentences_"): finding for finding in sentences}
    arcs = columns[-1]
    share = 100 * float(arcs.value or 0) / arcs.n if arcs.n else 0.0
    text = (
        f"{count_text(int(counts['added'].value or 0), 'sentence')} added, {counts['removed'].value:,} removed, "
        f"{counts['annotation'].value:,} with another annotation, {counts['words'].value:,} with other words"
    )
    text += (
        f"; {arcs.value:,} of {count_text(arcs.n, 'word')} that both have got another head or label." if arcs.n else "."
    )
    return Verdict(text, MEASURED, (*sentences, arcs), weight=share)
