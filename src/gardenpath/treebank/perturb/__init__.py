"""Perturbations: edits that must not matter, with the gold tree carried along."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .augment import Augmentation as Augmentation
    from .batch import Batch as Batch
    from .batch import Tally as Tally
    from .batch import batches as batches
    from .batch import perturb as perturb
    from .edit import Change as Change
    from .edit import Proposal as Proposal
    from .edit import Refusal as Refusal
    from .edit import Replacement as Replacement
    from .registry import Perturbation as Perturbation
    from .registry import PerturbationSettings as PerturbationSettings
    from .registry import language_of as language_of
    from .registry import perturbation as perturbation
    from .values import own_values as own_values

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "augment": ["Augmentation"],
        "batch": ["Batch", "Tally", "batches", "perturb"],
        "edit": ["Change", "Proposal", "Refusal", "Replacement"],
        "registry": ["Perturbation", "PerturbationSettings", "language_of", "perturbation"],
        "values": ["own_values"],
    },
)
