"""Papers computed again: each published number beside ours, equal or not, and why."""
