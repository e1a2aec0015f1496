"""What names mean: measures with their direction, codes by the key they stand under."""

from __future__ import annotations

import pytest

from gardenpath.report.page.contents import shareable
from gardenpath.report.page.definitions import defined, meanings, measure_of
from gardenpath.studies.engine.registry import all_measures, all_notes


@pytest.mark.parametrize(
    ("name", "title", "better"),
    [
        ("las", "LAS", "more"), ("changed", "trees changed", "less"), ("las_difference", "difference in LAS", "more"),
        ("changed_difference", "difference in trees changed", "less"),
        ("las_delta_p_holm", "change of LAS: p, Holm", ""),
        ("edv_excess", "excess of EDV", "less"), ("edv_noise_mean", "EDV: noise", ""), ("words_away", "words away", ""),
    ],
)  # fmt: skip
def test_a_measure_says_what_it_is_and_which_way_is_better(name: str, title: str, better: str) -> None:
    measure = measure_of(name)
    assert (measure.title, measure.better) == (title, better)
    assert bool(measure.meaning) == (name != "words_away")


def test_every_study_opens_with_measures_that_are_explained() -> None:
    for notes in all_notes().values():
        assert notes.main
        assert all(defined(notes.main)[name]["meaning"] for name in notes.main)
    measures = all_measures()
    assert all("\n" not in measure.meaning and len(measure.meaning) < 100 for measure in measures.values())
    own = sum(len(notes.measures) for notes in all_notes().values())
    assert len(measures) == own + 2, "a measure is defined twice"  # the engine adds two


def test_codes_are_explained_by_their_key() -> None:
    values = {"order": ["VF[O]LK[V]MF[S]"], "property": ["amb", "new"], "label": ["obj"], "length": ["obj"]}
    assert meanings(values) == {
        "order": {"VF[O]LK[V]MF[S]": "verb second, object first"},
        "property": {"amb": "Case syncretism"},
        "label": {"obj": "object"},
    }


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("gardenpath roles /home/ann/a.conllu b=udpipe:/home/ann/m", "gardenpath roles a.conllu b=udpipe:m"),
        ("gardenpath evaluate 'C:\\ann\\a b.conllu' x/y.conllu", "gardenpath evaluate 'a b.conllu' x/y.conllu"),
        ("gardenpath parse udpipe-rest:https://host/x", "gardenpath parse udpipe-rest:https://host/x"),
        ("gardenpath surprisal s a=ngram:/m/1.npz,ngram:/m/2.npz", "gardenpath surprisal s a=ngram:1.npz,ngram:2.npz"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_page_names_no_place_on_a_disk(call: str, shown: str) -> None:
    assert shareable(call) == shown
