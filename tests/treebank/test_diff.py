"""Two releases of a treebank: every change that was made is told, and no other; the parse is scored as `score` does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from gardenpath.cli.main import main
from gardenpath.data import bundled
from gardenpath.errors import InputError
from gardenpath.runs.result.verdict import NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.treebank import Treebank, read, score
from gardenpath.treebank.trees.diff import COLUMNS, against_both, diff, diff_result
from verdict_checks import check_verdicts

GOLD = read(bundled("de-test"))


def altered(seed: int, share: float = 0.1) -> tuple[Treebank, dict[str, set[tuple[str, int]]]]:
    """Gold with other values in some cells, and which: (sent_id, ID) by column."""
    rng = np.random.default_rng(seed)
    changes: dict[str, set[tuple[str, int]]] = {name: set() for name in COLUMNS}
    blocks = []
    for sentence in GOLD:
        lines = []
        for line in GOLD.block(sentence.number).decode().splitlines():
            cells = line.split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                for place, name in ((2, "lemma"), (3, "upos"), (5, "feats"), (6, "head"), (7, "deprel")):
                    if rng.random() < share:
                        value = str(rng.integers(len(sentence.words) + 1)) if name == "head" else "X"
                        if value not in (cells[place], cells[0]):
                            cells[place] = value
                            changes[name].add((sentence.sent_id, int(cells[0])))
            lines.append("\t".join(cells))
        blocks.append("\n".join(lines) + "\n\n")
    return Treebank("".join(blocks).encode()), changes


@pytest.mark.parametrize("seed", [0, 1])
def test_every_change_is_told_and_no_other(seed: int) -> None:
    """In whatever order the sentences come."""
    new, changes = altered(seed)
    both = diff(GOLD, new.shuffled(seed))
    assert (len(both.removed), len(both.added), both.is_exact.all()) == (0, 0, True)
    place = {
        number: (GOLD.sent_ids[int(GOLD.sentence_of[word])], int(GOLD.ids[word]))
        for number, word in enumerate(both.words[:, 0].tolist())
    }
    for name in COLUMNS:
        assert {place[number] for number in np.flatnonzero(both.changed[name]).tolist()} == changes[name]
    sentences = {name for kind in changes.values() for name, _ in kind}
    assert int(both.changed_sentences().sum()) == len(sentences)


def test_nothing_changed_and_sentences_that_came_and_went() -> None:
    same = diff(GOLD, GOLD)
    assert not same.changed_sentences().any()
    both = diff(GOLD[:80], GOLD[5:])
    assert (both.removed.tolist(), both.added.tolist()) == (list(range(5)), list(range(75, 95)))


def conllu(*sentences: str) -> Treebank:
    """`word/head/label` with blanks between them."""
    blocks = []
    for number, text in enumerate(sentences):
        cells = [word.rsplit("/", 2) for word in text.split()]
        rows = [f"{n}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n" for n, (form, head, label) in enumerate(cells, 1)]
        blocks.append(f"# sent_id = s{number}\n{''.join(rows)}\n")
    return Treebank("".join(blocks).encode())


def test_a_sentence_with_other_words_is_aligned() -> None:
    """`zum` becomes two words: heads are the same words though their numbers are others."""
    old = conllu("Sie/2/nsubj geht/0/root heute/2/advmod zum/5/case Haus/2/obl ./2/punct", "Nein/0/root")
    new = conllu("Ja/0/root", "Sie/2/nsubj geht/0/root heute/2/advmod zu/6/case dem/6/det Haus/2/obj ./2/punct")
    both = diff(old, new, near=0.4)
    assert both.sentences.tolist() == [[0, 1]]
    assert both.is_exact.tolist() == [False]
    assert (both.removed.tolist(), both.added.tolist()) == ([1], [0])
    pairs = [(old.column("form")[a], new.column("form")[b]) for a, b in both.words.tolist()]
    assert pairs == [(word, word) for word in ("Sie", "geht", "heute", "Haus", ".")]
    assert both.changed["head"].tolist() == [False] * 5
    assert both.changed["deprel"].tolist() == [False, False, False, True, False]
    assert not diff(old, new, near=0.9).sentences.size


def test_of_two_sentences_the_one_with_the_same_id_and_each_once() -> None:
    old, new = conllu("a/0/root b/1/dep", "a/0/root b/1/obj"), conllu("a/0/root b/1/dep", "a/0/root b/1/obj")
    assert diff(old, new[[1, 0]]).sentences.tolist() == [[0, 1], [1, 0]]
    assert diff(old, new[[0]]).removed.tolist() == [1]


def test_a_parse_against_both_golds_as_score_has_it() -> None:
    new, _ = altered(3)
    parsed, _ = altered(4, 0.3)
    shared = against_both(diff(GOLD, new[10:]), parsed.shuffled(1))
    for gold, scores in ((GOLD[10:], shared.old), (new[10:], shared.new)):
        oracle = score(gold, parsed[10:])
        for metric in ("uas", "las"):
            assert 100 * scores[metric].value == pytest.approx(oracle.f1(metric.upper()))
    assert shared.difference["las"].value == pytest.approx(shared.new["las"].value - shared.old["las"].value)
    assert (shared.sentences, shared.missing) == (90, 0)
    fewer = against_both(diff(GOLD, new), parsed[:60])
    assert (fewer.sentences, fewer.missing) == (60, 40)


def test_the_report_adds_up_and_has_a_verdict() -> None:
    new, changes = altered(5)
    result = diff_result(diff(GOLD, new[3:]), GOLD, limit=4)
    counts = {finding.measure: finding.value for finding in result.findings if finding.measure.startswith("sentences")}
    assert sum(int(counts[f"sentences_{kind}"] or 0) for kind in ("unchanged", "annotation", "words", "removed")) == 100
    arcs = next(f for f in result.findings if f.by.get("column") == "head or deprel")
    relabelled = sum(int(f.value or 0) for f in result.findings if f.measure == "relabelled")
    left = set(GOLD.sent_ids[3:])
    assert arcs.value == relabelled == len({key for key in changes["head"] | changes["deprel"] if key[0] in left})
    las = {str(finding.by["gold"]): finding.value for finding in result.findings if finding.measure == "las"}
    assert las["old"] == 100
    assert isinstance(las["new"], float)
    assert "3 removed" in result.verdicts[1].text
    check_verdicts(result)
    assert len(result.details["examples"]) == 4
    assert result.details["removed"] == GOLD.sent_ids[:3]


@pytest.mark.parametrize(
    ("clusters", "share", "sure", "begin"),
    [
        (97, 0.3, SHOWN, "The gold alone moves LAS by -"),
        (15, 0.3, SUGGESTED, "The gold alone moves LAS by -"),
        (97, 0.0, NOT_SHOWN, "It is not shown that the gold alone moves LAS: +0.00 "),
    ],
)
def test_that_the_gold_moves_a_score_is_said_only_where_it_is_shown(
    clusters: int, share: float, sure: str, begin: str
) -> None:
    """Sentences without their documents are the clusters: enough, too few, and no change at all."""
    gold = Treebank(b"".join(re.sub(rb"# newdoc.*\n", b"", GOLD.block(n)) for n in range(clusters)))
    new, _ = altered(7, share)
    new = Treebank(b"".join(re.sub(rb"# newdoc.*\n", b"", new.block(n)) for n in range(clusters)))
    result = diff_result(diff(gold, new), gold)
    assert result.verdicts[0].sure == sure
    assert result.verdicts[0].text.startswith(begin)
    check_verdicts(result)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, _ = altered(6)
    new.write(tmp_path / "new.conllu")
    with pytest.raises(SystemExit) as end:
        main(["treebank", "diff", "bundled:de-test", str(tmp_path / "new.conllu"), "--format", "json"])
    result = json.loads(capsys.readouterr().out)
    assert (end.value.code or 0) == 0
    assert result["signature"].startswith("command:treebank diff|old:de_garden-test#205f69c6|new:new#")
    with pytest.raises(InputError, match="no sentence of both releases is in the parse"):
        against_both(diff(GOLD, new), conllu("a/0/root"))
