"""Trees to learn from, in any format of phrase trees, or dependency treebanks made into phrases."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InputError, UsageError
from ...phrase import PhraseTree
from ...phrase import read as read_phrases
from ...phrase.source import Source, files
from ...runs.inputs import describe_input
from ...runs.signature import digest
from ...treebank import read as read_treebank
from ...treebank.source import open_files, paths
from ..input import is_conllu
from ..training import Tell
from .projection import LIFT, projected

_HEAD = 1 << 16
_CONLLU = (".conllu", ".conllu.gz", ".conllu.xz")


@dataclass
class Trees:
    """Files of trees: which they are is known at once, what is in them when it is read."""

    name: str
    files: list[str]
    nonprojective: str = LIFT
    tell: Tell = field(default=lambda _: None)

    def read(self) -> list[PhraseTree]:
        """All trees, told what was done to make them of dependencies; trees without words are left out, and told."""
        found: list[PhraseTree] = []
        for file in self.files:
            found += self._projected(file) if _is_treebank(file) else read_phrases(file, notice=self.tell)
        words = [tree for tree in found if len(tree)]
        if len(words) < len(found):
            self.tell(f"warning: {self.name}: {len(found) - len(words)} trees without words are left out")
        if not words:
            raise InputError("there are no trees", where=self.name, todo="name a file that has some")
        return words

    def _projected(self, file: str) -> list[PhraseTree]:
        made = projected(read_treebank(file), self.nonprojective)
        done = [f"{len(made.trees)} dependency trees made into phrases"]
        done += [f"{made.lifted} of them non-projective: edges lifted"] if made.lifted else []
        done += [f"{len(made.left_out)} non-projective ones left out"] if made.left_out else []
        done += [f"{made.joined} multiword tokens are one word each"] if made.joined else []
        self.tell(f"{file}: " + ", ".join(done))
        return made.trees

    def sha256(self) -> str:
        found: list[str] = [describe_input(Path(file))["sha256"] for file in self.files]
        return found[0] if len(found) == 1 else digest(*found)

    def described(self, sentences: int, words: int) -> dict[str, Any]:
        """Names, content and size, for the card."""
        size = sum(Path(file).stat().st_size for file in self.files)
        return {"name": self.name, "sha256": self.sha256(), "size": size, "sentences": sentences, "words": words}


def trees_of(source: Source | Iterable[Source], nonprojective: str, tell: Tell) -> Trees:
    """The files that are named; a folder may hold phrase trees or CoNLL-U."""
    sources: Sequence[Source] = [source] if isinstance(source, str | os.PathLike) else list(source)
    if not sources:
        raise UsageError("no trees are named", todo="name a file of phrase trees, or CoNLL-U")
    if any(str(one) == "-" for one in sources):
        raise UsageError("a model's card says which files it was made of", where="-", todo="name a file")
    found: list[str] = []
    for one in sources:
        treebank = Path(one).is_dir() and any(file.name.endswith(_CONLLU) for file in Path(one).iterdir())
        found += [str(file) for file in paths(one)] if treebank else files(one)
    return Trees(" + ".join(map(str, sources)), found, nonprojective, tell)


def _is_treebank(file: str) -> bool:
    """Is it CoNLL-U? Export files have columns too, but say what they are."""
    ((_, data, _),) = open_files(file, tolerant=False)
    head = bytes(data[:_HEAD]).removeprefix(b"\xef\xbb\xbf").lstrip()
    first = next((line for line in head.splitlines() if line.strip() and not line.startswith((b"#", b"%"))), b"")
    return is_conllu(head) and first.split(b"\t")[0].split(b"-")[0].isdigit()
