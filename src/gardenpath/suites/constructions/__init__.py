"""Constructions in gold phrase trees: found by rule in either scheme, drawn into suites, read and written."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .finding import RULES_VERSION as RULES_VERSION
    from .finding import find as find
    from .model import PHENOMENA as PHENOMENA
    from .model import SCHEMES as SCHEMES
    from .model import Construction as Construction
    from .model import ConstructionItem as ConstructionItem
    from .model import ConstructionSuite as ConstructionSuite
    from .object_order import subject_object_order as subject_object_order
    from .sampling import Found as Found
    from .sampling import as_suite as as_suite
    from .sampling import find_all as find_all
    from .sampling import sample as sample
    from .storage import is_constructions as is_constructions
    from .storage import read_constructions as read_constructions
    from .storage import read_parallel as read_parallel
    from .storage import write_constructions as write_constructions
    from .tepacoc_list import apply_list as apply_list
    from .tepacoc_list import read_list as read_list

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "finding": ["RULES_VERSION", "find"],
        "model": ["PHENOMENA", "SCHEMES", "Construction", "ConstructionItem", "ConstructionSuite"],
        "object_order": ["subject_object_order"],
        "sampling": ["Found", "as_suite", "find_all", "sample"],
        "storage": ["is_constructions", "read_constructions", "read_parallel", "write_constructions"],
        "tepacoc_list": ["apply_list", "read_list"],
    },
)
