"""The score card: who is examined, what fits, what the budget leaves out, and that all of it is verified."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.data import bundled
from gardenpath.errors import InputError, UsageError
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Result, Verdict
from gardenpath.runs.result.verdict import MEASURED
from gardenpath.studies import score_card as examination
from gardenpath.studies.score_card import examinee, programme
from gardenpath.systems.asking.language import profile
from gardenpath.systems.asking.protocol import LANGUAGE_MODEL, PARSER
from gardenpath.treebank import read
from verdict_checks import unfounded

SYSTEM = "baseline:right-branching"


def model(folder: Path, name: str, card: dict[str, object]) -> str:
    """A model that nobody loads: what is known of it stands in its card."""
    path = folder / name
    path.write_bytes(b"")
    path.with_name(path.name + ".json").write_text(json.dumps(card), encoding="utf-8")
    return f"udpipe:{path}"


def test_the_language_is_that_of_the_training_data(tmp_path: Path) -> None:
    named = model(tmp_path, "a.udpipe", {"train": {"name": "/x/hu_szeged-ud-train.conllu"}})
    assert (examinee(named).language, examinee(named).known_by) == (
        "hu",
        "by its training data, hu_szeged-ud-train.conllu",
    )
    german = profile(read(bundled("de-train")), read(bundled("de-dev")))
    by_words = model(tmp_path, "b.udpipe", {"train": {"name": "mine.conllu"}, "profile": german})
    assert (examinee(by_words).language, examinee(by_words).roles) == ("de", (PARSER,))
    assert examinee(by_words, "EN").language == "en"


@pytest.mark.parametrize(
    ("name", "files", "language"),
    [
        ("gpt", {"README.md": "---\nlanguage:\n- nl\nlicense: mit\n---\n"}, "nl"),
        ("gpt", {"README.md": "---\nlicense: mit\nlanguage: fr\n---\n"}, "fr"),
        ("xlm", {"README.md": "---\nlanguage:\n- nl\n- de\n---\n"}, ""),
        ("gpt2-german-small", {}, "de"),
        ("de_core_news_sm", {}, "de"),
        ("model", {}, ""),
    ],
)
def test_or_of_its_folder_or_its_name(name: str, files: dict[str, str], language: str, tmp_path: Path) -> None:
    """A card that names several languages does not tell which one to ask about."""
    place = tmp_path / name
    place.mkdir()
    (place / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}')
    for file, text in files.items():
        (place / file).write_text(text)
    pytest.importorskip("transformers")
    shutil.copy(place / "config.json", place / "tokenizer.json")
    shutil.copy(place / "config.json", place / "model.safetensors")
    if language:
        assert examinee(f"hf:{place}").language == language
    else:
        with pytest.raises(UsageError, match="--language"):
            examinee(f"hf:{place}")


def test_a_file_of_answers_is_not_examined() -> None:
    with pytest.raises(UsageError, match="cannot be examined"):
        examinee("conllu:parsed.conllu", "de")


def test_what_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundled ones first, then those of the mirror, small ones first; the changes are those of the language."""
    monkeypatch.delenv("GARDENPATH_MIRROR", raising=False)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "none"))
    names = [exam.name for exam in programme(examinee(SYSTEM, "de"))]
    assert names == ["evaluate-de-test", "roles-de-roles", "constructions-de-constructions", "consistency-de-roles"]
    for place in (
        "ud/UD_German-B/de_b-ud-test.conllu",
        "ud/UD_German-A/de_a-ud-test.conllu",
        "ud/UD_X/en_x-ud-test.conllu",
    ):
        file = tmp_path / "mirror" / place
        file.parent.mkdir(parents=True)
        shutil.copy(bundled("de-test" if "German-B" in place else "de-dev"), file)
    suite = tmp_path / "mirror" / "roles" / "ppats" / "pp-test-suite.conll"
    suite.parent.mkdir(parents=True)
    shutil.copy(bundled("de-roles"), suite)
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path / "mirror"))
    local = [exam.name for exam in programme(examinee(SYSTEM, "de"))]
    assert local == [*names, "evaluate-de_a-ud-test", "evaluate-de_b-ud-test", "roles-pp-test-suite"]
    exams = programme(examinee("pcfg:bundled:en-grammar", "en"))
    assert [(exam.name, exam.command) for exam in exams] == [("surprisal-en-surprisal", "surprisal")]
    own = programme(examinee("pcfg:bundled:en-grammar", "en"), [str(bundled("zh-surprisal"))])
    assert [exam.name for exam in own] == ["surprisal-zh_garden-surprisal", "surprisal-en-surprisal"]
    with pytest.raises(UsageError, match="does not fit a language model"):
        programme(examinee("ngram:x", "en"), ["bundled:de-roles"])
    with pytest.raises(UsageError, match="no suite and no treebank here for a language model of Finnish"):
        programme(examinee("ngram:x", "fi"))
    assert examinee("ngram:x", "fi").roles == (LANGUAGE_MODEL,)
    *_, changes = programme(examinee(SYSTEM, "fi"), [str(bundled("de-dev"))])
    assert changes.command == "consistency"  # kinds that are the same in every language, which take none
    assert {"capitals", "typos"} <= set(changes.settings["change"].split(","))
    assert "names" not in changes.settings["change"].split(",")
    assert "language" not in changes.settings


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("card") / "card"
    gp.card(SYSTEM, language="en", run=folder)
    return folder


def test_a_card_is_a_run_of_runs(checked: Path, tmp_path: Path) -> None:
    run = Run.load(checked)
    result = run.result()
    alone = gp.evaluate("bundled:en-test", SYSTEM)
    assert result.findings[0] == alone.findings[0]
    assert [exam["state"] for exam in result.details["exams"]] == ["done", "done"]
    assert result.table("card").rows[0][:4] == ["evaluate", "bundled:en-test", "las", alone.value("las")]
    assert [part.folder.name for part in run.runs()] == ["evaluate-en-test", "consistency-en-test"]
    assert result.signature.startswith("study:card|system:kind:baseline")
    assert "Score card of baseline:right-branching" in (checked / "report.html").read_text(encoding="utf-8")
    assert gp.check(checked).holds
    again = gp.card(SYSTEM, language="en", run=checked)  # it is there
    assert (again.signature, again.findings) == (result.signature, result.findings)
    broken = shutil.copytree(checked, tmp_path / "broken")
    inner = broken / "evaluate-en-test" / "result.json"
    inner.write_bytes(inner.read_bytes()[:-2])
    assert [case.path for case in gp.check(broken).cases] == [str(inner)]
    shutil.rmtree(broken / "evaluate-en-test")
    with pytest.raises(InputError, match="holds no run"):
        Run.load(broken)


def test_the_verdicts_of_a_card_are_those_of_its_runs_by_turns(checked: Path) -> None:
    """The heaviest of each first; none of its own, and none that a part did not say."""
    run = Run.load(checked)
    verdicts = run.result().verdicts
    parts = [part.result().verdicts for part in run.runs()]
    assert [verdict.text for verdict in verdicts[: len(parts)]] == [own[0].text for own in parts]
    assert sorted(verdict.text for verdict in verdicts) == sorted(verdict.text for own in parts for verdict in own)
    assert all(unfounded(verdict) == [] for verdict in verdicts)


def test_an_exam_that_found_nothing_says_nothing() -> None:
    said = Verdict("a: LAS 1.0, 2 words.", MEASURED, ())
    assert list(examination.verdicts_by_turns([Result(""), Result("", verdicts=[said])])) == [said]


def test_what_does_not_fit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock goes on by an hour with the second exam."""
    real, calls = examination.monotonic, [0]

    def clock() -> float:
        calls[0] += 1
        return real() + (3600 if calls[0] > 3 else 0)

    monkeypatch.setattr(examination, "monotonic", clock)
    result = gp.card(SYSTEM, language="en", run=tmp_path / "card")
    assert [exam["state"] for exam in result.details["exams"]] == ["done", "did not fit"]
    assert result.failures == {"exams that did not fit": 1}
    assert gp.check(tmp_path / "card").holds
    monkeypatch.undo()
    with pytest.raises(UsageError, match="nothing fits into 1e-09 minutes"):
        gp.card(SYSTEM, language="en", budget=1e-9, run=tmp_path / "none")
    with pytest.raises(UsageError, match="not a budget"):
        gp.card(SYSTEM, language="en", budget=0, run=tmp_path / "none")
