"""A page in a real browser: no error in the console, no request but for the file itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gardenpath.report.page.page import page
from gardenpath.runs.record.run import Run


@contextmanager
def opened(browser: Any, path: Path, runs: Sequence[Run], width: int = 1200, **options: Any) -> Iterator[Any]:
    """The page of these runs, ready to be looked at."""
    path.write_text(page(runs), encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
    view, said, asked = context.new_page(), list[str](), list[str]()
    view.on("console", lambda message: said.append(message.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.on("request", lambda request: asked.append(request.url))
    view.goto(path.as_uri())
    view.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    yield view
    assert said == [], said
    assert [url for url in asked if not url.startswith(("blob:", "data:"))] == [path.as_uri()], asked
    context.close()


def follow(view: Any, address: str) -> None:
    """Goes to an address of the page, as a link from elsewhere would."""
    view.evaluate("address => { location.hash = ''; location.hash = address; }", address)
    view.wait_for_function("address => document.body.dataset.address === address", arg=address)


def screen_place(view: Any, selector: str) -> tuple[float, float]:
    """Top and bottom of an element on the screen."""
    box = view.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]
