"""What `import gardenpath` offers: names and objects, the same result as the command, and ways to look at it."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import gardenpath as gp
from gardenpath.cli.main import main
from gardenpath.errors import FailedOnInput, InputError, UsageError
from gardenpath.systems.asking.entrants import Trained


@pytest.fixture(scope="module")
def roles() -> gp.StudyResult:
    return gp.roles("bundled:de-roles", "baseline:subject-first")


def chain(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
    return [[(place, "dep" if place else "root") for place in range(len(words))] for words in sentences]


def oracle() -> Callable[[list[list[str]]], list[Any]]:
    known = {item.tree.words: item.tree for item in gp.read_suite("bundled:de-constructions")[0].items}
    return lambda sentences: [known[tuple(words)] for words in sentences]


# ---- functions in runs


def test_a_function_that_answers_otherwise_is_another_run(tmp_path: Path) -> None:
    """Its code is the same: what it reads from elsewhere has changed, and only its answers tell."""
    label = "dep"

    def parser(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
        return [[(place, label if place else "root") for place in range(len(words))] for words in sentences]

    first = gp.evaluate("bundled:de-test", {"mine": parser}, run=tmp_path / "run")
    assert gp.evaluate("bundled:de-test", {"mine": parser}, run=tmp_path / "run").findings == first.findings
    label = "punct"
    with pytest.raises(UsageError, match="holds another run"):
        gp.evaluate("bundled:de-test", {"mine": parser}, run=tmp_path / "run")


def test_an_object_that_can_be_called_has_the_same_signature_in_every_process() -> None:
    class Net:
        def __call__(self, sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
            return chain(sentences)

    first, second = (gp.evaluate("bundled:de-test", {"mine": Net()}).signature for _ in range(2))
    assert first == second
    assert "0x" not in first


def test_a_function_that_always_fails_is_named() -> None:
    def broken(sentences: list[list[str]]) -> list[Any]:
        return [1 / 0 for _ in sentences]

    with pytest.raises(FailedOnInput, match="the function raised ZeroDivisionError") as failure:
        gp.evaluate("bundled:de-test", {"mine": broken})
    assert "broken" in str(failure.value)


def test_intervals_of_a_frame_have_two_ends(roles: gp.StudyResult) -> None:
    for table in roles.tables:
        cells = [cell for column in table.to_polars().to_dict(as_series=False).values() for cell in column]
        assert {len(cell) for cell in cells if isinstance(cell, list)} <= {2}


def test_pairs_may_be_columns_by_name_and_a_layout_too() -> None:
    columns = {"godo": ["a b", "c"], "bad": ["aaa b", "c"]}
    result = gp.surprisal(columns, {"characters": lengths}, layout={"good": "godo", "bad": "bad"})
    assert result.value("accuracy") == 75.0
    assert result.failures["pairs of the same sentence twice, a tie whatever the model"] == 1
    with pytest.raises(UsageError, match="no table of pairs"):
        gp.surprisal({"good": ["a", "b"], "bad": ["a"]}, {"characters": lengths})


def test_a_parser_without_trees_is_told_before_its_score_is_read() -> None:
    def roots(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
        return [[(0, "root") for _ in words] for words in sentences]

    result = gp.evaluate("bundled:de-test", {"roots": roots, "chain": chain})
    assert result.value("no_tree", system="roots") == 100
    (verdict,) = [verdict for verdict in result.verdicts if "no tree" in verdict.text]
    assert verdict.text.startswith("roots: 100 of 100 sentences are no tree")


# ---- names and objects


@pytest.mark.parametrize(
    ("study", "named", "held"),
    [
        (gp.evaluate, "bundled:de-test", gp.read),
        (gp.roles, "bundled:de-roles", gp.read_suite),
        (gp.roles, "bundled:de-test", gp.read),
    ],
    ids=["evaluate", "roles", "roles-of-a-treebank"],
)
def test_a_source_by_name_and_as_an_object(study: Any, named: str, held: Any) -> None:
    by_name, by_object = (study(source, "baseline:subject-first") for source in (named, held(named)))
    path = study(gp.data(named), "baseline:subject-first")
    assert by_name.findings == by_object.findings == path.findings
    assert by_name.signature == by_object.signature == path.signature


@pytest.mark.parametrize("study", [gp.evaluate, gp.roles, gp.consistency], ids=lambda study: study.__name__)
def test_a_treebank_may_be_given_as_its_sentences(study: Any) -> None:
    """A list of sentences, of names, or of treebanks is the treebank they make."""
    settings = {"change": "names"} if study is gp.consistency else {}
    treebank = gp.read("bundled:de-test")
    sources = ["bundled:de-test", ["bundled:de-test"], list(treebank), iter(treebank), [treebank[:40], treebank[40:]]]
    results = [study(source, "baseline:right-branching", **settings) for source in sources]
    values = [[(found.measure, found.by, found.value) for found in result.findings] for result in results]
    assert values[0]
    assert values.count(values[0]) == len(values)


PAIRS = {"item": ["1", "2"], "good": ["cats sleep", 'a "b", c\td'], "bad": ["cats sleeps", "dogs\nbarks"]}
BY_ROWS = {
    "item": ["1", "1", "2", "2"],
    "sentence": ["cats sleep", "cats sleeps", 'a "b", c\td', "dogs\nbarks"],
    "grammatical": ["yes", "no", "yes", "no"],
}


def frames(columns: dict[str, list[Any]]) -> list[Any]:
    import polars as pl

    made: list[Any] = [pl.DataFrame(columns)]
    if find_spec("pandas") is not None:
        import pandas as pd

        made.append(pd.DataFrame(columns, index=[7] * len(columns["item"])))
    return made


@pytest.mark.parametrize("columns", [PAIRS, BY_ROWS], ids=["a row for a pair", "two rows for a pair"])
def test_a_data_frame_is_a_suite_of_pairs(columns: dict[str, list[Any]]) -> None:
    """Of Polars and of pandas, alone or in a list: what is in the frame is what is judged, and signed."""
    signatures = set()
    for frame in frames(columns):
        suite = gp.read_suite(frame)
        conditions = [condition.regions[0].content for item in suite.items for condition in item.conditions]
        assert conditions == [PAIRS[side][row] for row in range(2) for side in ("good", "bad")]
        for source in (frame, [frame], suite):
            result = gp.surprisal(source, {"characters": lengths})
            assert result.value("accuracy") == 100.0  # the bad sentences have more letters
            signatures.add(result.signature)
        assert (
            gp.surprisal(frame, {"first": gp.systems.ChatFunction(lambda questions: ["A" for _ in questions])}).value(
                "unusable"
            )
            is not None
        )
        assert gp.study_on(frame, {"characters": lengths}).study == "surprisal"
    assert len(signatures) == 1


def test_a_run_on_a_data_frame_goes_on_with_the_same_frame_only(tmp_path: Path) -> None:
    frame = frames(PAIRS)[0]
    first = gp.surprisal(frame, {"characters": lengths}, run=tmp_path / "run")
    again = gp.surprisal(frame, {"characters": lengths}, run=tmp_path / "run")
    assert (again.signature, again.findings) == (first.signature, first.findings)
    with pytest.raises(UsageError, match="this folder holds another run"):
        gp.surprisal(frames({**PAIRS, "good": ["x", "y"]})[0], {"characters": lengths}, run=tmp_path / "run")


def test_data_frames_with_columns_of_their_own_and_empty_cells() -> None:
    columns = {
        "item": [1, 2],
        "Satz": ["das ist so", "es geht"],
        "falsch": ["das sind so", "es gehst"],
        "x": [None, 1.5],
    }
    for frame in frames(columns):
        layout = ("good=Satz", "bad=falsch")
        result = gp.surprisal([frame, frame], {"characters": lengths}, layout=layout)
        assert [found.suite for found in result.findings if found.by == {"prediction": 1}] == [
            "data frame 1",
            "data frame 2",
        ]
        with pytest.raises(InputError, match="no column is known to hold the good and the bad sentence"):
            gp.surprisal(frame, {"characters": lengths})


@pytest.mark.parametrize("column", ["good", "bad"])
def test_other_words_in_a_frame_are_another_signature(column: str) -> None:
    before = frames(PAIRS)[0]
    after = frames({**PAIRS, column: ["x", *PAIRS[column][1:]]})[0]
    one_word = {"constant": lambda sentences: [[1.0] * len(words) for words in sentences]}
    assert gp.surprisal(before, one_word).signature != gp.surprisal(after, one_word).signature


def lengths(sentences: list[list[str]]) -> list[list[float]]:
    return [[float(len(word)) for word in words] for words in sentences]


@pytest.mark.parametrize(
    "call",
    [
        lambda given: gp.evaluate(given, "baseline:right-branching"),
        lambda given: gp.roles(given, "baseline:right-branching"),
        lambda given: gp.constructions(given, {"none": lambda sentences: [None for _ in sentences]}),
        lambda given: gp.surprisal(given, lengths),
        lambda given: gp.joint(given, "baseline:right-branching", lengths),
        lambda given: gp.consistency(given, "baseline:right-branching"),
        lambda given: gp.displacement(given, "bundled:de-test", draws=0),
        lambda given: gp.read(given),
        lambda given: gp.read_suite(given),
        lambda given: gp.parse("baseline:right-branching", given),
        lambda given: gp.score(lengths, given),
        lambda given: gp.search(given, "V [upos=VERB]"),
        lambda given: gp.split(given),
        lambda given: gp.validate(given),
        lambda given: gp.train("ngram", given, output="model.npz"),
        lambda given: gp.train("udpipe", given, output="model.udpipe", preset="tiny"),
    ],
    ids="evaluate roles constructions surprisal joint consistency displacement read read_suite parse "
    "score search split validate train-text train-trees".split(),
)
@pytest.mark.parametrize("given", [None, 3, object()], ids=["nothing", "number", "object"])
def test_what_is_no_source_is_an_error_that_says_so(call: Any, given: Any, monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"is not|nothing to learn from"):
        call(given)


@pytest.mark.parametrize("source", ["the dog barks", "the dog barks.", ["the dog barks"], [["the", "dog", "barks"]]])
def test_parse_and_score_take_the_same_sentences(source: Any) -> None:
    (values,) = gp.score(lengths, source).surprisals
    assert values.tolist() == [3.0, 3.0, 5.0 + str(source).endswith(".")]
    if isinstance(source, list):
        assert gp.parse("baseline:right-branching", source).treebank.lengths.tolist() == [3]


def test_parse_and_search_take_sentences_of_a_treebank() -> None:
    treebank = gp.read("bundled:de-test")
    parsed = gp.parse("baseline:right-branching", list(treebank)[:3]).treebank
    assert parsed.column("form").strings() == treebank[:3].column("form").strings()
    pattern = "V [upos=VERB]"
    assert repr(gp.search(list(treebank), pattern)) == repr(gp.search(treebank, pattern))


def test_constructions_by_name_and_as_an_object() -> None:
    tiger, *_ = gp.read_suite("bundled:de-constructions")
    both = [gp.constructions(source, {"oracle": oracle()}) for source in ("bundled:de-constructions", tiger)]
    assert [result.findings[0].value for result in both] == [100.0, 100.0]


class ChainWithFiles:
    """A user's parser with an attribute that ours have under another name."""

    files = ("no", "such", "files")

    def __call__(self, sentences: Any) -> Any:
        return chain(sentences)


@pytest.mark.parametrize(
    "system",
    [
        chain,
        [chain],
        {"chain": chain},
        {"chain": ChainWithFiles()},
        gp.parse(chain, gp.read("bundled:de-test")).treebank,
    ],
    ids=["function", "list", "mapping", "object", "treebank"],
)
def test_systems_as_objects(system: Any) -> None:
    result = gp.evaluate("bundled:de-test", system)
    assert round(result.value("uas"), 2) == 6.68  # as baseline:right-branching


@pytest.mark.parametrize(
    ("spoiled", "kind"),
    [
        (lambda arcs: arcs[:-1], "malformed"),
        (lambda arcs: [], "malformed"),
        (lambda arcs: [(99, "dep") for _ in arcs], "malformed"),
        (lambda arcs: None, "malformed"),
        (lambda arcs: 1 / 0, "crashed"),
    ],
    ids=["a word less", "nothing", "a head that is no word", "no list", "an error"],
)
def test_what_a_function_returns_for_a_sentence_may_be_broken(spoiled: Any, kind: str) -> None:
    """It is counted, and the sentence stays in the denominator."""
    gold = gp.read("bundled:en-test")

    def broken(sentences: list[list[str]]) -> list[Any]:
        return [spoiled(arcs) if len(arcs) % 3 == 0 else arcs for arcs in chain(sentences)]

    result = gp.evaluate(gold, {"chain": chain, "broken": broken})
    lost = sum(length % 3 == 0 for length in gold.lengths.tolist())
    assert {name: count for name, count in result.failures.items() if kind in name} == {f"broken: {kind}": lost}
    whole, less = (
        result.to_polars("uas", by=()).filter(system=name).row(0, named=True) for name in ("chain", "broken")
    )
    assert whole["n"] == less["n"] == gold.word_count
    assert 0 < less["value"] < whole["value"]


def test_a_trained_model_is_a_system(tmp_path: Path) -> None:
    model = gp.train("ngram", gp.data("bundled:en-text"), output=tmp_path / "en.npz")
    assert isinstance(model, Trained)
    assert len(repr(model)) < 300
    scores = gp.score(model, ["the dog barks"])
    assert scores.surprisals[0].tolist() == gp.score(model.system, [["the", "dog", "barks"]]).surprisals[0].tolist()
    with pytest.raises(UsageError, match="a parser is needed"):
        gp.evaluate("bundled:de-test", {"model": model})


def test_no_system() -> None:
    with pytest.raises(UsageError, match="int is not a system"):
        gp.evaluate("bundled:de-test", 3)
    for call in (gp.parse, gp.score):
        with pytest.raises(UsageError, match="no system is named"):
            call([], ["the dog barks"])


# ---- as on the command line


CALLS: dict[str, tuple[Callable[[], gp.StudyResult], str]] = {
    "evaluation": (
        lambda: gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags"),
        "evaluate bundled:de-test baseline:nearest-head --gold tags",
    ),
    "roles": (
        lambda: gp.roles("bundled:de-roles", "baseline:right-branching", baseline="baseline:subject-first"),
        "roles bundled:de-roles baseline:right-branching --baseline baseline:subject-first",
    ),
    "roles.view": (lambda: gp.roles("bundled:de-test"), "roles bundled:de-test"),
    "displacement": (
        lambda: gp.displacement(gp.read("bundled:de-train"), "bundled:de-test", draws=20),
        "displacement bundled:de-train bundled:de-test --set draws=20",
    ),
    "consistency": (
        lambda: gp.consistency(gp.read("bundled:de-test"), "baseline:nearest-head", change="names", gold="tags"),
        "consistency bundled:de-test baseline:nearest-head --change names --gold tags",
    ),
}


@pytest.mark.parametrize("study", CALLS)
def test_python_and_the_command_say_the_same(study: str, capsys: pytest.CaptureFixture[str]) -> None:
    call, arguments = CALLS[study]
    with pytest.raises(SystemExit):
        main([*arguments.split(), "--format", "json"])
    printed = json.loads(capsys.readouterr().out)
    result = call()
    assert result.signature == printed["signature"]
    assert [finding.value for finding in result.findings] == [finding["value"] for finding in printed["findings"]]


def test_where_decides_nothing(roles: gp.StudyResult) -> None:
    there = gp.roles("bundled:de-roles", "baseline:subject-first", where=gp.Where(jobs=2, cache=False))
    assert (there.signature, there.findings) == (roles.signature, roles.findings)


def test_a_baseline_is_added_once() -> None:
    first = "baseline:subject-first"
    for systems in ([chain, first], {"chain": chain, first: first}, {"chain": chain}, chain):
        result = gp.roles("bundled:de-roles", systems, baseline=first)
        assert result.systems == ["chain", first]
    assert result.value("las_difference", "chain", baseline=first) == -72.65
    named = gp.roles("bundled:de-roles", [f"first={first}", chain], baseline="first")
    assert named.systems == ["first", "chain"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"bye": "order"}, "did you mean by"), ({"by": "ordr"}, "did you mean order"), ({"limit": 0}, "below 1")],
)
def test_settings_that_are_none(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gp.roles("bundled:de-roles", "baseline:subject-first", **settings)


# ---- ways to look at a result


def test_a_result_in_one_line_and_in_full(roles: gp.StudyResult) -> None:
    size = f"{len(roles.findings)} findings, {len(roles.tables)} tables"
    assert repr(roles) == f"<StudyResult roles: baseline:subject-first on de_garden-roles.conllu, las 72.65; {size}>"
    assert "de_garden-roles.conllu: subject and object in 2,000 items" in str(roles)
    assert str(roles).endswith(f"signature: {roles.signature}")
    assert "<table>" in roles._repr_html_()
    assert (roles.study, roles.systems) == ("roles", ["baseline:subject-first"])
    assert "las" in roles.measures


def test_frames_of_one_measure_and_grouping(roles: gp.StudyResult) -> None:
    frame = roles.to_polars("las", by="order")
    assert frame.columns == ["study", "suite", "system", "order", "measure", "value", "n", "low", "high"]
    assert frame.shape == (8, 9)
    assert roles.to_polars("las", by=()).shape == (1, 8)
    assert roles.to_polars("las", by=["property", "order"]).columns[3:5] == ["property", "order"]
    assert roles.to_polars().columns[-5:] == ["measure", "value", "n", "low", "high"]
    assert len(roles.to_polars()) == len(roles.findings)


def test_frames_of_pandas(roles: gp.StudyResult) -> None:
    pytest.importorskip("pandas")
    assert roles.to_pandas("las", by="order")["value"].tolist() == roles.to_polars("las", by="order")["value"].to_list()
    assert list(roles.table("By order").to_pandas().columns)[:2] == ["order", "items"]


def test_one_value(roles: gp.StudyResult) -> None:
    assert roles.value("las") == 72.65
    assert roles.value("las", order="VF[O]LK[V]MF[S]") == 0
    both = gp.evaluate("bundled:de-test", {"a": "baseline:nearest-head", "b": chain}, gold="tags")
    assert round(both.value("las", "a"), 2) == 55.75
    with pytest.raises(UsageError, match="name the system: a, b"):
        both.value("las")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda result: result.value("lass"), "did you mean las"),
        (lambda result: result.value("las", "UDPipe"), "unknown system 'UDPipe'"),
        (lambda result: result.value("las", order="SVO"), "unknown order 'SVO'"),
        (lambda result: result.value("las", ordre="SVO"), "no findings by ordre"),
        (lambda result: result.to_polars("las", by="ordre"), "there are: .*order; property"),
        (lambda result: result.table("By length"), "unknown table"),
        (lambda result: result.table(12), "there are 12"),
        (lambda result: result.plot("roles-length"), "unknown figure"),
        (lambda result: result.examples("swaped"), "did you mean swapped"),
    ],
)
def test_what_a_result_does_not_have(roles: gp.StudyResult, ask: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ask(roles)


def test_a_table_shows_itself(roles: gp.StudyResult) -> None:
    table = roles.table("By order")
    assert repr(table) == str(table)
    assert repr(table).splitlines()[0] == "By order"
    assert "<caption" in table._repr_html_()
    frame = table.to_polars()
    assert frame.columns[:4] == ["order", "items", "LAS", "95 %"]
    assert len(frame) == 8


def test_columns_of_one_name_are_told_apart() -> None:
    both = gp.evaluate("bundled:de-test", {"a": "baseline:nearest-head", "b": chain}, gold="tags")
    assert both.table(0).to_polars().columns == ["metric", "a", "95 %", "b", "95 % (2)"]


def test_figures_and_examples(roles: gp.StudyResult) -> None:
    assert roles.plot()._repr_svg_().startswith("<svg")
    assert "roles-order" in roles.figures
    (example,) = roles.examples("swapped", limit=1)
    assert example["kind"] == "swapped"
    nothing = gp.evaluate("bundled:de-test", chain)
    with pytest.raises(UsageError, match="no figure"):
        nothing.plot()


# ---- results kept, compared, checked


def test_what_is_no_run_and_no_condition_is_said_in_a_sentence(roles: gp.StudyResult, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="StudyResult: not a condition") as error:
        gp.check(roles, min=[roles])  # type: ignore[list-item]
    assert "write conditions as text" in error.value.todo
    for tool in (gp.report, gp.compare):
        with pytest.raises(UsageError, match="list: not a run") as error:
            tool([roles])  # type: ignore[operator]
        assert "one by one" in error.value.todo
    with pytest.raises(UsageError, match="int: not a run"):
        gp.report(3, output=tmp_path / "page.html")  # type: ignore[arg-type]


def test_a_result_is_kept_and_read_again(roles: gp.StudyResult, tmp_path: Path) -> None:
    folder = roles.save(tmp_path / "run")
    assert gp.check(folder, min="roles.las>=70").holds
    assert roles.report(tmp_path / "one.html").stat().st_size > 10_000
    assert gp.report(folder, roles, output=tmp_path / "two.html")[0].is_file()


def test_a_run_that_is_finished_is_read(tmp_path: Path) -> None:
    def run() -> gp.StudyResult:
        return gp.roles("bundled:de-roles", "baseline:subject-first", run=tmp_path / "run")

    first, again = run(), run()
    assert first.findings == again.findings
    with pytest.raises(UsageError, match="read from a run"):
        again.examples("swapped")


@pytest.mark.parametrize("by", ["order", ["order"]])
def test_results_are_compared(roles: gp.StudyResult, by: Any) -> None:
    chained = gp.roles("bundled:de-roles", {"chain": chain})
    compared = gp.compare(roles, chained, by=by)
    assert compared.value("las_difference", baseline="baseline:subject-first") == -72.65
    assert compared.table(0).to_polars()["group"].to_list()[1].startswith("order ")
    assert "<table>" in compared._repr_html_()
    with pytest.raises(UsageError, match="no items of its own"):
        compared.examples("swapped")


# ---- tools


@pytest.mark.parametrize("text", ["Der Hund schläft", "Der Hund schläft.", "Der Hund\nschläft"])
def test_parse_takes_text(text: str) -> None:
    with pytest.raises(UsageError, match="does not parse in the mode text"):  # and not: no such file
        gp.parse("baseline:right-branching", text)


@pytest.mark.parametrize("mode", [None, "tokens"])
def test_parse_takes_words(mode: str | None) -> None:
    parsed = gp.parse(chain, [["Der", "Hund", "schläft"], ["Er", "bellt"]], mode=mode).treebank
    assert (len(parsed), parsed.heads.tolist()) == (2, [0, 1, 2, 0, 1])


def test_parse_with_a_file_that_is_not_there() -> None:
    with pytest.raises(gp.GardenpathError, match="no such file"):
        gp.parse("baseline:right-branching", "my treebank.conllu")


def test_show_wants_one_tree() -> None:
    treebank = gp.read("bundled:de-test")
    assert "Gärtnerin" in gp.show(treebank[3])
    with pytest.raises(UsageError, match="a Treebank is not one tree"):
        gp.show(treebank)


@pytest.mark.parametrize("thing", ["bundled:de-roles", "bundled:de-constructions", "bundled:en-surprisal"])
def test_suites_are_short_to_look_at(thing: str) -> None:
    suite = gp.read_suite(thing)
    for each in suite if isinstance(suite, list) else [suite]:
        assert len(repr(each)) < 200
        assert len(each) > 0
        assert str(Path(gp.__file__).parent) not in repr(each)
