"""Generated construction treebanks: valid in all annotations, found by the rules, and as bundled."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import pytest

from gardenpath.data import bundled
from gardenpath.errors import UsageError
from gardenpath.phrase import PhraseTree
from gardenpath.phrase.dependencies import to_dependencies
from gardenpath.phrase.formats.source import written
from gardenpath.suites.constructions.finding import find_in
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath.treebank import read
from gardenpath.treebank.validate.report import validate_bytes
from gardenpath_generate.constructions.phenomena import PLANS
from gardenpath_generate.constructions.treebank import MIX, REALISED, GeneratedTreebank, Made, generate

SIZE = 2000
# The labels of TIGER and TüBa-D/Z, as counted in treebanks and given in the schema of exportXML.
TIGER_CATEGORIES = set("NP S PP VP AP AVP CNP CS VZ PN CVP CAP CPP CO NM CAVP DL CH AA CVZ MTA CAC ISU".split())
TIGER_FUNCTIONS = set(
    "NK HD MO SB AC CJ OC OA MNR CD PD AG CP NG PNC PM DA OP RC JU PH RE SVP CM CC EP PAR PG APP CVC SBP OG".split()
)
TUEBA_CATEGORIES = set(
    "NX SIMPX PX MF VXFIN ADJX LK ADVX VF VC VXINF C NF FKONJ R-SIMPX FKOORD KOORD LV P-SIMPX PARORD".split()
)
TUEBA_FUNCTIONS = set("HD ON KONJ MOD V-MOD OV APP OA PRED OPP FOPP OD OS VPT OG OADJP OADVP ES".split())
TUEBA_FUNCTIONS |= {f"{one}-MOD" for one in ("ON", "OA", "OD", "OG", "OPP", "FOPP", "OS", "PRED", "MOD")}
LABELS = {"tiger": (TIGER_CATEGORIES, TIGER_FUNCTIONS), "tuebadz": (TUEBA_CATEGORIES, TUEBA_FUNCTIONS)}


@pytest.fixture(scope="module")
def made() -> GeneratedTreebank:
    return generate(SIZE, seed=3)


def gaps(tree: PhraseTree) -> list[int]:
    """The inner nodes with words of others between their own, marks aside."""
    marks = sum(1 << at for at, tag in enumerate(tree.tags) if tag.startswith("$"))
    found = []
    for node in tree.inner:
        whole = (1 << node.end) - (1 << node.start)
        if whole & ~marks & ~node.mask:
            found.append(node.number)
    return found


# ---- trees


def test_the_trees_have_the_same_words_and_known_labels(made: GeneratedTreebank) -> None:
    for one in made.sentences:
        assert one.tiger.words == one.tuebadz.words
        assert one.tiger.tags == one.tuebadz.tags
        assert [row.form for row in rows(one)] == list(one.tiger.words)
        for scheme in ("tiger", "tuebadz"):
            categories, functions = LABELS[scheme]
            tree = one.tree(scheme)
            assert set(tree.labels) <= categories
            assert set(tree.functions) <= functions | {""}
            tops = [node for node in tree.top if not node.label.startswith("$")]
            assert len(tops) == 1
            assert all(node.is_token for node in tree.top if node != tops[0])  # marks


def test_tuebadz_has_no_gaps_and_tiger_where_something_has_moved(made: GeneratedTreebank) -> None:
    seen: Counter[str] = Counter()
    for one in made.sentences:
        assert gaps(one.tuebadz) == []
        tree = one.tiger
        for number in gaps(tree):
            node = tree[number]
            seen[node.label] += 1
            if node.label in ("NP", "PP"):
                assert one.phenomenon == "erc"
                assert node.children[-1].function == "RC"
            else:  # a verb phrase whose first part stands in front: in the Vorfeld, or as a relative pronoun
                assert node.label == "VP"
                clause = next(above for above in node.ancestors if above.label == "S")
                assert node.start == clause.start
        if one.phenomenon == "erc":
            assert any(tree[number].label in ("NP", "PP") for number in gaps(tree))
    assert set(seen) == {"NP", "PP", "VP"}


@pytest.mark.parametrize("scheme", REALISED)
def test_the_rules_find_exactly_what_was_meant(made: GeneratedTreebank, scheme: str) -> None:
    hits: dict[int, list[tuple[object, ...]]] = {}
    for number, hit in find_in(made.trees(scheme), scheme, tuple(PHENOMENA)):
        hits.setdefault(number, []).append((hit.phenomenon, hit.variant, hit.node, hit.anchors))
    for number, sentence in enumerate(made.sentences):
        told = [(hit.phenomenon, hit.variant, hit.node, hit.anchors) for hit in sentence.constructions[scheme]]
        assert Counter(hits.get(number, [])) == Counter(told), sentence.text
        own = sentence.construction(scheme)
        assert (own is None) == (sentence.phenomenon == "plain")
        if sentence.phenomenon == "plain":
            assert number not in hits, sentence.text


def test_requests_give_the_flags_that_the_generator_knows(made: GeneratedTreebank) -> None:
    known = {
        (number, hit.phenomenon, hit.anchors): hit.flags
        for number, sentence in enumerate(made.sentences)
        for hit in sentence.constructions["ud"]
    }
    found = find_in(made.trees("ud"), "ud", tuple(PHENOMENA))
    assert {(number, hit.phenomenon, hit.anchors): hit.flags for number, hit in found} == known


def test_anchors_are_the_same_tokens_in_both_schemes(made: GeneratedTreebank) -> None:
    for one in made.sentences:
        for first, second in zip(one.constructions["tiger"], one.constructions["tuebadz"], strict=True):
            assert (first.phenomenon, first.variant) == (second.phenomenon, second.variant)
            shared = [name for name, _ in first.anchors if (first.phenomenon, name) != ("ppv", "governor")]
            assert [first.anchor(name) for name in shared] == [second.anchor(name) for name in shared]


def test_every_phenomenon_and_variant_is_there(made: GeneratedTreebank) -> None:
    assert made.counts == {name: round(SIZE * share) for name, share in MIX.items()}
    for phenomenon, plans in PLANS.items():
        counts = Counter(one.variant for one in made.sentences if one.phenomenon == phenomenon)
        assert set(counts) == set(plans)
        assert max(counts.values()) - min(counts.values()) <= 1
    variants = {hit.variant for one in made.sentences for hit in one.constructions["tiger"] if hit.phenomenon == "cuc"}
    assert variants == {"vp+ap", "vp+np", "s+np"}
    for name in ("ppn", "ppv"):  # a good test: the PP follows a noun
        hits = [one.construction("tiger") for one in made.sentences if one.phenomenon == name]
        assert all(hit is not None and "ambiguous" in hit.flags for hit in hits)


def test_dependencies_from_both_schemes_mostly_agree(made: GeneratedTreebank) -> None:
    tiger, tuebadz = (to_dependencies(made.trees(scheme), scheme) for scheme in ("tiger", "tuebadz"))
    words = [tag != "$" for one in made.sentences for tag in (tag[0] for tag in one.tiger.tags)]
    same = [bool(a == b) for a, b, word in zip(tiger.heads, tuebadz.heads, words, strict=True) if word]
    assert sum(same) / len(same) > 0.9


# ---- UD


class Row(NamedTuple):
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: dict[str, str]
    head: int
    deprel: str


def rows(one: Made) -> list[Row]:
    found = []
    for line in one.ud.split("\n"):
        if line and line[0] != "#":
            columns = line.split("\t")
            feats = {} if columns[5] == "_" else dict(part.split("=") for part in columns[5].split("|"))
            found.append(Row(*columns[1:5], feats, int(columns[6]), columns[7]))
    return found


ARTICLES = {
    ("Nom", "Masc"): "der ein dieser", ("Acc", "Masc"): "den einen diesen", ("Dat", "Masc"): "dem einem diesem",
    ("Gen", "Masc"): "des", ("Nom", "Fem"): "die eine diese", ("Acc", "Fem"): "die eine diese",
    ("Dat", "Fem"): "der einer dieser", ("Gen", "Fem"): "der", ("Nom", "Neut"): "das ein dieses",
    ("Acc", "Neut"): "das ein dieses", ("Dat", "Neut"): "dem einem diesem", ("Gen", "Neut"): "des",
    ("Nom", ""): "die", ("Acc", ""): "die", ("Dat", ""): "den", ("Gen", ""): "der",
}  # fmt: skip
"""Forms of articles and dieser by case and gender; no gender: the plural."""
GOVERNED = {
    "mit": "Dat", "von": "Dat", "aus": "Dat", "nach": "Dat", "zu": "Dat", "seit": "Dat", "ohne": "Acc", "für": "Acc",
    "durch": "Acc", "über": "Acc", "während": "Gen", "vor": "Dat", "hinter": "Dat", "neben": "Dat", "unter": "Dat",
}  # fmt: skip
"""The case after each preposition that has only one here; an, auf and in have two."""


def test_ud_is_valid(made: GeneratedTreebank) -> None:
    assert [str(one) for one in validate_bytes(made.conllu.encode("utf-8"))] == []


def test_articles_adjectives_and_nouns_agree(made: GeneratedTreebank) -> None:
    checked: Counter[str] = Counter()
    for one in made.sentences:
        words = rows(one)
        for row in words:
            governor = words[row.head - 1]
            if row.deprel in ("det", "det:poss", "amod") and governor.upos == "NOUN":
                checked[row.deprel] += 1
                assert (row.feats["Case"], row.feats["Number"]) == (governor.feats["Case"], governor.feats["Number"])
                gender = row.feats.get("Gender", "")
                assert gender == ("" if row.feats["Number"] == "Plur" else governor.feats["Gender"])
                if row.xpos == "ART":
                    assert row.form.lower() in ARTICLES[row.feats["Case"], gender].split(), one.text
            if row.deprel == "case" and row.lemma in GOVERNED:
                checked["case"] += 1
                assert governor.feats["Case"] == GOVERNED[row.lemma], one.text
    assert min(checked[name] for name in ("det", "det:poss", "amod", "case")) > 20


def test_adjectives_have_the_ending_that_the_article_leaves_them(made: GeneratedTreebank) -> None:
    for one in made.sentences:
        for article, adjective, noun in zip(words := rows(one), words[1:], words[2:], strict=False):
            if adjective.xpos != "ADJA" or noun.upos != "NOUN":
                continue
            ending = next(end for end in ("en", "em", "er", "es", "e") if adjective.form.endswith(end))
            strong = article.deprel not in ("det", "det:poss") and article.xpos not in ("APPRART", "ADV", "KON")
            case, number, gender = adjective.feats["Case"], adjective.feats["Number"], adjective.feats.get("Gender")
            if article.xpos in ("ART", "APPRART", "PDAT") and article.lemma != "ein":
                short = number == "Sing" and (case == "Nom" or (case == "Acc" and gender != "Masc"))
                assert ending == ("e" if short else "en"), one.text
            elif strong and article.xpos == "APPR":
                kinds = {("Dat", "Fem"): "er", ("Dat", "Masc"): "em", ("Dat", "Neut"): "em", ("Dat", None): "en",
                         ("Acc", "Fem"): "e", ("Acc", None): "e"}  # fmt: skip
                assert ending == kinds[case, gender], one.text


def test_subjects_are_nominative_and_verbs_agree_with_them(made: GeneratedTreebank) -> None:
    subjects = 0
    for one in made.sentences:
        words = rows(one)
        for row in words:
            if not row.deprel.startswith("nsubj"):
                continue
            subjects += 1
            assert row.feats["Case"] == "Nom"
            family = [words[row.head - 1], *(word for word in words if word.head == row.head)]
            finite = [
                word
                for word in family
                if word.feats.get("VerbForm") == "Fin" and word.deprel not in ("conj", "advcl", "ccomp", "acl:relcl")
            ] or [words[row.head - 1]]
            joined = any(word.deprel == "conj" and word.feats.get("Case") == "Nom" for word in words
                         if word.head == words.index(row) + 1)  # fmt: skip
            assert finite[0].feats["Number"] == ("Plur" if joined else row.feats["Number"]), one.text
    assert subjects > SIZE


def test_a_relative_pronoun_has_gender_and_number_of_its_noun(made: GeneratedTreebank) -> None:
    for one in made.sentences:
        words = rows(one)
        for row in words:
            if row.xpos == "PRELS":
                clause = words[row.head - 1]
                while clause.deprel != "acl:relcl":
                    clause = words[clause.head - 1]
                noun = words[clause.head - 1]
                assert row.feats["Number"] == noun.feats["Number"]
                assert row.feats.get("Gender", noun.feats["Gender"]) == noun.feats["Gender"]
                assert words[words.index(row) - 1].form == ","


# ---- as a whole


def test_no_sentence_comes_twice_and_lengths_vary(made: GeneratedTreebank) -> None:
    texts = [one.text for one in made.sentences]
    assert len(set(texts)) == SIZE
    assert all(text[0].isupper() and text[-1] in ".?" and " ," not in text and ",," not in text for text in texts)
    lengths = [len(one.tiger) for one in made.sentences]
    assert min(lengths) >= 4
    assert max(lengths) <= 32
    assert len(set(lengths)) > 15
    for one in made.sentences:
        doubled = [
            at for at, (first, second) in enumerate(pairwise(one.tiger.words)) if first.lower() == second.lower()
        ]
        assert all(one.tiger.tags[at] == "PRELS" for at in doubled), one.text  # die, die die Tür öffnet


def test_the_same_seed_gives_the_same_bytes() -> None:
    def data(treebank: GeneratedTreebank) -> str:
        return treebank.conllu + "".join("".join(written(treebank.trees(scheme), "export")) for scheme in REALISED)

    assert data(generate(80, 5)) == data(generate(80, 5)) != data(generate(80, 6))


def test_the_mix_is_kept() -> None:
    assert generate(7, 0, {"erc": 2, "plain": 1}).counts == {"plain": 2, "erc": 5}
    assert set(generate(30, 0, dict.fromkeys(PHENOMENA, 1)).counts) == set(PHENOMENA)
    suites = generate(30, 0, {"plain": 2, "cuc": 1}).suites
    assert [(suite.scheme, len(suite.items)) for suite in suites] == [("tiger", 10), ("tuebadz", 10), ("ud", 10)]
    assert [item.item for item in suites[0].items] == [item.item for item in suites[1].items]


@pytest.mark.parametrize(
    ("size", "mix", "said"),
    [
        (0, {"erc": 1.0}, "not a treebank"),
        (10, {"ecr": 1.0}, "did you mean fcr or erc"),
        (10, {"erc": -1.0}, "share of erc"),
        (10, {"erc": 0.0}, "all shares are 0"),
        (2_000_000, {"erc": 1.0}, "too many"),
    ],
)
def test_what_cannot_be_made_is_said(size: int, mix: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError) as error:
        generate(size, 0, mix)
    assert said in f"{error.value}"


FOLDER = bundled("de-constructions")
SUITES = read_parallel(FOLDER)


def test_all_schemes_have_enough_items_of_each_phenomenon() -> None:
    assert set(SUITES) == {"tiger", "tuebadz", "ud"}
    for suite in SUITES.values():
        counts = Counter(item.construction.phenomenon for item in suite.items)
        assert set(counts) == set(PHENOMENA)
        assert min(counts.values()) >= 24
        variants = Counter((item.construction.phenomenon, item.construction.variant) for item in suite.items)
        assert variants["fcr", "v2"] == variants["fcr", "vl"] == 12
        assert [variants["cuc", name] for name in ("vp+ap", "vp+np", "s+np")] == [8, 8, 8]
        plans = Counter(item.item.rpartition("-")[0] for item in suite.items)
        assert len(plans) == 30  # variants of the generator
        assert min(plans.values()) >= 3


def test_every_item_is_found_by_rule_and_no_sentence_comes_twice() -> None:
    for scheme, suite in SUITES.items():
        assert len({item.tree.words for item in suite.items}) == len(suite.items)
        trees = [item.tree for item in suite.items]
        hits = {
            (number, hit.phenomenon, hit.variant, hit.node, hit.anchors)
            for number, hit in find_in(trees, scheme, tuple(PHENOMENA))
        }
        for number, item in enumerate(suite.items):
            one = item.construction
            assert (number, one.phenomenon, one.variant, one.node, one.anchors) in hits
            if one.phenomenon in ("ppn", "ppv"):
                assert "ambiguous" in one.flags
            assert len(item.tree) <= 40


@pytest.mark.parametrize("scheme", ["tuebadz", "ud"])
def test_anchors_are_the_same_in_all_schemes(scheme: str) -> None:
    for first, second in zip(SUITES["tiger"].items, SUITES[scheme].items, strict=True):
        assert first.item == second.item
        assert first.tree.words == second.tree.words
        phenomenon = first.construction.phenomenon
        if (scheme, phenomenon) == ("ud", "cuc"):
            continue  # there content words head clauses
        for name, token in first.construction.anchors:
            if (phenomenon, name) != ("ppv", "governor"):
                assert second.construction.anchor(name) == token


def test_the_ud_trees_are_valid_and_have_the_same_words() -> None:
    path = FOLDER / "ud" / "trees.conllu"
    assert [str(one) for one in validate_bytes(path.read_bytes())] == []
    forms = [tuple(word.form for word in sentence) for sentence in read(path)]
    assert forms == [item.tree.words for item in SUITES["tiger"].items]


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 450_000
