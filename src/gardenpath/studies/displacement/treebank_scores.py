"""Scores of parsers by treebank, from tables or parsed files, and which treebank each belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...boundary.texts import csv_rows, file_text
from ...errors import GardenpathError, InputError, MissingPackage, UsageError, unknown_name
from ...runs.result.layout import Column, FindingIndex, P, measured, table
from ...runs.result.result import Finding, Table, Value, Verdict
from ...runs.result.verdict import NOT_SHOWN, count_text, difference_text
from ...stats.distributions import student_bound
from ...stats.hypothesis_tests import holm
from ...stats.sampling import Estimate, share
from ...treebank.format.reading import SUFFIXES, read
from ...treebank.trees.displacement import LIMIT
from ..engine.verdicts import effect_of
from .collection import TreebankFiles
from .declaration import STUDY, named_place

_NAMES = ("treebank", "name", "corpus", "suite")
"""What the column of names may be called; else it is the first."""


@dataclass(frozen=True, slots=True)
class TreebankScores:
    """The scores of one system by treebank, as its table names them; `lengths` where it has rows per length."""

    system: str
    whole: dict[str, float]
    lengths: dict[str, dict[int, float]] = field(default_factory=dict)
    held_out: dict[str, float] = field(default_factory=dict)
    """By treebank of the collection; none of them is in `whole`."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Which row of a table belongs to which treebank, and what is left on both sides."""

    rows: dict[str, str]
    """Treebank to name in the table."""
    treebanks: dict[str, list[str]]
    """Treebanks without a row, with names that look alike."""
    unused: list[str]
    """Names in the table that no treebank has."""


def read_scores(given: str, column: str = "") -> TreebankScores:
    """`TABLE` or `NAME=TABLE`: a TSV or CSV file with names and scores, with or without a header."""
    system, path = named_place(given)
    lines = file_text(path, "the table of scores").splitlines()
    mark = "\t" if lines and "\t" in lines[0] else ","
    rows = ((number, [cell.strip() for cell in row]) for number, row in csv_rows(lines, str(path), mark))
    numbered = [(number, row) for number, row in rows if any(row) and not row[0].startswith("#")]
    if not numbered:
        raise InputError("an empty table", where=str(path), todo="a row needs a treebank's name and its LAS")
    header = None if len(numbered[0][1]) > 1 and _number(numbered[0][1][1]) is not None else numbered.pop(0)[1]
    if header is None and (wide := max(len(row) for _, row in numbered)) > 2:
        todo = "name the columns in a first row, such as: treebank, las"
        raise InputError(f"{wide} columns without a header: which has the scores?", where=str(path), todo=todo)
    name_at, score_at, length_at = _columns(header, column, str(path))
    scores = TreebankScores(system, {})
    for number, row in numbered:
        _add(scores, row, (name_at, score_at, length_at), f"{path}:{number}")
    if not scores.whole and not scores.lengths:
        raise InputError("a table without any score", where=str(path))
    return scores


def score_file(given: str) -> Path:
    """The file of `TABLE` or `NAME=TABLE`."""
    return named_place(given)[1]


def _columns(header: Sequence[str] | None, wanted: str, where: str) -> tuple[int, int, int | None]:
    if header is None:
        if wanted:
            raise UsageError(f"no column {wanted!r}: the table has no header", where=where)
        return 0, 1, None
    known = [name.lower() for name in header]
    name_at = next((known.index(name) for name in _NAMES if name in known), 0)
    length_at = known.index("length") if "length" in known else None
    if wanted:
        if wanted.lower() not in known:
            raise unknown_name("column", wanted, header, where=where)
        return name_at, known.index(wanted.lower()), length_at
    if "las" in known:
        return name_at, known.index("las"), length_at
    others = [place for place in range(len(known)) if place not in (name_at, length_at)]
    if len(others) == 1:
        return name_at, others[0], length_at
    raise UsageError(
        f"which column has the scores: {', '.join(header[place] for place in others) or 'there is none'}",
        where=where,
        todo="name it with --set las_column=NAME",
    )


def _add(scores: TreebankScores, row: Sequence[str], places: tuple[int, int, int | None], where: str) -> None:
    name_at, score_at, length_at = places
    if len(row) <= max(name_at, score_at, length_at or 0):
        raise InputError(f"a row of {len(row)} cells", where=where, todo="every row needs a name and a score")
    name, value = row[name_at], _number(row[score_at])
    if value is None:
        raise InputError(f"{row[score_at]!r} is not a score", where=where, todo="leave out treebanks without a score")
    length = row[length_at] if length_at is not None else ""
    if length:
        if not length.isdecimal():
            raise InputError(f"{length!r} is not a sentence length", where=where)
        target, key = scores.lengths.setdefault(name, {}), int(length)
        if key in target:
            raise InputError(f"{name} of length {length} occurs twice", where=where)
        target[key] = value
    elif name in scores.whole:
        raise InputError(f"{name} occurs twice", where=where, todo="keep one row")
    else:
        scores.whole[name] = value


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def plain_name(name: str) -> str:
    """`UD_Ancient_Greek-PROIEL@r2.5` and `Ancient Greek-PROIEL` are the same name."""
    short = re.sub(r"@.*$", "", name.strip()).casefold()
    return re.sub(r"[\s_-]+", "-", short.removeprefix("ud_"))


def match(treebanks: Iterable[str], names: Iterable[str]) -> Matched:
    """By exact name, then by plain name; a plain name that two treebanks or two rows share decides nothing."""
    ours, theirs = list(treebanks), list(names)
    rows = {name: name for name in ours if name in theirs}
    free_ours = [name for name in ours if name not in rows]
    free_theirs = [name for name in theirs if name not in rows]
    by_plain: dict[str, tuple[list[str], list[str]]] = {}
    for side, free in enumerate((free_ours, free_theirs)):
        for name in free:
            by_plain.setdefault(plain_name(name), ([], []))[side].append(name)
    for mine, other in by_plain.values():
        if len(mine) == 1 and len(other) == 1:
            rows[mine[0]] = other[0]
    left = [name for name in free_theirs if name not in rows.values()]
    plain = {plain_name(name): name for name in left}
    without = {
        name: [plain[near] for near in get_close_matches(plain_name(name), plain, n=3, cutoff=0.7)]
        for name in ours
        if name not in rows
    }
    return Matched(rows, without, left)


def with_held_out(scores: TreebankScores, held_out: TreebankScores, treebanks: Sequence[str]) -> TreebankScores:
    """Return the scores with those of the treebanks that the second table adds; one with both scores is an error."""
    rows = match(treebanks, held_out.whole).rows
    if not rows:
        todo = f"name treebanks of the collection, such as {', '.join(treebanks[:3])}"
        raise UsageError("no treebank has a held-out score", where=held_out.system, todo=todo)
    if both := sorted(rows.keys() & match(treebanks, scores.whole).rows.keys()):
        what = f"{', '.join(both[:3])}: both held out and scored in {scores.system}"
        raise UsageError(what, where=held_out.system, todo="leave each treebank in one of them")
    return replace(scores, held_out={name: held_out.whole[row] for name, row in rows.items()})


FEWEST = 5
"""Treebanks of a model that has effects of treebanks."""
EFFECTS = {
    "rarity": "a bit of rarity: the mean surprisal of its displacements, by those of the training data",
    "length": "a doubling of its length",
    "edv": "a token of EDV of its treebank",
    "size": "a doubling of its treebank's training data",
}
"""What the model explains the LAS of a sentence by, and what one step of it is."""


@dataclass(frozen=True, eq=False)
class ParsedTest:
    """The parsed test set of one treebank: counts of each sentence."""

    right: NDArray[np.int64]
    scored: NDArray[np.int64]
    lengths: NDArray[np.int64]
    displaced: NDArray[np.int32]
    """(sentences × 61): how often each displacement occurs in gold."""
    las: Estimate


@dataclass(frozen=True, eq=False)
class ParsedCollection:
    """What one system made of the test sets, by treebank, and why some are not there."""

    system: str
    tests: Mapping[str, ParsedTest]
    missing: Mapping[str, str]

    @property
    def scores(self) -> TreebankScores:
        """As a table would have them: of whole test sets, and of the sentences of each length."""
        whole = {name: 100 * test.las.value for name, test in self.tests.items()}
        lengths: dict[str, dict[int, float]] = {}
        for name, test in self.tests.items():
            right, scored = (np.bincount(test.lengths, weights=counts) for counts in (test.right, test.scored))
            known = np.flatnonzero(scored)
            lengths[name] = {int(length): 100 * float(right[length] / scored[length]) for length in known}
        return TreebankScores(self.system, whole, lengths)


def parsed_files(given: str, treebanks: Iterable[TreebankFiles]) -> dict[str, list[str]]:
    """The parsed test files of each treebank, of `DIR` or `NAME=DIR`.

    They lie in a folder with the treebank's name, or are called by it or as the gold files.
    """
    _, folder = named_place(given)
    if not folder.is_dir():
        todo = "a folder with a parsed file for each treebank, such as UD_Tamil-TTB.conllu"
        raise InputError("no such folder of parsed test sets", where=str(folder), todo=todo)
    files = {}
    for treebank in treebanks:
        inside = folder / treebank.name
        own = sorted(inside.iterdir()) if inside.is_dir() else []
        own = [file for file in own if file.name.lower().endswith(SUFFIXES)]
        if not own:
            names = [f"{treebank.name}{suffix}" for suffix in SUFFIXES]
            own = [folder / name for name in names if (folder / name).is_file()][:1]
        if not own:
            own = [folder / Path(file).name for file in treebank.test if (folder / Path(file).name).is_file()]
        files[treebank.name] = [str(file) for file in own]
    return files


def read_parsed(given: str, treebanks: Sequence[TreebankFiles]) -> ParsedCollection:
    """All parsed test sets of a folder, scored against gold; what cannot be scored is told, and the others go on."""
    system, folder = named_place(given)
    tests, missing = dict[str, ParsedTest](), dict[str, str]()
    for treebank in treebanks:
        files = parsed_files(given, [treebank])[treebank.name]
        if not files:
            missing[treebank.name] = "no parsed test set"
            continue
        try:
            tests[treebank.name] = _scored(treebank, files)
        except GardenpathError as error:
            missing[treebank.name] = f"{error.where or files[0]}: {error.what}"
    if not tests:
        reasons = "; ".join(f"{name}: {why}" for name, why in list(missing.items())[:3])
        raise InputError("no parsed test set of any treebank", where=str(folder), todo=reasons)
    return ParsedCollection(system, tests, missing)


def _scored(treebank: TreebankFiles, files: Sequence[str]) -> ParsedTest:
    from ...treebank.format.documents import sentence_clusters
    from ...treebank.trees.alignment import in_order_of
    from ...treebank.trees.scores import score
    from .distances import sample

    gold, parsed = read(list(treebank.test)), read(list(files))
    ordered = in_order_of(gold, parsed)
    if ordered is None:
        raise InputError("not the sentences of the test set", where=files[0], todo="parse the test file itself")
    words = score(gold, ordered).words
    right, scored = (
        np.bincount(gold.sentence_of[which & words.scored], minlength=len(gold)) for which in (words.las, words.scored)
    )
    las = share(right, scored, sentence_clusters(gold, independent=False))
    return ParsedTest(right, scored, np.asarray(gold.lengths), sample(gold, treebank.name).edges, las)


# ---- findings


def parsed_findings(parsed: ParsedCollection) -> list[Finding]:
    """LAS of each test set with its interval, and of its sentences by length."""
    findings = []
    for name, test in parsed.tests.items():
        low, high = test.las.percent
        total = int(test.scored.sum())
        findings.append(Finding(STUDY, name, parsed.system, "las", 100 * test.las.value, total, low, high))
        for length in range(3, LIMIT + 1):
            chosen = test.lengths == length
            if words := int(test.scored[chosen].sum()):
                value = 100 * int(test.right[chosen].sum()) / words
                findings.append(Finding(STUDY, name, parsed.system, "las", value, words, by={"length": length}))
    return findings


def sentence_rows(parsed: ParsedCollection, measured_values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The table of the model: a row for each sentence that has a score and an edge.

    Rarity is the mean of -log2 p over the displacements of a sentence, where p is their share in the training data,
    each of the 61 counted once more, so that none is impossible.
    """
    columns: dict[str, list[Any]] = {name: [] for name in ("las", *EFFECTS, "treebank")}
    for name, test in parsed.tests.items():
        values = measured_values[name]
        counts = np.array(values["counts"]["train"], dtype=np.float64) + 1
        surprisal = -np.log2(counts / counts.sum())
        edges = test.displaced.sum(axis=1)
        kept = (test.scored > 0) & (edges > 0)
        rarity = (test.displaced[kept] @ surprisal) / edges[kept]
        columns["las"] += (100 * test.right[kept] / test.scored[kept]).tolist()
        columns["rarity"] += rarity.tolist()
        columns["length"] += np.log2(test.lengths[kept]).tolist()
        count = int(kept.sum())
        columns["edv"] += [float(values["distances"]["edv"]["value"])] * count
        columns["size"] += [float(np.log2(values["measures"]["train_tokens"]))] * count
        columns["treebank"] += [name] * count
    return columns


def model_of_sentences(
    parsed: ParsedCollection, measured_values: Mapping[str, Mapping[str, Any]], suite: str
) -> tuple[list[Finding], str]:
    """The fixed effects on the LAS of a sentence, in points, with interval and p; and why there is no model.

    Treebanks differ by chance in their level and in what rarity does to them: both are random effects, so that p of
    rarity is not that of sentences which are all of one treebank's kind.
    """
    from ...stats.mixed import fit_mixed

    treebanks = len(parsed.tests)
    if treebanks < FEWEST:
        return [], f"model of sentences: {count_text(treebanks, 'treebank')}, {FEWEST} are needed"
    rows = sentence_rows(parsed, measured_values)
    formula = f"las ~ {' + '.join(EFFECTS)} + (1 + rarity|treebank)"
    try:
        fit = fit_mixed(rows, formula, freedom="satterthwaite")
    except (UsageError, MissingPackage) as error:
        return [], f"model of sentences: {error.what}"
    findings = [Finding(STUDY, suite, parsed.system, "model_sentences", len(rows["las"]), treebanks)]
    effects = [fit.effect(name) for name in EFFECTS]
    for effect, corrected in zip(effects, holm([effect.p for effect in effects]), strict=True):
        reach = student_bound(max(1, int(effect.freedom or 1))) * effect.se
        by: dict[str, Value] = {"effect": effect.name}
        bounds = effect.estimate - reach, effect.estimate + reach
        findings.append(Finding(STUDY, suite, parsed.system, "las_slope", effect.estimate, fit.n, *bounds, by))
        findings.append(Finding(STUDY, suite, parsed.system, "las_slope_p", effect.p, treebanks, by=by))
        findings.append(Finding(STUDY, suite, parsed.system, "las_slope_p_holm", corrected, treebanks, by=by))
    return findings, "; ".join(f"model of sentences: {warning}" for warning in fit.warnings)


def sentence_model_table(findings: Sequence[Finding], system: str) -> Table | None:
    slopes = [finding for finding in findings if finding.measure == "las_slope"]
    if not slopes:
        return None
    tests, corrected = ([f for f in findings if f.measure == name] for name in ("las_slope_p", "las_slope_p_holm"))
    columns = [Column("effect", [slope.by["effect"] for slope in slopes])]
    columns += [*measured("points of LAS", slopes, interval=True), *measured("p", tests, kind=P)]
    columns += measured("Holm", corrected, kind=P)
    steps = "; ".join(f"{name}: of {step}" for name, step in EFFECTS.items())
    note = f"Mixed model over {slopes[0].n:,} sentences of {tests[0].n} treebanks, which differ in their level and in "
    note += f"what rarity does (random effects); p by Satterthwaite. {steps}."
    return table(f"LAS of a sentence: {system}", columns, note=note, name="model-sentences")


def model_verdicts(index: FindingIndex, suite: str, system: str) -> Iterator[Verdict]:
    """Does a sentence score lower where its displacements are rare in training, at equal length?"""
    effect = effect_of(index, "las_slope", "las_slope_p", system, {"effect": "rarity"}, suite)
    if effect is None:
        return
    slope, p = effect.finding, effect.p
    size = f"LAS {difference_text(slope)} for a bit of rarity, {slope.n:,} sentences, {count_text(p.n, 'treebank')}"
    if effect.sure == NOT_SHOWN:
        text = f"Of {system} it is not shown that sentences with displacements that are rare in training score "
        text += f"otherwise than others of their length: {size}."
    else:
        word = "less" if effect.size < 0 else "more"
        text = f"{system} scores {word} on sentences with displacements that are rare in training, at equal length: "
        text += f"{size} ({effect.sure})."
    yield Verdict(text, effect.sure, effect.rests_on, weight=50.0)
