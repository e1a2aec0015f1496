"""Every option of every command acts or is refused; what there is to check comes from the declarations of the program.

Written by hand are quick calls of each command, and the options whose value or input cannot be derived (`CALLS`).
An option acts if it changes the output, the files, the exit code or the place of work; it is refused with exit 2 and a
message that names it. Signatures do not count: an option that only enters these is ignored.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import Field, dataclass, fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, get_args
from zlib import crc32

import numpy as np
import pytest

from gardenpath.cli.main import main
from gardenpath.cli.settings import WORK, Rare, Setting
from gardenpath.runs.work.where import Where
from gardenpath.studies.engine.declaration import META, flag_of
from gardenpath.studies.engine.registry import study_command, study_names
from gardenpath.systems.asking.registry import kinds
from pages import program

# ---- quick calls

CALLS = """
demo: -o demo --jobs 1 => !--model nosuch:x
train: ngram @train.txt -o model.npz => --dev @text.txt ; --set prune=0,0,1 ; --set order=2 ; !--set memory=12
        ; !--preset tiny ; !--seed 1 ; !--seeds 2 ; !--restart ; !--checkpoints 3 : 'keep' ; !--set transition=swap
        ; !--gold tags ; !--gold tag ; !--scheme tiger ; !--jobs 2
    pcfg @gold.export -o model.npz => --preset tiny ; --scheme tiger ; !--seed 1 ; !--set order=2 ; !--set memory=1G
    lstm @train.txt -o m --preset tiny --set epochs=1 => !--checkpoints 2,x : not a step
parse: asked:x @de_gold-test.conllu => --quiet ; !--set traces=yes
    udpipe:@de.udpipe @text.txt --input sentences => --input text
    baseline:nearest-head @de_gold-test.conllu => --gold tags
    udpipe:@de.udpipe @zh_gold-test.conllu => --set any_language=yes
    pcfg:@pcfg.npz @traces.mrg => --set traces=yes
    pcfg:@pcfg.npz @gold.export => --quiet ; !--input text ; !--gold feats ; !--set any_language=yes
score: ngram:@ngram.npz @text.txt => !--format json
    + --summary => --format json
evaluate: @de_gold-test.conllu asked:x => --gold tags ; --input text ; --by label ; --examples nsubj
        ; --by bundled:ud-phenomena ; --by 'late=X [upos=VERB]; Y -> X; Y << X' ; !--by lable ; !--jobs nowhere
    @de_gold-test.conllu @a.conllu => !--gold tags ; !--set any_language=yes ; !--input text
    @de_gold-test.conllu @a.conllu @b.conllu => --baseline @b.conllu
    @gold.export trees:@parsed.export => --by label ; --scheme tiger ; --set parameters=collins ; --set max_length=16
        ; !--gold tags
    @traces.mrg trees:@traces.mrg --set parameters=all => --set traces=yes
    @zh_gold-test.conllu udpipe:@de.udpipe => --set any_language=yes
    @roles.conllu @tiger.conllu => !!--labels strict
    @documents.conllu baseline:right-branching => --set independent=yes
roles: @roles.conllu asked:x => --baseline baseline:subject-first ; --by length ; --examples wrong
        ; --set vocabulary=@text.txt
        ; !--set positions=1
    @roles.conllu baseline:nearest-head => --gold tags
    @roles.conllu @tiger.conllu => --labels SB=nsubj,OA=obj ; !!--labels strict
    @roles.conllu @roles-parsed.conllu => !!--set any_language=yes
    @roles.tsv baseline:subject-first --examples right => --set positions=0
    @old.tsv baseline:right-branching => --set release=2020
    @de_gold-test.conllu => --by clause ; --examples SVO ; --set datives=no
joint: @paths.json asked:x ngram:@ngram.npz => --by length
    @paths.json conllu:@paths.conllu ngram:@ngram.npz => !!--set any_language=yes ; !!--set labels=strict
        ; !--set input=sentences
    @border.json asked:x surprisals:@border.txt => --set border=end
surprisal: @suites ngram:@ngram.npz => --by length ; --examples wrong
        ; !--examples odd ; !--set score=target ; !--set words=asked ; !--set threshold=10
        ; !--set seed=1
    @targets.csv ngram:@ngram.npz => --set score=target ; --set layout=class=genre
    + --tokens characters --by all => --set metric=mean
    @border.json surprisals:@border.txt => --set border=end
    @suites ngram:@order-{1,3}.npz => --set threshold=10
    @suites ngram:@unigram.npz --ties coin => --set seed=1
    bundled:en-surprisal ngram:@ngram.npz => --set independent=yes
    @pairs.tsv chatty:x => --by length
reproduce: tepacoc => --table 'Table 1' ; !--table 'Table 3' ; --verdict recomputed ; !--verdict equal
        ; !--tiger @gold.export ; !--tueba @gold.export ; !--list @tepacoc.txt : name both --tiger and --tueba
        ; !--ctb @gold.mrg ; !--set only_plan=yes ; !--set xinhua=x ; !--set parts=x ; !--set segmenter=ctb
    mandarin --ctb @gold.mrg --set only_plan=yes => --set folder=study ; --set xinhua=@train.txt
        ; !--set preset=huge ; --set seeds=2 ; --set preset=tiny ; --set parts=@parts.txt
        ; --set suites=bundled:zh-surprisal
    mandarin --ctb @gold.mrg --set only_plan=yes --set xinhua=@train.txt => --set segmenter=ctb
batch plan: plan --grid @grid.toml
    plan => --grid @grid.toml
batch run: plan => --shard 2/2 ; !--shard 3/2
batch collect: plan
compare: @run-a @run-b => --by upos ; !--gold tags ; !--input text
    @run-d => --set independent=yes
    @de_gold-test.conllu baseline:nearest-head baseline:right-branching => --gold tags
    @de_gold-test.conllu asked:x asked:y => --input text
check: @run-a --min evaluation.las>=1 => --min evaluation.las>=100 ; --against @run-b
        ; --against @run-g --set independent=yes --by none ; !--margin 2 ; !--by upos ; !--measure uas
        ; !--set independent=yes ; !--gold tags ; !--input text
    @run-a --against @run-b => --margin 2 ; --by upos ; --measure uas
    @run-a --against @run-g => --set independent=yes
    @de_gold-test.conllu baseline:nearest-head --min evaluation.las>=1 => --gold tags
    @de_gold-test.conllu asked:x --min evaluation.las>=1 => --input text
show: @de_gold-test.conllu => --sentence 3 ; --limit 2 ; --format latex ; --set displacement=yes ; !--format notation
        ; !--system a ; !--table words ; !--set positions=1 ; !--set release=2020 ; !--set layout=good=x
    + -s 3 => !--limit 2
    + -s 3 -f conllu => !--set displacement=yes
    @gold.export -s 3 => !--limit 2 ; !--set displacement=yes
    @gold.export => !--format conllu
    @run-c => --table length ; !--table nosuch ; !--limit 2 ; !--system a ; !--set displacement=yes
        ; !--set positions=1
    @run-h -s de-test-reise-004 => --system b ; --format svg ; !--limit 2 ; !--system nobody
    @roles.tsv => --sentence 2 ; --set positions=0 --sentence 1 ; !--table x ; !--limit 2 ; !--set displacement=yes
    @roles.conllu => !--set positions=0
    @old.tsv => --set release=2020
    @targets.csv => --set layout=class=genre
    @suites/one.json => !--set positions=0 ; !--set release=2020
report: @run-a => --title Spring ; --to every-eval-ever ; !--to page2 ; !--system nobody ; --limit 2
        ; !--to model-card --title x : title ; !--to figures --limit 2 : limit
    + --to model-card => !--system nobody
card: baseline:right-branching @a.conllu --language fr => !--budget 0
    baseline:right-branching --language en => !!--language xx
systems:
data list:
data get: bundled:de-test => !--again
data cite: sorts
treebank stats: @a.conllu @b.conllu => --set variant=script
treebank search: @en_gold-test.conllu 'V -[nsubj]-> S' => --by S.upos ; !--by S.upos --to conllu ; --to conllu
        ; !--to export ; !--scheme tiger
    @gold.export 'X [cat]; Y = head(X)' => --scheme ptb
treebank validate: @bad.conllu @b.conllu => --ignore missing-text ; --only missing-text ; --known @known.json
        ; --ignore warnings ; --update-known known.json ; !--changed-since HEAD : git says
treebank convert: @en_gold-test.conllu => --to text ; --set feats=colon ; --set renumber_sent_ids=s ; !--from export
        ; !--set encoding=latin-1 ; !--gaps raise ; !--set functions=drop ; !--set plain=yes ; !--set separator=#
    + --to text => !--set feats=colon ; !--set renumber_sent_ids=s
    @de_gold-test.conllu --to text => --set no_spaces=yes
    @gold.mrg --to conllu --scheme ctb => --scheme tiger ; --set no_spaces=yes
    @en_gold-test.conllu --to vertical => !--set drop_enhanced=yes
    @bare.conllu => --set add_text=yes
    @bare.conllu --to tsv => !--set add_text=yes
    @bare.conllu --to text => !--set add_text=yes
    @crooked.conll => !--no-repair : must be empty
    @crooked.conllu => --repair
    @gold.export --to export => --set renumber_sent_ids=s ; --gaps raise ; --gaps split ; !--gaps lower
        ; --set functions=drop ; !--scheme tiger
    @gold.export --to export --gaps raise => --scheme tuebadz
    @gold.export --to penn --gaps raise => --set separator=# ; !--repair ; !--set renumber_sent_ids=s
        ; !--from tigerxml : broken XML
    @gold.mrg --to export => --set separator=#
    @gold.export --to tigerxml => !--set separator=#
    @latin.export --to export => --set encoding=cp437
    @gold.xml --to export => !--set encoding=latin-1
    @deep.export --to export => --set plain=yes
treebank split: @train.conllu -o parts --set draws=0 => --shares 0.6,0.3,0.1 ; --shares dev=0,test=0.2
        ; --shares 0.8,0,0.2 ; !--shares 0.8,0.1 ; !--shares tset=0.1
        ; --stratify id ; !--stratify gerne ; --set prefix=mine ; !--set tolerance=0.2 ; !--set procedure=paper
        ; --method length
    @train.conllu -o parts => --folds 3 ; !--folds many ; !--folds 1
    @train.conllu -o parts --shares test=0.1 => !--folds 3 : --shares
    @train.conllu -o parts --method max-edv => !--folds 3 ; --set procedure=paper ; --method min-edv
    @train.conllu -o parts --shares 0.8,0.2,0 => !--set draws=5
    + --deduplicate => --set near=0.1
    @train.conllu @train.conllu -o parts --set draws=0 => --deduplicate
    @train.conllu @documents.conllu -o parts --set prefix=both --set draws=0 => --exclude @documents.conllu
    @train.conllu -o taken --set draws=0 => --force
    @documents.conllu -o parts => --folds documents ; --parts @parts.txt
    @documents.conllu -o parts --parts @parts.txt => !--shares 0.5,0.3,0.2
    @documents.conllu -o parts --folds documents => !--repeats 2
    @documents.conllu -o parts --set draws=0 => --by-document --set tolerance=0.1
    @documents.conllu -o parts --set draws=0 --by-document --set tolerance=0.1 => --set tolerance=0.2
treebank overlap: @de_train.conllu @train.conllu
    @train.conllu @de_gold-test.conllu => --set near=0.05
treebank diff: @de_gold-test.conllu @a.conllu => --parsed @b.conllu
        ; !--parsed @en_gold-test.conllu : no sentence of both releases
    @train.conllu @de_gold-test.conllu => --set near=0.05
treebank augment: @de_gold-test.conllu -o more.conllu -c names => --set match=[A-Z].* --set values=@values.txt
        ; --set match_pattern='X [upos=PROPN]' --set values=@values.txt ; --substitute NNNN ; -c years
        ; --per-sentence 2 ; --set split=test ; !--set split=dev ; !--set values=@values.txt ; !--language xx
        ; !--seed 1
    @de_gold-test.conllu -o more.conllu --set values=@values.txt --set match=[A-Z].* => --set upos=PROPN
        ; !--set split=test
    @years.conllu -o more.conllu -c numerals => --seed 1 ; !--language de
suite check: @roles.tsv => --against @other.tsv ; --set positions=0 ; --ignore malformed-properties
        ; --only duplicate ; !--set layout=good=x,bad=y
    @roles.conllu => !--set positions=1
    @question.tsv => --set release=2026
    @targets.csv => --set layout=good=bad --set layout=bad=good
    @suites => --against @train.txt ; !--set positions=1 ; !--set release=2020
suite convert: @roles.conllu - --to conllu => --to tsv ; !--set positions=0 ; !--to pairs
    @roles.tsv - --to tsv => --set positions=0
    @old.tsv - --to conll --set release=2020 => --set names=today
    @old.tsv - --to tsv --set names=today => --set release=2020
    @targets.csv - --to blimp => --set layout=item=genre
    @suites/one.json - --to syntaxgym => !--set names=today ; !--set partial=yes ; !--set positions=0
        ; !--set release=2020
    @pairs.tsv tasks --to lm-eval => --to inspect
suite make: roles -n 20 => --language nl ; --size 30 ; --set ambiguity=full ; --grammar @lexicon.toml
        ; --grammar @turkish ; --set tense=past ; --to tsv ; !--grammar @turkish --language nl ; !--set mix=erc=1
        ; !--phenomena erc ; !--scheme tiger ; !--max-length 9 ; !--set unimorph=@forms.txt ; !--set items=yes
        ; !--set punctuation=no ; !--set wide=yes ; !--set list=@tepacoc.txt ; !--set name=x ; !--set release=2
        ; !--format json
    pp -n 20 => !--set one_word=yes
    constructions -n 20 -o made => --set mix=plain=1,erc=3 ; !--language nl ; !--set tense=past
    text -n 20 -l en => !--set ambiguity=full ; !--grammar @turkish ; !--to tsv ; !--set partial=yes
    @template.toml => --size 6 ; !--seed 1 ; !--language nl
    @template.toml --size 6 => --seed 1
    pairs bundled:de-test -o made => --phenomena object-case ; --set unimorph=@forms.txt ; --max-length 8
        ; !--seed 1 ; !--set tense=past
    pairs bundled:de-test -o made --size 1 => --seed 1
    constructions @gold.export --scheme tiger => !--scheme negra ; --phenomena ppn ; --set list=@tepacoc.txt
        ; --set name=spring -o suite ; !--seed 1 ; !--set release=2 ; !--to tsv ; --format json
    constructions @gold.export --scheme tiger --max-length 9 => --set punctuation=no
    constructions @gold.export --scheme tiger --size 1 => --seed 1 --set items=yes
    constructions @gold.export --scheme tiger --size 20 => --quiet
    constructions @unlike.export --scheme tiger => --set wide=yes
    constructions @gold.export --scheme tiger -o suite => --set release=2
suite new: pairs => --language tr
    triples @de_train.conllu -l de => --set rank=pmi
constructions: @tiger asked:x => --set phenomena=ppn ; --by length ; --examples wrong ; !--scheme tiger
        ; !--gold tags ; !--gold feats,tags
    + --by errors => --set decide=missing=D
    @tiger trees:@raised.export => --set form=discontinuous
    @tiger pcfg:@pcfg.npz => --gold tags
    @gold.export trees:@parsed.export => --scheme tiger
    @gold.export trees:@parsed.export --scheme tiger => --set independent=yes ; --judgements @sheet.tsv
constructions sheet: @run-k -o blank.tsv => --seed 1 ; --quiet
displacement: @train.conllu @de_gold-test.conllu --set draws=0 => --by length ; !--seed 1
    @train.conllu @de_gold-test.conllu --set draws=20 => --seed 1
    bundled:de-train bundled:de-test --set draws=20 => --set independent=yes
    @collection --set draws=0 --set subsamples=12 => --scores @las.tsv ; !--by length ; !--scores nowhere
        ; --set min_train=40 ; !--set las_column=second ; !--set covariates=slv
    @collection --set draws=0 --set subsamples= => !--seed 1
    @collection --set draws=0 --set subsamples=12 --scores @las.tsv => --set las_column=second
        ; --set covariates=slv ; !--set held_out=@las.tsv
    @collection --set draws=0 --set subsamples=12 --scores @las5.tsv --by all => --set held_out=@new.tsv
    @collection --set draws=0 --set subsamples=12 --by all => --set subsamples=20
    @collection --set draws=0 --set subsamples=12 --by analyses => --seed 1
    @collection --set draws=5 --set subsamples=12 -f json => --by length
displacement experiment: @splits --parser counted --splits random:1 => !--parser ngram ; !--preset large
        ; !--set train.wings=2 ; !--splits official ; !--splits official,random:5 ; !--set min_train=500
        ; --splits min,max
consistency: @de_gold-test.conllu asked:x -c names --set per_sentence=2 => --change years
        ; --set match=[A-Z].* --set values=@values.txt ; --by upos
        ; --set match_pattern='X [upos=PROPN]' --set values=@values.txt
        ; --examples changed ; !--set values=@values.txt ; !--language xx ; !--set stages=tokens ; --set stages=tags
        ; !--set stages=tags --gold tags
    @de_gold-test.conllu asked:x --set values=@values.txt --set match=[A-Z].* --sentences 2 => --set upos=PROPN
    @years.conllu asked:x => !--language de
    @zh_gold-test.conllu udpipe:@de.udpipe -c names --sentences 1 => --set any_language=yes
    @tiger.conllu asked:x --set match=[A-Z].* --set values=@values.txt --sentences 2 => !!--set labels=strict
consistency remedies: @de_train.conllu @de_gold-test.conllu --parser counted -c names --set per_sentence=3
        --set augmented=1 => --dev @a.conllu ; --set token=XXXX ; !--parser ngram ; !--preset large
        ; !--set train.wings=2 ; !--set values=@values.txt ; !--set match_pattern='X [upos=PROPN]' ; !--language xx
        ; !--set voters=1 ; !--change years : no training sentence
    @de_train.conllu @zh_gold-test.conllu --parser counted --set match=.+ --set values=@values.txt
        => --set any_language=yes
    @tiger.conllu @de_gold-test.conllu --parser counted --remedy augment --set match=[A-Z].* --set values=@values.txt
        => !!--set labels=strict
    @de_train.conllu @de_gold-test.conllu --parser counted --set sentences=2 --remedy augment -c names
        => --set match=[A-Z].* --set values=@values.txt
    @de_train.conllu @de_gold-test.conllu --parser counted --set sentences=2 --set match=[A-Z].*
        --set values=@values.txt => --set upos=PROPN
    @de_train.conllu @de_gold-test.conllu --parser counted --set sentences=2 -c names --by perturbation
        => --set order=both
    @de_train.conllu @de_gold-test.conllu --parser counted -c names => --remedy substitute
    @de_train.conllu @de_gold-test.conllu --parser counted -c names --set per_sentence=3 --remedy vote --gold tags
        -f json => --set voters=1
stats: @table.tsv "value ~ group + (1|item)" => --set p=satterthwaite ; !--mark x=y
    @table.tsv "right ~ group + (1|item)" => --family gaussian ; !--set p=satterthwaite
    @table.tsv "value ~ 1 + (1|item)" => --by group
"""
"""For each command a quick call, and others where an option or a setting (`--set NAME=VALUE`) needs other input (`+`
stands for the quick call, `@` for the folder `garden`). Behind `=>` are the options that are tried there: `--x` acts,
`!--x` is refused, `!!--x` is refused and shown nowhere else; behind ` : ` is what the message has where it does not
name the option. An option that is not in the table is tried in the quick call, with values from its declaration."""
SHARED = {
    "--format": ("acts", "--format json"),
    "--output": ("writes out", "--output out"),
    "--run": ("writes out/report.html", "--run out"),
    "--jobs": ("workers", "--jobs 2"),
    "--quiet": ("silent", "--quiet"),
    "--config": ("refused", "--config nowhere.toml"),
    "--set work.cache": ("uncached", "--set work.cache=no"),
    "--set work.time_limit": ("refused", "--set work.time_limit=0"),
    "--set work.memory_limit": ("refused", "--set work.memory_limit=0"),
}
"""Options and settings that mean the same everywhere."""
CLUSTER = "--jobs local:2"
"""What work is given to where a command has the settings of `work`."""
PLACED = {
    "compare": "@de_gold-test.conllu asked:x baseline:right-branching",
    "check": "@de_gold-test.conllu asked:x --min evaluation.las>=1",
    "card": "asked:x @a.conllu --language fr",
    "displacement": "@collection --set draws=0 --set subsamples=12",
}
"""Where the quick call has no work to give away: a call that has."""
BEFORE = {"demo": "demo", "batch run": "planned", "batch collect": "planned", "treebank split": "taken"}
"""Folders of `garden` that lie in the working folder before the call."""
FAILING = {"batch collect", "treebank validate", "suite check"}
"""Commands whose quick call finds something and exits with 1."""
GATES = {"check", "suite check"}
"""Commands that exist to exit with 1; elsewhere only an option called --fail may make a call fail."""
FORMS = {
    "phrase trees": "@gold.export trees:@parsed.export", "treebanks": "@de_gold-test.conllu",
    "chat models": "@pairs.tsv chatty:x", "collections": "@collection --set draws=0 --set subsamples=12",
}  # fmt: skip
"""A call for each form of a study that the quick call does not show."""


class Case(NamedTuple):
    """An option in a call of a command, what it should do there, and what it may be given (one of it acts)."""

    name: str
    flag: str
    base: str
    effect: str
    given: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True)
class Declared:
    """An option or a setting as its command declares it; a setting is written `--set NAME`."""

    words: tuple[str, ...]
    help: str
    default: Any
    kind: str = ""
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float = np.inf

    @property
    def numbers(self) -> tuple[float, ...]:
        """Some numbers that it may be."""
        some = {"int": (1, 2, 9), "float": (1, 2, 9, 0.5)}.get(self.kind, ())
        return tuple(number for number in some if self.least <= number <= self.most)


@cache
def options_of(name: str) -> dict[str, Declared]:
    """The options of a command and, after them, its settings; these stand for `--set`."""
    found = {}
    for option in program()[name].params:
        if option.param_type_name == "option" and option.name not in ("help", "set"):
            kind = "flag" if option.is_flag else option.type.name.partition(" ")[0].replace("integer", "int")
            words, choices = (
                (*option.opts, *option.secondary_opts),
                tuple(map(str, getattr(option.type, "choices", ()))),
            )
            least, most = getattr(option.type, "min", None) or 0, getattr(option.type, "max", None) or np.inf
            found[option.opts[0]] = Declared(words, option.help, option.default, kind, choices, least, most)
    for setting in settings_of(name):
        kinds = [kind.__name__ for kind in (setting.kind, *get_args(setting.kind)) if kind in (bool, int, float)]
        named, rare = "".join(kinds[:1]), setting.rare
        limits = rare.least or 0, np.inf if rare.most is None else rare.most
        flag = f"--set {setting.name}"
        found[flag] = Declared((flag,), rare.help, setting.default, named, tuple(rare.choices), *limits)
    return found


def settings_of(name: str) -> list[Setting]:
    """The settings of a command, read from what it is made of."""
    found: list[Setting] = []
    parameters = inspect.signature(inspect.unwrap(program()[name].callback), eval_str=True).parameters
    for parameter in parameters.values():
        marks = [mark for mark in getattr(parameter.annotation, "__metadata__", ()) if isinstance(mark, Rare)]
        found += WORK if parameter.annotation is Where else ()
        found += [Setting(parameter.name, get_args(parameter.annotation)[0], parameter.default, mark) for mark in marks]
    assert ("--set" in [word for one in program()[name].params for word in one.opts]) == bool(found)
    return found


def typed(flag: str, value: str) -> str:
    """An option or a setting with a value."""
    return f"{flag}={value}" if flag.startswith("--set ") else f"{flag} {value}"


def declared(name: str) -> list[tuple[Any, dict[str, Any]]]:
    """The forms of a study, each with its settings by flag; none of a command that is no study."""
    forms = study_command(name).forms.values() if name in study_names() else ()
    return [(form, {flag: one for one in fields(form.settings) if (flag := flag_in(one))}) for form in forms]


def flag_in(field: Field[Any]) -> str:
    """How a setting of a study is typed; empty if it is not."""
    option = field.metadata.get(META)
    return "" if option is None else f"--set {option.rest}NAME" if option.rest else flag_of(field.name, option)


@cache
def written() -> dict[str, dict[str, list[Case]]]:
    """The calls of each command with what is tried in them, as CALLS says."""
    table: dict[str, dict[str, list[Case]]] = {}
    for line in re.sub(r"\n {8}", " ", CALLS.strip()).split("\n"):
        if not line.startswith(" "):
            name, _, line = line.partition(":")
            assert name in program(), f"CALLS: there is no command {name}"
        base, _, tried = (part.strip() for part in line.partition("=>"))
        calls = table.setdefault(name, {})
        base = f"{next(iter(calls))} {base[2:]}" if base.startswith("+ ") else base
        flags = {word: flag for flag, one in options_of(name).items() for word in one.words}
        rest = next((flag for flag in flags if flag.endswith("NAME")), "")
        calls[base] = []
        for mark, given, words in re.findall(r"(!*)(-.+?)(?: : (.+?))?(?:\s+; |$)", tried):
            flag = flags.get(given.partition("=")[0] if given.startswith("--set ") else given.split()[0], "")
            flag = flag or (rest if rest and given.startswith(rest.removesuffix("NAME")) else "")
            assert flag, f"CALLS: {name} has no option {given}"
            effect = {"": SHARED.get(flag, ("acts", ""))[0], "!": "refused", "!!": "only refused"}[mark]
            calls[base].append(Case(name, flag, base, effect, (given,), words))
    return table


def values(name: str, flag: str) -> tuple[str, ...]:
    """What an option may be given by its declaration, without its default; the first that acts is enough."""
    option = options_of(name)[flag]
    if option.kind == "flag":
        return option.words[1:] if option.default else (flag,)
    words = chosen_from(name, flag) or list(option.choices) or [f"{number:g}" for number in option.numbers]
    if option.kind == "bool":
        words = ["no" if option.default else "yes"]
    return tuple(typed(flag, word) for word in words if word != str(option.default))


def chosen_from(name: str, flag: str) -> list[str]:
    """The names that a setting of a study may have."""
    options = [settings[flag].metadata[META] for _, settings in declared(name) if flag in settings]
    return [*options[0].choices, *options[0].every] if options else []


def cases() -> Iterator[Case]:
    """All that is tried: what CALLS has, and what follows from the declarations."""
    for name, calls in written().items():
        quick, listed = next(iter(calls)), [case for cases in calls.values() for case in cases]
        yield from listed
        for flag in options_of(name):
            own = [case for case in listed if case.flag == flag]
            form = next((form.title for form, settings in declared(name) if flag in settings), "")
            base = FORMS.get(form, quick)
            if any((case.effect == "refused") == (case.base == base) for case in own):
                pass  # the quick call refuses it or cannot show it
            elif flag in SHARED:
                base = PLACED.get(name, base) if flag == "--jobs" or "work." in flag else base
                yield Case(name, flag, base, SHARED[flag][0], (SHARED[flag][1],))
                if flag == "--jobs" and "--set work.cache" in options_of(name):
                    yield Case(name, flag, base, "tasks", (CLUSTER,))
            elif flag == "--limit" and "--examples" in options_of(name):
                examples = next((case.given[0] for case in listed if case.flag == "--examples"), "--examples all")
                yield Case(name, flag, f"{base} {examples}", "acts", ("--limit 1",))
                yield Case(name, flag, base, "refused", ("--limit 1",))
            elif chosen_from(name, flag) or all(case.effect == "refused" for case in own):
                yield Case(name, flag, base, "acts", values(name, flag))
        yield from misplaced(name, quick)


def misplaced(name: str, quick: str) -> Iterator[Case]:
    """What a declaration refuses: names that are no choice, and options that another form of the study has."""
    forms = declared(name)
    for form, settings in forms:
        base = FORMS.get(form.title, quick)
        for flag, setting in settings.items():
            option = setting.metadata[META]
            words = option.choices or (option.every if flag == "--by" else ())
            if words:
                misspelt = re.sub("(.)$", r"\1\1", max(words, key=len))
                yield Case(name, flag, base, "refused", (typed(flag, "nosuch"),))
                yield Case(name, flag, base, "refused", (typed(flag, misspelt),), "did you mean")
        for flag, setting in {flag: one for _, others in forms for flag, one in others.items()}.items():
            if flag not in settings and flag not in " ".join(FORMS.values()):
                given = typed(flag, "yes" if isinstance(setting.default, bool) else "1")
                yield Case(name, flag, base, "refused", (given,), f"{flag} is not for {form.title}")


def test_every_command_has_a_quick_call_and_every_option_a_value() -> None:
    missing = [f"{name}: add a line with a quick call to CALLS" for name in program() if name not in written()]
    for case in cases():
        if not case.given:
            missing.append(f"{case.name}: say in CALLS what {case.flag} may be given, as in `{case.flag} VALUE`")
    tried = {(case.name, case.flag) for case in cases()}
    assert not missing, "\n".join(missing)
    assert tried == {(name, flag) for name in program() for flag in options_of(name)}


def test_a_short_option_means_one_thing_in_the_whole_program() -> None:
    meanings: dict[str, set[str]] = {}
    for name in program():
        for flag, option in options_of(name).items():
            for short in option.words[1:]:
                meanings.setdefault(short, set()).add(flag)
    assert {short: names for short, names in meanings.items() if len(names) > 1} == {}


OWN_WORDS = {
    "--by", "--examples", "--baseline", "--output", "--dev", "--to", "--format", "--seed", "--preset", "--scheme",
    "--input", "--gold", "--labels", "--change", "--per-sentence", "--language", "--phenomena", "--set draws",
    "--set form", "--set procedure", "--set partial", "--set values",
}  # fmt: skip
"""What each command says in its own words: it means the same, but there is something else to choose from."""
HOMONYMS = {
    "joint --set input": "words or sentences of suites, elsewhere of treebanks",
    "suite check --against": "another form of the suite, elsewhere an earlier run",
    "suite make --set release": "of the suite that is written, elsewhere of the one that is read",
    "train --jobs": "trainings at a time, elsewhere processes",
    "show --limit": "sentences, elsewhere examples",
    "show --system": "whose trees are shown, elsewhere of which the card is",
    "report --limit": "sentences on the page, elsewhere examples",
    "treebank search --limit": "matches, and it may be 0, elsewhere examples",
    "treebank validate --limit": "problems, elsewhere examples",
    "suite check --limit": "problems, elsewhere examples",
    "reproduce --list": "a published list, elsewhere all checks",
    "reproduce --table": "of a paper, elsewhere of a run",
    "treebank diff --parsed": "one parse, elsewhere a folder of parsed test sets",
    "card --run": "has a default, and holds a run for each exam",
    "train --seeds": "models to keep, elsewhere trainings to compare",
}
"""Words with two meanings, that of the command named here and that of all others; there should be no more of them."""


def test_an_option_of_one_name_has_one_help_text() -> None:
    texts: dict[str, dict[str, list[str]]] = {}
    for name in program():
        for flag, option in options_of(name).items():
            if f"{name} {flag}" not in HOMONYMS and flag not in OWN_WORDS:
                texts.setdefault(flag, {}).setdefault(option.help, []).append(name)
    assert {flag: commands for flag, commands in texts.items() if len(commands) > 1} == {}


# ---- a parser, phrase parser, language model and chat model that counts how often it is asked


class Counted:
    """Answers anything by rule; a model is a file whose content decides the labels."""

    kind = "asked"
    modes = ("tokens", "sentences", "text")
    calls = 0

    def __init__(self, argument: str) -> None:
        self.name = f"{self.kind}:{argument}"
        file = Path(argument)
        self.model = file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def signature(self) -> str:
        return f"kind:{self.kind}|model:{crc32(self.model.encode())}|version:1"

    def _tree(self, rows: list[list[str]], comments: Any, mode: str) -> str:
        """Every word below the one before it, with a label by its form, its tag and what was given."""
        for at, row in enumerate(rows):
            label = ("nsubj", "obj", "det", "amod")[crc32(f"{self.model} {row[1]}{row[3]}{mode}".encode()) % 4]
            row[6:8] = str(at), label if at else "root"
        return "\n".join([*(f"# {comment}" for comment in comments), *map("\t".join, rows), "", ""])

    def parse(self, request: Any) -> str:
        Counted.calls += 1
        if request.mode == "tokens":
            trees = [([[*row] for row in one.rows if row[0].isdecimal()], one.comments) for one in request.tokens]
        else:
            words = [(text, re.findall(r"\w+|[^\w\s]+", text)) for text in request.texts]
            trees = [([[str(at), word, *"________"] for at, word in enumerate(found, 1)], [f"text = {text}"])
                     for text, found in words]  # fmt: skip
        return "".join(self._tree(rows, comments, request.mode) for rows, comments in trees)

    def parse_trees(self, sentences: Any) -> list[Any]:
        Counted.calls += 1
        return [flat(words) for words in sentences]

    def surprisals(self, sentences: Any) -> list[Any]:
        Counted.calls += 1
        return [np.arange(len(words), dtype=float) for words in sentences]

    def oov(self, sentences: Any) -> list[Any]:
        return [np.zeros(len(words), dtype=bool) for words in sentences]

    def replies(self, questions: Any) -> list[str]:
        Counted.calls += 1
        return [("1", "2", "X", "Y", "yes", "no", "so")[len(question) % 7] for question in questions]


def flat(words: Any, sent_id: str = "") -> Any:
    """A clause of nouns: the first is the subject, the others are objects."""
    from gardenpath.phrase import grown

    size = len(words)
    return grown(words, ["NN"] * size, ["S"], ["SB", *["OA"] * (size - 1), "--"], [*[size] * size, -1], sent_id=sent_id)


class Chatty(Counted):
    """The same, but it only chats."""

    kind = "chatty"


class Trained(Counted):
    """The same, trained: the model says all that was asked for."""

    kind = "counted"


def counted_trainer(kind: str) -> Any:
    from gardenpath.errors import unknown_name
    from gardenpath.systems.training.training import ParserTrainer

    class CountedTrainer(ParserTrainer[dict[str, str]]):
        folder = False

        def settings(self, preset: str, options: Any) -> dict[str, str]:
            for name in options:
                raise unknown_name("option", name, [])
            return {"preset": preset}

        def run_tool(self, plan: Any, target: Path) -> tuple[Any, Any]:
            facts = [plan.seed, plan.settings, plan.train.sha256, plan.dev.sha256 if plan.dev else ""]
            target.write_text(json.dumps(facts), encoding="utf-8")
            return plan.settings, {}

    return CountedTrainer(kind)


# ---- calls


@dataclass(frozen=True)
class Called:
    """What came of a call: exit code, both streams, the files in its folder, and what the cache holds."""

    code: int
    out: str
    err: str
    files: dict[str, bytes]
    cached: int

    @property
    def result(self) -> tuple[str, dict[str, bytes]]:
        """What a person gets, without signatures and times."""
        kept = {name: data for name, data in self.files.items() if Path(name).name not in RECORD or "/" not in name}
        return unsigned(self.out), {
            name: b"" if name.startswith("plan/done/") else timeless(data)
            for name, data in kept.items()
            if not name.startswith(("plan/cache/", "plan/claims/"))
        }


RECORD = ("run.json", "result.json", "report.html", "demo.udpipe.json")
"""Files of a run that say when it was."""


def unsigned(text: str) -> str:
    return re.sub(r'^\s*"?signature"?: .*$|"(minutes|seconds)": [0-9.]+', "", text, flags=re.MULTILINE)


def timeless(data: bytes) -> bytes:
    data = re.sub(rb'^\s*"(seconds|request|signature|preset|seed)": .*$', b"", data, flags=re.MULTILINE)
    return re.sub(rb'"(signature|seconds)": ?("[^"]*"|[0-9.]+)', b"", data)


@dataclass
class Caller:
    """Calls the program in a folder of its own, with a cache of its own."""

    garden: Path
    place: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    number: int = 0

    def __call__(self, command: str, arguments: str, *, same_cache: bool = False) -> Called:
        self.number += 1
        folder = self.place / str(self.number)
        folder.mkdir()
        if command in BEFORE:
            shutil.copytree(self.garden / BEFORE[command], folder, dirs_exist_ok=True)
        store = self.place / ("cache" if same_cache else f"cache-{self.number}")
        self.monkeypatch.setenv("GARDENPATH_CACHE", str(store))
        self.monkeypatch.chdir(folder)
        words = [*command.split(), *shlex.split(arguments.replace("@", f"{self.garden}/"))]
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(words)
        out, err = self.capsys.readouterr()
        code = ended.value.code
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        cached = sum(path.is_file() for path in store.rglob("*"))
        return Called(code if isinstance(code, int) else int(bool(code)), out, err, files, cached)


@pytest.fixture
def call(garden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    from gardenpath import demo
    from gardenpath.systems.asking import registry
    from gardenpath.systems.asking.protocol import JUDGE, LANGUAGE_MODEL, PARSER, PHRASE_PARSER

    every = (PARSER, LANGUAGE_MODEL, PHRASE_PARSER, JUDGE)
    asked = registry.Kind("asked", f"{__name__}:Counted", "X", "counts", roles=every)
    chatty = registry.Kind("chatty", f"{__name__}:Chatty", "X", "counts", roles=(JUDGE,))
    trained = registry.Kind("counted", f"{__name__}:Trained", "X", "counts", trainer=f"{__name__}:counted_trainer")
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, asked, chatty, trained))
    monkeypatch.setattr(demo, "PARTS", {name: demo.PARTS[name] for name in ("displacement",)})
    from gardenpath_papers import tepacoc  # it needs no data

    monkeypatch.setattr(tepacoc, "lines", differing)
    return Caller(garden, tmp_path, monkeypatch, capsys)


def differing(data: Any) -> Any:
    """A paper of which one number is another one."""
    from gardenpath_papers.ledger import Line

    return [Line("Table 1", "a", "las", "1.0", 2.0), Line("Table 2", "a", "las", "1.0", None, why="no data")]


_BASES: dict[tuple[str, str], Called] = {}


def based(call: Caller, name: str, base: str) -> Called:
    """The base call, made once."""
    if (name, base) not in _BASES:
        _BASES[name, base] = call(name, base)
    return _BASES[name, base]


def case_id(case: Case) -> str:
    return f"{case.name} {case.given[0] if case.given else case.flag} {case.effect} | {case.base}"


@pytest.mark.parametrize("case", [case for case in cases() if case.given], ids=case_id)
def test_an_option_acts_or_is_refused(case: Case, call: Caller, request: pytest.FixtureRequest) -> None:
    name, flag, base, effect, _, _ = case
    trained = kinds().get(base.split()[0]) if name == "train" else None
    if trained is not None and not trained.installed:
        pytest.skip(f"needs the extra {trained.extra}")
    elsewhere = effect in ("workers", "tasks")
    used = request.getfixturevalue(effect) if elsewhere else []
    if elsewhere and "--format" in options_of(name) and name != "score":
        base = f"{base} --format json"  # with all digits
    without = based(call, name, base)
    gate = name in GATES or flag.startswith("--fail")
    tried = []
    for given in case.given:
        with_it = call(name, f"{base} {given}")
        tried.append(f"{name} {base} {given}\nexit {with_it.code}\n{with_it.out}\n{with_it.err}")
        same = (with_it.code, with_it.result) == (without.code, without.result)
        if effect == "acts" and not same and with_it.code in (0, 1) and (gate or with_it.code <= without.code):
            return
        assert with_it.code in (0, 1, 2), tried[-1]
    todo = f"{flag} neither acts nor is it refused: add to CALLS a call in which it acts"
    assert effect != "acts", f"{todo}\n" + "\n".join(tried)
    if effect.endswith("refused"):
        assert (with_it.code, with_it.out) == (2, ""), tried[-1]
        assert case.words in with_it.err if case.words else names(with_it.err, name, flag, given), tried[-1]
        assert without.code in (0, 1), without.err
    elif effect.startswith("writes"):
        path = effect.removeprefix("writes ")
        found = [file for file in with_it.files if file == path or file.startswith(f"{path}/")]
        assert with_it.code == without.code, tried[-1]
        assert set(found) - set(without.files)
    else:
        assert same, tried[-1]
        assert used or not elsewhere
        assert effect != "silent" or with_it.err == ""
        assert effect != "uncached" or (without.cached and not with_it.cached)


def names(message: str, name: str, flag: str, given: str) -> bool:
    """Does it have the option, its bare name, or what was given? Or does it say which options are left?"""
    typed, *rest = re.split("[ =]", given.removeprefix("--set "), maxsplit=1)
    value = "".join(rest).strip("'")
    bare = re.sub("[-_]", "[- _]", typed.removeprefix("--").rpartition(".")[2])
    words = [*options_of(name)[flag].words, bare, "leave out the others"]
    words += [re.escape(value)] if value and not value.isdecimal() else []
    return re.search(rf"(?<!\w)({'|'.join(words)})(?!\w)", message, re.IGNORECASE) is not None


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many workers each pool that is asked for has; threads stand for processes, which take seconds to start."""
    from gardenpath.runs.work.where import Workplace

    used: list[int] = []

    def pool(self: Any) -> ThreadPoolExecutor:
        if self._pool is None:
            used.append(self.workers)
            self._pool = ThreadPoolExecutor(self.workers)
        return self._pool  # type: ignore[no-any-return]

    monkeypatch.setattr(Workplace, "pool", property(pool))
    return used


@pytest.fixture
def process_tasks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tasks are given to a cluster at a time."""
    pytest.importorskip("distributed")
    from gardenpath.runs.work import cluster

    outcomes, given = cluster.outcomes, list[int]()

    def counting(there: Any, function: Any, tasks: Any, waiting: Any, names: Any) -> Any:
        given.extend([len(waiting)] if waiting else [])
        return outcomes(there, function, tasks, waiting, names)

    monkeypatch.setattr(cluster, "outcomes", counting)
    return given


@pytest.fixture
def tasks(process_tasks: list[int], cluster: str) -> list[int]:
    """The same of a cluster of threads."""
    return process_tasks


@pytest.mark.parametrize("name", written())
def test_the_quick_call_gives_the_same_again(name: str, call: Caller) -> None:
    usual = next(iter(written()[name]))
    first, again = based(call, name, usual), call(name, usual)
    assert (first.code, first.result) == (again.code, again.result)
    assert first.code == (name in FAILING), first.err


def with_settings_alone() -> Iterator[Case]:
    """For each command that has `--config`: the first call in which nothing but settings act."""
    for name in program():
        acting = [
            case
            for calls in written().values()
            for case in (case for cases in calls.values() for case in cases)
            if case.name == name and case.effect == "acts" and set(re.findall("--[a-z-]+", case.given[0])) == {"--set"}
        ]
        yield from acting[:1] if "--config" in options_of(name) else []


@pytest.mark.parametrize("case", list(with_settings_alone()), ids=case_id)
def test_a_file_of_settings_does_what_they_do(case: Case, call: Caller) -> None:
    words = [word for word in shlex.split(case.given[0].replace("@", f"{call.garden}/")) if word != "--set"]
    file = call.place / "settings.toml"
    lines = [f'"{name}" = {json.dumps(value)}' for name, _, value in (word.partition("=") for word in words)]
    file.write_text("\n".join(lines), encoding="utf-8")
    given, kept = call(case.name, f"{case.base} {case.given[0]}"), call(case.name, f"{case.base} --config '{file}'")
    assert (kept.code, kept.result) == (given.code, given.result), kept.err


# ---- where work is done


PROTOCOLS = {
    "evaluate": "@de_gold-test.conllu asked:x",
    "constructions": "@tiger asked:x",
    "surprisal": "@suites asked:x",
}
"""A call for each protocol: parsers, phrase parsers, language models."""
ELSEWHERE = {
    "evaluate": "@de_gold-test.conllu udpipe:@de.udpipe",
    "constructions": "@tiger pcfg:@pcfg.npz",
    "surprisal": "@suites ngram:@ngram.npz",
}
"""The same with systems that another process can make."""


@pytest.mark.parametrize("name", PROTOCOLS)
def test_what_was_asked_before_is_asked_anew_only_without_the_cache(name: str, call: Caller) -> None:
    def calls(more: str) -> int:
        before = Counted.calls
        assert call(name, f"{PROTOCOLS[name]} {more}", same_cache=True).code == 0
        return Counted.calls - before

    assert calls("") > 0
    assert calls("") == 0
    assert calls("--set work.cache=no") > 0


@pytest.mark.parametrize("name", ["evaluate", "surprisal"])
def test_other_processes_find_the_same(name: str, call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.runs.work.where import Workplace

    started: list[Any] = []
    start = Workplace.pool.fget
    assert start is not None
    monkeypatch.setattr(Workplace, "pool", property(lambda self: started.append(start(self)) or started[-1]))
    here, there = call(name, ELSEWHERE[name]), call(name, f"{ELSEWHERE[name]} --jobs 2")
    assert (there.code, there.out) == (here.code, here.out)
    assert started


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_cluster_of_processes_finds_the_same(name: str, call: Caller, process_tasks: list[int]) -> None:
    here, there = call(name, ELSEWHERE[name]), call(name, f"{ELSEWHERE[name]} {CLUSTER}")
    assert (there.code, there.out) == (here.code, here.out), there.err
    assert process_tasks


def test_a_time_limit_ends_what_takes_longer(call: Caller) -> None:
    slow = f"@de_gold-test.conllu 'command:{sys.executable} @slow.py' --set"
    begin = time.monotonic()
    ended = call("evaluate", f"{slow} work.time_limit=0.2")
    assert (ended.code, ended.out) == (2, "")
    assert "0.2 s" in ended.err
    assert time.monotonic() - begin < 20


# ---- small files


SUITE = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence\n"
ROLES = f"""{SUITE}VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDer Hund sucht einen Knochen .
VF[O]LK[V]MF[S]\tbase-acc\t5\t2\tEinen Knochen sucht der Hund .
VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDie Katze sucht einen Vogel .
VF[S]LK[V]MF[O]\tdat-dat\t2\t5\tDie Katze hilft dem Vogel .
VF[S]LK[V]MF[O]\tdat-dat\t2\t5\tDie Kuh hilft dem Vogel .
"""
TEXTS = {
    "text.txt": "Der Gärtner gießt die Rosen .\nEr singt .\n\nDie Katze schläft im Garten .\n",
    "values.txt": "Paula\nOtto\nKarla\nUwe\n",
    "years.conllu": "# text = Das war 1987 schön\n1\tDas\tdas\tPRON\tPDS\t_\t2\tnsubj\t_\t_\n"
    "2\twar\tsein\tVERB\tVVFIN\t_\t0\troot\t_\t_\n3\t1987\t1987\tNUM\tCARD\t_\t2\tobl\t_\t_\n"
    "4\tschön\tschön\tADJ\tADJD\t_\t2\tadvmod\t_\t_\n\n",
    "taken/taken/train-train.conllu": "",
    "traces.mrg": "( (S (NP-SBJ-1 (NNP Ann)) (VP (VBD was) (VP (VBN named) (NP (-NONE- *-1))))))\n",
    "roles.tsv": ROLES,
    "other.tsv": ROLES.replace("\t2\t5\tDie", "\t2\t4\tDie"),
    "old.tsv": f"{SUITE}LK[V]MF[SO]\tbase-acc\t3\t5\tHeute sucht Anna einen Knochen .\n",
    "question.tsv": f"{SUITE}LK[V]MF[SO]Q\tbase-acc\t2\t4\tSucht Anna einen Knochen ?\n",
    "pairs.tsv": "good\tbad\tbase\n" + "".join(
        f"the dog barks{at}\tthe dog bark{at}\t0\ndogs bark{at}\tdogs barks{at}\t1\nhe saw{at}\thim saw{at}\t2\n"
        for at in ("", " here")
    ),
    "targets.csv": "good,bad,good_target,bad_target,genre\nthe dog barks .,the dog bark .,barks,bark,news\n"
    "the dogs bark .,the dogs barks .,bark,barks,book\n",
    "border.txt": "the\t4\ndogbarks\t4\n\nthe\t3\ndog\t3\nbark\t3\n\n"
    "the\t2\ncat\t2\nbarks\t2\n\nthe\t1\ncat\t1\nbark\t1\n",
    "lexicon.toml": 'extends = "de"\n',
    "forms.txt": "pflegen\tpflegen\tV;IND;PRS;3;PL\n",
    "slow.py": "import sys, time\nsys.stdin.read()\ntime.sleep(60)\n",
    "las5.tsv": "".join(f"cut-{n}\t{60 + 7 * n % 11}\n" for n in range(5)),
    "new.tsv": "cut-5\t63\n",
    "las.tsv": "treebank\tlas\tsecond\n" + "".join(f"cut-{n}\t{60 + 7 * n % 11}\t{50 + 5 * n % 7}\n" for n in range(6)),
}  # fmt: skip


def _lines(path: Path, text: str, encoding: str = "utf-8") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))


@pytest.fixture(scope="session")
def garden(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something small of every kind."""
    place = tmp_path_factory.mktemp("garden")
    for name, text in TEXTS.items():
        _lines(place / name, text)
    for make in (_treebanks, _phrase_trees, _suites, _models, _runs):
        make(place, samples)
    return place


def _treebanks(place: Path, samples: Path) -> None:
    from gardenpath.treebank import read
    from spoil import spoiled

    whole, train = read(samples / "de_garden-test.conllu"), read(samples / "de_garden-train.conllu")
    gold, roles = whole[:60], read(samples / "de_garden-roles.conllu")[:30]
    cuts = {"de_gold-test": gold, "documents": whole, "train": train[:40], "de_train": train[:40]}
    cuts |= {"roles": roles, "roles-parsed": roles, "splits/UD_Whole/x-ud-train": train[:200]}
    cuts |= {name: spoiled(gold, number, labels=0.3) for number, name in enumerate("ab")}
    cuts |= {f"{code}_gold-test": read(samples / f"{code}_garden-test.conllu")[:8] for code in ("en", "zh")}
    for number in range(6):
        begin, folder = 50 * number, f"collection/UD_Cut-{number}"
        cuts[f"{folder}/x-ud-train"] = train[begin : begin + 30 + 3 * number]
        cuts[f"{folder}/x-ud-test"] = train[begin + 30 : begin + 50]
    for name, treebank in cuts.items():
        _lines(place / f"{name}.conllu", treebank.to_bytes().decode())
    labels = {"nsubj": "SB", "obj": "OA", "root": "--", "det": "NK", "punct": "--"}
    tiger = re.sub(r"(\t\d+\t)([a-z:]+)(?=\t)", lambda it: it[1] + labels.get(it[2], "MO"), roles.data.decode())
    _lines(place / "tiger.conllu", tiger)
    _lines(place / "parts.txt", "train de-test-markt de-test-fest\ntest de-test-tiere\n")
    bare = re.sub(r"^#.*\n", "", gold[:5].to_bytes().decode(), flags=re.MULTILINE)
    _lines(place / "bare.conllu", bare)
    _lines(place / "bad.conllu", bare.replace("\t0\troot", "\t99\troot").replace("\tVERB\t", "\t_\t"))
    for name in ("crooked.conll", "crooked.conllu"):
        _lines(place / name, bare.replace("\n\n", "\n \n"))
    known = ["--update-known", str(place / "known.json"), "-o", str(place / "problems.txt")]
    with pytest.raises(SystemExit):
        main(["treebank", "validate", str(place / "bad.conllu"), str(place / "b.conllu"), *known])


def _phrase_trees(place: Path, samples: Path) -> None:
    from gardenpath.phrase import from_notation
    from gardenpath.phrase.edits.convert import converted
    from gardenpath.phrase.formats.source import read, write

    shutil.copytree(samples / "de_garden-constructions" / "tiger", place / "tiger")
    trees = read(place / "tiger" / "trees.export")
    gold, raised = trees[::7], list(converted(trees, raise_=True))
    unlike = "(S (PPER:SB Es) (VAFIN:HD ist) (CO:PD (ADJD:CJ still) (KON:CD und) (PP:CJ (APPR:AC ohne) (NN:NK Licht))))"
    write(gold, place / "gold.export")
    write(gold, place / "gold.xml", "tigerxml")
    write(list(converted(gold, raise_=True)), place / "gold.mrg", "penn")
    write(
        [tree if at % 3 else flat(tree.words, tree.sent_id) for at, tree in enumerate(raised)], place / "parsed.export"
    )
    write(raised, place / "raised.export")
    write([from_notation("(PP:MO (APPR:HD in) (NP:NK (NN:HD Ruhe)))", "1")], place / "deep.export")
    write([from_notation(unlike, "1")], place / "unlike.export")
    _lines(place / "latin.export", (place / "gold.export").read_text(encoding="utf-8"), "latin-1")
    _lines(place / "tepacoc.txt", f"\t\tPPN\n1\t\t{' '.join(gold[0].words)}\n")


def _suites(place: Path, samples: Path) -> None:
    from gardenpath_generate.roles.language import bundled_language
    from gardenpath_generate.templates.writing import starter

    (place / "suites").mkdir()
    for number, name in (("one", "agreement_pp"), ("two", "reflexive_pp")):
        shutil.copy(samples / "en_garden-surprisal" / f"{name}.json", place / "suites" / f"{number}.json")
    shutil.copytree(bundled_language("tr").lexicon.parent, place / "turkish")
    _lines(place / "template.toml", starter("pairs", "en", "template"))
    # Two items; border.txt scores the first with a token across the border of its regions.
    nouns = ["dog", "cat", "boy", "girl", "king", "queen"]
    items = [(noun, {name: (f"the {noun}", verb, 2) for name, verb in (("good", "barks"), ("bad", "bark"))})
             for noun in nouns[:2]]  # fmt: skip
    _regions(place / "border.json", items, "(2;%bad%) > (2;%good%)")
    # Twelve garden paths of six lexemes, and trees of them with labels of another scheme.
    paths = [
        (noun, {"ambiguous": (f"he knew the {noun}", verb, 4), "plain": (f"he knew that the {noun}", verb, 5)})
        for verb in ("sleeps", "smiles") for noun in nouns
    ]  # fmt: skip
    _regions(place / "paths.json", paths, "(2;%ambiguous%) > (2;%plain%)")
    sentences = [f"{one[0]} {one[1]}".split() for _, conditions in paths for one in conditions.values()]
    rows = [[f"{at}\t{word}\t_\t_\t_\t_\t{at - 1}\tSB\t_\t_\n" for at, word in enumerate(words, 1)]
            for words in sentences]  # fmt: skip
    _lines(place / "paths.conllu", "\n".join("".join(lines) for lines in rows) + "\n")


def _regions(path: Path, items: list[tuple[str, dict[str, tuple[str, str, int]]]], formula: str) -> None:
    """A suite of two regions each; the word that begins the second depends on the one before it."""
    listed = [
        {"item_number": number, "lexeme": lexeme, "conditions": [
            {"condition_name": name, "arc": {"dependent": head + 1, "head": head, "labels": ["nsubj", "obj"]},
             "regions": [{"region_number": 1, "content": before}, {"region_number": 2, "content": verb}]}
            for name, (before, verb, head) in conditions.items()
        ]}
        for number, (lexeme, conditions) in enumerate(items, 1)
    ]  # fmt: skip
    suite = {
        "meta": {"name": path.stem, "metric": "sum"}, "region_meta": {"1": "before", "2": "verb"}, "items": listed,
        "predictions": [{"type": "formula", "formula": formula}],
    }  # fmt: skip
    _lines(path, json.dumps(suite))


def _models(place: Path, samples: Path) -> None:
    from gardenpath.systems.training.training import train

    text = (samples / "en_garden-text.txt").read_text(encoding="utf-8").split("\n")[:300]
    _lines(place / "train.txt", "\n".join(text) + "\n")
    train("ngram", place / "train.txt", output=place / "ngram.npz")
    train("ngram", place / "train.txt", output=place / "unigram.npz", options={"order": "1"})
    for order, name in ((3, "ngram"), (1, "unigram")):
        shutil.copy(place / f"{name}.npz", place / f"order-{order}.npz")
    quick = {"tagger.iterations": "1", "parser.iterations": "1", "tokenizer.epochs": "1"}
    train("pcfg", place / "gold.export", output=place / "pcfg.npz", options={"functions": "yes", "scheme": "tiger"})
    train("udpipe", place / "train.conllu", output=place / "de.udpipe", preset="tiny", options=quick)
    for folder in ("demo", "out"):
        models = place / "demo" / folder / "models"
        models.mkdir(parents=True)
        for name in ("projective", "swap"):
            shutil.copy(place / "de.udpipe", models / f"{name}.udpipe")


def _runs(place: Path, samples: Path) -> None:
    from gardenpath import consistency, constructions, evaluate
    from gardenpath.library.run_tools import plan
    from gardenpath.studies.constructions.annotation import sheet_text
    from gardenpath.studies.engine.phrase_trees import PHRASES, read_judged

    gold = place / "de_gold-test.conllu"
    for name, file, by in (("a", "a", ""), ("b", "b", ""), ("g", "de_gold-test", ""), ("c", "a", "length")):
        evaluate(gold, {name: str(place / f"{file}.conllu")}, by=by, run=place / f"run-{name}")
    both = {"a": "baseline:right-branching", "b": "baseline:nearest-head"}
    evaluate(place / "documents.conllu", both, gold="tags", run=place / "run-d")
    consistency(gold, both, change="names", per_sentence=2, gold="tags", run=place / "run-h")
    constructions(place / "gold.export", str(place / "parsed.export"), scheme="tiger", run=place / "run-k")
    items = list(read_judged(place / "run-k" / PHRASES))
    blank = sheet_text(items, {(item.suite, item.item): item.item.partition("-")[0] for item in items}, {})
    _lines(place / "sheet.tsv", re.sub(r"\t$", "\tright", blank, flags=re.MULTILINE))
    systems = [f"ngram:{place / name}.npz" for name in ("ngram", "unigram")]
    _lines(place / "grid.toml", f'[[study]]\nsources = ["{place / "border.json"}"]\nsystems = {json.dumps(systems)}\n')
    plan(place / "planned" / "plan", grid=place / "grid.toml")
    chance, rows = np.random.default_rng(0), ["item\tgroup\tvalue\tright"]
    for item, at in product(range(12), range(6)):
        value = item / 6 + at % 2 + chance.normal()
        rows.append(f"i{item}\t{'xy'[at % 2]}\t{value:.3f}\t{int(value > 1.5)}")
    _lines(place / "table.tsv", "\n".join(rows) + "\n")
