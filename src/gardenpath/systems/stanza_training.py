"""Training Stanza's tagger and parser from CoNLL-U, without pretrained vectors."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from ..errors import UsageError, unknown_name
from ..treebank import Treebank
from .child import run_child
from .protocol import HEADS, hidden
from .stanza_parser import PARSER, RESOURCE_TEXT, RESOURCES, TAGGER
from .training import Outcome, Plan, Tell

Options = dict[str, str]
TYPES = ("graph", "transition")

_SMALL = {
    "hidden_dim": "40", "num_layers": "1", "deep_biaff_hidden_dim": "40", "char_hidden_dim": "20",
    "word_emb_dim": "25", "transformed_dim": "25", "tag_emb_dim": "10", "char_emb_dim": "10",
    "max_steps": "20", "eval_interval": "20",
}  # fmt: skip
_MIDDLE = {
    "hidden_dim": "200", "num_layers": "2", "deep_biaff_hidden_dim": "200", "char_hidden_dim": "100",
    "max_steps": "800", "eval_interval": "100",
}  # fmt: skip
_LARGE = {"max_steps": "50000"}
_PRESETS: dict[str, dict[str, Options]] = {
    "tiny": {
        "tagger": {**_SMALL, "composite_deep_biaff_hidden_dim": "20", "batch_size": "30"},
        "parser": {**_SMALL, "deep_biaff_output_dim": "20", "batch_size": "400"},
    },
    "default": {
        "tagger": {**_MIDDLE, "batch_size": "60"},
        "parser": {**_MIDDLE, "deep_biaff_output_dim": "100", "batch_size": "2000"},
    },
    "paper": {
        "tagger": {**_LARGE, "batch_size": "250"},
        "parser": {**_LARGE, "batch_size": "5000"},
    },
}
_KNOWN = {
    "tagger": (
        *_SMALL, "composite_deep_biaff_hidden_dim", "batch_size", "lr", "dropout",
        "word_dropout", "rec_dropout", "word_cutoff", "char_num_layers", "max_steps_before_stop", "max_grad_norm",
    ),
    "parser": (
        *_SMALL, "deep_biaff_output_dim", "batch_size", "lr", "second_lr", "dropout",
        "word_dropout", "rec_dropout", "word_cutoff", "char_num_layers", "max_steps_before_stop", "max_grad_norm",
        "weight_decay", "transition_embedding_dim", "transition_hidden_dim",
    ),
}  # fmt: skip


class StanzaTrainer:
    """Lemmas are hidden, because nobody gives them when the model parses; batches count words (parser) or
    sentences (tagger). Without dev data the first training sentences take their place."""

    folder = True

    def __call__(self, plan: Plan, target: Path) -> Outcome:
        parts, model_type = settings(plan)
        log = Log(plan.tell)
        with tempfile.TemporaryDirectory(prefix="gardenpath-") as name:
            workshop = Path(name)
            judge = plan.dev if plan.dev is not None else plan.train[:100]
            (workshop / "train.conllu").write_text(_visible(plan.train), encoding="utf-8")
            (workshop / "dev.conllu").write_text(_visible(judge), encoding="utf-8")
            for part, module, file in (("tagger", "tagger", TAGGER), ("parser", "parser", PARSER)):
                options = parts[part]
                if options is None:
                    continue
                words = [f"stanza.models.{module}", "--mode", "train", "--no_pretrain", "--cpu", "--lang", "xx"]
                words += ["--shorthand", "xx_gardenpath", "--seed", str(plan.seed + 1)]
                # Stanza keeps its options in the model: names that never change give the same bytes again.
                words += ["--train_file", "train.conllu", "--eval_file", "dev.conllu"]
                words += ["--save_dir", "model", "--save_name", file]
                words += ["--model_type", model_type, "--no_checkpoint"] if part == "parser" else []
                words += [word for key, value in options.items() for word in (f"--{key}", value)]
                log.part = part
                run_child(words, log.read, what=f"the training of Stanza's {part}", folder=workshop)
                _save_again(workshop / "model" / file, target / file)
        (target / RESOURCES).write_text(RESOURCE_TEXT, encoding="utf-8")
        gold = "" if parts["tagger"] is not None else "tags,feats"
        return Outcome({"model_type": model_type, **parts}, log.scores, gold)


train_stanza = StanzaTrainer()


def settings(plan: Plan) -> tuple[dict[str, Options | None], str]:
    """The preset with the user's options: `model_type=transition`, `parser.hidden_dim=100`, `tagger=none`."""
    parts: dict[str, Options | None] = {part: dict(options) for part, options in _PRESETS[plan.preset].items()}
    model_type = plan.option("model_type", "graph")
    if model_type not in TYPES:
        raise unknown_name("type of Stanza parser", model_type, TYPES)
    for name, value in plan.options.items():
        part, dot, option = name.partition(".")
        if name == "model_type":
            continue
        if name == "tagger" and value == "none":
            parts["tagger"] = None
        elif part not in parts or not dot:
            known = ["model_type", "tagger", *(f"{one}.{key}" for one, keys in _KNOWN.items() for key in keys)]
            raise unknown_name("option of Stanza", name, known)
        elif option not in _KNOWN[part]:
            raise unknown_name(f"option of Stanza's {part}", option, _KNOWN[part])
        elif not re.fullmatch(r"[\d.e-]+", value):
            raise UsageError(f"{value!r} is no number", where=name)
        else:
            parts[part] = {**(parts[part] or {}), option: value}
    return parts, model_type


def _save_again(source: Path, target: Path) -> None:
    """In torch's newer format: the older one, which Stanza writes, has memory addresses in it."""
    import torch

    torch.save(torch.load(source, map_location="cpu", weights_only=True), target)


def _visible(treebank: Treebank) -> str:
    return hidden(treebank, frozenset({"tags", "feats", HEADS}))


_STEP = re.compile(r"step (\d+): train_loss = [-\d.a-z]+, dev_score = ([\d.]+)")


class Log:
    """Stanza's lines as scores on dev, step by step: LAS of the parser, all tags right of the tagger."""

    def __init__(self, tell: Tell) -> None:
        self.part, self.scores = "parser", dict[str, list[dict[str, float]]]()
        self._tell = tell

    def read(self, line: str) -> None:
        if found := _STEP.search(line):
            name, score = "LAS" if self.part == "parser" else "tags", round(100 * float(found[2]), 2)
            self.scores.setdefault(self.part, []).append({"step": float(found[1]), name: score})
            self._tell(f"{self.part} step {found[1]}: {name} {score:.2f} on dev")
