"""Every class of every table in both schemes: the same mistake in both must get the same class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from construction_mistakes import MISTAKES
from construction_trees import MODELS, Mistake, gold, one_change, wrong
from tree_corruptions import CORRUPTIONS, Corruption

from gardenpath.data.catalogue import bundled
from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.edits.gaps import as_raised
from gardenpath.phrase.edits.splitting import split
from gardenpath.studies.constructions.error_classes import (
    CLASSES,
    Comparisons,
    Decisions,
    _rules,
    class_titles,
    decisions_from,
    held_classes,
)
from gardenpath.studies.constructions.judging import judge
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.model import Construction
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath_generate.constructions.treebank import generate


@pytest.mark.parametrize("scheme", ["tiger", "tuebadz"])
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake.model}: {mistake.name}")
def test_the_same_mistake_has_the_same_class_in_both_schemes(mistake: Mistake, scheme: str) -> None:
    tree, construction = gold(mistake.model, scheme, mistake.phenomenon)
    parse = wrong(mistake.model, scheme, getattr(mistake, scheme))
    verdict = judge(tree, construction, parse, scheme)
    assert (verdict.primary, verdict.codes) == (mistake.code, mistake.codes or (mistake.code,)), verdict.reason
    assert verdict.reason


@pytest.mark.parametrize("name", MODELS)
def test_a_right_tree_is_right(name: str) -> None:
    for scheme, text in MODELS[name].items():
        tree, kind = from_notation(text), "tuebadz" if scheme == "tuebadz" else "tiger"
        found = find(tree, kind)
        assert found
        for construction in found:
            verdict = judge(tree, construction, from_notation(text), kind)
            assert (verdict.primary, verdict.codes, verdict.flags, verdict.reason) == ("right", (), (), "")


VORFELD = "(VF (NX:ON (ART Die) (NN:HD Nachbarin))) (FKOORD (FKONJ:KONJ (LK"


def test_a_vorfeld_in_the_first_conjunct_is_an_error_of_span_in_tuebadz_only() -> None:
    tree, construction = gold("fcr", "tuebadz", "fcr")
    inside = wrong(
        "fcr",
        "tuebadz",
        ((VORFELD, VORFELD.replace(" (FKOORD (FKONJ:KONJ", "").replace("(VF", "(FKOORD (FKONJ:KONJ (VF")),),
    )
    verdict = judge(tree, construction, inside, "tuebadz")
    assert (verdict.primary, verdict.codes, verdict.flags) == ("E", ("E",), ())
    assert verdict.reason == "first conjunct spans *Die Nachbarin öffnete das Fenster*, gold *öffnete das Fenster*"
    text = (
        MODELS["fcr"]["tuebadz"]
        .replace("(SIMPX (VF", "(SIMPX (SIMPX:KONJ (VF")
        .replace(" (FKOORD (FKONJ:KONJ", "")
        .replace("(FKONJ:KONJ", "(SIMPX:KONJ")
        .replace("Hund))))))", "Hund)))))")
    )
    two = judge(tree, construction, from_notation(text), "tuebadz")
    assert (two.primary, two.flags) == ("E", ("level:SIMPX",))
    # The same bracketing is what TIGER has.
    tree, construction = gold("fcr", "tiger", "fcr")
    assert judge(tree, construction, tree, "tiger").right


def test_reasons_name_the_words() -> None:
    def reason(name: str, scheme: str) -> str:
        mistake = next(one for one in MISTAKES if one.name == name)
        tree, construction = gold(mistake.model, scheme, mistake.phenomenon)
        parse = wrong(mistake.model, scheme, getattr(mistake, scheme))
        return judge(tree, construction, parse, scheme).reason

    for scheme in ("tiger", "tuebadz"):
        assert reason("adjacent noun PP taken as verbal", scheme) == "PP attached to the verb, gold noun *Haus*"
        assert reason("object of conjunct 2 as subject", scheme) == "*Hund* taken as subject of the second conjunct"
        assert reason("clause dissolved", scheme).startswith("no clause of *der* and *hat* alone")
        assert reason("true subject mislabelled", scheme).startswith("*Nachbarin* is not the subject")
    on_subject = "hung on the subject instead of the object"
    assert reason(on_subject, "tiger") == "relative clause attached to *Verein*, gold *Trainer*"
    assert reason(on_subject, "tuebadz") == "relative clause attached to *Verein* (ON-MOD), gold *Trainer* (OA-MOD)"
    assert reason("hung on the nearest noun", "tiger") == "relative clause attached to *Sommer*, gold *Trainer*"
    assert reason("object PP as adjunct", "tiger") == "function MO, gold OP"
    assert reason("article of the PP lost", "tiger") == "PP spans *auf … Bus*, gold *auf den Bus*"


def test_deepened_tiger_has_the_same_sites() -> None:
    tree, construction = gold("pp", "deep", "ppn")
    verbal = wrong(
        "pp",
        "deep",
        one_change("(PP:MNR (APPRART:HD am) (NP:NK (NN:HD See))))", ") (PP:MO (APPRART:HD am) (NP:NK (NN:HD See)))"),
    )
    assert judge(tree, construction, verbal, "tiger").primary == "D"
    tree, construction = gold("pp", "deep", "ppv")
    function = wrong("pp", "deep", one_change("PP:MO", "PP:OP"))
    assert judge(tree, construction, function, "tiger").primary == "B"


def test_a_pp_in_s_for_one_in_vp_is_a_flag_or_an_error_as_decided() -> None:
    tree, construction = gold("pp", "tiger", "ppv")
    text = (
        MODELS["pp"]["tiger"]
        .replace("(VP:OC (NP", "(VP:OC#1 (NP")
        .replace("See))) (PP:MO", "See)))) (PP:MO")
        .replace("Kredit)) (VVPP", "Kredit)) (VP:OC#1 (VVPP")
    )
    parse = from_notation(text)
    assert parse[construction.anchor("preposition")].mother.mother.label == "S"  # type: ignore[union-attr]
    verdict = judge(tree, construction, parse, "tiger")
    assert (verdict.primary, verdict.flags) == ("right", ("vp-level",))
    assert judge(tree, construction, parse, "tiger", decisions=Decisions(full_verb=False)).primary == "D"


def test_a_pp_that_is_not_there_is_of_the_class_that_was_decided() -> None:
    tree, construction = gold("object pp", "tiger", "ppv")
    parse = wrong(
        "object pp",
        "tiger",
        one_change("(PP:OP (APPR:AC auf) (ART:NK den) (NN:NK Bus))", "(APPR:MO auf) (NP:OA (ART:NK den) (NN:NK Bus))"),
    )
    verdict = judge(tree, construction, parse, "tiger")
    assert (verdict.primary, verdict.flags, verdict.reason) == ("C", ("missing",), "no PP of *auf*")
    assert judge(tree, construction, parse, "tiger", decisions=Decisions(missing="D")).primary == "D"


def test_a_pp_around_another_noun_has_a_flag() -> None:
    tree, construction = gold("pp", "tiger", "ppv")
    parse = wrong(
        "pp", "tiger", one_change("(ART:NK einem) (NN:NK Kredit)) (VVPP", "(ART:NK einem)) (NN:OA Kredit) (VVPP")
    )
    verdict = judge(tree, construction, parse, "tiger")
    assert (verdict.primary, verdict.flags) == ("C", ("head",))
    assert judge(tree, construction, parse, "tiger", decisions=Decisions(other_head="A")).primary == "A"


def test_a_relative_clause_may_lose_half_of_its_words_or_as_many_as_was_decided() -> None:
    tree, construction = gold("erc", "tiger", "erc")
    mistake = next(one for one in MISTAKES if one.name == "clause without its object")
    parse = wrong("erc", "tiger", mistake.tiger)
    assert judge(tree, construction, parse, "tiger").primary == "D"
    verdict = judge(tree, construction, parse, "tiger", decisions=Decisions(overlap=0.7))
    assert (verdict.primary, verdict.codes) == ("C", ("C",))
    assert verdict.reason.endswith("they share 67 % of their words")


def test_the_order_of_classes_decides_which_counts() -> None:
    tree, construction = gold("fcr", "tiger", "fcr")
    mistake = next(one for one in MISTAKES if one.name == "object of conjunct 1 as the only subject")
    parse = wrong("fcr", "tiger", mistake.tiger)
    assert judge(tree, construction, parse, "tiger").primary == "B"
    verdict = judge(tree, construction, parse, "tiger", decisions=Decisions(fcr="ACBDE"))
    assert (verdict.primary, verdict.codes) == ("A", ("A", "B"))


def test_a_relative_pronoun_with_another_tag_is_told() -> None:
    tree, construction = gold("erc", "tiger", "erc")
    parse = wrong("erc", "tiger", (("PRELS:SB der", "ART:SB der"), ("S:RC", "S:MO")))
    verdict = judge(tree, construction, parse, "tiger")
    assert (verdict.primary, verdict.flags) == ("A", ("tag:ART",))


def test_labels_of_unlike_conjuncts_are_flags_only() -> None:
    tree, construction = gold("ap+vp", "tiger", "cuc")
    parse = wrong("ap+vp", "tiger", (("CO:PD", "CVP:OC"), ("(ADJD:CJ prächtig)", "(AP:CJ (ADJD:HD prächtig))")))
    verdict = judge(tree, construction, parse, "tiger")
    assert (verdict.primary, verdict.flags) == ("right", ("label", "cat", "gf"))
    tree, construction = gold("ap+vp", "tuebadz", "cuc")
    parse = wrong("ap+vp", "tuebadz", one_change("ADJX:PRED", "ADJX:MOD"))
    for decisions in (Decisions(), Decisions(field_heads=False)):  # spans and heads decide, as in the paper
        by_head = judge(tree, construction, parse, "tuebadz", decisions=decisions)
        assert (by_head.primary, by_head.flags) == ("right", ("gf",))


def test_punctuation_in_a_phrase_is_no_error() -> None:
    text = MODELS["object pp"]["tiger"]
    tree, other = from_notation(f"{text} ($. .)"), text.replace("Bus)", "Bus) ($. .)")
    (construction,) = find(tree, "tiger", ["ppv"])
    assert judge(tree, construction, from_notation(other), "tiger").right


def test_no_parse_is_a_class_of_its_own() -> None:
    tree, construction = gold("erc", "tiger", "erc")
    flat = from_notation(" ".join(f"({tag} {word})" for tag, word in zip(tree.tags, tree.words, strict=True)))
    for parse in (None, flat):
        verdict = judge(tree, construction, parse, "tiger")
        assert (verdict.primary, verdict.codes, verdict.right) == ("noparse", (), False)


def test_a_construction_without_its_anchors_is_undecided() -> None:
    tree, construction = gold("fcr", "tiger", "fcr")
    anchors = tuple((name, -1 if name == "subject" else token) for name, token in construction.anchors)
    verdict = judge(tree, replace(construction, anchors=anchors), tree, "tiger")
    assert (verdict.primary, verdict.reason) == ("n/a", "the construction has no anchor subject")


def test_other_words_are_an_error_with_the_sentence_and_the_token() -> None:
    tree, construction = gold("erc", "tiger", "erc")
    other = from_notation(MODELS["erc"]["tiger"].replace("Trainer", "Trainerin"))
    with pytest.raises(InputError, match=r"sentence s7: .*token 5 is 'Trainerin', gold has 'Trainer'"):
        judge(tree.named("s7"), construction, other, "tiger")
    short = from_notation("(S (ART:SB Der) (NN:HD Verein))")
    with pytest.raises(InputError, match=r"token 3 is the end of the sentence, gold has 'hat'"):
        judge(tree, construction, short, "tiger")


def test_a_tree_without_functions_is_refused_unless_that_was_said() -> None:
    import re

    tree, construction = gold("erc", "tiger", "erc")
    bare = from_notation(re.sub(r":[A-Z]+", "", MODELS["erc"]["tiger"]))
    with pytest.raises(UsageError, match="no functions"):
        judge(tree, construction, bare, "tiger")
    assert judge(tree, construction, bare, "tiger", functions=False).primary == "shown"


def test_unknown_names() -> None:
    tree, construction = gold("erc", "tiger", "erc")
    with pytest.raises(UsageError, match="unknown form of trees 'splitted'"):
        judge(tree, construction, tree, "tiger", form="splitted")
    with pytest.raises(UsageError, match="unknown annotation scheme"):
        judge(tree, construction, tree, "negra")
    with pytest.raises(UsageError, match="unknown decision 'overlapp'"):
        decisions_from({"overlapp": "1"})
    with pytest.raises(UsageError, match="not an order of the classes of erc"):
        Decisions(erc="ABC")
    with pytest.raises(UsageError, match="neither yes nor no"):
        decisions_from({"full_verb": "maybe"})
    assert decisions_from({"overlap": "0.6", "full_verb": "no", "missing": "D"}).changed == {
        "overlap": 0.6, "missing": "D", "full_verb": False,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bundled:de-constructions/tiger/trees.export", "phrase/tiger-pcc/syntax"])
def test_gold_is_right_by_itself_on_real_trees(name: str, file_named: Callable[[str], Path]) -> None:
    from gardenpath.phrase import read

    place = file_named(name)
    trees = read(sorted(place.glob("*.xml"))[:40] if place.is_dir() else place)
    items = [(tree, one) for tree in trees for one in find(tree, "tiger")]
    assert len({one.phenomenon for _, one in items}) == 6
    assert all(judge(tree, one, tree, "tiger").right for tree, one in items)


def test_pieces_are_put_together_before_judging() -> None:
    for model, phenomenon in (("erc", "erc"), ("extraposed pp", "ppn")):
        tree, construction = gold(model, "tiger", phenomenon)
        pieces = split(tree)
        assert judge(tree, construction, pieces, "tiger", "split").right
        assert not judge(tree, construction, pieces, "tiger").right
    tree, construction = gold("farther erc", "tiger", "erc")
    unmarked = from_notation(MODELS["farther erc"]["tiger"].replace("#1", ""))
    assert judge(tree, construction, unmarked, "tiger", "unmarked").right
    assert judge(tree, construction, unmarked, "tiger").primary == "B"


@pytest.mark.parametrize("name", ["pp", "fcr", "sgf", "np+vp"])
def test_raising_changes_nothing_where_there_is_no_gap(name: str) -> None:
    tree = from_notation(MODELS[name]["tiger"])
    for construction in find(tree, "tiger"):
        assert judge(tree, construction, as_raised(tree, "tiger"), "tiger", "raised").right


# ---- the file of error classes: every class has a rule, and a rule holds by its comparisons alone


DECIDED = {"missing": "C", "other_head": "C"}


def compared(**words: bool) -> Comparisons:
    made = Comparisons()
    for name, holds in words.items():
        kind = made.same if name in ("site", "span", "function", "noun", "relative", "conjuncts") else made.there
        kind(name, holds, f"reason of {name}")
    return made


@pytest.mark.parametrize("table", class_titles())
def test_every_class_of_a_table_has_a_rule(table: str) -> None:
    codes = {DECIDED.get(rule.code, rule.code) for rule in _rules(table)}
    assert codes == set(CLASSES[table])
    assert all(set(rule.because) <= {name for name, _ in rule.when} for rule in _rules(table))


@pytest.mark.parametrize(
    ("table", "words", "codes"),
    [
        ("pp", {"site": True, "span": True, "function": True, "noun": True}, ""),
        ("pp", {"site": False, "span": False, "function": False, "noun": True}, "D"),
        ("pp", {"site": True, "span": False, "function": False, "noun": True}, "C"),
        ("pp", {"site": True, "span": False, "function": True, "noun": True}, "A"),
        ("pp", {"phrase": False}, "C"),
        ("erc", {"clause": False, "noun": False}, "C"),
        ("erc", {"clause": True, "relative": False, "noun": False, "span": True}, "AB"),
        ("fcr", {"coordination": True, "subject": True, "second": False, "more": True, "span": False}, "D"),
        ("fcr", {"coordination": True, "subject": False, "second": False, "more": True}, "AB"),
        ("fcr", {"coordination": True, "subject": True, "second": False, "more": False, "span": False}, "E"),
        ("sgf", {"verb": False, "coordination": False}, "E"),
        ("sgf", {"verb": True, "coordination": True, "subject": False, "second": False, "more": True}, "B"),
    ],
)
def test_classes_follow_from_comparisons(table: str, words: dict[str, bool], codes: str) -> None:
    held, _ = held_classes(table, [compared(**words)], DECIDED)
    assert "".join(sorted(held)) == codes


def test_reasons_are_joined_and_what_the_paper_leaves_open_is_decided() -> None:
    wrong = compared(site=True, span=False, function=False, noun=True)
    verdict = Decisions().judged("ppn", wrong)
    assert (verdict.primary, verdict.reason) == ("C", "reason of span; reason of function")
    missing = Decisions(missing="D").judged("ppv", compared(phrase=False), ("x",))
    assert (missing.primary, missing.flags) == ("D", ("x", "missing"))


# ---- A mistake made by rule in both trees of a parallel pair has the same class in both, whatever the sentence


Pair = dict[str, tuple[PhraseTree, Construction]]
CASES = [(phenomenon, *case) for phenomenon, cases in CORRUPTIONS.items() for case in cases]


def model_pairs(phenomenon: str) -> list[Pair]:
    """The constructions of the model trees, in both schemes."""
    pairs = []
    for trees in MODELS.values():
        found = {scheme: from_notation(trees[scheme]) for scheme in ("tiger", "tuebadz")}
        hits = {scheme: find(tree, scheme, [phenomenon]) for scheme, tree in found.items()}
        for one, two in zip(hits["tiger"], hits["tuebadz"], strict=True):
            pairs.append({"tiger": (found["tiger"], one), "tuebadz": (found["tuebadz"], two)})
    return pairs


@pytest.fixture(scope="module", params=["generated", "bundled"])
def pairs(request: pytest.FixtureRequest) -> dict[str, list[Pair]]:
    """Sentences that two programs realised in the two schemes, by phenomenon."""
    if request.param == "generated":
        halves = {suite.scheme: suite for suite in generate(300, seed=11).suites}
    else:
        halves = read_parallel(bundled("de-constructions"))
    found: dict[str, list[Pair]] = {}
    twins = {item.item: item for item in halves["tuebadz"].items}
    for one in halves["tiger"].items:
        two = twins[one.item]
        pair = {"tiger": (one.tree, one.construction), "tuebadz": (two.tree, two.construction)}
        found.setdefault(one.construction.phenomenon, []).append(pair)
    return found


def check(pairs: list[Pair], corrupt: Corruption, code: str) -> int:
    """How many pairs had room for the mistake; each must have the class in both schemes."""
    tried = 0
    for pair in pairs:
        spoiled = {scheme: corrupt(*pair[scheme], scheme) for scheme in pair}
        if None in spoiled.values():
            continue
        tried += 1
        for scheme, (tree, construction) in pair.items():
            parse = spoiled[scheme]
            assert parse is not None
            assert parse.words == tree.words
            verdict = judge(tree, construction, parse, scheme)
            assert verdict.primary == code, (scheme, " ".join(tree.words), verdict)
    return tried


@pytest.mark.parametrize(("phenomenon", "corrupt", "code"), CASES)
def test_model_trees(phenomenon: str, corrupt: Corruption, code: str) -> None:
    assert check(model_pairs(phenomenon), corrupt, code) >= 1


@pytest.mark.parametrize(("phenomenon", "corrupt", "code"), CASES)
def test_parallel_sentences(pairs: dict[str, list[Pair]], phenomenon: str, corrupt: Corruption, code: str) -> None:
    assert check(pairs[phenomenon], corrupt, code) >= 8


def test_gold_is_right_by_itself(pairs: dict[str, list[Pair]]) -> None:
    for found in pairs.values():
        for pair in found:
            for scheme, (tree, construction) in pair.items():
                assert judge(tree, construction, tree, scheme).primary == "right"
