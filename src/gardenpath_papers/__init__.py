"""The ledger of five papers: every published number, recomputed where the data allow it."""

from gardenpath.plugins import Command

REPRODUCE = Command(
    "Go through a paper number by number: what is recomputed, what is not, and why.",
    "gardenpath_papers.command:reproduce",
    "gardenpath_papers.paper:reproduced",
)
