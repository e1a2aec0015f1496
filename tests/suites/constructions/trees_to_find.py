"""Sentences written for this project in both schemes: one for each construction, the same words in each."""

from __future__ import annotations

from collections.abc import Iterable

from gardenpath.phrase import PhraseTree
from gardenpath.phrase.schemes.model import TIGER

PP = {
    "tiger": (
        "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:NK Haus) (PP:MNR "
        "(APPRART:AC am) (NN:NK See))) (PP:MO (APPR:AC mit) (ART:NK einem) (NN:NK Kredit)) (VVPP:HD gekauft)))"
    ),
    "deepened": (
        "(S (NP:SB (ART:NK Die) (NN:HD Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:HD Haus) (PP:MNR "
        "(APPRART:HD am) (NP:NK (NN:HD See)))) (PP:MO (APPR:HD mit) (NP:NK (ART:NK einem) (NN:HD Kredit))) "
        "(VVPP:HD gekauft)))"
    ),
    "tuebadz": (
        "(SIMPX (VF (NX:ON (ART Die) (NN:HD Familie))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (NX:HD (ART das) "
        "(NN:HD Haus)) (PX (APPRART am) (NX:HD (NN:HD See)))) (PX:V-MOD (APPR mit) (NX:HD (ART einem) "
        "(NN:HD Kredit)))) (VC (VXINF:OV (VVPP:HD gekauft))))"
    ),
}
ERC = {
    "tiger": (
        "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
        "(VVPP:HD gefunden) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))"
    ),
    "deepened": (
        "(S (NP:SB (ART:NK Der) (NN:HD Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:HD Trainer)) "
        "(VVPP:HD gefunden) (NP:OA#1 (S:RC (NP:SB (PRELS:HD der)) (NP:OA (NN:HD Geduld)) (VAFIN:HD hat)))))"
    ),
    "tuebadz": (
        "(SIMPX (VF (NX:ON (ART Der) (NN:HD Verein))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (ART einen) "
        "(NN:HD Trainer))) (VC (VXINF:OV (VVPP:HD gefunden))) (NF (R-SIMPX:OA-MOD (C (NX:ON (PRELS:HD der))) "
        "(MF (NX:OA (NN:HD Geduld))) (VC (VXFIN:HD (VAFIN:HD hat))))))"
    ),
}
FCR_V2 = {
    "tiger": (
        "(CS (S:CJ (NP:SB (ART:NK Die) (NN:NK Nachbarin)) (VVFIN:HD öffnete) (NP:OA (ART:NK das) (NN:NK Fenster))) "
        "(KON:CD und) (S:CJ (VVFIN:HD rief) (NP:OA (PPOSAT:NK ihren) (NN:NK Hund))))"
    ),
    "tuebadz": (
        "(SIMPX (VF (NX:ON (ART Die) (NN:HD Nachbarin))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD öffnete))) "
        "(MF (NX:OA (ART das) (NN:HD Fenster)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD rief))) (MF (NX:OA "
        "(PPOSAT ihren) (NN:HD Hund))))))"
    ),
}
FCR_VL = {
    "tiger": (
        "(S (PPER:SB Er) (VVFIN:HD lachte) (CS:MO (S:CJ (KOUS:CP weil) (NP:SB (ART:NK die) (NN:NK Nachbarin)) "
        "(NP:OA (ART:NK das) (NN:NK Fenster)) (VVFIN:HD öffnete)) (KON:CD und) (S:CJ (NP:OA (PPOSAT:NK ihren) "
        "(NN:NK Hund)) (VVFIN:HD rief))))"
    ),
    "tuebadz": (
        "(SIMPX (VF (NX:ON (PPER:HD Er))) (LK (VXFIN:HD (VVFIN:HD lachte))) (NF (SIMPX:MOD (C (KOUS weil)) (FKOORD "
        "(FKONJ:KONJ (MF (NX:ON (ART die) (NN:HD Nachbarin)) (NX:OA (ART das) (NN:HD Fenster))) (VC (VXFIN:HD "
        "(VVFIN:HD öffnete)))) (KON und) (FKONJ:KONJ (MF (NX:OA (PPOSAT ihren) (NN:HD Hund))) (VC (VXFIN:HD "
        "(VVFIN:HD rief))))))))"
    ),
}
SGF = {
    "tiger": (
        "(CS (S:CJ (ADV:MO Abends) (VVFIN:HD schloss) (NP:SB (ART:NK der) (NN:NK Wirt)) (NP:OA (ART:NK die) "
        "(NN:NK Tür))) (KON:CD und) (S:CJ (VVFIN:HD löschte) (NP:OA (ART:NK das) (NN:NK Licht))))"
    ),
    "tuebadz": (
        "(SIMPX (VF (ADVX:V-MOD (ADV:HD Abends))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD schloss))) (MF (NX:ON "
        "(ART der) (NN:HD Wirt)) (NX:OA (ART die) (NN:HD Tür)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD "
        "löschte))) (MF (NX:OA (ART das) (NN:HD Licht))))))"
    ),
}
CUC_NP = {
    "tiger": (
        "(S (NP:SB (ART:NK Der) (NN:NK Plan)) (VAFIN:HD ist) (CO:OC (NP:CJ (ART:NK ein) (NN:NK Wagnis)) (KON:CD und) "
        "(VP:CJ (ADV:MO kaum) (VZ:HD (PTKZU:PM zu) (VVINF:HD finanzieren)))))"
    ),
    "tuebadz": (
        "(SIMPX (VF (NX:ON (ART Der) (NN:HD Plan))) (LK (VXFIN:HD (VAFIN:HD ist))) (FKOORD (MF:KONJ (NX:PRED "
        "(ART ein) (NN:HD Wagnis))) (KON und) (FKONJ:KONJ (MF (ADVX:MOD (ADV:HD kaum))) (VC (VXINF:OV (PTKZU:HD zu) "
        "(VVINF finanzieren))))))"
    ),
}
CUC_AP = {
    "tiger": (
        "(S (NP:SB (ART:NK Der) (NN:NK Saal)) (VAFIN:HD war) (CO:PD (ADJD:CJ prächtig) (KON:CD und) (VP:CJ (PP:MO "
        "(APPR:AC mit) (NN:NK Blumen)) (VVPP:HD geschmückt))))"
    ),
    "tuebadz": (
        "(SIMPX (VF (NX:ON (ART Der) (NN:HD Saal))) (LK (VXFIN:HD (VAFIN:HD war))) (FKOORD (MF:KONJ (ADJX:PRED "
        "(ADJD:HD prächtig))) (KON und) (FKONJ:KONJ (MF (PX:V-MOD (APPR mit) (NX:HD (NN:HD Blumen)))) (VC (VXINF:OV "
        "(VVPP:HD geschmückt))))))"
    ),
}


def subject_object_order(trees: Iterable[PhraseTree]) -> tuple[int, int]:
    """Of the clauses (S) with a subject and an accusative object: how many have which one first.

    Of two that are both marked OA (a reflexive, and the object proper) the last one counts.
    """
    subject_first = object_first = 0
    for tree in trees:
        for clause in tree.inner:
            if clause.label not in TIGER.categories.clauses:
                continue
            starts = {child.function: child.start for child in clause.children}
            subject, object_ = starts.get(TIGER.functions.subject), starts.get(TIGER.functions.object)
            if subject is not None and object_ is not None:
                subject_first += subject < object_
                object_first += subject > object_
    return subject_first, object_first
