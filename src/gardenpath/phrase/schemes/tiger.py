"""TIGER: flat phrases with gaps, and a function on every edge; and the tags of STTS, which TüBa-D/Z shares."""

from __future__ import annotations

from .model import Categories, Functions, HeadRules, Scheme, Tags, first, labelled, last

FINITE = "VVFIN VAFIN VMFIN VVIMP VAIMP"
NONFINITE = "VVPP VAPP VMPP VVIZU VVINF VAINF VMINF"
PREPOSITIONS = "APPR APPRART APPO"
"""Those that may head a phrase; `APZR`, the second half of a circumposition, does not."""
PUNCTUATION = labelled("$, $. $( $[ --")
"""Tags of punctuation, which heads nothing; `--` in trees of SQUOIA and SMULTRON."""

STTS = Tags(
    finite=labelled(FINITE),
    nonfinite=labelled(NONFINITE),
    auxiliaries=labelled("VAFIN VAIMP VAINF VAPP VMFIN VMINF VMPP"),
    zu_infinitives=labelled("VVIZU"),
    zu=labelled("PTKZU"),
    prepositions=labelled(f"{PREPOSITIONS} APZR"),
    pronominal_adverbs=labelled("PROAV PAV"),
    conjunctions=labelled("KON"),
    relative_pronouns=labelled("PRELS PRELAT"),
    relative_words=labelled("PRELS PRELAT PWS PWAT PWAV"),
    attachable=labelled("NN NE PIS PPER"),
    punctuation=PUNCTUATION,
    punctuation_prefix="$",
)


_KINDS = {
    "s": "S CS",
    "vp": "VP CVP VZ CVZ VVPP VAPP VMPP VVINF VAINF VMINF VVIZU",
    "ap": "AP CAP ADJA ADJD",
    "pp": "PP CPP",
    "np": "NP CNP PN NM CH NN NE FM CARD PPER PDS PIS PPOSS PRELS PRF PWS",
    "avp": "AVP CAVP ADV PROAV",
}

CATEGORIES = Categories(
    known_by=labelled("S NP PP VP AP AVP PN CS CNP CPP CAP CVP CO VZ NM"),
    clauses=labelled("S"),
    noun_phrase="NP",
    prepositional="PP",
    nominal=labelled("NP PP PN CNP CPP NM"),
    modifying=labelled("AP AVP CAP CAVP AA"),
    verb_phrases=labelled("VP"),
    verbal=labelled("S VP CS CVP CO DL VZ CVZ"),
    clause_coordination="CS",
    clause_conjuncts=labelled("S CS"),
    preposition_coordinations=labelled("CAC"),
    coordinations=labelled("CS CNP CVP CAP CPP CAVP CO CAC CVZ CCP"),
    kinds={label: kind for kind, labels in _KINDS.items() for label in labels.split()},
    coordination_of={"PP": "CPP", "CPP": "CPP", "S": "CS", "CS": "CS", "NP": "CNP", "CNP": "CNP"},
    split_verb_phrases=labelled("VP CVP"),
)

FUNCTIONS = Functions(
    head="HD",
    subject="SB",
    expletive="EP",
    object="OA",
    indirect_object="DA",
    prepositional_object="OP",
    predicate="PD",
    complement="OC",
    agent="SBP",
    modifier="MO",
    conjunct="CJ",
    conjunction="CD",
    relative_clause="RC",
    noun_element="NK",
    preposition="AC",
    headlike=labelled("HD NK PNC"),
    once=labelled("SB OA DA OG OC PD EP SBP CVC PH"),  # OP and MO may be there twice
    complementiser="CP",
    outside=labelled("JU CD"),
)

_VERBS = (first("", FINITE), first("", f"VZ {NONFINITE}"), first("", "VP CVP"))
_CLAUSE = (first("HD"), first("OC"), first("PD"), first("SB"), first("OA"), first("MO"), *_VERBS)
_NOUN = "NN NE PN CNP FM CH"
_PRONOUN = "PPER PDS PIS PIAT PRF PPOSS PPOSAT PRELS PRELAT PWS PWAT PDAT PIDAT CARD NM TRUNC NP"
_NOMINAL = (
    first("HD"), first("PH"), first("NK", _NOUN), last("NK", _PRONOUN), last("NK", "ADJA AP CAP"), last("NK"),
    first("", _NOUN), last("", _PRONOUN),
)  # fmt: skip
_ADJUNCT = (first("HD"), first("PH"), first("AVC"), last("MO"), last("", "ADJA ADJD ADV PROAV AP AVP"))
_COORDINATION = (first("CJ"), first(but="KON"))  # a conjunction heads none, with functions or without

HEADS = HeadRules(  # rules without functions are for trees that have none; coordinations have no HD
    by_category={
        "S": _CLAUSE,
        "VP": _CLAUSE,
        "NP": _NOMINAL,
        "PP": (first("HD"), first("PH"), first("AC"), first("", PREPOSITIONS)),
        "AP": _ADJUNCT,
        "AVP": _ADJUNCT,
        "VZ": (first("HD"), *_VERBS),
        "PN": (first("HD"), first("PNC")),
        "NM": (first("HD"), last("NMC")),
        "MTA": (first("HD"), last("ADC")),
        "CH": (first("HD"), first("UC")),
        "ISU": (first("HD"), first("UC")),
        "DL": (first("HD"), first("DH")),
        **dict.fromkeys("CS CNP CVP CAP CPP CAVP CO CAC CVZ".split(), _COORDINATION),
    },
    others=(first("HD"),),
    complement=(*_NOMINAL, last()),
    fallback=first(),
)

TIGER = Scheme("tiger", "TIGER", CATEGORIES, FUNCTIONS, STTS, HEADS)
