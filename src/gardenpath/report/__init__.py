"""What a person sees: tables in five formats, figures, and one HTML page over several runs.

Called with runs or results, it writes that page.

>>> import gardenpath as gp
>>> first = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
>>> second = gp.evaluate("bundled:de-test", "baseline:right-branching")
>>> gp.report(first, second, output="both.html", title="Two rules")[0].name
'both.html'
"""

from .._lazy import callable_package, lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
callable_package(__name__, "gardenpath.library.run_tools:report")
