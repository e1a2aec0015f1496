"""Chat models as parsers: what they write is read, and faults are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.data import bundled
from gardenpath.errors import UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_with, system
from gardenpath.systems.parsers.llm_parser import read_lines
from gardenpath.treebank import Treebank, read
from model_server import Server, serving

WORDS = ["the", "dog", "barks"]


TREE = [("2", "det"), ("3", "nsubj"), ("0", "root")]
NONE = [("_", "dep")] * 3


@pytest.mark.parametrize(
    ("text", "arcs"),
    [
        ("1\tthe\t2\tdet\n2\tdog\t3\tnsubj\n3\tbarks\t0\troot", TREE),
        ("Here it is:\n```\n1 2 det\n2 3 nsubj\n3 0 root\n```", TREE),
        ("| 1 | the | 2 | det |\n| 2 | dog | 3 | nsubj |\n| 3 | barks | 0 | root |", TREE),
        ("1. the 2 DET\n2. dog 3 nsubj\n3. barks 0 root", TREE),
        ("1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n3\tbarks\tbark\tVERB\t_\t_\t0\t"
         "root\t_\t_", TREE),
        ("I cannot do that.", NONE),
        ("1\t2\tdet\n2\t3\tnsubj", NONE),
        ("1\t2\tdet\n2\t3\tnsubj\n3\t0\troot\n4\t3\tpunct", NONE),
        ("1\t2\tdet\n1\t2\tdet\n2\t3\tnsubj\n3\t0\troot", NONE),
        ("1\t9\tdet\n2\t3\tnsubj\n3\t0\troot", [("_", "det"), *TREE[1:]]),
        ("1\t1\tdet\n2\t3\tnsubj:pass\n3\t0\troot", [("_", "det"), ("3", "nsubj:pass"), TREE[2]]),
    ],
)  # fmt: skip
def test_what_a_model_writes_is_read(text: str, arcs: list[tuple[str, str]]) -> None:
    expected = [(word, *arc) for word, arc in zip(WORDS, arcs, strict=True)]
    assert read_lines(text, WORDS) == expected


@pytest.fixture(scope="module")
def gold() -> Treebank:
    return read(bundled("en-test"))[:6]


def lines(gold: Treebank) -> dict[str, str]:
    """The right answer to each question."""
    asked = ["\n".join(f"{word.ord}\t{word.form}" for word in sentence) for sentence in gold]
    right = ["\n".join(f"{w.ord}\t{w.form}\t{w.head}\t{w.deprel}" for w in sentence) for sentence in gold]
    return dict(zip(asked, right, strict=True))


@pytest.fixture
def server(gold: Treebank) -> Iterator[Server]:
    right = lines(gold)
    with serving(chat=lambda messages: right[messages[1]["content"]]) as running:
        yield running


def named(server: Server, *options: str) -> str:
    return f"llm:{server.url}#model=tiny" + "".join(f"#{option}" for option in options)


def test_right_answers_are_right_trees(server: Server, gold: Treebank) -> None:
    result = parse_with(named(server), gold)
    assert not result.failures
    assert result.treebank.heads.tolist() == gold.heads.tolist()
    assert result.counts == {"requests": 6, "prompt tokens": 600, "answer tokens": 60}
    assert "kind:llm|server:127.0.0.1:" in result.signature
    assert "|mode:tokens|" in result.signature
    scores = gp.evaluate(gold, [named(server)])
    assert {row["value"] for row in scores.rows("las", by=())} == {100.0}
    again = parse_with(named(server), gold, where=Where(jobs=2))
    assert again.counts == result.counts  # of kept results, what they cost when they were made
    assert len(server.requests) == 6 + 6  # a study queries a sample twice
    assert server.requests[0]["temperature"] == 0


FAULTY = {
    "no-lines": ("I cannot.", "incomplete"),
    "cycle": ("1\t2\tdet\n2\t1\tnsubj\n3\t0\troot", "cycle"),
    "no-root": ("1\t2\tdet\n2\t3\tnsubj\n3\t2\tobj", "no-root"),
    "two-roots": ("1\t0\troot\n2\t3\tnsubj\n3\t0\troot", "two-roots"),
    "wrong-length": ("1\t2\tdet\n2\t3\tnsubj\n3\t0\troot\n4\t3\tpunct", "incomplete"),
    "bad-head": ("1\t7\tdet\n2\t3\tnsubj\n3\t0\troot", "incomplete"),
    "other-words": ("1\ta\t2\tdet\n2\tdog\t3\tnsubj\n3\tbarks\t0\troot", "other-tokens"),
}
SMALL = "".join(f"{number}\t{word}" + "\t_" * 8 + "\n" for number, word in enumerate(WORDS, 1)) + "\n"


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_answer_is_a_counted_failure(server: Server, fault: str) -> None:
    text, failure = FAULTY[fault]
    server.chat = lambda messages: text
    failed = parse_with(named(server), Treebank(SMALL.encode(), name="small"))
    assert failed.failures == {failure: 1}
    assert failed.counts["requests"] == 1


def test_unknown_labels_are_counted_and_costs_are_shown(
    server: Server, gold: Treebank, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from gardenpath.cli.main import main

    right, unknown = lines(gold), sum(word.deprel == "nsubj" for sentence in gold for word in sentence)
    server.chat = lambda messages: right[messages[1]["content"]].replace("\tnsubj\n", "\tsubject\n")
    gold.write(tmp_path / "gold.conllu")
    name = named(server)
    with pytest.raises(SystemExit, match="0"):
        main(["evaluate", str(tmp_path / "gold.conllu"), f"LLM={name}", "--format", "json"])
    printed = capsys.readouterr()
    assert f"LLM: 6 requests, 600 prompt tokens, 60 answer tokens, {unknown} unknown labels, now dep" in printed.err
    assert json.loads(printed.out)["failures"]["LLM: unknown labels, now dep"] == unknown
    with pytest.raises(SystemExit, match="0"):
        main(["parse", name, str(tmp_path / "gold.conllu"), "-o", str(tmp_path / "parsed.conllu")])
    assert "6 requests, 600 prompt tokens, 60 answer tokens" in capsys.readouterr().err


def test_gold_tags_are_shown_to_the_model(server: Server, gold: Treebank) -> None:
    asked = list[str]()
    server.chat = lambda messages: asked.append(messages[1]["content"]) or "no"  # type: ignore[func-returns-value]
    parse_with(named(server), gold[:1], gold="tags")
    assert asked[0].splitlines()[0].split("\t")[2] == gold[0].rows[0][3]


@pytest.mark.parametrize("options", [("repair=root",), ("temperature=1",)])
def test_options_that_do_not_exist_are_refused(server: Server, options: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="unknown"):
        system(named(server, *options))
