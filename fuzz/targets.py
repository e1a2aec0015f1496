"""The readers under attack: for each the inputs to start from, how they are mutated, and the call that reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from . import lists, mutate, packed
from .mutate import Mutator

Read = Callable[[bytes, Path], object]
"""Reads an input; the path is of a file that may be written."""


@dataclass(frozen=True)
class Target:
    """A reader: `read` may raise errors of gardenpath and nothing else."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    mutators: tuple[Mutator, ...]
    read: Read


CONLLU = b"""# sent_id = a
# text = Er sieht sie
1\tEr\ter\tPRON\tPPER\tCase=Nom\t2\tnsubj\t2:nsubj\t_
2\tsieht\tsehen\tVERB\tVVFIN\t_\t0\troot\t0:root\t_
3-4\tzum\t_\t_\t_\t_\t_\t_\t_\t_
3\tzu\tzu\tADP\t_\t_\t4\tcase\t_\t_
4\tdem\tder\tDET\t_\t_\t2\tobl\t_\tSpaceAfter=No
4.1\tx\tx\tX\t_\t_\t_\t_\t2:dep\t_

"""
EXPORTXML = b"""<exml-doc><exml><body><sentence xml:id="s1"><node xml:id="s1_501" cat="SIMPX" func="--">
<node xml:id="s1_500" cat="NX" func="ON" parent="s1_501">
<word xml:id="s1_1" form="A" pos="NE" func="HD" parent="s1_500"/>
<secEdge cat="refint" parent="s1_501"/></node><word xml:id="s1_2" form="l" pos="V" morph="3" func="-" parent="s1_501"/>
</node></sentence></body></exml></exml-doc>"""
SINICA = "#3:3.[12] S(theme:NP(Head:N(D:Nba:小|Head:Caa:和))|Head:VC1:在)# ，(COMMACATEGORY)\n".encode()
SURPRISALS = (
    b"sentence_id\ttoken_id\ttoken\tsurprisal\n1\t1\ta\t1.5\n1\t2\tb\t2\n2\t1\tc\t0.1\n",
    b"a\t1.5\nb\t2\n.\t1\n\nc\t0.1\n",
    b'word,word_pos,sum_surprisal_base2\na,1,1.5\n"b, c",2,2\nd,1,0.1\n',
)
PAIRS = (
    b'{"sentence_good": "Ann sees.", "sentence_bad": "Ann see.", "UID": "x", "pairID": "0"}\n' * 2,
    b'good,bad,phenomenon\nAnn sees.,Ann see.,agreement\n"Tom, he",Tom,other\n',
    b"good\tbad\nAnn sees.\tAnn see.\n",
)
QUERIES = (
    b'pattern { X -[nsubj|obj]-> Y; X [upos=VERB]; Y [form=re"E.*"]; X << Y }',
    b"pattern { X -[1=nsubj]-> Y; e: X -> Z; Z << e } without { Z -> X } with { Y [!Case] }",
    b"N [lemma=/ER/i]; M []; * -[^root]-> N; N.Case <> M.Case; length(N,M) > 1",
    b'pattern { X ->> Y; X $ Z; X [upos=VERB, Mood=Ind|Imp]|[lemma="er"] } global { is_projective; genre = "a" }',
)
PHRASE_QUERIES = (
    b"pattern { X -> Y$; Z = head(X); X ~[SB]~> Y$ } without { !verb(X) }",
    b"pattern { X [cat=NP|PP, kind]; X ->> Y; Y [pos<>NN]; O = outermost(X); X -[HD|NK]-> Z$ } with { Y << Z$ }",
    b"pattern { X [cat=S, order=v2, preverbal=0]; S = subject(X); V = verb(X); delta(V,S) > 0 } "
    b"without { X -[SB]-> A }",
)
QUERY_WORDS = (
    *b"pattern with without global X Y e GOV form lemma upos Case Nom er root nsubj obj VERB is_cyclic label".split(),
    *b'-> ->> -[ ]-> << < >> > >< . = <> ! * | , ; { } [ ] : "a.*" /a+/i re"x" 1=nsubj ^ $ _ @ 3 -1'.split(),
    *(
        b"X << Y; ",
        b"X -> Y; ",
        b"e: X -> Y; ",
        b"X [Case]; ",
        b"delta(X,Y) = -1; ",
        b"X.lemma = Y.lemma; ",
        b"e >< f; ",
        b"Y = head(X); ",
        b"!verb(X); ",
        b"X ~[SB]~> Y; ",
        b"X$ -> Y; ",
    ),
)
FORMULA_WORDS = (*b"( ) [ ] (2;%a%) (*;%b%) + - < > = & | 1.5 0 ; % a".split(), b" ")
FORMULAS = (b"((2;%a%) + (3;%a%)) > ((2;%b%) - 1.5) & [(*;%a%) < (*;%b%)]", b"(5;%x y%) = (5;%z%) | (1;%x y%) > 0")
GRAMMAR = b"""@n sg pl
words N.sg N.pl: dog/dogs cat/cats
TEXT
  3 NP.<n> runs_off
  1 TEXT and TEXT
NP.<n>
  1 the N.<n>
  0.5 N.<n>
"""


def _phrase(name: str) -> Read:
    def read(data: bytes, path: Path) -> object:
        from gardenpath.formats import PHRASE_TREES
        from gardenpath.phrase.formats.notation import to_notation
        from gardenpath.phrase.formats.source import DEFAULT, Reading

        how = Reading(None, DEFAULT, lambda *_: None)
        return [to_notation(tree) for tree in PHRASE_TREES.reader(name)(data, "x", how)]

    return read


@cache
def _trees() -> list[Any]:
    from gardenpath.data import bundled
    from gardenpath.phrase import read

    return read(bundled("de-constructions") / "tiger" / "trees.export")


def _written(name: str, gaps: bool = True) -> Callable[[], Sequence[bytes]]:
    """A short tree, and one with a gap where the format can have it."""

    def seeds() -> Sequence[bytes]:
        from gardenpath.phrase.formats.source import written

        trees = sorted(_trees(), key=lambda tree: len(tree.words))
        chosen = [
            next(tree for tree in trees if any(node.has_gap for node in tree.inner) == gap)
            for gap in (False, True)[: 1 + gaps]
        ]
        return ["".join(written([tree], name)).encode() for tree in chosen]

    return seeds


def _treebank(kind: str) -> Read:
    def read(data: bytes, path: Path) -> object:
        from gardenpath.formats import TREEBANKS
        from gardenpath.treebank import Treebank

        content, repairs = TREEBANKS.reader(kind)(data, "x")
        treebank = Treebank(content, name="x", repairs=repairs)
        return [sentence.text for sentence in treebank], treebank.heads

    return read


def _stats(data: bytes, path: Path) -> object:
    from gardenpath.treebank import Treebank
    from gardenpath.treebank.trees.measures import measure

    return measure(Treebank(data, name="x"))


def _validate(data: bytes, path: Path) -> object:
    from gardenpath.treebank.validate.report import validate_bytes

    return list(validate_bytes(data, "x"))


def _regions(name: str) -> Read:
    def read(data: bytes, path: Path) -> object:
        from gardenpath.suites.regions.reader import _parsed

        return _parsed(data, name, {}, alone=True)

    return read


def _region_seeds() -> Sequence[bytes]:
    from gardenpath.data import bundled

    file = sorted(bundled("en-surprisal").glob("*.json"))[0]
    suite = json.loads(file.read_text("utf-8"))
    suite["items"] = suite["items"][:1]
    return [json.dumps(suite).encode()]


def _roles(data: bytes, path: Path) -> object:
    from gardenpath.formats import ROLES
    from gardenpath.suites.roles.reader import detect

    return ROLES.reader(detect(data, "x"))(data, "x", positions=None, release="", language="")


def _role_seeds() -> Sequence[bytes]:
    from gardenpath.data import bundled

    roles = b"\n\n".join(bundled("de-roles").read_bytes().split(b"\n\n")[:1]) + b"\n\n"
    template = (Path(__file__).parents[1] / "src/gardenpath_generate/templates/starters/roles.toml").read_bytes()
    return [*[roles] * 7, template]  # TOML takes ten times as long


def _surprisals(data: bytes, path: Path) -> object:
    from gardenpath.systems.files.surprisal_file import read_surprisals

    path.write_bytes(data)
    return read_surprisals(path)


@cache
def _small() -> Any:
    from gardenpath.treebank import Treebank

    return Treebank(CONLLU, name="x")


def _query(data: bytes, path: Path) -> object:
    from gardenpath.treebank.query.parser import read_request
    from gardenpath.treebank.query.search import Matches

    return len(Matches(read_request(data.decode("utf-8", "replace")), _small().query_words))


@cache
def _small_trees() -> Any:
    from gardenpath.data import bundled
    from gardenpath.phrase.formats.source import read
    from gardenpath.phrase.query import PhraseNodes
    from gardenpath.phrase.schemes.registry import scheme

    return PhraseNodes(list(read(bundled("de-constructions") / "tiger"))[:6], "x", scheme("tiger"))


def _phrase_query(data: bytes, path: Path) -> object:
    from gardenpath.treebank.query.parser import read_request
    from gardenpath.treebank.query.search import Matches

    return len(Matches(read_request(data.decode("utf-8", "replace")), _small_trees()))


def _formula(data: bytes, path: Path) -> object:
    from gardenpath.studies.surprisal.outcomes import formula_chance as chance_of
    from gardenpath.suites.regions.formula import atoms_of, parse_formula

    formula = parse_formula(data.decode("utf-8", "replace"), "x")
    return list(atoms_of(formula)), chance_of(formula)


def _grammar(data: bytes, path: Path) -> object:
    from gardenpath_models.pcfg.written import read_written

    path.write_bytes(data)
    return read_written(path)


def _template_seeds() -> Sequence[bytes]:
    folder = Path(__file__).parents[1] / "src/gardenpath_generate/templates/starters"
    return [(folder / name).read_bytes() for name in ("surprisal.toml", "pairs.toml")]


def _answer(data: bytes, path: Path) -> object:
    from gardenpath.boundary.structured import read_object

    return read_object(data, "http://x")


TARGETS = {
    target.name: target
    for target in (
        Target("conllu", lambda: [CONLLU, CONLLU * 2], mutate.TABLE, _treebank("conllu")),
        Target("conll", lambda: [CONLLU, CONLLU.replace(b"\t_\t_\n", b"\n")], mutate.TABLE, _treebank("conll")),
        Target("stats", lambda: [CONLLU, CONLLU * 2], mutate.TABLE, _stats),
        Target("validate", lambda: [CONLLU, CONLLU * 2], mutate.TABLE, _validate),
        Target("export", _written("export"), mutate.TABLE, _phrase("export")),
        Target("exportxml", lambda: [EXPORTXML], mutate.XML, _phrase("exportxml")),
        Target("tigerxml", _written("tigerxml"), mutate.XML, _phrase("tigerxml")),
        Target("penn", _written("penn", gaps=False), mutate.BRACKETS, _phrase("penn")),
        Target("discbracket", _written("discbracket"), mutate.BRACKETS, _phrase("discbracket")),
        Target("sinica", lambda: [SINICA, SINICA * 2], mutate.BRACKETS, _phrase("sinica")),
        Target("regions", _region_seeds, mutate.JSON, _regions("x.json")),
        Target("pairs", lambda: PAIRS, (*mutate.TABLE, mutate.change_json), _regions("x.csv")),
        Target("templates", _template_seeds, mutate.TABLE, _regions("x.toml")),
        Target("roles", _role_seeds, mutate.TABLE, _roles),
        Target("surprisals", lambda: SURPRISALS, mutate.TABLE, _surprisals),
        Target("arpa", lambda: [packed.ARPA], mutate.TABLE, packed.ngram),
        Target("ngram", packed.ngram_seeds, mutate.ARRAYS, packed.ngram),
        Target("pcfg", packed.pcfg_seeds, mutate.ARRAYS, packed.pcfg),
        Target("grammar", lambda: [GRAMMAR], mutate.TABLE, _grammar),
        Target("runs", packed.run_seeds, (packed.change_run,), packed.run_folder),
        Target(
            "archives",
            packed.archive_seeds,
            (mutate.flip_bytes, mutate.zip_mutator(mutate.flip_bytes), packed.change_tar),
            packed.archive,
        ),
        Target("queries", lambda: QUERIES, (*mutate.BRACKETS[:4], *(mutate.token_mutator(QUERY_WORDS),) * 4), _query),
        Target(
            "phrase-queries",
            lambda: PHRASE_QUERIES,
            (*mutate.BRACKETS[:4], *(mutate.token_mutator(QUERY_WORDS),) * 4),
            _phrase_query,
        ),
        Target(
            "formulas", lambda: FORMULAS, (*mutate.BRACKETS[:4], *(mutate.token_mutator(FORMULA_WORDS),) * 4), _formula
        ),
        Target("lm-eval", lists.log_seeds(lists.LM_EVAL, lists.LM_EVAL), mutate.JSON, lists.log("x.jsonl")),
        Target("every-eval", lists.log_seeds(lists.EVERY_EVAL_EVER), mutate.JSON, lists.log("x_samples.jsonl")),
        Target("inspect", lists.log_seeds(lists.INSPECT), mutate.JSON, lists.log("x.json")),
        Target(
            "eval",
            lists.packed_log_seeds,
            (mutate.flip_bytes, mutate.zip_mutator(mutate.change_json)),
            lists.log("x.eval"),
        ),
        Target("unimorph", lambda: [lists.UNIMORPH], mutate.TABLE, lists.unimorph),
        Target("phenomena", lambda: [lists.PHENOMENA], mutate.TOML, lists.phenomena),
        Target("words", lambda: [lists.WORDS], mutate.TOML, lists.word_list),
        Target("grids", lambda: [lists.GRID], mutate.TOML, lists.grid),
        Target("scores", lambda: [lists.LAS], mutate.TABLE, lists.scores),
        Target("languages", lists.language_seeds, mutate.TOML, lists.language),
        Target("gguf", lists.gguf_seeds, (*mutate.PLAIN, *(lists.change_numbers,) * 3), lists.gguf),
        Target("answers", lambda: [b'{"result": "1\\ta", "model": "x", "a": [1, {"b": null}]}'], mutate.JSON, _answer),
    )
}
