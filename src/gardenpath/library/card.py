"""The score card from Python: the same folder that `gardenpath card` makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..runs.where import HERE, Where
from ..studies.card.examination import MINUTES
from .result import StudyResult


def card(
    system: str,
    *sources: str | Path,
    language: str = "",
    budget: float = MINUTES,
    where: Where = HERE,
    run: str | Path = "",
    tell: Callable[[str], None] = lambda _: None,
) -> StudyResult:
    """A grammar check-up: all that fits a system's kind and language within `budget` minutes; one page, one JSON.

    `sources` are suites and treebanks of your own, beside what is bundled and what mirror and store have. The folder
    `run` (by default `card-` and the name of the model) has the page, `report.html`, and a run for each exam.

    >>> import gardenpath as gp
    >>> checked = gp.card("baseline:right-branching", language="en", run="card")
    >>> [(exam["name"], exam["state"]) for exam in checked.details["exams"]][:1]
    [('evaluate-en-test', 'done')]
    """
    from ..report.page.card import add_card_page
    from ..studies.card.examination import card as examined

    made = examined(
        system, [str(source) for source in sources], language=language, budget=budget, where=where, folder=run,
        tell=tell,
    )  # fmt: skip
    add_card_page(made.folder)
    return StudyResult.around(made.result)
