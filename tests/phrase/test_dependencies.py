"""Phrase trees as dependencies: worked examples, the sample's own columns, and one root without a circle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.phrase import ROOT, PhraseTree, from_notation, grown
from gardenpath.phrase.dependencies import arcs, to_dependencies
from gardenpath.phrase.source import read
from gardenpath.treebank import tree_mask


def shown(line: str, scheme: str) -> list[str]:
    tree = from_notation(line)
    (sentence,) = to_dependencies([tree], scheme)
    return [
        f"{word.form} {word.deprel} {word.parent.form if word.parent and word.deprel != 'root' else ''}".strip()
        for word in sentence.words
    ]


def test_plain_tiger() -> None:
    line = (
        "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:NK Haus) (PP:MNR "
        "(APPRART:AC am) (NN:NK See))) (VVPP:HD gekauft))) ($. .)"
    )
    assert shown(line, "tiger") == [
        "Die NK Familie", "Familie SB hat", "hat root", "das NK Haus", "Haus OA gekauft", "am MNR Haus", "See NK am",
        "gekauft OC hat", ". punct hat",
    ]  # fmt: skip


def test_conjuncts_are_a_chain() -> None:
    line = "(CNP (NN:CJ Brot) ($, ,) (NN:CJ Salz) (KON:CD und) (NP:CJ (ADJA:NK gutes) (NN:NK Öl)) (ADV:MO auch))"
    assert shown(line, "tiger") == [
        "Brot root", ", punct Brot", "Salz CJ Brot", "und CD Salz", "gutes NK Öl", "Öl CJ und", "auch MO Brot",
    ]  # fmt: skip


def test_the_largest_tree_has_the_root() -> None:
    line = "(ITJ Ja) ($, ,) (S (PPER:SB er) (VVFIN:HD geht)) ($. .)"
    assert shown(line, "tiger") == ["Ja -- geht", ", punct geht", "er SB geht", "geht root", ". punct geht"]
    assert shown("($. .) ($. !)", "tiger") == [". root", "! punct ."]


def test_fields_of_tuebadz_are_looked_through() -> None:
    line = (
        "(SIMPX (VF (PX:V-MOD (APPR nach) (NX:HD (NN:HD Mitternacht)))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:ON "
        "(ART der) (NN:HD Wirt)) (NX:OA (ART den) (NN:HD Gast)) (ADVX:MOD (ADV:HD noch))) (VC (VXINF:OV (VVPP:HD "
        "gefunden))) ($, ,) (NF (R-SIMPX:OA-MOD (C (NX:ON (PRELS:HD der))) (VC (VXFIN:HD (VVFIN:HD schlief))))))"
    )
    assert shown(line, "tuebadz") == [
        "nach V-MOD gefunden", "Mitternacht HD nach", "hat root", "der -- Wirt", "Wirt ON hat",
        "den -- Gast", "Gast OA gefunden", "noch MOD gefunden", "gefunden OV hat", ", punct hat", "der ON schlief",
        "schlief OA-MOD Gast",
    ]  # fmt: skip


def test_coordinated_fields_of_tuebadz() -> None:
    line = (
        "(SIMPX (VF (NX:ON (ART die) (NN:HD Nachbarin))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD öffnete))) (MF "
        "(NX:OA (ART das) (NN:HD Fenster)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD rief))) (MF (NX:OA "
        "(PPOSAT ihren) (NN:HD Hund))))))"
    )
    assert shown(line, "tuebadz") == [
        "die -- Nachbarin", "Nachbarin ON öffnete", "öffnete root", "das -- Fenster", "Fenster OA öffnete",
        "und -- öffnete", "rief KONJ und", "ihren -- Hund", "Hund OA rief",
    ]  # fmt: skip
    line = (
        "(SIMPX (VF (NX:ON (NN:HD Anna))) (LK (VXFIN:HD (VAFIN:HD hat))) (FKOORD (FKONJ:KONJ (MF (NX:OA (NN:HD Brot))) "
        "(VC (VXINF:OV (VVPP:HD gekauft)))) (KON und) (FKONJ:KONJ (MF (NX:OA (NN:HD Wein))) (VC (VXINF:OV (VVPP:HD "
        "getrunken))))))"
    )
    assert shown(line, "tuebadz") == [
        "Anna ON hat", "hat root", "Brot OA gekauft", "gekauft -- hat", "und -- gekauft", "Wein OA getrunken",
        "getrunken KONJ und",
    ]  # fmt: skip


def test_an_unknown_scheme() -> None:
    with pytest.raises(UsageError, match="did you mean tiger"):
        to_dependencies([], "tigr")


@pytest.mark.parametrize(
    "source",
    [
        "bundled:de-constructions/tiger/trees.export",
        "phrase/tiger-pcc/syntax",
        "phrase/tiger-squoia/*IMF*_DE.xml",
        "phrase/tiger-smultron/*_de_*.xml",
    ],
)
def test_every_sentence_of_tiger_becomes_a_tree(file_named: Callable[[str], Path], source: str) -> None:
    trees = read(str(file_named(source)))
    treebank = to_dependencies(trees, "tiger")
    assert tree_mask(treebank.heads, treebank.offsets).all()
    assert (treebank.heads == 0).sum() == len(treebank) == len(trees)
    assert treebank.sent_ids == [tree.sent_id for tree in trees]


def test_tuebadz_against_the_dependencies_of_its_own_sample(shared: Path) -> None:
    """The sample's dephead columns; its conversion differs in 67 of 1,529 words (no punctuation)."""
    path = shared / "phrase" / "formats" / "discoursegraphs_tueba_exportxml-example.xml"
    name = "{http://www.w3.org/XML/1998/namespace}id"
    governors: dict[str, dict[int, int]] = {}
    for word in ElementTree.parse(path).getroot().iter("word"):  # by id: two sentences go on behind their elements
        sentence, number = word.attrib[name].split("_")
        head = word.get("dephead", "").partition("_")[2]
        governors.setdefault(sentence, {})[int(number) - 1] = int(head) - 1 if head else ROOT
    trees = read(str(path))
    right = total = 0
    for tree in trees:
        for token, (governor, _) in enumerate(arcs(tree, "tuebadz")):
            if not tree.tags[token].startswith("$"):
                total += 1
                right += governor == governors[tree.sent_id][token]
    assert total == 1529
    assert right / total > 0.955
    treebank = to_dependencies(trees, "tuebadz")
    assert tree_mask(treebank.heads, treebank.offsets).all()


LABELS = ["SIMPX", "VF", "MF", "LK", "VC", "VXFIN", "VXINF", "FKOORD", "FKONJ", "NX", "PX", "S", "CS", "NP", "PP", "VP"]
FUNCTIONS = ["", "HD", "ON", "OA", "ON-MOD", "OA-MOD", "V-MOD", "MOD", "KONJ", "OV", "SB", "CJ", "CD", "NK", "AC"]


@st.composite
def odd_trees(draw: st.DrawFn) -> PhraseTree:
    """Trees such as no annotator would draw, with gaps."""
    size = draw(st.integers(1, 8))
    words = [str(token) for token in range(size)]
    tags = draw(st.lists(st.sampled_from(["NN", "VVFIN", "KON", "$,", "APPR"]), min_size=size, max_size=size))
    tops, labels, mothers = list(range(size)), list[str](), [ROOT] * size
    for _ in range(draw(st.integers(0, 8))):
        below = draw(st.lists(st.sampled_from(tops), min_size=1, max_size=3, unique=True))
        number = size + len(labels)
        labels.append(draw(st.sampled_from(LABELS)))
        mothers.append(ROOT)
        for node in below:
            mothers[node] = number
        tops = [node for node in tops if node not in below] + [number]
    functions = draw(st.lists(st.sampled_from(FUNCTIONS), min_size=len(mothers), max_size=len(mothers)))
    return grown(words, tags, labels, functions, mothers)


@settings(max_examples=300, deadline=None)
@given(odd_trees(), st.sampled_from(["tiger", "tuebadz"]))
def test_odd_trees_too_have_one_root_and_no_circle(tree: PhraseTree, scheme: str) -> None:
    treebank = to_dependencies([tree], scheme)
    assert tree_mask(treebank.heads, treebank.offsets).all()
    assert (treebank.heads == 0).sum() == 1
