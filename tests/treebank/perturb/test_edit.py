"""The edit itself: text, comments, MISC, multiword tokens, empty nodes; and what is refused."""

from __future__ import annotations

import pytest

from gardenpath.errors import SystemFailure, UsageError
from gardenpath.treebank import Sentence, Treebank
from gardenpath.treebank.perturb import Batch, Change, Proposal, Refusal, Replacement, Tally, perturb
from gardenpath.treebank.perturb.batch import substitute


class Fixed:
    """Puts given changes into every sentence."""

    name = "fixed"
    signature = "fixed()"

    def __init__(self, **changes: Change) -> None:
        self.changes = {int(key[1:]): change for key, change in changes.items()}

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        return Proposal("old", tuple(self.changes), [Replacement("new", self.changes)])


RICH = """# newdoc id = d
# newpar
# sent_id = a
# text = Zum  See 在水 fuhr Anna.
# text_en = To the lake …
# translit = zum see
# source = own
1-2\tZum\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:3
1\tzu\tzu\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_
3\tSee\tSee\tNOUN\t_\tGender=Masc|Case=Dat\t5\tobl\t5:obl\tSpacesAfter=\\s\\s|Gloss=lake
4\t在水\t在水\tX\t_\t_\t3\tdep\t_\tTranslit=zai|Note=x
5\tfuhr\tfahren\tVERB\t_\t_\t0\troot\t0:root\t_
6\tAnna\tAnna\tPROPN\tNE\tGender=Fem\t5\tnsubj\t5:nsubj\tSpaceAfter=No|Note=a
6.1\tAnna\tAnna\tPROPN\t_\t_\t_\t_\t5:nsubj\tCopyOf=6
7\t.\t.\tPUNCT\t_\t_\t5\tpunct\t5:punct\t_

"""


def variant(text: str, **changes: Change) -> Sentence:
    batch = perturb(Fixed(**changes), Treebank(text.encode())[0])
    assert isinstance(batch, Batch)
    return batch.treebank()[0]


def test_only_what_is_edited_changes() -> None:
    one = variant(RICH, w6=Change("Maximilian", "Max", feats={"Gender": "Masc", "Case": "Nom"}))
    expected = RICH.replace("# newdoc id = d\n# newpar\n", "").replace("# sent_id = a", "# sent_id = a-fixed-1")
    expected = expected.replace("# text_en = To the lake …\n# translit = zum see\n", "")
    expected = expected.replace("fuhr Anna.", "fuhr Maximilian.").replace("TokenRange=0:3", "_")
    expected = expected.replace("# source = own\n", "# source = own\n# perturbation = fixed 6:Anna>Maximilian\n")
    expected = expected.replace("Anna\tAnna\tPROPN\tNE\tGender=Fem", "Maximilian\tMax\tPROPN\tNE\tCase=Nom|Gender=Masc")
    expected = expected.replace("Anna\tAnna\tPROPN\t_\t_", "Maximilian\tMax\tPROPN\t_\tCase=Nom|Gender=Masc")
    assert one.to_conllu() == expected


def test_misc_that_described_the_old_form_goes() -> None:
    one = variant(RICH, w3=Change("Teich"), w4=Change("水"))
    assert (one.words[2]["misc"], one.words[3]["misc"]) == ("SpacesAfter=\\s\\s", "Note=x")
    assert one.text == "Zum  Teich 水 fuhr Anna."
    assert one.words[2].lemma == "See"


def test_features_can_be_taken_away() -> None:
    assert variant(RICH, w3=Change("Seen", feats={"Gender": None})).words[2]["feats"] == "Case=Dat"


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (RICH.replace("fuhr Anna.", "fuhr Anne."), "text"),
        (RICH.replace("fuhr Anna.", "fuhrAnna."), "text"),
        (RICH.replace("fuhr Anna.", "fuhr Anna. Ja"), "text"),
        (RICH.replace("# source = own", "# perturbation = names 6:Eva>Anna"), "variant"),
    ],
)
def test_a_sentence_that_is_left_alone(spoilt: str, why: str) -> None:
    assert perturb(Fixed(w6=Change("Eva")), Treebank(spoilt.encode())[0]) == Refusal(why)


def test_without_text_none_is_made() -> None:
    one = variant("1\tAnna\tAnna\tPROPN\t_\t_\t0\troot\t_\t_\n\n", w1=Change("Eva"))
    assert one.to_conllu() == "# perturbation = fixed 1:Anna>Eva\n1\tEva\tAnna\tPROPN\t_\t_\t0\troot\t_\t_\n\n"


def test_parts_of_multiword_tokens_are_left_alone() -> None:
    assert perturb(Fixed(w2=Change("der")), Treebank(RICH.encode())[0]) == Refusal("multiword token")


@pytest.mark.parametrize("form", ["", "a b", "a\tb", "a\nb", "\u00a0", "_", "a\x00"])
def test_a_form_must_be_a_token(form: str) -> None:
    with pytest.raises(UsageError, match="cannot be a token"):
        perturb(Fixed(w6=Change(form)), Treebank(RICH.encode())[0])


def test_a_lemma_must_be_a_field() -> None:
    with pytest.raises(UsageError, match="a: a field of CoNLL-U cannot be 'x\\\\ty'"):
        perturb(Fixed(w6=Change("Eva", "x\ty")), Treebank(RICH.encode())[0])


def test_a_word_must_be_there() -> None:
    with pytest.raises(SystemFailure, match="fixed, sentence a: the perturbation edits a word that is not there: 99"):
        perturb(Fixed(w99=Change("Eva")), Treebank(RICH.encode())[0])


def test_a_constant_keeps_the_name_of_the_sentence_and_its_document() -> None:
    made = substitute(Fixed(w6=Change("Eva")), Treebank(RICH.encode())[0], "NNNN")
    assert isinstance(made, str)
    one = Treebank(made.encode())[0]
    assert one.text == "Zum  See 在水 fuhr NNNN."
    assert (one.words[5].lemma, one.sent_id, one.metadata["newdoc id"]) == ("NNNN", "a", "d")
    assert one.metadata["perturbation"] == "fixed 6:Anna>NNNN"


def test_a_tally_counts_both() -> None:
    tally = Tally()
    for text in (RICH, RICH.replace("fuhr Anna.", "x")):
        tally.add(perturb(Fixed(w6=Change("Eva")), Treebank(text.encode())[0]))
    assert (tally.sentences, tally.batches, tally.variants, tally.distinct) == (2, 1, 1, 1)
    assert tally.refused == {"text": 1}
