"""The part-of-speech tags of STTS, which both German schemes have."""

from __future__ import annotations

from .model import Tags
from .rules import labelled

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
