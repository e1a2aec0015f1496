"""Sentences written as a table: form, lemma, UPOS, FEATS, HEAD, DEPREL, and `+` where no blank follows."""

from __future__ import annotations

from gardenpath.treebank import Sentence, Treebank
from gardenpath.treebank.perturb.batch import Batch, perturb
from gardenpath.treebank.perturb.edit import Refusal
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation


def sentence(table: str, comments: str = "") -> Sentence:
    """One sentence, `# text` made from its forms; a word's line may end with `+`: SpaceAfter=No."""
    rows, text = [], ""
    for number, line in enumerate(table.strip().split("\n"), 1):
        form, lemma, upos, feats, head, deprel, *glued = line.split()
        misc = "SpaceAfter=No" if glued else "_"
        rows.append("\t".join([str(number), form, lemma, upos, "_", feats, head, deprel, "_", misc]))
        text += form if glued else f"{form} "
    head = f"# sent_id = s1\n# text = {text.strip()}\n{comments}"
    return Treebank((head + "\n".join(rows) + "\n\n").encode())[0]


def outcome(name: str, language: str, table: str, split: str = "test") -> Batch | Refusal:
    return perturb(perturbation(name, PerturbationSettings(language, split)), sentence(table))


def texts(name: str, language: str, table: str, split: str = "test") -> dict[str, str]:
    """Value to text of all variants."""
    batch = outcome(name, language, table, split)
    assert isinstance(batch, Batch), batch
    return {v.value: one.text for v, one in zip(batch.variants, batch.treebank(), strict=True)}


def reason(name: str, language: str, table: str, split: str = "test") -> str:
    refusal = outcome(name, language, table, split)
    assert isinstance(refusal, Refusal), refusal
    return refusal.reason
