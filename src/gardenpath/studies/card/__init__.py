"""The score card: what fits a system's kind and language, carried out within a time budget, as one run."""
