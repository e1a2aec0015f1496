"""Czech and Turkish suites, judged by rules that are written here and know nothing of the grammars."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated_items import Item, Row, items

from gardenpath.suites import check
from gardenpath_generate.roles.pp_attachment import generate_pp
from gardenpath_generate.roles.subject_object import Generated, generate_roles

SIZE = 900


def sentences(made: Generated) -> Iterator[Item]:
    """With forms in small letters."""
    for item in items(made.data):
        forms = [
            row.form.replace("İ", "i").replace("I", "ı") if made.language == "tr" else row.form for row in item.rows
        ]
        rows = [row._replace(form=form.lower()) for row, form in zip(item.rows, forms, strict=True)]
        yield item._replace(rows=rows)


def finite(sentence: Item) -> Row:
    return next((word for word in sentence.rows if word.deprel == "aux"), sentence.head("root"))


CZECH = [("part", "present"), ("full", "present"), ("part", "past"), ("full", "past")]


@pytest.fixture(scope="module", params=CZECH, ids="-".join)
def czech(request: pytest.FixtureRequest) -> tuple[str, str, list[Item]]:
    ambiguity, tense = request.param
    made = generate_roles("cs", size=SIZE, ambiguity=ambiguity, tense=tense, seed=5)
    assert list(check(made.suite())) == []
    return ambiguity, tense, list(sentences(made))


@pytest.fixture(scope="module", params=["part", "full"])
def turkish(request: pytest.FixtureRequest) -> tuple[str, list[Item]]:
    made = generate_roles("tr", size=SIZE, ambiguity=request.param, seed=5)
    assert list(check(made.suite())) == []
    return request.param, list(sentences(made))


# ---- Czech

CLITICS = {"ho", "ji", "je"}
NO = {
    ("Masc", "Acc"): {"žádný", "žádného", "žádné"}, ("Fem", "Acc"): {"žádnou", "žádné"},
    ("Neut", "Acc"): {"žádné", "žádná"},
}  # fmt: skip


def czech_accusative(word: Row) -> str:
    """The accusative singular of a noun by its lemma; of animate masculines only that it is another form."""
    gender, lemma = word.feats["Gender"], word.lemma.lower()
    if gender == "Fem" and lemma[-1] in "aeě":
        return lemma[:-1] + ("u" if lemma[-1] == "a" else "i")
    return lemma


def czech_case_fits(word: Row) -> bool:
    animate = word.feats.get("Animacy") == "Anim"
    if word.upos == "PRON":
        subjects = word.feats["Case"] == "Nom"
        return word.form in ({*"on ona ono oni ony nic nikdo".split()} if subjects else {*CLITICS, "nic", "nikoho"})
    if word.feats["Number"] == "Plur":
        if animate:
            return word.form.endswith(("i", "é", "ové") if word.feats["Case"] == "Nom" else ("y", "e"))
        return True
    if word.feats["Case"] == "Nom":
        return word.form == word.lemma.lower()
    if animate:
        return word.form != word.lemma.lower() and word.form[-1] in "aeu"
    return word.form == czech_accusative(word)


def test_czech_verbs_agree_with_their_subject(czech: tuple[str, str, list[Item]]) -> None:
    _, tense, suite = czech
    for sentence in suite:
        subject, verb = sentence.head("nsubj"), finite(sentence)
        number, gender = subject.feats.get("Number", "Sing"), subject.feats.get("Gender", "Neut")
        assert verb.feats["Number"] == number, sentence.text
        if tense == "present":
            endings = ("á", "e", "í", "jí") if number == "Sing" else ("í", "ou")
            assert verb.form.endswith(endings), sentence.text
            continue
        assert verb.feats["Gender"] == gender, sentence.text
        animate = subject.feats.get("Animacy") == "Anim" or subject.form == "oni"
        plural = "li" if animate else "la" if gender == "Neut" else "ly"
        ending = plural if number == "Plur" else {"Masc": "l", "Fem": "la", "Neut": "lo"}[gender]
        assert verb.form.endswith(ending), sentence.text


def test_czech_cases_fit(czech: tuple[str, str, list[Item]]) -> None:
    for sentence in czech[2]:
        for label, case in (("nsubj", "Nom"), ("obj", "Acc")):
            words = sentence.phrase(label)
            assert {word.feats["Case"] for word in words} == {case}, sentence.text
            head = sentence.head(label)
            if "prov" not in sentence.props:
                assert czech_case_fits(head), sentence.text
            for word in words:
                if word.lemma == "žádný":
                    assert word.form in NO[head.feats["Gender"], case], sentence.text


def test_czech_clitics_are_second_and_negation_is_on_the_verb_too(czech: tuple[str, str, list[Item]]) -> None:
    for sentence in czech[2]:
        object = sentence.head("obj")
        if object.form in CLITICS:
            before = sentence.rows[: sentence.rows.index(object)]
            assert [word.deprel in ("nsubj", "root", "aux") for word in before] == [True], sentence.text
        negative = any(word.feats.get("PronType") == "Neg" for word in sentence.phrase("obj"))
        assert negative == bool({"oneg", "noref"} & sentence.props), sentence.text
        assert (finite(sentence).feats["Polarity"] == "Neg") == negative, sentence.text
        assert not negative or finite(sentence).form.startswith("ne"), sentence.text


# ---- Turkish

VOWELS = "aıoueiöü"
HIGH = dict(zip(VOWELS, "ııuuiiüü", strict=True))
SOFT = {"p": "b", "ç": "c", "t": "d", "k": "ğ"}
IRREGULAR = {"saat": "saati", "resim": "resmi", "vakıf": "vakfı"}


def last_vowel(word: str) -> str:
    return next(char for char in reversed(word) if char in VOWELS)


def turkish_accusatives(stem: str) -> set[str]:
    """What vowel harmony and the softening of final consonants allow."""
    if stem in IRREGULAR:
        return {IRREGULAR[stem]}
    ending = HIGH[last_vowel(stem)]
    if stem[-1] in VOWELS:
        return {f"{stem}y{ending}"}
    return {stem + ending, stem[:-1] + SOFT.get(stem[-1], stem[-1]) + ending}


def turkish_plural(stem: str) -> str:
    return stem + ("lar" if last_vowel(stem) in "aıou" and stem != "saat" else "ler")


def test_turkish_nouns_follow_vowel_harmony(turkish: tuple[str, list[Item]]) -> None:
    for sentence in turkish[1]:
        for label in ("nsubj", "obj"):
            word = sentence.head(label)
            if word.upos == "PRON":
                assert word.form in {"Nom": ("o", "onlar"), "Acc": ("onu", "onları")}[word.feats["Case"]]
                continue
            lemma = word.lemma.lower()
            stem = turkish_plural(lemma) if word.feats["Number"] == "Plur" else lemma
            bare = word.form.replace("'", "")
            assert bare in ({stem} if word.feats["Case"] == "Nom" else turkish_accusatives(stem)), sentence.text


def test_turkish_objects_are_marked_unless_they_are_ambiguous(turkish: tuple[str, list[Item]]) -> None:
    ambiguity, suite = turkish
    for sentence in suite:
        hidden = ambiguity == "full" or "amb" in sentence.props
        object, determiners = sentence.head("obj"), sentence.phrase("obj")[:-1]
        assert sentence.head("nsubj").feats["Case"] == "Nom"
        assert object.feats["Case"] == ("Nom" if hidden else "Acc"), sentence.text
        assert [word.form for word in determiners] == ["bir"] * hidden + ["hiçbir"] * ("oneg" in sentence.props)
        if hidden:
            after = sentence.rows[sentence.rows.index(object) + 1]
            assert after is sentence.head("root"), sentence.text
            assert sentence.order in ("SOV", "OVS"), sentence.text


def test_turkish_verbs_are_third_person_and_negated_with_their_object(turkish: tuple[str, list[Item]]) -> None:
    for sentence in turkish[1]:
        verb = sentence.head("root")
        stem = verb.lemma
        negative = f"{stem}m{HIGH[last_vowel(stem)]}yor"
        assert verb.form.endswith("yor"), sentence.text
        assert (verb.form == negative) == ("oneg" in sentence.props) == (verb.feats["Polarity"] == "Neg"), sentence.text


def test_a_turkish_i_keeps_its_dot_as_a_capital(turkish: tuple[str, list[Item]]) -> None:
    capitals = {"i": "İ", "ı": "I"}
    firsts = [(sentence.rows[0].lemma[0], sentence.text[0]) for sentence in turkish[1]]
    assert all(capital == capitals[small] for small, capital in firsts if small in capitals)
    assert turkish[0] == "full" or {"i", "ı"} <= {small for small, _ in firsts}


def test_turkish_orders_are_what_they_are_called(turkish: tuple[str, list[Item]]) -> None:
    letters = {"nsubj": "S", "obj": "O", "root": "V"}
    for sentence in turkish[1]:
        spelt = "".join(letters[word.deprel] for word in sentence.rows if word.deprel in letters)
        assert spelt == sentence.order, sentence.text


# ---- all languages


@pytest.mark.parametrize("language", ["de", "nl", "cs", "tr", "de-pp", "nl-pp"])
def test_udtools_has_neither_error_nor_warning(language: str, tmp_path: Path) -> None:
    from udtools.validator import Validator

    code, _, kind = language.partition("-")
    made = generate_pp(code, size=60) if kind else generate_roles(code, size=60, seed=2)
    path = tmp_path / "suite.conllu"
    path.write_bytes(made.data)
    with contextlib.redirect_stderr(io.StringIO()):
        state = Validator(lang=code, level=5, output=None).validate_files([str(path)])
    assert [f"{incident.testid}: {incident.message}" for incident in state.error_tracker] == []


def test_as_many_pairs_are_there_as_were_built() -> None:
    for language in ("cs", "tr"):
        made = generate_roles(language, size=300, seed=1)
        assert len(made.suite().pairs()) == made.pairs
        assert generate_roles(language, size=300, seed=1).data == made.data
