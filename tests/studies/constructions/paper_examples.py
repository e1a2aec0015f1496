"""The ten printed examples of the TEPACOC paper (Kübler, Rehbein and van Genabith 2009), with wrong parses of each.

Sentences are quoted where the paper has them as text. Of (1), (2) and (6) our copy has the translation only; these are
written from it. Trees follow the paper's descriptions of the two schemes.
"""

from __future__ import annotations

from typing import NamedTuple

EXAMPLES = {
    # 2.2: "Both NP and PP attachment are present": two PPs below the VP, one in the NP.
    "2.2 (1) TIGER": (
        "tiger",
        "(S (VP:OC#1 (VP:OC#2 (PP:MO (APPR:AC Mit) (ART:NK den) (NN:NK 129a-Ermittlungen)))) (VMFIN:HD könnten) "
        "(NP:SB (ART:NK die) (NN:NK Bemühungen) (PP:MNR (APPR:AC von) (NN:NK Autonomen))) (VP:OC#1 (VP:OC#2 "
        "(PP:CVC (APPRART:AC im) (NN:NK Keim)) (VVPP:HD erstickt)) (VAINF:HD werden))) ($. .)",
    ),
    # 2.2: the PP is attached to its field, the postmodifier above the NX that is grouped first.
    "2.2 (2) TüBa-D/Z": (
        "tuebadz",
        "(SIMPX (VF (ADVX:MOD (PWAV:HD Wie))) (LK (VXFIN:HD (VMFIN:HD kann))) (MF (NX:ON (PIS:HD man)) (NX:OA (PRF:HD "
        "sich)) (PX:OPP (APPR über) (NX:HD (NX:HD (ART den) (NN:HD Wortbruch)) (PX (APPR bei) (NX:HD (ART den) (ADJX "
        "(ADJA:HD großflächigen)) (NN:HD Plakaten)))))) (VC (VXINF:OV (VVINF:HD aufregen)))) ($. ?)",
    ),
    # 2.2.1: "extraposed PPs that are extracted from a preceding NP"; not printed, described.
    "2.2.1 TüBa-D/Z, extraposed": (
        "tuebadz",
        "(SIMPX (VF (NX:ON (PPER:HD Sie))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (ART ein) (NN:HD Buch))) (VC "
        "(VXINF:OV (VVPP:HD gelesen))) (NF (PX:OA-MOD (APPR über) (NX:HD (ART die) (NN:HD Wüste))))) ($. .)",
    ),
    # 2.3: attached to the mother of the head noun, with crossing branches; the function is RC.
    "2.3 (3) TIGER": (
        "tiger",
        "(S (KOUS:CP dass) (NP:SB (AP:NK (ADV:MO immer) (PIAT:HD mehr)) (NN:NK Versicherte)) (ADV:MO nur) (ADV:MO "
        "noch) (NP:OA#1 (ART:NK eine) (NN:NK Rente)) (VVFIN:HD erhielten) ($, ,) (NP:OA#1 (S:RC (PRELS:SB die) "
        "(AP:PD#2 (ADJD:HD niedriger)) (VAFIN:HD ist) (AP:PD#2 (NP:CC (KOKOM:CM als) (ART:NK die) (NN:NK "
        "Sozialhilfe))))))",
    ),
    # 2.3: in the final field, as R-SIMPX, whose function names the phrase of the head noun.
    "2.3 (4) TüBa-D/Z": (
        "tuebadz",
        "(SIMPX (VF (ADVX:MOD (PWAV:HD Warum))) (LK (VXFIN:HD (VMFIN:HD soll))) (MF (NX:ON (PIS:HD man)) (NX:OD (ADJX "
        "(ADJA:HD homosexuellen)) (NN:HD Paaren)) (ADVX:MOD (PTKNEG:HD nicht)) (NX:OA (PDS:HD das))) (VC (VXINF:OV "
        "(VVINF:HD gönnen))) ($, ,) (NF (R-SIMPX:OA-MOD (C (NX:OA (PRELS:HD was))) (MF (NX:ON (PPER:HD sie)) (PX:MOD "
        "(APPR für) (NX:HD (PPOSAT ihr) (NN:HD Glück))) (ADJX:PRED (ADJD:HD wichtig))) (VC (VXFIN:HD (VVFIN:HD "
        "finden)))))) ($. ?)",
    ),
    # 2.4: coordination of sentences; the second one is elliptical.
    "2.4 (5) TIGER": (
        "tiger",
        "(CS (S:CJ (NP:SB (ART:NK Die) (NN:NK Schatzmeister)) (VVFIN:HD protestierten) (PROAV:OP dagegen)) (KON:CD "
        "und) (S:CJ (VVFIN:HD kündigten) (NP:OA (ADJA:NK juristische) (NN:NK Schritte)) (PTKVZ:SVP an))) ($. .)",
    ),
    # 2.4: coordination of fields; the initial field is attached above it.
    "2.4 (6) TüBa-D/Z": (
        "tuebadz",
        "(SIMPX (VF (NX:ON (NE:HD Bode))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD klagte))) (MF (PX:OPP (APPR "
        "über) (NX:HD (ART eine) (NN:HD Zerrung))))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VMFIN:HD konnte))) (MF "
        "(NX:OA (ART das) (NN:HD Training)) (ADVX:MOD (PTKNEG:HD nicht))) (VC (VXINF:OV (VVINF:HD beenden)))))) "
        "($. .)",
    ),
    # 2.5: FKOORD of FKONJ; the subject (ON) is in the middle field of the first.
    "2.5 (7) TüBa-D/Z": (
        "tuebadz",
        "(SIMPX (VF (ADVX:MOD (ADV:HD Immer))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD kommt))) (MF (NX:ON "
        "(PIS:HD einer)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD stiehlt))) (MF (NX:OD (PPER:HD mir)) (NX:OA "
        "(PPOSAT meine) (NN:HD Krise)))))) ($. .)",
    ),
    # 2.5: coordination of sentences (CS) with the subject (SB) in the first.
    "2.5 (8) TIGER": (
        "tiger",
        "(CS (S:CJ (PP:MO (APPR:AC Statt) (PDS:NK dessen)) (VVFIN:HD leugnet) (PIS:SB man) (NN:OA Tatsachen)) (KON:CD "
        "und) (S:CJ (VVFIN:HD verdreht) (PPER:OA sie))) ($. .)",
    ),
    # 2.6: VP and NP project to a coordinated phrase (CO) with the function OC.
    "2.6 (9) TIGER": (
        "tiger",
        "(S (PDS:SB Das) (VAFIN:HD ist) (ADV:MO eigentlich) (CO:OC (NP:CJ (ART:NK ein) (NN:NK Witz)) (KON:CD und) "
        "(VP:CJ (PTKNEG:NG nicht) (VZ:HD (PTKZU:PM zu) (VVINF:HD verstehen))))) ($. .)",
    ),
    # 2.6: the VP is verbal field and middle field, the NP projects to a middle field too; both are coordinated.
    "2.6 (10) TüBa-D/Z": (
        "tuebadz",
        "(SIMPX (VF (NX:ON (ART Die) (NN:HD Älteren))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VAFIN:HD sind))) (MF "
        "(ADJX:PRED (ADJD:HD teurer)))) ($, ,) (FKONJ:KONJ (LK (VXFIN:HD (VAFIN:HD haben))) (FKOORD (MF:KONJ (NX:OA "
        "(ADJX (ADJA:HD familiäre)) (NN:HD Verpflichtungen))) (KON und) (FKONJ:KONJ (MF (ADVX:MOD (ADV:HD oft)) "
        "(NX:OA (ART ein) (NN:HD Haus))) (VC (VXINF:OV (VVIZU:HD abzuzahlen)))))))) ($. .)",
    ),
}
"""Scheme and tree by section, number and scheme."""

FOUND = {
    "2.2 (1) TIGER": {
        ("ppn", "von Autonomen Bemühungen"), ("ppv", "Mit 129a-Ermittlungen erstickt"), ("ppv", "im Keim erstickt"),
    },
    "2.2 (2) TüBa-D/Z": {("ppn", "bei Plakaten Wortbruch"), ("ppv", "über Wortbruch kann")},
    "2.2.1 TüBa-D/Z, extraposed": {("ppn", "über Wüste Buch")},
    "2.3 (3) TIGER": {("erc", "die ist Rente erhielten")},
    "2.3 (4) TüBa-D/Z": {("erc", "was finden das soll"), ("ppv", "für Glück finden")},
    "2.4 (5) TIGER": {("fcr", "protestierten kündigten Schatzmeister")},
    "2.4 (6) TüBa-D/Z": {("fcr", "klagte konnte Bode"), ("ppv", "über Zerrung klagte")},
    "2.5 (7) TüBa-D/Z": {("sgf", "kommt stiehlt einer")},
    "2.5 (8) TIGER": {("sgf", "leugnet verdreht man"), ("ppv", "Statt dessen leugnet")},
    "2.6 (9) TIGER": {("cuc", "Witz verstehen")},
    "2.6 (10) TüBa-D/Z": {("cuc", "Verpflichtungen abzuzahlen"), ("fcr", "sind haben Älteren")},
}  # fmt: skip
"""What the rules find: phenomenon, and the words of the anchors. In fields, the governor of a PP is the finite verb."""


class WrongParse(NamedTuple):
    """An example, the first word of the item's anchors, what is changed in the tree, and the class in the table."""

    example: str
    phenomenon: str
    word: str
    changes: tuple[tuple[str, str], ...]
    expected: str


_CLAUSE = (  # The relative clause of (3) without its node, in the matrix clause
    ("(NP:OA#1 (ART:NK eine) (NN:NK Rente))", "(NP:OA (ART:NK eine) (NN:NK Rente))"),
    ("(NP:OA#1 (S:RC (PRELS:SB die)", "(PRELS:SB die)"), ("Sozialhilfe))))))", "Sozialhilfe))))"),
)  # fmt: skip
_SWALLOWED = (  # "von Autonomen im Keim" as one PP
    ("(NN:NK Autonomen)))", "(NN:NK Autonomen) (PP:MNR (APPRART:AC im) (NN:NK Keim))))"),
    ("(PP:CVC (APPRART:AC im) (NN:NK Keim)) (VVPP", "(VVPP"),
)
_MOVED = (  # "bei den Plakaten" beside "über den Wortbruch"
    ("(NX:HD (NX:HD (ART den) (NN:HD Wortbruch)) (PX ", "(NX:HD (ART den) (NN:HD Wortbruch))) (PX:V-MOD "),
    ("Plakaten))))))", "Plakaten))))"),
)
_FLAT_TIGER = ("(CS (S:CJ (", "(S ("), ("dagegen)) (KON:CD und) (S:CJ (", "dagegen) (KON:CD und) ("), ("an)))", "an))")
_FLAT_FIELDS = (
    ("(FKOORD (FKONJ:KONJ (LK", "(LK"), ("einer)))) (KON und) (FKONJ:KONJ (LK", "einer))) (KON und) (LK"),
    ("Krise))))))", "Krise))))"),
)  # fmt: skip
WRONG_PARSES = [
    # Table 1
    WrongParse("2.2 (1) TIGER", "ppn", "von", _SWALLOWED, "A"),
    WrongParse("2.2 (1) TIGER", "ppn", "von", (("(PP:MNR (APPR", "(PP:OP (APPR"),), "B"),
    WrongParse("2.2 (1) TIGER", "ppn", "von", (*_SWALLOWED, ("(PP:MNR (APPR:", "(PP:OP (APPR:")), "C"),
    WrongParse(
        "2.2 (1) TIGER", "ppn", "von",
        ((" (PP:MNR (APPR:AC von) (NN:NK Autonomen)))", ") (PP:MO (APPR:AC von) (NN:NK Autonomen))"),), "D",
    ),
    WrongParse("2.2 (1) TIGER", "ppv", "im", _SWALLOWED, "D"),
    WrongParse("2.2 (1) TIGER", "ppv", "Mit", (("PP:MO", "PP:OP"),), "B"),
    WrongParse("2.2 (2) TüBa-D/Z", "ppv", "über", (("OPP", "FOPP"),), "B"),
    WrongParse("2.2 (2) TüBa-D/Z", "ppv", "über", (("OPP", "V-MOD"),), "B"),
    WrongParse("2.2 (2) TüBa-D/Z", "ppv", "über", _MOVED, "A"),
    WrongParse("2.2 (2) TüBa-D/Z", "ppv", "über", (*_MOVED, ("OPP", "MOD")), "C"),
    WrongParse("2.2 (2) TüBa-D/Z", "ppn", "bei", _MOVED, "D"),
    WrongParse("2.2.1 TüBa-D/Z, extraposed", "ppn", "über", (("OA-MOD", "V-MOD"),), "D"),
    WrongParse("2.2.1 TüBa-D/Z, extraposed", "ppn", "über", (("OA-MOD", "ON-MOD"),), "D"),
    # Table 2
    WrongParse("2.3 (3) TIGER", "erc", "die", (("S:RC", "S:MO"),), "A"),
    WrongParse(
        "2.3 (3) TIGER", "erc", "die",
        (("NP:SB (AP", "NP:SB#1 (AP"), ("(NP:OA#1 (ART", "(NP:OA (ART"), ("(NP:OA#1 (S", "(NP:SB#1 (S")), "B",
    ),
    WrongParse("2.3 (3) TIGER", "erc", "die", (*_CLAUSE, ("PRELS:SB", "ART:SB")), "C"),
    WrongParse(
        "2.3 (3) TIGER", "erc", "die",
        (("AP:PD#2 (ADJD", "AP:PD (ADJD"), ("(VAFIN:HD ist) (AP:PD#2 (NP:CC", "(VAFIN:HD ist))) (PP:MO"),
         ("Sozialhilfe))))))", "Sozialhilfe)))")), "D",
    ),
    WrongParse("2.3 (4) TüBa-D/Z", "erc", "was", (("R-SIMPX", "SIMPX"),), "A"),
    WrongParse("2.3 (4) TüBa-D/Z", "erc", "was", (("R-SIMPX:OA-MOD", "R-SIMPX:OD-MOD"),), "B"),
    WrongParse("2.3 (4) TüBa-D/Z", "erc", "was", (("R-SIMPX:OA-MOD", "R-SIMPX:ON-MOD"),), "B"),
    WrongParse(
        "2.3 (4) TüBa-D/Z", "erc", "was",
        (("(NF (R-SIMPX:OA-MOD (C (NX:OA (PRELS:HD was)))", "(MF (NX:OA (PIS:HD was)))"),
         ("finden)))))) ($.", "finden)))) ($.")), "C",
    ),
    WrongParse(
        "2.3 (4) TüBa-D/Z", "erc", "was",
        ((" (VC (VXINF:OV (VVINF:HD gönnen))) ($, ,) (NF (R-SIMPX:OA-MOD (C",
          " (NF (R-SIMPX:OA-MOD (VXINF:OV (VVINF:HD gönnen)) ($, ,) (C"),), "D",
    ),
    # Table 3
    WrongParse("2.4 (5) TIGER", "fcr", "protestierten", (("NP:OA", "NP:SB"),), "A"),
    WrongParse("2.4 (5) TIGER", "fcr", "protestierten", (("NP:SB", "NP:OA"),), "B"),
    WrongParse("2.4 (5) TIGER", "fcr", "protestierten", _FLAT_TIGER, "C"),
    WrongParse("2.4 (5) TIGER", "fcr", "protestierten", (("PROAV:OP", "PROAV:SB"),), "D"),
    WrongParse("2.4 (6) TüBa-D/Z", "fcr", "klagte", (("NX:OA (ART das", "NX:ON (ART das"),), "A"),
    WrongParse("2.4 (6) TüBa-D/Z", "fcr", "klagte", (("NX:ON (NE", "NX:OA (NE"),), "B"),
    WrongParse(
        "2.4 (6) TüBa-D/Z", "fcr", "klagte",
        (("(FKOORD (FKONJ:KONJ (LK", "(LK"), ("Zerrung))))) (KON und) (FKONJ:KONJ (LK", "Zerrung)))) (KON und) (LK"),
         ("beenden))))))", "beenden))))")), "C",
    ),
    WrongParse("2.4 (6) TüBa-D/Z", "fcr", "klagte", (("PX:OPP", "PX:ON"),), "D"),
    WrongParse(
        "2.4 (6) TüBa-D/Z", "fcr", "klagte",
        (("(VF (NX:ON (NE:HD Bode))) (FKOORD (FKONJ:KONJ", "(FKOORD (FKONJ:KONJ (VF (NX:ON (NE:HD Bode)))"),), "E",
    ),
    # Table 4
    WrongParse("2.5 (7) TüBa-D/Z", "sgf", "kommt", (("NX:OA", "NX:ON"),), "A"),
    WrongParse("2.5 (7) TüBa-D/Z", "sgf", "kommt", (("NX:ON", "NX:OA"),), "B"),
    WrongParse("2.5 (7) TüBa-D/Z", "sgf", "kommt", _FLAT_FIELDS, "C"),
    WrongParse("2.5 (7) TüBa-D/Z", "sgf", "kommt", (("(ADVX:MOD (ADV", "(NX:ON (NN"),), "D"),
    WrongParse("2.5 (7) TüBa-D/Z", "sgf", "kommt", (("(LK (VXFIN:HD (VVFIN:HD stiehlt)))", "(NN stiehlt)"),), "E"),
    WrongParse("2.5 (8) TIGER", "sgf", "leugnet", (("PPER:OA", "PPER:SB"),), "A"),
    WrongParse("2.5 (8) TIGER", "sgf", "leugnet", (("PIS:SB", "PIS:DA"),), "B"),
    WrongParse(
        "2.5 (8) TIGER", "sgf", "leugnet",
        (("(CS (S:CJ (PP", "(S (PP"), ("Tatsachen)) (KON:CD und) (S:CJ (", "Tatsachen) (KON:CD und) ("),
         ("sie)))", "sie))")), "C",
    ),
    WrongParse("2.5 (8) TIGER", "sgf", "leugnet", (("NN:OA", "NN:SB"),), "D"),
    WrongParse("2.5 (8) TIGER", "sgf", "leugnet", (("VVFIN:HD verdreht", "NN:HD verdreht"),), "E"),
    # 2.6.1: right with the right spans and heads, whatever the label of the coordination
    WrongParse("2.6 (9) TIGER", "cuc", "Witz", (("CO:OC", "CVP:PD"),), "right"),
    WrongParse(
        "2.6 (9) TIGER", "cuc", "Witz",
        (("(PTKNEG:NG nicht) ", ""), ("(KON:CD und)", "(KON:CD und) (PTKNEG:MO nicht)")), "wrong",
    ),
    WrongParse(
        "2.6 (9) TIGER", "cuc", "Witz",
        (("(CO:OC (NP:CJ", "(NP:PD"), ("(VP:CJ", "(VP:OC"), ("verstehen)))))", "verstehen))))")), "wrong",
    ),
    WrongParse(
        "2.6 (10) TüBa-D/Z", "cuc", "Verpflichtungen",
        (("(MF (ADVX:MOD (ADV:HD oft)) (NX:OA", "(MF (NX:OA"),
         ("(KON und)", "(KON und) (ADVX:MOD (ADV:HD oft))")), "wrong",
    ),
]  # fmt: skip
