"""Each finding rule on sentences written for it: the same construction, with the same anchors, in each scheme."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from trees_to_find import CUC_AP, CUC_NP, ERC, FCR_V2, FCR_VL, PP, SGF, subject_object_order

from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.formats.source import read
from gardenpath.phrase.schemes.registry import scheme
from gardenpath.suites.constructions.finding import find, find_in, finding_rules
from gardenpath.suites.constructions.model import PHENOMENA, SCHEMES, Construction

CASES = [
    (PP, "ppn", "", {"preposition": "am", "noun": "See", "governor": "Haus"}),
    (PP, "ppv", "", {"preposition": "mit", "noun": "Kredit"}),
    (ERC, "erc", "", {"relative": "der", "verb": "hat", "noun": "Trainer", "matrix": "hat"}),
    (FCR_V2, "fcr", "v2", {"verb1": "öffnete", "verb2": "rief", "subject": "Nachbarin"}),
    (FCR_VL, "fcr", "vl", {"verb1": "öffnete", "verb2": "rief", "subject": "Nachbarin"}),
    (SGF, "sgf", "", {"verb1": "schloss", "verb2": "löschte", "subject": "Wirt"}),
    (CUC_NP, "cuc", "vp+np", {"conjunct1": "Wagnis", "conjunct2": "finanzieren"}),
    (CUC_AP, "cuc", "vp+ap", {"conjunct1": "prächtig", "conjunct2": "geschmückt"}),
]


def tiger(line: str, *phenomena: str, wide: bool = False) -> list[Construction]:
    return find(from_notation(line), "tiger", phenomena, wide)


def tuebadz(line: str, *phenomena: str, wide: bool = False) -> list[Construction]:
    return find(from_notation(line), "tuebadz", phenomena, wide)


def words(tree: PhraseTree, one: Construction) -> dict[str, str]:
    return {name: tree.words[token] for name, token in one.anchors}


@pytest.mark.parametrize(("trees", "phenomenon", "variant", "anchors"), CASES)
def test_every_scheme_has_the_construction(
    trees: dict[str, str], phenomenon: str, variant: str, anchors: dict[str, str]
) -> None:
    for kind, line in trees.items():
        tree = from_notation(line)
        (one,) = find(tree, "tuebadz" if kind == "tuebadz" else "tiger", [phenomenon])
        assert (one.phenomenon, one.variant) == (phenomenon, variant)
        assert anchors.items() <= words(tree, one).items()


@pytest.mark.parametrize(("trees", "phenomenon", "variant", "anchors"), CASES)
def test_no_scheme_has_another_coordination_or_clause(
    trees: dict[str, str], phenomenon: str, variant: str, anchors: dict[str, str]
) -> None:
    for kind, line in trees.items():
        found = find(from_notation(line), "tuebadz" if kind == "tuebadz" else "tiger")
        assert {one.phenomenon for one in found} - {"ppn", "ppv"} <= {phenomenon}


def test_the_governor_of_a_verbal_pp_is_the_head_of_its_clause_or_verb_phrase() -> None:
    for kind, governor in (("tiger", "gekauft"), ("deepened", "gekauft"), ("tuebadz", "hat")):
        tree = from_notation(PP[kind])
        (one,) = find(tree, "tuebadz" if kind == "tuebadz" else "tiger", ["ppv"])
        assert words(tree, one)["governor"] == governor
        assert one.flags == ("ambiguous",)


def test_unknown_names_are_told() -> None:
    tree = from_notation(SGF["tiger"])
    with pytest.raises(UsageError, match="unknown phenomenon 'sgv'"):
        find(tree, "tiger", ["sgv"])
    with pytest.raises(UsageError, match="unknown annotation scheme 'negra'"):
        find(tree, "negra")


# ---- PPs


def test_conjoined_pps_belong_where_their_coordination_is() -> None:
    line = (
        "(S (PPER:SB Sie) (VVFIN:HD las) (NP:OA (NN:NK Briefe) (CPP:MNR (PP:CJ (APPR:AC aus) (NE:NK Rom)) (KON:CD und) "
        "(PP:CJ (APPR:AC von) (PPER:NK ihr)))))"
    )
    found = tiger(line, "ppn", "ppv")
    assert [(one.phenomenon, one.flags) for one in found] == [
        ("ppn", ("coordinated", "ambiguous")),
        ("ppn", ("coordinated",)),
    ]
    assert {one.anchor("governor") for one in found} == {2}


def test_pps_of_adjectives_agents_and_focus_are_left_out() -> None:
    line = (
        "(S (NP:SB (ART:NK die) (AP:NK (PP:MO (APPR:AC auf) (NN:NK Stolz)) (ADJA:HD bedachte)) (NN:NK Stadt) "
        "(PP:MO (APPR:AC bis) (ADV:NK gestern))) (VAFIN:HD wurde) (VP:OC (PP:SBP (APPR:AC von) (PPER:NK ihm)) "
        "(VVPP:HD geliebt)))"
    )
    assert tiger(line, "ppn", "ppv") == []


def test_a_pronominal_adverb_with_its_clause_is_marked() -> None:
    line = (
        "(S (PPER:SB Er) (VVFIN:HD rechnet) (PP:OP (PROAV:PH damit) (S:RE (KOUS:CP dass) (PPER:SB sie) "
        "(VVFIN:HD kommt))))"
    )
    (one,) = tiger(line, "ppv")
    assert one.flags == ("correlate",)
    assert (one.anchor("preposition"), one.anchor("noun")) == (2, -1)


def test_a_pp_without_preposition_is_incomplete() -> None:
    (one,) = tiger("(S (PPER:SB Er) (VVFIN:HD kam) (PP:MO (NP:NK (NN:HD Montag))))", "ppv")
    assert one.flags == ("incomplete",)
    assert one.anchor("preposition") == -1


def test_a_moved_pp_names_its_phrase_in_tuebadz() -> None:
    line = (
        "(SIMPX (VF (NX:ON (PPER:HD Er))) (LK (VXFIN:HD (VAFIN:HD hat))) (MF (NX:OA (NN:HD Angst))) (VC (VXINF:OV "
        "(VVPP:HD gehabt))) (NF (PX:OA-MOD (APPR vor) (NX:HD (NN:HD Hunden)))))"
    )
    (one,) = tuebadz(line, "ppn", "ppv")
    assert (one.phenomenon, one.flags) == ("ppn", ("moved",))
    assert one.anchor("governor") == 2


@pytest.mark.parametrize(("auxiliary", "number"), [("wurde", 0), ("hat", 1)])
def test_the_agent_of_a_passive_is_left_out_in_tuebadz(auxiliary: str, number: int) -> None:
    line = (
        f"(SIMPX (VF (NX:ON (PPER:HD Er))) (LK (VXFIN:HD (VAFIN:HD {auxiliary}))) (MF (PX:FOPP (APPR von) (NX:HD "
        "(NE:HD Ida)))) (VC (VXINF:OV (VVPP:HD gehört))))"
    )
    assert len(tuebadz(line, "ppv")) == number


def test_a_pronominal_adverb_is_no_pp_in_tuebadz() -> None:
    line = "(SIMPX (VF (PX:OPP (PROP:HD Damit))) (LK (VXFIN:HD (VVFIN:HD rechnet))) (MF (NX:ON (PPER:HD sie))))"
    assert tuebadz(line, "ppn", "ppv") == []


# ---- relative clauses


@pytest.mark.parametrize(
    "line",
    [
        # beside its noun
        "(S (NP:SB (ART:NK Der) (NN:NK Hund) (S:RC (PRELS:SB der) (VVFIN:HD bellt))) (VVFIN:HD beißt))",
        # free: no noun
        "(S (S:SB (PWS:SB Wer) (VVFIN:HD bellt)) (VVFIN:HD beißt))",
        # the word between is of a noun phrase above
        "(S (NP:OA#1 (NP:NK#2 (ART:NK den) (NN:NK Teil)) (NN:NK davon) (NP:NK#2 (S:RC (PRELS:SB der) (VVFIN:HD "
        "fehlt)))) (VVFIN:HD suchte) (PPER:SB er))",
        # only a comma between
        "(S (NP:SB#1 (ART:NK Der) (NN:NK Hund)) ($,:-- ,) (NP:SB#1 (S:RC (PRELS:SB der) (VVFIN:HD bellt))) "
        "(VVFIN:HD beißt))",
    ],
)
def test_relative_clauses_that_are_not_extraposed(line: str) -> None:
    assert tiger(line, "erc") == []


def test_the_antecedent_of_a_plain_pp_is_its_noun() -> None:
    line = (
        "(S (PPER:SB Er) (VAFIN:HD hat) (VP:OC (PP:OP#1 (APPR:AC mit) (ART:NK dem) (NN:NK Trainer)) (VVPP:HD geredet) "
        "($, ,) (PP:OP#1 (CS:RC (S:CJ (PRELS:SB der) (VVFIN:HD geht)) (KON:CD und) (S:CJ (ADV:MO nie) (VVFIN:HD "
        "kommt))))))"
    )
    tree = from_notation(line)
    (one,) = find(tree, "tiger", ["erc"])
    assert words(tree, one) == {"relative": "der", "verb": "geht", "noun": "Trainer", "matrix": "hat"}
    assert one.flags == ("coordinated",)
    assert tree[one.node].label == "CS"


def test_other_modifiers_in_the_final_field_are_no_relative_clauses() -> None:
    line = ERC["tuebadz"].replace("R-SIMPX", "SIMPX")
    assert tuebadz(line, "erc") == []
    assert tuebadz(ERC["tuebadz"].replace("OA-MOD", "MOD"), "erc") == []
    (one,) = tuebadz(ERC["tuebadz"].replace("OA-MOD", "OD-MOD"), "erc")
    assert (one.flags, one.anchor("noun")) == (("unresolved",), -1)


# ---- shared subjects


def test_later_conjuncts_make_an_item_each() -> None:
    line = "(CS (S:CJ (PPER:SB Sie) (VVFIN:HD kam)) (S:CJ (VVFIN:HD sah)) (KON:CD und) (S:CJ (VVFIN:HD siegte)))"
    found = tiger(line, "fcr")
    assert [(one.anchor("verb1"), one.anchor("verb2"), one.flags) for one in found] == [
        (1, 2, ("bare",)),
        (1, 4, ("bare",)),
    ]


def test_a_subject_in_between_is_marked() -> None:
    line = (
        "(CS (S:CJ (PPER:SB Sie) (VVFIN:HD kam)) (S:CJ (PPER:SB er) (VVFIN:HD blieb)) (KON:CD und) (S:CJ (VVFIN:HD "
        "las) (NN:OA Briefe)))"
    )
    (one,) = tiger(line, "fcr")
    assert (one.anchor("verb2"), one.flags) == (5, ("interrupted",))


@pytest.mark.parametrize(
    "line",
    [
        # the second has a subject
        "(CS (S:CJ (PPER:SB Sie) (VVFIN:HD kam)) (KON:CD und) (S:CJ (PPER:SB er) (VVFIN:HD ging)))",
        # an impersonal passive with something before its verb
        "(CS (S:CJ (PPER:SB Sie) (VVFIN:HD kam)) (KON:CD und) (S:CJ (ADV:MO dann) (VAFIN:HD wurde) (VVPP:OC getanzt)))",
        # an expletive
        "(CS (S:CJ (PPER:SB Sie) (VVFIN:HD kam)) (KON:CD und) (S:CJ (PPER:EP es) (VAFIN:HD wurde) (ADJD:PD spät)))",
        # one finite verb
        "(S (PPER:SB Sie) (VAFIN:HD hat) (CVP:OC (VP:CJ (VVPP:HD gesungen)) (KON:CD und) (VP:CJ (VVPP:HD getanzt))))",
        # the subject stands at the right end
        "(CS (S:CJ#1 (ADV:MO Heute) (VVFIN:HD singt)) (KON:CD und) (S:CJ (VVFIN:HD tanzt)) (S:CJ#1 (PPER:SB sie)))",
    ],
)
def test_coordinations_that_share_no_subject_at_the_left(line: str) -> None:
    assert tiger(line, "fcr", "sgf") == []


def test_relative_clauses_share_their_pronoun() -> None:
    line = (
        "(NP (NN:NK Leute) (CS:RC (S:CJ (PRELS:SB die) (ADJD:MO laut) (VVFIN:HD singen)) (KON:CD und) (S:CJ "
        "(ADV:MO gern) (VVFIN:HD tanzen))))"
    )
    (one,) = tiger(line, "fcr", "sgf")
    assert (one.phenomenon, one.variant, one.anchor("subject")) == ("fcr", "vl", 1)


def test_a_question_can_have_a_subject_gap_and_a_fronted_participle_is_looked_into() -> None:
    question = "(CS (S:CJ (VVFIN:HD Kommt) (PPER:SB sie)) (KON:CD und) (S:CJ (VVFIN:HD singt) (NN:OA Lieder)))"
    (one,) = tiger(question, "fcr", "sgf")
    assert one.phenomenon == "sgf"
    participle = (
        "(CS (S:CJ (VP:OC#1 (VVPP:HD Gesungen)) (VAFIN:HD hat) (PPER:SB sie) (VP:OC#1 (NN:OA Lieder))) (KON:CD und) "
        "(S:CJ (VAFIN:HD ist) (VVPP:OC gegangen)))"
    )
    (one,) = tiger(participle, "fcr", "sgf")
    assert one.phenomenon == "sgf"


def test_a_secondary_edge_confirms() -> None:
    from dataclasses import replace

    tree = from_notation(FCR_V2["tiger"])
    subject = next(node for node in tree.inner if node.function == "SB")
    later = next(node for node in tree.inner if node.label == "S" and node.start > 5)
    for number in (subject.number, 1):  # at the phrase, or at its noun
        marked = replace(tree, secondary=((number, "SB", later.number),))
        assert [one.flags for one in find(marked, "tiger", ["fcr"])] == [("confirmed",)]
    assert [one.flags for one in find(tree, "tiger", ["fcr"])] == [()]


def test_a_single_field_can_be_a_conjunct_in_tuebadz() -> None:
    line = (
        "(SIMPX (VF (NX:ON (PPER:HD Sie))) (FKOORD (FKONJ:KONJ (LK (VXFIN:HD (VVFIN:HD schloss))) (MF (NX:OA (ART das) "
        "(NN:HD Tor)))) (KON und) (LK:KONJ (VXFIN:HD (VVFIN:HD ging)))))"
    )
    (one,) = tuebadz(line, "fcr", "sgf", "cuc")
    assert (one.phenomenon, one.variant, one.flags) == ("fcr", "v2", ("bare",))


def test_the_initial_field_may_be_in_the_first_conjunct_of_a_subject_gap() -> None:
    line = SGF["tuebadz"]
    front = "(VF (ADVX:V-MOD (ADV:HD Abends))) "
    inside = line.replace(front, "").replace("(FKONJ:KONJ (LK", f"(FKONJ:KONJ {front}(LK", 1)
    (one,) = tuebadz(inside, "fcr", "sgf")
    assert (one.phenomenon, one.anchor("subject")) == ("sgf", 3)


def test_nonfinite_fields_and_own_subjects_are_no_shared_subjects_in_tuebadz() -> None:
    nonfinite = (
        "(SIMPX (VF (NX:ON (PPER:HD Sie))) (LK (VXFIN:HD (VAFIN:HD hat))) (FKOORD (FKONJ:KONJ (MF (NX:OA "
        "(NN:HD Lieder))) (VC (VXINF:OV (VVPP:HD gesungen)))) (KON und) (FKONJ:KONJ (MF (ADVX:MOD (ADV:HD gern))) "
        "(VC (VXINF:OV (VVPP:HD getanzt))))))"
    )
    assert tuebadz(nonfinite, "fcr", "sgf", "cuc") == []
    own = FCR_V2["tuebadz"].replace("(MF (NX:OA (PPOSAT", "(MF (NX:ON (PPOSAT")
    assert tuebadz(own, "fcr", "sgf") == []


# ---- unlike constituents


@pytest.mark.parametrize(
    ("conjuncts", "strict", "wide"),
    [
        ("(ADJD:CJ still) (KON:CD und) (PP:CJ (APPR:AC ohne) (NN:NK Licht))", [], ["ap+pp"]),
        ("(ADV:CJ heute) (KON:CD und) (PP:CJ (APPR:AC am) (NN:NK Abend))", [], []),
        ("(ADJD:CJ still) (ADJD:CJ leise) (KON:CD und) (VVPP:CJ verlassen)", ["vp+ap"], ["vp+ap"]),
        ("(NN:CJ Ruhe) (KON:CD und) (S:CJ (KOUS:CP dass) (PPER:SB er) (VVFIN:HD geht))", ["s+np"], ["s+np"]),
        ("(ADJD:CJ still) (KON:CD und) (ADJD:CJ leise)", [], []),
    ],
)
def test_unlike_conjuncts(conjuncts: str, strict: list[str], wide: list[str]) -> None:
    line = f"(S (PPER:SB Es) (VAFIN:HD ist) (CO:PD {conjuncts}))"
    assert [one.variant for one in tiger(line, "cuc")] == strict
    assert [one.variant for one in tiger(line, "cuc", wide=True)] == wide


def test_unlike_conjuncts_without_a_conjunction_are_marked() -> None:
    line = "(S (PPER:SB Es) (VAFIN:HD ist) (CO:PD (ADJD:CJ still) {}(VVPP:CJ verlassen)))"
    assert [one.flags for one in tiger(line.format(""), "cuc")] == [("asyndetic",)]
    assert [one.flags for one in tiger(line.format("(KON:CD und) "), "cuc")] == [()]


def test_unlike_phrases_in_tuebadz() -> None:
    phrase = "(ADJX:PRED (ADJX:KONJ (ADJD:HD still)) (KON und) (PX:KONJ (APPR ohne) (NX:HD (NN:HD Licht))))"
    line = f"(SIMPX (VF (NX:ON (PPER:HD Es))) (LK (VXFIN:HD (VAFIN:HD ist))) (MF {phrase}))"
    assert tuebadz(line, "cuc") == []
    assert [one.variant for one in tuebadz(line, "cuc", wide=True)] == ["ap+pp"]
    fields = "(FKOORD (MF:KONJ (ADJX:PRED (ADJD:HD still))) (KON und) (MF:KONJ (NX:PRED (NN:HD Gift))))"
    line = f"(SIMPX (VF (NX:ON (PPER:HD Es))) (LK (VXFIN:HD (VAFIN:HD ist))) {fields})"
    assert [one.variant for one in tuebadz(line, "cuc", wide=True)] == ["ap+np"]


def test_subject_and_object_order() -> None:
    first = from_notation("(S (PPER:SB Er) (VVFIN:HD sah) (NN:OA Hunde))")
    second = from_notation("(S (NN:OA Hunde) (VVFIN:HD sah) (PPER:SB er))")
    reflexive = from_notation("(S (ADV:MO Nun) (VVFIN:HD kaufte) (PRF:OA sich) (PPER:SB er) (NN:OA Hunde))")
    assert subject_object_order([first, second, second]) == (1, 2)
    assert subject_object_order([reflexive]) == (1, 0)


@pytest.mark.parametrize(
    ("name", "hits", "digest"),
    [("tiger", 232, "546643e27d326d2e"), ("tuebadz", 232, "b953458f8ee176c0")],
)
def test_every_hit_is_that_of_the_python_rules(
    name: str, hits: int, digest: str, file_named: Callable[[str], Path]
) -> None:
    """The digests were made with the rules in Python that these files replaced (November 2026); on the Potsdam
    Commentary Corpus, SQUOIA, SMULTRON and 3,000 generated trees the hits were the same too."""
    trees = read(file_named(f"bundled:de-constructions/{name}/trees.export"))
    constructions = list(find_in(trees, name, tuple(PHENOMENA), wide=True))
    assert len(constructions) == hits
    rows = [[number, one.phenomenon, one.variant, one.node, *one.anchors, *one.flags] for number, one in constructions]
    assert sha256(repr(rows).encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("name", SCHEMES)
def test_a_file_has_a_rule_for_every_phenomenon_and_no_open_placeholder(name: str) -> None:
    rules = finding_rules(scheme(name))
    absent = {"ptb": {"sgf"}, "sinica": {"erc", "sgf"}, "ctb": {"erc", "sgf"}}.get(name, set())
    assert {rule.phenomenon for rule in rules} == set(PHENOMENA) - absent
    texts = [text for rule in rules for text in (rule.pattern, *(text for _, texts in rule.flags for text in texts))]
    assert not any("${" in text for text in texts)
