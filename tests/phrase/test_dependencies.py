"""Heads of phrases, and phrase trees as dependency trees."""

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
from gardenpath.phrase.formats.source import read
from gardenpath.phrase.heads import head_child, head_token, nominal_head, tree_heads
from gardenpath.treebank import tree_mask

PLAIN = (
    "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:NK Haus) (PP:MNR "
    "(APPRART:AC am) (NN:NK See))) (PP:MO (APPR:AC mit) (ART:NK einem) (NN:NK Kredit)) (VVPP:HD gekauft)))"
)
DEEPENED = (
    "(S (NP:SB (ART:NK Die) (NN:HD Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:HD Haus) (PP:MNR "
    "(APPRART:HD am) (NP:NK (NN:HD See)))) (PP:MO (APPR:HD mit) (NP:NK (ART:NK einem) (NN:HD Kredit))) "
    "(VVPP:HD gekauft)))"
)
TUEBA = (
    "(SIMPX (VF (NX:ON (ART Die) (NN:HD Familie))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (NX:HD (ART das) "
    "(NN:HD Haus)) (PX (APPRART am) (NX:HD (NN:HD See)))) (PX:V-MOD (APPR mit) (NX:HD (ART einem) (NN:HD Kredit)))) "
    "(VC (VXINF:OV (VVPP:HD gekauft))))"
)


@pytest.mark.parametrize(("line", "scheme"), [(PLAIN, "tiger"), (DEEPENED, "tiger"), (TUEBA, "tuebadz")])
def test_three_analyses_of_a_sentence_have_the_same_heads(line: str, scheme: str) -> None:
    tree = from_notation(line)
    words = tree.words
    (clause,) = tree.top
    assert words[head_token(clause, scheme)] == "hat"
    phrases = [node for node in tree.inner if node.label in ("PP", "PX")]
    assert [words[head_token(node, scheme)] for node in phrases] == ["am", "mit"]
    assert [words[nominal_head(node, scheme)] for node in phrases] == ["See", "Kredit"]
    objects = [node for node in tree.inner if node.function == "OA"]
    assert [words[head_token(node, scheme)] for node in objects] == ["Haus"]
    assert tree_heads(tree, scheme) == tuple(head_token(tree[node], scheme) for node in range(len(tree.mothers)))


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("(NP (ART:NK die) (AP:NK (ADV:MO sehr) (ADJA:HD große)) (NN:NK Stadt) (NE:NK Bremen))", "Stadt"),
        ("(NP (PPER:PH es) (S:RE (NN:SB Wasser) (VVFIN:HD fließt)))", "es"),
        ("(NP (ART:NK das) (ADJA:NK Gute))", "Gute"),
        ("(NP (ADV:MO nur) (PDS:NK dies))", "dies"),
        ("(PN (NE:PNC Anna) (NE:PNC Meyer))", "Anna"),
        ("(NM (CARD:NMC zwei) (NN:NMC Millionen))", "Millionen"),
        ("(CNP (NN:CJ Brot) (KON:CD und) (NN:CJ Salz))", "Brot"),
        ("(CS (KON:CD entweder) (S:CJ (PPER:SB er) (VVFIN:HD geht)) (S:CJ (PPER:SB sie) (VVFIN:HD bleibt)))", "geht"),
        ("(S (NP:SB (NN:NK Ende)) (ADJD:PD gut))", "gut"),
        ("(VZ (PTKZU:PM zu) (VVINF:HD gehen))", "gehen"),
        ("(NP ($, ,) (NN:NK Ende) ($. .))", "Ende"),
        ("(S (NP (ART das) (NN Haus)) (VVFIN steht))", "steht"),
        ("(CNP (NN Brot) (KON und) (NN Salz))", "Brot"),
        ("(X (NN:CJ a) (NN:HD b))", "b"),
    ],
)
def test_tiger(line: str, head: str) -> None:
    tree = from_notation(line)
    (top,) = tree.top
    assert tree.words[head_token(top, "tiger")] == head


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("(VXINF (PTKZU:HD zu) (VVINF finanzieren))", "finanzieren"),
        ("(VC (VXINF:OV (VVPP:HD gesehen)) (VXFIN:HD (VAFIN:HD hat)))", "hat"),
        ("(NX (NX:KONJ (NN:HD Brot)) (KON und) (NX:KONJ (NN:HD Salz)))", "Brot"),
        ("(NX (NX:APP (ART der) (NN:HD Maler)) (NX:APP (NE Otto) (NE Dix)))", "Maler"),
        ("(NX (NE Otto) (NE Dix))", "Otto"),
        ("(PX (PROP:HD dafür))", "dafür"),
        ("(PX (PX:KONJ (APPR mit) (NX:HD (NN:HD Hut))) (KON und) (PX:KONJ (APPR mit) (NX:HD (NN:HD Stock))))", "mit"),
        (
            "(SIMPX (VF (NX:ON (NN:HD Sie))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD rief)))) (KON und) "
            "(FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD ging))))))",
            "rief",
        ),
        (
            "(SIMPX (LK (VXFIN:HD (VAFIN:HD hat))) (FKOORD (FKONJ:KONJ (MF (NX:OA (NN:HD Brot))) (VC (VXINF:OV "
            "(VVPP:HD gekauft)))) (KON und) (FKONJ:KONJ (VC (VXINF:OV (VVPP:HD gegessen))))))",
            "hat",
        ),
        ("(SIMPX (C (KOUS weil)) (MF (NX:ON (PPER:HD er))) (VC (VXFIN:HD (VVFIN:HD geht))))", "geht"),
    ],
)
def test_tuebadz(line: str, head: str) -> None:
    tree = from_notation(line)
    (top,) = tree.top
    assert tree.words[head_token(top, "tuebadz")] == head


def test_the_noun_of_coordinated_and_bare_prepositions() -> None:
    both = from_notation("(CPP (PP:CJ (APPR:AC mit) (NN:NK Hut)) (KON:CD und) (PP:CJ (APPR:AC mit) (NN:NK Stock)))")
    assert both.words[nominal_head(both.top[0], "tiger")] == "Hut"
    pair = from_notation(
        "(PP (CAC:AC (APPR:CJ für) (KON:CD und) (APPR:CJ gegen)) (ART:NK den) (NN:NK Plan) (APZR:AC wegen))"
    )
    assert pair.words[nominal_head(pair.top[0], "tiger")] == "Plan"
    assert pair.words[head_token(pair.top[0], "tiger")] == "für"
    alone = from_notation("(PP (APPR:AC mit))")
    assert nominal_head(alone.top[0], "tiger") == 0


def test_a_token_heads_itself_and_an_unknown_scheme_is_named() -> None:
    tree = from_notation(PLAIN)
    assert head_child(tree[0], "tiger") == tree[0]
    with pytest.raises(UsageError, match="negra"):
        head_child(tree[0], "negra")


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
