"""Pairs from hand-made trees: each phenomenon once, and each filter with the pair that would be there without it."""

from __future__ import annotations

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.suites.regions.reader import read_region_suites
from gardenpath.suites.report import check
from gardenpath.suites.roles.reader import read_suite
from gardenpath.treebank.format.treebank import Treebank
from gardenpath_generate.treebank_pairs.changes import PHENOMENA
from gardenpath_generate.treebank_pairs.pairs import TreebankPairs, pairs_from_treebank, write_pairs

FEATS = {
    "1sg": "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin",
    "2sg": "Mood=Ind|Number=Sing|Person=2|Tense=Pres|VerbForm=Fin",
    "3sg": "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    "3pl": "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin",
    "sub": "Mood=Sub|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    "past": "Mood=Ind|Tense=Past|VerbForm=Fin",
    "sg": "Number=Sing", "pl": "Number=Plur",
    "i": "Number=Sing|Person=1", "you": "Number=Sing|Person=2",
}  # fmt: skip
"""Short names; what is not one of them stands for itself."""

DOG, DOGS = "dog/dog/NOUN/{}/nsubj/sg", "dogs/dog/NOUN/{}/nsubj/pl"
BARKS = f"the/the/DET/2/det {DOG.format(3)} barks/bark/VERB/0/root/3sg loudly/loudly/ADV/3/advmod ././PUNCT/3/punct"
BARK = f"the/the/DET/2/det {DOGS.format(3)} bark/bark/VERB/0/root/3pl loudly/loudly/ADV/3/advmod ././PUNCT/3/punct"
ENGLISH = [BARKS] * 20 + [BARK] * 20
"""Enough sentences that keep the rule for it to hold, one way and the other."""


def treebank(sentences: list[str]) -> Treebank:
    """Sentences as words `form/lemma/UPOS/head/relation/features`; `+` at the end is SpaceAfter=No."""
    blocks = []
    for number, sentence in enumerate(sentences, 1):
        lines = [f"# sent_id = s{number}"]
        for place, word in enumerate(sentence.split(), 1):
            form, lemma, tag, head, relation, *feats = word.removesuffix("+").split("/")
            features = FEATS.get(feats[0], feats[0]) if feats else "_"
            misc = "SpaceAfter=No" if word.endswith("+") else "_"
            lines.append(f"{place}\t{form}\t{lemma}\t{tag}\t_\t{features}\t{head}\t{relation}\t_\t{misc}")
        blocks.append("\n".join(lines) + "\n\n")
    return Treebank("".join(blocks).encode(), name="hand.conllu")


def pairs(sentence: str, *, phenomenon: str, background: list[str] = ENGLISH) -> list[tuple[str, str]]:
    """(good, bad) of a sentence that comes before so many others."""
    made = pairs_from_treebank(treebank([sentence, *background]), [phenomenon])
    return [(pair.good, pair.bad) for pair in made.pairs[phenomenon] if pair.sentence == 0]


def reason(sentence: str, *, phenomenon: str = "subject-verb-number", background: list[str] = ENGLISH) -> str:
    """Why a sentence gives no pair: the reason that is counted with it and not without it."""
    with_it = pairs_from_treebank(treebank([sentence, *background]), [phenomenon])
    without = pairs_from_treebank(treebank(background), [phenomenon])
    assert not [pair for pair in with_it.pairs[phenomenon] if pair.sentence == 0]
    more = with_it.left_out - without.left_out
    assert len(more) == 1, more
    return next(iter(more))[1]


# ---- phenomena


def test_number_of_the_verb_with_an_attractor() -> None:
    near = f"{DOG.format(4)} near/near/ADP/3/case cats/cat/NOUN/1/nmod/pl barks/bark/VERB/0/root/3sg+ ././PUNCT/4/punct"
    made = pairs_from_treebank(treebank([near, *ENGLISH]), ["subject-verb-number"])
    pair = made.pairs["subject-verb-number"][0]
    assert (pair.good, pair.bad) == ("dog near cats barks.", "dog near cats bark.")
    assert (pair.attractors, pair.distance, pair.position, pair.controller) == (1, 3, 4, "dog")
    assert (pair.value, pair.other, pair.feats) == ("Sing", "Plur", FEATS["3pl"])


def test_a_noun_with_the_same_number_is_no_attractor() -> None:
    near = f"{DOG.format(4)} near/near/ADP/3/case cat/cat/NOUN/1/nmod/sg barks/bark/VERB/0/root/3sg ././PUNCT/4/punct"
    made = pairs_from_treebank(treebank([near, *ENGLISH]), ["subject-verb-number"])
    assert made.pairs["subject-verb-number"][0].attractors == 0


def test_the_auxiliary_changes_where_it_shows_number() -> None:
    background = [
        f"the/the/DET/2/det {DOG.format(4)} is/be/AUX/4/aux/3sg sleeping/sleep/VERB/0/root/VerbForm=Part",
        f"the/the/DET/2/det {DOGS.format(4)} are/be/AUX/4/aux/3pl sleeping/sleep/VERB/0/root/VerbForm=Part",
    ] * 20
    assert pairs(background[0], phenomenon="subject-verb-number", background=background) == [
        ("the dog is sleeping", "the dog are sleeping")
    ]


def test_person() -> None:
    background = [
        "I/I/PRON/2/nsubj/i am/be/AUX/0/root/1sg here/here/ADV/2/advmod ././PUNCT/2/punct",
        "she/she/PRON/2/nsubj/3sg is/be/AUX/0/root/3sg here/here/ADV/2/advmod ././PUNCT/2/punct",
    ] * 20
    assert pairs(background[0], phenomenon="subject-verb-person", background=background) == [
        ("I am here .", "I is here .")
    ]
    first = background[0].replace("am/", "Am/").replace("I/I", "i/I")
    assert pairs(first, phenomenon="subject-verb-person", background=background) == [("i Am here .", "i Is here .")]


@pytest.mark.parametrize(
    "sentence",
    [
        "dedi/de/VERB/0/root/3sg baba/baba/NOUN/1/nsubj/sg yine/yine/ADV/1/advmod ././PUNCT/1/punct",
        "baba/baba/NOUN/3/nsubj/sg ,/,/PUNCT/1/punct dedi/de/VERB/0/root/3sg ././PUNCT/3/punct",
    ],
    ids=["after the verb", "before a comma"],
)
def test_no_person_where_the_subject_could_be_addressed(sentence: str) -> None:
    """'Dedim, baba' is right in Turkish: I said, father."""
    reasons = [
        "baba/baba/NOUN/3/nsubj/sg yine/yine/ADV/3/advmod dedi/de/VERB/0/root/3sg ././PUNCT/3/punct",
        "dedi/de/VERB/0/root/3sg baba/baba/NOUN/1/nsubj/sg hep/hep/ADV/1/advmod ././PUNCT/1/punct",
        "ben/ben/PRON/3/nsubj/i yine/yine/ADV/3/advmod dedim/de/VERB/0/root/1sg ././PUNCT/3/punct",
    ] * 20
    assert pairs(reasons[0], phenomenon="subject-verb-person", background=reasons) == [
        ("baba yine dedi .", "baba yine dedim .")
    ]
    assert reason(sentence, phenomenon="subject-verb-person", background=reasons) == "vocative"


def test_a_person_that_is_only_another_number_is_none() -> None:
    """'It are' is a plural; 'it am' is the wrong person."""
    forms = [("it", "is", "3sg"), ("they", "are", "3pl"), ("you", "are", "2sg"), ("I", "am", "1sg")]
    sentences = [
        f"{who}/{who}/PRON/2/nsubj/{feats} {verb}/be/AUX/0/root/{feats} here/here/ADV/2/advmod ././PUNCT/2/punct"
        for who, verb, feats in forms
    ] * 20
    assert pairs(sentences[0], phenomenon="subject-verb-person", background=sentences) == [
        ("it is here .", "it am here .")
    ]


def test_gender_of_a_participle_depends_on_its_auxiliary() -> None:
    """French: with être the participle agrees, with avoir it does not, so only the first is a rule."""
    elle, il = "elle/il/PRON/3/nsubj/Gender=Fem|Number=Sing", "il/il/PRON/3/nsubj/Gender=Masc|Number=Sing"
    fem, masc = (f"Gender={gender}|Number=Sing|VerbForm=Part" for gender in ("Fem", "Masc"))
    come = [
        f"{elle} est/être/AUX/3/aux/3sg venue/venir/VERB/0/root/{fem} hier/hier/ADV/3/advmod",
        f"{il} est/être/AUX/3/aux/3sg venu/venir/VERB/0/root/{masc} hier/hier/ADV/3/advmod",
    ]
    eaten = f"{elle} a/avoir/AUX/3/aux/3sg venu/venir/VERB/0/root/{masc} hier/hier/ADV/3/advmod"
    background = come * 20 + [eaten] * 30
    assert pairs(come[0], phenomenon="subject-verb-gender", background=background) == [
        ("elle est venue hier", "elle est venu hier")
    ]
    il_a = eaten.replace("elle/", "il/").replace("nsubj/Gender=Fem", "nsubj/Gender=Masc")
    assert pairs(il_a, phenomenon="subject-verb-gender", background=background) == []


def german(subject: str, object: str, *, verb_first: bool = False) -> str:
    """A German main clause; subject and object are words at positions 1-2 and 4-5, or the other way round."""
    first, last = (object, subject) if verb_first else (subject, object)
    return f"{first} sieht/sehen/VERB/0/root/3sg {last} ././PUNCT/3/punct"


def noun_phrase(article: str, noun: str, case: str, gender: str, relation: str, at: int) -> str:
    feats = f"Case={case}|Gender={gender}|Number=Sing"
    return f"{article}/der/DET/{at + 1}/det/{feats}|PronType=Art {noun}/{noun}/NOUN/3/{relation}/{feats}"


HE_SEES_HIM = german(
    noun_phrase("der", "Hund", "Nom", "Masc", "nsubj", 1), noun_phrase("den", "Mann", "Acc", "Masc", "obj", 4)
)
HIM_SEES_HE = german(
    noun_phrase("der", "Mann", "Nom", "Masc", "nsubj", 4), noun_phrase("den", "Hund", "Acc", "Masc", "obj", 1),
    verb_first=True,
)  # fmt: skip
SHE_SEES_HIM = german(
    noun_phrase("die", "Frau", "Nom", "Fem", "nsubj", 1), noun_phrase("den", "Hund", "Acc", "Masc", "obj", 4)
)
SHE_SEES_HER = german(
    noun_phrase("der", "Hund", "Nom", "Masc", "nsubj", 1), noun_phrase("die", "Frau", "Acc", "Fem", "obj", 4)
)
GERMAN = [HE_SEES_HIM, HIM_SEES_HE, SHE_SEES_HIM, SHE_SEES_HER] * 20


def test_case_of_the_object_by_the_one_word_that_shows_it() -> None:
    """Hund and Mann look the same in both cases: the article alone changes."""
    assert pairs(HE_SEES_HIM, phenomenon="object-case", background=GERMAN) == [
        ("der Hund sieht den Mann .", "der Hund sieht der Mann .")
    ]


def test_no_case_where_the_subject_could_be_the_object_then() -> None:
    """'Die Frau sieht der Hund' is right in German: the dog sees the woman."""
    assert reason(SHE_SEES_HIM, phenomenon="object-case", background=GERMAN) == "roles may change"


def test_a_feminine_object_looks_like_a_subject() -> None:
    assert reason(SHE_SEES_HER, phenomenon="object-case", background=GERMAN) == "same form"


def test_fixed_order_tells_the_roles() -> None:
    """English: she before the verb and he after it is no subject."""
    he = "Case={}|Number=Sing|Person=3"
    clauses = [
        f"{DOG.format(2)} sees/see/VERB/0/root/3sg him/he/PRON/2/obj/{he.format('Acc')} ././PUNCT/2/punct",
        f"he/he/PRON/2/nsubj/{he.format('Nom')} sees/see/VERB/0/root/3sg him/he/PRON/2/obj/{he.format('Acc')} "
        "././PUNCT/2/punct",
    ] * 20  # fmt: skip
    assert pairs(clauses[0], phenomenon="object-case", background=clauses) == [("dog sees him .", "dog sees he .")]


def test_no_case_where_the_language_marks_objects_both_ways() -> None:
    """Turkish objects are nominative or accusative: neither is wrong."""
    ben = "Case={}|Number=Sing|Person=1"
    both = [
        f"o/o/PRON/3/nsubj/Case=Nom|Number=Sing {form}/ben/PRON/3/obj/{ben.format(case)} gördü/gör/VERB/0/root/3sg"
        " ././PUNCT/3/punct"
        for form, case in [("beni", "Acc"), ("beni", "Acc"), ("ben", "Nom")]
    ] * 20  # fmt: skip
    assert reason(both[0], phenomenon="object-case", background=both) == "no rule"


THIS = [
    "this/this/DET/2/det/sg dog/dog/NOUN/3/nsubj/sg barks/bark/VERB/0/root/3sg ././PUNCT/3/punct",
    "these/this/DET/2/det/pl dogs/dog/NOUN/3/nsubj/pl bark/bark/VERB/0/root/3pl ././PUNCT/3/punct",
] * 20


def test_number_of_the_determiner() -> None:
    assert pairs(THIS[0], phenomenon="determiner-noun-number", background=THIS) == [
        ("this dog barks .", "these dog barks .")
    ]


def test_no_determiner_where_the_noun_is_the_same_in_both_numbers() -> None:
    sheep = "this/this/DET/2/det/sg sheep/sheep/NOUN/3/nsubj/sg sleeps/sleep/VERB/0/root/3sg ././PUNCT/3/punct"
    unknown = reason(sheep, phenomenon="determiner-noun-number", background=THIS)
    plural = "two/two/NUM/2/nummod sheep/sheep/NOUN/3/nsubj/pl sleep/sleep/VERB/0/root/3pl ././PUNCT/3/punct"
    assert unknown == reason(sheep, phenomenon="determiner-noun-number", background=[plural, *THIS]) == "syncretic"


def test_no_determiner_before_a_letter_where_it_does_not_stand() -> None:
    """Of French le and la, only those before consonants are known."""
    masc, fem = (f"Gender={gender}|Number=Sing" for gender in ("Masc", "Fem"))
    words = [
        f"le/le/DET/2/det/{masc} chien/chien/NOUN/3/nsubj/{masc} dort/dormir/VERB/0/root/3sg ././PUNCT/3/punct",
        f"la/le/DET/2/det/{fem} chatte/chatte/NOUN/3/nsubj/{fem} dort/dormir/VERB/0/root/3sg ././PUNCT/3/punct",
    ] * 20
    assert pairs(words[0], phenomenon="determiner-noun-gender", background=words) == [
        ("le chien dort .", "la chien dort .")
    ]
    assert reason(words[0].replace("chien", "onze"), phenomenon="determiner-noun-gender", background=words) == "sound"


def test_no_determiner_that_melts_into_the_word_before_it() -> None:
    """French de and le are du: 'de le fille' would be wrong for two reasons."""
    masc, fem = (f"Gender={gender}|Number=Sing" for gender in ("Masc", "Fem"))
    of_him = "\n".join(
        ["# sent_id = m", "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_", "1\tde\tde\tADP\t_\t_\t3\tcase\t_\t_",
         f"2\tle\tle\tDET\t_\t{masc}\t3\tdet\t_\t_", f"3\tfils\tfils\tNOUN\t_\t{masc}\t4\tobl\t_\t_",
         "4\tparle\tparler\tVERB\t_\t_\t0\troot\t_\t_", "", ""]
    )  # fmt: skip
    others = [
        f"le/le/DET/2/det/{masc} fils/fils/NOUN/3/nsubj/{masc} dort/dormir/VERB/0/root/3sg ././PUNCT/3/punct",
        f"de/de/ADP/3/case la/le/DET/3/det/{fem} fille/fille/NOUN/4/obl/{fem} parle/parler/VERB/0/root/3sg",
    ] * 20
    data = treebank(others).to_bytes() + b"\n" + of_him.encode()
    made = pairs_from_treebank(Treebank(data.replace(b"\n\n\n", b"\n\n")), ["determiner-noun-gender"])
    assert made.left_out["determiner-noun-gender", "contraction"] == 20


def test_a_cell_with_several_forms_has_none_that_is_the_one() -> None:
    """French mes, tes and ses are one cell where persons are not told apart."""
    mine = ["mon", "ton"], ["mes", "tes"]
    words = [
        f"{form}/son/DET/2/det/{number} {noun}/fils/NOUN/3/nsubj/{number} dort/dormir/VERB/0/root/3sg ././PUNCT/3/punct"
        for forms, noun, number in [(mine[0], "fil", "sg"), (mine[1], "fils", "pl")]
        for form in forms
    ] * 20
    assert reason(words[0], phenomenon="determiner-noun-number", background=words) == "no form"


def test_gender_is_not_case() -> None:
    """German: 'der Frau' is a dative, so the feminine takes 'das' instead."""
    dative = "mit/mit/ADP/3/case der/der/DET/3/det/Case=Dat|Gender=Fem|Number=Sing|PronType=Art " \
             "Frau/Frau/NOUN/4/obl/Case=Dat|Gender=Fem|Number=Sing lacht/lachen/VERB/0/root/3sg"  # fmt: skip
    neuter = german(
        noun_phrase("das", "Kind", "Nom", "Neut", "nsubj", 1), noun_phrase("den", "Mann", "Acc", "Masc", "obj", 4)
    )
    frau = "das/der/DET/2/det/Case=Acc|Gender=Neut|Number=Sing|PronType=Art F/F/NOUN/3/dep sieht/sehen/VERB/0/root"
    made = pairs(SHE_SEES_HIM, phenomenon="determiner-noun-gender", background=[*GERMAN, *[dative, neuter] * 20, frau])
    assert ("die Frau sieht den Hund .", "das Frau sieht den Hund .") in made
    assert not [bad for _, bad in made if bad.startswith("der Frau")]


# ---- what the treebank must show


def test_a_rule_needs_sites_that_keep_it() -> None:
    assert reason(BARKS, background=[BARKS] * 18 + [BARK] * 20) == "no rule"


def test_a_rule_that_the_treebank_breaks_is_none() -> None:
    """Turkish plurals go with singular verbs: that is no error, but the other way round is."""
    loose = f"the/the/DET/2/det {DOGS.format(3)} barks/bark/VERB/0/root/3sg often/often/ADV/3/advmod"
    made = pairs_from_treebank(treebank([*ENGLISH, *[loose] * 5]), ["subject-verb-number"])
    changes = {(pair.value, pair.other) for pair in made.pairs["subject-verb-number"]}
    assert changes == {("Sing", "Plur")}
    shown = {(rule.value, rule.other): (rule.kept, rule.broken) for rule in made.rules}
    assert shown == {("Sing", "Plur"): (20, 0), ("Plur", "Sing"): (20, 5)}
    assert made.left_out["subject-verb-number", "no agreement"] == 5


def test_a_noun_that_is_found_with_both_is_left_out() -> None:
    team = "the/the/DET/2/det team/team/NOUN/3/nsubj/sg {} loudly/loudly/ADV/3/advmod"
    both = [team.format(verb) for verb in ("barks/bark/VERB/0/root/3sg", "bark/bark/VERB/0/root/3pl")]
    assert reason(both[0], background=[both[1], *ENGLISH]) == "wavering"


# ---- filters of forms


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        (BARKS.replace("barks/bark", "meows/meow"), "no form"),
        (BARKS.replace("barks/bark", "BARKS/bark"), "not a word of its own"),
        (BARKS.replace("loudly", '"loudly"'), "quotation"),
        (BARKS.replace("././PUNCT/3/punct", "uh/uh/INTJ/3/reparandum"), "broken sentence"),
        (f"{DOG.format(2)} barks/bark/VERB/0/root/3sg", "length"),
        (f"{BARKS} " + " ".join(["very/very/ADV/3/advmod"] * 40), "length"),
        (BARKS.replace("loudly/loudly/ADV/3/advmod", "'s/be/PART/3/advmod").replace("3sg ", "3sg+ "),
         "not a word of its own"),
    ],
)  # fmt: skip
def test_filters_of_words_and_sentences(sentence: str, why: str) -> None:
    assert reason(sentence) == why


def test_no_pair_of_a_form_that_may_be_right() -> None:
    """'bark' is also a subjunctive here: 'that the dog bark'."""
    subjunctive = f"the/the/DET/2/det {DOG.format(3)} bark/bark/VERB/0/root/sub here/here/ADV/3/advmod"
    assert reason(BARKS, background=[subjunctive, *ENGLISH]) == "syncretic"


def test_other_verbs_show_what_a_form_may_be() -> None:
    """Two verbs have one form for the plural and the subjunctive, so a third has it too, until it shows another."""

    def clause(form: str, lemma: str, feats: str) -> str:
        noun = DOGS if feats == "3pl" else DOG
        return f"the/the/DET/2/det {noun.format(3)} {form}/{lemma}/VERB/0/root/{feats} here/here/ADV/3/advmod"

    others = [clause(verb, verb, feats) for verb in ("run", "sleep") for feats in ("3pl", "sub")]
    assert reason(BARKS, background=[*others, *ENGLISH]) == "syncretic"
    own = clause("barke", "bark", "sub")
    assert pairs(BARKS, phenomenon="subject-verb-number", background=[own, *others, *ENGLISH])


def test_no_pair_of_a_subject_that_may_have_the_other_number() -> None:
    """German sie is she and they."""
    sie = "sie/sie/PRON/2/nsubj/{} {} laut/laut/ADV/2/advmod ././PUNCT/2/punct"
    she = sie.format("Number=Sing|Person=3", "barks/bark/VERB/0/root/3sg")
    they = sie.format("Number=Plur|Person=3", "bark/bark/VERB/0/root/3pl")
    assert reason(she, background=[they, *ENGLISH]) == "syncretic controller"


@pytest.mark.parametrize(
    "sentence",
    [
        "dog/dog/NOUN/4/nsubj/sg and/and/CCONJ/3/cc cat/cat/NOUN/1/conj/sg barks/bark/VERB/0/root/3sg",
        f"{DOG.format(2)} barks/bark/VERB/0/root/3sg and/and/CCONJ/4/cc runs/run/VERB/2/conj/3sg",
        f"there/there/PRON/2/expl barks/bark/VERB/0/root/3sg a/a/DET/4/det {DOG.format(2)}",
        "five/five/NUM/2/nummod dog/dog/NOUN/3/nsubj/sg barks/bark/VERB/0/root/3sg ././PUNCT/3/punct",
        "that/that/SCONJ/2/mark barks/bark/VERB/3/csubj/3sg barks/bark/VERB/0/root/3sg ././PUNCT/3/punct",
        "teh/dog/NOUN/2/nsubj/Number=Sing|Typo=Yes barks/bark/VERB/0/root/3sg loud/loud/ADV/2/advmod ././PUNCT/2/punct",
        "dog/dog/NOUN/4/nsubj/sg barks/bark/AUX/4/cop/3sg the/the/DET/4/det cats/cat/NOUN/0/root/pl",
    ],
    ids=["coordinated subject", "coordinated verb", "expletive", "numeral", "clause", "typo", "copula"],
)
def test_what_is_no_site(sentence: str) -> None:
    made = pairs_from_treebank(treebank([sentence, *ENGLISH]), ["subject-verb-number"])
    assert made.sites["subject-verb-number"] == len(ENGLISH)


# ---- forms from a file, samples, files


def test_forms_of_a_unimorph_file(tmp_path) -> None:
    meows = BARKS.replace("barks/bark", "meows/meow")
    forms = tmp_path / "eng.txt"
    forms.write_text("meow\tmeow\tV;IND;PRS;3;PL\nmeow\tmeowed\tV;PST\nmeow\tto meow\tV;NFIN\n", encoding="utf-8")
    made = pairs_from_treebank(treebank([meows, *ENGLISH]), ["subject-verb-number"], unimorph=forms)
    assert made.pairs["subject-verb-number"][0].bad == "the dog meow loudly ."
    forms.write_text("meow meow V;PRS\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"eng\.txt:1"):
        pairs_from_treebank(treebank(ENGLISH), unimorph=forms)
    forms.write_text("up\tup\tADV\n", encoding="utf-8")
    with pytest.raises(InputError, match="part of speech"):
        pairs_from_treebank(treebank(ENGLISH), unimorph=forms)


def test_a_sample_is_drawn_by_its_seed() -> None:
    different = [BARKS.replace("loudly", f"loudly{letter}") for letter in "abcdefghijklmnopqrst"]

    def chosen(seed: int) -> list[int]:
        made = pairs_from_treebank(treebank([*different, *ENGLISH]), ["subject-verb-number"], most=5, seed=seed)
        return [pair.sentence for pair in made.pairs["subject-verb-number"]]

    assert chosen(1) == chosen(1) != chosen(2)
    assert len(chosen(1)) == 5


def test_names_and_sizes_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="subject-verb-number"):
        pairs_from_treebank(treebank(ENGLISH), ["subject-verb-nmber"])
    with pytest.raises(UsageError, match="none"):
        pairs_from_treebank(treebank(ENGLISH), most=0)


@pytest.fixture
def made() -> TreebankPairs:
    return pairs_from_treebank(treebank(GERMAN))


def test_the_same_two_sentences_are_one_pair() -> None:
    made = pairs_from_treebank(treebank(ENGLISH), ["subject-verb-number"])
    assert len(made) == 2
    assert made.left_out == {("subject-verb-number", "repeated"): 38}


def test_every_site_is_a_pair_or_counted(made) -> None:
    assert made.sites.total() == len(made) + sum(made.left_out.values())
    assert set(made.pairs) == set(PHENOMENA)


def test_one_word_differs_in_every_pair(made) -> None:
    assert len(made)
    for pairs_of_one in made.pairs.values():
        for pair in pairs_of_one:
            good, bad = pair.good.split(), pair.bad.split()
            differ = [place for place, words in enumerate(zip(good, bad, strict=True), 1) if words[0] != words[1]]
            assert differ == [pair.position]
            assert (good[pair.position - 1], bad[pair.position - 1]) == (pair.good_word, pair.bad_word)


def test_what_is_written_is_read_and_has_no_problems(made, tmp_path) -> None:
    files = {path.name: path for path in write_pairs(made, tmp_path)}
    assert files.keys() == {"object-case.tsv", "trees.conllu", "arcs.conllu"}
    suites = list(read_region_suites(tmp_path))
    assert {suite.title: len(suite) for suite in suites} == {
        name: len(pairs_of_one) for name, pairs_of_one in made.pairs.items() if pairs_of_one
    }
    assert {suite.properties["class"] for suite in suites} == {"case"}
    trees = Treebank(files["trees.conllu"].read_bytes())
    assert trees.block(0) == made.treebank.block(0)
    arcs = read_suite(files["arcs.conllu"])
    assert list(check(arcs)) == []
    assert set(arcs.orders) == {"VO"}  # "den Hund sieht der Mann" has the same bad sentence, which comes once
    first = arcs.items[0]
    assert (first.text, first.arcs[0].label, first.arcs[0].dependent) == ("der Hund sieht den Mann .", "obj", 5)
    assert arcs.items[1].text == "der Hund sieht der Mann ."
    assert arcs.items[1].properties == ("wrong_case",)
    assert {pair.change for pair in arcs.pairs() if pair.kind == "property"} == {"wrong_case"}
