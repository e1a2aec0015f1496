"""`gardenpath treebank search`: a question to dependency or phrase trees in the pattern language of Grew."""

from __future__ import annotations

from typing import Annotated

import typer

from ...phrase.schemes.registry import LISTED
from ...studies.settings import parts_of
from ..options import Format, FormatOption, OutputOption
from ..output import check_target, emit, write_data


def search(
    treebank: Annotated[
        str, typer.Argument(help="A CoNLL-U file or one of phrase trees, a folder or a glob.", metavar="TREEBANK")
    ],
    pattern: Annotated[str, typer.Argument(help="The request, or @FILE that holds it.", metavar="PATTERN")],
    by: Annotated[
        str, typer.Option("--by", help="Count by features of nodes and edges: S.Number,V.Tense or e.label.")
    ] = "",
    limit: Annotated[int, typer.Option("--limit", help="Matches to show; 0 for counts alone.", min=0)] = 10,
    conllu: Annotated[bool, typer.Option("--conllu", help="The sentences that have a match, as CoNLL-U.")] = False,
    to: Annotated[
        str | None, typer.Option("--to", help="The phrase trees that have a match, in this format, such as export.")
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option("--scheme", help=f"Of phrase trees, for their heads and the like: {LISTED}; else what they show."),
    ] = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Find every place in a treebank that fits a pattern, and count what is there.

    A pattern is written as for Grew: nodes with their features, edges with their labels, and order. In phrase trees
    X -> Y is a mother and her daughter, with the function as the label, and X ->> Y any node inside of X.

    Example: gardenpath treebank search bundled:de-test "V -[nsubj]-> S; V -[obj]-> O; O << V" --by S.upos

    Example: gardenpath treebank search bundled:de-test "pattern { V [upos=VERB] } without { V -[nsubj]-> S }" --conllu

    Example: gardenpath treebank search trees.export "S [cat=S]; S -[OA]-> O; S -[SB]-> X; O << X" --by O.cat

    Example: gardenpath treebank search trees.export "C [cat=S, order=vl]; V = verb(C)" --scheme tiger --by V.form
    """
    from ...errors import UsageError
    from ...library.tools import search as matches_in
    from ...phrase.query import PhraseNodes
    from ...treebank.query.report import search_result

    check_target(output)
    trees_wanted = "--conllu" if conllu else "--to" if to is not None else ""
    if trees_wanted and by:
        raise UsageError(f"{trees_wanted} gives sentences, and --by counts", todo="leave out one of the two")
    matches = matches_in(treebank, pattern, scheme)
    nodes = matches.nodes
    if isinstance(nodes, PhraseNodes):
        if conllu:
            raise UsageError("phrase trees are not CoNLL-U", where="--conllu", todo="take --to with their format")
        if to is not None:
            from ...phrase.source import written

            chosen = [nodes.trees[number] for number in matches.sentences.tolist()]
            write_data("".join(written(chosen, to)).encode(), output)
            return
    elif to is not None:
        raise UsageError("--to is for phrase trees", where=treebank, todo="take --conllu")
    elif conllu:
        write_data(nodes.trees.select(matches.sentences).to_bytes() if len(matches) else b"", output)
        return
    emit(search_result(matches, parts_of(by), limit), format, output)
