"""Suites made by rule: subject and object, PP attachment, constructions, templates, minimal pairs from treebanks."""

from gardenpath.plugins import Command

GENERATE = Command("Write a suite from a lexicon.", "gardenpath_generate.commands.generate:generate")
NEW = Command("Write a commented template of a suite.", "gardenpath_generate.commands.templates:new")
EXPAND = Command("Write the items of a template.", "gardenpath_generate.commands.templates:expand")
FROM_TREEBANK = Command(
    "Make minimal pairs from a treebank.", "gardenpath_generate.commands.from_treebank:from_treebank"
)
