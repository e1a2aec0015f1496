"""Training UDPipe 1 models, in a process of their own, with UDPipe's own words as progress."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import UsageError, unknown_name
from .child import UDPIPE, run_child
from .training import ParserPlan, ParserTrainer, Tell

ORACLES = {"projective": ("dynamic", "static"), "swap": ("static_lazy", "static_eager"), "link2": ("static",)}
"""Transition systems with the oracles that fit them, the best first."""

Options = dict[str, str]
Parts = dict[str, Options | None]

_PRESETS: dict[str, Parts] = {
    "tiny": {
        "tokenizer": {"model": "generic"},
        "tagger": {
            "models": "1", "iterations": "2", "templates": "lemmatizer", "guesser_suffix_rules": "4",
            "guesser_enrich_dictionary": "2",
        },
        "parser": {
            "iterations": "3", "hidden_layer": "20", "structured_interval": "0", "embedding_form": "10",
            "embedding_upostag": "10", "embedding_feats": "10", "embedding_deprel": "10",
        },
    },
    "default": {
        "tokenizer": {"epochs": "20"},
        "tagger": {"models": "1", "iterations": "6"},
        "parser": {"iterations": "10", "hidden_layer": "100", "structured_interval": "0"},
    },
    "paper": {
        "tokenizer": {"epochs": "100"},
        "tagger": {"models": "2", "iterations": "20"},
        "parser": {"iterations": "30", "hidden_layer": "200", "structured_interval": "8"},
    },
}  # fmt: skip

# UDPipe takes any name and says nothing, so a slip of the pen would train something else than was meant.
_KNOWN: dict[str, tuple[str, ...]] = {
    "tokenizer": (
        "model", "epochs", "batch_size", "learning_rate", "dropout", "initialization_range", "early_stopping",
        "tokenize_url", "allow_spaces", "run",
    ),
    "tagger": (
        "models", "iterations", "early_stopping", "templates", "prune_features", "guesser_suffix_len",
        "guesser_suffix_rules", "guesser_prefixes_max", "guesser_prefix_min_count", "guesser_enrich_dictionary",
        "dictionary_suffix_len", "dictionary_max_form_analyses", "dictionary_lemma_encoding", "use_lemma",
        "use_xpostag", "use_feats", "provide_lemma", "provide_xpostag", "provide_feats", "run",
    ),
    "parser": (
        "iterations", "hidden_layer", "batch_size", "learning_rate", "learning_rate_final", "l2", "early_stopping",
        "structured_interval", "single_root", "transition_system", "transition_oracle", "use_gold_tags",
        "embedding_form", "embedding_form_file", "embedding_lemma", "embedding_lemma_file", "embedding_upostag",
        "embedding_xpostag", "embedding_feats", "embedding_deprel", "run",
    ),
}  # fmt: skip


class UDPipeTrainer(ParserTrainer[Parts]):
    """UDPipe has no seed: seed 0 takes the sentences in their order, any other one shuffles them."""

    folder = False

    def settings(self, preset: str, options: Mapping[str, str]) -> Parts:
        """The preset with the user's options, such as `parser.hidden_layer=50`, `tagger=none` or `transition=swap`."""
        parts: Parts = {part: dict(values) if values else None for part, values in _PRESETS[preset].items()}
        for name, value in options.items():
            if ";" in value or "\n" in value or value.startswith("file:"):
                raise UsageError(f"an option of UDPipe cannot be {value!r}", where=name)
            part, dot, option = name.partition(".")
            if name == "transition":
                part, option = "parser", "transition_system"
            elif name == "gold_tags":
                part, option, value = "parser", "use_gold_tags", "1" if value in ("1", "yes", "true") else "0"
            elif part not in parts or (not dot and value != "none"):
                known = [
                    "transition",
                    "gold_tags",
                    *(f"{part}.{one}" for part, names in _KNOWN.items() for one in names),
                ]
                raise unknown_name("option of UDPipe", name, known)
            elif not dot:
                parts[part] = None
                continue
            if re.sub(r"_[1-4]$", "", option) not in _KNOWN[part]:  # of the second tagger model it is iterations_2
                raise unknown_name(f"option of UDPipe's {part}", option, _KNOWN[part])
            parts[part] = {**(parts[part] or {}), option: value}
        parser = parts["parser"]
        if parser is None:
            raise UsageError("without a parser there is nothing to test", where="parser=none")
        system = parser.setdefault("transition_system", "projective")
        if system not in ORACLES:
            raise unknown_name("transition system", system, ORACLES)
        oracle = parser.setdefault("transition_oracle", ORACLES[system][0])
        if oracle not in ORACLES[system]:
            raise UsageError(
                f"the oracle {oracle} does not fit the system {system}", todo="it has: " + ", ".join(ORACLES[system])
            )
        return parts

    def mode_options(self, mode: str) -> Mapping[str, str]:
        """Gold tokens need no tokenizer, which takes much of the time."""
        return {"tokenizer": "none"} if mode == "tokens" else {}

    def gold_layers(self, settings: Parts) -> str:
        own_tags = settings["tagger"] is not None and (settings["parser"] or {}).get("use_gold_tags") != "1"
        return "" if own_tags else "tags,feats"

    def run_tool(self, plan: ParserPlan[Parts], target: Path) -> tuple[Parts, dict[str, Any]]:
        data = plan.train.treebank if plan.seed == 0 else plan.train.treebank.shuffled(plan.seed)
        job = {
            "train": data.data.decode("utf-8"),
            "dev": plan.dev.treebank.data.decode("utf-8") if plan.dev else "",
            "options": {part: _written(options) for part, options in plan.settings.items()},
            "model": str(target),
        }
        log = Log(plan.tell)
        # A second training in the same process gives another model, and C++ prints its progress to stderr.
        given = json.dumps(job)
        run_child([UDPIPE], log.read, what="the training of UDPipe", given=given)
        return plan.settings, log.scores


def _written(options: Options | None) -> str:
    return "none" if options is None else ";".join(f"{name}={value}" for name, value in options.items())


_ITERATION = re.compile(r"(Iteration|Epoch) (\d+)[:,]")
_NUMBERS = {
    "tagger": re.compile(r"heldout accuracy (?P<tags>[\d.]+)%t/(?P<lemmas>[\d.]+)%l/(?P<both>[\d.]+)%b"),
    "parser": re.compile(r"heldout UAS (?P<UAS>[\d.]+)%, LAS (?P<LAS>[\d.]+)%"),
    "tokenizer": re.compile(r"heldout tokens: [^,]*/(?P<tokens>[\d.]+)%, sentences: [^,]*/(?P<sentences>[\d.]+)%"),
}


class Log:
    """UDPipe's lines on stderr as scores on dev, iteration by iteration."""

    def __init__(self, tell: Tell) -> None:
        self.scores: dict[str, list[dict[str, float]]] = {}
        self._tell, self._part = tell, "tokenizer"

    def read(self, line: str) -> None:
        if line.startswith(("Tagger model", "Training tagger")):
            self._part = "tagger"
        elif line.startswith("Parser "):
            self._part = "parser"
        match = _ITERATION.match(line)
        if not match:
            return
        numbers = _NUMBERS[self._part].search(line)
        scores = {name: float(value) for name, value in numbers.groupdict().items()} if numbers else {}
        if scores:
            self.scores.setdefault(self._part, []).append(scores)
        shown = ", ".join(f"{name} {value:.2f}" for name, value in scores.items())
        self._tell(f"{self._part} {match[1].lower()} {match[2]}" + (f": {shown} on dev" if shown else ""))
