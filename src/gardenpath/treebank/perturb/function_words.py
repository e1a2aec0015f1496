"""Function words: sentence adverbs put in, indefinite articles exchanged, contractions written out and made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .edit import Change, Insertion, Proposal, Refusal, Replacement, Structure, editable, styled
from .lexicon import raw_lists, script_of

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence, Token
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


_HOSTS = {"ca": "can", "wo": "will", "sha": "shall"}  # What stands before n't in another form than alone
_SHORT_HOSTS = {full: short for short, full in _HOSTS.items() if full != "shall"}
_BEFORE_NOT = frozenset("do does did is are was were has have had would could should can will".split())
_FULL = {"n't": {"not": "not"}, "'m": {"be": "am"}, "'re": {"be": "are"}, "'ve": {"have": "have"},
         "'ll": {"will": "will"}, "'s": {"be": "is", "have": "has"},
         "'d": {"will": "would", "would": "would", "have": "had"}}  # fmt: skip
"""By the clitic and its lemma."""
_SHORT = {"am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "will": "'ll", "would": "'d", "had": "'d"}
_SUBJECT_PRONOUNS = frozenset("i you he she it we they".split())


class Contractions:
    """The first one that can be written out, or the first that can be contracted."""

    name = "contractions"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "contractions()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        first = next(_edits(sentence), None)
        if first is None:
            return Refusal("no match")
        old, new, words, changes, structure = first
        return Proposal(old, words, [Replacement(new, changes, structure=structure)])


Edit = tuple[str, str, tuple[int, ...], dict[int, Change], Structure]
"""What stands there, what will, which words that are, and how."""


def _edits(sentence: Sentence) -> Iterator[Edit]:
    free = editable(sentence)
    for token in sentence.tokens:
        edit = _written_out(token) if token.is_multiword else _contracted(token.words[0], free)
        if edit is not None:
            yield edit


def _written_out(token: Token) -> Edit | None:
    """`don't` becomes `do not`."""
    if len(token.words) != 2:
        return None
    host, clitic = token.words
    short = clitic.form.lower().replace("’", "'")
    full = _FULL.get(short, {}).get(clitic.lemma.lower())
    if full is None or "".join(word.form for word in token.words) != token.form or "Typo" in clitic.feats:
        return None
    if short == "n't" and (_follows_subject(clitic) or host.form.lower() == "ai"):
        return None  # don't you think
    before = _HOSTS.get(host.form.lower(), host.form.lower())
    before, full = styled(before, host.form), full.upper() if clitic.form.isupper() else full
    changes = {clitic.ord: Change(full)}
    if before != host.form:
        changes[host.ord] = Change(before)
    return token.form, f"{short} > {full.lower()}", (host.ord, clitic.ord), changes, _parted(token)


def _parted(token: Token) -> Structure:
    return Structure(parted=frozenset({token.first}))


def _follows_subject(word: Node) -> bool:
    head = word.parent
    return head is not None and any(
        child.udeprel in ("nsubj", "expl") and child.ord > word.ord for child in head.children
    )


def _contracted(host: Node, free: set[int]) -> Edit | None:
    """`do not` becomes `don't`, `it is` becomes `it's`."""
    second = host.next_node
    if second is None or second.ord not in free or _glued(host):
        return None
    form, new = host.form.lower(), second.form.lower()
    if host.upos == "AUX" and form in _BEFORE_NOT and second.form == "not" and not _glued(second):
        after = second.next_node
        if second.upos != "PART" or after is None or after.upos == "PUNCT" or after.form.lower() in ("only", "just"):
            return None  # if not, whether or not, not only
        if second.parent not in (host.parent, host) or _follows_subject(second) or not host.form.islower():
            return None
        short, clitic = _SHORT_HOSTS.get(form, form), "n't"
    elif host.upos == "PRON" and form in _SUBJECT_PRONOUNS and host.udeprel == "nsubj" and second.upos == "AUX":
        after, head = second.next_node, second.parent
        if new not in _SHORT or second.form != new or after is None or after.upos == "PUNCT" or head != host.parent:
            return None
        if head is None or head.ord < second.ord or _stranded(second):
            return None
        short, clitic = host.form, _SHORT[new]
    else:
        return None
    changes = {second.ord: Change(clitic)}
    if short != host.form:
        changes[host.ord] = Change(short)
    structure = Structure(joined={host.ord: short + clitic})
    return f"{host.form} {second.form}", f"{new} > {clitic}", (host.ord, second.ord), changes, structure


def _glued(word: Node) -> bool:
    return word.misc.get("SpaceAfter") == "No"


def _stranded(aux: Node) -> bool:
    """`as it is`, `if it were so`: nothing of its own clause follows; `had` and `have` only as auxiliaries."""
    if aux.form in ("has", "have", "had", "will", "would"):
        return aux.udeprel != "aux"
    return aux.udeprel not in ("aux", "cop")
