"""Small models of all of Stanza's processors by its own trainers, laid out as `stanza.download` lays them out."""

from __future__ import annotations

import json
import os
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

from gardenpath.treebank import Treebank

LANGUAGE, PACKAGE = "de", "tiny"
_DATA = "--train_file {0}/train.conllu --eval_file {0}/dev.conllu"
_TRAININGS = {
    "tokenizer": "--lang de --txt_file {0}/train.txt --label_file {0}/train.labels --mwt_json_file {0}/train.json "
    "--dev_txt_file {0}/dev.txt --dev_label_file {0}/dev.labels --dev_conll_gold {0}/dev.conllu --conll_file {0}/out "
    "--steps 60 --eval_steps 60 --hidden_dim 16 --emb_dim 16 --lr0 0.02 --dropout 0 --unit_dropout 0.05 --tok_noise 0",
    "mwt_expander": f"--lang de --dict_only {_DATA} --gold_file {{0}}/dev.conllu --output_file {{0}}/out",
    "lemmatizer": f"--dict_only {_DATA}",
}
"""Modules of `stanza.models` and how they are called; {0} is the folder with the data."""
_NAMES = {"tokenizer": "tokenize", "mwt_expander": "mwt", "lemmatizer": "lemma"}


def write_resources(folder: Path, tagged: Path, training: Treebank, dev: Treebank) -> None:
    """`resources.json` and `de/PROCESSOR/tiny.pt`; tagger and parser are those of a model that was trained before."""
    workshop = folder.with_suffix(".workshop")
    workshop.mkdir()
    for name, treebank in (("train", training), ("dev", dev)):
        _write_data(workshop, name, treebank)
    for module, words in _TRAININGS.items():
        target = folder / LANGUAGE / _NAMES[module]
        more = f" --mode train --cpu --shorthand de_tiny --save_dir {target} --save_name {PACKAGE}.pt"
        target.mkdir(parents=True)
        _quietly(import_module(f"stanza.models.{module}").main, (words.format(workshop) + more).split())
    for processor in ("pos", "depparse"):
        (folder / LANGUAGE / processor).mkdir()
        shutil.copy(tagged / f"{processor}.pt", folder / LANGUAGE / processor / f"{PACKAGE}.pt")
    processors = ["tokenize", "mwt", "lemma", "pos", "depparse"]
    entry: dict[str, Any] = {name: {PACKAGE: {"dependencies": []}} for name in processors}
    package = dict.fromkeys(processors, PACKAGE)
    entry |= {"lang_name": "German", "packages": {"default": package, PACKAGE: package, "words": {"tokenize": PACKAGE}}}
    resources = {LANGUAGE: entry, "deu": {"alias": LANGUAGE}, "fr": {"packages": {"default": package}}, "url": "…"}
    (folder / "resources.json").write_text(json.dumps(resources), encoding="utf-8")


def _write_data(workshop: Path, name: str, treebank: Treebank) -> None:
    """What Stanza's preparation wants: the trees, their text in paragraphs of three sentences, and labels of both."""
    from stanza.utils.datasets import prepare_tokenizer_data

    treebank.write(workshop / f"{name}.conllu")
    sentences = [sentence.text for sentence in treebank]
    paragraphs = [" ".join(sentences[begin : begin + 3]) for begin in range(0, len(sentences), 3)]
    (workshop / f"{name}.txt").write_text("\n\n".join(paragraphs) + "\n\n", encoding="utf-8")
    files = [str(workshop / f"{name}.{suffix}") for suffix in ("txt", "conllu", "labels", "json")]
    _quietly(prepare_tokenizer_data.main, [*files[:2], "-o", files[2], "-m", files[3]])


def _quietly(main: Any, words: list[str]) -> None:
    import contextlib
    import logging

    level = logging.getLogger("stanza").level
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        logging.getLogger("stanza").setLevel(logging.ERROR)
        main(words)
    logging.getLogger("stanza").setLevel(level)
