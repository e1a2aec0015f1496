"""Runs against each other: the same items, paired; and runs against conditions that they must meet."""
