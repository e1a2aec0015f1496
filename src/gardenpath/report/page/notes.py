"""How each study measures, and what to cite: the lines a reader needs beside the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Note(NamedTuple):
    """`method` in two or three sentences; `cite` names the paper the study is from."""

    title: str
    method: str
    cite: str


NOTES: Mapping[str, Note] = {
    "evaluation": Note(
        "Evaluation",
        "Precision, recall and F1 as in the CoNLL 2018 shared task: words are aligned by characters, label subtypes "
        "are ignored, punctuation counts. Intervals and tests leave out one document (or sentence) after the other; "
        "differences are paired.",
        "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies.",
    ),
    "brackets": Note(
        "Brackets",
        "Precision, recall and F1 of brackets as in EVALB: a bracket is a category and the set of its words, so that "
        "nodes with gaps count too. Leaf-ancestor compares the categories above each word; UAS and LAS are those of "
        "the trees as dependencies, by head rules. A sentence without a parse is wrong in everything. "
        "Intervals and tests leave out one document (or sentence) after the other; differences are paired.",
        "Black et al. 1991, A Procedure for Quantitatively Comparing the Syntactic Coverage of English Grammars; "
        "Sampson and Babarczy 2003, A Test of the Leaf-Ancestor Metric for Parse Accuracy.",
    ),
    "roles": Note(
        "Roles",
        "Subject-object LAS: over the gold arcs of subject and object (in PP suites: preposition and noun), the "
        "share whose head and label are both right; all other arcs are ignored. A property's score is over all "
        "sentences that carry it. A pair is two items that differ in one property or in order alone.",
        "Fischer, de Kok and Hinrichs 2020, When Beards Start Shaving Men, COLING.",
    ),
    "constructions": Note(
        "Constructions",
        "Each item is one construction in a gold tree, found by rule: a PP, an extraposed relative clause, a "
        "coordination that shares its subject, a coordination of unlike constituents. A parse of it is right, or of "
        "an error class of the TEPACOC tables, told by rule from the same tokens in both trees, so that a mistake has "
        "the same class in TIGER and TüBa-D/Z. An item without a parse is wrong. Intervals and tests go by "
        "sentences: the items of one sentence were sampled together. Two systems are compared on the same items.",
        "Kübler, Rehbein and van Genabith 2009, TePaCoC: A Testsuite for Testing Parser Performance on Complex German "
        "Grammatical Constructions, TLT 7.",
    ),
    "displacement": Note(
        "Displacement",
        "The displacement of an edge is the position of a word less that of its head; root edges and displacements "
        "beyond 30 are left out. EDV is the Wasserstein distance of the distributions of training and test data, in "
        "tokens; the noise floor is what random samples of these sizes from the same data show.",
        "Anderson and Gómez-Rodríguez 2022, The Impact of Edge Displacement Vaserstein Distance on UD Parsing "
        "Performance, Computational Linguistics.",
    ),
    "consistency": Note(
        "Consistency",
        "A sentence is parsed with irrelevant changes (a year, a name); parses that are equal form a class. A parser "
        "is consistent where all variants are in one class. What has no tree, or got no answer, stays in every "
        "denominator. Intervals go by original sentences.",
        "Kalpakchi and Boye 2021, Minor changes make a difference: a case study on the consistency of UD-based "
        "dependency parsers.",
    ),
    "surprisal": Note(
        "Surprisal",
        "Each item is one sentence in several conditions, cut into regions; a prediction compares the surprisal of "
        "regions across conditions, in bits, and holds or does not for each item. A tie is worth what the signature "
        "says. Accuracy is the share of predictions that hold, as a mean over the suites; intervals are over items.",
        "Wang, Hu, Levy and Qian 2021, Controlled Evaluation of Grammatical Knowledge in Mandarin Chinese Language "
        "Models, EMNLP; Gauthier et al. 2020, SyntaxGym, ACL (system demonstrations).",
    ),
    "joint": Note(
        "Parsers and models",
        "Each item is a garden path and the same sentence without the ambiguity. A parser takes the garden path where "
        "it misses the decisive arc of the first and finds that of the second; a language model's effect is the "
        "surprisal of the disambiguating region in the first minus that in the second. Where parsers err, effects are "
        "compared with those of other items of the same construction; intervals leave out one lexical item after the "
        "other.",
        "Huang et al. 2024, Large-scale benchmark yields no evidence that language model surprisal explains syntactic "
        "disambiguation difficulty, Journal of Memory and Language.",
    ),
    "judgement": Note(
        "Judgement",
        "A chat model is asked about every pair of sentences: which is the good one, in both orders, and yes or no of "
        "each, in several wordings. An answer that cannot be used counts as wrong. Chance is 50 for choices, and 25 "
        "for yes and no where both are coin flips; intervals go by items.",
        "Hu and Levy 2023, Prompting is not a substitute for probability measurements in large language models, EMNLP.",
    ),
}


def note_of(study: str) -> dict[str, str] | None:
    note = NOTES.get(study)
    return None if note is None else {"title": note.title, "method": note.method, "cite": note.cite}
