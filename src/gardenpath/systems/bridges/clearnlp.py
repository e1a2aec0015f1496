"""ClearNLP's trees, which spaCy's English models draw, as Universal Dependencies.

There prepositions and copulas head their phrase, and a conjunct depends on the one before it; here they depend on
what they go with, and on the first conjunct.
"""

from __future__ import annotations

from .bridge import FINAL, NOMINAL, ArcTree, hang_punctuation

_BE = frozenset("be am is are was were been being 's ’s 'm ’m 're ’re".split())
_PLACES = frozenset("where here there".split())
_ADJUNCTS = ("prep", "dative", "advmod", "mark", "npadvmod", "aux", "cc")
"""Labels of prepositions that say no more than that their phrase depends on something."""
_FINITE = ("MD", "VBD", "VBZ", "VBP")


def redraw(tree: ArcTree) -> None:
    """Who depends on whom as in Universal Dependencies; labels that are still ClearNLP's are left to the table."""
    _coordinations(tree)
    _currencies(tree)
    _prepositions(tree)
    _copulas(tree)
    _objects(tree)
    hang_punctuation(tree, "punct")


def _coordinations(tree: ArcTree) -> None:
    """All conjuncts below the first; a conjunction below the conjunct that follows it."""
    conjuncts = tree.labelled("conj")
    for word in tree.labelled("cc"):
        following = [other for other in conjuncts if tree.heads[other] == tree.heads[word] < word < other]
        if following:
            tree.attach(word, following[0])
    for word in conjuncts:
        while tree.labels[tree.heads[word]] == "conj":
            tree.attach(word, tree.heads[tree.heads[word]])


def _currencies(tree: ArcTree) -> None:
    """`$ 20`: the symbol heads the number, but for what makes the number up."""
    for word in tree.labelled("nmod", "quantmod"):
        if tree.upos[word] == "SYM" and tree.heads[word] == word + 1:
            tree.promote(word, "nummod", moves=lambda child: tree.labels[child] not in ("compound", "quantmod"))


def _prepositions(tree: ArcTree) -> None:
    """The object of a preposition takes its place, from the innermost on; `out of` and the like have one object."""
    for word in tree.bottom_up():
        objects = tree.children(word, "pobj") or tree.children(word, "pcomp")
        if not objects and tree.labels[word] == "prep":  # `in particular`
            objects = [child for child in tree.children(word, "amod") if child > word]
        if not objects:
            continue
        label, head = tree.labels[word], tree.heads[word]
        clausal = tree.labels[objects[0]] == "pcomp" and tree.upos[objects[0]] in ("VERB", "AUX")
        if label == "prep" == tree.labels[head] and not tree.children(head, "pobj", "pcomp"):
            label = "pobj"
        elif label in _ADJUNCTS and tree.upos[head] in NOMINAL:
            label = FINAL + ("acl" if clausal else "nmod")
        elif label in _ADJUNCTS:
            label = FINAL + ("advcl" if clausal else "obl")
        tree.promote(objects[0], FINAL + ("mark" if clausal else "case"), place=label)


def _copulas(tree: ArcTree) -> None:
    """What is said of the subject takes the place of `be`, unless `there is` something."""
    for word in tree.words:
        if tree.forms[word] not in _BE or tree.labels[word] in ("aux", "auxpass"):
            continue
        predicates = tree.children(word, "attr", "acomp")
        if any(tree.forms[child] == "there" for child in tree.children(word, "expl")):
            for predicate in predicates[:1]:
                tree.labels[predicate] = "nsubj"
            continue
        if not predicates and tree.children(word, "nsubj", "csubj", "expl"):
            predicates = _other_predicates(tree, word)
        if predicates:
            if tree.labels[predicates[0]] == "ccomp":
                for subject in tree.children(word, "nsubj"):
                    tree.labels[subject] = FINAL + "nsubj:outer"
            tree.promote(predicates[0], FINAL + "cop")


def _other_predicates(tree: ArcTree, be: int) -> list[int]:
    """`Where is it?`, `it is in the house`, `the problem is that it rains`."""
    places = [child for child in tree.children(be, "advmod") if tree.forms[child] in _PLACES]
    after = [child for child in tree.children(be, FINAL + "obl") if child > be]
    return places or after or [child for child in tree.children(be, "ccomp") if child > be]


def _objects(tree: ArcTree) -> None:
    """`want him to go`: the subject of the infinitive is the object of the verb; the first of two objects is the
    indirect one."""
    for word in tree.labelled("ccomp"):
        head = tree.heads[word]
        finite = any(tree.xpos[child] in _FINITE for child in tree.children(word, "aux", "auxpass", FINAL + "cop"))
        if tree.xpos[word] not in ("VB", "VBG", "VBN") or finite or tree.children(word, "mark"):
            continue
        for subject in tree.children(word, "nsubj"):
            if head < subject < word:
                tree.attach(subject, head, "dobj")
                tree.labels[word] = "xcomp"
    for word in tree.labelled("dobj"):
        if any(other > word > tree.heads[word] for other in tree.children(tree.heads[word], "dobj", "ccomp")):
            tree.labels[word] = "dative"
