"""Indefinite articles become definite ones, or demonstratives, where the grammar leaves the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .edit import Change, Proposal, Refusal, Replacement, editable, styled

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings

_QUANTITIES = frozenset(
    "lot bit couple few little deal while number dozen hundred thousand million handful bunch variety ton "
    "second minute hour day night week fortnight month year decade century mile foot inch pound percent % treat "
    "rate bisschen wenig paar menge reihe drittel art großteil handvoll vielzahl anzahl hälfte milliarde prozent "
    "sekunde minute stunde tag nacht woche monat jahr jahrzehnt jahrhundert weile zeitlang".split()
)
"""Nouns that are no things with an article of their own: a lot, a few, ein paar."""
_BOUND = frozenset("hurry rush look chat fuss mess".split())
"""Nouns of expressions that keep their article: in a hurry, have a look."""
_BEFORE = frozenset(
    "such what many half quite rather too as so not this that these those absolutely für solch so manch noch mehr was "
    "welch".split()
)
"""After these the article is part of the construction: such a, what a, was für ein."""
_FREE = frozenset({"nsubj", "obj", "obl", "nmod", "root", "conj", "appos", "xcomp", "ccomp", "advcl", "iobj"})
_ENGLISH: dict[str, dict[str, str | None]] = {
    "the": {"Definite": "Def", "PronType": "Art"},
    "this": {"Definite": None, "Number": "Sing", "PronType": "Dem"},
    "that": {"Definite": None, "Number": "Sing", "PronType": "Dem"},
}
_GERMAN_ENDINGS = {
    ("Nom", "Masc"): "er", ("Acc", "Masc"): "en", ("Dat", "Masc"): "em", ("Gen", "Masc"): "es",
    ("Nom", "Fem"): "e", ("Acc", "Fem"): "e", ("Dat", "Fem"): "er", ("Gen", "Fem"): "er",
    ("Nom", "Neut"): "es", ("Acc", "Neut"): "es", ("Dat", "Neut"): "em", ("Gen", "Neut"): "es",
}  # fmt: skip
_INDEFINITE = {
    ("Nom", "Masc"): "ein", ("Acc", "Masc"): "einen", ("Dat", "Masc"): "einem", ("Gen", "Masc"): "eines",
    ("Nom", "Fem"): "eine", ("Acc", "Fem"): "eine", ("Dat", "Fem"): "einer", ("Gen", "Fem"): "einer",
    ("Nom", "Neut"): "ein", ("Acc", "Neut"): "ein", ("Dat", "Neut"): "einem", ("Gen", "Neut"): "eines",
}  # fmt: skip
_GERMAN: dict[str, dict[str, str | None]] = {
    "der": {"Definite": "Def", "NumType": None, "PronType": "Art"},
    "dieser": {"Definite": None, "NumType": None, "PronType": "Dem"},
    "jener": {"Definite": None, "NumType": None, "PronType": "Dem"},
}


class Articles:
    """The first indefinite article that is free; in German with no adjective after it, which would change too."""

    name = "articles"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        self.signature = f"articles(language={settings.language})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free, reason = editable(sentence), "no match"
        for word in sentence.words:
            if word.feats.get("Definite") != "Ind" or word.upos != "DET" or word.udeprel != "det":
                continue
            if word.ord not in free:
                reason = "multiword token"
                continue
            if not _is_free(word):
                reason = "agreement"
                continue
            done = _german(word) if self.language == "de" else _english(word)
            if done:
                return Proposal(word.form, (word.ord,), done)
            reason = "agreement"
        return Refusal(reason)


def _is_free(article: Node) -> bool:
    noun, before = article.parent, article.prev_node
    if noun is None or noun.upos != "NOUN" or noun.ord < article.ord or noun.udeprel not in _FREE:
        return False
    if (
        noun.lemma.lower() in _QUANTITIES | _BOUND
        or noun.feats.get("Number") == "Plur"
        or noun.deprel.endswith(_MEASURES)
    ):
        return False
    previous = "" if before is None or before.is_root() else before.form.lower()
    if previous in _BEFORE or (previous == "at" and noun.lemma == "time"):
        return False
    between = article.sentence.words[article.ord : noun.ord - 1]
    if any(word.lemma.lower() in _QUANTITIES or word.upos in ("DET", "NUM", "PUNCT") for word in between):
        return False
    if any(_is_measure(child) for child in noun.children):
        return False
    head = noun.parent
    beside = head.children if head is not None and not head.is_root() else noun.children
    return not any(child.udeprel == "expl" for child in (*beside, *noun.children))  # there is a


def _is_measure(word: Node) -> bool:
    """`a rate of 60 Hz`, `a song or two`, `eine Stadt wie Hannover`: what follows goes with the indefinite alone."""
    counted = word.upos == "NUM" or any(child.udeprel == "nummod" for child in word.children)
    compared = any(child.udeprel == "case" and child.form.lower() in ("wie", "like") for child in word.children)
    return (counted and word.udeprel in ("nmod", "conj", "nummod")) or compared


def _is_predicate(noun: Node) -> bool:
    """`this is a problem`, `we consider it a threat`: a demonstrative would say another thing there."""
    if noun.udeprel == "conj" and noun.parent is not None:  # it is natural and a necessity
        return noun.parent.upos == "ADJ" or _is_predicate(noun.parent)
    return noun.udeprel in ("root", "xcomp") or any(child.udeprel in ("cop", "nsubj") for child in noun.children)


def _is_adjective(noun: Node) -> bool:
    """`ein Vielfaches`, `ein Abgeordneter`: German nouns that have the endings of adjectives."""
    neuter = noun.feats.get("Gender") == "Neut" and noun.form.endswith("es") and noun.feats.get("Case") != "Gen"
    masculine = noun.feats.get("Gender") == "Masc" and noun.form.endswith("er") and noun.lemma not in (noun.form, "_")
    return neuter or masculine


_MEASURES = (":npmod", ":tmod", ":unmarked", ":poss")  # Twice a year, a bit tired: no article can change there


def _english(article: Node) -> list[Replacement]:
    if article.form.lower() not in ("a", "an"):
        return []
    noun = article.parent
    return [
        Replacement(form, {article.ord: Change(styled(form, article.form), form, None, feats)})
        for form, feats in _ENGLISH.items()
        if form == "the" or (noun is not None and not _is_predicate(noun) and not (form == "that" and _opens(article)))
    ]


def _opens(article: Node) -> bool:
    """`the reward a group offered`: before a subject, `that` would open the clause."""
    noun, before = article.parent, article.prev_node
    is_subject = noun is not None and noun.udeprel == "nsubj"
    return is_subject and before is not None and before.upos in ("NOUN", "PROPN", "PRON", "VERB", "ADJ", "NUM")


def _german(article: Node) -> list[Replacement]:
    feats, noun = article.feats, article.parent
    cell = (feats.get("Case", ""), feats.get("Gender", ""))
    if article.form.lower() != _INDEFINITE.get(cell) or noun is None or noun.ord != article.ord + 1:
        return []
    if any(noun.feats.get(name, feats[name]) != feats[name] for name in ("Case", "Gender")) or _is_adjective(noun):
        return []
    ending = _GERMAN_ENDINGS[cell]
    definite = {"e": "die", "es": "des" if cell[0] == "Gen" else "das"}.get(ending, f"d{ending}")
    forms = {"der": definite, "dieser": f"dies{ending}", "jener": f"jen{ending}"}
    return [
        Replacement(lemma, {article.ord: Change(styled(form, article.form), lemma, None, _GERMAN[lemma])})
        for lemma, form in forms.items()
        if lemma == "der" or not _is_predicate(noun)
    ]
