"""Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?"""
