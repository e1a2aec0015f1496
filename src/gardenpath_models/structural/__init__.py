"""Models of words and trees: oracles, RNNG and parsing-as-language-modelling, word-synchronous beam search."""
