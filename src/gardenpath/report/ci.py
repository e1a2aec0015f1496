"""Checks in the formats of continuous integrations: JUnit XML, SARIF 2.1.0, and GitHub's workflow commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from xml.etree import ElementTree

from .._text import one_line
from .._version import __version__
from ..errors import unknown_name
from ..runs.result.encoding import steady, to_text
from ..runs.result.result import CheckCase

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render_cases(cases: Sequence[CheckCase], format: str) -> str:
    """All cases as one of `CI_FORMATS`; those that pass are in JUnit's alone, where they are counted."""
    if format not in CI_FORMATS:
        raise unknown_name("format", format, CI_FORMATS)
    return CI_FORMATS[format](cases)


def _junit(cases: Sequence[CheckCase]) -> str:
    """A test case each, by rule; what does not fail the check is its output."""
    failed = str(sum(case.failed for case in cases))
    root = ElementTree.Element("testsuites", name="gardenpath", tests=str(len(cases)), failures=failed)
    for rule in dict.fromkeys(case.rule for case in cases):
        own = [case for case in cases if case.rule == rule]
        count = str(sum(case.failed for case in own))
        suite = ElementTree.SubElement(
            root, "testsuite", name=f"gardenpath.{rule}", tests=str(len(own)), failures=count
        )
        for case in own:
            place = {"classname": f"gardenpath.{rule}", "name": _printable(case.name), "file": _printable(case.path)}
            test = ElementTree.SubElement(suite, "testcase", place)
            text = _printable(case.message)
            if case.failed:
                ElementTree.SubElement(test, "failure", message=text.partition("\n")[0], type=rule).text = text
            elif case.level != "pass":
                ElementTree.SubElement(test, "system-out").text = f"{case.level}: {text}"
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _sarif(cases: Sequence[CheckCase]) -> str:
    listed = [case for case in cases if case.level != "pass"]
    rules = list(dict.fromkeys(case.rule for case in listed))
    driver = {"name": "gardenpath", "version": __version__, "rules": [{"id": rule} for rule in rules]}
    results = [
        {
            "ruleId": case.rule,
            "ruleIndex": rules.index(case.rule),
            "level": case.level,
            "message": {"text": case.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": PurePath(case.path).as_posix()},
                        "region": {"startLine": max(1, case.line)},
                    }
                }
            ],
        }
        for case in listed
    ]
    log = {"$schema": _SARIF, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return steady(to_text(log, indent=1)) + "\n"


def _github(cases: Sequence[CheckCase]) -> str:
    """`::error file=…,line=…,title=…::message`; what GitHub would read as its own is escaped."""
    lines = [
        f"::{_COMMANDS[case.level]} file={_property(case.path)},line={max(1, case.line)},"
        f"title={_property(case.rule)}::{_data(case.message)}\n"
        for case in cases
        if case.level != "pass"
    ]
    return "".join(lines)


def _data(text: str) -> str:
    return one_line(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _printable(text: str) -> str:
    """XML 1.0 has no control characters but tab and line breaks, and no lone surrogates."""
    return "".join(char if char in "\t\n" or char.isprintable() else repr(char)[1:-1] for char in text)


CI_FORMATS: dict[str, Callable[[Sequence[CheckCase]], str]] = {"junit": _junit, "sarif": _sarif, "github": _github}
