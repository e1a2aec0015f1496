"""N-gram models: interpolated modified Kneser-Ney trained from counts, ARPA in and out, scoring by back-off."""
