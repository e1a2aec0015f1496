"""`pcfg:FILE`: a treebank PCFG that was trained here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from ...errors import InputError
from ...phrase.tree import PhraseTree
from ...runs.inputs import describe_input
from ...runs.signature import signature
from ..model_file import other_kind
from ..protocol import Habits
from .model import PCFG
from .storage import check_kind, load


class PCFGParser:
    """A phrase parser. Its file is read when the first sentence is parsed."""

    habits = Habits(chunk=100)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"pcfg:{self.path}"
        if self.path.is_dir():
            raise InputError("this is a folder, not a model file", where=str(self.path), todo=other_kind(self.path))
        self.sha256: str = describe_input(self.path)["sha256"]
        check_kind(self.path)

    @cached_property
    def model(self) -> PCFG:
        return load(self.path)

    @property
    def signature(self) -> str:
        return signature(("kind", "pcfg"), ("model", self.sha256[:12]))

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The best tree of each sentence; None where there is none, or the sentence is empty or too long."""
        return [self.model.parse(sentence) for sentence in sentences]

    def nbest(self, sentence: Sequence[str], k: int) -> list[tuple[float, PhraseTree]]:
        """The k best trees and their log scores."""
        return self.model.nbest(sentence, k)
