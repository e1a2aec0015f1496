"""The EDV paper's numbers over the treebanks of the shared folder, and those that follow from its own tables."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy import stats

from gardenpath.cli.main import main
from gardenpath.errors import InputError, UsageError
from gardenpath.studies.displacement.collection import MeasuredCollection
from gardenpath.studies.reproduction import PAPERS, Line, reproduce
from gardenpath.studies.reproduction.coefficients import coefficients, lines_of_rho
from gardenpath.studies.reproduction.edv import SCORES, TREEBANKS, lines
from gardenpath.studies.reproduction.edv_study import of_release
from gardenpath.studies.reproduction.paper import published


@pytest.fixture(scope="module")
def found(shared: Path) -> list[Line]:
    return lines({TREEBANKS: shared / "ud", SCORES: shared / "published"}.__getitem__)


def by_row(found: list[Line], table: str, system: str = "") -> dict[tuple[str, str], Line]:
    return {(line.row, line.measure): line for line in found if line.table == table and line.system == system}


def test_verdicts(found: list[Line]) -> None:
    assert Counter(line.verdict for line in found) == {
        "equal": 187, "differs": 10, "other data": 275, "not computed": 71,
    }  # fmt: skip
    assert all(line.why for line in found if line.verdict in ("differs", "not computed", "other data"))


def test_the_example_of_the_paper(found: list[Line]) -> None:
    edv = by_row(found, "Section 3: EDV")
    assert edv["Marathi-UFAL", "edv_heights"].ours == pytest.approx(0.0044, abs=5e-5)
    assert edv["Marathi-UFAL, Equation 2", "edv"].ours == pytest.approx(0.317, abs=5e-4)
    assert "in tokens" in edv["Marathi-UFAL, Equation 2", "edv"].why
    assert edv["Catalan-AnCora", "edv_heights"].verdict == "not computed"
    assert by_row(found, "Section 3: counts")["Marathi-UFAL by EDV, 1 is the largest", "rank"].ours == 1
    las = by_row(found, "Section 3: LAS", "UDPipe 2.0")
    assert {row: line.verdict for (row, _), line in las.items()} == {"Marathi-UFAL": "equal", "Catalan-AnCora": "equal"}


def test_ours_are_those_of_the_collection_study(found: list[Line]) -> None:
    table2 = by_row(found, "Table 2", "UDPipe 1.2")
    assert table2["EDV heights", "spearman"].ours == pytest.approx(-0.714, abs=5e-4)
    assert table2["train tokens", "spearman"].ours == pytest.approx(0.643, abs=5e-4)
    table4 = by_row(found, "Table 4", "UDPipe 2.0")
    assert table4["held constant: train tokens, test length", "spearman"].ours == pytest.approx(-0.209, abs=5e-4)
    fit = by_row(found, "Table 5: fit", "UDPipe 2.0")
    assert fit["log train tokens + test length + EDV heights", "model_r2_adjusted"].ours == pytest.approx(
        0.503, abs=5e-4
    )


def test_signs_are_counted(found: list[Line]) -> None:
    signs = {
        line.row: (line.published, line.ours) for line in found if line.table == "Signs of ρ" and "1.2" in line.system
    }
    assert signs == {
        "Table 2": ("8", 7), "Table 3": ("7", 7), "Table B.1": ("2", 1), "Figures 7, 8, A.3 and A.6": ("3", 3),
        "Table 4": ("3", 3), "Table 6": ("6", 4),
    }  # fmt: skip


def test_the_experiment_is_named_where_it_is_needed(found: list[Line]) -> None:
    needed = [line for line in found if line.table in ("Section 6.2", "Table 7")]
    assert len(needed) == 18
    assert all(line.ours is None and "displacement experiment" in line.why for line in needed)


def test_what_a_printed_rho_makes() -> None:
    made = list(lines_of_rho(coefficients(published("edv"))))
    assert Counter(line.verdict for line in made) == {"equal": 183, "differs": 9}
    wrong = {line.row for line in made if line.verdict == "differs" and "Table 6" in line.row}
    assert wrong == {"Table 6, complex, held constant: train tokens: ρ -0.466, n 47"}
    assert any("ρ² is that of -0.428" in line.why for line in made)


def test_p_and_interval_of_a_printed_rho_against_scipy() -> None:
    """Table 4, train tokens held constant: 94 treebanks, so 91 degrees of freedom."""
    rho, free = -0.265, 91
    made = {line.measure: line.ours for line in lines_of_rho(coefficients(published("edv"))) if "ρ -0.265" in line.row}
    t = rho * math.sqrt(free / (1 - rho**2))
    assert made["spearman_p"] == pytest.approx(2 * stats.t.sf(abs(t), free))
    half = stats.norm.ppf(0.975) / math.sqrt(93 - 3)
    assert made["spearman_low"] == pytest.approx(math.tanh(math.atanh(rho) - half))
    assert made["spearman_high"] == pytest.approx(math.tanh(math.atanh(rho) + half))


def test_the_mean_spread_of_table_d1_is_not_what_the_text_says(found: list[Line]) -> None:
    spread = by_row(found, "Appendix D: standard deviation in per cent of the mean")
    line = spread["mean, of Table D.1", "per cent"]
    assert (line.published, line.verdict) == ("5.6", "differs")
    assert line.ours == pytest.approx(9.7, abs=0.05)
    assert "its mean EDV is 5.6" in line.why


def test_the_release_of_the_paper_is_taken_where_it_is_here() -> None:
    names = ["UD_A-B", "UD_A-B@r2.5", "UD_A-B@r2.7", "UD_C-D", "UD_C-D@r2.6", "UD_E-F@r1.4"]
    found = MeasuredCollection("ud", {name: {} for name in names})
    assert list(of_release(found, "2.5").measured) == ["UD_A-B@r2.5", "UD_C-D", "UD_E-F@r1.4"]
    assert list(of_release(found, "2.6").measured) == ["UD_A-B", "UD_C-D@r2.6", "UD_E-F@r1.4"]


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
    assert edv["Marathi-UFAL", "edv_heights"].verdict == "differs"
    assert edv["Marathi-UFAL, Equation 2", "edv"].verdict == "differs"


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


def test_the_command(shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "edv", "--format", "json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert len(told["findings"]) == 543
    assert "edv-draws:0|edv-samples:20|edv-seed:0|data:ud-collection#" in told["signature"]


def test_data_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "edv"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "ud-collection cannot be fetched" in told
    assert "gardenpath data get ud:Tamil-TTB@2.5" in told
