"""`natasha:news`: a Russian parser whose weights come with its wheel."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...errors import unknown_name
from ...runs.record.signatures import signature
from ...treebank.format.fields import format_feats
from ..asking.protocol import Habits
from ..asking.registry import package_version
from ..asking.request import MODES, Request


class NatashaParser:
    """The `news` models of natasha. Its parser sees words alone, so gold tags change the tags, not the trees."""

    modes, habits = MODES, Habits(repeatable=True)
    name = "natasha:news"

    def __init__(self, argument: str) -> None:
        if argument != "news":
            raise unknown_name("model of natasha", argument, ["news"], where=f"natasha:{argument}")

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
        if request.mode == "tokens":
            sentences = [[word.form for word in sentence] for sentence in request.tokens]
            ids = request.tokens.sent_ids
        else:
            texts = list(request.texts)
            if request.mode == "text":
                texts = [sentence.text for text in texts for sentence in segmenter.sentenize(text)]
            sentences = [[token.text for token in segmenter.tokenize(text)] for text in texts]
            ids = [""] * len(texts)
        lines: list[str] = []
        for sent_id, tags, tree in zip(ids, tagger.map(sentences), parser.map(sentences), strict=True):
            lines += [f"# sent_id = {sent_id}"] if sent_id else []
            for at, (tag, edge) in enumerate(zip(tags.tokens, tree.tokens, strict=True), 1):
                feats = format_feats(tag.feats)
                lines.append(f"{at}\t{edge.text}\t_\t{tag.pos}\t_\t{feats}\t{edge.head_id}\t{edge.rel}\t_\t_")
            lines.append("")
        return "\n".join([*lines, ""])
