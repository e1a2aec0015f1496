"""Where content from outside comes in: depth, size, encoding and numbers are bounded, and every fault is our error."""
