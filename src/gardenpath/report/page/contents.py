"""What a page shows of a run: its record, findings, tables, figures, observations and sentences, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ...runs.record import Run
from ...studies.judged_phrases import PHRASES, read_judged
from ...studies.surprisal.curves import SURPRISALS, read_curves
from ...treebank.matching import SentenceKey, match
from ...treebank.source import read
from ...treebank.treebank import Treebank
from ..figures import figures_of
from ..formats import shown_rows
from .codes import Codes
from .curves import curve_sentences
from .notes import note_of
from .phrases import phrase_sentences

if TYPE_CHECKING:
    import polars

_KEPT = frozenset({"study", "suite", "item", "system", "outcome", "variant_id"})
"""Columns that the browser needs even where they have one value."""
_IN_SENTENCES = frozenset({"gold", "parse", "text", "sentence"})
"""Columns of text that say in another way what is drawn."""
MOST = 25_000
"""Sentences that a page carries; beyond that it says how many it left out."""


def contents(run: Run, most: int = MOST) -> dict[str, Any]:
    """One run; all that the page needs, and nothing that it must fetch."""
    if not run.finished:
        raise InputError("this run is not finished", where=str(run.folder), todo="call its command again; it goes on")
    record, result = run.record, run.result()
    study = next((finding.study for finding in result.findings), record["command"])
    rows = run.observations() if run.has_observations else None
    sentences, places = _shown(run, rows, most)
    return {
        "name": run.folder.resolve().name,
        "id": run.id,
        "command": record["command"],
        "studies": list(dict.fromkeys(finding.study for finding in result.findings)) or [study],
        "notes": [note for name in dict.fromkeys(f.study for f in result.findings) if (note := note_of(name))],
        "verdicts": [{"text": verdict.text, "sure": verdict.sure} for verdict in result.verdicts],
        "signature": result.signature,
        "settings": record.get("settings", {}),
        "seed": record.get("seed"),
        "started": record.get("started"),
        "version": record.get("version"),
        "packages": record.get("versions", {}),
        "inputs": [
            {"name": PurePath(str(one.get("name", ""))).name, "sha256": one.get("sha256")}
            for one in record.get("inputs", [])
        ],
        "failures": dict(result.failures),
        "findings": [finding.flat() for finding in result.findings],
        "tables": [
            {
                "title": t.title,
                "columns": list(t.columns),
                "rows": shown_rows(t),
                "digits": max(map(t.digits_of, range(len(t.columns))), default=t.digits),
                "note": t.note,
            }
            for t in result.tables
        ],
        "figures": [
            {"name": one.name, "title": one.title, "caption": one.caption, "spec": _untitled(one.spec)}
            for one in figures_of(result)
        ],
        "observations": _coded(rows, places) if rows is not None else None,
        "sentences": sentences,
    }


def _shown(run: Run, rows: polars.DataFrame | None, most: int) -> tuple[dict[str, Any] | None, list[int] | None]:
    """What the browser shows of each item, and, where names of items do not tell, the place of each observation's."""
    if rows is not None and (phrases := run.attached(PHRASES)) is not None:
        return phrase_sentences(read_judged(phrases), rows, most)
    if rows is not None and (curves := run.attached(SURPRISALS)) is not None:
        return curve_sentences(read_curves(curves), rows, most)
    trees = run.trees()
    return (_sentences({name: read(path) for name, path in trees.items()}, most) if trees else None), None


def _untitled(spec: dict[str, Any]) -> dict[str, Any]:
    """The page has the title as a heading."""
    return {key: value for key, value in spec.items() if key != "title"}


def _coded(rows: polars.DataFrame, places: list[int] | None) -> dict[str, Any]:
    """Columns as codes into their different values: small, and fast to filter. What `sentences` has is left out."""
    columns = {}
    for name in rows.columns:
        if places is not None and name in _IN_SENTENCES and rows[name].dtype == rows["item"].dtype:
            continue
        values: dict[Any, int] = {}
        codes = [values.setdefault(value, len(values)) for value in rows[name].to_list()]
        if len(values) > 1 or name in _KEPT:
            columns[name] = {"values": list(values), "codes": codes}
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
        "ids": [name or str(number) for number, name in enumerate(shown.sent_ids, 1)],
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
    found: dict[str, list[Any]] = {"heads": [], "labels": [], "forms": []}
    for mine, place in zip(forms, places, strict=True):
        same_text = place is not None and "".join(theirs[place]) == "".join(mine)
        found["heads"].append(analysis["heads"][place] if place is not None and same_text else None)
        found["labels"].append(analysis["labels"][place] if place is not None and same_text else None)
        found["forms"].append(theirs[place] if place is not None and same_text and theirs[place] != mine else None)
    return found
