"""Does a parser get the hard constructions, whatever the scheme, and what kind of error does it make?"""
