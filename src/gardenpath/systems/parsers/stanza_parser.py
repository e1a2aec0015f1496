"""`stanza:LANGUAGE`, `stanza:FOLDER`: a pipeline of Stanza, its makers' or one that was trained here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes
from ...errors import GardenpathError, InputError, SystemFailure, UsageError, unknown_name
from ...runs.record.signatures import signature
from ..asking.protocol import Habits
from ..asking.registry import package_version, split_options
from ..asking.request import MODES, Request
from ..files.models import files_hash, model_folder
from ..language_models.hf.loading import device_of
from .udpipe import with_gold_layers

PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
"""From text to trees, in this order."""
PARSER, TAGGER, RESOURCES = "depparse.pt", "pos.pt", "resources.json"
LANGUAGE = "xx"
RESOURCE_TEXT = '{"xx": {"lang_name": "Any", "packages": {"default": {}}}}\n'
"""Stanza asks a list of resources which languages there are, even where every path is given."""
DEFAULT = "default"
_CODE = re.compile(r"[a-z]{2,3}(-[a-z]+)?")
_TRAIN = "train one with: gardenpath train stanza TRAIN -o FOLDER"


@dataclass(frozen=True)
class StanzaModels:
    """The models of a pipeline, and how Stanza is told to load them."""

    folder: Path
    sha256: str
    processors: tuple[str, ...]
    """Those of PROCESSORS that are there."""
    language: str = LANGUAGE
    package: str = ""
    """Empty for a folder of our own."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What `stanza.Pipeline` is given to find them."""

    @property
    def argument(self) -> str:
        """What stands behind `stanza:` to find them again, whatever the settings of the machine."""
        return f"{self.folder}#language={self.language}#package={self.package}" if self.package else str(self.folder)

    def pipeline(self, processors: Sequence[str], device: str = "cpu", **how: Any) -> Any:
        """A pipeline of some of the processors, on one thread. Stanza loads with `weights_only`, so that a model file
        cannot run code."""
        import torch
        from stanza import Pipeline

        torch.set_num_threads(1)
        packages = self.given.get("processors", {})
        chosen = {name: packages.get(name, DEFAULT) for name in processors}
        given = {key: value for key, value in self.given.items() if key.partition("_")[0] in processors}
        try:
            return Pipeline(
                self.language, dir=str(self.folder), processors=chosen, package=None, download_method=None,
                allow_unknown_language=True, device=device, verbose=False, logging_level="ERROR", **given, **how,
            )  # fmt: skip
        except GardenpathError:
            raise
        except Exception as error:
            reason = str(error).strip().split("\n")[0][:200]
            what = f"Stanza cannot load this model: {type(error).__name__}: {reason}"
            todo = "is it damaged, or of another version of Stanza?"
            raise SystemFailure(what, where=str(self.folder), todo=todo) from error


def models_of(source: str, options: Mapping[str, str]) -> StanzaModels:
    """The models of `stanza:SOURCE`: a language, a folder of downloads, or a folder of our own."""
    path = Path(source).expanduser()
    if not path.exists() and _CODE.fullmatch(source):
        if "language" in options:
            raise UsageError("the language is given twice", where=f"stanza:{source}", todo="leave out #language=")
        # Where Stanza keeps what it fetches: STANZA_RESOURCES_DIR, or a folder of the user's cache.
        from stanza.resources.common import DEFAULT_MODEL_DIR

        return _downloaded(Path(DEFAULT_MODEL_DIR).expanduser().resolve(), source, options)
    if (path / RESOURCES).exists() and not (path / PARSER).exists():
        path, language = path.resolve(), options.get("language", "")
        if not language:
            there = [name for name in _resources(path) if (path / name / "depparse").is_dir()]
            if len(there) != 1:
                what = f"models of several languages: {', '.join(sorted(there))}" if there else "no models of a parser"
                raise UsageError(f"this folder has {what}", where=str(path), todo="name one: stanza:FOLDER#language=de")
            language = there[0]
        return _downloaded(path, language, options)
    for name in ("language", "package", "download"):
        if name in options and (path / PARSER).exists():
            raise UsageError(f"{name} is for Stanza's own models", where=str(path), todo=f"leave out #{name}=")
    return own_models(path.resolve())


def own_models(folder: Path, needs: str = PARSER) -> StanzaModels:
    """`depparse.pt` and, if it may do more than parse, `pos.pt` and other processors beside it."""
    sha256 = model_folder(folder, (needs, RESOURCES), "Stanza model", _TRAIN)
    there = tuple(name for name in PROCESSORS if (folder / f"{name}.pt").exists())
    given: dict[str, str | None] = {"pos_pretrain_path": None, "depparse_pretrain_path": None}
    given |= {f"{name}_model_path": str(folder / f"{name}.pt") for name in there}
    return StanzaModels(folder, sha256, there, given=given)


def _downloaded(folder: Path, language: str, options: Mapping[str, str]) -> StanzaModels:
    """Models as `stanza.download` lays them out: `resources.json` and `LANGUAGE/PROCESSOR/PACKAGE.pt`."""
    package = options.get("package", DEFAULT)
    where = f"stanza:{language}" + (f"#package={package}" if package != DEFAULT else "")
    if options.get("download") == "yes":
        _download(folder, language, package, where)
    todo = f"let it be fetched: {where}#download=yes"
    if not (folder / RESOURCES).exists():
        raise InputError(f"no models of Stanza are in {folder}", where=where, todo=todo)
    resources = _resources(folder)
    language = resources.get(language, {}).get("alias", language)
    if language not in resources:
        known = [name for name, entry in resources.items() if isinstance(entry, dict) and "alias" not in entry]
        raise unknown_name("language of Stanza", language, known, where=where)
    # The model of each processor: those of a package, or all that have its name.
    entry = resources[language]
    listed: dict[str, Any] = entry.get("packages", {})
    named = listed.get(package) or {name: package for name in PROCESSORS if package in entry.get(name, {})}
    if "depparse" not in named:
        fitting = [name for name, processors in listed.items() if "depparse" in processors]
        raise unknown_name("package with a parser", package, fitting, where=where)
    packages = {name: named[name] for name in PROCESSORS if name in named}
    files = _files(folder / language, entry, packages)
    missing = [str(file.relative_to(folder)) for file in files if not file.exists()]
    if missing:
        raise InputError(f"not in {folder}: {', '.join(missing)}", where=where, todo=todo)
    return StanzaModels(folder, files_hash(folder, files), tuple(packages), language, package, {"processors": packages})


def _files(folder: Path, entry: Mapping[str, Any], packages: Mapping[str, str]) -> list[Path]:
    """The model files, with the vectors and character models that they need; `identity` lemmas have none."""
    files = set[Path]()
    for processor, package in packages.items():
        if (processor, package) == ("lemma", "identity"):
            continue
        files.add(folder / processor / f"{package}.pt")
        for needed in entry.get(processor, {}).get(package, {}).get("dependencies", ()):
            files.add(folder / needed["model"] / f"{needed['package']}.pt")
    return sorted(files)


def _resources(folder: Path) -> dict[str, Any]:
    path, what, todo = folder / RESOURCES, "the list of Stanza's models", "fetch it again: #download=yes"
    return read_object(file_bytes(path, what, todo), str(path), what, todo)


def _download(folder: Path, language: str, package: str, where: str) -> None:
    import stanza

    try:
        stanza.download(
            language, model_dir=str(folder), package=package, processors=",".join(PROCESSORS), verbose=False
        )
    except Exception as error:
        reason = str(error).strip().split("\n")[0][:200]
        what = f"Stanza could not fetch it: {type(error).__name__}: {reason}"
        todo = f"is there a network? Where there is one: stanza.download({language!r}), then copy {folder}"
        raise SystemFailure(what, where=where, todo=todo) from error


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

    habits = Habits(repeatable=True)

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
            # Tags and lemmas that are not gold are the pipeline's own.
            lemmas = "lemma" in self.models.processors
            tokens = words_alone(request.conllu, lemmas=lemmas)
            if not {"tags", "feats", *(["lemmas"] if lemmas else [])} <= request.gold:
                if "pos" not in self.models.processors:
                    todo = "let it use gold tags (--gold tags,feats), or train it with a tagger"
                    raise UsageError("this model has no tagger", where=self.name, todo=todo)
                tagged = run_pipeline(self._pipeline("tokens"), words_alone(request.conllu))
                tokens = words_alone(with_gold_layers(tagged, request), lemmas=lemmas)
            return run_pipeline(self._pipeline("depparse"), tokens)
        texts = "\n\n".join(" ".join(text.split()) for text in request.texts)
        conllu = f"{self._pipeline(request.mode)(texts):C}"
        # Without the ids that Stanza gives to sentences, which are not those of the input.
        return "\n".join(line for line in conllu.split("\n") if not line.startswith("# ")) + "\n\n"

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
