"""Small trees of every shape: gaps, unary nodes, several nodes at the top, functions, secondary edges."""

from __future__ import annotations

from hypothesis import strategies as st

from gardenpath.phrase import ROOT, PhraseTree, grown


@st.composite
def trees(draw: st.DrawFn, edges: bool = True) -> PhraseTree:
    size = draw(st.integers(1, 7))
    tops, mothers = list(range(size)), [ROOT] * size
    for _ in range(draw(st.integers(0, 6))):
        chosen = draw(st.lists(st.sampled_from(tops), min_size=1, max_size=4, unique=True))
        node = len(mothers)
        mothers.append(ROOT)
        for child in chosen:
            mothers[child] = node
        tops = [top for top in tops if top not in chosen] + [node]
    total = len(mothers)
    labels = draw(st.lists(st.sampled_from(["S", "NP", "VP"]), min_size=total - size, max_size=total - size))
    functions = draw(st.lists(st.sampled_from(["", "SB", "OC", "HD"]), min_size=total, max_size=total))
    secondary = []
    if edges and total > size:
        ends = st.tuples(st.integers(0, total - 1), st.sampled_from(["SB", "OA"]), st.integers(size, total - 1))
        secondary = [edge for edge in draw(st.lists(ends, max_size=2, unique=True)) if edge[0] != edge[2]]
    tags = draw(st.lists(st.sampled_from(["NN", "VVFIN", "$,"]), min_size=size, max_size=size))
    return grown([f"w{at}" for at in range(size)], tags, labels, functions, mothers, secondary, sent_id="1")
