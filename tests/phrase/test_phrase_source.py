"""Files, folders and globs of phrase trees; formats by content; encodings; writing whole or not at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import GardenpathError, InputError
from gardenpath.phrase import PhraseTree, from_notation, read, write
from gardenpath.phrase.brackets import Labels
from gardenpath.phrase.source import FORMATS, Reading, by_content, detected, stream, written

TREE = from_notation("(S (NP:SB (ART:NK Das) (NN:NK Öl)) (VVFIN:HD fließt)) ($. .)", "1")
GAP = from_notation("(S (VP:OC#1 (ADV:MO So)) (VAFIN:HD hat) (VP:OC#1 (VVPP:HD gelebt)))", "2")


@pytest.mark.parametrize("format", FORMATS.writable)
def test_what_is_written_is_recognised_and_read(tmp_path: Path, format: str) -> None:
    path = tmp_path / "trees.txt"
    write([TREE, TREE], path, format)
    assert detected(path.read_bytes()) == format
    assert read(path) == [TREE, TREE]
    assert read(path, format) == [TREE, TREE]


@pytest.mark.parametrize(
    ("head", "format"),
    [
        (b"<?xml version='1.0'?>\n<!-- c -->\n<corpus id='x'>", "tigerxml"),
        (b"<exml-doc>\n<schema>", "exportxml"),
        (b"%% comment\n#BOS 1", "export"),
        (b"#1:1.[4257] NP(Head:Neu:x)#", "sinica"),
        (b"( (S \n (NP (CD 1) ) ))", "penn"),
        (b"(())\n", "penn"),
        (b"(S (NN 0=a))", "discbracket"),
        (b"(S (NN 1))\ta", "discbracket"),
        (b"<html>", None),
        (b"word\n", None),
    ],
)
def test_formats_by_content(head: bytes, format: str | None) -> None:
    assert by_content(head) == format


def test_a_suffix_tells_the_format_where_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "trees.export"
    write([TREE], path)
    assert path.read_text("utf-8").startswith("#FORMAT 4\n#BOS 1\n")
    with pytest.raises(InputError, match="the name does not tell the format"):
        write([TREE], tmp_path / "trees.txt")
    odd = tmp_path / "odd.txt"
    odd.write_text("hello")
    with pytest.raises(InputError, match=r"odd\.txt: not a format of phrase trees"):
        read(odd)
    odd.write_text(" \n")
    with pytest.raises(InputError, match="an empty file"):
        read(odd)


def test_folders_globs_and_packed_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    write([GAP], tmp_path / "b.xml")
    write([TREE], tmp_path / "below" / "c.mrg")
    write([TREE], tmp_path / "a.export")
    (tmp_path / "README").write_text("not a tree")
    (tmp_path / "d.export.gz").write_bytes(gzip.compress((tmp_path / "a.export").read_bytes()))
    assert read(tmp_path) == [TREE, GAP, TREE, TREE]
    assert [tree.sent_id for tree in read(tmp_path)] == ["1", "s2", "", "1"]
    assert read(tmp_path / "*.export*") == [TREE, TREE]
    assert read([tmp_path / "b.xml", tmp_path / "a.export"]) == [GAP, TREE]


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no phrase trees in this folder"):
        read(tmp_path)
    with pytest.raises(InputError, match="no file matches"):
        read(tmp_path / "*.xml")
    write([TREE], tmp_path / "trees.export")
    with pytest.raises(InputError, match=r"did you mean .*trees\.export"):
        read(tmp_path / "treez.export")
    with pytest.raises(GardenpathError, match="unknown format of phrase trees 'exprot'") as caught:
        read(tmp_path, "exprot")
    assert "did you mean export" in str(caught.value)
    with pytest.raises(GardenpathError, match="that can be written 'sinica'"):
        written([TREE], "sinica")
    (tmp_path / "x.zip").write_bytes(b"PK")
    with pytest.raises(InputError, match="not read from archives"):
        read(tmp_path / "x.zip")


def test_latin_1_is_read_and_told(tmp_path: Path) -> None:
    path = tmp_path / "negra.export"
    path.write_bytes("".join(written([TREE], "export")).encode("latin-1"))
    told: list[str] = []
    assert read(path, notice=told.append) == [TREE]
    assert told == [f"{path} is not UTF-8: read as latin-1"]
    with pytest.warns(UserWarning, match="read as latin-1"):
        read(path)
    assert read(path, encoding="latin-1", notice=told.append) == [TREE]
    assert len(told) == 1
    with pytest.raises(InputError, match=r"negra\.export:4: not utf-8"):
        read(path, encoding="utf-8")
    with pytest.raises(InputError, match="unknown encoding 'latin-0'"):
        read(path, encoding="latin-0")


def test_windows_line_ends_and_byte_order_marks(tmp_path: Path) -> None:
    path = tmp_path / "trees.export"
    path.write_bytes(b"\xef\xbb\xbf" + "".join(written([TREE], "export")).replace("\n", "\r\n").encode())
    assert read(path) == [TREE]


def test_trees_come_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "trees.export"
    path.write_text("".join(written([TREE], "export")) + "#BOS 2\nbroken\n#EOS 2\n", "utf-8")
    found = stream(path)
    assert next(found) == TREE
    with pytest.raises(InputError, match="broken"):
        next(found)


def test_labels_reach_the_brackets(tmp_path: Path) -> None:
    path = tmp_path / "trees.brackets"
    write([TREE], path, "penn", labels=Labels(":"))
    assert "(NP:SB (ART:NK Das)" in path.read_text("utf-8")
    assert read(path, labels=Labels(":")) == [TREE]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "trees.penn"
    write([TREE], path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="it has a gap"):
        write([TREE, GAP], path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["trees.penn"]


SAMPLES = {
    **{name: "".join(written([TREE, TREE], name)) for name in FORMATS.writable},
    "exportxml": '<exml><sentence xml:id="s1"><node xml:id="s1_500" cat="NX" func="--">'
    '<word xml:id="s1_1" form="a" pos="NN" func="HD" parent="s1_500"/></node></sentence></exml>',
    "sinica": "#1:1.[0] NP(Head:Nab:貓)#。(PERIODCATEGORY)\n",
}


@given(st.data(), st.sampled_from(sorted(FORMATS)))
def test_a_spoiled_file_is_read_or_refused_but_never_crashes(data: st.DataObject, format: str) -> None:
    text = SAMPLES[format]
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 6)))
        text = text[:begin] + data.draw(st.text('()#=<>/"|:%-0579 \t\n\x00s²ä', max_size=4)) + text[end:]
    how = Reading(None, Labels(), lambda _: None)
    trees, where = list[PhraseTree](), "f"
    try:
        trees = list(FORMATS.reader(format)(text.encode(), "f", how))
    except InputError as error:
        where = error.where
    assert where.startswith("f")
    assert all(len(tree.mothers) == len(tree.functions) for tree in trees)


def test_every_format_has_a_line_about_it() -> None:
    assert all(format.about and format.suffixes for format in FORMATS.values())
    assert set(FORMATS.writable) == {"export", "tigerxml", "penn", "discbracket"}
