"""The difference of two releases as a result: sentences, columns, labels, examples, and LAS against both golds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

import numpy as np

from ..runs.layout import Column, measured, table
from ..runs.result import Finding, Result, Table, Value, Verdict
from ..runs.signature import signature, with_hash
from ..runs.verdict import MEASURED, NOT_SHOWN, count_text, difference_text, score_text, sureness
from .diff import COLUMNS, NEAR, Ints, TreebankDiff
from .diff_scores import TwoGolds, against_both
from .node import Node
from .treebank import Treebank

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
    sentences, columns = _sentences(both, suite), _columns(both, suite)
    labels, label_words = _labels(both, suite)
    findings = [*sentences, *columns, *labels]
    tables = [_sentence_table(sentences), _column_table(columns)]
    if labels:
        tables.append(_label_table(both, labels, label_words))
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


def _sentences(both: TreebankDiff, suite: str) -> list[Finding]:
    changed = both.changed_sentences()
    counts = {
        "unchanged": int((~changed).sum()),
        "annotation": int((changed & both.is_exact).sum()),
        "words": int((~both.is_exact).sum()),
        "removed": len(both.removed),
        "added": len(both.added),
    }
    whole = {"added": len(both.new)}
    return [
        Finding(STUDY, suite, "", f"sentences_{kind}", count, whole.get(kind, len(both.old)))
        for kind, count in counts.items()
    ]


def _sentence_table(sentences: Sequence[Finding]) -> Table:
    names = [_SENTENCES[finding.measure.removeprefix("sentences_")] for finding in sentences]
    columns = [Column("sentences", names), *measured("count", sentences), _percent(sentences)]
    note = "Per cent of the old release; added: of the new one."
    return table(sentences[0].suite, columns, note=note, name="sentences")


def _percent(findings: Sequence[Finding]) -> Column:
    return Column("%", [100 * float(finding.value or 0) / finding.n if finding.n else None for finding in findings])


def _columns(both: TreebankDiff, suite: str) -> list[Finding]:
    total = len(both.words)
    counts = {name: int(both.changed[name].sum()) for name in COLUMNS}
    counts["head or deprel"] = int(both.changed_arcs.sum())
    return [Finding(STUDY, suite, "", "changed", count, total, by={"column": name}) for name, count in counts.items()]


def _column_table(columns: Sequence[Finding]) -> Table:
    names = Column("column", [finding.by["column"] for finding in columns])
    title = f"What changed of {count_text(columns[0].n, 'word')} that both have"
    return table(title, [names, *measured("words", columns), _percent(columns)], name="columns")


def _labels(both: TreebankDiff, suite: str) -> tuple[list[Finding], dict[tuple[str, str], int]]:
    """How often which label became which, where head or label changed, and the first word of each."""
    places = np.flatnonzero(both.changed_arcs)
    old, new = both.old.column("deprel"), both.new.column("deprel")
    counts: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str], int] = {}
    for place, moved in zip(places.tolist(), both.changed["head"][places].tolist(), strict=True):
        before, after = (int(word) for word in both.words[place])
        labels = old[before], new[after]
        counts[(*labels, "another head" if moved else "same head")] += 1
        first.setdefault(labels, place)
    findings = [
        Finding(STUDY, suite, "", "relabelled", count, len(both.words), by={"old": before, "new": after, "head": head})
        for (before, after, head), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    ]
    return findings, first


def _label_table(both: TreebankDiff, labels: Sequence[Finding], first: dict[tuple[str, str], int]) -> Table:
    """The most frequent changes, with and without another head."""
    totals: Counter[tuple[str, str]] = Counter()
    moved: Counter[tuple[str, str]] = Counter()
    for finding in labels:
        key = str(finding.by["old"]), str(finding.by["new"])
        totals[key] += int(finding.value or 0)
        moved[key] += int(finding.value or 0) if finding.by["head"] == "another head" else 0
    shown = [key for key, _ in totals.most_common(_MOST_LABELS)]
    columns = [
        Column("old", [old for old, _ in shown]),
        Column("new", [new for _, new in shown]),
        Column("words", [totals[key] for key in shown]),
        Column("with another head", [moved[key] for key in shown]),
        Column("for example", [_marked(both, first[key]) for key in shown]),
    ]
    more = f", the most frequent {len(shown)} of {len(totals)}" if len(totals) > len(shown) else ""
    return table(f"Labels of words whose head or label changed{more}", columns, name="labels")


def _marked(both: TreebankDiff, place: int, reach: int = 4) -> str:
    """The word with those around it."""
    word = int(both.words[place, 0])
    sentence = both.old[int(both.old.sentence_of[word])].words
    at = word - int(both.old.offsets[both.old.sentence_of[word]])
    begin, end = max(at - reach, 0), at + reach + 1
    shown = [f"«{node.form}»" if n == at else node.form for n, node in enumerate(sentence)][begin:end]
    return " ".join(shown)


def _examples(both: TreebankDiff, limit: int) -> list[dict[str, Value]]:
    """Words with another head or label, spread over the treebank."""
    places = np.flatnonzero(both.changed_arcs)
    chosen = places[np.linspace(0, len(places) - 1, min(limit, len(places))).astype(int)] if len(places) else places
    examples: list[dict[str, Value]] = []
    for place in chosen.tolist():
        before, after = _node(both.old, int(both.words[place, 0])), _node(both.new, int(both.words[place, 1]))
        sentence = both.new[int(both.new.sentence_of[both.words[place, 1]])]
        examples.append({
            "sentence": sentence.sent_id or str(sentence.number + 1),
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
        findings.append(Finding(STUDY, suite, system, f"{metric}_difference_p", change.p, scored.clusters.count))
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
    sure = sureness(float(p.value or 0), float(p.value or 0), scored.clusters.count)
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
