"""Perturbations: edits that must not matter, with the gold tree carried along."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .augment import Augmentation as Augmentation
    from .batch import Batch as Batch
    from .batch import Tally as Tally
    from .batch import Variant as Variant
    from .batch import batches as batches
    from .batch import perturb as perturb
    from .batch import substitute as substitute
    from .edit import REASONS as REASONS
    from .edit import Change as Change
    from .edit import Proposal as Proposal
    from .edit import Refusal as Refusal
    from .edit import Replacement as Replacement
    from .numerals import years_to_test as years_to_test
    from .numerals import years_to_train as years_to_train
    from .registry import Perturbation as Perturbation
    from .registry import PerturbationSettings as PerturbationSettings
    from .registry import kinds as kinds
    from .registry import language_of as language_of
    from .registry import perturbation as perturbation
    from .values import OwnValues as OwnValues
    from .values import own_values as own_values
    from .values import read_values as read_values

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "augment": ["Augmentation"],
        "batch": ["Batch", "Tally", "Variant", "batches", "perturb", "substitute"],
        "edit": ["REASONS", "Change", "Proposal", "Refusal", "Replacement"],
        "numerals": ["years_to_test", "years_to_train"],
        "registry": ["Perturbation", "PerturbationSettings", "kinds", "language_of", "perturbation"],
        "values": ["OwnValues", "own_values", "read_values"],
    },
)
