"""How good is a parser on gold trees? The CoNLL 2018 metrics, where the errors are, and how sure that is."""
