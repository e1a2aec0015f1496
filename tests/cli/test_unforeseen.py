"""What nobody foresaw ends in one sentence, a report in a file, and exit code 70; Ctrl-C during imports in one word."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.cli import main as program


def broken(number: int = 3) -> None:
    raise ZeroDivisionError(f"by {number}\nand more")


def test_one_sentence_a_report_and_exit_70(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        program.guarded(broken)(number=5)
    assert ended.value.code == 70
    (report,) = (tmp_path / "reports").iterdir()
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert shown.startswith("error: an unforeseen ZeroDivisionError: by 5 and more; ")
    assert str(report) in shown
    text = report.read_text("utf-8")
    assert text.startswith(f"gardenpath {program.__version__}, Python {sys.version.split()[0]}")
    assert "in broken" in text
    assert "ZeroDivisionError: by 5\nand more" in text


def test_where_no_report_can_be_written_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "file"))
    with pytest.raises(SystemExit) as ended:
        program.guarded(broken)()
    assert ended.value.code == 70
    assert "the full report could not be written" in capsys.readouterr().err


def test_also_before_a_command_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path))
    monkeypatch.setattr(program, "build", lambda *names, listed: broken())
    with pytest.raises(SystemExit) as ended:
        program.main(["systems"])
    assert ended.value.code == 70


def test_interrupted_imports_end_in_one_word() -> None:
    code = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from gardenpath.__main__ import start\n"
        "start()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "stopped\n")
