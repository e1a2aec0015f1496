"""The studies: each takes a suite or treebank and systems, and returns observations and findings."""
