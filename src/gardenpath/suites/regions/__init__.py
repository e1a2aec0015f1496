"""Suites of regions (SyntaxGym, the Mandarin suites, files of pairs): read, write, convert, check."""
