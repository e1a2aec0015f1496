"""A neural span parser: scores of spans from characters and words, the best tree by CKY, and places of raised nodes."""
