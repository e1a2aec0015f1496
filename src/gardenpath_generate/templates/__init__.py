"""Suites from a template with slots: a file that its author writes, checks, expands and runs."""
