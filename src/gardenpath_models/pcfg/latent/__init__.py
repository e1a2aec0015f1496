"""Latent-variable PCFGs: symbols of a treebank grammar split into subsymbols by EM (Petrov et al. 2006)."""
