"""TEPACOC (Kübler, Rehbein and van Genabith 2009): the suite's make-up, and what its text says of two schemes.

The paper has no results of parsers. Ours stand alone: grammars of both schemes, trained on generated sentences or on
the user's treebanks, and judged on the parallel suite. What its text says of results is a line, 1 for true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from gardenpath.data import bundled
from gardenpath.errors import InputError
from gardenpath.phrase import GERMAN, PhraseTree, head_child, lowered, raised, read, split, write
from gardenpath.studies import (
    CLASSES,
    RIGHT,
    UNCLASSED,
    UNDECIDED,
    BracketScores,
    JudgedConstructions,
    bracket_scores,
    formed,
    judge_trees,
    with_heads,
)
from gardenpath.suites import (
    PHENOMENA,
    ConstructionSuite,
    apply_list,
    as_suite,
    find_all,
    generator,
    misgivings,
    read_list,
    read_parallel,
    sample,
    table_of,
)
from gardenpath.systems import kinds, phrase_parser, train

from .ledger import ARITHMETIC, INPUT, OTHER_DATA, RECOMPUTED, Line, Verdict
from .paper import PAPERS, Data, OwnTreebanks, published

TIGER, SPLIT, TUEBADZ = "TIGER", "TIGER, split", "TüBa-D/Z"
SISTERS = (1, 2)
"""How many sisters to the left a grammar sees: the default of `train pcfg` with functions, and one more."""
CLAIMS_TABLE = "Section 2.7: what is said of parsers"
SCORES_TABLE, ACCURACY_TABLE = "Three kinds of scores, ours", "Right items, ours"
TABLES = {
    "pp": "Table 1: PP attachment", "erc": "Table 2: extraposed relative clauses",
    "fcr": "Table 3: forward conjunction reduction", "sgf": "Table 4: subject gap with finite/fronted verb",
    "cuc": "Section 2.6: unlike constituents",
}  # fmt: skip
SCORES = {
    "f1": "labelled F1", "unlabelled_f1": "unlabelled F1", "functions_f1": "F1 with functions",
    "leaf_ancestor": "leaf-ancestor", "uas": "UAS", "las": "LAS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """The first grammar has more of something than the second."""

    said: str
    more: str
    less: str
    value: Callable[[Tried], float]


def _score(measure: str) -> Callable[[Tried], float]:
    return lambda one: one.scores.value(measure) or 0.0


def _right(phenomenon: str) -> Callable[[Tried], float]:
    return lambda one: accuracy([one], phenomenon) or 0.0


CLAIMS = (
    *(Claim(f"bracket measures favour TüBa-D/Z: {SCORES[name]}", TUEBADZ, TIGER, _score(name))
      for name in ("f1", "unlabelled_f1", "leaf_ancestor")),
    Claim("dependencies favour TIGER: LAS", TIGER, TUEBADZ, _score("las")),
    Claim("TIGER is better at erc (split), per cent right", SPLIT, TUEBADZ, _right("erc")),
    Claim("TIGER is better at fcr, per cent right", TIGER, TUEBADZ, _right("fcr")),
    Claim("TIGER is better at sgf, per cent right", TIGER, TUEBADZ, _right("sgf")),
    Claim("fields reduce the rules: in the training trees", TIGER, TUEBADZ, lambda one: one.rules),
)  # fmt: skip
"""Raised trees do not show the noun of an extraposed clause, so erc is asked of split ones."""


def named(grammar: str, sisters: int) -> str:
    """How lines call a grammar: TIGER/2 sees two sisters."""
    return f"{grammar}/{sisters}"


def results(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    """All lines about the grammars, each trained once for every training set."""
    yield from _claims(by_grammar, suite, why)
    number = len(next(iter(by_grammar.values())))
    sets = f"{number} training set{'s' * (number != 1)}"
    yield from _errors(by_grammar, suite, f"Sums over {sets}; the primary class of each item.")
    yield from _scores(by_grammar, suite, f"Over {sets}.")


def accuracy(some: Sequence[Tried], phenomenon: str) -> float | None:
    """Per cent of the items that are shown in full, over all training sets."""
    counts = sum((grammar.outcomes(phenomenon, in_full=True) for grammar in some), start=Counter[str]())
    return 100 * counts[RIGHT] / counts.total() if counts else None


def _claims(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    """1 where the means over the training sets say so; the row has the means, and in how many sets it holds."""
    for claim, sisters in product(CLAIMS, SISTERS):
        names = [named(name, sisters) for name in (claim.more, claim.less)]
        more, less = ([claim.value(one) for one in by_grammar[name]] for name in names)
        sets = sum(one > other for one, other in zip(more, less, strict=True))
        row = f"{claim.said}: {names[0]} {fmean(more):.1f}, {names[1]} {fmean(less):.1f}, in {sets} of {len(more)} sets"
        holds = float(fmean(more) > fmean(less))
        yield Line(CLAIMS_TABLE, row, "true", "1", holds, suite=suite, why=why, basis=OTHER_DATA, kind="check")


def _errors(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    """Items of each class, summed over the training sets."""
    for phenomenon, meaning in PHENOMENA.items():
        key = table_of(phenomenon)
        counts = {
            name: sum((one.outcomes(phenomenon) for one in some), start=Counter[str]())
            for name, some in by_grammar.items()
        }
        for code, description in {RIGHT: meaning, **CLASSES[key], **UNCLASSED}.items():
            if code in UNCLASSED and not any(count[code] for count in counts.values()):
                continue
            for name, count in counts.items():
                row = f"{phenomenon} {code}: {description}"
                yield Line(
                    f"{TABLES[key]}, ours", row, "items", "", count[code], system=name, suite=suite, why=why
                )  # fmt: skip


def _scores(by_grammar: Mapping[str, Sequence[Tried]], suite: str, why: str) -> Iterator[Line]:
    for measure, title in SCORES.items():
        for name, some in by_grammar.items():
            values = [one.scores.value(measure) or 0.0 for one in some]
            for part, value in (("mean", fmean(values)), ("lowest", min(values)), ("highest", max(values))):
                yield Line(SCORES_TABLE, title, part, "", value, system=name, suite=suite, why=why)
    for phenomenon, meaning in PHENOMENA.items():
        for name, some in by_grammar.items():
            share = accuracy(some, phenomenon)
            if share is not None:
                row = f"{phenomenon}: {meaning}"
                yield Line(ACCURACY_TABLE, row, "per cent", "", share, system=name, suite=suite, why=why)


@dataclass(frozen=True, slots=True)
class TrainedGrammar:
    """How a grammar is made: its scheme, what becomes of gaps in training, and the form of its parses."""

    scheme: str
    gaps: str
    form: str


GRAMMARS: Mapping[str, TrainedGrammar] = {
    TIGER: TrainedGrammar("tiger", "raise", "raised"),
    SPLIT: TrainedGrammar("tiger", "split", "discontinuous"),
    TUEBADZ: TrainedGrammar("tuebadz", "raise", "discontinuous"),
}
"""TüBa-D/Z has no gaps, so its trees are learnt and judged as they are."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One grammar, trained once, on the suite."""

    judged: JudgedConstructions
    scores: BracketScores
    rules: int
    """Different rules in its training trees, as it learns them, without functions."""

    def outcomes(self, phenomenon: str, in_full: bool = False) -> Counter[str]:
        """How many items of the phenomenon are of each class; `in_full`: of those that its form of trees shows."""
        pairs = zip(self.judged.suite.items, self.judged.verdicts, strict=True)
        verdicts = [verdict for item, verdict in pairs if item.construction.phenomenon == phenomenon]
        return Counter(
            verdict.primary
            for verdict in verdicts
            if not (in_full and (verdict.hidden or verdict.primary == UNDECIDED))
        )


def training_trees(sentences: int, seed: int, suite: ConstructionSuite) -> dict[str, list[PhraseTree]]:
    """Generated sentences in both schemes, without those of the suite."""
    known = {item.tree.words for item in suite.items}
    kept = [
        sentence
        for sentence in generator("constructions")(sentences, seed).sentences
        if sentence.tiger.words not in known
    ]
    return {scheme: [one.tree(scheme) for one in kept] for scheme in ("tiger", "tuebadz")}


def tried(
    suites: Mapping[str, ConstructionSuite], training: Iterable[Mapping[str, list[PhraseTree]]]
) -> dict[str, list[Tried]]:
    """Each grammar, with each number of sisters, trained anew with the trees of each training set, by scheme."""
    by_grammar: dict[str, list[Tried]] = {named(name, sisters): [] for sisters in SISTERS for name in GRAMMARS}
    for trees in training:
        for (name, grammar), sisters in product(GRAMMARS.items(), SISTERS):
            suite = suites[grammar.scheme]
            if {tree.words for tree in trees[grammar.scheme]} & {item.tree.words for item in suite.items}:
                raise InputError("a sentence of the suite is in the training data", where=suite.name)
            gold = [item.tree for item in suite.items]
            parses = _parses(trees[grammar.scheme], grammar, sisters, [tree.words for tree in gold])
            shown, whole = formed(gold, {name: parses}, grammar.form, grammar.scheme)
            scores = with_heads(bracket_scores(shown, whole[name], GERMAN), gold, whole[name], grammar.scheme)
            judged = judge_trees(suite, name, parses, form=grammar.form)
            by_grammar[named(name, sisters)].append(Tried(judged, scores, _rules(trees[grammar.scheme], grammar)))
    return by_grammar


def _parses(
    trees: Sequence[PhraseTree], grammar: TrainedGrammar, sisters: int, sentences: Sequence[Sequence[str]]
) -> list[PhraseTree | None]:
    """Train a PCFG with functions on these trees, and parse these sentences with it."""
    options = {"functions": "yes", "horizontal": str(sisters), "gaps": grammar.gaps, "scheme": grammar.scheme}
    with TemporaryDirectory() as folder:
        write(trees, Path(folder) / "train.export")
        trained = train("pcfg", Path(folder) / "train.export", output=Path(folder) / "grammar.npz", options=options)
        return list(phrase_parser(trained.system).parse_trees(sentences))


def _rules(trees: Sequence[PhraseTree], grammar: TrainedGrammar) -> int:
    """Count the different ways in which a category is written as those of its children, without gaps."""
    rules = set()
    for tree in trees:
        inside = lowered(tree, frozenset())
        if grammar.gaps == "split":
            prepared = split(inside)
        else:
            prepared = raised(inside, lambda node: head_child(node, grammar.scheme))
        rules |= {(node.label, *(child.label for child in node.children)) for node in prepared.inner}
    return len(rules)


TABLE = "Section 2: the suite"
_COUNTED = {
    "forward conjunction reduction": "fcr", "subject gap with finite/fronted verb": "sgf",
    "coordination of unlike constituents": "cuc",
}  # fmt: skip
_BY_RULE = "Sentences that our rules find in this treebank; the paper's counts are of TIGER, Release 2, by others."


@dataclass(frozen=True)
class OwnMaterial:
    """The suite in each scheme, and the trees of each treebank whose sentences are not in it."""

    suites: Mapping[str, ConstructionSuite]
    training: Mapping[str, list[PhraseTree]]
    counts: Mapping[str, int]
    """Sentences of the TIGER treebank with each phenomenon."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Listed sentences that gave no item, by why."""

    def lines(self, printed: Mapping[str, str]) -> Iterator[Line]:
        """What the treebanks have beside the suite itself."""
        for row, phenomenon in _COUNTED.items():
            yield Line("Section 2: sentences of TIGER", row, "sentences", printed[row], self.counts.get(phenomenon, 0),
                       why=_BY_RULE, basis=OTHER_DATA)  # fmt: skip
        for row, number in self.lost.items():
            yield Line(TABLE, row, "sentences", "", number)
        for scheme, trees in self.training.items():
            yield Line(TABLE, f"{scheme}: sentences to train on, without the suite", "sentences", "", len(trees))


def own_material(own: OwnTreebanks) -> OwnMaterial:
    """Reads both treebanks, takes the suite from them, and leaves its sentences out of the training trees."""
    rows = read_list(own.listed) if own.listed else None
    suites, training, lost = dict[str, ConstructionSuite](), dict[str, list[PhraseTree]](), dict[str, int]()
    counts = Counter[str]()
    for scheme, source in (("tiger", own.tiger), ("tuebadz", own.tueba)):
        trees = read(source)
        if doubt := misgivings(trees, scheme):
            raise InputError(doubt, where=source, todo=f"name a treebank in the scheme {scheme}")
        hits = find_all(trees, scheme) if rows is None or scheme == "tiger" else []
        if scheme == "tiger":
            having = {(hit.construction.phenomenon, hit.tree) for hit in hits}
            counts = Counter(phenomenon for phenomenon, _ in having)
        if rows is None:
            chosen = sample(trees, hits, own.size)
        else:
            applied = apply_list(rows, trees, scheme)
            chosen = list(applied.found)
            lost |= {
                f"{scheme}: listed, but not in the treebank": len(applied.absent),
                f"{scheme}: in the treebank, but not found by the rules": len(applied.without),
            }
        if not chosen:
            todo = "is this the treebank that the list is of?" if rows is not None else "name a larger treebank"
            raise InputError("no sentence of the suite is here", where=source, todo=todo)
        suites[scheme] = as_suite(trees, chosen, name="TEPACOC", release="", scheme=scheme)
        known = {trees[hit.tree].words for hit in chosen}
        training[scheme] = [tree for tree in trees if tree.words not in known]
        if not training[scheme]:
            raise InputError("nothing is left to train on", where=source, todo="name the whole treebank")
    return OwnMaterial(suites, training, counts, lost)


SUITE = "de-constructions"
GROUPS = {
    "PP attachment": ("ppn", "ppv"), "extraposed relative clauses": ("erc",), "forward conjunction reduction": ("fcr",),
    "subject gap": ("sgf",), "unlike constituents": ("cuc",),
}  # fmt: skip
_OWN_SUITE = (
    f"Ours is bundled:{SUITE}: the same sentences in both schemes, written and generated for this project; the "
    "paper's are other sentences in each, of TIGER and TüBa-D/Z, which are licensed."
)
_PARTS = "Two treebanks, five phenomena, 20 sentences of each."
_CLASSES = "Tables 1 to 4 define error classes and print no numbers: ours are the classes that are told by rule."
_LICENSED = "TIGER is licensed: gardenpath suite make constructions counts what is in your copy."
_MANUALS = "The technical manuals were not published."
_SCHEMES = f"Counted in bundled:{SUITE}, with punctuation moved into the tree: at the root it makes gaps of its own."


def lines(
    data: Data, sentences: int | None = None, sets: int | None = None, own: OwnTreebanks | None = None
) -> list[Line]:
    """Every number of the paper, and ours where it has none. So many training sets of so many sentences each.

    `own` are the user's TIGER and TüBa-D/Z, which then are what suite and training sets are made of.
    """
    settings = PAPERS["tepacoc"].settings
    printed = published("tepacoc")
    if own is not None:
        return _of_own(printed, own_material(own), own)
    bundle = read_parallel(bundled(SUITE))
    suites = {scheme: bundle[scheme] for scheme in ("tiger", "tuebadz")}
    from_print = [*_make_up(printed, suites), *_classes(printed), *_licensed(printed), *_schemes(printed, suites)]
    return [*from_print, *_parsers(suites, sentences or settings["sentences"], sets or settings["sets"])]


def _of_own(printed: Mapping[str, Any], material: OwnMaterial, own: OwnTreebanks) -> list[Line]:
    """The same lines from treebanks of the user's; the suite of a published list is the paper's."""
    suites = material.suites
    source = f"{'the list' if own.listed else 'drawn'} from {own.tiger} and {own.tueba}"
    basis: Verdict = RECOMPUTED if own.listed else OTHER_DATA
    made = [replace(line, suite=suites["tiger"].name, why="", basis=basis) if line.basis == OTHER_DATA else line
            for line in _make_up(printed, suites)]  # fmt: skip
    stated = [*made, *_classes(printed), *_licensed(printed), *material.lines(printed["tiger"])]
    stated += [replace(line, suite=suites["tiger"].name, why="") for line in _schemes(printed, suites)]
    pcfg = kinds()["pcfg"]
    if not pcfg.installed:
        return [*stated, *_not_computed(pcfg.install)]
    why = (
        f"The suite is {source}; each grammar learnt the rest of its treebank, functions in the symbols. TIGER is "
        "learnt without gaps (raised) or with pieces for them (split); /1 and /2: a rule sees one or two sisters to "
        "the left. The paper's parsers were others."
    )
    return [*stated, *results(tried(suites, [material.training]), suites["tiger"].name, why)]


def _make_up(printed: Mapping[str, Any], suites: Mapping[str, ConstructionSuite]) -> Iterator[Line]:
    items = suites["tiger"].items
    numbers = printed["suite"]
    ours = {
        "sentences": sum(_sentences(suite) for suite in suites.values()),
        "sentences per treebank": _sentences(suites["tiger"]),
        "phenomena": sum(any(item.construction.phenomenon in parts for item in items) for parts in GROUPS.values()),
        "longest sentence allowed": max(len(item.tree) for item in items),
    }
    for row, value in ours.items():
        yield _suite_line(row, numbers[row], value)
    follows = {
        "sentences": 2 * int(numbers["sentences per treebank"]),
        "sentences per treebank": int(numbers["phenomena"]) * int(numbers["sentences per phenomenon and treebank"]),
    }
    for row, made in follows.items():
        yield replace(_suite_line(row, numbers[row], made), suite="", why=_PARTS, basis=ARITHMETIC)
    for name, parts in GROUPS.items():
        count = sum(item.construction.phenomenon in parts for item in items)
        yield _suite_line(f"{name}, in each treebank", numbers["sentences per phenomenon and treebank"], count)


def _suite_line(row: str, text: str, value: int) -> Line:
    measure = "tokens" if "longest" in row else "phenomena" if row == "phenomena" else "sentences"
    return Line(TABLE, row, measure, text, value, suite=SUITE, why=_OWN_SUITE, basis=OTHER_DATA)


def _sentences(suite: ConstructionSuite) -> int:
    return len({item.tree.words for item in suite.items})


def _classes(printed: Mapping[str, Any]) -> Iterator[Line]:
    """How many error classes each table has, and how many can be told by rule."""
    for key, text in printed["classes"].items():
        yield Line("Tables 1 to 4: error classes", TABLES[key], "classes", text, len(CLASSES[key]), why=_CLASSES,
                   basis=INPUT, kind="check")  # fmt: skip


def _licensed(printed: Mapping[str, Any]) -> Iterator[Line]:
    for row, text in printed["tiger"].items():
        yield Line("Section 2: sentences of TIGER", row, "sentences", text, None, why=_LICENSED)
    for row, text in printed["manuals"].items():
        yield Line("Section 2: sentences of TIGER", row, "per cent", text, None, why=_MANUALS)


def _schemes(printed: Mapping[str, Any], suites: Mapping[str, ConstructionSuite]) -> Iterator[Line]:
    """Section 2.1: TIGER is flat and has gaps, TüBa-D/Z is deep and has none."""
    trees = {scheme: [lowered(item.tree) for item in suite.items] for scheme, suite in suites.items()}
    table = "Section 2.1: what is said of the schemes"
    unary = sum(len(node.children) == 1 for tree in trees["tiger"] for node in tree.inner)
    gaps = {name: sum(node.has_gap for tree in some for node in tree.inner) for name, some in trees.items()}
    for (row, text), value in zip(printed["schemes"].items(), (unary, gaps["tuebadz"]), strict=True):
        yield Line(table, row, "phrases", text, value, suite=SUITE, why=_SCHEMES, basis=OTHER_DATA,
                   kind="check")  # fmt: skip
    size = {name: sum(len(tree.labels) for tree in some) / len(some) for name, some in trees.items()}
    rows = {
        f"TIGER has phrases with gaps: {gaps['tiger']}": gaps["tiger"] > 0,
        f"TüBa-D/Z is the deeper one: {size['tuebadz']:.1f} phrases a sentence, TIGER {size['tiger']:.1f}": (
            size["tuebadz"] > size["tiger"]
        ),
    }
    for row, holds in rows.items():
        yield Line(table, row, "true", "1", float(holds), suite=SUITE, why=_SCHEMES, basis=OTHER_DATA,
                   kind="check")  # fmt: skip


def _parsers(suites: Mapping[str, ConstructionSuite], sentences: int, sets: int) -> Iterator[Line]:
    """What grammars of both schemes make of the suite; without Numba, what is not computed."""
    pcfg = kinds()["pcfg"]
    if pcfg.installed:
        why = (
            f"Grammars of {sentences:,} generated sentences each that are not in the suite, the same in both schemes, "
            f"functions in the symbols; {sets} training set{'s' * (sets != 1)}. TIGER is learnt without gaps (raised) "
            "or with pieces for them (split); /1 and /2: a rule sees one or two sisters to the left. The paper's "
            "parsers and sentences were others."
        )
        training = (training_trees(sentences, seed, suites["tiger"]) for seed in range(1, sets + 1))
        yield from results(tried(suites, training), SUITE, why)
        return
    yield from _not_computed(pcfg.install)


def _not_computed(install: str) -> Iterator[Line]:
    why = f"The grammars need the extra pcfg: {install}"
    for claim, sisters in product(CLAIMS, SISTERS):
        row = f"{claim.said}: {named(claim.more, sisters)}, {named(claim.less, sisters)}"
        yield Line(CLAIMS_TABLE, row, "true", "1", None, suite=SUITE, why=why, kind="check")
