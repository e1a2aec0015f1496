"""What names on the page mean: one line for each measure, order, property, phenomenon and relation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...suites.constructions.model import PHENOMENA
from ...suites.names import ORDERS, PP_PROPERTIES, ROLE_PROPERTIES

MAIN: Mapping[str, tuple[str, ...]] = {
    "evaluation": ("las",),
    "brackets": ("f1",),
    "roles": ("attachment", "las", "label", "share"),
    "constructions": ("accuracy",),
    "surprisal": ("accuracy", "difference"),
    "joint": ("effect_gap", "astray", "effect"),
    "judgement": ("accuracy", "accuracy_yes_no"),
    "consistency": ("changed", "differs_from_original"),
    "displacement": ("delta_las", "edv", "edv_excess", "slv"),
}
"""The measures that a study is opened with, the weightiest first."""


class Measure(NamedTuple):
    """A measure as people call it, its definition in a line, and whether more or less of it is better."""

    title: str
    meaning: str
    better: str = "more"


_CONLL = "F1 over aligned words, as in the CoNLL 2018 shared task"
MEASURES: Mapping[str, Measure] = {
    "las": Measure("LAS", "labelled attachment score: words (in suites: tested arcs) with the right head and label, %"),
    "uas": Measure("UAS", "unlabelled attachment score: words (in suites: tested arcs) with the right head, %"),
    "label": Measure("label accuracy", "words or tested arcs with the right label, %"),
    "attachment": Measure("attachment accuracy", "PPs attached to the right head, %"),
    "clas": Measure("CLAS", "LAS of content words alone, %"),
    "mlas": Measure("MLAS", "LAS of content words with tags, features and function words right too, %"),
    "blex": Measure("BLEX", "LAS of content words with the lemma right too, %"),
    "tokens": Measure("tokens", f"tokens found: {_CONLL}, %"),
    "sentences": Measure("sentences", f"sentences found: {_CONLL}, %"),
    "words": Measure("words", f"words found: {_CONLL}, %"),
    "upos": Measure("UPOS", "words with the right universal part of speech, %"),
    "xpos": Measure("XPOS", "words with the right tag of the treebank's own set, %"),
    "ufeats": Measure("UFeats", "words with the right universal features, %"),
    "alltags": Measure("AllTags", "words with UPOS, XPOS and features right, %"),
    "lemmas": Measure("lemmas", "words with the right lemma, %"),
    "f1": Measure("F1", "brackets: harmonic mean of precision and recall, %"),
    "precision": Measure("precision", "of what the system says, the share that is right, %"),
    "recall": Measure("recall", "of what gold has, the share that the system finds, %"),
    "discontinuous_f1": Measure("F1 of gaps", "F1 of brackets with gaps alone, %"),
    "exact": Measure("exact match", "sentences with all brackets right and no others, %"),
    "crossing": Measure("crossing brackets", "brackets that overlap one of gold, per sentence", "less"),
    "tags": Measure("tags", "words with the right tag, %"),
    "leaf_ancestor": Measure("leaf-ancestor", "similarity of the categories above each word, %"),
    "accuracy": Measure("accuracy", "items that are right, or predictions that hold, %"),
    "accuracy_yes_no": Measure("yes and no", "pairs whose good sentence is accepted and whose bad one is rejected, %"),
    "accuracy_known": Measure("accuracy, known words", "accuracy on items without unknown words, %"),
    "items_right": Measure("items right", "items whose predictions all hold, %"),
    "difference": Measure("surprisal difference", "bits where it should be higher minus bits where it should be lower"),
    "effect": Measure("effect", "bits in the harder condition minus bits in the easier one, at the decisive word", ""),
    "effect_gap": Measure("difference in effect", "effect where the parser takes the garden path minus elsewhere", ""),
    "astray": Measure("garden paths taken", "items whose decisive arc is right when unambiguous alone, %", "less"),
    "arcs_right": Measure("decisive arcs right", "sentences whose decisive arc has the right head and label, %"),
    "rank_biserial": Measure("rank-biserial correlation", "of garden path taken or not with the effect, -1 to 1", ""),
    "ties": Measure("ties", "predictions whose two sides have the same surprisal, %", "less"),
    "oov_items": Measure("items with unknown words", "items with a word that the model does not know, %", "less"),
    "right": Measure("variants right", "variants whose tree is that of gold, %"),
    "original_right": Measure("originals right", "sentences whose tree is right before any change, %"),
    "changed": Measure("trees changed", "variants whose tree differs from the original's, %", "less"),
    "consistent": Measure("batches with one tree", "sentences whose variants all get the same tree, %"),
    "sentences_changed": Measure("sentences changed", "sentences of which a variant gets another tree, %", "less"),
    "changed_words_away": Measure("distance of changes", "words from the edit to a changed word, median", ""),
    "training_sentences": Measure("training sentences", "sentences that the parser was trained on", ""),
    "parses_per_sentence": Measure("parses", "parses that are made for one sentence", ""),
    "differs_from_original": Measure("not the original's tree", "variants with another tree than originals, %", "less"),
    "differs_from_majority": Measure("not the majority's tree", "variants with another tree than most, %", "less"),
    "value_right": Measure("right", "variants with this value whose tree is right, %"),
    "words_changed": Measure("words changed", "words whose head, label or tags change, %", "less"),
    "clusters": Measure("different trees", "different trees among the variants of a sentence", "less"),
    "ncptk": Measure("tree similarity", "normalised partial tree kernel between variants, from 0 to 1"),
    "edv": Measure("EDV", "distance between the edge displacements of training and test data, in tokens", "less"),
    "edv_heights": Measure("EDV of heights", "the same distance between the shares alone, as published", "less"),
    "delta_las": Measure("ΔLAS", "LAS on the split of greatest EDV minus LAS on that of least EDV, in points"),
    "delta_edv": Measure("ΔEDV", "EDV of the split of greatest EDV minus that of least EDV, in tokens", ""),
    "slv": Measure("SLV", "distance between the sentence lengths of training and test data, in words", "less"),
    "confusion": Measure("words", "words with this gold and this predicted label", ""),
    "items": Measure("items", "how many items", ""),
    "size": Measure("items", "how many items", ""),
    "share": Measure("share", "part of all, %", ""),
    "share_lead": Measure("lead", "share of the most frequent minus that of the next, in points", ""),
    "las_slope": Measure("slope of LAS", "points of LAS of a sentence for one step of an effect, mixed model", ""),
    "dependency_length": Measure("dependency length", "mean words from a word to its head", ""),
}  # fmt: skip
ENDINGS: Mapping[str, tuple[str, str, str]] = {
    "_p_holm": ("{}: p, Holm", "p of the difference, corrected for everything tested together", ""),
    "_p": ("{}: p", "p of the difference, before correction", ""),
    "_difference": ("difference in {}", "system minus baseline on the same items", "more"),
    "_delta": ("change of {}", "mean change within pairs that differ in one thing alone, in points", "more"),
    "_precision": ("{}, precision", "of what the system says, the share that is right, %", "more"),
    "_recall": ("{}, recall", "of what gold has, the share that is found, %", "more"),
    "_f1": ("{}, F1", "harmonic mean of precision and recall, %", "more"),
    "_aligned": ("{} of aligned words", "of the words that gold and system share, %", "more"),
    "_correct": ("{}: right", "how many are right", ""),
    "_share": ("{}: share", "part of all, %", ""),
    "_excess": ("excess of {}", "the distance minus the mean of random splits of the same sentences", "less"),
    "_noise_mean": ("{}: noise", "mean over random splits of the same sentences", ""),
    "_noise_median": ("{}: noise, median", "median over random splits, with their middle 90 %", ""),
    "_noise_sd": ("{}: noise, SD", "standard deviation over random splits", ""),
    "_z": ("{}: z", "the excess in standard deviations of random splits", ""),
    "_sd": ("{}: SD", "standard deviation", ""),
    "_median": ("{}: median", "median", ""),
    "_min": ("{}: least", "the least", ""),
    "_max": ("{}: most", "the most", ""),
}
"""Endings of derived measures: title of the measure they are derived from, meaning, what is better."""

RELATIONS: Mapping[str, str] = {
    "acl": "clause that modifies a noun", "advcl": "adverbial clause", "advmod": "adverb", "amod": "adjective",
    "appos": "apposition", "aux": "auxiliary", "case": "adposition or case marker", "cc": "conjunction",
    "ccomp": "clausal complement", "clf": "classifier", "compound": "part of a compound", "conj": "conjunct",
    "cop": "copula", "csubj": "clausal subject", "dep": "unspecified", "det": "determiner",
    "discourse": "discourse particle", "dislocated": "dislocated element", "expl": "expletive",
    "fixed": "part of a fixed expression", "flat": "part of a name or date", "goeswith": "part of a split word",
    "iobj": "indirect object", "list": "part of a list", "mark": "subordinating word",
    "nmod": "noun that modifies a noun", "nsubj": "nominal subject", "nummod": "number", "obj": "object",
    "obl": "oblique: nominal adjunct or argument", "orphan": "orphan of an ellipsis",
    "parataxis": "parataxis", "punct": "punctuation",
    "reparandum": "what was corrected", "root": "root of the sentence", "vocative": "vocative",
    "xcomp": "open clausal complement",
}  # fmt: skip
"""The relations of Universal Dependencies, version 2."""

_CODES: Mapping[str, Mapping[str, str]] = {
    "order": ORDERS,
    "property": {**ROLE_PROPERTIES, **PP_PROPERTIES},
    "phenomenon": PHENOMENA,
    "label": RELATIONS,
}
_ALSO = {"predicted": "label", "props": "property", "change": "property", "condition": "phenomenon"}
"""Keys whose values are codes of another key's kind."""


def defined(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Title, meaning and direction of each of these measures."""
    return {name: measure_of(name)._asdict() for name in names}


def measure_of(name: str) -> Measure:
    """The measure of this name; one that is derived says what from, an unknown one only its name.

    >>> measure_of("las_difference").title, measure_of("words_away").title
    ('difference in LAS', 'words away')
    """
    if name in MEASURES:
        return MEASURES[name]
    for ending, (title, meaning, better) in ENDINGS.items():
        if name.endswith(ending):
            base = measure_of(name.removesuffix(ending))
            return Measure(title.format(base.title), meaning, base.better if better == "more" else better)
    return Measure(name.replace("_", " "), "", "")


def meanings(values: Mapping[str, Iterable[Any]]) -> dict[str, dict[str, str]]:
    """For each grouping key, what its values mean, as far as they are codes that we know."""
    known = {key: _CODES.get(_ALSO.get(key, key), {}) for key in values}
    explained = {
        key: {str(value): text for value in values[key] if (text := codes.get(str(value)))}
        for key, codes in known.items()
    }
    return {key: texts for key, texts in explained.items() if texts}
