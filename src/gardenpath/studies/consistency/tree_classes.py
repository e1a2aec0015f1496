"""The tree classes of one batch: for each its values and one tree, cut down to what differs between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ...errors import InputError, unknown_name
from ...runs.result.verdict import count_text
from ...treebank.drawing import Marked, Tree, Word, differing_parts
from ...treebank.format.reading import read
from ...treebank.format.treebank import Treebank
from .judging import FAILED, SEGMENTATION
from .numbers import JudgedVariants

if TYPE_CHECKING:
    from ...runs.record.run import Run
    from ...treebank.format.sentence import Sentence

_UNDRAWN = {SEGMENTATION, FAILED}


@dataclass(frozen=True, slots=True)
class TreeClasses:
    """A batch as Appendix C of the paper shows it: a drawing for each class of equal trees, the largest first."""

    system: str
    perturbation: str
    sentence: str
    text: str
    """Of the original."""
    drawings: Sequence[Marked]

    @property
    def heading(self) -> str:
        return f"{self.sentence}: {self.text}\n{self.system}, {self.perturbation}: {len(self.drawings)} tree classes"

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> TreeClasses:
        """Return what `asdict` made, after it was written as JSON and read again."""
        drawings = [
            Marked(Tree(tree["sent_id"], tree["text"], tuple(Word(**word) for word in tree["words"])), tuple(marks))
            for tree, marks in stored["drawings"]
        ]
        return cls(stored["system"], stored["perturbation"], stored["sentence"], stored["text"], drawings)


def _drawings(classes: Iterable[tuple[Sequence[str], Sentence | None]]) -> list[Marked]:
    """Draw the trees of classes, which are given by their values; a class has no sentence where it has no tree."""
    ordered = list(classes)
    parts = iter(differing_parts(trees) if (trees := [tree for _, tree in ordered if tree is not None]) else ())
    drawings = []
    for number, (values, tree) in enumerate(ordered, 1):
        drawing, marks = next(parts) if tree is not None else (Tree("", "", ()), ())
        size = len(values)
        text = count_text(size, "tree") if tree is not None else f"{count_text(size, 'variant')} without a tree"
        drawings.append(Marked(Tree(f"class {number}", f"{text} ({', '.join(values)})", drawing.words), marks))
    return drawings


def most_classes(judged: JudgedVariants, order: str) -> Iterator[dict[str, Any]]:
    """Yield for each system the batch with the most tree classes, as JSON can hold it; nothing where all are alike."""
    for system, answers in judged.answers.items():
        batches = [
            batch for (name, _, own), some in judged.batches.items() if (name, own) == (system, order) for batch in some
        ]
        batch = max(batches, key=lambda batch: len(batch.clusters), default=None)
        if batch is None or len(batch.clusters) < 2:
            continue
        classes = []
        for members in batch.clusters:
            answer = answers.answers[batch.case.variants[members[0]]]
            tree = None if answer.fault in _UNDRAWN else Treebank(answer.conllu)[0]
            classes.append(([batch.case.values[place] for place in members], tree))
        sentence = batch.case.batch.sentence
        name = judged.asked.treebank.sentence_names[batch.case.original]
        drawn = TreeClasses(system, batch.case.batch.perturbation, name, sentence.text, _drawings(classes))
        yield asdict(drawn)


def classes_in_run(run: Run, sentence: str = "", system: str = "") -> TreeClasses:
    """Return the tree classes of this sentence in a run, or of the sentence that has most; of the first system."""
    where = str(run.folder)
    rows = run.observations().to_dicts() if run.has_observations else []
    if not rows or not {"replacement", "variant_id", "parse"} <= rows[0].keys():
        raise InputError("this is not a run of consistency", where=where, todo="name a run of that command")
    systems = list(dict.fromkeys(row["system"] for row in rows))
    system = system or systems[0]
    if system not in systems:
        raise unknown_name("system", system, systems, where=where)
    files = run.trees()
    gold, treebank = read(str(files["gold"])), read(str(files[system]))  # the same sentences in the same order
    places = {name: number for number, name in enumerate(gold.sentence_names)}
    batches: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        if row["system"] == system and str(row["variant_id"]) in places:
            key = (str(row["item"]), row["condition"], row["order"])
            batches.setdefault(key, []).append(row)
    wanted = {key: batch for key, batch in batches.items() if sentence in ("", key[0])}
    if not wanted:
        raise unknown_name("sentence", sentence, [item for item, *_ in batches], where=where)
    (name, perturbation, _), batch = max(wanted.items(), key=lambda pair: len({row["parse"] for row in pair[1]}))
    members: dict[int | None, list[dict[str, Any]]] = {}
    for row in sorted(batch, key=lambda row: (row["parse"] is None, row["parse"])):
        members.setdefault(row["parse"], []).append(row)
    classes = []
    for some in members.values():
        values = [str(row["replacement"]) for row in some for _ in range(row["times"])]
        undrawn = some[0]["outcome"] in _UNDRAWN
        classes.append((values, None if undrawn else treebank[places[str(some[0]["variant_id"])]]))
    return TreeClasses(system, perturbation, name, gold[places[name]].text, _drawings(classes))
