"""Queries over phrase trees: equal to a slow evaluator on random and real trees; features, marks and refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from random_trees import trees

import gardenpath as gp
from gardenpath.boundary import patterns
from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree, from_notation, read
from gardenpath.phrase.query import search
from gardenpath.treebank.query.parser import read_request
from gardenpath.treebank.query.search import search_result
from naive_matcher import naive_phrase_matches

PATTERNS = [
    "X []",
    "X [cat=NP]",
    "X [pos=NN]",
    "X [label=NN|NP]",
    'X [label=re"V.*"]',
    "X [cat<>NP]",
    "X [!cat]",
    'X [form="w1"|"w2"]',
    "X [lemma]",
    "X [function=SB]",
    "X [!function]",
    "X [gap]",
    "X [cat=VP, !gap]",
    "X [gap=1]",
    "X [arity=2]",
    "X [tokens=3, cat]",
    "X -> Y",
    "X -[SB]-> Y",
    "X -[^SB|HD]-> Y",
    'X -[re"S.|H."]-> Y',
    "* -[SB]-> X",
    "* -> X; X [cat=S]",
    "X [cat=S]; X -[HD]-> *",
    "X ->> Y",
    "X [cat=S]; X ->> Y; Y [pos=NN]",
    "X ->> Y; X.start = Y.start",
    "X ->> Y; Y ->> Z; X.cat = Y.cat",
    "X -> Y; Y ->> Z; Z [pos=VVFIN]",
    "X $ Y",
    "X [pos=NN]; X $ Y; X << Y",
    "X -[SB]-> Y; Y $ Z; Z [function=HD]",
    "X [cat=NP]; Y [cat=NP]; X << Y",
    "X [cat]; Y [cat]; X < Y",
    "X [cat]; Y [pos]; Y > X",
    "X -> Y; delta(X,Y) = 0",
    "X [cat]; Y [cat]; length(X,Y) >= 2",
    "e: X -> Y; f: X -> Z; e.label = f.label",
    "e: X -> Y; e.label <> SB",
    "e: X -> Y; e.length = 1",
    "X.function = Y.function; X [cat]; Y [cat]",
    "X.gap = 1; X [cat]",
    "X -> Y; X -> Z; Y.__id__ < Z.__id__",
    "X -> Y; X.tokens > 2; Y.arity <= 1",
    "X [cat]; Y [cat]; X.start < Y.start; X.gap >= Y.gap",
    "pattern { X [cat=S] } without { X ->> Y; Y [cat=NP] }",
    "pattern { X [cat=S] } with { X -[SB]-> Y; Y [gap] }",
    "pattern { X ->> Y; X [gap]; Y [gap] } without { X -> Y }",
    "pattern { X [cat] } without { Y $ X; Y << X }",
    "pattern { X -> Y } global { is_projective }",
    "pattern { X [cat] } global { is_not_projective; is_tree }",
    "pattern { X [cat] } global { is_forest; is_not_cyclic }",
    'pattern { X [] } global { sent_id = "1" }',
]
BY_SCHEME_AND_SECOND_EDGES = [
    "X ~> Y",
    "X ~[SB]~> Y",
    "X [cat=S]; X ~[^SB]~> Y; X ->> Y",
    "X ~> *",
    "* ~[OA]~> X; X [cat]",
    "Y = head(X)",
    "X [cat=S]; Y = head(X); Y [pos=VVFIN]",
    "X -[SB]-> Y; Z = noun(Y)",
    "X [cat]; V = verb(X); X -> V",
    "V = verb(X); X = clause(Y); Y [pos=NN]",
    "X [cat=S]; !verb(X)",
    "X ->> Y; X = clause(Y)",
    "X [kind=np]; X [cat]",
    "X [order]; X -> Y; Y [kind=np]",
    "X [cat=NP, kind]|[!kind]; X -> Y",
    "X -> Y; X.kind = Y.kind",
    "X [preverbal=1]; Y = subject(X)",
    "X -> A; X -> C$; C$ [pos]",
    "pattern { X [cat=S]; Y = head(X) } without { X -> Z; Z << Y }",
    "pattern { X [cat]; Y = head(X) } without { Z [pos=NN]; Z = head(X) }",
    "pattern { X [cat] } without { X -> Y; !verb(Y) }",
    "pattern { X -> Y } with { X -> Z$; Z$ [cat] }",
    "pattern { X [cat] } without { X ~> Y }",
]


def as_found(pattern: str, chosen: list[PhraseTree]) -> list[tuple[int, tuple[int, ...]]]:
    matches = search(chosen, pattern, scheme="tiger")
    places = [tuple(node.number for node in nodes.values()) for nodes in matches]
    return list(zip(matches.sentence_of.tolist(), places, strict=True))


def by_hand(pattern: str, chosen: list[PhraseTree]) -> list[tuple[int, tuple[int, ...]]]:
    request = read_request(pattern)
    places = []
    for number, tree in enumerate(chosen):
        matches = naive_phrase_matches(request, tree)
        places += sorted((number, tuple(match[name].number for name in request.nodes)) for match in matches)
    return places


@settings(max_examples=30, deadline=None)
@given(first=trees(edges=False), second=trees(edges=False))
def test_matches_are_those_of_the_slow_way(first: PhraseTree, second: PhraseTree) -> None:
    for pattern in PATTERNS:
        assert as_found(pattern, [first, second]) == by_hand(pattern, [first, second]), pattern


@settings(max_examples=20, deadline=None)
@given(tree=trees())
def test_so_are_those_of_functions_and_secondary_edges(tree: PhraseTree) -> None:
    for pattern in BY_SCHEME_AND_SECOND_EDGES:
        assert as_found(pattern, [tree]) == by_hand(pattern, [tree]), pattern


REAL = [
    "S [cat=S]; S -[SB]-> X; S -[OA]-> Y; Y << X",
    "X [cat=NP, gap]",
    "pattern { S [cat=S]; S ->> V; V [cat=VP] } without { V -> Z; Z [pos=VVPP] }",
    "A [cat=PP]; B [cat=NP]; A $ B",
    'X [pos=re"N."]; * -[NK]-> X; X $ Y; Y [pos=ART]; Y.end = X.start',
]


@pytest.fixture(scope="module", params=["bundled:de-constructions/tiger", "phrase/tiger-squoia/AHK_SQUOIA_DE.xml"])
def real(request: pytest.FixtureRequest, file_named: Callable[[str], Path]) -> list[PhraseTree]:
    return [tree for tree in read(file_named(request.param)) if len(tree.mothers) <= 18][:25]


@pytest.mark.parametrize("pattern", REAL)
def test_real_trees_too(pattern: str, real: list[PhraseTree]) -> None:
    assert as_found(pattern, real) == by_hand(pattern, real)


EXTRAPOSED = "(S (NP:SB#1 (ART:NK der) (NN:NK Hund)) (VVFIN:HD bellt) (NP:SB#1 (S:RC (PRELS:SB der) (VVFIN:HD lebt))))"


def test_a_match_has_nodes_values_and_a_marked_sentence() -> None:
    tree = from_notation(EXTRAPOSED, "s1")
    matches = gp.search([tree], "e: S -[SB]-> N; N [gap]; N ->> R; R [cat=S]; S -> V; V [pos=VVFIN]")
    assert [nodes["N"].words for nodes in matches] == [("der", "Hund", "der", "lebt")]
    assert matches.counts("e.label", "N.gap", "R.function", "V.form") == {("SB", "1", "RC", "bellt"): 1}
    name, text, nodes = matches.nodes.shown(0, matches[0])
    assert (name, text) == ("s1", "[S [N der Hund] «bellt» [N [R der lebt]]]")
    assert nodes == {
        "S": "S der Hund bellt der lebt",
        "N": "NP der Hund der lebt",
        "R": "S der lebt",
        "V": "VVFIN bellt",
    }


@pytest.mark.parametrize(
    ("pattern", "message", "place"),
    [
        ("X [upos=VERB]", "phrase trees have no 'upos': there are form, lemma, pos", 4),
        ("pattern { X [cat=S] } without { X -> Y; Y [!Case] }", "have no 'Case'", 45),
        ("X -> Y; X.lemma = Y.deprel", "have no 'deprel'", 21),
        ("e: X -> Y; f: X -> Z; e >< f", "for the edges of dependency trees", 25),
        ("e: X -> Y; e.cat = S", "an edge has no 'cat'", 14),
        ("X [cat=S]; Y = father(X)", r"phrase trees have no 'father\(…\)': there are head\(…\), noun\(…\)", 16),
        ("X [cat=S]; X = head(X)", r"head\(X\) is called X itself", 16),
        ("X [cat=S]; !head(Y)", "nothing is called 'Y'", 18),
        ("e: X ~> Y", "a secondary edge has no name", 6),
    ],
)
def test_what_phrase_trees_cannot_be_asked_is_refused_where_it_stands(pattern: str, message: str, place: int) -> None:
    with pytest.raises(UsageError, match=message) as error:
        search([from_notation(EXTRAPOSED)], pattern)
    assert error.value.where == f"character {place}"
    assert error.value.todo.splitlines()[1].index("^") == 2 + place - 1


def test_what_depends_on_the_scheme_needs_one() -> None:
    tree = from_notation("(XX (YY a) (YY b))")
    with pytest.raises(UsageError, match=r"head\(…\) depends on the annotation scheme"):
        search([tree], "X [cat=XX]; Y = head(X)")
    matches = search([tree], "X [cat=XX]; Y = head(X)", scheme="tiger")
    assert matches[0]["Y"].word == "a"
    assert "|scheme:tiger|" in str(search_result(matches).signature)
    assert "scheme:" not in str(search_result(search([tree], "X [cat=XX]")).signature)
    with pytest.raises(UsageError, match="kind depends on the annotation scheme"):
        search([tree], "X [cat=XX]").counts("X.kind")
    with pytest.raises(UsageError, match="secondary edges are for phrase trees"):
        gp.search("bundled:de-test", "X ~> Y")
    with pytest.raises(UsageError, match=r"head\(…\) is for phrase trees"):
        gp.search("bundled:de-test", "Y = head(X)")
    with pytest.raises(UsageError, match="a scheme is for phrase trees"):
        gp.search("bundled:de-test", "X []", scheme="tiger")


def test_further_blocks_are_asked_of_matches_that_are_there() -> None:
    matches = search([from_notation(EXTRAPOSED)], "X [cat]", scheme="tiger")
    assert matches.having("with { X -> Y; Y [cat] }").tolist() == [
        any(not child.is_token for child in nodes["X"].children) for nodes in matches
    ]
    assert matches.having("without { V = verb(X) }").tolist() == [nodes["X"].label == "NP" for nodes in matches]


def test_a_regular_expression_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    tree = from_notation(f"(S (NN {'a' * 60}))")
    with pytest.raises(UsageError, match="takes more than"):
        search([tree], 'X [form=re"(a|a)*b"]')


def test_no_trees_have_no_matches() -> None:
    assert len(search([], "X [cat=S]; X ->> Y")) == 0
