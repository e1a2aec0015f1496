"""The process in which UDPipe is trained: a job as JSON on standard input, the model into a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_KIND = "morphodita_parsito"


def main() -> int:
    """Errors go to stderr as `error: …`; exit 1."""
    job = json.load(sys.stdin)
    from ufal.udpipe import ProcessingError, Trainer

    error = ProcessingError()
    options = job["options"]
    model = Trainer.train(
        _KIND, _sentences(job["train"]), _sentences(job["dev"]), options["tokenizer"], options["tagger"],
        options["parser"], error,
    )  # fmt: skip
    if error.occurred() or not model:
        return _complain(error.message or "it gave no model")
    Path(job["model"]).write_bytes(model)
    return 0


def _sentences(conllu: str) -> Any:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    sentences, error = Sentences(), ProcessingError()
    reader = InputFormat.newConlluInputFormat()
    reader.setText(conllu)
    while True:
        sentence = Sentence()
        if not reader.nextSentence(sentence, error):
            break
        sentences.append(sentence)
    if error.occurred():
        sys.exit(_complain(error.message))
    return sentences


def _complain(message: str) -> int:
    sys.stderr.write("error: " + " ".join(message.split()) + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
