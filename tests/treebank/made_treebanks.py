"""CoNLL-U made by hypothesis: several scripts, multiword tokens, empty nodes, odd comments and blank lines."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

WORDS = [
    "the",
    "Hund",
    "собака",
    "Їжак",
    "狗",
    "在水里",
    "كلب",
    "कुत्ता",
    "ไทย",
    "e\u0301t",
    "🦔",
    "a b",
    "=",
    "|",
    "#",
    "1-2",
    "_",
]
FORMS = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12),
    st.builds(str.__mul__, st.sampled_from(["x", "ü", "長", "abcdefg"]), st.integers(1, 200)),
)
COMMENTS = [
    "# sent_id = a\tb",
    "# text = 在 水里 ",
    "#text = x",
    "#",
    "# ",
    "#\t" * 9,
    "#x",
    "# 1\tis\tno\tword",
    "# é = ü",
]


@st.composite
def heads(draw: st.DrawFn, most: int = 9) -> list[int]:
    """HEADs of one tree: every word hangs below an earlier one of a random order."""
    order = draw(st.permutations(range(1, draw(st.integers(1, most)) + 1)))
    found = dict.fromkeys(order, 0)
    for place in range(1, len(order)):
        found[order[place]] = order[draw(st.integers(0, place - 1))]
    return [found[word] for word in sorted(found)]


def sentence(chance: Random, texts: list[str]) -> str:
    """One sentence that the reader must take, without its blank line."""
    size, covered = chance.randint(1, 6), 0
    lines = chance.choices(COMMENTS, k=chance.randint(0, 3))
    for number in range(size + 1):
        if number:
            last = chance.randint(number, size)
            if number > covered and last > number:
                lines.append("\t".join([f"{number}-{last}", chance.choice(texts), *["_"] * 7, chance.choice(texts)]))
                covered = last
            head = chance.choice(["_", *map(str, range(size + 1))])
            lines.append("\t".join([str(number), *chance.choices(texts, k=5), head, *chance.choices(texts, k=3)]))
        for second in range(1, chance.choice([1, 1, 1, 2, 3])):
            lines.append("\t".join([f"{number}.{second}", chance.choice(texts), *["_"] * 8]))
    return "\n".join(lines)


@st.composite
def treebanks(draw: st.DrawFn) -> bytes:
    """A whole file: blank lines before, between (also more than one) and after, or no newline at its end.

    Hypothesis draws the strings; the shape comes from a seed, which is ten times faster.
    """
    texts = draw(st.lists(FORMS, min_size=1, max_size=8))
    chance = Random(draw(st.integers(0, 2**32)))
    text = "\n" * chance.randint(0, 2)
    for _ in range(chance.randint(1, 5)):
        text += sentence(chance, texts) + "\n" * chance.randint(2, 4)
    return (text.rstrip("\n") + "\n" * chance.randint(0, 3)).encode()


def conllu(*sentences: Sequence[int | None]) -> bytes:
    """A plain treebank with these HEADs."""
    lines = []
    for heads in sentences:
        for number, head in enumerate(heads, 1):
            relation = "root" if head == 0 else "_" if head is None else "dep"
            lines.append(f"{number}\tw{number}\t_\t_\t_\t_\t{'_' if head is None else head}\t{relation}\t_\t_\n")
        lines.append("\n")
    return "".join(lines).encode()
