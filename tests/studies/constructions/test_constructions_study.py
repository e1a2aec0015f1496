"""The study on a small suite: every number by hand, and intervals against statsmodels."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from construction_mistakes import MISTAKES
from construction_suites import parses, suite

from cluster_oracle import share_interval
from gardenpath.errors import FailedOnInput, InputError, UsageError
from gardenpath.phrase import PhraseTree, from_notation, to_notation, write
from gardenpath.phrase.schemes.model import TIGER, TUEBADZ
from gardenpath.phrase.schemes.registry import scheme_of
from gardenpath.runs.result.result import Finding, Result
from gardenpath.runs.work.where import Where
from gardenpath.studies.constructions.declaration import ConstructionsSettings
from gardenpath.studies.constructions.error_classes import CLASSES
from gardenpath.studies.constructions.judging import judge_trees
from gardenpath.studies.constructions.parses import ParsedSuite, scheme_entrants
from gardenpath.studies.constructions.study import CONSTRUCTIONS, observations
from gardenpath.studies.constructions.tables import find_examples
from gardenpath.studies.engine.study import run
from gardenpath.suites.constructions.model import PHENOMENA, ConstructionItem, ConstructionSuite, table_of
from gardenpath.suites.constructions.storage import write_constructions
from gardenpath_generate.constructions.treebank import generate

NUMBER = len(MISTAKES)


def values(result: Result, measure: str, **by: Any) -> dict[str, Any]:
    """System to value, of the findings with exactly these keys."""
    return {one.system: one.value for one in result.findings if one.measure == measure and dict(one.by) == by}


def study(*answers: ParsedSuite, **settings: Any) -> Result:
    """What the study finds in answers."""
    chosen = ConstructionsSettings(**settings)
    judged = CONSTRUCTIONS.judge([answer.suite for answer in answers], list(answers), chosen)
    return CONSTRUCTIONS.findings(judged, chosen)


@pytest.fixture(scope="module")
def result() -> Result:
    half = ParsedSuite(suite("tiger"), "half", parses("tiger", 2))
    third = ParsedSuite(suite("tuebadz"), "third", parses("tuebadz", 3))
    return study(half, third)


def settings(**values: Any) -> ConstructionsSettings:
    return ConstructionsSettings(**values)


def expected(every: int, phenomenon: str, name: str) -> int:
    """Items of a class by hand: every second (third) item has the class of its mistake, the others are right."""
    return sum(
        mistake.phenomenon == phenomenon and ("right" if number % every else mistake.code) == name
        for number, mistake in enumerate(MISTAKES)
    )


def test_counts_of_classes(result: Result) -> None:
    for phenomenon in ("ppn", "ppv", "erc", "fcr", "sgf", "cuc"):
        total = sum(mistake.phenomenon == phenomenon for mistake in MISTAKES)
        for name in ("right", *CLASSES[table_of(phenomenon)]):
            for system, scheme, every in (("half", "tiger", 2), ("third", "tuebadz", 3)):
                by = {"scheme": scheme, "phenomenon": phenomenon, "class": name}
                count = expected(every, phenomenon, name)
                assert values(result, "items", **by) == {system: count}, (phenomenon, name)
                assert values(result, "share", **by)[system] == pytest.approx(100 * count / total)


def test_accuracy_and_its_interval(result: Result) -> None:
    """Oracles: Wilson's formula where items are independent; else the standard error over sentences, written out."""
    from statsmodels.stats.proportion import proportion_confint

    right = NUMBER - len(range(0, NUMBER, 2))
    half = ParsedSuite(suite("tiger"), "half", parses("tiger", 2))
    alone = overall(study(half, independent=True))
    low, high = proportion_confint(right, NUMBER, method="wilson")
    assert (alone.value, alone.n) == (pytest.approx(100 * right / NUMBER), NUMBER)
    assert (alone.low, alone.high) == (pytest.approx(100 * low), pytest.approx(100 * high))
    clustered = overall(result)
    assert (clustered.value, clustered.n) == (alone.value, alone.n)
    sentences = [mistake.model for mistake in MISTAKES]
    ends = share_interval([number % 2 for number in range(NUMBER)], [1] * NUMBER, sentences)
    assert (clustered.low, clustered.high) == pytest.approx([100 * end for end in ends])
    assert values(result, "accuracy", scheme="tiger") == {"half": clustered.value}


def overall(result: Result) -> Finding:
    (finding,) = [
        finding
        for finding in result.findings
        if finding.measure == "accuracy" and finding.system == "half" and not finding.by
    ]
    return finding


def test_a_class_that_holds_beside_the_primary_one_is_counted_too(result: Result) -> None:
    held = [mistake for number, mistake in enumerate(MISTAKES) if number % 2 == 0 and mistake.phenomenon == "erc"]
    count = sum("B" in (mistake.codes or (mistake.code,)) for mistake in held)
    assert values(result, "held", scheme="tiger", phenomenon="erc", **{"class": "B"}) == {"half": count}


def test_systems_are_paired_by_item_across_schemes(result: Result) -> None:
    first_only = sum(number % 2 != 0 and number % 3 == 0 for number in range(NUMBER))
    second_only = sum(number % 2 == 0 and number % 3 != 0 for number in range(NUMBER))
    by = {"baseline": "half"}
    difference = values(result, "accuracy_difference", **by)["third"]
    assert difference == pytest.approx(100 * (second_only - first_only) / NUMBER)
    assert values(result, "baseline_only", **by)["third"] == first_only
    assert values(result, "system_only", **by)["third"] == second_only
    p = values(result, "accuracy_p", **by)["third"]
    assert values(result, "accuracy_p_holm", **by)["third"] >= p


def test_interval_and_test_of_a_difference_agree_and_have_a_width(result: Result) -> None:
    compared = [difference for difference in result.findings if difference.measure == "accuracy_difference"]
    assert len(compared) == 7
    for difference in compared:
        (p,) = [
            finding.value
            for finding in result.findings
            if finding.measure == "accuracy_p" and finding.by == difference.by
        ]
        assert difference.low is not None
        assert difference.high is not None
        assert difference.low < difference.high
        assert (p < 0.05) == (difference.low > 0 or difference.high < 0)


def test_items_of_one_sentence_are_one_cluster() -> None:
    """The three pairs of a coordination of four clauses stand and fall together: they say no more than one item."""
    gold, mistakes = suite("tiger"), parses("tiger", 1)
    models = sorted({mistake.model for mistake in MISTAKES})
    trees = [
        item.tree if models.index(mistake.model) % 2 else wrong
        for item, mistake, wrong in zip(gold.items, MISTAKES, mistakes, strict=True)
    ]
    three = replace(gold, items=[replace(item, item=f"{item.item}-{at}") for item in gold.items for at in range(3)])
    thrice = ParsedSuite(three, "half", [tree for tree in trees for _ in range(3)])
    once, clustered = overall(study(ParsedSuite(gold, "half", trees))), overall(study(thrice))
    alone = overall(study(thrice, independent=True))
    assert (clustered.value, clustered.n) == (once.value, 3 * NUMBER)
    assert (clustered.low, clustered.high) == pytest.approx((once.low, once.high))
    assert width(alone) < 0.4 * width(clustered)


def width(finding: Finding) -> float:
    return (finding.high or 0.0) - (finding.low or 0.0)


def test_intervals_have_a_width_where_all_is_right_and_few_items_are_marked() -> None:
    gold = suite("tiger")
    result = run(CONSTRUCTIONS, gold, {"gold": [item.tree for item in gold.items]}, settings())
    for finding in result.findings:
        if finding.measure == "accuracy":
            assert finding.value == 100
            assert finding.high == 100 or (finding.low, finding.high) == (None, None)  # one sentence tells of no other
            assert finding.low is None or finding.low < 100
    models = len({mistake.model for mistake in MISTAKES})
    assert f"clusters:sentence={models} worth " in result.signature
    assert f"{models} sentences" in result.tables[0].note
    assert "* from fewer than 10" in result.tables[1].note
    independent = run(CONSTRUCTIONS, gold, {"gold": [item.tree for item in gold.items]}, settings(independent=True))
    assert f"clusters:item={NUMBER}|" in independent.signature


def test_tables_have_classes_by_systems(result: Result) -> None:
    titles = [table.title for table in result.tables]
    assert titles[:3] == ["Constructions", "By phenomenon", "Difference to half"]
    assert [table.title for table in result.tables if not table.folded] == titles[:2]
    (table,) = [table for table in result.tables if table.title.startswith("PP attachment")]
    assert list(table.columns) == ["class", "meaning", "ppn 1", "%", "ppv 1", "%", "ppn 2", "%", "ppv 2", "%"]
    assert [row[0] for row in table.rows] == ["right", "A", "B", "C", "D"]
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)


def without_subject(item: ConstructionItem) -> ConstructionItem:
    """The same with no subject to look for."""
    anchors = tuple((name, -1 if name == "subject" else token) for name, token in item.construction.anchors)
    return replace(item, construction=replace(item.construction, anchors=anchors))


def test_items_without_a_parse_are_wrong_and_undecided_ones_are_left_out_with_a_parse_or_without() -> None:
    gold = suite("tiger")
    gold = replace(gold, items=[without_subject(item) for item in gold.items])
    undecided = sum(mistake.phenomenon in ("fcr", "sgf") for mistake in MISTAKES)
    trees = [None if mistake.phenomenon in ("fcr", "erc") else item.tree
             for mistake, item in zip(MISTAKES, gold.items, strict=True)]  # fmt: skip
    unparsed = sum(mistake.phenomenon == "erc" for mistake in MISTAKES)
    result = study(ParsedSuite(gold, "some", trees, {"crashed": 2}))
    assert result.failures == {"crashed": 2, "items without a parse": unparsed, "items not decided (n/a)": undecided}
    decided = NUMBER - undecided
    assert values(result, "accuracy") == {"some": pytest.approx(100 * (decided - unparsed) / decided)}


def test_signature_names_what_was_decided_otherwise() -> None:
    gold = suite("tiger")
    systems = {"gold": [item.tree for item in gold.items]}
    plain = run(CONSTRUCTIONS, gold, systems, settings())
    usual = run(CONSTRUCTIONS, gold, systems, settings(decide=("overlap=0.5",)))
    decided = run(CONSTRUCTIONS, gold, systems, settings(decide=("overlap=0.6",), form="discontinuous"))
    assert "decisions" not in plain.signature
    assert usual.signature == plain.signature
    assert "form:discontinuous|decisions:overlap=0.6|version" in decided.signature


def test_observations_have_class_reason_and_both_trees() -> None:
    gold, trees = suite("tiger"), parses("tiger")
    table = observations([judge_trees(gold, "half", trees)])
    assert len(table) == NUMBER
    columns = table.columns
    assert columns["outcome"][0] == MISTAKES[0].code
    assert columns["value"][:2] == [0, 1]
    assert columns["outcome"][1] == "right"
    assert columns["condition"][0] == MISTAKES[0].phenomenon
    assert columns["reason"][0] == "PP attached to the verb, gold noun *Haus*"
    assert columns["gold"][0] == to_notation(gold.items[0].tree)
    assert from_notation(columns["parse"][0]) == trees[0]
    assert table.frame()["scheme"].to_list() == ["tiger"] * NUMBER
    models = list(dict.fromkeys(mistake.model for mistake in MISTAKES))
    assert columns["cluster"] == [models.index(mistake.model) + 1 for mistake in MISTAKES]


def test_examples() -> None:
    judged = [judge_trees(suite("tiger"), "half", parses("tiger"))]
    shown, total = find_examples(judged, "wrong", 3)
    assert (len(shown), total) == (3, len(range(0, NUMBER, 2)))
    shown, total = find_examples(judged, "A:erc")
    assert {one.phenomenon for one in shown} == {"erc"}
    assert all(one.outcome == "A" for one in shown)
    with pytest.raises(UsageError, match="unknown class 'F'"):
        find_examples(judged, "F")
    with pytest.raises(UsageError, match="unknown phenomenon 'er'"):
        find_examples(judged, "A:er")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for scheme in ("tiger", "tuebadz"):
        write(parses(scheme), tmp_path / f"{scheme}.export")
    return {scheme: str(tmp_path / f"{scheme}.export") for scheme in ("tiger", "tuebadz")}


BOTH = [suite(scheme) for scheme in ("tiger", "tuebadz")]


def judged_schemes(systems: Any) -> list[tuple[str, str]]:
    """The scheme that each system is judged in."""
    result = run(CONSTRUCTIONS, BOTH, systems, settings())
    return [(finding.system, str(finding.by["scheme"])) for finding in result.findings if set(finding.by) == {"scheme"}]


def test_trees_tell_their_scheme(files: dict[str, str]) -> None:
    systems = [files["tuebadz"], f"trees:{files['tiger']}"]
    assert judged_schemes(systems) == [(systems[0], "tuebadz"), (systems[1], "tiger")]
    result = run(CONSTRUCTIONS, BOTH, systems, settings())
    assert len({row[8] for row in result.tables[0].rows}) == 1  # both make the same mistakes
    assert scheme_of(parses("tiger")) == TIGER
    assert scheme_of([None, *parses("tuebadz")]) == TUEBADZ
    assert scheme_of([from_notation("(ROOT (X a) (Y b))"), None]) is None


def test_a_scheme_can_be_given(files: dict[str, str]) -> None:
    systems = [f"tiger={files['tiger']}", f"tuebadz={files['tuebadz']}"]
    assert [(entrant.name, entrant.label) for entrant in scheme_entrants(systems)] == [
        (files["tiger"], "tiger"),
        (files["tuebadz"], "tuebadz"),
    ]
    assert judged_schemes(systems) == [(files["tiger"], "tiger"), (files["tuebadz"], "tuebadz")]
    assert judged_schemes({"tuebadz": parses("tuebadz")}) == [("tuebadz", "tuebadz")]
    assert judged_schemes([f"mine={files['tiger']}"]) == [("mine", "tiger")]
    twice = [f"tiger={files['tiger']}", f"tuebadz={files['tiger']}"]
    assert [entrant.name for entrant in scheme_entrants(twice)] == twice
    with pytest.raises(
        UsageError, match=r"trees are in the scheme of TIGER, and the suite mistakes is in that of TüBa"
    ):
        run(CONSTRUCTIONS, BOTH, twice)
    with pytest.raises(UsageError, match="no suite is in the scheme tuebadz"):
        run(CONSTRUCTIONS, suite("tiger"), f"tuebadz={files['tuebadz']}")


def test_two_systems_of_one_scheme(files: dict[str, str], tmp_path: Path) -> None:
    write(parses("tiger", 3), tmp_path / "third.export")
    systems = [f"tiger={files['tiger']}", f"tiger={tmp_path}/third.export"]
    assert judged_schemes(systems) == [(files["tiger"], "tiger"), (f"{tmp_path}/third.export", "tiger")]


def strange(tree: PhraseTree) -> PhraseTree:
    """Categories that no scheme has."""
    return replace(tree, labels=tuple("XX" for _ in tree.labels))


def test_trees_that_do_not_tell_their_scheme_need_it() -> None:
    trees = [strange(item.tree) for item in suite("tiger").items]
    with pytest.raises(UsageError, match=r"do not tell their scheme\s+write tiger=mine or tuebadz=mine"):
        run(CONSTRUCTIONS, BOTH, {"mine": trees}, settings())
    signatures = [run(CONSTRUCTIONS, BOTH, {half.scheme: trees}, settings()).signature for half in BOTH]
    assert signatures[0] != signatures[1]  # other gold, other numbers
    assert "system:scheme:tiger/kind:trees/" in signatures[0]


def test_trees_of_the_other_scheme_are_refused(files: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="scheme of TüBa-D/Z"):
        run(CONSTRUCTIONS, suite("tiger"), files["tuebadz"])


def test_two_systems_never_share_a_signature(files: dict[str, str], tmp_path: Path) -> None:
    write(parses("tiger", 3), tmp_path / "third.export")
    gold = suite("tiger")
    systems: list[Any] = [files["tiger"], tmp_path / "third.export", f"tiger={files['tiger']}"]
    signatures = {run(CONSTRUCTIONS, gold, system, settings()).signature for system in systems}
    assert len(signatures) == len(systems)
    objects = [{"mine": parses("tiger")}, {"mine": parses("tiger", 3)}, {"mine": [None, *parses("tiger")[1:]]}]
    assert len({run(CONSTRUCTIONS, gold, system, settings()).signature for system in objects}) == len(objects)


@pytest.mark.parametrize("named", [True, False])
def test_the_order_of_the_answers_changes_no_number(tmp_path: Path, named: bool) -> None:
    gold, trees = generated(), [spoiled(item.tree, number) for number, item in enumerate(generated().items)]
    trees = trees if named else [tree.named("") for tree in trees]
    in_order = run(CONSTRUCTIONS, gold, {"mine": trees}, settings())
    assert 0 < values(in_order, "accuracy")["mine"] < 100
    mixed = trees[7:] + trees[:7][::-1]
    assert run(CONSTRUCTIONS, gold, {"mine": mixed}, settings()).findings == in_order.findings
    write(mixed, tmp_path / "mixed.export")
    from_file = run(CONSTRUCTIONS, gold, f"mine={tmp_path}/mixed.export", settings())
    assert from_file.findings == in_order.findings


def generated() -> ConstructionSuite:
    """A suite of TüBa-D/Z."""
    return generate(30, seed=4).suites[1]


def spoiled(tree: PhraseTree, number: int) -> PhraseTree:
    """Every second sentence has subjects for objects."""
    wrong = {"OA": "ON"} if number % 2 else {}
    return replace(tree, functions=tuple(wrong.get(function, function) for function in tree.functions))


def test_a_sentence_of_several_items_is_parsed_once() -> None:
    gold, asked = generated(), list[int]()
    both = replace(gold, items=[*gold.items, *(replace(item, item=f"{item.item}-2") for item in gold.items)])
    known = {item.tree.words: item.tree for item in gold.items}

    def parser(sentences: list[list[str]]) -> list[PhraseTree]:
        asked.append(len(sentences))
        return [known[tuple(words)] for words in sentences]

    assert values(run(CONSTRUCTIONS, both, {"mine": parser}, settings()), "accuracy") == {"mine": 100}
    assert asked == [len(known), len(known)]  # the second time as a sample that is queried twice


def test_failures_of_parsing_are_counted() -> None:
    gold = generated()
    known = {item.tree.words: item.tree for item in gold.items}
    hard = gold.items[0].tree.words

    class Parser:
        name, signature, files = "mine", "kind:mine", ()

        def parse_trees(self, sentences: Any) -> list[PhraseTree]:
            if hard in map(tuple, sentences):
                raise FailedOnInput("no more memory", where="mine")
            return [known[tuple(words)] for words in sentences]

    messages: list[str] = []
    result = run(CONSTRUCTIONS, gold, Parser(), settings(), where=Where(cache=False), tell=messages.append)
    lost = sum(item.tree.words == hard for item in gold.items)
    assert result.failures == {"crashed": 1, "items without a parse": lost}
    assert messages == ["mine: it failed: mine: no more memory"]


def test_suites_of_one_system_are_also_counted_together() -> None:
    first, second = suite("tiger"), replace(suite("tiger"), name="more")
    result = run(CONSTRUCTIONS, [first, second], {"mine": parses("tiger") * 2}, settings())
    (both,) = [
        finding
        for finding in result.findings
        if finding.measure == "accuracy" and dict(finding.by) == {"phenomenon": "erc"}
    ]
    each = [
        finding
        for finding in result.findings
        if finding.measure == "accuracy" and finding.by.get("phenomenon") == "erc"
    ]
    assert both.suite == "mistakes, more"
    assert (both.value, both.n) == (pytest.approx(each[0].value), 2 * (each[0].n or 0))
    (row,) = [row for row in result.tables[1].rows if row[0] == "erc"]
    assert row == ["erc", "extraposed relative clause", both.n, both.value, [both.low, both.high]]
    alone = run(CONSTRUCTIONS, first, {"mine": parses("tiger")}, settings())
    assert not [finding for finding in alone.findings if set(finding.by) == {"phenomenon"}]


def test_every_number_of_a_table_is_that_of_a_finding(result: Result) -> None:
    known = {number for finding in result.findings for number in (finding.value, finding.n, finding.low, finding.high)}
    for table in result.tables:
        rows = [row[1:] if table.columns[0] == "#" else row for row in table.rows]
        cells = [cell for row in rows for value in row for cell in (value if isinstance(value, list) else [value])]
        numbers = [cell for cell in cells if isinstance(cell, int | float)]
        assert numbers
        assert set(numbers) <= known, table.title


def test_a_few_trees_without_functions_among_others_are_no_parses() -> None:
    gold = suite("tiger")
    bare = [from_notation(re.sub(r":[A-Z]+", "", to_notation(item.tree))) for item in gold.items]
    judged = judge_trees(gold, "few", [bare[0], *(item.tree for item in gold.items[1:])])
    assert judged.verdicts[0].primary == "noparse"
    assert judged.failures == {"items without a parse": 1, "of these trees without functions": 1}


def test_other_words_are_an_error_that_names_system_item_and_token() -> None:
    gold = suite("tiger")
    trees = [item.tree for item in gold.items]
    other = [trees[0], from_notation("(S (NN:SB Hunde) (VVFIN:HD bellen))"), *trees[2:]]
    with pytest.raises(InputError, match=r"mine: item item-01, sentence 2: .*token 1 is 'Hunde', gold has 'Die'"):
        judge_trees(gold, "mine", other)


def test_sources(tmp_path: Path) -> None:
    write_constructions(BOTH, tmp_path / "suite")
    systems = {"mine": parses("tiger")}
    kinds: list[Any] = [suite("tiger"), tmp_path / "suite" / "tiger", [str(tmp_path / "suite" / "tiger")]]
    first, *others = (run(CONSTRUCTIONS, source, systems, settings()).findings for source in kinds)
    assert all(findings == first for findings in others)
    assert run(CONSTRUCTIONS, str(tmp_path / "suite"), systems, settings()).findings == first
    with pytest.raises(UsageError, match="this is a suite, which says its scheme itself"):
        run(CONSTRUCTIONS, tmp_path / "suite", systems, settings(scheme="tiger"))
    with pytest.raises(UsageError, match="this is a suite, which says its scheme itself"):
        run(CONSTRUCTIONS, suite("tiger"), systems, settings(scheme="tiger"))
    with pytest.raises(InputError, match="no suite of constructions is here"):
        run(CONSTRUCTIONS, tmp_path, systems)
    only = replace(
        suite("tiger"), items=[item for item in suite("tiger").items if item.construction.phenomenon == "erc"]
    )
    with pytest.raises(InputError, match="no such construction is here"):
        run(CONSTRUCTIONS, only, systems, settings(phenomena=("cuc",)))
    assert settings(phenomena=("all",)).phenomena == tuple(PHENOMENA)


def test_a_run_tells_schemes_apart(tmp_path: Path) -> None:
    trees = [strange(item.tree) for item in suite("tiger").items]
    run(CONSTRUCTIONS, BOTH, {"tiger": trees}, settings(), folder=tmp_path / "run")
    with pytest.raises(UsageError):
        run(CONSTRUCTIONS, BOTH, {"tuebadz": trees}, settings(), folder=tmp_path / "run")


def test_wrong_calls(files: dict[str, str]) -> None:
    tiger = suite("tiger")
    with pytest.raises(UsageError, match="no suite"):
        run(CONSTRUCTIONS, [], files["tiger"])
    with pytest.raises(UsageError, match="no system"):
        run(CONSTRUCTIONS, tiger, [])
    with pytest.raises(UsageError, match="named twice"):
        scheme_entrants(["trees:a", "trees:a"])
    with pytest.raises(UsageError, match="named twice"):
        scheme_entrants(["tiger=trees:a", "tiger=trees:a"])
    with pytest.raises(UsageError, match="two suites are called mistakes"):
        run(CONSTRUCTIONS, [tiger, tiger], files["tiger"])
    with pytest.raises(UsageError, match="unknown form 'flat'"):
        settings(form="flat")
    with pytest.raises(UsageError, match="unknown form of trees"):
        judge_trees(tiger, "mine", parses("tiger"), form="flat")
    with pytest.raises(UsageError, match=r"--set decide: unknown decision.*overlap"):
        settings(decide=("overlapp=1",))
    with pytest.raises(UsageError, match=r"phenomena: unknown phenomenon 'erz'"):
        settings(phenomena=("erz",))
    with pytest.raises(UsageError, match=r"--examples: unknown class 'F'"):
        run(CONSTRUCTIONS, tiger, files["tiger"], settings(examples="F"))
    with pytest.raises(UsageError, match="2 seeds of a phrase parser"):
        run(CONSTRUCTIONS, tiger, {"mine": ["trees:a", "trees:b"]})
