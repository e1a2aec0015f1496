"""How a study is declared: its settings, its arguments, its forms. Light, because `--help` reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ...errors import GardenpathError, UsageError, unknown_name
from ...plugins import loaded

META = "option"
"""The key under which a field of settings carries its `Option`."""


INDEPENDENT = "Compute intervals and tests over single items, ignoring the clusters in which they were sampled."
LATE = ("independent", "draws", "seed")
"""Settings that many studies have: on the command line they stand behind a study's own."""


MODES = ("tokens", "sentences", "text")
"""What parsers may be given: gold tokens; the raw text of each sentence; raw text."""


SHOWN = 10
"""Examples that are shown where no limit is given."""


@dataclass(frozen=True)
class Option:
    """How a setting is asked for, and whether it enters the signature."""

    help: str
    flag: str = ""
    """Its name on the command line, where it is not that of the field."""
    short: str = ""
    metavar: str = ""
    least: float | None = None
    choices: Sequence[str] = ()
    """What it may be; for a list, what its parts may be (and `all` for every one)."""
    every: Sequence[str] = ()
    """What `all` stands for in a list whose parts may be something else, too."""
    signed: bool = True
    """Does it change a number? What only changes what is shown does not enter the signature."""
    key: str = ""
    """Its name in the signature, where it is not that of the field."""
    repeated: bool = False
    """May be given several times on the command line, instead of a comma-separated list."""
    rare: bool = False
    """Has it no option of its own? It is set by `--set NAME=VALUE` then."""
    rest: str = ""
    """Of a list of `NAME=VALUE`: the beginning of their names in `--set`, such as `train.`."""


def option(default: Any, help: str, **more: Any) -> Any:
    """Return a field of settings with its `Option`."""
    return field(default=default, metadata={META: Option(help, **more)})


def setting(default: Any, help: str, **more: Any) -> Any:
    """Return a field of settings that has no option of its own: `--set NAME=VALUE`."""
    return option(default, help, rare=True, **more)


@dataclass(frozen=True, kw_only=True)
class StudySettings:
    """What every study has. Nothing is random here; what draws or trains has `DrawnSettings`."""

    seed = 0

    def __post_init__(self) -> None:
        for name, declared in self.options():
            value = getattr(self, name)
            if declared.least is not None and isinstance(value, int | float) and value < declared.least:
                raise UsageError(f"{value} is below {declared.least:g}", where=flag_of(name, declared))
            if declared.choices:
                object.__setattr__(self, name, _chosen(name, value, declared))
            elif isinstance(value, list | tuple):
                whole = declared.every and tuple(value) == ("all",)
                object.__setattr__(self, name, tuple(declared.every if whole else value))

    @classmethod
    def options(cls) -> Iterator[tuple[str, Option]]:
        """The names of all settings with how they are asked for."""
        for setting in fields(cls):
            if META in setting.metadata:
                yield setting.name, setting.metadata[META]

    def facts(self) -> list[tuple[str, object]]:
        """The pairs of the signature: what changes a number and is not what it is by default."""
        facts: list[tuple[str, object]] = []
        for setting in fields(self):
            declared, value = setting.metadata.get(META), getattr(self, setting.name)
            if declared is None or not declared.signed or setting.name in LATE:
                continue
            if value not in (None, "", (), False) and value != setting.default:
                facts.append((declared.key or setting.name, value))
        return facts

    def random_facts(self) -> list[tuple[str, object]]:
        """What was drawn and the seed, where anything is random."""
        return []

    def kept(self) -> dict[str, Any]:
        """All settings as a run keeps them; the seed has a place of its own there."""
        return {setting.name: getattr(self, setting.name) for setting in fields(self) if setting.name != "seed"}


@dataclass(frozen=True, kw_only=True)
class ClusteredSettings(StudySettings):
    """Of studies whose items were sampled in clusters: intervals and tests go by these."""

    independent: bool = setting(False, INDEPENDENT, signed=False)


@dataclass(frozen=True, kw_only=True)
class DrawnSettings(StudySettings):
    """Of studies that draw: how often, and the seed of everything random."""

    draws: int = setting(1000, "Bootstrap draws for intervals and tests; 0 for none.", least=0)
    seed: int = option(0, "Seed of everything random; part of the signature.", least=0)

    def random_facts(self) -> list[tuple[str, object]]:
        return [("draws", self.draws), ("seed", self.seed)] if self.draws else []


class WithExamples(StudySettings):
    """Settings that have `examples` and `limit`, which says how many of them are shown."""

    examples: str
    limit: int | None
    limit_todo: ClassVar[str] = "leave it out, or add --examples"
    """What to do about a limit without examples."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.limit is not None and not self.examples:
            what, where = "--limit says how many examples to show", f"--limit {self.limit}"
            raise UsageError(what, where=where, todo=self.limit_todo)

    @property
    def shown(self) -> int:
        """How many examples of each system are shown."""
        return self.limit or SHOWN


def limit_option() -> Any:
    """How many examples to show, of every study that has `examples`."""
    return option(None, f"How many examples to show ({SHOWN}).", metavar="N", least=1, signed=False)


GOLD_LAYERS = "Gold annotation passed to the parser: lemmas, tags, feats."


ANY_LANGUAGE = "Continue if model and input have different scripts."
TRAINER_OPTIONS = "An option of the tool that trains, such as parser.hidden_layer=50."
STRICT = "strict"
STRICT_LABELS = "Label sets: strict fails, instead of warning, if system and gold have different ones."


@dataclass(frozen=True, kw_only=True)
class ParserSettings(StudySettings):
    """What studies of dependency parsers ask in addition."""

    gold: tuple[str, ...] = option(
        (), GOLD_LAYERS, choices=("lemmas", "tags", "feats"), key="layers",
    )  # fmt: skip
    any_language: bool = setting(False, ANY_LANGUAGE, signed=False)
    labels: tuple[str, ...] = setting((), STRICT_LABELS, choices=(STRICT,), signed=False)

    input = "tokens"

    @property
    def strict(self) -> bool:
        """Whether a system with other labels than gold is refused."""
        return STRICT in self.labels


def _chosen(name: str, value: Any, declared: Option) -> Any:
    """The value, if it is one of the choices; `all` stands for every one."""
    if isinstance(value, str):
        if value and value not in declared.choices:
            raise unknown_name(name.replace("_", " "), value, declared.choices, where=flag_of(name, declared))
        return value
    parts = tuple(value or ())
    if parts == ("all",):
        return tuple(declared.choices)
    for part in parts:
        if part not in declared.choices:
            what = "grouping" if name == "by" else "gold layer" if name == "gold" else name.replace("_", " ")
            raise unknown_name(what, part, (*declared.choices, "all"), where=flag_of(name, declared))
    return tuple(sorted(parts)) if name == "gold" else parts


def flag_of(name: str, declared: Option) -> str:
    """Return how a setting is typed: `--max-length` of `max_length`, `--set verb` of a rare `verb`."""
    return f"--set {name}" if declared.rare else declared.flag or "--" + name.replace("_", "-")


def made(cls: Callable[..., Any], values: dict[str, Any]) -> Any:
    """Settings from keyword arguments of Python; an unknown one is an error that names the nearest."""
    known = [setting.name for setting in fields(cls)]  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise unknown_name("setting", name, known)
    listed = {setting.name: setting for setting in fields(cls) if isinstance(setting.default, tuple)}  # type: ignore[arg-type]
    return cls(**{name: _as_list(value, listed[name]) if name in listed else value for name, value in values.items()})


def check_kinds(cls: Callable[..., Any], values: Mapping[str, Any]) -> None:
    """Settings from a file have the kind of value that the default has; where that is none, a number or a text."""
    for setting in fields(cls):  # type: ignore[arg-type]
        value = values.get(setting.name, setting.default)
        kinds: tuple[type, ...] = (str, list, tuple) if isinstance(setting.default, tuple) else (type(setting.default),)
        if setting.default is None or isinstance(setting.default, float):
            kinds += (int, float, str)[: 3 if setting.default is None else 2]
        listed = value if isinstance(value, list | tuple) else ()
        fits = isinstance(value, kinds) and (isinstance(value, bool) <= (bool in kinds))
        if not fits or not all(isinstance(part, str) for part in listed):
            raise UsageError(f"{setting.name} = {str(value)[:60]!r} does not fit", todo=f"such as {setting.default!r}")


def _as_list(value: Any, setting: Field[Any]) -> Any:
    """`label,length` as ("label", "length"): lists may be written as on the command line."""
    if isinstance(value, str):
        if META in setting.metadata and setting.metadata[META].repeated:
            return (value,)
        return tuple(parts_of(value))
    if isinstance(value, Mapping):  # what is written KEY=VALUE there
        return tuple(f"{key}={part}" for key, part in value.items())
    return tuple(value)


def parts_of(text: str, sign: str = ",") -> list[str]:
    """The parts of a list; a sign inside brackets or quotes, as a query has them, divides nothing.

    >>> parts_of('upos, X [form=re"a,b", Case]')
    ['upos', 'X [form=re"a,b", Case]']
    """
    parts, depth, quoted = [""], 0, False
    for character in text:
        quoted ^= character == '"'
        depth += 0 if quoted else (character in "([{") - (character in ")]}")
        if character == sign and depth <= 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


class GroupedSettings(StudySettings):
    """`by` names tables of the study; every other name in it is a column, by which items are grouped."""

    by: tuple[str, ...] = ()
    groupings: ClassVar[Sequence[str]] = ()
    """The tables of the study; findings have all of them."""
    crossed: ClassVar[Sequence[str]] = ()
    """Those that cross with a column where they are named beside one."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables to show."""
        return tuple(name for name in self.by if name in self.groupings and name not in self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to group items by: one, or two that cross."""
        own = [name for name in self.by if name not in self.groupings]
        return tuple(name for name in self.by if name in own or name in self.crossed) if own else ()

    def facts(self) -> list[tuple[str, object]]:
        """Tables are what is shown; columns are groups of their own."""
        facts = super().facts()
        return [(key, self.columns if key == "by" else value) for key, value in facts if key != "by" or self.columns]


def by_option(default: Sequence[str], tables: Sequence[str], columns: str) -> Any:
    """`--by` of a study: its tables, and columns, of which an example tells."""
    about = f"Tables to show: {', '.join(tables)}, or all; or one or two columns {columns}"
    return option(tuple(default), f"{about}.", every=tuple(tables))


class Call(NamedTuple):
    """What the arguments of a call mean: which form of the study, on what, with which systems."""

    form: str
    source: Any
    systems: Sequence[Any]


class Measure(NamedTuple):
    """A measure: its title, its definition in one line, and whether more or less of it is better (or neither)."""

    title: str
    meaning: str
    better: str = "more"


@dataclass(frozen=True)
class Notes:
    """What a reader needs beside the numbers of a study: on the page, in the glossary, in figures and comparisons."""

    study: str
    """The name of the study in findings, signatures and folders."""
    title: str
    method: str
    """How it measures, in two or three sentences."""
    cite: str
    """The paper it is from."""
    main: Sequence[str] = ()
    """The measures that the study is opened with, the most important first."""
    measures: Mapping[str, Measure] = field(default_factory=dict)
    """The measures that this study defines; a measure is defined by one study, and others may use it."""
    observed: str = ""
    """The measure that the value of an observation is; by default accuracy, or the mean of what is not judged."""
    figures: Sequence[str] = ()
    """`module:function`, each from a result to its figures."""


@dataclass(frozen=True)
class Form:
    """One form of a study: dependency or phrase trees, a suite or a treebank."""

    study: str
    """`module:OBJECT`, the `Study`, loaded when it is run; `.module` is below `gardenpath.studies`."""
    settings: type[StudySettings]
    notes: Notes
    title: str = ""
    """What it is for, where an option that it does not have is refused."""

    def load(self) -> Any:
        """Return the `Study`; a mistake of its author is an error in one sentence."""
        target = f"gardenpath.studies{self.study}" if self.study.startswith(".") else self.study
        try:
            study = loaded(target)
            fault = self._fault(study)
        except GardenpathError:
            raise
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            what = f"the study {self.notes.study} cannot be used: {fault}"
            raise UsageError(what, where=target, todo="mend the package that declares it")
        return study

    def _fault(self, study: Any) -> str:
        """Return what a study lacks or says otherwise than its declaration; empty where nothing is wrong."""
        if isinstance(study, type):
            return f"{study.__name__} is a class, and an object of it is needed"
        kind = type(study).__name__
        for name in ("name", "settings", "files", "read", "facts", "ask", "judge", "findings", "kept"):
            if not hasattr(study, name):
                return f"{kind} has no {name}"
        if study.settings is not self.settings:
            return f"{kind} has the settings {study.settings.__name__}, and is declared with {self.settings.__name__}"
        if study.name != self.notes.study:
            return f"{kind} is called {study.name}, and its notes are of {self.notes.study}"
        return ""


class PythonFunction(NamedTuple):
    """A study as a function of `gardenpath`."""

    arrange: Callable[..., Call]
    """From positional arguments to what they mean."""
    example: str
    """Lines of a doctest, which its documentation shows and a test runs."""
    about: str = ""
    """What it does, where that is not what the command does."""


@dataclass(frozen=True)
class StudyCommand:
    """A study as a command and as a function of the library."""

    name: str
    about: str
    arguments: str
    arguments_help: str
    forms: Mapping[str, Form]
    divide: Callable[[list[str], Mapping[str, Any]], Call]
    """From arguments (and options) to what they mean; raises where they mean nothing."""
    examples: Sequence[str] = ()
    python: Mapping[str, PythonFunction] = field(default_factory=dict)
    """The functions of `gardenpath` that carry it out, by name."""
    asks: bool = True
    """Is there work for other processes, such as asking systems? Then it has the options that say where."""


def source_and_systems(source: Any, systems: Any = ()) -> Call:
    """Return what the positional arguments of most studies mean in Python."""
    return Call("", source, systems)


def suites_and_systems(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`SUITE... SYSTEM...` in any order: what has a kind before a colon is a system; all else are suites."""
    from ...errors import UsageError
    from ...systems.asking.entrants import is_system_name

    suites = [argument for argument in arguments if not is_system_name(argument)]
    if not suites:
        raise UsageError("no suite is named", todo="name a suite before the systems: SUITE... SYSTEM...")
    systems = [argument for argument in arguments if is_system_name(argument)]
    if not systems and (model := next((name for name in suites if (Path(name) / "config.json").is_file()), None)):
        raise UsageError(
            "this folder is a model and no suite", where=model, todo=f"write its kind before it: hf:{model}"
        )  # fmt: skip
    return Call("", suites, systems)


def first_is_source(arguments: list[str], options: Mapping[str, Any]) -> Call:
    """`SOURCE SYSTEM...` of a study with one form."""
    source, *systems = arguments or [""]
    return Call("", source, systems)
