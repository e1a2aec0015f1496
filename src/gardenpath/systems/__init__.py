"""What is tested: parsers and language models by name (`kind:argument`), trained, run and checked alike.

Called, it gives all kinds by name.

>>> import gardenpath as gp
>>> gp.systems()["ngram"].role
'language model'
"""

from .._lazy import callable_package, lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
callable_package(__name__, "gardenpath.systems.asking.registry:kinds")
