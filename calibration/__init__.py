"""Simulated checks of every uncertainty statement: coverage of intervals, level of tests, verdicts of null runs."""
