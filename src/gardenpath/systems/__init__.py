"""What is tested: parsers and language models by name (`kind:argument`), trained, run and checked alike.

Called, it gives all kinds by name.

>>> import gardenpath as gp
>>> gp.systems()["ngram"].role
'language model'
"""

from typing import TYPE_CHECKING

from .._lazy import callable_package, lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .card import read_card as read_card
    from .input import read_blocks as read_blocks
    from .input import read_input as read_input
    from .input import text_treebank as text_treebank
    from .language_model import SurprisalScores as SurprisalScores
    from .language_model import score_with as score_with
    from .language_model import surprisals_with as surprisals_with
    from .parse_result import ParseResult as ParseResult
    from .parsing import parse_with as parse_with
    from .phrase_parsing import parse_trees_with as parse_trees_with
    from .protocol import LanguageModel as LanguageModel
    from .protocol import Parser as Parser
    from .protocol import PhraseParser as PhraseParser
    from .reconcile import FAILURES as FAILURES
    from .reconcile import Reconciled as Reconciled
    from .registry import KINDS as KINDS
    from .registry import Kind as Kind
    from .registry import kinds as kinds
    from .registry import phrase_parser as phrase_parser
    from .registry import system as system
    from .request import LAYERS as LAYERS
    from .request import MODES as MODES
    from .request import Request as Request
    from .trained import Trained as Trained
    from .training import PRESETS as PRESETS
    from .training import train as train

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "card": ["read_card"],
        "input": ["read_blocks", "read_input", "text_treebank"],
        "language_model": ["SurprisalScores", "score_with", "surprisals_with"],
        "parse_result": ["ParseResult"],
        "parsing": ["parse_with"],
        "phrase_parsing": ["parse_trees_with"],
        "protocol": ["LanguageModel", "Parser", "PhraseParser"],
        "request": ["LAYERS", "MODES", "Request"],
        "registry": ["KINDS", "Kind", "kinds", "phrase_parser", "system"],
        "reconcile": ["FAILURES", "Reconciled"],
        "trained": ["Trained"],
        "training": ["PRESETS", "train"],
    },
)
callable_package(__name__, "gardenpath.systems.registry:kinds")
