"""`udpipe:MODEL`: UDPipe 1 by ufal.udpipe, the default parser."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

from ...errors import FailedOnInput, InputError, UsageError
from ...runs.record.signatures import signature
from ..asking.protocol import Habits
from ..asking.registry import package_version
from ..asking.request import LAYERS, MODES, Request
from ..files.models import model_bytes

_MARK = b"\x12morphodita_parsito"
_NEEDS = {
    "tokenizer": 'use --input tokens, or train it with a tokenizer',
    "tagger": "let it use gold tags (--gold tags,feats), or train it with a tagger",
    "parser": "train it with a parser",
}  # fmt: skip


class UDPipe:
    """A trained model. Its own tagger runs unless both tags and features come from gold."""

    modes, habits = MODES, Habits(repeatable=True)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"udpipe:{self.path}"
        data, self.sha256 = model_bytes(self.path, todo="train one with: gardenpath train udpipe TRAIN -o MODEL")
        if not data.startswith(_MARK):
            raise InputError("this is not a UDPipe model", where=str(self.path), todo="give the .udpipe file")
        del data
        if self._model is None:
            raise InputError("this UDPipe model is damaged", where=str(self.path), todo="get or train it again")

    @cached_property
    def _model(self) -> Any:
        from ufal.udpipe import Model

        return Model.load(str(self.path))

    @property
    def signature(self) -> str:
        return signature(
            ("kind", "udpipe"), ("model", self.sha256[:12]), ("ufal.udpipe", package_version("ufal.udpipe"))
        )

    def parse(self, request: Request) -> str:
        if request.mode != "tokens":
            by_line = request.mode == "sentences"
            text = ("\n" if by_line else "\n\n").join(" ".join(text.split()) for text in request.texts)
            return self._run(text, "tokenizer=presegmented" if by_line else "tokenizer")
        if {"tags", "feats"} <= request.gold:
            return self._run(request.conllu, "conllu", tag=False)
        if not request.gold:
            return self._run(request.conllu, "conllu")
        tagged = self._run(request.conllu, "conllu", parse=False)
        return self._run(with_gold_layers(tagged, request), "conllu", tag=False)

    def _run(self, text: str, form: str, *, tag: bool = True, parse: bool = True) -> str:
        from ufal.udpipe import Pipeline, ProcessingError

        on, off = Pipeline.DEFAULT, Pipeline.NONE
        error = ProcessingError()
        pipeline = Pipeline(self._model, form, on if tag else off, on if parse else off, "conllu")
        output: str = pipeline.process(text, error)
        if error.occurred():  # the only way in which it tells of an error
            lacks = next((part for part in _NEEDS if re.search(rf"(No|not have a) {part}\b", error.message)), "")
            if lacks:
                raise UsageError(f"this model has no {lacks}", where=self.name, todo=_NEEDS[lacks])
            raise FailedOnInput(f"UDPipe stopped: {error.message}", where=self.name)
        return output


def with_gold_layers(tagged: str, request: Request) -> str:
    """The tagger's output with the gold layers in place of its own."""
    columns = [column for layer in request.gold & LAYERS.keys() for column in LAYERS[layer]]
    gold = iter(row for sentence in request.tokens for row in sentence.rows if row[0].isdecimal())
    lines = tagged.split("\n")
    for number, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdecimal():
            row = next(gold)
            for column in columns:
                cells[column] = row[column]
            lines[number] = "\t".join(cells)
    return "\n".join(lines)
