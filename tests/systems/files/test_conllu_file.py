"""A parsed file as a system: its sentences are found by what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.systems import parse_with
from gardenpath.systems.asking.matching import ParseResult
from gardenpath.treebank import Draft, Treebank, Word, from_drafts

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
