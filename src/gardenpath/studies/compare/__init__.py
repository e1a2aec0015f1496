"""Runs against each other on the same items, and runs against conditions."""
