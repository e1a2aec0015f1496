"""Does a parser take the garden path where a language model is surprised? Both are asked about the same items."""
