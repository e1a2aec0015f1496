"""The experiment of Section 6: the same in one process, in two, and after an interruption; and what it adds up to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, skewnorm, spearmanr, t, ttest_1samp

from gardenpath.data import bundled
from gardenpath.errors import InputError, NoAnswer, UsageError
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.layout import FindingIndex
from gardenpath.runs.result.result import Finding, Result, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.runs.work.where import Where
from gardenpath.studies.compare.study import compare
from gardenpath.studies.displacement import experiment as module
from gardenpath.studies.displacement import experiment as split_training
from gardenpath.studies.displacement.declaration import ExperimentSettings
from gardenpath.studies.displacement.experiment import DISPLACEMENT_EXPERIMENT, treebanks_in
from gardenpath.studies.displacement.split_effects import (
    FEWEST,
    experiment_tables,
    official_findings,
    official_verdicts,
    skew_normal,
    summary,
)
from gardenpath.studies.engine import study as engine
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.split.displacement import displacement_split
from gardenpath.treebank.split.report import distance
from verdict_checks import unfounded

ASKED: dict[str, Any] = {
    "preset": "tiny",
    "splits": ("random:1",),
    "train": ("tagger=none", "parser.iterations=1", "parser.hidden_layer=4"),
    "gold": ("tags", "feats"),
}
HERE = Where(cache=False, progress=False)


def experiment(collection: Path, *, where: Where = HERE, folder: Path | None = None, **asked: Any) -> Result:
    return engine.run(DISPLACEMENT_EXPERIMENT, collection, (), ExperimentSettings(**asked), where=where, folder=folder)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two treebanks in two files each, one that is too small, one that is broken, and a folder of something else."""
    place = tmp_path_factory.mktemp("collection")
    whole = read(bundled("de-train"))
    for name, begin, end in (("UD_A", 0, 200), ("UD_B", 200, 400), ("UD_Small", 400, 410)):
        (place / name).mkdir()
        middle = (begin + end) // 2
        whole[begin:middle].write(place / name / "x-train.conllu")
        whole[middle:end].write(place / name / "x-test.conllu")
    (place / "UD_Broken").mkdir()
    (place / "UD_Broken" / "x-train.conllu").write_text("1\tone\n\n", encoding="utf-8")
    (place / "notes").mkdir()
    (place / "notes" / "read.me").write_text("nothing", encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def alone(collection: Path) -> Result:
    return experiment(collection, **ASKED)


def values(result: Result, measure: str, **by: object) -> dict[str, Any]:
    return {
        one.suite: one.value for one in result.findings if one.measure == measure and dict(one.by).items() >= by.items()
    }


def test_every_split_of_every_treebank_is_scored(alone: Result, collection: Path) -> None:
    for split in ("min", "max", "random"):
        for measure in ("las", "uas", "edv", "slv"):
            assert set(values(alone, measure, split=split)) == {"UD_A", "UD_B"}
    assert all(0 < score < 100 for score in values(alone, "las", split="min").values())
    least, most = (values(alone, "edv", split=split) for split in ("min", "max"))
    assert all(least[name] < values(alone, "edv", split="random")[name] < most[name] for name in least)
    for name, change in values(alone, "delta_las").items():
        assert change == values(alone, "las", split="max")[name] - values(alone, "las", split="min")[name]
    whole = read(treebanks_in(collection)["UD_A"])
    expected = distance(whole, displacement_split(whole, "max"), draws=0)
    assert expected is not None
    assert most["UD_A"] == pytest.approx(expected.edv, abs=1e-12)


def test_what_is_left_out_is_said(alone: Result) -> None:
    assert alone.failures["UD_Small: left out, fewer than 100 training sentences"] == 1
    assert any(why.startswith("UD_Broken: left out, ") and "x-train.conllu:1" in why for why in alone.failures)
    assert any("shorter than 3 words" in why for why in alone.failures)
    text = "; ".join(table.note for table in alone.tables)
    assert "2 values are too few for a skew-normal fit (at least 30 are needed)" in text
    assert "2 treebanks are too few" in text
    assert not values(alone, "rho")
    assert not values(alone, "fit_mean")


def test_the_minimum_of_training_sentences_is_a_setting(collection: Path) -> None:
    """UD_Small has ten sentences, of which six are training data."""
    smaller = experiment(collection, **{**ASKED, "min_train": 1})
    assert set(values(smaller, "delta_las")) == {"UD_A", "UD_B", "UD_Small"}
    with pytest.raises(InputError, match="no treebank is large enough") as caught:
        experiment(collection, **{**ASKED, "min_train": 1000})
    assert "1000 training trees are needed (--set min_train=N)" in caught.value.todo


def test_an_interrupted_run_goes_on(
    alone: Result, collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def until_the_third(task: Any) -> dict[str, Any]:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(task.name)
        return real(task)

    def counted(task: Any) -> dict[str, Any]:
        done.append(task.name)
        return real(task)

    real = split_training.trained
    monkeypatch.setattr(module, "trained", until_the_third)
    with pytest.raises(KeyboardInterrupt):
        experiment(collection, **ASKED, folder=tmp_path / "run")
    assert done == ["UD_A min", "UD_A max"]
    monkeypatch.setattr(module, "trained", counted)
    assert experiment(collection, **ASKED, folder=tmp_path / "run") == alone
    assert done == ["UD_A min", "UD_A max", "UD_A random 1", "UD_B min", "UD_B max", "UD_B random 1"]


def test_two_trainings_are_compared_split_by_split(alone: Result, collection: Path, tmp_path: Path) -> None:
    longer = {**ASKED, "train": (*ASKED["train"][:1], "parser.iterations=2", "parser.hidden_layer=4")}
    other = experiment(collection, **longer, folder=tmp_path / "longer")
    experiment(collection, **ASKED, folder=tmp_path / "run")
    difference = compare([Run.load(tmp_path / name) for name in ("run", "longer")]).findings[0]
    las = [np.mean([one.value for one in result.findings if one.measure == "las" and one.suite != collection.name])
           for result in (alone, other)]  # fmt: skip
    assert difference.value == pytest.approx(las[1] - las[0])
    assert difference.n == 2  # treebanks


def test_what_is_in_the_cache_is_not_trained_again(
    collection: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, done = Where(cache=ResultCache(tmp_path / "cache"), progress=False), list[str]()

    def scored(task: Any) -> dict[str, Any]:
        done.append(task.name)
        return {**made_up(len(done), 0), "failures": {"no answer": 1}}

    monkeypatch.setattr(module, "trained", scored)
    first = experiment(collection, **ASKED, where=where)
    assert len(done) == 6
    assert first.failures["UD_A min: no answer"] == 1
    assert experiment(collection, **ASKED, where=where) == first
    assert len(done) == 6
    experiment(collection, **ASKED, where=where, procedure="paper")
    assert done[6:] == ["UD_A min", "UD_A max", "UD_B min", "UD_B max"]  # random splits are the same ones
    experiment(collection, **{**ASKED, "preset": "default"}, where=where)
    assert len(done) == 16


def test_bad_collections(tmp_path: Path, collection: Path) -> None:
    with pytest.raises(InputError, match="this is not a folder"):
        experiment(tmp_path / "nothing")
    with pytest.raises(InputError, match="no treebank in this collection"):
        experiment(tmp_path)
    (tmp_path / "UD_X").mkdir()
    Treebank(b"1\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\n").write(tmp_path / "UD_X" / "x.conllu")
    with pytest.raises(InputError, match="no treebank is large enough"):
        experiment(tmp_path)
    with pytest.raises(UsageError, match="'random:-1' is not a split"):
        experiment(collection, splits=("random:-1",))


def test_a_training_that_fails_is_counted_and_the_others_go_on(
    collection: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = {"UD_A max", "UD_B random 1"}

    def scored(task: Any) -> dict[str, Any]:
        if task.name in failing:
            raise NoAnswer("no answer within 5 s")
        return made_up(len(task.name), 0)

    monkeypatch.setattr(module, "trained", scored)
    result = experiment(collection, **ASKED)
    assert result.failures["UD_A max: no answer within 5 s"] == 1
    assert result.failures["UD_B random 1: no answer within 5 s"] == 1
    assert set(values(result, "las", split="min")) == {"UD_A", "UD_B"}
    assert set(values(result, "delta_las")) == {"UD_B"}  # the other has no second end
    failing |= {"UD_B min"}
    with pytest.raises(NoAnswer, match="UD_A max: no answer within 5 s"):
        experiment(collection, **ASKED)


def test_the_clock_is_real(collection: Path) -> None:
    with pytest.raises(NoAnswer, match="UD_A min: no answer within"):
        experiment(collection, **ASKED, where=Where(cache=False, progress=False, time_limit=1e-3))


def test_other_trainings_have_other_signatures(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "trained", lambda task: made_up(len(task.name), 0))
    changed: list[dict[str, Any]] = [
        {}, {"preset": "default"}, {"splits": ("random:2",)}, {"gold": ("tags",)}, {"procedure": "paper"}, {"seed": 1},
        {"train": ("tagger=none",)},
    ]  # fmt: skip
    signatures = [experiment(collection, **{**ASKED, **more}).signature for more in changed]
    assert len(set(signatures)) == len(changed)
    assert "|trainer:ufal.udpipe " in signatures[0]


# ---- the official split


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A treebank with an official split of other shares than the paper's, one whose documents are marked, and one
    without."""
    place, whole = tmp_path_factory.mktemp("divided"), read(bundled("de-train"))
    for name in ("UD_A", "UD_Half", "UD_Marked"):
        (place / name).mkdir()
    sentences = ["\n".join(line for line in block.split("\n") if not line.startswith("# newdoc"))
                 for block in whole.to_bytes().decode().strip("\n").split("\n\n")]  # fmt: skip

    def write(path: Path, sentences: list[str]) -> None:
        path.write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")

    for part, begin, end in (("test", 200, 230), ("train", 0, 140), ("dev", 140, 200)):
        write(place / "UD_A" / f"x-ud-{part}.conllu", sentences[begin:end])
        marked = [f"# newdoc\n{one}" if n % 10 == 0 else one for n, one in enumerate(sentences[begin:end])]
        write(place / "UD_Marked" / f"x-ud-{part}.conllu", marked)
    whole[0:150].write(place / "UD_Half" / "x-ud-train.conllu")
    return place


def test_the_official_split_is_trained_and_the_others_have_its_sizes(
    divided: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, tuple[list[int], dict[str, list[str]]]] = {}

    def watched(task: Any) -> dict[str, Any]:
        treebank = Treebank(task.data)
        parts = {name: treebank.select(numbers) for name, numbers in task.split_of(treebank).parts.items()}
        seen[task.name] = (
            [len(part) for part in parts.values()],
            {name: [sentence.text for sentence in part] for name, part in parts.items()},
        )
        return made_up(len(seen), 0)

    monkeypatch.setattr(module, "trained", watched)
    result = experiment(divided, **{**ASKED, "splits": ("official", "random:5")})
    drawn = [f"UD_A random {number}" for number in range(1, 6)]
    assert list(seen)[:8] == ["UD_A min", "UD_A max", "UD_A official", *drawn]
    sizes, texts = seen["UD_A official"]
    assert all(counts == sizes for name, (counts, _) in seen.items() if name.startswith("UD_A"))
    for part in ("train", "dev", "test"):
        file = read(divided / "UD_A" / f"x-ud-{part}.conllu")
        assert texts[part] == [sentence.text for sentence in file if len(sentence) > 2]
    assert result.failures["UD_Half: left out, no official split of train, dev and test"] == 1
    assert "|shares:official|" in result.signature
    with pytest.raises(UsageError, match="2 random splits do not show"):
        experiment(divided, **{**ASKED, "splits": ("official", "random:2")})


def test_random_splits_beside_the_official_one_deal_out_whole_documents(
    divided: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all parts mark them: a document is in one part, and no two splits are the same."""
    whole = read(bundled("de-train"))
    document_of = {text: number // 10 for number, text in enumerate(whole.texts)}
    seen = dict[str, tuple[tuple[int, ...], ...]]()

    def watched(task: Any) -> dict[str, Any]:
        treebank = Treebank(task.data)
        parts = {name: treebank.select(numbers) for name, numbers in task.split_of(treebank).parts.items()}
        documents = [sorted({document_of[text] for text in part.texts}) for part in parts.values()]
        if task.split in ("random", "official"):
            seen[task.name] = tuple(map(tuple, documents))
            assert abs(len(parts["test"]) - len(treebank) * task.shares[2]) <= max(0.01 * len(treebank), 1)
        return made_up(len(seen), 0)

    monkeypatch.setattr(module, "trained", watched)
    result = experiment(divided, **{**ASKED, "splits": ("official", "random:6")})
    marked = [parts for name, parts in seen.items() if name.startswith("UD_Marked")]
    assert len(marked) == len(set(marked)) == 7
    assert all(len(set().union(*parts)) == sum(map(len, parts)) for parts in marked)
    assert values(result, "split_unit") == {"UD_A": "sentence", "UD_Marked": "document"}
    assert "|by_document:1|" in result.signature


def test_a_single_treebank_is_a_collection(divided: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "trained", lambda task: made_up(len(task.name), 0))
    assert set(values(experiment(divided / "UD_A", **ASKED), "delta_las")) == {"UD_A"}


def official_result(official: float, drawn: list[float], by_document: bool = True) -> tuple[dict[str, Any], Verdict]:
    ends = {("min", 0): made_up(1, 0), ("max", 0): made_up(1, 1), ("official", 0): {**made_up(2, 0), "las": official}}
    splits = ends | {("random", n): {**made_up(n, 0), "las": las} for n, las in enumerate(drawn, 1)}
    findings = official_findings("udpipe", {"UD_A": splits}, {"UD_A"} if by_document else ())
    score = Finding("displacement", "UD_A", "udpipe", "las", official, by={"split": "official"})
    (verdict,) = official_verdicts(FindingIndex([*findings, score]), "udpipe", ["UD_A"])
    return {finding.measure: finding for finding in findings}, verdict


def test_the_official_split_as_one_more_random_one() -> None:
    """The prediction interval of one more value, by SciPy."""
    drawn = np.random.default_rng(5).normal(80, 1.2, 24).tolist()
    measured, verdict = official_result(84.0, drawn)
    error = np.std(drawn, ddof=1) * np.sqrt(1 + 1 / 24)
    low, high = t.interval(0.95, 23, loc=np.mean(drawn), scale=error)
    spread, difference = measured["las_random_range"], measured["official_difference"]
    assert (spread.value, spread.low, spread.high) == pytest.approx((np.mean(drawn), low, high))
    assert (difference.low, difference.high) == pytest.approx((84 - high, 84 - low))
    assert measured["official_p"].value == pytest.approx(2 * t.sf((84 - np.mean(drawn)) / error, 23))
    assert measured["official_p_holm"].value == measured["official_p"].value
    harder = sum(las < 83 for las in drawn)
    assert (measured["harder_than_official"].value, measured["easier_than_official"].value) == (harder, 0)
    assert verdict.sure == SHOWN
    assert verdict.text.startswith("The score on the official test set of UD_A is flattering: beside random splits")
    assert verdict.text.endswith(f"{harder} of 24 random splits are harder by more than a point (shown).")
    assert "is hard: beside random splits udpipe loses" in official_result(75.0, drawn)[1].text
    assert [unfounded(official_result(las, drawn)[1]) for las in (84.0, 75.0, 80.5)] == [[], [], []]


def test_beside_splits_of_sentences_no_official_split_is_called_hard() -> None:
    drawn = np.random.default_rng(5).normal(80, 1.2, 24).tolist()
    _, verdict = official_result(70.0, drawn, by_document=False)
    assert verdict.sure == MEASURED
    assert verdict.text.endswith("Whole documents could not be dealt out, and they alone can make such a difference.")
    assert unfounded(verdict) == []


def test_an_official_split_among_the_random_ones_is_not_called_flattering() -> None:
    drawn = np.random.default_rng(5).normal(80, 1.2, 24).tolist()
    _, verdict = official_result(80.5, drawn)
    assert verdict.sure == NOT_SHOWN
    assert verdict.text.startswith(
        "That the official split of UD_A is another than a random one is not shown: LAS 80.5"
    )


def test_with_fewer_than_twenty_random_splits_nothing_is_shown() -> None:
    assert official_result(90.0, np.random.default_rng(5).normal(80, 1.2, 8).tolist())[1].sure == SUGGESTED


# ---- many treebanks, with made-up scores


def made_up(treebank: int, edv: float) -> dict[str, Any]:
    rng = np.random.default_rng([treebank, int(10 * edv)])
    return {
        "las": 80 - 3 * edv + rng.normal(),
        "uas": 85.0,
        "upos": 90.0,
        "edv": edv + rng.random(),
        "edv_heights": edv / 100,
        "slv": rng.random(),
        "trees": 500,
        "train_sentences": 300,
        "train_tokens": 6000 + int(rng.integers(100)),
        "test_tokens": 2000,
        "test_length": 20 + rng.random(),
        "failures": {},
    }


@pytest.fixture
def many() -> dict[str, dict[tuple[str, int], dict[str, Any]]]:
    return {
        f"UD_{n}": {("min", 0): made_up(n, 0), ("max", 0): made_up(n, 1 + n / 40), ("random", 1): made_up(n, 0.3)}
        for n in range(40)
    }


def test_summary_against_scipy(many: dict[str, Any]) -> None:
    findings, undefined = summary("ud", "udpipe", many)
    assert undefined == {"fit": [], "correlations": []}
    change = np.array([one["max", 0]["las"] - one["min", 0]["las"] for one in many.values()])
    further = np.array([one["max", 0]["edv"] - one["min", 0]["edv"] for one in many.values()])
    found = {one.measure: one for one in findings if one.suite == "ud" and not one.by}
    assert found["delta_las_mean"].value == pytest.approx(change.mean())
    assert found["delta_las_sd"].value == pytest.approx(change.std(ddof=1))
    test = ttest_1samp(change, 0)
    assert found["delta_las_p"].value == pytest.approx(test.pvalue)
    ends = (found["delta_las_mean"].low, found["delta_las_mean"].high)
    assert ends == pytest.approx(tuple(test.confidence_interval(0.95)))
    shape, location, scale = skewnorm.fit(change)
    assert found["fit_mean"].value == pytest.approx(skewnorm.mean(shape, location, scale))
    edges = skewnorm.ppf(np.arange(1, 6) / 6, shape, location, scale)
    counts = np.bincount(np.searchsorted(edges, change), minlength=6)
    statistic = float(((counts - 40 / 6) ** 2 / (40 / 6)).sum())
    assert found["fit_chi2"].value == pytest.approx(statistic)
    assert found["fit_p"].value == pytest.approx(chi2.sf(statistic, 2))
    rho = next(
        one
        for one in findings
        if one.measure == "rho" and one.by == {"variable": "ΔEDV", "target": "ΔLAS", "covariate": ""}
    )
    assert rho.value == pytest.approx(spearmanr(further, change).statistic, abs=1e-12)
    assert [len(table.rows) for table in experiment_tables(findings, "ud", undefined)] == [40, 20, 10]


def test_both_splits_differ_in_size_as_the_caption_of_table_7_counts() -> None:
    """Three treebanks by hand: |Δ| and its share of the split of least EDV, each as mean, tokens also (SD)."""
    sizes = [((1000, 20.0), (1030, 19.0)), ((2000, 10.0), (1980, 10.0)), ((500, 8.0), (510, 10.0))]
    scores = {"las": 0.0, "edv": 1.0, "slv": 1.0, "test_tokens": 9, "trees": 9}
    treebanks = {
        f"UD_{n}": {
            (split, 0): {**scores, "train_tokens": tokens, "test_length": length}
            for split, (tokens, length) in zip(("min", "max"), ends, strict=True)
        }
        for n, ends in enumerate(sizes)
    }
    found = {one.measure: one for one in summary("ud", "udpipe", treebanks)[0] if one.suite == "ud" and not one.by}
    expected = {
        "delta_tokens_mean": 20, "delta_tokens_sd": 10, "delta_tokens_relative": (3 + 1 + 2) / 3,
        "delta_length_mean": 1, "delta_length_sd": 1, "delta_length_relative": (5 + 0 + 25) / 3,
    }  # fmt: skip
    assert {name: found[name].value for name in expected} == pytest.approx(expected)
    ends = (found["delta_tokens_mean"].low, found["delta_tokens_mean"].high)
    assert ends == pytest.approx((0.0, 20 + 4.302653 * 10 / 3**0.5))


def test_the_degrees_of_freedom_are_those_of_the_paper() -> None:
    """Figure 12: χ² = 0.40 and p = 0.820 belong to two degrees of freedom."""
    assert chi2.sf(0.40, 6 - 1 - 3) == pytest.approx(0.820, abs=0.002)


def test_too_few_or_equal_values_are_not_fitted() -> None:
    with pytest.raises(UsageError, match="too few"):
        skew_normal(np.arange(FEWEST - 1))
    with pytest.raises(UsageError, match="all values are equal"):
        skew_normal(np.ones(FEWEST))


def test_of_few_treebanks_interval_and_p_agree() -> None:
    """Eight differences of one sign and one of the other: both are read off the same standard error."""
    change = [-4.0, -1.0, -6.0, -0.5, -2.0, -3.0, -5.0, -1.5, 3.0]
    scores = {"las": 0.0, "edv": 1.0, "slv": 1.0, "train_tokens": 9, "test_tokens": 9, "test_length": 9.0, "trees": 9}
    treebanks = {
        f"UD_{n}": {("min", 0): scores, ("max", 0): {**scores, "las": value}} for n, value in enumerate(change)
    }
    measured = {
        finding.measure: finding
        for finding in summary("ud", "udpipe", treebanks)[0]
        if finding.suite == "ud" and not finding.by
    }
    mean, p = measured["delta_las_mean"], measured["delta_las_p"].value
    assert p == pytest.approx(ttest_1samp(change, 0).pvalue)
    assert mean.high is not None
    assert (mean.high < 0) == (float(p or 0) < 0.05)
