"""A batch as a parser did it: trees, failures, which parses are right and which are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TypeVar

from ...errors import FailedOnInput
from ...runs.work.where import HERE, Where, Workplace
from ...systems.asking.exchange import problem_of
from ...systems.asking.matching import MARK, ParseResult, characters
from ...systems.asking.protocol import Parser
from ...systems.asking.registry import system as named_system
from ...systems.asking.request import surface, texts
from ...systems.parsers.parsing import parse_with
from ...treebank.format.treebank import Treebank
from ...treebank.trees.tree import tree_mask
from .clusters import GOLD, BatchParses, Changes, changes_between, published_reading
from .variants import AskedVariants, Case

Value = TypeVar("Value")
BROKEN, SEGMENTATION, FAILED = "no tree", "wrong segmentation", "failed"
"""An answer that is not a tree: columns with no root, two roots or a cycle; several sentences; no answer."""
_LOST = ("unparsed", "malformed", "other-tokens")
"""Failures that may be the fault of another sentence of the same call."""
NO_ANSWER = (*_LOST, "crashed", "too-long", "no-answer")
"""Failures that leave no columns to compare."""


@dataclass(frozen=True, slots=True)
class VariantAnswer:
    """What came back for a sentence as CoNLL-U, empty if nothing did, and why it is not a tree if it is none."""

    conllu: bytes = b""
    problem: str = ""

    @property
    def fault(self) -> str:
        """`no tree`, `wrong segmentation` or `failed`; empty for a tree. Only what failed cannot be compared."""
        if not self.problem or self.problem == SEGMENTATION:
            return self.problem
        return BROKEN if self.conllu else FAILED


@dataclass(frozen=True)
class VariantAnswers:
    """One for each sentence that was asked, and what else was counted."""

    answers: Sequence[VariantAnswer]
    surplus: int = 0
    """Sentences that came without having been asked for."""
    notes: tuple[str, ...] = ()
    """What the system said about its work."""
    foreign: Mapping[str, int] = field(default_factory=dict)
    """Labels that gold does not know, where they are too many (see `label_guard`), or that no bridge brings over."""
    stages: Mapping[str, VariantAnswers] = field(default_factory=dict)
    """The answers where a part of the work was done for the system; see `stages`."""

    def failures(self) -> dict[str, int]:
        """Sentences without a tree, by kind; each sentence counts once, however often its value is in a batch."""
        problems = Counter(one.problem for one in self.answers if one.problem)
        return dict(problems) | ({"surplus": self.surplus} if self.surplus else {}) | dict(self.foreign)


def answers(
    parser: str | Parser,
    asked: Treebank,
    *,
    mode: str = "tokens",
    gold: Sequence[str] = (),
    any_language: bool = False,
    where: Where | Workplace = HERE,
) -> VariantAnswers:
    """Every sentence parsed by itself: in the mode `text` each is a paragraph of its own."""
    given = _paragraphs(asked) if mode == "text" else asked
    system = named_system(parser) if isinstance(parser, str) else parser
    with where.opened() as place:
        work = _Work(system, given, mode, gold, any_language, place)
        work.ask(list(range(len(given))))
    return VariantAnswers([work.answers[number] for number in range(len(given))], work.surplus, work.notes)


def _paragraphs(treebank: Treebank) -> Treebank:
    lines = b"".join(b"# newpar\n" + treebank.block(number).strip(b"\n") + b"\n\n" for number in range(len(treebank)))
    return Treebank(lines, name=treebank.name)


@dataclass
class _Work:
    system: Parser
    given: Treebank
    mode: str
    gold: Sequence[str]
    any_language: bool
    place: Workplace
    answers: dict[int, VariantAnswer] = field(default_factory=dict)
    surplus: int = 0
    notes: tuple[str, ...] = ()

    def ask(self, numbers: list[int]) -> None:
        """Asks for these sentences, and again for those of them whose answer may be the fault of others."""
        waiting = [numbers]
        while waiting:
            some = waiting.pop()
            try:
                result = parse_with(
                    self.system, self._part(some), mode=self.mode, gold=self.gold,
                    any_language=self.any_language or None, where=self.place,
                )  # fmt: skip
            except FailedOnInput as error:
                if len(some) == len(self.given):
                    raise
                if len(some) == 1:
                    self.answers[some[0]] = VariantAnswer(problem=problem_of(error))
                else:  # all of these, and others went well: each has a reason of its own
                    waiting += [[number] for number in reversed(some)]
                continue
            self.notes = self.notes or result.notes
            if doubtful := self._taken(some, result):
                waiting += _halves(doubtful) if len(doubtful) == len(some) else [doubtful]

    def _part(self, numbers: list[int]) -> Treebank:
        return self.given if len(numbers) == len(self.given) else self.given[numbers]

    def _taken(self, numbers: list[int], result: ParseResult) -> list[int]:
        """Keeps what is clear; gives back what has to be asked again."""
        surplus = result.failures["surplus"]
        doubt = len(numbers) > 1 and not isinstance(getattr(self.system, "treebank", None), Treebank)
        if self.mode == "text":
            got = _cut(self._part(numbers), result.treebank)
        else:
            got = _each(result.treebank)  # one answer too many and one too few may hide each other
            lost = [answer for answer in got if answer.problem in _LOST]
            if len(numbers) == 1 and surplus and lost:
                got = [VariantAnswer(problem=SEGMENTATION)]  # one was asked, and several came
            elif not lost:
                self.surplus += surplus
        doubtful = [number for number, one in zip(numbers, got, strict=True) if doubt and one.problem in _LOST]
        again = set(doubtful)
        for number, answer in zip(numbers, got, strict=True):
            if number not in again:
                self.answers[number] = answer
        return doubtful


def _halves(numbers: list[int]) -> list[list[int]]:
    """The second half first: what is added last is done first."""
    middle = (len(numbers) + 1) // 2
    return [numbers[middle:], numbers[:middle]]


def _each(parsed: Treebank) -> list[VariantAnswer]:
    sound = tree_mask(parsed.heads, parsed.offsets).tolist()
    problems = [mark or ("" if good else BROKEN) for mark, good in zip(parsed.comment_values(MARK), sound, strict=True)]
    return [
        VariantAnswer(b"" if problem in NO_ANSWER else parsed.block(number), problem)
        for number, problem in enumerate(problems)
    ]


def _cut(given: Treebank, parsed: Treebank) -> list[VariantAnswer]:
    """From sentences as the parser cut them to one answer for each that was asked, by their characters."""
    sizes = [len(characters(text)) for text in texts(given)]
    each = _each(parsed)
    by_sentence: list[list[VariantAnswer]] = [[] for _ in sizes]
    broken: set[int] = set()
    at, begin = 0, 0
    for answer, sentence in zip(each, parsed, strict=True):
        length = len(characters("".join(form for form, _ in surface(sentence.rows))))
        while at < len(sizes) - 1 and begin >= sizes[at]:
            begin -= sizes[at]
            at += 1
        by_sentence[at].append(answer)
        begin += length
        reached = at
        while begin > sum(sizes[at : reached + 1]) and reached + 1 < len(sizes):  # it goes on into the next paragraph
            reached += 1
        if reached > at:
            broken |= set(range(at, reached + 1))
    return [_one(parts, place in broken) for place, parts in enumerate(by_sentence)]


def _one(parts: Sequence[VariantAnswer], joined: bool) -> VariantAnswer:
    """The answer to one sentence. What was cut is kept in its parts; what was joined to another cannot be kept."""
    if joined or len(parts) > 1:
        whole = not joined and all(part.conllu for part in parts)
        blocks = [part.conllu.strip(b"\n") + b"\n\n" for part in parts] if whole else []
        return VariantAnswer(b"".join(blocks), SEGMENTATION)
    return parts[0] if parts else VariantAnswer(problem="unparsed")


LEFT_OUT = "@"
"""Behind the label of a word that hung on one of these."""
_HEAD, _LABEL = 6, 7
_COMPARED = (3, 5, _HEAD, _LABEL)


def without_aside(conllu: bytes, gold: bytes, aside: Collection[int]) -> bytes:
    """A parse, of one or several sentences, without these words of the gold sentence."""
    if not aside or not conllu:
        return conllu
    spans = _spans(_rows(gold))
    hidden = {place for number in aside for place in range(*spans[number])}
    at, done = 0, []
    for block in conllu.strip(b"\n").split(b"\n\n"):
        rows = _rows(block)
        own = _spans(rows, at)
        at = max((end for _, end in own.values()), default=at)
        left_out = {number for number, span in own.items() if span[0] < span[1] and hidden.issuperset(range(*span))}
        done.append(_left(rows, left_out))
    return "".join(done).encode("utf-8")


def aside_right(conllu: bytes, gold: bytes, aside: Collection[int]) -> bool:
    """Do these words have the head, label, part of speech and features that they have in gold?"""
    if not aside:
        return True
    mine, theirs = ([row for row in _rows(data) if row[0].isdigit()] for data in (conllu, gold))
    return len(mine) == len(theirs) and all(
        mine[number - 1][column] == theirs[number - 1][column] for number in aside for column in _COMPARED
    )


def core_words(words: Sequence[int], aside: Collection[int], length: int) -> tuple[int, ...]:
    """The IDs of edited words among those that are compared; of a word that is not there, that of its neighbour."""
    kept = [number for number in range(1, length + 1) if number not in aside]
    nearest = (min(range(len(kept)), key=lambda place: abs(kept[place] - number)) for number in words)
    return tuple(dict.fromkeys(place + 1 for place in nearest)) if kept else (1,)


def _rows(block: bytes) -> list[list[str]]:
    lines = block.decode("utf-8").strip("\n").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def _spans(rows: Sequence[Sequence[str]], at: int = 0) -> dict[int, tuple[int, int]]:
    """Where each word stands among the characters that are not blank; words of one token stand where it does."""
    spans: dict[int, tuple[int, int]] = {}
    last = 0
    for row in rows:
        first, _, end = row[0].partition("-")
        if not first.isdigit() or (not end and int(first) <= last):
            continue
        last = int(end or first)
        size = len(characters(row[1]))
        spans |= dict.fromkeys(range(int(first), last + 1), (at, at + size))
        at += size
    return spans


def _left(rows: Sequence[list[str]], left_out: Collection[int]) -> str:
    """The rows without these words; tokens and empty nodes are not compared and go."""
    words = {int(row[0]): row for row in rows if row[0].isdigit()}
    kept = [number for number in words if number not in left_out]
    new = {0: 0} | {number: place for place, number in enumerate(kept, 1)}
    lines = []
    for number in kept:
        row = list(words[number])
        head, steps = (int(row[_HEAD]) if row[_HEAD].isdigit() else -1), 0
        while head in left_out and steps <= len(words):
            above = words[head][_HEAD]
            head, steps = (int(above) if above.isdigit() else -1), steps + 1
        row[0], row[_HEAD] = str(new[number]), str(new[head]) if head in new else "_"
        row[_LABEL] += LEFT_OUT if steps else ""
        row[8] = row[9] = "_"
        lines.append("\t".join(row) + "\n")
    return "".join(lines) + "\n" if lines else ""


RIGHT, WRONG, SAME, OTHER = "right", "wrong", "same as original", "other"
PARSED = "parsed"
"""Of an original that has no gold tree."""
NO_TREE = (BROKEN, SEGMENTATION, FAILED)
"""What has no tree: columns that make none, several sentences, no answer."""
OUTCOMES = (RIGHT, SAME, OTHER, *NO_TREE)
"""Of a variant: the gold tree; wrong in the way the original is; wrong in another way; no tree."""


@dataclass(frozen=True)
class JudgedBatch:
    """One batch, one system, one order of siblings. Lists have an entry for each different value."""

    case: Case
    original: str
    """right, wrong, no tree, wrong segmentation or failed; without gold trees parsed in place of right and wrong."""
    outcomes: Sequence[str]
    cluster_of: Sequence[int]
    """The number of the cluster from 0, the largest first; -1 where nothing came back."""
    original_cluster: int
    """The cluster whose parses are the original's; -1 if there is none."""
    similarities: Sequence[float]
    """NCPTK between all pairs of clusters that are trees."""
    clusters_published: int
    """As the published scripts count clusters and read similarities; see `published`."""
    similarities_published: Sequence[float]
    changes: Sequence[Changes] = ()
    """What each other cluster changes of the largest one."""

    def count(self, *outcomes: str) -> int:
        """Variants with one of these outcomes; a repeated value counts as often as it is there."""
        return sum(n for n, one in zip(self.case.times, self.outcomes, strict=True) if one in outcomes)

    @property
    def size(self) -> int:
        return self.case.size

    def holds(self, measure: str) -> list[bool]:
        """For each different value: is the variant `right`, or is its parse not the original's (`changed`)?

        `changed_least` is `changed` if everything that has no tree had got the tree that is most often there,
        `changed_most` if it had got a tree of its own.
        """
        if measure == "right":
            return [outcome == RIGHT for outcome in self.outcomes]
        if measure == "changed":
            return [cluster < 0 or cluster != self.original_cluster for cluster in self.cluster_of]
        kept, most = self.original_cluster, measure == "changed_most"
        if self.original in NO_TREE:
            kept = -1 if most or not self._trees else self._trees.most_common(1)[0][0]
        pairs = zip(self.outcomes, self.cluster_of, strict=True)
        return [most if outcome in NO_TREE else cluster != kept for outcome, cluster in pairs]

    def total(self, measure: str) -> int:
        """How many variants are so; a repeated value counts as often as it is there."""
        return sum(n for n, holds in zip(self.case.times, self.holds(measure), strict=True) if holds)

    @cached_property
    def right(self) -> int:
        return self.total("right")

    @cached_property
    def _trees(self) -> Counter[int]:
        """How many variants with a tree each cluster has."""
        counts = Counter[int]()
        for n, cluster, outcome in zip(self.case.times, self.cluster_of, self.outcomes, strict=True):
            if outcome not in NO_TREE:
                counts[cluster] += n
        return counts

    @property
    def comparable(self) -> bool:
        """Are there at least two different variants? One alone is always consistent."""
        return len(self.case.values) > 1

    @property
    def consistent(self) -> bool:
        """One parse for all variants, right or wrong."""
        return set(self.cluster_of) == {0}

    @property
    def consistent_least(self) -> bool:
        """One tree for all variants."""
        return self.consistent and self._trees.total() == self.size

    @property
    def consistent_most(self) -> bool:
        """One tree for all variants that have a tree."""
        return len(self._trees) < 2

    @property
    def complete(self) -> bool:
        """All variants are right (Q1)."""
        return self.right == self.size

    @property
    def consistent_errors(self) -> bool:
        """Not all right, but all alike (Q3)."""
        return self.consistent and not self.complete

    @property
    def inconsistent(self) -> bool:
        """Several clusters: what Q4 and Q5 are about."""
        return len(self.clusters) > 1

    @property
    def inconsistent_published(self) -> bool:
        """The same for the published scripts, which leave out what has no tree."""
        return self.original not in NO_TREE and len(self._trees) > 1

    @cached_property
    def clusters(self) -> list[list[int]]:
        """The variants (places among the different values, repeated as often as the value) by cluster.

        What got no answer is a cluster too, the last one.
        """
        return _members(self.cluster_of, self.case.times)


def considered(batches: Sequence[JudgedBatch]) -> Iterator[JudgedBatch]:
    """Yield the batches without what was cut, which the published script skips; a cut original with its variants."""
    for batch in batches:
        kept = [place for place, outcome in enumerate(batch.outcomes) if outcome != SEGMENTATION]
        if batch.original != SEGMENTATION and kept:
            yield _only(batch, kept) if len(kept) < len(batch.outcomes) else batch


def _only(batch: JudgedBatch, kept: Sequence[int]) -> JudgedBatch:
    """Return the batch with these variants only. A sentence that was cut is in no pair of trees: NCPTK stays."""

    def only(values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(values[place] for place in kept)

    case = batch.case
    fewer = replace(
        case, variants=only(case.variants), values=only(case.values), groups=only(case.groups), times=only(case.times),
        asides=(),
    )  # fmt: skip
    classes = [None if cluster < 0 else cluster for cluster in only(batch.cluster_of)]
    cluster_of, original_cluster = _numbered([batch.original_cluster, *classes], fewer.times)
    return replace(
        batch, case=fewer, outcomes=only(batch.outcomes), cluster_of=cluster_of, original_cluster=original_cluster,
        changes=(),
    )  # fmt: skip


def judge(
    asked: AskedVariants, answers: VariantAnswers, orders: Sequence[str] = ("surface",)
) -> dict[str, list[JudgedBatch]]:
    """All batches by order of siblings."""
    judged: dict[str, list[JudgedBatch]] = {order: [] for order in orders}
    for case in asked.cases:
        places = (case.original, *case.variants)
        parses = parses_of(asked, answers, case, range(len(places)))
        faults = [answers.answers[place].fault for place in places]
        for order in orders:
            judged[order].append(_judged(case, parses, faults, order, asked.has_gold))
    return judged


def parses_of(asked: AskedVariants, answers: VariantAnswers, case: Case, members: Sequence[int]) -> BatchParses:
    """The parses of some members of a batch (0 is the original), without words that not all members have."""
    places = [(case.original, *case.variants)[member] for member in members]
    gold = [asked.treebank.block(place) for place in places]
    parsed = [answers.answers[place].conllu for place in places]
    if not case.asides:
        return BatchParses(gold, parsed)
    asides = [case.asides[member] for member in members]
    whole = [aside_right(*three) for three in zip(parsed, gold, asides, strict=True)]
    parsed = [without_aside(*three) for three in zip(parsed, gold, asides, strict=True)]
    gold = [without_aside(*three) for three in zip(gold, gold, asides, strict=True)]
    return BatchParses(gold, parsed, whole)


def _judged(case: Case, parses: BatchParses, faults: Sequence[str], order: str, has_gold: bool) -> JudgedBatch:
    classes = parses.classes(order)
    right = [has_gold and own == GOLD and parses.is_whole(number) for number, own in enumerate(classes)]
    original = faults[0] or (RIGHT if right[0] else WRONG if has_gold else PARSED)
    outcomes = [
        fault or (RIGHT if is_right else SAME if own == classes[0] else OTHER)
        for own, fault, is_right in zip(classes[1:], faults[1:], right[1:], strict=True)
    ]
    cluster_of, original_cluster = _numbered(classes, case.times)
    clusters = _members(cluster_of, case.times)
    first = [some[0] + 1 for some in clusters if cluster_of[some[0]] >= 0]  # a parse of each
    similarities, published = _similar(case, parses, cluster_of, first, order)
    changed = list[Changes]()
    if order == "surface" and len(first) > 1:
        words = case.batch.words
        if case.asides:
            words = core_words(words, case.asides[0], len(case.batch.sentence))
        changed = changes_between(parses, first, list(map(len, clusters)), words)
    return JudgedBatch(case, original, outcomes, cluster_of, original_cluster, similarities, *published, changed)


def _similar(
    case: Case, parses: BatchParses, cluster_of: Sequence[int], first: Sequence[int], order: str
) -> tuple[list[float], tuple[int, list[float]]]:
    """NCPTK between all clusters that are trees, and what the published scripts make of it."""
    trees = [cluster for cluster, number in enumerate(first) if parses.is_tree(number)]
    if len(trees) < 2:
        return [], (0, [])
    similarity = parses.kernel([first[cluster] for cluster in trees], order)
    pairs = [float(similarity[a, b]) for a, b in combinations(range(len(trees)), 2)]
    number_of = dict(zip(case.values, cluster_of, strict=True))
    variants = [number_of[variant.value] for variant in case.batch.variants]
    return pairs, published_reading([trees.index(cluster) for cluster in variants if cluster in trees], similarity)


def _numbered(classes: Sequence[int | None], times: Sequence[int]) -> tuple[list[int], int]:
    """Clusters numbered by size; of equal ones that with the original's parse comes first, then the first to occur."""
    sizes: dict[int, int] = {}
    for own, count in zip(classes[1:], times, strict=True):
        if own is not None:
            sizes[own] = sizes.get(own, 0) + count
    ranked = sorted(sizes, key=lambda own: (-sizes[own], own != classes[0]))  # stable: by first occurrence
    number: dict[int | None, int] = {own: place for place, own in enumerate(ranked)}
    return [number.get(own, -1) for own in classes[1:]], number.get(classes[0], -1)


def _members(cluster_of: Sequence[int], times: Sequence[int]) -> list[list[int]]:
    """The variants of each cluster; those without an answer last."""
    members: list[list[int]] = [[] for _ in range(max(cluster_of, default=-1) + 2)]
    for place, (cluster, count) in enumerate(zip(cluster_of, times, strict=True)):
        members[cluster] += [place] * count
    return [some for some in members if some]
