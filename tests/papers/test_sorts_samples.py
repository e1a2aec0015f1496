"""Examples that the SORTS paper prints (Fischer, de Kok and Hinrichs 2020, CC BY 4.0), read as they are printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gardenpath import roles
from gardenpath.errors import InputError
from gardenpath.suites import check, convert, read_suite
from gardenpath.treebank import Treebank
from gardenpath_generate.roles.subject_object import Generated, generate_roles

APPENDIX_A = """\
VF[S]LK[V]MF[O]\taux-vlight\t2\t5\tDie Chefin wird eine Entscheidung treffen .
VF[O]LK[V]MF[S]\taux-vlight\t5\t2\tEine Entscheidung wird die Chefin treffen .
VF[ADV]LK[V]MF[SO]\taux-vlight\t4\t6\tDeshalb wird die Chefin eine Entscheidung treffen .
LK[V]MF[SO]Q\taux-vlight\t3\t5\tWird die Chefin eine Entscheidung treffen ?
MF[SO]VC[V]\taux-vlight\t3\t5\tWeil die Chefin eine Entscheidung treffen wird .
"""
ORDERS_TODAY = ["VF[S]LK[V]MF[O]", "VF[O]LK[V]MF[S]", "VF[ADV]LK[V]MF[SO]", "LK[V]MF[SO]", "MF[SO]VC[V]"]
PRINTED = "Word order\tProperties\tS\tO\tSentence\n"


def written(folder: Path, text: str, name: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def in_conll(rows: str) -> str:
    """Appendix A.1: order and props on every word; heads of subject, object and main verb only."""
    sentences = []
    for row in rows.splitlines():
        order, props, subject, obj, text = row.split("\t")
        words = text.split()
        verb = words.index("treffen") + 1
        nothing = "_\t_"
        arcs = {int(subject): f"{verb}\tnsubj", int(obj): f"{verb}\tobj", verb: "0\tverb"}
        sentences.append(
            "".join(
                f"{at}\t{word}\t_\t_\t_\torder:{order}|props:{props}\t{arcs.get(at, nothing)}\t_\t_\n"
                for at, word in enumerate(words, 1)
            )
        )
    return "\n".join(sentences) + "\n"


def test_appendix_a1_the_conll_sample_has_names_of_both_releases(tmp_path: Path) -> None:
    suite = read_suite(written(tmp_path, in_conll(APPENDIX_A), "appendix.conll"))
    assert list(suite.orders) == ORDERS_TODAY
    assert set(suite.properties) == {("aux", "vlight")}
    assert [[(arc.label, suite.tokens[item][arc.dependent - 1]) for arc in suite.arcs_of(item)] for item in (1, 4)] == [
        [("obj", "Entscheidung"), ("nsubj", "Chefin")],
        [("nsubj", "Chefin"), ("obj", "Entscheidung")],
    ]
    assert list(check(suite)) == []
    assert len(suite.pairs()) == 10  # five orders of one sentence: 5 * 4 / 2


def test_appendix_a2_the_sentence_sample_has_its_printed_header(tmp_path: Path) -> None:
    suite = read_suite(written(tmp_path, PRINTED + APPENDIX_A, "appendix.tsv"))
    assert list(suite.orders) == ORDERS_TODAY
    conll = read_suite(written(tmp_path, in_conll(APPENDIX_A), "appendix.conll"))
    assert list(check(suite, against=conll)) == []
    assert convert(suite, "tsv").data.decode().partition("\n")[2] == APPENDIX_A


def test_an_order_that_means_two_things_is_refused_and_the_option_named(tmp_path: Path) -> None:
    both = PRINTED + APPENDIX_A + "LK[V]MF[SO]\tbase-acc\t3\t5\tWird die Chefin eine Wahl treffen ?\n"
    path = written(tmp_path, both, "both.tsv")
    with pytest.raises(InputError, match="names of two releases") as error:
        read_suite(path)
    assert "--release 2020 or --release 2026" in error.value.todo
    assert read_suite(path, release="2020").orders[-1] == "VF[ADV]LK[V]MF[SO]"
    assert read_suite(path, release="2026").orders[-1] == "LK[V]MF[SO]"


def test_table_5_names_the_degrees_of_variation(tmp_path: Path) -> None:
    rows = (
        "VF[S]LK[V]MF[O]\tbase\t2\t5\tDer Leser abonniert eine Zeitschrift .\n"
        "VF[S]LK[V]MF[O]\taux\t2\t5\tDer Leser wird eine Zeitschrift abonnieren .\n"
        "VF[S]LK[V]MF[O]\taux-syn\t2\t5\tDer Leser wird eine Zeitschrift bestellen .\n"
    )
    suite = read_suite(written(tmp_path, PRINTED + rows, "table5.tsv"))
    assert list(suite.properties) == [("acc",), ("aux",), ("aux", "syn")]
    assert [len(one) for one in suite.variations] == [0, 1, 2]
    assert [(pair.first, pair.second, pair.change) for pair in suite.pairs()] == [(0, 1, "aux"), (1, 2, "syn")]
    assert list(check(suite)) == []
    assert [line.split("\t")[1] for line in convert(suite, "tsv", names="today").data.decode().splitlines()[1:]] == [
        "base-acc",
        "base-aux",
        "aux-syn",
    ]


def test_figure_1_names_properties_in_words(tmp_path: Path) -> None:
    row = "VF[S]LK[V]MF[O]\tsubject_pronoun-light_verb\t1\t4\tSie trifft eine Entscheidung .\n"
    suite = read_suite(written(tmp_path, PRINTED + row, "figure1.tsv"))
    assert suite.properties[0] == ("spron", "vlight")
    assert [problem.id for problem in check(suite)] == ["no-pair"]


def test_table_3_has_eight_orders_of_one_sentence(tmp_path: Path) -> None:
    rows = (
        "LK[V]MF[SO]\tbase-psy\t3\t4\tErstaunt das Ergebnis Sie ?\n"
        "LK[V]MF[OS]\tbase-psy\t4\t2\tErstaunt Sie das Ergebnis ?\n"
        "VF[S]LK[V]MF[O]\tbase-psy\t2\t4\tDas Ergebnis erstaunt Sie .\n"
        "VF[O]LK[V]MF[S]\tbase-psy\t4\t1\tSie erstaunt das Ergebnis .\n"
        "VF[ADV]LK[V]MF[SO]\tbase-psy\t4\t5\tDeshalb erstaunt das Ergebnis Sie .\n"
        "VF[ADV]LK[V]MF[OS]\tbase-psy\t5\t3\tDeshalb erstaunt Sie das Ergebnis .\n"
        "MF[SO]VC[V]\tbase-psy\t3\t4\tWeil das Ergebnis Sie erstaunt .\n"
        "MF[OS]VC[V]\tbase-psy\t4\t2\tWeil Sie das Ergebnis erstaunt .\n"
    )
    suite = read_suite(written(tmp_path, PRINTED + rows, "table3.tsv"))
    assert len(set(suite.orders)) == 8
    assert {pair.kind for pair in suite.pairs()} == {"order"}
    assert len(suite.pairs()) == 28
    assert list(check(suite, only=["order-contradiction", "unknown-order", "no-pair"])) == []


TRIPLES = """
language = "de"
adverbs = ["deshalb"]
conjunctions = ["weil"]
names = [{ lemma = "Anna", gender = "fem" }]
phrases = [{ preposition = "in", determiner = "dem", noun = "Jahr", gender = "neut" }]
[nouns]
human = [
  { lemma = "Leser", gender = "masc", plural = "Leser", feminine = "Leserin" },
  { lemma = "General", gender = "masc", plural = "Generäle" },
]
institution = [{ lemma = "Verlag", gender = "masc", plural = "Verlage" }]
press = [{ lemma = "Zeitschrift", gender = "fem", plural = "Zeitschriften" }]
action = [{ lemma = "Angriff", gender = "masc", plural = "Angriffe" }]
[verbs]
accusative = [
  { lemma = "abonnieren", present = "abonniert" },
  { lemma = "bestellen", present = "bestellt", participle = "bestellt" },
  { lemma = "starten", present = "startet" },
]
psych_accusative = [{ lemma = "begeistern", present = "begeistert", participle = "begeistert" }]
[[constructions.triples]]
subject = "Leser"
verb = "abonnieren"
object = "Zeitschrift"
properties = ["amb", "aux", "oneg", "spron", "opron", "pp", "sname"]
syn = "bestellen"
regpol = "Verlag"
psy = { subject = "Zeitschrift", verb = "begeistern", object = "Leser" }
[[constructions.triples]]
subject = "General"
verb = "starten"
object = "Angriff"
properties = ["amb", "pp", "sname"]
"""
SUBJECT_FIRST, OBJECT_FIRST, ADVERB_FIRST = "VF[S]LK[V]MF[O]", "VF[O]LK[V]MF[S]", "VF[ADV]LK[V]MF[SO]"


def texts(made: Generated, base: str) -> dict[tuple[str, str], str]:
    """The sentences of a base sentence by properties and order."""
    suite = made.suite()
    rows = zip(suite.bases, suite.properties, suite.orders, suite.treebank.texts, strict=True)
    return {("-".join(names), order): text for number, names, order, text in rows if number == base}


def test_sections_1_and_3_1_a_suite_is_made_of_triples(tmp_path: Path) -> None:
    """Table 5, Example 3, and one sentence of each variant that the first triple lists."""
    made = generate_roles(lexicon=written(tmp_path, TRIPLES, "triples.toml"))
    reader = texts(made, "0001")
    assert {names: text for (names, order), text in reader.items() if order == SUBJECT_FIRST and "-" not in names} == {
        "acc": "Der Leser abonniert eine Zeitschrift.",
        "aux": "Der Leser wird eine Zeitschrift abonnieren.",
        "syn": "Der Leser bestellt eine Zeitschrift.",
        "amb": "Die Leserin abonniert eine Zeitschrift.",
        "oneg": "Der Leser abonniert keine Zeitschrift.",
        "spron": "Er abonniert eine Zeitschrift.",
        "opron": "Der Leser abonniert sie.",
        "pp": "Der Leser abonniert in dem Jahr eine Zeitschrift.",
        "regpol": "Der Verlag abonniert eine Zeitschrift.",
        "psy": "Die Zeitschrift begeistert einen Leser.",
    }
    assert reader["aux-syn", SUBJECT_FIRST] == "Der Leser wird eine Zeitschrift bestellen."
    assert reader["amb-pp", SUBJECT_FIRST] == "Die Leserin abonniert in dem Jahr eine Zeitschrift."
    assert reader["psy", "MF[OS]VC[V]"] == "Weil einen Leser die Zeitschrift begeistert."
    assert max(names.count("-") for names, _ in reader) == 1
    general = texts(made, "0002")
    assert {name for names, _ in general for name in names.split("-")} == {"acc", "amb", "pp", "sname"}
    assert general["pp", ADVERB_FIRST] == "Deshalb startet in dem Jahr der General einen Angriff."
    assert general["pp-sname", OBJECT_FIRST] == "Einen Angriff startet in dem Jahr Anna."
    (row,) = {line for line in made.data.decode().splitlines() if "\tdem\t" in line and line.startswith("5\t")}
    assert row.split("\t")[2:5] == ["der", "DET", "ART"]
    (unmade,) = made.unmade
    assert unmade.startswith("Leser – abonnieren – Zeitschrift, base-sname: no form tells subject from object")
    assert list(check(made.suite())) == []


def test_section_3_5_the_ambiguous_suite_is_the_other_rewritten(tmp_path: Path) -> None:
    made = generate_roles(lexicon=written(tmp_path, TRIPLES, "triples.toml"), ambiguity="twins")
    general = texts(made, "0002")
    assert general["acc", SUBJECT_FIRST] == "Der General startet einen Angriff."
    assert general["amb", SUBJECT_FIRST] == "Die Generäle starten Angriffe."
    assert general["amb-pp", ADVERB_FIRST] == "Deshalb starten in dem Jahr die Generäle Angriffe."
    suite = made.suite()
    pairs = [pair for pair in suite.pairs() if pair.change == "amb"]
    assert ("Einen Angriff startet der General.", "Angriffe starten die Generäle.") in {
        (suite.treebank.texts[pair.first], suite.treebank.texts[pair.second]) for pair in pairs
    }
    parsed = roles(suite, {"case": by_case(suite.treebank)})
    cost = next(one for one in parsed.findings if one.measure == "las_delta" and one.by.get("change") == "amb")
    right = [[word.deprel == other.deprel for word, other in zip(gold.words, tree.words, strict=True)
              if word.deprel in ("nsubj", "obj")] for gold, tree in zip(suite.treebank, by_case(suite.treebank),
              strict=True)]  # fmt: skip
    losses = [sum(right[pair.second]) / 2 - sum(right[pair.first]) / 2 for pair in pairs]
    assert (cost.n, cost.value) == (len(pairs), pytest.approx(100 * sum(losses) / len(losses)))
    assert float(str(cost.value)) < -10


def by_case(gold: Treebank) -> Treebank:
    """A parser that reads articles and pronouns; where they say nothing, the first argument is its subject."""
    rows = []
    for sentence in gold:
        arguments = [word for word in sentence.words if word.deprel in ("nsubj", "obj")]
        words = [{one.form.casefold() for one in sentence.words if one.head == word.ord} | {word.form.casefold()}
                 for word in arguments]  # fmt: skip
        accusative = [bool(forms & {"einen", "keinen", "ihn", "den"}) for forms in words]
        nominative = [bool(forms & {"der", "er"}) for forms in words]
        swapped = accusative[0] or nominative[1]
        labels = dict(
            zip((word.ord for word in arguments), ["obj", "nsubj"] if swapped else ["nsubj", "obj"], strict=True)
        )
        for row in sentence.rows:
            rows.append("\t".join([*row[:7], labels.get(int(row[0]), row[7]), *row[8:]]))
        rows.append("")
    return Treebank("\n".join([*rows, ""]).encode(), name="case")


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ('"Leser", gender = "masc", plural = "Leser"', '"Leser", gender = "masc"', "", ""),
        ('verb = "abonnieren"', 'verb = "lesen"', "entry 1 (abonnieren)", "unknown verb 'lesen'"),
        ('"amb", "aux"', '"amb", "auxx"', "properties", "unknown property 'auxx'"),
        ('regpol = "Verlag"', 'regpol = "Verlagg"', "regpol", "unknown noun 'Verlagg'"),
        ('subject = "General"', 'subject = "Verlag"', "triples", "a base sentence has a person"),
        ("psy = { subject", "vlight = { subject", "vlight", "begeistern is in another list of verbs"),
        ('psy = { subject = "Zeitschrift", verb = "begeistern", object = "Leser" }', "vlight = {}", "vlight",
         "is no light verb construction"),
    ],
)  # fmt: skip
def test_a_triple_that_cannot_be_says_why(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    assert TRIPLES.count(old)
    path = written(tmp_path, TRIPLES.replace(old, new), "triples.toml")
    if not what:
        assert "Leser – abonnieren – Zeitschrift" not in " ".join(generate_roles(lexicon=path).unmade[1:])
        return
    with pytest.raises(InputError, match=re.escape(what)) as error:
        generate_roles(lexicon=path)
    assert error.value.where.startswith("triples.toml")


def test_a_lexicon_that_gives_nothing_says_why(tmp_path: Path) -> None:
    """Readers that are not people; readers that are; and nouns whose forms never tell subject from object."""
    classes = (
        TRIPLES[: TRIPLES.index("[[constructions")]
        .replace('"Leserin"', '"Leserin", also = ["reader"]')
        .replace('present = "abonniert"', 'present = "abonniert", roles = ["reader > press"]')
    )
    lost = classes.replace("human = [", "person = [").replace('also = ["reader"]', 'also = ["reader"]')
    with pytest.raises(InputError, match="50 sentences were asked for, this lexicon gives 0") as error:
        generate_roles(lexicon=written(tmp_path, lost, "lost.toml"), size=50)
    assert "no noun is in the class human" in error.value.todo
    reader = generate_roles(lexicon=written(tmp_path, classes, "found.toml"), size=50)
    assert set(texts(reader, "0001")) & {("acc", SUBJECT_FIRST)}
    assert texts(reader, "0001")["acc", SUBJECT_FIRST] in (
        "Der Leser abonniert eine Zeitschrift.", "Der Leser abonniert Zeitschriften.",
    )  # fmt: skip
    nobody = classes.replace('also = ["reader"]', 'also = ["tenant"]').replace("institution", "reader")
    with pytest.raises(InputError) as error:
        generate_roles(lexicon=written(tmp_path, nobody, "nobody.toml"), size=50)
    assert "abonnieren: no noun of reader is in the class human" in error.value.todo
    hidden = TRIPLES.replace('"General", gender = "masc"', '"General", gender = "fem"').replace("Angriffe", "Angriff")
    hidden = hidden.replace('"Angriff", gender = "masc"', '"Angriff", gender = "fem"')
    made = generate_roles(lexicon=written(tmp_path, hidden, "hidden.toml"))
    assert any(line.startswith("General – starten – Angriff, base-acc: no form tells") for line in made.unmade)


def test_triples_of_which_all_can_be_made_report_nothing(tmp_path: Path) -> None:
    all_made = TRIPLES.replace('"pp", "sname"]\nsyn', '"pp"]\nsyn')
    assert generate_roles(lexicon=written(tmp_path, all_made, "triples.toml")).unmade == ()
    assert generate_roles(lexicon=written(tmp_path, all_made, "triples.toml"), size=60).sentences == 60
