"""Suites of regions (SyntaxGym, the Mandarin suites, files of pairs): read, write, convert, check."""

from typing import TYPE_CHECKING

from ..._lazy import lazy_exports

if TYPE_CHECKING:  # for type checkers and editors; a test keeps it in step with the table below
    from .conversion import convert_regions as convert_regions
    from .formula import parse_formula as parse_formula
    from .model import Condition as Condition
    from .model import Item as Item
    from .model import Prediction as Prediction
    from .model import Region as Region
    from .model import RegionSuite as RegionSuite
    from .reader import read_region_suite as read_region_suite
    from .reader import read_region_suites as read_region_suites

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "conversion": ["convert_regions"],
        "formula": ["parse_formula"],
        "model": ["Condition", "Item", "Prediction", "Region", "RegionSuite"],
        "reader": ["read_region_suite", "read_region_suites"],
    },
)
