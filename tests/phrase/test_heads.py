"""Heads by the tables of the two schemes, on sentences written for this."""

from __future__ import annotations

import pytest

from gardenpath.errors import UsageError
from gardenpath.phrase import from_notation
from gardenpath.phrase.heads import head_child, head_token, nominal_head, tree_heads

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
