"""Models of Transformers: causal ones by a trie of beginnings, masked ones by pseudo-log-likelihood."""
