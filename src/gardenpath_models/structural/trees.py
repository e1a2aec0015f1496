"""Training trees of structural models: phrase trees, or dependency trees projected to flat phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import ROOT, PhraseTree, files, grown
from gardenpath.phrase import read as read_phrases
from gardenpath.systems import PhraseTrees, Source, Sources, Tell, is_conllu
from gardenpath.treebank import Sentence, Treebank, open_files, paths, tree_mask
from gardenpath.treebank import read as read_treebank

from .system import LEAVE_OUT, LIFT, NONPROJECTIVE


@dataclass(frozen=True)
class Projected:
    """Phrase trees of a dependency treebank, and what was done to get them."""

    trees: list[PhraseTree]
    lifted: int = 0
    """Non-projective sentences whose crossing edges were lifted."""
    left_out: tuple[str, ...] = ()
    """Ids (or numbers) of the non-projective sentences that were left out."""
    joined: int = 0
    """Multiword tokens: one word each, which hangs where the highest of its words hangs."""


def projected(treebank: Treebank, nonprojective: str = LIFT) -> Projected:
    """A phrase for each word that has dependents, with the word and the phrases of its dependents as children.

    The category is the UPOS of the head with a P (NOUNP, VERBP); the relation is the function of the dependent. The
    tokens are the surface tokens, so that a language model over the same file sees the same words. Non-projective
    edges are lifted to the head's head, the shortest first, until none crosses (Nivre & Nilsson 2005).
    """
    if nonprojective not in NONPROJECTIVE:
        raise UsageError(f"{nonprojective!r} is not a way with non-projective trees", todo="take lift or leave-out")
    fine = tree_mask(treebank.heads, treebank.offsets)
    if not fine.all():
        number = int(np.argmin(fine))
        raise InputError(
            f"sentence {treebank.sent_ids[number] or number + 1} is not a tree",
            where=treebank.place(int(treebank.index.blocks[number])),
            todo="every word needs a head, and one word is the root; gardenpath treebank validate shows all",
        )
    trees: list[PhraseTree] = []
    left_out: list[str] = []
    lifted = joined = 0
    for sentence in treebank:
        forms, tags, relations, heads, multiword = _surface(sentence)
        flat = _lifted(heads)
        joined += multiword
        if flat != heads:
            if nonprojective == LEAVE_OUT:
                left_out.append(sentence.sent_id or str(sentence.number + 1))
                continue
            lifted += 1
        trees.append(phrases(forms, tags, relations, flat, sentence.sent_id))
    if not trees:
        raise InputError("no sentence is left", where=treebank.name, todo="lift non-projective edges")
    return Projected(trees, lifted, tuple(left_out), joined)


def phrases(
    forms: Sequence[str], tags: Sequence[str], relations: Sequence[str], heads: Sequence[int], sent_id: str = ""
) -> PhraseTree:
    """The phrase tree of projective heads (from 0, ROOT for the root)."""
    size = len(forms)
    owners = sorted({head for head in heads if head != ROOT})
    number = {head: size + at for at, head in enumerate(owners)}
    mothers = [number[word] if word in number else number.get(heads[word], ROOT) for word in range(size)]
    mothers += [number.get(heads[head], ROOT) for head in owners]
    functions = ["head" if word in number else relations[word] for word in range(size)]
    functions += [relations[head] for head in owners]
    return grown(forms, tags, [f"{tags[head]}P" for head in owners], functions, mothers, sent_id=sent_id)


def _surface(sentence: Sentence) -> tuple[list[str], list[str], list[str], list[int], int]:
    """Forms, tags, relations and heads (from 0) of the surface tokens, and how many of them are multiword."""
    words = sentence.words
    above = [word.head - 1 if word.head else ROOT for word in words]
    depth = [0] * len(words)
    for at in range(len(words)):
        up = at
        while above[up] != ROOT:
            up = above[up]
            depth[at] += 1
    forms: list[str] = []
    chief: list[int] = []
    unit: dict[int, int] = {}
    multiword = 0
    for token in sentence.tokens:
        parts = [word.ord - 1 for word in token.words]
        multiword += token.is_multiword
        for part in parts:
            unit[part] = len(forms)
        forms.append(token.form)
        chief.append(min(parts, key=depth.__getitem__))
    heads = [ROOT if above[word] == ROOT else unit[above[word]] for word in chief]
    return forms, [words[at].upos for at in chief], [words[at].deprel for at in chief], heads, multiword


def _lifted(heads: list[int]) -> list[int]:
    """The same heads if no edge crosses; else the shortest non-projective one is lifted until none is left."""
    heads = list(heads)
    while True:
        faulty = [
            (abs(head - word), word)
            for word, head in enumerate(heads)
            if head != ROOT and not all(_below(heads, at, head) for at in range(min(word, head) + 1, max(word, head)))
        ]
        if not faulty:
            return heads
        word = min(faulty)[1]
        heads[word] = heads[heads[word]]


def _below(heads: Sequence[int], word: int, head: int) -> bool:
    while word not in (head, ROOT):
        word = heads[word]
    return word == head


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
