"""TIGER-XML, read and written, and TüBa-D/Z's exportXML, read only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from xml.parsers import expat

from ...errors import InputError
from ...formats import Format
from ..tree import ROOT, Edge, PhraseTree, grown

VROOT = "VROOT"
_EMPTY = "--"
_STEP = 1 << 16


def read_tigerxml(data: bytes, name: str = "") -> Iterator[PhraseTree]:
    """The trees of a file; `name` is for messages. The encoding is the one that the file declares, else UTF-8."""
    sentences: list[_Sentence] = []
    none = InputError("no sentence: no element <s>", where=name, todo="is it TIGER-XML?")
    return _trees(sentences, _parsed(data, name, _handler(sentences)), name, none)


def _trees(sentences: list[_Sentence], steps: Iterator[None], name: str, none: InputError) -> Iterator[PhraseTree]:
    """Yield the trees of sentences as soon as they are complete: all but the last after each step."""
    for _ in steps:
        while len(sentences) > 1:
            yield sentences.pop(0).tree(name)
    if not sentences:
        raise none
    yield sentences[0].tree(name)


def _parsed(
    data: bytes, name: str, start: Callable[[str, dict[str, str]], None], end: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Run XML past `start` (element, attributes) in steps; an error for bad XML, document types and entities."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    if end is not None:
        parser.EndElementHandler = end

    def refused(*_: object) -> None:
        raise InputError(
            "a document type or entities",
            where=f"{name}:{parser.CurrentLineNumber}",
            todo="they can be made to swallow all memory: take <!DOCTYPE …> out of the file",
        )

    parser.StartDoctypeDeclHandler = refused
    parser.EntityDeclHandler = refused
    try:
        for at in range(0, len(data), _STEP):
            parser.Parse(data[at : at + _STEP])
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        what = f"broken XML: {expat.ErrorString(error.code)}"
        raise InputError(what, where=f"{name}:{error.lineno}", todo="correct the file or get it again") from error
    except (LookupError, ValueError) as error:  # of encodings that are unknown or of several bytes
        raise InputError(f"the encoding is not supported: {error}", where=name, todo="convert it to UTF-8") from error


class _Sentence:
    """What is read of a sentence so far, by the ids of the file."""

    __slots__ = ("edges", "inner", "root", "secondary", "sent_id", "tokens")

    def __init__(self, sent_id: str) -> None:
        self.sent_id, self.root = sent_id, ""
        self.tokens: list[dict[str, str]] = []
        self.inner: list[dict[str, str]] = []
        self.edges: list[tuple[str, dict[str, str]]] = []
        self.secondary: list[tuple[str, dict[str, str]]] = []

    def tree(self, name: str) -> PhraseTree:
        where = f"{name}, sentence {self.sent_id}" if name else f"sentence {self.sent_id}"
        try:
            return self._grown(where)
        except KeyError as error:
            what = f"an element lacks {error.args[0]!r}"
            raise InputError(what, where=where, todo="<t> needs id and word, <nt> id and cat, <edge> idref") from None

    def _grown(self, where: str) -> PhraseTree:
        tokens = self.tokens
        size, labels = len(tokens), list[str]()
        numbers = {token["id"]: at for at, token in enumerate(tokens)}
        for nonterminal in self.inner:
            if nonterminal["cat"] == VROOT:
                numbers[nonterminal["id"]] = ROOT
            else:
                numbers[nonterminal["id"]] = size + len(labels)
                labels.append(nonterminal["cat"])
        if len(numbers) != len(tokens) + len(self.inner):
            raise InputError("two nodes have the same id", where=where, todo="ids are unique in a file")
        if self.root and self.root not in numbers:
            what = f"the root {self.root} is not a node of the sentence"
            raise InputError(what, where=where, todo="correct root= of <graph>")
        total = size + len(labels)
        functions, mothers, hung = [""] * total, [ROOT] * total, [False] * total
        for mother, edge in self.edges:
            child = edge["idref"]
            node = numbers.get(child, ROOT)
            if node == ROOT:
                what = f"{mother} has an edge to {child}, which is {'the root' if child in numbers else 'not a node'}"
                raise InputError(what, where=where, todo="correct idref= of <edge>")
            if hung[node]:
                what = f"{child} has two mothers"
                raise InputError(what, where=where, todo="a second mother is written as <secedge>")
            hung[node], mothers[node] = True, numbers[mother]
            label = edge.get("label", "")
            if label != _EMPTY:
                functions[node] = label
        return grown(
            [token["word"] for token in tokens],
            [token.get("pos", _EMPTY) for token in tokens],
            labels,
            functions,
            mothers,
            self._secondary(numbers, where) if self.secondary else (),
            lemmas=attribute_column(tokens, "lemma"),
            morphs=attribute_column(tokens, "morph"),
            sent_id=self.sent_id,
            where=where,
        )

    def _secondary(self, numbers: dict[str, int], where: str) -> list[Edge]:
        edges = []
        for node, edge in self.secondary:
            mother = edge["idref"]
            if mother not in numbers:
                what = f"{node} has a secondary edge to {mother}, which is not a node"
                raise InputError(what, where=where, todo="correct idref= of <secedge>")
            label, ends = edge.get("label", ""), (numbers[node], numbers[mother])
            if 0 <= ends[1] < len(self.tokens):  # a token is no mother: SMULTRON writes some the other way round
                ends = (ends[1], ends[0])
            edges.append((ends[0], "" if label == _EMPTY else label, ends[1]))
        return edges


def attribute_column(tokens: list[dict[str, str]], name: str) -> list[str]:
    """An attribute of all tokens; empty if none has it."""
    values = ["" if value == _EMPTY else value for value in [token.get(name, "") for token in tokens]]
    return values if any(values) else []


def _handler(sentences: list[_Sentence]) -> Callable[[str, dict[str, str]], None]:
    current = _Sentence("")
    node = ""
    add_token, add_inner = current.tokens.append, current.inner.append
    add_edge, add_secondary = current.edges.append, current.secondary.append

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal current, node, add_token, add_inner, add_edge, add_secondary
        if element == "edge":
            add_edge((node, attributes))
        elif element == "t":
            node = attributes.get("id", "")
            add_token(attributes)
        elif element == "nt":
            node = attributes.get("id", "")
            add_inner(attributes)
        elif element == "secedge":
            add_secondary((node, attributes))
        elif element == "s":
            current = _Sentence(attributes.get("id", ""))
            sentences.append(current)
            add_token, add_inner = current.tokens.append, current.inner.append
            add_edge, add_secondary = current.edges.append, current.secondary.append
        elif element == "graph":
            current.root = attributes.get("root", "")

    return start


# ---- writing

_HEAD = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<corpus id="gardenpath">
<head>
<annotation>
<feature name="word" domain="T"/>
<feature name="lemma" domain="T"/>
<feature name="pos" domain="T"/>
<feature name="morph" domain="T"/>
<feature name="cat" domain="NT"/>
<edgelabel/>
<secedgelabel/>
</annotation>
</head>
<body>
"""
_SPECIAL = re.compile(r'[&<>"\t\n\r]')
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_tigerxml(trees: Iterable[PhraseTree]) -> Iterator[str]:
    """The file in pieces, a sentence each. A sentence named by a number, as in export files, gets an `s` before it."""
    yield _HEAD
    for number, tree in enumerate(trees, 1):
        text = _written(tree, number)
        if _FORBIDDEN.search(text):
            where = f"sentence {tree.sent_id or number}"
            raise InputError("a character that XML cannot hold", where=where, todo="write export or brackets")
        yield text
    yield "</body>\n</corpus>\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ESCAPES[match[0]], text) if _SPECIAL.search(text) else text


def _written(tree: PhraseTree, number: int) -> str:
    size, sent_id = len(tree), tree.sent_id or str(number)
    sent_id = _escaped(f"s{sent_id}" if sent_id.isdigit() else sent_id)
    ids = [f"{sent_id}_{at + 1 if at < size else at - size + 500}" for at in range(len(tree.mothers))]
    ids.append(f"{sent_id}_{VROOT}")  # at ROOT, which is -1
    seconds: dict[int, str] = {}
    for node, label, mother in tree.secondary:
        edge = f'<secedge label="{_escaped(label) or _EMPTY}" idref="{ids[mother]}"/>\n'
        seconds[node] = seconds.get(node, "") + edge
    top = tree.children[ROOT]
    virtual = len(top) != 1 or bool(tree.functions[top[0]]) or any(mother == ROOT for _, _, mother in tree.secondary)
    lines = [f'<s id="{sent_id}">\n<graph root="{ids[ROOT] if virtual else ids[top[0]]}">\n<terminals>\n']
    for at, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        lemma = _escaped(tree.lemmas[at]) if tree.lemmas else ""
        morph = _escaped(tree.morphs[at]) if tree.morphs else ""
        lines.append(
            f'<t id="{ids[at]}" word="{_escaped(word)}" lemma="{lemma or _EMPTY}" pos="{_escaped(tag) or _EMPTY}" '
            f'morph="{morph or _EMPTY}"' + (f">\n{seconds[at]}</t>\n" if at in seconds else "/>\n")
        )
    lines.append("</terminals>\n<nonterminals>\n")
    for node in [*range(size, len(tree.mothers)), *([ROOT] if virtual else [])]:
        label = VROOT if node == ROOT else _escaped(tree.labels[node - size])
        lines.append(f'<nt id="{ids[node]}" cat="{label}">\n')
        for child in tree.children[node]:
            lines.append(f'<edge label="{_escaped(tree.functions[child]) or _EMPTY}" idref="{ids[child]}"/>\n')
        lines.append(f"{seconds.get(node, '')}</nt>\n")
    lines.append("</nonterminals>\n</graph>\n</s>\n")
    return "".join(lines)


def has_element(data: bytes, *names: bytes) -> bool:
    """Is this XML whose first element of a corpus in TIGER-XML or exportXML is one of these?"""
    element = re.search(rb"<(corpus|subcorpus|exml-doc|exml)\b", data) if data.startswith(b"<") else None
    return element is not None and element[1] in names


_ID = "xml:id"


class _ExportSentence(_Sentence):
    __slots__ = ()

    def _grown(self, where: str) -> PhraseTree:
        tokens = sorted(self.tokens, key=_place)  # elements are not always in the order of the words
        nodes = tokens + self.inner
        numbers = {node.get(_ID, ""): at for at, node in enumerate(nodes)}
        if len(numbers) != len(nodes) or "" in numbers:
            raise InputError("two nodes have the same xml:id, or none", where=where, todo="ids are unique in a file")
        mothers = []
        for node in nodes:
            mother = node.get("parent")
            if mother is not None and mother not in numbers:
                what = f"{node[_ID]} hangs at {mother}, which is not in the sentence"
                raise InputError(what, where=where, todo="correct parent=")
            mothers.append(ROOT if mother is None else numbers[mother])
        secondary = []
        for child, edge in self.secondary:
            mother = edge.get("parent", "")
            if mother not in numbers or child not in numbers:
                raise InputError(
                    f"{child or 'an element without xml:id'} has a secEdge to {mother!r}, which is not in the sentence",
                    where=where,
                )
            secondary.append((numbers[child], edge.get("cat", ""), numbers[mother]))
        return grown(
            [token.get("form", "") for token in tokens],
            [token.get("pos", _EMPTY) for token in tokens],
            [node.get("cat", _EMPTY) for node in self.inner],
            ["" if node.get("func", _EMPTY) == _EMPTY else node["func"] for node in nodes],
            mothers,
            secondary,
            lemmas=attribute_column(tokens, "lemma"),
            morphs=attribute_column(tokens, "morph"),
            sent_id=self.sent_id,
            where=where,
        )


def _place(word: dict[str, str]) -> int:
    number = word.get(_ID, "").rpartition("_")[2]
    return int(number) if number.isdecimal() and len(number) < 10 else 0


def read_exportxml(data: bytes, name: str = "") -> Iterator[PhraseTree]:
    """The trees of a file; `name` is for messages."""
    sentences, path = list[_Sentence](), list[str]()

    def start(element: str, attributes: dict[str, str]) -> None:
        path.append(attributes.get(_ID, "") if element in ("word", "node") else path[-1] if path else "")
        if element == "sentence":
            sentences.append(_ExportSentence(attributes.get(_ID, "")))
        elif not sentences:
            return  # the schema has elements named node, too
        elif element == "word":
            sentences[-1].tokens.append(attributes)
        elif element == "node":
            sentences[-1].inner.append(attributes)
        elif element == "secEdge":
            sentences[-1].secondary.append((path[-1], attributes))

    def end(_: str) -> None:
        path.pop()

    none = InputError("no element <sentence>", where=name, todo="is it exportXML?")
    return _trees(sentences, _parsed(data, name, start, end), name, none)


FORMATS = (
    Format(
        "tigerxml",
        "TIGER-XML",
        (".xml", ".tiger"),
        sniff=lambda data, _: has_element(data, b"corpus", b"subcorpus"),
        read=lambda data, name, _: read_tigerxml(data, name),
        write=lambda trees, _: write_tigerxml(trees),
    ),
    Format(
        "exportxml",
        "exportXML of TüBa-D/Z",
        (".exml",),
        sniff=lambda data, _: has_element(data, b"exml-doc", b"exml"),
        read=lambda data, name, _: read_exportxml(data, name),
    ),
)
