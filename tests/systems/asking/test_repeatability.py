"""Systems that answer at random are found out, whatever their role, and with cached answers too; others are not."""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.errors import SystemFailure
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.result.result import Finding
from gardenpath.runs.work.where import Where
from gardenpath.studies.engine.study import run
from gardenpath.studies.evaluation.declaration import EvaluationSettings
from gardenpath.studies.evaluation.study import EVALUATION
from gardenpath.systems import parse_with
from gardenpath.systems.asking.protocol import Habits
from gardenpath.systems.asking.registry import KINDS
from gardenpath.systems.asking.repeatability import MARK, SAMPLE
from gardenpath.systems.asking.request import Request
from gardenpath.treebank import Treebank, read

PROGRAM = """
import random, sys
with open({log!r}, "a") as log:
    for line in sys.stdin:
        cells = line.rstrip("\\n").split("\\t")
        if len(cells) == 10 and cells[0].isdecimal():
            if cells[0] == "1":
                print("sentence", file=log)
                root = {root}
            place = int(cells[0])
            cells[6:8] = ["0", "root"] if place == root else [str(root), "dep"]
        print("\\t".join(cells))
"""


@pytest.fixture
def gold(samples: Path) -> Treebank:
    treebank = read(samples / "de_garden-test.conllu")
    return treebank.select(treebank.lengths > 5)


def doubted(result: Any) -> list[Finding]:
    return [finding for finding in result.findings if finding.measure == "unrepeatable"]


def program(folder: Path, root: str) -> tuple[str, Path]:
    """A command that hangs all words on one of the first five, and the log of the sentences that it was given."""
    path, log = folder / "parser.py", folder / "log"
    path.write_text(PROGRAM.format(log=str(log), root=root), encoding="utf-8")
    return f"command:{shlex.quote(sys.executable)} {shlex.quote(str(path))}", log


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_random_program_is_found_out(gold: Treebank, tmp_path: Path, jobs: int) -> None:
    name, log = program(tmp_path, "random.randint(1, 5)")
    told: list[str] = []
    result = run(EVALUATION, gold, {"dice": name}, EvaluationSettings(), where=Where(jobs=jobs), tell=told.append)
    (finding,) = doubted(result)
    assert finding.system == "dice"
    assert finding.n == SAMPLE
    assert 30 < float(finding.value or 0) <= 100  # four fifths are expected
    assert float(finding.low or 0) < float(finding.value or 0) <= float(finding.high or 0)
    assert any("dice: warning: not repeatable: different output for" in line for line in told)
    assert any("not repeatable" in verdict.text for verdict in result.verdicts)
    assert MARK in result.signature
    assert any(table.name == "repeatability" for table in result.tables)
    assert log.read_text().count("sentence") == len(gold) + SAMPLE


def test_a_program_that_always_does_the_same_costs_a_sample_and_gets_no_note(gold: Treebank, tmp_path: Path) -> None:
    name, log = program(tmp_path, "2")
    told: list[str] = []
    result = run(EVALUATION, gold, {"second": name}, EvaluationSettings(), tell=told.append)
    assert not [line for line in told if "repeatable" in line]
    assert not doubted(result)
    assert "repeatable" not in result.signature
    assert log.read_text().count("sentence") == len(gold) + SAMPLE
    parse_with(name, gold)  # outside of a study nothing is queried twice
    assert log.read_text().count("sentence") == 2 * len(gold) + SAMPLE


def test_raw_text_comes_back_in_other_sentences(gold: Treebank, tmp_path: Path) -> None:
    script = "import random, sys\nfor line in sys.stdin:\n    root = {root}\n" + (
        "    for n, form in enumerate(line.split(), 1):\n"
        "        print(n, form, *'____', 0 if n == root else root, 'dep', '_', '_', sep='\\t')\n    print()\n"
    )
    for root, changes in (("random.randint(1, 5)", True), ("1", False)):
        path = tmp_path / f"text{changes}.py"
        path.write_text(script.format(root=root), encoding="utf-8")
        name = f"command:text {shlex.quote(sys.executable)} {shlex.quote(str(path))}"
        result = gp.evaluate(gold, {"x": name}, input="text")
        assert bool(doubted(result)) == changes


class Kept:
    """A parser whose answers are cached; where it is `random`, the root is."""

    name, modes, signature, habits = "kept:x", ("tokens",), "kind:kept|version:1", Habits(chunk=10)

    def __init__(self, *, is_random: bool = True) -> None:
        self.is_random, self.sentences, self.is_broken = is_random, 0, False

    def parse(self, request: Request) -> str:
        if self.is_broken:
            raise SystemFailure("no connection", where=self.name)
        lines: list[str] = []
        for sentence in request.tokens:
            self.sentences += 1
            root = random.randint(1, len(sentence)) if self.is_random else 1
            for number, word in enumerate(sentence.words, 1):
                lines.append(f"{number}\t{word.form}\t_\t_\t_\t_\t{0 if number == root else root}\tdep\t_\t_")
            lines.append("")
        return "\n".join([*lines, ""])


def test_the_cache_does_not_hide_it(gold: Treebank, tmp_path: Path) -> None:
    where = Where(cache=ResultCache(tmp_path / "results"))
    first, second = Kept(), Kept()
    parse_with(first, gold, where=where)  # its answers are kept, and nothing is queried twice
    result = gp.evaluate(gold, {"kept": second}, where=where)
    assert second.sentences == SAMPLE
    (finding,) = doubted(result)
    third = Kept()
    third.is_broken = True  # all is kept by now, so that no system is needed
    again = gp.evaluate(gold, {"kept": third}, where=where)
    assert third.sentences == 0
    assert doubted(again) == [finding]
    assert again.signature == result.signature


def test_one_that_cannot_be_queried_again_is_not_judged(gold: Treebank, tmp_path: Path) -> None:
    where = Where(cache=ResultCache(tmp_path / "results"))
    parse_with(Kept(), gold, where=where)
    broken = Kept()
    broken.is_broken = True
    assert not doubted(gp.evaluate(gold, {"kept": broken}, where=where))


def test_no_more_than_a_sample_is_queried_again_in_several_studies(gold: Treebank, tmp_path: Path) -> None:
    parser = Kept(is_random=False)
    for first in range(0, 30, 5):
        gp.evaluate(gold[first : first + 5], {"kept": parser}, where=Where(cache=False))
    assert parser.sentences == 30 + SAMPLE


def test_functions_of_python(gold: Treebank) -> None:
    def parse(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
        roots = [random.randint(1, len(words)) for words in sentences]
        return [
            [(0 if n == root else root, "dep") for n in range(1, len(words) + 1)]
            for root, words in zip(roots, sentences, strict=True)
        ]

    def steady(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
        calls.append(len(sentences))
        return [[(n, "dep") for n in range(len(words))] for words in sentences]

    calls: list[int] = []
    result = gp.evaluate(gold, {"random": parse, "steady": steady})
    assert [row.system for row in doubted(result)] == ["random"]
    assert result.signature.count(MARK) == 1
    assert calls == [len(gold), SAMPLE]


def test_a_language_model(samples: Path) -> None:
    def noisy(sentences: Sequence[Sequence[str]]) -> list[list[float]]:
        return [[random.random() * 9 for _ in words] for words in sentences]

    def last_places(sentences: Sequence[Sequence[str]]) -> list[list[float]]:
        return [[len(word) + random.random() * 1e-6 for word in words] for words in sentences]

    result = gp.surprisal("bundled:en-surprisal", {"noisy": noisy, "last places": last_places})
    assert [row.system for row in doubted(result)] == ["noisy"]
    assert MARK in result.signature


def test_a_phrase_parser() -> None:
    def parse(sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        return [
            from_notation(f"({random.choice('ABCDEFGH')} {' '.join(f'(X {word})' for word in words)})")
            for words in sentences
        ]

    gold = [from_notation(f"(S (X a) (X b) (X w{number}))") for number in range(30)]
    result = gp.evaluate(gold, {"noisy": parse})
    (finding,) = doubted(result)
    assert finding.n == SAMPLE


def test_a_chat_model(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    rows = "".join(f"{number}\tThe dog {number} barks.\tThe dog {number} bark.\n" for number in range(1, 31))
    path.write_text("item\tgood\tbad\n" + rows)

    def noisy(questions: Sequence[str]) -> list[str]:
        return [random.choice("AB12") for _ in questions]

    assert doubted(gp.surprisal(path, {"noisy": gp.systems.ChatFunction(noisy)}))
    assert not doubted(
        gp.surprisal(path, {"steady": gp.systems.ChatFunction(lambda questions: ["A" for _ in questions])})
    )


def test_a_change_of_trees_that_is_noise_is_said_to_be_noise(gold: Treebank, tmp_path: Path) -> None:
    def parse(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
        roots = [random.randint(1, len(words)) for words in sentences]
        return [
            [(0 if n == root else root, "dep") for n in range(1, len(words) + 1)]
            for root, words in zip(roots, sentences, strict=True)
        ]

    result = gp.consistency(gold, {"noisy": parse}, change=["numerals"])
    texts = [verdict.text for verdict in result.verdicts]
    assert any("no more trees change than without any change of the sentence" in text for text in texts)
    assert not any("Another number changes the tree" in text for text in texts)


def test_a_change_of_trees_above_the_noise_is_a_verdict_with_the_noise_beside_it(gold: Treebank) -> None:
    """One sentence in ten gets a random root, and a sentence with another number than before always another one."""

    def parse(sentences: list[list[str]]) -> list[list[tuple[int, str]]]:
        answers = []
        for words in sentences:
            root = 1 + sum(map(ord, "".join(words))) % len(words)
            if random.random() < 0.15:
                root = 1 + root % len(words)
            answers.append([(0 if n == root else root, "dep") for n in range(1, len(words) + 1)])
        return answers

    random.seed(3)
    result = gp.consistency(gold, {"some": parse}, change=["numerals"])
    (finding,) = doubted(result)
    assert float(finding.value or 0) < 60
    text = next(verdict.text for verdict in result.verdicts if "Another number changes the tree" in verdict.text)
    assert f"queried again unchanged, {float(finding.value or 0):.1f} %" in text


@pytest.mark.parametrize("kind", ["udpipe", "baseline", "conllu", "surprisals", "trees", "stanza", "spacy", "hf"])
def test_kinds_that_are_known_to_be_repeatable(kind: str) -> None:
    (declared,) = (known for known in KINDS if known.name == kind)
    if not declared.installed:
        pytest.skip(f"{declared.missing} is not installed")
    made = declared.load()
    if kind == "baseline":
        made = made("nearest-head")
    habits = getattr(made, "habits", None)
    assert isinstance(habits, Habits)
    assert habits.repeatable


def test_sameness_of_surprisals_is_that_of_floats() -> None:
    from gardenpath.systems.language_models.running_text import same_bits

    bits = np.array([1.0, 2.5, np.nan])
    assert same_bits(bits, bits + 1e-5)
    assert not same_bits(bits, bits + 0.01)
    assert not same_bits(bits, bits[:2])
