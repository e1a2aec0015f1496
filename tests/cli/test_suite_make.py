"""`gardenpath suite make`: what is written where, in which form, and the exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from calls import call as run
from gardenpath.suites import read_suite


def generate(*arguments: object) -> int:
    return run("suite", "make", "roles", "--size", 60, *arguments)


@pytest.mark.parametrize("language", ["de", "nl"])
def test_a_treebank_that_passes_both_checks(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "roles.conllu"
    assert generate("--language", language, "-o", path) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("60 sentences of ")
    assert run("suite", "check", path) == 0
    assert run("treebank", "validate", path) == 0


def test_the_ending_says_the_form(tmp_path: Path) -> None:
    for name, form in (("a.conllu", "conllu"), ("a.conll", "conll"), ("a.tsv", "tsv")):
        assert generate("-o", tmp_path / name) == 0
        assert read_suite(tmp_path / name).format == form
    assert generate("--to", "conllu-feats", "-o", tmp_path / "a.txt") == 0
    assert read_suite(tmp_path / "a.txt").format == "conllu-feats"
    assert read_suite(tmp_path / "a.tsv").tokens == read_suite(tmp_path / "a.conllu").tokens


def test_partial_gold_has_three_arcs_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "roles.conll"
    assert generate("--set", "partial=yes", "-o", path) == 0
    suite = read_suite(path)
    assert int((suite.treebank.heads >= 0).sum()) == 3 * len(suite)
    assert set(suite.treebank.column("deprel").values) == {"_", "nsubj", "obj", "verb"}
    assert run("suite", "check", path) == 0


def test_standard_output_has_the_same_bytes(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert generate("--seed", 4, "-o", tmp_path / "a.conllu") == 0
    capfdbinary.readouterr()
    assert generate("--seed", 4) == 0
    assert capfdbinary.readouterr().out == (tmp_path / "a.conllu").read_bytes()


def test_bad_calls_are_exit_2_and_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lexicon, output = tmp_path / "mine.toml", tmp_path / "a.conllu"
    lexicon.write_text('extends = "de"\n[nouns]\nhuman = [{ lemma = "Schmied" }]\n', encoding="utf-8")
    for arguments, said in (
        (("--language", "deu"), "did you mean de?"),
        (("--grammar", lexicon), "(Schmied): gender is missing"),
        (("--set", "ambiguity=half"), "ambiguity: unknown value 'half'"),
        (("--to", "xml"), "unknown format 'xml'"),
        (("--set", "tense=future"), "tense: unknown value 'future'"),
    ):
        assert generate(*arguments, "-o", output) == 2
        assert said in capsys.readouterr().err
    assert run("suite", "make", "role", "-o", output) == 2
    assert "did you mean roles?" in capsys.readouterr().err
    assert not output.exists()


def test_text_is_drawn_from_the_grammar(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    from gardenpath.suites.generation import sentences

    assert run("suite", "make", "text", "--language", "zh", "-n", 5, "--seed", 3) == 0
    shown = capsysbinary.readouterr().out.decode("utf-8").splitlines()
    assert shown == [" ".join(words) for words in sentences("zh", 5, 3)]
    target = tmp_path / "en.txt"
    assert run("suite", "make", "text", "-l", "en", "-n", 7, "-o", target) == 0
    assert len(target.read_text("utf-8").splitlines()) == 7
    for wrong in (["-l", "de"], ["-l", "en", "--set", "tense=past"]):
        assert run("suite", "make", "text", *wrong) == 2
