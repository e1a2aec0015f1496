"""Which nouns and which verb a property brings: chosen by chance, but with a noun of the base sentence in each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from .entries import ANIMATE, INSTITUTION, Adjunct, Asymmetric, Case, Idiom, Lexicon, Light, Name, Noun, Verb


@dataclass(frozen=True, slots=True)
class Frame:
    """Nouns and verb of a clause before number and form are chosen."""

    subject: Noun
    verb: Verb
    object: Noun
    light: Light | None = None
    pair: Asymmetric | None = None
    inverted: bool = False


@dataclass(eq=False, slots=True)
class Base:
    """A base sentence: its words, and what its variants have in common."""

    subject: Noun
    verb: Verb
    object: Noun
    chance: Random
    plural: bool
    """Whether a plural subject is preferred."""
    adverb: str
    conjunction: str
    adjunct: Adjunct | None
    name: Name | None
    idiom: Idiom | None = None
    frames: dict[tuple[str, ...], Frame | None] = field(default_factory=dict)
    institutions: dict[Hashable, Noun | None] = field(default_factory=dict)


class Frames:
    """Draws frames for base sentences from a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.by_class: dict[str, list[Noun]] = {}
        for noun in lexicon.nouns:
            for noun_class in noun.classes:
                self.by_class.setdefault(noun_class, []).append(noun)
        self.inanimate = frozenset(self.by_class) - ANIMATE - {INSTITUTION}
        self._found: dict[Hashable, list[Verb]] = {}

    def draw(self, base: Base, kinds: tuple[str, ...], case: Case) -> Frame | None:
        """A frame with these properties; None where the lexicon has none."""
        make: dict[tuple[str, ...], Callable[[Base, Case], Frame | None]] = {
            (): self._plain, ("sinan",): self._inanimate_subject, ("oan",): self._animate_object,
            ("invan",): self._inverted, ("psy",): self._psych, ("semas",): self._asymmetric, ("vlight",): self._light,
            ("semas", "psy"): self._asymmetric_psych, ("sinan", "vlight"): self._light_inanimate,
        }  # fmt: skip
        return make[kinds](base, case)

    def _plain(self, base: Base, case: Case) -> Frame | None:
        if case == "acc":
            return Frame(base.subject, base.verb, base.object)
        verb = self._verb(base, case, ("human",), base.object.classes)
        return None if verb is None else Frame(base.subject, verb, base.object)

    def _inanimate_subject(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, self.inanimate, base.object.classes)
        subject = self._subject(base, verb, base.object)
        return None if verb is None or subject is None else Frame(subject, verb, base.object)

    def _animate_object(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, ("human",), tuple(ANIMATE))
        if verb is None:
            return None
        object = self._noun(base, (noun for noun in self._nouns(tuple(ANIMATE))
                                   if noun != base.subject and verb.allows(("human",), noun.classes)))  # fmt: skip
        return None if object is None else Frame(base.subject, verb, object)

    def _inverted(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, self.inanimate, ("human",))
        subject = self._subject(base, verb, base.subject)
        return None if verb is None or subject is None else Frame(subject, verb, base.subject, inverted=True)

    def _psych(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, base.object.classes, ("human",), psych=True)
        return None if verb is None else Frame(base.object, verb, base.subject, inverted=True)

    def _asymmetric(self, base: Base, case: Case) -> Frame | None:
        pairs = [one for one in self.lexicon.asymmetric if one.subject == base.subject and one.verb.case == case]
        pair = base.chance.choice(pairs) if pairs else None
        return None if pair is None else Frame(pair.subject, pair.verb, pair.object, pair=pair)

    def _asymmetric_psych(self, base: Base, case: Case) -> Frame | None:
        """The two of an asymmetric pair, the other way round."""
        both = base.frames.get(("semas", "acc")) or self._asymmetric(base, "acc")
        if both is None or both.object.classes[0] != "human":
            return None
        verb = self._verb(base, case, ("human",), ("human",), psych=True)
        return None if verb is None else Frame(both.object, verb, both.subject, inverted=True)

    def _light(self, base: Base, case: Case) -> Frame | None:
        return self._with_light(base, case, base.subject, ["human"])

    def _light_inanimate(self, base: Base, case: Case) -> Frame | None:
        """Any inanimate subject that a light verb takes, the object of the base sentence where it can be one."""
        for subject in (base.object, self._noun(base, self._nouns(tuple(sorted(self.inanimate))))):
            frame = self._with_light(base, case, subject, subject.classes) if subject else None
            if frame is not None:
                return frame
        return None

    def _with_light(self, base: Base, case: Case, subject: Noun, classes: Iterable[str]) -> Frame | None:
        fitting = [one for one in self.lexicon.light if one.verb.case == case and not one.subjects.isdisjoint(classes)]
        light = base.chance.choice(fitting) if fitting else None
        return None if light is None else Frame(subject, light.verb, light.noun, light=light)

    # ---- choices

    def _verb(
        self, base: Base, case: Case, subjects: Iterable[str], objects: Iterable[str], *, psych: bool = False
    ) -> Verb | None:
        """The base verb where it fits, else one by chance."""
        first, second = tuple(sorted(subjects)), tuple(sorted(objects))
        key = (case, psych, first, second)
        if key not in self._found:
            self._found[key] = [
                verb for verb in self.lexicon.verbs
                if verb.case == case and verb.psych == psych and verb.allows(first, second)
            ]  # fmt: skip
        verbs = self._found[key]
        if base.verb in verbs:
            return base.verb
        return base.chance.choice(verbs) if verbs else None

    def _subject(self, base: Base, verb: Verb | None, object: Noun) -> Noun | None:
        """An inanimate subject that the verb takes with this object."""
        if verb is None:
            return None
        classes = [
            noun_class for role in verb.roles if not role.objects.isdisjoint(object.classes)
            for noun_class in sorted(role.subjects & self.inanimate)
        ]  # fmt: skip
        if not classes:
            return None
        nouns = self.by_class.get(base.chance.choice(classes), [])
        return self._noun(base, (noun for noun in nouns if noun not in (object, base.object)))

    def _nouns(self, classes: Sequence[str]) -> Iterable[Noun]:
        return (noun for one in sorted(classes) for noun in self.by_class.get(one, ()))

    def _noun(self, base: Base, nouns: Iterable[Noun]) -> Noun | None:
        candidates = list(nouns)
        return base.chance.choice(candidates) if candidates else None
