"""gardenpath: which grammar does a parser or a language model really know?

Studies, which take names or objects and return a `StudyResult`: `evaluate`, `roles`, `word_order`, `constructions`,
`surprisal`, `joint`, `judge`, `logs`, `displacement`, `consistency`, `remedies`. Around them: `read`, `read_suite`,
`search`, `train`, `parse`, `score`, `split`, `folds`, `overlap`, `diff`, `validate`, `show`, `compare`, `check`,
`gate`, `card`, `verify`, `report`, `export`, `reproduce`, `plan`, `run_plan`, `collect`, `systems`, `data`.
"""

from ._lazy import lazy_exports
from ._version import __version__ as __version__


def _added(name: str) -> object:
    """Return the function that another package adds under this name, or None."""
    from .library.studies import study_function
    from .plugins import added_commands, loaded

    command = added_commands().get(name)
    return loaded(command.python) if command is not None and command.python else study_function(name)


__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__, _added)
