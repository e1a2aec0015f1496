"""Calls of the program, as a user makes them."""

from __future__ import annotations

import pytest

from gardenpath.cli.main import main

Capture = pytest.CaptureFixture[str]
"""What a call prints."""


def call(*words: object) -> int:
    """The exit code of a call."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    return int(ended.value.code or 0)
