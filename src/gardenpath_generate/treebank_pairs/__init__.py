"""Minimal pairs by morphology from any UD treebank: agreement of subject and verb or determiner and noun, and case."""
