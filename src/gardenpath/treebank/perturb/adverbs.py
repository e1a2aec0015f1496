"""A sentence adverb put in where there is no doubt what it belongs to: the predicate of the main clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .edit import Insertion, Proposal, Refusal, Replacement, Structure, editable
from .lexicon import raw_lists, script_of

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings

_FINITE = ("aux", "cop")
_SUBJECTS = ("nsubj", "expl")


class Adverbs:
    """probably, certainly: English after the auxiliary or before the verb, German and Swedish after the finite verb,
    Russian, Ukrainian and Japanese before the verb, Chinese after the subject."""

    name = "adverbs"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        table = raw_lists(settings.language)["adverbs"]
        words = table["values"].split() if isinstance(table["values"], str) else table["values"]
        divided = [word for number, word in enumerate(words) if number % 2 == (settings.split != "test")]
        self.values = [word.split() for word in divided]
        """One form, or the simplified and the traditional one."""
        self.xpos, self.feats = table.get("xpos", "_"), table.get("feats", "_")
        self.signature = f"adverbs(language={self.language},set={settings.split})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        root = next((word for word in sentence.words if word.udeprel == "root"), None)
        subject = _subject(root) if root is not None else None
        if root is None or subject is None or sentence.words[-1].form[-1:] in "?？":
            return Refusal("no match")
        before = self._place(root, subject)
        if before is None or _could_modify(sentence.words[before - 1], root):
            return Refusal("no match")
        if not self._is_free(sentence, before):
            return Refusal("multiword token")
        known = {word.lemma.lower() for word in root.children} | {word.form.lower() for word in root.children}
        script = script_of(sentence.text) == "Hant" if self.language == "zh" else False
        done = []
        for forms in self.values:
            form = forms[-1] if script else forms[0]
            if form not in known:
                word = Insertion(before, form, form, "ADV", root.ord, "advmod", self.xpos, self.feats)
                done.append(Replacement(forms[0], {}, structure=Structure(inserted=(word,))))
        return Proposal("no adverb", (root.ord,), done) if done else Refusal("no value")

    def _is_free(self, sentence: Sentence, before: int) -> bool:
        """A new word cannot stand inside a multiword token, nor after a mark that sticks to the next word."""
        inside = any(token.first < before <= token.last for token in sentence.tokens)
        glued = sentence.words[before - 2].misc.get("SpaceAfter") == "No" and self.language not in ("ja", "zh")
        return not inside and (not glued or before - 1 not in editable(sentence))

    def _place(self, root: Node, subject: Node) -> int | None:
        """The ID of the word that it comes before; None where no place is sure."""
        end = max(subject.ord, *(word.ord for word in subject.descendants)) if subject.children else subject.ord
        if self.language in ("ru", "uk"):
            return _before_verb(root, end)
        if self.language == "ja":
            return root.ord if _is_sure_in_japanese(root, end) else None
        if self.language == "zh":
            return end + 1 if _is_sure_in_chinese(root, subject, end) else None
        helpers = [child for child in root.children if child.udeprel in _FINITE]
        finite = helpers[0] if helpers else root
        if end != finite.ord - 1 or finite.upos not in (("AUX",) if helpers else ("VERB", "AUX")):
            return None
        if helpers and finite.ord > root.ord:
            return None
        following = finite.next_node
        if self.language == "en":
            # She has probably come; she is probably ill; she probably came.
            if finite.ord == root.ord:
                sure = root.feats.get("VerbForm") == "Fin" and root.feats.get("Mood") == "Ind"
                return root.ord if sure else None
            if finite.lemma == "do" or following is None or following.upos in ("PUNCT", "PART"):
                return None
            return following.ord
        if following is None or following.upos in ("PRON", "PUNCT") or finite.feats.get("VerbForm", "Fin") != "Fin":
            return None
        return following.ord


def _is_sure_in_chinese(root: Node, subject: Node, end: int) -> bool:
    """Verbs in a row have no marks: only where no second verb, clause or agent is near."""
    words = root.sentence.words
    if root.upos != "VERB" or end >= root.ord:
        return False
    first = min(subject.ord, *(word.ord for word in subject.descendants)) if subject.children else subject.ord
    agent = first > 1 and words[first - 2].form in _AGENTS
    between = words[end : root.ord - 1]
    after = words[root.ord].form if root.ord < len(words) else ""
    spoken = any(word.form[-1:] in "？?吧！!" for word in words)  # questions, wishes and orders
    if agent or spoken or after in _THEN or words[end].form in ("则", "則", "便"):
        return False
    return not any(word.upos in ("VERB", "PUNCT", "PRON") for word in between)


def _is_sure_in_japanese(root: Node, end: int) -> bool:
    """Right before a verb of some meaning, after a phrase of its own; not in questions, requests and wishes."""
    before = root.prev_node
    if root.upos != "VERB" or root.lemma in _LIGHT or before is None or before.ord < end or before.upos != "ADP":
        return False
    own_phrase = before.parent is not None and before.parent.parent == root and before.form in _CASES
    around = {form for child in root.children for form in (child.form, child.lemma)}
    return own_phrase and not around & _ASKED


_LIGHT = frozenset("する なる ある いる 居る 有る 成る 為る いう 言う".split())
_CASES = frozenset("は が を に で へ から まで".split())
_ASKED = frozenset("か ください 下さい たい な よ ね う よう ましょう なさい おそらく たぶん きっと".split())
_THEN = frozenset("后 後 时 時 之后 之後 以后 以後 前 之前 以前".split())
_AGENTS = frozenset("被 由 让 讓 使 令 把 给 給 为 為".split())


def _could_modify(following: Node, root: Node) -> bool:
    """`really often`, `probably twenty`: the new word could belong to the next one, which is not the predicate."""
    return following != root and following.upos in ("ADV", "ADJ", "NUM")


def _subject(root: Node) -> Node | None:
    """The subject of the main clause, before its predicate; None if there is none or several, or another clause."""
    subjects = [child for child in root.children if child.udeprel in _SUBJECTS]
    return subjects[0] if len(subjects) == 1 and subjects[0].ord < root.ord else None


def _before_verb(root: Node, end: int) -> int | None:
    """Right before the verb, and before its negation; the subject goes before both."""
    if (
        root.upos != "VERB"
        or root.feats.get("VerbForm") != "Fin"
        or any(child.udeprel in _FINITE for child in root.children)
    ):
        return None
    before = root.prev_node
    if before is not None and before.upos == "PART" and before.parent == root and before.form.lower() in ("не", "ні"):
        second = before.prev_node  # `совсем не знал`: the new word may not come between
        sure = before.ord > end and (second is None or second.upos not in ("ADV", "PART"))
        return before.ord if sure else None
    if before is None or before.upos in ("PART", "PUNCT", "ADV", "AUX", "CCONJ", "SCONJ"):
        return None
    return root.ord if root.ord > end else None
