"""Parsers that let variants vote, with parsers whose mistakes depend on the year."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.studies.consistency.voting import Voting, voted, voting
from gardenpath.systems.asking.request import Request
from gardenpath.systems.parsers.parsing import parse_with
from gardenpath.treebank import Treebank
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what another one kept."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


GOLD = """# sent_id = s1
# text = He left in 1998 alone
1	He	he	PRON	_	_	2	nsubj	_	_
2	left	leave	VERB	_	_	0	root	_	_
3	in	in	ADP	_	_	4	case	_	_
4	1998	1998	NUM	_	_	2	obl	_	_
5	alone	alone	ADV	_	_	2	advmod	_	_

"""


class Moody:
    """Right, but for years that end in an odd number, where it takes the last word for part of the year."""

    name, signature, modes = "moody", "moody", ("tokens",)

    def parse(self, request: Request) -> str:
        blocks = []
        for sentence in request.tokens:
            year = sentence.words[3].form
            block = GOLD.replace("s1", sentence.sent_id).replace("1998", year)
            blocks.append(block.replace("2\tadvmod", "4\tamod") if int(year) % 2 else block)
        return "".join(blocks)


def numerals() -> Voting:
    return Voting(Moody(), perturbation("numerals", PerturbationSettings(split="train")), 20)


@pytest.mark.parametrize("year", ["1998", "1997"])
def test_the_majority_of_years_decides(year: str) -> None:
    """Of the 20 published years to train with, 9 are odd: with or without one more, the even ones win."""
    system = numerals()
    asked = Treebank(GOLD.replace("1998", year).encode())
    answer = parse_with(system, asked).treebank[0]
    assert [word.head for word in answer.words] == [2, 0, 4, 2, 2]
    assert answer.words[4].deprel == "advmod"
    assert answer.words[3].form == year
    assert (system.asked, system.answered) == (1, 21)


def test_a_sentence_without_a_number_is_parsed_once() -> None:
    class Plain(Moody):
        def parse(self, request: Request) -> str:
            return GOLD.replace("1998", "Rome")

    system = Voting(Plain(), perturbation("numerals"), 5)
    parse_with(system, Treebank(GOLD.replace("1998", "Rome").encode()))
    assert (system.asked, system.answered) == (1, 1)


def test_what_is_no_tree_has_no_vote_and_ties_go_to_the_sentence() -> None:
    sentence = Treebank(GOLD.encode())[0]
    cycle = Treebank(GOLD.replace("4\tcase", "5\tcase").replace("2\tadvmod", "3\tadvmod").encode())[0]
    rival = Treebank(GOLD.replace("2\tadvmod", "4\tamod").encode())[0]
    short = Treebank(b"1\tHe\t_\tPRON\t_\t_\t0\troot\t_\t_\n\n")[0]
    assert voted(sentence, [cycle, short]) == sentence.to_conllu()
    assert Treebank(voted(sentence, [rival]).encode())[0].heads.tolist() == sentence.heads.tolist()
    outvoted = Treebank(voted(sentence, [rival, rival, cycle]).encode())[0]
    assert (outvoted.heads.tolist()[4], outvoted.words[4].deprel) == (4, "amod")
    repaired = Treebank(voted(cycle, [sentence, sentence]).encode())[0]
    assert repaired.heads.tolist() == sentence.heads.tolist()


def test_names() -> None:
    made = voting("names.de/7:baseline:right-branching")
    assert (made.name, made.variants, made.kind.name) == ("vote:names.de/7:baseline:right-branching", 7, "names")
    assert "set=train" in made.signature
    for wrong in ("numerals", "names.de/0:baseline:right-branching", ""):
        with pytest.raises(UsageError):
            voting(wrong)


def test_gold_layers_go_to_the_variants_too() -> None:
    seen: list[list[str]] = []

    class Watched(Moody):
        def parse(self, request: Request) -> str:
            seen.append([sentence.words[3].upos for sentence in request.tokens])
            return super().parse(request)

    kind = perturbation("numerals", PerturbationSettings(split="train"))
    parse_with(Voting(Watched(), kind, 3), Treebank(GOLD.encode()), gold="tags")
    assert seen == [["NUM"], ["NUM"] * 3]
