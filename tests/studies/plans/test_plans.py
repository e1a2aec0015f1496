"""A plan gives, byte for byte, what one process gives; whatever happens to its shards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.runs.record.run import Run
from gardenpath.runs.work.claims import ClaimBoard
from gardenpath.studies.plans.planning import (
    PlanPiece,
    PlanWorker,
    expanded,
    kubernetes_manifest,
    make_plan,
    read_grid,
    read_plan,
    slurm_script,
)
from gardenpath.studies.plans.shards import Shard, collect, run_shard, work_through
from gardenpath.systems.training.training import train


@pytest.fixture(scope="module")
def garden(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small suites and three seeds of an n-gram model."""
    place = tmp_path_factory.mktemp("garden")
    for name in ("agreement_pp", "reflexive_pp"):
        suite = json.loads((samples / "en_garden-surprisal" / f"{name}.json").read_bytes())
        suite["items"] = suite["items"][:4]
        (place / f"{name}.json").write_text(json.dumps(suite), encoding="utf-8")
    text = (samples / "en_garden-text.txt").read_text(encoding="utf-8").split("\n")
    for seed in range(3):
        (place / "text.txt").write_text("\n".join(text[40 * seed : 40 * seed + 120]) + "\n", encoding="utf-8")
        train("ngram", place / "text.txt", output=place / f"m{seed}.npz")
    (place / "grid.toml").write_text(
        """
[[study]]
command = "surprisal"
sources = ["agreement_pp.json", "reflexive_pp.json"]
systems = ["first=ngram:m0.npz", "both=ngram:m{seed}.npz"]
seeds = [1, 2]
settings = {by = "all"}
""",
        encoding="utf-8",
    )
    return place


@pytest.fixture
def grid(garden: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(garden)
    return garden / "grid.toml"


def files(run: Path) -> dict[str, bytes]:
    """All that a run found out; its record has times in it."""
    paths = [path for path in run.rglob("*") if path.is_file() and path.name != "run.json"]
    return {path.relative_to(run).as_posix(): path.read_bytes() for path in paths}


def test_shards_that_die_come_to_what_one_process_comes_to(
    grid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(tmp_path / "plan", read_grid(grid))
    assert [(piece.model, piece.study) for piece in plan.pieces] == [
        (f"ngram:m{seed}.npz", study) for seed in range(3) for study in range(2)
    ]
    asked: list[int] = []
    do = PlanWorker.do

    def dies(self: PlanWorker, piece: PlanPiece, where: object) -> dict[str, object]:
        asked.append(piece.number)
        if asked.count(2) == 1 and piece.number == 2:
            raise KeyboardInterrupt
        return do(self, piece, where)

    monkeypatch.setattr(PlanWorker, "do", dies)
    with pytest.raises(KeyboardInterrupt):
        run_shard(plan, Shard(1, 2))
    result, folders = collect(plan)
    assert (result.failures, folders) == ({"pieces missing": 4}, [])
    reports = [run_shard(read_plan(tmp_path / "plan"), Shard(number, 2)) for number in (2, 1, 1)]
    assert [(report.done, report.before) for report in reports] == [(3, 0), (1, 2), (0, 3)]
    assert sorted(asked) == [0, 1, 2, 2, 3, 4, 5]
    monkeypatch.setattr("gardenpath.systems.language_models.scoring.loaded", None)  # all answers are there
    result, folders = collect(read_plan(tmp_path / "plan"))
    assert not result.failures
    monkeypatch.undo()
    monkeypatch.chdir(grid.parent)
    systems = ["first=ngram:m0.npz", "both=ngram:m1.npz,ngram:m2.npz"]
    for folder, suite in zip(folders, ("agreement_pp.json", "reflexive_pp.json"), strict=True):
        gp.surprisal([suite], systems, by="all", run=tmp_path / suite, where=gp.Where(cache=False))
        assert files(folder) == files(tmp_path / suite)
        assert Run.load(folder).record["call"] == Run.load(tmp_path / suite).record["call"]


def test_a_model_is_made_once_for_neighbouring_pieces(grid: Path, tmp_path: Path) -> None:
    plan = make_plan(tmp_path / "plan", read_grid(grid))
    pieces = PlanWorker(plan)
    models = [pieces._entrant(piece).members[0] for piece in plan.pieces]
    assert [models[at] is models[at + 1] for at in range(5)] == [True, False, True, False, True]


def test_a_piece_that_fails_is_told_and_tried_again(grid: Path, tmp_path: Path) -> None:
    plan = make_plan(tmp_path / "plan", read_grid(grid))
    first = plan.pieces[:1]

    def fails(_: PlanPiece) -> dict[str, object]:
        raise SystemFailure("no memory left", where="m0")

    report = work_through(ClaimBoard(plan.folder), first, fails)
    assert report.failed == {0: "m0: no memory left"}
    result, _ = collect(plan)
    assert result.tables[0].rows[0][3] == "3 missing: ngram:m0.npz, ngram:m1.npz, ngram:m2.npz (m0: no memory left)"
    assert work_through(ClaimBoard(plan.folder), first, lambda _: {}).done == 1


def test_what_has_changed_since_it_was_planned_is_refused(garden: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.json"
    suite.write_bytes((garden / "agreement_pp.json").read_bytes())
    gp.plan(tmp_path / "plan", str(suite), f"ngram:{garden / 'm0.npz'}")
    suite.write_bytes((garden / "reflexive_pp.json").read_bytes())
    assert "not those that were planned" in gp.run_plan(tmp_path / "plan").failed[0]
    suite.write_bytes((garden / "agreement_pp.json").read_bytes())
    assert gp.run_plan(tmp_path / "plan").done == 1
    record = tmp_path / "plan" / "done" / "0"
    record.write_text('{"signature": "kind:ngram|of another machine"}', encoding="utf-8")
    with pytest.raises(SystemFailure, match="was asked"):
        gp.collect(tmp_path / "plan")


@pytest.mark.parametrize("name", ["../../x", "/x", "a/b", "a\0b", "..", "", "x" * 201, None, 3, []])
def test_the_runs_of_a_plan_stay_in_its_folder(name: object, garden: Path, tmp_path: Path) -> None:
    gp.plan(tmp_path / "plan", str(garden / "agreement_pp.json"), f"ngram:{garden / 'm0.npz'}")
    stored = json.loads((tmp_path / "plan" / "plan.json").read_text(encoding="utf-8"))
    stored["studies"][0]["name"] = name
    (tmp_path / "plan" / "plan.json").write_text(json.dumps(stored), encoding="utf-8")
    for act in (gp.run_plan, gp.collect):
        with pytest.raises(InputError, match="this plan cannot be read"):
            act(tmp_path / "plan")
    assert [path.name for path in tmp_path.iterdir()] == ["plan"]


@pytest.mark.parametrize(
    ("key", "value"), [("command", "x"), ("command", []), ("form", None), ("systems", [[]]), ("systems", 5)]
)
def test_a_study_that_cannot_be_planned_is_refused(key: str, value: object, garden: Path, tmp_path: Path) -> None:
    gp.plan(tmp_path / "plan", str(garden / "agreement_pp.json"), f"ngram:{garden / 'm0.npz'}")
    stored = json.loads((tmp_path / "plan" / "plan.json").read_text(encoding="utf-8"))
    stored["studies"][0][key] = value
    (tmp_path / "plan" / "plan.json").write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(InputError, match="this plan cannot be read"):
        gp.run_plan(tmp_path / "plan")


@pytest.mark.parametrize("place", ["0\t9\t0\t0\tm", "0\t0\t7\t0\tm", "0\t0\t0\t7\tm", "0\t0\t-5\t0\tm"])
def test_pieces_of_nothing_are_refused(place: str, garden: Path, tmp_path: Path) -> None:
    gp.plan(tmp_path / "plan", str(garden / "agreement_pp.json"), f"ngram:{garden / 'm0.npz'}")
    pieces = tmp_path / "plan" / "pieces.tsv"
    header = pieces.read_text(encoding="utf-8").splitlines()[0]
    pieces.write_text(f"{header}\n{place}\n", encoding="utf-8")
    if place.startswith("0\t9"):
        with pytest.raises(InputError, match="of no study"):
            gp.run_plan(tmp_path / "plan")
    else:
        assert "of no system" in gp.run_plan(tmp_path / "plan").failed[0]


def test_a_study_without_systems_is_one_piece(samples: Path, tmp_path: Path) -> None:
    train, test = (samples / f"de_garden-{part}.conllu" for part in ("train", "test"))
    plan = gp.plan(tmp_path / "plan", [str(train), str(test)], study="displacement", draws=0)
    assert len(plan.pieces) == 1
    assert gp.run_plan(tmp_path / "plan").done == 1
    assert not gp.collect(tmp_path / "plan").failures
    (folder,) = (tmp_path / "plan" / "runs").iterdir()
    assert Run.load(folder).result().findings == gp.displacement(train, test, draws=0).findings


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(UsageError, match="is not a shard"):
        Shard.of(text)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_shards_are_a_partition_of_neighbours(count: int) -> None:
    parts = [Shard(number, count).part(range(10)) for number in range(1, count + 1)]
    assert [piece for part in parts for piece in part] == list(range(10))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("study = 1", "no \\[\\[study\\]\\]"),
        ("[[study", "not TOML"),
        ("[[study]]\nsystem = []", "did you mean systems"),
        ('[[study]]\nsystems = ["x:y"]', "has no sources"),
        ('[[study]]\nsources = "a"', "sources is not a list"),
        ('[[study]]\nsources = ["s.json"]\ncommand = "surprise"', "unknown study"),
        ('[[study]]\nsources = ["s.json"]\nsystems = ["m-{seed}"]', "there are none"),
    ],
)
def test_what_is_no_grid(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(text, encoding="utf-8")
    with pytest.raises((InputError, UsageError), match=message):
        read_grid(tmp_path / "grid.toml")


def test_seeds_are_of_one_system_and_revisions_an_axis() -> None:
    assert expanded("hf:NAME@{revision}", [], ["step1", "step2"]) == "hf:NAME@{step1,step2}"
    assert expanded("a=lstm:m-{seed}", ["1", "2"], ["x"]) == "a=lstm:m-1,lstm:m-2"
    assert expanded("ngram:m.npz", ["1"], []) == "ngram:m.npz"


def test_a_plan_needs_a_folder_of_its_own(grid: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(UsageError, match="new or empty folder"):
        make_plan(tmp_path, read_grid(grid))
    with pytest.raises(InputError, match="holds no plan"):
        read_plan(tmp_path)


def test_scripts_give_every_shard_its_number() -> None:
    plan = Path("/data/my plan")
    script = slurm_script(plan, Path("/data"), 4)
    assert "#SBATCH --array=1-4\n" in script
    assert "gardenpath batch run '/data/my plan' --shard \"$SLURM_ARRAY_TASK_ID/4\"" in script
    manifest = kubernetes_manifest(plan, 4)
    assert "completions: 4\n" in manifest
    assert "$((JOB_COMPLETION_INDEX + 1))/4" in manifest
