"""The error classes in dependency trees: wrong arcs made by hand and by rule, gold against gold, and one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from construction_suites import suite
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.data.catalogue import bundled
from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree
from gardenpath.phrase.dependencies import Arcs, arcs_of, from_arcs, from_sentence, to_treebank
from gardenpath.phrase.edits.grammar import without_functions
from gardenpath.phrase.tree import ROOT
from gardenpath.runs.result.result import Result
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.error_classes import ConstructionVerdict, decisions_from
from gardenpath.studies.constructions.judging import judge
from gardenpath.studies.constructions.study import CONSTRUCTIONS
from gardenpath.studies.engine.study import run
from gardenpath.suites.constructions.finding import find
from gardenpath.suites.constructions.model import Construction
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.validate.report import validate_bytes

HALVES = read_parallel(bundled("de-constructions"))
ITEMS = HALVES["ud"].items


class Spoiled:
    """A tree whose arcs can be changed."""

    def __init__(self, tree: PhraseTree) -> None:
        self.tree, self.arcs = tree, Arcs(tree)
        governors, labels = arcs_of(tree)
        self.governors, self.labels, self.tags = list(governors), list(labels), list(tree.tags)

    def hang(self, word: int, governor: int, label: str = "") -> PhraseTree:
        self.governors[word] = governor
        self.labels[word] = label or self.labels[word]
        return self.grown()

    def label(self, word: int, label: str) -> PhraseTree:
        return self.hang(word, self.governors[word], label)

    def grown(self) -> PhraseTree:
        return from_arcs(self.tree.words, self.tags, self.governors, self.labels, morphs=self.tree.morphs)

    @property
    def root(self) -> int:
        return self.governors.index(ROOT)


Mistake = Callable[[Spoiled, Construction], PhraseTree | None]


def at_the_verb(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.hang(construction.anchor("noun"), spoiled.arcs.governors[construction.anchor("governor")], "obl")


def at_the_noun_before(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.hang(construction.anchor("noun"), construction.anchor("preposition") - 1, "nmod")


def other_label(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(construction.anchor("noun"), "appos" if construction.phenomenon == "ppn" else "advmod")


def word_lost(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    """A determiner or adjective of the PP hangs at what governs it."""
    inside = spoiled.arcs.dependants(construction.anchor("noun"), "det", "amod")
    return spoiled.hang(inside[0], construction.anchor("governor")) if inside else None


def word_lost_and_other_label(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return other_label(spoiled, construction) if word_lost(spoiled, construction) is not None else None


def no_preposition(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(construction.anchor("preposition"), "advmod")


def clause(spoiled: Spoiled, construction: Construction) -> int:
    return spoiled.arcs.clause_of(construction.anchor("verb"))


def as_complement(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(clause(spoiled, construction), "ccomp")


def as_adverbial(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    """Both A and B hold: the order decides for A."""
    return spoiled.hang(clause(spoiled, construction), spoiled.root, "advcl")


def at_another_noun(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    nouns = [word for word in range(construction.anchor("noun")) if spoiled.tags[word] == "NOUN"]
    return spoiled.hang(clause(spoiled, construction), nouns[0]) if nouns else None


def at_the_clause(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.hang(clause(spoiled, construction), spoiled.root)


def dissolved(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.hang(construction.anchor("relative"), spoiled.root, "obj")


def clause_word_lost(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    head = clause(spoiled, construction)
    others = [
        word for word in spoiled.arcs.dependants(head, "obj", "obl", "nsubj") if word != construction.anchor("relative")
    ]
    small = [word for word in others if spoiled.arcs.below[word].bit_count() <= 2]
    return spoiled.hang(small[0], spoiled.root, "obl") if small else None


def heads(spoiled: Spoiled, construction: Construction) -> tuple[int, int]:
    first, second = (spoiled.arcs.clause_of(construction.anchor(name)) for name in ("verb1", "verb2"))
    return first, second


def object_as_subject(place: int) -> Mistake:
    """The object of the first or second conjunct is called its subject."""

    def mistake(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
        objects = spoiled.arcs.dependants(heads(spoiled, construction)[place], "obj")
        return spoiled.label(objects[0], "nsubj") if objects else None

    return mistake


def subject_lost(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(construction.anchor("subject"), "obj")


def juxtaposed(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(heads(spoiled, construction)[1], "parataxis")


def verb_as_noun(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    spoiled.tags[construction.anchor("verb2")] = "NOUN"
    return spoiled.grown()


def verb_as_modifier(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(heads(spoiled, construction)[1], "amod")


def unjoined(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    return spoiled.label(construction.anchor("conjunct2"), "dep")


def conjunct_word_lost(spoiled: Spoiled, construction: Construction) -> PhraseTree | None:
    inside = [
        word for word in spoiled.arcs.dependants(construction.anchor("conjunct2")) if spoiled.arcs.label(word) != "cc"
    ]
    inside = [word for word in inside if spoiled.tags[word] != "PUNCT"]
    return spoiled.hang(inside[0], construction.anchor("conjunct1")) if inside else None


CASES: list[tuple[str, Mistake, str]] = [
    ("ppn", at_the_verb, "D"), ("ppn", other_label, "B"), ("ppn", word_lost, "A"),
    ("ppn", word_lost_and_other_label, "C"), ("ppn", no_preposition, "C"),
    ("ppv", at_the_noun_before, "D"), ("ppv", other_label, "B"), ("ppv", word_lost, "A"),
    ("ppv", word_lost_and_other_label, "C"), ("ppv", no_preposition, "C"),
    ("erc", as_complement, "A"), ("erc", as_adverbial, "A"), ("erc", at_another_noun, "B"), ("erc", at_the_clause, "B"),
    ("erc", dissolved, "C"), ("erc", clause_word_lost, "D"),
    ("fcr", object_as_subject(1), "A"), ("fcr", subject_lost, "B"), ("fcr", juxtaposed, "C"),
    ("fcr", object_as_subject(0), "D"), ("fcr", verb_as_noun, "C"),
    ("sgf", object_as_subject(1), "A"), ("sgf", subject_lost, "B"), ("sgf", juxtaposed, "C"),
    ("sgf", object_as_subject(0), "D"), ("sgf", verb_as_noun, "E"), ("sgf", verb_as_modifier, "E"),
    ("cuc", unjoined, "wrong"), ("cuc", conjunct_word_lost, "wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("phenomenon", "mistake", "code"), CASES)
def test_a_mistake_has_its_class_in_every_sentence(phenomenon: str, mistake: Mistake, code: str) -> None:
    tried = 0
    for item in ITEMS:
        if item.construction.phenomenon == phenomenon:
            parse = mistake(Spoiled(item.tree), item.construction)
            if parse is not None:
                tried += 1
                verdict = judge(item.tree, item.construction, parse, "ud")
                assert verdict.primary == code, (" ".join(item.tree.words), verdict)
                assert verdict.reason
    assert tried >= 5


def test_gold_is_right_by_itself_in_every_form() -> None:
    for item in ITEMS:
        for form in ("discontinuous", "raised", "unmarked"):
            assert judge(item.tree, item.construction, item.tree, "ud", form) == ConstructionVerdict((), "right")
        assert judge(item.tree, item.construction, None, "ud").primary == "noparse"


def conllu(text: str) -> PhraseTree:
    """`word/TAG/head/label` for each word."""
    words, tags, governors, labels = zip(*(part.split("/") for part in text.split()), strict=True)
    return from_arcs(words, tags, [int(governor) - 1 for governor in governors], labels)


def test_a_pp_at_the_auxiliary_belongs_to_the_verb_it_helps() -> None:
    clause = "Er/PRON/6/nsubj hat/AUX/6/aux das/DET/4/det Haus/NOUN/6/obj gestern/ADV/6/advmod verkauft/VERB/0/root"
    gold = conllu(f"{clause} nach/ADP/8/case Streit/NOUN/6/obl")
    construction = Construction("ppv", "", gold.mothers[7], (("preposition", 6), ("noun", 7), ("governor", 5)))
    spoiled = Spoiled(gold)
    at_auxiliary = spoiled.hang(7, 1)
    assert judge(gold, construction, at_auxiliary, "ud").primary == "right"
    assert judge(gold, construction, at_auxiliary, "ud", decisions=decisions_from({"full_verb": "no"})).primary == "D"
    assert judge(gold, construction, Spoiled(gold).hang(7, 3), "ud").reason == "PP attached to *Haus*, gold *verkauft*"
    assert judge(gold, construction, Spoiled(gold).hang(6, ROOT, "root"), "ud").flags == ("missing",)


def test_coordinated_clauses_need_no_direct_arc() -> None:
    """Each conjunct may hang at the one before it."""
    gold = conllu("Er/PRON/2/nsubj kam/VERB/0/root sah/VERB/2/conj und/CCONJ/5/cc siegte/VERB/2/conj")
    construction = Construction("fcr", "v2", gold.mothers[1], (("verb1", 1), ("verb2", 4), ("subject", 0)))
    assert judge(gold, construction, Spoiled(gold).hang(4, 2), "ud").primary == "right"
    assert judge(gold, construction, Spoiled(gold).hang(4, 2, "xcomp"), "ud").primary == "C"


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "bundled:zh-test",
        "bundled:de-constructions/ud/trees.conllu",
        "ud/UD_German-PUD/de_pud-ud-test.conllu",
        "ud/UD_Chinese-CFL/zh_cfl-ud-test.conllu",
    ],
)
def test_dependency_trees_are_phrases_and_back(name: str, file_named: Callable[[str], Path]) -> None:
    """No arc, lemma or feature is lost; crossing arcs are gaps."""
    treebank = read(file_named(name))[:200]
    trees = list(map(from_sentence, treebank))
    back = to_treebank(trees)
    for column in ("form", "lemma", "upos", "feats", "deprel"):
        assert back.column(column).strings() == treebank.column(column).strings()
    assert back.heads.tolist() == treebank.heads.tolist()
    gaps = [any(node.has_gap for node in tree.inner) for tree in trees]
    assert gaps == [not sentence.is_projective for sentence in treebank]


@given(st.integers(1, 9).flatmap(lambda size: st.tuples(*[st.integers(0, 99)] * size)), st.randoms())
def test_no_arc_is_lost_whatever_governs(draws: tuple[int, ...], random: Random) -> None:
    """A parser may hang words at a comma: its arcs come back as it drew them."""
    size = len(draws)
    order = random.sample(range(size), size)
    governors = [ROOT] * size
    for place, word in enumerate(order[1:], 1):
        governors[word] = order[draws[place] % place]
    tags = [random.choice(["NOUN", "PUNCT", "VERB"]) for _ in order]
    labels = ["root" if governor == ROOT else random.choice(["punct", "nsubj", "dep"]) for governor in governors]
    tree = from_arcs([f"w{word}" for word in range(size)], tags, governors, labels)
    assert arcs_of(tree) == (tuple(governors), tuple(labels))


@pytest.mark.parametrize(
    ("name", "least"),
    [("bundled:de-constructions/ud/trees.conllu", 140), ("ud/UD_German-GSD/de_gsd-ud-test.conllu", 200)],
)
def test_requests_find_only_valid_constructions_and_gold_is_right(
    name: str, least: int, file_named: Callable[[str], Path]
) -> None:
    treebank = read(file_named(name))[:300]
    from gardenpath.suites.constructions.finding import find_in
    from gardenpath.suites.constructions.model import PHENOMENA

    trees = list(map(from_sentence, treebank))
    hits = list(find_in(trees, "ud", tuple(PHENOMENA)))
    assert len(hits) > least
    for number, construction in hits:
        assert judge(trees[number], construction, trees[number], "ud").primary == "right"
    assert len(hits) == len(set(hits))


def systems() -> dict[str, object]:
    """A perfect dependency parser, one without a parse of every third sentence, and perfect phrase parsers."""
    ud = to_treebank([item.tree for item in ITEMS])
    return {
        "udpipe": ud,
        "stanza": ud[[number for number in range(len(ud)) if number % 3]],
        "pcfg": [item.tree for item in HALVES["tiger"].items],
        "benepar": [without_functions(item.tree) for item in HALVES["tiger"].items],
    }


def test_dependency_parsers_and_phrase_parsers_stand_in_one_table() -> None:
    result = run(CONSTRUCTIONS, "bundled:de-constructions", systems(), ConstructionsSettings())
    accuracy = {
        (finding.system, finding.by["scheme"]): (finding.value, finding.n)
        for finding in result.findings
        if finding.measure == "accuracy" and set(finding.by) == {"scheme"}
    }
    size = len(ITEMS)
    assert accuracy == {
        ("udpipe", "ud"): (100.0, size),
        ("stanza", "ud"): (pytest.approx(100 * (size - (size + 2) // 3) / size), size),
        ("pcfg", "tiger"): (100.0, size),
        ("benepar", "tiger"): (100.0, size),
    }
    table = result.tables[0]
    assert [row[table.columns.index("scheme")] for row in table.rows] == ["UD", "UD", "TIGER", "TIGER"]
    compared = {
        (finding.system, finding.by.get("phenomenon", "all")): finding.n
        for finding in result.findings
        if finding.measure == "accuracy_difference"
    }
    assert compared["pcfg", "all"] == size  # the same items, whatever the annotation
    assert compared["benepar", "all"] == 24  # only what both were asked in full
    assert ("benepar", "ppn") not in compared
    assert any("stanza" in kind for kind in result.failures)


def test_a_parser_needs_a_suite_of_its_own_kind() -> None:
    tree = ITEMS[0].tree
    with pytest.raises(UsageError, match="no suite is in the scheme ud"):
        run(CONSTRUCTIONS, HALVES["tiger"], {"arcs": to_treebank([tree])}, ConstructionsSettings())
    with pytest.raises(UsageError, match="no suite is in a scheme of phrase trees"):
        run(CONSTRUCTIONS, HALVES["ud"], {"phrases": [HALVES["tiger"].items[0].tree]}, ConstructionsSettings())


def test_a_suite_of_arcs_is_written_and_read_again(tmp_path: Path) -> None:
    from gardenpath.suites.constructions.storage import read_constructions, write_constructions

    write_constructions(HALVES["ud"], tmp_path / "suite")
    assert read_constructions(tmp_path / "suite") == HALVES["ud"]
    assert (tmp_path / "suite" / "trees.conllu").is_file()
    assert [str(problem) for problem in validate_bytes((tmp_path / "suite" / "trees.conllu").read_bytes())] == []


def test_a_gold_treebank_takes_the_place_of_a_suite(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conllu"
    gold.write_bytes(to_treebank([item.tree for item in ITEMS]).to_bytes())
    result = run(CONSTRUCTIONS, gold, [gold], ConstructionsSettings(scheme="ud"))
    scores = [finding for finding in result.findings if finding.measure == "accuracy" and not finding.by]
    assert [(score.value, score.n) for score in scores] == [(100.0, scores[0].n)]
    assert scores[0].n > len(ITEMS)  # also what the sentences were not made for


def test_wide_is_refused() -> None:
    with pytest.raises(UsageError, match="wide is for phrase trees"):
        find(ITEMS[0].tree, "ud", ["cuc"], wide=True)


def test_what_is_no_tree_is_named() -> None:
    circle = Treebank(b"# sent_id = a\n1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n")
    from gardenpath.errors import InputError

    with pytest.raises(InputError, match="not a dependency tree") as caught:
        from_sentence(circle[0])
    assert caught.value.where == "sentence a"


# ---- what parsers may see of gold beside the words: `gold=("tags",)`


class Tagless:
    """A parser of words alone, which knows the sentences of the suite."""

    name, signature = "tagless", "kind:test"

    def __init__(self) -> None:
        self.known = {item.tree.words: item.tree for item in suite("tiger").items}

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [self.known[tuple(words)] for words in sentences]


class Tagged(Tagless):
    """It gives a tree only where it is given the tags of gold."""

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [None for _ in sentences]

    def parse_tagged(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> list[PhraseTree | None]:
        trees = [self.known[tuple(words)] for words in sentences]
        assert [tuple(row) for row in tags] == [tree.tags for tree in trees]
        return list(trees)


def study(system: object, *layers: str) -> Result:
    return run(CONSTRUCTIONS, suite("tiger"), {"x": system}, ConstructionsSettings(gold=layers))


def accuracy(result: Result) -> Any:
    return next(finding.value for finding in result.findings if finding.measure == "accuracy" and not finding.by)


def test_tags_of_gold_reach_a_phrase_parser_that_can_use_them_and_the_signature_says_so() -> None:
    without, tagged = study(Tagged()), study(Tagged(), "tags")
    assert (accuracy(without), accuracy(tagged)) == (0.0, 100.0)
    assert "|layers:tags|" in tagged.signature
    assert "layers" not in without.signature


def test_a_parser_that_cannot_use_them_is_an_error() -> None:
    with pytest.raises(UsageError, match="this parser cannot be given tags"):
        study(Tagless(), "tags")
    with pytest.raises(UsageError, match="a phrase parser cannot be given feats or lemmas"):
        study(Tagged(), "lemmas", "feats", "tags")


def test_a_dependency_parser_that_needs_tags_is_judged_with_them() -> None:
    import gardenpath as gp

    with pytest.raises(UsageError, match="needs tags"):
        gp.constructions("bundled:de-constructions", {"ud": "baseline:nearest-head"})
    result = gp.constructions("bundled:de-constructions", {"ud": "baseline:nearest-head"}, gold="tags")
    judged = [finding for finding in result.findings if finding.measure == "accuracy" and not finding.by]
    assert [(finding.system, finding.n) for finding in judged] == [("ud", 148)]
    assert "|layers:tags|" in result.signature
