"""Templates among the formats of suites of roles."""

from .writing import template_format

FORMATS = (template_format("roles"),)
