"""Base sentences and their variants: the nouns, verbs and forms that a set of properties requires."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from .grammar import Argument, Clause, SentenceGrammar
from .language import Language, Number
from .lexicon import (
    ANIMATE,
    INSTITUTION,
    Adjunct,
    Asymmetric,
    Case,
    Idiom,
    Lexicon,
    Light,
    Name,
    Noun,
    Triple,
    Verb,
)


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
    triple: Triple | None = None
    """Where it was chosen by hand."""
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
        animate = {one for noun in lexicon.nouns if noun.animate for one in noun.classes}
        self.inanimate = frozenset(self.by_class) - animate - ANIMATE - {INSTITUTION}
        self._found: dict[Hashable, list[Verb]] = {}

    def draw(self, base: Base, kinds: tuple[str, ...], case: Case) -> Frame | None:
        """A frame with these properties; None where the lexicon has none."""
        make: dict[tuple[str, ...], Callable[[Base, Case], Frame | None]] = {
            (): self._plain, ("sinan",): self._inanimate_subject, ("oan",): self._animate_object,
            ("invan",): self._inverted, ("psy",): self._psych, ("semas",): self._asymmetric, ("vlight",): self._light,
            ("semas", "psy"): self._asymmetric_psych, ("sinan", "vlight"): self._light_inanimate,
        }  # fmt: skip
        named = (*kinds, "dat") if case == "dat" else kinds
        if base.triple is not None and not base.triple.words.keys().isdisjoint(named):
            return self._chosen(base.triple, named[0]) if len(named) == 1 else None
        return make[kinds](base, case)

    def _chosen(self, triple: Triple, name: str) -> Frame:
        """The words that a triple names for a property."""
        subject, verb, object = triple.words[name]
        light = next((one for one in self.lexicon.light if one.verb is verb and one.noun == object), None)
        pair = Asymmetric(subject, verb, object) if name == "semas" else None
        return Frame(subject, verb, object, light if name == "vlight" else None, pair, name in ("invan", "psy"))

    def _plain(self, base: Base, case: Case) -> Frame | None:
        if case == "acc":
            return Frame(base.subject, base.verb, base.object)
        verb = self._verb(base, case, base.subject.classes, base.object.classes)
        return None if verb is None else Frame(base.subject, verb, base.object)

    def _inanimate_subject(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, self.inanimate, base.object.classes)
        subject = self._subject(base, verb, base.object)
        return None if verb is None or subject is None else Frame(subject, verb, base.object)

    def _animate_object(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, base.subject.classes, tuple(ANIMATE))
        if verb is None:
            return None
        others = (noun for noun in self._nouns(tuple(ANIMATE)) if noun != base.subject)
        object = self._noun(base, (noun for noun in others if verb.allows(base.subject.classes, noun.classes)))
        return None if object is None else Frame(base.subject, verb, object)

    def _inverted(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, self.inanimate, base.subject.classes)
        subject = self._subject(base, verb, base.subject)
        return None if verb is None or subject is None else Frame(subject, verb, base.subject, inverted=True)

    def _psych(self, base: Base, case: Case) -> Frame | None:
        verb = self._verb(base, case, base.object.classes, base.subject.classes, psych=True)
        return None if verb is None else Frame(base.object, verb, base.subject, inverted=True)

    def _asymmetric(self, base: Base, case: Case) -> Frame | None:
        pairs = [one for one in self.lexicon.asymmetric if one.subject == base.subject and one.verb.case == case]
        pair = base.chance.choice(pairs) if pairs else None
        return None if pair is None else Frame(pair.subject, pair.verb, pair.object, pair=pair)

    def _asymmetric_psych(self, base: Base, case: Case) -> Frame | None:
        """The two of an asymmetric pair, the other way round."""
        both = base.frames.get(("semas", "acc")) or self._asymmetric(base, "acc")
        if both is None or "human" not in both.object.classes:
            return None
        verb = self._verb(base, case, both.object.classes, both.subject.classes, psych=True)
        return None if verb is None else Frame(both.object, verb, both.subject, inverted=True)

    def _light(self, base: Base, case: Case) -> Frame | None:
        return self._with_light(base, case, base.subject, base.subject.classes)

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


FRAMES = ("sinan", "oan", "invan", "semas", "psy", "vlight")
"""Properties that bring another verb, or other nouns; each keeps at least one noun of the base sentence."""

_SEQUENCE = (
    "dat amb aux spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn prov".split()
)  # fmt: skip
"""The order in which SORTS writes two properties."""

_TOGETHER = {
    "dat": "aux spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn prov",
    "amb": "aux spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn",
    "aux": "spron opron oneg pp sinan oan invan regpol sname semas noref psy vlight syn prov",
    "spron": "opron oneg pp oan invan noref psy vlight syn",
    "opron": "oneg pp sinan invan regpol sname psy syn",
    "oneg": "pp sinan oan invan regpol sname semas psy vlight syn prov",
    "pp": "sinan oan invan regpol sname semas noref psy vlight syn prov",
    "sinan": "noref vlight syn",
    "oan": "regpol sname noref syn",
    "invan": "noref syn",
    "regpol": "semas noref psy vlight syn",
    "sname": "noref psy vlight syn",
    "semas": "psy syn",
    "noref": "psy syn",
    "psy": "syn",
}
"""What SORTS combines, but for `sinan-oan`, which is `invan` by another name."""


TWINS = "twins"
"""The suite in which every item comes with case and without."""
READINGS = {"full": (True,), TWINS: (False, True)}
"""Whether the base sentences of a suite are ambiguous; those of the others are not."""


def combinations(ambiguity: str, language: Language, tense: str) -> list[frozenset[str]]:
    """All pairs of properties that a set of this ambiguity has (paper, Section 3.5)."""
    without_auxiliary = set[str]() if tense in language.verbs.complex else {"aux"}
    ambiguity = "full" if ambiguity == TWINS else ambiguity
    left_out = (
        without_auxiliary
        | {"full": {"amb", "dat"}, "none": {"amb"}, "part": set[str]()}[ambiguity]
        | language.absent[ambiguity]
    )
    pairs = [frozenset((first, second)) for first, others in _TOGETHER.items() for second in others.split()]
    return [pair for pair in pairs if not pair & left_out and pair not in language.excluded]


def written(properties: frozenset[str]) -> str:
    """As in the files: `base-acc`, `base-aux`, `aux-syn`."""
    names = sorted(properties, key=_SEQUENCE.index)
    return "-".join(names if len(names) > 1 else ("base", *(names or ["acc"])))


_TRIES = 8


_WHY = {
    "syn": "the verb has no synonym that takes these nouns; name one: syn = …",
    "sname": "a name is singular, and nothing else fits one here; or the lexicon has no names",
    "regpol": "no noun of the class institution fits; name one: regpol = …",
    "noref": "the words for nothing and nobody do not go with this verb, or show its case",
    "pp": "the lexicon has no phrases",
}
"""Reasons why a lexicon does not allow a property."""


class Varier:
    """Makes clauses of base sentences; `readings`: whether they are ambiguous, or both for twins."""

    def __init__(self, lexicon: Lexicon, grammar: SentenceGrammar, readings: Sequence[bool]) -> None:
        self.lexicon, self.grammar, self.readings = lexicon, grammar, readings
        self.verbs = {verb.lemma: verb for verb in lexicon.verbs}
        self.frames = Frames(lexicon)

    # ---- clauses

    def clause(self, base: Base, properties: frozenset[str]) -> Clause | None:
        """The base sentence with these properties; None where the lexicon or the grammar does not allow it."""
        ambiguous = all(self.readings) or "amb" in properties
        if base.idiom is not None:
            clause = self._idiom(base, base.idiom, properties)
        else:
            frame = self.frame(base, properties)
            clause = None if frame is None else self._clause(base, frame, properties, ambiguous)
        if clause is None:
            return None
        right = self.grammar.undecided(clause) if ambiguous else self.grammar.tells(clause)
        return clause if right else None

    def why_not(self, base: Base, properties: frozenset[str]) -> str:
        """Say why a base sentence lacks these properties. This draws words, so all sentences must have been made."""
        kinds, ambiguous = tuple(name for name in FRAMES if name in properties), all(self.readings)
        frame = self.frames.draw(base, kinds, "dat" if "dat" in properties else "acc")
        if frame is None:
            names = "-".join(sorted(properties))
            return f"no verb and nouns of the lexicon make {names}; name them: {names} = {{ verb = …, object = … }}"
        words = f"{frame.subject.lemma} – {frame.verb.lemma} – {frame.object.lemma}"
        for hidden in {*self.readings, ambiguous or "amb" in properties}:
            if self._numbers(base, frame, hidden) is None:
                return f"{words}: no forms of these nouns fit together; are plurals missing?"
            clause = self._clause(base, frame, properties, hidden)
            if clause is None:
                return next((why for name, why in _WHY.items() if name in properties), f"{words} has no such form")
            if hidden and not self.grammar.undecided(clause):
                return f"{words}: a form always tells subject from object"
            if not hidden and not self.grammar.tells(clause):
                return f"{words}: no form tells subject from object; take a noun that shows its case or number"
        return f"{words} repeats another sentence, or has no minimal pair"

    def _idiom(self, base: Base, idiom: Idiom, properties: frozenset[str]) -> Clause | None:
        if ("dat" in properties) != (idiom.verb.case == "dat") or ("oneg" in properties and idiom.negated is None):
            return None
        negated = "oneg" in properties
        object = idiom.negated if negated and idiom.negated else idiom.object
        return Clause(
            Argument("fixed", idiom.subject.number, fixed=idiom.subject), idiom.verb,
            Argument("fixed", object.number, article="neg" if negated else "", fixed=object), "aux" in properties,
            base.adjunct if "pp" in properties else None, inverted=idiom.verb.case == "dat",
        )  # fmt: skip

    def _clause(self, base: Base, frame: Frame, properties: frozenset[str], ambiguous: bool) -> Clause | None:
        forms = self._numbers(base, frame, ambiguous)
        if forms is None:
            return None
        noun, number, object_noun, object_number = forms
        articles = self.grammar.language.articles
        subject: Argument | None = Argument("noun", number, noun, articles["subject"])
        article = articles["hidden_object" if ambiguous else "object"]
        if frame.light is not None:
            article = "" if frame.light.bare else articles["object"]
        object: Argument | None = Argument("noun", object_number, object_noun, article)
        person = "object" if "psy" in properties else "subject"
        if "regpol" in properties or "sname" in properties:
            somebody = self._other_person(
                base, frame, properties, number if person == "subject" else object_number, ambiguous
            )
            if somebody is None:
                return None
            if person == "subject":
                subject = somebody
            else:
                object = replace(somebody, article=article) if somebody.noun else somebody
        if "spron" in properties:
            subject = self.grammar.pronoun(noun, number, "subject", ambiguous)
        if "noref" in properties:
            object = self._nothing(frame, ambiguous)
        elif "opron" in properties and "oneg" in properties:
            object = self._if_any(Argument("negative", object_number, object_noun))
        elif "opron" in properties:
            object = self.grammar.pronoun(object_noun, object_number, "object", ambiguous)
        elif "oneg" in properties and object is not None:
            object = replace(object, article="neg") if object.noun else None
        verb = frame.verb
        if "syn" in properties:
            chosen = base.triple.synonym if base.triple and verb is base.verb else None
            synonym = chosen or self.verbs.get(verb.synonym)
            if synonym is None or not (synonym is chosen or self._says_the_same(synonym, frame)):
                return None
            verb = synonym
        if ambiguous and articles["hidden_verbs"] and not verb.fields[articles["hidden_verbs"]]:
            return None
        if subject is None or object is None or ("pp" in properties and base.adjunct is None):
            return None
        adjunct = base.adjunct if "pp" in properties else None
        return Clause(subject, verb, object, "aux" in properties, adjunct, frame.inverted)

    def _nothing(self, frame: Frame, ambiguous: bool) -> Argument | None:
        """`nichts` for things; `niemanden` for people, which shows case in German, so not in ambiguous items."""
        if frame.light is not None or frame.pair is not None:
            return None
        if frame.object.animate:
            return self._if_any(Argument("nobody"))
        if frame.verb.case == "acc":
            return self._if_any(Argument("nothing"))
        people = frame.verb.allows(frame.subject.classes, ("human",))
        return self._if_any(Argument("nobody")) if people and not ambiguous else None

    def _if_any(self, argument: Argument) -> Argument | None:
        return argument if self.grammar.has(argument) else None

    def _other_person(
        self, base: Base, frame: Frame, properties: frozenset[str], number: Number, ambiguous: bool
    ) -> Argument | None:
        if "sname" in properties:
            return Argument("name", name=base.name) if number == "Sing" and base.name else None
        twins = len(self.readings) > 1
        key = (frame.verb, frame.subject, frame.object, *(() if twins else (number, ambiguous)))
        if key not in base.institutions:
            made = [(self._numbers(base, frame, one), one) for one in self.readings] if twins else []
            forms = [(found[3] if "psy" in properties else found[1], one) for found, one in made if found]
            forms = forms or [(number, ambiguous)]
            base.institutions[key] = self._institution(base, frame, forms)
        noun = base.institutions[key]
        return None if noun is None else Argument("noun", number, noun, self.grammar.language.articles["subject"])

    def _institution(self, base: Base, frame: Frame, forms: Iterable[tuple[Number, bool]]) -> Noun | None:
        """An institution that can stand for the person in all forms: in this number, and hiding its case or not."""

        def hides(noun: Noun) -> bool:
            return any(form[:2] == (noun, "Sing") for form in self.grammar.numbers(noun, noun, True, False))

        def fits(noun: Noun) -> bool:
            pair = (noun, frame.object) if not frame.verb.psych else (frame.subject, noun)
            if any(not noun.forms[number] or (hidden and number == "Sing" and not hides(noun))
                   for number, hidden in forms):  # fmt: skip
                return False
            if frame.pair is not None:
                return noun in frame.pair.institutions
            if frame.light is not None:
                return INSTITUTION in frame.light.subjects
            return noun is chosen or frame.verb.allows(pair[0].classes, pair[1].classes)

        chosen = base.triple.institution if base.triple else None
        fitting = [noun for noun in ([chosen] if chosen else self.frames.by_class.get(INSTITUTION, ())) if fits(noun)]
        return base.chance.choice(fitting) if fitting else None

    def _numbers(self, base: Base, frame: Frame, ambiguous: bool) -> tuple[Noun, Number, Noun, Number] | None:
        """The forms of both nouns: the same for all variants in this frame, so that pairs are minimal."""
        for noun, number, object_noun, object_number in self.grammar.numbers(
            frame.subject, frame.object, ambiguous, base.plural
        ):
            if frame.light is None or object_number == "Sing":
                return noun, number, object_noun, object_number
        return None

    def _says_the_same(self, synonym: Verb, frame: Frame) -> bool:
        if synonym.case != frame.verb.case or frame.light is not None:
            return False
        return frame.pair is not None or synonym.allows(frame.subject.classes, frame.object.classes)

    # ---- frames

    def frame(self, base: Base, properties: frozenset[str]) -> Frame | None:
        """The nouns and the verb that these properties ask for, chosen once for each base sentence."""
        kinds = tuple(name for name in FRAMES if name in properties)
        case: Case = "dat" if "dat" in properties else "acc"
        key = (*kinds, case)
        if key not in base.frames:
            base.frames[key] = self._choose(base, kinds, case)
        return base.frames[key]

    def _choose(self, base: Base, kinds: tuple[str, ...], case: Case) -> Frame | None:
        for _ in range(_TRIES):  # chance may bring two feminines where case must show, or a noun without plural
            frame = self.frames.draw(base, kinds, case)
            if frame is None or self._realisable(base, frame):
                return frame
        return None

    def _realisable(self, base: Base, frame: Frame) -> bool:
        for ambiguous in self.readings:
            clause = self._clause(base, frame, frozenset(), ambiguous)
            if clause is None or not (self.grammar.undecided(clause) if ambiguous else self.grammar.tells(clause)):
                return False
        return True
