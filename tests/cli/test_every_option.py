"""Every option of every command acts or is refused: one table, checked against the program itself.

An option changes what comes out, writes a file, changes the exit code or the place of work, or is refused with a
message where it means nothing. Signatures do not count: an option that only enters these is ignored. `@` stands
for the folder of small files that `garden` makes.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gardenpath.cli.main import main
from gardenpath.systems.asking.registry import kinds

KINDS = kinds()

# ---- what an option may do


@dataclass(frozen=True)
class Differs:
    """Other output (on standard output, or in files) than that of the base call."""

    given: str
    base: str | None = None
    """Where the base call of the command cannot show it."""


@dataclass(frozen=True)
class Writes:
    """A file that is not there without it."""

    given: str
    path: str
    base: str | None = None


@dataclass(frozen=True)
class Exits:
    """Another exit code than the base call's."""

    given: str
    code: int
    base: str | None = None


@dataclass(frozen=True)
class Refused:
    """Exit 2 with a message that has these words, and nothing on standard output."""

    given: str
    words: str
    base: str | None = None


@dataclass(frozen=True)
class Workers:
    """The work is given to other workers, and the output is the same."""

    given: str = "--jobs 2"
    base: str | None = None


@dataclass(frozen=True)
class Uncached:
    """The base call leaves answers in the cache; with the option there is none."""

    given: str = "--no-cache"
    base: str | None = None


@dataclass(frozen=True)
class Silent:
    """The same output, and nothing on standard error."""

    given: str = "--quiet"
    base: str | None = None


Effect = Differs | Writes | Exits | Refused | Workers | Uncached | Silent


@dataclass(frozen=True)
class Command:
    """A quick call, and for each option one or more effects."""

    base: str
    options: dict[str, Effect | tuple[Effect, ...]]
    before: str = ""
    """A folder of `garden` that lies in the working folder before the call."""
    code: int = 0
    """The exit code of the base call."""


FORMAT = {"--format": Differs("--format json")}
OUTPUT = {"--output": Writes("--output out.txt", "out.txt")}
RESULT: dict[str, Effect | tuple[Effect, ...]] = {**FORMAT, **OUTPUT}
KEPT: dict[str, Effect | tuple[Effect, ...]] = {
    **RESULT,
    "--run": Writes("--run run", "run/report.html"),
    "--figures": Writes("--figures figures", "figures"),
    "--quiet": Silent(),
}
CLUSTER = Refused("--cluster nowhere", "nowhere")
TIME, MEMORY = Refused("--time-limit 0", "is not a time limit"), Refused("--memory-limit 0", "is not a memory limit")
PLACE: dict[str, Effect | tuple[Effect, ...]] = {
    "--jobs": Workers(), "--cluster": CLUSTER, "--no-cache": Uncached(), "--time-limit": TIME,
    "--memory-limit": MEMORY,
}  # fmt: skip
STUDY = {**PLACE, **KEPT}

REMEDIES = "@de_train.conllu @de_gold-test.conllu --parser counted"
COLLECTION = "@collection --draws 0 --subsamples 12"
FILES = "@de_gold-test.conllu @a.conllu"
ASKED = "@de_gold-test.conllu asked:x"
PHRASES = "@gold.export trees:@parsed.export"
NO_EXAMPLES = "--limit says how many examples to show"
NOTHING_RANDOM = "nothing is drawn"
OF_A_FILE = "is for parsers that are asked"
UNKNOWN = "unknown grouping"
STRICT = "are none that gold knows"
PATHS = "@paths.json conllu:@paths.conllu"
ITEMS = "--independent --by none"
OWN_VALUES = "--match [A-Z].* --values @values.txt --sentences 2"

CASES: dict[str, Command] = {
    "demo": Command(
        "-o demo --jobs 1",
        {
            "--output": Writes("-o other", "other/report.html"),
            "--seed": Differs("--seed 1"),
            "--jobs": Workers("--jobs 2"),
            "--model": Refused("--model nosuch:x", "unknown kind of system 'nosuch'"),
            **FORMAT,
        },
        before="demo",
    ),
    "train": Command(
        "ngram @train.txt -o model.npz",
        {
            "--output": Writes("-o other.npz", "other.npz"),
            "--dev": Differs("--dev @text.txt"),
            "--preset": (
                Refused("--preset tiny", "ngram has no presets"),
                Differs("--preset tiny", "pcfg @gold.export -o model.npz"),
            ),
            "--seed": (
                Refused("--seed 1", "ngram has no seed"),
                Refused("--seed 1", "no seed", "pcfg @gold.export -o m"),
            ),
            "--seeds": Refused("--seeds 2", "trained one at a time"),
            "--resume": Refused("--no-resume", "ngram"),
            "--keep-checkpoints": (
                Refused("--keep-checkpoints 3", "keep"),
                Refused("--keep-checkpoints 2,x", "not a step", "lstm @train.txt -o m --preset tiny --option epochs=1"),
            ),
            "--transition": Refused("--transition swap", "transition"),
            "--gold-tags": Refused("--gold-tags", "gold_tags"),
            "--order": (Differs("--order 2"), Refused("--order 2", "order", "pcfg @gold.export -o m")),
            "--vocabulary": Differs("--vocabulary 20"),
            "--prune": Differs("--prune 0,0,1"),
            "--memory": (
                Refused("--memory 12", "is not an amount of memory"),
                Refused("--memory 1G", "memory", "pcfg @gold.export -o m"),
            ),
            "--jobs": Refused("--jobs 2", "one model is trained in one process"),
            "--scheme": (
                Differs("--scheme tiger", "pcfg @gold.export -o model.npz"),
                Refused("--scheme tiger", "scheme"),
            ),
            "--option": Differs("--option order=2"),
            "--quiet": Silent(),
        },
    ),
    "parse": Command(
        "asked:x @de_gold-test.conllu",
        {
            **OUTPUT,
            "--mode": (
                Differs("--mode text", "udpipe:@de.udpipe @text.txt --mode sentences"),
                Refused("--mode text", "not for phrase parsers", "pcfg:@pcfg.npz @gold.export"),
            ),
            "--gold": (
                Exits("--gold tags", 0, "baseline:nearest-head @de_gold-test.conllu"),
                Refused("--gold feats", "unknown gold layer", "pcfg:@pcfg.npz @gold.export"),
            ),
            "--traces": (
                Differs("--traces", "pcfg:@pcfg.npz @traces.mrg"),
                Refused("--traces", "--traces is for phrase parsers"),
            ),
            **PLACE,
            "--any-language": (
                Differs("--any-language", "udpipe:@de.udpipe @zh_gold-test.conllu"),
                Refused("--any-language", "not for phrase parsers", "pcfg:@pcfg.npz @gold.export"),
            ),
            "--quiet": (Silent(), Silent(base="pcfg:@pcfg.npz @gold.export")),
        },
    ),
    "score": Command(
        "ngram:@ngram.npz @text.txt",
        {
            **OUTPUT,
            "--summary": Differs("--summary"),
            "--format": (
                Differs("--format json", "ngram:@ngram.npz @text.txt --summary"),
                Refused("--format json", "surprisals are tab-separated"),
            ),
            **PLACE,
            "--quiet": Silent(),
        },
    ),
    "evaluate": Command(
        ASKED,
        {
            "--gold": (
                Differs("--gold tags"),
                Refused("--gold tags", OF_A_FILE, FILES),
                Refused("--gold tags", "cannot be given tags", PHRASES),
            ),
            "--traces": (
                Differs("--traces", "@traces.mrg trees:@traces.mrg --parameters all"),
                Refused("--traces", "not for dependency trees"),
            ),
            "--any-language": (
                Differs("--any-language", "@zh_gold-test.conllu udpipe:@de.udpipe"),
                Refused("--any-language", OF_A_FILE, FILES),
            ),
            "--strict": (
                Refused("--strict", STRICT, "@roles.conllu @tiger.conllu"),
                Refused("--strict", "not for phrase trees", PHRASES),
            ),
            "--baseline": Differs("--baseline @b.conllu", f"{FILES} @b.conllu"),
            "--by": (Differs("--by label"), Refused("--by nothing", UNKNOWN), Differs("--by label", PHRASES)),
            "--where": (
                Differs("--where bundled:ud-phenomena"),
                Refused("--where bundled:ud-phenomena", "not for phrase trees", PHRASES),
            ),
            "--examples": Differs("--examples nsubj"),
            "--limit": (Differs("--limit 1", f"{ASKED} --examples nsubj"), Refused("--limit 3", NO_EXAMPLES)),
            "--mode": (
                Differs("--mode text"),
                Refused("--mode text", OF_A_FILE, FILES),
            ),
            "--scheme": (Differs("--scheme tiger", PHRASES), Refused("--scheme tiger", "not for dependency trees")),
            "--parameters": (
                Differs("--parameters collins", PHRASES),
                Refused("--parameters all", "not for dependency trees"),
            ),
            "--form": (Differs("--form raised-longest", PHRASES), Refused("--form split", "not for dependency trees")),
            "--max-length": (
                Differs("--max-length 16", PHRASES),
                Refused("--max-length 9", "not for dependency trees"),
            ),
            "--independent": (
                Differs("--independent", "@documents.conllu baseline:right-branching"),
                Refused("--independent", "not for phrase trees", PHRASES),
            ),
            "--fail-under": Exits("--fail-under 99", 1),
            **STUDY,
            "--figures": Writes("--figures figures", "figures", f"{ASKED} --by length"),
        },
    ),
    "roles": Command(
        "@roles.conllu asked:x",
        {
            "--gold": Exits("--gold tags", 0, "@roles.conllu baseline:nearest-head"),
            "--any-language": Refused("--any-language", OF_A_FILE, "@roles.conllu @roles-parsed.conllu"),
            "--strict": Refused("--strict", STRICT, "@roles.conllu @tiger.conllu"),
            "--equal": Differs("--equal SB=nsubj,OA=obj", "@roles.conllu @tiger.conllu"),
            "--baseline": (
                Differs("--baseline baseline:subject-first"),
                Refused("--baseline baseline:subject-first", "not for treebanks", "--treebank @de_gold-test.conllu"),
            ),
            "--by": (Differs("--by pairs"), Differs("--by length"), Refused("--by nothing", UNKNOWN)),
            "--examples": (
                Differs("--examples wrong"),
                Differs("--examples SVO", "--treebank @de_gold-test.conllu"),
            ),
            "--limit": (
                Differs("--limit 1", "@roles.conllu asked:x --examples wrong"),
                Refused("--limit 3", NO_EXAMPLES),
            ),
            "--positions": (
                Differs("--positions 0", "@roles.tsv baseline:subject-first --examples right"),
                Refused("--positions 1", "only a TSV has positions"),
            ),
            "--release": Differs("--release 2020", "@old.tsv baseline:right-branching"),
            "--treebank": Differs("--treebank @de_gold-test.conllu", "@a.conllu @b.conllu"),
            "--verb": (
                Differs("--verb main", "--treebank @de_gold-test.conllu"),
                Refused("--verb main", "not for suites"),
            ),
            "--datives": (
                Differs("--datives no", "--treebank @de_gold-test.conllu"),
                Refused("--datives no", "not for suites"),
            ),
            "--independent": Differs("--independent"),
            "--fail-under": Exits("--fail-under 99", 1),
            **STUDY,
        },
    ),
    "joint": Command(
        "@paths.json asked:x ngram:@ngram.npz",
        {
            "--any-language": Refused("--any-language", OF_A_FILE, f"{PATHS} ngram:@ngram.npz"),
            "--strict": Refused("--strict", STRICT, f"{PATHS} ngram:@ngram.npz"),
            "--by": (Differs("--by item"), Differs("--by length"), Refused("--by nothing", UNKNOWN)),
            "--mode": (
                Differs("--mode sentences"),
                Refused("--mode sentences", OF_A_FILE, f"{PATHS} ngram:@ngram.npz"),
            ),
            "--border": Differs("--border end", "@border.json asked:x surprisals:@border.txt"),
            "--independent": Differs("--independent"),
            **STUDY,
        },
    ),
    "judge": Command(
        "@pairs.tsv asked:x",
        {
            "--templates": Differs("--templates better"),
            "--by": (Differs("--by all"), Differs("--by length"), Refused("--by nothing", UNKNOWN)),
            "--independent": Differs("--independent"),
            "--fail-under": Exits("--fail-under 99", 1),
            **STUDY,
        },
    ),
    "logs": Command(
        "@logs",
        {
            "--metric": (Differs("--metric half"), Refused("--metric nosuch", "unknown metric")),
            "--fail-under": Exits("--fail-under 99", 1),
            **KEPT,
        },
    ),
    "surprisal": Command(
        "@suites ngram:@ngram.npz",
        {
            "--by": (Differs("--by prediction"), Differs("--by length"), Refused("--by nothing", UNKNOWN)),
            "--score": (
                Differs("--score target", "@targets.csv ngram:@ngram.npz"),
                Refused("--score target", "names the targets"),
            ),
            "--layout": Differs("--layout class=genre", "@targets.csv ngram:@ngram.npz"),
            "--ties": Differs("--ties strict"),
            "--metric": Differs("--metric mean", "@suites ngram:@ngram.npz --tokens characters --by all"),
            "--tokens": Differs("--tokens characters"),
            "--border": Differs("--border end", "@border.json surprisals:@border.txt"),
            "--examples": (Differs("--examples wrong"), Refused("--examples odd", "unknown kind of item")),
            "--limit": (
                Differs("--limit 1", "@suites ngram:@ngram.npz --examples wrong"),
                Refused("--limit 1", NO_EXAMPLES),
            ),
            "--words": Refused("--words asked", "read every word"),  # what it does: tests/systems/hf/test_hf_trie.py
            "--threshold": (
                Differs("--threshold 10", "@suites ngram:@order-{1,3}.npz"),
                Refused("--threshold 10", "there are no checkpoints"),
            ),
            "--seed": (
                Differs("--seed 1", "@suites ngram:@unigram.npz --ties coin"),
                Refused("--seed 1", NOTHING_RANDOM),
            ),
            "--independent": Differs("--independent", "bundled:en-surprisal ngram:@ngram.npz"),
            "--fail-under": Exits("--fail-under 99", 1),
            **STUDY,
        },
    ),
    "reproduce": Command(
        "tepacoc",
        {
            "--table": (Differs("--table 'Table 1'"), Refused("--table 'Table 3'", "unknown table")),
            "--verdict": (Differs("--verdict recomputed"), Refused("--verdict equal", "unknown verdict")),
            "--tiger": Refused("--tiger @gold.export", "name both --tiger and --tueba"),
            "--tueba": Refused("--tueba @gold.export", "name both --tiger and --tueba"),
            "--list": Refused("--list @tepacoc.txt", "name both --tiger and --tueba"),
            "--fail-on-difference": Exits("--fail-on-difference", 1),
            **RESULT,
        },
    ),
    "plan": Command(
        "plan --grid @grid.toml",
        {
            "--grid": Exits("--grid @grid.toml", 0, "plan"),
            "--slurm": Writes("--slurm 2", "plan/slurm.sh"),
            "--kubernetes": Writes("--kubernetes 2", "plan/kubernetes.yaml"),
        },
    ),
    "run": Command(
        "plan",
        {
            "--shard": (Differs("--shard 2/2"), Refused("--shard 3/2", "is not a shard")),
            "--jobs": Workers(),
            "--quiet": Silent(),
        },
        before="planned",
    ),
    "collect": Command("plan", {"--resume": Exits("--resume", 0), **RESULT}, before="planned", code=1),
    "compare": Command(
        "@run-a @run-b",
        {
            "--by": Differs("--by upos"),
            "--power": Differs("--power 0.95"),
            "--independent": Differs("--independent", "@run-d"),
            "--fail-if": Exits("--fail-if worse", 1, f"@run-g @run-a {ITEMS}"),
            "--margin": (
                Exits("--margin 90", 0, f"@run-g @run-a {ITEMS} --fail-if worse"),
                Refused("--margin 2", "--margin goes with --fail-if"),
            ),
            **RESULT,
        },
    ),
    "check": Command(
        "@run-a --min evaluation.las>=1",
        {
            "--min": Exits("--min evaluation.las>=100", 1),
            "--against": (Differs("--against @run-b"), Exits(f"--against @run-g {ITEMS}", 1)),
            "--margin": (
                Differs("--margin 2", "@run-a --against @run-b"),
                Refused("--margin 2", "go with --against"),
            ),
            "--by": (Differs("--by upos", "@run-a --against @run-b"), Refused("--by upos", "go with --against")),
            "--measure": (
                Differs("--measure uas", "@run-a --against @run-b"),
                Refused("--measure uas", "go with --against"),
            ),
            "--independent": (
                Exits("--independent", 1, "@run-a --against @run-g"),
                Refused("--independent", "go with --against"),
            ),
            **RESULT,
        },
    ),
    "verify": Command(
        "@run-a",
        RESULT,
    ),
    "show": Command(
        "@de_gold-test.conllu",
        {
            "--sentence": Differs("--sentence 3"),
            "--diff": (
                Differs("--diff @a.conllu"),
                Differs("--diff @a.conllu", "@de_gold-test.conllu -s 3"),
                Refused("--diff @a.conllu", "two analyses", "@de_gold-test.conllu -s 3 -f conllu"),
                Refused("--diff trees:@parsed.export", "two analyses", "@gold.export -s 3 -f notation"),
            ),
            "--limit": (
                Differs("--limit 2"),
                Refused("--limit 2", "--sentence", "@de_gold-test.conllu -s 3"),
                Refused("--limit 2", "--sentence", "@gold.export -s 3"),
            ),
            "--format": (
                Differs("--format latex"),
                Refused("--format notation", "not phrase trees"),
                Refused("--format conllu", "phrase trees", "@gold.export"),
            ),
            **OUTPUT,
        },
    ),
    "report": Command(
        "@run-a",
        {
            "--output": Writes("--output page.html", "page.html"),
            "--title": Differs("--title Spring"),
            "--sentences": Differs("--sentences 2"),
            "--figures": Writes("--figures figures", "figures", "@run-c"),
            "--grid": (Differs("--grid"), Refused("--grid --sentences 2", "are not for --grid")),
        },
    ),
    "export": Command(
        "@run-a --to model-card",
        {
            "--to": (
                Writes("--to every-eval-ever --output records", "records/data"),
                Refused("--to every-eval-ever", "go into a folder"),
            ),
            "--output": Writes("--output card.md", "card.md"),
            "--system": Refused("--system nobody", "no run has scores of nobody"),
        },
    ),
    "card": Command(
        "baseline:right-branching @a.conllu --language fr",
        {
            "--language": Refused(
                "--language xx", "no suite and no treebank here", "baseline:right-branching --language en"
            ),
            "--budget": Refused("--budget 0", "is not a budget"),
            "--run": Writes("--run run", "run/report.html"),
            "--jobs": Workers(base="asked:x @a.conllu --language fr"),
            "--quiet": Silent(),
            **RESULT,
        },
    ),
    "systems": Command("", RESULT),
    "data list": Command("", RESULT),
    "data get": Command("bundled:de-test", {"--again": Refused("--again", "comes with gardenpath")}),
    "data path": Command("bundled:de-test", {}),
    "data cite": Command("sorts", OUTPUT),  # type: ignore[arg-type]
    "treebank stats": Command(
        "@a.conllu @b.conllu",
        {
            "--by": Differs("--by all"),
            "--tables": Differs("--no-tables"),
            "--variant": Differs("--variant script"),
            "--jobs": Workers(),
            "--run": Writes("--run run", "run/report.html"),
            **RESULT,
        },
    ),
    "treebank search": Command(
        "@en_gold-test.conllu 'V -[nsubj]-> S'",
        {
            "--by": (Differs("--by S.upos"), Refused("--by S.upos --conllu", "--by counts")),
            "--limit": Differs("--limit 1"),
            "--conllu": Differs("--conllu"),
            "--to": Refused("--to export", "--to is for phrase trees"),
            "--scheme": (
                Refused("--scheme tiger", "a scheme is for phrase trees"),
                Differs("--scheme ptb", "@gold.export 'X [cat]; Y = head(X)'"),
            ),
            **RESULT,
        },
    ),
    "treebank validate": Command(
        "@bad.conllu @b.conllu",
        {
            "--ignore": Differs("--ignore missing-text"),
            "--only": Differs("--only missing-text"),
            "--max": Differs("--max 1"),
            "--warnings": Differs("--no-warnings"),
            "--list": Differs("--list"),
            "--changed-since": Refused("--changed-since HEAD", "git says"),
            "--baseline": Exits("--baseline @known.json", 0),
            "--write-baseline": Exits("--write-baseline known.json", 0),
            "--jobs": Workers(),
            **RESULT,
        },
        code=1,
    ),
    "treebank convert": Command(
        "@en_gold-test.conllu",
        {
            **OUTPUT,
            "--to": Differs("--to text"),
            "--tolerant": (
                Exits("--strict", 2, "@crooked.conll"),
                Exits("--tolerant", 0, "@crooked.conllu"),
                Refused("--tolerant", "does not go with --to penn", "@gold.export --to penn --raise"),
            ),
            "--feats": (
                Differs("--feats colon"),
                Refused("--feats colon", "does not go with --to text", "@en_gold-test.conllu --to text"),
            ),
            "--drop-enhanced": (
                Differs("--drop-enhanced"),
                Refused("--drop-enhanced", "--to vertical", "@en_gold-test.conllu --to vertical"),
            ),
            "--add-text": (
                Differs("--add-text", "@bare.conllu"),
                Refused("--add-text", "--to tsv", "@bare.conllu --to tsv"),
                Refused("--add-text", "--to text", "@bare.conllu --to text"),
            ),
            "--renumber-sent-ids": (
                Differs("--renumber-sent-ids s"),
                Differs("--renumber-sent-ids s", "@gold.export --to export"),
                Refused("--renumber-sent-ids s", "--to text", "@en_gold-test.conllu --to text"),
                Refused("--renumber-sent-ids s", "--to penn", "@gold.export --to penn --raise"),
            ),
            "--from": (
                Refused("--from tigerxml", "broken XML", "@gold.export --to penn --raise"),
                Refused("--from export", "does not go with --to conllu"),
            ),
            "--encoding": (
                Differs("--encoding cp437", "@latin.export --to export"),
                Refused("--encoding latin-1", "does not go with --to conllu"),
                Refused("--encoding latin-1", "XML", "@gold.xml --to export"),
            ),
            "--raise": (
                Differs("--raise", "@gold.export --to export"),
                Refused("--raise", "does not go with --to conllu"),
            ),
            "--scheme": (
                Differs("--scheme tuebadz", "@gold.export --to export --raise"),
                Refused("--scheme tiger", "with --raise", "@gold.export --to export"),
            ),
            "--split": (
                Differs("--split", "@gold.export --to export"),
                Refused("--split", "does not go with --to conllu"),
            ),
            "--functions": (
                Differs("--functions drop", "@gold.export --to export"),
                Refused("--functions drop", "does not go with --to conllu"),
            ),
            "--plain": (
                Differs("--plain", "@deep.export --to export"),
                Refused("--plain", "does not go with --to conllu"),
            ),
            "--separator": (
                Differs("--separator #", "@gold.export --to penn --raise"),
                Differs("--separator #", "@gold.mrg --to export"),
                Refused("--separator #", "brackets", "@gold.export --to tigerxml"),
                Refused("--separator #", "does not go with --to conllu"),
            ),
        },
    ),
    "treebank split": Command(
        "@train.conllu -o parts --draws 0",
        {
            "--output": Writes("-o other", "other/train-train.conllu"),
            "--random": Refused("--random", "one way", "@train.conllu -o parts --min-edv"),
            "--min-edv": Differs("--min-edv"),
            "--max-edv": Differs("--max-edv"),
            "--by-length": Differs("--by-length"),
            "--train": Differs("--train 0.6 --dev 0.3"),
            "--dev": Differs("--dev 0 --test 0.2"),
            "--test": Differs("--test 0.2 --dev 0"),
            "--seed": Differs("--seed 1"),
            "--by-document": Differs("--by-document --tolerance 0.1", "@documents.conllu -o parts --draws 0"),
            "--tolerance": (
                Differs("--tolerance 0.2", "@documents.conllu -o parts --draws 0 --by-document --tolerance 0.1"),
                Refused("--tolerance 0.2", "documents may miss"),
            ),
            "--deduplicate": Differs("--deduplicate", "@train.conllu @train.conllu -o parts --draws 0"),
            "--near": Differs("--near 0.1 --deduplicate", "@train.conllu -o parts --draws 0 --deduplicate"),
            "--exclude": Differs(
                "--exclude @documents.conllu", "@train.conllu @documents.conllu -o parts --prefix both --draws 0"
            ),
            "--stratify": (Differs("--stratify id"), Refused("--stratify gerne", "unknown comment")),
            "--folds": (
                Writes("--folds 3", "parts/fold-3/train-test.conllu", "@train.conllu -o parts"),
                Refused("--folds 3", "how large the parts are", "@train.conllu -o parts --test 0.1"),
                Refused("--folds 3", "random splits", "@train.conllu -o parts --max-edv"),
            ),
            "--leave-one-document-out": (
                Writes(
                    "--leave-one-document-out", "parts/document-2/documents-test.conllu", "@documents.conllu -o parts"
                ),
                Refused("--leave-one-document-out --folds 3", "leave out one", "@documents.conllu -o parts"),
            ),
            "--repeats": (
                Writes("--repeats 2", "parts/repeat-2/train-test.conllu"),
                Refused("--repeats 2", "nothing is drawn", "@documents.conllu -o parts --leave-one-document-out"),
            ),
            "--procedure": (
                Differs("--procedure paper", "@train.conllu -o parts --draws 0 --max-edv"),
                Refused("--procedure paper", "--min-edv"),
            ),
            "--draws": (
                Differs("--draws 5", "@train.conllu -o parts --draws 0"),
                Refused("--draws 5", "test part", "@train.conllu -o parts --dev 0.2 --test 0"),
            ),
            "--prefix": Writes("--prefix mine", "parts/mine-train.conllu"),
            "--force": Exits("--force", 0, "@train.conllu -o taken --draws 0"),
            **FORMAT,
        },
        before="taken",
    ),
    "treebank overlap": Command(
        "@de_train.conllu @train.conllu",
        {
            "--near": Differs("--near 0.05", "@train.conllu @de_gold-test.conllu"),
            "--limit": Differs("--limit 1"),
            **RESULT,
        },
    ),
    "treebank diff": Command(
        "@de_gold-test.conllu @a.conllu",
        {
            "--parsed": (
                Differs("--parsed @b.conllu"),
                Refused("--parsed @en_gold-test.conllu", "no sentence of both releases"),
            ),
            "--near": Differs("--near 0.05", "@train.conllu @de_gold-test.conllu"),
            "--limit": Differs("--limit 1"),
            **RESULT,
        },
    ),
    "treebank augment": Command(
        "@de_gold-test.conllu -o more.conllu -p names",
        {
            "--output": Writes("-o other.conllu", "other.conllu"),
            "--perturb": Differs("-p years"),
            "--per-sentence": Differs("--per-sentence 2"),
            "--substitute": Differs("--substitute NNNN"),
            "--set": (
                Differs("--set test"),
                Refused("--set test", "not divided", "@de_gold-test.conllu -o m --values @values.txt --match [A-Z].*"),
            ),
            "--language": (
                Refused("--language xx", "unknown language"),
                Refused("--language de", "the same in every language", "@years.conllu -o m -p numerals"),
            ),
            "--values": Refused("--values @values.txt", "needs --values and --match"),
            "--match": Differs("--match [A-Z].* --values @values.txt"),
            "--match-pattern": Differs("--match-pattern 'X [upos=PROPN]' --values @values.txt"),
            "--upos": Differs(
                "--upos PROPN", "@de_gold-test.conllu -o more.conllu --match [A-Z].* --values @values.txt"
            ),
            "--variants-only": Differs("--variants-only"),
            "--seed": (
                Differs("--seed 1", "@years.conllu -o more.conllu -p numerals"),
                Refused("--seed 1", NOTHING_RANDOM),
            ),
            **FORMAT,
        },
    ),
    "suites list": Command("", RESULT),
    "suites check": Command(
        "@roles.tsv",
        {
            "--against": (Differs("--against @other.tsv"), Refused("--against @roles.tsv", "roles", "@suites")),
            "--ignore": Differs("--ignore malformed-properties"),
            "--only": Differs("--only duplicate"),
            "--max": Differs("--max 1"),
            "--list": Differs("--list"),
            "--positions": (
                Differs("--positions 0", "@roles.tsv"),
                Refused("--positions 1", "only a TSV has positions", "@roles.conllu"),
                Refused("--positions 1", "suites of roles", "@suites"),
            ),
            "--release": (
                Exits("--release 2026", 1, "@question.tsv"),
                Refused("--release 2020", "suites of roles", "@suites"),
            ),
            "--layout": (
                Exits("--layout good=bad --layout bad=good", 1, "@targets.csv"),
                Refused("--layout good=x --layout bad=y", "not a file of pairs in this layout"),
            ),
            **RESULT,
        },
        code=1,
    ),
    "suites convert": Command(
        "@roles.conllu - --to conllu",
        {
            "--to": Differs("--to tsv"),
            "--names": (
                Differs("--names today", "@old.tsv - --to conll --release 2020"),
                Refused("--names today", "suites of roles", "@suites/one.json - --to syntaxgym"),
            ),
            "--partial": (
                Differs("--partial"),
                Refused("--partial", "suites of roles", "@suites/one.json - --to syntaxgym"),
            ),
            "--positions": (
                Differs("--positions 0", "@roles.tsv - --to tsv"),
                Refused("--positions 0", "only a TSV has positions"),
                Refused("--positions 0", "suites of roles", "@suites/one.json - --to syntaxgym"),
            ),
            "--release": (
                Differs("--release 2020", "@old.tsv - --to tsv --names today"),
                Refused("--release 2020", "suites of roles", "@suites/one.json - --to syntaxgym"),
            ),
            "--layout": Differs("--layout item=genre", "@targets.csv - --to blimp"),
        },
    ),
    "suites show": Command(
        "@roles.tsv",
        {
            "--item": Differs("--item 2"),
            "--positions": (
                Differs("--positions 0 --item 1", "@roles.tsv"),
                Refused("--positions 0", "only a TSV has positions", "@roles.conllu"),
                Refused("--positions 0", "suites of roles", "@suites/one.json"),
            ),
            "--release": (
                Differs("--release 2020", "@old.tsv"),
                Refused("--release 2020", "suites of roles", "@suites/one.json"),
            ),
            "--layout": Differs("--layout class=genre", "@targets.csv"),
            **RESULT,
        },
    ),
    "suites generate": Command(
        "roles -n 20",
        {
            "--language": (
                Differs("--language nl"),
                Refused("--language nl", "only", "constructions -o made"),
            ),
            "--size": Differs("--size 30"),
            "--ambiguity": (Differs("--ambiguity full"), Refused("--ambiguity full", "only", "text -l en")),
            "--lexicon": (Differs("--lexicon @lexicon.toml"), Refused("--lexicon @lexicon.toml", "only", "text -l en")),
            "--grammar": (
                Differs("--grammar @turkish"),
                Refused("--grammar @turkish", "only", "text -l en"),
                Refused("--grammar @turkish --language nl", "leave out --language"),
            ),
            "--one-word": (Differs("--one-word"), Refused("--one-word", "are for roles", "pp")),
            "--tense": (Differs("--tense past"), Refused("--tense past", "only", "constructions -o made")),
            "--to": (Differs("--to tsv"), Refused("--to tsv", "only", "text -l en")),
            "--partial": (Differs("--partial"), Refused("--partial", "only", "text -l en")),
            "--mix": (
                Differs("--mix plain=1,erc=3", "constructions -n 20 -o made"),
                Refused("--mix erc=1", "--mix is for constructions"),
            ),
            "--seed": Differs("--seed 1"),
            **OUTPUT,
        },
    ),
    "suites new": Command(
        "pairs",
        {
            "--language": Differs("--language tr"),
            "--output": Writes("--output mine.toml", "mine.toml"),
        },
    ),
    "suites export": Command(
        "@pairs.tsv tasks --harness lm-eval", {"--harness": Writes("--harness inspect", "tasks/pairs.py")}
    ),
    "suites expand": Command(
        "@template.toml",
        {
            "--draw": Differs("--draw 6"),
            "--seed": (
                Differs("--seed 1", "@template.toml --draw 6"),
                Refused("--seed 1", NOTHING_RANDOM),
            ),
            **OUTPUT,
        },
    ),
    "suites from-treebank": Command(
        "bundled:de-test -o made",
        {
            "--output": Writes("-o other", "other/trees.conllu"),
            "--phenomena": Differs("--phenomena object-case"),
            "--unimorph": Differs("--unimorph @forms.txt"),
            "--longest": Differs("--longest 8"),
            "--most": Differs("--most 1"),
            "--seed": (
                Differs("--seed 1", "bundled:de-test -o made --most 1"),
                Refused("--seed 1", NOTHING_RANDOM),
            ),
            **FORMAT,
        },
    ),
    "constructions judge": Command(
        "@tiger asked:x",
        {
            "--scheme": (
                Differs("--scheme tiger", "@gold.export trees:@parsed.export"),
                Refused("--scheme tiger", "suite"),
            ),
            "--phenomena": Differs("--phenomena ppn"),
            "--form": Differs("--form split", "@tiger trees:@split.export"),
            "--gold": (
                Differs("--gold tags", "@tiger pcfg:@pcfg.npz"),
                Refused("--gold tags", "this parser cannot be given tags"),
                Refused("--gold feats,tags", "a phrase parser cannot be given feats"),
            ),
            "--decide": Differs("--decide missing=D", "@tiger asked:x --by errors"),
            "--by": (Differs("--by errors"), Differs("--by length"), Refused("--by nothing", UNKNOWN)),
            "--examples": Differs("--examples wrong"),
            "--limit": (
                Differs("--limit 1", "@tiger asked:x --examples wrong"),
                Refused("--limit 3", NO_EXAMPLES),
            ),
            "--independent": Differs("--independent", "@gold.export trees:@parsed.export --scheme tiger"),
            "--fail-under": Exits("--fail-under 99", 1),
            **STUDY,
        },
    ),
    "constructions find": Command(
        "@gold.export --scheme tiger",
        {
            "--scheme": Refused("--scheme negra", "scheme"),
            "--phenomena": Differs("--phenomena ppn"),
            "--sample": Differs("--sample 1"),
            "--max-length": Differs("--max-length 9"),
            "--no-punctuation": Differs("--no-punctuation", "@gold.export --scheme tiger --max-length 9"),
            "--seed": (
                Differs("--seed 1 --items", "@gold.export --scheme tiger --sample 1"),
                Refused("--seed 1", NOTHING_RANDOM),
            ),
            "--wide": Differs("--wide", "@unlike.export --scheme tiger"),
            "--list": Differs("--list @tepacoc.txt"),
            "--items": Differs("--items"),
            "--output": Writes("--output suite", "suite/suite.toml"),
            "--name": Differs("--name spring -o suite"),
            "--release": (
                Differs("--release 2", "@gold.export --scheme tiger -o suite"),
                Refused("--release 2", "for a suite that is written"),
            ),
            **FORMAT,
            "--quiet": Silent(base="@gold.export --scheme tiger --sample 20"),
        },
    ),
    "displacement pair": Command(
        "@train.conllu @de_gold-test.conllu --draws 0",
        {
            "--by": Differs("--by length"),
            "--variant": Differs("--variant script"),
            "--draws": Differs("--draws 20", "@train.conllu @de_gold-test.conllu --draws 0"),
            "--independent": Differs("--independent", "bundled:de-train bundled:de-test --draws 20"),
            "--seed": (
                Differs("--seed 1", "@train.conllu @de_gold-test.conllu --draws 20"),
                Refused("--seed 1", NOTHING_RANDOM),
            ),
            **KEPT,
        },
    ),
    "displacement collection": Command(
        COLLECTION,
        {
            "--by": (
                Differs("--by length", "@collection --draws 5 --subsamples 12 -f json"),
                Refused("--by length", "there are no draws"),
            ),
            "--variant": Differs("--variant script"),
            "--las": Differs("--las @las.tsv"),
            "--parsed": Refused("--parsed nowhere", "no such folder of parsed test sets"),
            "--las-column": (
                Differs("--las-column second", f"{COLLECTION} --las @las.tsv"),
                Refused("--las-column second", "no table of scores"),
            ),
            "--covariates": (
                Differs("--covariates slv", f"{COLLECTION} --las @las.tsv"),
                Refused("--covariates slv", "--las"),
            ),
            "--subsamples": Differs("--subsamples 20", f"{COLLECTION} --by all"),
            "--draws": Differs("--draws 5", COLLECTION),
            "--seed": (
                Differs("--seed 1", f"{COLLECTION} --by analyses"),
                Refused("--seed 1", NOTHING_RANDOM, '@collection --draws 0 --subsamples ""'),
            ),
            **STUDY,
        },
    ),
    "displacement experiment": Command(
        "@splits --parser counted --random 1",
        {
            "--parser": Refused("--parser ngram", "learns from text"),
            "--preset": Refused("--preset large", "unknown preset"),
            "--option": Refused("--option wings=2", "wings"),
            "--gold": Differs("--gold tags"),
            "--random": Differs("--random 2"),
            "--by": Differs("--by analyses"),
            "--procedure": Differs("--procedure paper"),
            "--official": (
                Refused("--official --random 5", "no official split of train, dev and test"),
                Refused("--official", "random splits say nothing"),
            ),
            "--seed": Differs("--seed 1"),
            **STUDY,
        },
    ),
    "consistency test": Command(
        f"{ASKED} -p names --per-sentence 2",
        {
            "--gold": Differs("--gold tags"),
            "--any-language": Differs(
                "--any-language", "@zh_gold-test.conllu udpipe:@de.udpipe -p names --sentences 1"
            ),
            "--strict": Refused("--strict", STRICT, f"@tiger.conllu asked:x {OWN_VALUES}"),
            "--perturb": Differs("--perturb years"),
            "--values": Refused("--values @values.txt", "needs --values and --match"),
            "--match": Differs("--match [A-Z].* --values @values.txt"),
            "--match-pattern": Differs("--match-pattern 'X [upos=PROPN]' --values @values.txt"),
            "--upos": Differs(
                "--upos PROPN",
                f"{ASKED} --values @values.txt --match [A-Z].* --sentences 2",
            ),
            "--language": (
                Refused("--language xx", "unknown language"),
                Refused("--language de", "the same in every language", "@years.conllu asked:x"),
            ),
            "--mode": Differs("--mode text"),
            "--order": Differs("--order both"),
            "--sentences": Differs("--sentences 1"),
            "--per-sentence": Differs("--per-sentence 1"),
            "--by": (Differs("--by questions"), Differs("--by upos"), Refused("--by nothing", UNKNOWN)),
            "--examples": Differs("--examples changed"),
            "--limit": (
                Differs("--limit 1", f"{ASKED} -p names --examples changed"),
                Refused("--limit 3", NO_EXAMPLES),
            ),
            "--stages": (
                Differs("--stages tags"),
                Refused("--stages tokens", "the parser has gold tokens already"),
                Refused("--stages tags --gold tags", "says itself which gold is given"),
            ),
            "--independent": Differs("--independent"),
            "--fail-under": Exits("--fail-under 100", 1),
            **STUDY,
        },
    ),
    "consistency remedies": Command(
        f"{REMEDIES} -p names --per-sentence 3 --augmented 1",
        {
            "--gold": Differs("--gold tags"),
            "--any-language": Differs(
                "--any-language",
                "@de_train.conllu @zh_gold-test.conllu --parser counted --match .+ --values @values.txt",
            ),
            "--strict": Refused(
                "--strict",
                STRICT,
                f"@tiger.conllu @de_gold-test.conllu --parser counted --remedy augment {OWN_VALUES}",
            ),
            "--perturb": Refused("--perturb years", "no training sentence has a match"),
            "--values": Refused("--values @values.txt", "needs --values and --match"),
            "--match": Differs(
                "--match [A-Z].* --values @values.txt",
                f"{REMEDIES} --sentences 2 --remedy augment -p names",
            ),
            "--match-pattern": Refused("--match-pattern 'X [upos=PROPN]'", "needs --values and --match"),
            "--upos": Differs(
                "--upos PROPN",
                f"{REMEDIES} --sentences 2 --match [A-Z].* --values @values.txt",
            ),
            "--language": Refused("--language xx", "unknown language"),
            "--mode": Differs("--mode text"),
            "--order": Differs("--order both", f"{REMEDIES} --sentences 2 -p names --by perturbation"),
            "--sentences": Differs("--sentences 1"),
            "--per-sentence": Differs("--per-sentence 1"),
            "--by": (Differs("--by all"), Refused("--by nothing", UNKNOWN)),
            "--parser": Refused("--parser ngram", "learns from text"),
            "--remedy": Differs("--remedy substitute", f"{REMEDIES} -p names"),
            "--dev": Differs("--dev @a.conllu"),
            "--preset": Refused("--preset large", "unknown preset"),
            "--augmented": Differs("--augmented 3"),
            "--token": Differs("--token XXXX"),
            "--option": Refused("--option wings=2", "wings"),
            "--independent": Differs("--independent"),
            "--seed": Differs("--seed 1"),
            "--seeds": Differs("--seeds 2"),
            "--voters": (
                Differs("--voters 1", f"{REMEDIES} -p names --per-sentence 3 --remedy vote --gold tags -f json"),
                Refused("--voters 1", "is for the remedy vote"),
            ),
            "--fail-under": Exits("--fail-under 100", 1),
            **STUDY,
        },
    ),
    "stats": Command(
        '@table.tsv "value ~ group + (1|item)"',
        {
            "--family": Differs("--family gaussian", '@table.tsv "right ~ group + (1|item)"'),
            "--p": (
                Differs("--p satterthwaite"),
                Refused("--p satterthwaite", "linear models", '@table.tsv "right ~ group + (1|item)"'),
            ),
            "--by": Differs("--by group", '@table.tsv "value ~ 1 + (1|item)"'),
            "--mark": Refused("--mark x=y", "no column system to mark"),
            **RESULT,
        },
    ),
}
"""Every option of the program: where it acts, and where it is refused."""


# ---- the program


@cache
def program() -> dict[str, Any]:
    """Every command by name, such as `treebank stats`."""
    import typer

    from gardenpath.cli.main import build

    def walk(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", {})
        if path and not inner:
            yield path, command
        for name, below in inner.items():
            yield from walk(below, f"{path} {name}".strip())

    return dict(walk(typer.main.get_command(build()), ""))


def options_of(command: Any) -> list[Any]:
    return [option for option in command.params if option.param_type_name == "option" and "--help" not in option.opts]


def test_the_table_names_every_option_and_no_other() -> None:
    known = {name: {option.opts[0] for option in options_of(command)} for name, command in program().items()}
    assert {name: set(case.options) for name, case in CASES.items()} == known


def test_a_short_option_means_one_thing_in_the_whole_program() -> None:
    meanings: dict[str, set[str]] = {}
    for command in program().values():
        for option in options_of(command):
            for short in option.opts[1:]:
                meanings.setdefault(short, set()).add(option.opts[0])
    assert {short: names for short, names in meanings.items() if len(names) > 1} == {}


OWN_WORDS = {
    "--by", "--examples", "--option", "--baseline", "--output", "--dev", "--draws", "--release", "--to", "--format",
    "--seed", "--preset", "--scheme", "--mode", "--form", "--max", "--perturb", "--per-sentence", "--procedure",
    "--language", "--partial", "--phenomena",
}  # fmt: skip
"""What each command says in its own words: it means the same, but there is something else to choose from."""
HOMONYMS = {
    "--against": {"suites check": "another form of the suite, elsewhere an earlier run"},
    "--grid": {"report": "the page over many runs, elsewhere a file of studies"},
    "--jobs": {"train": "trainings at a time, elsewhere processes"},
    "--limit": {
        "show": "sentences, elsewhere examples",
        "treebank search": "matches, and it may be 0, elsewhere examples",
    },
    "--list": {
        "constructions find": "a published list, elsewhere all checks",
        "reproduce": "the same list, and what is done without it",
    },
    "--max-length": {"constructions find": "of what --sample draws, elsewhere of what is evaluated"},
    "--metric": {"logs": "of a log, elsewhere of regions"},
    "--model": {"demo": "a language model, elsewhere the formula of a mixed model"},
    "--order": {"train": "of n-grams, elsewhere of siblings"},
    "--parsed": {"treebank diff": "one parse, elsewhere a folder of parsed test sets"},
    "--random": {"treebank split": "by chance, elsewhere how many splits by chance"},
    "--resume": {"train": "a training, elsewhere a plan"},
    "--run": {"card": "has a default, and holds a run for each exam"},
    "--seeds": {"train": "models to keep, elsewhere trainings to compare"},
    "--sentences": {"report": "on the page, elsewhere in the study"},
}
"""Words with two meanings, that of the command named here and that of all others; there should be no more of them."""


def test_an_option_of_one_name_has_one_help_text() -> None:
    texts: dict[str, dict[str, list[str]]] = {}
    for name, command in program().items():
        for option in options_of(command):
            if name not in HOMONYMS.get(option.opts[0], {}):
                texts.setdefault(option.opts[0], {}).setdefault(option.help, []).append(name)
    several = {
        flag: commands_by_text
        for flag, commands_by_text in texts.items()
        if len(commands_by_text) > 1 and flag not in OWN_WORDS
    }
    assert several == {}


# ---- a parser, phrase parser and language model that counts how often it is asked


class Counted:
    """Answers anything by rule; a model is a file whose content decides the labels."""

    kind = "asked"
    modes = ("tokens", "sentences", "text")
    calls = 0

    def __init__(self, argument: str) -> None:
        self.name = f"{self.kind}:{argument}"
        file = Path(argument)
        self.model = file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def signature(self) -> str:
        from gardenpath.runs.record.signatures import digest

        return f"kind:{self.kind}|model:{digest(self.model)[:8]}|version:1"

    def _label(self, word: str) -> str:
        from zlib import crc32

        return ("nsubj", "obj", "det", "amod")[crc32(f"{self.model} {word}".encode()) % 4]

    def parse(self, request: Any) -> str:
        Counted.calls += 1
        lines: list[str] = []
        if request.mode == "tokens":
            for sentence in request.tokens:
                lines += [f"# {comment}" for comment in sentence.comments]
                for row in (row for row in sentence.rows if row[0].isdecimal()):
                    at = int(row[0])
                    label = self._label(row[1] + row[3]) if at > 1 else "root"
                    lines.append("\t".join([*row[:6], str(at - 1), label, *row[8:]]))
                lines.append("")
            return "\n".join([*lines, ""])
        for text in request.texts:
            words = re.findall(r"\w+|[^\w\s]+", text)
            lines.append(f"# text = {text}")
            lines += [
                f"{at}\t{word}\t_\t_\t_\t_\t{at - 1}\t{self._label(word) if at > 1 else 'root'}\t_\t_"
                for at, word in enumerate(words, 1)
            ]
            lines.append("")
        return "\n".join([*lines, ""])

    def parse_trees(self, sentences: Any) -> list[Any]:
        Counted.calls += 1
        return [flat(words) for words in sentences]

    def surprisals(self, sentences: Any) -> list[Any]:
        Counted.calls += 1
        return [np.arange(len(words), dtype=float) for words in sentences]

    def oov(self, sentences: Any) -> list[Any]:
        return [np.zeros(len(words), dtype=bool) for words in sentences]

    def replies(self, questions: Any) -> list[str]:
        Counted.calls += 1
        return [("1", "2", "X", "Y", "yes", "no", "so")[len(question) % 7] for question in questions]


def flat(words: Any, sent_id: str = "") -> Any:
    """A clause of nouns: the first is the subject, the others are objects."""
    from gardenpath.phrase import grown

    size = len(words)
    return grown(words, ["NN"] * size, ["S"], ["SB", *["OA"] * (size - 1), "--"], [*[size] * size, -1], sent_id=sent_id)


class Trained(Counted):
    """The same, trained: the model says all that was asked for."""

    kind = "counted"


def counted_trainer(kind: str) -> Any:
    from gardenpath.errors import unknown_name
    from gardenpath.systems.training.training import ParserTrainer

    class CountedTrainer(ParserTrainer[dict[str, str]]):
        folder = False

        def settings(self, preset: str, options: Any) -> dict[str, str]:
            for name in options:
                if name != "label":
                    raise unknown_name("option", name, ["label"])
            return {"preset": preset, **options}

        def run_tool(self, plan: Any, target: Path) -> tuple[Any, Any]:
            facts = [plan.seed, plan.settings, plan.train.sha256, plan.dev.sha256 if plan.dev else ""]
            target.write_text(json.dumps(facts), encoding="utf-8")
            return plan.settings, {}

    return CountedTrainer(kind)


# ---- calls


@dataclass(frozen=True)
class Called:
    """What came of a call: exit code, both streams, the files in its folder, and what the cache holds."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]
    cached: int

    @property
    def result(self) -> tuple[str, dict[str, bytes]]:
        """What a person gets, without signatures and times."""
        kept = {name: data for name, data in self.files.items() if Path(name).name not in RECORD or "/" not in name}
        return unsigned(self.out), {
            name: b"" if name.startswith("plan/done/") else timeless(data)
            for name, data in kept.items()
            if not name.startswith(("plan/cache/", "plan/claims/"))
        }


RECORD = ("run.json", "result.json", "report.html", "demo.udpipe.json")
"""Files of a run that say when it was."""


def unsigned(text: str) -> str:
    return re.sub(r'^\s*"?signature"?: .*$', "", text, flags=re.MULTILINE)


def timeless(data: bytes) -> bytes:
    data = re.sub(rb'^\s*"(seconds|request|signature|preset|seed)": .*$', b"", data, flags=re.MULTILINE)
    return re.sub(rb'"(signature|seconds)": ?("[^"]*"|[0-9.]+)', b"", data)


@dataclass
class Caller:
    """Calls the program in a folder of its own, with a cache of its own."""

    garden: Path
    place: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    number: int = field(default=0)

    def __call__(self, command: str, arguments: str, *, before: str = "", same_cache: bool = False) -> Called:
        self.number += 1
        folder = self.place / str(self.number)
        folder.mkdir()
        if before:
            shutil.copytree(self.garden / before, folder, dirs_exist_ok=True)
        store = self.place / ("cache" if same_cache else f"cache-{self.number}")
        self.monkeypatch.setenv("GARDENPATH_CACHE", str(store))
        self.monkeypatch.chdir(folder)
        words = [*command.split(), *shlex.split(arguments.replace("@", f"{self.garden}/"))]
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(words)
        out, err = self.capsys.readouterr()
        code = ended.value.code
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        cached = sum(path.is_file() for path in store.rglob("*"))
        return Called(code if isinstance(code, int) else int(bool(code)), out, err, files, cached)


@pytest.fixture
def call(garden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    from gardenpath import demo
    from gardenpath.systems.asking import registry
    from gardenpath.systems.asking.protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER

    every = (PARSER, LANGUAGE_MODEL, PHRASE_PARSER, JUDGE)
    asked = registry.Kind("asked", f"{__name__}:Counted", "X", "counts", roles=every)
    trained = registry.Kind("counted", f"{__name__}:Trained", "X", "counts", trainer=f"{__name__}:counted_trainer")
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, asked, trained))
    monkeypatch.setattr(demo, "PARTS", {name: demo.PARTS[name] for name in ("displacement",)})
    from gardenpath_papers import tepacoc  # it needs no data

    monkeypatch.setattr(tepacoc, "lines", differing)
    return Caller(garden, tmp_path, monkeypatch, capsys)


def differing(data: Any) -> Any:
    """A paper of which one number is another one."""
    from gardenpath_papers.ledger import Line

    return [Line("Table 1", "a", "las", "1.0", 2.0), Line("Table 2", "a", "las", "1.0", None, why="no data")]


_BASES: dict[tuple[str, str], Called] = {}


def based(call: Caller, name: str, base: str) -> Called:
    """The base call, made once."""
    key = (name, base)
    if key not in _BASES:
        _BASES[key] = call(name, base, before=CASES[name].before)
    return _BASES[key]


def effects() -> Iterator[Any]:
    for name, case in CASES.items():
        for flag, given in case.options.items():
            for number, effect in enumerate(given if isinstance(given, tuple) else (given,)):
                yield pytest.param(name, flag, effect, id=f"{name} {flag}" + (f" {number + 1}" if number else ""))


@pytest.mark.parametrize(("name", "flag", "effect"), list(effects()))
def test_an_option_acts_or_is_refused(
    name: str, flag: str, effect: Effect, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    base = case.base if effect.base is None else effect.base
    trained = KINDS.get(base.split()[0]) if name == "train" else None
    if trained is not None and not trained.installed:
        pytest.skip(f"needs the extra {trained.extra}")
    spelled = {spelling for option in options_of(program()[name]) if option.opts[0] == flag
               for spelling in (*option.opts, *option.secondary_opts)}  # fmt: skip
    assert spelled & set(effect.given.split()), "the option itself must be given"
    used = workers_used(monkeypatch) if isinstance(effect, Workers) else []
    with_it = call(name, f"{base} {effect.given}", before=case.before)
    streams = f"{with_it.out}\n{with_it.err}"
    if isinstance(effect, Refused):
        assert (with_it.code, with_it.out) == (2, ""), streams
        assert effect.words in with_it.err
        assert based(call, name, base).code in (0, 1), based(call, name, base).err
        return
    without = based(call, name, base)
    if isinstance(effect, Exits):
        assert (with_it.code, without.code != effect.code) == (effect.code, True), streams
    elif isinstance(effect, Writes):
        assert with_it.code == without.code, streams
        written = [path for path in with_it.files if path == effect.path or path.startswith(f"{effect.path}/")]
        assert written
        assert not any(path in without.files for path in written)
    elif isinstance(effect, Differs):
        assert with_it.code in (0, 1), streams
        assert with_it.code <= without.code, "it fails where the base call does not"
        assert with_it.result != without.result
    else:
        assert (with_it.code, with_it.result) == (without.code, without.result), streams
        if isinstance(effect, Workers):
            assert used
        elif isinstance(effect, Silent):
            assert with_it.err == ""
        else:
            assert without.cached
            assert not with_it.cached


def workers_used(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many workers each pool that is asked for has; threads stand for processes, which take seconds to start."""
    from gardenpath.runs.work.where import Workplace

    used: list[int] = []

    def pool(self: Any) -> ThreadPoolExecutor:
        if self._pool is None:
            used.append(self.workers)
            self._pool = ThreadPoolExecutor(self.workers)
        return self._pool  # type: ignore[no-any-return]

    monkeypatch.setattr(Workplace, "pool", property(pool))
    return used


@pytest.mark.parametrize("name", CASES)
def test_the_base_call_gives_the_same_again(name: str, call: Caller) -> None:
    first, again = based(call, name, CASES[name].base), call(name, CASES[name].base, before=CASES[name].before)
    assert (first.code, first.result) == (again.code, again.result)
    assert first.code == CASES[name].code, first.err


# ---- where work is done


PROTOCOLS = {
    "evaluate": "@de_gold-test.conllu asked:x",
    "constructions": "@tiger asked:x",
    "surprisal": "@suites asked:x",
}
"""A call for each protocol: parsers, phrase parsers, language models."""
ELSEWHERE = {
    "evaluate": "@de_gold-test.conllu udpipe:@de.udpipe",
    "constructions": "@tiger pcfg:@pcfg.npz",
    "surprisal": "@suites ngram:@ngram.npz",
}
"""The same with systems that another process can make."""


@pytest.mark.parametrize("name", PROTOCOLS)
def test_what_was_asked_before_is_asked_anew_only_without_the_cache(name: str, call: Caller) -> None:
    def calls(more: str) -> int:
        before = Counted.calls
        assert call(name, f"{PROTOCOLS[name]} {more}", same_cache=True).code == 0
        return Counted.calls - before

    assert calls("") > 0
    assert calls("") == 0
    assert calls("--no-cache") > 0


@pytest.mark.parametrize("name", ["evaluate", "surprisal"])
def test_other_processes_find_the_same(name: str, call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.runs.work.where import Workplace

    started: list[Any] = []
    start = Workplace.pool.fget
    assert start is not None
    monkeypatch.setattr(Workplace, "pool", property(lambda self: started.append(start(self)) or started[-1]))
    here, there = call(name, ELSEWHERE[name]), call(name, f"{ELSEWHERE[name]} --jobs 2")
    assert (there.code, there.out) == (here.code, here.out)
    assert started


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_cluster_finds_the_same(name: str, call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from gardenpath.runs.work import cluster

    outcomes, given = cluster.outcomes, list[int]()

    def counting(there: Any, function: Any, tasks: Any, waiting: Any, names: Any) -> Any:
        given.append(len(waiting))
        return outcomes(there, function, tasks, waiting, names)

    monkeypatch.setattr(cluster, "outcomes", counting)
    here, there = call(name, ELSEWHERE[name]), call(name, f"{ELSEWHERE[name]} --cluster local:2")
    assert (there.code, there.out) == (here.code, here.out), there.err
    assert sum(given) > 0


def test_a_time_limit_ends_what_takes_longer(call: Caller) -> None:
    slow = f"@de_gold-test.conllu 'command:{sys.executable} @slow.py' --time-limit"
    begin = time.monotonic()
    ended = call("evaluate", f"{slow} 0.2")
    assert (ended.code, ended.out) == (2, "")
    assert "0.2 s" in ended.err
    assert time.monotonic() - begin < 20


# ---- small files


UNLIKE = "(S (PPER:SB Es) (VAFIN:HD ist) (CO:PD (ADJD:CJ still) (KON:CD und) (PP:CJ (APPR:AC ohne) (NN:NK Licht))))"


def _lines(path: Path, text: str, encoding: str = "utf-8") -> None:
    path.write_bytes(text.encode(encoding))


@pytest.fixture(scope="session")
def garden(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something small of every kind."""
    place = tmp_path_factory.mktemp("garden")
    for make in (_treebanks, _phrase_trees, _suites, _models, _runs, _tables):
        make(place, samples)
    return place


def _treebanks(place: Path, samples: Path) -> None:
    from gardenpath.treebank import read
    from spoil import spoiled

    gold = read(samples / "de_garden-test.conllu")[:60]
    gold.write(place / "de_gold-test.conllu")
    for number, name in enumerate(("a", "b")):
        spoiled(gold, number, labels=0.3).write(place / f"{name}.conllu")
    train = read(samples / "de_garden-train.conllu")
    train[:40].write(place / "train.conllu")
    train[:40].write(place / "de_train.conllu")
    read(samples / "de_garden-test.conllu").write(place / "documents.conllu")
    for language in ("en", "zh"):
        read(samples / f"{language}_garden-test.conllu")[:8].write(place / f"{language}_gold-test.conllu")
    for number in range(6):
        folder = place / "collection" / f"UD_Cut-{number}"
        folder.mkdir(parents=True)
        begin = 50 * number
        train[begin : begin + 30 + 3 * number].write(folder / "x-ud-train.conllu")
        train[begin + 30 : begin + 50].write(folder / "x-ud-test.conllu")
    (place / "splits" / "UD_Whole").mkdir(parents=True)
    train[:200].write(place / "splits" / "UD_Whole" / "x-ud-train.conllu")
    bare = "\n".join(line for line in gold[:5].to_bytes().decode().split("\n") if not line.startswith("#"))
    _lines(place / "bare.conllu", bare)
    _lines(place / "bad.conllu", bare.replace("\t0\troot", "\t99\troot").replace("\tVERB\t", "\t_\t"))
    crooked = bare.replace("\n\n", "\n \n")
    known = ["--write-baseline", str(place / "known.json"), "-o", str(place / "problems.txt")]
    with pytest.raises(SystemExit):
        main(["treebank", "validate", str(place / "bad.conllu"), str(place / "b.conllu"), *known])
    _lines(place / "crooked.conll", crooked)
    _lines(place / "crooked.conllu", crooked)
    years = "1\tDas\tdas\tPRON\tPDS\t_\t2\tnsubj\t_\t_\n2\twar\tsein\tVERB\tVVFIN\t_\t0\troot\t_\t_\n"
    years += "3\t1987\t1987\tNUM\tCARD\t_\t2\tobl\t_\t_\n4\tschön\tschön\tADJ\tADJD\t_\t2\tadvmod\t_\t_\n\n"
    _lines(place / "years.conllu", f"# text = Das war 1987 schön\n{years}")
    taken = place / "taken" / "taken"
    taken.mkdir(parents=True)
    _lines(taken / "train-train.conllu", "")
    _lines(place / "text.txt", "Der Gärtner gießt die Rosen .\nEr singt .\n\nDie Katze schläft im Garten .\n")
    _lines(place / "values.txt", "Paula\nOtto\nKarla\nUwe\n")


def _phrase_trees(place: Path, samples: Path) -> None:
    from gardenpath.phrase import from_notation
    from gardenpath.phrase.edits.convert import converted
    from gardenpath.phrase.formats.source import read, write

    trees = read(samples / "de_garden-constructions" / "tiger" / "trees.export")
    gold = trees[::7]
    write(gold, place / "gold.export")
    write(gold, place / "gold.xml", "tigerxml")
    write(list(converted(gold, raise_=True)), place / "gold.mrg", "penn")
    raised = list(converted(trees, raise_=True))
    parsed = [tree if at % 3 else flat(tree.words, tree.sent_id) for at, tree in enumerate(raised)]
    write(parsed, place / "parsed.export")
    (place / "traces.mrg").write_text("( (S (NP-SBJ-1 (NNP Ann)) (VP (VBD was) (VP (VBN named) (NP (-NONE- *-1))))))\n")
    write(list(converted(trees, split=True)), place / "split.export")
    _lines(place / "latin.export", (place / "gold.export").read_text(encoding="utf-8"), "latin-1")
    write([from_notation("(PP:MO (APPR:HD in) (NP:NK (NN:HD Ruhe)))", "1")], place / "deep.export")
    shutil.copytree(samples / "de_garden-constructions" / "tiger", place / "tiger")
    sentence = gold[0]
    write([from_notation(UNLIKE, "1")], place / "unlike.export")
    _lines(place / "tepacoc.txt", f"\t\tPPN\n1\t\t{' '.join(sentence.words)}\n")


def _suites(place: Path, samples: Path) -> None:
    from gardenpath.treebank import read
    from gardenpath_generate.roles.language import bundled_language
    from gardenpath_generate.templates.writing import starter

    roles = read(samples / "de_garden-roles.conllu")[:30]
    roles.write(place / "roles.conllu")
    roles.write(place / "roles-parsed.conllu")
    labels = {b"nsubj": b"SB", b"obj": b"OA", b"root": b"--", b"det": b"NK", b"punct": b"--"}
    tiger = re.sub(
        rb"\t(\d+)\t([a-z:]+)\t", lambda cells: b"\t%s\t%s\t" % (cells[1], labels.get(cells[2], b"MO")), roles.data
    )
    (place / "tiger.conllu").write_bytes(tiger)
    pairs = [("the dog barks", "the dog bark"), ("dogs bark", "dogs barks"), ("he saw them", "him saw them")]
    rows = [f"{good}{more}\t{bad}{more}\t{base}\n" for more in ("", " here") for base, (good, bad) in enumerate(pairs)]
    (place / "pairs.tsv").write_text("good\tbad\tbase\n" + "".join(rows), encoding="utf-8")
    header = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence\n"
    rows = [
        "VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDer Hund sucht einen Knochen .",
        "VF[O]LK[V]MF[S]\tbase-acc\t5\t2\tEinen Knochen sucht der Hund .",
        "VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDie Katze sucht einen Vogel .",
        "VF[S]LK[V]MF[O]\tdat\t2\t5\tDie Katze hilft dem Vogel .",
        "VF[S]LK[V]MF[O]\tdat\t2\t5\tDie Kuh hilft dem Vogel .",
    ]
    _lines(place / "roles.tsv", header + "\n".join(rows) + "\n")
    _lines(place / "other.tsv", header + "\n".join(rows).replace("\t2\t5\tDie", "\t2\t4\tDie") + "\n")
    _lines(place / "old.tsv", header + "LK[V]MF[SO]\tbase-acc\t3\t5\tHeute sucht Anna einen Knochen .\n")
    _lines(place / "question.tsv", header + "LK[V]MF[SO]Q\tbase-acc\t2\t4\tSucht Anna einen Knochen ?\n")
    (place / "suites").mkdir()
    for number, name in (("one", "agreement_pp"), ("two", "reflexive_pp")):
        shutil.copy(samples / "en_garden-surprisal" / f"{name}.json", place / "suites" / f"{number}.json")
    _border(place)
    _paths(place)
    pairs = ["the dog barks .,the dog bark .,barks,bark,news", "the dogs bark .,the dogs barks .,bark,barks,book"]
    _lines(place / "targets.csv", "good,bad,good_target,bad_target,genre\n" + "\n".join(pairs) + "\n")
    _lines(place / "lexicon.toml", 'extends = "de"\n')
    shutil.copytree(bundled_language("tr").lexicon.parent, place / "turkish")
    _lines(place / "template.toml", starter("pairs", "en", "template"))
    _lines(place / "forms.txt", "pflegen\tpflegen\tV;IND;PRS;3;PL\n")


def _paths(place: Path) -> None:
    """Twelve garden paths of six lexemes with decisive arcs, and trees of them with labels of another scheme."""
    nouns = ["dog", "cat", "boy", "girl", "king", "queen"]
    items = [
        {"item_number": number, "lexeme": nouns[number % 6], "conditions": [
            {"condition_name": name, "regions": [
                {"region_number": 1, "content": f"he knew{that} the {nouns[number % 6]}"},
                {"region_number": 2, "content": "sleeps" if number < 6 else "smiles"},
            ], "arc": {"dependent": 5 + bool(that), "head": 4 + bool(that), "labels": ["nsubj", "obj"]}}
            for name, that in (("ambiguous", ""), ("plain", " that"))
        ]}
        for number in range(12)
    ]  # fmt: skip
    suite = {
        "meta": {"name": "paths", "metric": "sum"}, "region_meta": {"1": "before", "2": "verb"}, "items": items,
        "predictions": [{"type": "formula", "formula": "(2;%ambiguous%) > (2;%plain%)"}],
    }  # fmt: skip
    _lines(place / "paths.json", json.dumps(suite))
    sentences = [
        " ".join(region["content"] for region in condition["regions"]).split()
        for item in items
        for condition in item["conditions"]
    ]
    rows = [[f"{at}\t{word}\t_\t_\t_\t_\t{at - 1}\tSB\t_\t_\n" for at, word in enumerate(words, 1)]
            for words in sentences]  # fmt: skip
    _lines(place / "paths.conllu", "\n".join("".join(lines) for lines in rows) + "\n")


def _border(place: Path) -> None:
    """Two items; the first is scored by a model with a token across the border of its regions."""
    items = [
        {"item_number": number, "conditions": [
            {"condition_name": name, "regions": [
                {"region_number": 1, "content": f"the {noun}"}, {"region_number": 2, "content": verb},
            ], "arc": {"dependent": 3, "head": 2, "labels": ["nsubj"]}}
            for name, verb in (("good", "barks"), ("bad", "bark"))
        ]}
        for number, noun in enumerate(("dog", "cat"), 1)
    ]  # fmt: skip
    suite = {
        "meta": {"name": "border", "metric": "sum"}, "region_meta": {"1": "noun", "2": "verb"}, "items": items,
        "predictions": [{"type": "formula", "formula": "(2;%bad%) > (2;%good%)"}],
    }  # fmt: skip
    _lines(place / "border.json", json.dumps(suite))
    words = ["the dogbarks", "the dog bark", "the cat barks", "the cat bark"]
    blocks = ["".join(f"{word}\t{len(words) - at}\n" for word in text.split()) for at, text in enumerate(words)]
    _lines(place / "border.txt", "\n".join(blocks))


def _models(place: Path, samples: Path) -> None:
    from gardenpath.systems.training.training import train

    text = (samples / "en_garden-text.txt").read_text(encoding="utf-8").split("\n")[:300]
    _lines(place / "train.txt", "\n".join(text) + "\n")
    train("ngram", place / "train.txt", output=place / "ngram.npz")
    train("ngram", place / "train.txt", output=place / "unigram.npz", options={"order": "1"})
    for order, name in ((3, "ngram"), (1, "unigram")):
        (place / f"order-{order}.npz").write_bytes((place / f"{name}.npz").read_bytes())
    quick = {"tagger.iterations": "1", "parser.iterations": "1", "tokenizer.epochs": "1"}
    train("pcfg", place / "gold.export", output=place / "pcfg.npz", options={"functions": "yes", "scheme": "tiger"})
    train("udpipe", place / "train.conllu", output=place / "de.udpipe", preset="tiny", options=quick)
    for folder in ("demo", "other"):
        models = place / "demo" / folder / "models"
        models.mkdir(parents=True)
        for name in ("projective", "swap"):
            shutil.copy(place / "de.udpipe", models / f"{name}.udpipe")
    _lines(place / "slow.py", "import sys, time\nsys.stdin.read()\ntime.sleep(60)\n")


def _runs(place: Path, samples: Path) -> None:
    from gardenpath import evaluate, plan

    for name in ("a", "b"):
        evaluate(place / "de_gold-test.conllu", {name: str(place / f"{name}.conllu")}, run=place / f"run-{name}")
    evaluate(place / "de_gold-test.conllu", {"g": str(place / "de_gold-test.conllu")}, run=place / "run-g")
    evaluate(place / "de_gold-test.conllu", str(place / "a.conllu"), by="length", run=place / "run-c")
    systems = [f"ngram:{place / name}.npz" for name in ("ngram", "unigram")]
    grid = f'[[study]]\nsources = ["{place / "border.json"}"]\nsystems = {json.dumps(systems)}\n'
    _lines(place / "grid.toml", grid)
    (place / "logs" / "model").mkdir(parents=True)
    samples = [{"doc_id": n, "doc": {}, "metrics": ["acc", "half"], "acc": n % 2, "half": 0.5} for n in range(8)]
    _lines(place / "logs" / "model" / "samples_x_2026-01-01T00-00-00.0.jsonl", "\n".join(map(json.dumps, samples)))
    plan(place / "planned" / "plan", grid=place / "grid.toml")
    both = {"a": "baseline:right-branching", "b": "baseline:nearest-head"}
    evaluate(place / "documents.conllu", both, gold="tags", run=place / "run-d")


def _tables(place: Path, samples: Path) -> None:
    chance = np.random.default_rng(0)
    rows = ["item\tgroup\tvalue\tright"]
    for item in range(12):
        for at in range(6):
            value = item / 6 + at % 2 + chance.normal()
            rows.append(f"i{item}\t{'xy'[at % 2]}\t{value:.3f}\t{int(value > 1.5)}")
    _lines(place / "table.tsv", "\n".join(rows) + "\n")
    scores = "".join(f"cut-{n}\t{60 + 7 * n % 11}\t{50 + 5 * n % 7}\n" for n in range(6))
    _lines(place / "las.tsv", "treebank\tlas\tsecond\n" + scores)
