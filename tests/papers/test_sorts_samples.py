"""Examples that the SORTS paper prints (Fischer, de Kok and Hinrichs 2020, CC BY 4.0), read as they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.suites import check, convert, read_suite

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
