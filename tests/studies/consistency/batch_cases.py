"""Small batches whose answers to Q1 to Q5 can be counted by hand, and answers made from chosen trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gardenpath.runs.result.result import Result
from gardenpath.runs.result.verdict import ranked
from gardenpath.studies.consistency.declaration import ConsistencySettings
from gardenpath.studies.consistency.judging import VariantAnswer, VariantAnswers
from gardenpath.studies.consistency.numbers import JudgedVariants
from gardenpath.studies.consistency.study import CONSISTENCY
from gardenpath.studies.consistency.variants import AskedVariants, ask
from gardenpath.treebank import Treebank
from gardenpath.treebank.perturb.values import OwnValues

VALUES = ("1505", "1798", "1872", "1964", "2024")

GOLD = """# sent_id = {name}
# text = Sie starb {year} allein
1	Sie	sie	PRON	_	Person=3	2	nsubj	_	_
2	starb	sterben	VERB	_	_	0	root	_	_
3	{year}	{year}	NUM	_	_	2	obl	_	_
4	allein	allein	ADV	_	_	2	advmod	_	_

"""


def treebank(names: Sequence[str]) -> Treebank:
    return Treebank("".join(GOLD.format(name=name, year=1998) for name in names).encode(), name="years.conllu")


def years(values: Sequence[str] = VALUES) -> OwnValues:
    return OwnValues(values, r"\d{4}", ["NUM"], name="years")


def repeated(values: Sequence[str]) -> OwnValues:
    """A list in which values come again, as in the published one."""
    made = years(values)
    made.values = list(values)
    return made


def asked(names: Sequence[str], values: Sequence[str] = VALUES) -> AskedVariants:
    return ask(treebank(names), [repeated(values)])


def tree(conllu: bytes, kind: str) -> bytes:
    """The gold tree, or a parse with a known fault."""
    text = conllu.decode()
    if kind == "label":
        text = text.replace("\tobl\t", "\tobj\t")
    elif kind == "upos":
        text = text.replace("\tNUM\t", "\tNOUN\t")
    elif kind == "feats":
        text = text.replace("NUM\t_\t_", "NUM\t_\tNumType=Card")
    elif kind == "head":
        text = text.replace("\t2\tadvmod", "\t3\tadvmod")
    elif kind == "root":
        text = text.replace("\t0\troot", "\t3\tadvcl").replace("\t2\tobl", "\t0\troot")
    elif kind == "two roots":
        text = text.replace("\t2\tadvmod", "\t0\tadvmod")
    elif kind == "cycle":
        text = text.replace("\t2\tobl", "\t4\tobl").replace("\t2\tadvmod", "\t3\tadvmod")
    elif kind != "gold":
        raise ValueError(kind)
    assert kind == "gold" or text != conllu.decode()
    return text.encode()


def cut(conllu: bytes) -> bytes:
    """The sentence in two: the last word stands alone."""
    rows = [line for line in conllu.decode().split("\n") if line[:1].isdigit()]
    return "\n".join([*rows[:3], "", rows[3].replace("4\t", "1\t", 1).replace("\t2\t", "\t0\t"), ""]).encode()


def told(given: AskedVariants, kinds: Mapping[str, Sequence[str]]) -> VariantAnswers:
    """For each sentence by name: the kind of its original's tree, then those of its variants.

    A kind in brackets is a problem instead of a parse: `[crashed]`; `[cut]` are two sentences in place of one.
    """
    answers: dict[int, VariantAnswer] = {}
    for case in given.cases:
        wanted = kinds[case.batch.sentence.sent_id]
        for place, kind in zip((case.original, *case.variants), wanted, strict=True):
            if kind == "[cut]":
                answers[place] = VariantAnswer(cut(given.treebank.block(place)), "wrong segmentation")
            elif kind in ("two roots", "cycle"):
                answers[place] = VariantAnswer(tree(given.treebank.block(place), kind), kind.replace(" ", "-"))
            elif kind.startswith("["):
                answers[place] = VariantAnswer(problem=kind.strip("[]"))
            else:
                answers[place] = VariantAnswer(tree(given.treebank.block(place), kind))
    return VariantAnswers([answers[place] for place in range(len(answers))])


def judged(
    given: AskedVariants, answers: Mapping[str, VariantAnswers], settings: ConsistencySettings
) -> tuple[Result, JudgedVariants]:
    """What the study makes of answers that no system gave."""
    batches = CONSISTENCY.judge(given, answers, settings)
    outcome = CONSISTENCY.findings(batches, settings)
    verdicts = ranked(CONSISTENCY.verdicts(outcome.findings, batches, settings))
    return replace(outcome, verdicts=verdicts), batches
