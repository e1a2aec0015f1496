"""Gold tokens stay as they are: every kind of parser on every treebank there is, whole files where they are small."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from test_command import CHAIN, program
from udpipe_server import serving

from gardenpath.runs.work.where import Where
from gardenpath.systems import Parser, parse_with, system
from gardenpath.treebank import Sentence, Treebank, concatenate

SMALL = 400_000
"""Files of fewer bytes are parsed whole by UDPipe; of the others, 60 sentences. Other parsers get 6 of each
file, and 100 of the generated one."""
ODD = re.compile(rb"^\d+[.-]\d+\t", re.MULTILINE)
LOST = {"unparsed", "other-tokens", "malformed", "surplus"}

pytestmark = pytest.mark.filterwarnings("ignore:this model was trained on")


@pytest.fixture(scope="module")
def samples_of_all(treebank_files: list[Path]) -> Treebank:
    """One treebank, so that a parser is asked once."""
    return concatenate([chosen(file, 100 if file.name == "odd.conllu" else 6) for file in treebank_files])


def chosen(file: Path, most: int) -> Treebank:
    """Sentences from all over a file, half of them with multiword tokens or empty nodes, if there are so many."""
    blocks = file.read_bytes().rstrip(b"\n").split(b"\n\n")
    odd = [number for number, block in enumerate(blocks) if ODD.search(block)]
    picked = {*spread(odd, most // 2)}
    picked |= {*spread([number for number in range(len(blocks)) if number not in picked], most - len(picked))}
    return Treebank(b"".join(blocks[number] + b"\n\n" for number in sorted(picked)), name=file.name)


def spread(numbers: list[int], most: int) -> list[int]:
    step = max(1, -(-len(numbers) // max(1, most)))
    return numbers[::step]


def check(parser: Parser, given: Treebank) -> int:
    """Asserts that all but the parser's own columns is as before; returns the multiword tokens and empty nodes."""
    gold = ["tags"] if parser.name == "baseline:nearest-head" else ()  # which finds heads by their tags
    result = parse_with(parser, given, gold=gold, any_language=True, where=Where(cache=False, progress=False))
    assert not LOST & result.failures.keys(), given.name
    odd = 0
    for before, after in zip(given, result.treebank, strict=True):
        odd += sum(not row[0].isdecimal() for row in before.rows)
        assert [visible(row) for row in before.rows] == [visible(row) for row in after.rows], before.sent_id
        assert after.comments[: len(before.comments)] == before.comments, before.sent_id
        assert_spaces_are_kept(before, after)
    return odd


def visible(row: list[str]) -> list[str]:
    """Of a word its ID and form, of a multiword token or an empty node all but MISC."""
    return row[:2] if row[0].isdecimal() else row[:9]


def assert_spaces_are_kept(before: Sentence, after: Sentence) -> None:
    misc = [[row[9] for row in sentence.rows] for sentence in (before, after)]
    if misc[0] != misc[1]:  # it said nothing of spaces, its text does, and this was added
        assert not any("SpaceAfter" in field for field in misc[0]), before.sent_id
        assert after.edit().text() == before.text


def test_udpipe_on_whole_files_and_samples_of_the_large_ones(udpipe_model: Path, treebank_files: list[Path]) -> None:
    parser, odd = system(f"udpipe:{udpipe_model}"), 0
    for file in treebank_files:
        small = file.stat().st_size < SMALL
        odd += check(parser, Treebank(file.read_bytes(), name=file.name) if small else chosen(file, 60))
    assert odd > (1000 if len(treebank_files) > 84 else 300)


@contextmanager
def parsers(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Parser]:
    if kind == "udpipe-rest":
        with serving(request.getfixturevalue("udpipe_model")) as server:
            yield system(f"udpipe-rest:{server.url}#german-garden")
    elif kind == "command":
        yield system("command:" + program(folder, CHAIN))
    elif kind in ("spacy", "stanza"):
        pytest.importorskip(kind, reason=f"needs the extra {kind}")
        yield system(f"{kind}:{request.getfixturevalue(kind + '_model')}")
    elif kind == "natasha:news":
        pytest.importorskip("natasha", reason="needs natasha (in the extra dev)")
        yield system(kind)
    else:
        yield system(kind)


KINDS = ("spacy", "stanza", "natasha:news", "udpipe-rest", "command")
RULES = ("baseline:subject-first", "baseline:nearest-head", "baseline:right-branching")


@pytest.mark.parametrize("kind", [*KINDS, *RULES])
def test_every_other_parser_on_every_file(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, samples_of_all: Treebank
) -> None:
    with parsers(kind, request, tmp_path) as parser:
        assert check(parser, samples_of_all) > 100


@pytest.mark.parametrize("name", ["made:odd", "ud/UD_French-Sequoia/fr_sequoia-ud-test.conllu"])
def test_a_file_of_a_parser_is_taken_as_it_is(
    name: str, udpipe_model: Path, file_named: Callable[[str], Path], tmp_path: Path
) -> None:
    given = chosen(file_named(name), 40)
    parsed = parse_with(f"udpipe:{udpipe_model}", given, where=Where(cache=False))
    parsed.treebank.write(tmp_path / "parsed.conllu")
    again = system("conllu:" + str(tmp_path / "parsed.conllu"))
    assert check(again, given) > 10
    assert parse_with(again, given).treebank.heads.tolist() == parsed.treebank.heads.tolist()
