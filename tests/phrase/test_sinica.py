"""The format of the Sinica Treebank."""

from __future__ import annotations

import pytest

from gardenpath.errors import InputError
from gardenpath.phrase import to_notation
from gardenpath.phrase.sinica import read_sinica

LINE = (
    "#3:3.[12] S(theme:NP(Head:N(DUMMY1:Nba:小明|Head:Caa:和|DUMMY2:Nhaa:我))|Head:VC1:在|goal:NP(Head:Nab:家))"
    "# ，(COMMACATEGORY)\r\n"
)


def test_roles_are_functions_and_the_mark_hangs_at_the_root() -> None:
    (tree,) = read_sinica(LINE)
    assert tree.sent_id == "3:3.[12]"
    assert to_notation(tree) == (
        "(S (NP:theme (N:Head (Nba:DUMMY1 小明) (Caa:Head 和) (Nhaa:DUMMY2 我))) (VC1:Head 在) "
        "(NP:goal (Nab:Head 家))) (COMMACATEGORY ，)"
    )


def test_lines_without_a_mark_or_with_a_role_twice() -> None:
    first, second = read_sinica("#:.[7] NP(Head:Nab:貓)#\n#2:.[8] NP(head:Head:Nab:貓)#。(PERIODCATEGORY)\n")
    assert first.words == ("貓",)
    assert second.functions == ("Head", "", "")


@pytest.mark.parametrize(
    "line",
    ["NP(Head:Nab:貓)", "#1:1.[0] NP(Head:Nab:貓#", "#1:1.[0] NP(Head:Nab:貓))#", "#1:1.[0] NP(貓)#", "#1:1.[0] #"],
)
def test_broken_lines_are_refused(line: str) -> None:
    with pytest.raises(InputError, match="f:2"):
        list(read_sinica(LINE + line, "f"))
