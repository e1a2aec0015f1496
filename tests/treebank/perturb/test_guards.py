"""Classes of faults that reading variants found, each with a sentence that must be left alone, or change less."""

from __future__ import annotations

import pytest
from made_sentences import reason, texts

from gardenpath.treebank.perturb.lexicon import script_of
from gardenpath.treebank.perturb.noise import mistyped

PRON = "Case={}|Number={}|Person=3|PronType=Prs"


@pytest.mark.parametrize(
    ("language", "table"),
    [
        ("en", "2 2 NUM _ 4 nummod\n- - PUNCT _ 3 punct\n3 3 NUM _ 1 nmod\nweeks week NOUN Number=Plur 0 root"),
        ("en", "2 2 NUM _ 2 nummod\nweeks week NOUN Number=Plur 0 root\nto to ADP _ 5 case\n3 3 NUM _ 5 nummod\n"
         "weeks week NOUN Number=Plur 2 nmod"),
        ("en", "33 33 NUM _ 4 nummod\nof of ADP _ 3 case\n36 36 NUM _ 1 nmod\ngames game NOUN Number=Plur 0 root"),
        ("en", "the the DET _ 3 det\n2006 2006 NUM _ 3 nummod\nelections election NOUN Number=Plur 0 root"),
        ("en", "100 100 NUM _ 2 nummod\n% % SYM _ 0 root"),
        ("ru", "500 500 NUM _ 5 nummod\n( ( PUNCT _ 3 punct\nпятьсот пятьсот NUM _ 1 appos\n) ) PUNCT _ 3 punct\n"
         "гривен гривна NOUN Number=Plur 0 root"),
    ],
)  # fmt: skip
def test_a_number_in_company_stays(language: str, table: str) -> None:
    assert reason("amounts", language, table) == "no match"


def test_an_amount_that_is_a_date_too_or_a_pair_stays() -> None:
    table = "2 2 NUM _ 2 nummod\nshops shop NOUN Number=Plur 4 nsubj\nboth both DET _ 4 det\nclosed close VERB _ 0 root"
    assert reason("amounts", "en", table) == "agreement"
    date = "5 5 NUM _ 2 nummod\nmen man NOUN Number=Plur 3 nsubj\ndied die VERB _ 0 root\nMay May PROPN _ 3 obl\n"
    assert reason("amounts", "en", date + "5 5 NUM _ 4 nummod") == "ambiguous"


def test_numbers_that_are_no_years() -> None:
    assert reason("years", "sv", "kl kl NOUN _ 2 nmod\n1700 1700 NUM _ 0 root") == "no match"
    decade = "1960 1960 NUM _ 2 nummod +\n年代 年代 NOUN _ 0 root +"
    assert reason("years", "zh", decade) == "no match"
    assert texts("years", "zh", decade.replace("年代", "年"))


NTH = "the the DET _ 3 det\n{} {} ADJ NumType=Ord 3 amod\n{} {} NOUN Number=Sing 0 root"


def test_ordinals_in_words() -> None:
    made = texts("ordinals", "en", NTH.format("second", "second", "meeting", "meeting"))
    assert made == {word: f"the {word} meeting" for word in ("first", "third", "fifth", "seventh", "ninth", "eleventh")}
    assert reason("ordinals", "en", NTH.format("first", "first", "aid", "aid")) == "no match"
    every = NTH.replace("the the", "every every").format("second", "second", "day", "day")
    assert "first" not in texts("ordinals", "en", every)
    german = "zum zu ADP _ 3 case\nersten erst ADJ NumType=Ord 3 amod\nMal Mal NOUN Number=Sing 0 root"
    assert texts("ordinals", "de", german)["fünften"] == "zum fünften Mal"
    russian = "во в ADP _ 3 case\nвторой второй ADJ NumType=Ord 3 amod\nсерии серия NOUN Number=Sing 0 root"
    assert reason("ordinals", "ru", russian) == "no match"  # во второй, but в седьмой


def test_nouns_that_count_with_an_article_or_without() -> None:
    thing, place = NTH.format("first", "first", "thing", "thing"), NTH.format("first", "first", "place", "place")
    assert texts("ordinals", "en", thing)["third"] == "the third thing"
    assert reason("ordinals", "en", thing.replace("the the DET _ 3 det", "next next ADV _ 3 advmod")) == "no match"
    assert reason("ordinals", "en", place) == "no match"
    assert (
        texts("ordinals", "en", place.replace("the the DET _ 3 det", "in in ADP _ 3 case"))["third"] == "in third place"
    )


def test_ordinals_in_capitals_stay_in_capitals() -> None:
    made = texts("ordinals", "en", "MARCH March PROPN _ 0 root\n6TH 6th NOUN NumType=Ord 1 nummod")
    assert {"1ST", "23RD"} & made.keys()
    assert all(value.isupper() for value in made)


def test_years_stay_in_their_order() -> None:
    """1749 – 1678; from 1613 to 1539; in 2085/17."""
    lived = texts("years", "en", "1535 1535 NUM _ 0 root\n- - SYM _ 3 case\n1611 1611 NUM _ 1 nmod")
    assert lived
    assert all(int(value) < 1611 for value in lived)
    chinese = "從 從 ADP _ 2 case +\n1613 1613 NUM _ 5 nmod +\n到 到 ADP _ 5 case +\n"
    reigned = texts("years", "zh", chinese + "1617 1617 NUM _ 5 nummod +\n年 年 NOUN _ 0 root +")
    assert reigned
    assert all(int(value) > 1613 for value in reigned)
    season = "2016 2016 NUM _ 0 root +\n/ / SYM _ 3 case +\n17 17 NUM _ 1 nmod"
    assert reason("years", "uk", season) == "no match"
    day = "2016 2016 NUM _ 0 root +\n- - SYM _ 3 case +\n02 02 NUM _ 1 nmod +\n- - SYM _ 5 case +\n28 28 NUM _ 1 nmod"
    assert texts("years", "uk", day)


def test_centuries_stay_in_their_order() -> None:
    """From the 13th century to about 1600; in the 20th and 20th century."""
    ends = "the the DET _ 3 det\n13th 13th ADJ NumType=Ord 3 amod\ncentury century NOUN Number=Sing 0 root\n"
    assert texts("ordinals", "en", ends + "to to ADP _ 5 case\n1600 1600 NUM _ 3 nmod")
    ranged = "from from ADP _ 3 case\n13th 13th ADJ NumType=Ord 3 amod\ncentury century NOUN Number=Sing 0 root\n"
    assert reason("ordinals", "en", ranged + "to to ADP _ 5 case\n1600 1600 NUM _ 3 nmod") == "no match"
    second = ranged.replace("13th", "first").replace("century", "year")
    assert reason("ordinals", "en", second + "to to ADP _ 5 case\nfourth fourth NOUN NumType=Ord 3 nmod") == "no match"
    both = "19th 19th ADJ NumType=Ord 4 amod\nand and CCONJ _ 3 cc\n20th 20th ADJ NumType=Ord 1 conj\n"
    made = texts("ordinals", "en", both + "century century NOUN Number=Sing 0 root")
    assert made
    assert "20th" not in made


def test_ordinals_without_a_noun_are_days() -> None:
    made = texts("ordinals", "en", "on on ADP _ 3 case\nthe the DET _ 3 det\n20th 20th NOUN NumType=Ord 0 root")
    assert {int(value[:-2]) for value in made} <= set(range(1, 29))
    decades = texts("ordinals", "uk", "В в ADP _ 3 case\n90-х 90-й ADJ NumType=Ord 3 amod\nрр рр NOUN _ 0 root")
    assert decades.keys() <= {f"{number}-х" for number in range(10, 100, 10)}


@pytest.mark.parametrize(
    ("language", "table"),
    [
        ("uk", f"між між ADP _ 2 case\nними вони PRON {PRON.format('Ins', 'Plur')} 0 root"),
        ("ru", f"кто кто PRON Case=Nom 2 nsubj\nвидел видеть VERB _ 0 root\nее она PRON "
         f"{PRON.format('Acc', 'Sing')}|Gender=Fem 2 obj\nслабой слабый ADJ Case=Ins|Gender=Fem|Number=Sing 2 xcomp"),
        ("uk", f"ніж ніж SCONJ _ 3 mark\nвін він PRON {PRON.format('Nom', 'Sing')}|Gender=Masc 3 advcl\n"
         "знає знати VERB Number=Sing|Person=3|VerbForm=Fin 0 root"),
        ("en", f"he he PRON {PRON.format('Nom', 'Sing')}|Gender=Masc 4 nsubj\nor or CCONJ _ 3 cc\nshe she PRON "
         f"{PRON.format('Nom', 'Sing')}|Gender=Fem 1 conj\ncame come VERB Tense=Past|VerbForm=Fin 0 root"),
        ("de", "die der PRON Case=Nom|PronType=Rel 3 nsubj\n"
         f"ihn er PRON {PRON.format('Acc', 'Sing')}|Gender=Masc 3 obj\nbinden binden VERB Number=Plur 0 root"),
    ],
)  # fmt: skip
def test_pronouns_that_something_else_depends_on_stay(language: str, table: str) -> None:
    assert reason("pronouns", language, table) == "agreement"


def test_none_of_them_becomes_none_of_us_and_nobody_else() -> None:
    table = f"none none NOUN _ 0 root\nof of ADP _ 3 case\nthem they PRON {PRON.format('Acc', 'Plur')} 1 nmod"
    assert texts("pronouns", "en", table) == {"we": "none of us"}


def test_speakers_do_not_meet_themselves() -> None:
    table = "我 我 PRON Person=1 2 nsubj +\n等 等 VERB _ 0 root +\n你 你 PRON Person=2 2 obj +"
    assert "你" not in texts("pronouns", "zh", table)


@pytest.mark.parametrize(
    ("language", "table"),
    [
        ("en", "35mm 35mm NOUN _ 2 compound\nfilm film NOUN Number=Sing 0 root"),
        ("en", "too too ADV _ 2 advmod\nbad bad ADJ Degree=Pos 0 root"),
        ("en", "at at ADP _ 2 case\nlarge large ADJ Degree=Pos 0 root"),
        ("en", "good good ADJ Degree=Pos 2 amod\nluck luck NOUN _ 0 root"),
        ("en", "we we PRON _ 2 nsubj\nhappened happen VERB Tense=Past|VerbForm=Fin 0 root\nin in ADV _ 2 advmod"),
        ("de", "so so ADV _ 3 advmod\nsehr sehr ADV _ 3 advmod\nbewundert bewundern VERB _ 0 root"),
        ("de", "Gott Gott NOUN _ 2 nsubj\nwirklich wirklich ADJ _ 0 root"),
        ("de", "schon schon ADV _ 2 advmod\nda da ADV _ 0 root"),
        ("sv", "så så ADV _ 2 advmod\nofta ofta ADV _ 0 root"),
        ("sv", "helt hel ADV _ 2 advmod\nenkelt enkel ADV _ 0 root"),
        ("ru", "не не PART _ 2 advmod\nчасто часто ADV _ 0 root"),
        ("ru", "сейчас сейчас ADV _ 0 root\nже же PART _ 1 advmod"),
        ("zh", "一直 一直 ADV _ 2 advmod +\n到 到 VERB _ 0 root +"),
    ],
)  # fmt: skip
def test_no_synonym_will_do(language: str, table: str) -> None:
    assert reason("synonyms", language, table) == "fixed"


@pytest.mark.parametrize(
    ("language", "table"),
    [
        ("ru", "Он он PRON _ 4 nsubj\nсовсем совсем ADV _ 4 advmod\nне не PART _ 4 advmod\n"
         "пришел прийти VERB VerbForm=Fin 0 root"),
        ("zh", "军队 军队 NOUN _ 4 nsubj +\n攻克 攻克 VERB _ 4 advcl +\n"
         "城市 城市 NOUN _ 2 obj +\n占领 占领 VERB _ 0 root +"),
        ("zh", "被 被 ADP _ 3 case +\n他 他 PRON _ 3 nsubj +\n拒绝 拒绝 VERB _ 0 root +"),
        ("zh", "你 你 PRON _ 2 nsubj +\n来 来 VERB _ 0 root +\n吧 吧 PART _ 2 discourse +"),
    ],
)  # fmt: skip
def test_no_adverb_comes_between(language: str, table: str) -> None:
    assert reason("adverbs", language, table) == "no match"


def test_articles_of_measures_stay_and_predicates_get_no_demonstrative() -> None:
    saw = "saw see VERB _ 0 root\na a DET Definite=Ind 3 det\n{} {} NOUN Number=Sing 1 obj"
    assert set(texts("articles", "en", saw.format("dog", "dog"))) == {"the", "this", "that"}
    rate = saw.format("speed", "speed") + "\nof of ADP _ 6 case\n60 60 NUM _ 6 nummod\nmph mph NOUN _ 3 nmod"
    assert reason("articles", "en", rate) == "agreement"
    copula = "it it PRON _ 4 nsubj\nis be AUX _ 4 cop\na a DET Definite=Ind 4 det\nlie lie NOUN Number=Sing 0 root"
    assert set(texts("articles", "en", copula)) == {"the"}
    article = "ein ein DET Case=Acc|Definite=Ind|Gender=Neut|Number=Sing|PronType=Art 3 det"
    many = "um um ADP _ 3 case\n" + article + "\nVielfaches Vielfaches NOUN Case=Acc|Gender=Neut|Number=Sing 4 obl\n"
    assert reason("articles", "de", many + "steigen steigen VERB _ 0 root") == "agreement"
    percent = many.replace("Vielfaches", "Prozent")
    assert reason("articles", "de", percent + "steigen steigen VERB _ 0 root") == "agreement"
    decade = "for for ADP _ 5 case\nmore more ADJ _ 5 advmod\nthan than ADP _ 2 fixed\na a DET Definite=Ind 5 det"
    assert reason("articles", "en", decade + "\ndecade decade NOUN Number=Sing 0 root") == "agreement"
    threat = (
        "they they PRON _ 2 nsubj\ncall call VERB _ 0 root\nus we PRON _ 2 obj\na a DET Definite=Ind|PronType=Art 5 det"
    )
    assert texts("articles", "en", threat + "\nthreat threat NOUN Number=Sing 2 xcomp") == {
        "the": "they call us the threat"
    }


def test_articles_of_expressions_stay_and_that_opens_no_clause() -> None:
    look = "have have VERB _ 0 root\na a DET Definite=Ind 3 det\nlook look NOUN Number=Sing 1 obj"
    assert reason("articles", "en", look) == "agreement"
    both = "it it PRON _ 3 nsubj\nis be AUX _ 3 cop\nnatural natural ADJ _ 0 root\nand and CCONJ _ 6 cc\n"
    assert set(texts("articles", "en", both + "a a DET Definite=Ind 6 det\nnecessity necessity NOUN _ 3 conj")) == {
        "the"
    }
    reward = "reward reward NOUN _ 0 root\na a DET Definite=Ind 3 det\ngroup group NOUN Number=Sing 4 nsubj\n"
    assert set(texts("articles", "en", reward + "offered offer VERB _ 1 acl:relcl")) == {"the", "this"}


def test_chinese_money_is_named_once_and_the_script_is_known() -> None:
    table = "多 多 NUM _ 2 nummod +\n元 元 NOUN _ 3 compound +\n化 化 PART _ 0 root +"
    assert reason("currencies", "zh", table) == "no number"
    named = "港幣 港幣 NOUN _ 3 nmod +\n十 十 NUM _ 3 nummod +\n元 元 NOUN _ 0 root +"
    assert reason("currencies", "zh", named) == "modified"
    assert script_of("於 巴黎 遇刺") == "Hant"


def test_slips_are_no_words() -> None:
    assert mistyped("краски", 0) != "крачки"
    assert texts("typos", "", "головне головний ADJ _ 2 amod\nі і NOUN _ 0 root")["mistyped"] != "гылоовне"
    assert "ы" not in "".join(
        texts("typos", "", "говорив говорити VERB _ 0 root\nвін він PRON _ 1 nsubj\nі і X _ 1 dep").values()
    )


@pytest.mark.parametrize(
    ("language", "table"),
    [
        ("en", "$ $ SYM _ 0 root +\n70 70 NUM _ 3 nummod\nbillion billion NUM _ 1 nummod\n"
         "dollars dollar NOUN Number=Plur 1 appos"),
        ("en", "six six NUM _ 2 nummod\ndollars dollar NOUN Number=Plur 0 root\n( ( PUNCT _ 4 punct +\n"
         "$ $ SYM _ 2 appos +\n6 6 NUM _ 4 nummod +\n) ) PUNCT _ 4 punct"),
        ("sv", "en en NUM _ 2 nummod\nkrona krona NOUN Case=Nom|Definite=Ind|Gender=Com|Number=Sing 0 root\n"
         "och och CCONJ _ 5 cc\nfem fem NUM _ 5 nummod\nöre öre NOUN _ 2 conj"),
        ("zh", "六十 六十 NUM _ 2 nummod +\n元 元 NOUN _ 0 root +\n兩 兩 NUM _ 4 nummod +\n毫 毫 NOUN _ 2 conj +"),
        ("en", "$ $ SYM _ 0 root +\n0 0 NUM _ 1 nummod\nis be AUX _ 1 cop\nthe the DET _ 5 det\namount amount NOUN _ 1 "
         "nsubj\nof of ADP _ 8 case\nuncommitted uncommitted ADJ _ 8 amod\ndollars dollar NOUN Number=Plur 5 nmod"),
    ],
)  # fmt: skip
def test_money_that_is_said_twice_or_with_its_coins_stays(language: str, table: str) -> None:
    assert reason("currencies", language, table) == "modified"


@pytest.mark.parametrize(
    ("language", "table", "text"),
    [
        ("en", "thousands thousand NOUN _ 0 root\nof of ADP _ 3 case\ndollars dollar NOUN Number=Plur 1 nmod",
         "thousands of euros"),
        ("en", "an a DET _ 3 det\nextra extra ADJ _ 3 amod\n$ $ SYM _ 0 root +\n50 50 NUM _ 3 nummod", "an extra €50"),
        ("en", "extra extra ADJ _ 3 amod\nfifty fifty NUM _ 3 nummod\ndollars dollar NOUN Number=Plur 0 root",
         "extra fifty euros"),
        ("de", "300 300 NUM _ 2 nummod\nMark Mark NOUN Gender=Fem|Number=Sing 0 root", "300 Lira"),
        ("sv", "75 75 NUM _ 2 nummod\nkr kr NOUN Abbr=Yes 0 root", "75 EUR"),
        ("uk", "50 50 NUM _ 2 nummod\nгрн грн NOUN Gender=Fem 0 root\n. . PUNCT _ 2 punct", "50 UAH ."),
        ("zh", "500 500 NUM _ 3 nummod +\n美 美 PROPN _ 3 compound +\n元 元 NOUN _ 0 root +", "500欧元"),
    ],
)  # fmt: skip
def test_money_that_any_other_can_replace(language: str, table: str, text: str) -> None:
    assert text in texts("currencies", language, table).values()


@pytest.mark.parametrize(
    ("language", "table", "why"),
    [
        ("en", "50 50 NUM _ 3 nummod\nCanadian canadian ADJ _ 3 amod\ndollars dollar NOUN Number=Plur 0 root",
         "modified"),
        ("en", "top top ADJ _ 2 amod\ndollars dollar NOUN Number=Plur 0 root", "modified"),
        ("uk", "50 50 NUM _ 2 nummod\nгрн грн NOUN _ 0 root\n. . PUNCT _ 2 punct\nна на ADP _ 5 case\n"
         "рік рік NOUN _ 2 nmod", "fixed"),
        ("zh", "港幣 港幣 NOUN _ 4 nmod +\n十 十 NUM _ 4 nummod +\n美 美 PROPN _ 4 compound +\n元 元 NOUN _ 0 root +",
         "no number"),
    ],
)  # fmt: skip
def test_money_that_stays(language: str, table: str, why: str) -> None:
    assert reason("currencies", language, table) == why


def test_the_country_of_money_changes_beside_money_alone() -> None:
    table = "美 美 PROPN _ 2 nmod +\n軍 軍 NOUN _ 3 nsubj +\n有 有 VERB _ 0 root +\n五 五 NUM _ 6 nummod +\n"
    table += "美 美 PROPN _ 6 compound +\n元 元 NOUN _ 3 obj +"
    assert texts("currencies", "zh", table)["日"] == "美軍有五日元"
