"""Words of the calendar and the clock: numbers beside them are dates and hours, not amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..node import Node

_MONTHS = {
    "de": "januar jänner februar märz april mai juni juli august september oktober november dezember",
    "en": "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec jan. feb. mar. apr. aug. sept. oct. nov. dec.",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь "
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень "
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "zh": "月 月份",
    "ja": "月",
}
_CENTURIES = {
    "de": "jahrhundert jahrhunderts jh. jhd.",
    "en": "century centuries",
    "sv": "århundrade århundradet sekel seklet",
    "ru": "век века веке столетие столетия",
    "uk": "століття столітті сторіччя сторіччі вік ст.",
    "zh": "世纪 世紀",
    "ja": "世紀",
}
_CLOCK = {
    "de": "uhr jahr jahre jahres",
    "en": "p.m. a.m. pm am year o'clock",
    "sv": "klockan kl år",
    "ru": "год года году час часа ч. г.",
    "uk": "рік року році година години р. год",
    "zh": "年 年代 日 号 號 时 時 点 點 分 岁 歲 世纪 世紀",
    "ja": "年 年代 年生 日 時 時半 分 歳 才 番 番目 番線 丁目",
}


def _words(table: dict[str, str], language: str) -> frozenset[str]:
    return frozenset(table.get(language, "").split())


def _says(word: Node | None, words: frozenset[str]) -> bool:
    return word is not None and (word.form.lower() in words or word.lemma.lower() in words)


def is_month(word: Node | None, language: str) -> bool:
    return _says(word, _words(_MONTHS, language))


def is_century(word: Node | None, language: str) -> bool:
    return _says(word, _words(_CENTURIES, language))


def is_date_or_hour(word: Node | None, language: str) -> bool:
    """A word whose number is a date or an hour."""
    return any(_says(word, _words(table, language)) for table in (_MONTHS, _CENTURIES, _CLOCK))
