"""Japanese: what is changed, and what its grammar does not allow."""

from __future__ import annotations

from importlib.resources import files

import pytest
from made_sentences import reason, texts

MOVED = "{} {} PROPN _ 2 compound +\n{} {} NOUN _ 4 nsubj +\nは は ADP _ 2 case +\n走る 走る VERB _ 0 root +"
BOUGHT = "彼 彼 PRON _ 6 nsubj +\nは は ADP _ 1 case +\n{}{} {} NUM _ 4 nummod +\n{} {} NOUN _ 6 obj +\n"
BOUGHT += "を を ADP _ 4 case +\n払う 払う VERB _ 0 root +"


def test_years_are_followed_by_their_sign() -> None:
    table = "1998 1998 NUM _ 2 nummod +\n年 年 NOUN _ 0 root +"
    assert texts("years", "ja", table)["1948"] == "1948年"
    assert reason("years", "ja", f"{table}\n前 前 NOUN _ 2 nmod +") == "no match"  # so many years ago


def test_the_number_after_its_sign_is_an_ordinal_and_no_amount() -> None:
    table = "第 第 NOUN _ 3 compound +\n{} {} NUM _ 3 nummod +\n回 回 NOUN _ 0 root +"
    assert texts("ordinals", "ja", table.format("3", "3"))["5"] == "第5回"
    assert texts("ordinals", "ja", table.format("三", "三"))["五"] == "第五回"
    assert reason("amounts", "ja", table.format("3", "3")) == "no match"
    assert reason("digits", "ja", table.format("3", "3")) == "no match"
    assert reason("ordinals", "ja", table.format("3", "3").replace("第 第", "約 約")) == "no match"


def test_a_name_may_have_a_title_but_no_town() -> None:
    assert texts("names", "ja", MOVED.format("田中", "田中", "さん", "さん"))["鈴木"] == "鈴木さんは走る"
    assert reason("names", "ja", MOVED.format("田中", "田中", "町", "町")) == "name part"
    assert reason("places", "ja", MOVED.format("大阪", "大阪", "府", "府")) == "name part"


def test_a_place_that_is_there_already_is_left_out() -> None:
    table = "フランス フランス PROPN _ 3 nmod +\nと と ADP _ 1 case +\nイタリア イタリア PROPN _ 0 root +"
    assert "イタリア" not in texts("places", "ja", table)
    assert "インド" not in texts("places", "ja", table.replace("イタリア", "インド"))
    assert texts("places", "ja", table)


def test_money_follows_its_number() -> None:
    assert texts("currencies", "ja", BOUGHT.format("500", "", "500", "円", "円"))["ドル"] == "彼は500ドルを払う"
    american = BOUGHT.format("500", "", "500", "ドル", "ドル").replace(
        "500 500 NUM _ 4 nummod", "米 米 NOUN _ 4 compound"
    )
    assert reason("currencies", "ja", american) in ("modified", "no number")


def test_pronouns_of_one_kind_replace_each_other() -> None:
    table = BOUGHT.format("500", "", "500", "円", "円")
    assert texts("pronouns", "ja", table) == {"彼女": "彼女は500円を払う"}
    partner = "彼女 彼女 PRON _ 3 nsubj +\nが が ADP _ 1 case +\nいる いる VERB _ 0 root +"
    assert reason("pronouns", "ja", partner) == "agreement"
    both = "彼 彼 PRON _ 4 nsubj +\nと と ADP _ 1 case +\n彼女 彼女 PRON _ 1 conj +\n走る 走る VERB _ 0 root +"
    assert reason("pronouns", "ja", both) == "agreement"


def test_adverbs_and_synonyms() -> None:
    table = BOUGHT.format("500", "", "500", "円", "円")
    assert texts("adverbs", "ja", table)["やはり"] == "彼は500円をやはり払う"
    assert reason("adverbs", "ja", table.replace("払う 払う", "する する")) == "no match"
    very = "とても とても ADV _ 2 advmod +\n長い 長い ADJ _ 0 root +"
    assert texts("synonyms", "ja", very) == {"たいへん": "たいへん長い"}
    assert reason("synonyms", "ja", f"{very}\nない ない AUX _ 2 aux +") == "fixed"


def test_small_numbers_before_counters() -> None:
    table = "3 3 NUM _ 2 nummod +\n{} {} NOUN _ 0 root +"
    assert texts("digits", "ja", table.format("冊", "冊")) == {"words": "三冊"}
    assert reason("digits", "ja", table.format("月", "月")) == "no match"


def test_the_bundled_sentences() -> None:
    path = files("gardenpath.data") / "samples" / "ja_garden-sentences.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(set(lines)) >= 150
    assert all(line.endswith("。") for line in lines)


@pytest.mark.parametrize(("ending", "mark"), [("た", "。"), ("Haus", ".")])
def test_the_mark_of_the_script(ending: str, mark: str) -> None:
    assert mark in texts("punctuation", "", f"{ending} {ending} NOUN _ 0 root")
