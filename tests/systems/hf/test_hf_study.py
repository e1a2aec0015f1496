"""The surprisal study with a model of running text: regions by characters, the text as the suite writes it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tiny_transformers import plain_nats

from gardenpath.errors import InputError, SystemFailure
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.asking import AskedSuite, measured, model_seeds, scored_sentences
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL, judged_suites
from gardenpath.suites.regions.model import Condition, Item, Prediction, Region, RegionSuite
from gardenpath.systems.asking.entrants import entrants_of
from gardenpath.systems.asking.registry import language_model

PAIR = {"are": ("The keys to the cabinet", "are", "on the table."), "is": ("The keys to the cabinet", "is", "here.")}


def suite(conditions, formula, joiner=" ", segmented=True):
    made = tuple(
        Condition(name, tuple(Region(number, part) for number, part in enumerate(parts, 1)))
        for name, parts in conditions.items()
    )
    size = max(len(parts) for parts in conditions.values())
    names = {number: str(number) for number in range(1, size + 1)}
    predictions = [Prediction(formula)]
    return RegionSuite(
        "own", "own", [Item("1", made)], predictions, names, "syntaxgym", joiner=joiner, segmented=segmented
    )


def values(given, system, tokens=""):
    asked = AskedSuite(given, tokens)
    (seed,) = model_seeds(entrants_of(system, "language model")[0])
    return measured(asked, scored_sentences(seed, given.title, asked.sentences, asked.texts), "sum")


def bits(folder, text, bos=True):
    return np.array(plain_nats(folder, text, bos)) / math.log(2)


def test_regions_are_sums_over_the_model_s_tokens(gpt2):
    given = suite(PAIR, "(2;%are%) < (2;%is%)")
    found = values(given, f"hf:{gpt2}")
    before, with_verb = bits(gpt2, "The keys to the cabinet"), bits(gpt2, "The keys to the cabinet are")
    assert found.of[2, "are"][0] == pytest.approx(with_verb.sum() - before.sum(), abs=1e-3)
    assert values(given, f"hf:{gpt2}", "punctuation").of[2, "is"][0] == pytest.approx(found.of[2, "is"][0], abs=1e-4)
    outcome = judged_suites(given, f"hf:{gpt2}").outcomes[f"hf:{gpt2}"][0][0]
    assert bool(outcome.holds[0, 0]) == bool(found.of[2, "are"][0] < found.of[2, "is"][0])


def test_the_study_runs_and_keeps_a_record(gpt2, tmp_path):
    """The engine took the files of a model for files of answers, and every study with `hf:` ended there."""
    result = run(SURPRISAL, suite(PAIR, "(2;%are%) < (2;%is%)"), {"m": f"hf:{gpt2}"}, folder=tmp_path / "run")
    accuracy = {finding.value for finding in result.findings if finding.measure == "accuracy"}
    right = values(suite(PAIR, "(2;%are%) < (2;%is%)"), f"hf:{gpt2}").of
    assert accuracy == {100.0 * bool(right[2, "are"][0] < right[2, "is"][0])}
    assert (tmp_path / "run" / "run.json").exists()


def test_revisions_are_one_system_with_an_axis(gpt2, llama, tmp_path, monkeypatch):
    import huggingface_hub

    folders = {"step1": gpt2, "step64": llama}
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda name, *, revision, **_: str(folders[revision]))
    given = suite(PAIR, "(2;%are%) < (2;%is%)")
    result = run(SURPRISAL, given, "P=hf:me/model@step{64,1}", folder=tmp_path / "run")
    over_steps = {finding.by["step"]: finding.value for finding in result.findings if finding.measure == "accuracy"}
    alone = {}
    for step, folder in ((1, gpt2), (64, llama)):
        plain = run(SURPRISAL, given, f"hf:{folder}")
        (alone[step],) = {finding.value for finding in plain.findings if finding.measure == "accuracy"}
    assert over_steps == alone
    assert {finding.system for finding in result.findings} == {"P", ""}


def test_chinese_is_read_without_blanks(gpt2):
    conditions = {"good": ("她 昨天", "買 了", "書 。"), "bad": ("她 昨天", "書 了", "買 。")}
    found = values(suite(conditions, "(*;%good%) < (*;%bad%)", joiner=""), f"hf:{gpt2}")
    assert found.of[0, "good"][0] == pytest.approx(bits(gpt2, "她昨天買了書。").sum(), abs=1e-3)
    blanks = values(suite(conditions, "(*;%good%) < (*;%bad%)"), f"hf:{gpt2}")
    assert blanks.of[0, "good"][0] == pytest.approx(bits(gpt2, "她 昨天 買 了 書 。").sum(), abs=1e-3)


def test_whole_sentences_count_the_model_s_tokens(gpt2):
    given = suite({"good": ("Who saw the zebra?",), "bad": ("Who saw zebra?",)}, "(*;%good%) < (*;%bad%)")
    found = values(given, f"hf:{gpt2}")
    expected = bits(gpt2, "Who saw the zebra?")
    assert found.lengths["token"]["good"][0] == len(expected) > 4
    assert found.of[0, "good"][0] == pytest.approx(expected.sum(), abs=1e-3)


def test_without_bos_the_first_token_is_left_out_and_no_region_of_its_own(gpt2):
    conditions = {"a": ("The keys", "are"), "b": ("The keys", "is")}
    given = suite(conditions, "(*;%a%) < (*;%b%)")
    found = values(given, f"hf:{gpt2}#bos=none")
    expected = bits(gpt2, "The keys are", bos=False)
    assert found.of[0, "a"][0] == pytest.approx(expected.sum(), abs=1e-3)
    assert found.lengths["token"]["a"][0] == len(expected)
    alone = suite({"a": ("The", "keys"), "b": ("The", "dog")}, "(1;%a%) < (1;%b%)")
    with pytest.raises(InputError, match="region 1, 'The', does not fit") as caught:
        judged_suites(alone, f"hf:{gpt2}#bos=none")
    assert "or the first token, with nothing before it" in str(caught.value)


def test_a_region_whose_border_is_inside_a_token_is_an_error(gpt2):
    """The first token is 他 with the first byte of 昨, which only characters can tell."""
    given = suite({"a": ("他", "昨 天"), "b": ("她", "昨 天")}, "(2;%a%) < (2;%b%)", joiner="")
    with pytest.raises(InputError, match="region 2, '昨 天', does not fit the model's tokens") as caught:
        judged_suites(given, f"hf:{gpt2}")
    assert "a border of the region is inside a token" in str(caught.value)


def test_a_token_on_a_border_can_be_of_the_region_in_which_it_ends(gpt2):
    """他昨 are cut 他+byte, bytes, …: by characters two tokens begin in 他, and the first of them ends in 昨."""
    given = suite({"a": ("他", "昨 天"), "b": ("她", "昨 天")}, "(2;%a%) < (2;%b%)", joiner="")
    judged = judged_suites(given, {"m": f"hf:{gpt2}"}, SurprisalSettings(border="end"))
    assert not judged.failures
    (values,) = judged.answers["m"].surprisals[0]
    for name, text in (("a", "他昨天"), ("b", "她昨天")):
        (reading,) = language_model(f"hf:{gpt2}").readings([text])
        inside = [bit for end, bit in zip(reading.ends, reading.surprisals, strict=True) if end > 1]
        assert values.of[2, name][0] == pytest.approx(sum(inside), abs=1e-4)


def test_a_region_that_is_part_of_a_token_of_the_next_one_has_no_surprisal(gpt2):
    """The first token is 他 with the first byte of 昨: by its end it is of 昨, and 他 has none. Which is no border that
    could be given to another region, so the message does not say so."""
    given = suite({"a": ("他", "昨 天"), "b": ("她", "昨 天")}, "(1;%a%) < (1;%b%)", joiner="")
    with pytest.raises(InputError, match="region 1, '他', does not fit the model's tokens") as caught:
        judged_suites(given, f"hf:{gpt2}", SurprisalSettings(border="end"))
    assert "it is part of a token that ends in the next region" in str(caught.value)
    assert "--border" not in str(caught.value)


def test_one_item_that_cannot_be_scored_does_not_end_the_study(gpt2):
    good = suite({"a": ("他", "狗 天"), "b": ("她", "狗 天")}, "(2;%a%) < (2;%b%)", joiner="")
    cut = suite({"a": ("他", "昨 天"), "b": ("她", "昨 天")}, "(2;%a%) < (2;%b%)", joiner="")
    both = replace(good, items=[*good.items, replace(cut.items[0], id="2")])
    judged = judged_suites(both, {"m": f"hf:{gpt2}"})
    assert judged.failures == {"m: items failed (a region does not fit the tokens)": 1}
    assert judged.outcomes["m"][0][0].failed.tolist() == [False, True]


def test_a_masked_model_judges_too(bert):
    found = values(suite(PAIR, "(2;%are%) < (2;%is%)"), f"hf:{bert}")
    assert found.of[2, "are"][0] > 0
    assert found.oov is not None


def test_curves_without_bos_are_those_of_the_model_s_own_tokens(gpt2):
    """They were lost: tokens without the first one were taken for another text."""
    judged = judged_suites(suite(PAIR, "(2;%are%) < (2;%is%)"), f"hf:{gpt2}#bos=none")
    ((curve, _),) = judged.bits[f"hf:{gpt2}#bos=none"]
    words = PAIR["are"][0].split()
    assert len(curve) == 9
    whole, begun = (bits(gpt2, text, bos=False).sum() for text in (" ".join(words), " ".join(words[:-1])))
    assert curve[len(words) - 1] == pytest.approx(whole - begun, abs=1e-3)
    assert np.isfinite(curve[1:]).all()


def test_a_sentence_that_is_too_long_is_a_failed_item(gpt2):
    short = suite(PAIR, "(2;%are%) < (2;%is%)")
    long = Item("2", tuple(Condition(name, (Region(1, "dog " * 70), Region(2, name))) for name in PAIR))
    judged = judged_suites(replace(short, items=[*short.items, long]), {"m": f"hf:{gpt2}"})
    assert judged.failures == {"m: items failed (too-long)": 1}
    assert judged.outcomes["m"][0][0].failed.tolist() == [False, True]
    with pytest.raises(SystemFailure, match="and the model reads 64"):
        judged_suites(replace(short, items=[long]), f"hf:{gpt2}")
