"""PARSEVAL: brackets of a parser against gold as counts per sentence, EVALB parameters, gap kinds, leaf-ancestor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..boundary.texts import file_text
from ..errors import InputError, unknown_name
from .edits.splitting import marked_head
from .heads import head_child
from .schemes.model import PUNCTUATION, Scheme
from .tree import NO_FUNCTION, ROOT, Node, PhraseTree

UNUSED = frozenset("DEBUG MAX_ERROR DISC_ONLY DELETE_ROOT_PRETERMS LA TED DEP LABELED SHOW_FUNCTIONS".split())
"""Keys that say how EVALB and disco-dop print and go on; labelled and unlabelled brackets are always both counted."""


@dataclass(frozen=True)
class Parameters:
    """Which labels, tags and words do not count, and which count as the same."""

    name: str = "all"
    delete_labels: frozenset[str] = frozenset()
    """Categories, and tags whose words are taken out."""
    delete_for_length: frozenset[str] = frozenset()
    """Tags of words that do not count for the length of a sentence."""
    delete_words: frozenset[str] = frozenset()
    same_labels: Mapping[str, str] = field(default_factory=dict)
    """The label that stands for a group of equal ones."""
    same_words: Mapping[str, str] = field(default_factory=dict)
    cutoff: int = 40
    """Sentences up to this length are also scored apart."""

    @property
    def described(self) -> dict[str, list[str]]:
        """All that changes a score, in the order of the alphabet, for signatures and records."""
        sets = {"labels": self.delete_labels, "length": self.delete_for_length, "words": self.delete_words}
        settings = {name: sorted(one) for name, one in sets.items()} | {"cutoff": [str(self.cutoff)]}
        same = {"same_labels": self.same_labels, "same_words": self.same_words}
        return settings | {
            name: [f"{one}={other}" for one, other in sorted(pairs.items())] for name, pairs in same.items()
        }

    def label(self, label: str) -> str:
        return self.same_labels.get(label, label)

    def word(self, word: str) -> str:
        return self.same_words.get(word, word)


_ROOTS = frozenset({"VROOT", "ROOT", "TOP", "NOPARSE"})
GERMAN = Parameters("german", delete_labels=PUNCTUATION | _ROOTS)
"""No punctuation and no root, as is usual for TIGER, NEGRA and TüBa-D/Z; lengths are with punctuation."""
COLLINS = Parameters(
    "collins",
    delete_labels=frozenset({"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", ".", "?", "!"}),
    delete_for_length=frozenset({"-NONE-"}),
    same_labels={"PRT": "ADVP"},
)
"""As COLLINS.prm, for trees of the Penn Treebank."""
ALL = Parameters()
"""Everything counts."""
NAMED = {one.name: one for one in (GERMAN, COLLINS, ALL)}


def parameters_of(scheme: Scheme | None) -> Parameters:
    """Return the usual parameters of a scheme: `collins` for the Penn Treebank, else neither punctuation nor root."""
    if scheme is None or scheme.name in ("tiger", "tuebadz"):
        return GERMAN
    return COLLINS if scheme.name == "ptb" else Parameters(scheme.name, scheme.tags.punctuation | _ROOTS)


def parameters(name: str) -> Parameters:
    """The parameters of this name, or those of a parameter file."""
    if name in NAMED:
        return NAMED[name]
    path = Path(name).expanduser()
    if path.is_file() or path.suffix:
        return read_parameters(path)
    raise unknown_name("parameters", name, NAMED)


def read_parameters(path: Path) -> Parameters:
    """An EVALB file: lines of a key and its value, `#` before remarks."""
    lines = file_text(path).splitlines()
    sets: dict[str, set[str]] = {"DELETE_LABEL": set(), "DELETE_LABEL_FOR_LENGTH": set(), "DELETE_WORD": set()}
    pairs: dict[str, list[tuple[str, str]]] = {"EQ_LABEL": [], "EQ_WORD": []}
    cutoff = 40
    for number, line in enumerate(lines, 1):
        cells, where = line.split(), f"{path}:{number}"
        if not cells or cells[0].startswith("#"):
            continue
        key, values = cells[0], cells[1:]
        if key in sets and values:
            sets[key].add(values[0])
        elif key in pairs and len(values) >= 2:
            pairs[key].append((values[0], values[1]))
        elif key == "CUTOFF_LEN" and values and values[0].isdecimal():
            cutoff = int(values[0])
        elif key in sets or key in pairs or key == "CUTOFF_LEN":
            raise InputError(f"{key} has no value", where=where, todo=f"write {_FORMS.get(key, key + ' LABEL')}")
        elif key not in UNUSED:
            raise unknown_name("key of an EVALB file", key, [*sets, *pairs, "CUTOFF_LEN", *sorted(UNUSED)], where=where)
    return Parameters(
        path.name,
        frozenset(sets["DELETE_LABEL"]),
        frozenset(sets["DELETE_LABEL_FOR_LENGTH"]),
        frozenset(sets["DELETE_WORD"]),
        _groups(pairs["EQ_LABEL"]),
        _groups(pairs["EQ_WORD"]),
        cutoff,
    )


_FORMS = {"CUTOFF_LEN": "CUTOFF_LEN 40", "EQ_LABEL": "EQ_LABEL ADVP PRT", "EQ_WORD": "EQ_WORD WORD WORD"}


def _groups(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each member of a group of equals the one that stands for it: equality goes both ways and on."""
    leaders: dict[str, str] = {}
    for first, second in pairs:
        leader, replaced = leaders.get(first, first), leaders.get(second, second)
        leaders |= {first: leader, second: leader}
        leaders |= {name: leader for name, stands in leaders.items() if stands == replaced}
    return leaders


def gap_kind(node: Node, kept: int, scheme: str = "") -> str:
    """`NP: RC after` of a noun phrase whose relative clause is extraposed, `VP: OA before` where an object is fronted.

    Of several parts the one that is furthest from the head counts. Heads are those of the scheme; without one, the
    children whose function says so (HD), else what the longest stretch of words begins with. Only the tokens in
    `kept` (as bits) count; empty where there is no gap between them.
    """
    stretches = _stretches(node.mask & kept, kept)
    if len(stretches) < 2:
        return ""
    head = _head(node, stretches, scheme)
    at = next((number for number, stretch in enumerate(stretches) if head in stretch), 0)
    before, after = stretches[:at], stretches[at + 1 :]
    ends = [own[0][0] for own in (before,) if own] + [own[-1][-1] for own in (after,) if own]
    furthest = max(ends, key=lambda token: abs(token - head))
    part = node
    while part.mask >> head & 1:  # a gap may be that of a daughter
        part = next(child for child in part.children if child.mask >> furthest & 1)
    name = part.label if part.function in NO_FUNCTION else part.function
    return f"{node.label}: {name} {'before' if furthest < head else 'after'}"


def _stretches(mask: int, kept: int) -> list[list[int]]:
    """The tokens of a node, in stretches with no other kept token in between."""
    stretches: list[list[int]] = []
    apart = True
    for token in range(mask.bit_length()):
        if mask >> token & 1:
            if apart:
                stretches.append([])
            stretches[-1].append(token)
            apart = False
        elif kept >> token & 1:
            apart = True
    return stretches


def _head(node: Node, stretches: Sequence[Sequence[int]], scheme: str) -> int:
    """The token that heads the node; it counts, since it is in one of the stretches."""
    head: Node | None = node
    while head is not None and not head.is_token:
        head = head_child(head, scheme) if scheme else marked_head(head)
    if head is not None and any(head.number in stretch for stretch in stretches):
        return head.number
    return max(stretches, key=len)[0]


def lineages(
    tree: PhraseTree, parameters: Parameters = ALL, kept: int | None = None, *, gaps: bool = False
) -> list[tuple[str, ...]]:
    """Of every token; `kept` are the tokens that count, as bits: others begin and end nothing. `gaps`: mark these."""
    kept = (1 << len(tree)) - 1 if kept is None else kept
    lines = []
    for token in range(len(tree)):
        before = (kept & (1 << token) - 1).bit_length() - 1  # -1: it is the first that counts
        after = _first(kept >> token + 1 << token + 1)
        above = []
        node = tree.mothers[token]
        while node != ROOT:
            if tree.node_label(node) not in parameters.delete_labels:
                above.append(node)
            node = tree.mothers[node]
        line: list[str] = []
        for node in reversed(above):  # from the root: of several constituents the highest has the mark
            mask = tree.masks[node] & kept
            end = "]" if mask.bit_length() - 1 == token else "}" if gaps and not _holds(mask, after) else ""
            begin = "[" if _first(mask) == token else "{" if gaps and not _holds(mask, before) else ""
            line += [mark for mark in (end,) if mark and mark not in line]
            line.append(parameters.label(tree.node_label(node)))
            line += [mark for mark in (begin,) if mark and mark not in line]
        lines.append(tuple(reversed(line)))
    return lines


def similarity(first: Sequence[str], second: Sequence[str], replacing: int = 2) -> float:
    """1 for equal lineages; at a cost of 2 for replacing a label, 0 for such as share none.

    distances[i][j] = min(distances[i-1][j] + 1, distances[i][j-1] + 1, distances[i-1][j-1] + (0 or `replacing`))
    """
    if first == second:
        return 1.0
    row = list(range(len(second) + 1))
    for number, label in enumerate(first, 1):
        diagonal, row[0] = row[0], number
        for place, opposite in enumerate(second, 1):
            replaced = diagonal + (0 if label == opposite else replacing)
            diagonal = row[place]
            row[place] = min(diagonal + 1, row[place - 1] + 1, replaced)
    return 1 - row[-1] / (len(first) + len(second))


def _first(mask: int) -> int:
    """The lowest bit; -1 where there is none."""
    return (mask & -mask).bit_length() - 1


def _holds(mask: int, token: int) -> bool:
    return token >= 0 and bool(mask >> token & 1)


@dataclass(frozen=True, slots=True)
class Matched:
    """Brackets of gold, of the system, and those in both."""

    right: int
    gold: int
    system: int


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """The counts of one sentence."""

    length: int
    """Words that count for the length."""
    labelled: Matched
    unlabelled: Matched
    functions: Matched
    """Of brackets with category and function."""
    discontinuous: Matched
    """Of labelled brackets with gaps."""
    crossing: int
    """Brackets of the system that cross one of gold."""
    words: int
    """Words that count: those whose tag is not deleted in gold."""
    tags: int
    """Words whose tag is right."""
    leaf_ancestor: float
    """The sum over words."""
    leaf_ancestor_discodop: float
    """The mean over words, by disco-dop's definition."""
    parsed: bool = True

    @property
    def exact(self) -> bool:
        """Are all labelled brackets right, and no others there?"""
        return self.labelled.right == self.labelled.gold == self.labelled.system


def score_trees(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters = ALL
) -> list[SentenceScore]:
    """The counts of every sentence; `None` stands for a sentence without a parse."""
    if len(gold) != len(system):
        raise InputError(f"{len(system)} trees for {len(gold)} gold trees", todo="align them first")
    return [score_tree(one, other, parameters) for one, other in zip(gold, system, strict=True)]


def score_tree(gold: PhraseTree, system: PhraseTree | None, parameters: Parameters = ALL) -> SentenceScore:
    """The counts of one sentence. No tree is scored as one without brackets and tags, in which all is wrong."""
    length = sum(tag not in parameters.delete_for_length for tag in gold.tags)
    kept = kept_tokens(gold, parameters)
    words = kept.bit_count()
    wanted = brackets(gold, parameters, kept)
    if system is None:
        nothing, broken = Matched(0, len(wanted), 0), Matched(0, len(_broken(wanted, kept)), 0)
        return SentenceScore(length, nothing, nothing, nothing, broken, 0, words, 0, 0.0, 0.0, parsed=False)
    _check_words(gold, system, parameters)
    proposed = brackets(system, parameters, kept)
    spans = {mask for mask, _, _ in wanted}
    tokens = [token for token in range(len(gold)) if kept >> token & 1]
    alike = _alike(gold, system, parameters, kept)
    with_gaps = _alike(gold, system, parameters, kept, gaps=True, replacing=1)
    return SentenceScore(
        length,
        _matched([(mask, label) for mask, label, _ in wanted], [(mask, label) for mask, label, _ in proposed]),
        _matched([mask for mask, _, _ in wanted], [mask for mask, _, _ in proposed]),
        _matched(wanted, proposed),
        _matched(_broken(wanted, kept), _broken(proposed, kept)),
        sum(any(crosses(mask, other) for other in spans) for mask, _, _ in proposed),
        words,
        sum(parameters.label(gold.tags[token]) == parameters.label(system.tags[token]) for token in tokens),
        sum(alike[token] for token in tokens),
        sum(with_gaps[token] for token in tokens) / max(words, 1),
    )


def _alike(
    gold: PhraseTree, system: PhraseTree, parameters: Parameters, kept: int, *, gaps: bool = False, replacing: int = 2
) -> list[float]:
    """How alike the lineages of each token are."""
    pairs = zip(*(lineages(tree, parameters, kept, gaps=gaps) for tree in (gold, system)), strict=True)
    return [similarity(one, other, replacing) for one, other in pairs]


Bracket = tuple[int, str, str]
"""Tokens as bits, category, function."""


def brackets(tree: PhraseTree, parameters: Parameters = ALL, kept: int | None = None) -> list[Bracket]:
    """The brackets that count, over the tokens that count (`kept`; without it, by the tags of this tree)."""
    kept = kept_tokens(tree, parameters) if kept is None else kept
    size = len(tree)
    listed = []
    for place, label in enumerate(tree.labels):
        mask = tree.masks[size + place] & kept
        if mask and label not in parameters.delete_labels:
            function = tree.functions[size + place]
            listed.append((mask, parameters.label(label), "" if function in NO_FUNCTION else function))
    return listed


def gap_brackets(tree: PhraseTree, parameters: Parameters, kept: int, scheme: str = "") -> list[Bracket]:
    """Tokens, category and `gap_kind` of each bracket with a gap."""
    listed = []
    for place, label in enumerate(tree.labels, len(tree)):
        kind = gap_kind(tree[place], kept, scheme) if label not in parameters.delete_labels else ""
        if kind:
            listed.append((tree.masks[place] & kept, parameters.label(label), kind))
    return listed


def _broken(every: Iterable[Bracket], kept: int) -> list[tuple[int, str]]:
    """The labelled brackets with gaps: tokens that count stand between theirs. What does not count makes no gap."""
    return [(mask, label) for mask, label, _ in every if kept & ((1 << mask.bit_length()) - (mask & -mask)) != mask]


def crosses(one: int, other: int) -> bool:
    """Do two sets of tokens overlap, with neither inside the other?"""
    both = one & other
    return bool(both) and both not in (one, other)


def _matched(gold: Iterable[Hashable], system: Iterable[Hashable]) -> Matched:
    wanted, proposed = Counter(gold), Counter(system)
    return Matched((wanted & proposed).total(), wanted.total(), proposed.total())


def kept_tokens(tree: PhraseTree, parameters: Parameters) -> int:
    """The tokens that count, by the tags of gold: a wrong tag of the system must not move brackets."""
    mask = 0
    for token, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        if tag not in parameters.delete_labels and word not in parameters.delete_words:
            mask |= 1 << token
    return mask


def _check_words(gold: PhraseTree, system: PhraseTree, parameters: Parameters) -> None:
    where = f"sentence {gold.sent_id}" if gold.sent_id else ""
    if len(gold) != len(system):
        raise InputError(f"{len(system)} words in the tree of the system, {len(gold)} in gold", where=where)
    for number, (one, other) in enumerate(zip(gold.words, system.words, strict=True), 1):
        if one != other and parameters.word(one) != parameters.word(other):
            raise InputError(f"token {number} is {one!r} in gold and {other!r} in the system's tree", where=where)
