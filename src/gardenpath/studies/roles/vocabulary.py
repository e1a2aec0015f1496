"""Coverage of the tested words by a vocabulary, by property, and its correlation with what parsers get right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ...boundary import file_bytes
from ...errors import InputError, MissingPackage, UsageError
from ...runs.record.signatures import with_hash
from ...runs.result.layout import Column, FindingIndex, P, group_columns, groups_by_systems, measured, table
from ...runs.result.result import Finding, Table
from ...stats.correlation import clustered_pearson
from ...suites.roles.names import first_line, is_row
from ...treebank.format.reading import file_contents, paths, read
from .declaration import STUDY
from .scores import RoleCounts, share_numbers

TOKENIZER = "tokenizer.json"
COVERED, PIECES, FREQUENCY = "in_vocabulary", "pieces", "log_frequency"


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words that a parser or its encoder knows: the pieces of each word, or how often it was seen."""

    mark: str
    """Its name with a hash, for the signature."""
    second: str
    """The measure beside COVERED: PIECES or FREQUENCY."""
    look_up: Callable[[Sequence[str]], Iterable[tuple[bool, float]]]
    """For each word: whether it is in the vocabulary as a whole, and the second measure."""


def vocabulary(source: str) -> Vocabulary:
    """Return the vocabulary of a tokenizer's folder, a treebank, a word list with counts, or a tokenised text."""
    if (Path(source) / TOKENIZER).is_file():
        return _of_tokenizer(Path(source) / TOKENIZER)
    if Path(source).is_dir() and not any(Path(source).rglob("*.conll*")):
        todo = f"name a folder with {TOKENIZER}, a treebank, a text, or a list of words with counts"
        raise InputError(f"no {TOKENIZER} and no treebank in this folder", where=source, todo=todo)
    counts: Counter[str] = Counter()
    contents = [content for path in paths(source) for content in file_contents(path)]
    is_treebank = bool(contents) and is_row(first_line(contents[0][1])[2].split("\t"))
    if is_treebank:
        counts.update(read(source).column("form").counts())
    for _, data in () if is_treebank else contents:
        rows = [line.split() for line in data.decode("utf-8-sig", "replace").splitlines() if line.strip()]
        if rows and all(len(row) == 2 and row[1].isdecimal() for row in rows):
            counts.update({word: int(count) for word, count in rows})
        else:
            counts.update(word for row in rows for word in row)
    if not counts:
        raise InputError("no words in it", where=source, todo="name a treebank, a text, or a list of words with counts")

    def look_up(words: Sequence[str]) -> Iterable[tuple[bool, float]]:
        seen = (counts[word] or counts[word.lower()] for word in words)
        return ((bool(count), float(np.log10(1 + count))) for count in seen)

    return Vocabulary(with_hash(source, *(data for _, data in contents)), FREQUENCY, look_up)


def _of_tokenizer(path: Path) -> Vocabulary:
    """Words are looked up behind a blank, as they stand in a sentence; an unknown piece is not a word."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingPackage.extra("tokenizers", "hf") from None
    data = file_bytes(path, todo="name a folder with a tokenizer")
    try:
        tokenizer = Tokenizer.from_str(data.decode("utf-8"))
    except Exception as error:
        raise InputError(f"this is not a tokenizer: {error}", where=str(path)) from None

    def look_up(words: Sequence[str]) -> Iterable[tuple[bool, float]]:
        for word in words:
            encoded = tokenizer.encode(f" {word}", add_special_tokens=False)
            own = [token for token, (_, end) in zip(encoded.tokens, encoded.offsets, strict=True) if end > 1]
            yield len(own) == 1 and own[0] not in ("[UNK]", "<unk>"), float(len(own))

    return Vocabulary(with_hash(path.parent.name, data), PIECES, look_up)


def coverage(counts: RoleCounts, known: Vocabulary) -> list[Finding]:
    """Return how much of the tested words is known, overall and by property, and what that has to do with scores."""
    arcs, forms = counts.arcs, counts.arcs.gold.column("form")
    found = np.array([*known.look_up(forms.values)], dtype=np.float64)[forms.codes[arcs.word]]
    words = dict(zip((COVERED, known.second), found.T, strict=True))
    if not words[COVERED].any():
        todo = "is it of this language, and are its words written as in the suite?"
        raise UsageError("the vocabulary has none of the tested words", where=known.mark, todo=todo)
    groups = [0, *counts.groups.numbers("property")]
    whole, second, asked = (
        counts.sums(np.bincount(arcs.item, values, len(arcs.counts)))[:, groups]
        for values in (*words.values(), np.ones(len(arcs)))
    )
    findings = []
    for place, share in enumerate(share_numbers(whole, asked, counts.sums.clusters)):
        by, n = counts.groups.keys[groups[place]], share[1]
        findings.append(Finding(STUDY, counts.suite, "", COVERED, *share, by))
        findings.append(Finding(STUDY, counts.suite, "", known.second, float(second[:, place].sum()) / n, n, by=by))
    for system in counts.systems:
        right = counts.judged[system].right.astype(np.float64)
        for measure, values in words.items():
            if min(np.ptp(values), np.ptp(right)) > 0:  # what does not vary has no correlation
                test = clustered_pearson(values, right, counts.clusters.at(arcs.item))
                head, by = (STUDY, counts.suite, system), {"vocabulary": measure}
                findings.append(Finding(*head, "right_correlation", test.value, len(arcs), test.low, test.high, by))
                findings.append(Finding(*head, "right_correlation_p", test.p, len(arcs), by=by))
    return findings


def vocabulary_tables(index: FindingIndex, measure: str, header: str) -> list[Table]:
    """Coverage and score by property, the least covered first; correlations."""
    second = next(name for name in (PIECES, FREQUENCY) if index.get(name))
    known = [one for one in index.findings if one.measure == COVERED and one.by]
    known.sort(key=lambda one: float(one.value or 0))
    groups = [one.by for one in known]
    columns = [
        *group_columns(groups), *measured("words", known, of="n"), *measured("whole %", known, interval=True),
        *measured(second.replace("_", " "), [index.get(second, "", group) for group in groups]),
        *groups_by_systems(index, groups, measure, header),
    ]  # fmt: skip
    found = [one for one in index.findings if one.measure == "right_correlation"]
    correlations = [
        Column("system", [one.system for one in found]),
        Column("vocabulary", [str(one.by["vocabulary"]).replace("_", " ") for one in found]),
        *measured("words", found, of="n"), *measured("r", found, interval=True),
        *measured("p", [index.get("right_correlation_p", one.system, one.by) for one in found], kind=P),
    ]  # fmt: skip
    note = "Whole: the tested word is in the vocabulary in one piece, as it is written."
    return [
        table("Vocabulary by property", columns, note=note, name="vocabulary"),
        table("Are words right that the vocabulary has?", correlations, digits=3, name="vocabulary-correlation"),
    ]


known_vocabulary = lru_cache(maxsize=4)(vocabulary)
