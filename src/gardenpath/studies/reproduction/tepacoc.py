"""TEPACOC (Kübler, Rehbein and van Genabith 2009): the suite's make-up, and what its text says of two schemes.

The paper has no results of parsers. Ours, on the parallel suite, stand alone; what its text says of results is a line,
1 for true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from ...data.bundle import bundled
from ...phrase.punctuation import lowered
from ...suites.constructions.model import ConstructionSuite
from ...suites.constructions.storage import read_parallel
from ...systems.registry import kinds
from ..constructions.verdict import CLASSES
from .line import ARITHMETIC, INPUT, OTHER_DATA, RECOMPUTED, Line, Verdict
from .paper import PAPERS, Data, published
from .tepacoc_results import CLAIMS, CLAIMS_TABLE, SISTERS, TABLES, named, results
from .tepacoc_treebanks import TABLE, OwnMaterial, OwnTreebanks, own_material

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
_LICENSED = "TIGER is licensed: gardenpath constructions find counts what is in your copy."
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
    from .tepacoc_parsers import tried

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
        from .tepacoc_parsers import training_trees, tried

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
