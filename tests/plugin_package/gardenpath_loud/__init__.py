"""A small package that adds to gardenpath a system that can be trained, a suite format, a perturbation and commands.

Like any package of a third party, it imports names that gardenpath exports, and nothing of gardenpath names it.
"""

from gardenpath.plugins import Command
from gardenpath.systems import LANGUAGE_MODEL, Kind

UNIGRAM = Kind(
    "unigram", "gardenpath_loud.unigram:Unigram", "FILE", "frequencies of words",
    trainer="gardenpath_loud.unigram:UnigramTrainer", roles=(LANGUAGE_MODEL,),
)  # fmt: skip
LOUD = Command("Print a text in capitals.", "gardenpath_loud.commands:loud", "gardenpath_loud.commands:in_capitals")
LOUDER = Command("Print the sentences of a suite in capitals.", "gardenpath_loud.commands:louder")
