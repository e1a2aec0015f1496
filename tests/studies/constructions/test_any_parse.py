"""Whatever a parser makes of a sentence, the verdict is one of the classes of its table."""

from __future__ import annotations

import pytest
from construction_trees import MODELS, constructions_in
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_corruptions import Spoiled

from gardenpath.errors import InputError
from gardenpath.phrase import PhraseTree, from_notation
from gardenpath.phrase.edits.gaps import FORMS
from gardenpath.studies.constructions.error_classes import CLASSES
from gardenpath.studies.constructions.judging import judge
from gardenpath.suites.constructions.model import table_of

LABELS = {
    "tiger": ["S", "VP", "NP", "PP", "CS", "CO", "AP", "CPP"],
    "tuebadz": ["SIMPX", "R-SIMPX", "NX", "PX", "VF", "MF", "NF", "LK", "VC", "FKOORD", "FKONJ", "VXFIN"],
}
FUNCTIONS = {
    "tiger": ["SB", "OA", "MO", "MNR", "HD", "NK", "CJ", "RC", "OC", ""],
    "tuebadz": ["ON", "OA", "V-MOD", "OA-MOD", "ON-MOD", "HD", "KONJ", "PRED", "", "-"],
}
CASES = [(model, scheme) for model in MODELS for scheme in ("tiger", "tuebadz")]


@st.composite
def spoiled(draw: st.DrawFn, tree: PhraseTree, scheme: str) -> PhraseTree:
    """A tree over the same words with some nodes moved and renamed at random."""
    made, size, total = Spoiled(tree), len(tree), len(tree.mothers)
    for _ in range(draw(st.integers(1, 6))):
        node = tree[draw(st.integers(0, total - 1))]
        change = draw(st.sampled_from(["move", "label", "function", "tag"]))
        if change == "move":
            above = draw(st.integers(size - 1, total - 1))
            made.move(node, None if above == size - 1 else tree[above])
        elif change == "function":
            made.functions[node.number] = draw(st.sampled_from(FUNCTIONS[scheme]))
        elif change == "label" and not node.is_token:
            made.rename(node, draw(st.sampled_from(LABELS[scheme])))
        elif change == "tag" and node.is_token:
            made.tags[node.number] = draw(st.sampled_from(["NN", "VVFIN", "VVPP", "ART", "APPR"]))
    try:
        return made.grown()
    except (InputError, RecursionError):  # nodes hang at each other in a circle
        return tree


@pytest.mark.parametrize(("model", "scheme"), CASES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_every_parse_has_a_verdict(model: str, scheme: str, data: st.DataObject) -> None:
    tree = from_notation(MODELS[model][scheme])
    parse = data.draw(spoiled(tree, scheme))
    form = data.draw(st.sampled_from(sorted(FORMS)))
    functions = data.draw(st.booleans())
    for construction in constructions_in(tree, scheme):
        verdict = judge(tree, construction, parse, scheme, form, functions=functions)
        known = CLASSES[table_of(construction.phenomenon)]
        assert set(verdict.codes) <= set(known)
        assert verdict.primary in (verdict.codes or ("right", "shown", "n/a"))
        assert (verdict.primary == "right") == (verdict.reason == "")
        perfect = judge(tree, construction, tree, scheme, form, functions=functions)
        assert (verdict.primary == "n/a", verdict.hidden) == (perfect.primary == "n/a", perfect.hidden)
        assert judge(tree, construction, parse, scheme, form, functions=functions) == verdict
