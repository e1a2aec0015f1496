"""Labels of suites against their words: plain sentences with every label, and the published suites."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gardenpath.suites import RoleSuite, check, read_suite
from gardenpath_generate.roles.subject_object import generate_roles

HEADER = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence\n"
PLAIN = "VF[S]LK[V]MF[O]\tbase-{}\t2\t5\tDer Mann liest den Brief .\n"


def suite_of(folder: Path, rows: str) -> RoleSuite:
    path = folder / "suite.tsv"
    path.write_text(HEADER + rows, encoding="utf-8")
    return read_suite(path)


def problems(suite: RoleSuite) -> list[tuple[str, str]]:
    """The check and what it says up to the comma."""
    found = check(suite, only=["property", "ambiguity"])
    return [(problem.id, problem.message.split(",")[0]) for problem in found]


@pytest.mark.parametrize("name", ["spron", "opron", "oneg", "noref", "aux", "pp", "sname", "dat"])
def test_a_plain_sentence_does_not_have_a_property(tmp_path: Path, name: str) -> None:
    assert problems(suite_of(tmp_path, PLAIN.format(name))) == [("property", f"marked {name}")]


def test_a_plain_sentence_is_not_ambiguous_whatever_its_nouns_are(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, PLAIN.format("amb"))
    assert problems(suite) == [("ambiguity", "called ambiguous")]


@pytest.mark.parametrize(
    ("sentence", "places", "name"),
    [
        ("Er liest den Brief .", "1 4", "spron"), ("Der Mann liest ihn .", "2 4", "opron"),
        ("Der Mann liest keinen Brief .", "2 5", "oneg"), ("Der Mann liest nichts .", "2 4", "noref"),
        ("Der Mann wird den Brief lesen .", "2 5", "aux"), ("Der Mann liest in dem Jahr den Brief .", "2 8", "pp"),
        ("Anna liest den Brief .", "1 4", "sname"), ("Der Mann glaubt dem Brief .", "2 5", "dat"),
    ],
)  # fmt: skip
def test_words_show_a_property_that_the_label_lacks(tmp_path: Path, sentence: str, places: str, name: str) -> None:
    row = f"VF[S]LK[V]MF[O]\tbase-{{}}\t{places.replace(' ', chr(9))}\t{sentence}\n"
    assert problems(suite_of(tmp_path, row.format("acc"))) == [("property", f"not marked {name}")]
    assert problems(suite_of(tmp_path, row.format(name))) == []


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Der Lehrer kauft einen Korb .", "sinan"), ("Der Lehrer kauft einen Korb .", "oan"),
        ("Der Lehrer kauft einen Korb .", "invan"),
    ],
)  # fmt: skip
def test_animacy_is_looked_up_in_the_lexicon(tmp_path: Path, sentence: str, name: str) -> None:
    row = f"VF[S]LK[V]MF[O]\tbase-{name}\t2\t5\t{sentence}\n"
    assert problems(suite_of(tmp_path, row)) == [("property", f"marked {name}")]
    unknown = row.replace("Lehrer", "Mensch").replace("Korb", "Krug")
    assert problems(suite_of(tmp_path, unknown)) == []


@pytest.mark.parametrize("language", ["de", "nl"])
@pytest.mark.parametrize("ambiguity", ["part", "full", "twins"])
@pytest.mark.parametrize("tense", ["present", "past"])
def test_generated_suites_have_the_labels_that_their_words_show(language: str, ambiguity: str, tense: str) -> None:
    suite = generate_roles(language, size=1200, ambiguity=ambiguity, tense=tense, seed=5).suite()
    assert problems(suite) == []
    for name in ("spron", "oneg", "pp", *(["aux"] if tense == "present" else [])):
        unmarked = replace(suite, properties=[("acc",) if one == (name,) else one for one in suite.properties])
        lost = [number for number, one in enumerate(suite.properties) if one == (name,)]
        found = Counter(problems(unmarked))
        assert found == {("property", f"not marked {name}"): len(lost)}
        assert len(lost) > 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sorts-2020/german_part-ambiguous_gold.conll",
         {"not marked opron": 75, "not marked aux": 15, "called ambiguous": 10, "marked pp": 10, "not marked dat": 5}),
        ("sorts-2020/german_ambiguous_gold.conll", {}),
        ("sorts-2026/german/german_part-amb_gold.conll", {"not marked opron": 75, "not marked dat": 5}),
        ("sorts-2026/german/german_amb_gold.conll", {}),
        ("sorts-2026/dutch/dutch_part-amb_gold.conll", {}),
        ("sorts-2026/dutch/dutch_amb_gold.conll", {}),
    ],
)  # fmt: skip
def test_published_suites_have_few_wrong_labels_and_these_were_read(
    shared: Path, name: str, expected: dict[str, int]
) -> None:
    """*Siemens startet ihn* is called spron-sname, *Er wird einen Angriff starten* amb-spron, and so on."""
    assert Counter(what for _, what in problems(read_suite(shared / "roles" / name))) == expected
