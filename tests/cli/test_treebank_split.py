"""`gardenpath treebank split`: files, sizes, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.runs.record.signatures import digest
from gardenpath.treebank import read


def write(path: Path, size: int, begin: int = 0) -> Path:
    rows = [f"# sent_id = {n}\n1\tw{n}\t_\t_\t_\t_\t0\troot\t_\t_\n\n" for n in range(begin, begin + size)]
    path.write_text("# newdoc\n" + "".join(rows), encoding="utf-8")
    return path


def split(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["treebank", "split", *map(str, arguments)])
    return int(end.value.code or 0)


def test_three_files_hold_all_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "small.conllu", 20)
    assert split(source, "-o", tmp_path / "parts", "--seed", 4, "--format", "json") == 0
    files = sorted((tmp_path / "parts").iterdir())
    assert [file.name for file in files] == ["small-dev.conllu", "small-test.conllu", "small-train.conllu"]
    assert sorted(name for file in files for name in read(file).sent_ids) == sorted(map(str, range(20)))
    found = json.loads(capsys.readouterr().out)
    sizes = {one["part"]: one["value"] for one in found["findings"] if one["measure"] == "sentences"}
    assert sizes == {"train": 16, "dev": 2, "test": 2}
    marks = f"command:treebank split|input:small#{digest(source.read_bytes())[:8]}|method:random|by:sentence|near:0.6"
    assert found["signature"].startswith(marks + "|seed:4|train:0.8|dev:0.1|test:0.1|version:")


def test_table_of_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "small.conllu", 10)
    assert split(source, "-o", tmp_path, "--shares", "0.5,0,0.5", "--set", "prefix=half") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split() == ["train", "5", "5", "0.500", str(tmp_path / "half-train.conllu")]
    assert not (tmp_path / "half-dev.conllu").exists()


def test_files_taken_together_share_their_name(tmp_path: Path) -> None:
    sources = [write(tmp_path / f"xx_y-ud-{part}.conllu", 6, at) for part, at in (("train", 0), ("test", 6))]
    assert split(*sources, "-o", tmp_path / "parts", "--by-document", "--shares", "0.5,0,0.5") == 0
    train, test = (read(tmp_path / "parts" / f"xx_y-ud-{part}.conllu").sent_ids for part in ("train", "test"))
    assert sorted([train, test]) == sorted([[*map(str, range(6))], [*map(str, range(6, 12))]])


def test_files_are_not_replaced_without_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "small.conllu", 10)
    assert split(source, "-o", tmp_path) == 0
    before = (tmp_path / "small-test.conllu").read_bytes()
    assert split(source, "-o", tmp_path, "--seed", 1) == 2
    assert "small-train.conllu: file already exists" in capsys.readouterr().err
    assert (tmp_path / "small-test.conllu").read_bytes() == before
    assert split(source, "-o", tmp_path, "--seed", 1, "--force") == 0
    assert (tmp_path / "small-test.conllu").read_bytes() != before


def test_the_input_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "x-train.conllu", 10)
    before = source.read_bytes()
    assert split(source, "-o", tmp_path, "--set", "prefix=x", "--force") == 2
    assert "this is the input itself" in capsys.readouterr().err
    assert source.read_bytes() == before
    assert list(tmp_path.iterdir()) == [source]


def trees(path: Path, size: int = 60, border: int = 0) -> Path:
    """Every fifth sentence leans the other way, and every tenth has two words."""
    blocks = []
    for number in range(size):
        heads = [2, 3, 4, 0] if number % 5 else [0, 1, 2, 3]
        heads = [0, 1] if number % 10 == 9 else heads
        comment = "# newdoc\n" if border and number % border == 0 else ""
        rows = "".join(f"{n}\tw{number}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for n, head in enumerate(heads, start=1))
        blocks.append(f"{comment}# sent_id = {number}\n{rows}\n")
    path.write_text("".join(blocks), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("make", "size", "arguments", "message"),
    [
        (write, 10, ["--shares", "train=0.9"], "do not make a whole"),
        (write, 10, ["--by-document"], "1 document cannot make 3 parts"),
        (write, 10, ["--seed", "-1"], "'--seed': -1 is not in the range"),
        (write, 2, [], "2 sentences cannot make 3 parts"),
        (trees, 60, ["--method", "max"], "max-edv"),
        (write, 10, ["--shares", "0.5,0.5"], "write three numbers"),
        (trees, 60, ["--method", "min-edv", "--by-document"], "no document borders (`# newdoc`)"),
    ],
)
def test_what_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path, int], Path], size: int,
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    assert split(make(tmp_path / "small.conllu", size), "-o", tmp_path / "parts", *arguments) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "parts").exists()


def found_in(text: str) -> dict[str, float]:
    return {one["measure"]: one["value"] for one in json.loads(text)["findings"] if "part" not in one}


def test_splits_by_displacement_say_how_far_they_are_from_chance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = trees(tmp_path / "small.conllu")
    reached = {}
    for method in ("min-edv", "max-edv", "random", "length"):
        assert split(source, "-o", tmp_path / method, "--method", method, "--format", "json") == 0
        out = capsys.readouterr().out
        reached[method] = found_in(out)
        left_out = json.loads(out)["failures"]
        assert left_out == ({"shorter than 3 words, left out": 6} if method.endswith("edv") else {})
        shown = "|procedure:best" if method.endswith("edv") else ""
        assert f"method:{method}|by:sentence|near:0.6|seed:0{shown}|train:0." in json.loads(out)["signature"]
    least, most = reached["min-edv"], reached["max-edv"]
    assert least["edv"] < least["edv_noise_mean"] < most["edv"]
    assert most["edv_excess"] == most["edv"] - most["edv_noise_mean"]
    assert most["edv_z"] == (most["edv"] - most["edv_noise_mean"]) / most["edv_noise_sd"]
    sizes = [len(read(file)) for file in sorted((tmp_path / "max-edv").iterdir())]
    assert sizes == [11, 11, 32]  # dev, test, train: 60/20/20 of 54
    assert min(read(tmp_path / "length" / "small-test.conllu").lengths) == 4


def test_table_of_distances(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trees(tmp_path / "small.conllu", border=6)
    assert split(source, "-o", tmp_path / "parts", "--method", "max-edv", "--by-document", "--set", "draws=0") == 0
    out = capsys.readouterr().out
    assert "Train to test\n" in out
    assert "random" not in out
    assert "draws" not in out
    documents = [read(file).data.count(b"# newdoc") for file in (tmp_path / "parts").iterdir()]
    assert sum(documents) == 10


def test_the_paper_has_a_procedure_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trees(tmp_path / "small.conllu")
    asked = ["-o", tmp_path / "parts", "--method", "max-edv", "--set", "procedure=paper"]
    assert split(source, *asked, "--format", "json") == 0
    assert "|procedure:paper|" in json.loads(capsys.readouterr().out)["signature"]
    assert split(source, *asked, "--by-document", "--force") == 2
    assert "no document borders" in capsys.readouterr().err


def test_all_parts_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trees(tmp_path / "small.conllu")
    (tmp_path / "parts" / "small-test.conllu").mkdir(parents=True)
    assert split(source, "-o", tmp_path / "parts", "--method", "max-edv", "--force") == 2
    assert "small-test.conllu: cannot write: this is a folder" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "parts").iterdir()] == ["small-test.conllu"]


def test_sentences_with_the_same_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """20 sentences, five of them a second time: on one side, or left out; the paper's sampling parts them."""
    (tmp_path / "one.conllu").write_bytes(trees(tmp_path / "x.conllu", 25).read_bytes())
    extra = b"".join(read(tmp_path / "x.conllu").block(number) for number in range(5))
    (tmp_path / "two.conllu").write_bytes(extra)
    sources = [tmp_path / "one.conllu", tmp_path / "two.conllu"]
    assert split(*sources, "-o", tmp_path / "a", "--set", "draws=0", "--format", "json") == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    counts = {
        (finding["measure"], finding["part"]): finding["value"]
        for finding in findings
        if finding["measure"] in ("repeated", "in_train")
    }
    assert counts == {("repeated", "all"): 5, ("in_train", "dev"): 0, ("in_train", "test"): 0}
    assert split(*sources, "-o", tmp_path / "b", "--set", "draws=0", "--deduplicate", "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["failures"] == {"with the words of another, left out": 5}
    assert "|deduplicate:" in result["signature"]
    assert sum(len(read(file)) for file in (tmp_path / "b").iterdir()) == 25


def test_documents_that_make_no_such_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trees(tmp_path / "small.conllu", border=20)
    assert split(source, "-o", tmp_path / "parts", "--method", "max-edv", "--by-document") == 2
    shown = capsys.readouterr().err
    assert "whole documents do not make parts of these sizes: the nearest found are train 0.333" in shown
    assert "--set tolerance=0.267" in shown
    assert (
        split(source, "-o", tmp_path / "parts", "--method", "max-edv", "--by-document", "--set", "tolerance=0.27") == 0
    )


def test_folds_have_folders_and_a_spread(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trees(tmp_path / "small.conllu", border=6)
    asked = [
        "-o",
        tmp_path / "parts",
        "--folds",
        5,
        "--by-document",
        "--shares",
        "dev=0.1",
        "--repeats",
        2,
        "--format",
        "json",
    ]
    assert split(source, *asked) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(list((tmp_path / "parts").glob("repeat-2-fold-*/small-*.conllu"))) == 15
    ids = [name for file in (tmp_path / "parts").glob("repeat-1-*/small-test.conllu") for name in read(file).sent_ids]
    assert sorted(ids) == sorted(map(str, range(60)))
    edv = [finding["value"] for finding in result["findings"] if finding["measure"] == "edv"]
    ends = {finding["measure"]: finding["value"] for finding in result["findings"] if finding["measure"][:4] == "edv_"}
    assert len(edv) == 10
    assert ends["edv_mean"] == pytest.approx(sum(edv) / 10)
    assert (ends["edv_least"], ends["edv_greatest"]) == (min(edv), max(edv))
    assert "|seed:0|folds:5|repeats:2|tolerance:0.01|dev:0.1|" in result["signature"]


def test_overlap_says_what_of_test_is_in_train(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trees(tmp_path / "small.conllu")
    (tmp_path / "test.conllu").write_bytes(b"".join(read(source).block(number) for number in range(12)))
    (tmp_path / "train.conllu").write_bytes(b"".join(read(source).block(number) for number in range(9, 60)))
    with pytest.raises(SystemExit) as end:
        main(["treebank", "overlap", str(tmp_path / "train.conllu"), str(tmp_path / "test.conllu"), "-f", "json"])
    result = json.loads(capsys.readouterr().out)
    counts = {finding["measure"]: finding["value"] for finding in result["findings"]}
    assert (end.value.code or 0, counts["exact"], counts["near"], counts["share"]) == (0, 3, 0, 25.0)
    assert result["verdicts"][0]["text"].startswith("25.0 % of test is in train: 3 sentences word for word, 0 nearly;")
    marks = [f"train.conllu#{digest((tmp_path / 'train.conllu').read_bytes())[:8]}", "|near:0.6|"]
    assert all(mark in result["signature"] for mark in marks)
    assert [example["test"] for example in result["examples"]] == ["9", "10", "11"]


def test_phrase_trees_are_split_by_their_words_without_the_sentences_of_a_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from gardenpath.phrase import read as read_phrases
    from gardenpath.phrase.formats.source import write as write_phrases
    from gardenpath.suites.constructions.storage import write_constructions
    from gardenpath_generate.constructions.treebank import generate

    made = generate(60, seed=3)
    trees = made.trees("tiger")
    write_phrases(trees, tmp_path / "tiger.export")
    write_constructions(made.suites[0], tmp_path / "suite")
    asked = [tmp_path / "tiger.export", "-o", tmp_path / "parts", "--set", "near=0", "--format", "json"]
    assert split(*asked, "--exclude", tmp_path / "suite") == 0
    parts = {file.name: read_phrases(file) for file in (tmp_path / "parts").iterdir()}
    assert sorted(parts) == ["tiger-dev.export", "tiger-test.export", "tiger-train.export"]
    pairs = zip(trees, made.sentences, strict=True)
    plain = {tree.words: tree for tree, sentence in pairs if sentence.phenomenon == "plain"}
    dealt = {tree.words: tree for part in parts.values() for tree in part}
    assert dealt == plain
    found = json.loads(capsys.readouterr().out)
    assert found["failures"] == {"with the words of an excluded sentence, left out": 36}
    assert "|exclude:suite|" in found["signature"]
    assert split(*asked, "--method", "max-edv") == 2
    assert "max-edv is for CoNLL-U" in capsys.readouterr().err


def test_sentences_of_conllu_are_excluded_too(tmp_path: Path) -> None:
    source, known = write(tmp_path / "all.conllu", 30), write(tmp_path / "known.conllu", 10, begin=5)
    assert split(source, "-o", tmp_path / "parts", "--exclude", known, "--set", "draws=0") == 0
    left = {name for file in (tmp_path / "parts").iterdir() for name in read(file).sent_ids}
    assert left == set(map(str, [*range(5), *range(15, 30)]))
