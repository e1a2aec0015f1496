"""The papers whose numbers can be computed again: what each needs, and where its lines are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gardenpath.errors import GardenpathError, UsageError, unknown_name

if TYPE_CHECKING:  # the command line lists the papers, and must start at once
    from gardenpath import StudyResult
    from gardenpath.runs import Result

    from .ledger import Line

Data = Callable[[str], Path]
"""Where the data of a name is: fetched first if it has to be."""


@dataclass(frozen=True, slots=True)
class Paper:
    """`name` is also the module here that has `lines(data)`: cells as given, and every comparison, in any order."""

    name: str
    title: str
    needs: Sequence[str]
    """Names of data, as `gardenpath data get` knows them."""
    settings: Mapping[str, int] = field(default_factory=dict)
    """What ours depends on beside the data; the signature says it."""
    bundled: Sequence[str] = ()
    """Names of samples that come with the package."""


PAPERS: Mapping[str, Paper] = {
    paper.name: paper
    for paper in (
        Paper("sorts", "SORTS (Fischer, de Kok and Hinrichs 2020)", ("sorts@2020", "sorts")),
        Paper("mandarin", "Mandarin suites (Wang, Hu, Levy and Qian 2021)", ("mandarin-suites",)),
        Paper(
            "consistency",
            "Consistency (Kalpakchi and Boye 2021)",
            ("ud:English-EWT", "ud:Swedish-Talbanken", "ud:Ukrainian-IU"),
        ),
        Paper(
            "edv",
            "EDV (Anderson and Gómez-Rodríguez 2022)",
            ("ud-collection", "udpipe-scores"),
            {"draws": 0, "samples": 20, "seed": 0},
        ),
        Paper(
            "tepacoc",
            "TEPACOC (Kübler, Rehbein and van Genabith 2009)",
            (),
            {"sentences": 1000, "sets": 3},
            ("de-constructions",),
        ),
    )
}


@dataclass(frozen=True)
class OwnTreebanks:
    """TIGER and TüBa-D/Z of the user for the paper on TEPACOC, and the published list; without one, 20 are drawn."""

    tiger: str
    tueba: str
    listed: str = ""
    size: int = 20
    """Sentences that are drawn for each phenomenon."""

    def __post_init__(self) -> None:
        for flag, value in (("--tiger", self.tiger), ("--tueba", self.tueba)):
            if not value:
                raise UsageError("the paper compares two treebanks", where=flag, todo="name both --tiger and --tueba")

    @property
    def facts(self) -> dict[str, object]:
        """What was read, for the signature."""
        from gardenpath.phrase import files
        from gardenpath.runs import describe_input, with_hash

        named = {"tiger": self.tiger, "tueba": self.tueba, **({"list": self.listed} if self.listed else {})}
        sources = {name: [source] if name == "list" else files(source) for name, source in named.items()}
        sums = {name: [str(describe_input(Path(file))["sha256"]) for file in sources[name]] for name in named}
        read_from = {name: with_hash(source, *sums[name]) for name, source in named.items()}
        return {**read_from, **({} if self.listed else {"drawn": self.size})}


def papers_called(names: Iterable[str]) -> list[Paper]:
    """The papers by name, `all` for every one; a name we do not know is an error."""
    wanted = list(dict.fromkeys(names))
    for name in wanted:
        if name != "all" and name not in PAPERS:
            raise unknown_name("paper", name, (*PAPERS, "all"))
    return list(PAPERS.values()) if "all" in wanted else [PAPERS[name] for name in wanted]


def reproduce(
    papers: Sequence[Paper],
    data: Data,
    tables: Sequence[str] = (),
    verdicts: Sequence[str] = (),
    own: OwnTreebanks | None = None,
) -> Result:
    """The ledger of these papers: every printed number with its verdict, or the lines of these tables and verdicts.

    Of several papers, one whose data cannot be had is left out and told; of one, it is an error. `own` are treebanks
    of the user's for the paper on TEPACOC.
    """
    from gardenpath.data import bundled, tree_hash
    from gardenpath.runs import Finding, Result, Table, signature

    from .ledger import check_verdicts, overview, selected, settled, shown

    check_verdicts(verdicts)
    if own is not None and [paper.name for paper in papers] != ["tepacoc"]:
        raise UsageError("TIGER, TüBa-D/Z and the list are for the paper on TEPACOC", todo="name tepacoc alone")
    findings: list[Finding] = []
    done: list[Paper] = []
    missing: dict[str, GardenpathError] = {}
    for paper in papers:
        try:
            for name in paper.needs:
                data(name)
        except GardenpathError as error:
            missing[paper.name] = error
            continue
        more = {} if own is None else {"own": own}
        lines: list[Line] = import_module(f".{paper.name}", __package__).lines(data, **more)
        findings += [line.finding(paper.name) for line in settled(lines)]
        done.append(paper)
    if missing and not done:
        raise next(iter(missing.values()))
    findings = selected(findings, tables, verdicts)
    layouts = [overview({paper.name: paper.title for paper in done}, findings)] if len(done) > 1 else []
    for paper in done:
        part = [finding for finding in findings if finding.suite == paper.name]
        layouts += shown(paper.title, part, lines=bool(tables or verdicts)) if part else []
    if missing:
        layouts.append(Table("Left out", ("paper", "why"), [(name, str(error)) for name, error in missing.items()]))
    places = {name: data(name) for paper in done for name in paper.needs}
    ours = done if own is None else []
    places |= {f"bundled:{name}": bundled(name) for paper in ours for name in paper.bundled}
    made = signature(
        ("command", "reproduce"),
        ("papers", [paper.name for paper in done]),
        *((f"{paper.name}-{key}", value) for paper in ours for key, value in paper.settings.items()),
        *((f"tepacoc-{key}", value) for key, value in (own.facts.items() if own is not None else ())),
        ("data", [f"{name}#{tree_hash(places[name])[:8]}" for name in sorted(places)]),
    )
    return Result(made, findings, layouts, {"papers without data": len(missing)} if missing else {})


def reproduced(
    *papers: str,
    table: str | Sequence[str] = (),
    verdict: str | Sequence[str] = (),
    tiger: str = "",
    tueba: str = "",
    listed: str = "",
) -> StudyResult:
    """Papers number by number: what is recomputed, what follows from other numbers, what cannot be had, and why.

    `table` and `verdict` keep the lines of these tables and verdicts. Data that is not here is downloaded. `tiger`,
    `tueba` and `listed` are your treebanks and the published list for the paper on TEPACOC.

    >>> import gardenpath as gp
    >>> gp.reproduce("sort")
    Traceback (most recent call last):
    ...
    gardenpath.errors.UsageError: unknown paper 'sort'
      did you mean sorts?
    """
    from gardenpath import StudyResult
    from gardenpath.data import fetch

    tables, verdicts = ((names,) if isinstance(names, str) else names for names in (table, verdict))
    own = OwnTreebanks(tiger, tueba, listed) if tiger or tueba or listed else None
    result = reproduce(papers_called(papers or ("all",)), lambda name: fetch(name).path, tables, verdicts, own)
    return StudyResult.of(result)


def published(paper: str) -> dict[str, Any]:
    """The numbers of the paper as printed, by table."""
    from tomllib import loads

    return loads((Path(__file__).parent / "published" / f"{paper}.toml").read_text(encoding="utf-8"))
