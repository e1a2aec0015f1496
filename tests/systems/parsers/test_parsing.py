"""Parsing in pieces: order kept, results kept, the same in one process, in two and on a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_with, read_input, system, text_treebank
from gardenpath.systems.asking.protocol import Habits
from gardenpath.systems.asking.request import Request, request_for
from gardenpath.systems.parsers.parsing import ParserInput, parse_blocks
from gardenpath.treebank import Treebank, read


class Counting:
    """A parser that counts its calls and hangs every word on the first."""

    name, modes = "counting:x", ("tokens", "sentences", "text")

    def __init__(self, chunk: int = 10, signature: str = "kind:counting|version:1") -> None:
        self.habits, self.signature, self.requests = Habits(chunk=chunk), signature, list[Request]()

    def parse(self, request: Request) -> str:
        self.requests.append(request)
        texts = [[word.form for word in s] for s in request.tokens] if request.mode == "tokens" else []
        lines: list[str] = []
        for forms in texts or [text.split() for text in request.texts]:
            lines += [f"{i}\t{f}\t_\t_\t_\t_\t{int(i > 1)}\tdep\t_\t_" for i, f in enumerate(forms, 1)]
            lines.append("")
        return "\n".join([*lines, ""])


@pytest.mark.parametrize("mode", ["tokens", "sentences", "text"])
def test_pieces_come_together_in_order(dev: Treebank, mode: str) -> None:
    parser = Counting()
    result = parse_with(parser, dev, mode=mode, where=Where(cache=False))
    assert not result.failures
    assert " ".join(result.treebank.texts) == " ".join(dev.texts)
    assert len(parser.requests) == (3 if mode != "text" else len(parser.requests))
    assert len(set(result.treebank.sent_ids)) == len(result.treebank)


def test_what_was_parsed_once_is_not_parsed_again(dev: Treebank, tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "results")
    first, second = Counting(), Counting()
    once = parse_with(first, dev, where=Where(cache=cache))
    again = parse_with(second, dev, where=Where(cache=cache))
    assert len(first.requests) == 3
    assert second.requests == []
    assert again.treebank.to_bytes() == once.treebank.to_bytes()
    assert again.seconds == once.seconds


@pytest.mark.parametrize("change", ["signature", "gold", "mode", "input"])
def test_another_model_input_mode_or_gold_is_parsed_anew(dev: Treebank, tmp_path: Path, change: str) -> None:
    cache = ResultCache(tmp_path / "results")
    parse_with(Counting(), dev, where=Where(cache=cache))
    parser = Counting(signature="kind:counting|version:2") if change == "signature" else Counting()
    bank = Treebank(dev.data.replace(b"SpaceAfter=No", b"_", 1)) if change == "input" else dev
    gold, mode = "tags" if change == "gold" else "", "sentences" if change == "mode" else "tokens"
    parse_with(parser, bank, gold=gold, mode=mode, where=Where(cache=cache))
    assert len(parser.requests) == (1 if change == "input" else 3)


def test_gold_that_the_parser_may_not_see_does_not_matter_to_the_cache(dev: Treebank, tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "results")
    parse_with(Counting(), dev, where=Where(cache=cache))
    parser = Counting()
    parse_with(parser, Treebank(dev.data.replace(b"\tnsubj\t", b"\tobj\t")), where=Where(cache=cache))
    assert parser.requests == []


def test_processes_and_a_cluster_give_the_same_bytes(udpipe_model: Path, samples: Path, cluster: str) -> None:
    bank = read(samples / "de_garden-train.conllu")
    assert len(bank) > 250
    name = f"udpipe:{udpipe_model}"
    alone = parse_with(name, bank, where=Where(cache=False))
    assert parse_with(name, bank, where=Where(cache=False, jobs=2)).treebank.to_bytes() == alone.treebank.to_bytes()
    spread = parse_with(name, bank, where=Where(cache=False, jobs=cluster))
    assert spread.treebank.to_bytes() == alone.treebank.to_bytes()
    assert spread.signature == alone.signature


def test_a_worker_with_another_model_refuses(udpipe_model: Path, dev: Treebank) -> None:
    request = request_for(dev, "tokens", frozenset())
    with pytest.raises(SystemFailure, match="same model"):
        ParserInput.answer(f"udpipe:{udpipe_model}", "kind:udpipe|model:other", request)


def test_a_model_that_was_trained_anew_is_loaded_anew(udpipe_model: Path, dev: Treebank, tmp_path: Path) -> None:
    path = tmp_path / "m.udpipe"
    path.write_bytes(udpipe_model.read_bytes())
    before = parse_with(f"udpipe:{path}", dev)
    path.write_bytes(b"gone")
    with pytest.raises(InputError, match="not a UDPipe model"):
        parse_with(f"udpipe:{path}", dev)
    assert before.signature.startswith("kind:udpipe|model:")


def test_what_does_not_go_together_is_said(udpipe_model: Path, dev: Treebank) -> None:
    name = f"udpipe:{udpipe_model}"
    for wrong, told in (
        ({"mode": "token"}, "did you mean tokens"),
        ({"gold": "heads"}, "unknown gold layer"),
        ({"mode": "text", "gold": "tags"}, "need gold tokens"),
    ):
        with pytest.raises(UsageError, match=told):
            parse_with(name, dev, **wrong)
    with pytest.raises(UsageError, match="not a time limit"):
        Where(time_limit=-1.0)


def test_plain_text_is_read_by_line_or_by_paragraph(tmp_path: Path, udpipe_model: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Der Garten blüht.\nSie geht  heim.\n\nEr kommt.\n", encoding="utf-8")
    bank, mode = read_input(path)
    assert (len(bank), mode) == (2, "text")
    lines, mode = read_input(path, "sentences")
    assert (lines.texts, mode) == (["Der Garten blüht.", "Sie geht heim.", "Er kommt."], "sentences")
    parsed = parse_with(system(f"udpipe:{udpipe_model}"), bank, mode="text", where=Where(cache=False)).treebank
    assert "newpar" in parsed[0].comments
    assert " ".join(parsed.texts) == "Der Garten blüht. Sie geht heim. Er kommt."
    with pytest.raises(UsageError, match="no gold tokens"):
        read_input(path, "tokens")
    with pytest.raises(InputError, match="no text"):
        text_treebank("\n \n", by_line=True)


def test_a_treebank_is_read_as_such(samples: Path) -> None:
    bank, mode = read_input(samples / "de_garden-dev.conllu")
    assert mode == "tokens"
    assert len(bank) == len(read(samples / "de_garden-dev.conllu"))


class Stammering(Counting):
    """Writes garbage in these calls."""

    def __init__(self, garbage: set[int]) -> None:
        super().__init__()
        self.garbage = garbage

    def parse(self, request: Request) -> str:
        good = super().parse(request)
        return "Segmentation fault, maybe\n" if len(self.requests) in self.garbage else good


def test_a_treebank_behind_a_byte_order_mark_is_not_taken_for_text(samples: Path, tmp_path: Path) -> None:
    marked = tmp_path / "a.conllu"
    marked.write_bytes(b"\xef\xbb\xbf" + (samples / "de_garden-dev.conllu").read_bytes())
    with pytest.raises(InputError, match="byte order mark"):
        read_input(marked)


@pytest.mark.parametrize("mode", ["tokens", "sentences"])
def test_a_piece_of_garbage_is_counted_and_the_others_stay(dev: Treebank, mode: str) -> None:
    result = parse_with(Stammering({2}), dev, mode=mode, where=Where(cache=False))
    assert result.failures == {"unparsed": 10, "surplus": 1}
    marks = ["gardenpath_failure" in sentence.metadata for sentence in result.treebank]
    assert marks == [10 <= number < 20 for number in range(len(dev))]


def test_nothing_but_garbage_is_an_error_at_the_end(dev: Treebank) -> None:
    with pytest.raises(SystemFailure, match="not CoNLL-U"):
        parse_with(Stammering({1, 2, 3}), dev, where=Where(cache=False))
    blocks = [(dev[:10], "tokens"), (dev[10:20], "tokens")]
    found = parse_blocks(Stammering({1, 2}), blocks, where=Where(cache=False))
    assert next(found).failures == next(found).failures == {"unparsed": 10, "surplus": 1}
    with pytest.raises(SystemFailure, match="not CoNLL-U"):
        next(found)
    assert len(list(parse_blocks(Stammering({1}), blocks, where=Where(cache=False)))) == 2


def test_one_pool_works_for_all_stretches_of_an_input(udpipe_model: Path, samples: Path) -> None:
    bank = read(samples / "de_garden-train.conllu")
    blocks = [(bank[begin : begin + 100], "tokens") for begin in range(0, 400, 100)]
    name = f"udpipe:{udpipe_model}"
    with Where(jobs=2, cache=False).opened() as place:
        first, *others = parse_blocks(name, blocks, where=place)
        started = {process.pid for process in place.pool._processes.values()}
        more = parse_with(name, bank[:100], where=place)
        assert {process.pid for process in place.pool._processes.values()} >= started
        assert 1 <= len(place.pool._processes) <= 2
    assert more.treebank.to_bytes() == first.treebank.to_bytes()
    assert [len(result.treebank) for result in others] == [100, 100, 100]


def test_a_folder_of_texts_is_read_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in (("b.txt", "Zwei.\n\nDrei."), ("a.txt", "Eins.\n"), ("notes.md", "no")):
        (folder / name).write_text(text, encoding="utf-8")
    bank, mode = read_input(folder)
    assert (bank.texts, mode, bank.sent_ids) == (["Eins.", "Zwei.", "Drei."], "text", ["1", "2", "3"])
    assert [sentence.comments[0] for sentence in bank] == ["newdoc id = a.txt", "newdoc id = b.txt", "newpar"]
    lines, _ = read_input(folder, "sentences")
    assert lines.texts == bank.texts
    (folder / "c.conllu").write_bytes(b"1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert read_input(folder)[1] == "tokens"  # where there is a treebank, texts are notes on it
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="neither a treebank nor a text"):
        read_input(tmp_path / "empty")
