"""Parsers: UDPipe, Stanza, spaCy, servers, programs and baselines; trees of sentences by any of them."""
