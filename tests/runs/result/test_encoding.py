"""JSON as it leaves the house: the values stay, NaN and infinity become null, and a finding has a line."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.runs.result.encoding import portable, to_document, to_portable_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_a_document_has_the_values(value: dict[str, Any]) -> None:
    expected = json.loads(json.dumps(portable(value), allow_nan=False))
    assert json.loads(to_document(value)) == expected
    assert json.loads(to_portable_text(value, (",", ":"))) == expected


def test_a_finding_has_a_line() -> None:
    findings = [{"value": float("nan"), "by": MappingProxyType({"label": "nsubj"})}, {"value": np.float64(0.5)}]
    document = to_document({"signature": "s", "findings": findings, "failures": {}, "scores": np.array([1.0, np.inf])})
    assert document.splitlines() == [
        "{",
        '"signature": "s",',
        '"findings": [',
        '{"value": null, "by": {"label": "nsubj"}},',
        '{"value": 0.5}',
        "],",
        '"failures": {},',
        '"scores": [1.0, null]',
        "}",
    ]
