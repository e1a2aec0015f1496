"""Bracketed formats: Penn Treebank brackets with functions, and discbracket for trees with gaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from ...errors import InputError, UsageError, unknown_name
from ...formats import Format
from ..schemes.model import TUEBADZ
from ..tree import ROOT, PhraseTree, grown

SEPARATORS = ("-", "#", ":")
FUNCTIONS = ("keep", "strip")
Splitter = Callable[[str], tuple[str, str]]
_PART = re.compile(r"\([ \t\r\n]*([^ \t\r\n()]*)|(\))|([^ \t\r\n()]+)")
_SPECIAL = re.compile(r"-+(?:[A-Z]+-)?")  # Labels that begin with hyphens: -NONE-, -LRB-, --
_GAP = re.compile(r"=[0-9]+$")
_INDEX = re.compile(r"(?:^|-)[0-9]+(?=[-=]|$)|=[0-9]+")


def without_index(function: str) -> str:
    """A function without the numbers that lead from a phrase to its trace: SBJ of `SBJ-1`, none of `=2`."""
    return _INDEX.sub("", function).lstrip("-")


def index_of(function: str) -> str:
    """The number that leads from a phrase to its trace: 1 of `SBJ-1`; empty where there is none."""
    match = _INDEX.search(function)
    return match[0].lstrip("-=") if match else ""


@dataclass(frozen=True)
class Labels:
    """How names in brackets are to be read and written: `NP-SBJ-1` is a category, a function and an index.

    With `-` the function is what stands behind the first hyphen (so `NX-OA-MOD` has the function OA-MOD), after one
    of `categories` if the name begins with it; with the other separators, what stands behind the last one.
    """

    separator: str = "-"
    functions: str = "keep"
    """`strip` leaves out functions and indices."""
    indices: bool = True
    """Keep `-1` and `=2` with the function."""
    empty: bool = True
    """Keep tokens with the tag -NONE-."""
    categories: frozenset[str] = TUEBADZ.categories.hyphenated
    """Categories that hold a hyphen themselves, as R-SIMPX does."""
    virtual: tuple[str, ...] = ("VROOT",)
    """Outermost brackets with these labels, or with none, are the virtual root."""

    def __post_init__(self) -> None:
        if self.separator not in SEPARATORS:
            raise UsageError(f"{self.separator!r} does not separate functions", todo="one of " + " ".join(SEPARATORS))
        if self.functions not in FUNCTIONS:
            raise unknown_name("treatment of functions", self.functions, FUNCTIONS)

    def splitter(self) -> Splitter:
        """Name to category and function, remembering what it has seen."""

        @cache
        def split(name: str) -> tuple[str, str]:
            label, function = self.split(unescaped(name) if name != "-LRB-" and name != "-RRB-" else name)
            if label.startswith("$["):  # where brackets stand for trees, TIGER's tag $( is written so
                label = f"$({label[2:]}"
            if self.functions == "strip":
                return label, ""
            return label, function if self.indices else without_index(function)

        return split

    def split(self, name: str) -> tuple[str, str]:
        if self.separator != "-":
            label, _, function = name.rpartition(self.separator)
            return (label, function) if label and function else (name, "")
        special = _SPECIAL.match(name)
        if special:
            at = special.end()
        else:
            known = [
                category
                for category in self.categories
                if name.startswith(category) and name[len(category) :][:1] in ("", "-", "=")
            ]
            at = len(max(known, key=len)) if known else name.find("-")
        gap = _GAP.search(name)
        if gap and gap.start() > 0 and (at < 0 or gap.start() < at):
            at = gap.start()
        if at <= 0 or at >= len(name):
            return name, ""
        return name[:at], name[at:] if name[at] == "=" else name[at:].removeprefix("-")

    def joiner(self) -> Callable[[str, str], str]:
        """Category and function to name; an error if it would not be read back."""
        split = self.splitter()

        @cache
        def join(label: str, function: str) -> str:
            if self.functions == "strip":
                function = ""
            shown = label.replace("$(", "$[") if label.startswith("$(") else label
            sign = "" if function.startswith("=") and self.separator == "-" else self.separator
            name = escaped(f"{shown}{sign}{function}" if function else shown)
            if self.functions == "keep" and split(name) != (label, function):
                what = f"{label!r} with the function {function!r}" if function else repr(label)
                todo = "choose another separator: " + " ".join(SEPARATORS)
                raise InputError(f"{what} could not be read back from {name!r}", todo=todo)
            return name

        return join


@dataclass(slots=True)
class Bracketed:
    """A tree as the brackets have it: tokens in the order in which they are written, inner nodes from the top."""

    line: int
    tags: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    token_mothers: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    mothers: list[int] = field(default_factory=list)
    """Numbers of inner nodes from 0; ROOT at the top."""


def bracketed(text: str, name: str = "", virtual: tuple[str, ...] = (), line: int = 1) -> Iterator[Bracketed]:
    """The outermost brackets of a text, one after the other; `line` is the number of its first line."""
    path: list[int] = []
    """The open brackets: numbers of inner nodes, ROOT for one without a label at the top."""
    opened, label, word, counted, seen = False, "", None, line, 0
    """Of the bracket opened last, as long as nothing but a label and a word stand in it."""
    tree = Bracketed(line)
    for match in _PART.finditer(text):
        kind = match.lastindex
        if kind == 1:
            if opened:
                if word is not None:
                    raise InputError(f"a bracket follows the word {word!r}", where=_place(name, line, text, match))
                if label and (path or label not in virtual):
                    tree.mothers.append(path[-1] if path else ROOT)
                    path.append(len(tree.names))
                    tree.names.append(label)
                else:
                    path.append(path[-1] if path else ROOT)
            elif not path:
                counted, seen = counted + text.count("\n", seen, match.start()), match.start()
                tree = Bracketed(counted)
            opened, label, word = True, match[1], None
        elif kind == 2:
            if not opened:
                if not path:
                    where = _place(name, line, text, match)
                    raise InputError("a bracket is closed that was not opened", where=where)
                path.pop()
            elif word is not None:
                tree.tags.append(label)
                tree.words.append(word)
                tree.token_mothers.append(path[-1] if path else ROOT)
            elif label:
                todo = "a word needs a tag: (NN word)"
                raise InputError(f"the bracket ({label}) is empty", where=_place(name, line, text, match), todo=todo)
            opened = False
            if not path:
                yield tree
        elif opened and word is None:
            word = match[0]
        else:
            what, todo = f"the word {match[0][:40]!r} has no bracket of its own", "a word needs a tag: (NN word)"
            raise InputError(what, where=_place(name, line, text, match), todo=todo)
    if path or opened:
        todo = "was the file written to the end?"
        raise InputError("a bracket that begins here is not closed", where=f"{name}:{tree.line}", todo=todo)


def _place(name: str, line: int, text: str, match: re.Match[str]) -> str:
    return f"{name}:{line + text.count(chr(10), 0, match.start())}"


_FROM_NAME = {"-LRB-": "(", "-RRB-": ")", "#LRB#": "(", "#RRB#": ")"}
_NAMES = re.compile("|".join(_FROM_NAME))


def escaped(text: str) -> str:
    return text.replace("(", "-LRB-").replace(")", "-RRB-") if "(" in text or ")" in text else text


def unescaped(text: str) -> str:
    """Brackets for their names; disco-dop's `#LRB#` is understood too."""
    return _NAMES.sub(lambda match: _FROM_NAME[match[0]], text) if "RB" in text else text


def check_words(words: tuple[str, ...], where: str) -> None:
    """What brackets cannot hold: empty words and words with blanks."""
    for word in words:
        if not word or " " in word or "\t" in word or "\n" in word or "\r" in word:
            todo = "brackets separate words by blanks: write TIGER-XML, or change it"
            raise InputError(f"a blank in the word {word!r}" if word else "an empty word", where=where, todo=todo)


def first_leaf(data: bytes) -> bytes | None:
    """The word in the first bracket that holds no other, of a file that begins with a bracket."""
    leaf = re.search(rb"\([^\s()]+\s+([^\s()]+)\s*\)", data) if data.startswith(b"(") else None
    return leaf[1] if leaf else None


def has_places(data: bytes) -> bool:
    """Do leaves carry their place, or are they numbers with the words behind a tab?"""
    leaf = first_leaf(data)
    if leaf is None:
        return False
    first, tab, _ = data.partition(b"\n")[0].partition(b"\t")
    return bool((leaf.isdigit() and tab and first.rstrip().endswith(b")")) or re.match(rb"[0-9]+=", leaf))


NONE = "-NONE-"
_DEFAULT = Labels()
_ELEMENT = re.compile(r"^<([A-Za-z]+)\b[^<>\n]*>(?!\s*\()[^<]*</\1>", re.MULTILINE)
_LINE = re.compile(r"^<(?:[^<>\n]*>(?=[ \t]*\()|.*$)|(?<=\))[ \t]*</[^<>()\n]*>[ \t\r]*$", re.MULTILINE)
_NOT_END = re.compile(r"[^\n]+")


def without_markup(text: str) -> str:
    """Text without the SGML around trees, as the Chinese Treebank has it; line numbers stay as they are.

    Elements that do not begin with a bracket go with their content (`<DATE>1998</DATE>`), of other lines the tags.
    """
    if "<" not in text:
        return text
    text = _ELEMENT.sub(lambda element: _NOT_END.sub("", element[0]), text)
    return _LINE.sub("", text)


def read_penn(text: str, name: str = "", labels: Labels = _DEFAULT) -> Iterator[PhraseTree]:
    """The trees of a file; they may go over several lines. `name` is for messages."""
    split = labels.splitter()
    for tree in bracketed(without_markup(text), name, labels.virtual):
        if not labels.empty and NONE in tree.tags:
            tree = without_empty(tree)
        words = [unescaped(word) for word in tree.words]
        yield _grown(tree, range(len(words)), words, split, f"{name}:{tree.line}")


def _grown(tree: Bracketed, order: Sequence[int], words: Sequence[str], split: Splitter, where: str) -> PhraseTree:
    """The tree of brackets whose tokens stand in this order in the sentence."""
    size = len(words)
    tags = [split(tree.tags[at]) for at in order]
    inner = [split(name) for name in tree.names]
    mothers = [tree.token_mothers[at] for at in order] + tree.mothers
    return grown(
        words,
        [tag for tag, _ in tags],
        [label for label, _ in inner],
        [function for _, function in tags + inner],
        [mother if mother == ROOT else mother + size for mother in mothers],
        where=where,
    )


def without_empty(tree: Bracketed) -> Bracketed:
    """Without traces, and without the nodes that hold nothing else."""
    kept = [at for at, tag in enumerate(tree.tags) if tag != NONE]
    alive = set[int]()
    for mother in (tree.token_mothers[at] for at in kept):
        while mother != ROOT and mother not in alive:
            alive.add(mother)
            mother = tree.mothers[mother]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(sorted(alive))}
    return Bracketed(
        tree.line,
        [tree.tags[at] for at in kept],
        [tree.words[at] for at in kept],
        [new[tree.token_mothers[at]] for at in kept],
        [tree.names[old] for old in sorted(alive)],
        [new[tree.mothers[old]] for old in sorted(alive)],
    )


def write_penn(trees: Iterable[PhraseTree], labels: Labels = _DEFAULT) -> Iterator[str]:
    """One tree a line, the virtual root as a bracket without a label; an error for a node with a gap."""
    join = labels.joiner()
    for number, tree in enumerate(trees, 1):
        where = f"sentence {tree.sent_id or number}"
        check_words(tree.words, where)
        for node in tree.inner:
            if node.has_gap:
                raise InputError(
                    f"brackets cannot hold the node {node.label} over {' '.join(node.words)[:60]!r}: it has a gap",
                    where=where,
                    todo="raise or split such nodes first, or write discbracket, export or tigerxml",
                )
        yield penn_text(tree, join, [escaped(word) for word in tree.words], where) + "\n"


def penn_text(tree: PhraseTree, join: Callable[[str, str], str], leaves: list[str], where: str) -> str:
    """A tree in brackets with these leaves, children in the order of their first tokens."""
    size = len(tree)
    try:
        names = [join(tree.node_label(node), function) for node, function in enumerate(tree.functions)]
    except InputError as error:
        raise InputError(error.what, where=where, todo=error.todo) from None
    texts = [f"({name} {leaf})" for name, leaf in zip(names, leaves, strict=False)]
    for node in range(size, len(names)):  # daughters have lower numbers
        texts.append(f"({names[node]} {' '.join([texts[child] for child in tree.children[node]])})")
    return f"( {' '.join([texts[child] for child in tree.children[ROOT]])})"


def looks_like_penn(data: bytes) -> bool:
    """Brackets with words, or the empty brackets of a sentence without a tree; there may be SGML around them."""
    if data.startswith(b"<"):
        data = without_markup(data.decode("latin-1")).encode("latin-1").lstrip()
    if first_leaf(data) is None:
        return re.match(rb"\(\s*\(?\s*\)", data) is not None
    return not has_places(data)


_LEAF = re.compile(r"([0-9]{1,9})=(.+)")
_PLACE = re.compile(r"[0-9]{1,9}")


def read_discbracket(text: str, name: str = "", labels: Labels = _DEFAULT) -> Iterator[PhraseTree]:
    """The trees of a file of either variant. `name` is for messages."""
    split = labels.splitter()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        brackets, _, behind = line.rstrip("\r").partition("\t")
        where = f"{name}:{number}"
        trees = list(bracketed(brackets, name, labels.virtual, number))
        if len(trees) != 1:
            raise InputError(f"{len(trees)} trees on a line", where=where, todo="one tree a line")
        (tree,) = trees
        order, words = _leaves(tree, behind, where)
        yield _grown(tree, order, words, split, where)


def _leaves(tree: Bracketed, behind: str, where: str) -> tuple[list[int], list[str]]:
    """The leaves in the order of the sentence, and the words."""
    matches = [_LEAF.fullmatch(leaf) for leaf in tree.words]
    if all(matches):
        places = [int(match[1]) for match in matches if match]
        words = {place: unescaped(match[2]) for place, match in zip(places, matches, strict=True) if match}
        first = 0
    else:
        if not all(_PLACE.fullmatch(leaf) for leaf in tree.words):
            wrong = next(leaf for leaf, match in zip(tree.words, matches, strict=True) if not match)
            todo = "leaves are 0=word, 1=word, …, or numbers with the words after a tab; plain brackets are `penn`"
            raise InputError(f"the leaf {wrong!r} has no place", where=where, todo=todo)
        places = [int(leaf) for leaf in tree.words]
        first = min(places, default=1)
        words = dict(enumerate((unescaped(word) for word in behind.split(" ") if word), first))
    order = sorted(range(len(places)), key=places.__getitem__)
    expected = list(range(first, first + len(places)))
    if sorted(places) != expected or len(words) != len(places) or first > 1:
        what = f"the leaves are not the words {expected[0] if expected else 0} to {first + len(words) - 1}"
        raise InputError(what, where=where, todo="each word stands in the tree once")
    return order, [words[place] for place in expected]


def write_discbracket(
    trees: Iterable[PhraseTree], labels: Labels = _DEFAULT, *, numbered: bool = False
) -> Iterator[str]:
    """One tree a line; `numbered` writes treetools' variant."""
    join = labels.joiner()
    for number, tree in enumerate(trees, 1):
        where = f"sentence {tree.sent_id or number}"
        check_words(tree.words, where)
        if numbered:
            leaves = [str(at) for at in range(1, len(tree) + 1)]
            yield f"{penn_text(tree, join, leaves, where)}\t{' '.join(tree.words)}\n"
        else:
            leaves = [f"{at}={escaped(word)}" for at, word in enumerate(tree.words)]
            yield f"{penn_text(tree, join, leaves, where)}\n"


FORMATS = (
    Format(
        "penn",
        "brackets as in the Penn Treebank",
        (".mrg", ".penn", ".ptb", ".brackets"),
        sniff=lambda data, _: looks_like_penn(data),
        read=lambda data, name, how: read_penn(how.text(data, name), name, how.labels),
        write=write_penn,
    ),
    Format(
        "discbracket",
        "brackets with places, of disco-dop and treetools",
        (".discbracket", ".dbr"),
        sniff=lambda data, _: has_places(data),
        read=lambda data, name, how: read_discbracket(how.text(data, name), name, how.labels),
        write=write_discbracket,
    ),
)
