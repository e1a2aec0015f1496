"""`--by COLUMN`: a group of sentences has the score that the study has on its sentences alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.studies.engine.study import run
from group_checks import group, same


def sentences(count: int, genres: Sequence[str]) -> dict[str, bytes]:
    """Blocks of a generated suite of roles, each with a comment that says its genre: all, and those of each genre."""
    trees = gp.read("bundled:de-roles")
    blocks = [trees.block(number) for number in range(count)]
    marked = [(f"# genre = {genres[number % len(genres)]}\n").encode() + block for number, block in enumerate(blocks)]
    parts = {name: b"".join(marked[place :: len(genres)]) for place, name in enumerate(genres)}
    return {"": b"".join(marked), **parts}


@pytest.fixture(scope="module")
def genres(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    folder = tmp_path_factory.mktemp("genres")
    for name, data in sentences(60, ["news", "books", "news"]).items():
        (folder / f"{name or 'all'}.conllu").write_bytes(data)
    return {name: folder / f"{name or 'all'}.conllu" for name in ("", "books")}


def test_roles(genres: Mapping[str, Path]) -> None:
    """By a comment; crossed with order; and by property, of which an item has several."""
    result = gp.roles(genres[""], ["baseline:subject-first"], by="genre")
    alone = gp.roles(genres["books"], ["baseline:subject-first"])
    for measure in ("las", "uas", "label"):
        same(group(result, measure, genre="books"), group(alone, measure))
    assert group(result, "size", genre="books").value == 20
    assert [shown.name for shown in result.tables if not shown.folded] == ["systems", "by-genre"]
    crossed = gp.roles(genres[""], ["baseline:subject-first"], by="genre,order")
    for finding in alone.findings:
        if finding.measure == "las" and set(finding.by) == {"order"}:
            same(group(crossed, "las", genre="books", order=finding.by["order"]), finding)
    properties = gp.roles(genres[""], ["baseline:subject-first"], by=("property", "genre"))
    for finding in alone.findings:
        if finding.measure == "las" and set(finding.by) == {"property"}:
            same(group(properties, "las", genre="books", property=finding.by["property"]), finding)
    assert "|by:genre,order|" in crossed.signature
    assert "|by:" not in gp.roles(genres[""], ["baseline:subject-first"], by="property").signature


def test_evaluation(genres: Mapping[str, Path]) -> None:
    result = gp.evaluate(genres[""], ["baseline:right-branching"], by="genre")
    alone = gp.evaluate(genres["books"], ["baseline:right-branching"])
    right, total = group(alone, "las_correct"), group(alone, "las_aligned")
    assert group(result, "las", genre="books").value == pytest.approx(total.value)
    assert right.value
    with pytest.raises(UsageError, match="unknown grouping 'gnre'\n  did you mean genre"):
        gp.evaluate(genres[""], ["baseline:right-branching"], by="gnre")


def test_settings_tell_tables_from_columns() -> None:
    from gardenpath.studies.roles.declaration import GROUPINGS, RolesSettings

    assert RolesSettings(by=("order", "pairs")).columns == ()
    crossing = RolesSettings(by=("order", "pairs", "genre"))
    assert (crossing.columns, crossing.tables) == (("order", "genre"), ("pairs",))
    assert RolesSettings(by=("all",)).tables == GROUPINGS


def test_a_run_is_found_again_and_another_column_is_another_run(genres: Mapping[str, Path], tmp_path: Path) -> None:
    from gardenpath.studies.roles.declaration import RolesSettings
    from gardenpath.studies.roles.study import ROLES

    chosen = RolesSettings(by=("genre",))
    first = run(ROLES, str(genres[""]), ["baseline:subject-first"], chosen, folder=tmp_path / "run")
    again = run(ROLES, str(genres[""]), ["baseline:subject-first"], chosen, folder=tmp_path / "run")
    assert [table.name for table in again.tables] == [table.name for table in first.tables]
    assert again.signature == first.signature
