"""Dependency trees as people look at them: on a terminal, as SVG, in LaTeX; alone or beside another analysis."""
