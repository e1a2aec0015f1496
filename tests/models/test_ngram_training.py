"""Training n-gram models: card, options, messages, and nothing half-made; text as its readers see it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.systems import read_card, train
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.files.text_input import Stretch, read_stretches
from gardenpath.systems.language_models.scoring import score_with
from gardenpath.treebank import Treebank
from gardenpath_models.ngram.system import NGram
from scored_text import read_sentences


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
