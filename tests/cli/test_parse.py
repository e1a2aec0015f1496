"""`gardenpath parse`: CoNLL-U out, summary on stderr, exit 2 and nothing half-written."""

from __future__ import annotations

import io
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.systems import train
from gardenpath.treebank import read


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def model(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.udpipe"
    options = {"parser.iterations": "1", "tagger.iterations": "1"}
    train("udpipe", read(samples / "de_garden-train.conllu")[:40], output=path, preset="tiny", options=options)
    return path


run = partial(call, "parse")


def test_a_treebank_to_a_file(model: Path, samples: Path, tmp_path: Path, capsys: Capture) -> None:
    source, target = samples / "de_garden-dev.conllu", tmp_path / "new" / "out.conllu"
    assert run(f"udpipe:{model}", source, "-o", target, "--gold", "tags,feats", "--jobs", 2) == 0
    told = capsys.readouterr()
    gold, parsed = read(source), read(target)
    assert told.out == ""
    assert f"{len(gold)} sentences, {gold.word_count} words" in told.err
    assert "gold:feats,tags" in told.err
    assert parsed.sent_ids == gold.sent_ids
    assert parsed.column("form").strings() == gold.column("form").strings()


def test_text_from_standard_input_to_standard_output(
    model: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Der Garten blüht.\n\nSie kommt.\n".encode())))
    assert run(f"udpipe:{model}", "-", "--set", "work.cache=no") == 0
    out = capfdbinary.readouterr().out.decode()
    assert out.count("# text = ") == out.count("# sent_id = ") >= 2
    assert "# newpar" in out


def test_a_label_bridge_is_told(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "english.conllu"
    rows = ["1 live _ VERB _ _ 0 ROOT _ _", "2 in _ ADP _ _ 1 prep _ _", "3 Rome _ PROPN _ _ 2 pobj _ _"]
    rows += ["4 x _ X _ _ 1 meta _ _"]
    file.write_text("\n".join(row.replace(" ", "\t") for row in rows) + "\n\n", encoding="utf-8")
    assert run(f"conllu:{file}#labels=clearnlp", file, "-o", tmp_path / "out.conllu") == 0
    messages = capsys.readouterr().err
    assert "labels clearnlp→ud: 1 of 4 arcs have no counterpart (meta 1)" in messages
    assert "labels:clearnlp→ud" in messages
    assert read(tmp_path / "out.conllu").column("deprel").strings() == ["root", "case", "obl", "dep:meta"]


def test_failures_are_told_and_marked(samples: Path, tmp_path: Path, capsys: Capture) -> None:
    source = samples / "de_garden-dev.conllu"
    bank = read(source)
    bank[: len(bank) - 2].write(tmp_path / "part.conllu")
    assert run(f"conllu:{tmp_path / 'part.conllu'}", source, "-o", tmp_path / "out.conllu") == 0
    told = capsys.readouterr().err
    assert "failures: unparsed 2" in told
    assert (tmp_path / "out.conllu").read_text(encoding="utf-8").count("# gardenpath_failure = unparsed") == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("udpipe:TREEBANK", "TREEBANK"), "not a UDPipe model"),
        (("udpipe:MODEL", "MODEL"), "error: "),
        (("udpipe:MODEL", "nowhere.conllu"), "no such file"),
        (("udpipe:MODEL", "TREEBANK", "--input", "txt"), "did you mean text"),
        (("udpipe:MODEL", "TREEBANK", "--gold", "tagz"), "did you mean tags"),
        (("nope:MODEL", "TREEBANK"), "unknown kind of system"),
        (("command:PYTHON -c 'print(1)'", "TREEBANK"), "not CoNLL-U"),
        (
            ("command:PYTHON -c 'import time; time.sleep(99)'", "TREEBANK", "--set", "work.time_limit=0.3"),
            "no answer within",
        ),
    ],
)
def test_what_is_wrong_is_said_with_exit_2_and_no_output(
    model: Path,
    samples: Path,
    tmp_path: Path,
    capsys: Capture,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    target = tmp_path / "out.conllu"
    target.write_text("old", encoding="utf-8")
    words = {
        "MODEL": str(model),
        "TREEBANK": str(samples / "de_garden-dev.conllu"),
        "PYTHON": shlex.quote(sys.executable),
    }
    given = list(arguments)
    for word, value in words.items():
        given = [text.replace(word, value) for text in given]
    assert run(*given, "-o", target) == 2
    errors = capsys.readouterr().err
    assert told in errors
    assert "Traceback" not in errors
    assert target.read_text(encoding="utf-8") == "old"
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]


def test_blocks_of_a_long_input_make_one_output(
    model: Path, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read, parsed and written in small blocks, and at once: the same bytes."""
    from gardenpath.systems.files import text_input as reading

    text = tmp_path / "text.txt"
    text.write_text("Der Garten blüht. Sie kommt.\n\n" * 30, encoding="utf-8")
    for number, arguments in enumerate([(samples / "de_garden-dev.conllu",), (text,), (text, "--input", "sentences")]):
        source, *more = arguments
        for size in (2000, 1 << 24):
            monkeypatch.setattr(reading.read_blocks, "__defaults__", (None, size))
            assert (
                run(f"udpipe:{model}", source, *more, "-o", tmp_path / f"{number}-{size}", "--set", "work.cache=no")
                == 0
            )
        assert (tmp_path / f"{number}-2000").read_bytes() == (tmp_path / f"{number}-{1 << 24}").read_bytes()
        assert len(set(read(tmp_path / f"{number}-2000").sent_ids)) == len(read(tmp_path / f"{number}-2000"))


def test_a_fault_late_in_the_input_leaves_no_output(
    model: Path, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    from gardenpath.systems.files import text_input as reading

    monkeypatch.setattr(reading.read_blocks, "__defaults__", (None, 2000))
    data = (samples / "de_garden-dev.conllu").read_bytes()
    (tmp_path / "bad.conllu").write_bytes(data + b"1\tx\n\n")
    assert run(f"udpipe:{model}", tmp_path / "bad.conllu", "-o", tmp_path / "out") == 2
    assert f"bad.conllu:{data.count(10) + 1}: 2 columns" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_what_was_returned_unasked_is_said_to_be_left_out(samples: Path, tmp_path: Path, capsys: Capture) -> None:
    source = samples / "de_garden-dev.conllu"
    one = read(source)[:1]
    one.write(tmp_path / "one.conllu")
    (tmp_path / "twice.py").write_text("import sys\ntext = sys.stdin.read()\nprint(text + text)\n", encoding="utf-8")
    name = f"command:{shlex.join([sys.executable, str(tmp_path / 'twice.py')])}"
    assert run(name, tmp_path / "one.conllu", "-o", tmp_path / "out") == 0
    told = capsys.readouterr().err
    assert told.startswith(f"1 sentence, {one.word_count} words in ")
    assert "failures: incomplete 1 (marked by # gardenpath_failure); surplus 1 (left out)\n" in told


@pytest.mark.parametrize(
    "option",
    [
        (),
        (
            "--set",
            "any_language=yes",
        ),
    ],
)
def test_a_model_of_another_script(model: Path, tmp_path: Path, capsys: Capture, option: tuple[str, ...]) -> None:
    (tmp_path / "ru.txt").write_text("Мама мыла раму, а потом он ушёл домой.\n", encoding="utf-8")
    code = run(f"udpipe:{model}", tmp_path / "ru.txt", "-o", tmp_path / "out", *option)
    told = capsys.readouterr().err
    assert "this model was trained on de data (de_garden-train.conllu) in Latin script" in told
    assert (code, (tmp_path / "out").exists()) == ((0, True) if option else (2, False))
    assert told.startswith("warning: " if option else "error: ")
    assert told.count("trained on") == 1


def test_a_folder_of_texts(model: Path, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for name in ("b", "a"):
        (tmp_path / "texts" / f"{name}.txt").write_text(f"Sie kommt {name}.", encoding="utf-8")
    assert run(f"udpipe:{model}", tmp_path / "texts", "-o", tmp_path / "out") == 0
    out = read(tmp_path / "out")
    assert " ".join(out.texts) == "Sie kommt a. Sie kommt b."
    assert out[0].comments[0] == "newdoc id = a.txt"


def test_garbage_from_beginning_to_end_is_an_error_and_writes_nothing(
    samples: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gardenpath.systems.files import text_input as reading

    monkeypatch.setattr(reading.read_blocks, "__defaults__", (None, 2000))
    source = "import sys\ntext = sys.stdin.read()\nprint(text if GOOD and 'de-dev-garten-001' in text else 'oops')\n"
    for good, code in ((True, 0), (False, 2)):
        (tmp_path / "odd.py").write_text(f"GOOD = {good}\n{source}", encoding="utf-8")
        name = f"command:{shlex.join([sys.executable, '-S', str(tmp_path / 'odd.py')])}"
        assert run(name, samples / "de_garden-dev.conllu", "-o", tmp_path / f"out-{code}") == code
    assert "odd.py: what it returned is not CoNLL-U (line 1: 1 column instead of 10)" in capsys.readouterr().err
    assert len(read(tmp_path / "out-0")) == len(read(samples / "de_garden-dev.conllu"))
    assert not (tmp_path / "out-2").exists()
