"""`structural`: training an RNNG in batches and sentence by sentence; scoring with wider beams, and with a PLM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from gardenpath import read

from .corpus import Corpus
from .measure import in_process, interleaved
from .setting import FULL, Setting, missing
from .table import Cell, Row, Table, Target

_SENTENCES, _SCORED = 400, 12
_ACTIONS = 1500
"""Of a batch: the default preset's."""
_BEAMS = ((10, 1, 1), (25, 3, 2), (50, 5, 3), (100, 10, 5), (200, 20, 10))
_EPOCHS = 5
"""So long a network learns before it scores: the beams of an untrained one are fuller than any in use."""
_BATCHED, _UNBATCHED = "in batches", "sentence by sentence"


def run(setting: Setting) -> list[Table]:
    absent = missing(RNNG="torch")
    if absent:
        return [Table("structural", [Row({"contestant": "RNNG", "note": absent["RNNG"]})])]
    share = min(1.0, setting.size / FULL)
    count = max(40, round(_SENTENCES * share))
    lesson, networks, words = _made(setting.corpus, count)
    training = _training(lesson, networks["rnng"], setting)
    epochs = 1 if setting.is_trial else _EPOCHS
    for network in networks.values():
        _learn(lesson, network, _ACTIONS, rate=2e-3, epochs=epochs)
    return [training, _scoring(networks, words[: max(2, round(_SCORED * share))], epochs, setting)]


def _made(corpus: Corpus, count: int) -> tuple[Any, dict[str, Any], list[np.ndarray[Any, np.dtype[np.int64]]]]:
    """Projected dependency trees of one treebank, and by kind an untrained network of the default size."""
    from gardenpath.systems import torch_threads
    from gardenpath.treebank import tree_mask
    from gardenpath_models.neural.vocabulary import vocabulary_of
    from gardenpath_models.structural.actions import oracles
    from gardenpath_models.structural.system import KINDS, build, settings_of
    from gardenpath_models.structural.training import inventory_of, lesson_of, projected

    treebank = read(max(corpus.files, key=lambda file: file.stat().st_size))
    whole = treebank.select(tree_mask(treebank.heads, treebank.offsets) & (treebank.lengths <= 60))
    made = oracles(projected(whole[:count]).trees).made
    settings = {kind: settings_of(kind, "default", {}) for kind in KINDS}
    vocabulary = vocabulary_of([one.words for one in made])
    inventory = inventory_of(made, settings["rnng"])
    with torch_threads(seed=0):
        networks = {kind: build(its.shape, inventory, len(vocabulary)) for kind, its in settings.items()}
    return lesson_of(made, inventory, vocabulary), networks, [vocabulary.encode(one.words) for one in made]


def _learn(
    lesson: Any, network: Any, size: int, batches: int | None = None, rate: float = 1e-4, epochs: int = 1
) -> None:
    """Epochs of batches of about `size` actions, on one thread."""
    import torch

    from gardenpath.systems import torch_threads
    from gardenpath_models.neural.training_loop import bucketed

    items = lesson.items(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate)
    with torch_threads(seed=0):
        network.train()
        for _ in range(epochs):
            for numbers in bucketed(items.lengths, size)[:batches]:
                optimiser.zero_grad(set_to_none=True)
                items.loss(numbers)[0].backward()
                optimiser.step()


def _training(lesson: Any, network: Any, setting: Setting) -> Table:
    """One epoch: loss, gradient and a step of the optimiser for each batch, or for each sentence."""
    _learn(lesson, network, _ACTIONS, batches=1)  # what torch imports at the first step is imported
    contestants = {
        _BATCHED: in_process(lambda: _learn(lesson, network, _ACTIONS)),
        _UNBATCHED: in_process(lambda: _learn(lesson, network, 1)),
    }
    found = interleaved(contestants, setting.repeats, setting.tell)
    total = float(lesson.words.sum())
    speed = {name: total / costs.cpu for name, costs in found.items()}
    rows = []
    for name, costs in found.items():
        cells: dict[str, Cell] = {
            "contestant": name,
            "words/s": speed[name],
            "x unbatched": speed[name] / speed[_UNBATCHED],
        }
        rows.append(Row(cells, Target("x unbatched", ">=", 5.0) if name == _BATCHED else None, costs))
    notes = [
        f"{int(total)} words of {len(lesson.words)} projected trees, {_ACTIONS} actions a batch, one thread, CPU time"
    ]
    return Table("structural: training an RNNG of the default size for an epoch", rows, notes)


def _scoring(networks: Mapping[str, Any], sentences: Sequence[Any], epochs: int, setting: Setting) -> Table:
    """Words per second of word-synchronous beam search, and bits per word: a wider beam loses less."""
    from gardenpath.systems import torch_threads
    from gardenpath_models.structural.beam import Beam, search

    total = sum(map(len, sentences))
    bits: dict[str, float] = {}

    def score(name: str, kind: str, beam: Beam) -> None:
        with torch_threads():
            found = search(networks[kind].eval(), sentences, beam)
        bits[name] = -sum(float(one.marginals[-1]) for one in found) / total / np.log(2)

    ways = {str(widths): ("rnng", Beam(*widths)) for widths in _BEAMS[: 2 if setting.is_trial else None]}
    ways["(100, 10, 5), all that fit"] = "rnng", Beam(negligible=0)
    ways["(100, 10, 5), PLM"] = "plm", Beam()
    contestants = {name: in_process(partial(score, name, *way)) for name, way in ways.items()}
    found = interleaved(contestants, max(1, setting.repeats // 2), setting.tell)
    rows = []
    for name, costs in found.items():
        cells: dict[str, Cell] = {
            "beam (action, word, fast)": name, "words/s": total / costs.cpu, "ms/word": 1000 * costs.cpu / total,
            "bits/word": bits[name],
        }  # fmt: skip
        rows.append(Row(cells, None, costs))
    notes = [
        f"{total} words of {len(sentences)} sentences, epochs of training: {epochs}",
        "all that fit: no hypothesis is negligible",
        "PLM: of the default size, trained on the same trees; its bits are those of another model",
    ]
    return Table("structural: scoring with an RNNG by beam, and with a PLM", rows, notes)
