"""Coverage by a vocabulary: recounted word by word, pieces by Transformers, correlations by SciPy and a jackknife."""

from __future__ import annotations

import json
from collections import Counter
from math import log10
from pathlib import Path

import numpy as np
import pytest
from role_cases import SPOILED, parsed, perfect
from scipy.stats import pearsonr

import gardenpath as gp
from gardenpath.data import bundled
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs.result.result import Finding
from gardenpath.stats import Clusters, clustered_pearson
from gardenpath.studies.roles.vocabulary import vocabulary
from gardenpath.suites import read_suite


def finding(result: gp.StudyResult, measure: str, system: str = "", **by: str) -> Finding:
    (found,) = (one for one in result.findings
                if one.measure == measure and one.system == system and dict(one.by) == by)  # fmt: skip
    return found


def test_coverage_by_property_is_a_recount(tmp_path: Path) -> None:
    """Against a training treebank, the text of it, and the list of its words: all say the same."""
    counts = Counter(word.form for sentence in gp.read("bundled:de-train") for word in sentence.words)
    (tmp_path / "text.txt").write_text("\n".join(word for word in counts.elements()), "utf-8")
    (tmp_path / "list.tsv").write_text("".join(f"{word}\t{count}\n" for word, count in counts.items()), "utf-8")
    suite = read_suite(bundled("de-roles"))
    words = [(item, item.tokens[arc.dependent - 1]) for item in suite.items for arc in item.arcs]
    seen = {word: counts[word] or counts[word.lower()] for _, word in words}
    for source in ("bundled:de-train", str(tmp_path / "text.txt"), str(tmp_path / "list.tsv")):
        result = gp.roles("bundled:de-roles", "baseline:subject-first", vocabulary=source)
        for by in ({}, {"property": "aux"}, {"property": "vlight"}, {"property": "spron"}):
            chosen = [seen[word] for item, word in words if not by or by["property"] in item.properties]
            whole = finding(result, "in_vocabulary", **by)
            assert (whole.n, whole.value) == (len(chosen), pytest.approx(100 * sum(map(bool, chosen)) / len(chosen)))
            mean = sum(log10(1 + count) for count in chosen) / len(chosen)
            assert finding(result, "log_frequency", **by).value == pytest.approx(mean)
            assert whole.low is not None
            assert whole.low < float(str(whole.value)) < float(str(whole.high))
        orders = [arc for item in suite.items for arc in item.arcs]
        right = [item.order.replace("SO]", "S]O").find("S") < item.order.replace("SO]", "S]O").find("O")
                 for item in suite.items for _ in item.arcs]  # fmt: skip
        assert len(orders) == len(right)
        values = {"in_vocabulary": [float(seen[word] > 0) for _, word in words],
                  "log_frequency": [log10(1 + seen[word]) for _, word in words]}  # fmt: skip
        for name, column in values.items():
            r = finding(result, "right_correlation", "baseline:subject-first", vocabulary=name)
            assert r.value == pytest.approx(pearsonr(column, right).statistic)
        assert {"vocabulary", "vocabulary-correlation"} <= {table.name for table in result.tables}
        assert f"vocabulary:{Path(source).name.removeprefix('bundled:')}" in result.signature or "bundled" in source


@pytest.mark.parametrize("size", [1, 4])
def test_a_correlation_over_clusters_against_scipy_and_a_jackknife(size: int) -> None:
    """The error is about that of leaving out one cluster after the other; alone, that of independent observations."""
    draw = np.random.default_rng(size)
    groups = np.repeat(np.arange(150), size)
    shared = np.repeat(draw.normal(size=150), size)
    x = shared + draw.normal(size=len(groups))
    y = 0.5 * x + shared + draw.normal(size=len(groups))
    found = clustered_pearson(x, y, Clusters.of(group=groups))
    assert found.value == pytest.approx(pearsonr(x, y).statistic)
    left = np.array([pearsonr(x[groups != one], y[groups != one]).statistic for one in range(150)])
    error = np.sqrt(149 / 150 * ((left - left.mean()) ** 2).sum())
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 / 1.976 == pytest.approx(error, rel=0.05)
    assert found.p < 0.001
    none = clustered_pearson(x, draw.normal(size=len(x)), Clusters.of(group=groups))
    assert none.low is not None
    assert none.low < 0 < float(str(none.high))
    assert none.p > 0.05


def test_pieces_are_those_of_transformers(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="the extra hf is not installed")
    transformers = pytest.importorskip("transformers", reason="the extra hf is not installed")
    text = [" ".join(word.form for word in sentence.words) for sentence in gp.read("bundled:de-train")]
    suite = read_suite(bundled("de-roles"))
    for kind in ("ByteLevelBPETokenizer", "BertWordPieceTokenizer", "SentencePieceBPETokenizer"):
        made = getattr(tokenizers, kind)(**({"lowercase": False} if "Bert" in kind else {}))
        made.train_from_iterator(text, vocab_size=1200)
        folder = tmp_path / kind
        folder.mkdir()
        made.save(str(folder / "tokenizer.json"))
        known = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
        result = gp.roles("bundled:de-roles", "baseline:subject-first", vocabulary=str(folder))
        pieces: list[list[str]] = []
        for item in suite.items:
            for arc in item.arcs:
                word = item.tokens[arc.dependent - 1]
                encoded = known(f"der {word}", add_special_tokens=False, return_offsets_mapping=True)
                tokens = known.convert_ids_to_tokens(encoded["input_ids"])
                pieces.append([token for token, (_, end) in zip(tokens, encoded["offset_mapping"], strict=True)
                               if end > 4])  # fmt: skip
        assert finding(result, "pieces").value == pytest.approx(sum(map(len, pieces)) / len(pieces))
        whole = [len(own) == 1 and own[0] != "[UNK]" for own in pieces]
        assert finding(result, "in_vocabulary").value == pytest.approx(100 * sum(whole) / len(whole))


def test_what_is_no_vocabulary_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "other.txt").write_text("quite other words\n")
    (tmp_path / "folder").mkdir()
    for name, error, what in (
        ("empty.txt", InputError, "no words in it"), ("folder", InputError, "no tokenizer.json and no treebank"),
        ("missing.txt", GardenpathError, "no such file"),
        ("other.txt", UsageError, "has none of the tested words"),
    ):  # fmt: skip
        with pytest.raises(error, match=what):
            gp.roles(perfect(), {"a": parsed(perfect(), SPOILED)}, vocabulary=str(tmp_path / name))
    pytest.importorskip("tokenizers", reason="the extra hf is not installed")
    (tmp_path / "folder" / "tokenizer.json").write_text(json.dumps({"version": 1}))
    with pytest.raises(InputError, match="this is not a tokenizer"):
        vocabulary(str(tmp_path / "folder"))
