"""`pcfg`: the best tree of a sentence against NLTK's ViterbiParser, growth with length, and surprisals of words."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence

import numpy as np

from gardenpath.data import bundled
from gardenpath.phrase import ROOT, PhraseTree, grown
from gardenpath.suites.generation import sentences as texts
from gardenpath.treebank import Treebank, tree_mask
from gardenpath_models.pcfg.chart import Floats, Forest, chart_of
from gardenpath_models.pcfg.model import PCFG, learn
from gardenpath_models.pcfg.written import read_written

from .measure import BenchmarkError, in_process, interleaved
from .setting import FULL, Setting, missing
from .table import Cell, Row, Table, Target, at_least, compared

_OURS, _NLTK = "gardenpath", "NLTK ViterbiParser"
_TREES, _SENTENCES = 400, 3
_LEAST = 260
"""Trees among which the bundled treebanks have short ones."""
_LENGTHS = (3, 5)
"""NLTK takes seconds for eight words, and stops after five: it gets sentences of so many, and a small grammar."""
_GROWTH = (10, 20, 40, 80)
_SCORED = (10, 20)
"""Words of the sentences whose surprisals are computed."""
_DRAWN = 5_000


def run(setting: Setting) -> list[Table]:
    share = min(1.0, setting.size / FULL)
    trees = phrase_trees(setting, max(_LEAST, round(_TREES * share)))
    tables = [_growth(trees, setting, share), _surprisals(setting)]
    absent = missing(NLTK="nltk")
    if absent:
        tables[0].notes += absent.values()
        return tables
    return [_compared(trees, setting, share), *tables]


def phrase_trees(setting: Setting, count: int) -> list[PhraseTree]:
    """Trees of dependencies as phrases: a node over every word that has dependents, named by its part of speech."""
    found: list[PhraseTree] = []
    for block in setting.corpus.blocks():
        treebank = Treebank(block)
        treebank = treebank.select(tree_mask(treebank.heads, treebank.offsets))
        upos, forms = (treebank.column(name).strings() for name in ("upos", "form"))
        for begin, end in zip(treebank.offsets[:-1].tolist(), treebank.offsets[1:].tolist(), strict=True):
            found.append(_phrases(forms[begin:end], upos[begin:end], treebank.heads[begin:end].tolist()))
            if len(found) == count:
                return found
    return found


def _phrases(words: Sequence[str], tags: Sequence[str], heads: Sequence[int]) -> PhraseTree:
    size = len(words)
    phrase = {head - 1: size + at for at, head in enumerate(sorted({head for head in heads if head}))}
    mothers = [phrase.get(word, phrase.get(heads[word] - 1, ROOT)) for word in range(size)]
    mothers += [phrase.get(heads[word] - 1, ROOT) for word in phrase]
    return grown(words, tags, [f"{tags[word]}P" for word in phrase], [""] * len(mothers), mothers)


def _compared(trees: list[PhraseTree], setting: Setting, share: float) -> Table:
    short = [tree for tree in trees if _LENGTHS[0] <= len(tree) <= _LENGTHS[1]]
    sentences = [tree.words for tree in short[: max(2, round(_SENTENCES * share))]]
    model = learn(trees[:10], vertical=1, horizontal=1, least=0.01)
    words = sorted({word for sentence in sentences for word in sentence})
    lexical = _lexical(model, words)
    peer = _nltk(model, words, lexical)
    place = {word: number for number, word in enumerate(words)}
    scores = {sentence: np.log(lexical[[place[word] for word in sentence]]) for sentence in sentences}
    sentences = [sentence for sentence in sentences if _has_parse(model, scores[sentence])]
    emissions = [scores[sentence] for sentence in sentences]
    if not sentences:
        raise BenchmarkError(f"no sentence of {_LENGTHS[0]} to {_LENGTHS[1]} words has a parse")

    def ours() -> list[float]:
        return [_best(model, emission) for emission in emissions]

    def theirs() -> list[float]:
        return [math.log(next(iter(peer.parse(sentence))).prob()) for sentence in sentences]

    if not np.allclose(ours(), theirs()):
        raise BenchmarkError(f"NLTK finds other best trees: {ours()}, {theirs()}")
    contestants = {_OURS: in_process(ours), _NLTK: in_process(theirs)}
    rows = compared(interleaved(contestants, setting.repeats, setting.tell), ours=_OURS, targets={_NLTK: at_least(100)})
    size = model.grammar.size
    lengths = sorted({len(sentence) for sentence in sentences})
    notes = [
        f"{len(sentences)} sentences of {lengths[0]} to {lengths[-1]} words, {size['rules']} rules, the same for both",
        "the probabilities of the best trees are equal; Numba's compilation is not counted",
    ]
    return Table("pcfg: the best tree (one process, CPU time)", rows, notes)


def _lexical(model: PCFG, words: Sequence[str]) -> Floats:
    """p(word | preterminal) over these words: a row per word, columns that sum to 1."""
    tags = {tag: number for number, tag in enumerate(model.lexicon.tags)}
    shares = np.array([model.lexicon.tag_shares(word, False) for word in words]) + 1e-9
    columns: Floats = shares[:, [tags[tag] for tag in model.grammar.labels[: model.grammar.preterminals]]]
    return columns / columns.sum(axis=0)


def _has_parse(model: PCFG, emissions: Floats) -> bool:
    chart = chart_of(model.grammar, emissions)
    return chart.score(chart.root) > -math.inf


def _best(model: PCFG, emissions: Floats) -> float:
    """The score of the best tree, which is looked up to its leaves."""
    chart = chart_of(model.grammar, emissions)
    forest, waiting = Forest(chart), [chart.root]
    while waiting:
        found = forest.derivation(waiting.pop(), 0)
        assert found is not None
        waiting += found.edge.tails
    return chart.score(chart.root)


def _nltk(model: PCFG, words: Sequence[str], lexical: Floats):  # type: ignore[no-untyped-def]
    """The grammar in NLTK's terms: symbols with their chains (w), without (b), and states (s)."""
    import nltk
    from nltk import Nonterminal, ProbabilisticProduction, ViterbiParser

    grammar = model.grammar
    found: dict[tuple[str, tuple[str | Nonterminal, ...]], float] = {}

    def add(left: str, right: tuple[str | Nonterminal, ...], probability: float) -> None:
        found[left, right] = max(found.get((left, right), 0.0), probability)

    def target(number: int) -> str:
        return f"b{number}" if number < grammar.symbols else f"s{number - grammar.symbols}"

    for symbol in range(grammar.preterminals):
        add(f"w{symbol}", (Nonterminal(f"b{symbol}"),), 1.0)
        for number, word in enumerate(words):
            add(f"b{symbol}", (word,), float(lexical[number, symbol]))
    for top, bottom, score in zip(grammar.chain_top, grammar.chain_bottom, grammar.chain_score, strict=True):
        add(f"w{top}", (Nonterminal(f"b{bottom}"),), math.exp(score))
    for left, pair, score in zip(grammar.rule_left, grammar.rule_pair, grammar.rule_score, strict=True):
        right = Nonterminal(f"w{grammar.pair_left[pair]}"), Nonterminal(f"s{grammar.pair_right[pair]}")
        add(target(int(left)), right, math.exp(score))
    for state, symbol, score in zip(grammar.last_state, grammar.last_symbol, grammar.last_score, strict=True):
        add(f"s{state}", (Nonterminal(f"w{symbol}"),), math.exp(score))
    # A bottom that several chains lead to counts once, for its best one: probabilities below 1 are topped up.
    missing_mass: dict[str, float] = {}
    for (left, _), probability in found.items():
        missing_mass[left] = missing_mass.get(left, 0.0) + probability
    for left, total in missing_mass.items():
        if total < 1:
            add(left, ("\x00",), 1 - total)
    productions = [
        ProbabilisticProduction(Nonterminal(left), right, prob=probability)
        for (left, right), probability in found.items()
    ]
    # Newer versions stop after five seconds unless they are told not to.
    limit = {"max_time": None} if "max_time" in inspect.signature(ViterbiParser).parameters else {}
    return ViterbiParser(nltk.PCFG(Nonterminal(f"w{grammar.root}"), productions), **limit)


def _growth(trees: list[PhraseTree], setting: Setting, share: float) -> Table:
    """Time and chart over length, with a grammar of all trees."""
    model = learn(trees)
    text = [word for tree in trees for word in tree.words]
    rows = []
    for length in sorted({max(4, round(length * max(share, 0.1))) for length in _GROWTH}):
        sentences = [text[begin : begin + length] for begin in range(0, len(text) - length, length)][:3]
        model.parse(sentences[0])  # compiled and warm
        costs = interleaved(
            {_OURS: in_process(lambda given=sentences: [model.parse(one) for one in given])},  # type: ignore[misc]
            setting.repeats,
            setting.tell,
        )[_OURS]
        cells: dict[str, Cell] = {
            "words": str(length),
            "sentences/s": len(sentences) / max(costs.cpu, 1e-9),
            "ms": 1000 * costs.cpu / len(sentences),
            "chart entries": str(model.chart(sentences[0]).entries),
        }
        rows.append(Row(cells, Target("sentences/s", ">=", 5, "/s") if length == 20 else None, costs))
    size = ", ".join(f"{count} {name}" for name, count in model.grammar.size.items())
    return Table(
        f"pcfg: growth over the length of a sentence (one process, CPU time): {size}",
        rows,
        ["running text of the corpus cut into pieces; dependency trees as phrases; Numba's compilation is not counted"],
    )


def _surprisals(setting: Setting) -> Table:
    """Exact surprisals of all words under the bundled grammar, in sentences that are drawn from it."""
    model = read_written(bundled("en-grammar"))
    drawn = list(texts("en", _DRAWN, seed=1))
    rows = []
    for length in _SCORED:
        sentences = [words for words in drawn if len(words) == length][:5]
        model.word_scores(sentences[0])  # compiled and warm
        contestant = in_process(lambda given=sentences: [model.word_scores(words) for words in given])  # type: ignore[misc]
        costs = interleaved({_OURS: contestant}, setting.repeats, setting.tell)[_OURS]
        cells: dict[str, Cell] = {"words": str(length), "ms": 1000 * costs.cpu / len(sentences)}
        rows.append(Row(cells, Target("ms", "<=", 50, " ms") if length == _SCORED[-1] else None, costs))
    size = ", ".join(f"{count} {name}" for name, count in model.grammar.size.items())
    notes = [
        "sentences drawn from the grammar; prefix probabilities, nothing pruned; Numba's compilation is not counted"
    ]
    return Table(f"pcfg: surprisals under bundled:en-grammar (one process, CPU time): {size}", rows, notes)
