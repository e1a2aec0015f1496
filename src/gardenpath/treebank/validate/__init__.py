"""Everything that can be wrong with a CoNLL-U file: one small check per problem, also for files no reader takes."""
