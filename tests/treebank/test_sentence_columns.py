"""What a treebank says of its sentences: comments, and what is said once of a whole document."""

from __future__ import annotations

from gardenpath.treebank.sentence_columns import sentence_columns
from gardenpath.treebank.treebank import Treebank

_WORD = "1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_documents_hand_on_what_is_said_of_them() -> None:
    text = (
        "# newdoc id = d1\n# meta::genre = news\n# sent_id = 1\n# text = w\n" + _WORD
        + "# sent_id = 2\n# mood=calm = quiet\n" + _WORD
        + "# newdoc\n# sent_id = 3\n" + _WORD
    )  # fmt: skip
    assert sentence_columns(Treebank(text.encode())) == {
        "length": [1, 1, 1], "document": ["d1", "d1", ""], "meta::genre": ["news", "news", None],
        "sent_id": ["1", "2", "3"], "mood": [None, "calm = quiet", None],
    }  # fmt: skip
