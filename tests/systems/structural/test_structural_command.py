"""`gardenpath train rnng|plm` and what can be done with the model, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.cli.main import main


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(one) for one in arguments])
    return int(stop.value.code or 0)


@pytest.mark.parametrize("kind", ["rnng", "plm"])
def test_train_then_score(kind: str, trees_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, text = tmp_path / "model", tmp_path / "text.txt"
    quick = ("--preset", "tiny", "--option", "hidden=8", "--option", "epochs=1")
    assert call("train", kind, trees_file, "--dev", trees_file, "-o", folder, *quick) == 0
    told = capsys.readouterr().err
    assert "unlabelled F1" in told
    assert "joint perplexity" in told
    text.write_text("the dog sleeps\n", encoding="utf-8")
    assert call("score", f"{kind}:{folder}", text) == 0
    assert "sleeps" in capsys.readouterr().out


def test_several_seeds(trees_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ("--preset", "tiny", "--option", "hidden=8", "--option", "epochs=1", "--seeds", 2)
    assert call("train", "rnng", trees_file, "-o", tmp_path / "all", *quick) == 0
    assert sorted(one.name for one in (tmp_path / "all").iterdir()) == ["seed-0", "seed-1"]
    assert call("train", "rnng", trees_file, "-o", tmp_path / "x", "--option", "width=8") == 2
    assert "width" in capsys.readouterr().err
