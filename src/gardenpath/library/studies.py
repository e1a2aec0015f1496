"""The studies as functions: each takes names or objects, and returns a `StudyResult`.

A source is a path, a glob, data by name (`bundled:de-test`), a list of these, or an object: a `Treebank` or sentences
of one, a suite, a data frame of pairs; systems are one or many of the same:
`"udpipe:de.udpipe"`, a file that a system wrote, a `Treebank`, an object with the methods of a protocol, or a function
that parses or scores; a mapping names them. Settings are those of the command of the same name, with `_` for `-`.
`where` says where the work is done, `run` keeps a record in a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import unknown_name
from ..runs.where import HERE, Where
from ..studies.baseline import with_baseline
from ..studies.engine import carry_out
from ..studies.registry import study_command
from ..studies.settings import made
from ..systems.entrants import entrants_of
from ..systems.protocol import LANGUAGE_MODEL, PARSER
from .result import StudyResult


def evaluate(
    gold: Any, systems: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Scores parsers against gold trees, of dependencies or of phrases: metrics with intervals, where errors are.

    >>> import gardenpath as gp
    >>> result = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
    >>> round(result.value("las"), 2)
    55.75
    """
    return _carried("evaluate", _trees_of(gold), gold, systems, settings, where, run)


def roles(
    suite: Any, systems: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does a parser find subject and object, and which order or property of the sentence makes it fail?

    >>> import gardenpath as gp
    >>> result = gp.roles("bundled:de-roles", "baseline:subject-first")
    >>> result.value("las"), result.value("las", order="VF[O]LK[V]MF[S]")
    (72.65, 0.0)
    """
    return _carried("roles", "suite", suite, systems, settings, where, run)


def word_order(
    treebank: Any, systems: Any = (), /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """How often is each order of subject, verb and object in a treebank, and how well is it parsed?

    >>> import gardenpath as gp
    >>> gp.word_order("bundled:de-test", verb="main", datives="no").value("clauses")
    52
    """
    return _carried("roles", "treebank", treebank, systems, settings, where, run)


def constructions(
    suite: Any, systems: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does a parser get the hard constructions, and what kind of error does it make?

    Phrase trees are judged with functions or without, dependency trees on the same items.

    >>> import gardenpath as gp
    >>> tiger, tuebadz, ud = gp.read_suite("bundled:de-constructions")
    >>> known = {item.tree.words: item.tree for item in tiger.items}
    >>> oracle = lambda sentences: [known[tuple(words)] for words in sentences]
    >>> gp.constructions(tiger, {"oracle": oracle}).findings[0].value
    100.0
    """
    return _carried("constructions", "", suite, systems, settings, where, run)


def surprisal(
    suites: Any, systems: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does a language model expect what the grammar demands, in which class of suites, across which modifier?

    >>> import gardenpath as gp
    >>> lengths = lambda sentences: [[float(len(word)) for word in words] for words in sentences]
    >>> result = gp.surprisal("bundled:en-surprisal", {"word length": lengths})
    >>> result.findings[0].system, result.findings[0].measure
    ('word length', 'accuracy')
    """
    return _carried("surprisal", "", suites, systems, settings, where, run)


def joint(
    suites: Any, parsers: Any, models: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does a parser take the garden path where a language model is surprised? On the same items.

    >>> import gardenpath as gp
    >>> lengths = lambda sentences: [[float(len(word)) for word in words] for words in sentences]
    >>> result = gp.joint("bundled:en-surprisal", "baseline:right-branching", {"word length": lengths})
    >>> result.value("effect", "word length")
    0.0
    """
    systems = [*entrants_of(parsers, PARSER), *entrants_of(models, LANGUAGE_MODEL)]
    return _carried("joint", "", suites, systems, settings, where, run)


def judge(
    suites: Any, systems: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does a chat model take the good sentence of a pair, however it is asked?

    >>> import gardenpath as gp, pathlib, tempfile
    >>> pairs = pathlib.Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> _ = pairs.write_text("item\\tgood\\tbad\\n1\\tcats sleep\\tcats sleeps\\n")
    >>> result = gp.judge(pairs, {"polite": lambda questions: ["Yes." for _ in questions]})
    >>> result.value("unusable")  # yes is no answer to which of two is better
    50.0
    """
    return _carried("judge", "", suites, systems, settings, where, run)


def logs(*logs: str | Path, run: str | Path | None = None, **settings: Any) -> StudyResult:
    """What lm-evaluation-harness (`--log_samples`) or Inspect logged, sample by sample: logs, or folders of them.

    >>> import gardenpath as gp, pathlib
    >>> line = '{"doc_id": 0, "doc": {"sentence_good": "cats sleep"}, "metrics": ["acc"], "acc": 1.0}'
    >>> _ = pathlib.Path("samples_cats_2026-01-01T00-00-00.0.jsonl").write_text(line)
    >>> gp.logs("samples_cats_2026-01-01T00-00-00.0.jsonl").value("accuracy")
    100.0
    """
    return _carried("logs", "", [str(log) for log in logs], (), settings, HERE, run)


def displacement(
    train: Any, test: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """How far is test from training data, and is that more than chance?

    >>> import gardenpath as gp
    >>> result = gp.displacement("bundled:de-train", "bundled:de-test", draws=0)
    >>> round(result.value("edv"), 3)
    0.098
    """
    return _carried("displacement pair", "", (train, test), (), settings, where, run)


def displacement_collection(
    folder: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """The distances of all treebanks in a folder of treebank folders, and whether they explain parsers' scores.

    >>> import gardenpath as gp
    >>> for seed in range(3):
    ...     for part, treebank in gp.split("bundled:de-test", seed=seed)[1].items():
    ...         treebank.write(f"treebanks/UD_German-Demo{seed}/demo-ud-{part}.conllu")
    >>> result = gp.displacement_collection("treebanks", draws=0, subsamples=())
    >>> [round(value, 2) for value in result.to_polars("edv", by=())["value"]]
    [0.45, 0.95, 0.68]
    """
    return _carried("displacement collection", "", folder, (), settings, where, run)


def displacement_experiment(
    folder: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Trains a parser on the easiest, the hardest and random splits of every treebank in a folder.

    >>> import gardenpath as gp
    >>> treebank = gp.read("bundled:de-train")
    >>> treebank[treebank.lengths < 10].write("treebanks/UD_German-Demo/demo.conllu")
    >>> result = gp.displacement_experiment("treebanks", preset="tiny", random=1)
    >>> result.study
    'displacement'
    """
    return _carried("displacement experiment", "", folder, (), settings, where, run)


def consistency(
    treebank: Any, systems: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?

    >>> import gardenpath as gp
    >>> result = gp.consistency("bundled:de-test", "baseline:nearest-head", perturb="names", gold="tags")
    >>> result.findings[0].measure
    'originals'
    """
    return _carried("consistency test", "", treebank, systems, settings, where, run)


def remedies(
    train: Any, tests: Any, /, *, where: Where = HERE, run: str | Path | None = None, **settings: Any
) -> StudyResult:
    """Does training on changed data make a parser consistent? As is, augmented, and with a constant in place.

    >>> import gardenpath as gp
    >>> small = gp.read("bundled:de-train")[:40]
    >>> result = gp.remedies(small, "bundled:de-test", perturb="names", preset="tiny", per_sentence=2, augmented=2)
    >>> result.systems
    ['udpipe as is', 'udpipe augment', 'udpipe substitute']
    """
    several = list(tests) if isinstance(tests, list | tuple) else [tests]
    return _carried("consistency remedies", "", (train, *several), (), settings, where, run)


def study_on(
    source: Any,
    systems: Any,
    /,
    *,
    study: str = "",
    where: Where = HERE,
    run: str | Path | None = None,
    **settings: Any,
) -> StudyResult:
    """The study that a source is for, or the one that is named: `evaluate`, `roles`, `constructions`, `surprisal`, …

    >>> import gardenpath as gp
    >>> gp.study_on("bundled:de-roles", "baseline:subject-first").study
    'roles'
    """
    from ..studies.recognition import study_of

    name = study or study_of(source)
    functions = {"evaluate": evaluate, "roles": roles, "constructions": constructions, "surprisal": surprisal,
                 "judge": judge, "consistency": consistency}  # fmt: skip
    if name not in functions:
        raise unknown_name("study", name, functions)
    return functions[name](source, systems, where=where, run=run, **settings)


def _trees_of(gold: Any) -> Callable[[], str]:
    """Which form of the evaluation is meant: by the object, or by what the file holds."""

    def look() -> str:
        from ..phrase.sniffing import holds_phrases
        from ..phrase.tree import PhraseTree

        first = gold[0] if isinstance(gold, list | tuple) and gold else gold
        named = isinstance(first, str | Path) and holds_phrases(str(first))
        return "phrases" if named or isinstance(first, PhraseTree) else "dependencies"

    return look


def _with_baseline(systems: Any, baseline: str) -> Any:
    """The systems and, after them, the baseline, if it is not one of them already."""
    if not baseline:
        return systems
    if isinstance(systems, Mapping):
        return systems if baseline in systems else {**systems, baseline: baseline}
    several = list(systems) if isinstance(systems, list | tuple) else [systems]
    names = [system for system in several if isinstance(system, str)]
    return several if len(with_baseline(names, baseline)) == len(names) else [*several, baseline]


def _carried(
    name: str,
    form: str | Callable[[], str],
    source: Any,
    systems: Any,
    settings: dict[str, Any],
    where: Where,
    run: str | Path | None,
) -> StudyResult:
    command = study_command(name)
    chosen = command.forms[form() if callable(form) else form]
    given = str(source) if isinstance(source, Path) else list(source) if isinstance(source, Iterator) else source
    made_settings = made(chosen.settings, settings)
    judged = _with_baseline(systems, settings.get("baseline", ""))
    return StudyResult.of(carry_out(chosen.load(), given, judged, made_settings, where=where, folder=run))
