"""Trees of other annotation schemes as Universal Dependencies, so that parsers that draw them can be scored."""
