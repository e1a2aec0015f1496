"""The ledgers of the papers, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from gardenpath_papers.ledger import Line, settled

PLACES = {
    "sorts@2020": "roles/sorts-2020", "sorts": "roles/sorts-2026", "mandarin-suites": "surprisal/mandarin",
    "ud-collection": "ud", "udpipe-scores": "published",
}  # fmt: skip

FITTED = {
    ("RNNG", "vo"), ("RNNG", "sd"), ("PLM", "gpo"), ("RNNG-Xinhua", "vo"), ("RNNG-Xinhua", "sd"), ("PLM-Xinhua", "cls"),
    ("PLM-Xinhua", "gpo"), ("PLM-Xinhua", "mobj"), ("Transformer", "size"), ("RNNG", "LSTM-Xinhua"), ("all", "kind"),
    ("RNNG", "modifier"),
}  # fmt: skip
"""The mixed models of Table 1 with a mark, and some of the linear ones: a fit takes a second and more."""


@pytest.fixture(scope="session")
def ledger_of(request: pytest.FixtureRequest) -> Callable[[str], list[Line]]:
    """A paper's ledger from the shared data, with small grammars (tepacoc) and few mixed models (mandarin)."""

    @cache
    def ledger(paper: str) -> list[Line]:
        module = import_module(f"gardenpath_papers.{paper}")
        if paper == "tepacoc":
            pytest.importorskip("numba", reason="the extra pcfg is not installed")
            return settled(module.lines(lambda name: pytest.fail(f"{name} is asked for"), sentences=100, sets=1))
        shared: Path = request.getfixturevalue("shared")
        less = {"fits": FITTED} if paper == "mandarin" else {}
        return settled(
            module.lines(lambda name: shared / PLACES.get(name, f"ud/UD_{name.removeprefix('ud:')}"), **less)
        )

    return ledger
