"""Trees of an abstract clause in three annotations: UD, TIGER and TüBa-D/Z.

UD: content words as heads, German labels of UD v2. TIGER: flat phrases without unary nodes, gaps, secondary edges for
what is shared; objects and adverbials of the verb hang at the lowest VP, subject and sentence adverbials at S, marks at
the root. TüBa-D/Z: topological fields, functions on the phrases in them, no gaps.
"""

from __future__ import annotations

from gardenpath.phrase import ROOT, TIGER, TUEBADZ, PhraseTree, Scheme, from_arcs, grown

from .clause import (
    Adjective,
    Adverb,
    Clause,
    Clauses,
    Coordination,
    Nominal,
    Part,
    Phrase,
    Prepositional,
    Sentence,
    Unlike,
    Verbal,
    Word,
    head,
    main,
)

_NAMES = {"indirect": "indirect_object", "oblique": "prepositional_object", "adverbial": "modifier"}


def functions_of(scheme: Scheme) -> dict[str, str]:
    """The scheme's name for what each part of an abstract clause is to its verb."""
    roles = ("subject", "object", "indirect", "predicate", "oblique", "agent", "adverbial", "complement")
    return {role: getattr(scheme.functions, _NAMES.get(role, role)) for role in roles}


class Bracketing:
    """Columns of a phrase tree; tokens hang at the virtual root until they get a mother."""

    __slots__ = ("functions", "labels", "mothers", "secondary", "size", "token_functions", "words")

    def __init__(self, words: list[Word]) -> None:
        self.words, self.size = words, len(words)
        self.token_functions = [""] * self.size
        self.mothers = [ROOT] * self.size
        self.labels: list[str] = []
        self.functions: list[str] = []
        self.secondary: list[tuple[int, str, int]] = []

    def inner(self, label: str, function: str, mother: int) -> int:
        self.labels.append(label)
        self.functions.append(function)
        self.mothers.append(mother)
        return self.size + len(self.labels) - 1

    def leaf(self, word: Word, function: str, mother: int) -> int:
        self.token_functions[word.at] = function
        self.mothers[word.at] = mother
        return word.at

    def tree(self, sent_id: str = "") -> PhraseTree:
        words = self.words
        return grown(
            [word.form for word in words],
            [word.xpos for word in words],
            self.labels,
            self.token_functions + self.functions,
            self.mothers,
            self.secondary,
            lemmas=[word.lemma for word in words],
            sent_id=sent_id,
        )


_DETERMINERS = {"PPOSAT": "det:poss"}


def attach(sentence: Sentence) -> None:
    """Give every word its head and relation; marks have theirs from the layout."""
    root = sentence.root
    if isinstance(root, Clauses):
        first, second = root.conjuncts
        _clause(first, None, "root")
        _clause(second, main(first), "conj")
        _hang(root.conjunction, main(second), "cc")
    else:
        _clause(root, None, "root")


def ud(sentence: Sentence, sent_id: str) -> PhraseTree:
    """The dependency tree, written as phrases."""
    attach(sentence)
    words = sentence.words
    return from_arcs(
        [word.form for word in words], [word.upos for word in words],
        [ROOT if word.head is None else word.head.at for word in words], [word.deprel for word in words],
        lemmas=[word.lemma for word in words], morphs=[word.feats for word in words], sent_id=sent_id,
    )  # fmt: skip


def conllu(sentence: Sentence, comments: str) -> str:
    """The sentence in CoNLL-U, after these lines of comments; its words have their arcs already."""
    words = sentence.words
    lines, text = [comments, ""], []
    last = len(words) - 1
    for at, word in enumerate(words):
        close = at < last and words[at + 1].upos == "PUNCT"
        text.append(word.form if close or at == last else word.form + " ")
        governor = 0 if word.head is None else word.head.at + 1
        lines.append(
            f"{at + 1}\t{word.form}\t{word.lemma}\t{word.upos}\t{word.xpos}\t{word.feats}\t{governor}\t{word.deprel}"
            f"\t_\t{'SpaceAfter=No' if close else '_'}\n"
        )
    lines[1] = f"# text = {''.join(text)}\n"
    return "".join(lines) + "\n"


def _hang(word: Word, governor: Word | None, relation: str) -> None:
    word.head, word.deprel = governor, relation


def _clause(clause: Clause, governor: Word | None, relation: str) -> None:
    top = main(clause)
    if clause.complementiser is not None:
        _hang(clause.complementiser, top, "mark")
    for verb in (clause.finite, *clause.verbs):
        if verb is not top:
            verb.head = top  # the relation came with the auxiliary
    if clause.particle is not None:
        _hang(clause.particle, top, "compound:prt")
    for part in clause.parts():
        if part.role == "predicate":
            _phrase(part.phrase, governor, relation)
        else:
            _phrase(part.phrase, top, _relation(part, clause.passive))
    if not any(part.role == "predicate" for part in clause.middle):
        _hang(top, governor, relation)
    if clause.later is not None:
        assert clause.conjunction is not None
        _clause(clause.later, top, "conj")
        _hang(clause.conjunction, main(clause.later), "cc")


def _relation(part: Part, passive: bool) -> str:
    phrase = part.phrase
    if part.role == "subject":
        return "nsubj:pass" if passive else "nsubj"
    if part.role == "object":
        return "obj"
    if part.role == "indirect":
        return "obl:arg"
    if part.role == "agent":
        return "obl:agent"
    if part.role == "complement":
        return "ccomp"
    if isinstance(phrase, Clause | Verbal):
        return "advcl"
    return "advmod" if isinstance(phrase, Adverb) else "obl"


def _phrase(phrase: Phrase, governor: Word | None, relation: str) -> None:
    if isinstance(phrase, Nominal):
        _nominal(phrase, governor, relation)
    elif isinstance(phrase, Prepositional):
        _hang(phrase.preposition, head(phrase.nominal), "case")
        _phrase(phrase.nominal, governor, relation)
    elif isinstance(phrase, Adjective):
        _hang(phrase.head, governor, relation)
        if phrase.degree is not None:
            _hang(phrase.degree, phrase.head, "advmod")
    elif isinstance(phrase, Adverb):
        _hang(phrase.head, governor, relation)
    elif isinstance(phrase, Coordination | Unlike):
        first, second = phrase.conjuncts
        _phrase(first, governor, relation)
        _phrase(second, head(first), "conj")
        _hang(phrase.conjunction, head(second), "cc")
    elif isinstance(phrase, Verbal):
        _hang(phrase.verb, governor, relation)
        if phrase.zu is not None:
            _hang(phrase.zu, phrase.verb, "mark")
        for part in phrase.parts:
            _phrase(part.phrase, phrase.verb, _relation(part, False))
    else:
        _clause(phrase, governor, relation)


def _nominal(nominal: Nominal, governor: Word | None, relation: str) -> None:
    noun = nominal.head
    _hang(noun, governor, relation)
    if nominal.determiner is not None:
        _hang(nominal.determiner, noun, _DETERMINERS.get(nominal.determiner.xpos, "det"))
    for adjective in nominal.adjectives:
        _phrase(adjective, noun, "amod")
    if nominal.genitive is not None:
        _nominal(nominal.genitive, noun, "nmod")
    for attribute in nominal.attributes:
        _phrase(attribute, noun, "nmod")
    if nominal.relative is not None:
        _clause(nominal.relative, noun, "acl:relcl")


TIGER_FUNCTIONS = functions_of(TIGER)


def tiger(sentence: Sentence, sent_id: str = "") -> PhraseTree:
    made = Bracketing(sentence.words)
    root = sentence.root
    if isinstance(root, Clauses):
        top = made.inner("CS", "", ROOT)
        for clause in root.conjuncts:
            _tiger_clause(made, clause, "CJ", top)
        made.leaf(root.conjunction, "CD", top)
    else:
        _tiger_clause(made, root, "", ROOT)
    return made.tree(sent_id)


def _tiger_clause(made: Bracketing, clause: Clause, function: str, mother: int) -> int:
    if clause.later is None:
        return _simple(made, clause, function, mother)[0]
    assert clause.conjunction is not None
    top = made.inner("CS", function, mother)
    _, nodes = _simple(made, clause, "CJ", top)
    made.leaf(clause.conjunction, "CD", top)
    second, _ = _simple(made, clause.later, "CJ", top)
    if clause.complementiser is not None:
        made.secondary.append((clause.complementiser.at, "CP", second))
    for part, node in nodes:
        if part.role == "subject":
            made.secondary.append((node, "SB", second))
        elif part is clause.front and part.role == "adverbial" and not isinstance(part.phrase, Clause | Verbal):
            made.secondary.append((node, "MO", second))  # time or place of both
    return top


def _simple(made: Bracketing, clause: Clause, function: str, mother: int) -> tuple[int, list[tuple[Part, int]]]:
    top = made.inner("S", function, mother)
    if clause.complementiser is not None:
        made.leaf(clause.complementiser, "CP", top)
    made.leaf(clause.finite, "HD", top)
    if clause.particle is not None:
        made.leaf(clause.particle, "SVP", top)
    parts = clause.parts()
    low, function = top, "PD" if clause.statal else "OC"
    for verb in reversed(clause.verbs):
        alone = verb is clause.verbs[0] and not any(_low(part) for part in parts)
        if alone:  # a single word has no phrase
            made.leaf(verb, function, low)
        else:
            low = made.inner("VP", function, low)
            made.leaf(verb, "HD", low)
    return top, [(part, _tiger_part(made, part, low if _low(part) else top)) for part in parts]


def _low(part: Part) -> bool:
    """Whether it belongs to the lowest verb phrase, if there is one."""
    return part.role != "subject" and part.level == "verb"


def _tiger_part(made: Bracketing, part: Part, mother: int) -> int:
    function = TIGER_FUNCTIONS[part.role]
    phrase = part.phrase
    if (
        function == "PD"
        and isinstance(phrase, Unlike)
        and any(isinstance(conjunct, Nominal) for conjunct in phrase.conjuncts)
    ):
        function = "OC"
    return _tiger_phrase(made, phrase, function, mother)


def _tiger_phrase(made: Bracketing, phrase: Phrase, function: str, mother: int) -> int:
    if isinstance(phrase, Nominal):
        return _tiger_nominal(made, phrase, function, mother)
    if isinstance(phrase, Prepositional):
        top = made.inner("PP", function, mother)
        made.leaf(phrase.preposition, "AC", top)
        if isinstance(phrase.nominal, Nominal):
            _content(made, phrase.nominal, top)
        else:
            _tiger_phrase(made, phrase.nominal, "NK", top)
        return top
    if isinstance(phrase, Adjective):
        if phrase.degree is None:
            return made.leaf(phrase.head, function, mother)
        top = made.inner("AP", function, mother)
        made.leaf(phrase.degree, "MO", top)
        made.leaf(phrase.head, "HD", top)
        return top
    if isinstance(phrase, Adverb):
        return made.leaf(phrase.head, "NG" if phrase.head.xpos == "PTKNEG" else function, mother)
    if isinstance(phrase, Coordination | Unlike):
        label = "CO"
        if isinstance(phrase, Coordination):
            label = "CNP" if isinstance(phrase.conjuncts[0], Nominal) else "CAP"
        top = made.inner(label, function, mother)
        for conjunct in phrase.conjuncts:
            _tiger_phrase(made, conjunct, "CJ", top)
        made.leaf(phrase.conjunction, "CD", top)
        return top
    if isinstance(phrase, Verbal):
        return _verbal(made, phrase, function, mother)
    return _tiger_clause(made, phrase, function, mother)


def _tiger_nominal(made: Bracketing, nominal: Nominal, function: str, mother: int) -> int:
    if (
        nominal.determiner is None
        and nominal.genitive is None
        and nominal.relative is None
        and not nominal.adjectives
        and not nominal.attributes
    ):
        return made.leaf(nominal.head, function, mother)
    top = made.inner("NP", function, mother)
    _content(made, nominal, top)
    return top


def _content(made: Bracketing, nominal: Nominal, top: int) -> None:
    """The daughters of an NP, or of a PP beside its preposition."""
    if nominal.determiner is not None:
        made.leaf(nominal.determiner, "NK", top)
    for adjective in nominal.adjectives:
        _tiger_phrase(made, adjective, "NK", top)
    made.leaf(nominal.head, "NK", top)
    if nominal.genitive is not None:
        _tiger_nominal(made, nominal.genitive, "AG", top)
    for attribute in nominal.attributes:
        _tiger_phrase(made, attribute, "PG" if attribute.possessive else "MNR", top)
    if nominal.relative is not None:
        _tiger_clause(made, nominal.relative, "RC", top)


def _verbal(made: Bracketing, phrase: Verbal, function: str, mother: int) -> int:
    top = made.inner("VP", function, mother)
    for part in phrase.parts:
        _tiger_part(made, part, top)
    if phrase.zu is None:
        made.leaf(phrase.verb, "HD", top)
    else:
        inner = made.inner("VZ", "HD", top)
        made.leaf(phrase.zu, "PM", inner)
        made.leaf(phrase.verb, "HD", inner)
    return top


TUEBADZ_FUNCTIONS = functions_of(TUEBADZ)
_CATEGORIES = {"Nominal": "NX", "Adjective": "ADJX", "Prepositional": "PX", "Adverb": "ADVX", "Clause": "SIMPX"}


def tuebadz(sentence: Sentence, sent_id: str = "") -> PhraseTree:
    made = Bracketing(sentence.words)
    root = sentence.root
    if isinstance(root, Clauses):
        top = made.inner("SIMPX", "", ROOT)
        for clause in root.conjuncts:
            _tuebadz_clause(made, clause, "KONJ", top)
        made.leaf(root.conjunction, "", top)
    else:
        _tuebadz_clause(made, root, "", ROOT)
    return made.tree(sent_id)


def _function(part: Part) -> str:
    if part.role == "extraposed":
        assert part.antecedent is not None
        return f"{_function(part.antecedent)}-MOD"
    if part.role != "adverbial":
        return TUEBADZ_FUNCTIONS[part.role]
    return "MOD" if part.level == "sentence" or isinstance(part.phrase, Clause | Verbal) else "V-MOD"


def _tuebadz_clause(made: Bracketing, clause: Clause, function: str, mother: int) -> None:
    top = made.inner("SIMPX" if clause.relative is None else "R-SIMPX", function, mother)
    if clause.complementiser is not None:
        made.leaf(clause.complementiser, "", made.inner("C", "", top))
    for name, part in (("C", clause.relative), ("VF", clause.front)):
        if part is not None:
            _tuebadz_part(made, part, made.inner(name, "", top))
    if clause.later is None:
        _fields(made, clause, top)
        return
    assert clause.conjunction is not None
    both = made.inner("FKOORD", "", top)
    _fields(made, clause, made.inner("FKONJ", "KONJ", both))
    made.leaf(clause.conjunction, "", both)
    _fields(made, clause.later, made.inner("FKONJ", "KONJ", both))


def _fields(made: Bracketing, clause: Clause, top: int) -> None:
    """From the left bracket on: LK, MF, VC, NF, as far as there is something in them."""
    if clause.order != "vl":
        _finite(made, clause.finite, made.inner("LK", "", top))
    unlike: Unlike | None = None
    middle = -1
    for part in clause.middle:
        if isinstance(part.phrase, Unlike) and part.role == "predicate":
            unlike = part.phrase
            continue
        middle = made.inner("MF", "", top) if middle < 0 else middle
        _tuebadz_part(made, part, middle)
    if unlike is not None:
        _unlike_fields(made, unlike, top)
    if clause.verbs or clause.particle is not None or clause.order == "vl":
        complex_ = made.inner("VC", "", top)
        for at, verb in enumerate(clause.verbs):
            highest = clause.order != "vl" and at == len(clause.verbs) - 1 > 0
            made.leaf(verb, "HD", made.inner("VXINF", "HD" if highest else "OV", complex_))
        if clause.particle is not None:
            made.leaf(clause.particle, "VPT", complex_)
        if clause.order == "vl":
            _finite(made, clause.finite, complex_)
    if clause.after:
        after = made.inner("NF", "", top)
        for part in clause.after:
            _tuebadz_part(made, part, after)


def _unlike_fields(made: Bracketing, unlike: Unlike, top: int) -> None:
    """Conjuncts as fields: a verbless one is an MF, one with a verb has two fields in an FKONJ."""
    both = made.inner("FKOORD", "", top)
    for conjunct_phrase in unlike.conjuncts:
        if isinstance(conjunct_phrase, Verbal):
            conjunct = made.inner("FKONJ", "KONJ", both)
            _verbal_fields(made, conjunct_phrase, conjunct, "OV")
        else:
            _tuebadz_phrase(made, conjunct_phrase, "PRED", made.inner("MF", "KONJ", both))
    made.leaf(unlike.conjunction, "", both)


def _verbal_fields(made: Bracketing, phrase: Verbal, top: int, function: str) -> None:
    middle = made.inner("MF", "", top)
    for part in phrase.parts:
        _tuebadz_part(made, part, middle)
    verb = made.inner("VXINF", function, made.inner("VC", "", top))
    if phrase.zu is not None:
        made.leaf(phrase.zu, "HD", verb)
        made.leaf(phrase.verb, "", verb)
    else:
        made.leaf(phrase.verb, "HD", verb)


def _finite(made: Bracketing, verb: Word, mother: int) -> None:
    made.leaf(verb, "HD", made.inner("VXFIN", "HD", mother))


def _tuebadz_part(made: Bracketing, part: Part, mother: int) -> None:
    _tuebadz_phrase(made, part.phrase, _function(part), mother)


def _tuebadz_phrase(made: Bracketing, phrase: Phrase, function: str, mother: int) -> None:
    if isinstance(phrase, Nominal):
        _tuebadz_nominal(made, phrase, function, mother)
    elif isinstance(phrase, Prepositional):
        top = made.inner("PX", function, mother)
        made.leaf(phrase.preposition, "", top)
        _tuebadz_phrase(made, phrase.nominal, "HD", top)
    elif isinstance(phrase, Adjective):
        top = made.inner("ADJX", function, mother)
        if phrase.degree is not None:
            made.leaf(phrase.degree, "HD", made.inner("ADVX", "", top))
        made.leaf(phrase.head, "HD", top)
    elif isinstance(phrase, Adverb):
        made.leaf(phrase.head, "HD", made.inner("ADJX" if phrase.head.xpos == "ADJD" else "ADVX", function, mother))
    elif isinstance(phrase, Coordination | Unlike):
        first = phrase.conjuncts[0]
        top = made.inner(_CATEGORIES[type(first).__name__], function, mother)
        for conjunct in phrase.conjuncts:
            _tuebadz_phrase(made, conjunct, "KONJ", top)
        made.leaf(phrase.conjunction, "", top)
    elif isinstance(phrase, Verbal):  # a participle clause
        _verbal_fields(made, phrase, made.inner("SIMPX", function, mother), "HD")
    else:
        _tuebadz_clause(made, phrase, function, mother)


def _tuebadz_nominal(made: Bracketing, nominal: Nominal, function: str, mother: int) -> None:
    """The noun with what stands before it; each thing that follows makes one more NX around that."""
    following: list[Nominal | Prepositional | Clause] = [*nominal.attributes]
    if nominal.genitive is not None:
        following.insert(0, nominal.genitive)
    if nominal.relative is not None and not nominal.extraposed:
        following.append(nominal.relative)
    top = made.inner("NX", function, mother)
    for phrase in reversed(following):
        inner = made.inner("NX", "HD", top)
        _tuebadz_phrase(made, phrase, "", top)
        top = inner
    if nominal.determiner is not None:
        made.leaf(nominal.determiner, "", top)
    for adjective in nominal.adjectives:
        _tuebadz_phrase(made, adjective, "", top)
    made.leaf(nominal.head, "HD", top)
