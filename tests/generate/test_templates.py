"""Templates: what they expand to, by hand-counted examples, and what an author is told when something is missing."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from gardenpath.errors import GardenpathError
from gardenpath.formats import REGIONS
from gardenpath.suites.regions.positions import arc_of
from gardenpath.suites.regions.reader import read_region_suite
from gardenpath.suites.report import check
from gardenpath.suites.roles.reader import read_suite
from gardenpath.treebank.perturb.values import is_word_list, read_values
from gardenpath_generate.templates.writing import STARTERS, Template, expanded, parse_template, starter, suite_of

PAIRS = starter("pairs", "en", "agreement")


def template(text: str = PAIRS) -> Template:
    return parse_template(text.encode(), "mine.toml")


def rows(text: str = PAIRS, **how: int) -> list[list[str]]:
    parsed = template(text)
    return [line.split("\t") for line in suite_of(parsed, expanded(parsed, **how)).decode().splitlines()[1:]]


# ---- what is made


def test_the_decisive_arc_of_a_template() -> None:
    suite = REGIONS.reader("template")(starter("surprisal", "en", "first").encode(), "first.toml")
    assert len(suite) == 27
    assert list(check(suite)) == []
    for condition in suite.items[0].conditions:
        arc = arc_of(suite, suite.items[0], condition)
        assert arc is not None
        assert [condition.words[place - 1] for place in (arc.dependent, arc.head)] == ["deer", "ran"]
        assert arc.labels == ("nsubj",)
    assert suite.items[0].conditions[1].text() == "while the man hunted , the deer ran at noon ."


def test_all_items_of_a_template() -> None:
    """3 nouns × 2 verbs, less two that do not bark = 4; × 2 places × 2 other nouns × 2 numbers."""
    items = rows()
    assert len(items) == 4 * 2 * 2 * 2
    assert items[0][1:3] == ["the dog near the cats sleeps .", "the dog near the cats sleep ."]
    assert items[1][1:3] == ["the dogs near the cat sleep .", "the dogs near the cat sleeps ."]
    assert len({tuple(row[1:3]) for row in items}) == len(items)


def test_slots_agree_exclusions_hold_and_no_word_comes_twice() -> None:
    for _, good, bad, _, noun, verb, _, other, number in rows():
        words = good.split()
        assert words[1].endswith("s") + (words[1] == "children") == (number == "pl")
        assert words[5].endswith("s") == (number == "sg") != bad.split()[5].endswith("s")
        assert noun != other
        assert not (verb == "barks" and noun != "dog")


@pytest.mark.parametrize("seed", range(5))
def test_a_choice_is_balanced(seed: int) -> None:
    free = PAIRS.partition("[[exclude]]")[0]
    chosen = rows(free, size=12, seed=seed)
    assert len({tuple(row) for row in chosen}) == 12
    for column, different in ((4, 3), (5, 2), (6, 2), (8, 2)):
        counts = Counter(row[column] for row in chosen)
        assert len(counts) == different
        assert max(counts.values()) - min(counts.values()) <= 1


def test_the_seed_decides_and_nothing_else() -> None:
    assert rows(size=10, seed=1) == rows(size=10, seed=1) != rows(size=10, seed=2)
    assert rows(PAIRS.replace("# size = 40", "size = 10").replace("# seed = 0", "seed = 1")) == rows(size=10, seed=1)


@pytest.mark.parametrize("kind", [kind for kind, ending in STARTERS.items() if ending == "toml"])
def test_every_starter_is_a_suite_without_problems(kind: str, tmp_path) -> None:
    path = tmp_path / f"{kind}.toml"
    path.write_text(starter(kind, "tr", "first"), encoding="utf-8")
    suite = read_suite(path) if kind == "roles" else read_region_suite(path)
    assert list(check(suite)) == []
    assert len(suite) >= 27
    assert template(path.read_text(encoding="utf-8")).language == "tr"


def test_slots_are_columns_and_the_language_is_that_of_the_template(tmp_path) -> None:
    paths = {kind: tmp_path / f"{kind}.toml" for kind in ("roles", "surprisal")}
    for kind, path in paths.items():
        path.write_text(starter(kind, "pl", "first"), encoding="utf-8")
    suite = read_suite(paths["roles"])
    assert suite.language == "pl"
    assert set(suite.treebank.comment_values("subject")) == {"der Koch", "der Lehrer"}
    regions = read_region_suite(paths["surprisal"])
    assert {item.columns["noun"] for item in regions.items} == {"the deer", "the teacher", "the dog"}


def test_a_list_of_words_is_known_and_its_comments_are_no_words(tmp_path) -> None:
    path = tmp_path / "names.txt"
    path.write_text(starter("perturbation", "sv", "names"), encoding="utf-8")
    assert is_word_list(str(path))
    assert read_values(path) == ["Alice", "Bruno", "Clara", "David", "Emma", "Felix"]
    path.write_text("#\n#tag\nAnna\n", encoding="utf-8")
    assert not is_word_list(str(path))
    assert read_values(path) == ["#tag", "Anna"]


def test_the_roles_of_a_template() -> None:
    parsed = template(starter("roles", "de", "first"))
    suite = read_suite_of(suite_of(parsed, expanded(parsed)))
    assert suite.items[0].text == "der Koch sucht den Korb ."
    assert [(arc.dependent, arc.head, arc.label) for arc in suite.items[0].arcs] == [(2, 3, "nsubj"), (5, 3, "obj")]
    assert suite.orders[:3] == ["SVO", "OVS", "SVO"]
    changes = {pair.change for pair in suite.pairs()}
    assert changes == {"SVO > OVS", "adverb"}


def read_suite_of(data: bytes):
    from gardenpath.suites.roles.conll import from_conll

    return from_conll(data, "made.conllu", format="conllu")


def test_own_orders_are_compared_with_the_sentence(tmp_path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(starter("roles", "de", "first").replace('"OVS"', '"VOS"'), encoding="utf-8")
    problems = list(check(read_suite(path)))
    assert {problem.id for problem in problems} == {"order-contradiction"}
    assert "VOS says V-O-S, the positions O-V-S" in problems[0].message


def test_an_order_of_sorts_among_own_names_is_a_slip(tmp_path) -> None:
    path = tmp_path / "mixed.toml"
    path.write_text(starter("roles", "de", "first").replace('"OVS"', '"VF[O]LK[V]MF[S]"'), encoding="utf-8")
    assert "unknown-order" in {problem.id for problem in check(read_suite(path))}


# ---- what the author is told


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{noun.$n}", "{nuon.$n}", "did you mean noun"),
        ("{noun.$n}", "{noun.$m}", "unknown variable 'm'"),
        ("{noun.$n}", "{noun}", "which form of noun"),
        ("{noun.$n}", "{noun.plural}", "unknown form of noun: 'plural'"),
        ("{noun.$n}", "{noun.$n", "brace"),
        ("{noun.$n}", "noun.$n}", "brace"),
        ("{noun.$n}", "{noun sg}", "is not a slot"),
        ('{ sg = "cat", pl = "cats" }', '{ sg = "cat" }', r"entry 2 \(cat\).*no form pl"),
        ('{ sg = "cat", pl = "cats" }', "5", "neither a word nor its forms"),
        ('place = ["near", "behind"]', "place = []", "not a list of words"),
        ('n = ["sg", "pl"]', 'n = ["sg"]', "two values"),
        ('n = ["sg", "pl"]', 'n = ["sg", "pl", "du"]', "more than two|unknown form"),
        ('other = "noun"', 'other = "nouns"', "did you mean noun"),
        ("bad = ", "wrong = ", "good and bad"),
        ('noun = "cat"', 'nuon = "cat"', "did you mean noun"),
        ('kind = "pairs"', 'kind = "pair"', "did you mean pairs"),
        ("class =", "clas =", "did you mean class"),
        ("[words]", "[words", "not TOML"),
        ("# size = 40", "size = 400", "gives 32"),
        ("# size = 40", "size = 0", "size is 0"),
        ("# size = 40", "size = 'x'", "not a whole number"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_template(old: str, new: str, message: str) -> None:
    assert old in PAIRS
    with pytest.raises(GardenpathError) as caught:
        rows(PAIRS.replace(old, new))
    error = caught.value
    assert "mine.toml" in error.where
    assert re.search(message, f"{error.where} {error.what} {error.todo}")


@pytest.mark.parametrize(
    ("kind", "old", "new", "message"),
    [
        ("surprisal", "{opening} | , |", "{opening} |", "4 regions here, 5 in another"),
        ("surprisal", '"opening", "comma"', '"opening"', "4 names for 5 regions"),
        ("surprisal", "predictions = ", "# ", "no prediction"),
        ("surprisal", "{verb}/H", "{verb}", "the two words of the decisive arc are not marked"),
        ("surprisal", 'arc = "nsubj"', "arc = 3", "neither a label nor a list of labels"),
        ("pairs", 'kind = "pairs"', 'kind = "pairs"\narc = "nsubj"', "a template of pairs has no decisive arc"),
        ("roles", "{verb}/V {object.acc}/O", "{verb} {object.acc}/O", "no verb"),
        ("roles", "[[sentences]]", "# ", "."),
    ],
)
def test_what_is_missing_in_other_kinds(kind: str, old: str, new: str, message: str) -> None:
    text = starter(kind, "en", "first").replace(old, new)
    with pytest.raises(GardenpathError, match=message):
        rows(text)


def test_too_many_items_need_a_size() -> None:
    many = ", ".join(f'"w{number}"' for number in range(200))
    text = f'kind = "pairs"\n[words]\na = [{many}]\nb = [{many}]\nc = [{many}]\n'
    text += '[sentences]\ngood = "{a} {b} {c}"\nbad = "{c} {b} {a}"\n'
    with pytest.raises(GardenpathError, match="8,000,000"):
        rows(text)
    assert len(rows(text, size=300)) == 300


def test_a_language_has_a_code() -> None:
    with pytest.raises(GardenpathError, match="not a code"):
        starter("pairs", "English", "first")
    with pytest.raises(GardenpathError, match="did you mean pairs"):
        starter("pair", "en", "first")
