"""The EDV paper's numbers over the treebanks of the shared folder, and those that follow from its own tables."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from calls import Capture
from gardenpath.cli.main import main
from gardenpath.errors import InputError, UsageError
from gardenpath.stats.hypothesis_tests import shapiro_p
from gardenpath.studies.displacement.collection import MeasuredCollection
from gardenpath_papers.edv import SCORES, TREEBANKS, coefficients, lines, lines_of_rho, of_release
from gardenpath_papers.ledger import Line
from gardenpath_papers.paper import PAPERS, published, reproduce


@pytest.fixture(scope="module")
def found(ledger_of: Callable[[str], list[Line]]) -> list[Line]:
    return ledger_of("edv")


def by_row(found: list[Line], table: str, system: str = "", basis: str = "") -> dict[tuple[str, str], Line]:
    return {
        (line.row, line.measure): line
        for line in found
        if line.table == table and line.system == system and basis in ("", line.basis)
    }


def test_verdicts(found: list[Line]) -> None:
    assert Counter((line.kind, line.verdict, line.outcome) for line in found if line.kind != "check") == {
        ("cell", "arithmetic", "equal"): 253, ("cell", "arithmetic", "differs"): 10, ("cell", "other data", ""): 115,
        ("cell", "published input", ""): 58, ("cell", "impossible here", ""): 16, ("again", "other data", ""): 193,
        ("text", "arithmetic", "equal"): 1, ("text", "arithmetic", "differs"): 1, ("text", "other data", ""): 14,
        ("text", "published input", "equal"): 2, ("text", "impossible here", ""): 8,
    }  # fmt: skip
    assert all(line.why for line in found if line.outcome == "differs" or line.verdict not in ("arithmetic",))


def test_the_example_of_the_paper(found: list[Line]) -> None:
    edv = by_row(found, "Section 3: EDV")
    assert edv["Marathi-UFAL", "edv_heights"].ours == pytest.approx(0.0044, abs=5e-5)
    assert edv["Marathi-UFAL, Equation 2", "edv"].ours == pytest.approx(0.317, abs=5e-4)
    assert "in tokens" in edv["Marathi-UFAL, Equation 2", "edv"].why
    assert edv["Catalan-AnCora", "edv_heights"].verdict == "impossible here"
    assert by_row(found, "Section 3: counts")["Marathi-UFAL by EDV, 1 is the largest", "rank"].ours == 1
    las = by_row(found, "Section 3: LAS", "UDPipe 2.0")
    assert {(row, line.verdict, line.outcome) for (row, _), line in las.items()} == {
        ("Marathi-UFAL", "published input", "equal"), ("Catalan-AnCora", "published input", "equal"),
    }  # fmt: skip


def test_ours_are_those_of_the_collection_study(found: list[Line]) -> None:
    table2 = by_row(found, "Table 2", "UDPipe 1.2", "other data")
    assert table2["EDV heights", "spearman"].ours == pytest.approx(-0.714, abs=5e-4)
    assert table2["train tokens", "spearman"].ours == pytest.approx(0.643, abs=5e-4)
    table4 = by_row(found, "Table 4", "UDPipe 2.0", "other data")
    assert table4["held constant: train tokens, test length", "spearman"].ours == pytest.approx(-0.209, abs=5e-4)
    fit = by_row(found, "Table 5", "UDPipe 2.0", "other data")
    assert fit["log train tokens + test length + EDV heights", "model_r2_adjusted"].ours == pytest.approx(
        0.503, abs=5e-4
    )


def test_signs_are_counted(found: list[Line]) -> None:
    signs = {
        line.row: (line.published, line.ours) for line in found if line.table == "Signs of ρ" and "1.2" in line.system
    }
    assert signs == {
        "Table 2": ("8", 7), "Table 3": ("7", 7), "Table B.1": ("2", 1), "Table 4": ("3", 3),
        "Table 6": ("6", 4), "Section 4.2.2": ("1", 1), "Figure 7": ("2", 2), "Figure A.6": ("3", 3),
    }  # fmt: skip


def test_the_experiment_is_named_where_it_is_needed(found: list[Line]) -> None:
    needed = [line for line in found if "displacement experiment" in line.why]
    assert Counter((line.table, line.verdict) for line in needed) == {
        ("Section 6.2", "impossible here"): 4, ("Figure 12", "impossible here"): 2, ("Figure 13", "impossible here"): 2,
        ("Table 7, caption", "impossible here"): 6, ("Table 7", "published input"): 10,
    }  # fmt: skip
    assert all(line.ours is None for line in needed)


def test_what_a_printed_rho_makes() -> None:
    made = list(lines_of_rho(coefficients(published("edv"))))
    assert {line.verdict for line in made} == {"arithmetic"}
    numbers = [line for line in made if line.bound is None and line.table.startswith("Table")]
    assert sum(line.outcome == "differs" for line in numbers) == 9
    assert all(line.outcome == "equal" for line in made if line.bound is not None)
    wrong = {line.row for line in made if line.outcome == "differs" and line.table == "Table 6"}
    assert wrong == {"complex, held constant: train tokens"}
    assert any("ρ² is that of -0.428" in line.why for line in made)


def test_p_follows_from_w(found: list[Line]) -> None:
    made = [line for line in found if line.table == "Table 1" and line.verdict == "arithmetic"]
    assert Counter((line.measure, line.outcome) for line in made) == {
        ("shapiro_p", "equal"): 12,
        ("normal", "equal"): 12,
    }
    values = np.random.default_rng(3).exponential(size=94) ** 0.6
    w, p = stats.shapiro(values)
    assert shapiro_p(w, 94) == pytest.approx(p, rel=1e-6)
    with pytest.raises(UsageError, match="below 12 values"):
        shapiro_p(0.9, 11)


def test_p_and_interval_of_a_printed_rho_against_scipy() -> None:
    """Table 4, train tokens held constant: 94 treebanks, so 91 degrees of freedom."""
    rho, free = -0.265, 91
    made = {
        line.measure: line.ours
        for line in lines_of_rho(coefficients(published("edv")))
        if (line.table, line.system, line.row) == ("Table 4", "UDPipe 1.2", "held constant: train tokens")
    }
    t = rho * math.sqrt(free / (1 - rho**2))
    assert made["spearman_p"] == pytest.approx(2 * stats.t.sf(abs(t), free))
    half = stats.norm.ppf(0.975) / math.sqrt(93 - 3)
    assert made["spearman_low"] == pytest.approx(math.tanh(math.atanh(rho) - half))
    assert made["spearman_high"] == pytest.approx(math.tanh(math.atanh(rho) + half))


def test_the_mean_spread_of_table_d1_is_not_what_the_text_says(found: list[Line]) -> None:
    line = by_row(found, "Table D.1, caption", basis="arithmetic")["mean", "per cent"]
    assert (line.published, line.outcome) == ("5.6", "differs")
    assert line.ours == pytest.approx(9.7, abs=0.05)
    assert "its mean EDV is 5.6" in line.why


def test_the_release_of_the_paper_is_taken_where_it_is_here() -> None:
    names = ["UD_A-B", "UD_A-B@r2.5", "UD_A-B@r2.7", "UD_C-D", "UD_C-D@r2.6", "UD_E-F@r1.4"]
    collection = MeasuredCollection("ud", {name: {} for name in names})
    assert list(of_release(collection, "2.5").measured) == ["UD_A-B@r2.5", "UD_C-D", "UD_E-F@r1.4"]
    assert list(of_release(collection, "2.6").measured) == ["UD_A-B", "UD_C-D@r2.6", "UD_E-F@r1.4"]


@pytest.fixture
def made(samples: Path, tmp_path: Path) -> Callable[..., Callable[[str], Path]]:
    """A mirror with the bundled treebank under these names, and a score for each."""

    def mirror(*names: str) -> Callable[[str], Path]:
        sentences = (samples / "de_garden-train.conllu").read_text(encoding="utf-8").strip("\n").split("\n\n")
        for number, name in enumerate(names):
            folder = tmp_path / "ud" / f"UD_{name}"
            folder.mkdir(parents=True)
            for side, part in (("train", sentences[: 40 + 9 * number]), ("test", sentences[200 + 5 * number : 240])):
                (folder / f"x-ud-{side}.conllu").write_text("\n\n".join(part) + "\n\n", encoding="utf-8")
        rows = [f"{name.partition('@')[0]}\t{60 + 7 * number % 11}" for number, name in enumerate(names)]
        (tmp_path / "published").mkdir()
        for file in ("udpipe1.2_ud2.5_goldtok.tsv", "udpipe2_ud2.6_goldtok.tsv"):
            (tmp_path / "published" / file).write_text("treebank\tlas\n" + "\n".join(rows) + "\n", encoding="utf-8")
        return {TREEBANKS: tmp_path / "ud", SCORES: tmp_path / "published"}.__getitem__

    return mirror


def test_a_treebank_of_the_release_is_the_same_data(made: Callable[..., Callable[[str], Path]]) -> None:
    """Under the paper's name and release, other sentences are a difference and nothing less."""
    found = lines(made("Marathi-UFAL@r2.6", "A-A", "B-B", "C-C", "D-D", "E-E"))
    edv = by_row(found, "Section 3: EDV")
    for line in (edv["Marathi-UFAL", "edv_heights"], edv["Marathi-UFAL, Equation 2", "edv"]):
        assert (line.verdict, line.outcome) == ("recomputed", "differs")


def test_too_few_treebanks(made: Callable[..., Callable[[str], Path]]) -> None:
    with pytest.raises(InputError, match=r"2 treebanks that UDPipe 1\.2 has scores for, too few") as caught:
        lines(made("A-A", "B-B"))
    assert "ud:Tamil-TTB@2.5" in caught.value.todo


def test_of_several_papers_one_without_data_is_left_out(made: Callable[..., Callable[[str], Path]]) -> None:
    here = made("A-A", "B-B", "C-C", "D-D", "E-E")

    def data(name: str) -> Path:
        if name not in (TREEBANKS, SCORES):
            raise UsageError(f"{name} is not on this machine")
        return here(name)

    result = reproduce([PAPERS["sorts"], PAPERS["edv"]], data)
    assert {one.suite for one in result.findings} == {"edv"}
    assert result.failures == {"papers without data": 1}
    assert result.tables[-1].rows == [("sorts", "sorts@2020 is not on this machine")]
    assert "papers:edv|" in result.signature
    with pytest.raises(UsageError, match="sorts@2020 is not on this machine"):
        reproduce([PAPERS["sorts"]], data)


def test_the_command(found: list[Line], shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    monkeypatch.setattr("gardenpath_papers.edv.lines", lambda data: found)  # computed once
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "edv", "--format", "json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert Counter(finding["kind"] for finding in told["findings"])["cell"] == 452
    assert "edv-draws:0|edv-samples:20|edv-seed:0|data:ud-collection#" in told["signature"]


def test_data_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "edv"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "ud-collection cannot be fetched" in told
    assert "gardenpath data get ud:Tamil-TTB@2.5" in told
