"""Triples of a treebank: counted node by node, with SciPy's G² of the three-way table and PMI by its definition."""

from __future__ import annotations

from collections import Counter
from math import log2
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from calls import Capture
from gardenpath.cli.main import main
from gardenpath.errors import GardenpathError, InputError
from gardenpath.treebank import Treebank, read
from gardenpath_generate.roles.subject_object import generate_roles
from gardenpath_generate.roles.triples_from_treebank import triples_lexicon, triples_of


@pytest.fixture(scope="module")
def treebank() -> Treebank:
    return read("bundled:de-train")


def counted(treebank: Treebank) -> Counter[tuple[str, str, str]]:
    """Noun, verb and noun, by walking through the trees; verbs with a particle do not count."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for sentence in treebank:
        for verb in (word for word in sentence.words if word.upos == "VERB"):
            below = [word for word in sentence.words if word.head == verb.ord]
            if any(word.deprel == "compound:prt" for word in below):
                continue
            subjects, objects = ([word.lemma for word in below if word.deprel == label and word.upos == "NOUN"]
                                 for label in ("nsubj", "obj"))  # fmt: skip
            counts += Counter((subject, verb.lemma, one) for subject in subjects for one in objects)
    return counts


def test_frequency_and_association_against_scipy(treebank: Treebank) -> None:
    counts, found = counted(treebank), triples_of(treebank, "likelihood")
    assert {(one.subject, one.verb, one.object): one.frequency for one in found} == counts
    assert len(counts) > 50
    for one in [*found[:20], *found[-20:]]:
        words = (one.subject, one.verb, one.object)
        cells = np.zeros((2, 2, 2))
        for other, count in counts.items():
            cells[tuple(int(a == b) for a, b in zip(words, other, strict=True))] += count
        g = chi2_contingency(cells, correction=False, lambda_="log-likelihood").statistic
        assert one.likelihood == pytest.approx(g)
        shares = [sum(count for other, count in counts.items() if other[place] == word) / counts.total()
                  for place, word in enumerate(words)]  # fmt: skip
        assert one.pmi == pytest.approx(log2(one.frequency / counts.total() / np.prod(shares)))
    for rank in ("frequency", "pmi", "likelihood"):
        values = [getattr(one, rank) for one in triples_of(treebank, rank)]
        assert values == sorted(values, reverse=True)


def test_a_lexicon_that_is_written_can_be_read_and_gives_its_triples(treebank: Treebank, tmp_path: Path) -> None:
    path = tmp_path / "triples.toml"
    path.write_text(triples_lexicon(treebank, "de", "frequency", 12), "utf-8")
    made = generate_roles(lexicon=path)
    lines = [line for line in path.read_text("utf-8").splitlines() if "subject = " in line]
    assert len(lines) == 12
    assert made.bases + sum("base-acc" in reason for reason in made.unmade) == 12
    words = {f'"{word.lemma}"' for sentence in made.suite().treebank for word in sentence.words if word.upos == "VERB"}
    assert words <= {part.split(",")[0] for line in lines for part in line.split("verb = ")[1:]}
    assert set(made.suite().property_counts()) <= {"acc", "amb", "aux", "oneg", "opron", "pp", "spron"}


def test_the_command(tmp_path: Path, capsys: Capture) -> None:
    target = str(tmp_path / "triples.toml")
    call = ["suite", "new", "triples", "bundled:de-train", "-l", "de", "--set", "rank=pmi", "-o", target]
    for arguments, code, said in (
        (call, 0, "suite make roles --grammar"), (call, 2, "file already exists"),
        (["suite", "new", "triples", "-o", f"{target}.toml"], 2, "triples TREEBANK"),
    ):  # fmt: skip
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == code
        assert said in capsys.readouterr().err
    assert Path(target).read_text("utf-8").count("PMI") == 20


def test_what_cannot_be_is_said(treebank: Treebank) -> None:
    with pytest.raises(GardenpathError, match="unknown rank"):
        triples_of(treebank, "chi")
    with pytest.raises(InputError, match="none of 0 triples"):
        triples_lexicon(treebank[:1], "de")
