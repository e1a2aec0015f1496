"""Transformations of phrase trees: functions, chains, punctuation, traces, gaps."""
