"""Content from outside has one way in: readers of the standard library are called in `boundary/` and nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import gardenpath

SOURCE = Path(gardenpath.__file__).parent.parent
MODULES = {
    module.relative_to(SOURCE).as_posix().removeprefix("gardenpath/"): module.read_text("utf-8")
    for package in SOURCE.glob("gardenpath*")
    for module in package.rglob("*.py")
}
"""The text of every module of the four packages; those of `gardenpath` are named without it."""
READERS = {"json.load", "json.loads", "tomllib.load", "tomllib.loads", "np.load", "gzip.open", "lzma.open", "bz2.open"}
READERS |= {"zipfile.ZipFile", "tarfile.open", "pickle.load", "pickle.loads", "ET.parse", "yaml.load"}
OUR_OWN = {
    "data/catalogue.py": "the catalogue of the package",
    "gardenpath_generate/constructions/composer.py": "a table of the package",
    "gardenpath_generate/constructions/vocabulary.py": "a list of the package",
    "gardenpath_papers/mandarin_pipeline.py": "what its own steps have written",
    "phrase/schemes/model.py": "a table of the package",
    "runs/record/run.py": "what was written a line before",
    "runs/work/where.py": "what was written a line before",
    "studies/logs/study.py": "looks at the list of members, guarded; they are read at the boundary",
    "studies/plans/planning.py": "what was written a line before",
    "suites/regions/reader.py": "a table of the package",
    "systems/training/child.py": "what our parent process says",
    "treebank/perturb/lexicon.py": "a list of the package",
}
"""Modules that read what gardenpath itself has written or brings along, or no content."""


def test_foreign_content_is_read_at_the_boundary() -> None:
    calls = {
        name
        for name, text in MODULES.items()
        if any(reader in text for reader in READERS)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in READERS
    }
    assert {name for name in calls if not name.startswith("boundary/")} == set(OUR_OWN)


WHOLE_FILES = {"read_text", "read_bytes"}
KNOWN_FILES = {
    "data/catalogue.py", "gardenpath_generate/constructions/composer.py", "phrase/schemes/model.py",
    "gardenpath_generate/constructions/vocabulary.py", "gardenpath_generate/templates/writing.py",
    "gardenpath_papers/paper.py", "report/page/page.py", "studies/constructions/error_classes.py",
    "suites/constructions/finding.py", "suites/generation.py", "suites/regions/reader.py", "systems/bridges/bridge.py",
    "treebank/perturb/lexicon.py",  # files of the package
    "gardenpath_papers/mandarin_pipeline.py",
    "runs/record/cache.py", "runs/work/claims.py", "runs/record/run.py", "systems/training/child.py",  # ours
    "runs/work/end_marked.py", "runs/work/processes.py",  # what the system says of processes
    "studies/score_card.py", "systems/files/surprisal_file.py",  # a few bytes of them, or a hash
}  # fmt: skip


def test_whole_files_of_users_are_read_at_the_boundary() -> None:
    """There their size is bounded, and what is wrong with them has a place."""
    readers = {
        name
        for name, text in MODULES.items()
        if any(f".{reader}(" in text for reader in WHOLE_FILES)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in WHOLE_FILES
    }
    assert {name for name in readers if not name.startswith("boundary/")} == KNOWN_FILES
