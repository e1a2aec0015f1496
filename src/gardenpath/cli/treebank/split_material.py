"""What is split: dependency trees, or phrase trees by their words; without the sentences of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...phrase.tree import PhraseTree
    from ...treebank.split import Split
    from ...treebank.treebank import Treebank

_EXPORT = "export"


@dataclass(frozen=True)
class SplitMaterial:
    """The sentences to deal out. Of phrase trees the treebank has the words alone, and the trees are written."""

    treebank: Treebank
    suffix: str = ".conllu"
    trees: Sequence[PhraseTree] = ()
    format: str = ""
    excluded: int = 0

    def content(self, split: Split, part: str) -> bytes:
        """The bytes of the file of a part."""
        if not self.format:
            return split.conllu(self.treebank, part)
        from ...phrase.source import written

        trees = [self.trees[number] for number in split.parts[part].tolist()]
        return "".join(written(trees, self.format)).encode("utf-8")


def is_phrases(inputs: Sequence[str]) -> bool:
    from ...phrase.sniffing import holds_phrases

    return bool(inputs) and inputs[0] != "-" and holds_phrases(inputs[0])


def split_material(inputs: Sequence[str], exclude: Sequence[str]) -> SplitMaterial:
    """Reads the inputs; sentences with the words of a sentence in `exclude` are left out and counted."""
    known = {words for name in exclude for words in sentences_of(name)}
    if is_phrases(inputs):
        return _phrase_material(inputs, known)
    from ...treebank.source import read

    treebank = read(list(inputs))
    if not known:
        return SplitMaterial(treebank)
    kept = [number for number, sentence in enumerate(treebank) if tuple(word.form for word in sentence) not in known]
    return SplitMaterial(treebank[kept], excluded=len(treebank) - len(kept))


def _phrase_material(inputs: Sequence[str], known: set[tuple[str, ...]]) -> SplitMaterial:
    from ...phrase.source import FORMATS, formats_of, read
    from ...treebank import Draft, Word, from_drafts

    formats = set[str]().union(*(formats_of(file) for file in inputs))
    format = formats.pop() if len(formats) == 1 else _EXPORT
    format = format if format in FORMATS.writable else _EXPORT
    trees = read(list(inputs))
    kept = [tree for tree in trees if tree.words not in known]
    drafts = (
        Draft([Word(form) for form in tree.words], comments=[f"sent_id = {tree.sent_id}"] if tree.sent_id else [])
        for tree in kept
    )
    words = from_drafts(drafts, name="<words>")
    return SplitMaterial(words, FORMATS[format].suffixes[0], kept, format, len(trees) - len(kept))


def sentences_of(name: str) -> list[tuple[str, ...]]:
    """The words of the sentences of a suite of constructions, of phrase trees, or of a treebank."""
    from ...data.names import local
    from ...phrase.source import read
    from ...suites.constructions.storage import is_constructions, read_parallel
    from ...treebank.source import read as read_treebank

    place = local(name)
    if is_constructions(place):
        return [item.tree.words for suite in read_parallel(place).values() for item in suite.items]
    if is_phrases([str(place)]):
        return [tree.words for tree in read(place)]
    return [tuple(word.form for word in sentence) for sentence in read_treebank(place)]
