"""Does a language model expect what the grammar demands, also across intervening material?"""
