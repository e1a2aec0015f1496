"""`gardenpath treebank overlap`: what of a test set a parser has seen in training."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, NearOption, OutputOption
from ..output import check_target, emit


def overlap(
    train: Annotated[str, typer.Argument(help="What was trained on: a CoNLL-U file, a folder or a glob.")],
    test: Annotated[str, typer.Argument(help="What is tested on.")],
    near: NearOption = 0.6,
    limit: Annotated[int, typer.Option("--limit", help="How many examples to show (10).", min=0)] = 10,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find the sentences and documents of a test set that are in the training data, word for word or nearly.

    Example: gardenpath treebank overlap en_ewt-ud-train.conllu en_ewt-ud-test.conllu

    Example: gardenpath treebank overlap bundled:de-train bundled:de-test --near 0.5
    """
    from ...treebank.overlap import overlap as common
    from ...treebank.overlap_report import overlap_result
    from ...treebank.source import read

    check_target(output)
    emit(overlap_result(common(read(train), read(test), near or None), near or None, limit), format, output)
