"""Lexicons and grammar files: one's own, those of packages, and what is wrong in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.suites import check
from gardenpath_generate.roles.language import bundled_language
from gardenpath_generate.roles.lexicon import read_lexicon
from gardenpath_generate.roles.subject_object import generate_roles

SMALL = """\
language = "de"
adverbs = ["deshalb"]
conjunctions = ["weil"]
names = [{ lemma = "Anna", gender = "fem" }]
phrases = [{ preposition = "in", determiner = "diesem", noun = "Jahr", gender = "neut" }]

[nouns]
human = [
  { lemma = "Bauer", gender = "masc", plural = "Bauern", oblique = "Bauern", feminine = "Bäuerin" },
  { lemma = "Koch", gender = "masc", plural = "Köche", feminine = "Köchin" },
]
animal = [{ lemma = "Hase", gender = "masc", plural = "Hasen", oblique = "Hasen" }]
tool = [
  { lemma = "Korb", gender = "masc", plural = "Körbe" },
  { lemma = "Säge", gender = "fem", plural = "Sägen" },
]

[verbs]
accusative = [{ lemma = "suchen", present = "sucht", roles = ["human > tool human animal"] }]
psych_accusative = [{ lemma = "freuen", present = "freut", roles = ["tool > human"] }]
psych_dative = [
  { lemma = "gefallen", present = "gefällt", past = "gefiel", participle = "gefallen", roles = ["tool > human"] },
]
"""


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


def sentences(path: Path, **options: object) -> set[str]:
    data = generate_roles("de", lexicon=path, **options).data.decode()  # type: ignore[arg-type]
    return {line[9:] for line in data.split("\n") if line.startswith("# text = ")}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"size": 600}, {
            "Einen Korb sucht der Koch.", "Deshalb suchen die Bauern Körbe.", "Sucht ihn der Koch?",
            "Weil der Bauer einen Hasen suchen wird.", "Der Koch sucht in diesem Jahr einen Korb.",
            "Deshalb gefällt einem Bauern der Korb.", "Weil der Korb einem Bauern gefällt.", "Er sucht ihn.",
            "Keinen Korb sucht der Koch.", "Niemanden sucht der Bauer.", "Anna sucht einen Korb.",
            "Weil der Koch nichts sucht.",
        }),
        ({"size": 250, "ambiguity": "full"}, {
            "Sucht die Bäuerin eine Säge?", "Eine Säge sucht die Bäuerin.", "Weil Köche die Körbe freuen.",
        }),
        ({"size": 600, "tense": "past"}, {
            "Der Koch suchte einen Korb.", "Weil der Koch einen Korb gesucht hat.", "Der Korb gefiel einem Bauern.",
        }),
    ],
)  # fmt: skip
def test_a_small_lexicon_gives_these_sentences(lexicon: Path, options: dict[str, object], expected: set[str]) -> None:
    found = sentences(lexicon, **options)
    assert expected - found == set()
    assert "ambiguity" not in options or not any(" einen " in text or " der " in text for text in found)


def test_a_small_lexicon_passes_the_checks_too(lexicon: Path) -> None:
    for ambiguity in ("part", "full", "none"):
        assert list(check(generate_roles("de", size=100, ambiguity=ambiguity, lexicon=lexicon).suite())) == []


def test_more_than_a_lexicon_can_give_says_how_much_it_can(lexicon: Path) -> None:
    with pytest.raises(InputError, match=r"9,000 sentences were asked for, this lexicon gives 6[0-9]{2}") as error:
        generate_roles("de", size=9000, lexicon=lexicon)
    assert error.value.where == "small.toml"
    most = int(error.value.what.split()[-1].replace(",", ""))
    assert len(sentences(lexicon, size=most)) == most


def test_the_lexicon_of_the_documentation_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "suites.md").read_text("utf-8")
    path = tmp_path / "page.toml"
    path.write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    found = sentences(path, size=400)
    assert {
        "Der Koch bewirtet einen Bauern.",
        "Übung macht den Meister.",
        "Macht der Bauer eine Pause?",
    } - found == set()


def test_an_extension_adds_to_the_bundled_lexicon(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "de"\n[nouns]\nspice = [{ lemma = "Pfeffer", gender = "masc" }]\n'
        '[verbs]\naccusative = [{ lemma = "mahlen", present = "mahlt", roles = ["human > spice"] }]\n',
        encoding="utf-8",
    )
    mine, bundled = read_lexicon(path), read_lexicon(bundled_language("de").lexicon)
    assert (len(mine.nouns), len(mine.verbs)) == (len(bundled.nouns) + 1, len(bundled.verbs) + 1)
    assert mine.digest != bundled.digest
    assert any("mahl" in text and "Pfeffer" in text for text in sentences(path, size=10_000))


def test_an_extension_can_replace_an_entry(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "de"\nadverbs = ["folglich"]\n[nouns]\nhuman = [{ lemma = "Gast", gender = "masc" }]\n', "utf-8"
    )
    (guest,) = (noun for noun in read_lexicon(path).nouns if noun.lemma == "Gast")
    assert guest.plural == ""
    assert "folglich" in read_lexicon(path).adverbs


@pytest.mark.parametrize("language", ["de", "nl"])
def test_bundled_lexicons_are_as_large_as_promised(language: str) -> None:
    lexicon = read_lexicon(bundled_language(language).lexicon)
    nouns, verbs = {"de": (120, 80), "nl": (80, 50)}[language]
    assert len(lexicon.nouns) >= nouns
    assert len(lexicon.verbs) >= verbs
    assert min(map(len, (lexicon.asymmetric, lexicon.light, lexicon.idioms, lexicon.names, lexicon.adjuncts))) >= 8


BAD = [
    ('gender = "masc", plural = "Körbe"', 'plural = "Körbe"', "(Korb)", "gender is missing", "add gender"),
    ('lemma = "Säge", gender = "fem"', 'lemma = "Säge", gender = "femme"', "(Säge)", "unknown gender", "mean fem"),
    ('present = "sucht", ', "", "verbs.accusative, entry 1 (suchen)", "present is missing", 'add present = "…"'),
    ("roles = [", "rolls = [", "verbs.accusative, entry 1 (suchen)", "unknown field 'rolls'", "did you mean roles?"),
    ("human > tool human", "human > tol human", "entry 1 (suchen)", "unknown class 'tol'", "did you mean tool?"),
    ("human > tool human", "human tool human", "entry 1 (suchen)", "is not a role", "human institution > building"),
    ('roles = ["human', 'synonym = "finden", roles = ["human', "verbs: suchen: synonym", "unknown verb 'finden'", ""),
    ('adverbs = ["deshalb"]', "", "small.toml", "adverbs is missing", "list adverbs"),
    ('language = "de"', 'language = "da"', "small.toml", "language is 'da'", 'language = "de"'),
    ('language = "de"', "", "small.toml", "language is missing", 'language = "de"'),
    ('["deshalb"]', '"deshalb"', "adverbs", "must be a list of texts", "["),
    ("[nouns]", "[nouns", "small.toml", "this is not TOML", "docs/suites.md"),
    ('animal = [{ lemma = "Hase"', 'animal = ["Hase", { lemma = "Hase"', "animal", "entry 1 is not a table", "{ lemma"),
    ('lemma = "Korb"', 'lemma = "Ko\\trb"', "nouns.tool, entry 1", "lemma is", "without tabs"),
    ('lemma = "Korb"', 'lemma = ""', "nouns.tool, entry 1", "lemma is missing", "add lemma"),
]  # fmt: skip


def test_what_cannot_be_asked_for(lexicon: Path, tmp_path: Path) -> None:
    for language, near in (("german", "de"), ("Dutch", "nl"), ("NLD", "nl")):
        with pytest.raises(UsageError, match=f"did you mean.* {near}"):
            generate_roles(language)
    with pytest.raises(UsageError, match="unknown ambiguity 'ful'"):
        generate_roles("de", ambiguity="ful")
    with pytest.raises(UsageError, match="the lexicon is in 'de', not in 'nl'"):
        generate_roles("nl", lexicon=lexicon)
    with pytest.raises(UsageError, match="has no pair"):
        generate_roles("de", size=1)
    with pytest.raises(UsageError, match="too many at once"):
        generate_roles("de", size=10**9)
    with pytest.raises(InputError, match="cannot be read"):
        generate_roles("de", lexicon=tmp_path / "none.toml")


PAGE = Path(__file__).parents[2] / "docs" / "grammars.md"


def smallest() -> tuple[str, str]:
    """The grammar and the lexicon that the page shows."""
    grammar, lexicon = re.findall(r"```toml title=\"latin/\w+\.toml\"\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return grammar, lexicon


@pytest.fixture
def latin(tmp_path: Path) -> Path:
    folder = tmp_path / "latin"
    folder.mkdir()
    for name, text in zip(("grammar.toml", "lexicon.toml"), smallest(), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def texts(folder: Path, **options: object) -> list[str]:
    data = generate_roles(grammar=folder, **options).data.decode()  # type: ignore[arg-type]
    return [line[9:] for line in data.split("\n") if line.startswith("# text = ")]


def test_the_smallest_grammar_of_the_page_makes_a_suite(latin: Path) -> None:
    made = generate_roles(grammar=latin, size=24)
    suite = made.suite()
    assert (suite.language, list(check(suite))) == ("la", [])
    page = PAGE.read_text("utf-8")
    assert texts(latin, size=24)[:5] == re.findall(r"^# text = (.*)", page, re.MULTILINE)[:5]
    assert (
        f"24 sentences of {made.bases} base sentences; {made.pairs} minimal pairs, in {made.several_words} of" in page
    )


def test_a_package_adds_a_language(latin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (latin / "__init__.py").touch()
    latin.rename(tmp_path / "latin_grammar")
    info = tmp_path / "latin_grammar-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: latin-grammar\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gardenpath.languages]\nla = latin_grammar\nxx = no_such_package\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert generate_roles("la", size=24).language == "la"
    with pytest.raises(UsageError, match=r"latin-grammar 1\.0 cannot be loaded"):
        generate_roles("xx", size=24)


def test_a_lexicon_for_a_grammar_of_ones_own(latin: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.toml"
    more.write_text('extends = "la"\n[nouns]\nanimal = [{ sing = "lupus lupum" }]\n', encoding="utf-8")
    assert any("Lupum" in text for text in texts(latin, size=60, lexicon=more))


def test_a_grammar_says_its_language_itself(latin: Path) -> None:
    with pytest.raises(UsageError, match="the grammar is of 'la', not of 'nl'"):
        generate_roles("nl", grammar=latin)
    assert generate_roles("la", grammar=latin, size=24).language == "la"
    with pytest.raises(UsageError, match="unknown tense of Latin 'past'"):
        generate_roles(grammar=latin, tense="past")


BAD_GRAMMARS = [
    ('layout = "S V O"', 'layout = "S V"', 'orders."SVO"', "layout has not exactly one O", "write it once"),
    ('layout = "S V O"', 'layout = "S V Q"', 'orders."SVO"', "unknown part of a clause 'Q'", "known: "),
    ('cases = ["nom", "acc"]', "", "latin/grammar.toml", "cases is missing", 'write cases = ["…"]'),
    ('sing = "sing.1 sing.2"', 'sing = "sing.1"', "nouns", "sing has 1 fields", "nom, acc"),
    ("Case={case}", "Case={cases}", "words.noun.feats", "unknown value 'cases'", "did you mean case"),
    ('tells = ["case"]', 'tells = ["cases"]', "tells", "unknown tells 'cases'", "did you mean case?"),
    ("[verbs.finite]", "[verbs.finit]", "verbs", "unknown field 'finit'", "did you mean finite?"),
    ('"present" = "present"', '"present" = "{present}"', "verbs.finite.forms", "is no field", "name a field"),
    ('plain = { plural = ["sing sing"]', 'plain = { plural = ["one two"]', "numbers.plain", "is not a pair", "sing"),
    ("[orders.SVO]", "[orders.SVO", "grammar.toml", "this is not TOML", "docs/grammars.md"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("grammar", "old", "new", "where", "what", "todo"),
    [*((False, *case) for case in BAD), *((True, *case) for case in BAD_GRAMMARS)],
    ids=[case[3] for case in (*BAD, *BAD_GRAMMARS)],
)
def test_a_bad_entry_is_named(
    lexicon: Path, latin: Path, grammar: bool, old: str, new: str, where: str, what: str, todo: str
) -> None:
    path = latin / "grammar.toml" if grammar else lexicon
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(GardenpathError) as error:
        generate_roles(grammar=latin) if grammar else read_lexicon(lexicon)
    assert where in error.value.where
    assert what in error.value.what
    assert todo in error.value.todo


def test_a_folder_without_the_files_is_named(latin: Path) -> None:
    (latin / "lexicon.toml").unlink()
    with pytest.raises(GardenpathError, match=r"there is no lexicon\.toml in this folder"):
        generate_roles(grammar=latin)
    with pytest.raises(GardenpathError, match=r"there is no grammar\.toml in this folder"):
        generate_roles(grammar=latin.parent)
