"""Annotation schemes of phrase trees: an object each, with its labels, its head rules, and how trees show it."""
