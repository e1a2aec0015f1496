"""Where gold and system hardly have labels in common, every study of dependency parses says so or refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Result
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.engine.parsers import FEATURES, FOREIGN, LABELS, OWN_TAGS, TAGS, guard, missing_layers
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.declaration import RolesSettings, WordOrderSettings
from gardenpath.studies.roles.study import ROLES
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.suites import read_suite
from gardenpath.treebank import Treebank, from_drafts, read

TIGER = {"nsubj": "SB", "obj": "OA", "iobj": "DA", "root": "--", "det": "NK", "amod": "NK", "case": "AC"}
SUITE = Path(__file__).resolve().parents[1] / "suites" / "cases" / "perfect.conll"


@pytest.fixture(scope="module")
def gold(samples: Path) -> Treebank:
    return read(samples / "de_garden-test.conllu")[:20]


def relabelled(
    treebank: Treebank, label: Callable[[str], str] = lambda name: TIGER.get(name, "MO"), **more: Any
) -> Treebank:
    """The same trees with other labels, and other columns where `more` says what becomes of a cell."""
    drafts = [sentence.edit() for sentence in treebank]
    for draft in drafts:
        draft.drop_enhanced()
        for word in draft.words:
            word.deprel = label(word.deprel.partition(":")[0]) if word.deprel != "_" else "_"
            for name, change in more.items():
                setattr(word, name, change(getattr(word, name)))
    return from_drafts(drafts)


def parsed_suite() -> tuple[Any, Treebank]:
    """A suite with partial gold, and full trees of its sentences by their own scheme."""
    suite = read_suite(SUITE)
    drafts = [sentence.edit() for sentence in suite.treebank]
    for draft in drafts:
        for number, word in enumerate(draft.words):
            if word.head is None or word.deprel == "_":
                word.head, word.deprel = (1, "punct") if number else (2, "advmod")
    return suite, from_drafts(drafts)


def studies(gold: Treebank) -> dict[str, Callable[..., Result]]:
    suite, trees = parsed_suite()
    return {
        "evaluate": lambda make, **how: run(EVALUATION, gold, {"x": make(gold)}, EvaluationSettings(), **how),
        "roles": lambda make, **how: run(ROLES, suite, {"x": make(trees)}, RolesSettings(), **how),
        "orders": lambda make, **how: run(WORD_ORDER, gold, {"x": make(gold)}, WordOrderSettings(), **how),
        "consistency": lambda make, **how: run(
            CONSISTENCY, gold, {"x": answering(make)},
            ConsistencySettings(change=("names",), per_sentence=2), **how,
        ),
    }  # fmt: skip


def answering(make: Callable[[Treebank], Treebank]) -> Callable[[list[list[str]]], Any]:
    """A parser that puts all words below the first, and calls all of them subject in the scheme that `make` has."""
    small = Treebank(b"1\tEr\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tgeht\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    label, root = (word.deprel for word in make(small)[0].words)
    return lambda sentences: [[(1, label) if at else (0, root) for at in range(len(words))] for words in sentences]


@pytest.mark.parametrize("study", ["evaluate", "roles", "orders", "consistency"])
def test_every_study_says_that_labels_differ(study: str, gold: Treebank) -> None:
    call = studies(gold)[study]
    messages: list[str] = []
    result = call(relabelled, tell=messages.append)
    (warning,) = [line for line in messages if "warning" in line]
    assert warning.startswith("x: warning: 100% of its labels are none that gold knows")
    assert "SB" in warning
    assert "gold has" in warning
    assert "nsubj" in warning or "punct" in warning
    assert "UAS" in warning
    assert result.failures["x: labels that gold does not know"] > 0
    messages.clear()
    assert "x: labels that gold does not know" not in call(lambda trees: trees, tell=messages.append).failures
    assert not [line for line in messages if "warning" in line]


@pytest.mark.parametrize(
    ("study", "settings"),
    [
        (EVALUATION, EvaluationSettings(labels=("strict",))),
        (WORD_ORDER, WordOrderSettings(labels=("strict",))),
        (CONSISTENCY, ConsistencySettings(change=("names",), per_sentence=2, labels=("strict",))),
    ],
)
def test_strict_refuses(study: Any, settings: Any, gold: Treebank) -> None:
    system = answering(relabelled) if study is CONSISTENCY else relabelled(gold)
    with pytest.raises(UsageError, match=r"labels are none that gold knows: it has .*SB"):
        run(study, gold, {"x": system}, settings)
    same = answering(lambda trees: trees) if study is CONSISTENCY else gold
    assert run(study, gold, {"x": same}, settings).findings


def test_strict_refuses_in_roles_too() -> None:
    suite, trees = parsed_suite()
    with pytest.raises(UsageError, match="none that gold knows"):
        run(ROLES, suite, {"x": relabelled(trees)}, RolesSettings(labels=("strict",)))
    assert run(ROLES, suite, {"x": trees}, RolesSettings(labels=("strict",))).findings


def test_remedies_compare_training_data_and_test_data(gold: Treebank) -> None:
    from gardenpath.studies.consistency.declaration import RemediesSettings
    from gardenpath.studies.consistency.remedies import REMEDIES

    settings = RemediesSettings(change=("names",), language="de", labels=("strict",))
    with pytest.raises(UsageError, match="the training data: 100% of its labels are none that gold knows"):
        run(REMEDIES, [relabelled(gold), gold], (), settings)


def test_other_labels_of_the_same_scheme_are_no_other_scheme(gold: Treebank) -> None:
    """A poor parser of the same scheme is not accused: `dep` is a label of Universal Dependencies."""
    assert not guard(gold, relabelled(gold, lambda label: label if label == "root" else "dep"))
    assert not guard(gold[:1], gold)


def test_a_bridge_is_offered_where_one_fits(gold: Treebank) -> None:
    (tiger,) = guard(gold, relabelled(gold))
    assert "the bridge tiger→ud brings such trees to UD" in tiger.instead
    assert "conllu:FILE#labels=tiger" in tiger.instead
    (unheard,) = guard(gold, relabelled(gold, lambda label: f"my-{label}"))
    assert "bridge" not in unheard.instead
    (backwards,) = guard(relabelled(gold), gold)  # gold itself is no UD: there is nothing to bring over
    assert "bridge" not in backwards.instead


@pytest.mark.parametrize(("every", "speaks"), [(10, False), (2, True)])
def test_a_quarter_of_foreign_labels_is_too_many(gold: Treebank, every: int, speaks: bool) -> None:
    drafts = [sentence.edit() for sentence in gold]
    words = [word for draft in drafts for word in draft.words]
    for draft in drafts:
        draft.drop_enhanced()
    for word in words[::every]:
        word.deprel = "pobj"
    foreign = guard(gold, from_drafts(drafts))
    assert bool(foreign) is speaks
    if foreign:
        assert foreign[0].words == len(words[::every])
        assert foreign[0].share == pytest.approx(len(words[::every]) / len(words))
        assert foreign[0].share > FOREIGN


def test_tags_and_features_are_guarded_where_they_are_scored(gold: Treebank) -> None:
    others = relabelled(gold, lambda label: label, upos=lambda tag: f"{tag}x", xpos=lambda tag: f"{tag}x")
    assert [foreign.layer for foreign in guard(gold, others, (LABELS, TAGS, OWN_TAGS, FEATURES))] == [TAGS, OWN_TAGS]
    messages: list[str] = []
    result = run(EVALUATION, gold, {"x": others}, EvaluationSettings(), tell=messages.append)
    assert {"x: tags that gold does not know", "x: tags of their own that gold does not know"} <= set(result.failures)
    assert any("do not read UPOS" in line for line in messages)
    empty = relabelled(gold, lambda label: label, upos=lambda _: "_", xpos=lambda _: "_")
    assert not guard(gold, empty, (TAGS, OWN_TAGS, FEATURES))  # nothing is said, so nothing differs


def test_what_a_system_does_not_give_at_all_is_said_and_what_it_gives_is_not(gold: Treebank) -> None:
    bare = relabelled(gold, label=lambda name: name, xpos=lambda cell: "_")
    assert missing_layers(gold, bare) == ["XPOS"]
    assert missing_layers(gold, gold) == []
    assert missing_layers(bare, gold) == []  # what gold does not have is not missed
    systems = {"bare": bare, "full": gold}
    metrics = run(EVALUATION, gold, systems, EvaluationSettings()).tables[0]
    assert "bare gives no XPOS: what it scores there" in metrics.note
    assert "full" not in metrics.note
