"""What holds of every study of parsers: evaluate on dependency and phrase trees, roles on suites and treebanks."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from calls import Capture
from gardenpath.cli.main import main
from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.formats.source import write
from gardenpath.runs.result.result import Result
from gardenpath.runs.work.where import Where
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import GROUPINGS, BracketSettings, EvaluationSettings
from gardenpath.studies.evaluation.phrase_study import BRACKETS
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.studies.roles.clauses import clauses_of
from gardenpath.studies.roles.declaration import RolesSettings, WordOrderSettings
from gardenpath.studies.roles.study import ROLES
from gardenpath.studies.roles.word_order import WORD_ORDER
from gardenpath.suites import read_suite
from gardenpath.treebank import Draft, Treebank, Word, from_drafts, read
from spoil import spoiled

CASES = Path(__file__).resolve().parents[1] / "suites" / "cases"
SUITE = str(CASES / "perfect.conll")
LABELS = ("nsubj", "obj", "iobj", "aux", "punct", "obl")
PHRASES = [
    "(S (NP:SB (ART:NK Die) (NN:NK Katze)) (VVFIN:HD sieht) (NP:OA (ART:NK den) (NN:NK Hund)))",
    "(S (PPER:SB Er) (VVFIN:HD bellt) (PP:MO (APPRART:AC am) (NN:NK Zaun)))",
    "(NP (NN:NK Ende))",
]


@pytest.fixture(scope="module")
def gold(samples: Path) -> Treebank:
    return read(samples / "de_garden-test.conllu")[:20]


def numbers(result: Result) -> tuple[Any, ...]:
    """All that a study found out."""
    return [finding.flat() for finding in result.findings], dict(result.failures), dict(result.details)


def printed(capsys: Capture, *arguments: str) -> dict[str, Any]:
    """What a command prints as JSON."""
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--format", "json"])
    streams = capsys.readouterr()
    assert not stop.value.code, streams.err
    result: dict[str, Any] = json.loads(streams.out)
    return result


def arcs_of(words: Sequence[object], label: str = "dep") -> list[tuple[int, str]]:
    """All words below the first."""
    return [(0, "root") if number == 0 else (1, label) for number in range(len(words))]


def bank(sentences: Sequence[Sequence[str]], label: str = "dep") -> Treebank:
    return from_drafts(
        [
            Draft([Word(form, head=h, deprel=d) for form, (h, d) in zip(words, arcs_of(words, label), strict=True)])
            for words in sentences
        ]
    )


def flat(gold: Treebank) -> Treebank:
    """The same tokens with all words below the first."""
    drafts = [sentence.edit() for sentence in gold]
    for draft in drafts:
        draft.drop_enhanced()
        for word, (head, label) in zip(draft.words, arcs_of(draft.words), strict=True):
            word.head, word.deprel = head, label
    return from_drafts(drafts)


# ---- signatures


def parsing(label: str) -> Callable[[list[list[str]]], Any]:
    """Functions of the same code that differ in what they close over."""
    return lambda sentences: [arcs_of(words, label) for words in sentences]


def test_two_systems_never_share_a_signature(gold: Treebank, tmp_path: Path) -> None:
    pairs: list[tuple[Any, Any]] = [
        (spoiled(gold, 1), spoiled(gold, 2)),
        (parsing("obj"), parsing("obl")),
        ("baseline:right-branching", "baseline:nearest-head"),
    ]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        spoiled(gold, len(name) + ord(name[0])).write(tmp_path / name / "parsed.conllu")
    pairs.append((tmp_path / "one" / "parsed.conllu", tmp_path / "two" / "parsed.conllu"))
    for pair in pairs:
        asked = isinstance(pair[0], str)  # trees that are there already are given nothing of gold
        chosen = EvaluationSettings(gold=("tags",) if asked else ())
        first, second = (run(EVALUATION, gold, {"x": system}, chosen) for system in pair)
        assert first.signature != second.signature, pair
        assert numbers(first) != numbers(second), pair
        both = run(EVALUATION, gold, dict(zip("xy", pair, strict=True)), chosen)
        assert both.signature not in (first.signature, second.signature)


def test_two_phrase_parsers_never_share_a_signature() -> None:
    trees = [from_notation(line) for line in PHRASES]
    others = [from_notation(PHRASES[0].replace("NP:OA", "NP:SB")), *trees[1:]]
    first, second = (run(BRACKETS, trees, {"x": parsed}, BracketSettings()) for parsed in (trees, others))
    assert first.signature != second.signature


def test_the_same_work_has_the_same_signature_however_it_is_called(
    gold: Treebank, tmp_path: Path, capsys: Capture
) -> None:
    truth, parsed = tmp_path / "gold.conllu", tmp_path / "parsed.conllu"
    gold.write(truth)
    spoiled(gold, 1).write(parsed)
    chosen = EvaluationSettings(gold=("tags",))
    rule = "baseline:nearest-head"
    call = ["evaluate", str(truth), str(parsed), rule, "--gold", "tags", "--by", "length"]
    expected = printed(capsys, *call)["signature"]
    for source, systems in (
        (str(truth), [str(parsed), rule]),
        (truth, [parsed, rule]),
        (read(truth), {"x": read(parsed), "y": rule}),
    ):
        assert run(EVALUATION, source, systems, chosen).signature == expected
    assert "gold:gold.conllu#" in expected
    assert "layers:tags" in expected


def test_the_same_roles_have_the_same_signature_however_they_are_called(capsys: Capture) -> None:
    first, base = "baseline:right-branching", "baseline:subject-first"
    shown = printed(capsys, "roles", SUITE, first, "--baseline", base)
    made = run(ROLES, SUITE, [first, base], RolesSettings(baseline=base))
    again = run(ROLES, read_suite(SUITE), {"x": first, base: base}, RolesSettings(baseline=base))
    assert shown["signature"] == made.signature == again.signature
    assert shown["findings"] == json.loads(json.dumps([finding.flat() for finding in made.findings]))


# ---- the order of what a system answers


@st.composite
def trees_and_orders(draw: st.DrawFn) -> tuple[Treebank, Treebank, list[int]]:
    """Gold, a parser's trees of the same sentences, and another order; ids are unique or absent.

    Few words, so that sentences are alike, begin alike or are parts of others.
    """
    sentences = draw(
        st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), min_size=1, max_size=7)
    )
    with_ids = draw(st.booleans())
    if not with_ids:
        sentences = list(dict.fromkeys(sentences))
    rng = random.Random(draw(st.integers(0, 1000)))

    def analysis() -> Treebank:
        drafts = []
        for number, words in enumerate(sentences):
            root = rng.randrange(len(words))
            made = [Word(form, upos="VERB", head=root + 1, deprel=rng.choice(LABELS)) for form in words]
            made[root].head, made[root].deprel = 0, "root"
            drafts.append(Draft(made, comments=[f"sent_id = s{number}"] if with_ids else []))
        return from_drafts(drafts)

    return analysis(), analysis(), draw(st.permutations(range(len(sentences))))


@settings(max_examples=150, deadline=None)
@given(trees_and_orders())
def test_the_order_of_a_parsed_file_changes_no_number(made: tuple[Treebank, Treebank, list[int]]) -> None:
    gold, system, order = made
    chosen = EvaluationSettings(by=GROUPINGS)
    expected, moved = (run(EVALUATION, gold, {"x": trees}, chosen) for trees in (system, system[order]))
    assert numbers(moved) == numbers(expected)


# Few random trees have a clause with subject and object: whether too many are left out depends on chance.
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(trees_and_orders())
def test_the_order_of_a_parsed_file_changes_no_number_of_clauses(made: tuple[Treebank, Treebank, list[int]]) -> None:
    gold, system, order = made
    assume(len(clauses_of(gold)))
    chosen = WordOrderSettings()
    expected, moved = (run(WORD_ORDER, gold, {"x": trees}, chosen) for trees in (system, system[order]))
    assert numbers(moved) == numbers(expected)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(10)), st.integers(0, 1000))
def test_the_order_of_a_parsed_suite_changes_no_number(order: list[int], seed: int) -> None:
    suite = read_suite(SUITE)
    system = spoiled(Treebank(suite.treebank.data.replace(b"\t_\t_\t_\t_\n", b"\t0\troot\t_\t_\n")), seed)
    chosen = RolesSettings(examples="wrong")
    expected, moved = (run(ROLES, suite, {"x": trees}, chosen) for trees in (system, system[order]))
    assert numbers(moved) == numbers(expected)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(range(len(PHRASES))), min_size=1, max_size=6), st.booleans(), st.data())
def test_the_order_of_phrase_trees_changes_no_number(chosen: list[int], with_ids: bool, data: st.DataObject) -> None:
    numbers_of = chosen if with_ids else list(dict.fromkeys(chosen))
    gold, system = list[PhraseTree](), list[PhraseTree]()
    for place, number in enumerate(numbers_of):
        label = data.draw(st.sampled_from(["NP", "S", "VP"]))
        for trees, line in ((gold, PHRASES[number]), (system, PHRASES[number].replace("(NP", f"({label}"))):
            trees.append(from_notation(line, f"s{place}" if with_ids else ""))
    order = data.draw(st.permutations(range(len(system))))
    wanted = BracketSettings(by=("label", "length"), scheme="tiger")
    turned = [system[place] for place in order]
    expected, moved = (run(BRACKETS, gold, {"x": trees}, wanted) for trees in (system, turned))
    assert numbers(moved) == numbers(expected)


def test_the_order_of_files_changes_no_number(gold: Treebank, tmp_path: Path, capsys: Capture) -> None:
    """The same through files and commands; without ids too."""
    system = spoiled(gold, 3, tokens=0.1, spans=0.2)
    order = random.Random(1).sample(range(len(gold)), len(gold))
    bare = [Treebank(b"".join(_without_ids(trees)), name="x") for trees in (gold, system)]
    for truth, parsed in ((gold, system), bare):
        truth.write(tmp_path / "gold.conllu")
        results = []
        for trees in (parsed, parsed[order]):
            trees.write(tmp_path / "parsed.conllu")
            call = ["evaluate", str(tmp_path / "gold.conllu"), str(tmp_path / "parsed.conllu"), "--by", "all"]
            shown = printed(capsys, *call, "--examples", "det")
            results.append({key: value for key, value in shown.items() if key != "signature"})
        assert results[0] == results[1]
    trees = [from_notation(line, f"s{number}") for number, line in enumerate([*PHRASES, PHRASES[0]])]
    write(trees, tmp_path / "gold.export")
    results = []
    for some in (trees, trees[::-1]):
        write(some, tmp_path / "parsed.export")
        results.append(printed(capsys, "evaluate", str(tmp_path / "gold.export"), str(tmp_path / "parsed.export")))
    assert results[0]["findings"] == results[1]["findings"]
    assert {finding["value"] for finding in results[1]["findings"] if finding["measure"] == "exact"} == {100.0}


def _without_ids(trees: Treebank) -> list[bytes]:
    return [line for line in trees.data.splitlines(keepends=True) if not line.startswith(b"# sent_id")]


# ---- systems of all sorts


def test_systems_by_a_name_of_their_own(gold: Treebank, tmp_path: Path, capsys: Capture) -> None:
    truth, parsed = tmp_path / "gold.conllu", tmp_path / "parsed.conllu"
    gold.write(truth)
    spoiled(gold, 1).write(parsed)
    systems = [f"mine={parsed}", "rule=baseline:right-branching"]
    shown = printed(capsys, "evaluate", str(truth), *systems, "--baseline", "rule")
    assert {finding["system"] for finding in shown["findings"]} == {"mine", "rule"}
    assert {finding["system"] for finding in shown["findings"] if finding.get("baseline") == "rule"} == {"mine"}
    shown = printed(
        capsys, "roles", SUITE, "rule=baseline:right-branching", "--baseline", "first=baseline:subject-first"
    )
    assert {finding["system"] for finding in shown["findings"]} == {"", "rule", "first"}
    assert {finding["baseline"] for finding in shown["findings"] if "baseline" in finding} == {"first"}
    trees = [from_notation(line) for line in PHRASES]
    write(trees, tmp_path / "gold.export")
    shown = printed(capsys, "evaluate", str(tmp_path / "gold.export"), f"mine={tmp_path / 'gold.export'}")
    assert {finding["system"] for finding in shown["findings"]} == {"mine"}


ANSWERS: dict[str, Callable[[list[list[str]]], Any]] = {
    "heads and labels": lambda sentences: [arcs_of(words) for words in sentences],
    "CoNLL-U": lambda sentences: bank(sentences).data.decode(),
    "a treebank": bank,
    "a treebank in another order": lambda sentences: bank(sentences)[list(reversed(range(len(sentences))))],
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_function_is_a_parser(kind: str, gold: Treebank) -> None:
    chosen = EvaluationSettings()
    expected = run(EVALUATION, gold, {"x": flat(gold)}, chosen)
    result = run(EVALUATION, gold, {"x": ANSWERS[kind]}, chosen)
    las = [
        [finding.value for finding in outcome.findings if finding.measure in ("las", "uas")]
        for outcome in (expected, result)
    ]
    assert las[0] == las[1]
    alone = run(EVALUATION, gold, ANSWERS[kind], chosen)
    assert len(alone.findings) == len(result.findings)


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_function_is_a_parser_of_a_suite(kind: str) -> None:
    suite = read_suite(SUITE)
    expected = run(ROLES, suite, {"x": bank(suite.tokens)}, RolesSettings())
    result = run(ROLES, suite, {"x": ANSWERS[kind]}, RolesSettings())
    assert [finding.flat() for finding in result.findings] == [finding.flat() for finding in expected.findings]


def test_a_function_is_a_phrase_parser() -> None:
    trees = [from_notation(line) for line in PHRASES]
    known = {tree.words: tree for tree in trees[:2]}
    result = run(BRACKETS, trees, {"x": lambda sentences: [known.get(tuple(words)) for words in sentences]})
    assert result.failures == {"no parse": 1}
    assert {finding.value for finding in result.findings if finding.measure == "precision" and not finding.by} == {
        100.0
    }


def test_trees_of_another_text_are_refused() -> None:
    trees = [from_notation(line) for line in PHRASES]
    with pytest.raises(InputError, match="sentence 1 differs: token 2 is 'Katze' in the input and 'Kuh' in the tree"):
        run(BRACKETS, trees, {"x": [from_notation(PHRASES[0].replace("Katze", "Kuh")), *trees[1:]]})
    with pytest.raises(InputError, match="none of its sentences is asked for; the first input is 'Die Katze"):
        run(BRACKETS, trees, {"x": [from_notation("(NP (NN Kuh))")]})


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (3, r"is not a (parser|system)"),
        (object(), r"is not a (parser|system)"),
        ({"a": 1}, "checkpoints are known by their steps"),
    ],
)
def test_what_is_no_system_is_refused(system: Any, message: str, gold: Treebank) -> None:
    with pytest.raises(UsageError, match=message):
        run(EVALUATION, gold, {"x": system})


# ---- where it is done, and what fails


@pytest.fixture
def parser_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kind of parser of another package, which workers can import too: `odd:WORD` never answers on WORD."""
    (tmp_path / "odd_parser.py").write_text(
        "import threading\n"
        "from gardenpath.systems.asking.protocol import Habits\n"
        "class Odd:\n"
        "    modes, habits = ('tokens',), Habits(chunk=4)\n"
        "    def __init__(self, argument):\n"
        "        self.name, self.word, self.signature = 'odd:' + argument, argument, f'kind:odd|word:{argument}'\n"
        "    def parse(self, request):\n"
        "        lines = []\n"
        "        for sentence in request.tokens:\n"
        "            for row in sentence.rows:\n"
        "                if row[1] == self.word:\n"
        "                    threading.Event().wait()\n"
        "                if row[0].isdecimal():\n"
        "                    row = [*row[:6], str(int(row[0]) - 1), 'dep', '_', row[9]]\n"
        "                lines.append('\\t'.join(row))\n"
        "            lines.append('')\n"
        "        return '\\n'.join(lines) + '\\n'\n",
        encoding="utf-8",
    )
    info = tmp_path / "odd_parser-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-parser\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[gardenpath.systems]\nodd = odd_parser:Odd\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "odd_parser", raising=False)
    return "odd:"


@pytest.mark.parametrize(
    "place", [Where(jobs=2, cache=False), Where(jobs="local:2", cache=False)], ids=["processes", "cluster"]
)
def test_processes_and_clusters_find_the_same(place: Where, gold: Treebank, parser_kind: str) -> None:
    if place.cluster:
        pytest.importorskip("distributed", reason="needs the extra cluster")
    systems = [f"{parser_kind}nothing", "baseline:right-branching"]
    chosen = EvaluationSettings(by=("label",))
    here = run(EVALUATION, gold, systems, chosen, where=Where(cache=False))
    there = run(EVALUATION, gold, systems, chosen, where=place)
    assert (numbers(there), there.signature) == (numbers(here), here.signature)
    roles = [run(ROLES, SUITE, systems, RolesSettings(), where=where) for where in (Where(cache=False), place)]
    assert (numbers(roles[1]), roles[1].signature) == (numbers(roles[0]), roles[0].signature)


def test_a_sentence_that_a_function_fails_on_is_counted_and_the_others_are_judged(gold: Treebank) -> None:
    bad = [node.form for node in gold[7].words]

    def fails(sentences: list[list[str]]) -> list[Any]:
        if bad in sentences:
            raise ValueError("no tree")
        return [arcs_of(words) for words in sentences]

    messages: list[str] = []
    result = run(EVALUATION, gold, {"x": fails}, EvaluationSettings(), tell=messages.append)
    assert result.failures["x: crashed"] == 1
    assert result.failures["system words without head"] == len(bad)
    assert any("ValueError: no tree" in line for line in messages)
    rest = [number for number in range(len(gold)) if number != 7]
    others = run(EVALUATION, gold[rest], {"x": flat(gold[rest])}, EvaluationSettings())
    right = [
        [
            finding.value
            for finding in some.findings
            if finding.measure in ("uas_correct", "las_correct", "clas_correct")
        ]
        for some in (others, result)
    ]
    assert right[0] == right[1]


def test_what_a_rule_lacks_is_told_before_a_parser_is_asked(gold: Treebank) -> None:
    asked = list[object]()
    with pytest.raises(UsageError, match="comes without them"):
        run(
            EVALUATION,
            gold,
            {"slow": asked.append, "baseline:nearest-head": "baseline:nearest-head"},
            EvaluationSettings(),
        )
    assert asked == []
    systems = ["baseline:right-branching", "baseline:nearest-head"]
    named = run(
        EVALUATION, gold, {"mine": gold, **dict(zip(systems, systems, strict=True))}, EvaluationSettings(gold=("tags",))
    )
    assert list(dict.fromkeys(finding.system for finding in named.findings if finding.system)) == ["mine", *systems]


def test_a_function_that_fails_on_everything_is_an_error(gold: Treebank) -> None:
    def fails(sentences: list[list[str]]) -> list[Any]:
        raise ValueError("no model")

    with pytest.raises(SystemFailure, match="ValueError: no model"):
        run(EVALUATION, gold, {"x": fails}, EvaluationSettings())


def test_a_phrase_function_that_fails_on_one_sentence() -> None:
    trees = [from_notation(line) for line in PHRASES]
    known = {tree.words: tree for tree in trees[:2]}
    result = run(BRACKETS, trees, {"x": lambda sentences: [known[tuple(words)] for words in sentences]})
    assert result.failures == {"x: crashed": 1, "no parse": 1}


def test_a_parser_that_hangs_on_one_sentence_within_a_time_limit(
    gold: Treebank, parser_kind: str, tmp_path: Path, capsys: Capture
) -> None:
    """It has no limit of its own: it works in a process that is ended."""
    few = gold[:4]
    word = next(node.form for node in few[2].words if sum(node.form == n.form for s in few for n in s.words) == 1)
    few.write(tmp_path / "gold.conllu")
    call = ["evaluate", str(tmp_path / "gold.conllu"), f"x={parser_kind}{word}", "--set", "work.cache=no"]
    result = printed(capsys, *call, "--set", "work.time_limit=1")
    assert {kind: count for kind, count in result["failures"].items() if kind.startswith("x:")} == {"x: no-answer": 1}
    assert result["failures"]["system words without head"] == len(few[2].words)


def test_a_program_that_hangs_on_one_sentence_within_a_time_limit(
    gold: Treebank, tmp_path: Path, capsys: Capture
) -> None:
    """It keeps the limit itself; the words of one sentence of the suite tell it when to hang."""
    path = tmp_path / "parser.py"
    path.write_text(
        "import sys, threading\n"
        "text = sys.stdin.read()\n"
        "if '\\tEinen\\t' in text and '\\tgesucht\\t' not in text:\n"
        "    threading.Event().wait()\n"
        "for line in text.split('\\n'):\n"
        "    cells = line.split('\\t')\n"
        "    if len(cells) == 10 and cells[0].isdecimal():\n"
        "        cells[6:8] = [str(int(cells[0]) - 1), 'dep']\n"
        "    print('\\t'.join(cells))\n",
        encoding="utf-8",
    )
    blocks = Path(SUITE).read_text("utf-8").strip().split("\n\n")
    few = tmp_path / "suite.conll"
    few.write_text("\n\n".join(blocks[:2]) + "\n\n", encoding="utf-8")
    system = f"x=command:{sys.executable} {path}"
    result = printed(capsys, "roles", str(few), system, "--set", "work.time_limit=1", "--set", "work.cache=no")
    assert result["failures"]["x: no-answer"] == 1


def test_a_limit_that_is_none_is_refused(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["roles", SUITE, "baseline:subject-first", "--set", "work.time_limit=0"])
    assert stop.value.code == 2
    assert "0 is not a time limit" in capsys.readouterr().err


# ---- the baseline


def test_the_baseline_is_what_others_are_compared_with(gold: Treebank) -> None:
    systems = {"a": spoiled(gold, 1), "b": spoiled(gold, 2), "c": gold}
    default, named, last = (
        run(EVALUATION, gold, systems, EvaluationSettings(baseline=name)) for name in ("", "a", "c")
    )
    assert numbers(named) == numbers(default)
    differences = {finding.system: finding.value for finding in last.findings if finding.measure == "las_difference"}
    assert list(differences) == ["a", "b"]
    las = {finding.system: finding.value for finding in last.findings if finding.measure == "las" and not finding.by}
    assert differences == pytest.approx({name: float(las[name]) - 100 for name in "ab"})  # type: ignore[arg-type]
    assert "baseline:c" in last.signature
    assert last.tables[1].title == "Difference to c, paired by document"
    phrases = [from_notation(line) for line in PHRASES] * 4
    worse = [from_notation(PHRASES[0].replace("NP:OA", "S:OA")), *phrases[1:3]] * 4
    result = run(BRACKETS, phrases, {"a": worse, "b": phrases}, BracketSettings(baseline="b"))
    assert {finding.by["baseline"] for finding in result.findings if "baseline" in finding.by} == {"b"}
    assert all(float(finding.value) < 0 for finding in result.findings if finding.measure == "f1_difference")  # type: ignore[arg-type]


def test_a_baseline_that_is_not_among_the_systems_is_asked_too(gold: Treebank, tmp_path: Path, capsys: Capture) -> None:
    gold.write(tmp_path / "gold.conllu")
    truth, rule = str(tmp_path / "gold.conllu"), "baseline:right-branching"
    shown = printed(capsys, "evaluate", truth, truth, "--baseline", rule)
    assert {finding["system"] for finding in shown["findings"] if finding.get("baseline") == rule} == {truth}


@pytest.mark.parametrize("study", ["evaluate", "phrases", "roles"])
def test_a_baseline_without_others_is_refused(study: str, gold: Treebank) -> None:
    trees = [from_notation(line) for line in PHRASES]
    suite = read_suite(SUITE)
    call: Callable[..., Result] = {
        "evaluate": lambda systems, **more: run(EVALUATION, gold, systems, EvaluationSettings(**more)),
        "phrases": lambda systems, **more: run(BRACKETS, trees, systems, BracketSettings(**more)),
        "roles": lambda systems, **more: run(ROLES, suite, systems, RolesSettings(**more)),
    }[study]
    system: Any = {"evaluate": gold, "phrases": trees, "roles": suite.treebank}[study]
    with pytest.raises(UsageError, match="nothing to compare it with"):
        call({"gold": system}, baseline="gold")
    with pytest.raises(UsageError, match="did you mean gold"):
        call({"gold": system, "x": system}, baseline="golt")
