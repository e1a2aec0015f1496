"""Questions to a treebank in the pattern language of Grew."""
