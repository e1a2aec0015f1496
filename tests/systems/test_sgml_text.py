"""Newswire in SGML as the LDC delivers it, read by parse, score and train. Oracle: the paragraphs written down here."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.systems.files.sgml_text import is_sgml, sgml_documents
from gardenpath.systems.files.text_input import read_blocks, read_sentences

XINHUA = """<DOC id="XIN_CMN_20041101.0001" type="story" >
<HEADLINE>
标题 不 是 正文
</HEADLINE>
<DATELINE>
新华社北京１１月１日电
</DATELINE>
<TEXT>
<P>
　　老师看书，学生也
看书。 R&amp;D 部门
and English
words。
</P>
<P>
第二 段 。
</P>
</TEXT>
</DOC>
<DOC id="XIN_CMN_20041101.0002" type="other" >
<TEXT>
没有 段落 标记 。
</TEXT>
</DOC>
<DOC id="XIN_CMN_20041101.0003" type="other" >
<TEXT>
</TEXT>
</DOC>
"""
PARAGRAPHS = ["老师看书，学生也看书。 R&D 部门 and English words。", "第二 段 。", "没有 段落 标记 。"]


def test_documents_and_paragraphs() -> None:
    data = XINHUA.encode()
    assert is_sgml(data)
    assert list(sgml_documents(data, "xin")) == [
        ("XIN_CMN_20041101.0001", PARAGRAPHS[:2]),
        ("XIN_CMN_20041101.0002", PARAGRAPHS[2:]),
    ]


def test_raw_files_of_the_treebank() -> None:
    head = "<DOC>\n<DOCID> chtb_0001 </DOCID>\n<HEADER>\n1998\n</HEADER>\n"
    raw = f"{head}<BODY>\n<S ID=1>\n老师看书。\n</S>\n</BODY>\n</DOC>\n"
    assert list(sgml_documents(raw.encode(), "raw")) == [("chtb_0001", ["老师看书。"])]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [200, 1 << 20])
def test_text_to_parse_has_documents_and_paragraphs(tmp_path: Path, packed: bool, size: int) -> None:
    path = tmp_path / ("xin_cmn_200411.gz" if packed else "xin_cmn_200411")
    path.write_bytes(gzip.compress(XINHUA.encode()) if packed else XINHUA.encode())
    blocks = list(read_blocks(path, size=size))
    assert {mode for _, mode in blocks} == {"text"}
    sentences = [sentence for treebank, _ in blocks for sentence in treebank]
    assert [" ".join(word.form for word in sentence) for sentence in sentences] == PARAGRAPHS
    assert [sentence.sent_id for sentence in sentences] == ["1", "2", "3"]
    ids = [name for treebank, _ in blocks for name in treebank.comment_values("newdoc id")]
    assert ids == ["XIN_CMN_20041101.0001", "", "XIN_CMN_20041101.0002"]


def test_text_of_language_models(tmp_path: Path) -> None:
    (tmp_path / "xin").write_text(XINHUA, encoding="utf-8")
    assert list(read_sentences(tmp_path / "xin")) == [text.split() for text in PARAGRAPHS]


def test_text_that_is_not_utf8_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "xin").write_bytes(XINHUA.encode("gb18030"))
    with pytest.raises(SystemExit) as end:
        main(["train", "ngram", str(tmp_path / "xin"), "-o", str(tmp_path / "a.npz")])
    assert end.value.code == 2
    assert "xin:3: this is not UTF-8 text" in capsys.readouterr().err
