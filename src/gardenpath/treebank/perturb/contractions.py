"""English contractions written out, and the other way round: don't and do not, it's and it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .edit import Change, Proposal, Refusal, Replacement, Structure, editable, styled

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence, Token
    from .registry import PerturbationSettings

_HOSTS = {"ca": "can", "wo": "will", "sha": "shall"}  # What stands before n't in another form than alone
_SHORT_HOSTS = {full: short for short, full in _HOSTS.items() if full != "shall"}
_BEFORE_NOT = frozenset("do does did is are was were has have had would could should can will".split())
_FULL = {"n't": {"not": "not"}, "'m": {"be": "am"}, "'re": {"be": "are"}, "'ve": {"have": "have"},
         "'ll": {"will": "will"}, "'s": {"be": "is", "have": "has"},
         "'d": {"will": "would", "would": "would", "have": "had"}}  # fmt: skip
"""By the clitic and its lemma."""
_SHORT = {"am": "'m", "are": "'re", "is": "'s", "has": "'s", "have": "'ve", "will": "'ll", "would": "'d", "had": "'d"}
_SUBJECTS = frozenset("i you he she it we they".split())


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
    elif host.upos == "PRON" and form in _SUBJECTS and host.udeprel == "nsubj" and second.upos == "AUX":
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
