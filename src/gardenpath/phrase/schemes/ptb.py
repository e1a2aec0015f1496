"""The Penn Treebank (style II) and treebanks like it: nested phrases, functions on some of them, traces.

A clause has its head from its verb phrase, and that from the innermost of a chain: *join* heads *will join the board*.
Functions mark neither heads nor conjuncts, so constructions are judged by categories alone.
"""

from __future__ import annotations

from .model import Categories, Functions, HeadRules, Scheme, Tags, first, labelled, last

_FINITE = "VBZ VBP VBD MD"
_NONFINITE = "VB VBN VBG"
_NOUNS = "NN NNS NNP NNPS"
_CLAUSES = "S SINV SQ SBAR SBARQ"
_KINDS = {
    "s": _CLAUSES,
    "vp": "VP",
    "ap": f"ADJP JJ JJR JJS {_NONFINITE}",
    "pp": "PP",
    "np": f"NP NX QP {_NOUNS} PRP CD DT",
    "avp": "ADVP RB RBR RBS",
}

CATEGORIES = Categories(
    known_by=labelled(f"{_CLAUSES} VP NP PP ADJP ADVP PRT QP WHNP WHPP WHADVP WHADJP PRN UCP RRC FRAG NAC CONJP"),
    clauses=labelled(_CLAUSES),
    noun_phrase="NP",
    prepositional="PP",
    nominal=labelled("NP NAC QP WHNP PP WHPP"),
    modifying=labelled("ADJP ADVP WHADJP WHADVP"),
    verb_phrases=labelled("VP"),
    verbal=labelled(f"{_CLAUSES} VP UCP RRC FRAG"),
    relative_clauses=labelled("SBAR"),
    clause_coordination="S",
    clause_conjuncts=labelled("S SINV VP"),
    kinds={label: kind for kind, labels in _KINDS.items() for label in labels.split()},
)

FUNCTIONS = Functions(
    head="HD",  # head, object, complement and conjunct have no label: these names occur nowhere
    subject="SBJ",
    expletive="SBJ",
    object="OBJ",
    indirect_object="DTV",
    prepositional_object="CLR",
    predicate="PRD",
    complement="OC",
    agent="LGS",
    modifier="ADV",
    conjunct="CJ",
    headlike=labelled("HD"),
)

TAGS = Tags(
    finite=labelled(_FINITE),
    nonfinite=labelled(_NONFINITE),
    auxiliaries=labelled("MD"),
    zu=labelled("TO"),
    prepositions=labelled("IN TO"),
    conjunctions=labelled("CC"),
    relative_pronouns=labelled("WDT WP"),
    relative_words=labelled("WDT WP WP$ WRB"),
    attachable=labelled(f"{_NOUNS} PRP"),
    punctuation=labelled(", . : `` '' -LRB- -RRB- HYPH"),
    punctuation_prefix=",",
)

_VERBS = first("", f"{_FINITE} {_NONFINITE} TO")
_CLAUSE = (first("", "VP"), first("", "S SINV SQ"), first("PRD"), first("", "SBAR UCP"), _VERBS)
_NOUN = (
    last("", f"{_NOUNS} NX"), first("", "NP WHNP"), last("", "PRP CD QP JJ JJR JJS VBG DT WP WDT EX $ ADJP"), last(),
)  # fmt: skip
_PREPOSITIONAL = (first("", "IN TO VBG VBN RP"), first("", "PP WHPP"))
_MODIFIER = (last("", "JJ JJR JJS VBN VBG RB RBR RBS WRB"), first("", "ADJP ADVP"))

HEADS = HeadRules(
    by_category={
        **dict.fromkeys(("S", "SINV", "SQ"), _CLAUSE),
        **dict.fromkeys(("SBAR", "SBARQ"), (first("", "S SQ SINV VP"), *_CLAUSE)),
        "VP": (first("", "VP"), _VERBS),
        **dict.fromkeys(("NP", "NAC", "WHNP"), _NOUN),
        "QP": (last("", "CD"), last()),
        **dict.fromkeys(("PP", "WHPP"), _PREPOSITIONAL),
        **dict.fromkeys(("ADJP", "ADVP", "WHADJP", "WHADVP"), _MODIFIER),
        "UCP": (first(but="CC"),),
    },
    others=(first("", "VP NP"), last("", _NOUNS)),  # of NX, whose name TüBa-D/Z has too, as of all others
    complement=(first("", "NP WHNP S SBAR NX ADJP PP"), last()),
    fallback=first(),
)

PTB = Scheme("ptb", "Penn Treebank", CATEGORIES, FUNCTIONS, TAGS, HEADS, bare=True)
