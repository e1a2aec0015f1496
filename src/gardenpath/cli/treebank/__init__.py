"""The commands of `gardenpath treebank`."""
