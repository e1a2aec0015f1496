"""Kinds of systems by name, languages of models and input, and deadlines of servers."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from gardenpath.errors import MissingPackage, NoAnswer, SystemFailure, UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems import kinds, parse_with, read_card, system, text_treebank
from gardenpath.systems.asking import registry
from gardenpath.systems.asking import servers as json_server
from gardenpath.systems.asking.language import LanguageCheck, code_of, profile
from gardenpath.systems.asking.registry import Kind, language_model
from gardenpath.systems.asking.servers import JsonServer
from gardenpath.systems.parsers import udpipe_rest
from gardenpath.systems.training.training import Trainer
from gardenpath.treebank import Treebank, read
from installed_package import install
from loopback import LoopbackHandler, LoopbackServer, running


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real distribution with an entry point, installed into a folder on the path."""
    (tmp_path / "flat_parser.py").write_text(
        "class Flat:\n"
        "    signature, modes = 'kind:flat|version:1', ('tokens',)\n"
        "    def __init__(self, argument):\n"
        "        self.name, self.label = 'flat:' + argument, argument\n"
        "    def parse(self, request):\n"
        "        lines = []\n"
        "        for sentence in request.tokens:\n"
        "            for row in sentence.rows:\n"
        "                head = '0' if row[0] == '1' else '1'\n"
        "                lines.append('\\t'.join([*row[:6], head, self.label, '_', row[9]]))\n"
        "            lines.append('')\n"
        "        return '\\n'.join(lines) + '\\n'\n"
        "class Broken:\n"
        "    def __init__(self, argument):\n"
        "        raise RuntimeError('no weights')\n",
        encoding="utf-8",
    )
    named = "flat = flat_parser:Flat\nbroken = flat_parser:Broken\ngone = flat_parser:Gone\nlist = builtins:list\n"
    install(tmp_path, monkeypatch, "flat_parser", named)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("udpip:model", "did you mean udpipe"),
        ("udpipe", "write udpipe:MODEL"),
        ("baseline:", "write baseline:NAME"),
        ("xyz:1", "gardenpath systems lists them"),
        ("baseline:subject-last", "did you mean subject-first"),
        ("udpipe:nowhere.udpipe", "No such file"),
        ("stanza:", "write stanza:LANGUAGE or FOLDER"),  # also where it is not installed
    ],
)
def test_a_wrong_name_says_what_would_be_right(name: str, told: str) -> None:
    with pytest.raises(Exception, match=told):
        system(name)


@pytest.mark.usefixtures("third_party")
def test_a_kind_of_another_package_works_like_ours() -> None:
    bank = Treebank(b"1\tein\t_\t_\t_\t_\t_\t_\t_\t_\n2\tHaus\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    assert kinds()["flat"].source == "flat-parser 1.0"
    parsed = parse_with("flat:dep", bank, where=Where(cache=False)).treebank
    assert parsed.heads.tolist() == [0, 1]
    assert parsed.column("deprel").strings() == ["dep", "dep"]


@pytest.mark.usefixtures("third_party")
@pytest.mark.parametrize(
    ("name", "told"), [("broken:x", "no weights"), ("gone:x", "cannot be loaded"), ("list:x", "is not a parser")]
)
def test_a_broken_kind_of_another_package_is_one_sentence(name: str, told: str) -> None:
    with pytest.raises(SystemFailure, match=told):
        system(name)


@pytest.mark.parametrize(("package", "beside"), [("no_such_package_here", ""), ("json", "no_such_package_here")])
def test_a_missing_package_says_how_to_install_it(package: str, beside: str) -> None:
    kind = Kind("far", ".far:Far", "X", "", package=package, extra="far", beside=beside)
    assert not kind.installed
    told = r'^far: no_such_package_here is not installed\n.*pip install "gardenpath\[far\]"'
    with pytest.raises(MissingPackage, match=told):
        kind.load()
    assert Kind("near", ".far:Far", "X", "", package="json", beside="csv").installed


def test_transformers_without_torch_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip install transformers does not bring it."""
    monkeypatch.setitem(sys.modules, "transformers", ModuleType("transformers"))
    sys.modules["transformers"].__spec__ = ModuleSpec("transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackage, match=r'^hf: torch is not installed\n.*pip install "gardenpath\[hf\]"'):
        language_model("hf:gpt2")


def test_every_installed_kind_can_be_loaded() -> None:
    for kind in registry.KINDS:
        if kind.installed:
            assert callable(kind.load())
            assert not kind.trainer or isinstance(kind.load(kind.trainer)(kind.name), Trainer)


RUSSIAN = "Мама мыла раму, а потом он ушёл домой и больше не вернулся."
ENGLISH = """It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of
foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of light, it was the
season of darkness, it was the spring of hope, it was the winter of despair."""
"""The opening of A Tale of Two Cities (Dickens, 1859; public domain)."""


def test_the_card_has_a_profile_of_the_training_data(udpipe_model: Path) -> None:
    known = read_card(udpipe_model)["profile"]
    assert known["scripts"] == {"LATIN": 1.0}
    assert "der" in known["words"].split("|")
    assert 0.3 < known["covered"] <= 1


def test_another_script_is_an_error_unless_it_is_wished(udpipe_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, bank = f"udpipe:{udpipe_model}", text_treebank(RUSSIAN, by_line=True)
    told = r"trained on de data .* in Latin script; 100% of the letters of <text> are Cyrillic"
    with pytest.raises(UsageError, match=told) as caught:
        parse_with(name, bank, mode="sentences")
    assert "--set", "any_language=yes" in caught.value.todo
    with pytest.warns(UserWarning, match=told):
        result = parse_with(name, bank, mode="sentences", any_language=True)
    assert "|language:differs|" in result.signature
    assert result.notes[0].startswith("warning: this model was trained on de data")
    monkeypatch.setenv("GARDENPATH_ANY_LANGUAGE", "1")
    with pytest.warns(UserWarning, match=told):
        assert len(parse_with(name, bank, mode="sentences").treebank) == 1


def test_another_language_is_a_warning(udpipe_model: Path) -> None:
    with pytest.warns(UserWarning, match=r"frequent words make \d+% .*another language\?"):
        result = parse_with(f"udpipe:{udpipe_model}", text_treebank(ENGLISH, by_line=False), mode="text")
    assert "language:differs" in result.signature
    assert len(result.treebank) > 0


def test_the_same_language_and_too_little_text_are_let_pass(udpipe_model: Path, samples: Path) -> None:
    test = (samples / "de_garden-test.conllu").read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = parse_with(f"udpipe:{udpipe_model}", Treebank(test))  # without a name that tells the language
        parse_with(f"udpipe:{udpipe_model}", text_treebank("It was", by_line=True), mode="sentences")
    assert "language:" not in result.signature


def test_names_tell_languages(udpipe_model: Path, dev: Treebank) -> None:
    assert code_of("ud/UD_Hungarian-Szeged/hu_szeged-ud-test.conllu") == "hu"
    assert code_of("a/de_lit-ud-test.conllu + b/de_pud-ud-test.conllu") == "de"
    assert code_of("a/de_lit-ud-test.conllu + b/fr_pud-ud-test.conllu") == code_of("test.conllu") == ""
    told: list[str] = []
    check = LanguageCheck(f"udpipe:{udpipe_model}", tell=told.append)
    check.see(Treebank(dev.to_bytes(), name="hu_szeged-ud-test.conllu"))
    assert told == ["warning: this model was trained on de data (de_garden-train.conllu); by its name the input is hu"]


@pytest.mark.parametrize("card", [None, "{", "[]", "{}", {"profile": 1}, {"profile": {"scripts": [], "words": 3}}])
def test_of_a_model_without_a_card_of_ours_nothing_is_known(udpipe_model: Path, tmp_path: Path, card: object) -> None:
    path = tmp_path / "m.udpipe"
    path.write_bytes(udpipe_model.read_bytes())
    if card is not None:
        text = card if isinstance(card, str) else json.dumps(card)
        (tmp_path / "m.udpipe.json").write_text(text, encoding="utf-8")
    result = parse_with(f"udpipe:{path}", text_treebank(RUSSIAN, by_line=True), mode="sentences")
    assert not result.notes


@pytest.mark.parametrize(
    ("name", "known"), [("bundled:zh-test", 40), ("ud/UD_Chinese-GSDSimp/zh_gsdsimp-ud-test.conllu", 200)]
)
def test_chinese_text_without_blanks_is_not_taken_for_another_language(
    name: str, known: int, file_named: Callable[[str], Path], tmp_path: Path
) -> None:
    bank = read(file_named(name))[:300]
    (tmp_path / "m").write_bytes(b"")
    (tmp_path / "m.json").write_text(json.dumps({"profile": profile(bank[:known], None)}), encoding="utf-8")
    text = text_treebank("\n".join(bank[known:].texts), by_line=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check = LanguageCheck(f"udpipe:{tmp_path / 'm'}")
        check.see(text, "sentences")
        LanguageCheck(f"udpipe:{tmp_path / 'm'}").see(bank[known:])
    assert check.notes == ()


BEGINNINGS = {
    "status": b"",
    "header": b"HTTP/1.1 200 OK\r\nX-Long: ",
    "content": b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
    "content without length": b"HTTP/1.0 200 OK\r\n\r\n{",
    "size of a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
}


class Dripping(LoopbackHandler):
    def do_GET(self) -> None:
        trouble = self.server.plan[0]  # type: ignore[attr-defined]
        if trouble not in BEGINNINGS:
            return self.answer(trouble)
        self.wfile.write(BEGINNINGS[trouble])
        while not self.server.ended.wait(0.01):  # type: ignore[attr-defined]
            try:
                self.wfile.write(b"1")
            except OSError:
                break
        return None


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_server, "TRIES", 1)


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("place", BEGINNINGS)
def test_a_server_that_drips_is_given_up(place: str) -> None:
    with running(LoopbackServer(Dripping)) as server:
        server.plan = [place]
        begin = time.monotonic()
        with pytest.raises(NoAnswer, match=r"no answer within 0\.2 s"):
            JsonServer(server.url).ask("x", None, "", 0.2)
        assert time.monotonic() - begin < 5  # a tenth of a second each would be an hour


@pytest.mark.usefixtures("once")
def test_the_first_request_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udpipe_rest, "_GREETING", 0.2)
    with running(LoopbackServer(Dripping)) as server:
        server.plan = ["header"]
        with pytest.raises(NoAnswer, match=r"no answer within 0\.2 s"):
            udpipe_rest.UDPipeRest(f"{server.url}#german")


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("answer", ["[" * 5000, '{"a": ' + "1" * 5000 + "}", '{"a": "\\ud800"}', "[1]", '{"a": NaN}'])
def test_answers_that_nobody_can_bear(answer: str) -> None:
    with running(LoopbackServer(Dripping)) as server:
        server.plan = [answer]
        with pytest.raises(SystemFailure, match="the server fails: its answer is not "):
            JsonServer(server.url).ask("x", None, "", 5)
