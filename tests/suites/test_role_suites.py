"""Role suites: read, converted, checked, and their minimal pairs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.suites import check, convert, read_suite
from gardenpath.suites.report import as_result, checks, survey
from gardenpath.suites.roles.conll import from_conll
from gardenpath.suites.roles.model import Arc, MinimalPair, RoleSuite
from gardenpath.suites.roles.names import ORDERS, ROLE_PROPERTIES, split_properties
from gardenpath.suites.roles.reader import detect
from gardenpath.suites.roles.tabular import ROLES_HEADER, from_tsv

CASES = Path(__file__).parent / "cases"
HEADER = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence\n"


def write(folder: Path, text: str, name: str = "suite.tsv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_formats_are_told_by_content_not_by_name(tmp_path: Path) -> None:
    for name, format in (("perfect.tsv", "tsv"), ("perfect.conll", "conll"), ("pp-perfect.tsv", "tsv")):
        data = (CASES / name).read_bytes()
        assert detect(data) == format
        other = tmp_path / "suite.txt"
        other.write_bytes(data)
        assert read_suite(other).format == format
    equals = (CASES / "perfect.conll").read_bytes().replace(b"order:", b"order=").replace(b"props:", b"props=")
    assert detect(b"# text = x\n" + equals) == "conllu-feats"


def test_an_item() -> None:
    suite = read_suite(CASES / "perfect.conll")
    item = suite.items[1]
    assert item.tokens == ("Einen", "Knochen", "sucht", "der", "Hund", ".")
    assert (item.order, item.properties, item.variations) == ("VF[O]LK[V]MF[S]", ("acc",), frozenset())
    assert item.arcs == (Arc(2, 3, "obj"), Arc(5, 3, "nsubj"))
    assert (item.sent_id, item.line, item.ambiguous) == ("2", 8, False)
    assert (suite.kind, suite.language, len(suite)) == ("roles", "de", 10)
    assert suite.treebank[1].text == "Einen Knochen sucht der Hund ."


def test_tsv_has_the_same_but_for_heads() -> None:
    conll, tsv = read_suite(CASES / "perfect.conll"), read_suite(CASES / "perfect.tsv")
    assert [item.tokens for item in tsv.items] == [item.tokens for item in conll.items]
    assert [item.properties for item in tsv.items] == [item.properties for item in conll.items]
    assert {arc.head for item in tsv.items for arc in item.arcs} == {-1}
    assert [[(arc.dependent, arc.label) for arc in item.arcs] for item in tsv.items] == [
        [(arc.dependent, arc.label) for arc in item.arcs] for item in conll.items
    ]


def test_pp_positions_count_from_0() -> None:
    for name in ("pp-perfect.tsv", "pp-perfect.conll"):
        suite = read_suite(CASES / name)
        assert suite.kind == "pp"
        assert suite.items[0].arcs == (Arc(5, 7, "case"), Arc(7, 2, "obl"))
        assert suite.items[2].arcs == (Arc(1, 3, "case"), Arc(3, 4, "obl"))


def test_where_all_heads_are_given_the_first_pp_is_the_one(tmp_path: Path) -> None:
    rows = [(2, "nsubj"), (0, "root"), (5, "case"), (5, "det"), (2, "obl"), (8, "case"), (8, "det"), (5, "nmod")]
    words = "Sie geht auf den Berg hinter dem Haus".split()
    text = "".join(
        f"{at}\t{word}\t_\t_\t_\tprops:1head-pppp\t{head}\t{label}\t_\t_\n"
        for at, (word, (head, label)) in enumerate(zip(words, rows, strict=True), 1)
    )
    assert read_suite(write(tmp_path, text + "\n", "a.conll")).items[0].arcs == (Arc(3, 5, "case"), Arc(5, 2, "obl"))


def test_names_of_2020_become_todays_and_are_kept() -> None:
    suite = read_suite(CASES / "old-names.tsv")
    assert suite.release == "2020"
    assert (suite.orders[2], suite.orders[3]) == ("VF[ADV]LK[V]MF[SO]", "LK[V]MF[SO]")
    assert suite.marked[2] == ("LK[V]MF[SO]", "base-sinst")
    assert set(suite.properties) == {("regpol",)}


def test_names_of_two_releases_are_refused(tmp_path: Path) -> None:
    text = HEADER + "LK[V]MF[SO]Q\tbase-regpol\t2\t3\tSucht er ihn ?\n"
    assert read_suite(write(tmp_path, text)).orders[0] == "LK[V]MF[SO]"
    text += "LK[V]MF[SO]\tbase-regpol\t2\t3\tDann sucht er ihn .\n"
    with pytest.raises(InputError, match="names of two releases"):
        read_suite(write(tmp_path, text))
    with pytest.raises(UsageError, match="unknown release '2021'"):
        read_suite(write(tmp_path, text), release="2021")


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("VF[S]LK[V]MF[O]\tbase-acc\t0\t2\tEr sucht ihn .", "position 0 in a sentence of 4 words"),
        ("VF[S]LK[V]MF[O]\tbase-acc\tone\t2\tEr sucht ihn .", "'one' is not a position"),
        ("VF[S]LK[V]MF[O]\tbase-acc\t1\tEr sucht ihn .", "4 columns instead of 5"),
        ("VF[S]LK[V]MF[O]\tbase-acc\t1\t3\tEr sucht  ihn .", "two blanks"),
        ("VF[S]LK[V]MF[O]\tbase=acc\t1\t3\tEr sucht ihn .", "cannot be"),
    ],
)
def test_a_bad_line_of_tsv_is_named(tmp_path: Path, row: str, what: str) -> None:
    path = write(tmp_path, f"{HEADER}{row}\n")
    with pytest.raises(InputError, match=what) as caught:
        read_suite(path)
    assert caught.value.where == f"{path}:2"


def test_positions_from_0_have_to_be_said(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "VF[S]LK[V]MF[O]\tbase-acc\t0\t2\tEr sucht ihn .\n")
    assert read_suite(path, positions=0).items[0].arcs == (Arc(1, -1, "nsubj"), Arc(3, -1, "obj"))
    with pytest.raises(UsageError):
        read_suite(path, positions=2)
    pp = (CASES / "pp-perfect.tsv").read_text("utf-8").replace("\t4\t6\t1\t", "\t5\t8\t2\t")
    with pytest.raises(InputError, match="position 8 in a sentence of 8 words, where positions count from 0"):
        read_suite(write(tmp_path, pp))


@pytest.mark.parametrize("text", ["", "a\tb\n", "1\tEr\t_\t_\t_\t_\t0\troot\t_\t_\n\n", HEADER])
def test_what_is_no_suite_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        read_suite(write(tmp_path, text, "a.conll"))


def test_a_folder_of_suites_is_not_one_suite() -> None:
    with pytest.raises(UsageError, match="one suite is expected"):
        read_suite(str(CASES / "perfect.*"))


def test_joined_properties() -> None:
    assert split_properties("base-acc") == ("acc",)
    assert split_properties("aux-syn") == ("aux", "syn")
    assert split_properties("base") == split_properties("") == ()


def test_ambiguity_by_property_then_by_name(tmp_path: Path) -> None:
    text = (CASES / "perfect.tsv").read_text("utf-8")
    assert read_suite(write(tmp_path, text, "german_amb_gold.tsv")).ambiguity == "full"
    assert read_suite(write(tmp_path, text, "german_part-ambiguous.tsv")).ambiguity == "part"
    assert read_suite(write(tmp_path, text, "example.tsv")).ambiguity == ""
    suite = read_suite(write(tmp_path, text.replace("base-aux", "amb-aux"), "german_amb.tsv"))
    assert (suite.ambiguity, int(suite.ambiguous.sum())) == ("part", 5)


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


TWO = ("other-items", "other-sentence", "other-labels", "other-gold")


def case(id: str) -> Path:
    return next(path for path in (CASES / f"{id}.conll", CASES / f"{id}.tsv") if path.exists())


def test_every_check_has_a_case() -> None:
    assert [one.id for one in checks() if not (CASES / f"{one.id}.tsv").exists() and not case(one.id).exists()] == []


@pytest.mark.parametrize("id", [one.id for one in checks() if one.id not in TWO])
def test_a_case_has_its_problem_and_no_other(id: str) -> None:
    problems = list(check(read_suite(case(id))))
    assert {problem.id for problem in problems} == {id}
    assert all(problem.line > 0 and problem.item and problem.message and problem.todo for problem in problems)


@pytest.mark.parametrize("id", TWO)
def test_two_forms_that_disagree(id: str) -> None:
    problems = list(check(read_suite(CASES / f"{id}.conll"), against=read_suite(CASES / f"{id}.tsv")))
    assert {problem.id for problem in problems} == {id}


@pytest.mark.parametrize(
    "name", ["perfect.tsv", "perfect.conll", "pp-perfect.tsv", "pp-perfect.conll", "old-names.tsv"]
)
def test_good_suites_have_no_problem(name: str) -> None:
    assert list(check(read_suite(CASES / name))) == []


def test_two_forms_that_agree() -> None:
    for name in ("perfect", "pp-perfect"):
        suite, other = read_suite(CASES / f"{name}.conll"), read_suite(CASES / f"{name}.tsv")
        assert list(check(suite, against=other)) == []
        assert list(check(other, against=suite)) == []


def test_the_line_is_that_of_the_word() -> None:
    (problem,) = check(read_suite(case("split-heads")))
    assert (problem.line, problem.item) == (5, "1")
    assert case("split-heads").read_text("utf-8").split("\n")[4].startswith("5\tKnochen")
    (problem,) = check(read_suite(case("missing-head")))
    assert problem.line == 12
    (problem,) = check(read_suite(case("missing-subject")))
    assert (problem.line, problem.item) == (3, "2")


def test_a_misspelt_property_gets_a_suggestion() -> None:
    problem = next(check(read_suite(case("unknown-property"))))
    assert problem.message == "unknown property 'sprom'"
    assert problem.todo == "did you mean spron or prov or opron?"


def test_an_order_is_compared_with_the_verb_unless_an_auxiliary_takes_its_place(tmp_path: Path) -> None:
    (problem,) = check(read_suite(case("order-contradiction")))
    assert problem.message == "VF[S]LK[V]MF[O] says S-V-O, the positions V-S-O"
    path = tmp_path / "suite.conll"
    path.write_text((CASES / "perfect.conll").read_text("utf-8").replace("VF[ADV]", ""), encoding="utf-8")
    (problem,) = check(read_suite(path), only=["order-contradiction"])
    assert (problem.item, problem.message) == ("3", "LK[V]MF[SO], but the verb is word 2")


def test_ignore_only_and_limit() -> None:
    suite = read_suite(case("duplicate"))
    assert list(check(suite, ignore=["duplicate"])) == []
    assert {one.id for one in check(suite, only=["duplicate"])} == {"duplicate"}
    report = survey(read_suite(case("unknown-property")), limit=1)
    assert (len(report.problems), report.counts["unknown-property"]) == (1, 2)
    assert "1 of them are shown" in as_result([report], limit=1).tables[0].note
    with pytest.raises(UsageError, match="unknown check 'dublicate'"):
        list(check(suite, only=["dublicate"]))


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
