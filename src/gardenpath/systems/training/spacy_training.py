"""Training a spaCy pipeline (morphologizer and parser) from CoNLL-U."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import SystemFailure, UsageError, unknown_name
from ...runs.record.writing import scratch_folder
from ...treebank import Treebank
from .child import run_child
from .training import ParserPlan, ParserTrainer, Tell, judged_by

_PLACES = {
    "width": ("components", "tok2vec", "model", "encode", "width"),
    "depth": ("components", "tok2vec", "model", "encode", "depth"),
    "hidden_width": ("components", "parser", "model", "hidden_width"),
    "min_action_freq": ("components", "parser", "min_action_freq"),
    "max_steps": ("training", "max_steps"),
    "max_epochs": ("training", "max_epochs"),
    "patience": ("training", "patience"),
    "eval_frequency": ("training", "eval_frequency"),
    "dropout": ("training", "dropout"),
    "learn_rate": ("training", "optimizer", "learn_rate"),
}
"""Options of ours and where they stand in spaCy's configuration."""
_PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {
        "width": 32, "depth": 2, "hidden_width": 32, "min_action_freq": 1, "max_steps": 60, "eval_frequency": 60,
        "rows": 500,
    },
    "default": {"min_action_freq": 5, "max_steps": 4000, "eval_frequency": 200, "patience": 1000},
    "paper": {},
}  # fmt: skip


class SpacySettings(NamedTuple):
    """The preset with the user's options, as numbers, and the language."""

    values: dict[str, Any]
    language: str


class SpacyTrainer(ParserTrainer[SpacySettings]):
    """`spacy train` with a configuration made here; option `language` names the tokenizer of raw text."""

    def settings(self, preset: str, options: Mapping[str, str]) -> SpacySettings:
        """The options over those of the preset; raises where one is wrong."""
        values = dict(_PRESETS[preset])
        for name, value in options.items():
            if name == "language":
                continue
            if name not in _PLACES and name != "rows":
                raise unknown_name("option of spaCy", name, [*_PLACES, "rows", "language"])
            if not re.fullmatch(r"\d+(\.\d+)?", value):
                raise UsageError(f"{value!r} is not a number", where=name)
            values[name] = float(value) if "." in value else int(value)
        language = options.get("language", "xx")
        if not re.fullmatch(r"[a-z]{2,3}", language):
            raise UsageError(
                f"{language!r} is not a language", where="language", todo="give a code such as de, or xx for any"
            )
        return SpacySettings(values, language)

    def run_tool(self, plan: ParserPlan[SpacySettings], target: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        values, language = plan.settings
        train, (judge, name_of_judge) = plan.train.treebank, judged_by(plan)
        log = Log(plan.tell, name_of_judge)
        with scratch_folder() as workshop:
            _write_documents(train, language, workshop / "train.spacy")
            _write_documents(judge, language, workshop / "dev.spacy")
            _configuration(values, language, plan.seed).to_disk(workshop / "config.cfg")
            words = ["spacy", "train", "config.cfg", "--output", "out"]
            colours = {"NO_COLOR": "1"}
            run_child(words, log.read, what="the training of spaCy", folder=workshop, environment=colours)
            best = workshop / "out" / "model-best"
            if not best.is_dir():
                raise SystemFailure("spaCy wrote no model", todo="train it longer: --set max_steps=…")
            shutil.copytree(best, target, dirs_exist_ok=True)
        return {"language": language, **values}, {**log.scores, "judged_on": name_of_judge}


def _configuration(values: dict[str, Any], language: str, seed: int) -> Any:
    from spacy.cli.init_config import init_config

    config = init_config(lang=language, pipeline=["morphologizer", "parser"], optimize="efficiency", gpu=False)
    for name, value in values.items():
        if name == "rows":
            embed = config["components"]["tok2vec"]["model"]["embed"]
            embed["rows"] = [value] * len(embed["rows"])
            continue
        place: Any = config
        for key in _PLACES[name][:-1]:
            place = place[key]
        place[_PLACES[name][-1]] = value
    config["system"]["seed"] = seed
    # The pipeline keeps them: names that never change give the same bytes again.
    config["paths"]["train"], config["paths"]["dev"] = "train.spacy", "dev.spacy"
    return config


def _write_documents(treebank: Treebank, language: str, path: Path) -> None:
    """A document per sentence, of its syntactic words; spaCy's format keeps tags, features and trees."""
    import spacy
    from spacy.tokens import Doc, DocBin

    vocabulary = spacy.blank(language).vocab
    documents = DocBin(attrs=["ORTH", "SPACY", "POS", "MORPH", "HEAD", "DEP", "SENT_START"])
    for sentence in treebank:
        words = sentence.words
        documents.add(
            Doc(
                vocabulary,
                words=[word.form for word in words],
                spaces=[not word.no_space_after for word in words],
                pos=["" if word.upos == "_" else word.upos for word in words],
                morphs=["" if word["feats"] == "_" else word["feats"] for word in words],
                heads=[word.head - 1 if word.head else at for at, word in enumerate(words)],
                deps=[word.deprel if word.head else "ROOT" for word in words],
                sent_starts=[at == 0 for at in range(len(words))],
            )
        )
    documents.to_disk(path)


class Log:
    """spaCy's table of scores, row by row, and what they are scores on."""

    def __init__(self, tell: Tell, judge: str = "dev") -> None:
        self.scores: dict[str, list[dict[str, float]]] = {}
        self._tell, self._judge, self._columns = tell, judge, list[str]()

    def read(self, line: str) -> None:
        cells = re.split(r"\s{2,}", line.strip())
        if "DEP_LAS" in cells:
            self._columns = cells
        elif self._columns and len(cells) == len(self._columns) and cells[0].isdecimal():
            row = dict(zip(self._columns, cells, strict=True))
            scores = {"step": float(row["#"]), "UAS": float(row["DEP_UAS"]), "LAS": float(row["DEP_LAS"])}
            self.scores.setdefault("parser", []).append(scores)
            self._tell(f"step {row['#']}: UAS {row['DEP_UAS']}, LAS {row['DEP_LAS']} on {self._judge}")
