"""exportXML of TüBa-D/Z: the attribute `parent` makes the tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.phrase import read, to_notation
from gardenpath.phrase.exportxml import read_exportxml

SENTENCE = """<exml-doc><schema><node name="edu"><text-attr name="x"/></node></schema><exml><body>
<sentence xml:id="s1">
 <node xml:id="s1_501" cat="SIMPX" func="--">
  <node xml:id="s1_500" cat="NX" func="ON" parent="s1_501">
   <word xml:id="s1_1" form="Anna" pos="NE" lemma="Anna" func="HD" parent="s1_500"/>
   <ne xml:id="ne_1" type="PER"><word xml:id="s1_3" form="und" pos="KON" func="--"/></ne>
   <secEdge cat="refint" parent="s1_501"/>
  </node>
  <word xml:id="s1_2" form="liest" pos="VVFIN" morph="3sis" func="-" parent="s1_501"/>
 </node>
</sentence></body></exml></exml-doc>"""


def test_nesting_does_not_count() -> None:
    (tree,) = read_exportxml(SENTENCE.encode(), "f.xml")
    assert to_notation(tree) == "(SIMPX (NX:ON (NE:HD Anna)) (VVFIN:- liest)) (KON und)"
    assert [(label, mother.label) for label, mother in tree.inner.__next__().second_mothers] == [("refint", "SIMPX")]
    assert (tree.lemmas, tree.morphs, tree.sent_id) == (("Anna", "", ""), ("", "3sis", ""), "s1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('parent="s1_500"', 'parent="s1_9"', "s1_1 hangs at s1_9"),
        ('refint" parent="s1_501"', 'refint" parent="s2_7"', "a secEdge to 's2_7'"),
        ('xml:id="s1_2"', 'xml:id="s1_1"', "same xml:id"),
        ("<exml-doc>", "<!DOCTYPE x><exml-doc>", "a document type"),
        ("</sentence>", "", "broken XML"),
        ("sentence", "phrase", "no element <sentence>"),
    ],
)
def test_broken_files_are_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_exportxml(SENTENCE.replace(old, new).encode(), "f.xml"))
    assert message in str(caught.value)


def test_the_sample(shared: Path) -> None:
    # Counts by grep over the file: <sentence, <word, <node without the schema, <secEdge.
    found = read(shared / "phrase" / "formats" / "discoursegraphs_tueba_exportxml-example.xml")
    assert len(found) == 102
    assert sum(len(tree) for tree in found) == 1780
    assert sum(len(tree.labels) for tree in found) == 2224
    assert sum(len(tree.secondary) for tree in found) == 5
    assert {tree.tags[at] for tree in found for at in range(len(tree)) if tree.functions[at] == ""} >= {"$,", "$."}
