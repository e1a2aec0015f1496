"""A treebank of generated sentences in three annotations, with the constructions that are in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from ....errors import UsageError, unknown_name
from ....phrase.schemes.tiger import TIGER
from ....phrase.schemes.tuebadz import TUEBADZ
from ....phrase.schemes.ud import UD
from ....phrase.tree import PhraseTree
from ...constructions.model import Construction, ConstructionItem, ConstructionSuite
from .anchors import Meant, meant
from .clause import Sentence
from .composer import Composer, NothingFitsError
from .dependencies import conllu, ud
from .phenomena import PLANS
from .tiger import tiger
from .tuebadz import tuebadz
from .vocabulary import vocabulary

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
        {scheme: _constructions(constructions, trees[scheme], scheme) for scheme in REALISED},
    )


def _constructions(constructions: list[Meant], tree: PhraseTree, scheme: str) -> tuple[Construction, ...]:
    return tuple(one.construction(tree, scheme) for one in constructions)


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
