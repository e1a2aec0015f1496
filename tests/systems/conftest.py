"""Small real models and treebanks that the tests of systems share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gardenpath.data import bundled
from gardenpath.systems import train
from gardenpath.treebank import Treebank, from_drafts, read


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads what another one, or the user, has parsed."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def training(samples: Path) -> Treebank:
    return read(samples / "de_garden-train.conllu")[:120]


@pytest.fixture(scope="session")
def dev(samples: Path) -> Treebank:
    return read(samples / "de_garden-dev.conllu")[:30]


@pytest.fixture(scope="session")
def udpipe_model(training: Treebank, dev: Treebank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A UDPipe model with tokenizer, tagger and parser, trained in two seconds."""

    def make(path: Path) -> None:
        train("udpipe", training, dev, output=path, preset="tiny")

    return made_once(tmp_path_factory, "tiny.udpipe", make)


@pytest.fixture(scope="session")
def stanza_model(training: Treebank, dev: Treebank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph-based model of Stanza with a tagger."""

    def make(path: Path) -> None:
        train("stanza", training, dev, output=path, preset="tiny", seed=1)

    return made_once(tmp_path_factory, "tiny-stanza", make)


@pytest.fixture(scope="session")
def stanza_pipeline(training: Treebank, dev: Treebank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of Stanza's processors from text to trees."""

    def make(path: Path) -> None:
        train("stanza", training, dev, output=path, preset="tiny", seed=1, options={"pipeline": "text"})

    return made_once(tmp_path_factory, "tiny-stanza-text", make)


@pytest.fixture(scope="session")
def stanza_resources(stanza_pipeline: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as Stanza's downloads are, with a German pipeline from text to trees."""
    from tiny_stanza import write_resources

    def make(path: Path) -> None:
        write_resources(path, stanza_pipeline)

    return made_once(tmp_path_factory, "stanza-resources", make)


@pytest.fixture(scope="session")
def spacy_model(training: Treebank, dev: Treebank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline of spaCy with a morphologizer and a parser."""

    def make(path: Path) -> None:
        train("spacy", training, dev, output=path, preset="tiny", seed=1, options={"language": "de"})

    return made_once(tmp_path_factory, "tiny-spacy", make)


@pytest.fixture(scope="session")
def universal_trees() -> Treebank:
    """Sentences of our generator of constructions as Universal Dependencies."""
    return read(bundled("de-constructions") / "ud" / "trees.conllu")


@pytest.fixture(scope="session")
def tiger_trees(universal_trees: Treebank) -> Treebank:
    """The same sentences as dependency trees with TIGER's labels, and tags."""
    from gardenpath.phrase.dependencies import to_dependencies
    from gardenpath.phrase.formats.source import read as read_phrases

    trees = read_phrases(bundled("de-constructions") / "tiger" / "trees.export")
    drafts = [sentence.edit() for sentence in to_dependencies(trees, "tiger")]
    for draft, sentence in zip(drafts, universal_trees, strict=True):
        for word, tagged in zip(draft.words, sentence.words, strict=True):
            word.upos = tagged.upos
    return from_drafts(drafts)


@pytest.fixture(scope="session")
def tiger_pipeline(tiger_trees: Treebank, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline of spaCy that learned TIGER's labels from three quarters of these trees, in two seconds."""
    from tiny_spacy import write_pipeline

    seen = [number for number in range(len(tiger_trees)) if number % 4]
    return made_once(tmp_path_factory, "tiger-spacy", lambda path: write_pipeline(tiger_trees[seen], path))


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A file or folder that all processes of a test run share: the first to need it makes it."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / name).exists():
            make(base / name)
    return base / name
