"""Public data by name: registry, download, store, mirror; and the samples that come with the package.

Called, it gives the place of data by name (fetched if it is not here), or without a name all records.

>>> import gardenpath as gp
>>> gp.data("bundled:de-test").name
'de_garden-test.conllu'
>>> [record.name for record in gp.data() if "surprisal" in record.name or record.name == "sorts"]
['sorts']
"""

from .._lazy import callable_package, lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
callable_package(__name__, "gardenpath.data.store:data_called")
