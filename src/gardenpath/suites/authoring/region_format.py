"""Templates among the formats of suites of regions."""

from .writing import template_format

FORMATS = (template_format("pairs", "surprisal"),)
