"""Clauses, their orders and definiteness: sentences read by hand, and node by node on whole treebanks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from role_cases import treebank_view

from gardenpath.errors import InputError
from gardenpath.runs.result.result import Result
from gardenpath.studies.roles.clauses import (
    CLAUSE_TYPES,
    DEFINITENESS,
    PATTERNS,
    clauses_of,
    definiteness,
    is_verb_second,
)
from gardenpath.studies.roles.declaration import WordOrderSettings
from gardenpath.studies.roles.study import clause_observations
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.systems import ParseResult
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.format.documents import sentence_clusters
from gardenpath.treebank.format.sentence import Node, Sentence
from spoil import spoiled

FIN, PART, INF = "VerbForm=Fin", "VerbForm=Part", "VerbForm=Inf"


def sentence(*words: tuple[str, str, str, int, str]) -> str:
    """CoNLL-U of (form, UPOS, FEATS, HEAD, DEPREL)."""
    rows = [
        f"{at}\t{form}\t{form.lower()}\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t_"
        for at, (form, upos, feats, head, deprel) in enumerate(words, 1)
    ]
    return "\n".join(rows) + "\n\n"


def bank(*words: tuple[str, str, str, int, str]) -> Treebank:
    return Treebank(sentence(*words).encode())


HE, BOOKS = ("er", "PRON", "PronType=Prs"), ("Bücher", "NOUN", "_")

READ = {
    "Er liest Bücher": (
        [(*HE, 2, "nsubj"), ("liest", "VERB", FIN, 0, "root"), (*BOOKS, 2, "obj")],
        "SVO", "VF[S]LK[V]MF[O]", "verb-second",
    ),
    "Er hat Bücher gelesen: the auxiliary is the finite verb": (
        [(*HE, 4, "nsubj"), ("hat", "AUX", FIN, 4, "aux"), (*BOOKS, 4, "obj"), ("gelesen", "VERB", PART, 0, "root")],
        "SVO", "VF[S]LK[V]MF[O]", "verb-second",
    ),
    "weil er Bücher gelesen hat": (
        [("weil", "SCONJ", "_", 4, "mark"), (*HE, 4, "nsubj"), (*BOOKS, 4, "obj"), ("gelesen", "VERB", PART, 0, "root"),
         ("hat", "AUX", FIN, 4, "aux")],
        "SOV", "MF[SO]VC[V]", "verb-last",
    ),
    "Bücher, die er liest: a relative pronoun as object": (
        [("die", "PRON", "PronType=Rel", 3, "obj"), (*HE, 3, "nsubj"), ("liest", "VERB", FIN, 0, "root")],
        "OSV", "MF[OS]VC[V]", "verb-last",
    ),
    "Bücher liest er": (
        [(*BOOKS, 2, "obj"), ("liest", "VERB", FIN, 0, "root"), (*HE, 2, "nsubj")],
        "OVS", "VF[O]LK[V]MF[S]", "verb-second",
    ),
    "Heute liest er Bücher: an adverb in the forefield": (
        [("Heute", "ADV", "_", 2, "advmod"), ("liest", "VERB", FIN, 0, "root"), (*HE, 2, "nsubj"), (*BOOKS, 2, "obj")],
        "VSO", "VF[ADV]LK[V]MF[SO]", "verb-second",
    ),
    "Gelesen hat er Bücher: the participle in the forefield": (
        [("Gelesen", "VERB", PART, 0, "root"), ("hat", "AUX", FIN, 1, "aux"), (*HE, 1, "nsubj"), (*BOOKS, 1, "obj")],
        "VSO", "VF[ADV]LK[V]MF[SO]", "verb-second",
    ),
    "Und liest er Bücher?: a conjunction is before the clause": (
        [("Und", "CCONJ", "_", 2, "cc"), ("liest", "VERB", FIN, 0, "root"), (*HE, 2, "nsubj"), (*BOOKS, 2, "obj")],
        "VSO", "LK[V]MF[SO]", "verb-first",
    ),
    "Heute freut ihn das": (
        [("Heute", "ADV", "_", 2, "advmod"), ("freut", "VERB", FIN, 0, "root"), (*BOOKS, 2, "obj"), (*HE, 2, "nsubj")],
        "VOS", "VF[ADV]LK[V]MF[OS]", "verb-second",
    ),
    "Er will Bücher gelesen haben: of two auxiliaries the finite one": (
        [(*HE, 4, "nsubj"), ("will", "AUX", FIN, 4, "aux"), (*BOOKS, 4, "obj"), ("gelesen", "VERB", PART, 0, "root"),
         ("haben", "AUX", INF, 4, "aux")],
        "SVO", "VF[S]LK[V]MF[O]", "verb-second",
    ),
    "Er hat Bücher gelesen, without features: an auxiliary before the verb": (
        [(*HE, 4, "nsubj"), ("hat", "AUX", "_", 4, "aux"), (*BOOKS, 4, "obj"), ("gelesen", "VERB", "_", 0, "root")],
        "SVO", "VF[S]LK[V]MF[O]", "verb-second",
    ),
    "weil er Bücher gelesen haben wird, without features: the last auxiliary": (
        [(*HE, 3, "nsubj"), (*BOOKS, 3, "obj"), ("gelesen", "VERB", "_", 0, "root"), ("haben", "AUX", "_", 3, "aux"),
         ("wird", "AUX", "_", 3, "aux")],
        "SOV", "MF[SO]VC[V]", "verb-last",
    ),
    "Er ist es leid: a copula": (
        [(*HE, 4, "nsubj"), ("ist", "AUX", FIN, 4, "cop"), (*BOOKS, 4, "obj"), ("leid", "ADJ", "_", 0, "root")],
        "SVO", "VF[S]LK[V]MF[O]", "verb-second",
    ),
    "ihn lesend: no finite verb, the place of the verb counts": (
        [(*HE, 3, "nsubj"), (*BOOKS, 3, "obj"), ("lesend", "VERB", PART, 0, "root")],
        "SOV", "MF[SO]VC[V]", "verb-last",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_orders_by_hand(name: str) -> None:
    words, order, pattern, kind = READ[name]
    found = clauses_of(bank(*words))  # type: ignore[arg-type]
    assert found.orders == [order]
    assert PATTERNS[int(found.pattern[0])] == pattern
    assert CLAUSE_TYPES[int(found.clause_type[0])] == kind


def test_each_object_counts_and_a_noun_without_verb_does_not() -> None:
    two = bank(
        (*HE, 2, "nsubj"), ("gibt", "VERB", FIN, 0, "root"), ("ihr", "PRON", "_", 2, "iobj"), (*BOOKS, 2, "obj")
    )  # fmt: skip
    assert clauses_of(two).orders == ["SVO", "SVO"]
    none = bank((*HE, 2, "nsubj"), ("Leser", "NOUN", "_", 0, "root"), (*BOOKS, 2, "obj"))
    assert len(clauses_of(none)) == 0
    with pytest.raises(InputError, match="no clause with subject, verb and object"):
        treebank_view(none)


# ---- node by node

_OUTSIDE = {"punct", "cc", "mark", "discourse", "vocative", "dislocated", "reparandum"}


def slow_clauses(one: Sentence) -> list[tuple[int, int, int, int, str, bool]]:
    """(verb, subject, object, finite verb, order, forefield), another way round than the module does it."""
    found = []
    for verb in one.words:
        subjects = [node for node in verb.children if node.udeprel == "nsubj" and not node.deprel.endswith(":outer")]
        objects = [node for node in verb.children if node.udeprel in ("obj", "iobj")]
        helpers = [node for node in verb.children if node.udeprel in ("aux", "cop")]
        if verb.upos not in ("VERB", "AUX") and not helpers:
            continue
        finite = slow_finite(verb, helpers)
        inside = [
            node
            for node in verb.children
            if node.udeprel not in _OUTSIDE or (node.udeprel in ("mark", "cc") and node.upos == "ADV")
        ]
        forefield = any(node.ord < finite.ord for node in [verb, *inside])
        for obj in objects:
            for subject in subjects:
                named = sorted([(subject.ord, "S"), (obj.ord, "O"), (finite.ord, "V")])
                order = "".join(role for _, role in named)
                found.append((verb.ord, subject.ord, obj.ord, finite.ord, order, forefield))
    return sorted(found)


def slow_finite(verb: Node, helpers: list[Node]) -> Node:
    group = sorted([*helpers, *([verb] if verb.upos in ("VERB", "AUX") else [])], key=lambda node: node.ord)

    def form(node: Node) -> str:
        if "VerbForm" in node.feats:
            return node.feats["VerbForm"]
        tag = node.xpos
        if tag[:2] in ("VV", "VA", "VM") and tag[2:] in ("FIN", "IMP", "INF", "IZU", "PP"):
            return "Fin" if tag[2:] in ("FIN", "IMP") else "Inf"
        return ""

    for node in group:
        if form(node) == "Fin":
            return node
    if any(form(node) for node in group) or not helpers:
        return verb
    before = [node for node in helpers if node.ord < verb.ord]
    return min(before, key=lambda node: node.ord) if before else max(helpers, key=lambda node: node.ord)


def check(treebank: Treebank) -> int:
    fast = clauses_of(treebank)
    begins = treebank.offsets[fast.sentence]
    columns = [words - begins + 1 for words in (fast.verb, fast.subject, fast.object, fast.finite)]
    found: dict[int, list[Any]] = {}
    for number, *rest in zip(
        fast.sentence.tolist(), *(c.tolist() for c in columns), fast.orders, fast.forefield.tolist(), strict=True
    ):
        found.setdefault(number, []).append(tuple(rest))
    for number, one in enumerate(treebank):
        assert sorted(found.get(number, [])) == slow_clauses(one), one.text
    return len(fast)


@pytest.mark.parametrize("language", ["de", "en"])
def test_clauses_of_the_samples_node_by_node(samples: Path, language: str) -> None:
    assert check(read(samples / f"{language}_garden-test.conllu")) > 20


def test_clauses_of_spoiled_trees_node_by_node(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    assert sum(check(spoiled(gold, seed, labels=0.4)) for seed in range(3)) > 20


@pytest.mark.parametrize("name", ["UD_German-PUD", "UD_Swedish-Talbanken", "UD_Hungarian-Szeged", "UD_Low_Saxon-LSDC"])
def test_clauses_of_real_treebanks_node_by_node(shared: Path, name: str) -> None:
    file = sorted((shared / "ud" / name).glob("*.conllu"))[0]
    assert check(read(file)) > 20


# ---- definiteness


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([("das", "DET", "Definite=Def|PronType=Art", 2, "det"), ("Buch", "NOUN", "_", 0, "root")], "definite"),
        ([("ein", "DET", "Definite=Ind|PronType=Art", 2, "det"), ("Buch", "NOUN", "_", 0, "root")], "indefinite"),
        ([("dieses", "DET", "PronType=Dem", 2, "det"), ("Buch", "NOUN", "_", 0, "root")], "definite"),
        ([("mein", "DET", "Poss=Yes|PronType=Prs", 2, "det:poss"), ("Buch", "NOUN", "_", 0, "root")], "definite"),
        ([("kein", "DET", "PronType=Neg", 2, "det"), ("Buch", "NOUN", "_", 0, "root")], "indefinite"),
        ([("the", "DET", "_", 2, "det"), ("book", "NOUN", "_", 0, "root")], "definite"),
        ([("a", "DET", "_", 2, "det"), ("book", "NOUN", "_", 0, "root")], "indefinite"),
        ([("Annas", "PROPN", "Case=Gen", 2, "nmod"), ("Buch", "NOUN", "_", 0, "root")], "definite"),
        ([("rote", "ADJ", "_", 2, "amod"), ("Bücher", "NOUN", "_", 0, "root")], "indefinite"),
        ([("x", "X", "_", 2, "dep"), ("Anna", "PROPN", "_", 0, "root")], "definite"),
        ([("x", "X", "_", 2, "dep"), ("boken", "NOUN", "Definite=Def", 0, "root")], "definite"),
        ([("x", "X", "_", 2, "dep"), ("sie", "PRON", "PronType=Prs", 0, "root")], "definite"),
        ([("x", "X", "_", 2, "dep"), ("sich", "PRON", "PronType=Prs|Reflex=Yes", 0, "root")], "definite"),
        ([("x", "X", "_", 2, "dep"), ("nichts", "PRON", "PronType=Neg", 0, "root")], "indefinite"),
        ([("x", "X", "_", 2, "dep"), ("wer", "PRON", "PronType=Int", 0, "root")], "other"),
        ([("x", "X", "_", 2, "dep"), ("das", "PRON", "PronType=Dem,Rel", 0, "root")], "definite"),
    ],
)
def test_definiteness_by_hand(words: list[tuple[str, str, str, int, str]], expected: str) -> None:
    found = definiteness(bank(*words), np.array([1]))
    assert DEFINITENESS[int(found[0])] == expected


# ---- the view


def by_order(result: Result, measure: str) -> dict[str, Any]:
    return {
        str(one.by["order"]): one.value
        for one in result.findings
        if one.measure == measure and set(one.by) == {"order"}
    }


def test_view_against_counting(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    system = spoiled(gold, 3, labels=0.3)
    result = treebank_view(gold, {"x": system}, datives="no")
    clauses = clauses_of(gold)
    judged = WORD_ORDER.judge(clauses, {"x": ParseResult(system)}, WordOrderSettings()).by_system
    total, right = Counter[str](), Counter[str]()
    for mine, theirs in zip(gold, system, strict=True):
        for _, subject, obj, _, order, _ in slow_clauses(mine):
            total[order] += 1
            for at in (subject, obj):
                a, b = mine.words[at - 1], theirs.words[at - 1]
                right[order] += a.head == b.head and a.udeprel == b.udeprel
    assert {order: n for order, n in by_order(result, "clauses").items() if n} == dict(total)
    assert sum(by_order(result, "share").values()) == pytest.approx(100)
    las = {order: score for order, score in by_order(result, "las").items() if score is not None}
    assert las == pytest.approx({order: 100 * right[order] / (2 * n) for order, n in total.items()})
    for one in result.findings:
        if one.low is not None and one.measure in ("share", "las"):
            assert one.low <= one.value <= one.high
            assert one.low < one.high
    clusters = sentence_clusters(gold)
    assert f"clusters:{clusters.name}={clusters.count}" in result.signature
    assert len(clause_observations(clauses, judged, clusters)) == 2 * len(clauses)
    assert len(clause_observations(clauses, {}, clusters)) == len(clauses)


def test_shares_of_definiteness_add_up_within_each_subject(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    result, clauses = treebank_view(gold, datives="no"), clauses_of(gold)
    inner: dict[str, float] = {}
    for one in result.findings:
        if one.measure == "share" and set(one.by) == {"subject", "object"}:
            inner[str(one.by["subject"])] = inner.get(str(one.by["subject"]), 0) + float(one.value or 0)
    assert inner
    assert all(total == pytest.approx(100) for total in inner.values())
    counted = [
        one.value for one in result.findings if one.measure == "clauses" and set(one.by) == {"subject", "object"}
    ]
    assert sum(counted) == len(clauses)  # type: ignore[arg-type]


def test_correlation_of_frequency_and_las(samples: Path) -> None:
    """Oracle: scipy."""
    from scipy.stats import pearsonr, spearmanr

    gold = read(samples / "de_garden-test.conllu")
    result = treebank_view(gold, {"x": spoiled(gold, 5, labels=0.4)})
    share, las = by_order(result, "share"), by_order(result, "las")
    orders = [order for order, score in las.items() if score is not None]
    assert len(orders) >= 4
    pairs = [share[order] for order in orders], [las[order] for order in orders]
    found = {one.by["correlation"]: one for one in result.findings if one.measure == "frequency_las_correlation"}
    assert found["spearman"].value == pytest.approx(spearmanr(*pairs).statistic)
    assert found["pearson"].value == pytest.approx(pearsonr(*pairs).statistic)
    assert found["pearson"].low < found["pearson"].value < found["pearson"].high
    assert found["spearman"].n == len(orders)


def test_topological_fields_are_for_verb_second_languages(samples: Path) -> None:
    german, english = (read(samples / f"{code}_garden-test.conllu") for code in ("de", "en"))
    assert is_verb_second(german)
    assert not is_verb_second(english)
    renamed = Treebank(german.to_bytes(), name="mine.conllu")
    assert is_verb_second(renamed)
    assert not is_verb_second(Treebank(english.to_bytes(), name="mine.conllu"))
    titles = [[table.title for table in treebank_view(treebank).tables] for treebank in (german, english)]
    by_fields = "By topological fields (VF: forefield, MF: middle field)"
    assert [by_fields in some for some in titles] == [True, False]


def test_an_order_has_no_pattern_of_its_own(samples: Path) -> None:
    """VSO is verb-first or has an adverb before the verb: the first table must not name one of the two patterns."""
    orders, patterns, *_ = treebank_view(read(samples / "de_garden-test.conllu")).tables
    assert orders.columns[:2] == ["order", "clauses"]
    counts = {row[0]: row[1] for row in patterns.rows}
    (vso,) = [row[1] for row in orders.rows if row[0] == "VSO"]
    assert vso == counts["LK[V]MF[SO]"] + counts["VF[ADV]LK[V]MF[SO]"] == 11
