"""A figure: a Vega-Lite chart made from findings, in the house style, as SVG, PDF and the data behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..._text import PALETTE
from ...runs.record.writing import write_bytes, write_text
from ...runs.result.encoding import row_lines

SEQUENTIAL = "viridis"

_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
CONFIG: dict[str, Any] = {
    "font": _FONT,
    "background": "white",
    "view": {"stroke": None, "continuousWidth": 420, "continuousHeight": 280},
    "axis": {
        "labelFontSize": 11,
        "labelSeparation": 6,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "gridColor": "#e6e6e6",
    },
    "legend": {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "labelLimit": 320, "columns": 1},
    "header": {"labelFontSize": 11, "titleFontSize": 12},
    "title": {"fontSize": 13, "anchor": "start", "fontWeight": 600, "subtitleFontSize": 11, "subtitleColor": "#555"},
    "range": {"category": list(PALETTE), "ramp": {"scheme": SEQUENTIAL}, "heatmap": {"scheme": SEQUENTIAL}},
    "point": {"filled": True, "size": 45},
    "bar": {"color": PALETTE[0]},
    "line": {"color": PALETTE[0], "strokeWidth": 2},
}


@dataclass(frozen=True, slots=True)
class Figure:
    """`name` is the file's; `caption` says what is seen and from how many items; `chart` is Altair's."""

    name: str
    title: str
    caption: str
    chart: Any

    def _repr_svg_(self) -> str:
        """The figure, in a notebook."""
        import vl_convert

        return str(vl_convert.vegalite_to_svg(json.dumps(self.spec)))

    @property
    def spec(self) -> dict[str, Any]:
        """Vega-Lite with its data inside: nothing is loaded from anywhere."""
        spec = self._drawn()
        return {**spec, "config": CONFIG, "title": spec.get("title") or self.title}

    @property
    def data(self) -> list[list[dict[str, Any]]]:
        """The rows behind the figure, one list for each source of data that it draws."""
        spec = self._drawn()
        sources = list(spec.get("datasets", {}).values()) + list(_inline(spec))
        return [rows for number, rows in enumerate(sources) if rows and rows not in sources[:number]]

    def _drawn(self) -> dict[str, Any]:
        """Not held against the schema of Vega-Lite, which takes longer than a page; `save` does that."""
        spec: dict[str, Any] = self.chart.to_dict(validate=False)
        return spec


def save(figures: Iterable[Figure], folder: str | Path) -> list[Path]:
    """Each figure as SVG and PDF for papers, and its data as TSV."""
    import vl_convert

    place, written = Path(folder), list[Path]()
    for figure in figures:
        figure.chart.to_dict()  # raises where the chart is none that Vega-Lite knows
        name, spec = _file_name(figure.name), json.dumps(figure.spec)
        written += _written(place, name, vl_convert.vegalite_to_svg(spec), vl_convert.vegalite_to_pdf(spec))
        for number, rows in enumerate(figure.data, start=1):
            path = place / (f"{name}.tsv" if number == 1 else f"{name}-{number}.tsv")
            write_text(path, _tsv(rows))
            written.append(path)
    return written


def save_drawing(name: str, svg: str, folder: str | Path) -> list[Path]:
    """Write a figure that is no chart, such as trees, as SVG and PDF."""
    import vl_convert

    return _written(Path(folder), _file_name(name), svg, vl_convert.svg_to_pdf(svg))


def _written(place: Path, name: str, svg: str, pdf: bytes) -> list[Path]:
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for ending, content in ((".svg", svg.encode("utf-8")), (".pdf", pdf)):
        write_bytes(place / f"{name}{ending}", content)
        written.append(place / f"{name}{ending}")
    return written


def _inline(spec: Any) -> Iterable[list[dict[str, Any]]]:
    """The values that stand in the chart itself, wherever it has layers, facets or parts side by side."""
    if isinstance(spec, dict):
        data = spec.get("data")
        if isinstance(data, dict) and isinstance(data.get("values"), list):
            yield [row for row in data["values"] if isinstance(row, dict)]
        for key, value in spec.items():
            if key not in ("data", "datasets"):
                yield from _inline(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from _inline(value)


def _tsv(rows: Sequence[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return row_lines([columns, *([row.get(column) for column in columns] for row in rows)])


def _file_name(name: str) -> str:
    """A name that can be nothing but a file of its folder."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "figure"
