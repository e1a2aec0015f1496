"""What a treebank is like, with conllu: python conllu_stats.py FILE."""

import json
import sys
from collections import Counter
from statistics import mean, median

from conllu import parse_incr
from morphology import in_range, morphology, tables


def is_projective(heads):
    """No word between a word and its head that is not below the head."""
    for word, head in enumerate(heads[1:], 1):
        if head == 0:
            continue
        for between in range(min(word, head) + 1, max(word, head)):
            above = between
            while above and above != head:
                above = heads[above]
            if above != head:
                return False
    return True


upos, deprel, forms, displacements = Counter(), Counter(), Counter(), Counter()
lemma_forms, head_tags = tables()
lengths = []
projective = 0

with open(sys.argv[1], encoding="utf-8") as source:  # noqa: PTH123 (as people write it)
    for sentence in parse_incr(source):
        words = [token for token in sentence if isinstance(token["id"], int)]
        lengths.append(len(words))
        projective += is_projective([0, *(word["head"] for word in words)])
        for word in words:
            form, lemma, head = word["form"], word["lemma"], word["head"]
            upos[word["upos"]] += 1
            deprel[word["deprel"]] += 1
            forms[form] += 1
            if lemma != "_" or form == "_":
                lemma_forms[lemma].add(form)
            feats = "|".join(f"{name}={value}" for name, value in (word["feats"] or {}).items())
            head_tags[word["upos"], feats][words[head - 1]["upos"] if head else "ROOT"] += 1
            if head:
                displacements[word["id"] - head] += 1

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
