"""Which study a source is for: what a file or folder holds says what can be asked of systems about it."""

from __future__ import annotations

from ..data.names import local
from ..errors import InputError


def study_of(source: str) -> str:
    """The command for a source: `constructions`, `surprisal`, `roles` or, of any other trees, `evaluate`.

    >>> study_of("bundled:de-roles"), study_of("bundled:de-test")
    ('roles', 'evaluate')
    """
    from ..phrase.sniffing import holds_phrases
    from ..suites.constructions.storage import is_constructions
    from ..suites.reader import read_suite
    from ..suites.regions.reader import holds_regions

    place = local(source)
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
