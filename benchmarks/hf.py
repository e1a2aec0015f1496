"""`hf`: scoring suites with a model of Transformers, against minicons in batches of 32: all words, and those that a
suite's predictions ask for (`--words asked`), of which minicons reads all words, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.data import bundled
from gardenpath.studies.surprisal.asking import AskedSuite
from gardenpath.suites.regions.reader import read_region_suites
from gardenpath.systems.language_models.hf.system import HFModel
from gardenpath.systems.language_models.running_text import Spans

from .measure import ROOT, BenchmarkError, in_process, interleaved
from .setting import FULL, Setting, missing
from .table import Row, Table, at_least, compared

_OURS, _PEER = "gardenpath hf:", "minicons, batches of 32"
_SIZES = {5000: 1464, 50257: 240}
"""Vocabulary, and sentences that a model with it scores."""
_BATCH = 32
_NEAR = 2e-3
"""Bits by which a token may differ: the order of sums in float32."""


def run(setting: Setting) -> list[Table]:
    absent = missing(Transformers="transformers", minicons="minicons")
    if "Transformers" in absent:
        return [Table("hf", [Row({"contestant": _OURS, "note": absent["Transformers"]})])]
    share = min(1.0, setting.size / FULL)
    source, texts, asked = sentences()
    tables = []
    for vocabulary, count in list(_SIZES.items())[: 1 if setting.is_trial else None]:
        size = max(40, round(count * share))
        folder = random_model(setting.folder / str(vocabulary), texts, vocabulary)
        for what, spans, target in (("every token", None, 2), ("tokens that predictions ask for", asked[:size], 4)):
            some = texts[:size]
            contestants = {_OURS: ours(folder, some, spans)}
            if not absent:
                contestants[_PEER] = peer(folder, some)
                check(*(score() for score in contestants.values()))
            else:
                contestants[_OURS]()
            found = interleaved(
                {name: in_process(score) for name, score in contestants.items()}, setting.repeats, setting.tell
            )
            rows = compared(found, ours=_OURS, targets={_PEER: at_least(target)})
            for row in rows:
                assert row.runs is not None
                row.cells["sentences/s"] = len(some) / max(row.runs.cpu, 1e-9)
            notes = [
                f"the first {len(some)} sentences of {source}; four layers of 256, random weights; models are loaded",
                f"one thread; the surprisal of {what}, equal to 0.002 bits",
                *absent.values(),
            ]
            tables.append(Table(f"hf: {what}, vocabulary of {vocabulary} (one process, CPU time)", rows, notes))
    return tables


def sentences() -> tuple[str, list[str], list[Spans]]:
    """SyntaxGym's suites where they are beside the repository, else the bundled English ones; with the stretches of
    each sentence that predictions ask for."""
    shared = ROOT.parent / "shared" / "data" / "surprisal" / "syntaxgym"
    source, place = ("SyntaxGym's suites", shared) if shared.is_dir() else ("bundled suites", bundled("en-surprisal"))
    suites = [AskedSuite(suite) for suite in read_region_suites(place)]
    return source, [text for suite in suites for text in suite.texts], [at for suite in suites for at in suite.spans]


def random_model(folder: Path, texts: list[str], vocabulary: int) -> Path:
    """GPT-2 in small with byte-level BPE; tokens that the texts do not fill up are there, and never come."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    inner.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=5000, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet,
                                   show_progress=False),
    )  # fmt: skip
    end = "<|endoftext|>"
    PreTrainedTokenizerFast(tokenizer_object=inner, bos_token=end, eos_token=end).save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=vocabulary, n_embd=256, n_layer=4, n_head=4, initializer_range=0.1, bos_token_id=0, eos_token_id=0
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def ours(folder: Path, texts: list[str], asked: list[Spans] | None = None) -> Callable[[], list[Any]]:
    """Of sentences in bits, one array each; what comes before the first token is not asked, as in minicons."""
    model = HFModel(f"{folder}#bos=none")
    if asked is not None:
        return lambda: [reading.surprisals[1:] for reading in model.asked_readings(texts, asked)]
    return lambda: [reading.surprisals[1:] for reading in model.readings(texts)]


def peer(folder: Path, texts: list[str]) -> Callable[[], list[Any]]:
    import torch
    from minicons.scorer import IncrementalLMScorer

    torch.set_num_threads(1)
    scorer = IncrementalLMScorer(str(folder), "cpu")

    def score() -> list[Any]:
        found = []
        for begin in range(0, len(texts), _BATCH):
            part = scorer.token_score(texts[begin : begin + _BATCH], surprisal=True, base_two=True)
            found += [[value for _, value in tokens[1:]] for tokens in part]
        return found

    return score


def check(mine: list[Any], theirs: list[Any]) -> None:
    """minicons finds the same tokens and, where we have one, the same surprisal."""
    gap = max(
        float(np.nanmax(np.abs(np.array(one) - np.array(other)))) if len(one) == len(other) else np.inf
        for one, other in zip(mine, theirs, strict=True)
        if np.isfinite(one).any()
    )
    if not gap <= _NEAR:
        raise BenchmarkError(f"minicons finds other surprisals than gardenpath: {gap} bits apart")
