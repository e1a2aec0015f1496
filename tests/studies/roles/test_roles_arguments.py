"""Kinds of arguments, datives, the main verb, and what case and agreement tell: sentences read by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from role_cases import treebank_view

from gardenpath.errors import UsageError
from gardenpath.studies.roles.case_clues import CLUES, RARE, case_clues
from gardenpath.studies.roles.clauses import (
    KINDS,
    PATTERNS,
    ClauseRules,
    argument_kinds,
    clauses_of,
    has_datives,
    is_verb_second,
    marks_definiteness,
)
from gardenpath.studies.roles.declaration import WordOrderSettings
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.treebank import Treebank, read

EVERYTHING = ClauseRules("main", datives=True, apart=True)


def sentence(text: str) -> str:
    """`form/UPOS/FEATS/HEAD/DEPREL`, with blanks between words; an XPOS may follow."""
    rows = []
    for at, cells in enumerate((word.split("/") for word in text.split()), start=1):
        form, upos, feats, head, deprel = cells[:5]
        tag = cells[5] if len(cells) > 5 else "_"
        rows.append(f"{at}\t{form}\t{form}\t{upos}\t{tag}\t{feats}\t{head}\t{deprel}\t_\t_")
    return "\n".join(rows) + "\n\n"


def bank(*texts: str) -> Treebank:
    return Treebank("".join(map(sentence, texts)).encode())


READ = {
    "Bücher/NOUN/_/0/root die/PRON/PronType=Dem,Rel/4/obj/PRELS er/PRON/_/4/nsubj liest/VERB/VerbForm=Fin/1/acl":
        ("OSV", "relative"),
    "Das/PRON/PronType=Dem,Rel/2/obj/PDS liest/VERB/VerbForm=Fin/0/root er/PRON/_/2/nsubj": ("OVS", "other"),
    "Welches/DET/PronType=Int/2/det Buch/NOUN/_/3/obj liest/VERB/VerbForm=Fin/0/root er/PRON/_/3/nsubj":
        ("OVS", "interrogative"),
    "Er/PRON/_/2/nsubj sieht/VERB/VerbForm=Fin/0/root sich/PRON/Reflex=Yes/2/obj": ("SVO", "reflexive"),
    "Er/PRON/_/2/nsubj irrt/VERB/VerbForm=Fin/0/root sich/PRON/Reflex=Yes/2/expl:pv": ("SVO", "expletive"),
    "Er/PRON/_/3/nsubj:pass wurde/AUX/VerbForm=Fin/3/aux:pass gelehrt/VERB/_/0/root Latein/NOUN/_/3/obj":
        ("SVO", "passive"),
    "Es/PRON/_/2/expl gibt/VERB/VerbForm=Fin/0/root Brot/NOUN/_/2/obj": ("SVO", "expletive"),
    "Er/PRON/_/2/nsubj sagt/VERB/VerbForm=Fin/0/root kommt/VERB/VerbForm=Fin/2/ccomp": ("SVO", "clausal"),
    "Dass/SCONJ/_/2/mark kommt/VERB/_/3/csubj freut/VERB/VerbForm=Fin/0/root ihn/PRON/_/3/obj": ("SVO", "clausal"),
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_kinds_of_arguments(text: str) -> None:
    clauses = clauses_of(bank(text), rules=EVERYTHING)
    assert [(order, KINDS[kind]) for order, kind in zip(clauses.orders, argument_kinds(clauses), strict=True)] == [
        READ[text]
    ]


def test_the_main_verb_decides_the_order_and_the_finite_one_the_fields() -> None:
    text = "Er/PRON/_/4/nsubj hat/AUX/VerbForm=Fin/4/aux Bücher/NOUN/_/4/obj gelesen/VERB/VerbForm=Part/0/root"
    for verb, order in (("main", "SOV"), ("finite", "SVO")):
        clauses = clauses_of(bank(text), rules=ClauseRules(verb))
        assert clauses.orders == [order]
        assert PATTERNS[int(clauses.pattern[0])] == "VF[S]LK[V]MF[O]"


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("Er/PRON/_/2/nsubj hilft/VERB/VerbForm=Fin/0/root ihr/PRON/Case=Dat/2/obl:arg", 1),
        ("Er/PRON/_/2/nsubj hilft/VERB/VerbForm=Fin/0/root dem/DET/Case=Dat/4/det Mann/NOUN/_/2/obl:arg", 1),
        ("Er/PRON/_/2/nsubj hofft/VERB/VerbForm=Fin/0/root auf/ADP/_/4/case sie/PRON/Case=Acc/2/obl:arg", 0),
        ("Er/PRON/_/2/nsubj kommt/VERB/VerbForm=Fin/0/root mit/ADP/_/4/case ihr/PRON/Case=Dat/2/obl:arg", 0),
        ("Er/PRON/_/2/nsubj hilft/VERB/VerbForm=Fin/0/root ihr/PRON/Case=Dat/2/obl", 0),
    ],
)
def test_datives_are_objects_where_they_are_asked_for(text: str, counted: int) -> None:
    assert len(clauses_of(bank(text), rules=ClauseRules(datives=True))) == counted
    assert len(clauses_of(bank(text))) == 0


@pytest.mark.parametrize(
    ("first", "pattern"),
    [
        ("Deshalb/ADV/_/2/mark", "VF[ADV]LK[V]MF[SO]"),
        ("Trotzdem/ADV/_/2/cc", "VF[ADV]LK[V]MF[SO]"),
        ("Komm/VERB/_/2/parataxis", "VF[ADV]LK[V]MF[SO]"),
        ("Kommt/VERB/_/2/advcl", "VF[ADV]LK[V]MF[SO]"),
        ("Und/CCONJ/_/2/cc", "LK[V]MF[SO]"),
        ("Ach/INTJ/_/2/discourse", "LK[V]MF[SO]"),
    ],
)
def test_an_adverb_or_a_clause_in_front_makes_it_verb_second(first: str, pattern: str) -> None:
    clauses = clauses_of(bank(f"{first} liest/VERB/VerbForm=Fin/0/root er/PRON/_/2/nsubj Bücher/NOUN/_/2/obj"))
    assert PATTERNS[int(clauses.pattern[0])] == pattern


# ---- case and agreement

NOM, ACC = "Case=Nom", "Case=Acc"


def clause(subject: str, verb: str, obj: str) -> str:
    """`article+noun:feats`, each with its case; a noun without an article stands alone."""
    words, heads = [], []
    for phrase, role in ((subject, "nsubj"), (verb, "root"), (obj, "obj")):
        forms, _, feats = phrase.partition(":")
        heads.append((forms.split("+"), feats or "_", role))
        words += forms.split("+")
    at = [len(heads[0][0]), len(heads[0][0]) + 1, len(words)]
    rows = []
    for (forms, feats, role), head in zip(heads, (at[0], 0, at[2]), strict=True):
        for form in forms[:-1]:
            rows.append(f"{form}/DET/{feats}/{head}/det")
        upos = "VERB" if role == "root" else "NOUN"
        rows.append(f"{forms[-1]}/{upos}/{feats}/{0 if role == 'root' else at[1]}/{role}")
    return " ".join(rows)


SING, PLUR = "Number=Sing", "Number=Plur"
SIEHT, SEHEN = f"sieht:{SING}|Person=3|VerbForm=Fin", f"sehen:{PLUR}|Person=3|VerbForm=Fin"
HUND, FRAU = f"Gender=Masc|{SING}", f"Gender=Fem|{SING}"
FRAUEN = f"Gender=Fem|{PLUR}"
FILLED = [
    clause(f"der+Hund:{NOM}|{HUND}", SIEHT, f"die+Frau:{ACC}|{FRAU}"),
    clause(f"die+Frau:{NOM}|{FRAU}", SIEHT, f"den+Hund:{ACC}|{HUND}"),
    clause(f"die+Frauen:{NOM}|{FRAUEN}", SEHEN, f"die+Frauen:{ACC}|{FRAUEN}"),
] * RARE
TOLD = {
    "case": clause(f"der+Hund:{NOM}|{HUND}", SIEHT, f"die+Frau:{ACC}|{FRAU}"),
    "agreement": clause(f"die+Frauen:{NOM}|{FRAUEN}", SEHEN, f"die+Frau:{ACC}|{FRAU}"),
    "open": clause(f"die+Katze:{NOM}|{FRAU}", SIEHT, f"die+Frau:{ACC}|{FRAU}"),
    "rare": clause(f"Anna:{NOM}|{FRAU}", SIEHT, f"Maria:{ACC}|{FRAU}"),
}


@pytest.mark.parametrize("clue", TOLD)
def test_what_tells_subject_and_object_apart(clue: str) -> None:
    """`der` is nominative of a masculine noun; `die` is both cases of a feminine one, and of all plurals."""
    clauses = clauses_of(bank(*FILLED, TOLD[clue]))
    assert CLUES[int(case_clues(clauses)[-1])] == clue
    alone = case_clues(clauses_of(bank(TOLD[clue])))
    assert CLUES[int(alone[0])] == ("agreement" if clue == "agreement" else "rare")


def test_without_case_agreement_tells_and_the_rest_is_not_annotated() -> None:
    dogs = ["dogs/NOUN/Number=Plur/2/nsubj see/VERB/Number=Plur/0/root cats/NOUN/Number=Plur/2/obj"] * RARE
    singular = "dogs/NOUN/Number=Plur/2/nsubj see/VERB/Number=Plur/0/root Kim/NOUN/Number=Sing/2/obj"
    clues = case_clues(clauses_of(bank(*dogs, singular))).tolist()
    assert [CLUES[clue] for clue in clues] == ["not annotated"] * RARE + ["agreement"]


def test_a_pronoun_tells_where_nouns_have_no_case() -> None:
    he = "he/PRON/Case=Nom|Number=Sing/2/nsubj saw/VERB/_/0/root him/PRON/Case=Acc|Number=Sing/2/obj"
    mixed = "he/PRON/Case=Nom|Number=Sing/2/nsubj saw/VERB/_/0/root dogs/NOUN/Number=Plur/2/obj"
    nouns = "cats/NOUN/Number=Plur/2/nsubj saw/VERB/_/0/root dogs/NOUN/Number=Plur/2/obj"
    clues = case_clues(clauses_of(bank(*[he] * RARE, mixed, nouns))).tolist()
    assert [CLUES[clue] for clue in clues[RARE:]] == ["case", "open"]


def marked(subject: str, obj: str, feats: str = "_") -> str:
    """Subject, verb and object, of which the first and the last have these adpositions."""
    rows, verb = [], 2 + bool(subject)
    for place, (adposition, noun, role) in enumerate(((subject, "man", "nsubj"), (obj, "dog", "obj"))):
        head = verb - 1 if place == 0 else verb + 1 + bool(adposition)
        rows.append(f"{adposition}/ADP/_/{head}/case" if adposition else "")
        rows.append(f"{noun}/NOUN/{feats}/{verb}/{role}")
        rows.append("sees/VERB/_/0/root" if place == 0 else "")
    return " ".join(filter(None, rows))


def told(*sentences: str) -> list[str]:
    return [CLUES[clue] for clue in case_clues(clauses_of(bank(*sentences))).tolist()]


def test_an_adposition_of_one_of_the_two_tells_them_apart() -> None:
    """As in Coptic or Spanish (object), in Japanese (both, different), and where both may have the same (topics)."""
    case = "Case=Nom|Number=Sing"  # both layers are there
    assert told(marked("", "n", case), marked("", "", case)) == ["adposition", "open"]
    assert told(marked("ga", "o", case)) == ["adposition"]
    assert told(marked("wa", "wa", case)) == ["open"]
    topics = [marked("wa", "", case)] * 5 + [marked("", "wa", case)] * 5
    assert told(*topics) == ["open"] * 10  # both take it
    assert told(*topics, marked("wa", "o", case))[-1] == "adposition"
    few = [marked("", "n", case)] * 30 + [marked("n", "", case)]
    assert told(*few) == ["adposition"] * 30 + ["open"]  # one in thirty is a mistake


def test_what_no_word_of_a_treebank_has_is_not_annotated() -> None:
    coptic = [marked("", "n")] * 3 + [marked("", "")] * 7
    assert told(*coptic) == ["adposition"] * 3 + ["not annotated"] * 7
    result = treebank_view(bank(*coptic))
    counts = {
        finding.by["clue"]: finding.value
        for finding in result.findings
        if finding.measure == "clauses" and "clue" in finding.by
    }
    assert counts == {"adposition": 3, "not annotated": 7}
    texts = " ".join(verdict.text for verdict in result.verdicts)
    assert "Case and Number, Person and Gender: not annotated" in texts
    assert "70.0" in texts
    assert "leave subject and object open" not in texts
    note = next(table.note for table in result.tables if table.name == "by-clue")
    assert "No word of the treebank has Case or Number, Person and Gender." in note


def test_kinds_that_no_annotation_tells_are_not_counted_as_none() -> None:
    plain = treebank_view(bank(marked("", "")), by=["kind"])
    kinds = {finding.by["kind"] for finding in plain.findings if "kind" in finding.by}
    assert kinds == {"all", "other", "expletive", "clausal"}
    note = next(table.note for table in plain.tables if table.name == "by-kind")
    for kind in ("relative (PronType)", "interrogative (PronType)", "reflexive (Reflex)", "passive (the subtype pass)"):
        assert kind in note
    assert "Finiteness is not annotated" in plain.tables[0].note
    feats = "PronType=Prs|Reflex=Yes"
    full = treebank_view(bank(marked("", "", feats), f"it/PRON/{feats}/2/nsubj:pass seen/VERB/VerbForm=Fin/0/root"))
    kinds = {finding.by["kind"] for finding in full.findings if "kind" in finding.by}
    assert kinds == {"all", *KINDS}
    assert "Finiteness" not in full.tables[0].note


def test_a_treebank_without_definiteness_keeps_none() -> None:
    gold = bank(marked("", ""))
    kept = WORD_ORDER.kept(treebank_view(gold).judged, WordOrderSettings()).observations
    assert kept is not None
    assert kept.frame()["subject"].to_list() == [None]


# ---- the study


def test_the_study_keeps_what_is_apart_out_of_the_orders(samples: Path) -> None:
    gold = read(samples / "de_garden-test.conllu")
    result = treebank_view(gold, {"gold": gold}, verb="main", examples="SOV", limit=3)
    counts = {
        (key, finding.by[key]): int(finding.value or 0)
        for finding in result.findings
        if finding.measure == "clauses" and len(finding.by) == 1
        for key in finding.by
    }
    core = next(finding.value for finding in result.findings if finding.measure == "clauses" and not finding.by)
    for key in ("order", "pattern", "clue"):
        assert sum(count for (name, _), count in counts.items() if name == key) == core
    first_four = sum(counts["kind", kind] for kind in KINDS[:4])
    assert first_four == core
    assert sum(counts["kind", kind] for kind in KINDS) == counts["kind", "all"] > first_four
    assert all(finding.value == 100 for finding in result.findings if finding.measure == "las" and finding.n)
    assert "|verb:main|datives:yes|" in result.signature
    assert [example["order"] for example in result.details["examples"]] == ["SOV"] * 3
    assert all(f"/{role}" in str(example["text"]) for example in result.details["examples"] for role in "SVO")
    with pytest.raises(UsageError, match="unknown order, pattern, kind or clue"):
        treebank_view(gold, examples="SVX")


def test_languages(samples: Path) -> None:
    german, english = (read(samples / f"{code}_garden-test.conllu") for code in ("de", "en"))
    assert (has_datives(german), has_datives(english), is_verb_second(german)) == (True, False, True)
    assert marks_definiteness(german)
    bare = bank("Маша/PROPN/_/2/nsubj видит/VERB/VerbForm=Fin/0/root Сашу/PROPN/_/2/obj")
    assert not marks_definiteness(bare)
    assert not [finding for finding in treebank_view(bare).findings if "subject" in finding.by]


def test_the_frequencies_of_the_paper_fit_the_main_verb(shared: Path) -> None:
    """Table 2: SOV 45.1, SVO 22.4, VSO 13.7 per cent in TüBa-D/Z."""
    shares = {
        str(finding.by["order"]): float(finding.value or 0)
        for finding in treebank_view(read(shared / "ud" / "UD_German-PUD"), verb="main").findings
        if finding.measure == "share" and list(finding.by) == ["order"]
    }
    assert shares["SOV"] == pytest.approx(45.1, abs=3)
    assert shares["VSO"] == pytest.approx(13.7, abs=3)
    assert max(shares, key=lambda order: shares[order]) == "SOV"
