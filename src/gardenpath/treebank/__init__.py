"""Dependency treebanks, stored in columns: read, write, validate, views, measures of a tree."""

from .._lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "build": ["Draft", "Span", "Word", "from_drafts"],
        "pool": ["Column", "shared_codes"],
        "sentence": ["Node", "Sentence", "Token"],
        "source": ["read", "read_each"],
        "treebank": ["Treebank", "concatenate"],
        "tree": ["crossings", "cyclic_mask", "depths", "possible_crossings", "root_counts", "tree_mask"],
    },
)
