"""The collection study on treebanks made from the bundled one, and on the real ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gardenpath.errors import InputError, UsageError
from gardenpath.runs.result import Result
from gardenpath.studies.displacement.collection import Collection, measure_collection, treebank_folders
from gardenpath.studies.displacement.las import Scores, read_scores
from gardenpath.studies.displacement.study import collection_study
from gardenpath.studies.displacement.variables import gathered


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
def collection(folder: Path) -> Collection:
    return measure_collection(folder, draws=40, sizes=(20, 100))


@pytest.fixture(scope="module")
def scores() -> Scores:
    generator = np.random.default_rng(2)
    return Scores(
        "parser", {f"made_t{number}": 60 + 2 * number + 3 * float(generator.normal()) for number in range(10)}
    )


@pytest.fixture(scope="module")
def result(collection: Collection, scores: Scores) -> Result:
    return collection_study(collection, [scores])


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


def test_what_cannot_be_used_is_left_out_and_named(collection: Collection, result: Result, folder: Path) -> None:
    assert set(collection.left_out) == {f"UD_Made-{name}" for name in ("NoTest", "One", "Flat", "Broken")}
    assert len(collection.measured) == 10
    for name, (_, message) in collection.left_out.items():
        assert str(folder / name) in message
    assert result.failures["no test file"] == 1
    assert result.failures["one sentence is no sample of a language"] == 1
    assert result.failures["no edge, so no distribution of displacements"] == 1
    assert any(table.title == "Left out" and len(table.rows) == 4 for table in result.tables)


def test_files_of_a_side_are_joined(collection: Collection) -> None:
    assert collection.measured["UD_Made-T2"]["measures"]["train_sentences"] == 90


def test_processes_find_the_same(folder: Path, collection: Collection) -> None:
    assert measure_collection(folder, draws=40, sizes=(20, 100), jobs=2).measured == collection.measured


def test_correlations_are_those_of_scipy(collection: Collection, scores: Scores, value: Callable[..., float]) -> None:
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
    collection: Collection, scores: Scores, value: Callable[..., float]
) -> None:
    pingouin, pandas = pytest.importorskip("pingouin"), pytest.importorskip("pandas")
    data = gathered(collection.measured, {f"UD_Made-T{n}": scores.whole[f"made_t{n}"] for n in range(10)})
    frame = pandas.DataFrame(dict(data.columns))
    oracle = pingouin.partial_corr(frame, "edv", "las", ["train_tokens", "test_length"], method="spearman")
    found = value("spearman", analysis="partial", x="edv", covariates="train_tokens,test_length")
    assert found == pytest.approx(oracle["r"].iloc[0], abs=1e-9)


def test_models_are_those_of_statsmodels(collection: Collection, scores: Scores, value: Callable[..., float]) -> None:
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
        body = lines[1:-1] if table.note else lines[1:]
        assert max(map(len, body)) <= 104, table.title


def test_a_treebank_without_a_score_gets_a_prediction(collection: Collection, scores: Scores) -> None:
    fewer = Scores("parser", {name: score for name, score in scores.whole.items() if name != "made_t4"})
    found = collection_study(collection, [fewer])
    (one, _) = [f for f in found.findings if f.measure == "las_predicted" and f.suite == "UD_Made-T4"]
    assert one.low is not None
    assert one.high is not None
    assert one.low < float(one.value or 0) < one.high
    assert found.failures["treebanks without a score"] == 1
    assert "UD_Made-T4" in found.details["not_matched"]["parser"]["treebanks"]


def test_names_that_match_nothing_are_listed(collection: Collection, scores: Scores) -> None:
    found = collection_study(collection, [Scores("parser", {**scores.whole, "Other-One": 50.0})])
    assert found.failures["scores without a treebank"] == 1
    assert any("1 scores of parser without a treebank" in table.title for table in found.tables)


def test_scores_by_length_are_used(collection: Collection, scores: Scores) -> None:
    lengths = {name: {length: score + length for length in range(5, 14)} for name, score in scores.whole.items()}
    found = collection_study(collection, [Scores("parser", scores.whole, lengths)])
    sets = {str(f.by["set"]) for f in found.findings if f.by.get("analysis") == "length"}
    assert sets
    assert sets <= {str(length) for length in range(5, 14)}
    assert any("LAS of each length" in table.title for table in found.tables)


def test_too_few_treebanks(collection: Collection) -> None:
    with pytest.raises(UsageError, match="2 of 10 treebanks have a score, too few"):
        collection_study(collection, [Scores("parser", {"made_t1": 1.0, "made_t2": 2.0})])
    with pytest.raises(UsageError, match="did you mean made-t11"):
        collection_study(collection, [Scores("parser", {"made-t11": 1.0})])
    with pytest.raises(
        UsageError, match="such as UD_Made-T0, UD_Made-T1, UD_Made-T2 are not in the table, which has Z"
    ):
        collection_study(collection, [Scores("parser", {"Z": 1.0})])


def test_too_few_treebanks_without_scores(collection: Collection) -> None:
    few = Collection("few", dict(list(collection.measured.items())[:4]))
    found = collection_study(few)
    assert found.details["undefined"] == ["correlations: 4 treebanks are too few, 5 are needed"]
    assert [f for f in found.findings if f.measure == "edv"]


def test_without_scores_the_measures_remain(collection: Collection) -> None:
    found = collection_study(collection)
    assert not [f for f in found.findings if f.measure == "las"]
    assert [f for f in found.findings if f.by.get("analysis") == "distance"]


def test_constant_scores_are_told(collection: Collection, scores: Scores) -> None:
    found = collection_study(collection, [Scores("parser", dict.fromkeys(scores.whole, 70.0))])
    assert found.failures["analyses not defined"] > 0
    assert any("the same value everywhere" in reason for reason in found.details["undefined"])
    assert not any(isinstance(f.value, float) and np.isnan(f.value) for f in found.findings)


def test_two_tables_with_one_name(collection: Collection, scores: Scores) -> None:
    with pytest.raises(UsageError, match="two tables of scores with one name"):
        collection_study(collection, [scores, scores])


@pytest.mark.parametrize("files", [[], ["a.conllu"]])
def test_no_treebanks(tmp_path: Path, files: list[str]) -> None:
    for file in files:
        (tmp_path / file).write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no treebank folder"):
        measure_collection(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        measure_collection(tmp_path / "absent")


def test_a_treebank_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "x-ud-test.conllu").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="name the folder above it"):
        measure_collection(tmp_path)


def test_only_useless_treebanks(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    (tmp_path / "A" / "x-train.conllu").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no test file"):
        measure_collection(tmp_path)


def test_figures(result: Result, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    from gardenpath.report.figures.displacement import figures
    from gardenpath.report.figures.figure import save

    found = figures(result)
    assert len({one.name for one in found}) == len(found) == 13
    assert all(one.data and one.caption for one in found)
    assert max(len(one.data) for one in found) <= 2  # one table behind a figure, and the diagonal of predictions
    pytest.importorskip("vl_convert")
    assert save(found[:1], tmp_path)


def test_real_treebanks_and_published_scores(shared: Path) -> None:
    """Spearman's ρ of 22 treebanks against SciPy; the sign is the paper's."""
    found = measure_collection(shared / "ud", draws=0, sizes=())
    scores = read_scores(str(shared / "published" / "udpipe1.2_ud2.5_goldtok.tsv"))
    result = collection_study(found, [scores])
    rows = result.details["matched"][scores.system]
    assert len(rows) == 22
    las = [scores.whole[row] for row in rows.values()]
    for name in ("edv", "edv_heights"):
        values = [found.measured[treebank]["distances"][name]["value"] for treebank in rows]
        rho, p = stats.spearmanr(values, las)
        (one,) = [
            f for f in result.findings if f.measure == "spearman" and f.by["analysis"] == "score" and f.by["x"] == name
        ]
        assert one.value == pytest.approx(rho, abs=1e-9)
        assert rho < 0
        assert p < 0.01
