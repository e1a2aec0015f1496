"""`openai:URL#model=NAME`: a language model on any server that gives the log-probabilities of a prompt.

Servers leave the log-probabilities of a prompt out, give those of the most likely token, or are one token off, and
the scores that come of it look like those of a poor model. So before anything is scored, each server reads sentences
and the same sentences scrambled after their second word. What is common to both must get the same numbers; where
they part, the numbers must differ; and order must be more likely than disorder, at the word where they part and over
the whole. A model has to know one of these languages only. Numbers that are random pass the last point for one
language by chance with a probability of 0.3 %.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import FailedOnInput, NoAnswer, SystemFailure, UnreadableAnswer
from ...runs.record.signatures import digest, signature
from ..asking.protocol import Habits
from ..asking.servers import endpoint
from .running_text import Reading, TextReader, placed

Span = tuple[int, int]
UNKNOWN = ("<unk>", "[UNK]")
"""What servers write for a token that stands for what the model does not know."""
_BYTES = re.compile(r"bytes:((?:\\x[0-9a-fA-F]{2})+)")
_SKIPPED = 3
"""So many tokens that are not of the text may stand before it: marks of the begin."""


def spans_of(text: str, pieces: Sequence[str]) -> list[Span | None] | None:
    """Begin and end of each token without the blanks around it; None of tokens that stand before the text, and no
    list where the tokens are not those of the text. What stands behind the text is left out: the model made it up.

    A token that is a part of a character comes as nothing, as a replacement character or as bytes; the last part may
    come as the whole character. It has the span of its character; where several such tokens make up several
    characters, that of all of these.

    >>> spans_of("a dog", ["<s>", "a", " dog", " barks"])
    [None, (0, 1), (2, 5)]
    """
    for blanks in (True, False):  # some servers leave the blanks out of the tokens
        chars = [(place, char) for place, char in enumerate(text) if blanks or not char.isspace()]
        places = [place for place, char in chars for _ in char.encode("utf-8")]
        data = "".join(char for _, char in chars).encode("utf-8")
        known = [_bytes_of(piece, blanks) for piece in pieces]
        for least in (0, 1):  # bytes of a first token that does not say what it is: a mark before the text, or a word
            for late in (False, True):
                spans = _byte_spans(data, known, least, late=late)
                if spans is not None:
                    # Spans of bytes as spans of characters.
                    ends = [*places, len(text)]
                    inside = [
                        (ends[begin], ends[end - 1] + 1 if end > begin else ends[begin])
                        for begin, end in filter(None, spans)
                    ]
                    trimmed = iter(zip(*(side.tolist() for side in placed(text, inside)), strict=True))
                    return [None if span is None else next(trimmed) for span in spans]
    return None


def _byte_spans(data: bytes, known: Sequence[bytes | None], least: int, *, late: bool) -> list[Span | None] | None:
    """`late`: parts of a character come as nothing, and the last of them as the whole character (vLLM)."""
    spans: list[Span | None] = []
    at, hidden = 0, 0  # bytes that have been found; tokens since then whose bytes are not known

    def place_hidden(end: int) -> None:
        """Of as many tokens as there are bytes each has one; else each of them stands for all.

        Of more tokens than bytes at the begin, the first ones are marks before the text.
        """
        marks = 0 if at else max(0, hidden - end)
        single = hidden - marks == end - at
        spans.extend([None] * marks)
        spans.extend((begin, begin + 1) if single else (at, end) for begin in range(at, at + hidden - marks))

    for number, piece in enumerate(known):
        if at == len(data):
            break
        if piece is None or (hidden and not piece):
            hidden += 1
            continue
        if late and hidden and (at or spans) and data.startswith(piece, at):
            first_character = piece.decode("utf-8", "replace")[:1].encode("utf-8")
            spans.extend([(at, at + len(first_character))] * hidden + [(at, at + len(piece))])
            at, hidden = at + len(piece), 0
            continue
        begin = data.find(piece, at + (1 if at else least)) if hidden else at
        if hidden and spans and not begin:  # what stands behind a mark that has a name is none itself
            return None
        if begin < 0 and number == len(known) - 1:
            break  # the token that follows the prompt
        if begin < 0 or not data.startswith(piece, begin):
            if at or hidden or len(spans) >= _SKIPPED:
                return None
            spans.append(None)
            continue
        place_hidden(begin)
        spans.append((begin, begin + len(piece)))
        at, hidden = begin + len(piece), 0
    if at < len(data) and not hidden:
        return None
    place_hidden(len(data))
    return spans


def _bytes_of(piece: str, blanks: bool) -> bytes | None:
    """What a token says that it is; None where it does not say it."""
    if escaped := _BYTES.fullmatch(piece):
        return bytes.fromhex(escaped[1].replace("\\x", ""))
    if not piece or "\ufffd" in piece or piece in UNKNOWN:
        return None
    return (piece if blanks else "".join(piece.split())).encode("utf-8")


PROBE = (
    "The old man the boats that sank, said 3 of them. Der Hund, den die Katze sah, schläft heute nicht. "
    "Мама мыла раму, и он ушёл. Le chat n'a rien vu; el perro lo vio todo! 他昨天没有来。"
)
"""A text by the answer to which a model is known."""
GAP = 0.15
"""Bits, on average, that half precision and other batches may make of the same."""
ENOUGH = 11
"""Sentences, of the twelve of a language, that must be more likely than their scrambled forms."""
_OFF = "are its log-probabilities one token off, or those of the most likely tokens?"
SENTENCES = {
    "English": (
        "The children were playing in the garden", "She wanted to buy a new car",
        "He is the best friend of my mother", "They have been living in this city",
        "We went to the beach with our dog", "It was a very cold day in winter", "The man who lives next door is old",
        "I would like to have some more tea", "You can see the river from here",
        "My father is working in the kitchen", "There are many trees in the forest", "The little girl had a red ball",
    ),
    "German": (
        "Die Kinder haben gestern im Garten gespielt", "Der Mann ist mit seinem Hund gegangen",
        "Ich habe mir ein neues Auto gekauft", "Wir wollen heute mit dem Zug fahren",
        "Sie hat ihm einen Brief geschrieben", "Das Buch liegt auf dem Tisch", "Er kann sehr gut Deutsch sprechen",
        "Es gibt in dieser Stadt viele Kirchen", "Die Frau hat das Fenster geöffnet",
        "Mein Vater ist ein sehr guter Koch", "Der Zug kommt immer zu spät", "Ich würde gerne noch etwas Tee trinken",
    ),
    "Chinese": (
        "我 昨天 买 了 一 本 书", "他 今天 在 学校 吃 了 一 个 苹果", "我们 应该 好好 地 学习 汉语 语法",
        "她 已经 看 过 这 部 电影", "老师 告诉 我们 一 个 好 消息", "这 是 我 最 喜欢 的 城市",
        "他们 正在 讨论 一 个 重要 的 问题", "我 想 喝 一 杯 热 茶", "中国 有 很 多 美丽 的 地方",
        "昨天 我们 参观 了 一 家 工厂", "他 经常 去 图书馆 借 书", "她 每天 都 给 妈妈 打 电话",
    ),
    "Spanish": (
        "Los niños están jugando en el jardín", "Mi madre quiere comprar un coche nuevo",
        "Ella no ha visto la película", "El hombre que vive aquí es viejo", "Vamos a comer en la casa de Juan",
        "Hay muchos árboles en el bosque", "La niña tenía un perro muy grande", "Me gusta mucho el café con leche",
        "Ayer fui al mercado con mi hermana", "El libro está sobre la mesa", "No puedo ir a la fiesta mañana",
        "Ellos viven en una ciudad pequeña",
    ),
    "Russian": (
        "Мой отец работает на большом заводе", "Она вчера купила новую красную машину",
        "В лесу растёт много высоких деревьев", "Мы вчера ходили в кино с друзьями",
        "Он очень хорошо говорит по английски", "Моя сестра живёт в другом городе", "Дети сейчас играют в нашем саду",
        "Я хочу выпить чашку горячего чая", "Эта книга лежит на моём столе", "Завтра мы поедем к бабушке в деревню",
        "Старый дом стоит на берегу реки", "Он не знает ответа на этот вопрос",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class SentencePair:
    """What a server says of a sentence and of its scrambled form."""

    sane: Reading
    scrambled: Reading

    @cached_property
    def shared(self) -> int:
        """How many tokens they have in common before they part."""
        both = zip(_tokens(self.sane), _tokens(self.scrambled), strict=False)
        return next((at for at, (sane, scrambled) in enumerate(both) if sane != scrambled), 0)

    @property
    def gaps_before(self) -> list[float]:
        """Bits between the two, at each common token that has a log-probability."""
        gaps = np.abs(self.sane.surprisals[: self.shared] - self.scrambled.surprisals[: self.shared])
        return [gap for gap in gaps.tolist() if gap == gap]

    @property
    def parting(self) -> float:
        """Bits by which the token of the scrambled sentence is less likely than the other, where they part."""
        return float(self.scrambled.surprisals[self.shared] - self.sane.surprisals[self.shared])

    @property
    def whole(self) -> float:
        """The same over all tokens."""
        return float(np.nansum(self.scrambled.surprisals) - np.nansum(self.sane.surprisals))


def check_server(read: Callable[[str], Reading], probe: Reading, where: str) -> None:
    """Raises where what a server says cannot be log-probabilities of the tokens; `probe` is its reading of PROBE."""
    again = read(PROBE)
    if _tokens(again) != _tokens(probe) or np.nanmean(np.abs(again.surprisals - probe.surprisals)) > GAP:
        todo = "is anything drawn at random in the server?"
        raise SystemFailure("the same call twice does not give the same log-probabilities", where=where, todo=todo)
    counts, blind = [], True
    for language in SENTENCES:
        pairs = [SentencePair(read(sane), read(scrambled)) for sane, scrambled in sentence_pairs(language)]
        if _mean([gap for pair in pairs for gap in pair.gaps_before]) > GAP:
            raise SystemFailure("the log-probability of a token changes with what follows it", where=where, todo=_OFF)
        parting, whole = sum(pair.parting > 0 for pair in pairs), sum(pair.whole > 0 for pair in pairs)
        if min(parting, whole) >= ENOUGH:
            return
        counts.append(f"{language} {whole} and {parting}")
        blind = blind and _mean([abs(pair.parting) for pair in pairs if pair.parting == pair.parting]) <= GAP
    if blind:
        raise SystemFailure("different tokens at one place have the same log-probability", where=where, todo=_OFF)
    raise SystemFailure(
        "sentences are not more likely than scrambled ones (of 12, over the whole and where they part: "
        f"{', '.join(counts)})",
        where=where,
        todo=f"a model that knows one of these languages has {ENOUGH}; are the numbers one token off "
        "(llama-cpp-python's are where no BOS stands before the text: name it as #bos=TOKEN), or of other tokens?",
    )


def sentence_pairs(language: str) -> list[tuple[str, str]]:
    """Sentences, and the same with all words but the first two in reverse."""
    joiner = "" if language == "Chinese" else " "
    cut = [sentence.split() for sentence in SENTENCES[language]]
    return [(joiner.join(words), joiner.join([*words[:2], *words[:1:-1]])) for words in cut]


def _mean(gaps: Sequence[float]) -> float:
    return sum(gaps) / len(gaps) if gaps else 0.0


def _tokens(reading: Reading) -> list[tuple[int, int, str]]:
    return list(zip(reading.begins.tolist(), reading.ends.tolist(), reading.tokens, strict=True))


CHOICES = {"bos": ("server",), "joiner": ("blank", "none"), "answers": ()}
OTHERS = {"bos": r".*[^A-Za-z0-9].*", "answers": r"[0-9a-f]{8}-[0-9]+\.[0-9]"}
SAME = 1.0
"""Bits by which two answers to the probe may differ: other batches, other order of sums."""
_IMPOSSIBLE = -9999.0
"""What servers write for minus infinity, which JSON has not."""
_NO_PROMPT = (
    "it must give the log-probabilities of the prompt: vLLM does, llama-cpp-python's server does with --logits_all "
    "true, llama-server of llama.cpp and servers of chat models do not; gardenpath surprisal takes a chat model"
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
