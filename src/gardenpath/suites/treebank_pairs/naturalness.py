"""Which sentences and which words make pairs that a reader takes for sentences of the language."""

from __future__ import annotations

from .words import Words

SHORTEST, LONGEST = 4, 40
_QUOTES = frozenset("\"`'“”„‟‘’‚‛«»‹›「」『』")
_APOSTROPHES = frozenset("'’")
_BROKEN = frozenset(["dep", "goeswith", "orphan", "reparandum", "list"])
_OPENING = frozenset(" \t([{¿¡—–")


class Naturalness:
    """Answers for sentences once, however many sites they have."""

    def __init__(self, words: Words, *, longest: int = LONGEST) -> None:
        self._words, self._longest = words, longest
        self._known: dict[int, str] = {}

    def fault(self, sentence: int) -> str:
        """Why no pair is made of a sentence; empty where nothing speaks against it."""
        if sentence not in self._known:
            self._known[sentence] = self._fault(sentence)
        return self._known[sentence]

    def _fault(self, sentence: int) -> str:
        words = self._words
        begin, end = words.offsets[sentence : sentence + 2]
        if not SHORTEST <= end - begin <= self._longest:
            return "length"
        if not _BROKEN.isdisjoint(words.relations[begin:end]):
            return "broken sentence"
        text = words.text(sentence)[0]
        return "quotation" if _has_quotes(text) else ""

    def replaced(self, word: int, form: str) -> tuple[str, str] | None:
        """Another form as it is written in place of a word, and the sentence with it; None where the word does not
        stand alone between blanks and marks, or is not made of letters."""
        words = self._words
        sentence = words.sentences[word]
        text, places = words.text(sentence)
        place, old = places[word - words.offsets[sentence]], words.forms[word]
        if place < 0 or not (old.isalpha() and form.isalpha()) or (len(old) > 1 and old.isupper()):
            return None
        end = place + len(old)
        before, after = text[place - 1 : place], text[end : end + 1]
        if (before and before not in _OPENING) or after.isalnum() or after in _APOSTROPHES or after == "-":
            return None
        if after == "." and end + 1 < len(text.rstrip()):  # an abbreviation
            return None
        if old[0].isupper():
            form = form[0].upper() + form[1:]
        return form, text[:place] + form + text[end:]


def _has_quotes(text: str) -> bool:
    """Quotation marks; an apostrophe between letters, or after one, is none."""
    return any(
        mark in _QUOTES and not (mark in _APOSTROPHES and place and text[place - 1].isalnum())
        for place, mark in enumerate(text)
    )
