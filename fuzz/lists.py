"""Readers of smaller things: logs of other harnesses, word lists, queries and grammars in files, headers of models."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from . import mutate

UNIMORPH = b"go\tgoes\tV;PRS;3;SG\ngo\twent\tV;PST\nHund\tHunde\tN;NOM;PL\n"
PHENOMENA = b"""[[phenomenon]]
name = "a"
query = "e: X -[obj]-> Y"
arc = "e"
language = "en"
"""
WORDS = b"""upos = ["NOUN"]
cells = ["Number=Sing", "Number=Plur"]
divided = false
[groups.home]
values = ["house houses", "flat flats"]
"""
LM_EVAL = {
    "doc_id": 0, "doc": {"item": "s1", "sentence_good": "a b", "sentence_bad": "b a"}, "filter": "none",
    "arguments": {"gen_args_0": {"arg_0": "a b"}}, "metrics": ["acc"], "acc": 1.0,
}  # fmt: skip
EVERY_EVAL_EVER = {
    "evaluation_name": "t", "sample_id": "1", "model_id": "m", "evaluation_result_id": "r", "input": {"raw": "a"},
    "evaluation": {"score": 1.0, "is_correct": True},
}  # fmt: skip
INSPECT = {
    "eval": {"task": "t", "model": "m", "dataset": {"sample_ids": ["s1", 2]}},
    "samples": [{"id": "s1", "epoch": 1, "input": "a", "metadata": {}, "scores": {"choice": {"value": "C"}}}],
}
GRID = b'[[study]]\ncommand = "evaluate"\nsources = ["bundled:de-test"]\nsystems = ["baseline:right-branching"]\n'
GRID += b'settings = {by = "upos", examples = "all", limit = 3, labels = "strict"}\n'
LAS = b"treebank,las\nde_garden,80.5\nen_x,0.7\n"


def log(name: str) -> Callable[[bytes, Path], object]:
    """Reads a log whose file is called so."""

    def read(data: bytes, path: Path) -> object:
        from gardenpath.studies.logs.study import read_log

        file = path.with_name(name)
        file.write_bytes(data)
        return read_log(str(file))

    return read


def log_seeds(*samples: Any) -> Callable[[], Sequence[bytes]]:
    return lambda: [b"\n".join(json.dumps(sample).encode() for sample in samples)]


def packed_log_seeds() -> Sequence[bytes]:
    header, sample = {"eval": INSPECT["eval"]}, INSPECT["samples"][0]  # type: ignore[index]
    members = [("header.json", json.dumps(header).encode()), ("samples/s1_epoch_1.json", json.dumps(sample).encode())]
    return [mutate.zipped(members), mutate.zipped(members, packed=True)]


def unimorph(data: bytes, path: Path) -> object:
    from gardenpath_generate.treebank_pairs.paradigms import unimorph_rows

    path.write_bytes(data)
    return unimorph_rows(path)


def phenomena(data: bytes, path: Path) -> object:
    from gardenpath.studies.evaluation.breakdown import _read

    path.write_bytes(data)
    return _read(str(path))


def word_list(data: bytes, path: Path) -> object:
    from gardenpath.treebank.perturb.registry import PerturbationSettings
    from gardenpath.treebank.perturb.wordlists import list_from_file

    path.write_bytes(data)
    return list_from_file(str(path), PerturbationSettings())


def grid(data: bytes, path: Path) -> object:
    from gardenpath.studies.plans.planning import read_grid

    path.write_bytes(data)
    return read_grid(path)


def scores(data: bytes, path: Path) -> object:
    from gardenpath.studies.displacement.treebank_scores import read_scores

    path.write_bytes(data)
    return read_scores(str(path))


def language(data: bytes, path: Path) -> object:
    from gardenpath_generate.roles.language import read_language

    path.with_name("grammar.toml").write_bytes(data)
    return read_language(path.parent)


def language_seeds() -> Sequence[bytes]:
    import gardenpath

    return [(Path(gardenpath.__file__).parents[1] / "gardenpath_generate/roles/languages/tr/grammar.toml").read_bytes()]


def gguf(data: bytes, path: Path) -> object:
    from gardenpath.systems.language_models.hf.loading import special_tokens

    path.write_bytes(data)
    return special_tokens(path)


def gguf_seeds() -> Sequence[bytes]:
    def text(value: bytes) -> bytes:
        return struct.pack("<Q", len(value)) + value

    tokens = struct.pack("<IIQ", 9, 8, 2) + text(b"<s>") + text(b"a")
    pairs = (
        (b"tokenizer.ggml.tokens", tokens),
        (b"tokenizer.ggml.bos_token_id", struct.pack("<II", 4, 0)),
        (b"other", struct.pack("<IIQIQ", 9, 9, 1, 4, 0)),
    )
    return [b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(text(key) + value for key, value in pairs)]


def change_numbers(data: bytes, draw: Random) -> bytes:
    """A number of four or eight bytes is another: lengths and types come first to mind."""
    size = draw.choice((4, 8))
    at = draw.randrange(max(1, len(data) - size))
    value = draw.choice((0, 1, 2, 8, 9, 255, 2**31 - 1, 2 ** (8 * size - 1), 2 ** (8 * size) - 1, draw.randrange(64)))
    return data[:at] + (value % 2 ** (8 * size)).to_bytes(size, "little") + data[at + size :]
