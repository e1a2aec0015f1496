"""One HTML file from any runs, or from a score card: opens offline, loads nothing, runs nothing of the data."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

from ..._version import __version__
from ...errors import UsageError
from ...plugins import version_of
from ...runs.record.cache import ResultCache
from ...runs.record.run import PAGE, Run
from ...runs.result.encoding import to_portable_text
from ...runs.result.layout import short_names
from ...runs.result.verdict import listed
from ..figures.figure import CONFIG
from .contents import MOST, contents
from .differences import differences

_SCRIPTS = (
    "parts.js", "frame.js", "findings.js", "trees.js", "phrase.js", "curves.js", "sentences.js", "batch.js", "study.js",
    "page.js",
)  # fmt: skip
_ITEMS = ("sentences", "observations")


def page(runs: Sequence[Run], *, title: str = "", most: int = MOST, about: Sequence[str] = ()) -> str:
    """The page of these runs, side by side in their order; `about` is said below the title.

    A run that is made of runs, such as a score card, is shown as these.
    """
    runs = [part for run in runs for part in run.runs() or [run]]
    if not runs:
        raise UsageError("no run to report on", todo="name the folder of a run, as made by --run")
    shown = [{**contents(run, most), "address": place} for run, place in zip(runs, _addresses(runs), strict=True)]
    name = title or " · ".join(dict.fromkeys(run["name"] for run in shown))
    data = {"version": __version__, "title": name, "charts": CONFIG, "runs": shown, "differences": differences(runs)}
    if about:
        data["about"] = list(about)
    return assemble(name, data)


def _addresses(runs: Sequence[Run]) -> list[str]:
    """What a run is called in links: the name of its folder, with a number where that is taken."""
    taken = {"overview", "differences", "how"}
    addresses = []
    for run in runs:
        name = run.folder.resolve().name
        tries = (name if number == 1 else f"{name}-{number}" for number in count(1))
        addresses.append(next(address for address in tries if address not in taken))
        taken.add(addresses[-1])
    return addresses


def assemble(title: str, data: dict[str, Any]) -> str:
    """The file itself. Data is compressed base64, so nothing in it can end its element or be read as markup.

    What the first screen needs is one block; sentences, which are the bulk, are a block for each run, and the charts'
    own script is another: these are unpacked once the first screen is there.
    """
    runs = [{key: value for key, value in run.items() if key not in _ITEMS} for run in data["runs"]]
    blocks = {"data": _json({**data, "runs": runs})}
    for number, run in enumerate(data["runs"]):
        if run.get("sentences"):
            blocks[f"items-{number}"] = _json({key: run[key] for key in _ITEMS})
    charts = _charts() if any(run.get("figures") for run in data["runs"]) else ""
    return _file(title, blocks, _SCRIPTS, charts)


def assembled(title: str, data: dict[str, Any], scripts: Sequence[str]) -> str:
    """A file of another kind with the same frame and look: its data in one block, drawn by these scripts."""
    return _file(title, {"data": _json(data)}, scripts)


def _file(title: str, blocks: dict[str, bytes], names: Sequence[str], charts: str = "") -> str:
    scripts = ["\n".join(_script(name) for name in names)]
    if charts:
        scripts.append(charts)
        blocks = {**blocks, "charts": charts.encode()}
    # Only these very scripts may run: a script that got into the page by any other way has another hash.
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        "font-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    elements = [_packed(name, block) for name, block in blocks.items()]
    return (
        _asset("page.html")
        .replace("{{policy}}", escape(policy, quote=True))
        .replace("{{title}}", escape(title))
        .replace("{{style}}", _asset("page.css"))
        .replace("{{data}}", elements[0])
        .replace("{{script}}", scripts[0])
        .replace("{{deferred}}", "\n".join(elements[1:]))
    )


def _packed(name: str, block: bytes) -> str:
    """An element that no browser runs or shows."""
    text = base64.b64encode(gzip.compress(block, compresslevel=9, mtime=0)).decode("ascii")
    return f'<script type="application/gzip" id="{name}">{text}</script>'


def _json(data: dict[str, Any]) -> bytes:
    return to_portable_text(data, separators=(",", ":")).encode("utf-8", "surrogatepass")


@cache
def _charts() -> str:
    """Vega-Lite and Vega with all they need, as vl-convert carries them; it takes seconds to bundle them, once."""
    import vl_convert

    converter: Any = vl_convert  # its stubs ask for an argument that it does not need
    key = f"charts of vl-convert {version_of('vl-convert-python')}"
    return ResultCache().get_or_make(key, lambda: converter.javascript_bundle().encode("utf-8")).decode("utf-8")


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _script(name: str) -> str:
    """A script without indentation and lines that only explain: they are for who reads the source."""
    lines = (line.strip() for line in _asset(name).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**", "* ")))


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def add_card_page(folder: Path) -> None:
    """Puts the page of a card into its folder, if it is not there."""
    if not (folder / PAGE).exists():
        run = Run.load(folder)
        run.add_page(card_page(run))


def card_page(run: Run) -> str:
    """One page over all exams of a card."""
    details = run.result().details
    name = str(details["system"])
    return page(run.runs(), title=f"Score card of {short_names([name])[name]}", about=_about(details))


def _about(details: Mapping[str, Any]) -> list[str]:
    kind = " and ".join(details["kind"])
    known = f"{kind}, language {details['language']} ({details['language_known']})"
    exams = details["exams"]
    done = sum(exam["state"] == "done" for exam in exams)
    lines = [f"{known[0].upper()}{known[1:]}. {done} of {len(exams)} exams in {details['minutes']:.1f} minutes."]
    for state, words in (("did not fit", f"Did not fit into {details['budget']:g} minutes"), *_FAILED):
        left = [exam for exam in exams if exam["state"] == state]
        if left:
            lines.append(f"{words}: {listed([_named(exam) for exam in left])}.")
    return lines


def _named(exam: Mapping[str, str]) -> str:
    why = f" ({exam['why']})" if exam["why"] else ""
    return f"{exam['study']} on {exam['source']}{why}"


_FAILED = (("could not be carried out", "Could not be carried out"),)
