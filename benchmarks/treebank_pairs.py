"""`treebank-pairs`: minimal pairs from one treebank, without reading it."""

from __future__ import annotations

from gardenpath import read
from gardenpath_generate.treebank_pairs.pairs import pairs_from_treebank

from .measure import in_process, interleaved
from .setting import FULL, Setting
from .table import Row, Table, Target

_PAIRS_A_SECOND = 1000.0


def run(setting: Setting) -> list[Table]:
    path = setting.folder / "pairs.conllu"
    name, _ = setting.corpus.treebank(path, min(14.0, setting.size))
    treebank = read(path)
    contestant = "gardenpath suite make pairs, without reading"
    costs = interleaved({contestant: in_process(lambda: pairs_from_treebank(treebank))}, setting.repeats, setting.tell)
    made = pairs_from_treebank(treebank)
    speed = len(made) / costs[contestant].cpu
    bound = Target("pairs/s", ">=", _PAIRS_A_SECOND, "/s") if setting.size >= FULL else None
    cells = {"contestant": contestant, "CPU s": costs[contestant].cpu, "pairs": float(len(made)), "pairs/s": speed}
    note = f"{len(treebank)} sentences, {made.sites.total()} sites"
    return [Table(f"treebank-pairs: {name}", [Row(dict(cells), bound, costs[contestant])], [note])]
