"""`stanza:LANGUAGE`, `stanza:FOLDER`: a pipeline of Stanza, its makers' or one that was trained here."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..errors import UsageError
from ..runs.signature import signature
from .hf.loading import device_of
from .name_options import split_options
from .registry import package_version
from .request import MODES, Request
from .stanza_models import models_of
from .udpipe import with_gold_layers

_CHOICES = {
    "language": (), "package": (), "download": ("no", "yes"), "repair": ("no", "yes"),
    "device": ("cpu", "auto", "mps", "cuda"),
}  # fmt: skip
_OTHERS = {"language": r"[a-z]{2,3}(-[a-z]+)?", "package": r"\w[\w.-]*", "device": r"cuda:[0-9]+"}


class StanzaParser:
    """All that a pipeline has: with a tokenizer it reads text, without one gold tokens alone.

    Trees are the model's own: Stanza's later repair of heads with two subjects is off unless the name says
    `#repair=yes`, because it would hide what the model does not know.
    """

    def __init__(self, argument: str) -> None:
        source, options = split_options("stanza", argument, _CHOICES, _OTHERS)
        self.models = models_of(source, options)
        self.modes = MODES if "tokenize" in self.models.processors else MODES[:1]
        self._device = device_of(options.get("device", "cpu"))
        self._repair = options.get("repair") == "yes"
        self.name = f"stanza:{self.models.argument}" + "".join(
            f"#{option}={options[option]}" for option in ("device", "repair") if option in options
        )
        self._pipeline = cache(self._loaded)
        self._pipeline("depparse")

    @property
    def signature(self) -> str:
        device = None if self._device == "cpu" else self._device
        package = f"{self.models.language} {self.models.package}" if self.models.package else None
        return signature(
            ("kind", "stanza"), ("model", self.models.sha256[:12]), ("package", package),
            ("repair", "yes" if self._repair else None), ("device", device),
            *((name, package_version(name)) for name in ("stanza", "torch")),
        )  # fmt: skip

    def parse(self, request: Request) -> str:
        if request.mode == "tokens":
            return self._parsed_tokens(request)
        texts = "\n\n".join(" ".join(text.split()) for text in request.texts)
        return without_comments(f"{self._pipeline(request.mode)(texts):C}") + "\n\n"

    def _parsed_tokens(self, request: Request) -> str:
        """Tags and lemmas that are not gold are the pipeline's own."""
        lemmas = "lemma" in self.models.processors
        tokens = words_alone(request.conllu, lemmas=lemmas)
        if not {"tags", "feats", *(["lemmas"] if lemmas else [])} <= request.gold:
            if "pos" not in self.models.processors:
                raise UsageError(
                    "this model has no tagger",
                    where=self.name,
                    todo="let it use gold tags (--gold tags,feats), or train it with a tagger",
                )
            tagged = run_pipeline(self._pipeline("tokens"), words_alone(request.conllu))
            tokens = words_alone(with_gold_layers(tagged, request), lemmas=lemmas)
        return run_pipeline(self._pipeline("depparse"), tokens)

    def _loaded(self, stage: str) -> Any:
        """The pipeline of a mode, or (`depparse`) the parser alone, for words that are tagged already."""
        there, parser = self.models.processors, {"depparse_resolve_head_constraints": self._repair}
        if stage == "depparse":
            return self.models.pipeline(["depparse"], self._device, depparse_pretagged=True, **parser)
        if stage == "tokens":
            tagging = [name for name in ("pos", "lemma") if name in there]
            return self.models.pipeline(["tokenize", *tagging], self._device, tokenize_pretokenized=True)
        # A parser that learned without lemmas needs none; Stanza would ask for a lemmatizer.
        how = {"tokenize_no_ssplit": stage == "sentences", "depparse_pretagged": "lemma" not in there}
        return self.models.pipeline(there, self._device, **how, **parser)


def run_pipeline(pipeline: Any, conllu: str) -> str:
    """CoNLL-U with the pipeline's annotation added; what else stands in it stays."""
    from stanza.utils.conll import CoNLL

    return f"{pipeline(CoNLL.conll2doc(input_str=conllu)):C}" + "\n\n"


def words_alone(conllu: str, *, lemmas: bool = False) -> str:
    """Without multiword tokens, of which Stanza would want the characters, and (unless its parser learned from them)
    without lemmas; both come back by `reconcile`."""
    lines = []
    for line in conllu.split("\n"):
        fields = line.split("\t")
        if line[:1].isdecimal():
            if "-" in fields[0]:
                continue
            if not lemmas:
                fields[2] = "_"
        lines.append("\t".join(fields))
    return "\n".join(lines)


def without_comments(conllu: str) -> str:
    """Without the ids that Stanza gives to sentences, which are not those of the input."""
    return "\n".join(line for line in conllu.split("\n") if not line.startswith("# "))
