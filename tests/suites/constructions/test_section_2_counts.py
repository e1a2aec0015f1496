"""TEPACOC, Section 2: relative clauses, coordinations of clauses, and elision. Oracle: sentences counted by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.formats.source import write
from gardenpath.stats.sampling import wilson_bounds
from gardenpath.suites.constructions.finding import count_by_requests, gold_trees
from gardenpath.suites.constructions.sampling import find_all, overview

GAPPING = "(CS (S:CJ (NE:SB Hans) (VVFIN:HD kauft) (NN:OA Brot)) (KON:CD und) (S:CJ (NE:SB Eva) (NN:OA Wein)))"
VERBS_LAST = (  # dass Hans Brot und Eva Wein kauft: the verb of the first clause stands in the second
    "(CS (S:CJ (NE:SB Hans) (NN:OA Brot)) (KON:CD und) (S:CJ (NE:SB Eva) (NN:OA Wein) (VVFIN:HD kauft)))"
)
SHARED_OBJECT = (  # Hans kauft und Eva verkauft Brot: the object of the first clause stands in the second
    "(CS (S:CJ (NE:SB Hans) (VVFIN:HD kauft)) (KON:CD und) (S:CJ (NE:SB Eva) (VVFIN:HD verkauft) (NN:OA Brot)))"
)
COORDINATED = "(CS (S:CJ (NE:SB Hans) (VVFIN:HD kommt)) (KON:CD und) (S:CJ (NE:SB Eva) (VVFIN:HD geht)))"
FCR = "(CS (S:CJ (NE:SB Hans) (VVFIN:HD kommt) (ADV:MO früh)) (KON:CD und) (S:CJ (VVFIN:HD geht) (ADV:MO spät)))"
RELATIVE = "(S (NP:SB (ART:NK ein) (NN:NK Hund) (S:RC (PRELS:SB der) (VVFIN:HD bellt))) (VVFIN:HD beißt) (PPER:OA ihn))"
EXTRAPOSED = (
    "(S (NP:SB#1 (ART:NK ein) (NN:NK Hund)) (VVFIN:HD beißt) (PPER:OA ihn) (NP:SB#1 (S:RC (PRELS:SB der) "
    "(VVFIN:HD bellt))))"
)


def shared(line: str, word: str, label: str, first: int) -> PhraseTree:
    """A tree in which the clause over this token has this word, from another clause, too."""
    tree = from_notation(line)
    clause = next(node.number for node in tree.inner if node.label == "S" and node.mask >> first & 1)
    return replace(tree, secondary=((tree.words.index(word), label, clause),))


TIGER = [
    from_notation(GAPPING), shared(VERBS_LAST, "kauft", "HD", 0), shared(SHARED_OBJECT, "Brot", "OA", 0),
    from_notation(COORDINATED), from_notation(FCR), from_notation(RELATIVE), from_notation(EXTRAPOSED),
    shared(GAPPING, "kauft", "HD", 4),
]  # fmt: skip
FIELDS = "(VF (NX:ON (NE:HD {}))) (LK (VXFIN:HD (VVFIN:HD {})))"
TUEBADZ = [
    from_notation(line)
    for line in (
        f"(SIMPX (SIMPX:KONJ {FIELDS.format('Hans', 'kommt')}) (KON und) (SIMPX:KONJ {FIELDS.format('Eva', 'geht')}))",
        f"(SIMPX (SIMPX:KONJ {FIELDS.format('Hans', 'kauft')} (MF (NX:OA (NN:HD Brot)))) (KON und) "
        "(SIMPX:KONJ (VF (NX:ON (NE:HD Eva))) (MF (NX:OA (NN:HD Wein)))))",
        f"(SIMPX {FIELDS.format('Der', 'kommt')} (NF (R-SIMPX:ON-MOD (C (NX:ON (PRELS:HD der))) (VC (VXFIN:HD "
        "(VVFIN:HD bellt))))))",
    )
]


def numbers(trees: Sequence[PhraseTree], scheme: str) -> dict[str, list[int]]:
    return {name: [tree for tree, _ in places] for name, places in count_by_requests(trees, scheme).items()}


def test_counts_in_tiger() -> None:
    assert numbers(TIGER, "tiger") == {
        "relative": [5, 6], "coordination": [0, 1, 2, 3, 4, 7], "gapping": [0, 7], "bcr": [1, 2],
    }  # fmt: skip


def test_without_secondary_edges_backward_reduction_is_not_counted() -> None:
    assert "bcr" not in numbers([replace(tree, secondary=()) for tree in TIGER], "tiger")


def test_counts_in_tuebadz() -> None:
    assert numbers(TUEBADZ, "tuebadz") == {"relative": [2], "coordination": [0, 1], "gapping": [1]}


def test_other_schemes_count_nothing() -> None:
    assert count_by_requests(TIGER, "ptb") == {}


def test_shares_with_their_intervals() -> None:
    result = overview(
        TIGER, find_all(TIGER, "tiger"), name="n", scheme="tiger", counted=count_by_requests(TIGER, "tiger")
    )
    found = {(f.by["phenomenon"], f.measure): f for f in result.findings if "variant" not in f.by}
    assert found["extraposed", "share"].value == 50
    elision = found["elision", "share"]
    assert (elision.value, elision.n) == (pytest.approx(100 * 5 / 6), 6)
    assert (elision.low, elision.high) == pytest.approx([100 * end for end in wilson_bounds(5 / 6, 6)])
    assert result.tables[1].columns[:4] == ["count", "what it is", "items", "sentences"]


def test_the_command_shows_them_unless_it_counts_something_else(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "trees.export"
    write(TIGER, file, "export")
    assert call("suite", "make", "constructions", file, "--scheme", "tiger", "-f", "json") == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {f["value"] for f in found if f.get("phenomenon") == "bcr" and f["measure"] == "sentences"} == {2}
    assert call("suite", "make", "constructions", file, "--scheme", "tiger", "--phenomena", "erc") == 0
    assert "gapping" not in capsys.readouterr().out


def test_the_list_by_name(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "trees.export"
    write(TIGER, file, "export")
    find = ("suite", "make", "constructions", file, "--scheme", "tiger", "--set", "list=tepacoc", "--set", "items=yes")
    (tmp_path / "mirror").mkdir()
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "mirror"))
    assert call(*find) == 2
    assert "tepacoc.txt" in capsys.readouterr().err
    place = tmp_path / "mirror" / "constructions" / "tepacoc"
    place.mkdir(parents=True)
    (place / "tepacoc.txt").write_text(f"TIGER\n\t\tFCR\n5\t\t{' '.join(TIGER[4].words)}\n", encoding="utf-8")
    assert call(*find) == 0
    assert "fcr-v2" in capsys.readouterr().out


def test_an_extraposed_clause_is_one_of_the_relative_clauses(shared: Path) -> None:
    trees = gold_trees(str(shared / "phrase" / "tiger-pcc" / "syntax"), "tiger")
    relative = set(count_by_requests(trees, "tiger")["relative"])
    extraposed = {(hit.tree, hit.construction.node) for hit in find_all(trees, "tiger", ["erc"])}
    assert extraposed < relative
    by_label = {(at, node.number) for at, tree in enumerate(trees) for node in tree.inner if node.function == "RC"}
    assert relative <= by_label
