"""Splits of a treebank into training, development and test parts."""
