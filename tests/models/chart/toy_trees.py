"""Six German trees, two of them with gaps, and options with which a parser learns them in a second."""

from __future__ import annotations

from gardenpath.phrase import from_notation

LINES = [
    "(S (NP:SB (ART:NK der) (NN:NK Hund)) (VVFIN:HD schläft)) ($. .)",
    "(S (NP:SB (ART:NK die) (NN:NK Katze)) (VVFIN:HD jagt) (NP:OA (ART:NK den) (NN:NK Hund))) ($. .)",
    "(S (VP:OC#1 (NP:OA (ART:NK den) (NN:NK Hund))) (VAFIN:HD hat) (NP:SB (ART:NK die) (NN:NK Katze)) "
    "(VP:OC#1 (VVPP:HD gejagt))) ($. .)",
    "(S (NP:SB (ART:NK die) (NN:NK Katze)) (VAFIN:HD hat) (VP:OC (NP:OA (ART:NK den) (NN:NK Hund)) (VVPP:HD gejagt))) "
    "($. .)",
    "(S (VP:OC#1 (NP:OA (ART:NK die) (NN:NK Katze))) (VAFIN:HD hat) (NP:SB (ART:NK der) (NN:NK Hund)) "
    "(VP:OC#1 (VVPP:HD gesehen))) ($. .)",
    "(S (NP:SB (ART:NK der) (NN:NK Hund)) (VVFIN:HD sieht) (NP:OA (ART:NK die) (NN:NK Katze))) ($. .)",
]
TOY = [from_notation(line, f"s{number}") for number, line in enumerate(LINES, 1)]
OPTIONS = {"batch": "16", "epochs": "14", "min_count": "1", "dropout": "0", "hidden": "32", "rate": "0.01"}
