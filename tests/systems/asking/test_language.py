"""A model is asked about another language: another script is an error, another language a warning."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.systems import parse_with, read_card, text_treebank
from gardenpath.systems.asking.language import LanguageCheck, code_of, profile
from gardenpath.treebank import Treebank, read

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
    assert "--any-language" in caught.value.todo
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
