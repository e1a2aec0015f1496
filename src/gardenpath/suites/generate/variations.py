"""A base sentence and its variants: which forms of which words a set of properties asks for."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Argument, Clause
from .entries import INSTITUTION, Case, Idiom, Lexicon, Noun, Number, Verb
from .frames import Base, Frame, Frames
from .grammar import SentenceGrammar
from .properties import FRAMES

_TRIES = 8


class Varier:
    """Makes clauses of base sentences; `full`: nothing may tell subject from object in any of them."""

    def __init__(self, lexicon: Lexicon, grammar: SentenceGrammar, *, full: bool) -> None:
        self.lexicon, self.grammar, self.full = lexicon, grammar, full
        self.verbs = {verb.lemma: verb for verb in lexicon.verbs}
        self.frames = Frames(lexicon)

    # ---- clauses

    def clause(self, base: Base, properties: frozenset[str]) -> Clause | None:
        """The base sentence with these properties; None where the lexicon or the grammar does not allow it."""
        ambiguous = self.full or "amb" in properties
        if base.idiom is not None:
            clause = self._idiom(base, base.idiom, properties)
        else:
            frame = self.frame(base, properties)
            clause = None if frame is None else self._clause(base, frame, properties, ambiguous)
        if clause is None:
            return None
        right = self.grammar.undecided(clause) if ambiguous else self.grammar.tells(clause)
        return clause if right else None

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
            synonym = self.verbs.get(verb.synonym)
            if synonym is None or not self._says_the_same(synonym, frame):
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
        key = (frame.verb, frame.subject, frame.object, number, ambiguous)
        if key not in base.institutions:
            base.institutions[key] = self._institution(base, frame, number, ambiguous)
        noun = base.institutions[key]
        return None if noun is None else Argument("noun", number, noun, self.grammar.language.articles["subject"])

    def _institution(self, base: Base, frame: Frame, number: Number, ambiguous: bool) -> Noun | None:
        def fits(noun: Noun) -> bool:
            pair = (noun, frame.object) if not frame.verb.psych else (frame.subject, noun)
            if not noun.forms[number]:
                return False
            if (
                ambiguous
                and number == "Sing"
                and not any(
                    form[1] == "Sing" and form[0] is noun for form in self.grammar.numbers(noun, noun, True, False)
                )
            ):
                return False
            if frame.pair is not None:
                return noun in frame.pair.institutions
            if frame.light is not None:
                return INSTITUTION in frame.light.subjects
            return frame.verb.allows(pair[0].classes, pair[1].classes)

        fitting = [noun for noun in self.frames.by_class.get(INSTITUTION, ()) if fits(noun)]
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
        ambiguous = self.full
        clause = self._clause(base, frame, frozenset(), ambiguous)
        if clause is None:
            return False
        return self.grammar.undecided(clause) if ambiguous else self.grammar.tells(clause)
