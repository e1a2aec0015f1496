"""`ngram`: training trigrams with Kneser-Ney smoothing, against NLTK and KenLM's lmplz."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from .corpus import Corpus
from .measure import BenchmarkError, child, gardenpath_command, in_child, in_process, interleaved
from .setting import Setting, missing
from .table import Table, at_least, compared

_OURS, _NLTK, _LMPLZ = "gardenpath train ngram", "NLTK KneserNeyInterpolated", "lmplz"
_BOUNDED = "the same with --memory 50M"
_TOKENS = 1_000_000
_SHARE = 5
"""NLTK takes half a minute for a million tokens: it gets a fifth, and times per MB are compared. Its imports are not
counted, ours are."""


def run(setting: Setting) -> list[Table]:
    text, part = setting.folder / "ngram.txt", setting.folder / "ngram-part.txt"
    tokens = max(1000, int(setting.scaled(_TOKENS)))
    write_text(setting.corpus, text, tokens)
    write_text(setting.corpus, part, tokens // _SHARE)
    sizes = {_OURS: _megabytes(text), _BOUNDED: _megabytes(text)}
    model, bounded = setting.folder / "ngram.npz", setting.folder / "bounded.npz"
    begin: list[str | Path] = [*gardenpath_command(), "train", "ngram", text, "-o"]
    commands: dict[str, list[str | Path]] = {_OURS: [*begin, model], _BOUNDED: [*begin, bounded, "--set", "memory=50M"]}
    absent = missing(NLTK="nltk")
    lmplz = shutil.which("lmplz")
    if lmplz:
        arpa = setting.folder / "lmplz.arpa"
        commands[_LMPLZ] = [lmplz, "-o", "3", "--discount_fallback", "-S", "1G", "-T", setting.folder, "--text", text]
        commands[_LMPLZ] += ["--arpa", arpa]
        sizes[_LMPLZ] = sizes[_OURS]
    else:
        absent["lmplz"] = "lmplz is left out: not on the path (build it from KenLM's source)"
    child(commands[_OURS])  # byte code is cached, disks are warm
    if lmplz:
        check(model, [str(word) for word in commands[_LMPLZ]])
    contestants = {name: in_child(command) for name, command in commands.items()}
    if "NLTK" not in absent:
        contestants[_NLTK], sizes[_NLTK] = in_process(lambda: fit_nltk(part)), _megabytes(part)
        fit_nltk(None)
    found = interleaved(contestants, setting.repeats, setting.tell)
    rows = compared(found, ours=_OURS, megabytes=sizes, targets={_NLTK: at_least(15), _LMPLZ: at_least(1)})
    if model.read_bytes() != bounded.read_bytes():
        raise BenchmarkError("with --memory the model is another one")
    notes = [
        "ours and lmplz are whole processes: lmplz writes ARPA, ours arrays, both the whole model",
        f"NLTK has one fixed discount, writes nothing, and gets a {_SHARE}th of the text; its imports are not counted",
    ]
    return [Table(f"ngram: {tokens} tokens (CPU time)", rows, [*notes, *absent.values()])]


def write_text(corpus: Corpus, path: Path, tokens: int) -> None:
    """So many tokens, a sentence a line, from treebanks in turn."""
    from gardenpath.systems.files.text_input import Stretch

    have = 0
    with path.open("w", encoding="utf-8") as stream:
        for block in corpus.blocks():
            for sentence in Stretch("corpus", block).sentences():
                stream.write(" ".join(form.replace(" ", "_") for form in sentence) + "\n")
                have += len(sentence)
                if have >= tokens:
                    return


def fit_nltk(path: Path | None) -> object:
    """NLTK's interpolated Kneser-Ney trigrams; without a text, its imports alone."""
    from nltk.lm import KneserNeyInterpolated
    from nltk.lm.preprocessing import padded_everygram_pipeline

    sentences = [line.split() for line in path.read_text(encoding="utf-8").splitlines()] if path else []
    model = KneserNeyInterpolated(3)
    model.fit(*padded_everygram_pipeline(3, sentences))
    return model


def check(model: Path, command: list[str]) -> None:
    """lmplz counts the same n-grams and finds the same discounts."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    statistics = re.findall(r"^\d (\d+) D1=(\S+) D2=(\S+) D3\+=(\S+)", done.stderr, re.MULTILINE)
    log = json.loads(model.with_name(model.name + ".json").read_text(encoding="utf-8"))["log"]
    theirs = [(int(size), *map(float, discounts)) for size, *discounts in statistics]
    ours = [(size, *discounts) for size, discounts in zip(log["ngrams"], log["discounts"], strict=True)]
    same = len(theirs) == len(ours) and all(
        abs(a - b) < 1e-4 for one, other in zip(theirs, ours, strict=True) for a, b in zip(one, other, strict=True)
    )
    if not same:
        raise BenchmarkError(f"lmplz finds other n-grams or discounts than gardenpath: {theirs}, {ours}")


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6
