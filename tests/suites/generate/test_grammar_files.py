"""Grammars of one's own: the smallest one of the documentation, one of another package, and errors in a bad one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, UsageError
from gardenpath.suites import check
from gardenpath.suites.generate import generate_roles

PAGE = Path(__file__).parents[3] / "docs" / "grammars.md"


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


BAD = [
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


@pytest.mark.parametrize(("old", "new", "where", "what", "todo"), BAD, ids=[case[3] for case in BAD])
def test_a_bad_grammar_is_named(latin: Path, old: str, new: str, where: str, what: str, todo: str) -> None:
    path = latin / "grammar.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(GardenpathError) as error:
        generate_roles(grammar=latin)
    assert where in error.value.where
    assert what in error.value.what
    assert todo in error.value.todo


def test_a_folder_without_the_files_is_named(latin: Path) -> None:
    (latin / "lexicon.toml").unlink()
    with pytest.raises(GardenpathError, match=r"there is no lexicon\.toml in this folder"):
        generate_roles(grammar=latin)
    with pytest.raises(GardenpathError, match=r"there is no grammar\.toml in this folder"):
        generate_roles(grammar=latin.parent)
