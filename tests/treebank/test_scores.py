"""All thirteen metrics against udtools' udeval, the script that succeeded that of the CoNLL 2018 shared task."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from udtools import udeval

from gardenpath.errors import InputError
from gardenpath.treebank import Treebank, read, score
from gardenpath.treebank.trees.scores import METRICS
from spoil import spoiled

KINDS = {
    "labels": {},
    "tokens": {"tokens": 0.1},
    "spans": {"spans": 0.6},
    "sentences": {"sentences": 0.3},
    "everything": {"tokens": 0.1, "spans": 0.6, "sentences": 0.3},
}


def oracle(gold: Treebank, system: Treebank, folder: Path) -> dict[str, tuple[int, int, int, int]]:
    """The counts that udeval finds."""
    gold.write(folder / "gold.conllu")
    system.write(folder / "system.conllu")
    args = SimpleNamespace(
        enhancements="0",
        no_empty_nodes=False,
        multiple_roots_okay=False,
        gold_file=str(folder / "gold.conllu"),
        system_file=str(folder / "system.conllu"),
    )
    found = udeval.evaluate_wrapper(args)
    return {
        metric: (one.correct, one.gold_total, one.system_total, one.aligned_total or 0)
        for metric in METRICS
        for one in [found[metric]]
    }


def without_enhanced(treebank: Treebank) -> Treebank:
    """udeval also checks DEPS, which are not under test here."""
    from gardenpath.treebank import from_drafts

    drafts = [sentence.edit() for sentence in treebank]
    for draft in drafts:
        draft.drop_enhanced()
    return from_drafts(drafts)


def assert_same(gold: Treebank, system: Treebank, folder: Path) -> None:
    expected = oracle(gold, system, folder)
    found = score(gold, system)
    assert {metric: found.totals(metric) for metric in METRICS} == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_bundled(kind: str, seed: int, samples: Path, tmp_path: Path) -> None:
    for name in ("de_garden-test", "en_garden-test", "zh_garden-test"):
        gold = without_enhanced(read(samples / f"{name}.conllu"))
        assert_same(gold, spoiled(gold, seed, **KINDS[kind]), tmp_path)


TESTS = [
    "UD_Afrikaans-AfriBooms", "UD_Chinese-GSDSimp", "UD_English-ParTUT", "UD_French-Sequoia", "UD_Galician-TreeGal",
    "UD_Italian-TWITTIRO", "UD_Maltese-MUDT", "UD_Tamil-TTB", "UD_Turkish-IMST", "UD_Vietnamese-VTB",
]  # fmt: skip


@pytest.mark.parametrize("name", TESTS)
def test_shared(name: str, shared: Path, tmp_path: Path) -> None:
    gold = without_enhanced(read(next((shared / "ud" / name).glob("*-test.conllu")))[:300])
    for number, kind in enumerate(KINDS):
        assert_same(gold, spoiled(gold, number, **KINDS[kind]), tmp_path)


def test_perfect(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    found = score(gold, gold)
    assert all(found.f1(metric) == 100 for metric in METRICS)
    assert found.alignment.same_tokens


def test_invalid_trees_are_counted_not_refused() -> None:
    rows = "1\ta\t_\tX\t_\t_\t{}\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t{}\tdep\t_\t_\n\n"
    gold = Treebank(rows.format(0, 1).encode())
    for heads, failure in {
        (0, 0): "system sentences with several roots",
        (2, 1): "system sentences with a cycle",
        ("_", 0): "system words without head",
    }.items():
        found = score(gold, Treebank(rows.format(*heads).encode()))
        assert found.failures[failure] >= 1
    assert score(gold, Treebank(rows.format(2, 1).encode())).totals("UAS")[0] == 1


def test_partial_gold_scores_only_what_gold_says() -> None:
    rows = "1\ta\t_\tX\t_\t_\t{}\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t{}\tdep\t_\t_\n\n"
    found = score(Treebank(rows.format("_", 1).encode()), Treebank(rows.format(0, 1).encode()))
    assert found.totals("UAS") == (1, 1, 1, 1)
    assert found.failures["gold words without head"] == 1


def test_other_text_names_the_first_difference(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    with pytest.raises(InputError, match=r"de_garden-test.conllu:\d+ \(sentence .*\): the texts differ|ends where"):
        score(gold, gold[1:])
    with pytest.raises(InputError, match="ends where"):
        score(gold, gold[:-1])
