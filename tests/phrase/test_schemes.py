"""The scheme objects: their labels fit together, trees show them, and a further one needs its table and its name."""

from __future__ import annotations

import doctest
import pickle
from dataclasses import replace

import pytest

from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.dependencies import to_dependencies
from gardenpath.phrase.heads import head_token
from gardenpath.phrase.parseval import GERMAN
from gardenpath.phrase.schemes import registry
from gardenpath.phrase.schemes.model import TIGER, TUEBADZ, Categories, Functions, Scheme
from gardenpath.phrase.schemes.registry import SCHEMES, scheme, scheme_of, title_of
from gardenpath.studies.evaluation.brackets import bracket_scores, with_heads
from gardenpath.suites.constructions.finding import find

TREES = {
    "tiger": "(S (NP:SB (ART:NK Die) (NN:NK Uhr)) (VVFIN:HD steht) (PP:MO (APPR:AC auf) (NN:NK Holz)))",
    "tuebadz": "(SIMPX (VF (NX:ON (ART Die) (NN:HD Uhr))) (LK (VXFIN:HD (VVFIN:HD steht))) (MF (PX:V-MOD (APPR auf) "
    "(NX:HD (NN:HD Holz)))))",
    "ptb": "(S (NP:SBJ (DT The) (NN clock)) (VP (VBZ stands) (PP:LOC (IN on) (NP (NN wood)))))",
    "sinica": "(S (NP:theme (DM:quantifier 那座) (Nab:Head 鐘)) (VC1:Head 放在) "
    "(NP:goal (Nab:property 木頭) (Ncda:Head 上)))",
    "ctb": "(IP (NP:SBJ (DP (DT 那)) (NN 鐘)) (VP (VV 放) (PP:LOC (P 在) (LCP (NP (NN 木頭)) (LC 上)))))",
}
KNOWN = tuple(map(scheme, SCHEMES))


def test_the_example_of_the_registry() -> None:
    assert doctest.testmod(registry) == (0, 1)


def test_every_name_is_the_object_of_that_name() -> None:
    assert tuple(known.name for known in KNOWN) == SCHEMES == ("tiger", "tuebadz", "ptb", "sinica", "ctb")
    assert KNOWN[:2] == (TIGER, TUEBADZ)
    assert {known.functions.head.upper() for known in KNOWN} == {"HD", "HEAD"}  # as `marked_head` knows them
    assert {known.name for known in KNOWN if known.categories.hyphenated} == {"tuebadz"}  # as brackets know them
    assert [scheme(name) is scheme(scheme(name)) for name in SCHEMES] == [True] * 5
    titles = ["TIGER", "TüBa-D/Z", "Penn Treebank", "Sinica Treebank", "Chinese Treebank", "negra"]
    assert [title_of(name) for name in (*SCHEMES, "negra")] == titles


@pytest.mark.parametrize(
    ("name", "advice"), [("tigre", "did you mean tiger?"), ("conll", "known: ctb, ptb, sinica, tiger, tuebadz")]
)
def test_an_unknown_name_is_told_with_those_that_are_known(name: str, advice: str) -> None:
    with pytest.raises(UsageError, match=f"unknown annotation scheme '{name}'") as error:
        scheme(name)
    assert error.value.todo == advice


@pytest.mark.parametrize("known", KNOWN, ids=SCHEMES)
def test_the_labels_of_a_scheme_fit_together(known: Scheme) -> None:
    categories, functions, tags = known.categories, known.functions, known.tags
    assert not categories.nominal & categories.modifying
    assert not (categories.nominal | categories.modifying) & (categories.clauses | categories.verbal)
    assert {categories.noun_phrase, categories.prepositional} <= categories.nominal & categories.known_by
    assert categories.relative_clauses <= categories.clauses
    assert categories.clauses & categories.clause_conjuncts & categories.known_by
    assert categories.clause_coordination in categories.known_by
    assert categories.verb_phrases <= categories.verbal
    assert set(categories.kinds.values()) == {"s", "vp", "ap", "pp", "np", "avp"}
    assert {categories.kinds[label] for label in categories.clauses} == {"s"}
    assert categories.kinds[categories.prepositional] == "pp"
    assert functions.head in functions.headlike
    assert (functions.relative_clause is None) == bool(categories.relative_clauses)
    assert not tags.finite & tags.nonfinite
    assert tags.relative_pronouns < tags.relative_words
    assert not tags.punctuation & (tags.finite | tags.nonfinite | tags.prepositions | tags.attachable)


@pytest.mark.parametrize("known", KNOWN, ids=SCHEMES)
def test_head_rules_name_categories_of_the_scheme(known: Scheme) -> None:
    phrases = known.categories.clauses | known.categories.nominal | known.categories.verb_phrases
    assert phrases | {known.categories.clause_coordination} <= set(known.heads.by_category)
    for further in KNOWN:
        if further == known:
            continue
        if TUEBADZ in (known, further):
            assert not known.categories.known_by & further.categories.known_by
            assert not set(known.heads.by_category) & set(further.heads.by_category)
            continue
        # the others share NP, PP, VP and more, but no tag of a verb or preposition: tags tell them apart
        assert {"NP", "PP", "VP"} <= known.categories.known_by & further.categories.known_by
        assert not known.tags.finite & further.tags.finite
        assert not known.tags.prepositions & further.tags.prepositions
        assert not known.tags.attachable & further.tags.attachable - {"NN"}


def test_fields_of_tuebadz() -> None:
    assert TIGER.fields is None
    fields = TUEBADZ.fields
    assert fields is not None
    assert fields.phrase_fields | fields.verb_fields | {"KOORD", "PARORD"} == fields.fields
    assert not fields.phrase_fields & fields.verb_fields
    assert fields.brackets < fields.verb_fields
    assert {fields.initial, fields.middle} < fields.verbless < fields.phrase_fields
    assert fields.all - fields.fields == {fields.coordination, fields.conjunct}
    assert fields.finite_verb in fields.verbs
    assert not fields.at_finite & fields.at_lowest
    assert TUEBADZ.functions.subject in fields.at_finite
    assert TUEBADZ.functions.object in fields.at_lowest


@pytest.mark.parametrize(
    ("function", "target"), [("OA-MOD", "OA"), ("V-MOD", ""), ("MOD-MOD", ""), ("MOD", ""), ("OA", ""), ("", "")]
)
def test_a_modifier_points_at_a_function(function: str, target: str) -> None:
    assert TUEBADZ.functions.target(function) == target
    assert TIGER.functions.target(function) == ""


@pytest.mark.parametrize("name", SCHEMES)
def test_trees_show_their_scheme(name: str) -> None:
    tree = from_notation(TREES[name])
    assert scheme_of([tree, None]) == scheme(name)


def test_tags_tell_where_categories_do_not() -> None:
    german, english = (
        from_notation("(S (NP (NE Anna)) (VVFIN kam))"),
        from_notation("(S (NP (NNP Anna)) (VP (VBD came)))"),
    )
    assert scheme_of([german]) == TIGER
    assert scheme_of([english]) == scheme("ptb")


def test_trees_that_show_no_scheme() -> None:
    assert scheme_of([]) is None
    assert scheme_of([from_notation("(ROOT (X a) (Y b))"), None]) is None
    half = from_notation("(S (XP (NN:HD a)) (VVFIN:HD b))")
    assert scheme_of([half]) is None


@pytest.mark.parametrize("name", SCHEMES)
def test_a_function_takes_a_scheme_or_its_name(name: str) -> None:
    tree = from_notation(TREES[name])
    (top,) = tree.top
    assert head_token(top, name) == head_token(top, scheme(name)) == 2
    assert str(to_dependencies([tree], name)) == str(to_dependencies([tree], scheme(name)))


@pytest.mark.parametrize("known", KNOWN, ids=SCHEMES)
def test_a_scheme_is_a_value(known: Scheme) -> None:
    assert pickle.loads(pickle.dumps(known)) == known  # noqa: S301
    assert len({known, replace(known, title="other")}) == 1


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Scheme:
    """A further scheme: what its author's table would say, and its name in the registry."""
    categories: Categories = replace(
        TIGER.categories, known_by=frozenset({"Satz", "Gruppe"}), clauses=frozenset({"Satz"}), noun_phrase="Gruppe"
    )
    functions: Functions = replace(TIGER.functions, head="Kern", subject="Wer")
    heads = replace(
        TIGER.heads, by_category={}, others=(replace(TIGER.heads.others[0], functions=frozenset({"Kern"})),)
    )
    made = Scheme("toy", "Toy", categories, functions, TIGER.tags, heads)
    loaded = registry._loaded
    monkeypatch.setattr(registry, "_loaded", lambda name: made if name == "toy" else loaded(name))
    monkeypatch.setattr(registry, "SCHEMES", (*SCHEMES, "toy"))
    return made


def toy_tree() -> PhraseTree:
    return from_notation("(Satz (Gruppe:Wer (ART:x Die) (NN:Kern Uhr)) (VVFIN:Kern steht)) ($. .)")


def test_a_further_scheme_needs_only_its_table_and_its_name(toy: Scheme) -> None:
    tree = toy_tree()
    assert scheme_of([tree]) is toy
    assert title_of("toy") == "Toy"
    (sentence,) = to_dependencies([tree], "toy")
    assert [(word.deprel, word.head) for word in sentence.words] == [("x", 2), ("Wer", 3), ("root", 0), ("punct", 3)]
    parse = from_notation("(Satz (Gruppe:Wer (ART:Kern Die) (NN:x Uhr)) (VVFIN:Kern steht)) ($. .)")
    scores = with_heads(bracket_scores([tree], [parse], GERMAN), [tree], [parse], "toy")
    assert scores.heads is not None
    assert scores.heads.tolist() == [[1, 1, 3]]  # of three words the verb has the right head, the others swapped theirs
    with pytest.raises(UsageError, match="did you mean toy"):
        scheme("toi")


def test_constructions_need_rules_of_their_own(toy: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.suites.constructions.finding.KNOWN", (*SCHEMES, "toy"))
    with pytest.raises(UsageError, match="no constructions are known in the annotation scheme 'toy'"):
        find(toy_tree(), "toy")
