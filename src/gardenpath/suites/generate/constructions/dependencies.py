"""The UD tree of an abstract clause: content words as heads, German labels of UD v2."""

from __future__ import annotations

from ....phrase.dependency_phrases import from_arcs
from ....phrase.tree import ROOT, PhraseTree
from .clause import (
    Adjective,
    Adverb,
    Clause,
    Clauses,
    Coordination,
    Nominal,
    Part,
    Phrase,
    Prepositional,
    Sentence,
    Unlike,
    Verbal,
    Word,
    head,
    main,
)

_DETERMINERS = {"PPOSAT": "det:poss"}


def attach(sentence: Sentence) -> None:
    """Give every word its head and relation; marks have theirs from the layout."""
    root = sentence.root
    if isinstance(root, Clauses):
        first, second = root.conjuncts
        _clause(first, None, "root")
        _clause(second, main(first), "conj")
        _hang(root.conjunction, main(second), "cc")
    else:
        _clause(root, None, "root")


def ud(sentence: Sentence, sent_id: str) -> PhraseTree:
    """The dependency tree, written as phrases."""
    attach(sentence)
    words = sentence.words
    return from_arcs(
        [word.form for word in words], [word.upos for word in words],
        [ROOT if word.head is None else word.head.at for word in words], [word.deprel for word in words],
        lemmas=[word.lemma for word in words], morphs=[word.feats for word in words], sent_id=sent_id,
    )  # fmt: skip


def conllu(sentence: Sentence, comments: str) -> str:
    """The sentence in CoNLL-U, after these lines of comments; its words have their arcs already."""
    words = sentence.words
    lines, text = [comments, ""], []
    last = len(words) - 1
    for at, word in enumerate(words):
        close = at < last and words[at + 1].upos == "PUNCT"
        text.append(word.form if close or at == last else word.form + " ")
        governor = 0 if word.head is None else word.head.at + 1
        lines.append(
            f"{at + 1}\t{word.form}\t{word.lemma}\t{word.upos}\t{word.xpos}\t{word.feats}\t{governor}\t{word.deprel}"
            f"\t_\t{'SpaceAfter=No' if close else '_'}\n"
        )
    lines[1] = f"# text = {''.join(text)}\n"
    return "".join(lines) + "\n"


def _hang(word: Word, governor: Word | None, relation: str) -> None:
    word.head, word.deprel = governor, relation


def _clause(clause: Clause, governor: Word | None, relation: str) -> None:
    top = main(clause)
    if clause.complementiser is not None:
        _hang(clause.complementiser, top, "mark")
    for verb in (clause.finite, *clause.verbs):
        if verb is not top:
            verb.head = top  # the relation came with the auxiliary
    if clause.particle is not None:
        _hang(clause.particle, top, "compound:prt")
    for part in clause.parts():
        if part.role == "predicate":
            _phrase(part.phrase, governor, relation)
        else:
            _phrase(part.phrase, top, _relation(part, clause.passive))
    if not any(part.role == "predicate" for part in clause.middle):
        _hang(top, governor, relation)
    if clause.later is not None:
        assert clause.conjunction is not None
        _clause(clause.later, top, "conj")
        _hang(clause.conjunction, main(clause.later), "cc")


def _relation(part: Part, passive: bool) -> str:
    phrase = part.phrase
    if part.role == "subject":
        return "nsubj:pass" if passive else "nsubj"
    if part.role == "object":
        return "obj"
    if part.role == "indirect":
        return "obl:arg"
    if part.role == "agent":
        return "obl:agent"
    if part.role == "complement":
        return "ccomp"
    if isinstance(phrase, Clause | Verbal):
        return "advcl"
    return "advmod" if isinstance(phrase, Adverb) else "obl"


def _phrase(phrase: Phrase, governor: Word | None, relation: str) -> None:
    if isinstance(phrase, Nominal):
        _nominal(phrase, governor, relation)
    elif isinstance(phrase, Prepositional):
        _hang(phrase.preposition, head(phrase.nominal), "case")
        _phrase(phrase.nominal, governor, relation)
    elif isinstance(phrase, Adjective):
        _hang(phrase.head, governor, relation)
        if phrase.degree is not None:
            _hang(phrase.degree, phrase.head, "advmod")
    elif isinstance(phrase, Adverb):
        _hang(phrase.head, governor, relation)
    elif isinstance(phrase, Coordination | Unlike):
        first, second = phrase.conjuncts
        _phrase(first, governor, relation)
        _phrase(second, head(first), "conj")
        _hang(phrase.conjunction, head(second), "cc")
    elif isinstance(phrase, Verbal):
        _hang(phrase.verb, governor, relation)
        if phrase.zu is not None:
            _hang(phrase.zu, phrase.verb, "mark")
        for part in phrase.parts:
            _phrase(part.phrase, phrase.verb, _relation(part, False))
    else:
        _clause(phrase, governor, relation)


def _nominal(nominal: Nominal, governor: Word | None, relation: str) -> None:
    noun = nominal.head
    _hang(noun, governor, relation)
    if nominal.determiner is not None:
        _hang(nominal.determiner, noun, _DETERMINERS.get(nominal.determiner.xpos, "det"))
    for adjective in nominal.adjectives:
        _phrase(adjective, noun, "amod")
    if nominal.genitive is not None:
        _nominal(nominal.genitive, noun, "nmod")
    for attribute in nominal.attributes:
        _phrase(attribute, noun, "nmod")
    if nominal.relative is not None:
        _clause(nominal.relative, noun, "acl:relcl")
