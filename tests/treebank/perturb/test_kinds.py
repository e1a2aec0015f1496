"""Kinds of perturbations, in Japanese too, and the word lists."""

from __future__ import annotations

import unicodedata
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from made_sentences import outcome, reason, sentence, texts

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Sentence, Treebank
from gardenpath.treebank.format.fields import text_of
from gardenpath.treebank.perturb.batch import Batch, perturb
from gardenpath.treebank.perturb.edit import Refusal
from gardenpath.treebank.perturb.lexicon import LISTS, NO_FORM, lexicon, raw_lists, script_of
from gardenpath.treebank.perturb.noise import doubled, lost, mistyped, swapped
from gardenpath.treebank.perturb.registry import PerturbationSettings, perturbation

SHE = """
She she PRON Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs 3 nsubj
has have AUX VerbForm=Fin 3 aux
bought buy VERB Tense=Past|VerbForm=Part 0 root
a a DET Definite=Ind|PronType=Art 5 det
house house NOUN Number=Sing 3 obj +
. . PUNCT _ 3 punct
"""


def variants(name: str, language: str, table: str) -> dict[str, Sentence]:
    batch = outcome(name, language, table)
    assert isinstance(batch, Batch), batch
    return {variant.value: made for variant, made in zip(batch.variants, batch.treebank(), strict=True)}


def arcs(made: Sentence) -> list[tuple[str, int, str]]:
    return [(word.form, word.head or 0, word.deprel) for word in made.words]


def test_an_adverb_belongs_to_the_predicate_and_moves_the_heads_behind_it() -> None:
    made = variants("adverbs", "en", SHE)["probably"]
    assert made.text == "She has probably bought a house."
    assert arcs(made) == [
        ("She", 4, "nsubj"), ("has", 4, "aux"), ("probably", 4, "advmod"), ("bought", 0, "root"), ("a", 6, "det"),
        ("house", 4, "obj"), (".", 4, "punct"),
    ]  # fmt: skip
    batch = outcome("adverbs", "en", SHE)
    assert isinstance(batch, Batch)
    assert (batch.aside, batch.variants[0].aside, batch.words) == (frozenset(), frozenset({3}), (3,))


@pytest.mark.parametrize(
    ("language", "table", "value", "text"),
    [
        ("en", "We we PRON _ 2 nsubj\nleft leave VERB Mood=Ind|VerbForm=Fin 0 root", "probably", "We probably left"),
        ("en", "It it PRON _ 3 nsubj\nis be AUX _ 3 cop\nlate late ADJ _ 0 root", "probably", "It is probably late"),
        ("de", "Er er PRON _ 2 nsubj\nliest lesen VERB VerbForm=Fin 0 root\nBücher Buch NOUN _ 2 obj", "vermutlich",
         "Er liest vermutlich Bücher"),
        ("sv", "Han han PRON _ 3 nsubj\nhar ha AUX VerbForm=Fin 3 aux\nläst läsa VERB _ 0 root", "troligen",
         "Han har troligen läst"),
        ("ru", "Он он PRON _ 3 nsubj\nне не PART _ 3 advmod\nпришел прийти VERB VerbForm=Fin 0 root", "действительно",
         "Он действительно не пришел"),
        ("uk", "Він він PRON _ 2 nsubj\nприйшов прийти VERB VerbForm=Fin 0 root", "справді", "Він справді прийшов"),
        ("zh", "他 他 PRON _ 2 nsubj +\n来 来 VERB _ 0 root +\n了 了 PART _ 2 discourse +", "确实", "他确实来了"),
    ],
)  # fmt: skip
def test_where_an_adverb_stands(language: str, table: str, value: str, text: str) -> None:
    assert texts("adverbs", language, table)[value] == text


@pytest.mark.parametrize(
    ("language", "table"),
    [
        ("en", "Did do AUX VerbForm=Fin 3 aux\nhe he PRON _ 3 nsubj\ngo go VERB _ 0 root"),
        ("en", "He he PRON _ 3 nsubj\ndid do AUX VerbForm=Fin 3 aux\ngo go VERB _ 0 root"),
        ("en", "He he PRON _ 3 nsubj\nwas be AUX _ 3 aux\nseen see VERB _ 0 root +\n? ? PUNCT _ 3 punct"),
        ("en", "He he PRON _ 4 nsubj\nhas have AUX _ 4 aux\noften often ADV _ 4 advmod\ncome come VERB _ 0 root"),
        ("de", "Er er PRON _ 2 nsubj\nfreut freuen VERB VerbForm=Fin 0 root\nsich er PRON _ 2 obj"),
        ("ru", "Пришел прийти VERB VerbForm=Fin 0 root\nон он PRON _ 1 nsubj"),
    ],
)
def test_where_no_adverb_is_put(language: str, table: str) -> None:
    """Questions, emphasis, what could be modified itself, a pronoun that has to stand there."""
    assert reason("adverbs", language, table) == "no match"


def test_contractions_are_made() -> None:
    table = "They they PRON _ 4 nsubj\ndo do AUX VerbForm=Fin 4 aux\nnot not PART _ 4 advmod\ngo go VERB _ 0 root"
    made = variants("contractions", "en", table)["not > n't"]
    assert (made.text, [word.form for word in made.words]) == ("They don't go", ["They", "do", "n't", "go"])
    assert [(token.form, token.is_multiword) for token in made.tokens][1] == ("don't", True)
    assert made.heads.tolist() == [4, 4, 4, 0]
    made = variants("contractions", "en", SHE.replace("has have", "is be").replace("bought buy", "buying buy"))
    assert made["is > 's"].text == "She's buying a house."


def test_contractions_are_written_out() -> None:
    lines = "1\tI\tI\tPRON\t_\t_\t4\tnsubj\t_\t_\n2-3\twon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    lines += "2\two\twill\tAUX\t_\t_\t4\taux\t_\t_\n"
    lines += "3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_\n4\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
    lines += "5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_\n\n"
    original = Treebank(f"# sent_id = s1\n# text = I won't go.\n{lines}".encode())[0]
    batch = perturb(perturbation("contractions", PerturbationSettings("en")), original)
    assert isinstance(batch, Batch)
    made = batch.treebank()[0]
    assert (made.text, len(made.tokens), made.heads.tolist()) == ("I will not go.", 5, original.heads.tolist())
    asked = original.to_conllu().replace("I\tI\tPRON\t_\t_\t4", "X\tX\tX\t_\t_\t4").replace("# text = I", "# text = X")
    inverted = asked.replace("5\t.\t.\tPUNCT\t_\t_\t4\tpunct", "5\tyou\tyou\tPRON\t_\t_\t4\tnsubj").replace(
        "go.", "goyou"
    )
    refusal = perturb(perturbation("contractions", PerturbationSettings("en")), Treebank(inverted.encode())[0])
    assert isinstance(refusal, Refusal)  # won't you go


@pytest.mark.parametrize("table", ["as as SCONJ _ 3 mark\nit it PRON _ 3 nsubj\nis be AUX _ 0 root"])
def test_what_is_not_contracted(table: str) -> None:
    assert reason("contractions", "en", table) == "no match"


def test_articles_become_definite_with_their_features() -> None:
    made = variants("articles", "en", SHE)
    assert [one.text for one in made.values()] == [f"She has bought {word} house." for word in ("the", "this", "that")]
    assert made["the"].words[3].feats == {"Definite": "Def", "PronType": "Art"}
    assert made["this"].words[3].feats == {"Number": "Sing", "PronType": "Dem"}
    assert reason("articles", "en", SHE.replace("house house", "lot lot")) == "agreement"
    assert reason("articles", "en", SHE.replace("obj", "obl:npmod")) == "agreement"  # twice a year
    german = """
Sie sie PRON _ 2 nsubj
sah sehen VERB _ 0 root
einen ein DET Case=Acc|Definite=Ind|Gender=Masc|Number=Sing|PronType=Art 4 det
Hund Hund NOUN Case=Acc|Gender=Masc|Number=Sing 2 obj
"""
    assert texts("articles", "de", german) == {
        "der": "Sie sah den Hund", "dieser": "Sie sah diesen Hund", "jener": "Sie sah jenen Hund"
    }  # fmt: skip
    assert (
        reason("articles", "de", german.replace("Hund NOUN Case=Acc|Gender=Masc", "Hund NOUN Case=Acc|Gender=Neut"))
        == "agreement"
    )


def test_numbers_in_words_and_digits() -> None:
    table = "Two two NUM NumForm=Word|NumType=Card 2 nummod\nmen man NOUN Number=Plur 3 nsubj\ncame come VERB _ 0 root"
    made = variants("digits", "en", table)["digits"]
    assert (made.text, made.words[0].feats) == ("2 men came", {"NumForm": "Digit", "NumType": "Card"})
    back = "The the DET _ 3 det\n3 3 NUM NumForm=Digit|NumType=Card 3 nummod\ndogs dog NOUN Number=Plur 0 root"
    assert texts("digits", "en", back) == {"words": "The three dogs"}
    assert reason("digits", "en", back.replace("dogs dog", "km km")) == "no match"
    assert (
        reason("digits", "zh", "八 八 NUM NumType=Card 2 nummod +\n点 点 NOUN _ 0 root +\n半 半 NUM _ 2 nummod")
        == "no match"
    )


def test_capitals_reach_the_parts_of_tokens() -> None:
    lines = (
        "1-2\tIm\t_\t_\t_\t_\t_\t_\t_\t_\n1\tIn\tin\tADP\t_\t_\t3\tcase\t_\t_\n2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_\n"
    )
    original = Treebank(
        f"# sent_id = s1\n# text = Im Haus\n{lines}3\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\t_\n\n".encode()
    )[0]
    batch = perturb(perturbation("capitals"), original)
    assert isinstance(batch, Batch)
    made = {variant.value: one for variant, one in zip(batch.variants, batch.treebank(), strict=True)}
    assert {value: one.text for value, one in made.items()} == {
        "lower": "im haus",
        "upper": "IM HAUS",
        "title": "Im Haus",
    }
    assert [word.form for word in made["upper"].words] == ["IN", "DEM", "HAUS"]
    assert made["lower"].words[2].lemma == "Haus"
    assert reason("capitals", "", "他 他 PRON _ 0 root") == "no match"
    spaced = Treebank(
        b"# text = fr o m nu\n1\tfr o m\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tnu\t_\tADV\t_\t_\t0\troot\t_\t_\n\n"
    )[0]
    batch = perturb(perturbation("capitals"), spaced)
    assert isinstance(batch, Batch)
    assert batch.treebank()[0].text == "FR O M NU"


def test_final_marks() -> None:
    made = variants("punctuation", "", SHE)
    assert [one.text for one in made.values()] == [
        "She has bought a house!", "She has bought a house…", "She has bought a house"
    ]  # fmt: skip
    batch = outcome("punctuation", "", SHE)
    assert isinstance(batch, Batch)
    assert batch.aside == {6}
    assert [variant.aside for variant in batch.variants] == [{6}, {6}, frozenset()]
    bare = variants("punctuation", "", SHE.rsplit("\n", 2)[0].replace(" +", ""))["."]
    assert (bare.text, arcs(bare)[-1]) == ("She has bought a house.", (".", 3, "punct"))
    assert bare.text == text_of((token.form, token.misc) for token in bare.tokens).strip()


QUOTED = """
He he PRON _ 2 nsubj
said say VERB _ 0 root
" " PUNCT _ 4 punct +
yes yes INTJ _ 2 obj +
" " PUNCT _ 4 punct
"""


def test_quotes() -> None:
    assert texts("quotes", "", QUOTED)["«»"] == "He said «yes»"
    nested = QUOTED.replace(
        "yes yes INTJ _ 2 obj +", 'a a X _ 2 obj\n" " PUNCT _ 4 punct +\nb b X _ 4 flat +\n" " PUNCT _ 4 punct +'
    )
    assert reason("quotes", "", nested) == "ambiguous"
    assert reason("quotes", "", QUOTED.rsplit("\n", 2)[0]) == "ambiguous"


@pytest.mark.parametrize(
    ("slip", "form"), [(swapped, "siwmming"), (lost, "simming"), (doubled, "swwimming"), (mistyped, "")]
)
def test_slips_of_the_keyboard(slip: object, form: str) -> None:
    assert slip("swimming", 0) == form  # type: ignore[operator]


def test_a_typo_keeps_lemma_and_features() -> None:
    made = variants("typos", "en", SHE)
    assert set(made) == {"swapped", "doubled", "mistyped"}  # six letters are too few to lose one
    assert all((one.words[2].lemma, one.words[2].form == "bought") == ("buy", False) for one in made.values())
    assert reason("typos", "en", "Go go VERB _ 0 root") == "no match"


def test_synonyms_keep_form_and_fixed_expressions_stay() -> None:
    table = "He he PRON _ 2 nsubj\n{} start VERB {} 0 root"
    past = texts("synonyms", "en", table.format("started", "Mood=Ind|Tense=Past|VerbForm=Fin"))
    part = texts("synonyms", "en", table.format("started", "Tense=Past|VerbForm=Part"))
    assert (past["begin"], part["begin"]) == ("He began", "He begun")
    bound = table.format("started", "Mood=Ind|Tense=Past|VerbForm=Fin") + "\nup up ADP _ 2 compound:prt"
    assert reason("synonyms", "en", bound) == "modified"
    article = "A a DET Definite=Ind 3 det\nquick quick ADJ Degree=Pos 3 amod\nreply reply NOUN _ 0 root"
    assert "fast" in texts("synonyms", "en", article)


def test_kinds_are_combined() -> None:
    made = texts("adverbs+articles", "en", SHE)
    assert made["probably + the"] == "She has probably bought the house."
    assert len(made) == 15 / 3  # as many as the longer list has, the shorter begins anew
    assert (
        reason(
            "typos+synonyms", "en", "He he PRON _ 2 nsubj\nstarted start VERB Mood=Ind|Tense=Past|VerbForm=Fin 0 root"
        )
        == "overlap"
    )
    with pytest.raises(UsageError, match="twice"):
        perturbation("typos+typos")


def test_a_kind_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "homes.toml"
    file.write_text(
        'upos = ["NOUN"]\ncells = ["Number=Sing", "Number=Plur"]\ndivided = false\n'
        '[groups.home]\nvalues = ["house houses", "cottage cottages", "flat flats"]\n'
    )
    made = texts(str(file), "en", SHE)
    assert made == {"cottage": "She has bought a cottage.", "flat": "She has bought a flat."}
    assert perturbation(str(file), PerturbationSettings("en")).name == "homes"
    for bad in ("groups = 3", "[groups.x]\nvalues = 3", "colour = 1\n[groups.x]\nvalues = 'a b'", "[groups", ""):
        file.write_text(bad)
        with pytest.raises(InputError):
            perturbation(str(file), PerturbationSettings("en"))


@pytest.mark.parametrize(
    ("language", "words"), [("ru", "Куба Кипр Украина Мальта Аляска"), ("uk", "Куба Кіпр Мальта Аляска")]
)
def test_places_after_another_preposition_are_not_in_the_lists(language: str, words: str) -> None:
    """на Кубе, but в Иране: a list with both would need the preposition too."""
    groups = raw_lists(language)["places"]["groups"].values()
    assert not {value.split()[0] for group in groups for value in group["values"]} & set(words.split())


def test_a_constant_stands_for_values_only() -> None:
    from gardenpath.treebank.perturb.batch import substitute

    refusal = substitute(perturbation("adverbs", PerturbationSettings("en")), sentence(SHE), "NNNN")
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "no constant"


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


LANGUAGES = sorted(path.stem for path in LISTS.glob("*.toml"))
CASES = [(language, name) for language in LANGUAGES for name in ("names", "places", "currencies")]


def test_there_are_seven_languages() -> None:
    assert LANGUAGES == ["de", "en", "ja", "ru", "sv", "uk", "zh"]


@pytest.mark.parametrize(("language", "name"), CASES)
def test_forms_can_stand_in_conllu(language: str, name: str) -> None:
    found = lexicon(language, name)
    for form in found.by_form:
        assert form == unicodedata.normalize("NFC", form).strip()
        assert form != "_"
    for group in found.groups.values():
        lemmas = [entry.lemma for entry in group.entries]
        assert len(lemmas) == len(set(lemmas)) >= 4
        assert all(len(entry.forms) == len(group.cells) for entry in group.entries)
        assert NO_FORM not in lemmas


@pytest.mark.parametrize(("language", "name"), CASES)
def test_a_form_of_two_groups_is_told_apart_by_features(language: str, name: str) -> None:
    """Such as Валентина, a woman, or of Валентин, a man."""
    found = lexicon(language, name)
    for entries in found.by_form.values():
        for one, other in combinations(entries, 2):
            if one.group != other.group:
                assert found.groups[one.group].feats != found.groups[other.group].feats


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_slavic_words_have_all_cases(language: str) -> None:
    """Letters of the alphabet only; the accusative of men is the genitive, of cities the nominative."""
    names, places = lexicon(language, "names"), lexicon(language, "places")
    cases = [cell["Case"] for cell in names.groups["male"].cells]
    for entry in names.groups["male"].entries:
        forms = dict(zip(reversed(cases), reversed(entry.forms), strict=True))
        assert forms["Acc"] == forms["Gen"] or entry.lemma == "Микола"
    for group in ("city_masculine", "country_masculine"):
        for entry in places.groups[group].entries:
            assert entry.forms[3] == entry.forms[0]
    assert not set("abcdefghijklmnopqrstuvwxyz") & set("".join(names.by_form).lower())


@pytest.mark.parametrize("language", LANGUAGES)
def test_pronouns_are_made_from_the_list(language: str) -> None:
    table = raw_lists(language)["pronouns"]
    assert {name for one in table["sets"] for name in one} == set(table["persons"])
    assert perturbation("pronouns", PerturbationSettings(language)).signature == f"pronouns(language={language})"


def test_scripts() -> None:
    assert [script_of(text) for text in ("他们说", "他們說", "日本", "專註 於 邊區")] == [
        "Hans",
        "Hant",
        "Hans",
        "Hant",
    ]
