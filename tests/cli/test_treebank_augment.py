"""`gardenpath treebank augment`: both remedies of the study, counts, and what is refused."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.treebank import read
from gardenpath.treebank.perturb.numerals import years_to_test, years_to_train
from gardenpath.treebank.validate.report import survey


def augment(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["treebank", "augment", *map(str, arguments)])
    return int(end.value.code or 0)


def measures(out: str, perturbation: str) -> dict[str, int]:
    return {
        one["measure"] + ("" if "reason" not in one else f" {one['reason']}"): one["value"]
        for one in json.loads(out)["findings"]
        if one.get("perturbation") == perturbation
    }


@pytest.fixture
def small(samples: Path) -> Path:
    return samples / "de_garden-test.conllu"


def test_twenty_variants_with_the_training_years(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.conllu"
    assert augment(small, "--change", "numerals", "--per-sentence", 20, "-o", out, "--format", "json") == 0
    printed = capsys.readouterr().out
    original, made = read(small), read(out)
    found = measures(printed, "numerals")
    assert found["variants"] == found["distinct_variants"] == 20 * found["batches"] > 0
    assert found["sentences"] == found["batches"] + found["not_perturbed no match"] == len(original)
    assert len(made) == len(original) + found["variants"]
    # The original treebank stands first, byte for byte; then the variants, as a document of their own.
    assert made.data.startswith(original.data)
    assert made.data[len(original.data) :].startswith(b"# newdoc id = variants\n# sent_id = ")
    assert len(set(made.sent_ids)) == len(made)
    marked = [one.metadata["perturbation"] for one in made if "perturbation" in one.metadata]
    years = [mark.rpartition(">")[2] for mark in marked]
    assert years[:20] == [str(year) for year in years_to_train()[:20]]
    assert not set(map(int, years)) & set(years_to_test())
    marks = "command:treebank augment|perturb:numerals(set=train,seed=7907)|per-sentence:20|version:"
    assert json.loads(printed)["signature"].startswith(marks)
    assert [report.problems for path in (out, small) for report in survey(path)] == [[], []]


def test_a_constant_keeps_the_size(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.conllu"
    assert augment(small, "--change", "numerals", "--substitute", "NNNN", "-o", out, "--format", "json") == 0
    original, made = read(small), read(out)
    assert made.sent_ids == original.sent_ids
    changed = [n for n in range(len(made)) if made.block(n) != original.block(n)]
    assert len(changed) == measures(capsys.readouterr().out, "numerals")["batches"] > 0
    assert all(" NNNN " in made.texts[number] for number in changed)
    assert made.heads.tolist() == original.heads.tolist()


def test_several_perturbations_the_language_from_the_name(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.conllu"
    assert augment(small, "-c", "names,places", "-c", "pronouns", "--per-sentence", 2, "-o", out, "-f", "json") == 0
    printed = capsys.readouterr().out
    made = read(out)
    total = sum(measures(printed, name)["variants"] for name in ("names", "places", "pronouns"))
    assert len(made) == len(read(small)) + total
    assert "names(language=de,set=train),places(language=de,set=train),pronouns(language=de)" in printed
    assert len(set(made.sent_ids)) == len(made)


def test_variants_only_with_the_test_years(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, only = tmp_path / "out.conllu", ("--per-sentence", 50, "--variants-only", "--format", "json")
    assert augment(small, "-c", "numerals", "--set", "split=test", *only, "-o", out) == 0
    made = read(out)
    written = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["measure"] == "sentences_written"]
    assert [one["value"] for one in written] == [len(made)]
    assert len(made) % 50 == 0
    assert [one.metadata["perturbation"].rpartition(">")[2] for one in made[:50]] == list(map(str, years_to_test()))


def test_a_list_of_ones_own(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values, out = tmp_path / "values.txt", tmp_path / "out.conllu"
    values.write_text("Ulm\nGera\n", encoding="utf-8")
    assert (
        augment(small, "--set", f"values={values}", "--set", "match=Wien|Bern", "--set", "upos=PROPN", "-o", out) == 0
    )
    texts = [one.text for one in read(out) if "perturbation" in one.metadata]
    assert any("Ulm" in text for text in texts)
    assert len(texts) % 2 == 0
    assert "match=Wien/Bern,upos=PROPN" in capsys.readouterr().out


def test_reasons_are_counted_in_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "de_x.conllu"
    rows = "1\tPeters\tPeter\tPROPN\t_\tCase=Gen|Gender=Masc\t2\tnmod\t_\t_\n2\tBuch\tBuch\tNOUN\t_\t_\t0\troot\t_\t_\n"
    wrong = rows.replace("Masc", "Fem")
    source.write_text(f"# sent_id = 1\n# text = Peters Buch\n{rows}\n# sent_id = 2\n# text = Peters Buch\n{wrong}\n")
    assert augment(source, "-c", "names", "-o", tmp_path / "out.conllu") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["names", "2", "1", "20", "20"] in lines
    assert ["names", "not", "perturbed", "agreement", "1"] in lines
    assert ["names", "values", "skipped", "no", "form", "5"] in lines


def test_no_match_writes_nothing_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "x.conllu"
    source.write_text("# text = Hm\n1\tHm\thm\tINTJ\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert augment(source, "-c", "numerals", "-o", tmp_path / "out.conllu") == 1
    assert "no sentence has a match: numerals: no match (1)" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["x.conllu"]


def test_a_treebank_augmented_before_is_refused(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    once, twice = tmp_path / "once.conllu", tmp_path / "twice.conllu"
    assert augment(small, "-c", "numerals", "-o", once) == 0
    assert augment(once, "-c", "numerals", "-o", twice) == 2
    assert "was this treebank augmented before?" in capsys.readouterr().err
    assert not twice.exists()


def test_large_inputs_go_through_in_pieces(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    whole, pieces = tmp_path / "whole.conllu", tmp_path / "pieces.conllu"
    assert augment(small, "-c", "numerals", "-o", whole) == 0
    monkeypatch.setattr(sys.modules["gardenpath.cli.treebank.augment"], "BLOCK", 3000)
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    assert augment(small, "-c", "numerals", "-o", pieces) == 0
    assert pieces.read_bytes() == whole.read_bytes()
    assert "augment (kB):" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-c", "numeral"], "did you mean numerals"),
        (["-c", "names", "-l", "fr"], "unknown language of names"),
        ([], "no perturbation is named"),
        (["-c", "numerals,numerals"], "named twice"),
        (["-c", "numerals", "--set", "split=dev"], "unknown value 'dev'"),
        (["-c", "numerals", "--substitute", "N N"], "'N N' cannot be a token"),
        (["-c", "numerals", "--substitute", "N\tN"], "cannot be a token"),
        (["-c", "numerals", "--substitute", "N", "--per-sentence", "3"], "--substitute adds no variants"),
        (["-c", "numerals,names", "--substitute", "N"], "name one perturbation"),
        (["--set", "match=x"], "a list of your own needs"),
        (["--set", "values=VALUES", "--set", "match=("], "is not a regular expression"),
        (["--set", "values=EMPTY", "--set", "match=x"], "there are no values in it"),
        (["--set", "values=BLANK", "--set", "match=x"], "'a b' cannot be a token"),
    ],
)
def test_bad_calls(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    for name, content in (("VALUES", "a\n"), ("EMPTY", ""), ("BLANK", "a b\n")):
        (tmp_path / name).write_text(content, encoding="utf-8")
    given = [re.sub("=(?=[A-Z]+$)", f"={tmp_path}/", one) for one in arguments]
    assert augment(small, *given, "-o", tmp_path / "out.conllu") == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out.conllu").exists()


def test_the_input_is_not_replaced(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy.conllu"
    copy.write_bytes(small.read_bytes())
    assert augment(copy, "-c", "numerals", "-o", copy) == 2
    assert "this is the input itself" in capsys.readouterr().err


def test_the_english_training_set_of_the_study(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """235 sentences, 20 variants of each: what the paper trains its English pipeline on."""
    source, out = shared / "ud/UD_English-EWT/en_ewt-ud-train.conllu", tmp_path / "out.conllu"
    assert augment(source, "-c", "numerals", "-o", out, "-f", "json") == 0
    found = measures(capsys.readouterr().out, "numerals")
    assert (found["sentences"], found["batches"], found["variants"]) == (12544, 235, 4700)
    assert len(read(out)) == 12544 + 4700
