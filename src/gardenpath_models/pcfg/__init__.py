"""Treebank PCFGs: markovised and smoothed grammars, unknown words by shape and ending, exact CKY and k-best trees."""
