"""The command parse, with dependency parsers and with phrase parsers."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import GardenpathError, UsageError, unknown_name
from ..runs.result.verdict import count_text
from ..runs.work.where import HERE, Where
from ..studies.engine.declaration import ANY_LANGUAGE, GOLD_LAYERS
from .options import OutputOption, QuietOption
from .output import check_target, message, output_stream
from .settings import Rare

if TYPE_CHECKING:
    from ..phrase.tree import PhraseTree
    from ..systems.asking.matching import ParseResult
    from ..systems.bridges.bridge import LabelBridge


def parse(
    system: Annotated[
        str,
        typer.Argument(metavar="SYSTEM", help="A system by name, such as udpipe:MODEL; gardenpath systems lists them."),
    ],
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="CoNLL-U or plain text: a file, a folder, a glob or -; for a phrase parser also phrase trees, or one "
            "tokenised sentence a line.",
        ),
    ],
    output: OutputOption = None,
    input: Annotated[
        str | None,
        typer.Option(help="Parser input: tokens (default for CoNLL-U), sentences (one per line) or text."),
    ] = None,
    gold: Annotated[str, typer.Option(help=GOLD_LAYERS)] = "",
    traces: Annotated[
        bool, Rare("Phrase trees: traces of Penn Treebank files (-NONE-) count as words; else they go.")
    ] = False,
    any_language: Annotated[bool, Rare(ANY_LANGUAGE)] = False,
    where: Where = HERE,
    quiet: QuietOption = False,
) -> None:
    """Parse a treebank or text: CoNLL-U out, every sentence in its place, failures marked and counted.

    A phrase parser (pcfg, chart, rnng, plm) writes phrase trees: NEGRA export, or what the ending of --output says.

    Example: gardenpath parse udpipe:de.udpipe test.conllu -o parsed.conllu --gold tags,feats --jobs 2

    Example: gardenpath parse pcfg:de.npz test.export -o parsed.export

    Example: gardenpath parse "command:./parser --fast" test.conllu -o parsed.conllu --set work.time_limit=60
    """
    from ..errors import UsageError
    from ..systems.asking.protocol import PARSER, PHRASE_PARSER
    from ..systems.asking.registry import kind_of
    from ..systems.asking.registry import system as named_system
    from ..systems.files.text_input import read_blocks
    from ..systems.parsers.parsing import parse_blocks

    roles = kind_of(system)[0].roles
    if PHRASE_PARSER in roles and PARSER not in roles:
        given = {"--input": input, "--set any_language": any_language}
        if unfit := [name for name, value in given.items() if value]:
            raise UsageError(f"{', '.join(unfit)} is not for phrase parsers", where=system, todo="leave it out")
        parse_phrases(system, source, output=output, where=where, quiet=quiet, traces=traces, gold=gold)
        return
    if traces:
        raise UsageError("--set traces is for phrase parsers", where=system, todo="leave it out")
    check_target(output)
    parser = named_system(system)
    done = Tally(getattr(parser, "bridge", None))
    begin = time.perf_counter()
    with output_stream(output) as stream:
        blocks = read_blocks(source, input)
        anyway = any_language or None
        for result in parse_blocks(parser, blocks, gold=gold, any_language=anyway, tell=message, where=where):
            stream.write(result.treebank.to_bytes())
            done.add(result)
    for line in done.lines(time.perf_counter() - begin):
        if not quiet or line.startswith("failures: "):
            message(line)


@dataclass
class Tally:
    """How it went, over all blocks, for the person who waits."""

    bridge: LabelBridge | None = None
    unbridged: Counter[str] = field(default_factory=Counter)
    sentences: int = 0
    words: int = 0
    seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    counts: Counter[str] = field(default_factory=Counter)
    signature: str = ""

    def add(self, result: ParseResult) -> None:
        self.sentences += len(result.treebank)
        self.words += result.treebank.word_count
        self.seconds += result.seconds
        self.failures.update(result.failures)
        self.counts.update(result.counts)
        if self.bridge:
            from ..systems.bridges.bridge import without_counterpart

            self.unbridged.update(without_counterpart(result.treebank))
        self.notes, self.signature = result.notes, result.signature

    def lines(self, took: float) -> list[str]:
        from ..systems.asking.matching import counts_text

        speed = self.words / self.seconds if self.seconds else 0.0
        lines = [
            f"{self.sentences} sentence{'s' * (self.sentences != 1)}, {self.words} word{'s' * (self.words != 1)} in "
            f"{took:.1f} s; the parser itself took {self.seconds:.1f} s ({speed:.0f} words/s)",
            *(note for note in self.notes if not note.startswith("warning: ")),  # these were told at the start
            *([counts_text(self.counts)] if self.counts else []),
        ]
        if self.bridge:
            from ..systems.bridges.bridge import note_on

            lines.append(note_on(self.bridge, self.unbridged, self.words))
        marked = [f"{kind} {count}" for kind, count in sorted(self.failures.items()) if kind != "surplus"]
        failures = [", ".join(marked) + " (marked by # gardenpath_failure)"] if marked else []
        if surplus := self.failures["surplus"]:
            failures.append(f"surplus {surplus} (left out)")
        return [*lines, *(["failures: " + "; ".join(failures)] if failures else []), f"signature: {self.signature}"]


def parse_phrases(
    system: str, source: str, *, output: Path | None, where: Where, quiet: bool, traces: bool = False, gold: str = ""
) -> None:
    """Words in (phrase trees, CoNLL-U, or one tokenised sentence a line), one tree for each sentence out.

    A sentence without a parse becomes a flat tree below NOPARSE, is counted, and is read as no parse by `trees:`.
    """
    from ..phrase.formats.source import by_suffix, written
    from ..systems.asking.registry import phrase_parser
    from ..systems.files.tree_file import flat_tree
    from ..systems.parsers.phrase_parsing import parse_trees_with

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
    format = (by_suffix(output.name) if output else None) or "export"
    trees, refusals = _writable(trees, format)
    pieces = list(written(trees, format))
    with output_stream(output) as stream:
        stream.writelines(piece.encode("utf-8") for piece in pieces)
    words, missing = sum(map(len, sentences)), parsed.trees.count(None)
    if not quiet:
        if left_out:
            message(f"{source}: {count_text(left_out, 'trace')} left out; --set traces=yes takes them for words")
        message(f"{len(sentences)} sentence{'s' * (len(sentences) != 1)}, {words} words in {seconds:.1f} s")
    if missing:
        message(f"without a parse: {missing}; each is a flat tree below NOPARSE")
    if refusals:
        message(f"failures: {count_text(len(refusals), 'tree')} that {format} cannot hold, each flat below NOPARSE")
        message(f"the first: {refusals[0]}")
    if not quiet:
        message(f"signature: {phrase_parser(system).signature}")


def _writable(trees: list[PhraseTree], format: str) -> tuple[list[PhraseTree], list[GardenpathError]]:
    """Return the trees, flat where the format cannot hold them, such as brackets a gap; and its refusals."""
    from ..phrase.formats.source import written
    from ..systems.files.tree_file import flat_tree

    kept, refusals = [], list[GardenpathError]()
    for tree in trees:
        try:
            "".join(written([tree], format))
            kept.append(tree)
        except GardenpathError as refusal:
            refusals.append(refusal)
            kept.append(flat_tree(tree.words).named(tree.sent_id))
    return kept, refusals


def _sentences(source: str, traces: bool) -> tuple[list[list[str]], list[str], list[tuple[str, ...]], int]:
    """Words and ids of the sentences of a file: phrase trees by their leaves, CoNLL-U, or tokenised text; tags of
    phrase trees; and how many traces were left out."""
    from ..phrase.formats.sniffing import holds_phrases
    from ..phrase.formats.source import read_spoken
    from ..systems.files.text_input import read_stretches
    from ..treebank.format.reading import paths

    if holds_phrases(source):
        trees, left_out = read_spoken(source, traces)
        words, ids = [list(tree.words) for tree in trees], [tree.sent_id for tree in trees]
        return words, ids, [tree.tags for tree in trees], left_out
    sentences = [words for stretch in read_stretches(paths(source)) for words in stretch.sentences()]
    return sentences, [str(number) for number in range(1, len(sentences) + 1)], [], 0
