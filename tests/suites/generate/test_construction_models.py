"""The realisers on abstract clauses written by hand: the trees are the model analyses of both annotation schemes."""

from __future__ import annotations

from typing import Literal

import pytest

from gardenpath.phrase import PhraseTree, grown, to_notation
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.generate.constructions.anchors import meant
from gardenpath.suites.generate.constructions.clause import (
    Adjective,
    Adverb,
    Clause,
    Clauses,
    Nominal,
    Part,
    Prepositional,
    Role,
    Sentence,
    Unlike,
    Verbal,
    Word,
    laid_out,
)
from gardenpath.suites.generate.constructions.dependencies import attach
from gardenpath.suites.generate.constructions.tiger import tiger
from gardenpath.suites.generate.constructions.tuebadz import tuebadz

REALISERS = {"tiger": tiger, "tuebadz": tuebadz}


def w(text: str, deprel: str = "") -> Word:
    """`Haus/NN`."""
    form, tag = text.split("/")
    return Word(form, form, "X", tag, "_", deprel)


def nominal(text: str) -> Nominal:
    """`das/ART Haus/NN`, or a noun alone."""
    *before, noun = map(w, text.split())
    return Nominal(noun, before[0] if before else None)


def pp(preposition: str, inner: str) -> Prepositional:
    return Prepositional(w(preposition), nominal(inner))


def part(role: Role, text: str) -> Part:
    return Part(role, nominal(text))


def bare(tree: PhraseTree) -> PhraseTree:
    """Without punctuation."""
    keep = [at for at, tag in enumerate(tree.tags) if not tag.startswith("$")]
    size, gone = len(tree), len(tree) - len(keep)
    new = {old: at for at, old in enumerate(keep)} | {old: old - gone for old in range(size, len(tree.mothers))}
    order = [*keep, *range(size, len(tree.mothers))]
    return grown(
        [tree.words[at] for at in keep],
        [tree.tags[at] for at in keep],
        tree.labels,
        [tree.functions[old] for old in order],
        [new.get(tree.mothers[old], -1) for old in order],
        [(new[node], label, new[mother]) for node, label, mother in tree.secondary],
    )


def pps() -> Clause:
    house = nominal("das/ART Haus/NN")
    house.attributes.append(pp("am/APPRART", "See/NN"))
    middle = [Part("object", house), Part("adverbial", pp("mit/APPR", "einem/ART Kredit/NN"))]
    return Clause("v2", w("hat/VAFIN", "aux"), middle, part("subject", "die/ART Familie/NN"), verbs=[w("gekauft/VVPP")])


def relative() -> Clause:
    trainer = part("object", "einen/ART Trainer/NN")
    pronoun = Part("subject", Nominal(w("der/PRELS")))
    clause = Clause("vl", w("hat/VAFIN"), [part("object", "Geduld/NN")], relative=pronoun)
    assert isinstance(trainer.phrase, Nominal)
    trainer.phrase.relative, trainer.phrase.extraposed = clause, True
    return Clause(
        "v2",
        w("hat/VAFIN", "aux"),
        [trainer],
        part("subject", "der/ART Verein/NN"),
        verbs=[w("gefunden/VVPP")],
        after=[Part("extraposed", clause, antecedent=trainer)],
    )


def neighbour(order: Literal["v2", "vl"]) -> Clause:
    window = part("object", "das/ART Fenster/NN")
    who = part("subject", "die/ART Nachbarin/NN")
    dog = Part("object", Nominal(w("Hund/NN"), w("ihren/PPOSAT")))
    later = Clause(order, w("rief/VVFIN"), [dog])
    if order == "v2":
        return Clause("v2", w("öffnete/VVFIN"), [window], who, conjunction=w("und/KON"), later=later)
    weil = w("weil/KOUS")
    return Clause("vl", w("öffnete/VVFIN"), [who, window], complementiser=weil, conjunction=w("und/KON"), later=later)


def because() -> Clause:
    return Clause(
        "v2",
        w("bellte/VVFIN"),
        [],
        Part("subject", nominal("er/PPER")),
        after=[Part("adverbial", neighbour("vl"), "sentence")],
    )


def inn() -> Clause:
    middle = [part("subject", "der/ART Wirt/NN"), part("object", "die/ART Tür/NN")]
    later = Clause("v2", w("löschte/VVFIN"), [part("object", "das/ART Licht/NN")])
    front = Part("adverbial", Adverb(w("abends/ADV")))
    return Clause("v2", w("schloss/VVFIN"), middle, front, conjunction=w("und/KON"), later=later)


def venture() -> Clause:
    hardly = Part("adverbial", Adverb(w("kaum/ADV")), "sentence")
    vp = Verbal([hardly], w("finanzieren/VVINF"), w("zu/PTKZU"))
    what = Part("predicate", Unlike([nominal("ein/ART Wagnis/NN"), vp], w("und/KON")))
    return Clause("v2", w("ist/VAFIN", "cop"), [what], part("subject", "der/ART Plan/NN"))


def hall() -> Clause:
    vp = Verbal([Part("adverbial", pp("mit/APPR", "Blumen/NN"))], w("geschmückt/VVPP"))
    what = Part("predicate", Unlike([Adjective(w("prächtig/ADJD")), vp], w("und/KON")))
    return Clause("v2", w("war/VAFIN", "cop"), [what], part("subject", "der/ART Saal/NN"))


MODELS = {
    "pp": (
        pps,
        "(S (NP:SB (ART:NK Die) (NN:NK Familie)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK das) (NN:NK Haus) (PP:MNR "
        "(APPRART:AC am) (NN:NK See))) (PP:MO (APPR:AC mit) (ART:NK einem) (NN:NK Kredit)) (VVPP:HD gekauft)))",
        "(SIMPX (VF (NX:ON (ART Die) (NN:HD Familie))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (NX:HD (ART "
        "das) (NN:HD Haus)) (PX (APPRART am) (NX:HD (NN:HD See)))) (PX:V-MOD (APPR mit) (NX:HD (ART einem) "
        "(NN:HD Kredit)))) (VC (VXINF:OV (VVPP:HD gekauft))))",
    ),
    "erc": (
        relative,
        "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
        "(VVPP:HD gefunden) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))",
        "(SIMPX (VF (NX:ON (ART Der) (NN:HD Verein))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (ART einen) "
        "(NN:HD Trainer))) (VC (VXINF:OV (VVPP:HD gefunden))) (NF (R-SIMPX:OA-MOD (C (NX:ON (PRELS:HD der))) (MF "
        "(NX:OA (NN:HD Geduld))) (VC (VXFIN:HD (VAFIN:HD hat))))))",
    ),
    "fcr-v2": (
        lambda: neighbour("v2"),
        "(CS (S:CJ (NP:SB (ART:NK Die) (NN:NK Nachbarin)) (VVFIN:HD öffnete) (NP:OA (ART:NK das) (NN:NK "
        "Fenster))) (KON:CD und) (S:CJ (VVFIN:HD rief) (NP:OA (PPOSAT:NK ihren) (NN:NK Hund))))",
        "(SIMPX (VF (NX:ON (ART Die) (NN:HD Nachbarin))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD öffnete))) "
        "(MF (NX:OA (ART das) (NN:HD Fenster)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD rief))) (MF "
        "(NX:OA (PPOSAT ihren) (NN:HD Hund))))))",
    ),
    "fcr-vl": (
        because,
        "(CS:MO (S:CJ (KOUS:CP weil) (NP:SB (ART:NK die) (NN:NK Nachbarin)) (NP:OA (ART:NK das) (NN:NK Fenster)) "
        "(VVFIN:HD öffnete)) (KON:CD und) (S:CJ (NP:OA (PPOSAT:NK ihren) (NN:NK Hund)) (VVFIN:HD rief)))",
        "(SIMPX:MOD (C (KOUS weil)) (FKOORD (FKONJ:KONJ (MF (NX:ON (ART die) (NN:HD Nachbarin)) (NX:OA (ART das) "
        "(NN:HD Fenster))) (VC (VXFIN:HD (VVFIN:HD öffnete)))) (KON und) (FKONJ:KONJ (MF (NX:OA (PPOSAT ihren) "
        "(NN:HD Hund))) (VC (VXFIN:HD (VVFIN:HD rief))))))",
    ),
    "sgf": (
        inn,
        "(CS (S:CJ (ADV:MO Abends) (VVFIN:HD schloss) (NP:SB (ART:NK der) (NN:NK Wirt)) (NP:OA (ART:NK die) "
        "(NN:NK Tür))) (KON:CD und) (S:CJ (VVFIN:HD löschte) (NP:OA (ART:NK das) (NN:NK Licht))))",
        "(SIMPX (VF (ADVX:V-MOD (ADV:HD Abends))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD schloss))) (MF "
        "(NX:ON (ART der) (NN:HD Wirt)) (NX:OA (ART die) (NN:HD Tür)))) (KON und) (FKONJ:KONJ (LK (VXFIN:HD "
        "(VVFIN:HD löschte))) (MF (NX:OA (ART das) (NN:HD Licht))))))",
    ),
    "cuc-vp+np": (
        venture,
        "(S (NP:SB (ART:NK Der) (NN:NK Plan)) (VAFIN:HD ist) (CO:OC (NP:CJ (ART:NK ein) (NN:NK Wagnis)) (KON:CD "
        "und) (VP:CJ (ADV:MO kaum) (VZ:HD (PTKZU:PM zu) (VVINF:HD finanzieren)))))",
        "(SIMPX (VF (NX:ON (ART Der) (NN:HD Plan))) (LK (VXFIN:HD (VAFIN:HD ist))) (FKOORD (MF:KONJ (NX:PRED "
        "(ART ein) (NN:HD Wagnis))) (KON und) (FKONJ:KONJ (MF (ADVX:MOD (ADV:HD kaum))) (VC (VXINF:OV (PTKZU:HD "
        "zu) (VVINF finanzieren))))))",
    ),
    "cuc-vp+ap": (
        hall,
        "(S (NP:SB (ART:NK Der) (NN:NK Saal)) (VAFIN:HD war) (CO:PD (ADJD:CJ prächtig) (KON:CD und) (VP:CJ "
        "(PP:MO (APPR:AC mit) (NN:NK Blumen)) (VVPP:HD geschmückt))))",
        "(SIMPX (VF (NX:ON (ART Der) (NN:HD Saal))) (LK (VXFIN:HD (VAFIN:HD war))) (FKOORD (MF:KONJ (ADJX:PRED "
        "(ADJD:HD prächtig))) (KON und) (FKONJ:KONJ (MF (PX:V-MOD (APPR mit) (NX:HD (NN:HD Blumen)))) (VC "
        "(VXINF:OV (VVPP:HD geschmückt))))))",
    ),
}
"""The abstract clause, and the model analysis in TIGER and in TüBa-D/Z."""


@pytest.mark.parametrize("name", MODELS)
def test_the_trees_are_the_model_analyses(name: str) -> None:
    clause, in_tiger, in_tuebadz = MODELS[name]
    sentence = laid_out(clause())
    written = [to_notation(bare(realise(sentence))) for realise in (tiger, tuebadz)]
    if name == "fcr-vl":  # the model is only the embedded clause
        assert in_tiger in written[0]
        assert in_tuebadz in written[1]
    else:
        assert written == [in_tiger, in_tuebadz]


def edges(sentence: Sentence) -> set[tuple[str, str, str]]:
    tree = tiger(sentence)
    return {(" ".join(tree[node].words), label, tree[to].words[-1]) for node, label, to in tree.secondary}


def test_secondary_edges_say_what_is_shared() -> None:
    assert edges(laid_out(neighbour("v2"))) == {("Die Nachbarin", "SB", "Hund")}
    assert edges(laid_out(because())) == {("die Nachbarin", "SB", "rief"), ("weil", "CP", "rief")}
    assert edges(laid_out(inn())) == {("der Wirt", "SB", "Licht"), ("Abends", "MO", "Licht")}
    assert edges(laid_out(relative())) == edges(laid_out(hall())) == set()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("scheme", REALISERS)
def test_the_finding_rules_find_what_was_meant(name: str, scheme: str) -> None:
    sentence = laid_out(MODELS[name][0]())
    tree = REALISERS[scheme](sentence)
    found = {(one.phenomenon, one.variant, one.node, one.anchors) for one in find(tree, scheme)}
    told = [one.construction(tree, scheme) for one in meant(sentence)]
    assert found == {(one.phenomenon, one.variant, one.node, one.anchors) for one in told}
    assert name.split("-")[0] in {one.phenomenon for one in told} | {"pp"}


def test_commas_and_capitals() -> None:
    assert [word.form for word in laid_out(relative()).words] == (
        "Der Verein hat einen Trainer gefunden , der Geduld hat .".split()
    )
    clause = because()
    clause.front, clause.middle, clause.after = clause.after[0], [part("subject", "er/PPER")], []
    words = " ".join(word.form for word in laid_out(clause, "?").words)
    assert words == "Weil die Nachbarin das Fenster öffnete und ihren Hund rief , bellte er ?"
    but = Clauses([neighbour("v2"), inn()], w("aber/KON"))
    assert "ihren Hund , aber abends schloss" in " ".join(word.form for word in laid_out(but).words)


def test_dependencies_of_an_extraposed_clause_and_of_unlike_conjuncts() -> None:
    found = []
    for clause in (relative(), venture()):
        sentence = laid_out(clause)
        attach(sentence)
        found.append({word.form: (word.head.form if word.head else "", word.deprel) for word in sentence.words})
    erc, cuc = found
    assert erc["gefunden"] == ("", "root")
    assert erc["Trainer"] == ("gefunden", "obj")
    assert erc[","] == ("hat", "punct")
    assert erc["Geduld"] == ("hat", "obj")
    assert cuc["Wagnis"] == ("", "root")
    assert cuc["ist"] == ("Wagnis", "cop")
    assert cuc["Plan"] == ("Wagnis", "nsubj")
    assert cuc["finanzieren"] == ("Wagnis", "conj")
    assert cuc["und"] == ("finanzieren", "cc")
    assert cuc["zu"] == ("finanzieren", "mark")
