"""`gardenpath evaluate` with phrase trees as gold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .options import Format
from .output import check_target, emit
from .study import Work, bounds, check_bounds, groupings, recorded


def evaluate_phrases(
    gold: str,
    systems: list[str],
    *,
    by: str,
    draws: int,
    scheme: str,
    parameters: str,
    form: str,
    max_length: int | None,
    fail_under: str,
    seed: int,
    jobs: int,
    cluster: str | None,
    run: Path | None,
    figures: Path | None,
    format: Format,
    output: Path | None,
) -> None:
    """The study of brackets over files and systems, printed and kept like every evaluation."""
    from ..phrase.evalb import parameters as named_parameters
    from ..phrase.heads import check_scheme
    from ..phrase.source import files
    from ..studies.brackets.breakdown import GROUPINGS
    from ..studies.brackets.scores import MEASURES
    from ..studies.phrase_trees import phrase_entrants

    if scheme:
        check_scheme(scheme)
    counted = named_parameters(parameters)
    settings: dict[str, Any] = {
        "by": groupings(by, GROUPINGS), "draws": draws, "scheme": scheme, "parameters": counted.described,
        "form": form, "max_length": max_length,
    }  # fmt: skip
    wanted = bounds(fail_under, MEASURES, "f1")
    check_target(output, figures)
    found = phrase_entrants(systems)

    def work() -> Work:
        from ..phrase.source import read
        from ..studies.brackets.study import evaluate_trees, judged_trees, kept_trees, observations, up_to
        from ..studies.judged_phrases import PHRASES, attached

        suite = Path(gold).name
        trees = up_to(read(gold), max_length, counted)
        made = {one.name: one.trees(trees, jobs=jobs, cluster=cluster) for one in found}
        facts: dict[str, object] = {"max_length": max_length}
        facts |= {f"system{n}" if len(found) > 1 else "system": one.signature for n, one in enumerate(found, 1)}
        result, scores = evaluate_trees(
            trees, made, suite=suite, scheme=scheme, parameters=counted, form=form, by=settings["by"], draws=draws,
            seed=seed, facts=facts,
        )  # fmt: skip
        shown = {PHRASES: attached(judged_trees(trees, made, suite))} if run is not None else {}
        return Work(result, lambda: observations(trees, scores, suite, seed), kept_trees(trees, made, scheme), shown)

    result = recorded(
        run, work, command="brackets", source=gold, found=found, settings=settings, seed=seed, files=files
    )  # fmt: skip
    emit(result, format, output, figures, run)
    check_bounds(result, wanted, "UAS and LAS need --scheme, and functions must be in gold and in the trees")
