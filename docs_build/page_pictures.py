"""The pictures of the page in the docs, from the page of the demo, and the clicks that its readers need.

    gardenpath demo -o demo
    python docs_build/page_pictures.py demo/report.html docs/images

Needs Playwright, Pillow and Chromium (`GARDENPATH_CHROMIUM` names another program).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

SCREENS = {
    "": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "-dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "-phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


class Reader:
    """Somebody who has the page and nothing else: clicks are counted."""

    def __init__(self, view: Any) -> None:
        self.view, self.clicks = view, 0

    def click(self, selector: str) -> None:
        self.view.locator(selector).first.click()
        self.view.wait_for_timeout(300)
        self.clicks += 1

    def sees(self, selector: str) -> str:
        """The text of what must be on the screen now."""
        place = self.view.locator(selector).first
        box, height = place.bounding_box(), self.view.viewport_size["height"]
        assert box is not None, selector
        assert 0 <= box["y"] < height, f"{selector} is not on the screen: {box}"
        return " ".join(place.inner_text().split())


def better(reader: Reader) -> str:
    """Which parser is better? The last card, and in its study that they are not told apart."""
    reader.click("#overview .card:has(a[href='#evaluation']) .rest a")
    return reader.sees("#evaluation .verdicts li:has-text('No difference between')")


def weakness(reader: Reader) -> str:
    """Where does it fail? The study of roles: its worst cell stands first."""
    reader.click("#overview .card a[href='#roles']")
    return reader.sees("#roles .panel tbody tr")


def sentence(reader: Reader) -> str:
    """Show a sentence: a click on the number of that cell, and one on a sentence."""
    weakness(reader)
    reader.click("#roles td.worst a")
    reader.click("#roles ol.sentences > li > button")
    assert reader.view.locator("#roles ol.sentences .tree").count() >= 2
    return reader.sees("#roles ol.sentences > li > button")


def sureness(reader: Reader) -> str:
    """How sure is that? A mark on each card, and its meaning on the first screen."""
    return reader.sees("#overview > .lead")


QUESTIONS: dict[str, Callable[[Reader], str]] = {
    "which parser is better": better,
    "where does it fail": weakness,
    "show a sentence": sentence,
    "how sure is that": sureness,
}


def save(view: Any, path: Path) -> None:
    """The screen in 256 colours, rare ones among them: half of the bytes, and it looks the same."""
    from PIL import Image

    picture = Image.open(BytesIO(view.screenshot())).convert("RGB")
    picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2).save(path, optimize=True)


def pictures(page: Path, folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("GARDENPATH_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for ending, options in SCREENS.items():
            view = browser.new_context(**options).new_page()
            view.set_default_timeout(60_000)
            view.goto(page.resolve().as_uri())
            view.wait_for_selector("body[data-ready=yes]")
            save(view, folder / f"report-first{ending}.png")
            for question, answered in QUESTIONS.items():
                view.evaluate("location.hash = ''; location.hash = '#overview'; scrollTo(0, 0)")
                reader = Reader(view)
                answer = answered(reader)
                print(f"{ending or '-light':7} {question}: {reader.clicks} clicks: {answer[:150]}")
                if question == "show a sentence":
                    save(view, folder / f"report-sentence{ending}.png")
                elif question == "where does it fail":
                    save(view, folder / f"report-study{ending}.png")
        browser.close()


if __name__ == "__main__":
    pictures(Path(sys.argv[1]), Path(sys.argv[2]))
