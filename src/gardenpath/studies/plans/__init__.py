"""Studies divided over many machines: a plan in a folder, shards that work on it, and the collected runs."""
