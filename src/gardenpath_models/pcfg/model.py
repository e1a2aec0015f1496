"""PCFG: grammar and lexicon, learned from trees, asked for trees and surprisals, and stored.

The file is a .npz of arrays without pickles. It is checked when it is read, and the same model has the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.boundary import ABOUT, read_arrays, reading, text_array
from gardenpath.errors import FailedOnInput, InputError, UsageError
from gardenpath.phrase import ROOT, SCHEMES, PhraseTree, grown

from .chart import ChartTooLarge, Floats, Forest, Hypergraph, Integers, Item, PCFGGrammar, chart_of
from .latent.split_grammar import SplitGrammar, split_chart
from .latent.split_merge import Progress, Schedule, learn_split, material
from .lexicon import Lexicon, Vocabulary, learned, open_vocabulary, scores_of_tags
from .prefix_chart import PrefixGrammar, PrefixScores
from .treebank_grammar import BACKOFF, GAPS, LEAST, SPLIT, Estimator, Preparation, counted, tags_at_root

LONGEST = 250
"""Tokens of the longest sentence that is parsed: time grows with the cube."""
MOST = 50
"""Derivations that can be asked for."""


@dataclass(frozen=True)
class PCFG:
    """A grammar that parses, and expects words."""

    grammar: PCFGGrammar
    lexicon: Lexicon | Vocabulary
    """What was learned of words, or p(word | tag) as it was written down."""
    preparation: Preparation
    split: SplitGrammar | None = None
    """Of a latent-variable grammar: its rules with subsymbols; the tags of the lexicon are then subtags."""

    @property
    def size(self) -> dict[str, int]:
        """What the grammar has how many of."""
        return self.grammar.size | ({} if self.split is None else {"subsymbols": int(self.split.sizes.sum())})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return open_vocabulary(self.lexicon) if isinstance(self.lexicon, Lexicon) else self.lexicon

    @cached_property
    def prefixes(self) -> PrefixGrammar:
        return PrefixGrammar(self.grammar if self.split is None else self.split.expanded)

    def word_scores(self, sentence: Sequence[str]) -> PrefixScores:
        """The surprisal of every word and of the end, summed over all trees."""
        if not 0 < len(sentence) <= LONGEST:
            raise FailedOnInput(
                f"a sentence of {len(sentence)} tokens cannot be scored", todo=f"give one of 1 to {LONGEST} tokens"
            )
        return self.prefixes.scores(np.ascontiguousarray(self.vocabulary.probabilities(sentence)[:, self._tag_at]))

    @cached_property
    def _tag_at(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The tag of each preterminal (with subsymbols: the subtag of each of its own), as the lexicon numbers it."""
        if self.split is not None:
            return self.split.subtags
        places = {tag: number for number, tag in enumerate(self.lexicon.tags)}
        return np.array([places[tag] for tag in self.grammar.labels[: self.grammar.preterminals]], np.int64)

    def chart(self, sentence: Sequence[str], tags: Sequence[str] | None = None) -> Hypergraph:
        """p(word | tag) does not depend on the function of a token, so its preterminals share it."""
        if self.split is not None:
            assert isinstance(self.lexicon, Lexicon)  # whoever writes a grammar writes no subsymbols
            return split_chart(self.split, self.lexicon, sentence, tags=tags)
        emissions: Floats = np.ascontiguousarray(self.lexicon.scores(sentence)[:, self._tag_at])
        labels = self.grammar.labels[: self.grammar.preterminals]
        return chart_of(self.grammar, scores_of_tags(emissions, labels, tags))

    def parse(self, sentence: Sequence[str], tags: Sequence[str] | None = None) -> PhraseTree | None:
        """The best tree; None where there is none, the sentence is empty, longer than LONGEST, or its chart is too
        large. `tags` are those of its tokens, where they are given."""
        try:
            best = self.nbest(sentence, 1, tags) if 0 < len(sentence) <= LONGEST else []
        except ChartTooLarge:
            best = []
        return best[0][1] if best else None

    def nbest(
        self, sentence: Sequence[str], k: int, tags: Sequence[str] | None = None
    ) -> list[tuple[float, PhraseTree]]:
        """The k best derivations, exactly, with their log scores; two of them can give the same tree only where
        pieces were merged or punctuation was moved. The scores are of one sentence: log p up to a constant."""
        if not 1 <= k <= MOST:
            raise UsageError(f"{k} trees cannot be asked for", todo=f"give a number from 1 to {MOST}")
        if not 0 < len(sentence) <= LONGEST:
            raise UsageError(
                f"a sentence of {len(sentence)} tokens cannot be parsed", todo=f"give one of 1 to {LONGEST} tokens"
            )
        chart = self.chart(sentence, tags)
        if chart.score(chart.root) == -np.inf:
            return []
        forest = Forest(chart, k)
        trees = []
        for rank in range(k):
            derivation = forest.derivation(chart.root, rank)
            if derivation is None:
                break
            trees.append((derivation.score, self.preparation.restored(tree_of(forest, sentence, rank))))
        return trees


def learn(
    trees: Sequence[PhraseTree],
    *,
    vertical: int = 2,
    horizontal: int = 2,
    functions: bool = False,
    gaps: str = "raise",
    scheme: str = "",
    backoff: float = BACKOFF,
    least: float = LEAST,
    latent: int = 0,
    seed: int = 0,
    tell: Progress = lambda _: None,
) -> PCFG:
    """The grammar and lexicon of trees; those without tokens teach nothing. `latent` is how often symbols are split;
    their halves differ by chance at first, by `seed`."""
    trees = [tree for tree in trees if len(tree)]
    if not trees:
        raise UsageError("there are no trees to learn from")
    preparation = Preparation(gaps, scheme, tags_at_root(trees, scheme))
    ready = [preparation.prepared(tree) for tree in trees]
    counts = counted(ready, vertical=vertical, horizontal=horizontal, functions=functions, pieces=gaps == SPLIT)
    if latent:
        given = material(ready, counts, backoff=backoff, least=least)
        if left_out := len(ready) - len(given.trees):
            tell(f"warning: {left_out} trees are left out, whose chains of single children are too long or too rare")
        split, lexicon = learn_split(given, Schedule(latent), seed, tell)
        return PCFG(given.grammar, lexicon, preparation, split)
    grammar = Estimator(counts, backoff=backoff, least=least).grammar()
    tags = sorted({tag for _, tag, _ in counts.words})
    return PCFG(grammar, learned(counts.words, tags), preparation)


def tree_of(forest: Forest, words: Sequence[str], rank: int = 0) -> PhraseTree:
    """The tree of the derivation of this rank, which there is, as the grammar draws it."""
    chart, grammar = forest.chart, forest.chart.grammar
    size = len(words)
    tags, functions, mothers = [""] * size, [""] * size, [ROOT] * size
    labels: list[str] = []
    inner_functions: list[str] = []
    inner_mothers: list[int] = []
    waiting: list[tuple[Item, int, int]] = [(chart.root, rank, ROOT)]
    while waiting:
        item, which, mother = waiting.pop()
        made = forest.derivation(item, which)
        assert made is not None  # the chart says that it can be made
        if item.layer != "state" and item.symbol < grammar.preterminals:
            tags[item.begin], functions[item.begin] = grammar.labels[item.symbol], grammar.functions[item.symbol]
            mothers[item.begin] = mother
        elif item.layer == "whole":
            for symbol in (item.symbol, *grammar.chain_paths[made.edge.chain]):
                if symbol >= grammar.preterminals and symbol != grammar.root:
                    labels.append(grammar.labels[symbol])
                    inner_functions.append(grammar.functions[symbol])
                    inner_mothers.append(mother)
                    mother = size + len(labels) - 1
        for tail, number in zip(made.edge.tails, made.ranks, strict=True):
            waiting.append((tail, number, mother))
    return grown(words, tags, labels, [*functions, *inner_functions], [*mothers, *inner_mothers])


FORMAT = "gardenpath-pcfg 1"
MOST_SUBSYMBOLS = 1024
_ZIP = b"PK\x03\x04"
_NUMBERS = "chain_top chain_bottom pair_left pair_right rule_left rule_pair last_state last_symbol".split()
_SCORES = ("chain_score", "rule_score", "last_score")


def save(model: PCFG, path: Path) -> None:
    """The arrays as they are: no time is in the file."""
    grammar, lexicon, preparation = model.grammar, model.lexicon, model.preparation
    assert isinstance(lexicon, Lexicon)  # a grammar that somebody wrote is a file already
    about = {
        "format": FORMAT,
        "preterminals": grammar.preterminals,
        "root": grammar.root,
        "states": grammar.states,
        "gaps": preparation.gaps,
        "scheme": preparation.scheme,
        "at_root": sorted(preparation.at_root),
        "labels": grammar.labels,
        "functions": grammar.functions,
        "tags": lexicon.tags,
        "words": lexicon.words,
        "classes": lexicon.classes,
    }
    paths = grammar.chain_paths
    arrays: dict[str, NDArray[np.generic]] = {
        ABOUT: text_array(json.dumps(about, ensure_ascii=False)),
        **{name: getattr(grammar, name).astype("<i4") for name in _NUMBERS},
        **{name: getattr(grammar, name).astype("<f8") for name in _SCORES},
        "path_lengths": np.array([len(path) for path in paths], "<i4"),
        "path_symbols": np.array([symbol for path in paths for symbol in path], "<i4"),
        "word_starts": lexicon.word_starts.astype("<i4"),
        "word_tags": lexicon.word_tags.astype("<i4"),
        "word_counts": lexicon.word_counts.astype("<f8" if model.split else "<i4"),
        "class_tags": lexicon.class_tags.astype("<f8"),
    }
    if model.split:
        arrays |= {name: getattr(model.split, name).astype("<i4") for name in ("sizes", "emission_at")}
        arrays["split_values"] = model.split.values.astype("<f8")
    with path.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def check_kind(path: Path) -> None:
    """Raises, without loading it, where this file is not a PCFG of ours."""
    with path.open("rb") as stream:
        if not stream.read(4).startswith(_ZIP):
            raise InputError("this is not a PCFG", where=str(path), todo="train one: gardenpath train pcfg")


def load(path: Path) -> PCFG:
    """The model of a file; everything that a chart relies on is checked, since Numba checks no bounds."""
    what, todo = "this PCFG is damaged or no PCFG", "train it again"
    about, arrays = read_arrays(path, FORMAT, what, todo)
    with reading(what, str(path), todo):
        grammar = _grammar(about, arrays)
        lexicon = _lexicon(about, arrays)
        split = _split(grammar, arrays, len(lexicon.tags)) if "split_values" in arrays else None
        if split is None and not set(grammar.labels[: grammar.preterminals]) <= set(lexicon.tags):
            raise ValueError("its tags do not fit")
        if about["gaps"] not in GAPS or about["scheme"] not in ("", *SCHEMES):
            raise ValueError("its preparation of trees is not known")
        preparation = Preparation(about["gaps"], about["scheme"], frozenset(_strings(about["at_root"])))
    return PCFG(grammar, lexicon, preparation, split)


def _split(grammar: PCFGGrammar, arrays: dict[str, NDArray[np.generic]], subtags: int) -> SplitGrammar:
    sizes, emission_at, values = _ints(arrays, "sizes"), _ints(arrays, "emission_at"), arrays["split_values"]
    if len(sizes) != grammar.symbols + grammar.states or not ((sizes > 0) & (sizes <= MOST_SUBSYMBOLS)).all():
        raise ValueError("its subsymbols do not fit")
    ends = emission_at + sizes[: grammar.preterminals] if len(emission_at) == grammar.preterminals else emission_at - 1
    if not (emission_at >= 0).all() or not (ends > emission_at).all() or ends.max(initial=0) != subtags:
        raise ValueError("its subtags do not fit")
    split = SplitGrammar(grammar, sizes, emission_at, np.ascontiguousarray(values, np.float64))
    if values.dtype != np.dtype("<f8") or values.shape != (int(split.starts[-1]),) or not len(grammar.chain_top):
        raise ValueError("its split rules do not fit")
    if not (np.isfinite(split.values).all() and (split.values >= 0).all() and (split.values <= 1 + 1e-9).all()):
        raise ValueError("its split rules have probabilities that are none")
    empty = np.array([not path for path in grammar.chain_paths], bool)
    if sizes[grammar.root] != 1 or not (sizes[grammar.chain_top] == sizes[grammar.chain_bottom])[empty].all():
        raise ValueError("its subsymbols do not fit")
    return split


def _grammar(about: dict[str, object], arrays: dict[str, NDArray[np.generic]]) -> PCFGGrammar:
    labels, functions = _strings(about["labels"]), _strings(about["functions"])
    preterminals, root, states = (_whole(about[name]) for name in ("preterminals", "root", "states"))
    symbols, pairs = len(labels), len(arrays["pair_left"])
    if not (len(functions) == symbols and 0 < preterminals <= root < symbols):
        raise ValueError("its symbols do not fit")
    numbers = {name: _ints(arrays, name) for name in _NUMBERS}
    scores = {name: _floats(arrays, name) for name in _SCORES}
    for names, bounds in (
        (("chain_bottom", "chain_top", "chain_score"), (symbols, symbols)),
        (("pair_left", "pair_right"), (symbols, states)),
        (("rule_pair", "rule_left", "rule_score"), (pairs, symbols + states)),
        (("last_symbol", "last_state", "last_score"), (symbols, states)),
    ):
        columns = [numbers[name] if name in numbers else scores[name] for name in names]
        if len({len(column) for column in columns}) > 1:
            raise ValueError(f"its {names[0]} and {names[1]} do not fit")
        for name, bound in zip(names, bounds, strict=False):
            _within(numbers[name], bound, name)
        if (np.diff(numbers[names[0]]) < 0).any():
            raise ValueError(f"its {names[0]} is not in order")
    if (numbers["chain_top"] < preterminals).any() or (numbers["rule_left"] < preterminals).any():
        raise ValueError("its rules have tags for mothers")
    lengths, flat = _ints(arrays, "path_lengths"), _ints(arrays, "path_symbols")
    if len(lengths) != len(scores["chain_score"]) or (lengths < 0).any() or int(lengths.sum()) != len(flat):
        raise ValueError("its chains do not fit")
    _within(flat, symbols, "path_symbols")
    ends = np.cumsum(lengths).tolist()
    symbols_of = flat.tolist()
    paths = [tuple(symbols_of[end - length : end]) for end, length in zip(ends, lengths.tolist(), strict=True)]
    return PCFGGrammar(
        labels, functions, preterminals, root, states,
        numbers["chain_top"], numbers["chain_bottom"], scores["chain_score"], paths,
        numbers["pair_left"], numbers["pair_right"], numbers["rule_left"], numbers["rule_pair"], scores["rule_score"],
        numbers["last_state"], numbers["last_symbol"], scores["last_score"],
    )  # fmt: skip


def _lexicon(about: dict[str, object], arrays: dict[str, NDArray[np.generic]]) -> Lexicon:
    tags, words, classes = (_strings(about[name]) for name in ("tags", "words", "classes"))
    starts, word_tags = (_ints(arrays, name) for name in ("word_starts", "word_tags"))
    counts: Integers | Floats
    if "split_values" in arrays:  # expected counts
        given = arrays["word_counts"]
        counts = np.ascontiguousarray(given, np.float64)
        if given.ndim != 1 or given.dtype != np.dtype("<f8") or not np.isfinite(counts).all():
            raise ValueError("its word_counts is no column of numbers")
    else:
        counts = _ints(arrays, "word_counts")
    rows = arrays["class_tags"]
    if rows.dtype.kind != "f" or rows.shape != (len(classes), len(tags)) or not classes:
        raise ValueError("its classes of words do not fit")
    shares = rows.astype(np.float64)
    if not (np.isfinite(shares).all() and (shares >= 0).all()):
        raise ValueError("its classes of words have probabilities that are none")
    if len(starts) != len(words) + 1 or starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] != len(counts):
        raise ValueError("its words do not fit")
    if len(word_tags) != len(counts) or not (counts >= 0).all():
        raise ValueError("its counts of words do not fit")
    _within(word_tags, len(tags), "word_tags")
    return Lexicon(tags, words, starts, word_tags, counts, classes, shares)


def _ints(arrays: dict[str, NDArray[np.generic]], name: str) -> Integers:
    array = arrays[name]
    if array.ndim != 1 or array.dtype != np.dtype("<i4"):
        raise ValueError(f"its {name} is not a column of numbers")
    return np.ascontiguousarray(array, np.int32)


def _floats(arrays: dict[str, NDArray[np.generic]], name: str) -> Floats:
    array: Any = arrays[name]
    if array.ndim != 1 or array.dtype != np.dtype("<f8") or not (np.isfinite(array) & (array <= 1e-9)).all():
        raise ValueError(f"its {name} has no probabilities")
    return np.ascontiguousarray(array, np.float64)


def _within(numbers: Integers, bound: int, name: str) -> None:
    if len(numbers) and not (int(numbers.min()) >= 0 and int(numbers.max()) < bound):
        raise ValueError(f"its {name} names what is not there")


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("its names are not text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        raise ValueError(f"{value!r} is not a number")
    return value
