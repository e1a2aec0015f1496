"""A small spaCy pipeline, trained in this process: `spacy train` in one of its own takes four times as long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gardenpath.treebank import Sentence, Treebank

WIDTH, EPOCHS = 32, 6


def write_pipeline(treebank: Treebank, path: Path) -> None:
    """A tagger of UPOS and a parser; labels as official German models have them, in small letters."""
    import spacy

    nlp = spacy.blank("de")
    shared = {
        "@architectures": "spacy.HashEmbedCNN.v2", "width": WIDTH, "depth": 2, "embed_size": 500, "window_size": 1,
        "maxout_pieces": 2, "subword_features": True, "pretrained_vectors": None,
    }  # fmt: skip
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "*"}
    parser = {
        "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser", "extra_state_tokens": False,
        "hidden_width": WIDTH, "maxout_pieces": 2, "use_upper": True, "tok2vec": listener,
    }  # fmt: skip
    nlp.add_pipe("tok2vec", config={"model": shared})
    nlp.add_pipe("morphologizer", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}})
    nlp.add_pipe("parser", config={"min_action_freq": 1, "model": parser})
    spacy.util.fix_random_seed(1)
    examples = [_example(nlp.vocab, sentence) for sentence in treebank]
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.005
    for _ in range(EPOCHS):
        for begin in range(0, len(examples), 12):
            nlp.update(examples[begin : begin + 12], sgd=optimizer, drop=0.0)
    nlp.to_disk(path)


def _example(vocabulary: Any, sentence: Sentence) -> Any:
    from spacy.tokens import Doc
    from spacy.training import Example

    words = sentence.words
    given = {"words": [word.form for word in words], "sent_starts": [at == 0 for at in range(len(words))]}
    heads = [word.head - 1 if word.head else at for at, word in enumerate(words)]
    labels = [word.deprel.lower() if word.head else "ROOT" for word in words]
    gold = Doc(vocabulary, **given, pos=[word.upos for word in words], heads=heads, deps=labels)
    return Example(Doc(vocabulary, **given), gold)
