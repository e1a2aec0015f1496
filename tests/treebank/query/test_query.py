"""Queries: equal to a slow evaluator on random and real trees; each construct as the documentation of Grew has it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.errors import GardenpathError, UsageError
from gardenpath.treebank import Treebank
from gardenpath.treebank.query import matcher as bindings
from gardenpath.treebank.query.parser import read_request
from gardenpath.treebank.query.search import Matches, search_result
from naive_matcher import naive_matches

PATTERNS = [
    "X []",
    "X [upos=VERB]",
    "X [upos=VERB|NOUN]",
    "X [upos<>VERB]",
    "X [Number]",
    "X [!Number]",
    "X [Number=Sing, upos<>DET]",
    "X [upos=VERB, Number=Plur]|[upos=NOUN]",
    'X [form="a"]',
    'X [form=re"a|b"]',
    "X [form=/A/i]",
    'X [lemma<>re"a.*"]',
    "X [SpaceAfter=No]",
    "X -> Y",
    "X -[nsubj]-> Y",
    "X -[nsubj|obj]-> Y",
    "X -[^nsubj|obj]-> Y",
    'X -[re".*subj.*"]-> Y',
    "X -[1=nsubj]-> Y",
    "X -[1=nsubj, !2]-> Y",
    "X -[1=nsubj, 2=*]-> Y",
    "X -[2<>pass]-> Y",
    "X -[nsubj:pass]-> Y",
    "X -[deep=x]-> Y",
    "* -[root]-> X",
    "* -[nsubj]-> X; X [upos=NOUN]",
    "X [upos=VERB]; X -[obj]-> *",
    "X -> Y; Y -> Z",
    "X -> Y; X -> Z",
    "X -> Y; X -> Z; Y << Z",
    "X -> Y; Y < X",
    "X [upos=VERB]; Y [upos=NOUN]",
    "X [upos=VERB]; Y [upos=NOUN]; X << Y",
    "X []; Y []; X < Y",
    "X []; Y []; Y > X",
    "X -> Y; X.lemma = Y.lemma",
    "X -> Y; X.Number = Y.Number",
    "X -> Y; X.Number <> Y.Number",
    'X -> Y; Y.form = "b"',
    "X -> Y; Y.Number <> Sing",
    "e: X -> Y; f: Y -> Z; e.label = f.label",
    "e: X -> Y; f: X -> Z; e.1 <> f.1",
    "e: X -> Y; e.label = nsubj",
    "e: X -> Y; f: Z -> W; e >< f",
    "e: X -> Y; f: Z -> W; e << f",
    "e: X -> Y; f: Y -> Z; e <> f",
    "e: X -> Y; Z []; Z << e",
    "X -> Y; X -> Z; Y.__id__ < Z.__id__",
    "X []; Y []; X.__id__ >= Y.__id__",
    "X [__id__=2]",
    "X -> Y; Y.__id__ > 1",
    "X.Rank < 2; X []",
    "X -> Y; X.Rank >= Y.Rank",
    "e: X -> Y; e.length > 1",
    "e: X -> Y; f: X -> Z; e.delta < f.delta",
    "X -[1=nsubj, !enhanced]-> Y",
    "X -> Y; length(X,Y) > 2",
    "X -> Y; delta(X,Y) = -1",
    "X -> Y; delta(X, Y) <= 1; length(X,Y) <> 2",
    "X ->> Y",
    "X [upos=VERB]; Y [upos=NOUN]; X ->> Y; Y << X",
    "X ->> Y; Y -> Z",
    "X ->> Y; X -[nsubj]-> Y",
    "X $ Y",
    "X [upos=VERB]; X $ Y; Y << X",
    "X -> Y; X ->> Z; Y $ Z",
    "pattern { X [upos=VERB] } without { X ->> Y; Y [upos=NOUN] }",
    "pattern { X [upos=NOUN] } with { Y $ X; Y [upos=NOUN] }",
    "X -> Y$",
    "X -> Y; X -> Z$",
    "X$ [upos=VERB]; Y$ [upos=VERB]; X$.form = Y$.form",
    "pattern { X -> Y } without { X -> Z$; Z$ [upos=NOUN] }",
    "pattern { X -> Y } without { Y -> Z }",
    "pattern { X -> Y } with { Y -> Z }",
    "pattern { X [upos=VERB] } without { X -[nsubj]-> S } without { X -[obj]-> O }",
    "pattern { X [upos=VERB] } without { X -[nsubj]-> S; S << X }",
    "pattern { e: X -> Y } without { f: X -> Z; e.label = f.label }",
    "pattern { X -> Y } without { X [upos=VERB] }",
    "pattern { X -> Y } without { Z []; X << Z; Z << Y }",
    "pattern { X [upos=NOUN] } without { * -[nsubj]-> X }",
    "pattern { X [] } pattern { X -> Y }",
    "pattern { X -> Y } global { is_projective }",
    "pattern { X -> Y } global { is_not_projective; is_tree }",
    "pattern { X [] } global { is_cyclic }",
    "pattern { X [] } global { is_forest; is_not_tree }",
    'pattern { X [] } global { sent_id = "s1" | "s2" }',
    'pattern { X [] } global { text = re"a.*" }',
    "pattern { X [] } global { genre <> news }",
]
WORD = st.tuples(
    st.sampled_from(["a", "b", "A", "ab"]), st.sampled_from(["a", "b", "_"]), st.sampled_from(["VERB", "NOUN", "DET"]),
    st.sampled_from(["_", "Number=Sing", "Number=Plur", "Case=Acc|Number=Sing"]), st.integers(-1, 5),
    st.sampled_from(["nsubj", "nsubj:pass", "obj", "det", "root", "comp:obl@x"]),
    st.sampled_from(["_", "SpaceAfter=No", "Number=Dual", "Rank=1", "Rank=2.5", "Rank=-3", "Rank=high"]),
)  # fmt: skip


@st.composite
def treebanks(draw: st.DrawFn) -> Treebank:
    """Sentences of up to five words with any heads: trees, forests, cycles, words without a head."""
    lines: list[str] = []
    for number in range(draw(st.integers(1, 3))):
        words = draw(st.lists(WORD, min_size=1, max_size=5))
        lines += [f"# sent_id = s{number}", f"# text = {draw(st.sampled_from(['a b', 'c']))}"]
        lines += ["# genre = news"] if draw(st.booleans()) else []
        for place, (form, lemma, upos, feats, head, label, misc) in enumerate(words, 1):
            shown = "_" if head < 0 or head == place or head > len(words) else str(head)
            lines.append("\t".join([str(place), form, lemma, upos, "_", feats, shown, label, "_", misc]))
        lines.append("")
    return Treebank(("\n".join(lines) + "\n").encode())


def as_found(pattern: str, treebank: Treebank) -> list[tuple[int, ...]]:
    matches = Matches(read_request(pattern), treebank.query_words)
    return [tuple(node.ord for node in nodes.values()) for nodes in matches]


def by_hand(pattern: str, treebank: Treebank) -> list[tuple[int, ...]]:
    request = read_request(pattern)
    places = []
    for sentence in treebank:
        matches = [tuple(match[name].ord for name in request.nodes) for match in naive_matches(request, sentence)]
        places += sorted(matches)
    return places


@settings(max_examples=50, deadline=None)
@given(treebank=treebanks())
def test_matches_are_those_of_the_slow_way(treebank: Treebank) -> None:
    for pattern in PATTERNS:
        assert as_found(pattern, treebank) == by_hand(pattern, treebank), pattern


@pytest.mark.parametrize(
    "pattern",
    [
        "V [upos=VERB]; V -[nsubj]-> S; V -[obj]-> O; O << V",
        "pattern { V -[1=nsubj]-> S; V.Number <> S.Number }",
        "pattern { N [upos=NOUN]; e: N -[acl:relcl]-> V } without { V -[nsubj]-> S; S.PronType = Rel }",
        "e: X -> Y; f: Z -> W; e >< f",
        "pattern { V [upos=VERB] } without { V -[nsubj|nsubj:pass]-> S }",
        "N [upos=NOUN]; V [upos=VERB]; N ->> V",
        "A $ B; A.upos = B.upos; A << B",
    ],
)
def test_real_trees_too(pattern: str) -> None:
    treebank = gp.read("bundled:de-test")[:40]
    short = treebank[treebank.lengths < 10]
    assert as_found(pattern, short) == by_hand(pattern, short)
    assert len(as_found(pattern, treebank)) >= len(by_hand(pattern, short))


@pytest.fixture(scope="module")
def german() -> Treebank:
    return gp.read("bundled:de-test")


def test_words_values_and_counts(german: Treebank) -> None:
    matches = german.search("pattern { e: V -[1=nsubj]-> S; V [upos=VERB] } without { V -[aux]-> A }")
    labels = german.column("deprel")
    expected = [
        (sentence.number, word.ord)
        for sentence in german
        for word in sentence.words
        if word.deprel.split(":")[0] == "nsubj"
        and sentence.words[(word.head or 1) - 1].upos == "VERB"
        and not any(child.deprel == "aux" for child in sentence.words[(word.head or 1) - 1].children)
    ]
    own = sorted((int(sentence), nodes["S"].ord) for sentence, nodes in zip(matches.sentence_of, matches, strict=True))
    assert own == expected
    assert matches.values("e.label") == [labels[word] for word in matches.words("e")]
    assert matches.dependants.tolist() == sorted(matches.words("S").tolist())
    assert sum(matches.counts("S.upos", "V.Tense").values()) == len(matches)
    assert matches.sentences.tolist() == sorted({sentence for sentence, _ in expected})
    lengths = [abs(nodes["S"].ord - nodes["V"].ord) for nodes in matches]
    assert matches.values("e.length") == [str(length) for length in lengths]
    assert matches.values("S.Nothing") == [None] * len(matches)


@pytest.mark.parametrize(
    ("request_text", "what", "place"),
    [
        ("pattern { V [upos=VERB; }", ", is missing before ';'", 23),
        ("X -[nsubj> Y", "]-> is missing before '>'", 10),
        ("X -[nsubj]-> ", "the node where the edge ends is missing at the end", 14),
        ("V []; Z << V", "nothing is called 'Z': there are V", 7),
        ("e: * -> Z; Z << e", "'e' ends in *", 14),
        ("e: X -> Y; f: Z -> *; e >< f", "'f' ends in *", 25),
        ('X [form=re"("]', "not a regular expression", 9),
        ("patern { X [] }", "'patern' opens no block", 1),
        ("", "no node is looked for", 1),
        ("X << Y", "no node is looked for", 1),
        ("X [] Y []", "; or the end is missing before 'Y'", 6),
        ("X ?", "'?' is not known here", 3),
        ("* -> *", "an edge from * to * says nothing", 7),
        ("X -[3=a]-> Y", "'3' is not a part of a label", 5),
        ("X []; length(X,X) > a", "'a' is not a number", 21),
        ("X [upos<>*]", "<> * holds of nothing", 11),
        ("pattern { X [] } global { is_green }", "'is_green' is not a condition", 27),
        ("e: X -> Y; e: X -> Z", "'e' is the name of two edges", 1),
        ("X: X -> Y", "'X' is the name of a node and of an edge", 1),
        ("X.lemma", "=, <> or a comparison such as < is missing", 8),
        ("X.lemma < ", "a number, or a feature such as Y.__id__, is missing at the end", 11),
        ("X.Rank < 1.a", "'1.a' is not a number", 10),
        ("X [lemma=lex.lemma]", "lexicons are not supported: write the values themselves", 10),
        ("X [lemma=be|lex.lemma]", "lexicons are not supported", 13),
        ("X.lemma = lex.lemma; X []", "lexicons are not supported", 11),
        ("X -[E:nsubj]-> Y", "enhanced edges (DEPS) are not searched: ask for the basic edge", 5),
        ("X -[nsubj|E:nsubj]-> Y", "enhanced edges (DEPS) are not searched", 5),
        ("X -[1=nsubj, enhanced=yes]-> Y", "enhanced edges (DEPS) are not searched", 14),
        ("X ->> X", "these are one node", 3),
        ("X [] ; X $", "a node is missing at the end", 11),
    ],
)
def test_errors_point_at_the_character(request_text: str, what: str, place: int) -> None:
    with pytest.raises(UsageError) as error:
        read_request(request_text)
    assert what in error.value.what
    assert error.value.where == f"character {place}"
    assert error.value.todo.splitlines()[1].index("^") == 2 + place - 1


def test_an_error_in_a_long_request_names_the_line() -> None:
    with pytest.raises(UsageError, match="line 2, character 1: lexicons are not supported"):
        read_request("X []\n#BEGIN lex")
    with pytest.raises(UsageError, match=r"line 3, character 5") as error:
        read_request("pattern {\n  X -> Y;\n  X ~ Y\n}")
    assert "X ~ Y" in error.value.todo


@given(st.text(alphabet='XYe: []{}()-><=|!^*.;,$"/re\\ab12%\n', max_size=40))
def test_any_text_is_a_request_or_a_clear_error(text: str) -> None:
    try:
        request = read_request(text)
    except GardenpathError as error:
        assert error.where.startswith(("character ", "line "))  # noqa: PT017
    else:
        assert request.nodes


def test_a_pattern_without_end_is_refused_before_memory_is(german: Treebank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "MOST", 1000)
    with pytest.raises(UsageError, match="more than 1,000 partial matches"):
        german.search("A []; B []; C []")


@pytest.mark.parametrize(
    ("key", "message"),
    [("V", "names no feature"), ("W.upos", "unknown node or edge 'W'"), ("e.upos", "an edge has no 'upos'")],
)
def test_keys_that_mean_nothing(german: Treebank, key: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        german.search("e: V -> S").values(key)


@pytest.mark.parametrize(
    ("pattern", "what", "place"),
    [
        ("X [uppos=VERB]", "unknown feature 'uppos': did you mean upos?", 4),
        ("X [Kase=Acc]", "unknown feature 'Kase': did you mean Case?", 4),
        ("X []; X.lema = foo", "unknown feature 'lema': did you mean lemma?", 9),
        ("X -> Y; X.colour = Y.colour", "unknown feature 'colour': there are form, lemma, upos, xpos", 11),
        ("X [wordform=the]", "words have no 'wordform': Grew computes it: write form", 4),
        ("X [!textform]", "words have no 'textform'", 5),
        ("X [deprel=nsubj]", "write Y -[label]-> X", 4),
        ("X [upos=VREB]", "unknown upos 'VREB'", 4),
        ("X -[nsubject]-> Y", "unknown edge label 'nsubject'", 5),
        ("X -[^nsubject]-> Y", "unknown edge label 'nsubject'", 5),
        ("X -[1=nsubject]-> Y", "unknown edge label part 'nsubject'", 5),
        ("pattern { X [] } without { X [Kase] }", "unknown feature 'Kase'", 31),
        ("X.upos < Y.upos; X -> Y", "< compares numbers, and no upos is one", 3),
    ],
)
def test_a_name_that_no_treebank_can_have_is_an_error(german: Treebank, pattern: str, what: str, place: int) -> None:
    with pytest.raises(UsageError) as error:
        german.search(pattern)
    assert what in error.value.what
    assert error.value.where == f"character {place}"
    with pytest.raises(UsageError):
        gp.evaluate(german, "baseline:nearest-head", gold=["tags"], by=[pattern])


@pytest.mark.parametrize(
    ("pattern", "note"),
    [
        ("X [Animacy=Anim]", "no word of de_garden-test.conllu has Animacy: it is not annotated there"),
        ("X [NameType]", "no word of de_garden-test.conllu has NameType"),
        ("X -> Y; X.Foreign = Y.Foreign", "no word of de_garden-test.conllu has Foreign"),
        ("X -[clf]-> Y", "no edge of de_garden-test.conllu has the label clf"),
        ("X -[nsubj|nsubject]-> Y", "has the label nsubject; did you mean nsubj"),
        ("X [Case=Akk]", "no word of de_garden-test.conllu has Case=Akk"),
        ("X [upos=SYM]", "no word of de_garden-test.conllu has upos=SYM"),
        ("pattern { X [] } global { gender = news }", "has a comment 'gender'"),
    ],
)
def test_a_valid_name_that_a_treebank_lacks_is_noted(german: Treebank, pattern: str, note: str) -> None:
    matches = german.search(pattern)
    assert note in " ".join(matches.notes)
    result = search_result(matches)
    assert note in result.tables[0].note
    assert result.details["notes"] == matches.notes


def test_names_that_are_there_are_not_noted(german: Treebank) -> None:
    for pattern in ("X [Case=Acc]; Y -[nsubj]-> X", "X [SpaceAfter=No]", "X -[1=obl, !enhanced]-> Y", "X [lemma<>be]"):
        names = [note for note in german.search(pattern).notes if "lemma" not in note]
        assert not names, pattern


def test_a_key_of_groups_is_checked_too(german: Treebank) -> None:
    matches = german.search("X [upos=VERB]")
    with pytest.raises(UsageError, match="did you mean Case"):
        search_result(matches, by=["X.Kase"])
    assert "no word of de_garden-test.conllu has Animacy" in search_result(matches, by=["X.Animacy"]).tables[0].note


def test_layered_features_are_written_as_in_grew() -> None:
    row = "1\ta\ta\tNOUN\t_\tNumber[psor]=Plur\t0\troot\t_\t_\n\n"
    assert len(Treebank(row.encode()).search("X [Number__psor=Plur]")) == 1
