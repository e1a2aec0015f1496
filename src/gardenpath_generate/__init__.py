"""Suites made by rule: subject and object, PP attachment, constructions, templates, minimal pairs from treebanks."""

from gardenpath.plugins import Command

MAKE = Command("Make a suite from a lexicon, a template or a treebank.", "gardenpath_generate.commands.make:make")
NEW = Command("Write a commented template of a suite.", "gardenpath_generate.commands.templates:new")
"""The commands of `gardenpath suite` that make suites."""
