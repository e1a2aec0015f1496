"""Training of structural models: oracles, vocabulary, limits, and the loss of words and trees together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import ROOT, PhraseTree, files, grown, score_trees
from gardenpath.phrase import read as read_phrases
from gardenpath.runs import digest, to_text
from gardenpath.systems import (
    Outcome,
    PhraseTrees,
    Plan,
    Source,
    Sources,
    Tell,
    Trainer,
    dev_perplexity,
    f1,
    is_conllu,
    package_version,
    perplexities,
    torch_threads,
)
from gardenpath.treebank import Sentence, Treebank, open_files, paths, tree_mask
from gardenpath.treebank import read as read_treebank

from ..neural.folder import save_network
from ..neural.training_loop import Items, fit, within
from ..neural.vocabulary import Vocabulary, vocabulary_of
from .actions import Derivation, Ids, Inventory, Oracle, Oracles, derivation, opened, oracles
from .system import ACTIONS, LEAVE_OUT, LIFT, NONPROJECTIVE, StructuralModel, StructuralSettings, build, settings_of

if TYPE_CHECKING:
    import torch


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


_LEAST_OPEN, _LEAST_RUN = 20, 4


@dataclass(frozen=True)
class Lesson:
    """Derivations as numbers, and how many words they have."""

    derivations: list[Derivation]
    words: Ids

    def items(self, network: Any) -> Items:
        """For the training loop: the loss is that of words and tree together, counted per word and end."""

        def loss(numbers: Ids) -> tuple[torch.Tensor, int]:
            chosen = [self.derivations[number] for number in numbers]
            return network.loss(chosen), int(self.words[numbers].sum()) + len(numbers)

        return Items([len(derivation) for derivation in self.derivations], loss)


def learn(
    kind: str, trees: Sequence[PhraseTree], dev: Sequence[PhraseTree], settings: StructuralSettings, target: Path, *,
    seed: int, tell: Tell, checkpoint: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Trains a model and puts it into a folder; the log. Without dev all epochs are trained."""
    made = oracles(trees, functions=settings.functions)
    _tell_oracles(made, tell, "training")
    kept = _fitting(made.made, settings, tell, "training")
    vocabulary = vocabulary_of(
        [one.words for one in kept], min_count=settings.min_count, size=settings.vocabulary or None
    )
    inventory = inventory_of(kept, settings)
    held_out = _dev(dev, inventory, settings, tell)
    words = sum(len(one.words) for one in kept)
    tell(
        f"{words} tokens, {len(kept)} trees, {len(vocabulary.words)} known words and {len(vocabulary.classes)} classes "
        f"of unknown ones, {len(inventory.labels)} categories; at most {inventory.max_open} phrases are open at once "
        f"and {inventory.max_run} opened in a row"
    )
    lesson = lesson_of(kept, inventory, vocabulary)
    exam = lesson_of(held_out, inventory, vocabulary) if held_out else None
    with torch_threads(settings.schedule.threads, seed):
        network = build(settings.shape, inventory, len(vocabulary))
        parameters = sum(weight.numel() for weight in network.parameters())
        tell(f"{parameters} parameters; perplexities in training are those of words and trees together, per word")
        fitted = fit(
            network,
            lesson.items(network),
            exam.items(network) if exam else None,
            settings.schedule,
            seed=seed,
            tell=tell,
            checkpoint=checkpoint,
            identity=_identity(kind, seed, settings, kept, held_out),
        )
        save_network(target, settings.shape, vocabulary, network, **{ACTIONS: inventory.to_json()})
    return {
        "sentences": len(kept),
        "words": words,
        "left_out": len(made.made) - len(kept),
        "raised": made.raised,
        "several_roots": made.topped,
        "unary_chains": {str(length): count for length, count in sorted(made.unary.items())},
        "vocabulary": len(vocabulary.words),
        "unknown_classes": len(vocabulary.classes),
        "categories": len(inventory.labels),
        "max_open": inventory.max_open,
        "max_run": inventory.max_run,
        "parameters": parameters,
        "dev_left_out": len(dev) - len(held_out),
        "joint_perplexity": None if fitted.perplexity is None else round(fitted.perplexity, 4),
        **fitted.log,
    }


def inventory_of(kept: Sequence[Oracle], settings: StructuralSettings) -> Inventory:
    """The categories, the frequent ones first, and the limits: those given, else those that the trees need."""
    counts = Counter(label for one in kept for action in one.actions if (label := opened(action)) is not None)
    labels = sorted(counts, key=lambda label: (-counts[label], label))
    max_open = settings.max_open or max(_LEAST_OPEN, *(one.open_phrases for one in kept))
    max_run = settings.max_run or max(_LEAST_RUN, *(one.run for one in kept))
    return Inventory(tuple(labels), max_open, max_run, settings.functions)


def lesson_of(kept: Sequence[Oracle], inventory: Inventory, vocabulary: Vocabulary) -> Lesson:
    made = [derivation(inventory, inventory.encode(one.actions), vocabulary.encode(one.words)) for one in kept]
    return Lesson(made, np.array([len(one.words) for one in kept], np.int64))


def _fitting(made: list[Oracle], settings: StructuralSettings, tell: Tell, what: str) -> list[Oracle]:
    """Those that are not too long and within the limits that were given; others are told."""
    shape = settings.shape
    kept = [made[number] for number in within([len(one.words) for one in made], tell, what, shape.longest).tolist()]
    limits = (
        ("actions than the model has positions", shape.positions, lambda one: len(one.actions)),
        ("phrases open at once than max_open", settings.max_open, lambda one: one.open_phrases),
        ("phrases opened in a row than max_run", settings.max_run, lambda one: one.run),
    )
    for name, limit, count in limits:
        small = [one for one in kept if not limit or count(one) <= limit]
        if len(small) < len(kept):
            out = len(kept) - len(small)
            tell(f"warning: {out} {what} tree{'s' * (out != 1)} with more {name} ({limit}) left out")
        kept = small
    if not kept:
        raise InputError(f"no {what} tree is left", todo="raise the limits")
    return kept


def _dev(dev: Sequence[PhraseTree], inventory: Inventory, settings: StructuralSettings, tell: Tell) -> list[Oracle]:
    """Dev trees to stop by; those that the model cannot make are left out here, and told."""
    if not dev:
        return []
    made = oracles(dev, functions=settings.functions)
    _tell_oracles(made, tell, "dev")
    kept = _fitting(made.made, settings, tell, "dev")
    known = set(inventory.labels)
    fine = [
        tree
        for tree in kept
        if tree.open_phrases <= inventory.max_open
        and tree.run <= inventory.max_run
        and all(opened(action) in known for action in tree.actions if opened(action) is not None)
    ]
    if len(fine) < len(kept):
        tell(
            f"warning: {len(kept) - len(fine)} of {len(kept)} dev trees have categories or depths that the training "
            "trees do not have: the training is not stopped by them"
        )
    if not fine:
        raise InputError("no dev tree has the categories of the training trees", todo="take trees of one scheme")
    return fine


def _tell_oracles(made: Oracles, tell: Tell, what: str) -> None:
    if made.raised:
        tell(f"crossing branches of {made.raised} {what} tree{'s' * (made.raised != 1)} were raised")
    if made.topped:
        many = "s" * (made.topped != 1)
        tell(f"a phrase was put over several roots, or over a word, in {made.topped} {what} tree{many}")


def _identity(kind: str, seed: int, settings: StructuralSettings, kept: Sequence[Oracle], dev: Sequence[Oracle]) -> str:
    """All that decides the weights: an interrupted training goes on only with the same."""
    facts = to_text([kind, seed, settings.described()])
    trees = (" ".join((*one.actions, "", *one.words)) for part in (kept, dev) for one in part)
    return digest(facts, str(len(kept)), *trees, package_version("torch"))


StructuralPlan = Plan[AnyTrees, StructuralSettings]


class StructuralTrainer(Trainer[AnyTrees, StructuralSettings]):
    """One kind of model. Dev trees stop the training by the joint probability of words and trees.

    The finished model is examined by beam search, on `dev_sample` of them: the perplexity of words, and the F1 of
    brackets.
    """

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> StructuralSettings:
        return settings_of(self.kind, preset, options)

    def material(self, source: Sources, settings: StructuralSettings, tell: Tell) -> AnyTrees:
        return AnyTrees(source, settings.nonprojective, tell)

    def learn(self, plan: StructuralPlan, target: Path) -> Outcome:
        trees = plan.train.trees
        held_out = plan.dev.trees if plan.dev else []
        log = learn(
            plan.kind, trees, held_out, plan.settings, target, seed=plan.seed, tell=plan.tell,
            checkpoint=plan.checkpoint,
        )  # fmt: skip
        sentences, words, joint = (log.pop(name) for name in ("sentences", "words", "joint_perplexity"))
        scores = {"joint perplexity": joint} if joint is not None else {}
        return Outcome(plan.settings.described(), {**log, "dev_sample": 0}, sentences, words, scores)

    def examine(self, model: StructuralModel, dev: AnyTrees, plan: StructuralPlan) -> Outcome:
        """Perplexity of words, and F1 of brackets (single words left out)."""
        sample = _sample(dev.trees, plan.settings, plan.tell)
        if not sample:
            return Outcome(sentences=len(dev.trees), words=dev.words)
        sentences = [list(tree.words) for tree in sample]
        scores = perplexities(dev_perplexity(model, [sentences]))
        counts = score_trees(sample, model.parse_trees(sentences))
        for name in ("labelled", "unlabelled"):
            scores[f"{name} F1"] = f1([getattr(one, name) for one in counts])
        return Outcome({}, {"dev_sample": len(sample)}, len(dev.trees), dev.words, scores)


def _sample(dev: list[PhraseTree], settings: StructuralSettings, tell: Tell) -> list[PhraseTree]:
    """Dev trees that are not too long: `dev_sample` of them, always the same."""
    fitting = [tree for tree in dev if len(tree) <= settings.shape.longest]
    if not settings.dev_sample or len(fitting) <= settings.dev_sample:
        return fitting
    chosen = np.random.default_rng(0).permutation(len(fitting))[: settings.dev_sample]
    tell(f"scoring the words of {settings.dev_sample} of {len(fitting)} dev sentences by beam search")
    return [fitting[number] for number in sorted(chosen.tolist())]
