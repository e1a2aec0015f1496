"""Files of pairs in every layout: columns, separators, quotes and encodings are found by looking, or asked for."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.suites import check
from gardenpath.suites.regions import read_region_suites
from gardenpath.suites.regions.conversion import convert_regions
from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.pair_columns import PAIRS, find_columns, parse_layout
from gardenpath.suites.regions.reader import holds_regions, read_paradigms, read_region_suite, unread_files
from gardenpath.suites.regions.targets import on_targets

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
