"""`gardenpath treebank validate` and `convert`: what is printed where, and the exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gardenpath.cli.main import main

CASES = Path(__file__).parents[1] / "treebank" / "cases"


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["treebank", *map(str, arguments)])
    return int(ended.value.code or 0)


def case(id: str) -> Path:
    return CASES / f"{id}.conllu"


def test_no_problem_is_exit_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", case("perfect")) == 0
    assert "No problems" in capsys.readouterr().out


def test_errors_are_lines_then_a_summary_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", case("two-roots"), case("cycle"), case("perfect")) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == f"{case('two-roots')}:5: error two-roots [s1, token 3]: 2 words have HEAD 0: 2, 3"
    assert lines[1].startswith(f"{case('cycle')}:5: error cycle [s1, token 3]: ")
    assert "2 errors and 0 warnings in 3 files" in lines
    assert err == "2 errors\n"


def test_warnings_are_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", case("missing-upos")) == 0
    assert "warning missing-upos" in capsys.readouterr().out
    assert run("validate", case("missing-upos"), "--ignore", "warnings") == 0
    assert "missing-upos" not in capsys.readouterr().out.partition("signature")[0]


def test_json_has_findings_and_problems(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", case("cycle"), "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    (finding,) = found["findings"]
    assert (finding["measure"], finding["value"], finding["id"], finding["level"]) == ("problems", 1, "cycle", "error")
    assert finding["suite"] == str(case("cycle"))
    (problem,) = found["problems"]
    assert (problem["line"], problem["sent_id"], problem["token"]) == (5, "s1", "3")


def test_max_shows_some_of_each_id_and_counts_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.conllu").write_bytes(case("missing-sent-id").read_bytes() * 4)
    assert run("validate", tmp_path, "--limit", 3) == 1
    out = capsys.readouterr().out
    assert out.count(": error missing-sent-id") == 3
    assert "8 errors and 0 warnings in 2 files; 3 of them are shown" in out
    assert run("validate", tmp_path, "--limit", 0) == 1
    assert capsys.readouterr().out.count(": error missing-sent-id") == 8


def test_jobs_give_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", CASES) == 1
    alone = capsys.readouterr().out
    assert run("validate", CASES, "--jobs", 2) == 1
    assert capsys.readouterr().out == alone


def test_ignore_and_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", case("cycle"), "--ignore", "two-roots,cycle") == 0
    assert run("validate", case("cycle"), "--only", "two-roots", "--only", "no-root") == 0
    assert run("validate", case("cycle"), "--ignore", "cycel") == 2
    assert "did you mean cycle?" in capsys.readouterr().err


def test_list_shows_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    from gardenpath.treebank.validate.report import checks

    assert run("validate", "--list", "--format", "json") == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)["findings"]] == [one.id for one in checks()]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case("cycle").read_bytes())))
    assert run("validate", "-", "--jobs", 2) == 1
    assert capsys.readouterr().out.startswith("<stdin>:5: error cycle")


def test_a_file_that_cannot_be_read_is_exit_2_after_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.conllu.gz"
    broken.write_bytes(b"no gzip")
    assert run("validate", broken, case("cycle")) == 2
    out, err = capsys.readouterr()
    assert "error cycle" in out
    assert str(broken) in err
    assert run("validate", tmp_path / "none.conllu") == 2
    assert run("validate", "--limit", 3) == 2


def test_output_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", case("cycle"), "-o", tmp_path / "problems.txt") == 1
    assert capsys.readouterr().out == ""
    text = (tmp_path / "problems.txt").read_text()
    assert "error cycle" in text
    assert "1 error and 0 warnings in 1 file" in text


def test_nothing_in_a_message_can_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.conllu"
    path.write_bytes(b"# sent_id = \x1b[31m\x07\n1\x1b[2J\tx\n\n")
    assert run("validate", path) == 1
    assert all(line.isprintable() for line in capsys.readouterr().out.splitlines())


# ---- convert


def test_convert_tells_what_it_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "windows.conllu", tmp_path / "out" / "unix.conllu"
    path.write_bytes(b"\xef\xbb\xbf" + case("perfect").read_bytes().replace(b"\n", b"\r\n"))
    assert run("convert", path, "-o", target) == 2
    assert not target.exists()
    capsys.readouterr()
    assert run("convert", path, "--repair", "-o", target) == 0
    assert capsys.readouterr().err == "repaired: byte order mark (1)\nrepaired: carriage returns (20)\n"
    assert target.read_bytes() == case("perfect").read_bytes()


def test_convert_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("convert", case("perfect"), "--to", "text") == 0
    assert capfdbinary.readouterr().out == b"Cats sleep.\nEr geht zum Arzt und sie heim.\n"


@pytest.mark.parametrize(
    "wrong", [["--to", "xml"], ["--set", "feats=dots"], ["--set", "renumber_sent_ids=a b"], ["-o", "/dev/null/x"]]
)
def test_a_wrong_call_of_convert_is_exit_2(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", case("perfect"), *wrong) == 2
    assert capsys.readouterr().err.startswith("error: ")
