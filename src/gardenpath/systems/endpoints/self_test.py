"""The examination of a server of log-probabilities: are its numbers those of the tokens that it was asked about?

Servers leave the log-probabilities of a prompt out, give those of the most likely token, or are one token off, and
the scores that come of it look like those of a poor model. So before anything is scored, each server reads sentences
and the same sentences scrambled after their second word. What is common to both must get the same numbers; where
they part, the numbers must differ; and order must be more likely than disorder, at the word where they part and over
the whole. A model has to know one of these languages only. Numbers that are random pass the last point for one
language by chance with a probability of 0.3 %.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import SystemFailure
from ..running_text import Reading

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
        raise SystemFailure(
            "the same call twice does not give the same log-probabilities",
            where=where,
            todo="is anything drawn at random in the server?",
        )
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
