"""The same mistakes in TIGER and TüBa-D/Z, one by one, with the class that each must have in both."""

from __future__ import annotations

from construction_trees import Mistake, one_change

NX_SEE = "(PX (APPRART am) (NX:HD (NN:HD See)))"
RELATIVE = "(S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat))"
R_SIMPX = "(R-SIMPX:OA-MOD (C (NX:ON (PRELS:HD der))) (MF (NX:OA (NN:HD Geduld))) (VC (VXFIN:HD (VAFIN:HD hat))))"
GAP = "(NP:OA#1 (ART:NK einen) (NN:NK Trainer)) (VVPP:HD gefunden) (NP:OA#1 " + RELATIVE + ")"
NO_GAP = "(NP:OA (ART:NK einen) (NN:NK Trainer)) (VVPP:HD gefunden)"
DISSOLVED = "(C (NX:ON (PRELS:HD der))) (MF (NX:OA (NN:HD Geduld))) (VC (VXFIN:HD (VAFIN:HD hat)))"
MISTAKES = [
    Mistake(
        "adjacent noun PP taken as verbal",
        "pp",
        "ppn",
        "D",
        one_change("(PP:MNR (APPRART:AC am) (NN:NK See)))", ") (PP:MO (APPRART:AC am) (NN:NK See))"),
        one_change(NX_SEE + ")", ") " + NX_SEE.replace("PX", "PX:V-MOD")),
    ),
    Mistake(
        "verbal PP hung on the noun before it",
        "pp",
        "ppv",
        "D",
        (("(NN:NK See)))", "(NN:NK See) "), ("(NN:NK Kredit))", "(NN:NK Kredit))))"), ("PP:MO", "PP:MNR")),
        (("(NN:HD See)))) ", "(NN:HD See))) "), ("(NN:HD Kredit))))", "(NN:HD Kredit)))))"), ("PX:V-MOD", "PX")),
    ),
    Mistake(
        "extraposed noun PP taken as verbal",
        "extraposed pp",
        "ppn",
        "D",
        one_change("(NP:OA#1 (PP:MNR (APPR:AC über) (NN:NK Vögel)))", "(PP:MO (APPR:AC über) (NN:NK Vögel))"),
        one_change("OA-MOD", "V-MOD"),
    ),
    Mistake(
        "extraposed noun PP hung on the subject",
        "extraposed pp",
        "ppn",
        "D",
        (
            ("(NP:SB (ART:NK Die)", "(NP:SB#2 (ART:NK Die)"),
            ("(NP:OA#1 (PP:MNR", "(NP:SB#2 (PP:MNR"),
            ("(VP:OC (NP:OA#1", "(VP:OC (NP:OA"),
            ("gelesen) ", "gelesen)) "),
            ("Vögel)))))", "Vögel))))"),
        ),
        one_change("OA-MOD", "ON-MOD"),
    ),
    Mistake("object PP as adjunct", "object pp", "ppv", "B", one_change("OP", "MO"), one_change("OPP", "V-MOD")),
    Mistake(
        "article of the PP lost",
        "object pp",
        "ppv",
        "A",
        one_change(
            "(PP:OP (APPR:AC auf) (ART:NK den) (NN:NK Bus))",
            "(PP:OP#3 (APPR:AC auf)) (ART:NK den) (PP:OP#3 (NN:NK Bus))",
        ),
        one_change(
            "(PX:OPP (APPR auf) (NX:HD (ART den) (NN:HD Bus)))",
            "(PX:OPP#3 (APPR auf)) (ART den) (PX:OPP#3 (NX:HD (NN:HD Bus)))",
        ),
    ),
    Mistake(
        "span and function of the PP wrong",
        "object pp",
        "ppv",
        "C",
        one_change("(PP:OP (APPR:AC auf) (ART:NK den) (NN:NK Bus))", "(PP:MO (APPR:AC auf) (ART:NK den)) (NN:OA Bus)"),
        one_change(
            "(PX:OPP (APPR auf) (NX:HD (ART den) (NN:HD Bus)))",
            "(PX:MOD (APPR auf) (NX:HD (ART den))) (NX:OA (NN:HD Bus))",
        ),
    ),
    Mistake(
        "relative clause as complement", "erc", "erc", "A", one_change("S:RC", "S:OC"), one_change("R-SIMPX", "SIMPX")
    ),
    Mistake(
        "relative clause as main clause beside the matrix clause",
        "erc",
        "erc",
        "A",
        (
            (GAP, NO_GAP),
            ("(S (NP:SB", "(CS (S:CJ (NP:SB"),
            ("gefunden)))", f"gefunden))) {RELATIVE})".replace("RC", "CJ")),
        ),
        (
            ("(NF " + R_SIMPX + ")", ""),
            ("(SIMPX", "(SIMPX (SIMPX:KONJ"),
            ("gefunden)))", "gefunden)))) " + R_SIMPX.replace("R-SIMPX:OA-MOD", "SIMPX:KONJ")),
        ),
        ("A", "B"),
    ),
    Mistake(
        "hung on the subject instead of the object",
        "erc",
        "erc",
        "B",
        (("(NP:SB (ART:NK Der)", "(NP:SB#2 (ART:NK Der)"), (GAP, NO_GAP + f") (NP:SB#2 {RELATIVE}")),
        one_change("OA-MOD", "ON-MOD"),
    ),
    Mistake(
        "hung on the nearest noun",
        "farther erc",
        "erc",
        "B",
        (
            ("(NP:OA#1 (ART:NK einen)", "(NP:OA (ART:NK einen)"),
            (f"Sommer)) (NP:OA#1 {RELATIVE}))", f"Sommer) {RELATIVE}))"),
        ),
        (
            (
                "(PX:V-MOD (APPRART im) (NX:HD (NN:HD Sommer)))) (NF ",
                "(PX:V-MOD (APPRART im) (NX:HD (NX:HD (NN:HD Sommer)) ",
            ),
            ("R-SIMPX:OA-MOD", "R-SIMPX"),
            ("hat))))))", "hat))))))))"),
        ),
    ),
    Mistake(
        "clause dissolved",
        "erc",
        "erc",
        "C",
        one_change(GAP, NO_GAP + ") (PRELS:SB der) (NP:OA (NN:NK Geduld)) (VAFIN:HD hat"),
        one_change("(NF " + R_SIMPX + ")", DISSOLVED),
    ),
    Mistake(
        "clause without its object",
        "erc",
        "erc",
        "D",
        (
            (GAP, NO_GAP + f" (NP:OA#1 {RELATIVE})"),
            ("(NP:OA (ART", "(NP:OA#1 (ART"),
            (
                "(PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat))",
                "(PRELS:SB der))) (NN:OA Geduld) (NP:OA#1 (S:RC#9 (VAFIN:HD hat))",
            ),
            ("S:RC (", "S:RC#9 ("),
        ),
        (
            (" (MF (NX:OA (NN:HD Geduld)))", ") (NX:OA (NN:HD Geduld)) (R-SIMPX:OA-MOD#9"),
            ("(R-SIMPX:OA-MOD (", "(R-SIMPX:OA-MOD#9 ("),
        ),
    ),
    Mistake(
        "object of conjunct 2 as subject",
        "fcr",
        "fcr",
        "A",
        one_change("(NP:OA (PPOSAT", "(NP:SB (PPOSAT"),
        one_change("(NX:OA (PPOSAT", "(NX:ON (PPOSAT"),
    ),
    Mistake(
        "object of conjunct 1 as the only subject",
        "fcr",
        "fcr",
        "B",
        (("(NP:OA (ART:NK das", "(NP:SB (ART:NK das"), ("(NP:SB (ART:NK Die", "(NP:OA (ART:NK Die")),
        (("(NX:OA (ART das", "(NX:ON (ART das"), ("(NX:ON (ART Die", "(NX:OA (ART Die")),
        ("A", "B"),
    ),
    Mistake(
        "true subject mislabelled", "fcr", "fcr", "B", one_change("NP:SB", "NP:PD"), one_change("NX:ON", "NX:PRED")
    ),
    Mistake(
        "two juxtaposed clauses",
        "fcr",
        "fcr",
        "C",
        (("(CS (S:CJ (NP:SB", "(S (NP:SB"), ("(S:CJ (VVFIN:HD rief)", "(S (VVFIN:HD rief)"), ("Hund))))", "Hund)))")),
        (
            ("(FKOORD (FKONJ:KONJ (LK", "(LK"),
            ("(FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD rief", "(SIMPX (LK (VXFIN:HD (VVFIN:HD rief"),
            ("Hund))))))", "Hund))))"),
        ),
    ),
    Mistake(
        "object of conjunct 1 as second subject",
        "fcr",
        "fcr",
        "D",
        one_change("(NP:OA (ART:NK das", "(NP:SB (ART:NK das"),
        one_change("(NX:OA (ART das", "(NX:ON (ART das"),
    ),
    Mistake(
        "object of conjunct 2 as subject, verb last",
        "verb-last",
        "fcr",
        "A",
        one_change("(NP:OA (PPOSAT", "(NP:SB (PPOSAT"),
        one_change("(NX:OA (PPOSAT", "(NX:ON (PPOSAT"),
    ),
    Mistake(
        "object of conjunct 1 as second subject, verb last",
        "verb-last",
        "fcr",
        "D",
        one_change("(NP:OA (ART:NK das", "(NP:SB (ART:NK das"),
        one_change("(NX:OA (ART das", "(NX:ON (ART das"),
    ),
    Mistake(
        "subject in the second conjunct",
        "sgf",
        "sgf",
        "A",
        one_change("(NP:OA (ART:NK das", "(NP:SB (ART:NK das"),
        one_change("(NX:OA (ART das", "(NX:ON (ART das"),
    ),
    Mistake(
        "subject of the first conjunct mislabelled",
        "sgf",
        "sgf",
        "B",
        one_change("NP:SB", "NP:OA"),
        one_change("NX:ON", "NX:OA"),
    ),
    Mistake(
        "another subject instead of the true one",
        "sgf",
        "sgf",
        "B",
        (("NP:SB (ART:NK der", "NP:OA (ART:NK der"), ("NP:OA (ART:NK die", "NP:SB (ART:NK die")),
        (("NX:ON (ART der", "NX:OA (ART der"), ("NX:OA (ART die", "NX:ON (ART die")),
    ),
    Mistake(
        "two juxtaposed clauses",
        "sgf",
        "sgf",
        "C",
        (
            ("(CS (S:CJ (ADV", "(S (ADV"),
            ("(S:CJ (VVFIN:HD löschte)", "(S (VVFIN:HD löschte)"),
            ("Licht))))", "Licht)))"),
        ),
        (
            ("(FKOORD (FKONJ:KONJ (LK", "(LK"),
            ("(FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD löschte", "(SIMPX (LK (VXFIN:HD (VVFIN:HD löschte"),
            ("Licht))))))", "Licht))))"),
        ),
    ),
    Mistake(
        "second subject in the first conjunct",
        "sgf",
        "sgf",
        "D",
        one_change("NP:OA (ART:NK die", "NP:SB (ART:NK die"),
        one_change("NX:OA (ART die", "NX:ON (ART die"),
    ),
    Mistake(
        "verb of the second conjunct taken for a participle",
        "sgf",
        "sgf",
        "E",
        one_change("VVFIN:HD löschte", "VVPP:HD löschte"),
        one_change("VVFIN:HD löschte", "VVPP:HD löschte"),
    ),
    Mistake(
        "second verb is not a head of a clause",
        "sgf",
        "sgf",
        "E",
        one_change("(S:CJ (VVFIN:HD löschte) (NP:OA", "(VP:CJ (VVFIN:HD löschte) (NP:OA"),
        one_change("(LK (VXFIN:HD (VVFIN:HD löschte)))", "(VVFIN:HD löschte)"),
    ),
    Mistake(
        "word of the second conjunct in the first",
        "np+vp",
        "cuc",
        "wrong",
        (
            ("(NN:NK Wagnis))", "(NN:NK Wagnis)"),
            ("(KON:CD und) (VP:CJ (ADV:MO kaum)", "(KON:CD und) (ADV:MO kaum)) (VP:CJ"),
        ),
        (
            ("(NN:HD Wagnis)))", "(NN:HD Wagnis))"),
            ("(KON und) (FKONJ:KONJ (MF (ADVX:MOD (ADV:HD kaum)))", "(KON und) (ADVX:MOD (ADV:HD kaum))) (FKONJ:KONJ"),
        ),
    ),
    Mistake(
        "no coordination",
        "ap+vp",
        "cuc",
        "wrong",
        (
            ("(CO:PD (ADJD:CJ prächtig) (KON:CD und) (VP:CJ", "(ADJD:PD prächtig) (KON:JU und) (VP:OC"),
            ("geschmückt))))", "geschmückt)))"),
        ),
        (
            ("(FKOORD (MF:KONJ (ADJX", "(MF (ADJX"),
            ("(KON und) (FKONJ:KONJ (MF (PX", "(KON und) (MF (PX"),
            ("geschmückt))))))", "geschmückt))))"),
        ),
    ),
]
