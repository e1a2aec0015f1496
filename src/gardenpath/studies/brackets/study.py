"""The evaluation of phrase parsers on gold trees, as findings, tables and observations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...errors import UsageError, unknown_name
from ...phrase.evalb import GERMAN, Parameters
from ...phrase.heads import check_scheme
from ...phrase.tree import ROOT, PhraseTree, grown
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from .scores import MEASURES, BracketScores, bracket_scores, with_heads

if TYPE_CHECKING:
    from ...runs.observations import Observations
    from ..judged_phrases import JudgedPhrases
    from .breakdown import Group

STUDY = "brackets"
COMPARED = ("f1", "functions_f1", "exact", "las")
"""Measures in which systems are tested against the first, where all have them."""
Trees = Sequence[PhraseTree | None]


def up_to(gold: Sequence[PhraseTree], length: int | None, parameters: Parameters = GERMAN) -> list[PhraseTree]:
    """The gold trees of sentences with at most so many words."""
    return [tree for tree in gold if length is None or counted_length(tree, parameters) <= length]


def counted_length(tree: PhraseTree, parameters: Parameters) -> int:
    return sum(tag not in parameters.delete_for_length for tag in tree.tags)


def evaluate_trees(
    gold: Sequence[PhraseTree],
    systems: Mapping[str, Trees],
    *,
    suite: str,
    scheme: str = "",
    parameters: Parameters = GERMAN,
    form: str = "discontinuous",
    by: Sequence[str] = (),
    draws: int = 1000,
    seed: int = 0,
    facts: Mapping[str, object] | None = None,
) -> tuple[Result, dict[str, BracketScores]]:
    """Scores every system's trees against gold, side by side; several systems are tested against the first.

    A sentence without a parse is wrong in everything; the scores of the others are also given apart. UAS and LAS
    need a `scheme`. `form` says how the systems' trees show gaps; brackets of raised trees are compared with those of
    gold raised alike, heads always with those of gold as it is. `facts` are further pairs for the signature (how the
    trees were made).
    """
    if not systems:
        raise UsageError("no system to evaluate", todo="name a file of trees or a phrase parser, such as trees:FILE")
    if not gold:
        raise UsageError("no gold trees to evaluate on", where=suite)
    if scheme:
        check_scheme(scheme)
    shown, whole = formed(gold, systems, form, scheme)
    scores = {name: bracket_scores(shown, trees, parameters) for name, trees in whole.items()}
    if scheme:
        scores = {name: with_heads(one, gold, whole[name], scheme) for name, one in scores.items()}
    findings, tables = _main(suite, scores, draws, seed)
    more, table = _parts(suite, scores, parameters)
    findings += more
    tables += [table] if table is not None else []
    if len(scores) > 1 and draws:
        from ..evaluation.comparison import compare, difference_findings, difference_table

        shared = [name for name in COMPARED if all(name in one.measures for one in scores.values())]
        differences = compare(scores, shared, draws=draws, seed=seed)
        findings += difference_findings(STUDY, suite, differences)
        tables.append(difference_table(differences, MEASURES))
    for grouping in by:
        from .breakdown import by_group

        groups = {
            name: by_group(shown, trees, scores[name], parameters, grouping, draws=draws, seed=seed)
            for name, trees in whole.items()
        }
        findings += [one for name, found in groups.items() for one in _group_findings(suite, name, found)]
        tables.append(_group_table(grouping, groups))
    failures = {
        "no parse" if len(scores) == 1 else f"{name}: no parse": one.failures
        for name, one in scores.items()
        if one.failures
    }
    pairs: list[tuple[str, object]] = [
        ("study", STUDY),
        ("gold", f"{suite}#{_digest(gold)[:8]}"),
        ("scheme", scheme or None),
    ]
    pairs += [("form", form if form != "discontinuous" else None)]
    counted = [("parameters", parameters.name), ("deleted", digest(repr(parameters.described))[:8])]
    bootstrap = [("draws", draws), ("seed", seed)] if draws else []
    signed = signature(*pairs, *counted, *(facts or {}).items(), *bootstrap)
    return Result(signed, findings, tables, failures), scores


def formed(
    gold: Sequence[PhraseTree], systems: Mapping[str, Trees], form: str, scheme: str
) -> tuple[Sequence[PhraseTree], dict[str, Trees]]:
    """Gold as the form shows it, and the systems' trees with pieces put together."""
    from ..constructions.judging import FORMS, as_raised, whole_nodes

    if form not in FORMS:
        raise unknown_name("form of trees", form, FORMS)
    if form == "raised" and not scheme:
        todo = "name a scheme, or take the form raised-longest"
        raise UsageError("raised nodes stay with their heads, and heads need a scheme", where=form, todo=todo)
    whole: dict[str, Trees] = {
        name: [None if tree is None else whole_nodes(tree, form) for tree in trees] for name, trees in systems.items()
    }
    shown = [as_raised(tree, scheme, form) for tree in gold] if form.startswith("raised") else gold
    return shown, whole


def _main(suite: str, scores: Mapping[str, BracketScores], draws: int, seed: int) -> tuple[list[Finding], list[Table]]:
    findings: list[Finding] = []
    shown = [name for name in MEASURES if any(name in one.measures for one in scores.values())]
    rows: dict[str, list[Value]] = {name: [MEASURES[name]] for name in shown}
    for system, one in scores.items():
        intervals = one.intervals(draws, seed)
        for name in shown:
            if name not in one.measures:
                rows[name] += [None, None] if draws else [None]
                continue
            low, high = intervals.get(name, (None, None))
            value = one.value(name)
            findings.append(Finding(STUDY, suite, system, name, value, one.n(name), low, high))
            rows[name] += [value, _range(low, high)] if draws else [value]
    columns = ["measure"]
    for system in scores:
        columns += (
            [system if len(scores) > 1 else "value", "95 %"] if draws else [system if len(scores) > 1 else "value"]
        )
    title = f"{next(iter(scores))} on {suite}" if len(scores) == 1 else f"Brackets on {suite}"
    sentences = len(next(iter(scores.values())).sentences)
    return findings, [Table(title, columns, list(rows.values()), note=f"{sentences:,} sentences")]


def _parts(
    suite: str, scores: Mapping[str, BracketScores], parameters: Parameters
) -> tuple[list[Finding], Table | None]:
    """The same of some sentences: those that a system parsed, and those up to EVALB's cutoff, where others are left."""
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    for system, one in scores.items():
        chosen = {
            "parsed": [sentence.parsed for sentence in one.sentences],
            f"up to {parameters.cutoff} words": [sentence.length <= parameters.cutoff for sentence in one.sentences],
        }
        for name, kept in chosen.items():
            if all(kept) or not any(kept):
                continue
            part = one.only(kept)
            by: dict[str, Value] = {"sentences": name}
            values = {measure: part.value(measure) for measure in part.measures}
            findings += [
                Finding(STUDY, suite, system, measure, value, part.n(measure), by=by)
                for measure, value in values.items()
            ]
            shown = [values.get(measure) for measure in ("f1", "precision", "recall", "exact", "las")]
            rows.append([system, name, len(part.sentences), *shown])
    columns = ("system", "sentences", "number", "labelled F1", "precision", "recall", "exact match", "LAS")
    return findings, Table("Some of the sentences", columns, rows) if rows else None


def _range(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _group_findings(suite: str, system: str, groups: Sequence[Group]) -> list[Finding]:
    findings = []
    for one in groups:
        by: dict[str, Value] = {one.grouping: one.name}
        findings += [
            Finding(STUDY, suite, system, "f1", one.f1, one.gold, one.low, one.high, by),
            Finding(STUDY, suite, system, "precision", one.precision, one.gold, by=by),
            Finding(STUDY, suite, system, "recall", one.recall, one.gold, by=by),
        ]
    return findings


def _group_table(grouping: str, groups: Mapping[str, Sequence[Group]]) -> Table:
    """One system: all measures; several: F1 side by side."""
    if len(groups) == 1:
        (found,) = groups.values()
        rows: list[list[Value]] = [
            [one.name, one.gold, one.precision, one.recall, one.f1, _range(one.low, one.high)] for one in found
        ]
        return Table(f"By {grouping}", [grouping, "brackets", "precision", "recall", "F1", "95 %"], rows)
    names = list(dict.fromkeys((one.name, one.gold) for found in groups.values() for one in found))
    columns, rows = [grouping, "brackets"], [[name, gold] for name, gold in names]
    for system, found in groups.items():
        columns += [f"F1 {system}", "95 %"]
        known = {one.name: one for one in found}
        for row in rows:
            one = known.get(str(row[0]))
            row += [one.f1, _range(one.low, one.high)] if one else [None, None]
    return Table(f"F1 by {grouping}", columns, rows)


def _digest(gold: Sequence[PhraseTree]) -> str:
    """Of what the trees say, whatever the format they came in."""
    return digest(*(repr((one.words, one.tags, one.labels, one.functions, one.mothers)) for one in gold))


def kept_trees(gold: Sequence[PhraseTree], systems: Mapping[str, Trees], scheme: str) -> dict[str, bytes]:
    """Gold and all trees as a run keeps them: their dependencies, which the report draws; none without a scheme."""
    if not scheme:
        return {}
    from ...phrase.dependencies import to_dependencies

    kept = {"gold": to_dependencies(gold, scheme).to_bytes()}
    for name, trees in systems.items():
        whole = [one if one is not None else _flat(other) for one, other in zip(trees, gold, strict=True)]
        named = [one.named(other.sent_id) for one, other in zip(whole, gold, strict=True)]
        kept[name] = to_dependencies(named, scheme).to_bytes()
    return kept


def judged_trees(gold: Sequence[PhraseTree], systems: Mapping[str, Trees], suite: str) -> Iterator[JudgedPhrases]:
    """Gold and all trees of each sentence, for the report."""
    from ..judged_phrases import JudgedPhrases

    for number, tree in enumerate(gold):
        item = tree.sent_id or str(number + 1)
        yield JudgedPhrases(suite, "", item, tree, {name: trees[number] for name, trees in systems.items()})


def _flat(tree: PhraseTree) -> PhraseTree:
    """The words without a tree, for a sentence that was not parsed."""
    return grown(tree.words, ["_"] * len(tree), [], [""] * len(tree), [ROOT] * len(tree))


def observations(
    gold: Sequence[PhraseTree], scores: Mapping[str, BracketScores], suite: str, seed: int = 0
) -> Observations:
    """One row per sentence and system: the labelled F1 of the sentence (`value`), and the counts behind it."""
    from ...runs.observations import Observations

    parts = []
    items = [tree.sent_id or str(number) for number, tree in enumerate(gold, 1)]
    for name, one in scores.items():
        found = one.sentences
        columns = {
            "study": STUDY, "suite": suite, "item": items, "condition": "", "system": name, "seed": seed, "unit": "",
            "outcome": ["no parse" if not s.parsed else "exact" if s.exact else "not exact" for s in found],
            "value": [_sentence_f1(s.labelled.right, s.labelled.gold, s.labelled.system) for s in found],
            "length": [s.length for s in found],
            "right": [s.labelled.right for s in found],
            "gold": [s.labelled.gold for s in found],
            "predicted": [s.labelled.system for s in found],
            "right_unlabelled": [s.unlabelled.right for s in found],
            "right_functions": [s.functions.right for s in found] if one.functions else None,
            "crossing": [s.crossing for s in found],
            "words": [s.words for s in found],
            "tags": [s.tags for s in found],
            "leaf_ancestor": [s.leaf_ancestor for s in found],
        }  # fmt: skip
        if one.heads is not None:
            columns |= {
                key: one.heads[:, at].astype(int).tolist() for at, key in enumerate(("right_heads", "right_relations"))
            }
        parts.append(Observations(columns))
    return Observations.joined(parts)


def _sentence_f1(right: int, gold: int, system: int) -> float:
    """Per cent; a sentence without brackets on both sides is right."""
    return 200 * right / (gold + system) if gold + system else 100.0
