"""Programs as parsers, and the documented recipes for other parsers."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from alive import is_alive

from gardenpath.errors import SystemFailure, UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_with, system
from gardenpath.systems.parsers.phrase_parsing import parse_trees_with
from gardenpath.treebank import Treebank

CHAIN = """
import sys
for line in sys.stdin:
    cells = line.rstrip("\\n").split("\\t")
    if len(cells) == 10 and cells[0].isdecimal():
        cells[6:8] = [str(int(cells[0]) - 1), "dep"]
    print("\\t".join(cells))
"""
LINES = """
import sys
for line in sys.stdin:
    for number, form in enumerate(line.split()):
        print(number + 1, form, *"____", number, "dep", "_", "_", sep="\\t")
    print()
"""


def program(tmp_path: Path, source: str, name: str = "parser.py") -> str:
    path = tmp_path / name
    path.write_text(source, encoding="utf-8")
    return shlex.join([sys.executable, "-S", str(path)])


def test_a_program_that_reads_conllu(tmp_path: Path, dev: Treebank) -> None:
    result = parse_with("command:" + program(tmp_path, CHAIN), dev)
    assert not result.failures
    assert (result.treebank.heads == result.treebank.ids - 1).all()
    assert [s.text for s in result.treebank] == [s.text for s in dev]


def test_a_script_that_was_changed_is_another_system(tmp_path: Path) -> None:
    """The program is the interpreter, and what it does is written in a file among its arguments."""
    name = "command:" + program(tmp_path, CHAIN)
    first = system(name).signature
    assert system(name).signature == first
    program(tmp_path, CHAIN.replace("dep", "obj"))
    assert system(name).signature != first


HANGS = CHAIN.replace("for line in sys.stdin:", "given = sys.stdin.read()\nif WORD in given:\n    time.sleep(60)\n"
                      "for line in given.splitlines():").replace("import sys", "import sys, time")  # fmt: skip


@pytest.mark.parametrize("place", [0, 3, -1])
def test_a_sentence_on_which_a_program_hangs_is_one_failure_wherever_it_is(
    place: int, tmp_path: Path, dev: Treebank
) -> None:
    some = dev[:16]
    odd = f"{some[place].sent_id}"
    hanging = HANGS.replace("WORD", repr(f"sent_id = {odd}\n"))
    result = parse_with("command:" + program(tmp_path, hanging), some, where=Where(time_limit=0.5, cache=False))
    assert result.failures == {"no-answer": 1}


def test_a_program_that_reads_text(tmp_path: Path, dev: Treebank) -> None:
    name = "command:text " + program(tmp_path, LINES)
    assert system(name).modes == ("sentences", "text")
    result = parse_with(name, dev, mode="sentences")
    assert not result.failures
    assert result.treebank.sent_ids == dev.sent_ids
    with pytest.raises(UsageError, match="does not parse in the mode tokens"):
        parse_with(name, dev)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import sys; sys.stdin.read(); sys.exit('no model found')", "no model found"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9"),
        ("print('Segmentation fault, maybe')", "not CoNLL-U"),
        ("import sys; sys.stdin.read()", "printed nothing"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')", "not UTF-8"),
    ],
)
def test_a_program_that_fails_is_one_clear_error(tmp_path: Path, dev: Treebank, source: str, told: str) -> None:
    with pytest.raises(SystemFailure, match=told):
        parse_with("command:" + program(tmp_path, source), dev[:4])  # it is started for each of them


def test_a_program_that_hangs_is_ended_with_what_it_started(tmp_path: Path, dev: Treebank) -> None:
    child = "import sys, time; print('up', flush=True); time.sleep(600)"
    source = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with pytest.raises(SystemFailure, match=r"no answer within 0\.5 s"):
        parse_with("command:" + program(tmp_path, source), dev, where=Where(time_limit=0.5))


def test_lost_and_changed_sentences_are_counted(tmp_path: Path, dev: Treebank) -> None:
    source = (
        "import sys\n"
        "blocks = sys.stdin.read().strip().split('\\n\\n')\n"
        "for number, block in enumerate(blocks):\n"
        "    if number == 2: continue\n"
        "    for line in block.split('\\n'):\n"
        "        cells = line.split('\\t')\n"
        "        if len(cells) == 10 and cells[0].isdecimal():\n"
        "            cells[6:8] = [str(int(cells[0]) - 1 if number else 0), 'dep']\n"
        "        print('\\t'.join(cells))\n"
        "    print()\n"
    )
    result = parse_with("command:" + program(tmp_path, source), dev)
    assert result.failures == {"unparsed": 1, "two-roots": 1}
    assert len(result.treebank) == len(dev)


def test_no_shell_is_involved(tmp_path: Path, dev: Treebank) -> None:
    target = tmp_path / "made"
    result = parse_with("command:" + program(tmp_path, CHAIN) + f" ; touch {target}", dev)
    assert not result.failures
    assert not target.exists()


@pytest.mark.parametrize(
    ("argument", "told"),
    [("no-such-program-here", "there is no program"), ("'open", "not a command"), ("''", "no program")],
)
def test_what_is_no_command_is_said(argument: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        system(f"command:{argument}")


def test_a_program_that_leaves_a_child_behind_is_ended_too(tmp_path: Path, dev: Treebank) -> None:
    child = "import time; time.sleep(600)"
    source = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])"
    with pytest.raises(SystemFailure, match="no answer within 1 s"):
        parse_with("command:" + program(tmp_path, source), dev, where=Where(time_limit=1))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only its group can be ended")
def test_a_grandchild_in_a_session_of_its_own_is_ended(tmp_path: Path, dev: Treebank) -> None:
    """It leaves our process group and keeps standard output open."""
    source = f"""
import os, pathlib, signal, time
if os.fork() == 0:
    os.setsid()
    signal.alarm(60)
    pathlib.Path({str(tmp_path / "pid")!r}).write_text(str(os.getpid()))
time.sleep(60)
"""
    with pytest.raises(SystemFailure, match=r"no answer within 1 s"):
        parse_with("command:" + program(tmp_path, source), dev, where=Where(time_limit=1))
    grandchild = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 20
    while is_alive(grandchild) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_alive(grandchild)


def test_a_program_that_prints_without_end_is_ended_and_counted(
    tmp_path: Path, dev: Treebank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gardenpath.systems.parsers.command._HARMLESS", 1 << 20)
    form = dev[1].words[0].form
    flood = f"given = sys.stdin.read()\nwhile {chr(9) + form + chr(9)!r} in given: print('x' * 60000)\n"
    source = CHAIN.replace("import sys\n", f"import io, sys\n{flood}sys.stdin = io.StringIO(given)\n")
    result = parse_with("command:" + program(tmp_path, source), dev[:4])
    assert result.failures == {"malformed": 1}
    with pytest.raises(SystemFailure, match=r"printed more than 1 MB for [\d,]+ bytes\n  it was ended"):
        parse_with("command:" + program(tmp_path, "while True: print('x' * 60000)"), dev[:1])


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM])
def test_a_program_and_what_it_started_do_not_outlive_a_killed_parent(tmp_path: Path, blow: signal.Signals) -> None:
    child = f"import os, pathlib, time; pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()) + ' ')"
    child += "; time.sleep(600)"
    called = program(tmp_path, f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])")
    script = (
        "from gardenpath.systems import parse_with\nfrom gardenpath.treebank import Treebank\n"
        "bank = Treebank(b'1\\ta\\t_\\t_\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n')\n"
        f"parse_with({'command:' + called!r}, bank)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen([sys.executable, "-c", script], env=environment) as parent:
        deadline = time.monotonic() + 60
        while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith(" ")):
            assert time.monotonic() < deadline, "the program was not started"
            assert parent.poll() is None
            os.sched_yield()
        parent.send_signal(blow)
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 20
    while is_alive(pid) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_alive(pid)


BRACKETS = """
import sys
for line in sys.stdin:
    words = line.split()
    print("(())" if len(words) == 2 else "(S " + " ".join(f"(X {word})" for word in words) + ")")
"""


def test_a_program_that_writes_phrase_trees(tmp_path: Path) -> None:
    from gardenpath.systems.parsers.phrase_parsing import parse_trees_with

    name = f"command:trees {program(tmp_path, BRACKETS)}"
    parsed = parse_trees_with(name, [["Sie", "geht", "heim"], ["Komm", "!"]])
    assert [None if tree is None else (tree.words, tree.labels) for tree in parsed.trees] == [
        (("Sie", "geht", "heim"), ("S",)), None,
    ]  # fmt: skip
    with pytest.raises(UsageError, match="this is a phrase parser, and a parser is needed"):
        system(name)
    silent = f"command:trees {program(tmp_path, 'pass', 'silent.py')}"
    with pytest.raises(SystemFailure, match="printed nothing"):
        parse_trees_with(silent, [["Komm", "!"]])


PAGE = Path(__file__).resolve().parents[3] / "docs" / "recipes.md"
SCRIPTS = dict(re.findall(r'^```py title="(\w+)_parser\.py"\n(.*?)^```', PAGE.read_text(encoding="utf-8"), re.M | re.S))
# A chain: each word depends on the one before it.
_CONLL = """
class Tree:
    def __init__(self, words):
        self.words = words

    def __str__(self):
        rows = [f"{n + 1} {word} _ _ _ _ {n} {'dep' if n else 'root'} _ _" for n, word in self.words]
        return "\\n".join(row.replace(" ", "\\t") for row in rows) + "\\n"


class Dataset:
    def __init__(self, data):
        self.sentences = [Tree(list(enumerate(words))) for words in data]
"""
_PARSER = (
    _CONLL
    + """
class Parser:
    @classmethod
    def load(cls, name):
        return cls()

    def predict(self, data, pred=None, verbose=True):
        return Dataset(data)
"""
)
STAND_INS = {
    "supar": {"supar.py": _PARSER},
    "diaparser": {"diaparser/__init__.py": "", "diaparser/parsers.py": _PARSER},
    "trankit": {
        "trankit.py": """
class Pipeline:
    def __init__(self, language, gpu=True):
        pass

    def posdep(self, words, is_sent=False):
        assert is_sent
        tokens = [{"id": n + 1, "text": word, "upos": "X", "head": n, "deprel": "dep" if n else "root"}
                  for n, word in enumerate(words)]
        return {"tokens": tokens, "lang": "german"}
"""
    },
    "esupar": {
        "esupar.py": _CONLL + """
def load(language):
    return lambda text: Tree(list(enumerate(text.split())))
"""
    },
    "hanlp": {
        "hanlp.py": """
from types import SimpleNamespace

pretrained = SimpleNamespace(mtl=SimpleNamespace(UD_ONTONOTES_TOK_POS_LEM_FEA_NER_SRL_DEP_SDP_CON_XLMR_BASE="…"))


def load(name):
    return lambda sentences, tasks, skip_tasks: {
        tasks: [[(n, "dep" if n else "root") for n in range(len(words))] for words in sentences]
    }
"""
    },
    "benepar": {
        "benepar.py": """
class InputSentence:
    def __init__(self, words):
        self.words = words


class Tree:
    def __init__(self, words):
        self.words = words

    def pformat(self, margin):
        return "(TOP (S " + " ".join(f"(X {word})" for word in self.words) + "))"


class Parser:
    def __init__(self, name):
        pass

    def parse(self, sentence):
        return Tree(sentence.words)
"""
    },
}  # fmt: skip


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script of a package, with the stand-in where Python finds it."""
    for name, text in STAND_INS[request.param].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / f"{request.param}_parser.py"
    path.write_text(SCRIPTS[request.param], encoding="utf-8")
    return path


def test_every_script_is_short_and_tried() -> None:
    assert SCRIPTS.keys() == STAND_INS.keys()
    assert max(len(code.splitlines()) for code in SCRIPTS.values()) <= 15


@pytest.mark.parametrize("script", ["supar", "diaparser", "trankit", "hanlp"], indirect=True)
def test_scripts_for_tokens(script: Path, dev: Treebank) -> None:
    result = parse_with(f"command:{sys.executable} {script}", dev[:5])
    assert not result.failures
    assert result.treebank.column("form").strings() == dev[:5].column("form").strings()
    assert [word.head for word in result.treebank[0].words] == list(range(len(dev[0].words)))


@pytest.mark.parametrize("script", ["esupar"], indirect=True)
def test_the_script_for_text(script: Path, dev: Treebank) -> None:
    result = parse_with(f"command:text {sys.executable} {script}", dev[:5], mode="sentences")
    assert not result.failures
    assert [sentence.text for sentence in result.treebank] == [sentence.text for sentence in dev[:5]]


@pytest.mark.parametrize("script", ["benepar"], indirect=True)
def test_the_script_for_phrase_trees(script: Path) -> None:
    sentences = [["the", "dog", "barks"], ["it", "rains"]]
    parsed = parse_trees_with(f"command:trees {sys.executable} {script}", sentences)
    assert not parsed.failures
    assert [tree and (list(tree.words), set(tree.labels)) for tree in parsed.trees] == [
        (sentence, {"TOP", "S"}) for sentence in sentences
    ]
