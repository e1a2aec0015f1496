"""The Sinica Treebank (Chinese): phrases with semantic roles for functions, binary coordinations, and phrases with 的.

Content words are heads: the first conjunct and not the conjunction, what stands before 的, 地 or a postposition and not
these. Roles mark neither subjects nor the same conjuncts everywhere, so constructions are judged by categories alone.
"""

from __future__ import annotations

from .model import Categories, Functions, HeadRules, Scheme, Tags, first, labelled, last

_VERB_TAGS = """
VA11 VA12 VA13 VA2 VA3 VA4 VB11 VB12 VB2 VC1 VC2 VC31 VC32 VC33 VD1 VD2 VE11 VE12 VE2 VF1 VF2 VG1
VG2 VH11 VH12 VH13 VH14 VH15 VH16 VH17 VH21 VH22 VI1 VI2 VI3 VJ1 VJ2 VJ3 VK1 VK2 VL1 VL2 VL3 VL4 V_11 V_12 V_2
"""
_MARKS = ("", "[+ASP]", "[+DE]", "[+NEG]", "[+NEG,+ASP]", "[+SPV]")
_VERBS = " ".join(f"{tag}{mark}" for tag in _VERB_TAGS.split() for mark in _MARKS)
_PREPOSITIONS = " ".join(f"P{number:02}{mark}" for number in range(1, 67) for mark in ("", "[+part]"))
_CONJUNCTIONS = "Caa Caa[P1] Caa[P2]"
_COMMON = "Naa Nab Nac Nad Naeb Nab[+SPO] Nac[+SPO] Nad[+SPO] Nv1 Nv2 Nv3 Nv4"
_NOUNS = f"{_COMMON} Nba Nbc Nca Ncb Ncc Ncda Ncdb Nce Nhaa Nhab Nhac Nhb Nhc"
_TIMES = "Ndaaa Ndaab Ndaac Ndaad Ndaba Ndabb Ndabc Ndabd Ndabe Ndabf Ndc Ndda Nddb Nddc"
_NUMBERS = "Naea Nep Neqa Neqb Nes Neu Nfa Nfc Nfd Nfg Nfi DM"
_ADVERBS = "Daa Dab Dbaa Dbab Dbb Dbc Dc Dd Dfa Dfb Dg Dh Dj Dk"
_ATTRIBUTES = "VP‧的 S‧的 V‧的 NP‧的 N‧的 GP‧的 PP‧的 A‧的 DM‧的 ADV‧的"
_MANNERS = "VP‧地 S‧地 V‧地 NP‧地 N‧地 A‧地 DM‧地 ADV‧地 PP‧地"
_RESULTS = "得‧VP 得‧V 得‧S 得‧NP"
_KINDS = {
    "s": "S",
    "vp": f"VP V {_VERBS}",
    "ap": "A A‧的 V‧的 VP‧的 S‧的",
    "pp": "PP",
    "np": f"NP N GP {_NOUNS} {_TIMES} {_NUMBERS}",
    "avp": f"ADV {_ADVERBS} {_MANNERS}",
}

CATEGORIES = Categories(
    known_by=labelled(f"S VP NP PP GP {_ATTRIBUTES} {_MANNERS} {_RESULTS} N V ADV"),
    clauses=labelled("S"),
    noun_phrase="NP",
    prepositional="PP",
    nominal=labelled("NP N PP GP NP‧的 N‧的 PP‧的 GP‧的 DM‧的"),
    modifying=labelled("A‧的 V‧的 ADV ADV‧的 V‧地 NP‧地 N‧地 A‧地 DM‧地 ADV‧地 PP‧地"),
    verb_phrases=labelled("VP"),
    verbal=labelled(f"S VP V VP‧的 S‧的 VP‧地 S‧地 {_RESULTS}"),
    clause_coordination="VP",
    clause_conjuncts=labelled("S VP"),
    kinds={label: kind for kind, labels in _KINDS.items() for label in labels.split()},
)

FUNCTIONS = Functions(
    head="Head",
    subject="agent",  # or theme, experiencer …: the role alone does not tell
    expletive="EP",  # this, complement, predicate and conjunct have no label: these names occur nowhere
    object="goal",
    indirect_object="recipient",
    prepositional_object="target",
    predicate="PRD",
    complement="OC",
    agent="causer",
    modifier="manner",
    conjunct="CJ",
    relative_clause="predication",
    headlike=labelled("Head head"),
)

TAGS = Tags(
    finite=labelled(_VERBS),  # Chinese verbs are not marked for it
    auxiliaries=frozenset(),  # modals are adverbs here
    prepositions=labelled(_PREPOSITIONS),
    conjunctions=labelled(_CONJUNCTIONS),
    relative_words=labelled("DE"),
    attachable=labelled(_NOUNS),
    punctuation=labelled(
        "COMMACATEGORY PERIODCATEGORY QUESTIONCATEGORY EXCLANATIONCATEGORY COLONCATEGORY SEMICOLONCATEGORY ETCCATEGORY "
        "PAUSECATEGORY PARENTHESISCATEGORY DASHCATEGORY"
    ),
    punctuation_prefix="COMMACATEGORY",
)

_ACTIONS = " ".join(tag for tag in _VERBS.split() if not tag.startswith("VH"))  # before adjectives used as adverbs
_CONJUNCT = first(but=_CONJUNCTIONS, beside=_CONJUNCTIONS)
_CONTENT = (_CONJUNCT, first(but="DE"))
_VERBAL = (_CONJUNCT, first("", f"{_ACTIONS} V"), first("", _VERBS), first("", "VP S"))
_NOMINAL = (_CONJUNCT, last("", f"NP N {_NOUNS} {_TIMES}"), last("", _NUMBERS), first())

HEADS = HeadRules(
    by_category={
        "S": _VERBAL,
        "VP": _VERBAL,
        "NP": _NOMINAL,
        "PP": (_CONJUNCT, first("", _PREPOSITIONS), first("", "PP")),
        **dict.fromkeys(f"GP {_ATTRIBUTES} {_MANNERS} {_RESULTS} N V ADV".split(), _CONTENT),
    },
    others=_CONTENT,  # of words conjoined, whose phrase is named like them: Nab over two Nab
    complement=(first("", "NP GP S VP"), last()),
    fallback=last(),
)

SINICA = Scheme("sinica", "Sinica Treebank", CATEGORIES, FUNCTIONS, TAGS, HEADS, bare=True)
