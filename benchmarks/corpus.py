"""Input of any size, made of real treebanks: their sentences in turn, some of each file at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from .measure import ROOT, BenchmarkError

MB = 1_000_000
_BLOCK = 1 << 16
_TREEBANK = "en_ewt-ud-test.conllu"
_RELATIONS = ("nsubj", "obj", "obl", "nmod", "amod", "advmod", "conj", "parataxis")


class Corpus:
    """The treebanks below a folder; without a folder the shared ones beside the repository, else the bundled."""

    def __init__(self, folder: Path | None = None) -> None:
        shared = ROOT.parent / "shared" / "data" / "ud"
        self.note = ""
        if folder is None and not shared.is_dir():
            from gardenpath.data.catalogue import SAMPLES

            folder = SAMPLES
            self.note = "no shared treebanks found: the bundled ones are repeated; real text has more different words"
        place = folder or shared
        self.files = sorted(path for path in place.rglob("*.conllu") if path.stat().st_size)
        if not self.files:
            raise BenchmarkError(f"no .conllu file in {place}")
        self.size = sum(path.stat().st_size for path in self.files) / MB
        self.name = "bundled treebanks" if self.note else place.name

    def blocks(self) -> Iterator[bytes]:
        """Whole sentences without end: 64 KB of each file in turn, again from the start when all are used up."""
        while True:
            open_files = [_sentences(path) for path in self.files]
            while open_files:
                left = []
                for file in open_files:
                    block = next(file, None)
                    if block is not None:
                        left.append(file)
                        yield block
                open_files = left

    def write(self, path: Path, megabytes: float) -> float:
        """Makes a file of about this size, and says how large it became."""
        return self.write_many([path], megabytes)

    def write_many(self, paths: list[Path], megabytes: float) -> float:
        """The same for files that together have this size."""
        stream = self.blocks()
        rest, total = b"", 0
        for path in paths:
            parts, have, wanted = [rest], len(rest), int(megabytes * MB / len(paths))
            while have < wanted:
                parts.append(next(stream))
                have += len(parts[-1])
            data = b"".join(parts)
            cut = data.find(b"\n\n", max(0, wanted - 2)) + 2
            path.write_bytes(data[:cut])
            rest, total = data[cut:], total + cut
        return total / MB

    def treebank(self, path: Path, megabytes: float) -> tuple[str, float]:
        """One treebank as people have them: EWT's test file if it is there, else a mixture."""
        for file in self.files:
            if file.name == _TREEBANK and file.stat().st_size <= megabytes * MB:
                path.write_bytes(file.read_bytes())
                return _TREEBANK, file.stat().st_size / MB
        size = self.write(path, megabytes)
        return f"a mixture of {size:.1f} MB", size


def _sentences(path: Path) -> Iterator[bytes]:
    data = path.read_bytes().replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf").rstrip(b"\n") + b"\n\n"
    begin = 0
    while begin < len(data):
        end = data.find(b"\n\n", min(begin + _BLOCK, len(data) - 2)) + 2
        yield data[begin:end]
        begin = end


def spoil(gold: Path, system: Path, seed: int = 1) -> None:
    """A parser's output with the same words: some heads, relations and tags are wrong, all trees stay trees."""
    rng = random.Random(seed)
    with gold.open(encoding="utf-8") as source, system.open("w", encoding="utf-8") as target:
        lines: list[str] = []
        for line in source:
            if line == "\n":
                target.write("".join(_spoiled(lines, rng)) + "\n")
                lines = []
            else:
                lines.append(line)


def _spoiled(lines: list[str], rng: random.Random) -> list[str]:
    rows = [line.split("\t") for line in lines]
    words = [row for row in rows if len(row) == 10 and row[0].isdecimal()]
    heads = [0, *(int(row[6]) for row in words)]
    for number, row in enumerate(words, 1):
        if rng.random() < 0.05:
            row[3] = "X"
        if heads[number] and rng.random() < 0.08:
            row[7] = rng.choice(_RELATIONS)
        new = rng.randrange(1, len(heads))
        if heads[number] and rng.random() < 0.15 and not _is_below(heads, new, number):
            heads[number] = new
            row[6] = str(new)
    return ["\t".join(row) for row in rows]


def _is_below(heads: list[int], word: int, above: int) -> bool:
    while word and word != above:
        word = heads[word]
    return word == above
