"""What the published scripts count and read, against a small program that does what they do, matrix and all."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from random import Random

import numpy as np
import pytest
from batch_cases import asked, judged, told

from gardenpath.studies.consistency.clusters import published_reading
from gardenpath.studies.consistency.declaration import ConsistencySettings

Graph = dict[int, list[int]]


def searched(graph: Graph) -> list[set[int]]:
    """All maximal cliques (Bron and Kerbosch 1973, with pivots, from the vertex that is removed last), by size."""
    cliques: list[set[int]] = []

    def extend(clique: set[int], candidates: set[int], done: set[int]) -> None:
        if not candidates and not done:
            cliques.append(clique)
            return
        pivot = next(iter(candidates.union(done)))
        for vertex in candidates.difference(graph[pivot]):
            near = graph[vertex]
            extend(clique.union([vertex]), candidates.intersection(near), done.intersection(near))
            candidates.remove(vertex)
            done.add(vertex)

    candidates, done = set(graph), set[int]()
    for vertex in reversed(removed(graph)):
        near = graph[vertex]
        extend({vertex}, candidates.intersection(near), done.intersection(near))
        candidates.remove(vertex)
        done.add(vertex)
    return sorted(cliques, key=len)


def removed(graph: Graph) -> list[int]:
    """Vertices in the order in which they go, always one with the fewest neighbours left, the last listed of them."""
    waiting: dict[int, list[int]] = defaultdict(list)
    degree = {vertex: len(near) for vertex, near in graph.items()}
    for vertex in graph:
        waiting[degree[vertex]].append(vertex)
    order: list[int] = []
    while len(order) < len(graph):
        fewest = min(number for number, some in waiting.items() if some)
        vertex = waiting[fewest].pop()
        order.append(vertex)
        for neighbour in graph[vertex]:
            if neighbour not in order:
                waiting[degree[neighbour]].remove(neighbour)
                degree[neighbour] -= 1
                waiting[degree[neighbour]].append(neighbour)
    return order


def read(matrix: np.ndarray) -> tuple[int, list[float]]:
    """Clusters and similarities from a matrix whose lower triangle was never filled."""
    graph: Graph = defaultdict(list)
    for a, b in combinations(range(len(matrix)), 2):
        if matrix[a][b] == 1:
            graph[a].append(b)
            graph[b].append(a)
    cliques = searched(graph)
    if len(cliques) == 1:
        cliques.append(set(range(len(matrix))) - cliques[0])
    references = [next(iter(clique)) for clique in cliques]
    return len(cliques), [float(matrix[a][b]) for a, b in combinations(references, 2)]


def triangle(variants: list[int], similarity: np.ndarray) -> np.ndarray:
    return np.triu(np.round(similarity[np.ix_(variants, variants)], 4))


@pytest.mark.parametrize("seed", range(60))
def test_as_the_program_reads_it(seed: int) -> None:
    draw = Random(seed)
    kinds = draw.randint(2, 9)
    variants = [draw.choice([0, draw.randrange(kinds)]) for _ in range(draw.randint(kinds, 50))]
    variants[: kinds : kinds - 1] = [0, kinds - 1]  # at least two classes
    similarity = np.random.default_rng(seed).uniform(0, 0.9, (kinds, kinds))
    similarity = (similarity + similarity.T) / 2
    np.fill_diagonal(similarity, 1)
    assert published_reading(variants, similarity) == read(triangle(variants, similarity))


def test_values_that_the_authors_script_gave() -> None:
    """Classes 0, 1, 2 with similarities 0.5, 0.25 and 0.125: their cliques and what they read, by running it once."""
    similarity = np.array([[1, 0.5, 0.25], [0.5, 1, 0.125], [0.25, 0.125, 1]])
    # {1, 8} is listed as 8, 1: all three reads are below the diagonal
    assert published_reading([2, 0, 1, 1, 1, 2, 2, 2, 0, 2], similarity) == (3, [0.0, 0.0, 0.0])
    assert published_reading([0, 0, 1, 2, 0, 0], similarity) == (2, [0.5])  # one clique, and the rest as a second
    assert published_reading([1, 0, 2, 0, 0, 0], similarity) == (2, [0.0])  # the same, but the rest begins earlier


def test_the_study_shows_both() -> None:
    """In the first batch the smaller cluster has the earlier value, in the second the later one: that is read as 0."""
    kinds = {
        "read": ["label", "head", "head", "label", "label", "label"],
        "empty": ["label", "label", "label", "label", "head", "head"],
    }
    given = asked(list(kinds))
    result, judgement = judged(given, {"x": told(given, kinds)}, ConsistencySettings(order="both"))
    for order in ("surface", "udon2"):
        first, second = judgement.batches["x", "years", order]
        assert first.similarities == second.similarities
        right = first.similarities[0]
        assert 0 < right < 1
        assert (first.similarities_published, second.similarities_published) == ([round(right, 4)], [0.0])
        by = {"perturbation": "years", "order": order, "original": "wrong"}
        measured = {finding.measure: finding.value for finding in result.findings if dict(finding.by) == by}
        assert measured["ncptk"] == pytest.approx(right)
        assert measured["ncptk_published"] == pytest.approx(round(right, 4) / 2)
        assert (measured["clusters"], measured["clusters_published"]) == (2, 2)
    shown = next(table for table in result.tables if table.title.startswith("Questions"))
    assert [row[0] for row in shown.rows].count("NCPTK, as published") == 4
