"""The shapes of Croce, Moschitti and Basili from CoNLL-U, and the orders of siblings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_oracles import written_out

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.kernels import TreeKernel, equal_classes, kernel_trees

CATS = """\
1	Two	two	NUM	_	NumType=Card	2	nummod	_	_
2	cats	cat	NOUN	_	Number=Plur	3	nsubj	_	_
3	sleep	sleep	VERB	_	_	0	root	_	_
4	here	here	ADV	_	_	3	advmod	_	_

"""


def brackets(tree: Any) -> str:
    (_, text), children = tree
    return f"({text}{''.join(map(brackets, children))})"


def shown(text: str, **how: Any) -> str:
    return brackets(written_out(kernel_trees(Treebank(text.encode()), **how), 0))


def test_grct_has_relations_as_centres() -> None:
    assert shown(CATS) == "(root(VERB(_))(nsubj(NOUN(Number=Plur))(nummod(NUM(NumType=Card))))(advmod(ADV(_))))"
    assert shown(CATS, leaves=()) == "(root(VERB)(nsubj(NOUN)(nummod(NUM)))(advmod(ADV)))"
    assert (
        shown(CATS, leaves=("lemma",)) == "(root(VERB(sleep))(nsubj(NOUN(cat))(nummod(NUM(two))))(advmod(ADV(here))))"
    )


def test_pct_has_tags_as_centres() -> None:
    assert shown(CATS, shape="pct", leaves=("form",)) == (
        "(root(VERB(sleep)(nsubj(NOUN(cats)(nummod(NUM(Two)))))(advmod(ADV(here)))))"
    )


def test_lct_has_words_as_centres_with_relation_and_tag_as_the_last_children() -> None:
    assert shown(CATS, shape="lct", leaves=("form", "feats")) == (
        "(sleep(cats(Two(nummod)(NUM)(NumType=Card))(nsubj)(NOUN)(Number=Plur))(here(advmod)(ADV)(_))(root)(VERB)(_))"
    )


def test_siblings_in_the_order_of_udon2() -> None:
    """Dependents by UPOS|DEPREL|FORM, then all children of a node by label: upper case before lower."""
    assert shown(CATS, order="udon2") == (
        "(root(VERB(_))(advmod(ADV(_)))(nsubj(NOUN(Number=Plur))(nummod(NUM(NumType=Card)))))"
    )
    assert shown(CATS, order="udon2", shape="lct", leaves=("form",)) == (
        "(sleep(VERB)(cats(NOUN)(Two(NUM)(nummod))(nsubj))(here(ADV)(advmod))(root))"
    )


def war(year: str) -> str:
    """Two numerals as obl, of which one has a preposition: the tree is the same whatever the year."""
    return f"""\
1	Born	bear	VERB	_	_	0	root	_	_
2	in	in	ADP	_	_	3	case	_	_
3	{year}	{year}	NUM	_	NumType=Card	1	obl	_	_
4	1500	1500	NUM	_	NumType=Card	1	obl	_	_

"""


def test_a_year_alone_changes_the_measure_in_udon2s_order_but_not_in_surface_order() -> None:
    treebank = Treebank((war("1200") + war("2000")).encode())
    surface, udon2 = (kernel_trees(treebank, order=order) for order in ("surface", "udon2"))
    kernel = TreeKernel()
    assert kernel.gram(surface).normalised()[0, 1] == 1
    assert kernel.gram(udon2).normalised()[0, 1] < 0.9
    assert [members.tolist() for members in equal_classes(surface)] == [[0, 1]]
    assert [members.tolist() for members in equal_classes(udon2)] == [[0], [1]]


def test_a_tag_never_equals_a_relation_that_is_written_alike() -> None:
    blank = "1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    forest = kernel_trees(Treebank(blank.encode()))
    assert forest.subtrees == 3
    # chains of 1, 2 and 3 nodes: 1 + 2 + 3 common fragments, none across columns
    assert TreeKernel().gram(forest).values[0, 0] == 6


def test_equal_sentences_are_equal_trees_and_forms_do_not_matter_unless_they_are_leaves() -> None:
    treebank = Treebank((CATS + CATS.replace("cats", "dogs") + CATS).encode())
    assert [c.tolist() for c in equal_classes(kernel_trees(treebank))] == [[0, 1, 2]]
    assert [c.tolist() for c in equal_classes(kernel_trees(treebank, leaves=("form",)))] == [[0, 2], [1]]


def test_what_is_no_tree_is_refused_with_its_place() -> None:
    cyclic = CATS.replace("\t3\tnsubj", "\t1\tnsubj")
    with pytest.raises(InputError, match="<bytes>:6: sentence s2 is not a tree"):
        kernel_trees(Treebank((CATS + "# sent_id = s2\n" + cyclic).encode()))


def test_unknown_names_are_refused() -> None:
    treebank = Treebank(CATS.encode())
    with pytest.raises(UsageError, match="unknown shape of trees 'grtc'\n  did you mean grct"):
        kernel_trees(treebank, shape="grtc")
    with pytest.raises(UsageError, match="unknown order of siblings 'udon'\n  did you mean udon2"):
        kernel_trees(treebank, order="udon")
    with pytest.raises(UsageError, match="unknown column for leaves 'feat'\n  did you mean feats"):
        kernel_trees(treebank, leaves=("feat",))
    with pytest.raises(UsageError, match="lct needs a leaf"):
        kernel_trees(treebank, shape="lct", leaves=())


@pytest.mark.parametrize("shape", ["grct", "pct", "lct"])
@pytest.mark.parametrize("order", ["surface", "udon2"])
def test_a_whole_treebank_has_a_node_for_every_label_of_every_word(samples: Path, shape: str, order: str) -> None:
    treebank = read(samples / "en_garden-test.conllu")
    forest = kernel_trees(treebank, shape=shape, leaves=("form", "feats"), order=order)
    tree, _, times = forest.counts
    first = np.unique(forest.roots, return_index=True)[1]
    sizes = dict(zip(forest.roots[first].tolist(), treebank.lengths[first].tolist(), strict=True))
    found = np.bincount(tree, weights=times).astype(int).tolist()
    assert found == [4 * sizes[root] for root in forest.different[0].tolist()]
