"""Trees to learn from, in any format of phrase trees, or dependency treebanks made into phrases."""

from __future__ import annotations

from pathlib import Path

from ...phrase import PhraseTree
from ...phrase import read as read_phrases
from ...phrase.source import files
from ...treebank import read as read_treebank
from ...treebank.source import open_files, paths
from ..input import is_conllu
from ..phrase_training import PhraseTrees
from ..trainer import Source, Sources, Tell
from .projection import projected

_HEAD = 1 << 16
_CONLLU = (".conllu", ".conllu.gz", ".conllu.xz")


class AnyTrees(PhraseTrees):
    """Phrase trees, or dependency treebanks, of whose trees phrases are made."""

    NONE = "no trees are named", "name a file of phrase trees, or CoNLL-U"

    def __init__(self, source: Sources, nonprojective: str, tell: Tell) -> None:
        super().__init__(source, tell)
        self.nonprojective = nonprojective

    def files_of(self, source: Source) -> list[str]:
        """A folder may hold phrase trees or CoNLL-U."""
        folder = Path(source)
        treebank = folder.is_dir() and any(file.name.endswith(_CONLLU) for file in folder.iterdir())
        return paths(source) if treebank else files(source)

    def read(self) -> list[PhraseTree]:
        """All trees, told what was done to make them of dependencies; trees without words are left out, and told."""
        trees: list[PhraseTree] = []
        for file in self.files:
            trees += self._projected(file) if _is_treebank(file) else read_phrases(file, notice=self.tell)
        words = [tree for tree in trees if len(tree)]
        if len(words) < len(trees):
            self.tell(f"warning: {self.name}: {len(trees) - len(words)} trees without words are left out")
        return words

    def _projected(self, file: str) -> list[PhraseTree]:
        made = projected(read_treebank(file), self.nonprojective)
        done = [f"{len(made.trees)} dependency trees made into phrases"]
        done += [f"{made.lifted} of them non-projective: edges lifted"] if made.lifted else []
        done += [f"{len(made.left_out)} non-projective ones left out"] if made.left_out else []
        done += [f"{made.joined} multiword tokens are one word each"] if made.joined else []
        self.tell(f"{file}: " + ", ".join(done))
        return made.trees


def _is_treebank(file: str) -> bool:
    """Is it CoNLL-U? Export files have columns too, but say what they are."""
    ((_, data, _),) = open_files(file, tolerant=False)
    head = bytes(data[:_HEAD]).removeprefix(b"\xef\xbb\xbf").lstrip()
    first = next((line for line in head.splitlines() if line.strip() and not line.startswith((b"#", b"%"))), b"")
    return is_conllu(head) and first.split(b"\t")[0].split(b"-")[0].isdigit()
