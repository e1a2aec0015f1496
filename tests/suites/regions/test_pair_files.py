"""Files of pairs: layouts, columns, published benchmarks."""

from __future__ import annotations

import csv
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from gardenpath.data import find
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.suites import check
from gardenpath.suites.regions.conversion import convert_regions
from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.pairs import PAIRS, find_columns, on_targets, pair_of, parse_layout
from gardenpath.suites.regions.reader import (
    holds_regions,
    read_paradigms,
    read_region_suite,
    read_region_suites,
    unread_files,
)

GOOD, BAD = "The dog barks, loudly.", "The dog bark, loudly."


def written(folder: Path, name: str, text: str | bytes) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def sentences(suite: RegionSuite) -> list[tuple[str, ...]]:
    return [tuple(condition.text() for condition in item.conditions) for item in suite.items]


ONE = [(GOOD, BAD)]
TWO_ROWS = (
    "Paradigm,Item,Grammaticality,Sentence,Critical word(s)\n"
    'a,1,Ungrammatical,"The dog bark, loudly.",bark\nb,1,Grammatical,He sees.,sees\n'
    'a,1,Grammatical,"The dog barks, loudly.",barks\nb,1,Ungrammatical,He see.,see\n'
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("comma.csv", f'good,bad\n"{GOOD}","{BAD}"\n'),
        ("semicolon.csv", f"good_sentence;bad_sentence;phenomenon\n{GOOD};{BAD};sv  \n"),
        ("capitals.csv", f'ID,Ungrammatical,Grammatical\n7,"{BAD}","{GOOD}"\n'),
        ("bar.txt", f"acceptable|unacceptable\n{GOOD}|{BAD}\n"),
        ("tab.tsv", f"sen\twrong_sen\n{GOOD}\t{BAD}\n"),
        ("quoted.tsv", f'"good"\t"bad"\n"{GOOD}"\t"{BAD}"\n'),
        ("bom_crlf.csv", f'\ufeffgood,bad\r\n"{GOOD}","{BAD}"\r\n'),
        ("utf16.csv", f"good;bad\n{GOOD};{BAD}\n".encode("utf-16")),
        ("index.csv", f',sentence_good,sentence_bad\n0,"{GOOD}","{BAD}"\n'),
        ("trailing.csv", f'good,bad,\n"{GOOD}","{BAD}",\n'),
        ("quoted_twice.csv", f'good,bad\n""{GOOD}"",""{BAD}""\n'),
        ("line_break.csv", f'good,bad,note\n"{GOOD}","{BAD}","two\nlines"\n'),
        ("wrong.jsonl", json.dumps({"correct": GOOD, "wrong": BAD}) + "\n"),
        ("order.jsonl", json.dumps({"bad_sentence": BAD, "label": 1, "good_sentence": GOOD}) + "\n"),
        ("list.json", json.dumps([{"sentence_good": GOOD, "sentence_bad": BAD}], indent=1)),
        ("capitals.jsonl", json.dumps({"Sentence_Good": GOOD, "Sentence_Bad": BAD}) + "\n"),
        ("rows.csv", f'sentence,acceptability\n"{BAD}",0\n"{GOOD}",1\n'),
        ("clams.txt", f"True\t{GOOD}\nFalse\t{BAD}\n"),
        ("clams_reversed.txt", f"False\t{BAD}\nTrue\t{GOOD}\n"),
    ],
)
def test_a_pair_is_read_from_every_layout(name: str, text: str | bytes, tmp_path: Path) -> None:
    path = written(tmp_path, name, text)
    assert holds_regions(path)
    assert sentences(read_region_suite(path)) == ONE


def test_every_name_of_the_two_sentences_is_one_of_a_pair() -> None:
    assert len(set(PAIRS)) == len(PAIRS)
    for good, bad in PAIRS:
        columns = find_columns([bad.upper(), "x", good])
        assert (columns.good, columns.bad) == (good, bad.upper())


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("two.csv", "good,bad,sentence_good,sentence_bad\na,b,c,d\n", "two pairs of columns"),
        ("unknown.csv", "sentence_a,sentence_b\nx,y\n", "the columns are sentence_a, sentence_b"),
        ("unknown.jsonl", '{"sentence_a": "x", "sentence_b": "y"}\n', "the columns are sentence_a, sentence_b"),
        ("label.csv", "sentence,label\nx,1\ny,0\n", "0 or 1 does not say"),
        ("word.csv", "sentence,grammaticality\nx,fine\n", "neither good nor bad"),
        ("three.csv", "item,sentence,grammatical\n1,x,1\n1,y,0\n1,z,0\n", "1 good and 2 bad"),
        ("odd.txt", "True\tx\nFalse\ty\nTrue\tz\n", "3 sentences are not pairs"),
        ("both.txt", "True\tx\nTrue\ty\n", "both True"),
        ("no_label.txt", "True\tx\nFalse y\n", "not a labelled line"),
        ("names.csv", "good,bad,x,x\na,b,c,d\n", "two columns are called x"),
        ("latin.csv", "good,bad\nà,b\n".encode("latin-1"), "not UTF-8"),
    ],
)
def test_what_cannot_be_told_is_asked_for(name: str, text: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(GardenpathError, match=message) as error:
        read_region_suite(written(tmp_path, name, text))
    assert error.value.todo
    assert name in error.value.where


def test_a_layout_says_what_names_do_not(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", b"Satz A!Satz B!wo!Art\n" + "zwölf sind!zwölf ist!sind!x\n".encode("cp1252"))
    layout = parse_layout(["good=Satz A,bad=Satz B", "class=Art,encoding=cp1252", "separator=!"])
    suite = read_region_suite(path, layout)
    assert sentences(suite) == [("zwölf sind", "zwölf ist")]
    assert suite.properties == {"class": "x"}
    rows = written(tmp_path, "b.csv", "t,label\nx y,1\nx z,0\n")
    assert sentences(read_region_suite(rows, parse_layout(["sentence=t", "label=label"]))) == [("x y", "x z")]
    lines = written(tmp_path, "c.jsonl", '{"a": "x", "b": "y", "good": 1}\n')
    assert sentences(read_region_suite(lines, {"good": "a", "bad": "b"})) == [("x", "y")]


@pytest.mark.parametrize(
    ("given", "message"),
    [("good", "says nothing"), ("gut=x", "unknown key"), ("good=x", "both sentences"), ("bad=x", "both sentences")],
)
def test_a_layout_with_a_typo(given: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_layout([given])


def test_a_layout_that_does_not_fit(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "good,bad\nx,y\n")
    with pytest.raises(UsageError, match=r"unknown column 'god'\n  did you mean good\?"):
        read_region_suite(path, {"good": "god", "bad": "bad"})
    with pytest.raises(UsageError, match="unknown encoding"):
        read_region_suite(path, {"encoding": "utf-99"})


def test_two_rows_are_joined_by_phenomenon_paradigm_and_item(tmp_path: Path) -> None:
    suite = read_region_suite(written(tmp_path, "nl.csv", TWO_ROWS))
    assert sentences(suite) == [(GOOD, BAD), ("He sees.", "He see.")]
    assert suite.items[0].columns["Critical word(s) (bad)"] == "bark"
    again = convert_regions(suite, "pair-rows")
    assert again.losses == ()
    assert sorted(again.data.decode().split("\n")) == sorted(TWO_ROWS.split("\n"))


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("ru.csv", 'id,source_sentence,target_sentence,PID\n3,"a, b","a, c",p\n', "pairs"),
        ("tr.csv", "good_sentence;bad_sentence;phenomenon\na b;a c;p\n", "pairs"),
        ("clams.txt", "True\ta b\nFalse\ta c\n", "labelled-lines"),
        ("rows.tsv", "item\tsentence\tgrammatical\n1\ta b\tyes\n1\ta c\tno\n", "pair-rows"),
    ],
)
def test_what_was_read_is_written_as_it_was(name: str, text: str, kind: str, tmp_path: Path) -> None:
    suite = read_region_suite(written(tmp_path, name, text))
    again = convert_regions(suite, kind)
    assert (again.data.decode(), again.losses) == (text, ())
    through = read_region_suite(written(tmp_path, "x.json", convert_regions(suite, "syntaxgym").data))
    assert convert_regions(through, kind).data.decode() == text


# ---- hierarchy


def line(good: str, bad: str, **more: object) -> str:
    return json.dumps({"sentence_good": good, "sentence_bad": bad, **more}) + "\n"


def test_phenomenon_and_paradigm_are_of_the_pair(tmp_path: Path) -> None:
    text = line("a b", "a c", phenomenon="A", paradigm="x") + line("d", "e", phenomenon="B", paradigm="x")
    text += line("f", "g", phenomenon="A", paradigm="y")
    path = written(tmp_path, "all.jsonl", text)
    assert "class" not in read_region_suite(path).properties
    suites = read_paradigms([path])
    assert [(suite.property_of("class"), suite.title, len(suite)) for suite in suites] == [
        ("A", "A/x", 1), ("B", "B/x", 1), ("A", "y", 1),
    ]  # fmt: skip


def test_files_and_folders_tell_where_columns_do_not(tmp_path: Path) -> None:
    for folder in ("de", "fr"):
        written(tmp_path, f"{folder}/simple.txt", "True\ta b\nFalse\ta c\n")
    written(tmp_path, "de/coord.txt", "True\td\nFalse\te\n")
    written(tmp_path, "de/README.txt", "nothing\n")
    suites = read_paradigms([str(tmp_path)])
    assert [(suite.property_of("class"), suite.title) for suite in suites] == [
        ("de", "coord"), ("de", "de/simple"), ("fr", "fr/simple"),
    ]  # fmt: skip


def test_one_paradigm_in_several_files_goes_by_their_names(tmp_path: Path) -> None:
    for name in ("one", "two"):
        written(tmp_path, f"Anaphor/{name}.jsonl", line("a", "b", phenomenon="Anaphor", paradigm="Plural"))
    assert [suite.title for suite in read_paradigms([str(tmp_path)])] == ["one", "two"]


def test_archives_are_read_like_folders(tmp_path: Path) -> None:
    files = {"data/b.jsonl": line("a", "b", UID="b"), "data/a.jsonl": line("c", "d", UID="a"), "README.txt": "x"}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for name, text in {**files, "__MACOSX/data/._a.jsonl": "{"}.items():
            packed.writestr(name, text)
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    for name in ("all.zip", "all.tar.gz"):
        assert holds_regions(tmp_path / name)
        assert [suite.title for suite in read_region_suites(tmp_path / name)] == ["a", "b"]
    for name in ("data/b.jsonl", "data/a.jsonl"):
        written(tmp_path, f"clone/{name}", files[name])
    (tmp_path / "clone" / "all.zip").write_bytes((tmp_path / "all.zip").read_bytes())
    assert [suite.title for suite in read_region_suites(tmp_path / "clone")] == ["a", "b"]
    (tmp_path / "bad.tar.gz").write_bytes(b"no archive")
    with pytest.raises(InputError, match="damaged"):
        read_region_suites(tmp_path / "bad.tar.gz")


def test_lines_without_labels_are_read_where_their_order_is_said(tmp_path: Path) -> None:
    files = {"ba_1000.csv": "他走了\n他了走\n", "verb.csv": ",0,1,2,3\n0,v,v,他来了,1\n1,v,v,他了来,0\n"}
    with zipfile.ZipFile(tmp_path / "climp.zip", "w") as packed:
        for name, text in {**files, "human_results.csv": "UID,acc\nv,1\n"}.items():
            packed.writestr(name, text)
    source = tmp_path / "climp.zip"
    assert [suite.title for suite in read_paradigms([source])] == ["v"]
    assert unread_files(source) == ["ba_1000.csv"]
    layout = parse_layout(["order=good-bad"])
    first, second = read_paradigms([source], layout)
    assert (sentences(first), second.title) == ([("他走了", "他了走")], "v")
    assert unread_files(source, layout) == []
    with pytest.raises(UsageError, match="unknown order of lines"):
        parse_layout(["order=good"])


# ---- targets


TARGETS = (
    "good_sentence;bad_sentence;critical_region\n"
    "Eda hediyesine resmen bayıldı.;Eda hediyesini resmen bayıldı.;Bayıldı\n"
    "İnternette okur.;İnternetten okur.;-\n"
    "a a b;a a c;a\n"
    "Ismarladı kız.;Ismarladı kızı.;ısmarladı\n"
)


def test_targets_are_regions_and_what_has_none_is_left_out(tmp_path: Path) -> None:
    suite = read_region_suite(written(tmp_path, "tr.csv", TARGETS))
    cut = on_targets(suite)
    assert [[region.content for region in item.conditions[1].regions] for item in cut.items] == [
        ["Eda hediyesini resmen", "bayıldı.", ""], ["", "Ismarladı", "kızı."],
    ]  # fmt: skip
    assert [prediction.formula for prediction in cut.predictions] == ["(2;%bad%) > (2;%good%)"]
    assert [problem.item for problem in check(suite) if problem.id == "lost-target"] == ["3"]


def test_of_several_places_the_one_that_differs_is_the_target(tmp_path: Path) -> None:
    text = "source_sentence,target_sentence,source_word,target_word\nне я не ты,я не ты не,не,не\nx y z,x w z,y,w\n"
    cut = on_targets(read_region_suite(written(tmp_path, "ru.csv", text)))
    assert [item.id for item in cut.items] == ["2"]
    chinese = line("他看书了", "他看画了", good_target="书", bad_target="画")
    (item,) = on_targets(read_region_suite(written(tmp_path, "zh.jsonl", chinese))).items
    assert [region.content for region in item.conditions[0].regions] == ["他看", "书", "了"]


# ---- checks


def test_identical_repeated_and_swapped_pairs_are_found(tmp_path: Path) -> None:
    rows = ["a b;a b;x;y", "c d;c e;d;e", "c d;c e;d;e", "f e;f d;d;e", "c e;c d;;", "g;h;g;h"]
    text = "good_sentence;bad_sentence;good_cue;bad_cue\n" + "\n".join(rows) + "\n"
    problems = {
        (problem.id, problem.item, problem.line)
        for problem in check(read_region_suite(written(tmp_path, "a.csv", text)))
    }
    assert problems == {
        ("same-sentence", "1", 2), ("repeated-item", "3", 4), ("swapped-pair", "4", 5), ("swapped-pair", "5", 6),
        ("swapped-pair", "2", 3), ("swapped-pair", "3", 4),
    }  # fmt: skip


def test_a_pair_against_the_rule_of_the_others(tmp_path: Path) -> None:
    rows = [f"no dog {n};the dog {n}" for n in range(30)] + ["the cat 1;no cat 1"]
    rows += [f"is {n};are {n}" for n in range(12)] + [f"are x{n};is x{n}" for n in range(12)]
    suite = read_region_suite(written(tmp_path, "npi.csv", "good;bad\n" + "\n".join(rows) + "\n"))
    assert [(problem.id, problem.level, problem.item) for problem in check(suite)] == [
        ("against-the-rule", "note", "31")
    ]


def test_numbers_begin_anew_in_every_paradigm(tmp_path: Path) -> None:
    text = "".join(line(f"{p} a", f"{p} b", paradigm=p, phenomenon="x", id=1) for p in ("p", "q"))
    assert list(check(read_region_suite(written(tmp_path, "a.jsonl", text)))) == []


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


STATED = {
    "blimp": (67_000, 13, 67),
    "blimp-nl": (1_400, 6, 14),
    "clams": (2_640, 4, 6),
    "jblimp": (331, 11, 37),
    "lindsea": (380, 4, 38),
    "multiblimp": (255, 1, 1),
    "rublimp": (8_000, 8, 8),
    "turblimp": (6_700, 7, 13),
    "zhoblimp": (35_400, 15, 118),
}
"""Pairs, phenomena (or languages, by folder), paradigms: the papers of BLiMP (12 phenomena, of which the files divide
one), JBLiMP and ZhoBLiMP, the README of LINDSEA; of the others, which are parts here, the headers of the files."""


@pytest.mark.parametrize("name", STATED)
def test_all_pairs_of_a_benchmark_are_read(name: str, shared: Path) -> None:
    suites = read_paradigms([shared / "pairs" / name])
    assert (sum(map(len, suites)), len({suite.property_of("class") for suite in suites}), len(suites)) == STATED[name]
    assert len({suite.title for suite in suites}) == len(suites)
    assert {suite.format for suite in suites} == {find("multiblimp-fr" if name == "multiblimp" else name).layout}
    if name in ("blimp", "zhoblimp"):
        assert all(suite.said("human_accuracy") is not None for suite in suites)
    if name == "blimp":  # Table 3 of the paper
        printed = {"ellipsis": 85.0, "island_effects": 84.9, "binding": 87.3, "quantifiers": 86.6}
        for phenomenon, accuracy in printed.items():
            values = [suite.said("human_accuracy") for suite in suites if suite.property_of("class") == phenomenon]
            assert round(sum(values) / len(values), 1) == accuracy


@pytest.mark.parametrize(
    ("file", "targets"),
    [
        ("rublimp/negative_concord.csv", 1000),
        ("turblimp/base/augmented_binding.csv", 990),
        ("turblimp/base/augmented_irregular_forms.csv", 0),
        ("blimp-nl/Phenomenon01.csv", 200),
    ],
)
def test_targets_are_found_where_files_name_them(file: str, targets: int, shared: Path) -> None:
    assert len(on_targets(read_region_suite(shared / "pairs" / file))) == targets


@pytest.mark.parametrize("file", ["rublimp/tense_marker.csv", "turblimp/base/augmented_binding.csv"])
def test_published_tables_go_there_and_back(file: str, shared: Path) -> None:
    suite = read_region_suite(shared / "pairs" / file)
    separator = suite.said("separator")
    data = convert_regions(suite, "pairs").data.decode()
    raw = (shared / "pairs" / file).read_text("utf-8-sig")
    assert list(csv.reader(io.StringIO(data), delimiter=separator)) == list(
        csv.reader(io.StringIO(raw, newline=""), delimiter=separator)
    )


def test_published_lines_go_there_and_back(shared: Path) -> None:
    lines = shared / "pairs" / "clams" / "fr_evalset" / "simple_agrmt.txt"
    again = convert_regions(read_region_suite(lines), "labelled-lines").data.decode()
    assert again.splitlines() == lines.read_text("utf-8").splitlines()
    objects = shared / "pairs" / "jblimp" / "validated_minimal_pairs.jsonl"
    again = convert_regions(read_region_suite(objects), "blimp").data.decode()
    assert [*map(json.loads, again.splitlines())] == [*map(json.loads, objects.read_text("utf-8").splitlines())]
