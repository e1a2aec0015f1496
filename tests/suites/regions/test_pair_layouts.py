"""Files of pairs as people have them: other signs, orders and cases than in the published ones, and what is asked."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.suites.regions.pair import pair_of
from gardenpath.suites.regions.reader import read_paradigms

PAIR = ("Der Hund bellt.", "Der Hund bellen.")
OBJECT = {"good_sentence": PAIR[0], "bad_sentence": PAIR[1]}

FILES: dict[str, tuple[str, bytes, list[tuple[str, str]]]] = {
    "an object within the first object": (
        "x.jsonl",
        b"".join(
            json.dumps({"meta": {"n": n}, "tags": ["a", {"b": 1}], "phenomenon": p, "paradigm": q, **OBJECT}).encode()
            + b"\n"
            for n, p, q in ((0, "binding", "a"), (1, "island", "b"))
        ),
        [("binding", "a"), ("island", "b")],
    ),
    "a list over many lines": (
        "x.json", json.dumps([{"meta": {}, **OBJECT, "UID": "u", "linguistics_term": "t"}], indent=1).encode(),
        [("t", "u")],
    ),
    "brackets and quotes in a text before the sentences": (
        "x.jsonl", json.dumps({"note": 'a } "good_sentence": {', **OBJECT, "paradigm": "p"}).encode(), [("", "p")],
    ),
    "a spreadsheet's first line": (
        "x.csv", b'sep=;\r\n"Good";"Bad";"Class"\r\n"Der Hund bellt.";"Der Hund bellen.";"agr; a"\r\n',
        [("agr; a", "x")],
    ),
    "names without blanks": (
        "x.csv", b"\xef\xbb\xbfbadSentence,goodSentence,Phenomenon\r\nDer Hund bellen.,Der Hund bellt.,agr\r\n\r\n",
        [("agr", "x")],
    ),
    "a header of twenty thousand bytes": (
        "x.tsv",
        ("\t".join(f"column_{n}" for n in range(1500)) + "\tgood\tbad\n" + "1\t" * 1500 + "\t".join(PAIR)).encode(),
        [("", "x")],
    ),
    "RuBLiMP in another order": (
        "x.csv",
        b",Target_Sentence,Source_Sentence,PID,Phenomenon,source_word,target_word\n"
        b'0,"Der Hund bellen.",Der Hund bellt.,gender,NP,bellt,bellen\n',
        [("NP", "gender")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FILES)
def test_pairs_with_phenomenon_and_paradigm(what: str, tmp_path: Path) -> None:
    name, data, groups = FILES[what]
    (tmp_path / name).write_bytes(data)
    for source in (tmp_path, tmp_path / name):
        suites = read_paradigms([source])
        assert [(suite.property_of("class"), suite.title) for suite in suites] == groups
        assert pair_of(suites[0], suites[0].items[0]) == PAIR


def test_an_archive_with_the_traces_of_another_system(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for folder in ("agr", "island"):
            archive.writestr(f"bench/{folder}/one.jsonl", json.dumps(OBJECT))
            archive.writestr(f"__MACOSX/bench/{folder}/._one.jsonl", b"\x00\x05\x16\x07\x00\x02Mac OS X")
    (tmp_path / "bench.zip").write_bytes(stream.getvalue())
    suites = read_paradigms([tmp_path / "bench.zip"])
    assert [(suite.property_of("class"), suite.title, len(suite)) for suite in suites] == [
        ("agr", "agr/one", 1), ("island", "island/one", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("sentence_a\tsentence_b\tlabel", "Der Hund bellt.\tDer Hund bellen.\t0"),
        ("first\tsecond\tphenomenon", "Der Hund bellt.\tDer Hund bellen.\tagr"),
    ],
)
def test_what_the_header_does_not_say_is_asked_for(header: str, row: str, tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    for source in (tmp_path, tmp_path / "x.tsv"):
        with pytest.raises(InputError, match="no column is known to hold the good and the bad sentence") as error:
            read_paradigms([source])
        assert f"the columns are {', '.join(header.split())}" in str(error.value)
