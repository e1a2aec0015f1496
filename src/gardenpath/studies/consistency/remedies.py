"""Do the remedies help? The parser trained as is, on augmented and on substituted data (Tables 6 to 11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError, unknown_name
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...stats.resample import paired_bootstrap
from ...treebank.perturb.augment import PER_SENTENCE, Augmentation
from ...treebank.perturb.batch import substitute
from ...treebank.perturb.registry import Perturbation
from ...treebank.treebank import Treebank
from .answered import Answers
from .asked import Asked, Case, ask
from .judging import RIGHT, WRONG, Judged, judge
from .questions import Draws, Overview, overview
from .retrained import Retraining, Test, answers_of, retrained
from .study import STUDY, Key, Part, columns, consistency, counts, difference_findings, orders_called
from .tables import percent

if TYPE_CHECKING:
    from ...runs.cache import ResultCache
    from ...runs.cluster import Cluster
    from ...runs.record import Run

AS_IS, AUGMENT, SUBSTITUTE = "as is", "augment", "substitute"
REMEDIES = (AUGMENT, SUBSTITUTE)
TOKEN = "NNNN"


@dataclass(frozen=True)
class Plan:
    """What is trained and how it is tested."""

    train: Treebank
    tests: Sequence[Treebank]
    to_test: Sequence[Perturbation]
    to_train: Sequence[Perturbation]
    dev: Treebank | None = None
    remedies: Sequence[str] = REMEDIES
    parser: str = "udpipe"
    preset: str = "default"
    options: Mapping[str, str] = field(default_factory=dict)
    token: str = TOKEN
    augmented: int = PER_SENTENCE
    """Variants of a training sentence."""
    mode: str = "tokens"
    gold: Sequence[str] = ()
    limit: int | None = None
    per_sentence: int | None = None
    time_limit: float | None = None
    seed: int = 0

    def check(self) -> None:
        for remedy in self.remedies:
            if remedy not in REMEDIES:
                raise unknown_name("remedy", remedy, REMEDIES)
        if SUBSTITUTE in self.remedies and len(self.to_test) > 1:
            raise UsageError("a constant replaces the words of one perturbation", todo="name one perturbation")
        names = [PurePath(test.name).name for test in self.tests]
        if not names:
            raise UsageError("no treebank to test on", todo="gardenpath consistency TRAIN TEST... --retrain udpipe")
        if len(set(names)) < len(names):
            raise UsageError("two test treebanks have the same name", todo="give the files different names")

    @cached_property
    def tested(self) -> list[Tested]:
        """The test treebanks, perturbed."""
        self.check()
        return [_tested(self, test) for test in self.tests]

    def matches(self) -> bool:
        """Has any test sentence a batch?"""
        return any(test.asked.cases for test in self.tested)

    def reasons(self) -> str:
        return "; ".join(f"{test.name}: {test.asked.reasons()}" for test in self.tested)


@dataclass(frozen=True)
class Tested:
    """A test treebank: what is asked of all models, and of the one that was trained with a constant."""

    name: str
    asked: Asked
    constant: Asked
    whole: bytes
    whole_constant: bytes


def retraining(
    plan: Plan,
    *,
    order: str = "both",
    draws: int = 1000,
    jobs: int | str = 1,
    cluster: str | Cluster | None = None,
    run: Run | None = None,
    cache: ResultCache | None = None,
    progress: bool | None = None,
) -> tuple[Result, list[tuple[Asked, dict[Key, Part], dict[str, Answers]]]]:
    """Trains the parser as is and with each remedy, and compares them on the same batches.

    Finished trainings, with all their trees, are kept in the run or the cache and not done again.
    """
    from ...runs.work import map_tasks

    orders_called(order)
    if not plan.matches():
        raise InputError("no sentence has a match", where=plan.tests[0].name, todo=plan.reasons())
    tests = plan.tested
    tasks = _tasks(plan, tests)
    found: list[dict[str, Any]] = map_tasks(
        retrained, tasks, jobs=jobs, cluster=cluster, label="training", progress=progress,
        names=[task.name for task in tasks], keys=[task.key for task in tasks] if run or cache else None,
        run=run, cache=cache,
    )  # fmt: skip
    by_remedy = {task.remedy: kept["tests"] for task, kept in zip(tasks, found, strict=True)}
    return _result(plan, [test for test in tests if test.asked.cases], by_remedy, order, draws)


def _tested(plan: Plan, test: Treebank) -> Tested:
    name = PurePath(test.name).name
    asked = replace(ask(test, plan.to_test, limit=plan.limit, per_sentence=plan.per_sentence), name=name)
    if SUBSTITUTE not in plan.remedies:
        return Tested(name, asked, Asked(name, []), test.data, b"")
    cases, texts = [], []
    for number, case in enumerate(asked.cases):
        text = substitute(plan.to_test[0], case.batch.sentence, plan.token)
        assert isinstance(text, str)  # the sentence has a batch, so the word can be replaced
        texts.append(text)
        cases.append(Case(case.batch, number, (), (), (), ()))
    constant = Asked(name, cases, asked.tallies, "".join(texts).encode("utf-8"))
    whole, _ = Augmentation(plan.to_test, token=plan.token).feed(test)
    return Tested(name, asked, constant, test.data, whole)


def _tasks(plan: Plan, tests: Sequence[Tested]) -> list[Retraining]:
    options = dict(plan.options)
    if plan.parser == "udpipe" and plan.mode == "tokens" and not any("tokenizer" in name for name in options):
        options["tokenizer"] = "none"  # gold tokens are parsed: that saves much of the time
    usual = tuple(Test(test.name, test.asked.data, test.whole) for test in tests if test.asked.cases)
    constant = tuple(Test(test.name, test.constant.data, test.whole_constant) for test in tests if test.asked.cases)
    base = Retraining(
        AS_IS, plan.train.data, plan.dev.data if plan.dev else b"", usual, plan.parser, plan.preset,
        tuple(sorted(options.items())), plan.seed, plan.mode, tuple(sorted(plan.gold)), plan.time_limit,
    )  # fmt: skip
    tasks = [base]
    for remedy in plan.remedies:
        train, dev = _remedied(plan, remedy, plan.train), b""
        if plan.dev is not None:
            dev = _remedied(plan, remedy, plan.dev, needed=False)
        tasks.append(replace(base, remedy=remedy, train=train, dev=dev, tests=usual if remedy == AUGMENT else constant))
    return tasks


def _remedied(plan: Plan, remedy: str, treebank: Treebank, needed: bool = True) -> bytes:
    work = (
        Augmentation(plan.to_train, plan.augmented)
        if remedy == AUGMENT
        else Augmentation(plan.to_train[:1], token=plan.token)
    )
    kept, variants = work.feed(treebank)
    work.check()
    if needed and not work.variants:
        raise InputError(
            "no training sentence has a match, so there is nothing to train another way", where=treebank.name
        )
    return kept + variants


def _result(
    plan: Plan, tests: Sequence[Tested], by_remedy: Mapping[str, Mapping[str, Any]], order: str, draws: int
) -> tuple[Result, list[tuple[Asked, dict[Key, Part], dict[str, Answers]]]]:
    findings: list[Finding] = []
    rows: list[list[Value]] = []
    tables: list[Table] = []
    failures: dict[str, int] = {}
    parts: list[tuple[Asked, dict[Key, Part], dict[str, Answers]]] = []
    for test in tests:
        full = {remedy: kept for remedy, kept in by_remedy.items() if remedy != SUBSTITUTE}
        told = {f"{plan.parser} {remedy}": answers_of(kept[test.name]) for remedy, kept in full.items()}
        result, own = consistency(test.asked, told, order=order, draws=draws, seed=plan.seed, brief=True)
        parts.append((test.asked, own, told))
        findings += result.findings
        failures |= {f"{test.name}, {name}": count for name, count in result.failures.items()}
        tables += result.tables
        constants = _constants(plan, test, by_remedy, order, draws)
        if constants is not None:
            seen, table = constants
            findings += _constant_findings(plan, test, seen)
            findings += _constant_difference(plan, own, seen, draws)
            tables.append(table)
        findings += [
            Finding(STUDY, test.name, f"{plan.parser} {remedy}", metric, kept[test.name][metric],
                    kept[test.name]["words"])
            for remedy, kept in by_remedy.items() for metric in ("las", "uas", "upos")
        ]  # fmt: skip
        rows += _compared(plan, test, own, constants[0] if constants else None, by_remedy, orders_called(order)[0])
    pairs = [
        ("study", STUDY), ("retrain", plan.parser), ("preset", plan.preset),
        ("options", [f"{name}={value}" for name, value in sorted(plan.options.items())] or None),
        ("train", f"{PurePath(plan.train.name).name}#{digest(plan.train.data)[:8]}"),
        ("dev", f"{PurePath(plan.dev.name).name}#{digest(plan.dev.data)[:8]}" if plan.dev else None),
        ("tests", [f"{test.name}#{digest(test.asked.data)[:8]}" for test in tests]),
        ("perturb", [one.signature for one in plan.to_test]), ("remedies", list(plan.remedies)),
        ("values", [one.signature for one in plan.to_train]),
        ("variants", plan.augmented if AUGMENT in plan.remedies else None),
        ("token", plan.token if SUBSTITUTE in plan.remedies else None), ("mode", plan.mode),
        ("layers", sorted(plan.gold) or None), ("order", order), *([("draws", draws)] if draws else []),
        ("seed", plan.seed),
    ]  # fmt: skip
    heads = ["test", "perturbation", "trained", "originals", "variants", "another tree", "one tree", "LAS"]
    note = (
        "originals, variants: right (%); another tree: variants whose tree is not the original's (%); one tree: "
        "batches whose trees are all alike (%). With a constant all variants are the same sentence. LAS: of all "
        "sentences of the test treebank, gold tokens."
    )
    first = Table(f"Remedies: {plan.parser}, preset {plan.preset}", heads, rows, note=note)
    return Result(signature(*pairs), findings, [first, *tables], failures), parts


def _constants(
    plan: Plan, test: Tested, by_remedy: Mapping[str, Mapping[str, Any]], order: str, draws: int
) -> tuple[dict[str, tuple[Overview, list[Judged]]], Table] | None:
    """Table 7: the sentences with the constant in place, as the parser that was trained so does them."""
    if SUBSTITUTE not in by_remedy:
        return None
    orders = orders_called(order)
    judged = judge(test.constant, answers_of(by_remedy[SUBSTITUTE][test.name]), orders)
    seen = {one: (overview(judged[one], Draws(draws, plan.seed)), judged[one]) for one in orders}
    first = seen[orders[0]][0]
    rows: list[list[Value]] = [
        ["substituted in total", first.originals],
        ["wrong segmentation", first.originals_segmented],
        ["failed", first.originals_failed],
        ["substituted considered", first.originals_right.total],
    ]
    for one in orders:
        mark = f", {one}" if len(orders) > 1 else ""
        share = seen[one][0].originals_right
        rows += [[f"right{mark}", share.count], [f"right{mark} (%)", percent(share)]]
    title = f"{test.name}, {plan.token} in place of {plan.to_test[0].name}"
    return seen, Table(title, ["", f"{plan.parser} {SUBSTITUTE}"], rows, note="As Table 7 of the paper.")


def _constant_findings(plan: Plan, test: Tested, seen: Mapping[str, tuple[Overview, Any]]) -> list[Finding]:
    found = []
    for order, (one, _) in seen.items():
        by: dict[str, Value] = {"perturbation": plan.to_test[0].name, "order": order}
        counts = {
            "originals": one.originals, "originals_wrong_segmentation": one.originals_segmented,
            "originals_failed": one.originals_failed, "originals_considered": one.originals_right.total,
            "originals_right": one.originals_right.count,
        }  # fmt: skip
        system, share = f"{plan.parser} {SUBSTITUTE}", one.originals_right
        found += [Finding(STUDY, test.name, system, name, count, by=by) for name, count in counts.items()]
        found += [
            Finding(STUDY, test.name, system, name, share.value, share.total, share.low, share.high, by)
            for name in ("original_right", "right")
        ]
    return found


def _constant_difference(
    plan: Plan, parts: Mapping[Key, Part], seen: Mapping[str, tuple[Overview, list[Judged]]], draws: int
) -> list[Finding]:
    """How far the parser with the constant is above the one as is: the share of right variants, as for others."""
    order = next(iter(seen))
    perturbation = plan.to_test[0].name
    first, second = parts[f"{plan.parser} {AS_IS}", perturbation, order].batches, seen[order][1]
    if not draws or len(first) < 2:
        return []
    pairs = [
        (one.case.size * (other.original == RIGHT), one.case.size) if other.original in (RIGHT, WRONG) else (0, 0)
        for one, other in zip(first, second, strict=True)
    ]
    both = counts(first, "right"), columns(pairs)
    if not all(bottoms.any() for _, bottoms in both):
        return []
    found = paired_bootstrap(*both, draws=draws, seed=plan.seed)
    suite, system = PurePath(first[0].case.batch.sentence.treebank.name).name, f"{plan.parser} {SUBSTITUTE}"
    return difference_findings(suite, system, perturbation, "right", found)


def _compared(
    plan: Plan,
    test: Tested,
    parts: Mapping[Key, Part],
    constants: Mapping[str, tuple[Overview, list[Judged]]] | None,
    by_remedy: Mapping[str, Mapping[str, Any]],
    order: str,
) -> list[list[Value]]:
    """One row for each perturbation and way of training."""
    rows: list[list[Value]] = []
    for perturbation in test.asked.perturbations:
        for remedy, kept in by_remedy.items():
            las = kept[test.name]["las"]
            if remedy == SUBSTITUTE and constants is not None:
                share = constants[order][0].originals_right
                rows.append([test.name, perturbation, remedy, share.value, percent(share), "0.0", "100.0", las])
            else:
                one = parts[f"{plan.parser} {remedy}", perturbation, order].overview
                rows.append(
                    [test.name, perturbation, remedy, one.originals_right.value, percent(one.variants_right),
                     percent(one.changed), percent(one.consistent), las]
                )  # fmt: skip
    return rows
