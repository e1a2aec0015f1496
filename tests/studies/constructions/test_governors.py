"""PP attachment by governors: the same one is never D, another one always. The oracle goes by dependency arcs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tree_corruptions import Spoiled

from gardenpath.data.catalogue import bundled
from gardenpath.errors import InputError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.dependencies import arcs
from gardenpath.phrase.heads import full_verbs
from gardenpath.studies.constructions.error_classes import ConstructionVerdict, Decisions
from gardenpath.studies.constructions.judging import judge
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.model import Construction
from gardenpath.suites.constructions.storage import read_parallel

PLACES = {"tiger": ("S", "VP", "NP"), "tuebadz": ("VF", "MF", "NF", "NX")}
FUNCTIONS = {"tiger": ("MO", "MNR"), "tuebadz": ("V-MOD",)}
BARE = ("VVPP", "VAPP", "VMPP", "VVINF", "VAINF", "VMINF")


def oracle(gold: PhraseTree, parse: PhraseTree, preposition: int, scheme: str) -> bool:
    """Has the preposition the same governor in both, auxiliaries and modals of gold taken with their full verb?"""
    known = arcs(gold, scheme)

    def full(verb: int) -> int:
        if scheme == "tuebadz":  # a verb depends as OV on the one above it: the finite verb stands for all of them
            return full(known[verb][0]) if verb >= 0 and known[verb][1] == "OV" else verb
        if verb < 0 or gold.tags[verb][:2] not in ("VA", "VM"):
            return verb
        helped = [
            token
            for label in ("OC", "PD")
            for token, arc in enumerate(known)
            if arc == (verb, label)
            and gold.tags[token] in BARE
            and all(gold.tags[particle] != "PTKZU" for particle, (head, _) in enumerate(known) if head == token)
        ]
        return full(helped[0]) if helped else verb

    return full(known[preposition][0]) == full(arcs(parse, scheme)[preposition][0])


def moved(tree: PhraseTree, construction: Construction, scheme: str) -> Iterator[PhraseTree]:
    """The PP of a construction at every other clause, verb phrase, noun phrase or field of its sentence."""
    pp = tree[construction.node]
    for place in tree.inner:
        inside = not place.mask & ~pp.mask  # a circle, or a phrase that would be empty
        if place.label in PLACES[scheme] and not inside and any(child != pp for child in place.children):
            for function in FUNCTIONS[scheme]:
                spoiled = Spoiled(tree)
                spoiled.move(pp, place, function)
                try:
                    yield spoiled.grown()
                except InputError:  # an empty node
                    continue


def check(tree: PhraseTree, construction: Construction, scheme: str) -> list[str]:
    classes = []
    for parse in moved(tree, construction, scheme):
        verdict = judge(tree, construction, parse, scheme)
        same = oracle(tree, parse, construction.anchor("preposition"), scheme)
        assert (verdict.primary == "D") != same, (" ".join(tree.words), construction, verdict)
        classes.append(verdict.primary)
    return classes


def is_plain(construction: Construction) -> bool:
    """A PP with its preposition that is no conjunct: the oracle follows no coordination."""
    weak = {"coordinated", "incomplete", "correlate", "moved"}
    return construction.phenomenon in ("ppn", "ppv") and not weak & set(construction.flags)


@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
def test_same_governor_is_never_d_and_another_always_in_the_parallel_suite(scheme: str) -> None:
    items = [item for item in read_parallel(bundled("de-constructions"))[scheme].items if is_plain(item.construction)]
    classes = [name for item in items for name in check(item.tree, item.construction, scheme)]
    assert classes.count("D") > 50
    assert len(classes) - classes.count("D") > 30


def test_same_governor_is_never_d_and_another_always_in_real_trees(shared: Path) -> None:
    from gardenpath.phrase import read

    trees = read(sorted((shared / "phrase" / "tiger-pcc" / "syntax").glob("*.xml"))[:4])
    hits = [
        (tree, construction)
        for tree in trees
        for construction in find(tree, "tiger", ["ppn", "ppv"])
        if is_plain(construction)
    ]
    assert len(hits) > 40
    classes = [name for tree, construction in hits for name in check(tree, construction, "tiger")]
    assert classes.count("D") > 200
    assert len(classes) - classes.count("D") > 50


PASSIVE = (
    "(S (NP:SB (ART:NK Das) (NN:NK Haus)) (VMFIN:HD soll) (VP:OC (VP:OC (PP:MO (APPRART:AC im) (NN:NK Mai)) "
    "(VVPP:HD verkauft)) (VAINF:HD werden)))"
)
WITH_ZU = (
    "(S (PPER:SB Er) (VAFIN:HD hat) (VP:OC (VVPP:HD versprochen) (VP:OC (PP:MO (APPRART:AC im) (NN:NK Mai)) "
    "(VZ:HD (PTKZU:PM zu) (VVINF:HD kommen)))))"
)


def pp(tree: PhraseTree) -> Construction:
    (construction,) = find(tree, "tiger", ["ppv"])
    return construction


def verdict(gold: str, parse: str, **decisions: bool) -> ConstructionVerdict:
    tree = from_notation(gold)
    return judge(tree, pp(tree), from_notation(parse), "tiger", decisions=Decisions(**decisions))


def test_full_verbs_by_hand() -> None:
    words = from_notation(PASSIVE)
    assert full_verbs(words, "tiger") == {2: 5, 6: 5}  # soll and werden: verkauft
    tree = from_notation(WITH_ZU)
    assert full_verbs(tree, "tiger") == {1: 2}  # hat: versprochen, and not kommen
    perfect = "(VP (VP:OC (PIS:OA etwas) (VVPP:HD getan)) (VZ:HD (PTKZU:PM zu) (VAINF:HD haben)))"
    assert full_verbs(from_notation(perfect), "tiger") == {3: 1}
    obliged = "(S (PPER:SB Er) (VAFIN:HD hat) (VP:OC (PP:MO (APPR:AC bis) (NN:NK Mai)) (VVIZU:HD anzukommen)))"
    assert full_verbs(from_notation(obliged), "tiger") == {}
    state = "(S (NP:SB (ART:NK Die) (NN:NK Chance)) (VAFIN:HD ist) (VVPP:PD vertan))"
    assert full_verbs(from_notation(state), "tiger") == {2: 3}
    adjunct = (
        "(S (VP:MO (PP:MO (APPR:AC vom) (NN:NK Regen)) (VVPP:HD überrascht)) (VAFIN:HD war) (PPER:SB er) (ADJD:PD da))"
    )
    assert full_verbs(from_notation(adjunct), "tiger") == {}


def test_a_pp_anywhere_in_a_chain_of_auxiliaries_and_modals_is_right() -> None:
    at_clause = PASSIVE.replace(
        "(VP:OC (VP:OC (PP:MO (APPRART:AC im) (NN:NK Mai)) ", "(PP:MO (APPRART:AC im) (NN:NK Mai)) (VP:OC (VP:OC "
    )
    assert verdict(PASSIVE, at_clause).primary == "right"
    assert verdict(PASSIVE, at_clause).flags == ("vp-level",)
    assert verdict(PASSIVE, at_clause, full_verb=False).primary == "D"


@pytest.mark.parametrize("function", ["RE", "MO", "PD"])
def test_the_function_of_the_verb_phrase_is_no_criterion(function: str) -> None:
    for text in (PASSIVE, WITH_ZU):
        assert verdict(text, text.replace("(VP:OC", f"(VP:{function}")).primary == "right"


def test_a_pp_that_leaves_its_zu_infinitive_is_wrong() -> None:
    outside = WITH_ZU.replace(
        "(VVPP:HD versprochen) (VP:OC (PP:MO (APPRART:AC im) (NN:NK Mai))",
        "(VVPP:HD versprochen) (PP:MO (APPRART:AC im) (NN:NK Mai)) (VP:OC",
    )
    assert (verdict(WITH_ZU, outside).primary, verdict(WITH_ZU, outside).reason) == (
        "D", "PP attached to the verb *versprochen*, gold verb *kommen*",
    )  # fmt: skip


def test_a_pp_at_a_clause_without_a_field_hangs_at_its_verb() -> None:
    gold = (
        "(SIMPX (VF (NX:ON (PPER:HD Er))) (LK (VXFIN:HD (VVFIN:HD kommt))) "
        "(MF (PX:V-MOD (APPRART im) (NX:HD (NN:HD Mai)))))"
    )
    tree = from_notation(gold)
    (construction,) = find(tree, "tuebadz", ["ppv"])
    parse = from_notation(gold.replace("(MF (PX", "(PX").replace("Mai)))))", "Mai))))"))
    assert judge(tree, construction, parse, "tuebadz").right


def test_a_pp_that_heads_its_clause_hangs_where_the_clause_does() -> None:
    gapped = (
        "(CS (S:CJ (PPER:SB Er) (VVFIN:HD kommt) (PP:MO (APPRART:AC im) (NN:NK Mai))) (KON:CD und) "
        "(S:CJ (PP:MO (APPRART:AC im) (NN:NK Juni)) (ADV:MO auch)))"
    )
    tree = from_notation(gapped)
    construction = next(hit for hit in find(tree, "tiger", ["ppv"]) if hit.anchor("preposition") == 5)
    parse = from_notation(
        "(S (PPER:SB Er) (VVFIN:HD kommt) (PP:MO (APPRART:AC im) (NN:NK Mai)) (KON:JU und) "
        "(PP:MO (APPRART:AC im) (NN:NK Juni)) (ADV:MO auch))"
    )
    assert judge(tree, construction, parse, "tiger").primary == "right"


def test_a_preposition_in_the_pp_of_another_one_is_judged_by_where_that_one_is_attached() -> None:
    gold = from_notation(
        "(S (NP:SB (ART:NK Das) (NN:NK Brot) (PP:PG (APPR:AC von) (NE:NK Otto) (PP:MNR (APPR:AC aus) (NE:NK Ulm)))) "
        "(VVFIN:HD schmeckt))"
    )
    flat = from_notation(
        "(S (NP:SB (ART:NK Das) (NN:NK Brot) (PP:PG (APPR:AC von) (NE:NK Otto) (APPR:AC aus) (NE:NK Ulm))) "
        "(VVFIN:HD schmeckt))"
    )
    outer, inner = sorted(find(gold, "tiger", ["ppn"]), key=lambda hit: hit.anchor("preposition"))
    assert judge(gold, outer, flat, "tiger").primary == "right"
    lost = judge(gold, inner, flat, "tiger")
    assert (lost.primary, lost.reason) == ("D", "PP attached to the noun *Brot*, gold noun *Otto*")
