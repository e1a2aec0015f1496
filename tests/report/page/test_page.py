"""The page as a file: complete in itself, small, and closed to scripts that are not its own."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gardenpath.cli.main import main
from gardenpath.errors import GardenpathError
from gardenpath.report.page.contents import contents
from gardenpath.report.page.page import assemble, page
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Result, Table
from gardenpath.runs.result.verdict import SURENESS

EVIL = "</script><script>window.evil=1</script><img src=x onerror=window.evil=1>\"'`&\u202e\x07"


class Reader(HTMLParser):
    """The elements of a page with their attributes, and the text of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


def packed_blocks(reader: Reader) -> dict[str, bytes]:
    """What is packed in a page, in the order in which it is unpacked."""
    elements = [attributes for tag, attributes in reader.tags if tag == "script"]
    return {
        str(attributes["id"]): gzip.decompress(base64.b64decode(script))
        for attributes, script in zip(elements, reader.scripts, strict=True)
        if attributes
    }


def read_page(text: str) -> tuple[Reader, dict[str, Any]]:
    """The elements of a page, and what is packed in it; sentences and observations in the run they belong to."""
    reader = Reader()
    reader.feed(text)
    blocks = packed_blocks(reader)
    data: dict[str, Any] = json.loads(blocks["data"])
    for number, run in enumerate(data["runs"]):
        run.update(json.loads(blocks.get(f"items-{number}", b"{}")))
    data["chart script"] = blocks.get("charts", b"").decode()
    return reader, data


def test_what_the_first_screen_shows_comes_before_sentences_and_charts(several: list[Run]) -> None:
    reader, _ = read_page(page(several))
    blocks = packed_blocks(reader)
    assert list(blocks) == ["data", "items-0", "items-1", "items-2", "charts"]
    runs = json.loads(blocks["data"])["runs"]
    assert [bool(run["verdicts"]) for run in runs] == [True, True, True, False]
    assert not any({"sentences", "observations"} & set(run) for run in runs)
    assert runs[1]["columns"] == list(json.loads(blocks["items-1"])["observations"]["columns"])


def test_the_page_holds_the_run(evaluated: Run) -> None:
    _, data = read_page(page([evaluated]))
    run = data["runs"][0]
    result = evaluated.result()
    assert len(run["findings"]) == len(result.findings)
    assert run["provenance"]["signature"] == result.signature
    assert len(run["sentences"]["ids"]) == 100
    assert set(run["sentences"]["systems"]) == {"baseline:nearest-head", "baseline:right-branching"}
    assert run["observations"]["rows"] == len(evaluated.observations())
    assert [figure["name"] for figure in run["figures"]][:2] == ["evaluation-length", "evaluation-distance"]
    assert data["title"] == "baselines"


def test_nothing_is_loaded_and_only_its_own_scripts_run(evaluated: Run) -> None:
    text = page([evaluated])
    reader, data = read_page(text)
    assert [a for _, a in reader.tags if {"src", "href"} & set(a)] == [{"class": "skip", "href": "#main"}]
    policy = next(a["content"] for t, a in reader.tags if t == "meta" and "http-equiv" in a)
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert re.search(r"script-src ('sha256-[^']+'\s?)+;", policy)
    (own,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert "vega" in data["chart script"]
    for script in (own, data["chart script"]):
        wanted = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{wanted}'" in policy


def test_text_of_data_is_never_markup() -> None:
    text = assemble(EVIL, {"version": EVIL, "title": EVIL, "runs": [{"name": EVIL, "figures": []}]})
    reader, data = read_page(text)
    assert data["runs"][0]["name"] == EVIL
    assert [tag for tag, _ in reader.tags if tag in ("img", "iframe", "object")] == []
    assert len(reader.scripts) == 2
    assert "window.evil" not in "".join(reader.scripts[1:])


def test_too_many_sentences_are_counted(evaluated: Run) -> None:
    found = contents(evaluated, most=10)["sentences"]
    assert (len(found["ids"]), found["left_out"]) == (10, 90)
    assert all(len(one["heads"]) == 10 for one in found["systems"].values())


def test_columns_that_say_nothing_are_left_out_and_numbers_are_as_the_table_has_them(tmp_path: Path) -> None:
    rows = [["r", None, 1.0, [0.5, 2.0]], ["s", None, 2.26, None]]
    table = Table("T", ["a", "none", "x", "95 %"], rows, digits=1, kinds=["", "", "", "interval"])
    with Run.open(tmp_path / "run", command="other") as run:
        run.finish(Result("none", [Finding("other", "", "", "x", 1.0)], [table, Table("empty", ["a"], [])]))
    (shown,) = contents(Run.load(tmp_path / "run"))["tables"]
    assert shown["columns"] == ["a", "x", "95 %"]
    assert shown["rows"] == [["r", "1.0", "[0.5, 2.0]"], ["s", "2.3", ""]]
    assert shown["numeric"] == [False, True, True]


def test_verdicts_lead_to_the_findings_that_they_rest_on(several: list[Run]) -> None:
    run = contents(several[1])
    assert run["verdicts"]
    for verdict, shown in zip(several[1].result().verdicts, run["verdicts"], strict=True):
        assert shown["meaning"] == SURENESS[verdict.sure]
        assert [run["findings"][number] for number in shown["rests_on"]] == [
            finding.flat() for finding in verdict.rests_on
        ]


def test_runs_of_one_name_have_addresses_of_their_own(tmp_path: Path) -> None:
    runs = []
    for folder in ("a/run", "b/run", "c/how"):
        with Run.open(tmp_path / folder, command="other") as run:
            run.finish(Result("none", [Finding("other", "", "", "x", 1.0)]))
        runs.append(Run.load(tmp_path / folder))
    _, data = read_page(page(runs))
    assert [run["address"] for run in data["runs"]] == ["run", "run-2", "how-2"]


def test_two_pages_of_one_run_are_the_same(evaluated: Run) -> None:
    assert page([evaluated]) == page([evaluated])


def test_the_command(evaluated: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out" / "page.html"
    with pytest.raises(SystemExit) as ended:
        main(["report", str(evaluated.folder), "-o", str(target), "--title", "Two & one"])
    assert not ended.value.code
    with pytest.raises(SystemExit) as ended:
        main(["report", str(evaluated.folder), "--to", "figures", "-o", str(tmp_path)])
    assert not ended.value.code
    assert "<title>Two &amp; one</title>" in target.read_text("utf-8")
    assert (tmp_path / "evaluation-length.svg").is_file()
    assert "page.html" in capsys.readouterr().err


@pytest.mark.parametrize("made", ["nothing", "unfinished"])
def test_what_is_no_finished_run(tmp_path: Path, made: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    if made == "unfinished":
        Run.open(folder, command="evaluate").close()
    with pytest.raises(SystemExit) as ended:
        main(["report", str(folder), "-o", str(tmp_path / "page.html")])
    assert ended.value.code == 2
    assert ("holds no run" if made == "nothing" else "not finished") in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_a_record_cannot_point_outside_its_folder(evaluated: Run) -> None:
    record = {
        **evaluated.record,
        "trees": {"gold": "../../secret.conllu", "x": "/etc/passwd", "y": "trees/../a.conllu"},
    }
    assert Run(evaluated.folder, record, None).trees() == {}


def test_no_runs() -> None:
    with pytest.raises(GardenpathError, match="no run"):
        page([])


def test_charts_are_bundled_once_for_all_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import vl_convert

    from gardenpath.report.page import page as module

    calls: list[int] = []
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path))
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda: calls.append(1) or "charts")
    charts = module._charts.__wrapped__  # as a new process has it
    assert charts() == charts() == "charts"
    assert len(calls) == 1
