"""`openai:URL#model=NAME`: a language model on any server that gives the log-probabilities of a prompt."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import FailedOnInput, NoAnswer, SystemFailure, UnreadableAnswer
from ...runs.signature import digest, signature
from ..protocol import Habits
from ..running_text import Reading
from ..text_reader import TextReader
from .endpoint import endpoint
from .prompt_tokens import UNKNOWN, spans_of
from .self_test import PROBE, check_server

CHOICES = {"bos": ("server",), "joiner": ("blank", "none"), "answers": ()}
OTHERS = {"bos": r".*[^A-Za-z0-9].*", "answers": r"[0-9a-f]{8}-[0-9]+\.[0-9]"}
SAME = 1.0
"""Bits by which two answers to the probe may differ: other batches, other order of sums."""
_IMPOSSIBLE = -9999.0
"""What servers write for minus infinity, which JSON has not."""
_NO_PROMPT = (
    "it must give the log-probabilities of the prompt: vLLM does, llama-cpp-python's server does with --logits_all "
    "true, llama-server of llama.cpp and servers of chat models do not; gardenpath judge takes a chat model"
)

Scored = list[tuple[str, float | None]]
"""Tokens of a prompt and what followed, with their log-probabilities."""


class CompletionsModel(TextReader):
    """A model that is asked by HTTP, once for each sentence. Before anything is scored its server is examined."""

    habits = Habits(chunk=100)

    def __init__(self, argument: str) -> None:
        self.endpoint = endpoint("openai", argument, CHOICES, OTHERS)
        options = self.endpoint.options
        self.joiner = " " if options["joiner"] == "blank" else ""
        self.bos = "" if options["bos"] == "server" else options["bos"]
        self._form: Callable[[str], Scored] | None = None
        answers = self._answers(options["answers"])
        given = self.endpoint.name
        self.name = given if options["answers"] else f"{given}#answers={answers}"
        self.signature = signature(
            ("kind", "openai"), ("server", self.endpoint.place), ("model", self.endpoint.model),
            ("bos", self.bos or "server"), ("answers", answers), ("joiner", None if self.joiner else "none"),
        )  # fmt: skip

    def _answers(self, pinned: str) -> str:
        """What the model is known by: its tokens and its bits for a fixed text. Servers tell names, not versions.

        A server that was never examined is examined now; a worker gets a name that says what the answers were.
        """
        first = self.read(PROBE)
        answering = fingerprint(first)
        if not pinned:
            check_server(self.read, first, self.endpoint.name)
            return answering
        if not _alike(answering, pinned):
            raise SystemFailure(
                f"its answers are {answering} now, not {pinned}",
                where=self.endpoint.name,
                todo="there is another model behind this name; leave #answers out to take it as it is",
            )
        return pinned

    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """The model's own tokens of each text, one request each."""
        return [self.read(text) for text in texts]

    def read(self, text: str) -> Reading:
        """What the server says of one text."""
        if not text.strip():
            empty = np.empty(0, dtype=np.int64)
            return Reading(text, empty, empty, np.empty(0), np.empty(0, dtype=bool))
        scored, skip = self._scored(self.bos + text), len(self.bos)
        pieces = [piece for piece, _ in scored]
        spans = spans_of(self.bos + text, pieces)
        if spans is None:  # llama-cpp-python leaves a BOS out of what comes back
            spans, skip = spans_of(text, pieces), 0
        if spans is None:
            shown = " ".join(pieces[:12])
            what = f"the tokens that came back do not sum to the text {text!r}: {shown} …"
            raise UnreadableAnswer(what, where=self.endpoint.name, todo="does the server change the prompt?")
        kept = [
            (begin - skip, end - skip, nats, piece)
            for (piece, nats), span in zip(scored, spans, strict=False)
            if span is not None
            for begin, end in [span]
            if end > skip or (begin >= skip and end == begin)
        ]
        if not kept or any(nats is None for _, _, nats, _ in kept[1:]):
            raise FailedOnInput(
                f"not every token of the text has a log-probability: {text}", where=self.endpoint.name, todo=_NO_PROMPT
            )
        if kept[0][0] < 0:
            what = f"the token {self.bos} and the begin of the text are one token: {text}"
            raise FailedOnInput(what, where=self.endpoint.name, todo="name a special token of the model as #bos")
        bits = [np.nan if nats is None else np.inf if nats <= _IMPOSSIBLE else -nats / math.log(2)
                for _, _, nats, _ in kept]  # fmt: skip
        return Reading(
            text, np.array([begin for begin, *_ in kept], np.int64), np.array([end for _, end, *_ in kept], np.int64),
            np.array(bits), np.array([piece in UNKNOWN for *_, piece in kept], dtype=bool),
        )  # fmt: skip

    def _scored(self, prompt: str) -> Scored:
        """The tokens of a prompt in the form in which this server gives them, found out at the first one."""
        if self._form is not None:
            return self._form(prompt)
        for form in (self._echoed, self._prompt_logprobs):
            try:
                scored = form(prompt)
            except NoAnswer:
                raise
            except FailedOnInput as error:
                reason = error.what
                continue
            self._form = form
            return scored
        what = f"it gives no log-probabilities of the prompt: {reason}"
        raise SystemFailure(what, where=self.endpoint.name, todo=_NO_PROMPT)

    def _echoed(self, prompt: str) -> Scored:
        """OpenAI's first protocol: the prompt comes back before what follows it."""
        # One token more, because some servers take 0 for as many as they like.
        choice = self._completed({"prompt": prompt, "echo": True, "logprobs": 1})
        logprobs = choice.get("logprobs")
        if not isinstance(logprobs, dict):
            raise UnreadableAnswer("there are no logprobs", where=self.endpoint.name)
        pieces, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
        if not isinstance(pieces, list) or not isinstance(values, list) or len(pieces) != len(values):
            raise UnreadableAnswer("tokens and token_logprobs are not as long as each other", where=self.endpoint.name)
        if len(pieces) < 2 or all(value is None for value in values):
            raise UnreadableAnswer("only what follows the prompt has log-probabilities", where=self.endpoint.name)
        return [(_text(piece), self._number(value)) for piece, value in zip(pieces, values, strict=True)]

    def _prompt_logprobs(self, prompt: str) -> Scored:
        """vLLM's own: for each token of the prompt its log-probability alone, by its number."""
        choice = self._completed({"prompt": prompt, "prompt_logprobs": 0})
        places = choice.get("prompt_logprobs")
        if not isinstance(places, list) or not places:
            raise UnreadableAnswer("there are no prompt_logprobs", where=self.endpoint.name)
        scored: Scored = []
        for place in places:
            if place is None:
                scored.append(("", None))
                continue
            (entry,) = place.values() if isinstance(place, dict) and len(place) == 1 else [None]
            if not isinstance(entry, dict):
                raise UnreadableAnswer("a place of prompt_logprobs has not one token", where=self.endpoint.name)
            scored.append((_text(entry.get("decoded_token")), self._number(entry.get("logprob"))))
        return scored

    def _completed(self, body: dict[str, Any]) -> dict[str, Any]:
        return self.endpoint.ask("completions", {"max_tokens": 1, "temperature": 0, **body})

    def _number(self, value: Any) -> float | None:
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or value != value or value > 1e-3:
            raise UnreadableAnswer(f"{value!r} is not a log-probability", where=self.endpoint.name)
        return min(0.0, float(value))


def fingerprint(reading: Reading) -> str:
    """Tokens as a digest, and the bits of all of them."""
    return f"{digest(*reading.tokens)[:8]}-{np.nansum(reading.surprisals):.1f}"


def _alike(first: str, second: str) -> bool:
    (tokens, _, bits), (other_tokens, _, other_bits) = first.partition("-"), second.partition("-")
    return tokens == other_tokens and abs(float(bits) - float(other_bits)) <= SAME


def _text(piece: Any) -> str:
    return piece if isinstance(piece, str) else ""
