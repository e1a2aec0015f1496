"""N-gram models against brute force and KenLM, their files and their training."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from brute_kneser_ney import END, BruteKneserNey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.systems import read_card, train
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.files.text_input import Stretch, read_stretches
from gardenpath.systems.language_models.scoring import SurprisalScores, perplexity, score_with
from gardenpath.treebank import Treebank
from gardenpath_models.neural.vocabulary import vocabulary_of
from gardenpath_models.ngram.counts import BEGIN_ID, END_ID, Column, Corpus, Scratch, _distinct, count, encoded
from gardenpath_models.ngram.kneser_ney import discounts_of, estimate
from gardenpath_models.ngram.model import BackoffModel, read_arpa
from gardenpath_models.ngram.system import NGram, check_kind, load, save
from scored_text import read_sentences

Sentences = list[list[str]]
LETTERS = "abcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ"


def corpus_of(sentences: Sentences, vocabulary: int | None = None) -> Corpus:
    return encoded([[token.encode() for one in sentences for token in (*one, END)]], vocabulary)


def some_text(seed: int, sentences: int = 150, words: str = LETTERS) -> Sentences:
    """Words with very different frequencies, in sentences of 1 to 8, some of which come again."""
    rng = random.Random(seed)
    weights = [1 / (number + 1) for number in range(len(words))]
    found: Sentences = []
    for _ in range(sentences):
        again = found and rng.random() < 0.2
        found.append(rng.choice(found) if again else rng.choices(words, weights, k=rng.randint(1, 8)))
    return found


def probabilities(model: BackoffModel, before: list[str], words: list[str]) -> np.ndarray:
    tokens, _ = model.score([[*before, word] for word in words])
    return np.exp2(-tokens.reshape(len(words), len(before) + 1)[:, -1])


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", [2, 3])
def test_every_number_is_that_of_the_brute_force(order: int, seed: int) -> None:
    text, unseen = some_text(seed), some_text(seed + 100, 15, "abcdefghxyz")
    brute = BruteKneserNey(text, order)
    corpus = corpus_of(text)
    found = estimate(corpus, order)
    assert np.array([one.values for one in found.discounts]) == pytest.approx(np.array(brute.discounts), abs=1e-12)
    assert not found.discounts[-1].problem  # of the closed form, not fallen back
    for length, level in enumerate(count(corpus, order), 1):
        adjusted = sorted(times for times in level.adjusted.array.tolist() if times)
        assert adjusted == sorted(times for times in brute.adjusted[length - 1].values() if times)
        assert length == 1 or len(level.keys) == len(brute.raw[length - 1])
    tokens, ends = found.model.score(unseen)
    expected = [
        brute.probability(word, ("<s>", *sentence[:at])) for sentence in unseen for at, word in enumerate(sentence)
    ]
    assert np.exp2(-tokens) == pytest.approx(np.array(expected), rel=1e-10)
    assert np.exp2(-ends) == pytest.approx(
        np.array([brute.probability(END, ("<s>", *sentence)) for sentence in unseen]), rel=1e-10
    )


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=1, max_size=12),
    st.lists(st.sampled_from("abcxyz"), max_size=4),
    st.integers(1, 5),
    st.sampled_from([(), (0, 1), (0, 0, 1)]),
)
def test_probabilities_after_any_context_sum_to_one(
    text: Sentences, before: list[str], order: int, prune: tuple[int, ...]
) -> None:
    model = estimate(corpus_of(text), order, prune=prune[:order]).model
    words = [word for word in model.words if word not in ("<s>", END, "<unk>")]
    _, ends = model.score([before])
    assert probabilities(model, before, [*words, "unseen"]).sum() + np.exp2(-ends[0]) == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("order", [1, 3])
def test_classes_of_unknown_words_share_the_probability_of_all_words(order: int) -> None:
    """With `min_count` a model knows the words that a neural model knows, and nothing is left for `<unk>`."""
    text = [*some_text(5, 80, "abcdefghijklmnopqrstuvwxyz"), ["Jumped", "walking"], ["Talking", "7"], ["Sing", "99"]]
    pieces = ["".join(" ".join(sentence) + " </s> " for sentence in text).encode().split()]
    corpus = encoded(pieces, min_count=2)
    neural = vocabulary_of(text, min_count=2)
    assert (corpus.classes, tuple(corpus.words[3:])) == (neural.classes, (*neural.classes, *neural.words))
    model = estimate(corpus, order).model
    before = text[0][:2]
    numbers = np.array([neural.encode([*before, word])[-1] for word in (*neural.words, "unseen", "88", "Unseen")])
    assert np.array_equal(model.ids([[*before, "unseen", "88"]])[-2:], numbers[len(neural.words) :][:2])
    every = [BEGIN_ID, *neural.encode(before).tolist()]
    chances = []
    for word in [*range(3, len(corpus.words)), END_ID]:
        ids = np.array([*every, word])
        chances.append(10 ** model._logprobs(ids, np.arange(len(ids)))[-1])
    assert sum(chances) == pytest.approx(1, abs=1e-10)


def test_a_model_with_classes_is_read_as_it_was_written(samples: Path, tmp_path: Path) -> None:
    path, source = tmp_path / "m.npz", samples / "de_garden-dev.conllu"
    options = {"min_count": "2"}
    card = train("ngram", samples / "de_garden-train.conllu", source, output=path, options=options).card
    found = load(path)
    assert found.classes[0] == "UNK"
    assert sum(int(part.sum()) for part in NGram(str(path)).oov(read_sentences(source))) == 156
    assert card["dev_scores"]["perplexity"] == pytest.approx(42.07, abs=0.1)
    with pytest.raises(UsageError, match="ARPA has no classes"):
        train("ngram", samples / "de_garden-train.conllu", output=tmp_path / "m.arpa", options=options)


LMPLZ = [
    (2, (), [1127, 3244], [(0.593807, 1.20116, 1.64612), (0.828605, 1.28854, 2.16141)], 112.439786, 85.230144),
    (
        3, (), [1127, 3244, 3951],
        [(0.593807, 1.20116, 1.64612), (0.861822, 1.25333, 2.27967), (0.932229, 1.34676, 2.30083)],
        109.345818, 82.707722,
    ),
    (
        5, (), [1127, 3244, 3951, 3756, 3365],
        [
            (0.593807, 1.20116, 1.64612), (0.861822, 1.25333, 2.27967), (0.944292, 1.24119, 2.24457),
            (0.989404, 1.85159, 3.0), (0.994663, 1.66845, 3.0),
        ],
        109.533166, 82.894402,
    ),
    (
        4, (0, 1, 1, 2), [1127, 440, 182, 2],
        [
            (0.593807, 1.20116, 1.64612), (0.861822, 1.25333, 2.27967), (0.944292, 1.24119, 2.24457),
            (0.984668, 1.79628, 3.0),
        ],
        139.504111, 108.645740,
    ),
]  # fmt: skip
"""What `lmplz -o N [--prune …]` and `query` of KenLM 0.3.0 print for the bundled German text: order, pruning, n-grams,
discounts, perplexity with and without OOV."""


@pytest.mark.parametrize(("order", "prune", "counts", "discounts", "including", "excluding"), LMPLZ)
def test_counts_discounts_and_perplexity_are_those_of_lmplz(
    samples: Path,
    order: int,
    prune: tuple[int, ...],
    counts: list[int],
    discounts: list[tuple[float, ...]],
    including: float,
    excluding: float,
) -> None:
    train = encoded(stretch.tokens() for stretch in read_stretches(samples / "de_garden-train.conllu"))
    found = estimate(train, order, prune=prune)
    assert found.model.counts == counts
    for own, theirs in zip(found.discounts, discounts, strict=True):
        assert own.values == pytest.approx(theirs, abs=1e-5)
        assert not own.problem
    sentences = read_sentences(samples / "de_garden-dev.conllu")
    tokens, ends = found.model.score(sentences)
    cuts = np.cumsum([len(sentence) for sentence in sentences])[:-1]
    oov = found.model.ids(sentences) == 0
    total = perplexity(SurprisalScores(np.split(tokens, cuts), np.split(oov, cuts), ends, ""))
    assert (total.oov, total.tokens + total.sentences) == (66, 953)
    assert total.value() == pytest.approx(including, rel=1e-6)
    assert total.value(oov=False) == pytest.approx(excluding, rel=1e-6)


def column(values: list[int]) -> Column:
    return Scratch().column(np.int64, np.array(values))


def test_discounts_of_a_text_that_cannot_tell_them_fall_back_and_say_why() -> None:
    found = discounts_of(column([1, 1, 1, 3]))
    assert found.values == (0.5, 1.0, 1.5)
    assert found.problem == "none was counted 2×"
    odd = discounts_of(column([1] * 100 + [2] + [3] * 10))
    assert odd.values == (0.5, 1.0, 1.5)
    assert "counted 2× would be -27." in odd.problem
    assert discounts_of(column([1, 1, 1, 3]), (0.1, 0.2, 0.3)).values == (0.1, 0.2, 0.3)


def test_rare_words_become_unknown_ones_and_the_first_of_equals_wins() -> None:
    corpus = corpus_of([["a", "b", "c"], ["a", "<unk>", "b"], ["d", "a"]], vocabulary=2)
    assert corpus.words == ["<unk>", "<s>", END, "a", "b"]
    assert corpus.ids.array.tolist() == [1, 3, 4, 0, 2, 1, 3, 0, 4, 2, 1, 0, 3, 2]
    assert (corpus.sentences, corpus.tokens) == (3, 8)
    model = estimate(corpus, 2).model
    assert (probabilities(model, ["a"], ["b", "z"]) > 0.2).all()  # <unk> was seen after "a"


def test_the_begin_of_a_sentence_is_no_word() -> None:
    model = estimate(corpus_of(some_text(3)), 2).model
    assert model.ids([["<s>", "a", "zzz"]]).tolist() == [0, model.words.index("a"), 0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.sampled_from([41, 1 << 62]))
def test_sorting_with_places_packed_in_equals_sorting_places(values: list[int], limit: int) -> None:
    keys, firsts, counts, ranks = _distinct(np.array(values), limit)
    expected = np.unique(values, return_index=True, return_inverse=True, return_counts=True)
    assert ranks is not None
    for own, numpys in zip((keys, firsts, ranks, counts), expected, strict=True):
        assert np.asarray(own).tolist() == numpys.tolist()


def saved(text: Sentences, order: int, prune: list[int], vocabulary: int | None, scratch: Scratch, path: Path) -> bytes:
    """The model's file; the text comes in pieces of a few tokens."""
    tokens = [token.encode() for sentence in text for token in (*sentence, END)]
    pieces = (tokens[at : at + 7] for at in range(0, len(tokens), 7))
    model = estimate(encoded(pieces, vocabulary, scratch), order, prune=prune).model
    save(model, path)
    return path.read_bytes()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 1000), sentences=st.integers(1, 60), order=st.integers(1, 5), rows=st.integers(1, 90),
    prune=st.sampled_from([[], [0, 1], [0, 0, 1], [0, 1, 2]]), vocabulary=st.sampled_from([None, 5]),
)  # fmt: skip
def test_a_budget_of_memory_changes_no_byte(
    tmp_path: Path, seed: int, sentences: int, order: int, rows: int, prune: list[int], vocabulary: int | None
) -> None:
    """With files that hold a few rows at a time, contexts and keys that fill several of them, and without."""
    text = some_text(seed, sentences)
    small = Scratch(128 * rows, tmp_path)
    assert small.rows == rows
    limits, path = prune[:order], tmp_path / "model.npz"
    assert saved(text, order, limits, vocabulary, small, path) == saved(
        text, order, limits, vocabulary, Scratch(), path
    )
    assert list(tmp_path.iterdir()) == [path]  # scratch files have no names


def test_arrays_are_written_as_numpy_writes_them(tmp_path: Path) -> None:
    model = estimate(corpus_of(some_text(1)), 3).model
    save(model, tmp_path / "ours.npz")
    with np.load(tmp_path / "ours.npz") as arrays:
        np.savez(tmp_path / "numpys.npz", allow_pickle=False, **arrays)
    assert (tmp_path / "ours.npz").read_bytes() == (tmp_path / "numpys.npz").read_bytes()


def test_orders_and_limits_that_cannot_be_and_nothing_to_learn_from() -> None:
    for order in (0, 6):
        with pytest.raises(UsageError, match="from 1 to 5"):
            estimate(corpus_of([["a"]]), order)
    for prune in ((1,), (0, 2, 1), (0, 0, 0, 0)):  # they would leave holes
        with pytest.raises(UsageError, match="cannot be pruned"):
            estimate(corpus_of([["a"]]), 3, prune=prune)
    with pytest.raises(InputError, match="no text"):
        encoded([[END.encode(), END.encode()]])
    with pytest.raises(UsageError, match="size of a vocabulary"):
        encoded([], 0)


# A bigram model by hand: log10 p(a) = -0.5, p(b | a) = -0.2; "b" has no back-off weight, as SRILM writes zeros.
TINY = """\
made by hand

\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-1.5\t<unk>
-99\t<s>\t-0.3
-0.7\t</s>
-0.5\ta\t-0.25
-0.9\tb

\\2-grams:
-0.1\t<s> a
-0.2\ta b
-0.4\tb </s>

\\end\\
"""


def arpa(tmp_path: Path, text: str = TINY) -> Path:
    path = tmp_path / "m.arpa"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(samples: Path) -> BackoffModel:
    pieces = (stretch.tokens() for stretch in read_stretches(samples / "de_garden-train.conllu"))
    return estimate(encoded(pieces), 4, prune=(0, 0, 1)).model


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz", "m.npz", "model"])
def test_what_is_written_is_read_again(model: BackoffModel, samples: Path, tmp_path: Path, name: str) -> None:
    save(model, tmp_path / name)
    check_kind(tmp_path / name)
    found = load(tmp_path / name)
    assert found.words == model.words
    for own, read in zip(model.levels, found.levels, strict=True):
        assert read.keys.tolist() == own.keys.tolist()
        assert read.logprob == pytest.approx(own.logprob, rel=1e-6)
        assert read.backoff == pytest.approx(own.backoff, rel=1e-6, abs=1e-7)
    sentences = read_sentences(samples / "de_garden-dev.conllu")
    for mine, theirs in zip(model.score(sentences), found.score(sentences), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-5)
    again = tmp_path / ("again" + name)
    save(found, again)
    assert load(again).words == model.words
    first = (tmp_path / name).read_bytes()
    save(model, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first  # no time is in it


def test_a_model_by_hand_is_scored_by_hand(tmp_path: Path) -> None:
    model = read_arpa(arpa(tmp_path))
    tokens, ends = model.score([["a", "b"], ["b", "a", "z"], []])
    log10 = [-0.1, -0.2, -0.3 - 0.9, 0 - 0.5, -0.25 - 1.5]
    assert tokens == pytest.approx(-np.array(log10) * np.log2(10))
    assert ends == pytest.approx(-np.array([-0.4, -0.7, -0.3 - 0.7]) * np.log2(10))


def test_windows_line_ends_and_capital_unk(tmp_path: Path) -> None:
    path = tmp_path / "m.arpa.gz"
    path.write_bytes(gzip.compress(TINY.replace("<unk>", "<UNK>").replace("\n", "\r\n").encode()))
    model = read_arpa(path)
    assert model.words == ["<unk>", "<s>", "</s>", "a", "b"]
    assert model.levels[0].logprob[0] == -1.5
    path.write_bytes(path.read_bytes()[:-6])
    with pytest.raises(InputError, match="damaged"):
        read_arpa(path)


def test_a_model_without_unk_finds_unknown_words_next_to_impossible_as_kenlm_does(tmp_path: Path) -> None:
    model = read_arpa(arpa(tmp_path, TINY.replace("-1.5\t<unk>\n", "").replace("ngram 1=5", "ngram 1=4")))
    tokens, _ = model.score([["b", "z"]])
    assert tokens[1] == pytest.approx(100 * np.log2(10))


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("\\data\\", "data", 19, "no ARPA file"),
        ("ngram 2=3", "ngram 3=3", 5, "expected the number of 2-grams"),
        ("ngram 2=3", "ngram 2=4", 18, "more 2-grams"),
        ("ngram 2=3", "ngram 2=2", 17, "expected \\end\\"),
        ("ngram 1=5", "ngram 1=4", 12, "expected \\2-grams:"),
        ("\\2-grams:", "\\3-grams:", 14, "expected \\2-grams:"),
        ("-0.2\ta b", "-0.2\ta", 16, "2 fields"),
        ("-0.2\ta b", "-0.2\ta b -0.1", 16, "4 fields"),
        ("-0.2\ta b", "0.2\ta b", 16, "cannot be 0.2"),
        ("-0.2\ta b", "nan\ta b", 16, "'nan' is not a probability"),
        ("-0.2\ta b", "x\ta b", 16, "'x' is not a probability"),
        ("a\t-0.25", "a\t-inf", 11, "'-inf' is not a back-off weight"),
        ("-0.2\ta b", "-0.2\ta c", 16, "'c' is not among the 1-grams"),
        ("-0.2\ta b", "-0.2\t<s> a", 16, "second time"),
        ("-0.9\tb", "-0.9\ta", 12, "the 1-gram 'a' comes a second time"),
        ("-0.7\t</s>", "-0.7\tc", 12, "there is no </s>"),
        ("\\end\\\n", "\\end\\\n\nmore\n", 21, "there is 'more'"),
        ("\n\\end\\\n", "", 17, "before \\end\\"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    path = arpa(tmp_path, TINY.replace(old, new, 1))
    with pytest.raises(InputError, match=re.escape(told)) as raised:
        read_arpa(path)
    assert raised.value.where == f"{path}:{line}"


def test_an_ngram_whose_context_is_missing_is_told(tmp_path: Path) -> None:
    text = TINY.replace("ngram 2=3\n", "ngram 2=3\nngram 3=1\n").replace(
        "\\end\\", "\\3-grams:\n-0.1\tb a b\n\n\\end\\"
    )
    with pytest.raises(InputError, match=r"m\.arpa:21: the first 2 words"):
        read_arpa(arpa(tmp_path, text))


def test_words_with_blanks_fit_npz_but_not_arpa(tmp_path: Path) -> None:
    model = estimate(encoded([[b"vingt et un", b"a", b"</s>"]]), 2).model
    with pytest.raises(UsageError, match=r"write the model as \.npz"):
        save(model, tmp_path / "m.arpa")
    save(model, tmp_path / "m.npz")
    assert load(tmp_path / "m.npz").words[3] == "vingt et un"


def changed(path: Path, **arrays: np.ndarray) -> None:
    """The model with some arrays replaced."""
    with np.load(path, allow_pickle=False) as found:
        old = {name: found[name] for name in found.files}
    np.savez(path, **{**old, **arrays})


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"keys2": np.arange(7)}, "are not"),
        ({"logprob1": np.full(5, np.nan, "f4")}, "not numbers"),
        ({"keys2": np.array([5, 4, 6])}, "not in order"),
        ({"keys2": np.array([1, 2, 1 << 40])}, "not in order"),
        ({"words": np.frombuffer(b"a\nb", np.uint8)}, "words do not fit"),
        ({"about": np.frombuffer(json.dumps({"format": "x 9"}).encode(), np.uint8)}, "its format is x 9"),
        ({"about": np.frombuffer(b"[]", np.uint8)}, "damaged"),
    ],
)
def test_a_damaged_npz_is_one_error(tmp_path: Path, arrays: dict[str, np.ndarray], told: str) -> None:
    path = tmp_path / "m.npz"
    save(read_arpa(arpa(tmp_path)), path)
    changed(path, **arrays)
    with pytest.raises(InputError, match=told):
        load(path)


def test_a_pickle_in_a_model_is_not_opened_and_a_bomb_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, about=np.array([{"format": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match="is no array of numbers or text"):
        load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("words.npy", b"\0" * 100_000)
    with pytest.raises(InputError, match="packed"):
        load(path)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"hello\n", "not an n-gram model"),
        (b"mmap lm http://kheafield.com/code format version 5\n", "binary file of KenLM"),
    ],
)
def test_other_files_are_told(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "m").write_bytes(data)
    with pytest.raises(InputError, match=told):
        check_kind(tmp_path / "m")


@pytest.fixture
def text(samples: Path, tmp_path: Path) -> Path:
    path = tmp_path / "train.txt"
    sentences = read_sentences(samples / "de_garden-train.conllu")
    path.write_text("".join(" ".join(one) + "\n" for one in sentences), encoding="utf-8")
    return path


def test_the_card_says_how_the_model_was_made(text: Path, samples: Path, tmp_path: Path) -> None:
    told: list[str] = []
    trained = train(
        "ngram", text, samples / "de_garden-dev.conllu", output=tmp_path / "m.npz", options={"order": "3"},
        progress=told.append,
    )  # fmt: skip
    card = read_card(tmp_path / "m.npz")
    assert card == trained.card
    assert card["signature"] == language_model(trained.system).signature
    assert card["train"]["sha256"] == hashlib.sha256(text.read_bytes()).hexdigest()
    assert (card["train"]["sentences"], card["train"]["words"]) == (413, 4202)
    assert (card["dev"]["sentences"], card["dev"]["words"]) == (85, 868)
    # KenLM 0.3.0: lmplz -o 3 and query
    assert card["dev_scores"] == pytest.approx({"perplexity": 109.3458, "perplexity without OOV": 82.7077}, abs=1e-4)
    assert card["log"]["ngrams"] == [1127, 3244, 3951]
    assert card["log"]["fallback"] == {}
    assert told[0] == "4202 tokens, 413 sentences, 1124 different words"
    assert told[3] == "3-grams: 3951, D1=0.932229 D2=1.34676 D3+=2.30083"


def test_text_and_treebank_of_the_same_tokens_give_the_same_model(text: Path, samples: Path, tmp_path: Path) -> None:
    for name, source, memory in (("a", text, {}), ("b", samples / "de_garden-train.conllu", {"memory": "1M"})):
        train("ngram", source, output=tmp_path / f"{name}.npz", options=memory)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert read_card(tmp_path / "a.npz")["options"] == read_card(tmp_path / "b.npz")["options"]


def test_all_formats_of_a_model_say_the_same(text: Path, samples: Path, tmp_path: Path) -> None:
    sentences = read_sentences(samples / "de_garden-dev.conllu")[:5]
    found = []
    for name in ("m.npz", "m.arpa", "m.arpa.gz"):
        trained = train("ngram", text, output=tmp_path / name, options={"order": "2"})
        found.append([value for one in score_with(trained.system, sentences).surprisals for value in one])
    assert found[0] == pytest.approx(found[1], abs=1e-5)
    assert found[1] == found[2]


def test_a_text_too_small_for_its_discounts_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("a b\n", encoding="utf-8")
    told: list[str] = []
    trained = train("ngram", tmp_path / "t.txt", output=tmp_path / "m", options={"order": "2"}, progress=told.append)
    assert told[2].startswith("warning: the text is too small or too regular to tell the discounts of 1-grams (none")
    assert trained.card["log"]["fallback"] == {"1": "none was counted 2×", "2": "none was counted 2×"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ordr": "3"}, "did you mean order"),
        ({"order": "x"}, "not a whole number"),
        ({"order": "6"}, "from 1 to 5"),
        ({"prune": "1"}, "the first 0"),
        ({"prune": "0,x"}, "not a whole number"),
        ({"discount_fallback": "1 2"}, "not three numbers"),
        ({"discount_fallback": "2 2 2"}, "more than the count"),
    ],
)
def test_a_wrong_option_is_told_before_the_work(text: Path, tmp_path: Path, options: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        train("ngram", text, output=tmp_path / "m.npz", options=options)
    assert not (tmp_path / "m.npz").exists()


def test_what_cannot_be_trained_so_is_told(text: Path, tmp_path: Path) -> None:
    bank = Treebank(b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(UsageError, match="learns from text"):
        train("ngram", bank, output=tmp_path / "m")
    with pytest.raises(UsageError, match="learns from text"):
        train("ngram", text, bank, output=tmp_path / "m")
    with pytest.raises(InputError, match=r"train\.txt:1: "):
        train("udpipe", text, output=tmp_path / "m")
    with pytest.raises(UsageError, match="read more than once"):
        train("ngram", "-", output=tmp_path / "m")
    with pytest.raises(UsageError, match="no text is named"):
        train("ngram", [], output=tmp_path / "m")
    with pytest.raises(UsageError, match="unknown preset"):
        train("ngram", text, output=tmp_path / "m", preset="big")


def test_a_model_that_is_not_there_or_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        NGram(str(tmp_path / "none.npz"))
    with pytest.raises(InputError, match="folder"):
        NGram(str(tmp_path))


def test_lines_are_sentences_and_ascii_blanks_part_tokens(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes("\ufeff\n a  b\tc\r\n\n \nd\u00a0e f".encode())
    assert read_sentences(path) == [["a", "b", "c"], ["d\u00a0e", "f"]]
    words = [token for stretch in read_stretches(path) for token in stretch.tokens() if token != b"</s>"]
    assert b" ".join(words).decode() == "a b c d\u00a0e f"


def test_the_words_of_phrase_trees_are_text(tmp_path: Path) -> None:
    """Brackets are no words, and traces are not said; a text may begin with a bracket."""
    trees, text = tmp_path / "t.mrg", tmp_path / "t.txt"
    trees.write_text("( (S (NP-SBJ-1 (NNP Ann)) (VP (VBD was)\n (VP (VBN seen) (NP (-NONE- *-1)))) (. .)) )\n(())\n")
    text.write_text("Ann was seen .\n")
    assert read_sentences(trees) == read_sentences(text) == [["Ann", "was", "seen", "."]]
    assert [stretch.tokens() for stretch in read_stretches(trees)] == [[b"Ann", b"was", b"seen", b".", b"</s>"]]
    for source in (trees, text):
        train("ngram", source, output=tmp_path / f"{source.name}.npz", options={"order": "2"})
    assert (tmp_path / "t.mrg.npz").read_bytes() == (tmp_path / "t.txt.npz").read_bytes()
    text.write_text("(AP Photo) Ann was seen .\n")
    assert read_sentences(text) == [["(AP", "Photo)", "Ann", "was", "seen", "."]]
    trees.write_text("(S (NP </s>))\n")
    with pytest.raises(InputError, match="edge of a sentence"):
        read_sentences(trees)


def test_a_multiword_token_is_one_token() -> None:
    rows = ["1-2\tim", "1\tin", "2\tdem", "3\tHaus", "3.1\tleer"]
    data = "\n".join(f"{row}\t_\t_\t_\t_\t{head}\t_\t_\t_" for row, head in zip(rows, "_011_", strict=True)) + "\n\n"
    assert Stretch("x", data.encode()).sentences() == [["im", "Haus"]]
    assert Stretch("x", data.encode()).tokens() == [b"im", b"Haus", b"</s>"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"a b\nc </s> d\n", "t.txt:2: the text has </s> as a word"),
        (b"a b\n\nc \xff d\n", "t.txt:3: the text is not UTF-8"),
        (b"\n \n", "there is no text in it"),
    ],
)
def test_text_that_is_none_is_told_with_its_place(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "t.txt").write_bytes(data)
    with pytest.raises(InputError, match=told.replace(".", r"\.")):
        train("ngram", tmp_path / "t.txt", output=tmp_path / "m.npz")


def test_the_edge_of_a_sentence_as_a_form_of_a_treebank_is_told() -> None:
    data = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\t<s>\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    with pytest.raises(InputError, match=r"x:3: the text has <s> as a word"):
        Stretch("x", data.encode()).sentences()
