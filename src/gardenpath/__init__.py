"""gardenpath: which grammar does a parser or a language model really know?"""

from typing import TYPE_CHECKING

from ._lazy import lazy_exports
from ._version import __version__ as __version__

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .errors import GardenpathError as GardenpathError
    from .treebank import Draft as Draft
    from .treebank import Node as Node
    from .treebank import Sentence as Sentence
    from .treebank import Treebank as Treebank
    from .treebank import Word as Word
    from .treebank import concatenate as concatenate
    from .treebank import from_drafts as from_drafts
    from .treebank import read as read
    from .treebank import read_each as read_each

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "errors": ["GardenpathError"],
        "treebank": [
            "Draft",
            "Node",
            "Sentence",
            "Treebank",
            "Word",
            "concatenate",
            "from_drafts",
            "read",
            "read_each",
        ],
    },
)
