"""Training of parsers and language models."""
