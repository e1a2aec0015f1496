"""Perturbations by name, edits, and properties of all kinds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from made_sentences import sentence

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.treebank import Sentence, Treebank, read
from gardenpath.treebank.format.fields import text_of
from gardenpath.treebank.perturb.batch import Batch, Tally, perturb, substitute
from gardenpath.treebank.perturb.batch import substitute as substituted
from gardenpath.treebank.perturb.edit import REASONS, Change, Proposal, Refusal, Replacement
from gardenpath.treebank.perturb.registry import (
    KINDS,
    SETS,
    Perturbation,
    PerturbationSettings,
    kinds,
    language_of,
    perturbation,
)
from gardenpath.treebank.perturb.values import OwnValues, read_values
from gardenpath.treebank.validate.report import validate_bytes

TABLE = """
Anna Anna PROPN _ 2 nsubj
sah sehen VERB _ 0 root
Anna Anna PROPN _ 2 obj +
. . PUNCT _ 2 punct
"""


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("numeral", PerturbationSettings(), "did you mean numerals"),
        ("xyz", PerturbationSettings(), "known: adverbs, amounts, articles"),
        ("names", PerturbationSettings(), "names needs to know the language"),
        ("names", PerturbationSettings("fr"), "unknown language of names 'fr'"),
        ("numerals", PerturbationSettings(split="dev"), "known: test, train"),
    ],
)
def test_a_wrong_call_says_what_would_be_right(name: str, settings: PerturbationSettings, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        perturbation(name, settings)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("files", "language"),
    [
        (["a/de_gsd-ud-dev.conllu", "de_pud-ud-test.conllu"], "de"),
        (["zh-ud-dev.conllu"], "zh"),
        (["de_gsd-ud-dev.conllu", "en_ewt-ud-dev.conllu"], ""),
        (["-"], ""),
        (["suite.conllu"], ""),
    ],
)
def test_the_language_of_files(files: list[str], language: str) -> None:
    assert language_of(files) == language


def test_every_perturbation_and_reason_is_described() -> None:
    page = (Path(__file__).parents[3] / "docs" / "perturbations.md").read_text(encoding="utf-8")
    assert [kind.name for kind in KINDS if f"| `{kind.name}` |" not in page] == []
    assert [f"{name}: {why}" for name, why in REASONS.items() if f"| `{name}` | " not in page] == []


# ---- third parties


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real distribution with entry points, installed into a folder on the path."""
    (tmp_path / "shouting.py").write_text(
        "from gardenpath.treebank.perturb import Change, Proposal, Refusal, Replacement\n"
        "class Shout:\n"
        "    name = 'shout'\n"
        "    def __init__(self, settings):\n"
        "        self.signature = f'shout(language={settings.language})'\n"
        "    def propose(self, sentence):\n"
        "        words = [word for word in sentence.words if word.upos == 'VERB']\n"
        "        if not words:\n"
        "            return Refusal('nobody speaks')\n"
        "        changes = {word.ord: Change(word.form.upper()) for word in words}\n"
        "        return Proposal(words[0].form, tuple(changes), [Replacement('loud', changes)])\n"
        "class Broken(Shout):\n"
        "    def propose(self, sentence):\n"
        "        return 1 / 0\n"
        "def nothing(settings):\n"
        "    return 3\n",
        encoding="utf-8",
    )
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[gardenpath.perturbations]\nshout = shouting:Shout\nbroken = shouting:Broken\nnothing = shouting:nothing\n"
        "gone = shouting:Gone\nnumerals = shouting:Shout\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shouting", raising=False)


@pytest.mark.usefixtures("third_party")
def test_a_perturbation_of_another_package() -> None:
    assert kinds()["shout"].about == "from shouting 1.0"
    batch = perturb(perturbation("shout", PerturbationSettings("de")), sentence(TABLE))
    assert isinstance(batch, Batch)
    assert batch.treebank()[0].text == "Anna SAH Anna."
    assert batch.treebank()[0].metadata["perturbation"] == "shout 2:sah>SAH"
    assert perturb(perturbation("shout"), sentence("Oh oh INTJ _ 0 root")) == Refusal("nobody speaks")
    assert perturbation("numerals").signature.startswith("numerals(")  # ours cannot be replaced


@pytest.mark.usefixtures("third_party")
@pytest.mark.parametrize(("name", "told"), [("nothing", "makes no perturbation"), ("gone", "cannot be made")])
def test_what_is_no_perturbation_is_named(name: str, told: str) -> None:
    with pytest.raises(SystemFailure, match=told):
        perturbation(name)


@pytest.mark.usefixtures("third_party")
def test_a_failing_perturbation_is_named() -> None:
    with pytest.raises(SystemFailure, match="s1: the perturbation failed: ZeroDivisionError"):
        perturb(perturbation("broken"), sentence(TABLE))


# ---- a list of one's own


def test_own_values_replace_all_tokens_of_the_form() -> None:
    batch = perturb(OwnValues(["Eva", "Anna", "Uta"], "An.*", ["PROPN"]), sentence(TABLE))
    assert isinstance(batch, Batch)
    assert [one.text for one in batch.treebank()] == ["Eva sah Eva.", "Uta sah Uta."]
    assert [word.lemma for word in batch.treebank()[0]] == ["Eva", "sehen", "Eva", "."]
    assert perturb(OwnValues(["Eva"], "An.*", ["NOUN"]), sentence(TABLE)) == Refusal("no match")
    assert perturb(OwnValues(["Eva"], "An"), sentence(TABLE)) == Refusal("no match")  # the whole form must match
    assert perturb(OwnValues(["Anna"], "Anna"), sentence(TABLE)) == Refusal("no value")


def test_words_may_be_those_of_a_query() -> None:
    batch = perturb(OwnValues(["Eva", "Uta"], "", query="N [upos=PROPN]"), sentence(TABLE))
    assert isinstance(batch, Batch)
    assert [variant.text for variant in batch.treebank()] == ["Eva sah Eva.", "Uta sah Uta."]
    assert perturb(OwnValues(["Eva"], "", query="N [upos=NOTHING]"), sentence(TABLE)) == Refusal("no match")
    assert "query=" in OwnValues(["Eva"], "", query="N [upos=PROPN]").signature
    with pytest.raises(UsageError, match="character 3"):
        OwnValues(["Eva"], "", query="N ?")


def test_a_list_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "values.txt"
    file.write_text("\ufeffEva\n\nUta\nEva\ne\u0301t\n", encoding="utf-8")
    assert read_values(file) == ["Eva", "Uta", "\u00e9t"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "there are no values in it"),
        (b"\n \n", "there are no values in it"),
        (b"Eva\nBad Aibling\n", "values.txt:2: 'Bad Aibling' cannot be a token"),
        (b"Eva\tEva\n", "values.txt:1: 'Eva\\tEva' cannot be a token"),
        (b"M\xfcnchen\n", "not UTF-8"),
    ],
)
def test_a_list_that_cannot_be_used(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "values.txt"
    file.write_bytes(content)
    with pytest.raises((InputError, UsageError)) as caught:
        read_values(file)
    assert told in str(caught.value)


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_values(tmp_path / "none.txt")


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"the pattern '\(' is not a regular expression"):
        OwnValues(["Eva"], "(")
    with pytest.raises(UsageError, match="the list of values is empty"):
        OwnValues([], "x")


BUNDLED = {"de": "de_garden-train", "en": "en_garden-test", "zh": "zh_garden-test"}
SHARED = {
    "de": ["UD_German-GSD/de_gsd-ud-dev", "UD_German-PUD/de_pud-ud-test"],
    "en": ["UD_English-EWT/en_ewt-ud-dev", "UD_English-ParTUT/en_partut-ud-dev"],
    "ru": ["UD_Russian-Taiga@r2.7/ru_taiga-ud-dev"],
    "sv": ["UD_Swedish-Talbanken/sv_talbanken-ud-test"],
    "uk": ["UD_Ukrainian-IU/uk_iu-ud-dev"],
    "zh": ["UD_Chinese-GSDSimp/zh_gsdsimp-ud-test", "UD_Chinese-PUD/zh_pud-ud-test", "UD_Chinese-GSD@r1.4/zh-ud-dev"],
}
NAMES = sorted(kinds())
WITHOUT_CONSTANT = ("adverbs", "capitals", "contractions", "punctuation", "quotes")
UNDIVIDED = {*WITHOUT_CONSTANT, "articles", "currencies", "digits", "pronouns", "synonyms", "typos"} - {"adverbs"}
"""Kinds with the same values to test and to train with: there are too few of them to divide."""

WIDE = ("adverbs", "capitals", "punctuation", "typos")
"""Kinds that most sentences have a match for: a few of these will do."""


def speaks(language: str, name: str) -> bool:
    languages = kinds()[name].languages
    return languages is None or language in languages


def problems(conllu: str) -> set[str]:
    return {problem.id for problem in validate_bytes(conllu.encode(), "x")}


def core(sentence: Sentence, aside: Collection[int]) -> list[tuple[str, str, int]]:
    """UPOS, label and head of the words that all sentences of a batch have; on the others nothing may hang."""
    kept = [word for word in sentence.words if word.ord not in aside]
    number = {0: 0} | {word.ord: place for place, word in enumerate(kept, 1)}
    return [(word.upos, word.deprel, number[word.head or 0]) for word in kept]


def check(sentence: Sentence, batch: Batch) -> None:
    """All that must hold between a sentence and its variants."""
    originals, wrong = sentence.rows, problems(sentence.to_conllu())
    assert len({one.sent_id for one in batch.treebank()}) == (len(batch.variants) if sentence.sent_id else 1)
    for variant, one in zip(batch.variants, batch.treebank(), strict=True):
        if variant.aside or [row[0] for row in one.rows] != [row[0] for row in originals]:
            assert core(one, variant.aside) == core(sentence, batch.aside)
        else:
            changed = set()
            for old, new in zip(originals, one.rows, strict=True):
                assert [old[n] for n in (3, 6, 7, 8)] == [new[n] for n in (3, 6, 7, 8)]  # UPOS, the tree, DEPS
                if old != new and old[0].isdigit():
                    changed.add(int(old[0]))
            assert changed <= set(batch.words)
            assert one.heads.tolist() == sentence.heads.tolist()
        surface = text_of((token.form, token.misc) for token in one.tokens)
        if "text" in sentence.metadata:
            assert one.text.split() == surface.split()
        assert problems(variant.conllu) <= wrong
        assert one.metadata["perturbation"].startswith(f"{batch.perturbation} ")


@cache
def made(language: str, name: str, split: str) -> Perturbation:
    return perturbation(name, PerturbationSettings(language, split))


def check_all(sentence: Sentence, language: str, name: str, split: str) -> bool:
    outcome = perturb(made(language, name, split), sentence, limit=3)
    if isinstance(outcome, Refusal):
        assert outcome.reason in REASONS
        return False
    check(sentence, outcome)
    constant = substituted(made(language, name, split), sentence, "NNNN")
    if isinstance(constant, Refusal):
        assert name in WITHOUT_CONSTANT
        assert constant.reason == "no constant"
        return True
    one = Treebank(constant.encode())[0]
    assert {word.ord for word in one.words if word.form == "NNNN"} == set(outcome.words)
    assert (one.sent_id, one.heads.tolist()) == (sentence.sent_id, sentence.heads.tolist())
    return True


@cache
def bank(path: str) -> Treebank:
    return read(path)


@pytest.mark.parametrize("language", BUNDLED)
def test_bundled_treebanks(samples: Path, language: str) -> None:
    found = {
        name
        for name in NAMES
        if speaks(language, name)
        for sentence in bank(str(samples / f"{BUNDLED[language]}.conllu"))[: 20 if name in WIDE else None]
        if check_all(sentence, language, name, "test")
    }
    assert {"names", "places", "pronouns"} <= found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.sampled_from(sorted(SHARED)), st.sampled_from(NAMES), st.sampled_from(SETS), st.data())
def test_real_treebanks(shared: Path, language: str, name: str, split: str, data: st.DataObject) -> None:
    assume(speaks(language, name))
    file = data.draw(st.sampled_from(SHARED[language]))
    treebank = bank(str(shared / "ud" / f"{file}.conllu"))
    # Most sentences have nothing to edit: from a place drawn by hypothesis on, the next one that has.
    begin = data.draw(st.integers(0, len(treebank) - 1))
    numbers = [number % len(treebank) for number in range(begin, begin + 30)]
    assume(any(check_all(treebank[number], language, name, split) for number in numbers))


@pytest.mark.parametrize(
    ("language", "file"),
    [
        *((language, f"bundled:{file.replace('_garden', '')}") for language, file in BUNDLED.items()),
        *((language, f"ud/{files[0]}.conllu") for language, files in SHARED.items()),
    ],
)
@pytest.mark.parametrize("name", sorted(set(NAMES) - UNDIVIDED))
def test_values_to_test_and_to_train_with_differ(
    file_named: Callable[[str], Path], language: str, file: str, name: str
) -> None:
    seen: dict[str, set[str]] = {split: set() for split in SETS}
    for gold in bank(str(file_named(file)))[:200]:
        for split, values in seen.items():
            proposal = made(language, name, split).propose(gold)
            if isinstance(proposal, Proposal):
                values |= {one.value for one in proposal.replacements}
    assert not seen["test"] & seen["train"]


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(["Ulm", "Bad", "東京", "Жмеринка", "e\u0301"]), min_size=1, max_size=4))
@example(["Talheim"])
def test_own_values(samples: Path, values: list[str]) -> None:
    treebank = bank(str(samples / "de_garden-test.conllu"))
    own = OwnValues(values, "[A-Z].*", ["PROPN"])
    outcomes = [(gold, perturb(own, gold)) for gold in treebank]
    batches = [(gold, batch) for gold, batch in outcomes if isinstance(batch, Batch)]
    for gold, batch in batches:
        check(gold, batch)
    assert len(batches) >= 11


class Fixed:
    """Puts given changes into every sentence."""

    name = "fixed"
    signature = "fixed()"

    def __init__(self, **changes: Change) -> None:
        self.changes = {int(key[1:]): change for key, change in changes.items()}

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        return Proposal("old", tuple(self.changes), [Replacement("new", self.changes)])


RICH = """# newdoc id = d
# newpar
# sent_id = a
# text = Zum  See 在水 fuhr Anna.
# text_en = To the lake …
# translit = zum see
# source = own
1-2\tZum\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:3
1\tzu\tzu\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_
3\tSee\tSee\tNOUN\t_\tGender=Masc|Case=Dat\t5\tobl\t5:obl\tSpacesAfter=\\s\\s|Gloss=lake
4\t在水\t在水\tX\t_\t_\t3\tdep\t_\tTranslit=zai|Note=x
5\tfuhr\tfahren\tVERB\t_\t_\t0\troot\t0:root\t_
6\tAnna\tAnna\tPROPN\tNE\tGender=Fem\t5\tnsubj\t5:nsubj\tSpaceAfter=No|Note=a
6.1\tAnna\tAnna\tPROPN\t_\t_\t_\t_\t5:nsubj\tCopyOf=6
7\t.\t.\tPUNCT\t_\t_\t5\tpunct\t5:punct\t_

"""


def variant(text: str, **changes: Change) -> Sentence:
    batch = perturb(Fixed(**changes), Treebank(text.encode())[0])
    assert isinstance(batch, Batch)
    return batch.treebank()[0]


def test_only_what_is_edited_changes() -> None:
    one = variant(RICH, w6=Change("Maximilian", "Max", feats={"Gender": "Masc", "Case": "Nom"}))
    expected = RICH.replace("# newdoc id = d\n# newpar\n", "").replace("# sent_id = a", "# sent_id = a-fixed-1")
    expected = expected.replace("# text_en = To the lake …\n# translit = zum see\n", "")
    expected = expected.replace("fuhr Anna.", "fuhr Maximilian.").replace("TokenRange=0:3", "_")
    expected = expected.replace("# source = own\n", "# source = own\n# perturbation = fixed 6:Anna>Maximilian\n")
    expected = expected.replace("Anna\tAnna\tPROPN\tNE\tGender=Fem", "Maximilian\tMax\tPROPN\tNE\tCase=Nom|Gender=Masc")
    expected = expected.replace("Anna\tAnna\tPROPN\t_\t_", "Maximilian\tMax\tPROPN\t_\tCase=Nom|Gender=Masc")
    assert one.to_conllu() == expected


def test_misc_that_described_the_old_form_goes() -> None:
    one = variant(RICH, w3=Change("Teich"), w4=Change("水"))
    assert (one.words[2]["misc"], one.words[3]["misc"]) == ("SpacesAfter=\\s\\s", "Note=x")
    assert one.text == "Zum  Teich 水 fuhr Anna."
    assert one.words[2].lemma == "See"


def test_features_can_be_taken_away() -> None:
    assert variant(RICH, w3=Change("Seen", feats={"Gender": None})).words[2]["feats"] == "Case=Dat"


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (RICH.replace("fuhr Anna.", "fuhr Anne."), "text"),
        (RICH.replace("fuhr Anna.", "fuhrAnna."), "text"),
        (RICH.replace("fuhr Anna.", "fuhr Anna. Ja"), "text"),
        (RICH.replace("# source = own", "# perturbation = names 6:Eva>Anna"), "variant"),
    ],
)
def test_a_sentence_that_is_left_alone(spoilt: str, why: str) -> None:
    assert perturb(Fixed(w6=Change("Eva")), Treebank(spoilt.encode())[0]) == Refusal(why)


def test_without_text_none_is_made() -> None:
    one = variant("1\tAnna\tAnna\tPROPN\t_\t_\t0\troot\t_\t_\n\n", w1=Change("Eva"))
    assert one.to_conllu() == "# perturbation = fixed 1:Anna>Eva\n1\tEva\tAnna\tPROPN\t_\t_\t0\troot\t_\t_\n\n"


def test_parts_of_multiword_tokens_are_left_alone() -> None:
    assert perturb(Fixed(w2=Change("der")), Treebank(RICH.encode())[0]) == Refusal("multiword token")


@pytest.mark.parametrize("form", ["", "a b", "a\tb", "a\nb", "\u00a0", "_", "a\x00"])
def test_a_form_must_be_a_token(form: str) -> None:
    with pytest.raises(UsageError, match="cannot be a token"):
        perturb(Fixed(w6=Change(form)), Treebank(RICH.encode())[0])


def test_a_lemma_must_be_a_field() -> None:
    with pytest.raises(UsageError, match="a: a field of CoNLL-U cannot be 'x\\\\ty'"):
        perturb(Fixed(w6=Change("Eva", "x\ty")), Treebank(RICH.encode())[0])


def test_a_word_must_be_there() -> None:
    with pytest.raises(SystemFailure, match="fixed, sentence a: the perturbation edits a word that is not there: 99"):
        perturb(Fixed(w99=Change("Eva")), Treebank(RICH.encode())[0])


def test_a_constant_keeps_the_name_of_the_sentence_and_its_document() -> None:
    made = substitute(Fixed(w6=Change("Eva")), Treebank(RICH.encode())[0], "NNNN")
    assert isinstance(made, str)
    one = Treebank(made.encode())[0]
    assert one.text == "Zum  See 在水 fuhr NNNN."
    assert (one.words[5].lemma, one.sent_id, one.metadata["newdoc id"]) == ("NNNN", "a", "d")
    assert one.metadata["perturbation"] == "fixed 6:Anna>NNNN"


def test_a_tally_counts_both() -> None:
    tally = Tally()
    for text in (RICH, RICH.replace("fuhr Anna.", "x")):
        tally.add(perturb(Fixed(w6=Change("Eva")), Treebank(text.encode())[0]))
    assert (tally.sentences, tally.batches, tally.variants, tally.distinct) == (2, 1, 1, 1)
    assert tally.refused == {"text": 1}
