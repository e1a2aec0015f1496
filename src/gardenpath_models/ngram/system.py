"""`ngram:FILE`: n-gram models as a system, their files (ARPA or .npz), and how they are trained."""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from gardenpath.boundary import ABOUT, read_arrays, reading, text_array
from gardenpath.errors import InputError, UsageError, unknown_name
from gardenpath.runs import describe_input, signature
from gardenpath.systems import Habits, Outcome, Sentences, TextPlan, TextTrainer, other_kind

from .counts import ORDERS, SPECIAL, UNKNOWN_ID, Scratch, encoded
from .kneser_ney import FALLBACK, estimate, prune_limits
from .model import BackoffModel, Level, is_arpa, read_arpa, write_arpa

FORMAT = "gardenpath-ngram 1"
_ZIP, _GZIP, _XZ = b"PK\x03\x04", b"\x1f\x8b", b"\xfd7zXZ"
_ROWS = 1 << 20
_KENLM = b"mmap lm http://kheafield.com/code"


def save(model: BackoffModel, path: Path) -> None:
    """ARPA where the name ends with .arpa or .arpa.gz, else .npz; both in single precision. No time is in it, so
    that the same model is the same bytes."""
    name = path.name.lower()
    if name.endswith(".arpa"):
        with path.open("wb") as stream:
            write_arpa(model, stream)
    elif name.endswith(".arpa.gz"):
        import gzip

        with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
            write_arpa(model, packed)  # type: ignore[arg-type]
    else:
        arrays: dict[str, tuple[NDArray[Any], str]] = {
            ABOUT: (text_array(json.dumps(_about(model))), "|u1"),
            "words": (text_array("\n".join(model.words)), "|u1"),
        }
        for order, level in enumerate(model.levels, 1):
            if order > 1:
                arrays[f"keys{order}"] = level.keys, "<i8"
            arrays[f"logprob{order}"] = level.logprob, "<f4"
            if order < model.order:
                arrays[f"backoff{order}"] = level.backoff, "<f4"
        with path.open("wb") as stream, ZipFile(stream, "w") as packed:
            for name, (array, dtype) in arrays.items():
                with packed.open(f"{name}.npy", "w", force_zip64=True) as part:
                    _write_array(part, array, dtype)


def _about(model: BackoffModel) -> dict[str, Any]:
    """What a file says of its model; models without classes are the bytes that they always were."""
    classes = {"classes": len(model.classes)} if model.classes else {}
    return {"format": FORMAT, "counts": model.counts, **classes}


def _write_array(stream: IO[bytes], array: NDArray[Any], dtype: str) -> None:
    """As NumPy writes it, block by block: an array that is mapped from a file never is in memory as a whole."""
    header = {"descr": dtype, "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(stream, header)
    for start in range(0, len(array), _ROWS):
        stream.write(np.ascontiguousarray(array[start : start + _ROWS], dtype).data)
        if isinstance(array, np.memmap) and hasattr(mmap, "MADV_DONTNEED"):
            array._mmap.madvise(mmap.MADV_DONTNEED)  # type: ignore[attr-defined]


def check_kind(path: Path) -> None:
    """Raises, without loading it, where this file is not an n-gram model."""
    with path.open("rb") as stream:
        begin = stream.read(1 << 16)
    if begin.startswith(_KENLM):
        raise InputError("this is a binary file of KenLM", where=str(path), todo="give the ARPA file it was made of")
    if not begin.startswith((_ZIP, _GZIP, _XZ)) and not is_arpa(begin):
        raise InputError(
            "this is not an n-gram model",
            where=str(path),
            todo="give an ARPA file, or train one: gardenpath train ngram",
        )


def load(path: Path) -> BackoffModel:
    """The model of a file, told by its content."""
    with path.open("rb") as stream:
        begin = stream.read(8)
    if not begin.startswith(_ZIP):
        return read_arpa(path)
    what, todo = "this n-gram model is damaged or no n-gram model", "train it again"
    about, arrays = read_arrays(path, FORMAT, what, todo)
    with reading(what, str(path), todo):
        words = arrays["words"].tobytes().decode("utf-8").split("\n")
        levels = [_level(arrays, order, about["counts"]) for order in range(1, len(about["counts"]) + 1)]
        classes = words[len(SPECIAL) :][: int(about.get("classes", 0))]
        model = BackoffModel(words, levels, tuple(classes))
        _check(model)
    return model


def _level(arrays: Mapping[str, NDArray[Any]], order: int, counts: list[int]) -> Level:
    size, logprob = int(counts[order - 1]), arrays[f"logprob{order}"]
    if logprob.shape != (size,):
        raise ValueError(f"its {order}-grams are not {size} numbers")
    keys = arrays[f"keys{order}"] if order > 1 else np.arange(size)
    backoff = arrays[f"backoff{order}"] if order < len(counts) else np.zeros(size, np.float32)
    for array, kind in ((keys, "i"), (logprob, "f"), (backoff, "f")):
        if array.shape != (size,) or array.dtype.kind != kind:
            raise ValueError(f"its {order}-grams are not {size} numbers")
    if not (np.isfinite(logprob).all() and np.isfinite(backoff).all()):
        raise ValueError(f"its {order}-grams have probabilities that are not numbers")
    return Level(keys.astype(np.int64), logprob.astype(np.float64), backoff.astype(np.float64))


def _check(model: BackoffModel) -> None:
    """Every key is of a context and a word that are there, in order: else lookups would go astray."""
    if tuple(model.words[: len(SPECIAL)]) != SPECIAL or len(model.words) != model.counts[0]:
        raise ValueError("its words do not fit")
    mask = (1 << model.bits) - 1
    for order, (below, level) in enumerate(zip(model.levels, model.levels[1:], strict=False), 2):
        keys = level.keys
        if len(keys) and not (
            keys[0] >= 0
            and (np.diff(keys) > 0).all()
            and keys[-1] >> model.bits < len(below.keys)
            and (keys & mask).max() < len(model.words)
        ):
            raise ValueError(f"its {order}-grams are not in order")


class NGram:
    """A back-off model. Its file is read when the first sentence is scored."""

    habits = Habits(chunk=2000, repeatable=True)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"ngram:{self.path}"
        if self.path.is_dir():
            raise InputError("this is a folder, not a model file", where=str(self.path), todo=other_kind(self.path))
        self.sha256: str = describe_input(self.path)["sha256"]
        check_kind(self.path)
        self._last: tuple[Sentences, list[NDArray[np.float64]], NDArray[np.float64]] | None = None

    @cached_property
    def model(self) -> BackoffModel:
        return load(self.path)

    @property
    def signature(self) -> str:
        return signature(("kind", "ngram"), ("model", self.sha256[:12]))

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return self._scored(sentences)[0]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of </s> after each sentence."""
        return self._scored(sentences)[1]

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        if not len(sentences):
            return []
        ids, classes = self.model.ids(sentences), range(len(SPECIAL), len(SPECIAL) + len(self.model.classes))
        return np.split(np.isin(ids, [UNKNOWN_ID, *classes]), _cuts(sentences))

    def _scored(self, sentences: Sentences) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
        """Tokens and ends come from one pass; whoever asks for one asks for the other next."""
        if self._last is None or self._last[0] is not sentences:
            tokens, ends = self.model.score(sentences)
            self._last = sentences, np.split(tokens, _cuts(sentences)) if len(sentences) else [], ends
        return self._last[1:]


def _cuts(sentences: Sentences) -> NDArray[np.int64]:
    """Where one sentence ends and the next begins."""
    return np.cumsum(np.fromiter(map(len, sentences), np.int64, len(sentences)))[:-1]


OPTIONS = ("order", "vocabulary", "min_count", "prune", "discount_fallback", "memory")


class NGramSettings(NamedTuple):
    """The options: words in the longest n-gram, the largest vocabulary, limits, discounts to fall back on, and from
    how many bytes on counts go to files."""

    order: int
    vocabulary: int | None
    prune: list[int]
    fallback: tuple[float, float, float]
    memory: int | None = None
    min_count: int = 0
    """Rarer words are replaced by their class, as in the neural models; 0: all words are known."""


class NGramTrainer(TextTrainer[NGramSettings]):
    """Counts have no seed, and presets make no difference: options say all."""

    folder = False
    presets = False

    def seeded(self, settings: NGramSettings) -> bool:
        return False

    def settings(self, preset: str, options: Mapping[str, str]) -> NGramSettings:
        return settings_of(options)

    def learn(self, plan: TextPlan[NGramSettings], target: Path) -> Outcome:
        order, vocabulary, prune, fallback, memory, min_count = plan.settings
        scratch = Scratch(memory, target.parent)  # beside the model, where there must be room for it anyway
        stretches = (stretch.tokens() for stretch in plan.train.stretches())
        corpus = encoded(stretches, vocabulary, scratch, min_count)
        words = f"{len(corpus.words) - len(SPECIAL) - len(corpus.classes)} different words"
        classes = f", the others in {len(corpus.classes)} classes" if corpus.classes else ""
        plan.tell(f"{corpus.tokens} tokens, {corpus.sentences} sentences, {words}{classes}")
        estimated = estimate(corpus, order, prune=prune, fallback=fallback)
        for length, (discounts, counted) in enumerate(zip(estimated.discounts, estimated.counted, strict=True), 1):
            kept = estimated.model.counts[length - 1]
            shown = " ".join(f"{name}={value:.6g}" for name, value in zip(_NAMES, discounts.values, strict=True))
            left = f", {kept} after pruning" if kept != counted else ""
            plan.tell(f"{length}-grams: {counted}{left}, {shown}")
            if discounts.problem:
                plan.tell(
                    f"warning: the text is too small or too regular to tell the discounts of {length}-grams "
                    f"({discounts.problem}); those above were put in their place"
                )
        save(estimated.model, target)
        options = {
            "order": order, "vocabulary": vocabulary, "min_count": min_count, "prune": list(prune),
            "discount_fallback": list(fallback),
        }  # fmt: skip
        log = {
            "ngrams": estimated.model.counts,
            "counted": estimated.counted,
            "discounts": [list(discount.values) for discount in estimated.discounts],
            "fallback": {
                str(at): discount.problem for at, discount in enumerate(estimated.discounts, 1) if discount.problem
            },
        }
        return Outcome(options, log, corpus.sentences, corpus.tokens)


_NAMES = ("D1", "D2", "D3+")
_UNITS = {"M": 1 << 20, "G": 1 << 30}


def settings_of(given: Mapping[str, str]) -> NGramSettings:
    """The options over their defaults; raises where one is wrong."""
    for name in given:
        if name not in OPTIONS:
            raise unknown_name("option of ngram", name, OPTIONS)
    order = _number(given.get("order", "3"), "order")
    if order not in ORDERS:
        raise UsageError(f"{order} is not an order of a model", where="order", todo="give one from 1 to 5")
    vocabulary = _number(given.get("vocabulary", "0"), "vocabulary")
    prune = [_number(part, "prune") for part in given.get("prune", "").replace(",", " ").split()]
    prune_limits(prune, order)
    wish = given.get("discount_fallback", "").replace(",", " ").split()
    try:
        first, second, third = (float(part) for part in wish) if wish else FALLBACK
    except ValueError:
        raise UsageError(
            f"{' '.join(wish)!r} are not three numbers", where="discount_fallback", todo="write it as 0.5 1 1.5"
        ) from None
    if not (0 <= first <= 1 and 0 <= second <= 2 and 0 <= third <= 3):
        raise UsageError("a discount cannot be more than the count", where="discount_fallback", todo="as 0.5 1 1.5")
    memory = _bytes(given["memory"]) if "memory" in given else None
    min_count = _number(given.get("min_count", "0"), "min_count")
    return NGramSettings(order, vocabulary or None, prune, (first, second, third), memory, min_count)


def _bytes(text: str) -> int:
    """`800M` or `2G` as a number; less than a megabyte would only be slow."""
    number, unit = text[:-1], text[-1:].upper()
    if unit not in _UNITS or not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{text!r} is not an amount of memory", where="memory", todo="write it as 800M or 2G")
    return int(number) * _UNITS[unit]


def _number(text: str, name: str) -> int:
    if not text.strip().isdecimal():
        raise UsageError(f"{text!r} is not a whole number", where=name)
    return int(text)
