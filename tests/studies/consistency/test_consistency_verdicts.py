"""The verdicts of consistency and remedies: how often, which values, which labels, and when nothing may be said."""

from __future__ import annotations

import pytest
from batch_cases import asked, judged
from batch_cases import told as answered

from gardenpath.runs.result.result import Finding, Result, Value, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED, ranked
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.verdicts import consistency_verdicts, remedy_verdicts
from verdict_checks import check_verdicts

HEAD = ("consistency", "years.conllu")
WHOLE: dict[str, Value] = {"perturbation": "years", "order": "surface"}
CHANGED = [
    Finding(*HEAD, "a", "changed", 12.0, 2300, 9.0, 15.0, WHOLE),
    Finding(*HEAD, "a", "sentences_changed", 41.0, 50, 28.0, 55.0, WHOLE),
]


def told(*findings: Finding) -> list[Verdict]:
    """All verdicts but that on how often trees change."""
    first, *others = consistency_verdicts([*CHANGED, *findings], ["years"], "surface", "original sentence")
    assert first.text.startswith(
        "Another year changes the tree of 41.0 % [28.0, 55.0] of 50 sentences, by a (12.0 % [9.0, 15.0] of 2,300 "
    )
    assert (first.sure, first.examples) == (MEASURED, "changed")
    return others


def value(name: str, share: float, half: float, n: int = 50) -> Finding:
    by: dict[str, Value] = {"perturbation": "years", "replacement": name, "group": "1500s"}
    return Finding(*HEAD, "a", "differs_from_original", share, n, share - half, share + half, by)


def test_the_worst_values_are_named_the_worst_first() -> None:
    (verdict,) = told(value("1413", 41.0, 14.0), value("1505", 52.0, 14.0), value("1900", 14.0, 9.0))
    assert verdict.text == (
        "a: worst are 1505 in 52.0 % [38.0, 66.0] of 50 sentences and 1413 in 41.0 % [27.0, 55.0] of 50 sentences, "
        "against 12.0 % [9.0, 15.0] with any value."
    )
    assert verdict.examples == "changed:1505"


def test_no_value_is_the_worst_by_chance() -> None:
    assert told(value("1505", 25.0, 12.0)) == []  # its interval meets that of all
    assert told(value("1505", 52.0, 14.0, n=9)) == []  # tried in too few sentences
    far, others = value("1505", 24.0, 8.0), [value(str(year), 12.0, 8.0) for year in range(1600, 1646)]
    assert len(told(far)) == 1  # z = 1.96 · 12/√(8² + 3²) = 2.75, p = .006: of one value, not of 47
    assert told(far, *others) == []


def relabelled(before: str, after: str, count: int) -> Finding:
    return Finding(*HEAD, "a", "relabelled_words", count, 60,
                   by={"perturbation": "years", "from": before, "to": after})  # fmt: skip


def test_the_most_frequent_changes_of_labels() -> None:
    (verdict,) = told(relabelled("nummod", "obl", 20), relabelled("obl", "nmod", 9), relabelled("root", "dep", 2))
    assert verdict.text == (
        "a: where a word gets another label, it is most often nummod > obl (20 of 60 words) and obl > nmod (9)."
    )
    assert told(relabelled("nummod", "obl", 4)) == []


def test_of_labels_that_tie_for_the_last_place_none_is_named() -> None:
    tied = [relabelled("obl", label, 9) for label in ("nmod", "obj", "dep")]
    (verdict,) = told(relabelled("nummod", "obl", 20), *tied)
    assert verdict.text.endswith("most often nummod > obl (20 of 60 words).")
    assert told(*tied, relabelled("root", "dep", 9)) == []


def test_what_has_no_tree_is_told_with_its_bounds() -> None:
    bounds = [Finding(*HEAD, "a", "changed_least", 10.0, 2300, 8.0, 13.0, WHOLE),
              Finding(*HEAD, "a", "changed_most", 14.0, 2300, 11.0, 17.0, WHOLE)]  # fmt: skip
    (verdict,) = told(*bounds, Finding(*HEAD, "a", "variants_no_tree", 40, by=WHOLE))
    assert verdict.text == (
        "a: some variants have no tree. If they were all as the original, 10.0 % [8.0, 13.0] would have changed; if "
        "they were all different, 14.0 % [11.0, 17.0]."
    )
    assert told(*bounds, Finding(*HEAD, "a", "variants_no_tree", 0, by=WHOLE)) == []


def difference(system: str, measure: str, size: float, p: float, clusters: int = 40) -> list[Finding]:
    by: dict[str, Value] = {"perturbation": "years"}
    return [
        Finding(*HEAD, system, f"{measure}_difference", size, clusters, size - 3, size + 3, by),
        Finding(*HEAD, system, f"{measure}_p", p, clusters, by=by),
        Finding(*HEAD, system, f"{measure}_p_holm", 2 * p, clusters, by=by),
    ]


@pytest.mark.parametrize(
    ("size", "p", "clusters", "sentence", "sure"),
    [
        (-5.0, 0.001, 40, "b changes its trees less often than a:", SHOWN),
        (5.0, 0.03, 40, "b changes its trees more often than a:", SUGGESTED),
        (5.0, 0.001, 19, "b changes its trees more often than a:", SUGGESTED),
        (1.0, 0.5, 40, "No difference between b and a is shown:", NOT_SHOWN),
    ],
)
def test_which_system_changes_its_trees_more_often(
    size: float, p: float, clusters: int, sentence: str, sure: str
) -> None:
    (verdict,) = told(*difference("b", "changed", size, p, clusters))
    assert (verdict.text.startswith(sentence), verdict.sure) == (True, sure)


def test_a_remedy_with_one_training_is_no_more_than_suggested() -> None:
    findings = [
        *difference("udpipe augment", "changed", -8.0, 1e-9), *difference("udpipe substitute", "right", 0.0, 1.0),
        Finding(*HEAD, "udpipe as is", "las", 80.3, 900), Finding(*HEAD, "udpipe augment", "las", 80.1, 900),
    ]  # fmt: skip
    remedies = ["udpipe augment", "udpipe substitute"]
    verdicts = list(remedy_verdicts(findings, "udpipe as is", remedies, ["years"], "original sentence"))
    assert [(verdict.sure, verdict.text) for verdict in verdicts] == [
        (SUGGESTED, "“udpipe augment” changes its trees less often than “udpipe as is”: variants with another tree "
         "-8.0 [-11.0, -5.0], 40 original sentences, one training each (suggested)."),
        (NOT_SHOWN, "No difference between “udpipe substitute” and “udpipe as is” is shown: variants right +0.00 "
         "[-3.00, 3.00], 40 original sentences."),
        (MEASURED, "LAS: “udpipe as is” 80.3, “udpipe augment” 80.1; 900 words."),
    ]  # fmt: skip


# ---- on batches


def study(order: str) -> Result:
    names = [f"s{n}" for n in range(24)]
    given = asked(names)
    good = ["gold", "gold", "gold", "gold", "gold", "gold"]
    bad = ["gold", "label", "gold", "gold", "head", "gold"]
    kinds = {
        "a": dict.fromkeys(names, good), "b": dict.fromkeys(names, bad),
        "c": {name: [bad, good, ["[crashed]", *good[1:]]][n % 3] for n, name in enumerate(names)},
    }  # fmt: skip
    answers = {system: answered(given, kinds[system]) for system in order}
    return judged(given, answers, ConsistencySettings())[0]


def test_verdicts_on_batches_do_not_depend_on_the_order_of_systems() -> None:
    first, second = study("abc"), study("acb")
    check_verdicts(first)
    texts = [verdict.text for verdict in first.verdicts]
    assert any(text.startswith("b changes its trees more often than a: variants with another tree +40.0 [")
               for text in texts)  # fmt: skip
    assert set(texts) == {verdict.text for verdict in second.verdicts}
    single = study("b")
    check_verdicts(single)
    assert any("b: worst are 1505 in 100.0 %" in verdict.text for verdict in single.verdicts)
    assert any("most often obl > obj (24 of 24 words)" in verdict.text for verdict in single.verdicts)


def test_the_first_sentence_says_it_all() -> None:
    away = Finding(*HEAD, "a", "changed_words_away", 3.0, 60, by={"perturbation": "years"})
    more = [value("1413", 41.0, 14.0), value("1505", 52.0, 14.0), relabelled("obl", "nummod", 9), away]
    more += [relabelled("nummod", "obl", 8), relabelled("nsubj", "obj", 11)]
    first, *_ = consistency_verdicts([*CHANGED, *more], ["years"], "surface", "original sentence")
    assert first.text == (
        "Another year changes the tree of 41.0 % [28.0, 55.0] of 50 sentences, by a (12.0 % [9.0, 15.0] of 2,300 "
        "variants); 1505 and 1413 are the worst; labels change most often between nummod and obl; half of the words "
        "that change are at most 3 words away from the edit."
    )


def test_a_share_of_few_sentences_does_not_lead() -> None:
    few: dict[str, Value] = {"perturbation": "quotes", "order": "surface"}
    lone = [
        Finding(*HEAD, "a", "changed", 75.0, 4, 11.8, 98.5, few),
        Finding(*HEAD, "a", "sentences_changed", 100.0, 1, 20.7, 100.0, few),
    ]
    verdicts = consistency_verdicts([*lone, *CHANGED], ["quotes", "years"], "surface", "original sentence")
    first, second = ranked(verdicts)
    assert first.text.startswith("Another year changes the tree of 41.0 %")
    assert second.text == (
        "Other quotation marks change the tree of 100.0 % [20.7, 100.0] of 1 sentence, by a (75.0 % [11.8, 98.5] of "
        "4 variants)."
    )


def test_of_several_kinds_each_sentence_names_its_own_and_few_sentences_stay_behind() -> None:
    few = [
        Finding(*HEAD, "a", "changed", 76.8, 241, 55.6, 89.7, {"perturbation": "names", "order": "surface"}),
        Finding(*HEAD, "a", "sentences_changed", 100.0, 8, 67.6, 100.0, {"perturbation": "names", "order": "surface"}),
        Finding(*HEAD, "a", "relabelled_words", 32, 177, by={"perturbation": "names", "from": "aux", "to": "root"}),
    ]
    verdicts = consistency_verdicts(
        [*CHANGED, relabelled("nummod", "obl", 20), *few], ["years", "names"], "surface", "original sentence"
    )
    assert [verdict.text.partition(" of ")[0] for verdict in ranked(verdicts)] == [
        "Another year changes the tree",
        "a with other years: where a word gets another label, it is most often nummod > obl (20",
        "Another name changes the tree",
        "a with other names: where a word gets another label, it is most often aux > root (32",
    ]
