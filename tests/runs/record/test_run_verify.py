"""Runs whose files were changed, cut, swapped, added or removed are refused, each with its message."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, InputError
from gardenpath.runs import Run
from gardenpath.runs.record.run import verify
from gardenpath.runs.result.observations import COLUMNS, Observations
from gardenpath.runs.result.result import Finding, Result, Table

RESULT = Result(
    "study:roles|version:1",
    [Finding("roles", "tiny", "mine", "las", 60.0, 10)],
    [Table("LAS", ("system", "las"), [("mine", 60.0)])],
)
TREES = {"gold": b"# gold\n", "mine": b"# mine\n"}


def opened(folder: Path) -> Run:
    return Run.open(folder, command="roles", inputs=[("gold", b"1")], seed=1)


def finish(run: Run) -> None:
    observations = Observations({**dict.fromkeys(COLUMNS, "x"), "seed": None, "value": [0.0, 1.0]})
    run.finish(RESULT, observations, TREES, {"phrases.jsonl": b"{}\n"})


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    with opened(folder) as run:
        finish(run)
    Run.load(folder).add_page("<html></html>")
    return folder


@pytest.fixture
def run(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "run")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def edit_record(folder: Path, change: Callable[[dict[str, object]], object]) -> None:
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    change(record)
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")


def changed(folder: Path) -> None:
    edit(folder / "result.json", '"value": 60.0', '"value": 99.9')


def longer(folder: Path) -> None:
    edit(folder / "observations.tsv", "1.0\n", "1.0\n" + "x\t" * 8 + "0.5\n")


def cut(folder: Path) -> None:
    path = folder / "observations.tsv"
    path.write_bytes(path.read_bytes()[:-4])


def emptied(folder: Path) -> None:
    (folder / "trees" / "02-mine.conllu").write_bytes(b"")


def swapped(folder: Path) -> None:
    first, second = folder / "trees" / "01-gold.conllu", folder / "trees" / "02-mine.conllu"
    gold, mine = first.read_bytes(), second.read_bytes()
    first.write_bytes(mine)
    second.write_bytes(gold)


def added(folder: Path) -> None:
    (folder / "trees" / "03-yours.conllu").write_bytes(b"")


def removed(folder: Path) -> None:
    (folder / "phrases.jsonl").unlink()


def link_to_a_device(folder: Path) -> None:
    (folder / "phrases.jsonl").unlink()
    (folder / "phrases.jsonl").symlink_to("/dev/zero")


def other_page(folder: Path) -> None:
    (folder / "report.html").write_text("<html>99.9</html>", encoding="utf-8")


def list_shortened(folder: Path) -> None:
    """Not in the list, not checked? Then it does not belong here."""
    changed(folder)
    edit_record(folder, lambda record: record["files"].pop("result.json"))  # type: ignore[attr-defined]


def called_unfinished(folder: Path) -> None:
    """Where nothing is finished no sum is noted: but then nothing is read either."""
    changed(folder)
    edit_record(folder, lambda record: record.update(state="running"))


def cut_record(folder: Path) -> None:
    path = folder / "run.json"
    path.write_bytes(path.read_bytes()[:-10])


def no_list(folder: Path) -> None:
    edit_record(folder, lambda record: record.update(files=["result.json"]))


CHANGED = r"this file was changed after the run was finished \(SHA-256 [0-9a-f]{8}…, noted as [0-9a-f]{8}…\)"
CASES = {
    changed: rf"result\.json: {CHANGED}\n  put back",
    longer: rf"observations\.tsv: {CHANGED}",
    cut: rf"observations\.tsv: {CHANGED}",
    emptied: rf"02-mine\.conllu: {CHANGED}",
    swapped: rf"01-gold\.conllu: {CHANGED} \(1 more: ",
    added: r"trees/03-yours\.conllu: this file was added after the run was finished\n  move it out",
    removed: r"phrases\.jsonl: this file of the run is gone\n  put back",
    link_to_a_device: r"phrases\.jsonl: this file of the run is gone",
    other_page: r"report\.html: this file was changed",
    list_shortened: r"result\.json: this file was added",
    no_list: r"run\.json: the record does not list the files",
}


@pytest.mark.parametrize("harm", CASES, ids=lambda harm: harm.__name__)
def test_a_run_that_is_not_as_it_was_finished_is_refused(run: Path, harm: Callable[[Path], None]) -> None:
    harm(run)
    with pytest.raises(InputError, match=CASES[harm]):
        Run.load(run)
    assert re.search(CASES[harm].partition(r" \(1 more")[0], str(verify(run)[0]))


def test_what_is_not_finished_gives_no_result(run: Path) -> None:
    called_unfinished(run)
    with pytest.raises(InputError, match="not finished"):
        Run.load(run).result()
    with pytest.raises(InputError, match="not finished"):
        Run.load(run).observations()
    assert not Run.load(run).has_observations
    assert Run.load(run).attached("phrases.jsonl") is None
    assert "not finished" in verify(run)[0].what


def test_a_cut_record_is_refused(run: Path) -> None:
    cut_record(run)
    with pytest.raises(
        InputError, match=r"run\.json: the record of this run is damaged, it is not JSON .*\n  put back"
    ):
        Run.load(run)


def test_what_does_not_matter_is_not_refused(run: Path) -> None:
    """Hidden files of a desktop, pieces and the lock of a process that was killed, and how the record is laid out."""
    (run / ".DS_Store").touch()
    (run / "trees" / ".thumbs").touch()
    (run / "parts").mkdir()
    (run / "parts" / "00").touch()
    (run / "run.lock").touch()
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(dict(reversed(record.items()))), encoding="utf-8")
    loaded = Run.load(run)
    assert loaded.result().findings[0].value == 60.0
    assert loaded.observations()["value"].to_list() == [0.0, 1.0]


def test_the_record_has_the_hash_of_every_file(run: Path) -> None:
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    names = {path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()}
    assert set(record["files"]) == names - {"run.json"}
    for name, entry in record["files"].items():
        content = (run / name).read_bytes()
        assert entry == {"sha256": sha256(content).hexdigest(), "size": len(content)}
    assert verify(run) == []


def test_all_problems_are_told(run: Path) -> None:
    changed(run)
    cut(run)
    added(run)
    assert [(Path(problem.where).name, problem.what.split()[3]) for problem in verify(run)] == [
        ("result.json", "changed"), ("observations.tsv", "changed"), ("03-yours.conllu", "added"),
    ]  # fmt: skip


def test_a_finished_run_that_was_changed_is_not_read_when_its_command_is_called_again(run: Path) -> None:
    changed(run)
    with pytest.raises(InputError, match=r"result\.json: this file was changed"):
        opened(run)


def test_a_run_of_which_a_file_went_is_done_again(run: Path) -> None:
    removed(run)
    changed(run)
    with opened(run) as record:
        assert not record.finished
        finish(record)
        assert record.result().findings[0].value == 60.0
    assert not (run / "report.html").exists()
    assert Run.load(run).finished


def test_a_page_that_was_written_and_not_listed_is_written_again(run: Path) -> None:
    """Killed in between: the lock is still there. Readers leave the page alone, the next command takes it away."""
    edit_record(run, lambda record: record["files"].pop("report.html"))  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"report\.html: this file was added"):
        Run.load(run)
    (run / "run.lock").touch()
    assert Run.load(run).finished
    assert opened(run).finished
    assert sorted(path.name for path in run.iterdir() if path.is_file()) == [
        "observations.tsv", "phrases.jsonl", "result.json", "run.json",
    ]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read(run: Path) -> None:
    (run / "result.json").chmod(0)
    with pytest.raises(GardenpathError, match="cannot be read"):
        Run.load(run)


def test_each_file_is_read_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    real = Path.open

    def counting(self: Path, *args: object, **options: object) -> object:
        opened.append(self.name)
        return real(self, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", counting)
    loaded = Run.load(run)
    loaded.result()
    loaded.observations()
    loaded.result()
    assert sorted(opened) == sorted(path.name for path in run.rglob("*") if path.is_file())
