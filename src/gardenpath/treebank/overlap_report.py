"""The overlap of train and test as a result, with the sentence that says what it amounts to."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from ..runs.layout import Column, measured, table
from ..runs.result import Finding, Result, Table, Value, Verdict
from ..runs.signature import signature, with_hash
from ..runs.verdict import MEASURED, count_text
from .overlap import LONG, Overlap
from .treebank import Treebank

STUDY = "overlap"
_LABELS = {
    "sentences": "sentences of test",
    "exact": "in train word for word",
    "near": "in train, nearly the same",
    "long": f"of both, with {LONG} words or more",
    "ids": "with a sent_id that train has, too",
    "documents": "documents of test",
    "same_documents": "in train by their id",
    "in_same_documents": "their sentences",
    "mostly_seen": "with half of their sentences in train",
}


def overlap_result(both: Overlap, near: float | None, limit: int = 10) -> Result:
    """Counts, shares of test, the pairs that are most alike, and a verdict."""
    suite, total = PurePath(both.test.name).name, len(both.test)
    seen = both.partner >= 0
    counts = {
        "sentences": total,
        "exact": int(both.exact.sum()),
        "near": int(both.near.sum()),
        "long": int((seen & (both.test.lengths >= LONG)).sum()),
        "ids": both.same_ids,
    }
    findings = [Finding(STUDY, suite, "", measure, count, total) for measure, count in counts.items()]
    if both.documents is not None:
        of_documents = [
            ("documents", both.documents, both.documents),
            ("same_documents", len(both.same_documents), both.documents),
            ("in_same_documents", both.in_same_documents, total),
            ("mostly_seen", both.mostly_seen, both.documents),
        ]
        findings += [Finding(STUDY, suite, "", measure, count, whole) for measure, count, whole in of_documents]
    share = Finding(STUDY, suite, "", "share", 100 * float(seen.mean()), total)
    tables, examples = [_counts(findings, suite)], _examples(both, limit)
    if examples:
        tables.append(_example_table(examples, int(seen.sum())))
    marks = [("command", "treebank overlap")]
    for name, treebank in (("train", both.train), ("test", both.test)):
        marks.append((name, with_hash(treebank.name, treebank.to_bytes())))
    marks.append(("near", "0" if near is None else f"{near:g}"))
    findings = [*findings, share]
    details = {"examples": examples, "same_documents": list(both.same_documents)}
    return Result(signature(*marks), findings, tables, details=details, verdicts=[_verdict(findings)])


def _counts(findings: list[Finding], suite: str) -> Table:
    columns = [Column("", [_LABELS[finding.measure] for finding in findings]), *measured("count", findings)]
    shares = [100 * float(finding.value or 0) / finding.n if finding.n else None for finding in findings]
    return table(f"{suite} in train", [*columns, Column("%", shares)], name="overlap")


def _examples(both: Overlap, limit: int) -> list[dict[str, Value]]:
    """Long sentences first, then those that are most alike."""
    seen = np.flatnonzero(both.partner >= 0)
    order = seen[np.lexsort((seen, -both.likeness[seen], both.test.lengths[seen] < LONG))][:limit]
    return [
        {
            "test": both.test.sentence_names[number],
            "train": both.train.sentence_names[int(both.partner[number])],
            "alike": 1.0 if both.exact[number] else float(both.likeness[number]),
            "how": "same" if both.exact[number] else "near",
            "text": _words(both.test, number),
            "in train": "" if both.exact[number] else _words(both.train, int(both.partner[number])),
        }
        for number in order.tolist()
    ]


def _words(treebank: Treebank, number: int) -> str:
    return " ".join(word.form for word in treebank[number].words)


def _example_table(examples: list[dict[str, Value]], total: int) -> Table:
    columns = [Column(key, [example[key] for example in examples]) for key in examples[0]]
    more = f", {len(examples)} of them" if total > len(examples) else ""
    return table(f"{count_text(total, 'sentence')} in both{more}", columns, name="examples")


def _verdict(findings: list[Finding]) -> Verdict:
    """Counted, not sampled: there is no interval."""
    by_name = {finding.measure: finding for finding in findings}
    exact, near, long, share = (by_name[name] for name in ("exact", "near", "long", "share"))
    rests_on = [exact, near, long, share]
    if not share.value:
        text = f"No sentence of test ({count_text(share.n, 'sentence')}) is in train, and none nearly."
    else:
        text = (
            f"{share.value:.1f} % of test is in train: {count_text(int(exact.value or 0), 'sentence')} word for word, "
            f"{near.value:,} nearly; {long.value:,} of them with {LONG} words or more."
        )
    documents = by_name.get("same_documents")
    if documents is not None and documents.value:
        rests_on += [documents, by_name["in_same_documents"]]
        text += (
            f" In train by their id: {documents.value:,} of {count_text(documents.n, 'document')} of test, "
            f"with {count_text(int(by_name['in_same_documents'].value or 0), 'sentence')}."
        )
    return Verdict(text, MEASURED, tuple(rests_on), weight=float(share.value or 0))
