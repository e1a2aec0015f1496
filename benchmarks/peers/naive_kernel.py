"""The partial tree kernel in plain Python, as one writes it from the paper: two trees at a time."""

from math import sqrt


class Node:
    def __init__(self, label, children=()):
        self.label = label
        self.children = list(children)

    def nodes(self):
        yield self
        for child in self.children:
            yield from child.nodes()


def grct(heads, upos, feats, deprels):
    """The tree of one sentence; heads count from 1."""

    def relation(word):
        below = [relation(other) for other, head in enumerate(heads, 1) if head == word]
        return Node(deprels[word - 1], [Node(upos[word - 1], [Node(feats[word - 1])]), *below])

    return relation(heads.index(0) + 1)


def kernel(a, b, decay=1, mu=1):
    """Moschitti 2006: Delta summed over all pairs of nodes with the same label, each computed once."""
    known = {}

    def delta(u, v):
        if (u, v) not in known:
            if not u.children or not v.children:
                known[u, v] = mu * decay**2
            else:
                known[u, v] = mu * (decay**2 + subsequences(u.children, v.children))
        return known[u, v]

    def subsequences(left, right):
        """The sum over common subsequences of children of all lengths, the recursion of Section 3.2."""
        last = [[delta(x, y) if x.label == y.label else 0 for y in right] for x in left]
        total = sum(map(sum, last))
        for _ in range(1, min(len(left), len(right))):
            prefix = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
            fresh = [[0] * len(right) for _ in left]
            for i, x in enumerate(left):
                for j, y in enumerate(right):
                    if x.label == y.label:
                        fresh[i][j] = delta(x, y) * prefix[i][j]
                    prefix[i + 1][j + 1] = (
                        last[i][j] + decay * (prefix[i + 1][j] + prefix[i][j + 1]) - decay**2 * prefix[i][j]
                    )
            last = fresh
            total += sum(map(sum, last))
        return total

    others = list(b.nodes())
    return sum(delta(u, v) for u in a.nodes() for v in others if u.label == v.label)


def gram(trees):
    """All pairs, each once."""
    values = [[0] * len(trees) for _ in trees]
    for i, a in enumerate(trees):
        for j in range(i + 1):
            values[i][j] = values[j][i] = kernel(a, trees[j])
    return values


def normalised(values):
    lengths = [sqrt(row[i]) for i, row in enumerate(values)]
    return [[value / lengths[i] / lengths[j] for j, value in enumerate(row)] for i, row in enumerate(values)]
