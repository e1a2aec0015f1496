"""What a person sees: tables in five formats, figures, and one HTML page over several runs.

Called with runs or results, it writes that page.

>>> import gardenpath as gp
>>> first = gp.evaluate("bundled:de-test", "baseline:nearest-head", gold="tags")
>>> second = gp.evaluate("bundled:de-test", "baseline:right-branching")
>>> gp.report(first, second, path="both.html", title="Two rules").name
'both.html'
"""

from typing import TYPE_CHECKING

from .._lazy import callable_package, lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .formats import plain as plain
    from .formats import render as render
    from .measures import measure_tables as measure_tables

__getattr__, __dir__, __all__ = lazy_exports(__name__, {"formats": ["plain", "render"], "measures": ["measure_tables"]})
callable_package(__name__, "gardenpath.library.run_tools:report")
