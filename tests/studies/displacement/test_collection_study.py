"""The collection study on treebanks made from the bundled one, and on the real ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gardenpath.errors import InputError, NoAnswer, UsageError
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Result
from gardenpath.runs.work.where import Where
from gardenpath.studies.compare.study import compare
from gardenpath.studies.displacement import collection as module
from gardenpath.studies.displacement.collection import (
    MeasuredCollection,
    collection_files,
    measure_collection,
    treebank_folders,
)
from gardenpath.studies.displacement.collection_study import DISPLACEMENT_COLLECTION, ScoredCollection
from gardenpath.studies.displacement.declaration import COVARIATES, CollectionSettings
from gardenpath.studies.displacement.treebank_scores import TreebankScores, read_scores
from gardenpath.studies.displacement.variables import LABELS, gathered
from gardenpath.studies.engine import study as engine
from gardenpath.studies.engine.study import Work
from gardenpath.treebank import read

SETTINGS = CollectionSettings(draws=40, subsamples=(20, 100))
HERE = Where(cache=False, progress=False)


def measured(folder: Path, settings: CollectionSettings = SETTINGS, where: Where = HERE) -> MeasuredCollection:
    with where.opened() as place:
        return measure_collection(collection_files(folder), settings, Work(place))


def test_noise_floors_are_of_documents_where_both_sides_mark_them(samples: Path, tmp_path: Path) -> None:
    """Half of the documents in train, the others in test; the same without marks, and with those of one side."""
    whole = read(samples / "de_garden-train.conllu")
    assert whole.documents is not None
    sides = {"train": whole.documents % 2 == 0, "test": whole.documents % 2 == 1}
    for name, marked in (("UD_A", ("train", "test")), ("UD_B", ()), ("UD_C", ("train",))):
        (tmp_path / name).mkdir()
        for side, mask in sides.items():
            data = whole.select(mask).to_bytes().decode()
            lines = [line for line in data.split("\n") if side in marked or not line.startswith("# newdoc")]
            (tmp_path / name / f"x-ud-{side}.conllu").write_text("\n".join(lines), encoding="utf-8")
    result = studied(measured(tmp_path))
    found = {(one.measure, one.suite, one.by.get("unit")): one for one in result.findings if set(one.by) <= {"unit"}}
    units = [found["split_unit", name, None] for name in ("UD_A", "UD_B", "UD_C")]
    assert [(one.value, one.n) for one in units] == [("document", whole.documents[-1] + 1), *[("sentence", 413)] * 2]
    for unit, suites in (("document", ["UD_A"]), ("sentence", ["UD_B", "UD_C"])):
        assert found["edv_beyond_chance", tmp_path.name, unit].n == len(suites)
        p = [float(found["edv_p", name, None].value or 0) for name in suites]
        corrected = [found["edv_p_bh", name, None].value for name in suites]
        assert corrected == pytest.approx(stats.false_discovery_control(p))
    assert found["edv_noise_mean", "UD_B", None].value == found["edv_noise_mean", "UD_C", None].value
    assert found["edv_noise_mean", "UD_A", None].value != found["edv_noise_mean", "UD_B", None].value
    assert found["edv_p", "UD_A", None].n == min(len(np.unique(whole.documents[mask])) for mask in sides.values())


def studied(collection: MeasuredCollection, *scores: TreebankScores) -> Result:
    return DISPLACEMENT_COLLECTION.findings(ScoredCollection(collection, scores), SETTINGS)


@pytest.fixture(scope="module")
def folder(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten treebanks of different sizes, and four that cannot be used."""
    place = tmp_path_factory.mktemp("treebanks")
    data = (samples / "de_garden-train.conllu").read_text(encoding="utf-8").strip("\n").split("\n\n")
    generator = np.random.default_rng(0)

    def write(name: str, sentences: list[str]) -> None:
        path = place / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")

    for number in range(10):
        order = generator.permutation(len(data))
        size = 40 + 25 * number
        write(f"UD_Made-T{number}/x-ud-train-a.conllu", [data[i] for i in order[: size // 2]])
        write(f"UD_Made-T{number}/x-ud-train-b.conllu", [data[i] for i in order[size // 2 : size]])
        write(f"UD_Made-T{number}/x-ud-test.conllu", [data[i] for i in order[size : size + 30 + 7 * number]])
    write("UD_Made-NoTest/x-ud-train.conllu", data[:9])
    write("UD_Made-One/x-ud-train.conllu", data[:9])
    write("UD_Made-One/x-ud-test.conllu", data[:1])
    write("UD_Made-Flat/x-ud-train.conllu", data[:9])
    write("UD_Made-Flat/x-ud-test.conllu", ["1\ta\ta\tX\t_\t_\t0\troot\t_\t_"] * 3)
    write("UD_Made-Broken/x-ud-train.conllu", data[:9])
    write("UD_Made-Broken/x-ud-test.conllu", ["1\ta"])
    (place / "notes").mkdir()
    return place


@pytest.fixture(scope="module")
def collection(folder: Path) -> MeasuredCollection:
    return measured(folder)


@pytest.fixture(scope="module")
def scores() -> TreebankScores:
    generator = np.random.default_rng(2)
    return TreebankScores(
        "parser", {f"made_t{number}": 60 + 2 * number + 3 * float(generator.normal()) for number in range(10)}
    )


@pytest.fixture(scope="module")
def result(collection: MeasuredCollection, scores: TreebankScores) -> Result:
    return studied(collection, scores)


@pytest.fixture
def value(result: Result) -> Callable[..., float]:
    def find(measure: str, suite: str | None = None, **by: str) -> float:
        (found,) = [
            one.value
            for one in result.findings
            if one.measure == measure and (suite is None or one.suite == suite) and by.items() <= one.by.items()
        ]
        assert isinstance(found, float)
        return found

    return find


def test_folders(folder: Path) -> None:
    found = {one.name: one for one in treebank_folders(folder)}
    assert len(found) == 14
    assert len(found["UD_Made-T0"].train) == 2
    assert found["UD_Made-NoTest"].missing == "no test file"


def test_the_last_part_of_a_name_says_which_side_it_is(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    for side in ("train", "dev", "test"):
        (tmp_path / "A" / f"x-train-{side}.conllu").touch()
    (found,) = treebank_folders(tmp_path)
    assert [Path(file).name for file in (*found.train, *found.test)] == ["x-train-train.conllu", "x-train-test.conllu"]


def test_what_cannot_be_used_is_left_out_and_named(
    collection: MeasuredCollection, result: Result, folder: Path
) -> None:
    assert set(collection.left_out) == {f"UD_Made-{name}" for name in ("NoTest", "One", "Flat", "Broken")}
    assert len(collection.measured) == 10
    for name, (_, message) in collection.left_out.items():
        assert str(folder / name) in message
    assert result.failures["no test file"] == 1
    assert result.failures["one sentence is not a sample of a language"] == 1
    assert result.failures["no edge, so no distribution of displacements"] == 1
    assert any(table.title == "Left out" and len(table.rows) == 4 for table in result.tables)


def test_files_of_a_side_are_joined(collection: MeasuredCollection) -> None:
    assert collection.measured["UD_Made-T2"]["measures"]["train_sentences"] == 90


def test_a_whole_run_says_the_same(folder: Path, collection: MeasuredCollection, tmp_path: Path) -> None:
    """From the folder and a table, as Python users call it; a second call reads the record."""
    table = tmp_path / "parser.tsv"
    table.write_text("".join(f"made_t{n}\t{60 + n % 7}\n" for n in range(10)), encoding="utf-8")
    settings = CollectionSettings(draws=40, subsamples=(20, 100), scores=(str(table),))
    result = engine.run(DISPLACEMENT_COLLECTION, folder, (), settings, where=HERE, folder=tmp_path / "run")
    expected = studied(collection, read_scores(str(table)))
    assert list(result.findings) == list(expected.findings)
    assert "|treebanks:13|range:30|scores1:parser#" in result.signature
    assert "|clusters:treebank=13|" in result.signature
    again = engine.run(DISPLACEMENT_COLLECTION, str(folder), (), settings, where=HERE, folder=tmp_path / "run")
    assert again.signature == result.signature
    assert len(again.findings) == len(result.findings)


def test_the_scores_of_two_systems_are_compared_by_treebank(folder: Path, tmp_path: Path) -> None:
    runs, las = [], {"first": [60 + n % 7 for n in range(10)], "second": [61 + n % 5 for n in range(10)]}
    for system, scores in las.items():
        table = tmp_path / f"{system}.tsv"
        table.write_text("".join(f"made_t{n}\t{score}\n" for n, score in enumerate(scores)), encoding="utf-8")
        settings = CollectionSettings(draws=0, subsamples=(20,), scores=(str(table),))
        engine.run(DISPLACEMENT_COLLECTION, folder, (), settings, where=HERE, folder=tmp_path / system)
        runs.append(Run.load(tmp_path / system))
    [difference] = compare(runs).findings[:1]
    assert (difference.system, difference.n) == ("second", 10)
    assert difference.value == pytest.approx(np.mean(las["second"]) - np.mean(las["first"]))


def test_other_scores_settings_and_files_have_other_signatures(folder: Path, tmp_path: Path) -> None:
    signatures = set()
    for number, scores in enumerate((70, 71)):
        table = tmp_path / str(number) / "parser.tsv"
        table.parent.mkdir()
        table.write_text("".join(f"made_t{n}\t{scores + n % 7}\n" for n in range(10)), encoding="utf-8")
        for draws, seed in ((0, 0), (0, 1), (5, 0)):
            settings = CollectionSettings(draws=draws, seed=seed, subsamples=(20,), scores=(str(table),))
            signatures.add(engine.run(DISPLACEMENT_COLLECTION, folder, (), settings, where=HERE).signature)
    assert len(signatures) == 6
    whole = engine.run(DISPLACEMENT_COLLECTION, folder, (), CollectionSettings(draws=0), where=HERE)
    part = tmp_path / folder.name
    for name in ("UD_Made-T0", "UD_Made-T1"):
        (part / name).parent.mkdir(exist_ok=True)
        (part / name).symlink_to(folder / name, target_is_directory=True)
    fewer = engine.run(DISPLACEMENT_COLLECTION, part, (), CollectionSettings(draws=0), where=HERE)
    assert whole.signature != fewer.signature


def test_the_order_of_a_table_of_scores_changes_nothing(folder: Path, tmp_path: Path) -> None:
    rows = [f"made_t{n}\t{60 + 3 * n % 7}\n" for n in range(10)]
    findings = []
    for order in (rows, rows[::-1]):
        (tmp_path / "parser.tsv").write_text("".join(order), encoding="utf-8")
        settings = CollectionSettings(draws=0, subsamples=(), scores=(str(tmp_path / "parser.tsv"),))
        findings.append(engine.run(DISPLACEMENT_COLLECTION, folder, (), settings, where=HERE).findings)
    assert findings[0] == findings[1]


def test_what_is_in_the_cache_is_not_measured_again(
    folder: Path, collection: MeasuredCollection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is in the files, wherever they lie; what failed is tried again."""
    done = list[str]()
    real = module.measure_treebank

    def counted(task: Any) -> dict[str, Any]:
        done.append(task.files.name)
        return real(task)

    monkeypatch.setattr(module, "measure_treebank", counted)
    where = Where(cache=ResultCache(tmp_path / "cache"), progress=False)
    first = measured(folder, where=where)
    assert first.measured == json.loads(json.dumps(collection.measured))  # tuples are lists on a disk
    assert len(done) == 13
    (tmp_path / "moved").symlink_to(folder, target_is_directory=True)
    again = measured(tmp_path / "moved", where=where)
    assert again.measured == first.measured
    assert done[13:] == ["UD_Made-Broken", "UD_Made-Flat", "UD_Made-One"]
    assert str(tmp_path / "moved") in again.left_out["UD_Made-One"][1]


def test_treebanks_below_the_minimum_of_training_sentences_are_excluded(folder: Path) -> None:
    """They have 40, 65, 90, 115, … training sentences; the paper needs 100."""
    few = measured(folder, CollectionSettings(draws=0, subsamples=(), min_train=100))
    assert list(few.measured) == [f"UD_Made-T{number}" for number in range(3, 10)]
    assert few.failures["fewer than 100 training sentences"] == 3
    assert few.left_out["UD_Made-T2"][1].endswith("UD_Made-T2: fewer than 100 training sentences (90)")
    exactly = measured(folder, CollectionSettings(draws=0, subsamples=(), min_train=115))
    assert "UD_Made-T3" in exactly.measured


def test_a_treebank_that_takes_too_long_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(task: Any) -> dict[str, Any]:
        if task.files.name == "UD_Made-T3":
            raise NoAnswer("no answer within 5 s")
        return real(task)

    real = module.measure_treebank
    monkeypatch.setattr(module, "measure_treebank", slow)
    remaining = measured(folder, CollectionSettings(draws=0, subsamples=()))
    assert "UD_Made-T3" not in remaining.measured
    assert remaining.failures["no answer within 5 s"] == 1


def test_the_clock_is_real(folder: Path) -> None:
    with pytest.raises(InputError, match="no treebank with train and test data") as caught:
        measured(folder, where=Where(cache=False, progress=False, time_limit=1e-6))
    assert "no answer within" in caught.value.todo


def test_covariates_are_variables() -> None:
    assert set(COVARIATES) <= set(LABELS)


def test_mean_and_standard_deviation_over_the_collection(collection: MeasuredCollection, result: Result) -> None:
    """Section 3.1 prints them of EDV; the interval is the t interval of SciPy."""
    found = {one.measure: one for one in result.findings if one.suite == collection.name and not one.by}
    for name in ("edv", "edv_heights", "slv"):
        values = [one["distances"][name]["value"] for one in collection.measured.values()]
        mean, sd = found[f"{name}_mean"], found[f"{name}_sd"]
        low, high = stats.t.interval(0.95, 9, np.mean(values), stats.sem(values))
        assert [mean.value, mean.low, mean.high] == pytest.approx([np.mean(values), low, high])
        assert sd.value == pytest.approx(np.std(values, ddof=1))
        assert (mean.n, sd.n) == (10, 10)
    text = f"Mean (SD) over treebanks: edv {found['edv_mean'].value:.3f} ({found['edv_sd'].value:.3f}), heights 0.0"
    assert text in result.tables[0].note


def test_correlations_are_those_of_scipy(
    collection: MeasuredCollection, scores: TreebankScores, value: Callable[..., float]
) -> None:
    data = gathered(collection.measured, {f"UD_Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)})
    for name in ("train_tokens", "edv", "edv_heights", "slv"):
        rho, p = stats.spearmanr(data[name], data["las"])
        by = {"analysis": "score", "x": name}
        assert value("spearman", **by) == pytest.approx(rho, abs=1e-9)
        assert value("spearman_p", **by) == pytest.approx(p, abs=1e-9)
        assert value("spearman_p_holm", **by) >= value("spearman_p_bh", **by) >= value("spearman_p", **by)
    w, p = stats.shapiro(data["edv"])
    assert value("shapiro_w", x="edv") == pytest.approx(w, abs=1e-9)
    assert value("shapiro_p", x="edv") == pytest.approx(p, abs=1e-9)


def test_partial_correlations_are_those_of_pingouin(
    collection: MeasuredCollection, scores: TreebankScores, value: Callable[..., float]
) -> None:
    pingouin, pandas = pytest.importorskip("pingouin"), pytest.importorskip("pandas")
    data = gathered(collection.measured, {f"UD_Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)})
    frame = pandas.DataFrame(dict(data.columns))
    oracle = pingouin.partial_corr(frame, "edv", "las", ["train_tokens", "test_length"], method="spearman")
    found = value("spearman", analysis="partial", x="edv", covariates="train_tokens,test_length")
    assert found == pytest.approx(oracle["r"].iloc[0], abs=1e-9)


def test_every_variable_has_partial_correlations_as_of_pingouin(
    collection: MeasuredCollection, scores: TreebankScores
) -> None:
    """Section 4.2.2: test tokens given train tokens, and all others; their tests are corrected among themselves.

    The treebanks exchange their measures, since all sizes of the made ones have the same ranks.
    """
    pingouin, pandas = pytest.importorskip("pingouin"), pytest.importorskip("pandas")
    generator = np.random.default_rng(8)
    exchanged = {name: {**values, "measures": dict(values["measures"])} for name, values in collection.measured.items()}
    for name in set(COVARIATES) - {"slv"}:
        given = [values["measures"][name] for values in collection.measured.values()]
        for values, value in zip(exchanged.values(), generator.permutation(given).tolist(), strict=True):
            values["measures"][name] = value
    made = studied(MeasuredCollection("made", exchanged), scores)
    found = {
        (one.measure, one.by["x"], one.by["covariates"]): one.value
        for one in made.findings
        if one.by.get("analysis") == "partial_others"
    }
    assert ("spearman", "test_tokens", "train_tokens") in found
    data = gathered(exchanged, {f"UD_Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)})
    frame, p_values = pandas.DataFrame(dict(data.columns)), list[float]()
    for held in (["train_tokens"], ["train_tokens", "test_length"]):
        for name in set(COVARIATES) - set(held):
            oracle = pingouin.partial_corr(frame, name, "las", held, method="spearman").iloc[0]
            assert found["spearman", name, ",".join(held)] == pytest.approx(oracle["r"], abs=1e-9)
            assert found["spearman_p", name, ",".join(held)] == pytest.approx(oracle.filter(like="p").iloc[0], abs=1e-9)
            p_values.append(oracle.filter(like="p").iloc[0])
    smallest = min(float(value or 0) for (measure, *_), value in found.items() if measure == "spearman_p_holm")
    assert smallest == pytest.approx(min(1.0, 17 * min(p_values)))
    assert len(p_values) == 17


def test_the_correlation_without_each_treebank(
    result: Result, collection: MeasuredCollection, scores: TreebankScores
) -> None:
    """ρ of SciPy without one treebank after the other, and an interval over treebanks that holds ρ."""
    names = [name for name in collection.measured if name.startswith("UD_Made-T")]
    las = [scores.whole[f"made_{name[8:].lower()}"] for name in names]
    edv = [float(collection.measured[name]["distances"]["edv"]["value"]) for name in names]
    plain = {"x": "edv", "y": "las", "covariates": ""}
    left = {
        f.by["without"]: f for f in result.findings if f.measure == "rho_left_out" and plain.items() <= f.by.items()
    }
    assert list(left) == names
    for place, name in enumerate(names):
        rho = stats.spearmanr(edv[:place] + edv[place + 1 :], las[:place] + las[place + 1 :]).statistic
        assert left[name].value == pytest.approx(rho, abs=1e-9)
    (whole,) = [f for f in result.findings if f.measure == "rho_over_treebanks" and f.by == plain]
    assert whole.value == pytest.approx(stats.spearmanr(edv, las).statistic, abs=1e-9)
    assert whole.low is not None
    assert whole.high is not None
    assert whole.low < float(whole.value or 0) < whole.high
    assert len([f for f in result.findings if f.measure == "rho_over_treebanks"]) == 9
    (shown,) = [table for table in result.tables if table.title.startswith("How the correlation with LAS depends")]
    assert len(shown.rows) == 9


def test_models_are_those_of_statsmodels(
    collection: MeasuredCollection, scores: TreebankScores, value: Callable[..., float]
) -> None:
    sm = pytest.importorskip("statsmodels.api")
    data = gathered(collection.measured, {f"UD_Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)})
    predictors = np.stack([np.log(data["train_tokens"]), data["test_length"], data["edv"]], axis=1)
    oracle = sm.OLS(data["las"], sm.add_constant(predictors)).fit()
    model = "log_train_tokens,test_length,edv"
    assert value("model_r2_adjusted", model=model) == pytest.approx(oracle.rsquared_adj, abs=1e-9)
    assert value("model_coefficient", model=model, x="edv") == pytest.approx(oracle.params[3], rel=1e-9)
    shares = [value("model_importance", model=model, x=name) for name in model.split(",")]
    assert sum(shares) == pytest.approx(100)
    left_out = data["las"] - oracle.get_influence().resid_press
    assert value("las_predicted", "UD_Made-T3", model=model) == pytest.approx(left_out[3], abs=1e-9)


def test_every_table_of_the_paper_is_there(result: Result) -> None:
    titles = " ".join(table.title for table in result.tables)
    parts = "Table 1", "Table 2", "Tables 3, B.1", "Table 4", "Table 5", "Table 6", "Table D.1"
    for part in (*parts, "Figures 7, 8", "Figure 9", "Figure 10"):
        assert part in titles
    assert {"las_normalised", "las_predicted", "complex", "share", "fit_slope"} <= {f.measure for f in result.findings}


def test_tables_fit_a_terminal(result: Result) -> None:
    from gardenpath.report.formats import plain

    for table in result.tables:
        lines = plain(table).splitlines()
        if table.title == "Not computed":  # reasons are sentences
            continue
        body = lines[1:-1] if table.note else lines[1:]
        assert max(map(len, body)) <= 104, table.title


def test_a_treebank_without_a_score_gets_a_prediction(collection: MeasuredCollection, scores: TreebankScores) -> None:
    fewer = TreebankScores("parser", {name: score for name, score in scores.whole.items() if name != "made_t4"})
    findings = studied(collection, fewer)
    (prediction, _) = [f for f in findings.findings if f.measure == "las_predicted" and f.suite == "UD_Made-T4"]
    assert prediction.low is not None
    assert prediction.high is not None
    assert prediction.low < float(prediction.value or 0) < prediction.high
    assert findings.failures["treebanks without a score"] == 1
    assert "UD_Made-T4" in findings.details["not_matched"]["parser"]["treebanks"]


@pytest.fixture(scope="module")
def held_out(folder: Path, scores: TreebankScores, tmp_path_factory: pytest.TempPathFactory) -> CollectionSettings:
    """Seven scored treebanks, and three that enter no fit; a fourth held-out score belongs to no treebank."""
    place = tmp_path_factory.mktemp("scores")
    rows = [f"{name}\t{score}\n" for name, score in scores.whole.items()]
    (place / "fitted.tsv").write_text("".join(rows[:7]), encoding="utf-8")
    (place / "new.tsv").write_text("".join([*rows[7:], "made_t77\t50\n"]), encoding="utf-8")
    return CollectionSettings(
        draws=0, subsamples=(), scores=(f"parser={place / 'fitted.tsv'}",), held_out=str(place / "new.tsv")
    )


def test_models_are_tested_on_held_out_treebanks_as_with_statsmodels(
    folder: Path, collection: MeasuredCollection, scores: TreebankScores, held_out: CollectionSettings
) -> None:
    """The fit is that of the seven alone; mean absolute error of three with the t interval of SciPy."""
    sm = pytest.importorskip("statsmodels.api")
    result = engine.run(DISPLACEMENT_COLLECTION, folder, (), held_out, where=HERE)
    data = gathered(collection.measured, {f"UD_Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)})
    predictors = sm.add_constant(np.stack([np.log(data["train_tokens"]), data["test_length"], data["edv"]], axis=1))
    fit = sm.OLS(data["las"][:7], predictors[:7]).fit()
    expected = fit.get_prediction(predictors[7:]).summary_frame(alpha=0.05)
    model = {"model": "log_train_tokens,test_length,edv"}
    found = {one.suite: one for one in result.findings if one.measure == "las_predicted" and one.by == model}
    parts = [one for one in result.findings if one.measure == "las_predicted_error" and one.by == model]
    errors = {one.suite: one.value for one in parts}
    for place, name in enumerate(("UD_Made-T7", "UD_Made-T8", "UD_Made-T9")):
        row = expected.iloc[place]
        ends = [found[name].value, found[name].low, found[name].high]
        assert ends == pytest.approx([row["mean"], row["obs_ci_lower"], row["obs_ci_upper"]], rel=1e-9)
        assert errors[name] == pytest.approx(row["mean"] - scores.whole[name[3:].lower().replace("-", "_")])
    parts = [one for one in result.findings if one.by.get("set") == "held out"]
    tested = {one.by["model"]: one for one in parts if one.measure == "model_error"}
    assert len(tested) == 7
    for key, guess in ((model["model"], expected["mean"].to_numpy()), ("mean", np.full(3, data["las"][:7].mean()))):
        off = np.abs(guess - data["las"][7:])
        low, high = stats.t.interval(0.95, 2, off.mean(), stats.sem(off))
        one = tested[key]
        assert (one.n, one.suite, one.system) == (3, folder.name, "parser")
        assert [one.value, one.low, one.high] == pytest.approx([off.mean(), max(0.0, low), high])
    assert {one.n for one in result.findings if one.measure == "model_r2"} == {7}
    assert {one.n for one in result.findings if one.measure == "spearman" and one.by["analysis"] == "score"} == {7}
    assert [one.suite for one in result.findings if one.measure == "las" and one.by] == list(errors)[-3:]
    assert "|held_out:3#" in result.signature
    assert result.failures["treebanks without a score"] == 0
    assert not any(table.title.startswith("Treebanks without a score") for table in result.tables)
    assert any(table.title == "Held-out treebanks (EDV paper: Section 4.3.1): parser" for table in result.tables)
    pytest.importorskip("altair")
    from gardenpath.report.figures.displacement import figures

    (drawn,) = [figure for figure in figures(result) if figure.name == "predicted-parser"]
    assert {row["treebank"] for row in max(drawn.data, key=len)} == set(data.names[7:])
    assert "7 other treebanks" in drawn.caption
    assert "3 held-out treebanks" in drawn.caption


def test_held_out_treebanks_may_be_parsed_test_sets(folder: Path, held_out: CollectionSettings, tmp_path: Path) -> None:
    for number in (7, 8):
        gold = folder / f"UD_Made-T{number}" / "x-ud-test.conllu"
        (tmp_path / f"UD_Made-T{number}.conllu").write_bytes(gold.read_bytes())
    result = engine.run(DISPLACEMENT_COLLECTION, folder, (), replace(held_out, held_out=str(tmp_path)), where=HERE)
    scored = [(one.suite, one.value) for one in result.findings if one.measure == "las" and one.by]
    assert scored == [("UD_Made-T7", 100.0), ("UD_Made-T8", 100.0)]
    errors = {one.suite for one in result.findings if one.measure == "las_predicted_error"}
    assert "UD_Made-T8" in errors
    assert "UD_Made-T9" not in errors


def test_held_out_scores_that_cannot_be_used(folder: Path, held_out: CollectionSettings, tmp_path: Path) -> None:
    (tmp_path / "both.tsv").write_text("made_t1\t50\nmade_t9\t60\n", encoding="utf-8")
    (tmp_path / "none.tsv").write_text("elsewhere\t50\n", encoding="utf-8")
    for name, message in (
        ("both", "both: UD_Made-T1: both held out and scored in parser"),
        ("none", "none: no treebank has a held-out score"),
        ("absent", "the table of scores cannot be read"),
    ):
        settings = replace(held_out, held_out=str(tmp_path / f"{name}.tsv"))
        with pytest.raises((UsageError, InputError), match=message):
            engine.run(DISPLACEMENT_COLLECTION, folder, (), settings, where=HERE)
    with pytest.raises(UsageError, match="the models of one system predict held-out scores, and 0 are given"):
        CollectionSettings(held_out="x.tsv")


def test_names_that_match_nothing_are_listed(collection: MeasuredCollection, scores: TreebankScores) -> None:
    findings = studied(collection, TreebankScores("parser", {**scores.whole, "Other-One": 50.0}))
    assert findings.failures["scores without a treebank"] == 1
    assert any("1 scores of parser without a treebank" in table.title for table in findings.tables)


def test_scores_by_length_are_used(collection: MeasuredCollection, scores: TreebankScores) -> None:
    lengths = {name: {length: score + length for length in range(5, 14)} for name, score in scores.whole.items()}
    findings = studied(collection, TreebankScores("parser", scores.whole, lengths))
    sets = {str(f.by["set"]) for f in findings.findings if f.by.get("analysis") == "length"}
    assert sets
    assert sets <= {str(length) for length in range(5, 14)}
    assert any("LAS of each length" in table.title for table in findings.tables)


def test_too_few_treebanks(collection: MeasuredCollection) -> None:
    with pytest.raises(UsageError, match="2 of 10 treebanks have a score, too few"):
        studied(collection, TreebankScores("parser", {"made_t1": 1.0, "made_t2": 2.0}))
    with pytest.raises(UsageError, match="did you mean made-t11"):
        studied(collection, TreebankScores("parser", {"made-t11": 1.0}))
    with pytest.raises(
        UsageError, match="such as UD_Made-T0, UD_Made-T1, UD_Made-T2 are not in the table, which has Z"
    ):
        studied(collection, TreebankScores("parser", {"Z": 1.0}))


def test_too_few_treebanks_without_scores(collection: MeasuredCollection) -> None:
    few = MeasuredCollection("few", dict(list(collection.measured.items())[:4]))
    findings = studied(few)
    assert findings.details["undefined"] == ["correlations: 4 treebanks are too few, 5 are needed"]
    assert [f for f in findings.findings if f.measure == "edv"]


def test_without_scores_the_measures_remain(collection: MeasuredCollection) -> None:
    findings = studied(collection)
    assert not [f for f in findings.findings if f.measure == "las"]
    assert [f for f in findings.findings if f.by.get("analysis") == "distance"]


def test_constant_scores_are_told(collection: MeasuredCollection, scores: TreebankScores) -> None:
    findings = studied(collection, TreebankScores("parser", dict.fromkeys(scores.whole, 70.0)))
    assert findings.failures["analyses not defined"] > 0
    assert any("the same value everywhere" in reason for reason in findings.details["undefined"])
    assert not any(isinstance(f.value, float) and np.isnan(f.value) for f in findings.findings)


def test_two_tables_with_one_name(collection: MeasuredCollection, scores: TreebankScores) -> None:
    with pytest.raises(UsageError, match="two tables of scores with one name"):
        studied(collection, scores, scores)


@pytest.mark.parametrize("files", [[], ["a.conllu"]])
def test_no_treebanks(tmp_path: Path, files: list[str]) -> None:
    for file in files:
        (tmp_path / file).write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no treebank folder"):
        measured(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        measured(tmp_path / "absent")


def test_a_treebank_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "x-ud-test.conllu").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="name the folder above it"):
        measured(tmp_path)


def test_only_useless_treebanks(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    (tmp_path / "A" / "x-train.conllu").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no test file"):
        measured(tmp_path)


def test_figures(result: Result, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    from gardenpath.report.figures.displacement import figures
    from gardenpath.report.figures.figure import save

    drawn = figures(result)
    assert len({figure.name for figure in drawn}) == len(drawn) == 15
    assert all(figure.data and figure.caption for figure in drawn)
    assert max(len(figure.data) for figure in drawn) <= 2  # one table behind a figure, and the diagonal of predictions
    pytest.importorskip("vl_convert")
    assert save(drawn[:1], tmp_path)


def test_las_is_among_the_variables_of_figure_4(result: Result, scores: TreebankScores) -> None:
    """A panel for each system, with the scores of its table."""
    pytest.importorskip("altair")
    from gardenpath.report.figures.displacement import figures

    (drawn,) = [figure for figure in figures(result) if figure.name == "variables"]
    (rows,) = drawn.data
    assert {row["treebank"]: row["las_1"] for row in rows} == {
        f"Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)
    }
    assert [panel["encoding"]["x"]["title"] for panel in drawn.spec["concat"]][-1] == "LAS of parser (%)"


def test_las_and_edv_of_each_length_are_drawn(collection: MeasuredCollection, scores: TreebankScores) -> None:
    """Figures A.7 and A.8: one point for each value that the correlation of this length is made of."""
    pytest.importorskip("altair")
    from gardenpath.report.figures.displacement import figures

    lengths = {name: {length: score + length for length in range(5, 14)} for name, score in scores.whole.items()}
    for table, shown in (
        (scores, "whole test set"),
        (TreebankScores("parser", scores.whole, lengths), "of each length"),
    ):
        result = studied(collection, table)
        (drawn,) = [figure for figure in figures(result) if figure.name == "las-by-length-parser"]
        (rows,) = drawn.data
        assert shown in drawn.caption
        tests = [one for one in result.findings if one.by.get("analysis") == "length" and one.measure == "spearman"]
        counts = {int(str(one.by["set"])): one.n for one in tests if one.by["x"] == "edv"}
        assert {length: sum(row["length"] == length for row in rows) for length in counts} == counts
        assert sum(counts.values()) == len(rows)
        whole = {f"Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)}
        own = bool(table.lengths)
        assert all(row["las"] == whole[row["treebank"]] + own * row["length"] for row in rows)


@pytest.fixture(scope="module")
def real(shared: Path) -> MeasuredCollection:
    """The treebanks of the shared folder, measured without draws."""
    return measured(shared / "ud", CollectionSettings(draws=0, subsamples=()))


def test_marathi_is_the_largest_of_the_published_kind(real: MeasuredCollection) -> None:
    """As the paper has it (Figure 2), and as Equation 2 does not have it."""
    for name, largest in (("edv_heights", True), ("edv", False)):
        values = {treebank: found["distances"][name]["value"] for treebank, found in real.measured.items()}
        assert (max(values, key=lambda treebank: float(values[treebank])) == "UD_Marathi-UFAL") is largest
    assert real.failures == {"no train file": 8}


def test_real_treebanks_and_published_scores(shared: Path, real: MeasuredCollection) -> None:
    """Spearman's ρ of 22 treebanks against SciPy; the sign is the paper's."""
    scores = read_scores(str(shared / "published" / "udpipe1.2_ud2.5_goldtok.tsv"))
    result = studied(real, scores)
    rows = result.details["matched"][scores.system]
    assert len(rows) == 22
    las = [scores.whole[row] for row in rows.values()]
    for name in ("edv", "edv_heights"):
        values = [real.measured[treebank]["distances"][name]["value"] for treebank in rows]
        rho, p = stats.spearmanr(values, las)
        (one,) = [
            f for f in result.findings if f.measure == "spearman" and f.by["analysis"] == "score" and f.by["x"] == name
        ]
        assert one.value == pytest.approx(rho, abs=1e-9)
        assert rho < 0
        assert p < 0.01
