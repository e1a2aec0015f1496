"""Suites like SORTS and PPATS from a grammar and a lexicon: sentences with all properties, with full trees."""
