"""Suites of the roles study (SORTS, PPATS): read, write, convert, check; minimal pairs."""
