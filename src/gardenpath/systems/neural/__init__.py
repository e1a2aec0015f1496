"""Neural language models over words: a vocabulary with classes of unknown words, LSTM and Transformer, training."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .batches import LONGEST as LONGEST
    from .batches import bucketed as bucketed
    from .batches import padded as padded
    from .batches import within as within
    from .items import Items as Items
    from .training_loop import Fitted as Fitted
    from .training_loop import Schedule as Schedule
    from .training_loop import fit as fit
    from .training_loop import one_thread as one_thread
    from .unknown_words import word_class as word_class
    from .vocabulary import Vocabulary as Vocabulary
    from .vocabulary import vocabulary_of as vocabulary_of

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "batches": ["LONGEST", "bucketed", "padded", "within"],
        "items": ["Items"],
        "training_loop": ["Fitted", "Schedule", "fit", "one_thread"],
        "unknown_words": ["word_class"],
        "vocabulary": ["Vocabulary", "vocabulary_of"],
    },
)
