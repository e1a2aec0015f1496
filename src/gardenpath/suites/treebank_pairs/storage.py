"""Pairs as files: a table of pairs for each phenomenon, the gold trees, and the decisive arcs as a suite of roles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...errors import UsageError
from ...runs.atomic import write_bytes
from ...runs.tsv import row_lines
from .making import TreebankPair, TreebankPairs
from .sites import DETERMINER_NOUN, PHENOMENA

COLUMNS = (
    "item", "good", "bad", "class", "paradigm", "feature", "value", "instead", "attractors", "distance",
    "good_word", "bad_word", "position", "controller", "controller_position", "bad_features", "sent_id",
)  # fmt: skip
TREES, ARCS = "trees.conllu", "arcs.conllu"


def check_folder(folder: Path) -> None:
    """Fails before the work where the files would not have a place."""
    if folder.exists() and not folder.is_dir():
        raise UsageError("pairs are several files and need a folder, this is a file", where=str(folder))


def write_pairs(made: TreebankPairs, folder: Path) -> list[Path]:
    """The files of a folder: PHENOMENON.tsv, trees.conllu, and arcs.conllu where subjects or objects are decisive."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"{name}.tsv": to_table(made, name) for name, pairs in made.pairs.items() if pairs}
    used = sorted({pair.sentence for pairs in made.pairs.values() for pair in pairs})
    files[TREES] = b"".join(made.treebank.block(number) for number in used)
    if arcs := to_arcs(made):
        files[ARCS] = arcs
    for name, data in files.items():
        write_bytes(folder / name, data)
    return [folder / name for name in files]


def to_table(made: TreebankPairs, phenomenon: str) -> bytes:
    """The pairs of one phenomenon as a table that the study of surprisal reads."""
    rows = [
        (
            item, pair.good, pair.bad, PHENOMENA[phenomenon].group, phenomenon, pair.feature, pair.value, pair.other,
            pair.attractors, pair.distance, pair.good_word, pair.bad_word, pair.position, pair.controller,
            pair.controller_position, pair.feats, made.treebank.sent_ids[pair.sentence],
        )
        for item, pair in _items(made, phenomenon)
    ]  # fmt: skip
    return row_lines((COLUMNS, *rows)).encode("utf-8")


def _items(made: TreebankPairs, phenomenon: str) -> Iterator[tuple[str, TreebankPair]]:
    """The pairs with names: sentence and position of the changed word."""
    for pair in made.pairs[phenomenon]:
        sentence = made.treebank.sent_ids[pair.sentence] or str(pair.sentence + 1)
        yield f"{sentence}-{pair.position}", pair


def to_arcs(made: TreebankPairs) -> bytes:
    """Sentences with the one arc between verb and subject or object, good and in all its bad forms.

    Of each sentence the first such arc is taken, and no sentence comes twice: it could have other gold. Good and
    bad are minimal pairs of the suite; the bad one has the property wrong_FEATURE.
    """
    arcs: dict[str, list[TreebankPair]] = {}
    taken: set[str] = set()
    for phenomenon, pairs in made.pairs.items():
        for pair in pairs if PHENOMENA[phenomenon].group != DETERMINER_NOUN else ():
            known = arcs.get(pair.good, [])
            new = pair.good not in taken or (known and known[0].dependent == pair.dependent)
            if new and pair.bad not in taken:
                arcs[pair.good] = [*known, pair]
                taken |= {pair.good, pair.bad}
    blocks = [_block(made, pair, bad) for pairs in arcs.values() for pair, bad in _forms(pairs)]
    return "".join(blocks).encode("utf-8")


def _forms(pairs: list[TreebankPair]) -> Iterator[tuple[TreebankPair, bool]]:
    """The good sentence once, then the bad ones."""
    yield pairs[0], False
    yield from ((pair, True) for pair in pairs)


def _block(made: TreebankPairs, pair: TreebankPair, bad: bool) -> str:
    """A sentence of the suite: partial gold, and comments that say what it is."""
    name = f"{made.treebank.sent_ids[pair.sentence] or pair.sentence + 1}-{pair.dependent}"
    wrong = f"wrong_{pair.feature.lower()}"
    lines = [
        f"# sent_id = {name}-{wrong if bad else 'good'}", f"# text = {pair.bad if bad else pair.good}",
        f"# base = {name}", f"# order = {pair.order}", f"# props = base-{wrong if bad else 'acc'}",
    ]  # fmt: skip
    for row in made.treebank[pair.sentence].rows:
        fields = list(row)
        if fields[0].isdigit():
            number = int(fields[0])
            if bad and number == pair.position:
                fields[1], fields[5] = pair.bad_word, pair.feats
            if number != pair.dependent:
                fields[6:8] = ["_", "_"]
        elif "." in fields[0]:  # an empty node belongs to the enhanced graph, which is left out
            continue
        fields[8] = "_"
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"
