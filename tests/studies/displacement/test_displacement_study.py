"""The studies of displacement on small treebanks: verdicts, one pair, tables of scores, parsed test sets."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs.result.layout import FindingIndex
from gardenpath.runs.result.result import Finding, Table, Value, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.stats.mixed import fit_mixed
from gardenpath.studies.displacement.collection import collection_files
from gardenpath.studies.displacement.declaration import PairSettings
from gardenpath.studies.displacement.pair import DISPLACEMENT_PAIR
from gardenpath.studies.displacement.split_effects import summary
from gardenpath.studies.displacement.treebank_scores import (
    match,
    model_verdicts,
    plain_name,
    read_parsed,
    read_scores,
    sentence_rows,
)
from gardenpath.studies.displacement.verdicts import collection_verdicts, experiment_verdicts, pair_verdicts
from gardenpath.studies.engine import study as engine
from gardenpath.treebank import read
from spoil import spoiled
from verdict_checks import check_verdicts, unfounded

TESTED = [
    (0.2, 0.001, 0.003, 40, "farther from a than chance would put it", SHOWN),
    (0.2, 0.03, 0.09, 40, "farther from a than chance would put it", SUGGESTED),  # correction takes it away
    (0.2, 0.001, 0.003, 19, "farther from a than chance would put it", SUGGESTED),  # too few documents
    (-0.2, 0.001, 0.003, 40, "nearer to a than chance would put it", SHOWN),
    (0.05, 0.4, 0.8, 40, "not shown to be farther from a than chance would put it", NOT_SHOWN),
]


@pytest.mark.parametrize(("excess", "p", "p_holm", "documents", "claim", "sure"), TESTED)
def test_a_distance_is_more_than_chance_or_not(
    excess: float, p: float, p_holm: float, documents: int, claim: str, sure: str
) -> None:
    head = ("displacement", "b", "")
    findings = [
        Finding(*head, "edv", 0.28, 90, 0.2, 0.36),
        Finding(*head, "edv_excess", excess, 90, excess - 0.1, excess + 0.1),
        Finding(*head, "edv_p", p, documents),
        Finding(*head, "edv_p_holm", p_holm, documents),
    ]
    (verdict,) = pair_verdicts(findings, "a", "b", "document")
    assert verdict.sure == sure
    assert verdict.text.startswith(f"In its edges, b is {claim}: EDV 0.28 [0.20, 0.36] tokens, excess over random ")
    assert unfounded(verdict) == []


def without_documents(treebank: Path, to: Path) -> Path:
    lines = treebank.read_text(encoding="utf-8").splitlines(keepends=True)
    to.write_text("".join(line for line in lines if not line.startswith("# newdoc")), encoding="utf-8")
    return to


def test_nothing_is_claimed_where_documents_are_not_marked(samples: Path, tmp_path: Path) -> None:
    """Sorted by displacement, the halves are far apart; that says nothing of other documents, unless we are told."""
    whole = read(samples / "de_garden-train.conllu")
    order = np.argsort(np.bincount(whole.sentence_of, weights=(whole.ids - whole.heads) * (whole.heads > 0)))
    whole.select(np.sort(order[:200])).write(tmp_path / "a.conllu")
    whole.select(np.sort(order[200:])).write(tmp_path / "b.conllu")
    pair = [without_documents(tmp_path / name, tmp_path / f"bare-{name}") for name in ("a.conllu", "b.conllu")]
    result = engine.run(DISPLACEMENT_PAIR, tuple(map(str, pair)), (), PairSettings(draws=200))
    check_verdicts(result)
    assert {verdict.sure for verdict in result.verdicts} == {MEASURED}
    assert "excess over random splits of sentences +" in result.verdicts[0].text
    assert result.verdicts[0].text.endswith("Documents are not marked, and documents alone can make such a difference.")
    assert [finding.value for finding in result.findings if finding.measure == "split_unit"] == ["sentence"]
    assert "Random splits deal out 413 sentences, as if" in result.tables[0].note
    told = engine.run(DISPLACEMENT_PAIR, tuple(map(str, pair)), (), PairSettings(draws=200, independent=True))
    assert SHOWN in {verdict.sure for verdict in told.verdicts}


@pytest.mark.parametrize("draws", [0, 30])
def test_verdicts_on_a_bundled_pair(samples: Path, draws: int) -> None:
    sides = (samples / "de_garden-train.conllu", samples / "de_garden-test.conllu")
    result = engine.run(DISPLACEMENT_PAIR, sides, (), PairSettings(draws=draws))
    check_verdicts(result)
    assert len(result.verdicts) == 3
    assert all(verdict.sure != SHOWN for verdict in result.verdicts)  # there are 11 documents
    if not draws:
        assert "random splits were not drawn" in result.verdicts[0].text


# ---- collections


def correlation(analysis: str, x: str, rho: float, p: float, covariates: str = "", n: int = 38) -> list[Finding]:
    by: dict[str, Value] = {"analysis": analysis, "x": x, "y": "las", "covariates": covariates, "set": "all"}
    head = ("displacement", "ud", "udpipe")
    return [
        Finding(*head, "spearman", rho, n, rho - 0.2, rho + 0.2, by),
        Finding(*head, "spearman_p", p, n, by=by),
        Finding(*head, "spearman_p_holm", 2 * p, n, by=by),
    ]


def collected(*findings: list[Finding]) -> list[Verdict]:
    every = [finding for some in findings for finding in some]
    return list(collection_verdicts(every, "ud", ["A", "B"], ["train_tokens", "test_length"]))


def test_a_correlation_is_told_with_and_without_covariates() -> None:
    held = "train_tokens,test_length"
    verdicts = collected(correlation("partial", "edv", -0.42, 0.001), correlation("partial", "edv", -0.1, 0.5, held))
    assert [(verdict.sure, verdict.text) for verdict in verdicts] == [
        (SHOWN, "With greater EDV comes lower LAS of udpipe: ρ -0.42 [-0.62, -0.22], 38 treebanks (shown)."),
        (NOT_SHOWN, "No correlation of EDV and LAS of udpipe with train tokens and test length held constant is "
         "shown: ρ -0.10 [-0.30, 0.10], 38 treebanks."),
    ]  # fmt: skip


@pytest.mark.parametrize(("p", "n", "sure"), [(0.03, 38, SUGGESTED), (0.001, 19, SUGGESTED), (0.06, 38, NOT_SHOWN)])
def test_a_correlation_that_correction_or_few_treebanks_take_away(p: float, n: int, sure: str) -> None:
    (verdict,) = collected(correlation("partial", "edv", -0.42, p, n=n))
    assert verdict.sure == sure


def test_the_order_of_systems_changes_no_verdict() -> None:
    first = correlation("partial", "edv", -0.6, 0.001)
    second = [replace(finding, system="stanza", value=-0.1) for finding in correlation("partial", "edv", -0.1, 0.6)]
    assert {told.text for told in collected(first, second)} == {told.text for told in collected(second, first)}


def test_the_variable_with_the_largest_correlation() -> None:
    (verdict,) = collected(correlation("score", "train_tokens", 0.7, 1e-5), correlation("score", "slv", -0.4, 0.01))
    assert verdict.text == (
        "With more train tokens comes higher LAS of udpipe: ρ 0.70 [0.50, 0.90], 38 treebanks (shown), the largest ρ "
        "beside EDV."
    )
    assert collected(correlation("score", "slv", -0.2, 0.2)) == []


def test_how_many_test_sets_are_beyond_chance_and_which_is_farthest() -> None:
    distances = [Finding("displacement", name, "", "edv", value, 90, value - 0.1, value + 0.1)
                 for name, value in (("A", 0.5), ("B", 0.2))]  # fmt: skip
    beyond = [Finding("displacement", "ud", "", "edv_beyond_chance", 1, n, by={"unit": unit})
              for unit, n in (("document", 2), ("sentence", 3))]  # fmt: skip
    first, others, second = collected([*beyond, *distances])
    assert first.text == (
        "1 of 2 test sets whose documents are marked differ from their training data more than random splits of "
        "documents do (EDV; corrected for all of them)."
    )
    assert others.text == (
        "1 of 3 test sets whose documents are not marked differ from their training data more than random splits of "
        "sentences do (EDV; corrected for all of them); documents alone can make such a difference."
    )
    assert {first.sure, others.sure} == {MEASURED}
    assert second.text == (
        "The farthest test set is that of A, EDV 0.50 [0.40, 0.60] tokens; the nearest that of B, 0.20 [0.10, 0.30]."
    )
    assert collected(distances[:1]) == []


# ---- experiments


def splits(las: float, loss: float, edv: float, random: list[float]) -> dict[tuple[str, int], dict[str, float]]:
    scores = {"las": las, "edv": 1.0, "slv": 1 + edv / 7, "train_tokens": 9.0, "test_tokens": 9.0,
              "test_length": 9 + edv % 3, "trees": 9.0}  # fmt: skip
    made = {("min", 0): scores, ("max", 0): {**scores, "las": las - loss, "edv": 1 + edv, "slv": 1.5}}
    return made | {("random", n): {**scores, "las": value} for n, value in enumerate(random, 1)}


def experimented(treebanks: int, sign: float = 1.0) -> list[Verdict]:
    made = {
        f"UD_{n:02d}": splits(80.0, sign * (1 + n / 10), 1 + n, [80.0, 79.0, 78.9 - n]) for n in range(treebanks)
    }  # fmt: skip
    verdicts = list(experiment_verdicts(summary("ud", "udpipe", made)[0], "ud", "udpipe"))
    assert all(unfounded(verdict) == [] for verdict in verdicts)
    return verdicts


def test_an_experiment_says_what_splits_do() -> None:
    verdicts = experimented(20)
    assert verdicts[0].sure == SHOWN
    assert verdicts[0].text.startswith("udpipe scores lower on splits of greatest EDV than on those of least: LAS -1.9")
    assert verdicts[0].text.endswith("20 treebanks, lower in 20 (shown).")
    # of 80, 79 and 78.9 - n, one is lower than 80 by more than a point
    assert verdicts[1].text == (
        "20 of 60 random splits are harder by more than a point of LAS than the split of least EDV."
    )
    assert verdicts[2].text.startswith("Luck of the split: the LAS of random splits varies most for UD_19, standard ")
    assert verdicts[3].text.startswith("With greater difference in EDV comes greater loss of LAS: ρ -1.00")
    assert [verdict.sure for verdict in verdicts[1:3]] == [MEASURED, MEASURED]


def test_few_treebanks_show_nothing_and_no_random_split_no_luck() -> None:
    assert experimented(19)[0].sure == SUGGESTED
    assert experimented(20, -1.0)[0].text.startswith("udpipe scores higher on splits of greatest EDV")
    made = {f"UD_{n}": splits(80.0, (-1.0) ** n, 1.0, []) for n in range(6)}
    (verdict,) = experiment_verdicts(summary("ud", "udpipe", made)[0], "ud", "udpipe")
    assert verdict.text.startswith("No difference of udpipe between the splits of greatest and of least EDV is shown:")


# ---- the study of one pair, as Python users call it


def sides(samples: Path) -> tuple[Path, Path]:
    return samples / "de_garden-train.conllu", samples / "de_garden-test.conllu"


def test_files_and_treebanks_find_the_same(samples: Path) -> None:
    train, test = sides(samples)
    settings = PairSettings(draws=20, by=("length",))
    result = engine.run(DISPLACEMENT_PAIR, (str(train), str(test)), (), settings)
    assert engine.run(DISPLACEMENT_PAIR, (read(train), read(test)), (), settings) == result
    assert engine.run(DISPLACEMENT_PAIR, [train, read(test)], (), settings) == result


def test_other_data_and_other_settings_have_other_signatures(samples: Path) -> None:
    train, test = map(read, sides(samples))
    asked = [
        ((train, test), PairSettings(draws=5)),
        ((test, train), PairSettings(draws=5)),
        ((train[:100], test), PairSettings(draws=5)),
        ((train, test), PairSettings(draws=6)),
        ((train, test), PairSettings(draws=5, seed=1)),
        ((train, test), PairSettings(draws=5, variant="script")),
    ]
    signatures = {engine.run(DISPLACEMENT_PAIR, source, (), settings).signature for source, settings in asked}
    assert len(signatures) == len(asked)


@pytest.mark.parametrize("draws", [0, 20])
def test_every_number_of_a_table_is_that_of_a_finding(samples: Path, draws: int) -> None:
    result = engine.run(DISPLACEMENT_PAIR, sides(samples), (), PairSettings(draws=draws, by=("length",)))
    known = {
        value
        for finding in result.findings
        for value in (finding.value, finding.low, finding.high, finding.by.get("length"))
    }
    assert [table.title for table in result.tables][1:] == ["Both sides", "By sentence length"]
    for table in result.tables:
        assert set(numbers(table)) <= known
    assert ("noise" in result.tables[0].columns) is bool(draws)


def numbers(table: Table) -> list[float]:
    cells = [cell for row in table.rows for value in row for cell in (value if isinstance(value, list) else [value])]
    return [cell for cell in cells if isinstance(cell, int | float)]


def test_a_pair_is_two(samples: Path) -> None:
    with pytest.raises(UsageError, match="training and test data are needed"):
        engine.run(DISPLACEMENT_PAIR, str(samples / "de_garden-train.conllu"))
    with pytest.raises(UsageError, match="both sides from standard input"):
        engine.run(DISPLACEMENT_PAIR, ("-", "-"))


def test_a_run_of_other_treebanks_is_another_run(samples: Path, tmp_path: Path) -> None:
    """By what is in them, whatever their names."""
    train, test = sides(samples)
    settings = PairSettings(draws=0)
    whole = read(test)
    for _ in range(2):
        engine.run(DISPLACEMENT_PAIR, (train, whole[:50]), (), settings, folder=tmp_path / "run")
    with pytest.raises(UsageError, match="this folder holds another run"):
        engine.run(DISPLACEMENT_PAIR, (train, whole[50:]), (), settings, folder=tmp_path / "run")


# ---- tables of scores, and names that are matched or listed, never guessed


def table(folder: Path, text: str, name: str = "scores.tsv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("treebank\tuas\tlas\nA-X\t80\t70.5\nB-Y\t81\t71\n", ""),
        ("uas\tTreebank\tLAS\n80\tA-X\t70.5\n81\tB-Y\t71\n", ""),
        ("name,score\nA-X,70.5\nB-Y,71\n", ""),
        ("A-X\t70.5\n\n# a remark\nB-Y\t71\n", ""),
        ("treebank\tone\ttwo\nA-X\t1\t70.5\nB-Y\t2\t71\n", "two"),
    ],
)
def test_forms_of_tables(tmp_path: Path, text: str, column: str) -> None:
    assert read_scores(table(tmp_path, text), column).whole == {"A-X": 70.5, "B-Y": 71.0}


def test_names_of_systems(tmp_path: Path) -> None:
    path = table(tmp_path, "A\t1\n", "udpipe.tsv")
    assert read_scores(path).system == "udpipe"
    assert read_scores(f"mine={path}").system == "mine"


def test_rows_by_length(tmp_path: Path) -> None:
    found = read_scores(table(tmp_path, "treebank\tlength\tlas\nA\t\t70\nA\t3\t90\nA\t4\t80\n"))
    assert found.whole == {"A": 70}
    assert found.lengths == {"A": {3: 90, 4: 80}}


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", "", "an empty table"),
        ("treebank\tlas\n", "", "without any score"),
        ("A-X\t80\t70\nB-Y\t81\t71\n", "", "3 columns without a header"),
        ("treebank\tlas\nA\tgood\n", "", "scores.tsv:2: 'good' is not a score"),
        ("treebank\tlas\nA\tnan\n", "", "scores.tsv:2: 'nan' is not a score"),
        ("treebank\tlas\nA\n", "", "scores.tsv:2: a row of 1 cells"),
        ("treebank\tlas\nA\t1\nA\t2\n", "", "scores.tsv:3: A occurs twice"),
        ("treebank\tone\ttwo\nA\t1\t2\n", "", "which column has the scores: one, two"),
        ("treebank\tlas\nA\t1\n", "lass", "did you mean las"),
        ("treebank\tlength\tlas\nA\tx\t1\n", "", "'x' is not a sentence length"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, column: str, message: str) -> None:
    with pytest.raises(GardenpathError, match=message):
        read_scores(table(tmp_path, text), column)


def test_no_table(tmp_path: Path) -> None:
    with pytest.raises(GardenpathError, match="the table of scores cannot be read"):
        read_scores(str(tmp_path / "absent.tsv"))


@pytest.mark.parametrize("name", ["UD_Ancient_Greek-PROIEL@r2.5", "Ancient Greek-PROIEL", "ancient_greek-proiel"])
def test_plain_names(name: str) -> None:
    assert plain_name(name) == "ancient-greek-proiel"


def test_names_are_matched_exactly_then_plainly_and_else_listed() -> None:
    found = match(
        ["UD_Tamil-TTB", "Old-X", "UD_Belarusian-HSE@r2.5", "UD_Indonesian-CSUI", "UD_Manx-Cadhan"],
        ["Tamil-TTB", "Old-X", "belarusian-hse", "Indonesian-GSD", "Czech-PDT"],
    )
    assert found.rows == {"UD_Tamil-TTB": "Tamil-TTB", "Old-X": "Old-X", "UD_Belarusian-HSE@r2.5": "belarusian-hse"}
    assert found.treebanks == {"UD_Indonesian-CSUI": ["Indonesian-GSD"], "UD_Manx-Cadhan": []}
    assert found.unused == ["Indonesian-GSD", "Czech-PDT"]


def test_a_plain_name_that_two_treebanks_share_decides_nothing() -> None:
    found = match(["UD_A-X@r2.5", "UD_A-X@r2.7"], ["A-X"])
    assert found.rows == {}
    assert found.treebanks == {"UD_A-X@r2.5": ["A-X"], "UD_A-X@r2.7": ["A-X"]}
    assert match(["UD_A-X", "UD_A-X@r2.7"], ["UD_A-X"]).rows == {"UD_A-X": "UD_A-X"}


def test_the_published_tables(shared: Path) -> None:
    published = shared / "published"
    first = read_scores(str(published / "udpipe1.2_ud2.5_goldtok.tsv"))
    second = read_scores(str(published / "udpipe2_ud2.6_goldtok.tsv"))
    assert (len(first.whole), len(second.whole)) == (94, 99)
    assert second.whole["catalan-ancora"] == 92.95
    assert second.whole["marathi-ufal"] == 60.92


# ---- parsed test sets of a collection: counts by hand, the model against R, and what is missing is told


SETTINGS: dict[str, Any] = {"draws": 0, "subsamples": ()}
NAMES = [f"UD_German-Demo{number}" for number in range(6)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six treebanks, and parses of their test sets in the three ways in which files may be named."""
    place = tmp_path_factory.mktemp("collection")
    treebank = gp.read("bundled:de-train")
    for number, name in enumerate(NAMES):
        for part, piece in gp.split(treebank, train=0.6, dev=0.1, test=0.3, seed=number)[1].items():
            piece.write(place / "treebanks" / name / f"x{number}-ud-{part}.conllu")
        gold = read(place / "treebanks" / name / f"x{number}-ud-test.conllu")
        file = [f"{name}.conllu", f"{name}/parsed.conllu", f"x{number}-ud-test.conllu"][number % 3]
        parsed = spoiled(gold, number, labels=0.1 + 0.02 * number)
        parsed[list(range(len(parsed)))[::-1]].write(place / "parsed" / file)  # in another order
    return place


@pytest.fixture(scope="module")
def result(place: Path) -> Any:
    return gp.displacement(place / "treebanks", scores=[f"mine={place / 'parsed'}"], **SETTINGS)


def test_las_is_that_of_evaluate_with_its_interval(place: Path, result: Any) -> None:
    index = FindingIndex(result.findings)
    for number, name in enumerate(NAMES[:3]):
        file = [f"{name}.conllu", f"{name}/parsed.conllu", f"x{number}-ud-test.conllu"][number]
        own = gp.evaluate(place / "treebanks" / name / f"x{number}-ud-test.conllu", str(place / "parsed" / file))
        expected = next(finding for finding in own.findings if finding.measure == "las")
        score = index.get("las", "mine", suite=name)
        assert score is not None
        assert (score.value, score.n) == (pytest.approx(expected.value), expected.n)
        assert (score.low, score.high) == (pytest.approx(expected.low), pytest.approx(expected.high))


def test_las_by_length_and_the_rows_of_the_model_against_counting(place: Path, result: Any) -> None:
    files = list(collection_files(place / "treebanks").usable)
    parsed = read_parsed(str(place / "parsed"), files)
    name, folder = NAMES[1], place / "treebanks" / NAMES[1]
    gold, train = read(folder / "x1-ud-test.conllu"), read(folder / "x1-ud-train.conllu")
    answers = {sentence.sent_id: sentence for sentence in read(place / "parsed" / name / "parsed.conllu")}
    shares = Counter(word.ord - word.head for sentence in train for word in sentence if word.head)
    total = sum(count for gap, count in shares.items() if abs(gap) <= 30) + 61
    right, words, rows = Counter[int](), Counter[int](), list[tuple[float, float]]()
    for sentence in gold:
        pairs = list(zip(sentence, answers[sentence.sent_id], strict=True))
        good = sum(a.head == b.head and a.udeprel == b.udeprel for a, b in pairs)
        right[len(sentence)] += good
        words[len(sentence)] += len(sentence)
        gaps = [word.ord - word.head for word in sentence if word.head]
        if gaps:
            rarity = sum(-math.log2((shares[gap] + 1) / total) for gap in gaps) / len(gaps)
            rows.append((100 * good / len(sentence), rarity))
    assert parsed.scores.lengths[name] == {n: pytest.approx(100 * right[n] / words[n]) for n in words}
    counts = [0] * 61
    for gap, count in shares.items():
        counts[gap + 30] += count
    values = {"counts": {"train": counts}, "distances": {"edv": {"value": 1.0}}, "measures": {"train_tokens": 4}}
    columns = sentence_rows(parsed, dict.fromkeys(NAMES, values))
    own = [place for place, treebank in enumerate(columns["treebank"]) if treebank == name]
    assert [(columns["las"][place], columns["rarity"][place]) for place in own] == [
        (pytest.approx(las), pytest.approx(rarity)) for las, rarity in rows
    ]


def test_the_model_is_that_of_lme4(place: Path, result: Any) -> None:
    index = FindingIndex(result.findings)
    slope = index.get("las_slope", "mine", {"effect": "rarity"}, suite="treebanks")
    assert slope is not None
    rng = np.random.default_rng(3)
    levels = np.repeat(np.arange(8), 60)
    rows: dict[str, Any] = {"treebank": [f"t{level}" for level in levels], "rarity": rng.normal(4, 1, 480)}
    rows["length"] = rng.normal(4, 1, 480)
    rows["las"] = 80 - 2 * rows["rarity"] - rows["length"] + rng.normal(0, 3, 8)[levels] + rng.normal(0, 5, 480)
    formula = "las ~ rarity + length + (1 + rarity|treebank)"
    effect = fit_mixed(rows, formula).effect("rarity")  # lmer of lme4 1.1-31 says -1.909925 and 0.299931
    assert effect.estimate == pytest.approx(-1.909925, abs=1e-3)
    assert effect.se == pytest.approx(0.299931, rel=1e-2)


def test_tables_and_what_was_scored(result: Any) -> None:
    titles = [table.title for table in result.tables]
    assert "LAS of a sentence: mine" in titles
    assert "Dependency lengths of test, and in other orders" in titles
    assert any("LAS of each length" in title for title in titles)
    assert "|scores1:mine#" in result.signature


def slope_findings(slope: float, p: float, treebanks: int) -> FindingIndex:
    by = {"effect": "rarity"}
    return FindingIndex(
        [
            Finding("displacement", "c", "mine", "las_slope", slope, 900, slope - 1, slope + 1, by),
            Finding("displacement", "c", "mine", "las_slope_p", p, treebanks, by=by),
            Finding("displacement", "c", "mine", "las_slope_p_holm", 4 * p, treebanks, by=by),
        ]
    )


def test_the_verdict_speaks_by_rule() -> None:
    (verdict,) = model_verdicts(slope_findings(-3.0, 0.001, 25), "c", "mine")
    assert verdict.sure == "shown"
    assert verdict.text.startswith("mine scores less on sentences with displacements that are rare in training")
    (few,) = model_verdicts(slope_findings(-3.0, 0.001, 6), "c", "mine")
    assert few.sure == "suggested"
    (none,) = model_verdicts(slope_findings(-3.0, 0.4, 25), "c", "mine")
    assert (none.sure, none.text.startswith("Of mine it is not shown")) == ("not shown", True)
    assert list(model_verdicts(FindingIndex([]), "c", "mine")) == []
    assert [unfounded(told) for told in (verdict, few, none)] == [[], [], []]


def test_what_is_missing_or_other_is_told_and_the_rest_goes_on(place: Path, tmp_path: Path) -> None:
    read(place / "treebanks" / NAMES[0] / "x0-ud-test.conllu").write(tmp_path / "own" / f"{NAMES[0]}.conllu")
    read(place / "treebanks" / NAMES[0] / "x0-ud-test.conllu").write(tmp_path / "own" / f"{NAMES[1]}.conllu")
    result = gp.displacement(place / "treebanks", scores=[str(tmp_path / "own")], **SETTINGS)
    missing = result.details["not_parsed"]["own"]
    assert "not the sentences of the test set" in missing[NAMES[1]]
    assert missing[NAMES[2]] == "no parsed test set"
    assert [finding.value for finding in result.findings if finding.measure == "las" and not finding.by] == [100.0]
    assert result.failures["treebanks without a score"] == 5
    assert any("own: 1 treebanks with a score, 5 are needed" in reason for reason in result.details["undefined"])
    with pytest.raises(InputError, match="the table of scores cannot be read"):
        gp.displacement(place / "treebanks", scores=[str(tmp_path / "none")], **SETTINGS)
