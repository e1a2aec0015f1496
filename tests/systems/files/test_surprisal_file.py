"""Outputs of other programs in files, and checkpoints of models."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.systems import parse_with
from gardenpath.systems.asking.entrants import entrants_of
from gardenpath.systems.asking.matching import ParseResult
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.files.models import (
    CARD,
    CHECKPOINTS,
    growing_steps,
    kept_steps,
    split_step,
    steps_in,
    systems_by_step,
)
from gardenpath.systems.files.surprisal_file import SurprisalFiles, is_unknown, read_surprisals
from gardenpath.systems.language_models.scoring import score_with
from gardenpath.treebank import Draft, Treebank, Word, from_drafts
from scored_text import to_lm_zoo

HEADER = "sentence_id\ttoken_id\ttoken\tsurprisal\n"
SENTENCES = [["the", "dog", "barks"], ["a", "cat"]]
VALUES = [[1.0, 2.5, 3.25], [0.5, 7.0]]


def zoo(path: Path, sentences: list[list[str]] = SENTENCES, values: list[list[float]] = VALUES) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_lm_zoo(sentences, values), encoding="utf-8")
    return path


def test_table_of_lm_zoo(tmp_path: Path) -> None:
    found = read_surprisals(zoo(tmp_path / "x.tsv"))
    assert [one.tokens for one in found] == [("the", "dog", "barks"), ("a", "cat")]
    assert [one.surprisals.tolist() for one in found] == VALUES
    assert found[1].place.endswith("x.tsv:5")
    assert found[0].oov is None


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("token\tsurprisal\nthe\t1\n<unk>\t2\r\n\n\na\t3\n</s>\t4\n", [("the", "<unk>"), ("a",)]),
        (HEADER.strip() + "\toov\n1\t0\ta\t1\t0\n1\t1\tb\t2\t1\n", [("a", "b")]),
    ],
)
def test_unknown_words_are_told_by_their_token_or_a_column(tmp_path: Path, text: str, tokens: object) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text, encoding="utf-8")
    found = read_surprisals(path)
    assert [one.tokens for one in found] == tokens
    assert found[0].oov is not None
    assert found[0].oov.tolist() == [False, True]


WORD_TABLE = ",Sentence,token,word,word_pos,sum_surprisal,sum_surprisal_base2\n"


def test_a_row_a_word(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = '0,"so, cats sleep","so,","so,",0,1,1.5\n0,"so, cats sleep",cats,cats,1,2,3\n1,dogs,dogs,dogs,0,2,3\n'
    path.write_text(WORD_TABLE + rows, encoding="utf-8")
    sentences = read_surprisals(path)
    assert [(sentence.tokens, sentence.surprisals.tolist()) for sentence in sentences] == [
        (("so,", "cats"), [1.5, 3.0]), (("dogs",), [3.0])
    ]  # fmt: skip
    # Without the column in bits the other one is in nats.
    path.write_text("word,word_pos,sum_surprisal\na,0,1\nb,1,0.5\n", encoding="utf-8")
    (sentence,) = read_surprisals(path)
    assert sentence.surprisals == pytest.approx([1.4426950408889634, 0.7213475204444817])


def test_tables_with_a_row_a_word_hold_several_suites(tmp_path: Path) -> None:
    for name, words in (("one", "a,0,1,1.5\nb,1,1,2\n"), ("two", "c,0,1,3\n")):
        (tmp_path / f"{name}.csv").write_text(f"word,word_pos,sum_surprisal,sum_surprisal_base2\n{words}", "utf-8")
    files = SurprisalFiles(str(tmp_path))
    answers = files.of_suite("three", [["c"], ["a", "b"]])
    assert [answer.surprisals.tolist() for answer in answers] == [[3.0], [1.5, 2.0]]
    with pytest.raises(InputError, match="sentence 1 is missing: no such words"):
        files.of_suite("three", [["no", "such", "words"]])


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (WORD_TABLE + "0,a b,a,a,0,1,1\n0,a b,b,b,2,1,1\n", "word 2 comes after 1 words", 3),
        (WORD_TABLE + "0,a b,a,a,first,1,1\n", "not a row of a word with its position", 2),
        ("word,word_pos,bits\na,0,1\n", "no column with words, or none with surprisals", 1),
        (HEADER + "1\t1\ta\t1\n1\t2\tb\tinf\n", "the surprisal is inf", 3),
        (HEADER + "1\t1\ta\tx\n", "'x' is not a number", 2),
        (HEADER + "1\t1\ta\t1\n3\t1\tb\t1\n", "sentence 2 is missing: 3 comes after 1", 3),
        (HEADER + "2\t1\ta\t1\n", "sentence 1 is missing", 2),
        (HEADER + "1\t1\ta\t1\n1\t3\tb\t1\n", "token 3 of sentence 1", 3),
        (HEADER + "1\t1\ta\n", "3 cells in a table with 4 columns", 2),
        ("sentence_id\ttoken\n1\ta\n", "no column surprisal", 1),
        ("a b c\n", "not a line of surprisals", 1),
        ("a\t-inf\n", "the surprisal is -inf", 1),
        (HEADER, "no surprisals", 0),
        (HEADER + "1\t1\t<s>\t1\n", "a sentence without words", 2),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, message: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        read_surprisals(path)
    assert error.value.where == (f"{path}:{line}" if line else str(path))


@pytest.mark.parametrize("text", ["a\t-1.5\nb\t-0.5\n\nc\t0\n", HEADER + "1\t1\ta\t-2\n1\t2\tb\tnan\n"])
def test_log_probabilities_are_refused_with_what_to_do(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no value is above 0: these are log-probabilities") as error:
        read_surprisals(path)
    assert "the sign turned" in error.value.todo


def test_one_negative_value_is_an_error_and_rounding_is_not(tmp_path: Path) -> None:
    path = zoo(tmp_path / "x.tsv", values=[VALUES[0], [0.5, -7.0]])
    with pytest.raises(InputError, match="a negative surprisal, -7 of 'cat': 1 of 5 values are below 0") as error:
        read_surprisals(path)
    assert error.value.where == f"{path}:5"
    assert len(read_surprisals(zoo(tmp_path / "y.tsv", values=[VALUES[0], [0.5, -1e-6]]))) == 2


def test_a_mean_that_no_unit_explains_is_warned_of(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"the mean surprisal is 40\.2, too much for bits or nats"):
        warned = read_surprisals(zoo(tmp_path / "x.tsv", values=[[1.0, 100.0, 50.0], [49.0, 1.0]]))
    assert [sentence.surprisals.tolist() for sentence in warned] == [[1.0, 100.0, 50.0], [49.0, 1.0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quiet = read_surprisals(zoo(tmp_path / "y.tsv", values=[[1.0, 99.0, 50.0], [49.0, 1.0]]))  # a mean of 40
    assert [sentence.surprisals.tolist() for sentence in quiet] == [[1.0, 99.0, 50.0], [49.0, 1.0]]


def test_sentences_that_nobody_asks_for_are_counted(tmp_path: Path) -> None:
    there = [*SENTENCES, ["more"], ["more"], ["a", "cat"]]
    files = SurprisalFiles(str(zoo(tmp_path / "x.tsv", there, [*VALUES, [1.0], [2.0], VALUES[1]])))
    files.of_suite("one", SENTENCES[:1])
    assert files.surplus == 4
    files.of_suite("other", SENTENCES[1:])
    assert files.surplus == 2  # the same answer twice to a sentence is one


def test_a_function_that_returns_log_probabilities_is_refused() -> None:
    from gardenpath.systems.asking.objects import adapted

    model = adapted(lambda sentences: [[-1.0] * len(words) for words in sentences], "language model")
    with pytest.raises(SystemFailure, match=r"the surprisal of token 1, 'the', is -1\.0") as error:
        score_with(model, SENTENCES)
    assert "the other sign" in error.value.todo


def test_seeds_are_folders_and_names_of_files_differ(tmp_path: Path) -> None:
    for seed, prefix in (("trial2", "surprisals_output_cls_adj.txt"), ("trial10", "surprisals_cls_adj.tsv")):
        zoo(tmp_path / "out" / seed / prefix)
        zoo(tmp_path / "out" / seed / prefix.replace("adj", "adj_pp"), SENTENCES[:1], VALUES[:1])
    files = SurprisalFiles(str(tmp_path / "out"))
    assert list(files.seeds) == ["trial2", "trial10"]
    assert "seeds:2" in files.signature
    for seed in files.seeds:
        assert len(files.of_suite("cls_adj", SENTENCES, seed)) == 2
    with pytest.raises(InputError, match="no file with the surprisals of cls_obj"):
        files.of_suite("cls_obj", SENTENCES, "trial2")
    with pytest.raises(UsageError, match="2 seeds, and one is asked"):
        files.surprisals(SENTENCES)


def test_two_files_for_one_suite(tmp_path: Path) -> None:
    for name in ("a_cls.tsv", "b_cls.tsv"):
        zoo(tmp_path / name)
    with pytest.raises(InputError, match="2 files for cls"):
        SurprisalFiles(str(tmp_path)).of_suite("cls", SENTENCES)


def test_sentences_are_found_by_their_words(tmp_path: Path) -> None:
    more = zoo(tmp_path / "x.tsv", [["more"], *SENTENCES[::-1]], [[9.0], *VALUES[::-1]])
    files = SurprisalFiles(str(more))
    assert [sentence.surprisals.tolist() for sentence in files.of_suite("any", SENTENCES)] == VALUES
    with pytest.raises(InputError, match="sentence 2 is missing: a bird; in the nearest one, after 'a'") as error:
        files.of_suite("any", [SENTENCES[0], ["a", "bird"]])
    assert "the input has 'bird', the file 'cat'" in error.value.what
    assert error.value.where == f"{more}:3"
    assert "#match=order" in error.value.todo
    same = SurprisalFiles(str(zoo(tmp_path / "same.tsv", SENTENCES[::-1], VALUES[::-1])))  # as many, in another order
    assert [sentence.surprisals.tolist() for sentence in same.of_suite("any", SENTENCES)] == VALUES


def test_a_token_for_unknown_words_stands_for_any_one_word(tmp_path: Path) -> None:
    there = [["the", "<unk>", "barks"], ["<unk>", "<unk>", "barks"], ["the", "dog", "barks"]]
    files = SurprisalFiles(str(zoo(tmp_path / "x.tsv", there, [[1.0] * 3, [2.0] * 3, [3.0] * 3])))

    def found(*words: str) -> float:
        return float(files.of_suite("any", [words])[0].surprisals[0])

    assert found("the", "zebra", "barks") == 1.0
    assert found("this", "zebra", "barks") == 2.0
    assert found("the", "dog", "barks") == 3.0
    for words in (["the", "zebra", "bark"], ["the", "grey", "zebra", "barks"]):
        with pytest.raises(InputError, match="sentence 1 is missing"):
            found(*words)


def test_answers_that_differ_are_an_error_and_equal_ones_are_one(tmp_path: Path) -> None:
    twice = [["a", "cat"], ["a", "cat"], ["a", "<unk>"], ["<unk>", "dog"]]
    files = SurprisalFiles(str(zoo(tmp_path / "x.tsv", twice, [[0.5, 7.0], [0.5, 8.0], [1.0, 2.0], [3.0, 4.0]])))
    with pytest.raises(InputError, match="sentence 1 has answers that differ: a cat: 'cat' has 7 bits at") as error:
        files.of_suite("any", [["a", "cat"]])
    assert "#match=order" in error.value.todo
    with pytest.raises(InputError, match="sentence 1 has answers that differ: a dog"):  # which of the two is unknown?
        files.of_suite("any", [["a", "dog"]])
    noise = SurprisalFiles(str(zoo(tmp_path / "y.tsv", twice[:2], [[0.5, 7.0], [0.5, 7.00001]])))
    assert [sentence.surprisals[1] for sentence in noise.of_suite("any", twice[:2])] == [7.0, 7.0]
    once = SurprisalFiles(str(zoo(tmp_path / "z.tsv", twice[:2], [[float("nan")] * 2, [0.5, 7.0]])))
    assert once.of_suite("any", twice[:1])[0].surprisals[1] == 7.0


def test_by_order_where_it_is_asked_for(tmp_path: Path) -> None:
    path = zoo(tmp_path / "x.tsv", [["the", "dog", "barked"], ["a", "cat"]])
    files = SurprisalFiles(f"{path}#match=order")
    assert [sentence.surprisals.tolist() for sentence in files.of_suite("any", SENTENCES)] == VALUES
    assert files.name == f"surprisals:{path}#match=order"
    assert "|match:order|" in files.signature
    assert "match" not in SurprisalFiles(f"{path}#match=content").signature
    with pytest.raises(InputError, match="2 sentences in the file and 1 in any"):
        files.of_suite("any", SENTENCES[:1])
    with pytest.raises(UsageError, match="the order of a file is that of a suite"):
        files.surprisals(SENTENCES)
    for options, told in (
        ("match=words", "unknown value of match 'words'"), ("mach=order", "did you mean match"),
        ("match=order#match=order", "given twice"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=told):
            SurprisalFiles(f"{path}#{options}")
    assert SurprisalFiles(str(zoo(tmp_path / "a#b.tsv"))).match == "content"


def test_nan_is_for_sentences_that_were_not_scored(tmp_path: Path) -> None:
    nan = float("nan")
    path = zoo(tmp_path / "x.tsv", values=[[nan] * 3, VALUES[1]])
    assert np.isnan(read_surprisals(path)[0].surprisals).all()
    scores = score_with(f"surprisals:{path}", SENTENCES)
    assert scores.failures == {"crashed": 1}
    assert scores.surprisals[1].tolist() == VALUES[1]


def test_it_is_a_language_model(tmp_path: Path) -> None:
    model = language_model(f"surprisals:{zoo(tmp_path / 'x.tsv')}")
    assert [one.tolist() for one in model.surprisals(SENTENCES)] == VALUES
    assert [one.tolist() for one in model.oov(SENTENCES)] == [[False] * 3, [False] * 2]
    assert model.signature.startswith("kind:surprisals|files:")
    with pytest.raises(InputError, match="no such file"):
        language_model(f"surprisals:{tmp_path / 'none'}")


@pytest.mark.parametrize(
    ("token", "expected"),
    [("<unk>", True), ("UNK-LC-s", True), ("[UNK]", True), ("<UNK_num>", True), ("unkind", False), ("trunk", False)],
)
def test_marks_of_unknown_words(token: str, expected: bool) -> None:
    assert is_unknown(token) is expected


WORDS = st.lists(st.text("abcé的书", min_size=1, max_size=4), min_size=1, max_size=5)


@given(st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_written_and_read_again(sentences: list[list[str]], data: st.DataObject) -> None:
    import tempfile

    numbers = st.floats(0, 40, allow_nan=False)
    values = [[data.draw(numbers) for _ in words] for words in sentences]
    with tempfile.TemporaryDirectory() as folder:
        found = read_surprisals(zoo(Path(folder) / "x.tsv", sentences, values))
    assert [list(one.tokens) for one in found] == sentences
    assert all(np.array_equal(one.surprisals, given) for one, given in zip(found, values, strict=True))


TEXTS = ("Sie geht heim", "Er kommt", "Wir warten lange hier", "Er kommt")


def bank(*texts: str, ids: bool = True, label: str = "dep") -> Treebank:
    drafts = []
    for number, text in enumerate(texts, 1):
        words = [Word(form, head=at, deprel=label if at else "root") for at, form in enumerate(text.split())]
        drafts.append(Draft(words, comments=[f"sent_id = s{number}"] if ids else []))
    return from_drafts(drafts)


def parsed(tmp_path: Path, file: Treebank, asked: Treebank) -> ParseResult:
    file.write(tmp_path / "out.conllu")
    return parse_with(f"conllu:{tmp_path / 'out.conllu'}", asked)


def test_by_id_in_any_order(tmp_path: Path) -> None:
    result = parsed(tmp_path, bank(*TEXTS, label="obj")[[3, 0, 2, 1]], bank(*TEXTS))
    assert not result.notes
    assert not result.failures
    assert result.treebank.sent_ids == ["s1", "s2", "s3", "s4"]


def test_ids_tell_the_same_sentences_apart(tmp_path: Path) -> None:
    """Sentences 2 and 4 have the same words; the file has them in the other order."""
    file = from_drafts([bank(*TEXTS, label=label)[number].edit() for number, label in ((3, "obj"), (1, "nsubj"))])
    result = parsed(tmp_path, file, bank(*TEXTS)[[1, 3]])
    assert [sentence.words[1].deprel for sentence in result.treebank] == ["nsubj", "obj"]


def test_by_text_where_there_are_no_ids(tmp_path: Path) -> None:
    result = parsed(tmp_path, bank("Etwas anderes", *TEXTS[::-1], ids=False), bank(*TEXTS))
    assert not result.failures
    assert [sentence.text for sentence in result.treebank] == list(TEXTS)


def test_a_partial_file_leaves_the_rest_unparsed(tmp_path: Path) -> None:
    result = parsed(tmp_path, bank(*TEXTS)[[0, 2]], bank(*TEXTS))
    assert result.failures == {"unparsed": 2}
    assert [s.metadata.get("gardenpath_failure") for s in result.treebank] == [None, "unparsed", None, "unparsed"]


def test_by_order_other_tokens_of_the_same_text_are_the_parsers_failure(tmp_path: Path) -> None:
    asked = bank("Sie geht", "Er kommt", ids=False)
    result = parsed(tmp_path, bank("Sie ge ht", "Er kom mt", ids=False), asked)
    assert result.failures == {"other-tokens": 2}


@pytest.mark.parametrize("ids", [True, False])
def test_another_text_is_an_error_that_names_the_first_difference(tmp_path: Path, ids: bool) -> None:
    with pytest.raises(InputError, match=r"after 'Sie' the input has 'geht heim', the file 'bleibt heim'"):
        parsed(tmp_path, bank("Sie bleibt heim", "Er bleibt", ids=ids), bank("Sie geht heim", "Er kommt", ids=ids))


def test_a_file_of_something_else_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is this the output for this input"):
        parsed(tmp_path, bank("x y")[[0]], Treebank(bank("a b", "c d").data.replace(b"sent_id = s", b"sent_id = t")))
    (tmp_path / "bad.conllu").write_text("no CoNLL-U\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.conllu:1"):
        parse_with(f"conllu:{tmp_path / 'bad.conllu'}", bank("a b"))


def test_partial_trees_in_a_file_are_marked(tmp_path: Path) -> None:
    file = Treebank(bank("a b").data.replace(b"\t1\tdep", b"\t_\tdep"))
    assert parsed(tmp_path, file, bank("a b")).failures == {"incomplete": 1}


ROLE = "language model"


def kept_model(folder: Path, *steps: int) -> Path:
    """What of a model an axis looks at."""
    (folder / CHECKPOINTS).mkdir(parents=True)
    (folder / CARD).write_text("{}", encoding="utf-8")
    for step in steps:
        (folder / CHECKPOINTS / f"step-{step}.pt").write_bytes(b"")
    return folder


def test_steps_in_braces_are_one_system():
    entrants = entrants_of(["A=hf:me/model@step{4,1,8..24..8}#dtype=bfloat16", "hf:b-{2,10}", "hf:plain"], ROLE)
    assert [entrant.step for entrant in entrants] == [1, 4, 8, 16, 24, 2, 10, None]
    assert [entrant.axis for entrant in entrants] == ["A"] * 5 + ["hf:b-{2,10}"] * 2 + [""]
    assert entrants[1].name == "A@4"
    assert entrants[1].given == ("hf:me/model@step4#dtype=bfloat16",)
    assert entrants[6].name == "hf:b-10"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hf:x@step{3..1}", "names none"),
        ("hf:x@step{1,1}", "one of them twice"),
        ("hf:x@step{1,2.5}", "'2.5' is not a step"),
        ("hf:x{1,2}@step{1,2}", "one axis"),
        ("hf:x@step{0..99999999}", "more than 10,000 steps"),
        ("lstm:nowhere@all", "no checkpoints were kept"),
    ],
)
def test_an_axis_that_is_none(name, message):
    with pytest.raises(UsageError, match=message):
        entrants_of([name], ROLE)


def test_braces_in_the_name_of_a_file_are_no_axis(tmp_path):
    (tmp_path / "{1,2}").mkdir()
    assert systems_by_step(f"hf:{tmp_path}/{{1,2}}") == {}
    (tmp_path / "x@step8").mkdir()
    assert split_step(f"{tmp_path}/x@step8") == (f"{tmp_path}/x@step8", None)
    assert split_step("x@step8") == ("x", 8)


def test_all_is_what_every_seed_has(tmp_path):
    for seed, steps in enumerate([(1, 2, 10, 40), (1, 2, 10)]):
        kept_model(tmp_path / "models" / f"seed-{seed}", *steps)
    assert kept_steps(tmp_path / "models" / "seed-0") == [1, 2, 10, 40]
    entrants = entrants_of({"L": f"lstm:{tmp_path}/models@all"}, ROLE)
    assert [entrant.name for entrant in entrants] == ["L@1", "L@2", "L@10"]
    assert entrants[2].given == tuple(f"lstm:{tmp_path}/models/seed-{seed}@step10" for seed in (0, 1))
    (only,) = entrants_of(f"lstm:{tmp_path}/models@step2", ROLE)
    assert len(only) == 2
    assert not only.axis


def test_seeds_that_are_listed_have_the_same_steps():
    entrants = entrants_of("L=lstm:a@step{1,2},lstm:b@step{1,2}", ROLE)
    assert [entrant.given for entrant in entrants] == [
        ("lstm:a@step1", "lstm:b@step1"),
        ("lstm:a@step2", "lstm:b@step2"),
    ]
    with pytest.raises(UsageError, match="different checkpoints"):
        entrants_of("L=lstm:a@step{1,2},lstm:b@step{1,4}", ROLE)


@pytest.mark.parametrize("other", ["L=lstm:c", "L=lstm:c@step{4,8}"])
def test_an_axis_has_a_name_of_its_own(other):
    with pytest.raises(UsageError, match="named twice: L"):
        entrants_of(["L=lstm:a@step{1,2}", other], ROLE)


def test_entrants_are_taken_as_they_are():
    entrants = entrants_of("L=lstm:a@step{1,2}", ROLE)
    assert entrants_of(entrants, ROLE) == entrants


@pytest.mark.parametrize("name", ["command:xargs -I {} parse {}", "command:awk '{1}'", "hf:{a,b}"])
def test_other_braces_are_no_axis(name):
    (entrant,) = entrants_of([name], ROLE)
    assert entrant.given == (name,)


def test_objects_by_step():
    entrants = entrants_of({"m": {20: "lstm:b", 3: lambda sentences: []}}, ROLE)
    assert [(entrant.name, entrant.axis, entrant.step) for entrant in entrants] == [("m@3", "m", 3), ("m@20", "m", 20)]
    with pytest.raises(UsageError, match="known by their steps"):
        entrants_of({"m": {"late": "lstm:b"}}, ROLE)


@pytest.mark.parametrize(("count", "last"), [(1, 1), (1, 50), (2, 50), (12, 12), (12, 13), (12, 5000), (20, 7)])
def test_growing_steps_are_distinct_and_end_with_the_last(count, last):
    steps = growing_steps(count, last)
    assert len(set(steps)) == len(steps) == min(count, last)
    assert steps == sorted(steps)
    assert (steps[-1], steps[0]) == (last, last if count == 1 else 1)


def test_growing_steps_grow_by_a_factor():
    assert growing_steps(7, 1_000_000) == [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
    assert steps_in("0..6..3, 1", "x") == [0, 1, 3, 6]
