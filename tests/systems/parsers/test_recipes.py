"""The scripts of docs/recipes.md: short, and run as `command:` systems against stand-ins of their packages, which
answer as the packages do (their weights cannot be fetched here)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from gardenpath.systems import parse_with
from gardenpath.systems.parsers.phrase_parsing import parse_trees_with
from gardenpath.treebank import Treebank

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
