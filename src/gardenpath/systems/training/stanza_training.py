"""Training Stanza's tagger and parser from CoNLL-U, without pretrained vectors."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import UsageError, unknown_name
from ...runs.record.writing import scratch_folder
from ...treebank import Treebank
from ..asking.request import HEADS, LABELS, hidden
from ..parsers.stanza_parser import PARSER, RESOURCE_TEXT, RESOURCES, TAGGER
from .child import PART, STANZA, run_child
from .training import ParserPlan, ParserTrainer, Tell, judged_by

Options = dict[str, str]
TYPES = ("graph", "transition")
_NAMES = {"tagger": TAGGER, "parser": PARSER}
_WHOLE, _FLAGS = ("model_type", "gold_tags", "threads"), ("share_hid",)

_SMALL = {
    "hidden_dim": "40", "num_layers": "1", "deep_biaff_hidden_dim": "40", "char_hidden_dim": "20",
    "word_emb_dim": "25", "transformed_dim": "25", "tag_emb_dim": "10", "char_emb_dim": "10",
    "dropout": "0.2", "max_steps": "40", "eval_interval": "40",
}  # fmt: skip
_MIDDLE = {"hidden_dim": "200", "num_layers": "2", "deep_biaff_hidden_dim": "200", "char_hidden_dim": "100"}
# One linear layer for all tags: Stanza's own is bilinear in tag and word, which torch computes so slowly without
# a GPU that it took five sixths of a step on German with its 104 kinds of XPOS.
_LINEAR = {"share_hid": "1"}
_PRESETS: dict[str, dict[str, Options]] = {
    "tiny": {
        "tagger": {**_SMALL, **_LINEAR, "batch_size": "30", "lr": "0.02"},
        "parser": {**_SMALL, "batch_size": "400"},
    },
    "default": {
        # A step of the tagger costs by the sentence, so that small steps learn more in the same time.
        "tagger": {
            **_MIDDLE, **_LINEAR, "batch_size": "20", "lr": "0.006", "dropout": "0.33",
            "max_steps": "1200", "eval_interval": "200",
        },
        "parser": {**_MIDDLE, "batch_size": "2000", "max_steps": "500", "eval_interval": "100"},
    },
    # The makers' sizes and batches; they go on to 50,000 steps, which takes a GPU.
    "paper": {
        "tagger": {**_LINEAR, "batch_size": "250", "max_steps": "1000"},
        "parser": {"batch_size": "5000", "max_steps": "1000"},
    },
}  # fmt: skip
_KNOWN = {
    "tagger": (
        *_SMALL, "composite_deep_biaff_hidden_dim", "share_hid", "batch_size", "lr",
        "word_dropout", "rec_dropout", "word_cutoff", "char_num_layers", "max_steps_before_stop", "max_grad_norm",
    ),
    "parser": (
        *_SMALL, "batch_size", "lr", "second_lr",
        "word_dropout", "rec_dropout", "word_cutoff", "char_num_layers", "max_steps_before_stop", "max_grad_norm",
        "weight_decay", "transition_embedding_dim", "transition_hidden_dim",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class StanzaSettings:
    """What is trained, and how; no tagger, or gold tags in spite of it, if the user says so."""

    model_type: str
    threads: int
    own_tags: bool
    tagger: Options | None
    parser: Options


class StanzaTrainer(ParserTrainer[StanzaSettings]):
    """Lemmas are hidden, because nobody gives them when the model parses; batches count words (parser) or
    sentences (tagger). Without dev data the first training sentences take their place.

    As in Stanza's own recipe the parser learns from the tags of the tagger just trained, those it will get."""

    def settings(self, preset: str, options: Mapping[str, str]) -> StanzaSettings:
        """The preset with the user's options: `model_type=transition`, `parser.hidden_dim=100`, `tagger=none`,
        `gold_tags=1`, `threads=2`."""
        parts = {part: dict(values) for part, values in _PRESETS[preset].items()}
        model_type, threads, gold = (
            options.get(name, default)
            for name, default in (("model_type", "graph"), ("threads", "1"), ("gold_tags", "0"))
        )
        if model_type not in TYPES:
            raise unknown_name("type of Stanza parser", model_type, TYPES)
        if not re.fullmatch(r"[1-9]\d{0,3}", threads):
            raise UsageError(f"{threads!r} is not a number of threads", where="threads")
        if gold not in ("0", "1"):
            raise UsageError(f"{gold!r} is neither 0 nor 1", where="gold_tags")
        for name, value in options.items():
            part, dot, option = name.partition(".")
            if name in _WHOLE or (name, value) == ("tagger", "none"):
                continue
            if part not in parts or not dot:
                known = [*_WHOLE, "tagger", *(f"{one}.{key}" for one, keys in _KNOWN.items() for key in keys)]
                raise unknown_name("option of Stanza", name, known)
            if option not in _KNOWN[part]:
                raise unknown_name(f"option of Stanza's {part}", option, _KNOWN[part])
            if not re.fullmatch(r"[\d.e-]+", value):
                raise UsageError(f"{value!r} is not a number", where=name)
            parts[part][option] = value
        tagger = None if options.get("tagger") == "none" else parts["tagger"]
        return StanzaSettings(model_type, int(threads), tagger is not None and gold == "0", tagger, parts["parser"])

    def gold_layers(self, settings: StanzaSettings) -> str:
        return "" if settings.own_tags else "tags,feats"

    def run_tool(self, plan: ParserPlan[StanzaSettings], target: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        made, train = plan.settings, plan.train.treebank
        judge, name_of_judge = judged_by(plan)
        log = Log(plan.tell, name_of_judge)
        (target / RESOURCES).write_text(RESOURCE_TEXT, encoding="utf-8")
        data = {"train.conllu": _visible(train), "dev.conllu": _visible(judge)}
        parts = {"tagger": made.tagger, "parser": made.parser}
        words = {part: _words(made, part, plan.seed, options) for part, options in parts.items() if options is not None}
        job = {
            "words": words, "names": _NAMES, "own_tags": made.own_tags, "threads": made.threads,
            "data": list(data), "target": str(target.resolve()),
        }  # fmt: skip
        # On busy cores, threads that wait actively for one that has lost its core take many times as long.
        threads = {name: str(made.threads) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        with scratch_folder() as workshop:
            for file, text in data.items():
                (workshop / file).write_text(text, encoding="utf-8")
            run_child(
                [STANZA], log.read, what="the training of Stanza",
                given=json.dumps(job), folder=workshop, environment={**threads, "OMP_WAIT_POLICY": "passive"},
            )  # fmt: skip
        tags = "own" if made.own_tags else "gold"
        options = {"model_type": made.model_type, "threads": made.threads, "learned_from_tags": tags}
        return {**options, "tagger": made.tagger, "parser": made.parser}, {**log.scores, "judged_on": name_of_judge}


def _words(made: StanzaSettings, part: str, seed: int, options: Options) -> list[str]:
    """The command line of one of Stanza's trainings."""
    words = ["--mode", "train", "--no_pretrain", "--cpu", "--lang", "xx"]
    words += ["--shorthand", "xx_gardenpath", "--seed", str(seed + 1)]
    # Stanza keeps its options in the model: names that never change give the same bytes again.
    words += ["--train_file", "train.conllu", "--eval_file", "dev.conllu"]
    words += ["--save_dir", "model", "--save_name", _NAMES[part]]
    if part == "parser":
        words += ["--model_type", made.model_type, "--no_checkpoint"]
    for key, value in options.items():
        words += [f"--{key}", value] if key not in _FLAGS else [f"--{key}"] * (value != "0")
    return words


def _visible(treebank: Treebank) -> str:
    return hidden(treebank, frozenset({"tags", "feats", HEADS, LABELS}))


_STEP = re.compile(r"step (\d+): train_loss = [-\d.a-z]+, dev_score = ([\d.]+)")


class Log:
    """Stanza's lines as scores, step by step: LAS of the parser, all tags right of the tagger."""

    def __init__(self, tell: Tell, judge: str = "dev") -> None:
        self.part, self.scores = "parser", dict[str, list[dict[str, float]]]()
        self._tell, self._judge = tell, judge

    def read(self, line: str) -> None:
        if line.startswith(PART):
            self.part = line.removeprefix(PART)
            if self.part not in _NAMES:
                self._tell(self.part)
        if match := _STEP.search(line):
            name, score = "LAS" if self.part == "parser" else "tags", round(100 * float(match[2]), 2)
            self.scores.setdefault(self.part, []).append({"step": float(match[1]), name: score})
            self._tell(f"{self.part} step {match[1]}: {name} {score:.2f} on {self._judge}")
