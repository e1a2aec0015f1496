"""Treebank of generated sentences in three annotations, and the constructions told from their structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from gardenpath.errors import UsageError, unknown_name
from gardenpath.phrase import ROOT, TIGER, TUEBADZ, UD, Arcs, PhraseTree
from gardenpath.phrase import scheme as known_scheme
from gardenpath.suites import PHENOMENA, Construction, ConstructionItem, ConstructionSuite

from .annotations import conllu, tiger, tuebadz, ud
from .clause import (
    Adjective,
    Clause,
    Clauses,
    Coordination,
    Nominal,
    Part,
    Phrase,
    Prepositional,
    Sentence,
    Unlike,
    Verbal,
    Word,
    head,
)
from .composer import Composer, NothingFitsError
from .phenomena import PLANS
from .vocabulary import vocabulary

Anchors = tuple[tuple[str, Word], ...]


class Meant:
    """A construction before there is a tree: its phenomenon, its variant and its anchors as words."""

    __slots__ = ("anchors", "clause_governor", "phenomenon", "variant")

    def __init__(self, phenomenon: str, variant: str, anchors: Anchors, clause_governor: Word | None = None) -> None:
        self.phenomenon, self.variant, self.anchors = phenomenon, variant, anchors
        self.clause_governor = clause_governor
        """In schemes with fields a verb's PP hangs at the clause, not at a verb phrase: its finite verb."""

    def construction(self, tree: PhraseTree, scheme: str) -> Construction:
        """With the node in the tree of this scheme."""
        anchors = [(name, word.at) for name, word in self.anchors]
        annotated = known_scheme(scheme)
        if annotated.arcs:
            return self._of_arcs(tree, anchors)
        if annotated.fields is not None and self.clause_governor is not None:
            anchors[-1] = ("governor", self.clause_governor.at)
        start = anchors[0][1]
        flags: tuple[str, ...] = ()
        if self.phenomenon in ("ppn", "ppv"):
            node = tree.mothers[start]
            if start and tree.tags[start - 1] in annotated.tags.attachable:
                flags = ("ambiguous",)
        elif self.phenomenon == "erc":
            node = _above(tree, start, annotated.categories.relative_clauses or annotated.categories.clauses)
        elif self.phenomenon == "cuc":
            node = _above_both(tree, start, anchors[1][1])
        else:
            node = _above(tree, start, {annotated.categories.clause_coordination})
            if annotated.fields is None:  # by a secondary edge
                flags = ("confirmed",)
        return Construction(self.phenomenon, self.variant, node, tuple(anchors), flags)

    def _of_arcs(self, tree: PhraseTree, anchors: list[tuple[str, int]]) -> Construction:
        """Content words are heads: of a PP's governor and of conjuncts that are clauses."""
        arcs, flags = Arcs(tree), tuple[str, ...]()
        first = anchors[0][1]
        if self.phenomenon in ("ppn", "ppv"):
            noun = arcs.governors[first]
            anchors = [("preposition", first), ("noun", noun), ("governor", arcs.governors[noun])]
            flags = ("ambiguous",) if first and tree.tags[first - 1] in UD.tags.attachable else ()
            head = noun
        elif self.phenomenon == "erc":
            head = arcs.clause_of(dict(anchors)["verb"])
        else:
            if self.phenomenon == "cuc":
                anchors = [(name, arcs.clause_of(token)) for name, token in anchors]
            head = arcs.clause_of(first)
        return Construction(self.phenomenon, self.variant, tree.mothers[head], tuple(anchors), flags)


def _above(tree: PhraseTree, node: int, labels: Collection[str]) -> int:
    """The first node with one of these labels on the way up."""
    node = tree.mothers[node]
    while node != ROOT and tree.node_label(node) not in labels:
        node = tree.mothers[node]
    return node


def _above_both(tree: PhraseTree, first: int, second: int) -> int:
    both = 1 << first | 1 << second
    node = tree.mothers[first]
    while tree.masks[node] & both != both:
        node = tree.mothers[node]
    return node


def meant(sentence: Sentence) -> list[Meant]:
    """All constructions of a sentence, phenomenon by phenomenon and from left to right."""
    root = sentence.root
    clauses = root.conjuncts if isinstance(root, Clauses) else [root]
    meant_here = [one for clause in clauses for one in _clause(clause)]
    order = list(PHENOMENA)
    return sorted(meant_here, key=lambda one: (order.index(one.phenomenon), one.anchors[0][1].at))


def _clause(clause: Clause, finite: Word | None = None) -> Iterator[Meant]:
    """`finite` is the verb that heads the whole clause, where this is a later conjunct."""
    finite = finite or clause.finite
    for part in clause.parts():
        low = clause.verbs[0] if clause.verbs and part.level == "verb" else clause.finite
        yield from _part(part, clause, low, finite)
    if clause.later is not None:
        subject = clause.subject
        assert subject is not None
        phenomenon, variant = "fcr", "vl" if clause.order == "vl" else "v2"
        if clause.order != "vl" and subject is not clause.front:
            phenomenon, variant = "sgf", ""
        verbs = (("verb1", clause.finite), ("verb2", clause.later.finite), ("subject", head(subject.phrase)))
        yield Meant(phenomenon, variant, verbs)
        yield from _clause(clause.later, finite)


def _part(part: Part, clause: Clause, low: Word, finite: Word) -> Iterator[Meant]:
    phrase = part.phrase
    if isinstance(phrase, Prepositional) and part.role in ("adverbial", "oblique"):
        anchors = (("preposition", phrase.preposition), ("noun", head(phrase)), ("governor", low))
        yield Meant("ppv", "", anchors, finite)
    yield from _phrase(phrase, clause, finite)


def _phrase(phrase: Phrase, clause: Clause, finite: Word) -> Iterator[Meant]:
    if isinstance(phrase, Nominal):
        yield from _nominal(phrase, clause, finite)
    elif isinstance(phrase, Prepositional):
        yield from _phrase(phrase.nominal, clause, finite)
    elif isinstance(phrase, Coordination):
        for member in phrase.conjuncts:
            yield from _phrase(member, clause, finite)
    elif isinstance(phrase, Unlike):
        heads = tuple((f"conjunct{at}", _head(member)) for at, member in enumerate(phrase.conjuncts, 1))
        kinds = {_KINDS[type(conjunct)] for conjunct in phrase.conjuncts}
        yield Meant("cuc", "+".join(kind for kind in ("s", "vp", "ap", "np") if kind in kinds), heads)
        for member in phrase.conjuncts:
            if isinstance(member, Verbal):
                yield from _verbal(member, clause, finite)
            else:
                yield from _phrase(member, clause, finite)
    elif isinstance(phrase, Verbal):  # a participle clause, which has no finite verb
        yield from _verbal(phrase, clause, phrase.verb)
    elif isinstance(phrase, Clause):
        yield from _clause(phrase)


_KINDS: dict[type, str] = {Nominal: "np", Adjective: "ap", Verbal: "vp", Clause: "s"}


def _head(phrase: Phrase) -> Word:
    """The head as the schemes have it: of a clause its finite verb."""
    return phrase.finite if isinstance(phrase, Clause) else head(phrase)


def _verbal(phrase: Verbal, clause: Clause, finite: Word) -> Iterator[Meant]:
    for part in phrase.parts:
        yield from _part(part, clause, phrase.verb, finite)


def _nominal(nominal: Nominal, clause: Clause, finite: Word) -> Iterator[Meant]:
    if nominal.genitive is not None:
        yield from _nominal(nominal.genitive, clause, finite)
    for attribute in nominal.attributes:
        yield Meant(
            "ppn", "", (("preposition", attribute.preposition), ("noun", head(attribute)), ("governor", nominal.head))
        )
        yield from _phrase(attribute.nominal, clause, finite)
    relative = nominal.relative
    if relative is not None:
        if nominal.extraposed:
            assert relative.relative is not None
            word = head(relative.relative.phrase)
            anchors = (("relative", word), ("verb", relative.finite), ("noun", nominal.head), ("matrix", clause.finite))
            yield Meant("erc", "", anchors)
        yield from _clause(relative)


MIX: Mapping[str, float] = {"plain": 0.4, "ppn": 0.1, "ppv": 0.1, "erc": 0.1, "fcr": 0.1, "sgf": 0.1, "cuc": 0.1}
"""Shares of sentences: as many without any of the phenomena as four phenomena have."""
LENGTHS = range(4, 33)
"""Tokens of a sentence, marks included."""
_MOST = 1_000_000
_TRIES = 400
_REALISERS = {TIGER.name: tiger, TUEBADZ.name: tuebadz, UD.name: ud}
REALISED = tuple(_REALISERS)
"""The schemes that German sentences are generated in."""


@dataclass(frozen=True, eq=False, slots=True)
class Made:
    """A sentence with its trees. Its phenomenon is what it was made for; it may have other constructions too."""

    sent_id: str
    """Its number from 1, in all three treebanks."""
    item: str
    """A name that says what it was made for: `erc-particle-object-00012`."""
    phenomenon: str
    """Or plain."""
    variant: str
    """Of the plan: `participle-object` of erc, `vl-weil` of fcr."""
    trees: Mapping[str, PhraseTree]
    """By scheme, over the same words."""
    ud: str
    """The sentence in CoNLL-U."""
    constructions: Mapping[str, tuple[Construction, ...]]
    """By scheme, in the same order: the nodes differ, the anchors are the same tokens (but for heads of verbs)."""

    def tree(self, scheme: str) -> PhraseTree:
        return self.trees[scheme]

    @property
    def tiger(self) -> PhraseTree:
        return self.trees[TIGER.name]

    @property
    def tuebadz(self) -> PhraseTree:
        return self.trees[TUEBADZ.name]

    @property
    def text(self) -> str:
        return self.ud.split("# text = ", 1)[1].split("\n", 1)[0]

    def construction(self, scheme: str) -> Construction | None:
        """The one that the sentence was made for: the first of its phenomenon that is a good test."""
        own = [one for one in self.constructions[scheme] if one.phenomenon == self.phenomenon]
        if self.phenomenon in ("ppn", "ppv"):
            own = [one for one in own if "ambiguous" in one.flags] or own
        return own[0] if own else None


@dataclass(frozen=True, eq=False)
class GeneratedTreebank:
    sentences: tuple[Made, ...]
    made_from: str
    """Size, seed, mix and lexicon, as one text."""

    @property
    def conllu(self) -> str:
        return f"# generated = constructions|{self.made_from}\n" + "".join(sentence.ud for sentence in self.sentences)

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences were made for each phenomenon, plain ones first; only those that there are."""
        counts = Counter(sentence.phenomenon for sentence in self.sentences)
        return {name: counts[name] for name in PLANS if counts[name]}

    def trees(self, scheme: str) -> list[PhraseTree]:
        if scheme not in REALISED:
            raise unknown_name("annotation scheme", scheme, REALISED)
        return [sentence.tree(scheme) for sentence in self.sentences]

    @cached_property
    def suites(self) -> tuple[ConstructionSuite, ...]:
        """The constructions that the sentences were made for, as a parallel suite: tiger, tuebadz, ud."""
        return parallel(self.sentences, "generated constructions", self.made_from)


def parallel(sentences: tuple[Made, ...], name: str, release: str) -> tuple[ConstructionSuite, ...]:
    """A suite in all schemes: an item for each sentence that is not plain."""
    halves = []
    for scheme in REALISED:
        items = []
        for sentence in sentences:
            construction = sentence.construction(scheme)
            if construction is not None:
                items.append(ConstructionItem(sentence.item, sentence.tree(scheme), construction))
        halves.append(ConstructionSuite(name, release, scheme, tuple(items)))
    return tuple(halves)


def generate(n: int = 2000, seed: int = 0, mix: Mapping[str, float] = MIX) -> GeneratedTreebank:
    """So many sentences, all different; `mix` has the share of each phenomenon. The same arguments, the same bytes."""
    if n < 1:
        raise UsageError(f"{n} sentences are not a treebank", todo="ask for one or more")
    if n > _MOST:
        raise UsageError(f"{n:,} sentences are too many at once", todo=f"ask for at most {_MOST:,}")
    counts = _counts(n, mix)
    words = vocabulary()
    chance = Random(f"constructions/{seed}")
    plans = [phenomenon for phenomenon, count in counts.items() for _ in range(count)]
    turns = dict.fromkeys(counts, 0)
    chance.shuffle(plans)
    composer = Composer(words, chance)
    seen: set[str] = set()
    sentences = []
    for number, phenomenon in enumerate(plans, 1):
        variants = tuple(PLANS[phenomenon])
        variant = variants[turns[phenomenon] % len(variants)]
        turns[phenomenon] += 1
        sentence = _fresh(composer, phenomenon, variant, seen)
        item = f"{phenomenon}-{variant}-{turns[phenomenon]:05d}"
        sentences.append(realised(sentence, str(number), phenomenon, variant, item))
    shares = ",".join(f"{name}={share:g}" for name, share in mix.items())
    return GeneratedTreebank(tuple(sentences), f"n:{n}|seed:{seed}|mix:{shares}|lexicon:{words.digest}")


def realised(sentence: Sentence, sent_id: str, phenomenon: str, variant: str, item: str) -> Made:
    """The three trees of one abstract sentence."""
    constructions = meant(sentence)
    trees = {scheme: realise(sentence, sent_id) for scheme, realise in _REALISERS.items()}
    comments = f"# sent_id = {sent_id}\n# item = {item}\n# phenomenon = {phenomenon}\n# variant = {variant}\n"
    return Made(
        sent_id,
        item,
        phenomenon,
        variant,
        trees,
        conllu(sentence, comments),
        {scheme: tuple(one.construction(trees[scheme], scheme) for one in constructions) for scheme in REALISED},
    )


def _fresh(composer: Composer, phenomenon: str, variant: str, seen: set[str]) -> Sentence:
    """A sentence that is not there yet, neither too short nor too long."""
    for _ in range(_TRIES):
        composer.begin()
        try:
            sentence = PLANS[phenomenon][variant](composer)
        except NothingFitsError:
            continue
        key = " ".join(word.form for word in sentence.words)
        if key not in seen and len(sentence.words) in LENGTHS:
            seen.add(key)
            return sentence
    raise UsageError(
        f"the lexicon has no more sentences for {phenomenon} ({variant})", todo="ask for fewer, or for another mix"
    )


def _counts(n: int, mix: Mapping[str, float]) -> dict[str, int]:
    """How many sentences of each phenomenon; what rounding leaves goes to the largest remainders."""
    for name, share in mix.items():
        if name not in PLANS:
            raise unknown_name("phenomenon", name, PLANS)
        if not 0 <= share < float("inf"):
            raise UsageError(f"the share of {name} is {share}", todo="shares are numbers from 0")
    total = sum(mix.values())
    if not total:
        raise UsageError("all shares are 0", todo="give one phenomenon a share")
    exact = {name: n * share / total for name, share in mix.items() if share}
    counts = {name: int(value) for name, value in exact.items()}
    for name in sorted(exact, key=lambda one: (counts[one] - exact[one], one))[: n - sum(counts.values())]:
        counts[name] += 1
    return counts
