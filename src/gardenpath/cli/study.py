"""What the commands of all studies do alike: groupings, systems under test, the record, and bounds that must hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .output import fail_if

if TYPE_CHECKING:
    from ..runs.observations import Observations
    from ..runs.result import Result
    from ..studies.trees import Entrant
    from ..treebank.treebank import Treebank


class Named(Protocol):
    """A system under test: the name the user gave, what decides its trees, and the files they are read from."""

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    @property
    def files(self) -> list[str]: ...


class Work(NamedTuple):
    """What a study made: its result, how to get the observations behind it, the trees that were judged, and more."""

    result: Result
    observations: Callable[[], Observations]
    trees: Mapping[str, bytes]
    attached: Mapping[str, bytes] = MappingProxyType({})


class Parsed(NamedTuple):
    """The trees of all systems by name, what decided them (for the signature), and what went wrong on the way."""

    trees: dict[str, Treebank]
    facts: dict[str, object]
    failures: dict[str, int]

    def kept(self, gold: Treebank) -> dict[str, bytes]:
        """Gold and all trees as a run keeps them."""
        return {"gold": gold.to_bytes(), **{name: one.to_bytes() for name, one in self.trees.items()}}


def parsed(
    gold: Treebank,
    found: Sequence[Entrant],
    *,
    mode: str = "tokens",
    layers: Sequence[str] = (),
    jobs: int = 1,
    cluster: str | None = None,
    any_language: bool = False,
) -> Parsed:
    """Every system's trees of these sentences: read from a file, or parsed now."""
    trees, facts, failures = dict[str, "Treebank"](), dict[str, object](), dict[str, int]()
    for number, one in enumerate(found, 1):
        made = one.trees(gold, mode=mode, layers=layers, jobs=jobs, cluster=cluster, any_language=any_language)
        trees[one.name] = made.treebank
        facts[f"system{number}" if len(found) > 1 else "system"] = one.signature
        failures |= {f"{one.name}: {kind}": count for kind, count in made.failures.items()}
    if any(not one.file for one in found):
        facts |= {"mode": mode, "layers": list(layers) or None}
    return Parsed(trees, facts, failures)


def recorded(
    folder: Path | None,
    work: Callable[[], Work],
    *,
    command: str,
    source: str,
    found: Sequence[Named],
    settings: Mapping[str, Any],
    seed: int,
    files: Callable[[str], list[str]] | None = None,
) -> Result:
    """The result, kept in a run folder if one is named; a finished run is read, and nothing is done again.

    `files` finds the files of the source; without it they are those of a treebank.
    """
    if folder is None:
        return work().result
    from ..errors import UsageError
    from ..runs.record import Run
    from ..treebank.source import paths

    inputs = [*(files or paths)(source), *(file for one in found for file in one.files)]
    if "-" in inputs:
        raise UsageError("a run cannot go on with standard input", where="-", todo="name a file, or leave out --run")
    kept = {**settings, "systems": {one.name: one.signature for one in found}}
    with Run.open(folder, command=command, settings=kept, inputs=inputs, seed=seed) as record:
        if record.finished:
            return record.result()
        made = work()
        record.finish(made.result, made.observations(), made.trees, made.attached)
        return made.result


def groupings(by: str, known: Sequence[str]) -> list[str]:
    """`label,length` as a list; `all` for every one."""
    from ..errors import unknown_name

    names = listed(by)
    if names == ["all"]:
        return list(known)
    for name in names:
        if name not in known:
            raise unknown_name("grouping", name, (*known, "all"))
    return names


def listed(text: str) -> list[str]:
    """The parts of a comma-separated option."""
    return [part.strip() for part in text.split(",") if part.strip()]


def bounds(text: str, known: Iterable[str], default: str = "las") -> dict[str, float]:
    """`80` or `MEASURE=VALUE,…` of --fail-under, by measure in small letters."""
    from ..errors import UsageError, unknown_name

    measures, found = [one.lower() for one in known], {}
    for part in listed(text):
        name, _, value = part.rpartition("=")
        measure = (name or default).lower()
        if measure not in measures:
            raise unknown_name("measure", measure, measures)
        try:
            found[measure] = float(value)
        except ValueError:
            todo = f"write 80 or {default.upper()}=80"
            raise UsageError(f"--fail-under {part}: not a number", todo=todo) from None
    return found


def check_bounds(result: Result, wanted: Mapping[str, float], absent: str = "") -> None:
    """Exit 1 where a system's overall score is below its bound; a score that is not there is a wrong call."""
    from ..errors import UsageError

    scores = [one for one in result.findings if not one.by and one.measure in wanted]
    missing = sorted(set(wanted) - {one.measure for one in scores})
    if missing:
        raise UsageError(f"--fail-under {missing[0]}: not measured here", todo=absent)
    low = [
        f"{one.system}: {one.measure} {float(one.value or 0):.2f} is below {wanted[one.measure]:g}"
        for one in scores
        if not float(one.value or 0) >= wanted[one.measure]
    ]
    fail_if(bool(low), "\n".join(low))
