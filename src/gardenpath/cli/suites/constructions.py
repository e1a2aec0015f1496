"""`gardenpath suites generate constructions`: a treebank in three annotations, and its constructions as a suite."""

from __future__ import annotations

from pathlib import Path

from ..output import message


def mix_of(text: str) -> dict[str, float]:
    """`plain=4,erc=1` as shares."""
    from ...errors import UsageError

    shares: dict[str, float] = {}
    for part in text.split(","):
        name, equals, share = (one.strip() for one in part.partition("="))
        try:
            shares[name] = float(share) if equals else 1.0
        except ValueError:
            raise UsageError(f"{share!r} is not a share", where="--mix", todo="write plain=4,erc=1") from None
    return shares


def generate_treebank(size: int, seed: int, mix: str, output: Path | None) -> None:
    """Writes the folder: tiger.export, tuebadz.export, ud.conllu, and the suite in `tiger`, `tuebadz` and `ud`."""
    from ...errors import UsageError
    from ...phrase.schemes.registry import scheme as known_scheme
    from ...phrase.source import write
    from ...runs.atomic import writable_target, write_text
    from ...runs.verdict import count_text
    from ...suites.constructions.storage import check_target, write_constructions
    from ...suites.generate.constructions.treebank import MIX, REALISED, generate

    if output is None:
        raise UsageError("a treebank in three annotations needs a folder", todo="name it: -o FOLDER")
    if output.exists() and not output.is_dir():
        raise UsageError("this is a file", where=str(output), todo="name a folder")
    for scheme in REALISED:
        check_target(output / scheme)
    made = generate(size, seed, mix_of(mix) if mix else MIX)
    output.mkdir(parents=True, exist_ok=True)
    writable_target(output / "ud.conllu")
    for suite in made.suites:
        if not known_scheme(suite.scheme).arcs:
            write(made.trees(suite.scheme), output / f"{suite.scheme}.export", "export")
        if suite.items:
            write_constructions(suite, output / suite.scheme)
    write_text(output / "ud.conllu", made.conllu)
    counts = ", ".join(f"{count:,} {name}" for name, count in made.counts.items())
    message(f"{count_text(len(made.sentences), 'sentence')}: {counts}")
