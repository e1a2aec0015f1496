"""The word lists: complete, in normal form, and unambiguous where features tell."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest

from gardenpath.treebank.perturb import PerturbationSettings, perturbation
from gardenpath.treebank.perturb.lexicon import LISTS, NO_FORM, lexicon, raw_lists
from gardenpath.treebank.perturb.script import script_of

LANGUAGES = sorted(path.stem for path in LISTS.glob("*.toml"))
CASES = [(language, name) for language in LANGUAGES for name in ("names", "places", "currencies")]


def test_there_are_seven_languages() -> None:
    assert LANGUAGES == ["de", "en", "ja", "ru", "sv", "uk", "zh"]


@pytest.mark.parametrize(("language", "name"), CASES)
def test_forms_can_stand_in_conllu(language: str, name: str) -> None:
    found = lexicon(language, name)
    for form in found.by_form:
        assert form == unicodedata.normalize("NFC", form).strip()
        assert form != "_"
    for group in found.groups.values():
        lemmas = [entry.lemma for entry in group.entries]
        assert len(lemmas) == len(set(lemmas)) >= 4
        assert all(len(entry.forms) == len(group.cells) for entry in group.entries)
        assert NO_FORM not in lemmas


@pytest.mark.parametrize(("language", "name"), CASES)
def test_a_form_of_two_groups_is_told_apart_by_features(language: str, name: str) -> None:
    """Such as Валентина, a woman, or of Валентин, a man."""
    found = lexicon(language, name)
    for entries in found.by_form.values():
        for one, other in combinations(entries, 2):
            if one.group != other.group:
                assert found.groups[one.group].feats != found.groups[other.group].feats


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_slavic_words_have_all_cases(language: str) -> None:
    """Letters of the alphabet only; the accusative of men is the genitive, of cities the nominative."""
    names, places = lexicon(language, "names"), lexicon(language, "places")
    cases = [cell["Case"] for cell in names.groups["male"].cells]
    for entry in names.groups["male"].entries:
        forms = dict(zip(reversed(cases), reversed(entry.forms), strict=True))
        assert forms["Acc"] == forms["Gen"] or entry.lemma == "Микола"
    for group in ("city_masculine", "country_masculine"):
        for entry in places.groups[group].entries:
            assert entry.forms[3] == entry.forms[0]
    assert not set("abcdefghijklmnopqrstuvwxyz") & set("".join(names.by_form).lower())


@pytest.mark.parametrize("language", LANGUAGES)
def test_pronouns_are_made_from_the_list(language: str) -> None:
    table = raw_lists(language)["pronouns"]
    assert {name for one in table["sets"] for name in one} == set(table["persons"])
    assert perturbation("pronouns", PerturbationSettings(language)).signature == f"pronouns(language={language})"


def test_scripts() -> None:
    assert [script_of(text) for text in ("他们说", "他們說", "日本", "專註 於 邊區")] == [
        "Hans",
        "Hant",
        "Hans",
        "Hant",
    ]
