"""`gardenpath systems` in all formats."""

from __future__ import annotations

import json

import pytest

from gardenpath.cli import main as program


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        program.main(["systems", *arguments])
    assert ended.value.code in (0, None)
    return capsys.readouterr().out


@pytest.mark.parametrize("format", ["table", "tsv", "json", "markdown", "latex"])
def test_every_format_names_every_kind(capsys: pytest.CaptureFixture[str], format: str) -> None:
    text = shown(capsys, "--format", format)
    for kind in ("udpipe:", "stanza:", "spacy:", "natasha:", "udpipe-rest:", "conllu:", "command:", "baseline:"):
        assert kind in text


def test_what_is_missing_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    findings = json.loads(shown(capsys, "--format", "json"))["findings"]
    assert {finding["system"]: finding["value"] for finding in findings}["udpipe:MODEL"] == "yes"
    for finding in findings:
        assert (finding["value"] == "yes") == (finding["install"] == "")
        assert finding["value"] == "yes" or finding["install"].startswith("pip install ")
