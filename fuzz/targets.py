"""The readers under attack: for each the inputs to start from, how they are mutated, and the call that reads them."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from . import mutate
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
    b"a 1.5\nb 2\n. 1\n\nc 0.1\n",
)
PAIRS = (
    b'{"sentence_good": "Ann sees.", "sentence_bad": "Ann see.", "UID": "x", "pairID": "0"}\n' * 2,
    b'good,bad,phenomenon\nAnn sees.,Ann see.,agreement\n"Tom, he",Tom,other\n',
    b"sentence\tlabel\nAnn sees.\t1\nAnn see.\t0\n",
)
ARPA = b"""\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1\t<unk>\t0
-99\t<s>\t-0.3
-0.5\t</s>
-0.5\ta\t-0.2

\\2-grams:
-0.2\t<s> a
-0.1\ta </s>

\\end\\
"""
QUERIES = (
    b'pattern { X -[nsubj|obj]-> Y; X [upos=VERB]; Y [form=re"E.*"]; X << Y }',
    b"X -[1=nsubj]-> Y; without { Z -> X } with { Y [!Case] }",
    b'pattern { N [lemma="er"/i]; * -[^root]-> N }',
)
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
        from gardenpath.phrase.notation import to_notation
        from gardenpath.phrase.source import DEFAULT, Reading

        how = Reading(None, DEFAULT, lambda *_: None)
        return [to_notation(tree) for tree in PHRASE_TREES.reader(name)(data, "x", how)]

    return read


@cache
def _trees() -> list[Any]:
    from gardenpath.data import bundled
    from gardenpath.phrase import read

    return read(bundled("de-constructions") / "tiger" / "trees.export")[:2]


def _written(name: str) -> Callable[[], Sequence[bytes]]:
    def seeds() -> Sequence[bytes]:
        from gardenpath.phrase.source import written

        return ["".join(written(_trees(), name)).encode()]

    return seeds


def _treebank(kind: str) -> Read:
    def read(data: bytes, path: Path) -> object:
        from gardenpath.formats import TREEBANKS
        from gardenpath.treebank import Treebank
        from gardenpath.treebank.measures import measure

        content, repairs = TREEBANKS.reader(kind)(data, "x")
        treebank = Treebank(content, name="x", repairs=repairs)
        return [sentence.text for sentence in treebank], measure(treebank)

    return read


def _validate(data: bytes, path: Path) -> object:
    from gardenpath.treebank.validate.report import validate_bytes

    return validate_bytes(data, "x")


def _regions(name: str) -> Read:
    def read(data: bytes, path: Path) -> object:
        from gardenpath.suites.regions.reader import _parsed

        return _parsed(data, name, {}, alone=True)

    return read


def _region_seeds() -> Sequence[bytes]:
    from gardenpath.data import bundled

    file = sorted(bundled("en-surprisal").glob("*.json"))[0]
    suite = json.loads(file.read_text("utf-8"))
    suite["items"] = suite["items"][:2]
    return [json.dumps(suite).encode()]


def _roles(data: bytes, path: Path) -> object:
    from gardenpath.formats import ROLES
    from gardenpath.suites.reader import detect

    return ROLES.reader(detect(data, "x"))(data, "x", positions=None, release="", language="")


def _role_seeds() -> Sequence[bytes]:
    from gardenpath.data import bundled

    roles = b"\n\n".join(bundled("de-roles").read_bytes().split(b"\n\n")[:2]) + b"\n\n"
    template = (Path(__file__).parents[1] / "src/gardenpath/suites/authoring/starters/roles.toml").read_bytes()
    return [roles, roles, template]


def _surprisals(data: bytes, path: Path) -> object:
    from gardenpath.systems.surprisal_table import read_surprisals

    path.write_bytes(data)
    return read_surprisals(path)


def _ngram(data: bytes, path: Path) -> object:
    from gardenpath.systems.ngram.storage import check_kind, load

    path.write_bytes(data)
    check_kind(path)
    return load(path)


def _ngram_seeds() -> Sequence[bytes]:
    import tempfile

    from gardenpath.systems.ngram.arpa import read_arpa
    from gardenpath.systems.ngram.storage import save

    with tempfile.TemporaryDirectory() as folder:
        arpa, packed = Path(folder, "m.arpa"), Path(folder, "m.npz")
        arpa.write_bytes(ARPA)
        save(read_arpa(arpa), packed)
        return [packed.read_bytes()]


def _pcfg(data: bytes, path: Path) -> object:
    from gardenpath.systems.pcfg.storage import check_kind, load

    path.write_bytes(data)
    check_kind(path)
    return load(path)


def _pcfg_seeds() -> Sequence[bytes]:
    import tempfile

    from gardenpath.systems.pcfg import learn
    from gardenpath.systems.pcfg.storage import save

    with tempfile.TemporaryDirectory() as folder:
        save(learn(_trees()), Path(folder, "m.npz"))
        return [Path(folder, "m.npz").read_bytes()]


def _run_folder(data: bytes, path: Path) -> object:
    """The input is an archive of the folder's files; the seal is made to fit, so that readers behind it are reached."""
    import shutil

    from gardenpath.report.formats import _FORMATS, render
    from gardenpath.runs.record import Run
    from gardenpath.runs.seal import fingerprint, sealed

    folder = path.with_name("run")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {name: archive.read(name) for name in ("run.json", "result.json", "observations.tsv")}
    try:
        record = json.loads(contents["run.json"])
        files = {name: fingerprint(contents[name]) for name in ("result.json", "observations.tsv")}
        contents["run.json"] = json.dumps(sealed({**record, "files": files})).encode()
    except (ValueError, TypeError, KeyError, AttributeError):
        pass  # then the record is broken, which is an attack as well
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    run = Run.load(folder)
    return [render(run.result(), format) for format in _FORMATS], run.observations(), run.trees()


def _run_seeds() -> Sequence[bytes]:
    import tempfile

    from gardenpath.runs.observations import COLUMNS, Observations
    from gardenpath.runs.record import Run
    from gardenpath.runs.result import Finding, Result, Table, Verdict

    finding = Finding("evaluate", "s", "p", "LAS", 0.5, 3, 0.1, 0.9, {"order": "SVO"})
    verdict = Verdict("p is at 0.5.", "shown", (finding,))
    table = Table("T", ["a", "b"], [["x", 1.0], ["y", [0.1, 0.9]]])
    with tempfile.TemporaryDirectory() as folder:
        with Run.open(Path(folder, "r"), command="evaluate", settings={"seed": 1}) as run:
            rows = Observations({**dict.fromkeys(COLUMNS, "a"), "seed": 1, "value": [0.5, 1.0]})
            run.finish(Result("a:b|version:1", [finding], [table], {"missing": 1}, {"more": [1]}, [verdict]), rows)
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name in ("run.json", "result.json", "observations.tsv"):
                archive.writestr(name, Path(folder, "r", name).read_bytes())
    return [stream.getvalue()]


def _change_run(data: bytes, draw: Random) -> bytes:
    return (mutate.change_json if data[:1] == b"{" else mutate.change_cells)(data, draw)


def _change_run_archive(data: bytes, draw: Random) -> bytes:
    """The three files stay there under their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    name = draw.choice(sorted(contents))
    contents[name] = (_change_run if draw.random() < 0.8 else mutate.flip_bytes)(contents[name], draw)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for file, content in contents.items():
            archive.writestr(file, content)
    return stream.getvalue()


def _archive(data: bytes, path: Path) -> object:
    import shutil

    from gardenpath.data.archive import unpack
    from gardenpath.errors import GardenpathError
    from gardenpath.treebank import read

    suffix = ".zip" if data[:2] == b"PK" else ".tar.gz" if data[:2] == b"\x1f\x8b" else ".tar"
    file = path.with_name(f"a{suffix}")
    file.write_bytes(data)
    folder = path.with_name("unpacked")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with contextlib.suppress(GardenpathError):
        unpack(file, folder)
    return read(str(file))


def _archive_seeds() -> Sequence[bytes]:
    packed, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("d/", b"")
        archive.writestr("d/a.conllu", CONLLU)
        archive.writestr("b.conllu", CONLLU)
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        for name, kind in (("d", tarfile.DIRTYPE), ("d/a.conllu", tarfile.REGTYPE), ("l", tarfile.SYMTYPE)):
            member = tarfile.TarInfo(name)
            member.type, member.size, member.linkname = (
                kind,
                len(CONLLU) if kind == tarfile.REGTYPE else 0,
                "d/a.conllu",
            )
            archive.addfile(member, io.BytesIO(CONLLU))
    return [packed.getvalue(), tarred.getvalue(), gzip.compress(tarred.getvalue())]


def _change_tar(data: bytes, draw: Random) -> bytes:
    """A tar whose headers change and whose checksums fit again; packed as it was."""
    is_packed = data[:2] == b"\x1f\x8b"
    try:
        plain = bytearray(gzip.decompress(data) if is_packed else data)
    except (OSError, EOFError, zlib.error):
        return mutate.flip_bytes(data, draw)
    if data[:2] == b"PK" or len(plain) < 512:
        return mutate.flip_bytes(data, draw)
    block = 512 * draw.randrange(min(6, len(plain) // 512))
    for _ in range(draw.choice((1, 3))):
        plain[block + draw.choice((0, 1, 100, 124, 130, 135, 156, 157, 257, 345))] = draw.choice(
            (0, 48, 50, 76, 120, 255)
        )
    plain[block + 148 : block + 156] = b" " * 8
    plain[block + 148 : block + 156] = b"%06o\0 " % (sum(plain[block : block + 512]) & 0o777777)
    return gzip.compress(bytes(plain), 1) if is_packed else bytes(plain)


@cache
def _small() -> Any:
    from gardenpath.treebank import Treebank

    return Treebank(CONLLU, name="x")


def _query(data: bytes, path: Path) -> object:
    from gardenpath.treebank.query.parser import read_request
    from gardenpath.treebank.query.search import Matches

    return len(Matches(read_request(data.decode("utf-8", "replace")), _small().query_words))


def _formula(data: bytes, path: Path) -> object:
    from gardenpath.studies.surprisal.chance import chance_of
    from gardenpath.suites.regions.formula import atoms_of, parse_formula

    formula = parse_formula(data.decode("utf-8", "replace"), "x")
    return list(atoms_of(formula)), chance_of(formula)


def _grammar(data: bytes, path: Path) -> object:
    from gardenpath.systems.pcfg.written import read_written

    path.write_bytes(data)
    return read_written(path)


def _template_seeds() -> Sequence[bytes]:
    folder = Path(__file__).parents[1] / "src/gardenpath/suites/authoring/starters"
    return [(folder / name).read_bytes() for name in ("surprisal.toml", "pairs.toml")]


def _answer(data: bytes, path: Path) -> object:
    from gardenpath.boundary.structured import read_object

    return read_object(data, "http://x")


TARGETS = {
    target.name: target
    for target in (
        Target("conllu", lambda: [CONLLU, CONLLU * 2], mutate.TABLE, _treebank("conllu")),
        Target("conll", lambda: [CONLLU, CONLLU.replace(b"\t_\t_\n", b"\n")], mutate.TABLE, _treebank("conll")),
        Target("validate", lambda: [CONLLU, CONLLU * 2], mutate.TABLE, _validate),
        Target("export", _written("export"), mutate.TABLE, _phrase("export")),
        Target("exportxml", lambda: [EXPORTXML], mutate.XML, _phrase("exportxml")),
        Target("tigerxml", _written("tigerxml"), mutate.XML, _phrase("tigerxml")),
        Target("penn", _written("penn"), mutate.BRACKETS, _phrase("penn")),
        Target("discbracket", _written("discbracket"), mutate.BRACKETS, _phrase("discbracket")),
        Target("sinica", lambda: [SINICA, SINICA * 2], mutate.BRACKETS, _phrase("sinica")),
        Target("regions", _region_seeds, mutate.JSON, _regions("x.json")),
        Target("pairs", lambda: PAIRS, (*mutate.TABLE, mutate.change_json), _regions("x.csv")),
        Target("templates", _template_seeds, mutate.TABLE, _regions("x.toml")),
        Target("roles", _role_seeds, mutate.TABLE, _roles),
        Target("surprisals", lambda: SURPRISALS, mutate.TABLE, _surprisals),
        Target("arpa", lambda: [ARPA], mutate.TABLE, _ngram),
        Target("ngram", _ngram_seeds, mutate.ARRAYS, _ngram),
        Target("pcfg", _pcfg_seeds, mutate.ARRAYS, _pcfg),
        Target("grammar", lambda: [GRAMMAR], mutate.TABLE, _grammar),
        Target("runs", _run_seeds, (_change_run_archive,), _run_folder),
        Target(
            "archives",
            _archive_seeds,
            (mutate.flip_bytes, mutate.zip_mutator(mutate.flip_bytes), _change_tar),
            _archive,
        ),
        Target("queries", lambda: QUERIES, mutate.BRACKETS, _query),
        Target("formulas", lambda: FORMULAS, mutate.BRACKETS, _formula),
        Target("answers", lambda: [b'{"result": "1\\ta", "model": "x", "a": [1, {"b": null}]}'], mutate.JSON, _answer),
    )
}
