"""Many treebanks described at once: the same as each alone, whatever else is read with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.treebank import Draft, Treebank, Word, from_drafts, read
from gardenpath.treebank import descriptions as module
from gardenpath.treebank.descriptions import Descriptions, batches, describe
from gardenpath.treebank.groups import Groups
from gardenpath.treebank.measures import MEASURES, measure, measure_groups
from gardenpath.treebank.morphology import VARIANTS
from gardenpath.treebank.source import read_groups

CROSSING = Draft([Word("w", "w", "X", head=head) for head in (3, 4, 0, 3)])


def tree(*heads: int | None) -> Draft:
    return Draft([Word("w", "w", "X", head=head) for head in heads])


def written(folder: Path, *treebanks: Treebank) -> list[str]:
    paths = [str(folder / f"{name}.conllu") for name in "abcdef"[: len(treebanks)]]
    for treebank, path in zip(treebanks, paths, strict=True):
        treebank.write(path)
    return paths


def plain(measures: Any) -> dict[str, Any]:
    """All parts of measures as values that can be compared to the last digit."""
    parts = {field.name: getattr(measures, field.name) for field in fields(measures)}
    return {**parts, "displacement": (parts["displacement"].counts.tolist(), parts["displacement"].outside)}


def sentences(random: Random) -> list[Draft]:
    """Some small sentences, trees or not, with few forms, so that they come again."""
    drafts = []
    for size in random.choices(range(1, 7), k=random.randint(1, 4)):
        heads = [random.choice([None, *range(size + 1)]) for _ in range(size)] if random.random() < 0.5 else []
        words = [
            Word(
                random.choice("ab_ä"),
                random.choice("ab_"),
                random.choice("XY"),
                feats=random.choice([{}, {"Case": "Nom"}]),
                head=head,
                deprel=random.choice(["dep", "obj"]),
            )
            for head in heads or [random.randint(1, place) if place else 0 for place in range(size)]
        ]
        drafts.append(Draft(words))
    return drafts


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 5), st.sampled_from(VARIANTS))
def test_each_group_has_the_measures_of_its_sentences_alone(random: Random, count: int, variant: Any) -> None:
    groups = [sentences(random) for _ in range(count)]
    alone = [measure(from_drafts(group), variant) for group in groups]
    joined = from_drafts([draft for group in groups for draft in group])
    borders = np.cumsum([0, *map(len, groups)])
    together = measure_groups(Groups(joined, borders, [{}] * len(groups)), variant)
    assert list(map(plain, together)) == list(map(plain, alone))


def test_samples_have_the_same_measures_together_as_alone(samples: Path) -> None:
    """Real sentences: sums of many fractions, multiword tokens, trees that are none beside trees."""
    paths = [str(path) for path in sorted(samples.glob("*.conllu"))]
    assert len(paths) > 3
    together = measure_groups(read_groups(paths))
    assert list(map(plain, together)) == [plain(measure(read(path))) for path in paths]


def test_findings_are_long_form_with_counts_and_shares(tmp_path: Path) -> None:
    (path,) = written(tmp_path, from_drafts([tree(0, 1, 1), tree(2, 0)]))
    findings = Descriptions([describe([([path], "two.conllu")])])
    plain = {finding.measure: (finding.value, finding.n) for finding in findings if not finding.by}
    assert tuple(plain) == MEASURES
    assert plain["sentences"] == (2, 2)
    assert plain["words"] == (5, 2)
    assert plain["left_share"] == (pytest.approx(1 / 3), 3)
    assert plain["projective_share"] == (1.0, 2)
    by = {(*finding.by.items(), finding.measure): finding.value for finding in findings if finding.by}
    assert by[("upos", "X"), "count"] == 5
    assert by[("displacement", 2), "share"] == pytest.approx(1 / 3)
    assert by[("displacement", "outside"), "count"] == 0
    assert {(finding.study, finding.suite, finding.system) for finding in findings} == {("treebank", "two.conllu", "")}


def test_findings_are_a_sequence(tmp_path: Path) -> None:
    paths = written(tmp_path, from_drafts([tree(0)]), from_drafts([CROSSING, tree(0, 1)]), from_drafts([tree(2, 0)]))
    tasks = [([path], Path(path).name) for path in paths]
    findings = Descriptions([describe(tasks[:2]), describe(tasks[2:])])
    made = list(findings)
    assert len(findings) == len(made)
    assert [findings[number] for number in range(len(findings))] == made
    assert findings[-1] == made[-1]
    assert findings[3:200:7] == made[3:200:7]
    assert findings.suites == ["a.conllu", "b.conllu", "c.conllu"]
    assert findings.values("words") == [1, 6, 2]
    with pytest.raises(IndexError):
        findings[len(made)]


def test_only_what_is_asked_for_is_kept(tmp_path: Path) -> None:
    (path,) = written(tmp_path, from_drafts([tree(0, 1)]))
    findings = Descriptions([describe([([path], "a")], measures=["words", "depth_mean"], tables=False)])
    assert [(finding.measure, finding.value) for finding in findings] == [("words", 2), ("depth_mean", 2.0)]


def test_descriptions_are_plain_values_and_count_repairs(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("1\ta\ta\tX\t_\t_\t0\troot\n\n")
    (path,) = written(tmp_path, from_drafts([tree(1)]))
    described = describe([([str(tmp_path / "x.conll")], "x"), ([path], "a")])
    assert json.loads(json.dumps(described)) == described
    assert described["failures"]["repaired: missing columns"] == 2
    assert described["failures"]["cyclic"] == 1
    assert Descriptions([described, described]).failures["cyclic"] == 2


def test_several_files_are_one_treebank(tmp_path: Path) -> None:
    paths = written(tmp_path, from_drafts([tree(0, 1)]), from_drafts([tree(2, 0, 2)]))
    described = Descriptions([describe([(paths, "all"), (paths[:1], "a")])])
    wanted = ("sentences", "words", "forms", "length_min", "length_max")
    assert [described.values(name) for name in wanted] == [[2, 1], [5, 2], [1, 1], [2, 2], [3, 2]]


@pytest.mark.parametrize(
    ("contents", "fault"),
    [
        (["good", "", "bad"], "b.conllu: the file is empty"),
        (["good", "bad", "\xff"], "b.conllu:2: HEAD 7 in a sentence of 1 words"),
        (["good", "\ufeffgood", ""], "b.conllu:1: the file begins with a byte order mark"),
        (["good", "# no words\n", "good"], "b.conllu:1: comments without a sentence"),
    ],
)
def test_the_first_fault_is_told_as_of_its_file_alone(tmp_path: Path, contents: Sequence[str], fault: str) -> None:
    row = "# text = a\n1\ta\ta\tX\t_\t_\t{}\troot\t_\t_\n"
    for name, content in zip("abc", contents, strict=True):
        text = content.replace("good", row.format(0)).replace("bad", row.format(7))
        (tmp_path / f"{name}.conllu").write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    with pytest.raises(InputError) as error:
        read_groups(paths)
    assert str(error.value).removeprefix(f"{tmp_path}/").startswith(fault)


def test_batches_are_of_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH_BYTES", 100)
    monkeypatch.setattr(module, "BATCH_FILES", 3)
    tasks = []
    for number, size in enumerate([40, 40, 40, 300, 1, 1, 1, 1]):
        (tmp_path / str(number)).write_bytes(b"x" * size)
        tasks.append(([str(tmp_path / str(number))], str(number)))
    tasks += [(["-"], "-"), (["x.zip"], "x.zip"), (["none"], "none")]
    names = [[suite for _, suite in batch] for batch in batches(tasks)]
    assert names == [["0", "1"], ["2"], ["3"], ["4", "5", "6"], ["7"], ["-"], ["x.zip"], ["none"]]
