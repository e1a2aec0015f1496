"""gardenpath: which grammar does a parser or a language model really know?"""

from ._lazy import lazy_exports
from ._version import __version__ as __version__

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
