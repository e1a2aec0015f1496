"""TüBa-D/Z: clauses of topological fields, whose phrases point by their functions at what they belong to; no gaps."""

from __future__ import annotations

from .model import Categories, Fields, Functions, HeadRules, Scheme, first, labelled, last
from .tiger import FINITE, NONFINITE, PREPOSITIONS, STTS

CATEGORIES = Categories(
    known_by=labelled("SIMPX R-SIMPX NX PX ADJX ADVX VXFIN VXINF VF LK MF VC NF FKOORD FKONJ C"),
    clauses=labelled("SIMPX R-SIMPX P-SIMPX"),
    noun_phrase="NX",
    prepositional="PX",
    nominal=labelled("NX PX"),
    modifying=labelled("ADJX ADVX"),
    relative_clauses=labelled("R-SIMPX"),
    clause_coordination="FKOORD",
    clause_conjuncts=labelled("FKONJ SIMPX R-SIMPX P-SIMPX LK VC"),  # a lone field is a conjunct itself
    kinds={
        "NX": "np", "PX": "pp", "ADJX": "ap", "ADVX": "avp", "VXINF": "vp", "SIMPX": "s", "R-SIMPX": "s",
        "P-SIMPX": "s",
    },
    coordination_of={label: label for label in labelled("PX NX SIMPX R-SIMPX")},
    hyphenated=labelled("R-SIMPX P-SIMPX EN-ADD"),
)  # fmt: skip

FUNCTIONS = Functions(
    head="HD",
    subject="ON",
    expletive="ES",
    object="OA",
    indirect_object="OD",
    prepositional_object="OPP",
    predicate="PRED",
    complement="OS",
    agent="FOPP",
    modifier="MOD",
    conjunct="KONJ",
    headlike=labelled("HD"),
    weak=labelled("MOD V-MOD"),
    pointer="-MOD",
    no_target=labelled("V MOD"),
)

FIELDS = Fields(
    fields=labelled("VF MF NF LK VC C LV KOORD PARORD MFE VCE"),
    phrase_fields=labelled("LV VF C MF MFE NF"),
    verb_fields=labelled("LK VC VCE"),
    verbless=labelled("VF MF MFE NF"),
    initial="VF",
    complementiser="C",
    left="LK",
    middle="MF",
    right="VC",
    coordination="FKOORD",
    conjunct="FKONJ",
    finite_verb="VXFIN",
    verbs=labelled("VXFIN VXINF"),
    verb_function="OV",
    particle="VPT",
    at_finite=labelled("ON ES ONK"),
    at_lowest=labelled("OA OD OG OPP FOPP OS OADVP OADJP PRED V-MOD OV OAK ODK OPPK FOPPK PREDK V-MODK"),
    low_modifiers=labelled("ADVX ADJX"),
)

_ANY = (first("HD"), first("KONJ"), first("APP"))
_VERB = (first("", f"{FINITE} {NONFINITE}"), *_ANY)
_CLAUSE = (  # the field with the finite verb; else what is nearest to a verb
    first("", "LK"), first("", "FKOORD", finite=True), first("KONJ"), first("", "VC"), first("", "FKOORD"),
    first("", "MF"), first("", "NF"), first("", "VF"),
)  # fmt: skip
_CONJOINED = (first("KONJ"), first("", "SIMPX R-SIMPX P-SIMPX FKONJ"))

HEADS = HeadRules(  # the particle of a zu-infinitive is marked HD, and so is the noun of a PX: neither is the head here
    by_category={
        "NX": (*_ANY, first("", "NE"), first("", "NX")),
        "PX": (first("", PREPOSITIONS), *_ANY),
        "VXINF": _VERB,
        "VXFIN": _VERB,
        "VC": (first("", "VXFIN"), first("HD", "VXINF"), first("OV", "VXINF")),
        "SIMPX": _CLAUSE,
        "R-SIMPX": _CLAUSE,
        "FKONJ": _CLAUSE,
        "FKOORD": _CONJOINED,
        "P-SIMPX": _CONJOINED,
    },
    others=_ANY,
    complement=(*_ANY, last()),
    fallback=last(),
)

TUEBADZ = Scheme("tuebadz", "TüBa-D/Z", CATEGORIES, FUNCTIONS, STTS, HEADS, FIELDS)
