"""The command line: one file per command, each a thin shell over a function of the library."""
