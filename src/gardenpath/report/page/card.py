"""The page of a score card: the pages of its exams in one, with who was examined and what was left out on top."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...runs.layout import short_names
from ...runs.record import Run
from ...runs.seal import PAGE
from ...runs.verdict import listed
from .page import page


def add_card_page(folder: Path) -> None:
    """Puts the page of a card into its folder and under its seal, if it is not there."""
    if not (folder / PAGE).exists():
        run = Run.load(folder)
        run.add_page(card_page(run))


def card_page(run: Run) -> str:
    """One page over all exams of a card."""
    details = run.result().details
    name = str(details["system"])
    return page(run.runs(), title=f"Score card of {short_names([name])[name]}", about=_about(details))


def _about(details: Mapping[str, Any]) -> list[str]:
    kind = " and ".join(details["kind"])
    known = f"{kind}, language {details['language']} ({details['language_known']})"
    exams = details["exams"]
    done = sum(exam["state"] == "done" for exam in exams)
    lines = [f"{known[0].upper()}{known[1:]}. {done} of {len(exams)} exams in {details['minutes']:.1f} minutes."]
    for state, words in (("did not fit", f"Did not fit into {details['budget']:g} minutes"), *_FAILED):
        left = [exam for exam in exams if exam["state"] == state]
        if left:
            lines.append(f"{words}: {listed([_named(exam) for exam in left])}.")
    return lines


def _named(exam: Mapping[str, str]) -> str:
    why = f" ({exam['why']})" if exam["why"] else ""
    return f"{exam['study']} on {exam['source']}{why}"


_FAILED = (("could not be carried out", "Could not be carried out"),)
