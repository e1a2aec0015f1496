"""What was found in treebanks, as a result: counts of each phenomenon and variant, or a row for each hit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...phrase.tree import PhraseTree
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import signature
from ...runs.verdict import count_text
from .finding import RULES_VERSION
from .items_table import node_text
from .model import PHENOMENA
from .sampling import Found, count


def overview(
    trees: Sequence[PhraseTree],
    hits: Sequence[Found],
    *,
    name: str,
    scheme: str,
    max_length: int = 40,
    punctuation: bool = True,
    items: bool = False,
    settings: Mapping[str, object] | None = None,
    failures: Mapping[str, int] | None = None,
) -> Result:
    """Counts by phenomenon and variant, or with `items` the hits themselves. `settings` go into the signature.

    `failures` are the rows of a list that gave no hit, by why.
    """
    asked = signature(
        ("command", "constructions find"),
        ("scheme", scheme),
        ("rules", RULES_VERSION),
        *(settings or {}).items(),
        ("max_length", max_length),
        ("punctuation", punctuation),
    )
    failures = dict(failures or {})
    if items:
        return Result(asked, _item_findings(trees, hits, name), [_item_table(trees, hits)], failures)
    counts = count(trees, hits, max_length, punctuation)
    rows: list[list[Value]] = []
    findings = []
    for row in counts:
        by: dict[str, Value] = {"phenomenon": row.phenomenon, "variant": row.variant}
        rows.append([row.phenomenon, row.variant, PHENOMENA[row.phenomenon], row.items, row.sentences, row.short])
        for measure, value in (("items", row.items), ("sentences", row.sentences), ("short", row.short)):
            findings.append(Finding("constructions", name, "", measure, value, n=len(trees), by=by))
    columns = ["phenomenon", "variant", "what it is", "items", "sentences", f"up to {max_length} tokens"]
    note = f"{count_text(len(trees), 'tree')}."
    if not punctuation:
        note += " Tokens are counted without punctuation."
    return Result(asked, findings, [Table("Constructions", columns, rows, note=note)], failures)


def _item_table(trees: Sequence[PhraseTree], hits: Sequence[Found]) -> Table:
    rows: list[list[Value]] = []
    for hit in hits:
        construction, tree = hit.construction, trees[hit.tree]
        anchors = " ".join(f"{key}={_shown(tree, token)}" for key, token in construction.anchors)
        kind = "-".join(part for part in (construction.phenomenon, construction.variant) if part)
        node, flags = node_text(tree, construction.node), " ".join(construction.flags)
        rows.append([hit.tree + 1, tree.sent_id, kind, node, anchors, flags])
    return Table("Constructions", ["tree", "sentence", "phenomenon", "node", "anchors", "flags"], rows)


def _item_findings(trees: Sequence[PhraseTree], hits: Sequence[Found], name: str) -> list[Finding]:
    findings = []
    for hit in hits:
        construction, tree = hit.construction, trees[hit.tree]
        by: dict[str, Value] = {
            "tree": hit.tree + 1,
            "sentence": tree.sent_id,
            "phenomenon": construction.phenomenon,
            "variant": construction.variant,
            "anchors": " ".join(f"{key}={_shown(tree, token)}" for key, token in construction.anchors),
            "flags": " ".join(construction.flags),
        }
        node = node_text(tree, construction.node)
        findings.append(Finding("constructions", name, "", "node", node, n=len(tree), by=by))
    return findings


def _shown(tree: PhraseTree, token: int) -> str:
    """An anchor as number and word: `4:Haus`."""
    return f"{token + 1}:{tree.words[token]}" if token >= 0 else "-"
