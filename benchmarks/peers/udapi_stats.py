"""What a treebank is like, with Udapi: python udapi_stats.py FILE."""

import json
import sys
from collections import Counter
from statistics import mean, median

from morphology import in_range, morphology, tables
from udapi.core.document import Document

document = Document(sys.argv[1])
upos, deprel, forms, displacements = Counter(), Counter(), Counter(), Counter()
lemma_forms, head_tags = tables()
lengths = []
projective = 0

for tree in document.trees:
    nodes = tree.descendants
    lengths.append(len(nodes))
    crossed = False
    for node in nodes:
        parent = node.parent
        form, lemma = node.form, node.lemma
        upos[node.upos] += 1
        deprel[node.deprel] += 1
        forms[form] += 1
        if lemma != "_" or form == "_":
            lemma_forms[lemma].add(form)
        if parent.is_root():
            head_tags[node.upos, str(node.feats)]["ROOT"] += 1
        else:
            displacements[node.ord - parent.ord] += 1
            head_tags[node.upos, str(node.feats)][parent.upos] += 1
            crossed = crossed or node.is_nonprojective()
    projective += not crossed

result = {
    "sentences": len(lengths),
    "words": sum(lengths),
    "forms": len(forms),
    "lemmas": len(lemma_forms),
    "length_mean": mean(lengths),
    "length_median": median(lengths),
    "length_min": min(lengths),
    "length_max": max(lengths),
    "projective": projective,
    "upos": upos,
    "deprel": deprel,
    "displacement": in_range(displacements),
    **morphology(forms, lemma_forms, head_tags),
}
print(json.dumps(result, ensure_ascii=False))
