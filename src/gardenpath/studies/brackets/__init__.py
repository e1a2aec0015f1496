"""How good is a phrase parser on gold trees? PARSEVAL, leaf-ancestor and dependencies, and how sure that is."""
