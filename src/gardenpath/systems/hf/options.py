"""What a name of the kind `hf` asks for: `hf:MODEL#option=value#option=value`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

from ...errors import UsageError
from ..begin_token import TOKEN, WAYS
from ..name_options import split_options

CHOICES = {
    "as": ("auto", "causal", "masked", "seq2seq"),
    "bos": WAYS,
    "space": ("leading", "corrected"),
    "pll": ("l2r", "original"),
    "dtype": ("float32", "bfloat16", "float16"),
    "joiner": ("blank", "none"),
    "download": ("no", "yes"),
    "device": ("cpu", "auto", "mps", "cuda"),
    "revision": ("main",),
    "batch": ("auto",),
}
"""The values of each option, its default first."""
_DEVICE = r"(cpu|cuda:[0-9]+)"
OTHERS = {
    "bos": TOKEN, "device": rf"{_DEVICE}(,{_DEVICE})*", "revision": r"\w[\w./-]*", "batch": r"[1-9][0-9]*",
}  # fmt: skip
"""What else an option may be: a token before sentences, one GPU by its number, several devices."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is read."""

    task: str = "auto"
    """`as`: what it is; auto: what its config.json says."""
    bos: str = "auto"
    """What stands before a sentence: the token that begins a text; `eos`: the one that ends it; nothing; a token."""
    space: str = "leading"
    """`corrected`: the probability of the blank before a word belongs to the word before the blank."""
    pll: str = "l2r"
    """Of masked models: what is masked with a token, the rest of its word or nothing."""
    dtype: str = "float32"
    joiner: str = "blank"
    """What stands between words where a list of words is given and no text."""
    download: str = "no"
    device: str = "cpu"
    """Where it is computed; `auto`: on a GPU, if there is one; with several, its layers are spread over them."""
    revision: str = "main"
    """Of a model by name: a branch, a tag or a commit."""
    batch: str = "auto"
    """Tokens that are read at once; the scores do not depend on it."""

    def given(self) -> str:
        """As in a name, without what is the default."""
        shown = [(_name(setting.name), getattr(self, setting.name)) for setting in fields(self)]
        return "".join(f"#{name}={value}" for name, value in shown if value != CHOICES[name][0])


def parse(argument: str) -> tuple[str, Options]:
    """The model and the options of an argument; `NAME@step1000` is a model by name in a revision."""
    model, given = split_options("hf", argument, CHOICES, OTHERS)
    if not model:
        raise UsageError("no model is named", where=f"hf:{argument}", todo="write hf:FOLDER or hf:NAME")
    name, at, revision = model.rpartition("@")
    if at and "revision" not in given and not Path(model).expanduser().exists():
        model, given = name, {**given, "revision": revision}
    return model, replace(Options(), **{_field(name): value for name, value in given.items()})


def _field(name: str) -> str:
    return "task" if name == "as" else name


def _name(field: str) -> str:
    return "as" if field == "task" else field
