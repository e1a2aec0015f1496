"""`spacy:FOLDER` or `spacy:PACKAGE`: a pipeline of spaCy with a parser; `#labels=keep` leaves its labels alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...errors import InputError, SystemFailure
from ...runs.record.signatures import signature
from ..asking.protocol import Habits
from ..asking.registry import package_version, split_options
from ..asking.request import MODES, Request
from ..bridges.bridge import CHOICES, bridge_named
from ..files.models import model_folder

_OF_THE_FORM = ("Reading", "Inflection")


class SpacyParser:
    """Its own tags and trees from words alone, so gold tags change the tags, not the trees.

    In the modes `tokens` and `sentences` it is told that a sentence is one, and then gives one root. Trees of a
    scheme for which there is a label bridge come as Universal Dependencies.
    """

    modes, habits = MODES, Habits(repeatable=True)

    def __init__(self, argument: str) -> None:
        source, options = split_options("spacy", argument, {"labels": CHOICES})
        path = Path(source).expanduser()
        if source.isidentifier() and not path.exists():
            folder, self._source = _package_folder(source), source
        else:
            folder = path.resolve()
            self._source = str(folder)
        todo = "train one with: gardenpath train spacy TRAIN -o FOLDER"
        self._model = model_folder(folder, ("config.cfg", "meta.json"), "spaCy pipeline", todo)[:12]
        choice = options.get("labels", "auto")
        self.name = f"spacy:{self._source}" + (f"#labels={choice}" if choice != "auto" else "")
        if "parser" not in self._pipeline.pipe_names:
            has = ", ".join(self._pipeline.pipe_names)
            what = f"this pipeline has no parser, only {has}" if has else "this pipeline is blank: it has no parser"
            raise InputError(what, where=self.name, todo="give one with a parser")
        self.bridge = bridge_named(choice, self._pipeline.get_pipe("parser").labels)

    @property
    def signature(self) -> str:
        labels = self.bridge.name if self.bridge else None
        version = package_version("spacy")
        return signature(("kind", "spacy"), ("model", self._model), ("labels", labels), ("spacy", version))

    @cached_property
    def _pipeline(self) -> Any:
        import spacy

        try:
            return spacy.load(self._source, exclude=["ner", "textcat", "entity_linker", "entity_ruler"])
        except Exception as error:
            cause = str(error).strip().split("\n")[0][:200]
            what = f"spaCy cannot load this pipeline: {type(error).__name__}: {cause}"
            todo = "is it damaged, or of another version of spaCy?"
            raise SystemFailure(what, where=self._source, todo=todo) from error

    def parse(self, request: Request) -> str:
        if request.mode == "tokens":
            documents = [self._document(sentence.words) for sentence in request.tokens]
        else:
            documents = [self._pipeline.make_doc(" ".join(text.split())) for text in request.texts]
            if request.mode == "sentences":
                for document in documents:
                    for token in document[1:]:
                        token.is_sent_start = False
        lines: list[str] = []
        for document in self._pipeline.pipe(documents):
            for sentence in document.sents if request.mode == "text" else [document]:
                lines += [*_rows(sentence), ""]
        conllu = "\n".join([*lines, ""])
        return self.bridge.applied(conllu) if self.bridge else conllu

    def _document(self, words: list[Any]) -> Any:
        from spacy.tokens import Doc

        forms, spaces = [word.form for word in words], [not word.no_space_after for word in words]
        starts = [number == 0 for number in range(len(words))]
        return Doc(self._pipeline.vocab, words=forms, spaces=spaces, sent_starts=starts)


def _package_folder(name: str) -> Path:
    """The folder of an installed pipeline package that has the pipeline itself."""
    package = find_spec(name)
    if package is None:
        what = "there is no such folder, and no package of this name is installed"
        raise InputError(what, where=f"spacy:{name}", todo=f"install it with: python -m spacy download {name}")
    for folder in package.submodule_search_locations or ():
        for config in sorted(Path(folder).rglob("config.cfg")):
            return config.parent
    raise InputError("this package has no spaCy pipeline in it", where=f"spacy:{name}", todo="check the name")


def _rows(tokens: Iterable[Any]) -> Iterator[str]:
    """CoNLL-U of a sentence; tokens of white space, which UD does not have, are left out."""
    kept = [token for token in tokens if not token.is_space]
    number = {token.i: at for at, token in enumerate(kept, 1)}
    for token in kept:
        head = token.head
        while head.i not in number and head.head.i != head.i:
            head = head.head
        root = head.i == token.i or head.i not in number
        label = "root" if root and token.dep_ in ("ROOT", "") else token.dep_ or "_"
        cells = [number[token.i], token.text, token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_"]
        feats, misc = _divided(str(token.morph))
        yield "\t".join(map(str, [*cells, feats, 0 if root else number[head.i], label, "_", misc]))


def _divided(morph: str) -> tuple[str, str]:
    """FEATS, and what goes into MISC: Japanese pipelines say how a form is read, which is no feature of UD."""
    parts = morph.split("|")
    aside = [part for part in parts if part.partition("=")[0] in _OF_THE_FORM]
    return "|".join(part for part in parts if part not in aside) or "_", "|".join(aside) or "_"
