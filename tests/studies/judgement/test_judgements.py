"""Judgements of pairs by chat models: hand-computed shares, unusable answers in the denominator, agreement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.runs.result.result import Result
from gardenpath.runs.work.where import Where
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.chat import JUDGEMENT, TEMPLATES
from gardenpath.studies.surprisal.chat_declaration import TEMPLATE_NAMES, JudgementSettings
from gardenpath.systems.asking.registry import chat_model, language_model
from gardenpath.systems.asking.repeatability import SAMPLE
from group_checks import group, same
from model_server import Server, serving
from verdict_checks import check_verdicts

PAIRS = [
    ("The dog barks .", "The dog bark ."), ("The dogs bark .", "The dogs barks ."),
    ("She sees him .", "Her sees him ."), ("A cat sleeps .", "A cat sleep ."),
    ("We know him .", "We knows him ."),
]  # fmt: skip
GOOD = {good for good, _ in PAIRS}
Judge = Callable[[str, list[str]], str]
"""From the first line of a question and its sentences to an answer."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("gardenpath.systems.asking.servers.PAUSE", 0.0)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("good\tbad\n" + "".join(f"{good}\t{bad}\n" for good, bad in PAIRS), encoding="utf-8")
    return path


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def asked(server: Server, judge: Judge) -> str:
    """A chat model that answers as `judge` says."""

    def chat(messages: list[dict[str, str]]) -> str:
        question, *lines = messages[-1]["content"].split("\n")
        return judge(question, [line[3:] if line[1:3] == ": " else line for line in lines])

    server.chat = chat
    return f"tiny=chat:{server.url}#model=tiny"


def knows(question: str, sentences: list[str]) -> str:
    if len(sentences) == 1:
        return "Yes." if sentences[0] in GOOD else "No."
    first = sentences[0] in GOOD
    return f"Sentence {1 if first else 2}." if "1 or 2" in question else ("X" if first else "Y")


def always_first(question: str, sentences: list[str]) -> str:
    return "yes" if len(sentences) == 1 else "1" if "1 or 2" in question else "x"


def values(result: Result, **by: str) -> dict[str, float]:
    return {
        finding.measure: finding.value
        for finding in result.findings
        if dict(finding.by) == by and isinstance(finding.value, float) and "chance" not in finding.measure
    }


def test_a_judge_that_knows_is_right_however_it_is_asked(server: Server, suite: Path) -> None:
    result = run(JUDGEMENT, suite, [asked(server, knows)])
    assert values(result) == {
        "accuracy": 100.0, "both_orders": 100.0, "first_taken": 50.0, "accuracy_yes_no": 100.0, "unusable": 0.0,
        "agreement": 100.0,
    }  # fmt: skip
    assert not result.failures
    (verdict,) = result.verdicts  # five pairs are too few to show it
    assert (
        verdict.text
        == "tiny is above chance: per cent of choices right 100.0 [56.6, 100.0] against 50.0, 5 pairs (suggested)."
    )
    assert verdict.sure == "suggested"
    once = 8 * len(PAIRS) + SAMPLE  # a sample is queried twice
    assert len(server.requests) == once
    assert "study:judgement|suites:pairs#" in result.signature
    assert "|questions:better,native,grammatical,acceptable#" in result.signature
    assert "kind:chat/server:127.0.0.1" in result.signature
    again = run(JUDGEMENT, suite, [asked(server, knows)], where=Where(jobs=2))
    assert again.findings == result.findings
    assert len(server.requests) == once  # from the cache


def test_a_judge_that_takes_the_first_is_at_chance_and_seen(server: Server, suite: Path) -> None:
    result = run(JUDGEMENT, suite, [asked(server, always_first)])
    measured = values(result)
    assert (measured["accuracy"], measured["both_orders"], measured["first_taken"]) == (50.0, 0.0, 100.0)
    assert measured["accuracy_yes_no"] == 0.0  # yes to the bad ones too
    assert values(result, template="better", form="good first")["right"] == 100.0
    assert values(result, template="better", form="bad first")["right"] == 0.0
    assert values(result, way="better, good first", other="better, bad first")["agreement"] == 0.0
    assert values(result, way="better, good first", other="native, good first")["agreement"] == 100.0
    # Of six ways two are right on all pairs and four on none: 1 + 6 of 15 pairs of ways agree.
    assert measured["agreement"] == pytest.approx(100 * 7 / 15)
    assert result.verdicts[0].text.startswith("tiny is not shown to be above chance: per cent of choices right 50.0")
    assert [table.name for table in result.open_tables] == ["judgements", "by-question"]
    asked_for = run(JUDGEMENT, suite, [asked(server, always_first)], JudgementSettings(by=("agreement",)))
    assert [table.name for table in asked_for.open_tables] == ["judgements", "agreement"]


@pytest.mark.parametrize(("refused", "excused"), [("all", True), ("some", True), ("none", False)])
def test_a_model_that_does_not_choose_is_not_said_to_choose_badly(
    server: Server, suite: Path, refused: str, excused: bool
) -> None:
    def judge(question: str, sentences: list[str]) -> str:
        is_refused = refused == "all" or (refused == "some" and sentences[0] in GOOD)
        return "Well." if is_refused else knows(question, sentences[::-1])

    result = run(JUDGEMENT, suite, [asked(server, judge)], JudgementSettings(templates=("better", "native")))
    check_verdicts(result)
    texts = " ".join(verdict.text for verdict in result.verdicts)
    assert ("below chance" in texts) != excused
    assert (
        "cannot be used, and count as wrong: whether it chooses better than a coin is not known" in texts
    ) == excused


def test_answers_that_cannot_be_used_are_wrong_and_counted(server: Server, suite: Path) -> None:
    def judge(question: str, sentences: list[str]) -> str:
        refused = "The dog barks ." in sentences and "1 or 2" in question
        return "I would rather not say 1 or 2." if refused else knows(question, sentences)

    result = run(JUDGEMENT, suite, [asked(server, judge)])
    assert result.failures == {"tiny: answers to better that cannot be used": 2}
    assert values(result)["accuracy"] == pytest.approx(100 * 18 / 20)
    assert values(result)["unusable"] == pytest.approx(100 * 2 / 40)
    assert values(result, template="better")["accuracy"] == 80.0
    assert [finding.n for finding in result.findings if finding.measure == "accuracy"] == [5, 5, 5]


def test_a_question_that_the_server_refuses_is_counted(server: Server, suite: Path) -> None:
    system = asked(server, knows)
    server.plan = ["400"] * 7  # the piece, and its halves down to one question
    result = run(JUDGEMENT, suite, [system])
    assert result.failures["tiny: no answer (crashed)"] >= 1
    assert values(result)["accuracy"] < 100.0


def test_some_questions_alone(server: Server, suite: Path) -> None:
    settings = JudgementSettings(templates=("grammatical",))
    carried = run(JUDGEMENT, suite, [asked(server, knows)], settings)
    assert set(values(carried)) == {"accuracy_yes_no", "unusable"}
    assert len(server.requests) == 4 * len(PAIRS)  # all are queried twice, since they are few
    observations = JUDGEMENT.kept(carried.judged, settings).observations
    assert observations is not None
    assert len(observations) == 2 * len(PAIRS)


def taking(wrong: int) -> Callable[[list[str]], list[str]]:
    """A model that takes the good sentence of every pair but the first so many; good ones end in `a .`."""

    def answer(question: str) -> str:
        lines = [line for line in question.splitlines()[1:] if line.endswith(".")]
        number = int(lines[0].split()[-4])
        wants = "a ." if number >= wrong else "b ."
        if len(lines) == 1:
            return "yes" if lines[0].endswith(wants) else "no"
        return next(line[0] for line in lines if line.endswith(wants))

    return lambda questions: [answer(question) for question in questions]


@pytest.mark.parametrize(
    ("pairs", "wrong", "sure"),
    [(24, 0, "shown"), (24, 5, "shown"), (24, 9, "not shown"), (12, 0, "suggested"), (24, 12, "not shown")],
)
def test_above_chance_is_said_only_where_enough_pairs_bear_it(
    pairs: int, wrong: int, sure: str, tmp_path: Path
) -> None:
    path = tmp_path / "many.tsv"
    rows = [f"see item {number} is a .\tsee item {number} is b .\n" for number in range(pairs)]
    path.write_text("good\tbad\n" + "".join(rows), encoding="utf-8")
    settings = JudgementSettings(templates=("better",))
    systems = {"m": taking(wrong), "always": taking(0)}
    result = run(JUDGEMENT, path, systems, settings)
    check_verdicts(result)
    assert (
        next(verdict.sure for verdict in result.verdicts if re.match(r"(always and )?m (is|are)", verdict.text)) == sure
    )
    again = run(JUDGEMENT, path, dict(reversed(systems.items())), settings)
    assert {verdict.text for verdict in again.verdicts} == {verdict.text for verdict in result.verdicts}


@pytest.mark.parametrize(
    ("template", "reply", "answer"),
    [
        ("better", "1", 0), ("better", "2.", 1), ("better", "Sentence 2 is better", 1), ("better", "1 or 2", None),
        ("better", "12", None), ("better", "", None), ("better", None, None), ("native", "x", 0),
        ("native", "**Y**", 1), ("grammatical", "Yes, it is.", 0), ("grammatical", "NO", 1),
        ("grammatical", "yes and no", None), ("acceptable", "nope", None),
    ],
)  # fmt: skip
def test_replies_are_read(template: str, reply: str | None, answer: int | None) -> None:
    assert TEMPLATES[template].read(reply) == answer


def test_what_is_no_pair_and_what_is_no_chat_model_is_refused(server: Server) -> None:
    system = asked(server, knows)
    with pytest.raises(InputError, match="pairs need the conditions good and bad"):
        run(JUDGEMENT, "bundled:en-surprisal", [system])
    with pytest.raises(UsageError, match="name a chat model, such as chat:URL"):
        run(JUDGEMENT, "bundled:en-surprisal", [])
    with pytest.raises(UsageError, match="a chat model is needed here"):
        chat_model("baseline:right-branching")
    with pytest.raises(UsageError, match="this is a chat model"):
        language_model(f"chat:{server.url}#model=tiny")
    assert tuple(TEMPLATES) == TEMPLATE_NAMES


def test_by_a_column(tmp_path: Path, server: Server) -> None:
    """A group has the score of a file with its pairs alone."""
    rows = [f"{good}\t{bad}\t{'verb' if place != 2 else 'case'}\n" for place, (good, bad) in enumerate(PAIRS)]
    for name, kept in (("all", rows), ("case", rows[2:3])):
        (tmp_path / f"{name}.tsv").write_text("good\tbad\tsort\n" + "".join(kept), encoding="utf-8")
    system = asked(server, lambda question, sentences: "B" if len(sentences) > 1 else "yes")
    result = run(JUDGEMENT, tmp_path / "all.tsv", [system], JudgementSettings(by=("sort",)))
    alone = run(JUDGEMENT, tmp_path / "case.tsv", [system])
    for measure in ("accuracy", "accuracy_yes_no", "first_taken"):
        same(group(result, measure, sort="case"), group(alone, measure))
    shown = [table.name for table in result.tables if not table.folded]
    assert shown == ["judgements", "accuracy-by-sort", "accuracy-yes-no-by-sort"]
