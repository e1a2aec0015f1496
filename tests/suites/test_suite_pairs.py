"""Minimal pairs: one order or one property apart, and of one base sentence."""

from __future__ import annotations

from pathlib import Path

from gardenpath.suites import read_suite
from gardenpath.suites.pairs import MinimalPair

CASES = Path(__file__).parent / "cases"


def test_all_orders_of_a_sentence_are_pairs_and_the_property_pairs_item_by_item() -> None:
    suite = read_suite(CASES / "perfect.conll")
    pairs = suite.pairs()
    by_order = [pair for pair in pairs if pair.kind == "order"]
    assert len(by_order) == 2 * 10
    assert by_order[0] == MinimalPair(0, 1, "order", "VF[S]LK[V]MF[O] > VF[O]LK[V]MF[S]")
    by_property = [pair for pair in pairs if pair.kind == "property"]
    assert by_property == [MinimalPair(number, number + 5, "property", "aux") for number in range(5)]


def test_tsv_has_the_same_pairs() -> None:
    assert read_suite(CASES / "perfect.tsv").pairs() == read_suite(CASES / "perfect.conll").pairs()


def test_pairs_of_a_pp_suite_are_by_property() -> None:
    pairs = read_suite(CASES / "pp-perfect.tsv").pairs()
    assert {(pair.first, pair.second, pair.change) for pair in pairs} == {(0, 1, "3head"), (0, 2, "ppfronted")}


def test_other_words_make_no_pair() -> None:
    pairs = read_suite(CASES / "no-pair.tsv").pairs()
    assert [pair.kind for pair in pairs] == ["order"]


def test_pairs_do_not_depend_on_the_order_of_the_file(tmp_path: Path) -> None:
    header, *rows = (CASES / "perfect.tsv").read_text("utf-8").splitlines()
    path = tmp_path / "suite.tsv"
    path.write_text("\n".join([header, *reversed(rows)]) + "\n", encoding="utf-8")

    def named(suite_path: Path) -> set[frozenset[tuple[str, ...]]]:
        suite = read_suite(suite_path)
        return {frozenset([suite.tokens[pair.first], suite.tokens[pair.second]]) for pair in suite.pairs()}

    assert named(path) == named(CASES / "perfect.tsv")


def test_where_items_say_their_base_sentence_words_do_not_count(tmp_path: Path) -> None:
    row = "1\tHunde\tHund\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tjagen\tjagen\tVERB\t_\t_\t0\troot\t_\t_\n"
    other = row.replace("Hund", "Katz").replace("jagen", "suchen")
    path = tmp_path / "suite.conllu"
    marks = [("1", "VF[S]LK[V]MF[O]", "base-acc", row), ("1", "VF[S]LK[V]MF[O]", "base-aux", other),
             ("2", "VF[S]LK[V]MF[O]", "base-aux", row), ("1", "LK[V]MF[SO]", "base-aux", row)]  # fmt: skip
    text = "".join(
        f"# base = {base}\n# order = {order}\n# props = {props}\n{rows}\n" for base, order, props, rows in marks
    )
    path.write_text(text, encoding="utf-8")
    assert read_suite(path).pairs() == [
        MinimalPair(1, 3, "order", "VF[S]LK[V]MF[O] > LK[V]MF[SO]"), MinimalPair(0, 1, "property", "aux"),
    ]  # fmt: skip
