"""Measures of treebanks, morphological complexity, and descriptions of many treebanks."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import combinations
from math import log2
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Draft, Treebank, Word, from_drafts, read
from gardenpath.treebank.format.columns import Groups
from gardenpath.treebank.format.reading import read_groups
from gardenpath.treebank.trees import measures as module
from gardenpath.treebank.trees.measures import (
    MEASURES,
    VARIANTS,
    Descriptions,
    Measures,
    Morphology,
    Variant,
    batches,
    describe,
    lemma_mask,
    measure,
    measure_groups,
    morphological_complexity,
)


def tree(*heads: int | None) -> Draft:
    return Draft([Word("w", "w", "X", head=head) for head in heads])


def measured(*drafts: Draft) -> Measures:
    return measure(from_drafts(drafts))


def test_sizes_with_multiword_tokens_and_empty_nodes() -> None:
    text = (
        "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tzu\tzu\tADP\t_\t_\t3\tcase\t_\t_\n2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_\n"
        "3\tZug\tZug\tNOUN\t_\t_\t0\troot\t_\t_\n3.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        "1\tZug\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = measure(Treebank(text.encode()))
    assert found.sizes._asdict() == {
        "sentences": 2, "words": 4, "tokens": 3, "multiword_tokens": 1, "empty_nodes": 1, "forms": 3, "lemmas": 3,
        "length_mean": 2.0, "length_median": 2.0, "length_min": 1, "length_max": 3,
    }  # fmt: skip
    assert found.upos == {"NOUN": 2, "ADP": 1, "DET": 1}
    assert found.deprel == {"root": 2, "case": 1, "det": 1}
    assert found.morphology.type_token_ratio == 3 / 4


def test_only_trees_are_measured_and_the_rest_is_counted() -> None:
    crossing, cycle, two_roots, partial = tree(3, 4, 0, 3), tree(2, 1, 0), tree(0, 0), tree(0, None)
    rootless = tree(2, 3, 1)
    found = measured(crossing, cycle, two_roots, partial, rootless)
    assert found.failures == {
        "not a tree": 4, "no root": 1, "several roots": 1, "cyclic": 2, "words without head": 1,
        "trees longer than 5000 words": 0,
    }  # fmt: skip
    assert found.shape == measured(crossing).shape
    assert found.shape.crossings == 1
    assert found.displacement.edges == 3


def test_no_tree_at_all() -> None:
    found = measured(tree(None, None))
    assert found.wellformed.trees == 0
    assert (found.shape.depth_mean, found.shape.projective_share, found.shape.crossing_ratio) == (None, None, None)


def test_edge_over_the_root_is_not_projective_and_crosses_nothing() -> None:
    found = measured(tree(3, 0, 2)).shape
    assert (found.projective, found.nonprojective_edges, found.crossings) == (0, 1, 0)


def test_mean_crossing_ratio_leaves_out_trees_where_nothing_could_cross() -> None:
    star, crossing, chain = tree(0, 1, 1, 1), tree(3, 4, 0, 3), tree(0, 1, 2, 3)
    found = measured(star, crossing, chain).shape
    assert (found.crossable, found.possible_crossings, found.crossings) == (2, 2, 1)
    assert found.crossing_ratio == pytest.approx((1 / 1 + 0 / 1) / 2)


def test_very_long_trees_are_left_out_where_edges_are_compared() -> None:
    long = tree(0, *range(1, 5001))
    found = measured(long, tree(0, 1))
    assert found.wellformed.too_long == 1
    assert (found.shape.edges, found.shape.edges_compared, found.shape.depth_max) == (5001, 1, 5001)
    assert found.shape.projective_share == 1.0


def brute_force(sentences: list[list[int]]) -> dict[str, float | None]:
    crossed, possible, ratios, bent, projective, depths, moves = 0, 0, [], 0, 0, [], []
    for heads in sentences:
        edges = [(word, head) for word, head in enumerate(heads, 1) if head]
        apart = [(a, b) for a, b in combinations(edges, 2) if not set(a) & set(b)]
        cross = [(a, b) for a, b in apart if min(a) < min(b) < max(a) < max(b) or min(b) < min(a) < max(b) < max(a)]
        crossed, possible = crossed + len(cross), possible + len(apart)
        ratios += [len(cross) / len(apart)] if apart else []
        above = []
        for word in range(1, len(heads) + 1):
            chain = [word]
            while chain[-1]:
                chain.append(heads[chain[-1] - 1])
            above.append(chain)
        gaps = sum(
            any(head not in above[between - 1] for between in range(min(word, head) + 1, max(word, head)))
            for word, head in edges
        )
        bent, projective = bent + gaps, projective + (gaps == 0)
        depths.append(max(len(chain) - 1 for chain in above))
        moves += [word - head for word, head in edges]
    return {
        "crossings": crossed, "possible_crossings": possible, "crossing_ratio": mean(ratios) if ratios else None,
        "nonprojective_edges": bent, "projective": projective, "depth_mean": mean(depths), "depth_max": max(depths),
        "displacement_mean": mean(moves) if moves else None,
        "dependency_length_mean": mean(map(abs, moves)) if moves else None,
        "left_share": sum(move < 0 for move in moves) / len(moves) if moves else None,
    }  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Heads of a tree: each word in some order hangs under one that came before it."""
    order = draw(st.permutations(range(1, draw(st.integers(1, 9)) + 1)))
    heads = dict.fromkeys(order[:1], 0)
    for number, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, number - 1))]
    return [heads[word] for word in sorted(order)]


@given(st.lists(trees(), min_size=1, max_size=5))
def test_trees_equal_brute_force(sentences: list[list[int]]) -> None:
    found = measured(*(tree(*heads) for heads in sentences))
    assert found.wellformed.trees == len(sentences)
    shape = found.shape._asdict()
    for name, value in brute_force(sentences).items():
        assert shape[name] == (value if value is None else pytest.approx(value)), name


@given(st.lists(trees(), min_size=1, max_size=6))
def test_lengths_equal_the_statistics_module(sentences: list[list[int]]) -> None:
    sizes = measured(*(tree(*heads) for heads in sentences)).sizes
    lengths = [len(heads) for heads in sentences]
    assert (sizes.length_mean, sizes.length_median) == (pytest.approx(mean(lengths)), median(lengths))
    assert (sizes.length_min, sizes.length_max) == (min(lengths), max(lengths))


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "made:odd",
        "ud/UD_Latin-Perseus/la_perseus-ud-test.conllu",
        "ud/UD_Galician-TreeGal/gl_treegal-ud-test.conllu",
    ],
)
def test_real_treebank_equals_udapi(file_named: Callable[[str], Path], name: str) -> None:
    from udapi.core.document import Document

    path = file_named(name)
    roots = [bundle.get_tree() for bundle in Document(str(path)).bundles]
    nodes = [root.descendants for root in roots]
    flat = [node for sentence in nodes for node in sentence]
    edges = [node for node in flat if node.parent.ord]
    found = measure(read(path))
    assert found.sizes.sentences == len(roots)
    assert found.sizes.words == len(flat)
    assert found.sizes.multiword_tokens == sum(len(root.multiword_tokens) for root in roots)
    assert found.sizes.tokens == sum(len(root.token_descendants) for root in roots)
    assert found.sizes.empty_nodes == sum(len(root.empty_nodes) for root in roots)
    assert found.sizes.forms == len({node.form for node in flat})
    assert found.wellformed.trees == len(roots)
    assert found.shape.edges == len(edges)
    assert found.shape.nonprojective_edges == sum(node.is_nonprojective() for node in flat)
    assert found.shape.projective == sum(not any(n.is_nonprojective() for n in sentence) for sentence in nodes)
    depths = [max(node._get_attr("depth") for node in sentence) for sentence in nodes]
    assert (found.shape.depth_mean, found.shape.depth_max) == (pytest.approx(mean(depths)), max(depths))
    assert found.shape.displacement_mean == pytest.approx(mean(node.ord - node.parent.ord for node in edges))
    assert found.upos["NOUN"] == sum(node.upos == "NOUN" for node in flat)
    assert found.deprel["nsubj"] == sum(node.deprel == "nsubj" for node in flat)


def slowly(treebank: Treebank, variant: Variant) -> list[float | None]:
    """H*, TTR, F/L*, F/iL*, HPE* (Equations C.1 to C.11)."""
    words = [word for sentence in treebank for word in sentence]
    forms = Counter(word.form for word in words)
    entropy = -sum(n / len(words) * log2(n / len(words)) for n in forms.values())
    of_lemma = defaultdict(set)
    for word in words:
        if variant == "script" or word["lemma"] != "_" or word.form == "_":
            of_lemma[word["lemma"]].add(word.form)
    inflected = [found for found in of_lemma.values() if len(found) > 1]
    heads: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in treebank:
        for word in sentence:
            if word.head is None:
                continue
            if word.head == 0:
                tag = "ROOT" if variant == "text" else sentence.words[-1].upos
            else:
                tag = sentence.words[word.head - 1].upos
            heads[word.upos, word["feats"]][tag] += 1
    tags = len({word.upos for word in words})
    shares = []
    for found in heads.values():
        total = sum(found.values())
        hpe = -sum(n / total * log2(n / total) for n in found.values())
        choices = len(found) if variant == "text" else tags
        shares.append(hpe / log2(choices) if choices > 1 else 0)
    return [
        entropy / log2(len(forms)) if len(forms) > 1 else 0,
        len(forms) / len(words),
        1 - len(of_lemma) / sum(map(len, of_lemma.values())) if of_lemma else None,
        None if not of_lemma else 1 - len(inflected) / sum(map(len, inflected)) if inflected else 0,
        1 - sum(shares) / len(shares) if shares else None,
    ]


def assert_same_as_slowly(treebank: Treebank) -> None:
    for variant in ("text", "script"):
        expected = slowly(treebank, variant)
        found = morphological_complexity(treebank, variant)
        assert [value is None for value in found] == [value is None for value in expected]
        assert [value for value in found if value is not None] == pytest.approx(
            [value for value in expected if value is not None]
        )
        if None not in expected:
            assert found.complexity == pytest.approx(sum(filter(None, expected)) / 5)


def draft(*words: tuple[str, str, str, int | None]) -> Draft:
    """Words as form, lemma, UPOS, head."""
    return Draft([Word(form, lemma, upos, head=head) for form, lemma, upos, head in words])


DOGS = from_drafts(
    [
        draft(("dogs", "dog", "NOUN", 2), ("bark", "bark", "VERB", 0)),
        draft(("a", "a", "DET", 2), ("dog", "dog", "NOUN", 3), ("barks", "bark", "VERB", 0)),
        draft(("dogs", "dog", "NOUN", 0)),
    ]
)


def test_small_treebank_by_hand() -> None:
    found = morphological_complexity(DOGS)
    assert found.type_token_ratio == pytest.approx(5 / 6)
    assert found.word_entropy == pytest.approx((4 / 6 * log2(6) + 2 / 6 * log2(3)) / log2(5))
    assert found.form_to_lemma == pytest.approx(1 - 3 / 5)  # dog, bark and a have 2 + 2 + 1 forms
    assert found.form_to_inflected_lemma == pytest.approx(1 - 2 / 4)
    # NOUN is headed by VERB twice and by ROOT once; VERB by ROOT, DET by NOUN: no choice, no entropy.
    noun = (2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)) / log2(2)
    assert found.head_pos_entropy == pytest.approx(1 - noun / 3)


def test_script_takes_the_last_word_for_the_head_of_a_root() -> None:
    # NOUN is then headed by VERB, VERB, NOUN; three tags occur in the treebank.
    noun = (2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)) / log2(3)
    assert morphological_complexity(DOGS, "script").head_pos_entropy == pytest.approx(1 - noun / 3)


def test_one_type_has_no_entropy() -> None:
    found = morphological_complexity(from_drafts([draft(("a", "a", "X", 0))]))
    assert found == Morphology(0.0, 1.0, 0.0, 0.0, 1.0)
    assert found.complexity == pytest.approx(2 / 5)


def test_underscore_is_no_lemma_unless_it_is_the_form() -> None:
    treebank = from_drafts([draft(("a", "_", "X", 0), ("b", "_", "X", 1), ("_", "_", "X", 1))])
    assert lemma_mask(treebank).tolist() == [False, False, True]
    assert morphological_complexity(treebank).form_to_lemma == 0.0
    assert morphological_complexity(treebank, "script").form_to_lemma == pytest.approx(1 - 1 / 3)


def test_what_is_not_annotated_cannot_be_measured() -> None:
    found = morphological_complexity(from_drafts([draft(("a", "_", "X", None), ("b", "_", "X", None))]))
    assert (found.form_to_lemma, found.form_to_inflected_lemma, found.head_pos_entropy) == (None, None, None)
    assert found.complexity is None


def test_unknown_variant() -> None:
    with pytest.raises(UsageError, match="unknown variant 'texts'"):
        morphological_complexity(DOGS, "texts")  # type: ignore[arg-type]


WORDS = st.tuples(st.sampled_from("abc_"), st.sampled_from("xy_"), st.sampled_from(["NOUN", "VERB", "X"]))


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=6), st.data())
def test_any_treebank_equals_the_slow_way(sentences: list[list[tuple[str, str, str]]], data: st.DataObject) -> None:
    drafts = []
    for words in sentences:
        heads = st.none() | st.integers(0, len(words))
        drafts.append(draft(*((form, lemma, upos, data.draw(heads)) for form, lemma, upos in words)))
    assert_same_as_slowly(from_drafts(drafts))


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "bundled:en-test",
        "ud/UD_Tamil-TTB/ta_ttb-ud-test.conllu",
        "ud/UD_English-ParTUT/en_partut-ud-test.conllu",
    ],
)
def test_real_treebank_equals_the_slow_way(file_named: Callable[[str], Path], name: str) -> None:
    assert_same_as_slowly(read(file_named(name)))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("UD_Tamil-TTB/ta_ttb-ud-test", [0.90851, 0.49472, 0.33941, 0.67677, 0.88579]),
        ("UD_Turkish-IMST/tr_imst-ud-test", [0.83861, 0.43890, 0.55180, 0.77263, 0.83315]),
    ],
)
def test_authors_script(shared: Path, name: str, printed: list[float]) -> None:
    """What morphology_metrics.py of the paper's authors prints for these files."""
    found = morphological_complexity(read(shared / "ud" / f"{name}.conllu"), "script")
    assert list(found) == pytest.approx(printed, abs=5.1e-6)


CROSSING = Draft([Word("w", "w", "X", head=head) for head in (3, 4, 0, 3)])


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


def test_layers_that_no_word_has_are_no_numbers() -> None:
    rows = ["1\ta\t{}\t{}\t_\t_\t0\troot\t_\t_", "2\tb\t{}\t{}\t_\t_\t1\tdep\t_\t_", "", ""]
    bare = measure(Treebank("\n".join(rows).replace("{}", "_").encode()))
    assert bare.sizes.lemmas is None
    assert bare.morphology.head_pos_entropy is None
    assert bare.morphology.form_to_lemma is None
    assert bare.upos == {}
    full = measure(Treebank("\n".join(rows).replace("{}", "X").encode()))
    assert full.sizes.lemmas == 1
    assert full.morphology.head_pos_entropy is not None
    assert full.upos == {"X": 2}
