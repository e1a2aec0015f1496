"""All plans of sentences: of each phenomenon its variants, and sentences with none of them."""

from __future__ import annotations

from collections.abc import Mapping

from . import attachment as pp
from . import coordinations as joined
from . import plain
from .plain import Plan

PLANS: Mapping[str, Mapping[str, Plan]] = {
    "plain": {
        "svo": plain.svo, "ovs": plain.ovs, "adverb": plain.adverb_first, "question": plain.question,
        "passive": plain.passive, "statal": plain.statal, "subordinate": plain.subordinate,
        "relative": plain.relative_clause,
        "coordination": plain.coordination, "clauses": plain.clauses, "copula": plain.copula,
        "ditransitive": plain.ditransitive, "genitive": plain.genitive, "intransitive": plain.intransitive,
    },
    "ppn": {"object": pp.ppn_object, "subject": pp.ppn_subject, "front": pp.ppn_front, "both": pp.pp_both,
            "possessive": pp.ppn_possessive},
    "ppv": {"time": pp.ppv_time, "manner": pp.ppv_manner, "instrument": pp.ppv_instrument, "object": pp.ppv_object,
            "both": pp.pp_both},
    "erc": {f"{gap}-{antecedent}": pp.extraposed(gap, antecedent)
            for gap in ("participle", "particle", "infinitive") for antecedent in ("subject", "object", "pp")},
    "fcr": {"v2": joined.fcr_v2, "vl-weil": joined.fcr_weil, "vl-dass": joined.fcr_dass,
            "vl-relative": joined.fcr_relative},
    "sgf": {"adverb": joined.sgf_adverb, "pp": joined.sgf_pp, "clause": joined.sgf_clause,
            "participle": joined.sgf_participle},
    "cuc": {"vp+ap": joined.cuc_vp_ap, "vp+np": joined.cuc_vp_np, "s+np": joined.cuc_s_np},
}  # fmt: skip
"""Of each phenomenon, its variants in the order in which they take turns."""
