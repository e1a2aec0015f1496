"""What a name of the kind `hf` asks for: `hf:MODEL#option=value#option=value`."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from ...errors import UsageError, unknown_name

CHOICES = {
    "as": ("auto", "causal", "masked"),
    "bos": ("auto", "add", "eos", "none"),
    "space": ("leading", "corrected"),
    "pll": ("l2r", "original"),
    "dtype": ("float32", "bfloat16", "float16"),
    "joiner": ("blank", "none"),
    "download": ("no", "yes"),
}
"""The values of each option, its default first."""
_OPTION = re.compile(r"([a-z]+)=([A-Za-z0-9]*)")


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is read."""

    task: str = "auto"
    """`as`: what it is; auto: what its config.json says."""
    bos: str = "auto"
    """What stands before a sentence: the token that begins a text; `eos`: the one that ends it; nothing."""
    space: str = "leading"
    """`corrected`: the probability of the blank before a word belongs to the word before the blank."""
    pll: str = "l2r"
    """Of masked models: what is masked with a token, the rest of its word or nothing."""
    dtype: str = "float32"
    joiner: str = "blank"
    """What stands between words where a list of words is given and no text."""
    download: str = "no"

    def given(self) -> str:
        """As in a name, without what is the default."""
        shown = [(_name(one.name), getattr(self, one.name)) for one in fields(self)]
        return "".join(f"#{name}={value}" for name, value in shown if value != CHOICES[name][0])


def parse(argument: str) -> tuple[str, Options]:
    """The model and the options of an argument. A name may have a # of its own, which no `option=` follows."""
    parts = argument.split("#")
    cut = len(parts)
    while cut > 1 and _OPTION.fullmatch(parts[cut - 1]):
        cut -= 1
    where, options, seen = f"hf:{argument}", Options(), set[str]()
    for part in parts[cut:]:
        name, _, value = part.partition("=")
        if name not in CHOICES:
            raise unknown_name("option", name, CHOICES, where=where)
        if value not in CHOICES[name]:
            raise unknown_name(f"value of {name}", value, CHOICES[name], where=where)
        if name in seen:
            raise UsageError(f"the option {name} is given twice", where=where)
        seen.add(name)
        options = replace(options, **{_field(name): value})
    model = "#".join(parts[:cut])
    if not model:
        raise UsageError("no model is named", where=where, todo="write hf:FOLDER or hf:NAME")
    return model, options


def _field(name: str) -> str:
    return "task" if name == "as" else name


def _name(field: str) -> str:
    return "as" if field == "task" else field
