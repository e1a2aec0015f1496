"""Heads of phrases in TIGER and TüBa-D/Z: tables of rules, and the token that a node comes down to.

The first conjunct heads a coordination, and the finite verb a clause. Common public lists for NEGRA take the last
conjunct and the main verb instead: results with the two are not to be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import UsageError, unknown_name
from .tree import Node, PhraseTree

TIGER, TUEBADZ = "tiger", "tuebadz"
PUNCTUATION = frozenset({"$,", "$.", "$(", "$[", "--"})
"""Tags of punctuation, which heads nothing; `--` in trees of SQUOIA and SMULTRON."""
PREPOSITIONS = frozenset({"APPR", "APPRART", "APPO", "APZR"})
_FINITE = "VVFIN VAFIN VMFIN VVIMP VAIMP"
_NONFINITE = "VVPP VAPP VMPP VVIZU VVINF VAINF VMINF"
FINITE = frozenset(_FINITE.split())


@dataclass(frozen=True, slots=True)
class Rule:
    """The first (or last) child with one of these functions and one of these labels; none given: any."""

    last: bool
    functions: frozenset[str]
    labels: frozenset[str]

    def among(self, children: Sequence[Node]) -> Node | None:
        for child in reversed(children) if self.last else children:
            if (not self.functions or child.function in self.functions) and (
                not self.labels or child.label in self.labels
            ):
                return child
        return None


def _first(functions: str = "", labels: str = "") -> Rule:
    return Rule(False, frozenset(functions.split()), frozenset(labels.split()))


def _last(functions: str = "", labels: str = "") -> Rule:
    return Rule(True, frozenset(functions.split()), frozenset(labels.split()))


_VERBS = (_first("", _FINITE), _first("", f"VZ {_NONFINITE}"), _first("", "VP CVP"))
_CLAUSE = (_first("HD"), _first("OC"), _first("PD"), _first("SB"), _first("OA"), _first("MO"), *_VERBS)
_NOUN = "NN NE PN CNP FM CH"
_PRONOUN = "PPER PDS PIS PIAT PRF PPOSS PPOSAT PRELS PRELAT PWS PWAT PDAT PIDAT CARD NM TRUNC NP"
_NOMINAL = (
    _first("HD"), _first("PH"), _first("NK", _NOUN), _last("NK", _PRONOUN), _last("NK", "ADJA AP CAP"), _last("NK"),
    _first("", _NOUN), _last("", _PRONOUN),
)  # fmt: skip
_ADJUNCT = (_first("HD"), _first("PH"), _first("AVC"), _last("MO"), _last("", "ADJA ADJD ADV PROAV AP AVP"))
_CONJUNCT = (_first("CJ"),)

_TIGER: Mapping[str, tuple[Rule, ...]] = {
    "S": _CLAUSE,
    "VP": _CLAUSE,
    "NP": _NOMINAL,
    "PP": (_first("HD"), _first("PH"), _first("AC"), _first("", "APPR APPRART APPO")),
    "AP": _ADJUNCT,
    "AVP": _ADJUNCT,
    "VZ": (_first("HD"), *_VERBS),
    "PN": (_first("HD"), _first("PNC")),
    "NM": (_first("HD"), _last("NMC")),
    "MTA": (_first("HD"), _last("ADC")),
    "CH": (_first("HD"), _first("UC")),
    "ISU": (_first("HD"), _first("UC")),
    "DL": (_first("HD"), _first("DH")),
    **dict.fromkeys("CS CNP CVP CAP CPP CAVP CO CAC CVZ".split(), _CONJUNCT),
}
"""First rule that applies. Rules without functions are for trees that have none; coordinations have no HD."""

_ANY = (_first("HD"), _first("KONJ"), _first("APP"))
_VERB = (_first("", f"{_FINITE} {_NONFINITE}"), *_ANY)
_CONJOINED = (_first("KONJ"), _first("", "SIMPX R-SIMPX P-SIMPX FKONJ"))
_TUEBADZ: Mapping[str, tuple[Rule, ...]] = {
    "NX": (*_ANY, _first("", "NE")),
    "PX": (_first("", "APPR APPRART APPO"), *_ANY),
    "VXINF": _VERB,
    "VXFIN": _VERB,
    "VC": (_first("", "VXFIN"), _first("HD", "VXINF"), _first("OV", "VXINF")),
    "FKOORD": _CONJOINED,
    "P-SIMPX": _CONJOINED,
}
"""The particle of a zu-infinitive is marked HD, and so is the noun of a PX: neither is the head here."""
_FIELDS = (_first("KONJ"), _first("", "VC"), _first("", "FKOORD"), _first("", "MF"), _first("", "NF"), _first("", "VF"))
_CLAUSES = frozenset({"SIMPX", "R-SIMPX", "FKONJ"})

SCHEMES = (TIGER, TUEBADZ)
"""The annotation schemes whose heads are known; plain and deepened TIGER are one."""


def check_scheme(scheme: str) -> str:
    if scheme not in SCHEMES:
        error = unknown_name("annotation scheme", scheme, SCHEMES)
        raise UsageError(error.what, todo=error.todo)
    return scheme


def head_child(node: Node, scheme: str) -> Node:
    """The child that a phrase has its head from; of a token, itself."""
    if check_scheme(scheme) == TIGER:
        return _tiger_head(node)
    return _tueba_head(node)


def head_token(node: Node, scheme: str) -> int:
    """The number of the token that heads a node: of a PP the preposition, of a clause its finite verb."""
    while not node.is_token:
        node = head_child(node, scheme)
    return node.number


def nominal_head(node: Node, scheme: str) -> int:
    """As `head_token`, but of a PP the noun (or whatever stands with the preposition)."""
    while not node.is_token:
        if node.label in ("PP", "PX"):
            node = _complement(node, scheme) or head_child(node, scheme)
        else:
            node = head_child(node, scheme)
    return node.number


def is_punctuation(node: Node) -> bool:
    return node.is_token and node.label in PUNCTUATION


def tree_heads(tree: PhraseTree, scheme: str) -> tuple[int, ...]:
    """The head token of every node of a tree, by number."""
    found = list(range(len(tree)))
    for node in tree.inner:  # daughters come before their mothers
        found.append(found[head_child(node, scheme).number])
    return tuple(found)


def _candidates(node: Node) -> tuple[Node, ...]:
    """Children but punctuation, which heads a phrase only if there is nothing else."""
    children = node.children
    return tuple(child for child in children if not is_punctuation(child)) or children


def _chosen(rules: Iterable[Rule], children: Sequence[Node]) -> Node | None:
    return next((found for rule in rules if (found := rule.among(children)) is not None), None)


def _tiger_head(node: Node) -> Node:
    if node.is_token:
        return node
    children = _candidates(node)
    rules = _TIGER.get(node.label, (_first("HD"),))
    if rules is _CONJUNCT:  # a conjunction heads no coordination, with functions or without
        return _chosen(rules, children) or next((one for one in children if one.label != "KON"), children[0])
    return _chosen(rules, children) or children[0]


def _tueba_head(node: Node) -> Node:
    if node.is_token:
        return node
    children = _candidates(node)
    if node.label in _CLAUSES:
        return _clause_head(children)
    return _chosen(_TUEBADZ.get(node.label, _ANY), children) or children[-1]


def _clause_head(children: Sequence[Node]) -> Node:
    """The field with the finite verb; else what is nearest to a verb."""
    left_bracket = _first("", "LK").among(children)
    if left_bracket is not None:
        return left_bracket
    for child in children:
        if child.label == "FKOORD" and child.tree.tags[head_token(child, TUEBADZ)] in FINITE:
            return child
    return _chosen(_FIELDS, children) or children[-1]


def _complement(node: Node, scheme: str) -> Node | None:
    """What stands with the preposition of a PP; None if it stands alone or there is no preposition."""
    children = [
        child for child in _candidates(node) if child.function != "AC" and child.label not in PREPOSITIONS | {"CAC"}
    ]
    if not children or len(children) == len(node.children):
        return None
    return _chosen(_NOMINAL if scheme == TIGER else _ANY, children) or children[-1]
