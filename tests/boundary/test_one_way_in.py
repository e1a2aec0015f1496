"""Content from outside has one way in: readers of the standard library are called in `boundary/` and nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import gardenpath

SOURCE = Path(gardenpath.__file__).parent
READERS = {"json.load", "json.loads", "tomllib.load", "tomllib.loads", "np.load", "gzip.open", "lzma.open", "bz2.open"}
READERS |= {"zipfile.ZipFile", "tarfile.open", "pickle.load", "pickle.loads", "ET.parse", "yaml.load"}
OUR_OWN = {
    "data/registry.py": "the catalogue of the package",
    "runs/record.py": "what was written a line before",
    "runs/work.py": "what was written a line before",
    "studies/planning.py": "what was written a line before",
    "studies/logs/samples.py": "looks at the list of members, guarded; they are read at the boundary",
    "suites/generate/constructions/vocabulary.py": "a list of the package",
    "suites/regions/human.py": "a table of the package",
    "systems/stanza_child.py": "what our parent process says",
    "systems/udpipe_child.py": "what our parent process says",
    "treebank/perturb/lexicon.py": "a list of the package",
}
"""Modules that read what gardenpath itself has written or brings along, or no content."""


def test_foreign_content_is_read_at_the_boundary() -> None:
    calls = {
        module.relative_to(SOURCE).as_posix()
        for module in SOURCE.rglob("*.py")
        if any(reader in (text := module.read_text("utf-8")) for reader in READERS)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in READERS
    }
    assert {name for name in calls if not name.startswith("boundary/")} == set(OUR_OWN)


WHOLE_FILES = {"read_text", "read_bytes"}
KNOWN_FILES = {
    "data/registry.py", "data/ud.py", "report/page/page.py", "studies/reproduction/paper.py",
    "studies/constructions/error_classes.py", "suites/authoring/starters.py", "suites/constructions/request_files.py",
    "suites/generate/constructions/vocabulary.py", "suites/generate/text.py", "suites/regions/human.py",
    "systems/label_bridges/bridge.py",
    "treebank/perturb/lexicon.py",  # files of the package
    "runs/cache.py", "runs/claims.py", "runs/record.py", "runs/seal.py", "systems/stanza_child.py",  # of our own making
    "runs/end_marked.py", "runs/processes.py",  # what the system says of processes
    "studies/card/examinee.py", "systems/surprisal_file.py",  # a few bytes of them, or a hash
}  # fmt: skip


def test_whole_files_of_users_are_read_at_the_boundary() -> None:
    """There their size is bounded, and what is wrong with them has a place."""
    readers = {
        module.relative_to(SOURCE).as_posix()
        for module in SOURCE.rglob("*.py")
        if any(f".{reader}(" in (text := module.read_text("utf-8")) for reader in WHOLE_FILES)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in WHOLE_FILES
    }
    assert {name for name in readers if not name.startswith("boundary/")} == KNOWN_FILES
