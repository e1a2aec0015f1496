"""What is split: dependency trees, or phrase trees by their words; without the sentences of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from ...formats import bare

if TYPE_CHECKING:
    from ...phrase.tree import PhraseTree
    from ...treebank.dealt_units import Split
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


def prefix_of(inputs: list[str]) -> str:
    """What the names of the inputs begin with: en_ewt-ud for en_ewt-ud-train.conllu and en_ewt-ud-test.conllu."""
    names = [_stem(Path(path).name).split("-") for path in inputs if path != "-"]
    alike = takewhile(lambda pieces: len(set(pieces)) == 1, zip(*names, strict=False))
    return "-".join(pieces[0] for pieces in alike) or "split"


def _stem(name: str) -> str:
    stem, suffix, _ = name.partition(".conll")
    return stem if suffix else bare(name).rpartition(".")[0] or name


def inputs_of(names: list[str]) -> list[str]:
    """The files; a folder without CoNLL-U may hold phrase trees."""
    from ...errors import InputError
    from ...phrase.source import files
    from ...treebank.source import paths

    try:
        return [path for name in names for path in paths(name)]
    except InputError:
        if not all(Path(name).is_dir() and is_phrases([name]) for name in names):
            raise
        return [path for name in names for path in files(name)]
