"""Where documents begin, against a look at every comment line."""

from __future__ import annotations

import pytest

from gardenpath.treebank import Treebank
from gardenpath.treebank.documents import document_numbers

ROW = "1\tnewdoc\t# newdoc\tX\t_\t_\t0\troot\t_\tid=newdoc\n\n"


def treebank(*comments: str) -> Treebank:
    return Treebank("".join(f"{comment}{ROW}" for comment in comments).encode())


def by_lines(given: Treebank) -> list[int] | None:
    """The oracle: `# newdoc`, alone or before something else, on a line of its own."""
    count, numbers, seen = -1, [], False
    for number, block in enumerate(given.to_bytes().decode().split("\n\n")[: len(given)]):
        heads = [line[1:].split() for line in block.split("\n") if line.startswith("#")]
        begins = any(words[:1] == ["newdoc"] for words in heads)
        seen |= begins
        count += begins or number == 0
        numbers.append(count)
    return numbers if seen else None


@pytest.mark.parametrize(
    "comments",
    [
        ("# newdoc\n", "", "# newdoc id = b\n", ""),
        ("", "#newdoc\n# text = x\n", "# text = no newdoc here\n"),
        ("", "# newdocument\n", "# text = newdoc\n"),
        ("# sent_id = 1\n# newdoc id = newdoc\n# newdoc\n", "# newdoc\n"),
    ],
)
def test_documents_begin_where_a_comment_says_so(comments: tuple[str, ...]) -> None:
    given = treebank(*comments)
    numbers = document_numbers(given)
    assert (None if numbers is None else numbers.tolist()) == by_lines(given)
