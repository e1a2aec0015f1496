"""Suites of PP attachment, judged by two lists of nouns: what things are done with, and what things have."""

from __future__ import annotations

from itertools import pairwise

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.suites import check, convert
from gardenpath.suites.generate import generate_pp
from gardenpath.suites.model import RoleSuite
from gardenpath.suites.pairs import words_changed

DONE_WITH = set(
    "Füller Bleistift Kugelschreiber Kreide Pinsel Fernglas Fernrohr Handy Kamera Lappen Schwamm Bürste Schlüssel "
    "Brecheisen Schraubenzieher Gabel Löffel Hammer Zange Messer Schere Säge vulpen potlood balpen krijtje penseel "
    "kwast verrekijker telescoop telefoon camera doek spons borstel sleutel breekijzer schroevendraaier tang vork "
    "hamer mes".split()
)
ACCUSATIVE = {"Masc": "den", "Fem": "die", "Neut": "das"}
DATIVE = {"Masc": "dem", "Fem": "der", "Neut": "dem"}


@pytest.fixture(scope="module", params=["de", "nl"])
def suite(request: pytest.FixtureRequest) -> RoleSuite:
    return generate_pp(request.param, size=500, seed=3).suite()


def test_it_is_a_pp_suite_without_problems_in_which_every_item_has_a_pair(suite: RoleSuite) -> None:
    assert suite.kind == "pp"
    assert list(check(suite)) == []
    assert len(set(suite.tokens)) == len(suite) == 500
    assert set(suite.property_counts()) == {"1head", "2head", "3head", "pdan", "ppfronted", "nounheadedpp"}


def test_what_the_noun_means_says_what_the_pp_belongs_to(suite: RoleSuite) -> None:
    for number, tokens in enumerate(suite.tokens):
        preposition, noun = suite.arcs_of(number)
        if noun.label == "case":
            preposition, noun = noun, preposition
        word, head = tokens[noun.dependent - 1], tokens[noun.head - 1]
        assert preposition.head == noun.dependent
        assert (noun.label == "obl") == (word in DONE_WITH), " ".join(tokens)
        assert (noun.label == "nmod") == ("nounheadedpp" in suite.properties[number]), " ".join(tokens)
        assert head[0].islower() == (noun.label == "obl") or suite.language == "nl", " ".join(tokens)


def test_there_are_as_many_possible_heads_as_the_suite_says(suite: RoleSuite) -> None:
    """The verb, and the nouns that are not in the PP."""
    tags, bounds = suite.treebank.column("upos").strings(), suite.treebank.offsets.tolist()
    for number, properties in enumerate(suite.properties):
        nouns = tags[bounds[number] : bounds[number + 1]].count("NOUN") - 1
        heads = {"1head": 1, "3head": 3}
        assert 1 + nouns == next((heads[name] for name in properties if name in heads), 2), suite.tokens[number]


def test_a_pair_differs_in_one_word(suite: RoleSuite) -> None:
    pairs = suite.pairs()
    changed = words_changed(suite, pairs)
    assert max(changed) == 1
    assert {count for pair, count in zip(pairs, changed, strict=True) if pair.change == "nounheadedpp"} == {1}


def test_german_articles_show_the_case() -> None:
    made = generate_pp("de", size=200)
    rows = [line.split("\t") for line in made.data.decode().split("\n")]
    for determiner, following in pairwise(rows):
        if len(determiner) < 10 or determiner[3] != "DET" or following[3] != "NOUN":
            continue
        feats = dict(part.split("=") for part in following[5].split("|"))
        table = DATIVE if feats["Case"] == "Dat" else ACCUSATIVE
        assert determiner[1].lower() == table[feats["Gender"]]


def test_seed_sizes_and_forms() -> None:
    assert generate_pp("de", size=40, seed=1).data == generate_pp("de", size=40, seed=1).data
    assert generate_pp("de", size=40, seed=1).data != generate_pp("de", size=40, seed=2).data
    for size in (2, 3, 14, 15, 27):
        small = generate_pp("nl", size=size)
        assert small.sentences == len(small.suite()) == size
        assert list(check(small.suite(), only=["no-pair"])) == []
        assert len(small.suite().pairs()) == small.pairs
    table = convert(generate_pp("de", size=20).suite(), "tsv").data.decode()
    assert table.startswith("features\thead_distance\tprep_position")
    assert len(table.strip().split("\n")) == 21


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="Czech has no PP attachment"):
        generate_pp("cs")
    with pytest.raises(InputError, match=r"90,000 sentences were asked for, this lexicon gives [0-9],"):
        generate_pp("de", size=90_000)
    with pytest.raises(UsageError, match="has no pair"):
        generate_pp("de", size=1)
