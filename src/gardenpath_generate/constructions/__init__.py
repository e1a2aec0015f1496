"""Generated German sentences in TIGER, TüBa-D/Z and UD at once, with the constructions that are in them."""
