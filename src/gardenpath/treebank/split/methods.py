"""Splits at random or by length, k folds, and splits that test every document once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...boundary.texts import file_text
from ...errors import InputError, UsageError, unknown_name
from ..format.treebank import Treebank
from ..trees.duplicates import NEAR
from .deal import TOLERANCE as TOLERANCE
from .deal import DealtUnits, Ints, Split, cut_in_order, dealt_in_order, documents, quotas


def random_split(
    treebank: Treebank,
    *,
    train: float = 0.8,
    dev: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    near: float | None = NEAR,
    stratify: str = "",
    tolerance: float = TOLERANCE,
) -> Split:
    """Sentences dealt out by chance, or whole documents (from one `# newdoc` to the next).

    The shares are met to the sentence, with documents within the tolerance. Sentences with the same words, or alike
    to the share `near`, stay together, or with `deduplicate` only the first of them is kept. `stratify` names a
    comment, such as genre, that every part shall have in the same shares.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    dealt = DealtUnits.of(treebank, by_document, deduplicate, near, stratify=stratify)
    dealt.check_enough(shares)
    return dealt.split(dealt.by_chance(shares, tolerance, np.random.default_rng(seed)), shares, tolerance)


def length_split(
    treebank: Treebank,
    *,
    train: float = 0.6,
    dev: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    near: float | None = NEAR,
    tolerance: float = TOLERANCE,
) -> Split:
    """The longest sentences to test, the others by chance to train and dev (Søgaard et al. 2021).

    Of documents, those with the longest sentences on average. Chance also decides among equal lengths.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    if not test:
        raise UsageError("a split by length needs a test part", todo="give test a share")
    dealt = DealtUnits.of(treebank, by_document, deduplicate, near)
    dealt.check_enough(shares)
    words = np.bincount(dealt.unit_of[dealt.kept], weights=treebank.lengths[dealt.kept])
    order = np.random.default_rng(seed).permutation(len(words))
    longest = order[np.argsort(-(words / dealt.sentences)[order], kind="stable")]
    sizes = quotas(dealt.total, shares)
    taken = longest[: prefix(dealt.sentences[longest], int(sizes[-1]), len(shares) - 1)]
    part_of = np.full(len(words), len(shares) - 1)
    rest = order[~np.isin(order, taken)]
    left = sizes[:-1]
    if by_document:
        part_of[rest] = dealt_in_order(np.arange(len(rest))[None], dealt.sentences[rest], left)[0]
    else:
        part_of[rest] = cut_in_order(dealt.sentences[rest], left)
    return dealt.split(part_of, shares, tolerance)


def prefix(sizes: Ints, wanted: int, others: int) -> int:
    """How many of these, from the first on, come nearest to the wanted size; at least one, and some are left."""
    count = int(np.count_nonzero(np.cumsum(sizes) - sizes / 2 < wanted))
    return min(max(count, 1), len(sizes) - others)


def checked_shares(shares: dict[str, float], seed: int) -> dict[str, float]:
    """The shares of the parts that there shall be."""
    if seed < 0:
        raise UsageError(f"the seed is {seed}", todo="give 0 or a positive number")
    shown = ", ".join(f"{part} {share:g}" for part, share in shares.items())
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-6:
        raise UsageError(f"these shares do not make a whole: {shown}", todo="they lie between 0 and 1, their sum is 1")
    kept = {part: share for part, share in shares.items() if share > 0}
    if len(kept) < 2:
        raise UsageError(f"a split has two parts or three, not one: {shown}")
    return kept


def fold_splits(
    treebank: Treebank,
    folds: int,
    *,
    dev: float = 0.0,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    near: float | None = NEAR,
    stratify: str = "",
    tolerance: float = TOLERANCE,
) -> list[Split]:
    """Sentences or documents dealt out to k folds of one size; each is test once, and the others are train.

    A share of all sentences for `dev` is drawn from what is not test.
    """
    if folds < 2:
        raise UsageError(f"{folds} folds are not a cross-validation", todo="give 2 or more")
    _check_dev(dev, 1 / folds)
    dealt = DealtUnits.of(treebank, by_document, deduplicate, near, stratify=stratify)
    shares = {f"fold {number}": 1 / folds for number in range(1, folds + 1)}
    dealt.check_enough(shares)
    rng = np.random.default_rng(seed)
    fold_of = replace(dealt, first=None).by_chance(shares, tolerance, rng)  # what a fold loses is up to its split
    sizes = {"train": 1 - dev - 1 / folds, "dev": dev, "test": 1 / folds}
    allowed = tolerance * (2 if dev else 1)  # train is what both others leave
    return [_tested(dealt, fold_of == fold, sizes, tolerance, allowed, rng) for fold in range(folds)]


def document_splits(
    treebank: Treebank,
    *,
    dev: float = 0.0,
    seed: int = 0,
    deduplicate: bool = False,
    near: float | None = NEAR,
    tolerance: float = TOLERANCE,
) -> list[Split]:
    """Every document is test once, and all others are train (and dev); sentences that train has, too, are left out."""
    _check_dev(dev, 0)
    dealt = DealtUnits.of(treebank, True, deduplicate, near)
    dealt.check_enough({"train": 1, "test": 1})
    rng = np.random.default_rng(seed)
    units = np.arange(len(dealt.sentences))
    sizes = {"train": 1 - dev, "dev": dev, "test": 0.0}
    return [_tested(dealt, units == unit, sizes, tolerance, None, rng) for unit in units.tolist()]


def _check_dev(dev: float, test: float) -> None:
    if not 0 <= dev < 1 - test:
        raise UsageError(f"dev cannot have a share of {dev:g}", todo=f"give 0 or more, below {1 - test:g}")


def _tested(
    dealt: DealtUnits,
    is_test: Ints,
    shares: dict[str, float],
    tolerance: float,
    allowed: float | None,
    rng: np.random.Generator,
) -> Split:
    """The split whose test part are these units; dev is drawn from the others. Parts may be off by `allowed`."""
    kept = {part: share for part, share in shares.items() if share or part != "dev"}
    part_of = np.where(is_test, len(kept) - 1, 0)
    if "dev" in kept:
        rest = np.flatnonzero(~is_test)
        of_rest = shares["dev"] * dealt.total / int(dealt.sentences[rest].sum())
        part_of[rest] = dealt.among(rest).by_chance({"train": 1 - of_rest, "dev": of_rest}, tolerance, rng)
    return dealt.split(part_of, kept, allowed)


_PARTS = ("train", "dev", "test")
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_NUMBER = re.compile(r"(\d+)\D*$")


def read_parts(path: Path) -> dict[str, list[str]]:
    """Return the documents listed for each part: lines of a part's name, then ids, numbers or ranges."""
    listed = dict[str, list[str]]()
    for number, line in enumerate(file_text(path, "the list of documents").splitlines(), 1):
        part, *names = re.split(r"[\s:,]+", line.partition("#")[0].strip())
        if part and part not in _PARTS:
            raise unknown_name("part", part, _PARTS, where=f"{path}:{number}")
        if part:
            listed.setdefault(part, []).extend(filter(None, names))
    if len(listed) < 2:
        raise InputError("a split has two parts or three", where=str(path), todo="write lines such as: dev 0301-0325")
    return {part: listed[part] for part in _PARTS if part in listed}


def listed_split(treebank: Treebank, parts: Mapping[str, Sequence[str]]) -> Split:
    """The documents that are named for each part: by id, or by the last number of their ids (`301`, `301-325`).

    >>> import gardenpath as gp
    >>> parts = {"train": ["de-test-markt", "de-test-fest"], "test": ["de-test-tiere"]}
    >>> {part: len(numbers) for part, numbers in listed_split(gp.read("bundled:de-test"), parts).parts.items()}
    {'train': 16, 'test': 7}
    """
    document_of = documents(treebank)
    begins = np.unique(document_of, return_index=True)[1].tolist()
    ids = treebank.comment_values("newdoc id")
    names = [ids[begin] for begin in begins]
    numbers = [int(match[1]) if (match := _NUMBER.search(name)) else -1 for name in names]
    part_of: dict[int, str] = {}
    for part, wanted in parts.items():
        for name in wanted:
            span = _RANGE.fullmatch(name)
            first, last = (int(span[1]), int(span[2] or span[1])) if span else (0, -1)
            found = [at for at in range(len(names)) if names[at] == name or first <= numbers[at] <= last]
            if not found:
                raise InputError(f"no document is {name}", where=treebank.name, todo=f"such as {names[0]}")
            for at in found:
                if part_of.setdefault(at, part) != part:
                    what = f"document {names[at]} is in {part_of[at]} and in {part}"
                    raise InputError(what, where=treebank.name, todo="list it once")
    chosen = np.array([part_of.get(at, "") for at in range(len(names))])[document_of]
    return Split({part: np.flatnonzero(chosen == part) for part in parts}, by_document=True)
