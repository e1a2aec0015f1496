"""`conllu:FILE`: trees that a parser wrote into a file; each sentence is found by its words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputError
from ...runs.record.signatures import digest, signature
from ...treebank import Treebank, read
from ...treebank.format.reading import paths
from ...treebank.trees.alignment import SentenceKey, difference, match
from ..asking.protocol import Habits
from ..asking.registry import split_options

if TYPE_CHECKING:
    from ..asking.request import Request
    from ..bridges.bridge import LabelBridge


class StoredTrees:
    """Trees that are there already: more sentences than are asked for, in another order, or fewer."""

    modes = ("tokens",)
    habits = Habits(chunk=None, cached=False, repeatable=True)
    answer_files: Sequence[str] = ()
    bridge: LabelBridge | None = None

    def __init__(self, treebank: Treebank, name: str) -> None:
        self.treebank, self.name = treebank, name

    @cached_property
    def signature(self) -> str:
        labels = self.bridge.name if self.bridge else None
        return signature(("kind", "conllu"), ("file", digest(self.treebank.to_bytes())[:12]), ("labels", labels))

    def parse(self, request: Request) -> Treebank:
        """The trees of these sentences; a file of another text is a mistake of the call, not of the parser."""
        from ..asking.matching import answers, characters, forms

        asked = [SentenceKey(forms(sentence.rows), sentence.sent_id) for sentence in request.tokens]
        returned = answers(self.treebank, self.name)[0]
        there = [SentenceKey(forms(answer.rows), answer.sent_id) for answer in returned]
        places = match(asked, there, near=True)
        for number, place in enumerate(places):
            if place is None or asked[number].content == there[place].content:
                continue
            # The same text in other tokens is a counted failure of the parser, another text an error.
            sentence, stored = request.tokens[number], self.treebank[place]
            if characters(sentence.text) != characters("".join(token.form for token in stored.tokens)):
                words = difference(sentence.text.split(), stored.text.split())
                what = f"sentence {sentence.sent_id or number + 1} differs: {words}"
                where = self.treebank.place(int(self.treebank.index.blocks[place]))
                raise InputError(what, where=where, todo="is this the output for this input?")
        kept = [place for place in places if place is not None]
        if not kept:
            what = f"none of its sentences is asked for; the first input is {request.tokens[0].text!r}"
            raise InputError(what, where=self.name, todo="is this the output for this input?")
        return self.treebank[kept]


class ConlluFile(StoredTrees):
    """A parsed file, folder or glob; `#labels=SCHEME` brings trees of another scheme to Universal Dependencies."""

    def __init__(self, argument: str) -> None:
        source, choice = argument, "keep"
        if "#" in argument:
            from ..bridges.bridge import CHOICES, bridge_named

            source, options = split_options("conllu", argument, {"labels": CHOICES[1:]})
            choice = options.get("labels", "keep")
            self.bridge = bridge_named(choice, ())
        self.answer_files = paths(source)
        local = Path(source).expanduser()
        name = f"conllu:{local.resolve() if local.exists() else source}"
        treebank = read(source)
        if self.bridge:
            conllu = self.bridge.applied(treebank.to_bytes().decode("utf-8"))
            treebank, name = Treebank(conllu.encode("utf-8"), name=treebank.name), f"{name}#labels={choice}"
        super().__init__(treebank, name)
