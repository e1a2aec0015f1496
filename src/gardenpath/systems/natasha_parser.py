"""`natasha:news`: a Russian parser whose weights come with its wheel; shows that any tool fits."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..errors import unknown_name
from ..runs.signature import signature
from ..treebank.fields import format_feats
from .registry import package_version
from .request import MODES, Request


class NatashaParser:
    """The `news` models of natasha. Its parser sees words alone, so gold tags change the tags, not the trees."""

    modes = MODES

    def __init__(self, argument: str) -> None:
        if argument != "news":
            raise unknown_name("model of natasha", argument, ["news"], where=f"natasha:{argument}")
        self.name = "natasha:news"

    @property
    def signature(self) -> str:
        versions = [(package, package_version(package)) for package in ("natasha", "slovnet", "navec")]
        return signature(("kind", "natasha"), ("model", "news"), *versions)

    @cached_property
    def _tools(self) -> tuple[Any, Any, Any]:
        from natasha import NewsEmbedding, NewsMorphTagger, NewsSyntaxParser, Segmenter

        embedding = NewsEmbedding()
        return Segmenter(), NewsMorphTagger(embedding), NewsSyntaxParser(embedding)

    def parse(self, request: Request) -> str:
        segmenter, tagger, parser = self._tools
        ids = request.tokens.sent_ids if request.mode == "tokens" else []
        sentences = [_tokens(segmenter, text) for text in _texts(segmenter, request)]
        if request.mode == "tokens":
            sentences = [[word.form for word in sentence] for sentence in request.tokens]
        lines: list[str] = []
        for number, (tags, tree) in enumerate(zip(tagger.map(sentences), parser.map(sentences), strict=True)):
            lines += [f"# sent_id = {ids[number]}"] if ids and ids[number] else []
            for at, (tag, edge) in enumerate(zip(tags.tokens, tree.tokens, strict=True), 1):
                feats = format_feats(tag.feats)
                lines.append(f"{at}\t{edge.text}\t_\t{tag.pos}\t_\t{feats}\t{edge.head_id}\t{edge.rel}\t_\t_")
            lines.append("")
        return "\n".join([*lines, ""])


def _texts(segmenter: Any, request: Request) -> list[str]:
    if request.mode == "text":
        return [sentence.text for text in request.texts for sentence in segmenter.sentenize(text)]
    return list(request.texts) if request.mode == "sentences" else []


def _tokens(segmenter: Any, text: str) -> list[str]:
    return [token.text for token in segmenter.tokenize(text)]
