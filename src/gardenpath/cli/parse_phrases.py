"""`gardenpath parse` with a phrase parser: trees out, in the format that the file's name says."""

from __future__ import annotations

import time
from pathlib import Path

from ..errors import UsageError, unknown_name
from ..runs.verdict import count_text
from ..runs.where import Where
from .output import check_target, message, output_stream


def parse_phrases(
    system: str, source: str, *, output: Path | None, where: Where, quiet: bool, traces: bool = False, gold: str = ""
) -> None:
    """Words in (phrase trees, CoNLL-U, or one tokenised sentence a line), one tree for each sentence out.

    A sentence without a parse becomes a flat tree below NOPARSE, is counted, and is read as no parse by `trees:`.
    """
    from ..phrase.source import by_suffix, written
    from ..systems.phrase_parsing import parse_trees_with
    from ..systems.registry import phrase_parser
    from ..systems.tree_file import flat_tree

    check_target(output)
    if gold not in ("", "tags"):
        raise unknown_name("gold layer", gold, ("tags",), where="--gold")
    sentences, ids, tags, left_out = _sentences(source, traces)
    if gold and not tags:
        raise UsageError("there are no gold tags in it", where=source, todo="give phrase trees, or leave out --gold")
    begin = time.perf_counter()
    parsed = parse_trees_with(system, sentences, ids=ids, tags=tags if gold else [], where=where)
    seconds = time.perf_counter() - begin
    trees = [
        (flat_tree(words) if tree is None else tree).named(sent_id)
        for tree, words, sent_id in zip(parsed.trees, sentences, ids, strict=True)
    ]
    pieces = written(trees, (by_suffix(output.name) if output else None) or "export")
    with output_stream(output) as stream:
        stream.writelines(piece.encode("utf-8") for piece in pieces)
    words, missing = sum(map(len, sentences)), parsed.trees.count(None)
    if not quiet:
        if left_out:
            message(f"{source}: {count_text(left_out, 'trace')} left out; --traces takes them for words")
        message(f"{len(sentences)} sentence{'s' * (len(sentences) != 1)}, {words} words in {seconds:.1f} s")
    if missing:
        message(f"without a parse: {missing}; each is a flat tree below NOPARSE")
    if not quiet:
        message(f"signature: {phrase_parser(system).signature}")


def _sentences(source: str, traces: bool) -> tuple[list[list[str]], list[str], list[tuple[str, ...]], int]:
    """Words and ids of the sentences of a file: phrase trees by their leaves, CoNLL-U, or tokenised text; tags of
    phrase trees; and how many traces were left out."""
    from ..phrase.sniffing import holds_phrases
    from ..phrase.source import read_spoken
    from ..systems.tokenised import read_stretches
    from ..treebank.source import paths

    if holds_phrases(source):
        trees, left_out = read_spoken(source, traces)
        words, ids = [list(tree.words) for tree in trees], [tree.sent_id for tree in trees]
        return words, ids, [tree.tags for tree in trees], left_out
    sentences = [words for stretch in read_stretches(paths(source)) for words in stretch.sentences()]
    return sentences, [str(number) for number in range(1, len(sentences) + 1)], [], 0
