"""`stanza:FOLDER`: Stanza's neural parser, loaded from a folder of ours and without any network."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import GardenpathError, SystemFailure, UsageError
from ..runs.signature import signature
from .model_file import model_folder
from .registry import package_version
from .request import Request
from .udpipe import with_gold_layers

PARSER, TAGGER, RESOURCES = "depparse.pt", "pos.pt", "resources.json"
LANGUAGE = "xx"
RESOURCE_TEXT = '{"xx": {"lang_name": "Any", "packages": {"default": {}}}}\n'
"""Stanza asks a list of resources which languages there are, even where every path is given."""


class StanzaParser:
    """A folder with `depparse.pt` and, if it may tag for itself, `pos.pt`. Trees are the model's own: Stanza's
    later repair of heads with two subjects is off, because it would hide what the model does not know."""

    modes = ("tokens",)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"stanza:{self.path}"
        todo = "train one with: gardenpath train stanza TRAIN -o FOLDER"
        self.sha256 = model_folder(self.path, (PARSER, RESOURCES), "Stanza model", todo)
        self._pipeline("depparse")

    @property
    def signature(self) -> str:
        versions = [(package, package_version(package)) for package in ("stanza", "torch")]
        return signature(("kind", "stanza"), ("model", self.sha256[:12]), *versions)

    @cached_property
    def _pipelines(self) -> dict[str, Any]:
        return {}

    def _pipeline(self, processor: str) -> Any:
        if processor not in self._pipelines:
            self._pipelines[processor] = load_pipeline(self.path, processor)
        return self._pipelines[processor]

    def parse(self, request: Request) -> str:
        tokens = words_alone(request.conllu)
        if not {"tags", "feats"} <= request.gold:
            if not (self.path / TAGGER).exists():
                raise UsageError(
                    "this model has no tagger",
                    where=self.name,
                    todo="let it use gold tags (--gold tags,feats), or train it with a tagger",
                )
            tokens = words_alone(with_gold_layers(run_pipeline(self._pipeline("pos"), tokens), request))
        return run_pipeline(self._pipeline("depparse"), tokens)


def load_pipeline(folder: Path, processor: str) -> Any:
    """The tagger (`pos`) or parser (`depparse`) of a folder, on one thread. Stanza loads with `weights_only`, so
    that a model file cannot run code."""
    import torch
    from stanza import Pipeline

    torch.set_num_threads(1)
    model = {f"{processor}_model_path": str(folder / (PARSER if processor == "depparse" else TAGGER))}
    try:
        return Pipeline(
            LANGUAGE,
            processors="tokenize,pos" if processor == "pos" else "depparse",
            tokenize_pretokenized=True,
            depparse_pretagged=True,
            depparse_resolve_head_constraints=False,
            pos_pretrain_path=None,
            depparse_pretrain_path=None,
            download_method=None,
            allow_unknown_language=True,
            dir=str(folder),
            use_gpu=False,
            verbose=False,
            logging_level="ERROR",
            **model,
        )
    except GardenpathError:
        raise
    except Exception as error:
        told = str(error).strip().split("\n")[0][:200]
        raise SystemFailure(
            f"Stanza cannot load this model: {type(error).__name__}: {told}",
            where=str(folder),
            todo="is it damaged, or of another version of Stanza?",
        ) from error


def run_pipeline(pipeline: Any, conllu: str) -> str:
    """CoNLL-U with the pipeline's annotation added; what else stands in it stays."""
    from stanza.utils.conll import CoNLL

    return f"{pipeline(CoNLL.conll2doc(input_str=conllu)):C}" + "\n\n"


def words_alone(conllu: str) -> str:
    """Without multiword tokens, of which Stanza would want the characters, and without lemmas, which it never
    saw in training and would parse from; both come back by `reconcile`."""
    lines = []
    for line in conllu.split("\n"):
        fields = line.split("\t")
        if line[:1].isdecimal():
            if "-" in fields[0]:
                continue
            fields[2] = "_"
        lines.append("\t".join(fields))
    return "\n".join(lines)
