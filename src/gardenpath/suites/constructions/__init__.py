"""Constructions in gold phrase trees: found by rule in either scheme, drawn into suites, read and written."""
