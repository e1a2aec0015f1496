"""The scenes of generated constructions: words that fit each other, sentences that vary, two structures of their own.

The selectional restrictions are read off the UD trees and compared with the lexicon, in which every verb lists its
classes: the composer is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from gardenpath.phrase import to_notation
from gardenpath.suites.generate.constructions.scenes import PERSON, Action, Scene
from gardenpath.suites.generate.constructions.treebank import GeneratedTreebank, Made, generate
from gardenpath.suites.generate.constructions.vocabulary import motive, verb, vocabulary

SIZE = 1500
VOCABULARY = vocabulary()
NAMES = {name.lemma for name in VOCABULARY.names}


@pytest.fixture(scope="module", params=[1, 29])
def made(request: pytest.FixtureRequest) -> GeneratedTreebank:
    return generate(SIZE, seed=request.param)


class Row(NamedTuple):
    form: str
    lemma: str
    upos: str
    xpos: str
    head: int
    deprel: str


def rows(sentence: Made) -> list[Row]:
    lines = [line.split("\t") for line in sentence.ud.split("\n") if line and line[0] != "#"]
    return [Row(line[1], line[2], line[3], line[4], int(line[6]), line[7]) for line in lines]


# ---- selection


def frames(scene: Scene) -> Iterator[Action]:
    yield from (*scene.transitive, *scene.intransitive, *scene.prepositional, *scene.ditransitive, *scene.clausal)


def members(scene: Scene, classes: frozenset[str]) -> set[str]:
    """The lemmas of these classes, with names where people are among them."""
    nouns = [noun for name in classes for noun in scene.nouns[name]]
    return {noun.lemma for noun in nouns} | (NAMES if any(PERSON in noun.classes for noun in nouns) else set())


def allowed() -> Mapping[str, list[tuple[set[str], set[str], str]]]:
    """Of each verb: subjects, objects, and the preposition of these, for every frame in every scene."""
    known: dict[str, list[tuple[set[str], set[str], str]]] = {}
    for scene in VOCABULARY.scenes:
        for action in frames(scene):
            known.setdefault(action.lemma, []).append(
                (members(scene, action.subjects), members(scene, action.objects), action.preposition)
            )
        for attitude in scene.attitudes:
            objects = {noun.lemma for noun in attitude.nouns}
            known.setdefault(attitude.action.lemma, []).append((members(scene, attitude.action.subjects), objects, ""))
        for plan in scene.circumstances:
            if plan.action is not None:
                known.setdefault(plan.action.lemma, []).append(({plan.noun.lemma}, set(), ""))
    return known


ALLOWED = allowed()
MOTIVES = {
    (reason.action.lemma, reason.thing.noun.lemma)
    for scene in VOCABULARY.scenes
    for action in frames(scene)
    for reason in action.motives
} | {(hurdle.action.lemma, hurdle.thing.noun.lemma) for hurdle in VOCABULARY.hurdles}
HAVING = {("haben", plan.noun.lemma) for plan in VOCABULARY.having}


def noun_of(word: Row, words: list[Row]) -> str:
    """The noun that a word stands for: of a relative pronoun its antecedent, of other pronouns none."""
    if word.xpos == "PRELS":
        clause = words[word.head - 1]
        while clause.deprel != "acl:relcl":
            clause = words[clause.head - 1]
        return words[clause.head - 1].lemma
    return word.lemma if word.upos in ("NOUN", "PROPN") else ""


def test_verbs_have_subjects_and_objects_of_their_classes(made: GeneratedTreebank) -> None:
    checked = 0
    for sentence in made.sentences:
        words = rows(sentence)
        for number, word in enumerate(words, 1):
            below = [row for row in words if row.head == number]
            if word.upos != "VERB" or any(row.deprel == "cop" for row in below):
                continue  # no verb, or a predicate: gut vorbereitet
            particle = "".join(row.lemma for row in below if row.deprel == "compound:prt")
            lemma = particle + word.lemma
            subject = [noun_of(row, words) for row in below if row.deprel == "nsubj"]
            objects = [noun_of(row, words) for row in below if row.deprel in ("obj", "nsubj:pass")]
            if any(row.deprel == "nsubj:pass" for row in below):
                subject = [noun_of(row, words) for row in below if row.deprel == "obl:agent"]
            subject, objects = ([noun for noun in nouns if noun] for nouns in (subject, objects))
            if not subject and not objects:
                continue
            if objects and {(lemma, objects[0])} & (MOTIVES | HAVING):
                continue
            checked += 1
            fits = any(
                set(subject) <= subjects and (not objects or set(objects) <= things)
                for subjects, things, _ in ALLOWED[lemma]
            )
            assert fits, (lemma, subject, objects, sentence.text)
    assert checked > 1.5 * SIZE


def test_all_people_of_a_sentence_are_of_one_scene(made: GeneratedTreebank) -> None:
    people = [{noun.lemma for noun in scene.nouns[PERSON]} for scene in VOCABULARY.scenes]
    everybody = set().union(*people)
    arguments = ("nsubj", "nsubj:pass", "obj", "obl:arg", "obl:agent")
    for sentence in made.sentences:
        named = {row.lemma for row in rows(sentence) if row.deprel in arguments} & everybody
        assert any(named <= here for here in people), sentence.text


@pytest.mark.parametrize("scene", VOCABULARY.scenes, ids=lambda scene: scene.name)
def test_verbs_name_classes_that_there_are_and_every_class_is_used(scene: Scene) -> None:
    named = {name for action in frames(scene) for name in action.subjects | action.objects | action.receivers}
    assert named <= set(scene.nouns)
    acted_on = {noun.lemma for action in scene.deeds for name in action.subjects | action.objects
                for noun in scene.nouns[name]}  # fmt: skip
    assert acted_on == {noun.lemma for nouns in scene.nouns.values() for noun in nouns}
    lemmas = {action.lemma for action in (*scene.deeds, *scene.intransitive)}
    assert all(attitude.events <= lemmas for attitude in scene.attitudes)
    owners = {name for entry in scene.classes.values() for name in entry.genitives | entry.keepers}
    owners |= {entry.possessors[1:] for entry in scene.classes.values() if entry.possessors.startswith("@")}
    assert owners <= set(scene.nouns)


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("ab|lehnen", ("ablehnen", "lehnt", ("lehnte", "lehnten"), "abgelehnt", "ab")),
        ("unterstützen", ("unterstützen", "unterstützt", ("unterstützte", "unterstützten"), "unterstützt", "")),
        ("füttern", ("füttern", "füttert", ("fütterte", "fütterten"), "gefüttert", "")),
        ("arbeiten", ("arbeiten", "arbeitet", ("arbeitete", "arbeiteten"), "gearbeitet", "")),
        ("kritisieren", ("kritisieren", "kritisiert", ("kritisierte", "kritisierten"), "kritisiert", "")),
        ("lesen liest las gelesen", ("lesen", "liest", ("las", "lasen"), "gelesen", "")),
    ],
)
def test_verbs_are_read_with_their_forms(text: str, forms: tuple[object, ...]) -> None:
    action = verb(text)
    assert (action.lemma, action.present, action.past, action.participle, action.particle) == forms
    assert motive("ein|halten hält hielt eingehalten | acc def Termin m | müssen").modal == "müssen"


# ---- length and variety


def test_sentences_have_16_tokens_on_average(made: GeneratedTreebank) -> None:
    lengths = [len(sentence.tiger) for sentence in made.sentences]
    assert sum(lengths) / len(lengths) >= 16
    means: dict[str, list[int]] = {}
    for sentence in made.sentences:
        means.setdefault(sentence.phenomenon, []).append(len(sentence.tiger))
    assert min(sum(numbers) / len(numbers) for numbers in means.values()) > 14.5


def opening(sentence: Made) -> tuple[str, str]:
    """Category and function of what stands in the Vorfeld; of questions nothing."""
    fields = [node for node in sentence.tuebadz.inner if node.label == "VF"]
    if not fields:
        return "", ""
    first = min(fields, key=lambda node: node.start).children[0]
    return first.label, first.function


def test_words_openings_and_skeletons_vary(made: GeneratedTreebank) -> None:
    content = {row.lemma for sentence in made.sentences for row in rows(sentence)
               if row.upos in ("NOUN", "PROPN", "VERB", "ADJ", "ADV")}  # fmt: skip
    assert len(content) > 950
    assert len({sentence.tiger.tags for sentence in made.sentences}) > 0.8 * SIZE  # sequences of tags
    openings = Counter(map(opening, made.sentences))
    assert set(openings) >= {("NX", "ON"), ("NX", "OA"), ("NX", "V-MOD"), ("PX", "V-MOD"), ("ADVX", "V-MOD"),
                             ("ADVX", "MOD"), ("SIMPX", "MOD"), ("", "")}  # fmt: skip
    assert max(openings.values()) < 0.55 * SIZE
    conjunctions = Counter(row.form.lower() for sentence in made.sentences for row in rows(sentence)
                           if row.xpos == "KOUS")  # fmt: skip
    assert {"weil", "da", "obwohl", "nachdem", "bevor", "während", "als", "sobald", "dass"} <= set(conjunctions)


# ---- two structures


def test_possessive_von_phrases(made: GeneratedTreebank) -> None:
    """TIGER: PG in the NP; TüBa-D/Z: a PX beside the NX; UD: nmod. Each is a ppn."""
    seen = 0
    for sentence in made.sentences:
        tree = sentence.tiger
        phrases = [node for node in tree.inner if node.function == "PG"]
        assert bool(phrases) == ((sentence.phenomenon, sentence.variant) == ("ppn", "possessive")), sentence.text
        for phrase in phrases:
            seen += 1
            assert (phrase.label, phrase.words[0]) == ("PP", "von")
            assert phrase.mother is not None
            assert phrase.mother.label == "NP"
            start = phrase.start
            tuebadz = next(node for node in sentence.tuebadz.inner if node.label == "PX" and node.start == start)
            assert (tuebadz.function, tuebadz.words) == ("", phrase.words)
            assert tuebadz.mother is not None
            assert (tuebadz.mother.label, tuebadz.mother.children[0].label) == ("NX", "NX")
            words = rows(sentence)
            noun = words[words[start].head - 1]
            assert (words[start].deprel, noun.deprel) == ("case", "nmod")
            hit = sentence.construction("tiger")
            assert hit is not None
            assert (hit.phenomenon, hit.anchor("preposition")) == ("ppn", start)
            assert words[hit.anchor("governor")] == words[noun.head - 1]
    assert seen > 20


def test_statal_passives(made: GeneratedTreebank) -> None:
    """TIGER: the participle is PD (alone, or as head of a VP), as in PCC; TüBa-D/Z: OV in VC; UD: aux:pass."""
    statal = [sentence for sentence in made.sentences if sentence.variant == "statal"]
    assert len(statal) > 20
    for sentence in statal:
        words = rows(sentence)
        top = next(number for number, row in enumerate(words, 1) if row.head == 0)
        assert words[top - 1].xpos == "VVPP"
        below = {row.deprel: row for row in words if row.head == top}
        assert (below["aux:pass"].lemma, below["aux:pass"].xpos) == ("sein", "VAFIN")
        assert "nsubj:pass" in below
        participle = sentence.tiger[top - 1]
        phrase = participle if participle.function == "PD" else participle.mother
        assert phrase is not None
        assert phrase.function == "PD"
        assert phrase.mother is not None
        finite = [child for child in phrase.mother.children if child.function == "HD"]
        assert [child.label for child in finite] == ["VAFIN"]
        verb_phrase = sentence.tuebadz[top - 1].mother
        assert verb_phrase is not None
        assert (verb_phrase.label, verb_phrase.function) == ("VXINF", "OV")
        assert verb_phrase.mother is not None
        assert verb_phrase.mother.label == "VC"
        assert "(VXINF:OV (VVPP:HD" in to_notation(sentence.tuebadz)
