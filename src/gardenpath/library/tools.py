"""What a study needs before it, as functions: reading suites, parsing, scoring, searching, splitting, validating."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, unknown_name
from ..runs.work.where import HERE, Where
from ..treebank.format.reading import given_treebank, kind_of_object, named
from .result import StudyResult

if TYPE_CHECKING:
    from ..systems.asking.matching import ParseResult
    from ..systems.language_models.scoring import SurprisalScores
    from ..systems.parsers.phrase_parsing import ParsedTrees
    from ..treebank.format.treebank import Treebank
    from ..treebank.query.search import Matches
    from ..treebank.split.deal import Split
    from ..treebank.validate.check import Problem, Report


def read_suite(source: Any) -> Any:
    """A suite of any kind: of roles, of regions (a list where a folder holds several), or of constructions.

    A data frame with columns `good` and `bad` (or `sentence` and `label`) is a suite of pairs.

    >>> import gardenpath as gp
    >>> len(gp.read_suite("bundled:de-roles"))
    2000
    """
    from ..data.store import local
    from ..suites.constructions.storage import is_constructions, read_parallel
    from ..suites.regions.reader import frame_suite, holds_regions, is_frame, read_region_suites
    from ..suites.roles.reader import read_suite as read_roles

    if is_frame(source):
        return frame_suite(source)
    place = local(named(source))
    if is_constructions(place):
        suites = list(read_parallel(place).values())
        return suites[0] if len(suites) == 1 else suites
    if holds_regions(place):
        regions = list(read_region_suites(place))
        return regions[0] if len(regions) == 1 else regions
    return read_roles(source)


def parse(
    system: Any, source: Any, *, mode: str | None = None, gold: str | Iterable[str] = (), where: Where = HERE
) -> ParseResult | ParsedTrees:
    """Trees of a treebank, a text or a list of sentences (lists of words), by any parser or phrase parser.

    >>> import gardenpath as gp
    >>> parsed = gp.parse("baseline:right-branching", [["Sie", "geht", "heim"]])
    >>> parsed.treebank.heads.tolist()
    [0, 1, 2]
    """
    from ..systems.asking.entrants import Trained, is_system_name, only_system
    from ..systems.asking.protocol import PARSER, PHRASE_PARSER
    from ..systems.asking.registry import kind_of
    from ..systems.files.text_input import read_input, text_treebank
    from ..systems.parsers.parsing import parse_with
    from ..systems.parsers.phrase_parsing import parse_trees_with
    from ..treebank import Draft, Sentence, Treebank, Word, from_drafts

    if isinstance(system, Trained):
        system = system.system
    roles = kind_of(system)[0].roles if isinstance(system, str) and is_system_name(system) else ()
    if PHRASE_PARSER in roles and PARSER not in roles:
        sentences = _sentences(source)
        return parse_trees_with(only_system(system, PHRASE_PARSER), sentences, where=where)
    if isinstance(source, Treebank):
        treebank, how = source, mode or "tokens"
    elif isinstance(source, str) and not _is_text(source):
        treebank, how = read_input(source, mode)
    elif isinstance(source, str):
        treebank, how = text_treebank(source, by_line=mode == "sentences"), mode or "text"
    elif isinstance(source, Path):
        treebank, how = read_input(source, mode)
    elif isinstance(source, list) and all(isinstance(part, Sentence) for part in source):
        treebank, how = given_treebank(source), mode or "tokens"
    else:
        drafts = [Draft([Word(word) for word in words]) for words in _sentences(source)]
        treebank, how = from_drafts(drafts), mode or "tokens"
    return parse_with(only_system(system, PARSER), treebank, mode=how, gold=gold, where=where)


def score(system: Any, source: Any, *, where: Where = HERE) -> SurprisalScores:
    """Surprisals, in bits, of sentences: lists of words, texts with blanks between words, or a file.

    >>> import gardenpath as gp
    >>> scores = gp.score(lambda sentences: [[1.0] * len(words) for words in sentences], ["the dog barks"])
    >>> scores.surprisals[0].tolist()
    [1.0, 1.0, 1.0]
    """
    from ..systems.asking.entrants import only_system
    from ..systems.asking.protocol import LANGUAGE_MODEL
    from ..systems.language_models.scoring import score_with

    return score_with(only_system(system, LANGUAGE_MODEL), _sentences(source), where=where)


def search(source: Any, pattern: str, scheme: str | None = None) -> Matches:
    """All places that fit a pattern (or @FILE): in a treebank, in phrase trees (a list of them), or in their files.

    `scheme` is that of phrase trees, for what depends on it, such as heads; without it, the trees tell theirs.

    >>> import gardenpath as gp
    >>> gp.search("bundled:de-constructions/tiger", "X [cat=NP, gap]; X ->> R; R [cat=S]")
    <40 matches in 36 of 148 sentences>
    """
    from ..phrase.formats.sniffing import phrase_place
    from ..phrase.query import search as search_phrases
    from ..phrase.tree import PhraseTree

    if isinstance(source, str | Path) and (place := phrase_place(str(source))):
        from ..phrase.formats.source import read as read_phrases

        return search_phrases(read_phrases(place), pattern, place, scheme)
    if isinstance(source, list | tuple) and all(isinstance(tree, PhraseTree) for tree in source):
        return search_phrases(list(source), pattern, scheme=scheme)
    treebank = given_treebank(source)
    if scheme is not None:
        raise UsageError("a scheme is for phrase trees", where=treebank.name, todo="leave it out")
    return treebank.search(pattern)


def split(
    treebank: Any,
    method: str = "random",
    *,
    train: float = 0.8,
    dev: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
    **options: Any,
) -> tuple[Split, dict[str, Treebank]]:
    """A treebank split by chance, by length, or by edge displacement: `random`, `by-length`, `min-edv`, `max-edv`.

    Options are `by_document`, `deduplicate`, `near`, `tolerance`, for random splits `stratify`, and for the last two
    methods `procedure`.

    >>> import gardenpath as gp
    >>> parts = gp.split("bundled:de-train", "max-edv", train=0.6, dev=0.2, test=0.2)[1]
    >>> sorted(parts)
    ['dev', 'test', 'train']
    """
    from ..treebank.split.displacement import displacement_split
    from ..treebank.split.methods import length_split, random_split

    whole = given_treebank(treebank)
    shares: dict[str, Any] = {"train": train, "dev": dev, "test": test, "seed": seed, **options}
    if method == "random":
        made = random_split(whole, **shares)
    elif method == "by-length":
        made = length_split(whole, **shares)
    elif method in ("min-edv", "max-edv"):
        made = displacement_split(whole, "min" if method == "min-edv" else "max", **shares)
    else:
        raise unknown_name("kind of split", method, ("random", "by-length", "min-edv", "max-edv"))
    return made, {part: whole[numbers] for part, numbers in made.parts.items()}


def folds(treebank: Any, k: int | None = 10, **options: Any) -> list[Split]:
    """Splits in which every sentence is in test once: k folds, or with None one for each document.

    Options are `dev`, `seed`, `deduplicate`, `near`, `tolerance`, and for k folds `by_document` and `stratify`.

    >>> import gardenpath as gp
    >>> treebank = gp.read("bundled:de-train")
    >>> [len(treebank[split.parts["test"]]) for split in gp.folds(treebank, 5)]
    [83, 83, 83, 82, 82]
    """
    from ..treebank.split.methods import document_splits, fold_splits

    source = given_treebank(treebank)
    return document_splits(source, **options) if k is None else fold_splits(source, k, **options)


def overlap(train: Any, test: Any, *, near: float | None = 0.6, limit: int = 10) -> StudyResult:
    """What of a test set is in the training data: sentences word for word or nearly, and documents.

    >>> import gardenpath as gp
    >>> gp.overlap("bundled:de-train", "bundled:de-test").verdicts[0].text
    'No sentence of test (100 sentences) is in train, and none nearly.'
    """
    from ..treebank.trees.duplicates import overlap as common
    from ..treebank.trees.duplicates import overlap_result

    return StudyResult.of(overlap_result(common(given_treebank(train), given_treebank(test), near), near, limit))


def diff(old: Any, new: Any, *, parsed: Any = None, near: float | None = 0.5, limit: int = 10) -> StudyResult:
    """What changed from one release of a treebank to the next; with a parse, how far its LAS moves with the gold alone.

    >>> import gardenpath as gp
    >>> gold = gp.read("bundled:de-test")
    >>> gp.diff(gold, gold[2:]).verdicts[0].text[:28]
    '0 sentences added, 2 removed'
    """
    from ..treebank.trees.diff import diff as compared
    from ..treebank.trees.diff import diff_result

    both = compared(given_treebank(old), given_treebank(new), near)
    return StudyResult.of(diff_result(both, None if parsed is None else given_treebank(parsed), near, limit))


def validate(source: Any, **options: Any) -> list[Report[Problem]]:
    """The problems of files of treebanks, with file, line and advice, as `gardenpath treebank validate` finds them.

    >>> import gardenpath as gp
    >>> [(report.errors, report.problems) for report in gp.validate("bundled:de-test")]
    [(0, [])]
    """
    from ..treebank.format.reading import paths
    from ..treebank.validate.report import survey

    return [report for path in paths(source) for report in survey(path, **options)]


def show(tree: Any, other: Any = None) -> str:
    """A tree as text: of a `Sentence` or a `PhraseTree`; with a second one, where the two differ.

    >>> import gardenpath as gp
    >>> print(gp.show(gp.read("bundled:de-test")[3]).splitlines()[0])
    # de-test-garten-004: Die Katze sieht die Gärtnerin nicht.
    """
    from ..phrase.tree import PhraseTree
    from ..treebank.format.sentence import Sentence

    if isinstance(tree, PhraseTree):
        from ..phrase import drawing as phrases

        return phrases.drawn(tree) if other is None else phrases.drawn_difference(tree, other)
    if not isinstance(tree, Sentence):
        todo = "give one sentence, such as treebank[0], or a PhraseTree"
        raise UsageError(f"a {type(tree).__name__} is not one tree", todo=todo)
    from ..treebank import drawing as terminal
    from ..treebank.drawing import Tree

    first = Tree.of(tree)
    return terminal.drawn(first) if other is None else terminal.drawn_difference(first, Tree.of(other))


def _is_text(given: str) -> bool:
    """Is this what somebody said, and not the name of a file? Words with blanks between them and no such file."""
    if "\n" in given or given.endswith((".", "?", "!")):
        return True
    return (
        " " in given.strip() and not Path(given).suffix and not set(given) & set("/\\*[") and not Path(given).exists()
    )


def _sentences(source: Any) -> list[list[str]]:
    """Lists of words, from lists, texts, a treebank or a file."""
    from ..suites.regions.reader import is_frame
    from ..systems.files.text_input import read_stretches
    from ..treebank.format.reading import paths
    from ..treebank.format.treebank import Treebank

    if isinstance(source, Treebank):
        return [[word.form for word in sentence.words] for sentence in source]
    if isinstance(source, str) and _is_text(source):
        source = source.splitlines()
    if isinstance(source, str | Path):
        return [words for stretch in read_stretches(paths(source)) for words in stretch.sentences()]
    parts = list(source) if isinstance(source, Iterable) and not is_frame(source) else [source]
    sentences = []
    for part in parts or [None]:
        if not isinstance(part, str | list | tuple):
            todo = "give lists of words, texts, or the name of a file"
            raise UsageError(f"{kind_of_object(part)} is not a sentence", todo=todo)
        sentences.append(part.split() if isinstance(part, str) else list(part))
    return sentences
