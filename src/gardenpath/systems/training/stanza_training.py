"""Training Stanza's processors from CoNLL-U, without pretrained vectors: tagger and parser, or all from raw text on."""

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
from ..asking.request import HEADS, LABELS, hidden, texts
from ..parsers.stanza_parser import PARSER, RESOURCE_TEXT, RESOURCES, TAGGER
from .child import PART, STANZA, run_child
from .training import ParserPlan, ParserTrainer, Tell, judged_by

Options = dict[str, str]
TYPES, PIPELINES = ("graph", "transition"), ("tokens", "text")
_NAMES = {
    "tokenizer": "tokenize.pt", "mwt_expander": "mwt.pt", "lemmatizer": "lemma.pt", "tagger": TAGGER, "parser": PARSER,
}  # fmt: skip
"""Modules of `stanza.models` and the files of their models, in the order of training."""
_TREES = "--train_file train.conllu --eval_file dev.conllu"
_GIVEN = {
    "tokenizer": "--lang xx --txt_file train.txt --label_file train.labels --mwt_json_file train.json --conll_file out "
    "--dev_txt_file dev.txt --dev_label_file dev.labels --dev_conll_gold dev.conllu",
    "mwt_expander": f"--lang xx {_TREES} --gold_file dev.conllu --output_file out",
    "lemmatizer": _TREES,
    "tagger": f"--lang xx --no_pretrain {_TREES}",
    "parser": f"--lang xx --no_pretrain --no_checkpoint {_TREES}",
}
"""What each training is given, whatever its options."""
_FROM_TEXT = ("tokenizer", "mwt_expander", "lemmatizer")
_WHOLE, _FLAGS = ("model_type", "gold_tags", "threads", "pipeline"), ("share_hid", "dict_only")

_SMALL = {
    "hidden_dim": "40", "num_layers": "1", "deep_biaff_hidden_dim": "40", "char_hidden_dim": "20",
    "word_emb_dim": "25", "transformed_dim": "25", "tag_emb_dim": "10", "char_emb_dim": "10",
    "dropout": "0.2", "max_steps": "40", "eval_interval": "40",
}  # fmt: skip
_SMALL_TOKENIZER = {
    "steps": "60", "eval_steps": "60", "hidden_dim": "16", "emb_dim": "16", "lr0": "0.02", "dropout": "0",
    "unit_dropout": "0.05", "tok_noise": "0",
}  # fmt: skip
_MIDDLE = {"hidden_dim": "200", "num_layers": "2", "deep_biaff_hidden_dim": "200", "char_hidden_dim": "100"}
# One linear layer for all tags: Stanza's own is bilinear in tag and word, which torch computes so slowly without
# a GPU that it took five sixths of a step on German with its 104 kinds of XPOS.
_LINEAR = {"share_hid": "1"}
_PRESETS: dict[str, dict[str, Options]] = {
    "tiny": {
        "tokenizer": _SMALL_TOKENIZER,
        "mwt_expander": {"dict_only": "1"},
        "lemmatizer": {"dict_only": "1"},
        "tagger": {**_SMALL, **_LINEAR, "batch_size": "30", "lr": "0.02"},
        "parser": {**_SMALL, "batch_size": "400"},
    },
    "default": {
        "tokenizer": {"steps": "1000", "eval_steps": "200"},
        "mwt_expander": {"num_epoch": "10"},
        "lemmatizer": {"num_epoch": "10"},
        # A step of the tagger costs by the sentence, so that small steps learn more in the same time.
        "tagger": {
            **_MIDDLE, **_LINEAR, "batch_size": "20", "lr": "0.006", "dropout": "0.33",
            "max_steps": "1200", "eval_interval": "200",
        },
        "parser": {**_MIDDLE, "batch_size": "2000", "max_steps": "500", "eval_interval": "100"},
    },
    # The makers' sizes and batches; they go on to 50,000 steps, which takes a GPU.
    "paper": {
        "tokenizer": {},
        "mwt_expander": {},
        "lemmatizer": {},
        "tagger": {**_LINEAR, "batch_size": "250", "max_steps": "1000"},
        "parser": {"batch_size": "5000", "max_steps": "1000"},
    },
}  # fmt: skip
_KNOWN = {
    "tokenizer": (*_SMALL_TOKENIZER, "batch_size", "max_seqlen", "weight_decay"),
    "mwt_expander": ("dict_only", "num_epoch", "hidden_dim", "emb_dim", "batch_size", "lr"),
    "lemmatizer": ("dict_only", "num_epoch", "hidden_dim", "emb_dim", "batch_size", "lr"),
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
    parts: Mapping[str, Options]
    """Options of each processor that is trained."""

    @property
    def reads_text(self) -> bool:
        return "tokenizer" in self.parts


class StanzaTrainer(ParserTrainer[StanzaSettings]):
    """Without a lemmatizer lemmas are hidden, because nobody gives them when the model parses; batches count words
    (parser) or sentences (tagger). Without dev data the first training sentences take their place.

    As in Stanza's own recipe the parser learns from the tags of the tagger just trained, those it will get."""

    def settings(self, preset: str, options: Mapping[str, str]) -> StanzaSettings:
        """The preset with the user's options: `model_type=transition`, `parser.hidden_dim=100`, `tagger=none`,
        `gold_tags=1`, `threads=2`, `pipeline=text` for all processors from raw text to trees."""
        parts = {part: dict(values) for part, values in _PRESETS[preset].items()}
        defaults = {"model_type": "graph", "threads": "1", "gold_tags": "0", "pipeline": "tokens"}
        model_type, threads, gold, pipeline = (options.get(name, default) for name, default in defaults.items())
        if pipeline not in PIPELINES:
            raise unknown_name("pipeline of Stanza", pipeline, PIPELINES)
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
        left_out = {"tagger"} if options.get("tagger") == "none" else set()
        if pipeline == "tokens":
            left_out |= set(_FROM_TEXT)
        elif left_out:
            raise UsageError("a pipeline from text needs a tagger", where="tagger", todo="remove tagger=none")
        trained = {part: values for part, values in parts.items() if part not in left_out}
        return StanzaSettings(model_type, int(threads), "tagger" in trained and gold == "0", trained)

    def mode_options(self, mode: str) -> Mapping[str, str]:
        return {} if mode == "tokens" else {"pipeline": "text"}

    def gold_layers(self, settings: StanzaSettings) -> str:
        return "" if settings.own_tags else "tags,feats"

    def run_tool(self, plan: ParserPlan[StanzaSettings], target: Path) -> tuple[dict[str, Any], dict[str, Any]]:
        made, train = plan.settings, plan.train.treebank
        judge, name_of_judge = judged_by(plan)
        log = Log(plan.tell, name_of_judge)
        (target / RESOURCES).write_text(RESOURCE_TEXT, encoding="utf-8")
        layers = {"tags", "feats", HEADS, LABELS, *(["lemmas"] if made.reads_text else [])}
        trees = {"train": train, "dev": judge}
        data = {f"{part}.conllu": hidden(treebank, frozenset(layers)) for part, treebank in trees.items()}
        parts = dict(made.parts)
        if not any(line[:1].isdecimal() and "-" in line.split("\t")[0] for line in data["train.conllu"].split("\n")):
            parts.pop("mwt_expander", None)  # no token of the training data has several words
        words = {part: _words(made, part, plan.seed, options) for part, options in parts.items()}
        job = {
            "words": words, "names": _NAMES, "own_tags": made.own_tags, "threads": made.threads,
            "data": list(data), "target": str(target.resolve()),
        }  # fmt: skip
        if made.reads_text:
            data |= {f"{part}.txt": _paragraphs(treebank) for part, treebank in trees.items()}
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
        return {**options, "tagger": None, **parts}, {**log.scores, "judged_on": name_of_judge}


def _words(made: StanzaSettings, part: str, seed: int, options: Options) -> list[str]:
    """Return the command line of one of Stanza's trainings."""
    words = ["--mode", "train", "--cpu", "--shorthand", "xx_gardenpath", "--seed", str(seed + 1), *_GIVEN[part].split()]
    # Stanza keeps its options in the model: names that never change give the same bytes again.
    words += ["--save_dir", "model", "--save_name", _NAMES[part]]
    if part == "parser":
        words += ["--model_type", made.model_type]
    for key, value in options.items():
        words += [f"--{key}", value] if key not in _FLAGS else [f"--{key}"] * (value != "0")
    return words


def _paragraphs(treebank: Treebank, size: int = 3) -> str:
    """Return the text in paragraphs of a few sentences, so that the tokenizer learns where a sentence ends."""
    sentences = texts(treebank)
    return "".join(f"{' '.join(sentences[begin : begin + size])}\n\n" for begin in range(0, len(sentences), size))


_STEP = re.compile(r"step (\d+): train_loss = [-\d.a-z]+, dev_score = ([\d.]+)")


class Log:
    """Stanza's lines as scores, step by step: LAS of the parser, all tags right of the tagger."""

    def __init__(self, tell: Tell, judge: str = "dev") -> None:
        self.part, self.scores = "parser", dict[str, list[dict[str, float]]]()
        self._tell, self._judge = tell, judge

    def read(self, line: str) -> None:
        if line.startswith(PART):
            self.part = line.removeprefix(PART)
            if self.part not in ("tagger", "parser"):
                self._tell(self.part)
        if match := _STEP.search(line):
            name, score = "LAS" if self.part == "parser" else "tags", round(100 * float(match[2]), 2)
            self.scores.setdefault(self.part, []).append({"step": float(match[1]), name: score})
            self._tell(f"{self.part} step {match[1]}: {name} {score:.2f} on {self._judge}")
