"""`gardenpath treebank search`: a question to a treebank in the pattern language of Grew."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, OutputOption
from ..output import check_target, emit, write_data


def search(
    treebank: Annotated[str, typer.Argument(help="A CoNLL-U file, a folder or a glob.", metavar="TREEBANK")],
    pattern: Annotated[str, typer.Argument(help="The request, or @FILE that holds it.", metavar="PATTERN")],
    by: Annotated[
        str, typer.Option("--by", help="Count by features of nodes and edges: S.Number,V.Tense or e.label.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", help="Matches to show; 0 for counts alone.", min=0)] = 10,
    conllu: Annotated[bool, typer.Option("--conllu", help="The sentences that have a match, as CoNLL-U.")] = False,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find every place in a treebank that fits a pattern, and count what is there.

    A pattern is written as for Grew: nodes with their features, edges with their labels, and order.

    Example: gardenpath treebank search bundled:de-test "V -[nsubj]-> S; V -[obj]-> O; O << V" --by S.upos

    Example: gardenpath treebank search bundled:de-test "pattern { V [upos=VERB] } without { V -[nsubj]-> S }" --conllu
    """
    from ...errors import UsageError
    from ...treebank.source import read

    check_target(output)
    if conllu and by:
        raise UsageError("--conllu gives sentences, and --by counts", todo="leave out one of the two")
    matches = read(treebank).search(pattern)
    if conllu:
        write_data(matches.treebank.select(matches.sentences).to_bytes() if len(matches) else b"", output)
        return
    from ...treebank.query.report import search_result

    keys = [key.strip() for key in by.split(",") if key.strip()]
    emit(search_result(matches, keys, limit), format, output)
