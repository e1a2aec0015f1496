"""CoNLL-U treebanks: bytes, index, columns, sentences, drafts, reading and conversion."""
