"""Perturbations by name: did you mean, languages, and those of other packages; a user's own list."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from made_sentences import sentence

from gardenpath.errors import InputError, SystemFailure, UsageError
from gardenpath.treebank.perturb import Batch, PerturbationSettings, Refusal, language_of, perturb, perturbation
from gardenpath.treebank.perturb.edit import REASONS
from gardenpath.treebank.perturb.registry import KINDS, kinds
from gardenpath.treebank.perturb.values import OwnValues, read_values

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
