"""The commands of `gardenpath suites` that make suites."""
