"""How fast gardenpath is beside the tools that do the same: `python -m benchmarks`."""
