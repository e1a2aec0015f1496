"""How work is done: in this process, in several, on a cluster, within limits."""
