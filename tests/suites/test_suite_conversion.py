"""Round trips between the forms, and what one of them cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.suites import convert, read_suite
from gardenpath.suites.conll import from_conll
from gardenpath.suites.model import RoleSuite
from gardenpath.suites.names import ORDERS, ROLE_PROPERTIES
from gardenpath.suites.tabular import ROLES_HEADER, from_tsv

CASES = Path(__file__).parent / "cases"


def again(data: bytes, to: str) -> RoleSuite:
    return from_tsv(data, "again") if to == "tsv" else from_conll(data, "again", format=to)


@pytest.mark.parametrize(
    "name", ["perfect.conll", "pp-perfect.conll", "mixed-labels.conll", "contradictory-gold.conll"]
)
def test_both_flavours_of_feats_lose_nothing(name: str) -> None:
    data = (CASES / name).read_bytes()
    equals = convert(read_suite(CASES / name), "conllu-feats")
    assert equals.losses == ()
    assert b"props=" in equals.data
    assert b"props:" not in equals.data
    assert convert(again(equals.data, "conllu-feats"), "conll").data == data


@pytest.mark.parametrize("name", ["perfect", "pp-perfect", "old-names", "duplicate", "repeated-sentence"])
def test_tsv_to_conll_and_back_is_the_same_file(name: str) -> None:
    data = (CASES / f"{name}.tsv").read_bytes()
    conll = convert(read_suite(CASES / f"{name}.tsv"), "conll")
    assert convert(again(conll.data, "conll"), "tsv").data == data


def test_pp_in_tsv_is_all_of_the_partial_gold() -> None:
    written = convert(read_suite(CASES / "pp-perfect.tsv"), "conll")
    assert written.losses == ()
    assert written.data == (CASES / "pp-perfect.conll").read_bytes()


def test_what_tsv_does_not_have_is_listed() -> None:
    written = convert(read_suite(CASES / "perfect.conll"), "tsv")
    assert written.data == (CASES / "perfect.tsv").read_bytes()
    assert written.losses == ("heads of subject, object and verb, and all other arcs: 30",)
    written = convert(read_suite(CASES / "perfect.tsv"), "conll")
    assert written.losses == ("heads of subject and object, which TSV does not have (HEAD is _): 20",)
    assert convert(read_suite(CASES / "head-distance.tsv"), "conll").losses == (
        "head_distance that is not the distance of noun and head: 1",
    )


def test_lemmas_comments_and_other_feats_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    text = (CASES / "perfect.conll").read_text("utf-8")
    text = "# sent_id = a\n" + text.replace("Der\t_\t_\t_\torder", "Der\tder\t_\t_\ttf:VF|order").replace(
        "\tobj", "\tiobj"
    )
    path.write_text(text, encoding="utf-8")
    suite = read_suite(path)
    assert suite.sent_ids[:2] == ["a", "2"]
    losses = convert(suite, "tsv").losses
    assert losses[1:] == ("iobj, which is written as object: 10", "LEMMA: 2", "FEATS tf", "comments: 1")


@pytest.mark.parametrize(
    "name", ["missing-object.tsv", "repeated-role.conll", "loose-preposition.conll", "missing-noun.conll"]
)
def test_what_does_not_fit_into_tsv_is_an_error_with_its_place(name: str) -> None:
    with pytest.raises(InputError) as caught:
        convert(read_suite(CASES / name), "tsv")
    assert caught.value.where.startswith(str(CASES / name) + ":")


def test_names_of_today_on_request() -> None:
    suite = read_suite(CASES / "old-names.tsv")
    today = again(convert(suite, "conllu-feats", names="today").data, "conllu-feats")
    assert (today.release, today.orders, today.properties) == ("2026", suite.orders, suite.properties)
    assert today.marked[2] == ("VF[ADV]LK[V]MF[SO]", "base-regpol")
    assert convert(suite, "tsv", names="today").data == convert(today, "tsv").data


def test_all_heads_to_partial_gold(tmp_path: Path) -> None:
    path = tmp_path / "all.conll"
    text = (CASES / "perfect.conll").read_text("utf-8")
    path.write_text(
        text.replace("\t0\tverb", "\t0\troot").replace("\t_\t_\t_\t_\n", "\t1\tdep\t_\t_\n"), encoding="utf-8"
    )
    written = convert(read_suite(path), "conll", partial=True)
    assert written.data.decode() == text
    others = sum(line.endswith("\t_\t_\t_\t_") for line in text.splitlines())
    assert written.losses == (f"arcs that are no gold roles: {others}",)


def test_unknown_formats_and_names() -> None:
    suite = read_suite(CASES / "perfect.tsv")
    with pytest.raises(UsageError, match="unknown format 'tvs'"):
        convert(suite, "tvs")
    with pytest.raises(UsageError, match="unknown choice of names"):
        convert(suite, "tsv", names="new")


words = st.text(st.characters(categories=["L", "N"], exclude_characters="\u00a0"), min_size=1, max_size=6)
rows = st.tuples(
    st.sampled_from(sorted(ORDERS)),
    st.sampled_from([f"base-{name}" for name in ROLE_PROPERTIES] + ["aux-syn", "opron-pp"]),
    st.lists(words, min_size=2, max_size=7),
    st.data(),
)


@given(st.lists(rows, min_size=1, max_size=5))
def test_any_tsv_survives_both_flavours(drawn: list[tuple[str, str, list[str], st.DataObject]]) -> None:
    lines = ["\t".join(ROLES_HEADER)]
    for order, props, tokens, data in drawn:
        subject, object = data.draw(st.permutations(range(1, len(tokens) + 1)))[:2]
        lines.append(f"{order}\t{props}\t{subject}\t{object}\t{' '.join(tokens)}")
    text = ("\n".join(lines) + "\n").encode()
    for to in ("conll", "conllu-feats"):
        conll = convert(from_tsv(text, "drawn"), to).data
        assert convert(again(conll, to), "tsv").data == text
