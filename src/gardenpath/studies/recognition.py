"""Which study a source is for: what a file or folder holds says what can be asked of systems about it."""

from __future__ import annotations

from os import PathLike
from typing import Any

from ..data.names import local
from ..errors import InputError


def study_of(source: Any) -> str:
    """The command for a source, named or held: `constructions`, `surprisal`, `roles` or, of other trees, `evaluate`.

    >>> study_of("bundled:de-roles"), study_of("bundled:de-test")
    ('roles', 'evaluate')
    """
    from ..phrase.sniffing import holds_phrases
    from ..suites.constructions.model import ConstructionSuite
    from ..suites.constructions.storage import is_constructions
    from ..suites.model import RoleSuite
    from ..suites.reader import read_suite
    from ..suites.regions.given import is_frame
    from ..suites.regions.model import RegionSuite
    from ..suites.regions.reader import holds_regions

    if not isinstance(source, str | PathLike):
        if isinstance(source, RegionSuite) or is_frame(source):
            return "surprisal"
        kinds = {ConstructionSuite: "constructions", RoleSuite: "roles"}
        return kinds.get(type(source), "evaluate")
    place = local(str(source))
    if is_constructions(place):
        return "constructions"
    if holds_regions(place):
        return "surprisal"
    if holds_phrases(place):
        return "evaluate"
    try:
        read_suite(place)
    except InputError:
        return "evaluate"
    return "roles"
