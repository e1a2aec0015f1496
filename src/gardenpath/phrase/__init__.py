"""Phrase-structure trees with functions, gaps and secondary edges: formats, transformations, heads, PARSEVAL."""

from typing import TYPE_CHECKING

from .._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .binarise import binarised as binarised
    from .binarise import unbinarised as unbinarised
    from .brackets import Labels as Labels
    from .dependencies import to_dependencies as to_dependencies
    from .evalb import Parameters as Parameters
    from .evalb import parameters as parameters
    from .functions import functions_from_labels as functions_from_labels
    from .functions import functions_in_labels as functions_in_labels
    from .functions import without_functions as without_functions
    from .heads import head_child as head_child
    from .heads import head_token as head_token
    from .heads import nominal_head as nominal_head
    from .notation import from_notation as from_notation
    from .notation import to_notation as to_notation
    from .parseval import score_tree as score_tree
    from .parseval import score_trees as score_trees
    from .plain_tiger import plain as plain
    from .punctuation import at_root as at_root
    from .punctuation import lowered as lowered
    from .punctuation import without_punctuation as without_punctuation
    from .query import search as search
    from .raising import raised as raised
    from .schemes.model import Scheme as Scheme
    from .schemes.registry import SCHEMES as SCHEMES
    from .schemes.registry import scheme as scheme
    from .schemes.registry import scheme_of as scheme_of
    from .source import FORMATS as FORMATS
    from .source import read as read
    from .source import stream as stream
    from .source import write as write
    from .source import written as written
    from .splitting import joined as joined
    from .splitting import merged as merged
    from .splitting import split as split
    from .tree import ROOT as ROOT
    from .tree import Node as Node
    from .tree import PhraseTree as PhraseTree
    from .tree import grown as grown
    from .unary import collapsed as collapsed
    from .unary import expanded as expanded

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "binarise": ["binarised", "unbinarised"],
        "brackets": ["Labels"],
        "plain_tiger": ["plain"],
        "dependencies": ["to_dependencies"],
        "evalb": ["Parameters", "parameters"],
        "functions": ["functions_from_labels", "functions_in_labels", "without_functions"],
        "heads": ["head_child", "head_token", "nominal_head"],
        "notation": ["from_notation", "to_notation"],
        "parseval": ["score_tree", "score_trees"],
        "punctuation": ["at_root", "lowered", "without_punctuation"],
        "query": ["search"],
        "raising": ["raised"],
        "schemes.model": ["Scheme"],
        "schemes.registry": ["SCHEMES", "scheme", "scheme_of"],
        "source": ["FORMATS", "read", "stream", "write", "written"],
        "splitting": ["joined", "merged", "split"],
        "tree": ["ROOT", "Node", "PhraseTree", "grown"],
        "unary": ["collapsed", "expanded"],
    },
)
