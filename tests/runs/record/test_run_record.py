"""Records of runs and signatures; runs whose files were changed, cut, swapped, added or removed are refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath._version import __version__
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.runs import Run
from gardenpath.runs.record.run import verify
from gardenpath.runs.record.signatures import digest, pairs_of, short, signature
from gardenpath.runs.result.observations import COLUMNS, Observations
from gardenpath.runs.result.result import Finding, Result, Table

HERE = Path(__file__).parent
RESULT = Result(
    "roles|version:1",
    [Finding("roles", "tiny", "baseline", "LAS", float("nan"), n=np.int64(3), by={"order": "SVO"})],
    [Table("LAS by order!", ("order", "LAS"), [("SVO\t", 1 / 3), ("OVS", None)])],
    failures={"no tree": 2},
)


def opened(folder: Path, **other: Any) -> Run:
    call: dict[str, Any] = {
        "command": "roles",
        "settings": {"level": 0.95},
        "inputs": [("gold", b"1\tEr\n")],
        "seed": 7,
        **other,
    }
    return Run.open(folder, **call)


def observations() -> Observations:
    return Observations({**dict.fromkeys(COLUMNS, "x"), "seed": 7, "value": np.array([0.5, 1.0])})


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_a_finished_run_holds_all_it_should(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with opened(folder) as run:
        assert not run.finished
        assert run.store_part("one", {"a": 1}) == {"a": 1}
        run.finish(RESULT, observations())
    assert sorted(path.name for path in folder.iterdir()) == ["observations.tsv", "result.json", "run.json", "tables"]
    record = json.loads((folder / "run.json").read_text())
    assert record["state"] == "finished"
    assert record["inputs"] == [{"name": "gold", "size": 5, "sha256": sha256(b"1\tEr\n").hexdigest()}]
    assert record["signature"] == "roles|version:1"
    assert record["failures"] == {"no tree": 2}
    assert record["seed"] == 7
    assert {"gardenpath", "numpy"} <= record["versions"].keys()
    assert (folder / "tables" / "01-las-by-order.tsv").read_text() == (
        "order\tLAS\nSVO\\t\t0.3333333333333333\nOVS\t\n"
    )
    loaded = Run.load(folder)
    assert loaded.finished
    assert loaded.result().findings[0].value is None  # JSON has no NaN
    assert loaded.result().findings[0].n == 3
    assert loaded.observations()["value"].to_list() == [0.5, 1.0]


def test_a_finished_run_is_not_done_again(tmp_path: Path) -> None:
    with opened(tmp_path) as run:
        run.finish(RESULT)
    again = opened(tmp_path)
    assert again.finished
    with pytest.raises(UsageError, match="finished"):
        again.finish(RESULT)
    (tmp_path / "result.json").unlink()
    with opened(tmp_path) as repaired:
        assert not repaired.finished


def test_same_inputs_and_settings_same_id(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_bytes(b"1\tEr\n")
    first, moved = opened(tmp_path / "a"), opened(tmp_path / "b", inputs=[tmp_path / "gold.conllu"])
    assert first.id == moved.id
    others: list[dict[str, Any]] = [
        {"command": "other"}, {"settings": {"level": 0.9}}, {"inputs": [("gold", b"2")]}, {"seed": 8}, {"inputs": []},
    ]  # fmt: skip
    ids = {opened(tmp_path / str(number), **other).id for number, other in enumerate(others)}
    assert len(ids | {first.id}) == 6


def test_an_input_may_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "weights").write_bytes(b"123")
    before = opened(tmp_path / "a", inputs=[tmp_path / "model"])
    (tmp_path / "model" / "weights").write_bytes(b"124")
    assert opened(tmp_path / "b", inputs=[tmp_path / "model"]).id != before.id
    assert before.record["inputs"][0]["size"] == 3
    with pytest.raises(InputError, match="nowhere"):
        opened(tmp_path / "c", inputs=[tmp_path / "nowhere"])


def test_another_run_or_foreign_files_are_left_alone(tmp_path: Path) -> None:
    opened(tmp_path / "run").close()
    with pytest.raises(UsageError, match=r"another run .*other settings and inputs"):
        opened(tmp_path / "run", settings={}, inputs=[])
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").touch()
    with pytest.raises(UsageError, match=r"chapter\.tex"):
        opened(tmp_path / "thesis")
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter.tex"]
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="this is a file"):
        opened(tmp_path / "file")
    (tmp_path / "run" / "run.json").write_text('{"id": ')
    with pytest.raises(InputError, match=r"run\.json"):
        opened(tmp_path / "run")
    with pytest.raises(InputError, match="holds no run"):
        Run.load(tmp_path / "thesis")


def test_parts_are_read_as_they_were_stored(tmp_path: Path) -> None:
    value = {"pair": (1, 2), "mean": np.float64(1 / 3), "counts": np.arange(2), "none": float("nan")}
    with opened(tmp_path) as run:
        fresh = run.store_part("a/b:ü", value)
    with opened(tmp_path) as run:
        kept = run.stored_part("a/b:ü")
        assert repr(kept) == repr(fresh) == repr({"pair": [1, 2], "mean": 1 / 3, "counts": [0, 1], "none": np.nan})
        assert run.record["continued"] == 1


@pytest.mark.parametrize("damage", [b"", b"{}", b"0" * 64 + b'\n{"n": 2}'])
def test_a_damaged_part_is_made_again(tmp_path: Path, damage: bytes) -> None:
    with opened(tmp_path) as run:
        run.store_part("one", {"n": 1})
        (part,) = (tmp_path / "parts").iterdir()
        whole = part.read_bytes()
        for broken in (damage, whole[:-1], whole.replace(b"1}", b"7}")):
            part.write_bytes(broken)
            assert run.stored_part("one") is None
            assert run.store_part("one", {"n": 1}) == {"n": 1}
            assert part.read_bytes() == whole


def test_one_process_at_a_time(tmp_path: Path) -> None:
    code = "import sys; sys.path.insert(0, sys.argv[2]); import test_run_record as t, pathlib; "
    code += "run = t.opened(pathlib.Path(sys.argv[1])); print('holding', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), str(HERE)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(),
    ) as holder:  # fmt: skip
        assert holder.stdout is not None
        assert holder.stdout.readline() == "holding\n"
        with pytest.raises(UsageError, match=f"process {holder.pid} on "):
            opened(tmp_path)
        assert Run.load(tmp_path).record["state"] == "running"
        holder.kill()
        holder.wait()
    assert (tmp_path / "run.lock").exists()  # left by the dead
    with opened(tmp_path) as run, pytest.raises(UsageError, match=f"process {os.getpid()} on "):
        opened(tmp_path)
    assert run.record["continued"] == 1
    assert not (tmp_path / "run.lock").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_any_moment_a_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    """The script kills a child before every single change it makes on disk."""
    call = [sys.executable, str(HERE / "killed_everywhere.py"), str(tmp_path)]
    same = json.loads(subprocess.run(call, env=environment(), check=True, capture_output=True).stdout)
    assert len(same) > 20
    assert all(same)


def test_files_that_are_attached(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as run:
        run.finish(RESULT, attached={"phrases.jsonl": b"{}\n"})
    found = Run.load(tmp_path / "run")
    path = found.attached("phrases.jsonl")
    assert path is not None
    assert path.read_bytes() == b"{}\n"
    (tmp_path / "run" / "other.jsonl").write_bytes(b"")
    assert found.attached("other.jsonl") is None  # of this run only what its record names
    assert found.attached("run.json") is None
    path.unlink()
    assert not opened(tmp_path / "run").finished


@pytest.mark.parametrize("name", ["../phrases.jsonl", "run.json", "/tmp.jsonl", "a/b.jsonl"])
def test_attached_files_have_plain_names(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / "run") as run, pytest.raises(UsageError, match="plain name"):
        run.finish(RESULT, attached={name: b""})


def test_a_signature_is_ordered_pairs_with_the_version_last() -> None:
    found = signature(("study", "roles"), ("seed", 1), ("share", 0.5), ("lower", True), ("cache", False))
    assert found == f"study:roles|seed:1|share:0.5|lower:yes|cache:no|version:{__version__}"


def test_what_is_not_set_is_left_out_and_lists_are_joined() -> None:
    assert signature(("a", None), ("b", ["x", 2, True]), ("c", [])) == f"b:x,2,yes|c:|version:{__version__}"
    assert signature() == f"version:{__version__}"


@given(st.text())
def test_a_value_cannot_break_the_signature(value: str) -> None:
    found = signature(("file", value))
    assert found.count("|") == 1
    assert not set(found) & set("\t\n\r")


def test_a_digest_is_sha_256_over_parts_with_their_lengths() -> None:
    expected = hashlib.sha256(b"\0\0\0\0\0\0\0\2" + "ü".encode() + b"\0\0\0\0\0\0\0\1x").hexdigest()
    assert digest("ü", b"x") == expected


@given(st.lists(st.binary(max_size=5), max_size=4), st.lists(st.binary(max_size=5), max_size=4))
def test_digests_differ_where_parts_do(left: list[bytes], right: list[bytes]) -> None:
    assert (digest(*left) == digest(*right)) == (left == right)


def test_the_borders_of_parts_count() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", "")}) == 4


def test_short_signatures_and_their_pairs() -> None:
    long = signature(("study", "roles"), ("suite", "a:b#12"))
    assert len(short(long)) == 10
    assert short(long) == short(str(long)) != short(long + "x")
    assert pairs_of(long) == {"study": "roles", "suite": "a:b#12", "version": __version__}


SMALL_RESULT = Result(
    "study:roles|version:1",
    [Finding("roles", "tiny", "mine", "las", 60.0, 10)],
    [Table("LAS", ("system", "las"), [("mine", 60.0)])],
)
TREES = {"gold": b"# gold\n", "mine": b"# mine\n"}


def small_run(folder: Path) -> Run:
    return Run.open(folder, command="roles", inputs=[("gold", b"1")], seed=1)


def finish(run: Run) -> None:
    observations = Observations({**dict.fromkeys(COLUMNS, "x"), "seed": None, "value": [0.0, 1.0]})
    run.finish(SMALL_RESULT, observations, TREES, {"phrases.jsonl": b"{}\n"})


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    with small_run(folder) as run:
        finish(run)
    Run.load(folder).add_page("<html></html>")
    return folder


@pytest.fixture
def run(finished_run: Path, tmp_path: Path) -> Path:
    return shutil.copytree(finished_run, tmp_path / "run")


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
        small_run(run)


def test_a_run_of_which_a_file_went_is_done_again(run: Path) -> None:
    removed(run)
    changed(run)
    with small_run(run) as record:
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
    assert small_run(run).finished
    assert sorted(path.name for path in run.iterdir() if path.is_file()) == [
        "observations.tsv", "phrases.jsonl", "result.json", "run.json",
    ]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read(run: Path) -> None:
    (run / "result.json").chmod(0)
    with pytest.raises(GardenpathError, match="cannot be read"):
        Run.load(run)


def test_each_file_is_read_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_once: list[str] = []
    real = Path.open

    def counting(self: Path, *args: object, **options: object) -> object:
        read_once.append(self.name)
        return real(self, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", counting)
    loaded = Run.load(run)
    loaded.result()
    loaded.observations()
    loaded.result()
    assert sorted(read_once) == sorted(path.name for path in run.rglob("*") if path.is_file())
