"""The Chinese Treebank and treebanks like it: the Penn Treebank's brackets, functions and traces, labels of their own.

Content words are heads: the innermost verb of a chain, what stands before 的, 地 or a postposition and not these, and
the first conjunct. Functions mark neither heads nor conjuncts, so constructions are judged by categories alone.
"""

from __future__ import annotations

from dataclasses import replace

from .model import Categories, HeadRules, Scheme, Tags, first, labelled, last
from .ptb import FUNCTIONS as PENN_FUNCTIONS

_VERBS = "VV VA VC VE"
_COMPOUNDS = "VCD VRD VSB VCP VNV VPT"
_NOUNS = "NN NR NT PN"
_CLAUSES = "IP CP"
_KINDS = {
    "s": _CLAUSES,
    "vp": f"VP {_VERBS} {_COMPOUNDS}",
    "ap": "ADJP JJ",
    "pp": "PP",
    "np": f"NP QP DP LCP CLP {_NOUNS} CD OD M",
    "avp": "ADVP DVP AD",
}

CATEGORIES = Categories(
    known_by=labelled(f"{_CLAUSES} VP NP PP ADJP ADVP DNP DVP LCP QP DP CLP {_COMPOUNDS} PRN UCP FRAG"),
    clauses=labelled(_CLAUSES),
    noun_phrase="NP",
    prepositional="PP",
    nominal=labelled("NP QP DP CLP LCP DNP PP"),
    modifying=labelled("ADJP ADVP DVP"),
    verb_phrases=labelled("VP"),
    verbal=labelled(f"{_CLAUSES} VP UCP FRAG {_COMPOUNDS}"),
    relative_clauses=labelled("CP"),
    clause_coordination="VP",
    clause_conjuncts=labelled("IP VP"),
    kinds={label: kind for kind, labels in _KINDS.items() for label in labels.split()},
)

# as in the Penn Treebank: head, complement and conjunct have no label, these names occur nowhere
FUNCTIONS = replace(PENN_FUNCTIONS, indirect_object="IO", prepositional_object="EXT")

TAGS = Tags(
    finite=labelled(_VERBS),  # Chinese verbs are not marked for it
    auxiliaries=frozenset(),  # modals are verbs with a verb phrase, whose verb is the head
    prepositions=labelled("P"),
    conjunctions=labelled("CC"),
    relative_words=labelled("DEC"),
    attachable=labelled(_NOUNS),
    punctuation=labelled("PU"),
    punctuation_prefix="PU",
)

_CONJUNCT = first(but="CC", beside="CC")
_CLAUSE = (_CONJUNCT, first("", "VP"), first("", "IP CP"), first("PRD"), first("", "UCP"))
_CONTENT = (_CONJUNCT, first(but="DEG DEV LC"))

HEADS = HeadRules(
    by_category={
        **dict.fromkeys(("IP", "CP"), _CLAUSE),
        "VP": (_CONJUNCT, first("", "VP"), first("", f"{_VERBS} {_COMPOUNDS}"), first("", "IP"), first()),
        "NP": (_CONJUNCT, last("", f"NP {_NOUNS}"), last("", "QP DP CLP FW JJ ADJP"), last()),
        **dict.fromkeys(("QP", "DP", "CLP"), (_CONJUNCT, last("", "CD OD QP"), first("", "DT DP"), last())),
        "PP": (_CONJUNCT, first("", "P"), first("", "PP")),
        **dict.fromkeys(("DNP", "DVP", "LCP"), _CONTENT),
        **dict.fromkeys(("ADJP", "ADVP"), (_CONJUNCT, last())),
        "UCP": (_CONJUNCT, first()),
    },
    others=(_CONJUNCT, first("", "VP NP"), first("", _VERBS)),
    complement=(first("", "NP LCP IP CP QP DP"), last()),
    fallback=last(),
)

CTB = Scheme("ctb", "Chinese Treebank", CATEGORIES, FUNCTIONS, TAGS, HEADS, bare=True)
