"""The first word in capitals."""

from __future__ import annotations

from gardenpath.treebank import Change, PerturbationSettings, Proposal, Refusal, Replacement, Sentence


class Loud:
    """It leaves the tree as it is: who shouts says the same."""

    name = "loud"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "loud()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        first = sentence.words[0]
        if first.form.isupper():
            return Refusal("loud already")
        return Proposal(first.form, (first.ord,), [Replacement("loud", {first.ord: Change(first.form.upper())})])
