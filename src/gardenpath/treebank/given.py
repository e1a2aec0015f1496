"""What somebody gives as a treebank: the object, its sentences, or names of files."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from ..errors import UsageError
from .sentence import Sentence
from .source import kind_of_object, paths, read
from .treebank import Treebank, concatenate


def given_treebank(source: Any) -> Treebank:
    """The treebank itself, one of some sentences, what is in the files that are named, or several of these in one.

    >>> whole = given_treebank("bundled:de-test")
    >>> given_treebank([sentence for sentence in whole if len(sentence) == 12])
    <Treebank de_garden-test.conllu: 10 sentences, 120 words>
    """
    if isinstance(source, Treebank):
        return source
    if isinstance(source, Sentence):
        return source.treebank[[source.number]]
    if isinstance(source, str | PathLike):
        return read(source)
    if not isinstance(source, Iterable):
        todo = "give a treebank, sentences of one, or names of files"
        raise UsageError(f"{kind_of_object(source)} is not a treebank", todo=todo)
    parts = list(source)
    sentences = [part for part in parts if isinstance(part, Sentence)]
    if sentences and len(sentences) == len(parts):
        names = list(dict.fromkeys(sentence.treebank.name for sentence in sentences))
        blocks = [sentence.treebank.block(sentence.number) for sentence in sentences]
        return Treebank(b"".join(blocks), name=" + ".join(names))
    if any(map(_is_there, parts)):
        return concatenate([given_treebank(part) for part in parts])
    return read(parts)


def given_files(source: Any) -> list[str]:
    """The files that must be read for it; none of what is there already."""
    if isinstance(source, str | PathLike):
        return paths(source)
    if _is_there(source) or not isinstance(source, Iterable):
        return []
    return [file for part in source for file in given_files(part)]


def given_name(source: Any) -> str:
    """What it is called: the name that is given, or that of the treebank."""
    return str(source) if isinstance(source, str | PathLike) else given_treebank(source).name


def _is_there(source: Any) -> bool:
    return isinstance(source, Treebank | Sentence)
