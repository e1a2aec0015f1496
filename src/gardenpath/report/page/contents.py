"""What a page shows of a run, as plain data: record, findings, tables, figures, sentences, trees, curves."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ...phrase.tree import PhraseTree
from ...runs.record.run import Run
from ...runs.result.result import Result, Table
from ...runs.result.verdict import SURENESS
from ...studies.engine.phrase_trees import PHRASES, JudgedPhrases, read_judged
from ...studies.engine.registry import all_notes
from ...studies.surprisal.outcomes import SURPRISALS, Curves, read_curves
from ...treebank.format.reading import read
from ...treebank.format.treebank import Treebank
from ...treebank.trees.alignment import SentenceKey, match
from ..figures import figures_of
from ..formats import numeric_columns, shown_cells
from .definitions import defined, meanings

if TYPE_CHECKING:
    import polars


class Codes:
    """Texts as numbers, in the order in which they come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def codes(self, texts: Iterable[str]) -> list[int]:
        return [self._numbers.setdefault(text, len(self._numbers)) for text in texts]

    @property
    def values(self) -> list[str]:
        return list(self._numbers)


def curve_sentences(items: Iterable[Curves], rows: polars.DataFrame, most: int) -> tuple[dict[str, Any], list[int]]:
    """The first items with all conditions, and for each observation the number of its item (-1: not in the page)."""
    all_items = list(items)
    shown = all_items[:most]
    several = len({curve.suite for curve in all_items}) > 1
    suites: dict[str, dict[str, Any]] = {}
    for curve in shown:
        suites.setdefault(curve.suite, {"regions": curve.regions, "asked": curve.asked, "joiner": curve.joiner})
    names, systems = list(suites), list(dict.fromkeys(name for curve in all_items for name in curve.bits))
    made = {
        "kind": "curves",
        "left_out": len(all_items) - len(shown),
        "ids": [f"{curve.suite} {curve.item}" if several else curve.item for curve in shown],
        "texts": [curve.joiner.join(curve.conditions[0][1]) if curve.conditions else "" for curve in shown],
        "forms": [list(curve.conditions[0][1]) if curve.conditions else [] for curve in shown],
        "suites": list(suites.values()),
        "suite": [names.index(curve.suite) for curve in shown],
        "conditions": [curve.conditions for curve in shown],
        "bits": {name: [curve.bits.get(name) for curve in shown] for name in systems},
        "systems": {},
    }
    known = {(curve.suite, curve.item): at for at, curve in enumerate(shown)}
    keys = zip(rows["suite"].to_list(), rows["item"].to_list(), strict=True)
    return made, [known.get((str(suite or ""), str(item)), -1) for suite, item in keys]


def phrase_sentences(
    items: Iterable[JudgedPhrases], rows: polars.DataFrame, most: int
) -> tuple[dict[str, Any], list[int]]:
    """The first items with their trees, and for each observation the number of its item (-1: not in the page)."""
    all_items = list(items)
    shown, labels = all_items[:most], Codes()
    systems = list(dict.fromkeys(name for one in all_items for name in one.systems))
    # Items of a parallel suite have the same names in both schemes.
    twice = len({one.item for one in all_items}) < len(all_items)
    made = {
        "kind": "phrases",
        "left_out": len(all_items) - len(shown),
        "ids": [f"{one.item} ({one.scheme or one.suite})" if twice else one.item for one in shown],
        "texts": [" ".join(one.gold.words) for one in shown],
        "forms": [list(one.gold.words) for one in shown],
        "marked": [[token + 1 for token in one.marked] for one in shown],
        "gold": [_tree(one.gold, one.gold, labels) for one in shown],
        "systems": {name: [_tree(one.systems.get(name), one.gold, labels) for one in shown] for name in systems},
        "labels": labels.values,
    }
    judged = {name: {at for at, one in enumerate(all_items) if name in one.systems} for name in systems}
    made["judged"] = {name: sorted(places) for name, places in judged.items() if len(places) < len(all_items)}
    return made, _places(shown, rows)


def _tree(tree: PhraseTree | None, gold: PhraseTree, labels: Codes) -> dict[str, Any] | None:
    if tree is None:
        return None
    made: dict[str, Any] = {
        "tags": labels.codes(tree.tags),
        "labels": labels.codes(tree.labels),
        "functions": labels.codes(tree.functions),
        "mothers": list(tree.mothers),
    }
    if tree.secondary:
        made["secondary"] = [list(edge) for edge in tree.secondary]
    if tree.words != gold.words:
        made["words"] = list(tree.words)
    return made


def _places(shown: list[JudgedPhrases], rows: polars.DataFrame) -> list[int]:
    has_scheme = "scheme" in rows.columns
    known = {(one.suite, one.scheme if has_scheme else "", one.item): at for at, one in enumerate(shown)}
    schemes = rows["scheme"].to_list() if has_scheme else [""] * len(rows)
    keys = zip(rows["suite"].to_list(), schemes, rows["item"].to_list(), strict=True)
    return [known.get((str(suite or ""), str(scheme or ""), str(item)), -1) for suite, scheme, item in keys]


_KEPT = frozenset({"study", "suite", "item", "system", "outcome", "variant_id"})
"""Columns that the browser needs even where they have one value."""
_SENTENCE = "sentence_id"
"""The column that names the sentence of an observation, where its item does not."""
_UNSEEN = frozenset({"cluster", _SENTENCE})
"""Columns that nobody looks at: for statistics, or as places."""
_IN_SENTENCES = frozenset({"gold", "parse", "text", "sentence"})
"""Columns of text that say in another way what is drawn."""
_ABSOLUTE = re.compile(r"(^|[:=,])(?:[A-Za-z]:)?[/\\](?:[^,]*[/\\])?")
MOST = 25_000
"""Sentences that a page carries; beyond that it says how many it left out."""


def contents(run: Run, most: int = MOST) -> dict[str, Any]:
    """One run; all that the page needs, and nothing that it must fetch."""
    if not run.finished:
        raise InputError("this run is not finished", where=str(run.folder), todo="call its command again; it goes on")
    result = run.result()
    study = next((finding.study for finding in result.findings), str(run.record["command"]))
    notes = all_notes().get(study)
    rows = run.observations() if run.has_observations else None
    sentences, places = _shown(run, rows, most)
    observations = _coded(rows, places) if rows is not None else None
    numbers = {repr(finding): number for number, finding in enumerate(result.findings)}
    values: dict[str, dict[Any, None]] = {}
    for finding in result.findings:
        for key, value in finding.by.items():
            values.setdefault(key, {})[value] = None
    return {
        "name": run.folder.resolve().name,
        "study": study,
        "note": {"title": notes.title, "method": notes.method, "cite": notes.cite} if notes else None,
        "main": notes.main if notes else (),
        "measures": defined(dict.fromkeys(finding.measure for finding in result.findings)),
        "meanings": meanings(values),
        "verdicts": [
            {
                "text": verdict.text,
                "sure": verdict.sure,
                "meaning": SURENESS.get(verdict.sure, ""),
                "rests_on": [numbers[key] for key in map(repr, verdict.rests_on) if key in numbers],
            }
            for verdict in result.verdicts
        ],
        "findings": [finding.flat() for finding in result.findings],
        "tables": [_table(table) for table in result.tables if table.rows],
        "figures": [
            {"name": figure.name, "title": figure.title, "caption": figure.caption, "spec": _bare(figure.spec)}
            for figure in figures_of(result)
        ],
        "observations": observations,
        "sentences": sentences,
        "columns": list(observations["columns"]) if observations and sentences else [],
        "provenance": _provenance(run, result),
    }


def _table(table: Table) -> dict[str, Any]:
    """A table as text; columns that say nothing are left out."""
    cells, numeric = shown_cells(table), numeric_columns(table)
    kept = [place for place in range(len(table.columns)) if any(row[place] for row in cells)]
    return {
        "title": table.title,
        "columns": [table.columns[place] for place in kept],
        "rows": [[row[place] for place in kept] for row in cells],
        "numeric": [numeric[place] or bool(table.kind(place)) for place in kept],
        "note": table.note,
    }


def _provenance(run: Run, result: Result) -> dict[str, Any]:
    """What was called on what and with what; of places on somebody's disk only the names."""
    record = run.record
    return {
        "call": shareable(str(record.get("call") or "")),
        "command": record["command"],
        "signature": result.signature,
        "seed": record.get("seed"),
        "started": record.get("started"),
        "packages": {**record.get("versions", {}), "Python": record.get("python")},
        "inputs": [
            {"name": PurePath(str(given.get("name", ""))).name, "sha256": given.get("sha256")}
            for given in record.get("inputs", [])
        ],
        "failures": {name: count for name, count in result.failures.items() if count},
    }


def shareable(call: str) -> str:
    """A command line in which a place on somebody's disk is a name alone; what was typed as relative stays.

    >>> shareable("gardenpath roles /home/ann/suite.conll udpipe:/home/ann/de.udpipe mine/parsed.conllu")
    'gardenpath roles suite.conll udpipe:de.udpipe mine/parsed.conllu'
    """
    words = [word if "://" in word else _ABSOLUTE.sub(r"\1", word) for word in shlex.split(call)]
    return shlex.join(words)


def _shown(run: Run, rows: polars.DataFrame | None, most: int) -> tuple[dict[str, Any] | None, list[int] | None]:
    """What the browser shows of each item, and, where names of items do not tell, the place of each observation's."""
    if rows is not None and (phrases := run.attached(PHRASES)) is not None:
        return phrase_sentences(read_judged(phrases), rows, most)
    if rows is not None and (curves := run.attached(SURPRISALS)) is not None:
        return curve_sentences(read_curves(curves), rows, most)
    trees = run.trees()
    if not trees:
        return None, None
    sentences = _sentences({name: read(path) for name, path in trees.items()}, most)
    if rows is None or _SENTENCE not in rows.columns:
        return sentences, None
    known = {name: place for place, name in enumerate(sentences["ids"])}
    return sentences, [known.get(name, -1) for name in rows[_SENTENCE].to_list()]


def _bare(spec: dict[str, Any]) -> dict[str, Any]:
    """The page has the title as a heading, and its own colours."""
    return {key: value for key, value in spec.items() if key not in ("title", "config")}


def _coded(rows: polars.DataFrame, places: list[int] | None) -> dict[str, Any]:
    """Columns as codes into their different values: small, and fast to filter. What `sentences` has is left out.

    A column of one value has no codes.
    """
    columns = {}
    for name in rows.columns:
        if places is not None and name in _IN_SENTENCES and rows[name].dtype == rows["item"].dtype:
            continue
        values: dict[Any, int] = {}
        codes = [values.setdefault(value, len(values)) for value in rows[name].to_list()]
        if name in _KEPT or (len(values) > 1 and name not in _UNSEEN):
            columns[name] = {"values": list(values), **({"codes": codes} if len(values) > 1 else {})}
    return {"rows": len(rows), "columns": columns, **({} if places is None else {"places": places})}


def _sentences(treebanks: dict[str, Treebank], most: int) -> dict[str, Any]:
    """The sentences of gold with its analysis and those of the systems; a system's other words are its own."""
    gold = treebanks.pop("gold", None) or next(iter(treebanks.values()))
    shown = gold[list(range(min(most, len(gold))))]
    labels = Codes()
    tags = Codes()
    forms = _by_sentence(shown, shown.column("form").strings())
    made = {
        "left_out": len(gold) - len(shown),
        "ids": shown.sentence_names,
        "texts": _texts(shown, forms),
        "forms": forms,
        "upos": _by_sentence(shown, tags.codes(shown.column("upos").strings())),
        "gold": _analysis(shown, labels),
        "systems": {name: _other(shown, forms, treebank, labels) for name, treebank in treebanks.items()},
    }
    return {**made, "labels": labels.values, "tags": tags.values}


def _texts(treebank: Treebank, forms: Sequence[Sequence[str]]) -> list[str]:
    return [sentence.text or " ".join(words) for sentence, words in zip(treebank, forms, strict=True)]


def _by_sentence(treebank: Treebank, values: Sequence[Any]) -> list[list[Any]]:
    offsets = treebank.offsets.tolist()
    return [list(values[a:b]) for a, b in pairwise(offsets)]


def _analysis(treebank: Treebank, labels: Codes) -> dict[str, list[Any]]:
    heads = _by_sentence(treebank, treebank.heads.tolist())
    return {"heads": heads, "labels": _by_sentence(treebank, labels.codes(treebank.column("deprel").strings()))}


def _other(gold: Treebank, forms: list[list[str]], system: Treebank, labels: Codes) -> dict[str, list[Any]]:
    """A system's analysis of each sentence of gold; None where it has none."""
    theirs = _by_sentence(system, system.column("form").strings())
    asked = [SentenceKey(tuple(words), sent_id) for words, sent_id in zip(forms, gold.sent_ids, strict=True)]
    there = [SentenceKey(tuple(words), sent_id) for words, sent_id in zip(theirs, system.sent_ids, strict=True)]
    places = match(asked, there, near=True)
    analysis = _analysis(system, labels)
    analysis_of_words: dict[str, list[Any]] = {"heads": [], "labels": [], "forms": []}
    for mine, place in zip(forms, places, strict=True):
        same_text = place is not None and "".join(theirs[place]) == "".join(mine)
        analysis_of_words["heads"].append(analysis["heads"][place] if place is not None and same_text else None)
        analysis_of_words["labels"].append(analysis["labels"][place] if place is not None and same_text else None)
        analysis_of_words["forms"].append(
            theirs[place] if place is not None and same_text and theirs[place] != mine else None
        )
    return analysis_of_words
