"""The model analyses of six constructions in both schemes, all sentences our own, and the mistakes a parser can make.

A mistake is written as replacements in the text of the right tree, so that one sees what is wrong.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.model import Construction

PP = {
    "tiger": "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:NK Haus) "
    "(PP:MNR (APPRART:AC am) (NN:NK See))) (PP:MO (APPR:AC mit) (ART:NK einem) (NN:NK Kredit)) (VVPP:HD gekauft)))",
    "deep": "(S (NP:SB (ART:NK Die) (NN:HD Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:HD Haus) "
    "(PP:MNR (APPRART:HD am) (NP:NK (NN:HD See)))) (PP:MO (APPR:HD mit) (NP:NK (ART:NK einem) (NN:HD Kredit))) "
    "(VVPP:HD gekauft)))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Die) (NN:HD Familie))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA "
    "(NX:HD (ART das) (NN:HD Haus)) (PX (APPRART am) (NX:HD (NN:HD See)))) (PX:V-MOD (APPR mit) (NX:HD (ART einem) "
    "(NN:HD Kredit)))) (VC (VXINF:OV (VVPP:HD gekauft))))",
}
EXTRAPOSED_PP = {
    "tiger": "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK ein) (NN:NK Buch)) "
    "(VVPP:HD gelesen) (NP:OA#1 (PP:MNR (APPR:AC über) (NN:NK Vögel)))))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Die) (NN:HD Familie))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (ART ein) "
    "(NN:HD Buch))) (VC (VXINF:OV (VVPP:HD gelesen))) (NF (PX:OA-MOD (APPR über) (NX:HD (NN:HD Vögel)))))",
}
OBJECT_PP = {
    "tiger": "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VVFIN:HD wartet) (PP:OP (APPR:AC auf) (ART:NK den) "
    "(NN:NK Bus)))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Die) (NN:HD Familie))) (LK (VXFIN:HD (VVFIN:HD wartet))) (MF (PX:OPP "
    "(APPR auf) (NX:HD (ART den) (NN:HD Bus)))))",
}
ERC = {
    "tiger": "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
    "(VVPP:HD gefunden) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Der) (NN:HD Verein))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (ART einen) "
    "(NN:HD Trainer))) (VC (VXINF:OV (VVPP:HD gefunden))) (NF (R-SIMPX:OA-MOD (C (NX:ON (PRELS:HD der))) (MF (NX:OA "
    "(NN:HD Geduld))) (VC (VXFIN:HD (VAFIN:HD hat))))))",
}
FCR = {
    "tiger": "(CS (S:CJ (NP:SB (ART:NK Die) (NN:NK Nachbarin)) (VVFIN:HD öffnete) (NP:OA (ART:NK das) "
    "(NN:NK Fenster))) (KON:CD und) (S:CJ (VVFIN:HD rief) (NP:OA (PPOSAT:NK ihren) (NN:NK Hund))))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Die) (NN:HD Nachbarin))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD "
    "öffnete))) (MF (NX:OA (ART das) (NN:HD Fenster)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD rief))) (MF "
    "(NX:OA (PPOSAT ihren) (NN:HD Hund))))))",
}
VERB_LAST = {
    "tiger": "(CS:MO (S:CJ (KOUS:CP weil) (NP:SB (ART:NK die) (NN:NK Nachbarin)) (NP:OA (ART:NK das) (NN:NK Fenster)) "
    "(VVFIN:HD öffnete)) (KON:CD und) (S:CJ (NP:OA (PPOSAT:NK ihren) (NN:NK Hund)) (VVFIN:HD rief)))",
    "tuebadz": "(SIMPX:MOD (C (KOUS weil)) (FKOORD (FKONJ:KONJ (MF (NX:ON (ART die) (NN:HD Nachbarin)) (NX:OA (ART das)"
    " (NN:HD Fenster))) (VC (VXFIN:HD (VVFIN:HD öffnete)))) (KON und) (FKONJ:KONJ (MF (NX:OA (PPOSAT ihren) "
    "(NN:HD Hund))) (VC (VXFIN:HD (VVFIN:HD rief))))))",
}
SGF = {
    "tiger": "(CS (S:CJ (ADV:MO Abends) (VVFIN:HD schloss) (NP:SB (ART:NK der) (NN:NK Wirt)) (NP:OA (ART:NK die) "
    "(NN:NK Tür))) (KON:CD und) (S:CJ (VVFIN:HD löschte) (NP:OA (ART:NK das) (NN:NK Licht))))",
    "tuebadz": "(SIMPX (VF (ADVX:V-MOD (ADV:HD Abends))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD schloss))) (MF "
    "(NX:ON (ART der) (NN:HD Wirt)) (NX:OA (ART die) (NN:HD Tür)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD "
    "löschte))) (MF (NX:OA (ART das) (NN:HD Licht))))))",
}
NOUN_AND_VERB = {
    "tiger": "(S (NP:SB (ART:NK Der) (NN:NK Plan)) (VAFIN:HD ist) (CO:OC (NP:CJ (ART:NK ein) (NN:NK Wagnis)) "
    "(KON:CD und) (VP:CJ (ADV:MO kaum) (VZ:HD (PTKZU:PM zu) (VVINF:HD finanzieren)))))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Der) (NN:HD Plan))) (LK (VXFIN:HD (VAFIN:HD ist))) (FKOORD (MF:KONJ (NX:PRED "
    "(ART ein) (NN:HD Wagnis))) (KON und) (FKONJ:KONJ (MF (ADVX:MOD (ADV:HD kaum))) (VC (VXINF:OV (PTKZU:HD zu) "
    "(VVINF finanzieren))))))",
}
ADJECTIVE_AND_VERB = {
    "tiger": "(S (NP:SB (ART:NK Der) (NN:NK Saal)) (VAFIN:HD war) (CO:PD (ADJD:CJ prächtig) (KON:CD und) (VP:CJ (PP:MO "
    "(APPR:AC mit) (NN:NK Blumen)) (VVPP:HD geschmückt))))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Der) (NN:HD Saal))) (LK (VXFIN:HD (VAFIN:HD war))) (FKOORD (MF:KONJ (ADJX:PRED "
    "(ADJD:HD prächtig))) (KON und) (FKONJ:KONJ (MF (PX:V-MOD (APPR mit) (NX:HD (NN:HD Blumen)))) (VC (VXINF:OV "
    "(VVPP:HD geschmückt))))))",
}
FARTHER = {
    "tiger": "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VVFIN:HD sucht) (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) (PP:MO "
    "(APPRART:AC im) (NN:NK Sommer)) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat))))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Der) (NN:HD Verein))) (LK (VXFIN:HD (VVFIN:HD sucht))) (MF (NX:OA (ART einen) "
    "(NN:HD Trainer)) (PX:V-MOD (APPRART im) (NX:HD (NN:HD Sommer)))) (NF (R-SIMPX:OA-MOD (C (NX:ON (PRELS:HD der))) "
    "(MF (NX:OA (NN:HD Geduld))) (VC (VXFIN:HD (VAFIN:HD hat))))))",
}
MODELS = {
    "pp": PP, "extraposed pp": EXTRAPOSED_PP, "object pp": OBJECT_PP, "erc": ERC, "farther erc": FARTHER,
    "fcr": FCR, "verb-last": VERB_LAST,
    "sgf": SGF, "np+vp": NOUN_AND_VERB, "ap+vp": ADJECTIVE_AND_VERB,
}  # fmt: skip
"""By construction and scheme; `deep` is TIGER with unary phrases."""

Changes = tuple[tuple[str, str], ...]


class Mistake(NamedTuple):
    """The same mistake in both schemes: what is replaced by what in the text of each right tree."""

    name: str
    model: str
    phenomenon: str
    code: str
    tiger: Changes
    tuebadz: Changes
    codes: tuple[str, ...] = ()
    """All classes that hold, if they are more than `code`."""


def one_change(old: str, new: str) -> Changes:
    return ((old, new),)


def wrong(model: str, scheme: str, changes: Changes) -> PhraseTree:
    """The right tree with these replacements; each must fit exactly once."""
    text = MODELS[model][scheme]
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in the {scheme} tree of {model}"
        text = text.replace(old, new)
    return from_notation(text)


@cache
def constructions_in(tree: PhraseTree, scheme: str) -> list[Construction]:
    """All constructions of a tree, looked for once: tests ask for those of the same trees in every form."""
    return list(find(tree, scheme))


@cache
def gold(model: str, scheme: str, phenomenon: str) -> tuple[PhraseTree, Construction]:
    """The right tree, and its one construction of the phenomenon."""
    tree = from_notation(MODELS[model][scheme])
    (construction,) = find(tree, "tuebadz" if scheme == "tuebadz" else "tiger", [phenomenon])
    return tree, construction
