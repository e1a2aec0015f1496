"""Sentences that occur twice, word for word or nearly, and the overlap of training and test data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.record.signatures import signature, with_hash
from ...runs.result.layout import Column, measured, table
from ...runs.result.result import Finding, Result, Value, Verdict
from ...runs.result.verdict import MEASURED, count_text
from ..format.columns import ranges
from ..format.treebank import Treebank, concatenate

Ints = NDArray[Any]
Floats = NDArray[np.float64]

NEAR = 0.6
"""How much of their shingles two sentences share that are nearly the same."""
_BUCKET_BITS = 21
_RARITY = np.uint64(58)
"""The bits of a shingle from here on say how often it occurs; none is set for one that occurs once."""
_AT_ONCE = 1 << 18  # Pairs that are compared in one step, so that memory stays bounded


@dataclass(frozen=True, slots=True, eq=False)
class NearTexts:
    """Sentences as texts (those of the same words, but for case and punctuation, are one), and texts that are alike."""

    text_of: Ints
    """The number of each sentence's text, by first occurrence."""
    left: Ints
    right: Ints
    """Pairs of texts, the earlier one first."""
    likeness: Floats

    def groups(self) -> Ints:
        """For each sentence the first text of its group: all that are alike, directly or through others."""
        root = list(range(int(self.text_of.max()) + 1))
        for left, right in zip(self.left.tolist(), self.right.tolist(), strict=True):
            while root[left] != left:
                root[left] = left = root[root[left]]
            while root[right] != right:
                root[right] = right = root[root[right]]
            root[max(left, right)] = min(left, right)
        group_of = np.array(root)
        while (group_of != (above := group_of[group_of])).any():
            group_of = above
        return group_of[self.text_of]


def near_texts(treebank: Treebank, least: float = NEAR) -> NearTexts:
    """All pairs of texts that share `least` of their shingles; a least of 1 asks for the same shingles."""
    if not 0 < least <= 1:
        raise UsageError(f"sentences cannot be alike to {least:g}", todo="give a share above 0, up to 1")
    words, offsets, text_of = _texts(treebank)
    shingles = _Shingles.of(words, offsets)
    left, right, likeness = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for first, second in shingles.meetings(least):
        both = shingles.shared(first, second)
        share = both / (shingles.sizes[first] + shingles.sizes[second] - both)
        kept = share >= least - 1e-9
        left.append(np.minimum(first, second)[kept])
        right.append(np.maximum(first, second)[kept])
        likeness.append(share[kept])
    pairs = np.concatenate(left) * len(offsets) + np.concatenate(right)
    pairs, once = np.unique(pairs, return_index=True)  # some met at several shingles
    return NearTexts(text_of, pairs // len(offsets), pairs % len(offsets), np.concatenate(likeness)[once])


def _texts(treebank: Treebank) -> tuple[Ints, Ints, Ints]:
    """The words of each text as numbers from 1, where texts begin, and the text of each sentence."""
    column = treebank.column("form")
    plain, forms = column.replaced(_plain(column.values)), column.codes
    words = plain.codes.astype(np.int64)
    is_word = words != plain.code("")
    # A sentence of punctuation alone is told from others by its forms, and has no shingles.
    is_bare = ~np.logical_or.reduceat(is_word, treebank.offsets[:-1])
    counted = is_word | np.repeat(is_bare, treebank.lengths)
    words = np.where(is_word, words, forms.astype(np.int64) + len(plain.values))[counted] + 1
    ends = np.concatenate([[0], np.cumsum(counted)])[treebank.offsets]
    begins, sizes = ends[:-1], np.diff(ends)
    _, first, text_of = np.unique(hashes(words, ends), return_index=True, return_inverse=True)
    by_place = np.argsort(first)
    number = np.empty(len(first), dtype=np.int64)
    number[by_place] = np.arange(len(first))
    first = first[by_place]
    sizes = np.where(is_bare, 0, sizes)[first]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return words[ranges(begins[first], sizes)], offsets, number[text_of]


def hashes(words: Ints, offsets: Ints) -> NDArray[np.uint64]:
    """A hash of 64 bits for each sequence of words, by which they are compared: a sum of mixes of word and place."""
    places = np.arange(len(words)) - np.repeat(offsets[:-1], np.diff(offsets))
    return np.add.reduceat(_mixed(_mixed(words.astype(np.uint64)) + places.astype(np.uint64)), offsets[:-1])


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Neighbouring numbers far apart (the finaliser of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(numbers ^ (numbers >> np.uint64(31)))


def _plain(forms: Sequence[str]) -> Iterator[str]:
    """Words as they count; empty where they are punctuation."""
    folded = "\n".join(forms).casefold().split("\n")
    for form, lower in zip(forms, folded, strict=True):
        yield lower if form.isalnum() or any(map(str.isalnum, form)) else ""


@dataclass(frozen=True, slots=True, eq=False)
class _Shingles:
    """Of each text the shingles: a text's own stand together, the rarest first, none twice."""

    shingles: NDArray[np.uint64]
    offsets: Ints  # Text i has the shingles from offsets[i] to offsets[i + 1]

    @classmethod
    def of(cls, words: Ints, offsets: Ints) -> _Shingles:
        sizes = np.diff(offsets)
        full = np.flatnonzero(sizes)
        # A border, number 0, before each text and at the very end: n words have n + 1 shingles.
        bordered = np.append(np.insert(words, offsets[full], 0), 0).astype(np.uint64)
        codes = bordered[:-1] * (bordered.max() + np.uint64(1)) + bordered[1:]
        # Above the code how often it occurs, in powers of two; shingles that share a bucket are counted together,
        # which moves them in the order and nowhere else.
        buckets = _mixed(codes) >> np.uint64(64 - _BUCKET_BITS)
        rarity = np.log2(np.bincount(buckets, minlength=1 << _BUCKET_BITS)[buckets]).astype(np.uint64)
        codes |= rarity << _RARITY
        begins = np.concatenate([[0], np.cumsum(np.where(sizes > 0, sizes + 1, 0))])
        for size in np.unique(sizes[full]).tolist():
            places = begins[:-1][sizes == size][:, None] + np.arange(size + 1)
            codes[places] = np.sort(codes[places], axis=1)
        new = np.ones(len(codes), dtype=bool)
        new[1:] = codes[1:] != codes[:-1]
        new[begins[:-1][full]] = True
        return cls(codes[new], np.concatenate([[0], np.cumsum(new)])[begins])

    @property
    def sizes(self) -> Ints:
        return np.diff(self.offsets)

    def meetings(self, least: float) -> Iterator[tuple[Ints, Ints]]:
        """Pairs of texts that may be alike, none twice in one piece; the first has no more shingles than the second."""
        sizes = self.sizes
        prefixes = np.where(sizes > 0, sizes - np.ceil(least * sizes - 1e-9).astype(np.int64) + 1, 0)
        texts, places = self._members(np.arange(len(sizes)), prefixes)
        often = self.shingles[places] >> _RARITY > 0  # others may have them, too
        texts, places = texts[often], places[often]
        # One row for each such shingle of a prefix: small texts first, then by shingle. After it come `rest` others.
        small_first = np.argsort(sizes[texts], kind="stable")
        order = small_first[np.argsort(self.shingles[places[small_first]], kind="stable")]
        shingles, texts = self.shingles[places[order]], texts[order]
        rest = self.offsets[texts + 1] - places[order] - 1
        run = np.cumsum(np.diff(shingles, prepend=shingles[:1]) != 0)
        most = int(sizes.max(initial=0)) + 1
        largest = np.minimum(np.floor(sizes[texts] / least + 1e-9).astype(np.int64), most - 1)
        rows = run * most
        partners = np.searchsorted(rows + sizes[texts], rows + largest, side="right") - np.arange(len(rows)) - 1
        pieces = np.cumsum(partners) // _AT_ONCE
        for piece in np.unique(pieces[partners > 0]).tolist():
            some = np.flatnonzero((pieces == piece) & (partners > 0))
            counts = partners[some]
            row, partner = np.repeat(some, counts), ranges(some + 1, counts)
            # Where two meet first, they share this shingle and at most what is left of the one that has less left.
            needed = least / (1 + least) * (sizes[texts[row]] + sizes[texts[partner]])
            may = 1 + np.minimum(rest[row], rest[partner]) >= needed - 1e-9
            pairs = np.unique(texts[row[may]] * len(sizes) + texts[partner[may]])
            yield pairs // len(sizes), pairs % len(sizes)

    def shared(self, first: Ints, second: Ints) -> Ints:
        """How many shingles the two of each pair have in common: those that stand twice in the pair's own."""
        members = [self._members(texts, self.sizes[texts]) for texts in (first, second)]
        pair, places = (np.concatenate(columns) for columns in zip(*members, strict=True))
        shingles = self.shingles[places]
        order = np.lexsort((shingles, pair))
        pair, shingles = pair[order], shingles[order]
        twice = (pair[1:] == pair[:-1]) & (shingles[1:] == shingles[:-1])
        return np.bincount(pair[1:][twice], minlength=len(first))

    def _members(self, texts: Ints, counts: Ints) -> tuple[Ints, Ints]:
        """The first so many shingles of these texts: whose each is (its place in `texts`), and where it stands."""
        return np.repeat(np.arange(len(texts)), counts), ranges(self.offsets[texts], counts)


def first_occurrences(treebank: Treebank) -> Ints:
    """For each sentence the number of the first one with the same word forms: its own, where there is none before."""
    return _first_of(hashes(treebank.column("form").codes, treebank.offsets))


def first_alike(treebank: Treebank, near: float | None) -> Ints:
    """For each sentence the first of those that are the same: word for word, or alike to the share `near`."""
    if near is None:
        return first_occurrences(treebank)
    return _first_of(near_texts(treebank, near).groups())


def _first_of(groups: Ints) -> Ints:
    """For each the first of its group."""
    _, first, number = np.unique(groups, return_index=True, return_inverse=True)
    firsts: Ints = first[number]
    return firsts


LONG = 5
"""Words from which on a sentence that is in both is no commonplace, such as a greeting."""


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """For each sentence of test the sentence of train that is most like it, and the documents that both have."""

    train: Treebank
    test: Treebank
    partner: Ints
    """The first sentence of train that is the same, or the one most alike; -1 where none is."""
    likeness: Floats
    """1 for the same words (but for case and punctuation), 0 where there is no partner."""
    exact: NDArray[np.bool_]
    """Word for word."""
    documents: int | None
    """Of test; None where it does not tell them apart."""
    same_documents: tuple[str, ...]
    """Ids of documents that both have."""
    in_same_documents: int
    """Sentences of test that stand in these."""
    mostly_seen: int
    """Documents of test at least half of whose sentences have a partner."""
    same_ids: int
    """Sentences of test whose sent_id stands in train as well, on whatever sentence."""

    @property
    def near(self) -> NDArray[np.bool_]:
        """Nearly the same, and not word for word."""
        return (self.partner >= 0) & ~self.exact


def overlap(train: Treebank, test: Treebank, near: float | None = NEAR) -> Overlap:
    """Every sentence of test is looked for in train; `near` says how alike the two must be, None word for word.

    >>> import gardenpath as gp
    >>> both = overlap(gp.read("bundled:de-train"), gp.read("bundled:de-test"))
    >>> int(both.exact.sum()), int(both.near.sum())
    (0, 0)
    """
    both, border = concatenate([train, test]), len(train)
    first = first_occurrences(both)[border:]
    exact = first < border
    partner, likeness = np.where(exact, first, -1), exact.astype(np.float64)
    if near is not None:
        partner, likeness = _nearest(both, border, near, partner, likeness)
    owner, names = test.documents, _document_ids(test)
    same = sorted(set(names) & set(_document_ids(train)) - {""})
    seen = np.zeros(1) if owner is None else np.bincount(owner, weights=partner >= 0) / np.bincount(owner)
    known = set(train.sent_ids) - {""}
    return Overlap(
        train, test, partner, likeness, exact,
        None if owner is None else int(owner[-1]) + 1,
        tuple(same), sum(name in set(same) for name in names), int((seen >= 0.5).sum()),
        sum(sent_id in known for sent_id in test.sent_ids),
    )  # fmt: skip


def _nearest(both: Treebank, border: int, near: float, partner: Ints, likeness: Floats) -> tuple[Ints, Floats]:
    """Fills in the partners of sentences that are not in train word for word."""
    texts = near_texts(both, near)
    count = int(texts.text_of.max()) + 1
    in_train = np.full(count, -1)
    in_train[texts.text_of[:border][::-1]] = np.arange(border)[::-1]  # the first sentence of each text
    best, value = in_train.copy(), np.where(in_train >= 0, 1.0, 0.0)
    order = np.argsort(texts.likeness, kind="stable")  # the most alike are written last, and stay
    for mine, theirs in ((texts.left, texts.right), (texts.right, texts.left)):
        pairs = order[(in_train[mine[order]] < 0) & (in_train[theirs[order]] >= 0)]
        better = pairs[texts.likeness[pairs] > value[mine[pairs]]]
        best[mine[better]], value[mine[better]] = in_train[theirs[better]], texts.likeness[better]
    text = texts.text_of[border:]
    return np.where(partner >= 0, partner, best[text]), np.where(partner >= 0, likeness, value[text])


def _document_ids(treebank: Treebank) -> list[str]:
    """The id of each sentence's document, empty where it has none."""
    owner = treebank.documents
    if owner is None:
        return []
    ids = treebank.comment_values("newdoc id")
    heads = np.flatnonzero(np.diff(owner, prepend=-1))
    return [ids[heads[number]] for number in owner.tolist()]


STUDY = "overlap"
_LABELS = {
    "sentences": "sentences of test",
    "exact": "in train word for word",
    "near": "in train, nearly the same",
    "long": f"of both, with {LONG} words or more",
    "ids": "with a sent_id that train has, too",
    "documents": "documents of test",
    "same_documents": "in train by their id",
    "in_same_documents": "their sentences",
    "mostly_seen": "with half of their sentences in train",
}


def overlap_result(both: Overlap, near: float | None, limit: int = 10) -> Result:
    """Counts, shares of test, the pairs that are most alike, and a verdict."""
    suite, total = PurePath(both.test.name).name, len(both.test)
    seen = both.partner >= 0
    counts = {
        "sentences": total,
        "exact": int(both.exact.sum()),
        "near": int(both.near.sum()),
        "long": int((seen & (both.test.lengths >= LONG)).sum()),
        "ids": both.same_ids,
    }
    findings = [Finding(STUDY, suite, "", measure, count, total) for measure, count in counts.items()]
    if both.documents is not None:
        of_documents = [
            ("documents", both.documents, both.documents),
            ("same_documents", len(both.same_documents), both.documents),
            ("in_same_documents", both.in_same_documents, total),
            ("mostly_seen", both.mostly_seen, both.documents),
        ]
        findings += [Finding(STUDY, suite, "", measure, count, whole) for measure, count, whole in of_documents]
    share = Finding(STUDY, suite, "", "share", 100 * float(seen.mean()), total)
    columns = [Column("", [_LABELS[finding.measure] for finding in findings]), *measured("count", findings)]
    shares = [100 * float(finding.value or 0) / finding.n if finding.n else None for finding in findings]
    tables = [table(f"{suite} in train", [*columns, Column("%", shares)], name="overlap")]
    if examples := _examples(both, limit):
        columns = [Column(key, [example[key] for example in examples]) for key in examples[0]]
        more = f", {len(examples)} of them" if seen.sum() > len(examples) else ""
        tables.append(table(f"{count_text(int(seen.sum()), 'sentence')} in both{more}", columns, name="examples"))
    marks = [("command", "treebank overlap")]
    for name, treebank in (("train", both.train), ("test", both.test)):
        marks.append((name, with_hash(treebank.name, treebank.to_bytes())))
    marks.append(("near", "0" if near is None else f"{near:g}"))
    findings = [*findings, share]
    details = {"examples": examples, "same_documents": list(both.same_documents)}
    return Result(signature(*marks), findings, tables, details=details, verdicts=[_verdict(findings)])


def _examples(both: Overlap, limit: int) -> list[dict[str, Value]]:
    """Long sentences first, then those that are most alike."""
    seen = np.flatnonzero(both.partner >= 0)
    order = seen[np.lexsort((seen, -both.likeness[seen], both.test.lengths[seen] < LONG))][:limit]
    return [
        {
            "test": both.test.sentence_names[number],
            "train": both.train.sentence_names[int(both.partner[number])],
            "alike": 1.0 if both.exact[number] else float(both.likeness[number]),
            "how": "same" if both.exact[number] else "near",
            "text": _words(both.test, number),
            "in train": "" if both.exact[number] else _words(both.train, int(both.partner[number])),
        }
        for number in order.tolist()
    ]


def _words(treebank: Treebank, number: int) -> str:
    return " ".join(word.form for word in treebank[number].words)


def _verdict(findings: list[Finding]) -> Verdict:
    """Counted, not sampled: there is no interval."""
    by_name = {finding.measure: finding for finding in findings}
    exact, near, long, share = (by_name[name] for name in ("exact", "near", "long", "share"))
    rests_on = [exact, near, long, share]
    if not share.value:
        text = f"No sentence of test ({count_text(share.n, 'sentence')}) is in train, and none nearly."
    else:
        text = (
            f"{share.value:.1f} % of test is in train: {count_text(int(exact.value or 0), 'sentence')} word for word, "
            f"{near.value:,} nearly; {long.value:,} of them with {LONG} words or more."
        )
    documents = by_name.get("same_documents")
    if documents is not None and documents.value:
        rests_on += [documents, by_name["in_same_documents"]]
        text += (
            f" In train by their id: {documents.value:,} of {count_text(documents.n, 'document')} of test, "
            f"with {count_text(int(by_name['in_same_documents'].value or 0), 'sentence')}."
        )
    return Verdict(text, MEASURED, tuple(rests_on), weight=float(share.value or 0))
