"""The program as a whole: help, start-up, exit codes, unknown names, pipes."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from gardenpath.cli.main import all_commands, build, main
from gardenpath.studies.engine.registry import STUDIES
from pages import program

HEAVY = (
    "numba", "scipy", "torch", "polars", "pandas", "stanza", "spacy", "dask", "distributed", "transformers", "altair",
)  # fmt: skip
PARALLEL = ("multiprocessing", "concurrent", "socket", "logging", "platformdirs", "json")
"""What one process that reads two files does not need."""


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gardenpath", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]


def imported_by(code: str) -> set[str]:
    listing = f"{code}\nimport sys\nprint(' '.join(sorted(name.partition('.')[0] for name in sys.modules)))"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_help_lists_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in all_commands() if " " not in name)


def test_a_program_that_calls_it_has_its_own_signals_and_warnings_again(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM), warnings.formatwarning
    with pytest.raises(SystemExit):
        main(["--version"])
    assert (signal.getsignal(signal.SIGTERM), warnings.formatwarning) == before


def test_the_command_line_imports_nothing_heavy() -> None:
    found = imported_by("from gardenpath.cli.main import build; build()")
    assert not found & {*HEAVY, "numpy", "rich", "ufal"}


def test_evaluating_imports_nothing_heavy(samples: Path, tmp_path: Path) -> None:
    file = samples / "de_garden-test.conllu"  # of fewer sentences than make a t a normal distribution
    arguments = ["evaluate", str(file), str(tmp_path / "system.conllu"), "-o", os.devnull]
    (tmp_path / "system.conllu").write_bytes(file.read_bytes().replace(b"\tnsubj\t", b"\tobj\t"))
    code = f"from gardenpath.cli.main import main\ntry: main({arguments!r})\nexcept SystemExit: pass"
    assert not imported_by(code) & {*HEAVY, "rich", "ufal", *PARALLEL}


@pytest.mark.parametrize("name", [*all_commands(), *(name for name in STUDIES if " " in name)])
def test_every_command_has_help_with_an_example(name: str) -> None:
    done = run(*name.split(), "--help")
    assert done.returncode == 0
    inner = [other for other in (*all_commands(), *STUDIES) if other.startswith(f"{name} ")]
    if name in STUDIES and inner:
        assert f"See also: {', '.join(f'gardenpath {other}' for other in inner)}." in done.stdout
    else:
        assert all(f"  {other.split()[1]} " in done.stdout for other in inner)
    assert (bool(inner) and name not in STUDIES) or "Example: " in done.stdout


@pytest.mark.parametrize("name", ["consistency", "displacement"])
@pytest.mark.parametrize("words", [("none", "trees:none"), ("--nonsense",)])
def test_what_is_no_command_of_a_group_belongs_to_its_study(name: str, words: tuple[str, ...]) -> None:
    done = run(name, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert words[0] in done.stderr
    assert "No such command" not in done.stderr


@pytest.mark.parametrize("asked", [("--help-all",), ("--set", "help"), ("a", "b", "--set", "help")])
def test_rare_settings_are_listed_where_they_are_asked_for(asked: tuple[str, ...]) -> None:
    done = run("evaluate", *asked)
    assert done.returncode == 0
    usual = run("evaluate", "--help").stdout
    assert "Settings (--set NAME=VALUE" in done.stdout
    for setting in ("max_length:", "parameters:", "independent:", "work.cache:"):
        assert f"\n    {setting} " in done.stdout
        assert setting not in usual
    assert "[yes]" in done.stdout  # the default of work.cache


def test_settings_from_files_and_runs(tmp_path: Path) -> None:
    """What is typed wins over the file; a folder of a run gives its settings, --set above all."""
    options = tmp_path / "study.toml"
    options.write_text('by = "label"\nmax_length = 9\nindependent = true\n\n[work]\ncache = false\n', encoding="utf-8")
    call = ["evaluate", "bundled:de-test", "baseline:right-branching", "--format", "json"]
    by_file = run(*call, "--config", str(options), "--run", str(tmp_path / "run"))
    assert by_file.returncode == 2  # max_length is for phrase trees
    assert "max-length" in by_file.stderr or "max_length" in by_file.stderr
    options.write_text(options.read_text("utf-8").replace("max_length = 9\n", ""), encoding="utf-8")
    by_file = run(*call, "--config", str(options), "--run", str(tmp_path / "run"))
    typed = run(*call, "--by", "label", "--set", "independent=yes", "--set", "work.cache=no")
    of_run = run(*call, "--config", str(tmp_path / "run"))
    assert (by_file.returncode, typed.returncode, of_run.returncode) == (0, 0, 0)
    assert by_file.stdout == typed.stdout == of_run.stdout
    assert '"label"' in typed.stdout
    over = run(*call, "--config", str(options), "--by", "upos", "--set", "independent=no")
    assert over.stdout == run(*call, "--by", "upos").stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('bye = "label"', "unknown setting 'bye'"),
        ("independent = 3", "write yes or no"),
        ('[work]\ncash = "no"', "did you mean work.cache"),
        ("by = [", "options.toml"),
    ],
)
def test_files_of_settings_that_are_wrong(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "options.toml").write_text(text, encoding="utf-8")
    call = ["evaluate", "bundled:de-test", "baseline:right-branching", "--config", str(tmp_path / "options.toml")]
    done = run(*call)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert str(tmp_path / "options.toml") in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("independent", "write --set independent=VALUE"),
        ("independent=perhaps", "write yes or no"),
        ("independnt=yes", "did you mean independent"),
        ("work.time_limit=soon", "write a number"),
        ("work.time_limit=0", "0"),
    ],
)
def test_settings_that_are_wrong(text: str, said: str) -> None:
    done = run("evaluate", "bundled:de-test", "baseline:right-branching", "--set", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_every_option_of_every_command_has_help() -> None:
    parameters = [(name, one) for name, command in program().items() for one in command.params if one.name != "help"]
    assert [f"{name} {one.name}" for name, one in parameters if not getattr(one, "help", None)] == []


def test_a_call_of_one_command_of_a_group_makes_no_other() -> None:
    from typer.main import get_command

    def commands(member: str) -> set[str]:
        group = get_command(build("treebank", member=member)).commands["treebank"]  # type: ignore[attr-defined]
        return set(group.commands)

    assert commands("stats") == {"stats"}
    assert {"stats", "split", "validate"} < commands("") == commands("--help") == commands("nonsense")


def test_what_typer_reads_four_times_is_evaluated_once() -> None:
    (command, *_) = build("parse").registered_commands
    annotations = [parameter.annotation for parameter in inspect.signature(command.callback).parameters.values()]  # type: ignore[arg-type]
    assert annotations
    assert not any(isinstance(annotation, str) for annotation in annotations)


def test_unknown_command_and_option() -> None:
    done = run("evalute")
    assert done.returncode == 2
    assert "Did you mean 'evaluate'" in done.stderr
    done = run("evaluate", "a", "b", "--formt", "tsv")
    assert done.returncode == 2
    assert "--format" in done.stderr


def test_version() -> None:
    from gardenpath import __version__

    assert run("--version").stdout == f"gardenpath {__version__}\n"


def test_errors_have_no_traceback() -> None:
    done = run("evaluate", "no-such-file.conllu", "other.conllu")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: no-such-file.conllu: no such file")
    assert "Traceback" not in done.stderr


def test_completion_knows_the_commands() -> None:
    environment = {
        **os.environ,
        "_GARDENPATH_COMPLETE": "complete_bash",
        "COMP_WORDS": "gardenpath tr",
        "COMP_CWORD": "1",
    }
    done = run(env=environment)
    assert {"train", "treebank"} <= set(done.stdout.split())


def test_a_reader_that_goes_away_is_no_error(samples: Path) -> None:
    """`gardenpath … | head -1`."""
    command = [sys.executable, "-m", "gardenpath", "data", "list", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert "Traceback" not in errors


def test_a_full_disk_is_one_sentence(samples: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with open("/dev/full", "w") as full:  # noqa: PTH123
        command = [sys.executable, "-m", "gardenpath", "treebank", "stats", str(samples / "de_garden-test.conllu")]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    place = "standard output or a temporary file"
    assert done.stderr == f"error: {place}: no space is left on its disk\n  make room there and call it again\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    ("call", "streams", "code"),
    [
        ("treebank stats bundled:de-test", ">&-", 0),
        ("treebank stats bundled:de-test", ">&- 2>&- <&-", 0),
        ("treebank stats nowhere.conllu", "2>&-", 2),
        ("treebank stats nowhere.conllu", "2> /dev/full", 2),
        ("treebank stats -", "<&-", 2),
        ("parse baseline:right-branching bundled:de-test -o out.conllu", ">&-", 0),
    ],
)
def test_closed_streams_are_no_fault_of_ours(tmp_path: Path, call: str, streams: str, code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m gardenpath {call} {streams}'],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, "unforeseen" in done.stderr) == (code, False), done.stderr
    if "-o" in call:
        assert (tmp_path / "out.conllu").read_text("utf-8").startswith("# ")


def test_a_terminal_of_another_encoding_gets_utf8() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "gardenpath", "treebank", "convert", "bundled:zh-test", "--to", "text"],
        capture_output=True, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0
    assert "。" in done.stdout.decode("utf-8")


def test_a_terminated_command_leaves_nothing_behind(tmp_path: Path, samples: Path) -> None:
    """SIGTERM in the middle of a training: no half model, no workshop."""
    command = [
        sys.executable, "-m", "gardenpath", "train", "udpipe", str(samples / "de_garden-train.conllu"),
        "-o", str(tmp_path / "m.udpipe"),
    ]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("training udpipe")
        while not list(tmp_path.iterdir()):
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert "stopped" in process.stderr.read()
    assert process.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
