"""`gardenpath treebank convert` of phrase trees: formats, transformations, messages and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.phrase import from_notation, grown, read, write

GAP = "(S (VP:OC#1 (ADV:MO So)) (VAFIN:HD hat) ($, ,) (NE:SB Anna) (VP:OC#1 (VVPP:HD gelebt))) ($. .)"


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["treebank", "convert", *map(str, arguments)])
    return int(ended.value.code or 0)


@pytest.fixture
def tiger(tmp_path: Path) -> Path:
    """A tree with a gap, punctuation at the root, a lemma and a secondary edge."""
    tree = from_notation(GAP)
    edges = [(3, "SB", next(node.number for node in tree.inner if node.label == "VP"))]
    mothers = [-1 if tag == "$," else mother for tag, mother in zip(tree.tags, tree.mothers, strict=False)]
    path = tmp_path / "tiger.xml"
    full = grown(
        tree.words,
        tree.tags,
        tree.labels,
        tree.functions,
        [*mothers, *tree.mothers[len(tree) :]],
        edges,
        lemmas=["so", "haben", "", "Anna", "leben", ""],
        sent_id="s1",
    )
    write([full], path)
    return path


def test_between_formats_that_hold_everything(tiger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.export"
    assert run(tiger, "--to", "export", "-o", target) == 0
    assert read(target) == read(tiger)
    assert capsys.readouterr().err == ""
    assert run(target, "--to", "tigerxml", "-o", tmp_path / "back.xml", "--set", "renumber_sent_ids=t") == 0
    assert read(tmp_path / "back.xml") == read(tiger)
    assert read(tmp_path / "back.xml")[0].sent_id == "t1"


def test_the_output_says_its_format(tiger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tiger, "-o", tmp_path / "named.export") == 0
    assert run(tiger, "--to", "export", "-o", tmp_path / "asked.txt") == 0
    assert (tmp_path / "named.export").read_bytes() == (tmp_path / "asked.txt").read_bytes()
    folder = tmp_path / "folder"
    folder.mkdir()
    tiger.rename(folder / tiger.name)
    assert run(folder, "-o", tmp_path / "again.export") == 0
    assert (tmp_path / "again.export").read_bytes() == (tmp_path / "asked.txt").read_bytes()
    assert run(folder, "-o", tmp_path / "trees.conllu") == 2  # words of a folder that has none
    assert "phrase trees" in capsys.readouterr().err


def test_brackets_without_gaps(tiger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(tiger, "--to", "penn", "--gaps", "raise", "--set", "functions=drop") == 0
    out, err = capfd.readouterr()
    assert out == "( (S (ADV So) (VAFIN hat) ($, ,) (NE Anna) (VP (VVPP gelebt))) ($. .))\n"
    assert err.split("\n") == [
        "no place in penn: sentence ids (1)",
        "no place in penn: secondary edges (1)",
        "no place in penn: lemmas (4)",
        "raised: each node stays with its head, by the rules of TIGER",
        "",
    ]
    assert run(tiger, "--to", "penn", "--gaps", "split", "--set", "separator=:") == 0
    assert capfd.readouterr().out == (
        "( (S (VP*:OC (ADV:MO So)) (VAFIN:HD hat) ($, ,) (NE:SB Anna) (VP*:OC (VVPP:HD gelebt))) ($. .))\n"
    )
    assert run(tiger, "--to", "discbracket") == 0
    assert "(VP-OC (ADV-MO 0=So) (VVPP-HD 4=gelebt))" in capfd.readouterr().out


NOUN = (
    "(S (NP:SB#1 (ART:NK Ein) (NN:NK Zug)) (VVFIN:HD kommt) "
    "(NP:SB#1 (S:RC (PRELS:SB der) (ADV:MO nie) (VVFIN:HD hält))))"
)


def test_raising_keeps_the_head_of_a_scheme_that_is_found_or_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write([from_notation(NOUN)], tmp_path / "noun.export")
    by_head = "( (S (NP (ART Ein) (NN Zug)) (VVFIN kommt) (S (PRELS der) (ADV nie) (VVFIN hält))))\n"
    longest = "( (S (ART Ein) (NN Zug) (VVFIN kommt) (NP (S (PRELS der) (ADV nie) (VVFIN hält)))))\n"
    raising = [tmp_path / "noun.export", "--to", "penn", "--gaps", "raise", "--set", "functions=drop"]
    for options in ([], ["--scheme", "tiger"]):
        assert run(*raising, *options) == 0
        out, err = capfd.readouterr()
        assert (out, err.split("\n")[-2][-14:]) == (by_head, "rules of TIGER")
    strange = from_notation(NOUN.replace("NP:", "X:").replace("(S", "(Y"))
    write([strange], tmp_path / "noun.export")
    assert run(*raising) == 0
    out, err = capfd.readouterr()
    assert (out, "no known scheme" in err) == (longest.replace("(S", "(Y").replace("NP", "X"), True)


@pytest.mark.parametrize("name", ["bundled:de-constructions/tiger/trees.export", "phrase/tiger-pcc/syntax"])
def test_raised_gold_is_right_in_raised_form(
    name: str, file_named: Callable[[str], Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    import json

    given, gold = file_named(name), tmp_path / "gold.export"
    write(read(sorted(given.glob("*.xml"))[:12] if given.is_dir() else given), gold)
    assert run(gold, "--to", "export", "--gaps", "raise", "-o", tmp_path / "raised.export") == 0
    capfd.readouterr()
    options = "--scheme tiger --set form=raised -f json".split()
    with pytest.raises(SystemExit) as ended:
        main(["constructions", str(gold), str(tmp_path / "raised.export"), *options])
    assert not ended.value.code
    findings = json.loads(capfd.readouterr().out)["findings"]
    (accuracy,) = [
        finding
        for finding in findings
        if finding["measure"] == "accuracy" and not {"scheme", "phenomenon"} & set(finding)
    ]
    assert accuracy["value"] == 100
    assert accuracy["n"] > 40


def test_deepened_trees(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deep.mrg"
    path.write_text("(PP-MO (APPR-HD in) (NP-NK (NN-HD Ruhe)))")
    assert run(path, "--to", "penn", "--set", "plain=yes") == 0
    assert capfd.readouterr().out == "( (PP-MO (APPR-AC in) (NN-NK Ruhe)))\n"


def test_other_formats_and_encodings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "negra.txt"
    path.write_bytes("#FORMAT 3\n#BOS 1\nÖl NN -- -- 0\n#EOS 1\n".encode("latin-1"))
    assert run(path, "--to", "penn", "--from", "export") == 0
    out, err = capfd.readouterr()
    assert out == "( (NN Öl))\n"
    assert "is not UTF-8: read as latin-1" in err
    assert run(path, "--to", "penn", "--set", "encoding=latin-1") == 0
    assert "latin-1" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "penn"], "sentence s1: brackets cannot hold the node"),
        (["--to", "penn", "--gaps", "rise"], "did you mean raise"),
        (["--to", "pen"], "did you mean penn"),
        (["--to", "penn", "--set", "add_text=yes"], "--set add_text does not go with --to penn"),
        (["--to", "text", "--gaps", "raise"], "--gaps does not go with --to text"),
        (["--to", "export", "--set", "functions=lose"], "unknown treatment of functions 'lose'"),
        (["--to", "export", "--from", "negra"], "unknown format of phrase trees 'negra'"),
        (["--to", "penn", "--set", "separator=+"], "does not separate functions"),
        (["--to", "export", "--set", "renumber_sent_ids=a b"], "a sent_id cannot hold white space"),
    ],
)
def test_what_cannot_be_done(
    tiger: Path, tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "target"
    assert run(tiger, "-o", target, *options) == 2
    assert message in capsys.readouterr().err
    assert not target.exists()
