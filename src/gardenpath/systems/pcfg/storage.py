"""A PCFG on the disk: arrays in a .npz without pickles, checked when they are read; the same model, the same bytes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...boundary.arrays import ABOUT, read_arrays, text_array
from ...boundary.faults import reading
from ...errors import InputError
from ...phrase.schemes.registry import SCHEMES
from .grammar import Floats, Integers, PCFGGrammar
from .latent.split_grammar import SplitGrammar
from .lexicon import Lexicon
from .model import PCFG
from .preparation import GAPS, Preparation

FORMAT = "gardenpath-pcfg 1"
MOST_SUBSYMBOLS = 1024
_ZIP = b"PK\x03\x04"
_NUMBERS = (
    "chain_top",
    "chain_bottom",
    "pair_left",
    "pair_right",
    "rule_left",
    "rule_pair",
    "last_state",
    "last_symbol",
)
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
    if sizes[grammar.root] != 1 or not (sizes[grammar.chain_top] == sizes[grammar.chain_bottom])[_empty(grammar)].all():
        raise ValueError("its subsymbols do not fit")
    return split


def _empty(grammar: PCFGGrammar) -> NDArray[np.bool_]:
    return np.array([not path for path in grammar.chain_paths], bool)


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
    counts = _expected_counts(arrays["word_counts"]) if "split_values" in arrays else _ints(arrays, "word_counts")
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
    array = arrays[name]
    if array.ndim != 1 or array.dtype != np.dtype("<f8"):
        raise ValueError(f"its {name} has no probabilities")
    scores = np.ascontiguousarray(array, np.float64)
    if not np.isfinite(scores).all() or (scores > 1e-9).any():
        raise ValueError(f"its {name} has no probabilities")
    return scores


def _expected_counts(array: NDArray[np.generic]) -> Floats:
    counts = np.ascontiguousarray(array, np.float64)
    if array.ndim != 1 or array.dtype != np.dtype("<f8") or not np.isfinite(counts).all():
        raise ValueError("its word_counts is no column of numbers")
    return counts


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
