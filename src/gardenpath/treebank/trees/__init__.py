"""Trees of a treebank: properties, measures, alignment, scores, differences and duplicates."""
