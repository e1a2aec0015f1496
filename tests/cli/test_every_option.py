"""Every option of every command acts or is refused; what there is to check comes from the declarations of the program.

Written by hand are quick calls of each command, and the options whose value or input cannot be derived (`CALLS`).
An option acts if it changes the output, the files, the exit code or the place of work; it is refused with exit 2 and a
message that names it. Signatures do not count: an option that only enters these is ignored.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import pytest

from gardenpath.cli.main import main
from gardenpath.studies.engine.declaration import META, flag_of
from gardenpath.studies.engine.registry import study_command, study_names
from gardenpath.systems.asking.registry import kinds
from pages import program

# ---- quick calls

CALLS = """
demo: -o demo --jobs 1 => !--model nosuch:x
train: ngram @train.txt -o model.npz => --dev @text.txt ; --prune 0,0,1 ; --option order=2 ; !--memory 12
        ; !--preset tiny ; !--seed 1 ; !--seeds 2 ; !--no-resume ; !--keep-checkpoints 3 : 'keep' ; !--transition swap
        ; !--gold-tags ; !--scheme tiger ; !--jobs 2
    pcfg @gold.export -o model.npz => --preset tiny ; --scheme tiger ; !--seed 1 ; !--order 2 ; !--memory 1G
    lstm @train.txt -o m --preset tiny --option epochs=1 => !--keep-checkpoints 2,x : not a step
parse: asked:x @de_gold-test.conllu => --quiet ; !--traces
    udpipe:@de.udpipe @text.txt --mode sentences => --mode text
    baseline:nearest-head @de_gold-test.conllu => --gold tags
    udpipe:@de.udpipe @zh_gold-test.conllu => --any-language
    pcfg:@pcfg.npz @traces.mrg => --traces
    pcfg:@pcfg.npz @gold.export => --quiet ; !--mode text ; !--gold feats ; !--any-language
score: ngram:@ngram.npz @text.txt => !--format json
    + --summary => --format json
evaluate: @de_gold-test.conllu asked:x => --cluster local:2 ; --gold tags ; --mode text ; --by label ; --examples nsubj
        ; --where bundled:ud-phenomena ; !--cluster nowhere
    + --by length => --figures out
    @de_gold-test.conllu @a.conllu => !--gold tags ; !--any-language ; !--mode text
    @de_gold-test.conllu @a.conllu @b.conllu => --baseline @b.conllu
    @gold.export trees:@parsed.export => --by label ; --scheme tiger ; --parameters collins ; --max-length 16
        ; !--gold tags
    @traces.mrg trees:@traces.mrg --parameters all => --traces
    @zh_gold-test.conllu udpipe:@de.udpipe => --any-language
    @roles.conllu @tiger.conllu => !!--strict
    @documents.conllu baseline:right-branching => --independent
roles: @roles.conllu asked:x => --baseline baseline:subject-first ; --by length ; --examples wrong ; !--positions 1
    @roles.conllu baseline:nearest-head => --gold tags
    @roles.conllu @tiger.conllu => --equal SB=nsubj,OA=obj ; !!--strict
    @roles.conllu @roles-parsed.conllu => !!--any-language
    @roles.tsv baseline:subject-first --examples right => --positions 0
    @old.tsv baseline:right-branching => --release 2020
    --treebank @de_gold-test.conllu => --by clause ; --examples SVO ; --datives no
    @a.conllu @b.conllu => --treebank @de_gold-test.conllu
joint: @paths.json asked:x ngram:@ngram.npz => --by length
    @paths.json conllu:@paths.conllu ngram:@ngram.npz => !!--any-language ; !!--strict ; !--mode sentences
    @border.json asked:x surprisals:@border.txt => --border end
judge: @pairs.tsv asked:x => --templates better ; --by length
logs: @logs => --metric half ; !--metric nosuch
surprisal: @suites ngram:@ngram.npz => --by length ; --examples wrong
        ; !--examples odd ; !--score target ; !--words asked ; !--threshold 10
        ; !--seed 1
    @targets.csv ngram:@ngram.npz => --score target ; --layout class=genre
    + --tokens characters --by all => --metric mean
    @border.json surprisals:@border.txt => --border end
    @suites ngram:@order-{1,3}.npz => --threshold 10
    @suites ngram:@unigram.npz --ties coin => --seed 1
    bundled:en-surprisal ngram:@ngram.npz => --independent
reproduce: tepacoc => --table 'Table 1' ; !--table 'Table 3' ; --verdict recomputed ; !--verdict equal
        ; !--tiger @gold.export ; !--tueba @gold.export ; !--list @tepacoc.txt : name both --tiger and --tueba
        ; !--ctb @gold.mrg ; !--only-plan
    mandarin --ctb @gold.mrg --only-plan => --folder study ; --xinhua @train.txt ; !--preset huge ; --seeds 2
        ; --preset tiny ; --parts @parts.txt ; --suites bundled:zh-surprisal
    mandarin --ctb @gold.mrg --only-plan --xinhua @train.txt => --segmenter ctb
plan: plan --grid @grid.toml
    plan => --grid @grid.toml
run: plan => --shard 2/2 ; !--shard 3/2
collect: plan
compare: @run-a @run-b => --by upos ; !--margin 2
    @run-d => --independent
    @run-g @run-a --independent --by none => --fail-if worse
    @run-g @run-a --independent --by none --fail-if worse => --margin 90
check: @run-a --min evaluation.las>=1 => --min evaluation.las>=100 ; --against @run-b
        ; --against @run-g --independent --by none ; !--margin 2 ; !--by upos ; !--measure uas ; !--independent
    @run-a --against @run-b => --margin 2 ; --by upos ; --measure uas
    @run-a --against @run-g => --independent
verify: @run-a
show: @de_gold-test.conllu => --displacement
    @run-h => --system b ; --format svg ; !--diff @a.conllu ; !--limit 2 ; !--system nobody
    @de_gold-test.conllu => --sentence 3 ; --diff @a.conllu ; --limit 2 ; --format latex ; !--format notation
        ; !--system a
    + -s 3 => --diff @a.conllu ; !--limit 2
    + -s 3 -f conllu => !--diff @a.conllu ; !--displacement
    @gold.export -s 3 => !--limit 2 ; !--displacement
    @gold.export -s 3 -f notation => !--diff trees:@parsed.export
    @gold.export => !--format conllu
report: @run-a => --title Spring ; --grid ; !--grid --sentences 2
    @run-c => --figures out
export: @run-a --to model-card => --to every-eval-ever --output records ; !--to every-eval-ever ; !--system nobody
card: baseline:right-branching @a.conllu --language fr => !--budget 0
    baseline:right-branching --language en => !!--language xx
    asked:x @a.conllu --language fr => --jobs 2
systems:
data list:
data get: bundled:de-test => !--again
data path: bundled:de-test
data cite: sorts
treebank stats: @a.conllu @b.conllu
treebank search: @en_gold-test.conllu 'V -[nsubj]-> S' => --by S.upos ; !--by S.upos --conllu ; !--to export
        ; !--scheme tiger
    @gold.export 'X [cat]; Y = head(X)' => --scheme ptb
treebank validate: @bad.conllu @b.conllu => --ignore missing-text ; --only missing-text ; --baseline @known.json
        ; --write-baseline known.json ; !--changed-since HEAD : git says
treebank convert: @en_gold-test.conllu => --to text ; --feats colon ; --renumber-sent-ids s ; !--from export
        ; !--encoding latin-1 ; !--raise ; !--split ; !--functions drop ; !--plain ; !--separator #
    + --to text => !--feats colon ; !--renumber-sent-ids s
    @de_gold-test.conllu --to text => --no-spaces
    @gold.mrg --to conllu --scheme ctb => --scheme tiger ; --no-spaces
    + --to vertical => !--drop-enhanced
    @bare.conllu => --add-text
    @bare.conllu --to tsv => !--add-text
    @bare.conllu --to text => !--add-text
    @crooked.conll => !--strict : must be empty
    @crooked.conllu => --tolerant
    @gold.export --to export => --renumber-sent-ids s ; --raise ; --split ; --functions drop ; !--scheme tiger
    @gold.export --to export --raise => --scheme tuebadz
    @gold.export --to penn --raise => --separator # ; !--tolerant ; !--renumber-sent-ids s
        ; !--from tigerxml : broken XML
    @gold.mrg --to export => --separator #
    @gold.export --to tigerxml => !--separator #
    @latin.export --to export => --encoding cp437
    @gold.xml --to export => !--encoding latin-1
    @deep.export --to export => --plain
treebank split: @train.conllu -o parts --draws 0 => --train 0.6 --dev 0.3 ; --dev 0 --test 0.2 ; --test 0.2 --dev 0
        ; --stratify id ; !--stratify gerne ; --prefix mine ; !--tolerance 0.2 ; !--procedure paper
    @train.conllu -o parts => --folds 3
    @train.conllu -o parts --test 0.1 => !--folds 3
    @train.conllu -o parts --max-edv => !--folds 3
    @train.conllu -o parts --min-edv => !!--random
    + --max-edv => --procedure paper
    @train.conllu -o parts --dev 0.2 --test 0 => !--draws 5
    + --deduplicate => --near 0.1
    @train.conllu @train.conllu -o parts --draws 0 => --deduplicate
    @train.conllu @documents.conllu -o parts --prefix both --draws 0 => --exclude @documents.conllu
    @train.conllu -o taken --draws 0 => --force
    @documents.conllu -o parts => --leave-one-document-out ; --parts @parts.txt ; !--parts @parts.txt --train 0.5
        ; !--leave-one-document-out --folds 3 : leave out one of the two
    @documents.conllu -o parts --leave-one-document-out => !--repeats 2
    @documents.conllu -o parts --draws 0 => --by-document --tolerance 0.1
    @documents.conllu -o parts --draws 0 --by-document --tolerance 0.1 => --tolerance 0.2
treebank overlap: @de_train.conllu @train.conllu
    @train.conllu @de_gold-test.conllu => --near 0.05
treebank diff: @de_gold-test.conllu @a.conllu => --parsed @b.conllu
        ; !--parsed @en_gold-test.conllu : no sentence of both releases
    @train.conllu @de_gold-test.conllu => --near 0.05
treebank augment: @de_gold-test.conllu -o more.conllu -p names => --match [A-Z].* --values @values.txt
        ; --match-pattern 'X [upos=PROPN]' --values @values.txt ; --substitute NNNN ; -p years ; --per-sentence 2
        ; --set test ; !--values @values.txt ; !--language xx ; !--seed 1
    @de_gold-test.conllu -o more.conllu --values @values.txt --match [A-Z].* => --upos PROPN ; !--set test
    @years.conllu -o more.conllu -p numerals => --seed 1 ; !--language de
suites list:
suites check: @roles.tsv => --against @other.tsv ; --positions 0 ; --ignore malformed-properties ; --only duplicate
        ; !--layout good=x --layout bad=y
    @roles.conllu => !--positions 1
    @question.tsv => --release 2026
    @targets.csv => --layout good=bad --layout bad=good
    @suites => --against @train.txt ; !--positions 1 ; !--release 2020
suites convert: @roles.conllu - --to conllu => --to tsv ; !--positions 0
    @roles.tsv - --to tsv => --positions 0
    @old.tsv - --to conll --release 2020 => --names today
    @old.tsv - --to tsv --names today => --release 2020
    @targets.csv - --to blimp => --layout item=genre
    @suites/one.json - --to syntaxgym => !--names today ; !--partial ; !--positions 0 ; !--release 2020
suites show: @roles.tsv => --item 2 ; --positions 0 --item 1
    @roles.conllu => !--positions 0
    @old.tsv => --release 2020
    @targets.csv => --layout class=genre
    @suites/one.json => !--positions 0 ; !--release 2020
suites generate: roles -n 20 => --language nl ; --size 30 ; --ambiguity full ; --lexicon @lexicon.toml
        ; --grammar @turkish ; --tense past ; --to tsv ; !--grammar @turkish --language nl ; !--mix erc=1
    pp -n 20 => !--one-word
    constructions -n 20 -o made => --mix plain=1,erc=3 ; !--language nl ; !--tense past
    text -n 20 -l en => !--ambiguity full ; !--lexicon @lexicon.toml ; !--grammar @turkish ; !--to tsv ; !--partial
suites new: pairs => --language tr
suites export: @pairs.tsv tasks --harness lm-eval => --harness inspect
suites expand: @template.toml => --draw 6 ; !--seed 1
    + --draw 6 => --seed 1
suites from-treebank: bundled:de-test -o made => --phenomena object-case ; --unimorph @forms.txt ; --longest 8
        ; !--seed 1
    + --most 1 => --seed 1
constructions judge: @tiger asked:x => --phenomena ppn ; --by length ; --examples wrong ; !--scheme tiger
        ; !--gold tags ; !--gold feats,tags
    + --by errors => --decide missing=D
    @tiger trees:@raised.export => --form discontinuous
    @tiger pcfg:@pcfg.npz => --gold tags
    @gold.export trees:@parsed.export => --scheme tiger
    @gold.export trees:@parsed.export --scheme tiger => --independent
constructions find: @gold.export --scheme tiger => !--scheme negra ; --phenomena ppn ; --list @tepacoc.txt
        ; --name spring -o suite ; !--seed 1 ; !--release 2
    + --max-length 9 => --no-punctuation
    + --sample 1 => --seed 1 --items
    + --sample 20 => --quiet
    @unlike.export --scheme tiger => --wide
    + -o suite => --release 2
displacement pair: @train.conllu @de_gold-test.conllu --draws 0 => --by length ; !--seed 1
    @train.conllu @de_gold-test.conllu --draws 20 => --seed 1
    bundled:de-train bundled:de-test --draws 20 => --independent
displacement collection: @collection --draws 0 --subsamples 12 => --las @las.tsv ; !--by length ; !--parsed nowhere
        ; --min-train 40
        ; !--las-column second ; !--covariates slv
    @collection --draws 0 --subsamples "" => !--seed 1
    + --las @las.tsv => --las-column second ; --covariates slv ; !--held-out @las.tsv
    + --las @las5.tsv --by all => --held-out @new.tsv
    + --by all => --subsamples 20
    + --by analyses => --seed 1
    @collection --draws 5 --subsamples 12 -f json => --by length
displacement experiment: @splits --parser counted --random 1 => !--parser ngram ; !--preset large ; !--option wings=2
        ; !--official ; !--official --random 5 ; !--min-train 500
consistency test: @de_gold-test.conllu asked:x -p names --per-sentence 2 => --perturb years
        ; --match [A-Z].* --values @values.txt ; --match-pattern 'X [upos=PROPN]' --values @values.txt ; --by upos
        ; --examples changed ; !--values @values.txt ; !--language xx ; !--stages tokens ; --stages tags
        ; !--stages tags --gold tags
    @de_gold-test.conllu asked:x --values @values.txt --match [A-Z].* --sentences 2 => --upos PROPN
    @years.conllu asked:x => !--language de
    @zh_gold-test.conllu udpipe:@de.udpipe -p names --sentences 1 => --any-language
    @tiger.conllu asked:x --match [A-Z].* --values @values.txt --sentences 2 => !!--strict
consistency tables: @run-h
consistency remedies: @de_train.conllu @de_gold-test.conllu --parser counted -p names --per-sentence 3 --augmented 1
        => --dev @a.conllu ; --token XXXX ; !--parser ngram ; !--preset large ; !--option wings=2
        ; !--values @values.txt ; !--match-pattern 'X [upos=PROPN]' ; !--language xx ; !--voters 1
        ; !--perturb years : no training sentence
    @de_train.conllu @zh_gold-test.conllu --parser counted --match .+ --values @values.txt => --any-language
    @tiger.conllu @de_gold-test.conllu --parser counted --remedy augment --match [A-Z].* --values @values.txt
        => !!--strict
    @de_train.conllu @de_gold-test.conllu --parser counted --sentences 2 --remedy augment -p names
        => --match [A-Z].* --values @values.txt
    @de_train.conllu @de_gold-test.conllu --parser counted --sentences 2 --match [A-Z].* --values @values.txt
        => --upos PROPN
    @de_train.conllu @de_gold-test.conllu --parser counted --sentences 2 -p names --by perturbation => --order both
    @de_train.conllu @de_gold-test.conllu --parser counted -p names => --remedy substitute
    @de_train.conllu @de_gold-test.conllu --parser counted -p names --per-sentence 3 --remedy vote --gold tags -f json
        => --voters 1
stats: @table.tsv "value ~ group + (1|item)" => --p satterthwaite ; !--mark x=y
    @table.tsv "right ~ group + (1|item)" => --family gaussian ; !--p satterthwaite
    @table.tsv "value ~ 1 + (1|item)" => --by group
"""
"""For each command a quick call, and others where an option needs other input (`+` stands for the quick call, `@` for
the folder `garden`). Behind `=>` are the options that are tried there: `--x` acts, `!--x` is refused, `!!--x` is
refused and shown nowhere else; behind ` : ` is what the message has where it does not name the option. An option that
is not in the table is tried in the quick call, with values from its declaration."""
SHARED = {
    "--format": ("acts", "--format json"),
    "--output": ("writes out", "--output out"),
    "--figures": ("writes out", "--figures out"),
    "--run": ("writes out/report.html", "--run out"),
    "--jobs": ("workers", "--jobs 2"),
    "--no-cache": ("uncached", "--no-cache"),
    "--quiet": ("silent", "--quiet"),
    "--cluster": ("tasks", "--cluster local:2"),
    "--time-limit": ("refused", "--time-limit 0"),
    "--memory-limit": ("refused", "--memory-limit 0"),
    "--fail-under": ("acts", "--fail-under 100"),
}
"""Options that mean the same everywhere."""
BEFORE = {"demo": "demo", "run": "planned", "collect": "planned", "treebank split": "taken"}
"""Folders of `garden` that lie in the working folder before the call."""
FAILING = {"collect", "treebank validate", "suites check"}
"""Commands whose quick call finds something and exits with 1."""
GATES = {"check", "compare", "suites check"}
"""Commands that exist to exit with 1; elsewhere only an option called --fail may make a call fail."""
FORMS = {"phrase trees": "@gold.export trees:@parsed.export", "treebanks": "--treebank @de_gold-test.conllu"}
"""A call for each form of a study that the quick call does not show."""


class Case(NamedTuple):
    """An option in a call of a command, what it should do there, and what it may be given (one of it acts)."""

    name: str
    flag: str
    base: str
    effect: str
    given: tuple[str, ...]
    words: str = ""


@cache
def options_of(name: str) -> dict[str, Any]:
    options = [option for option in program()[name].params if option.param_type_name == "option"]
    return {option.opts[0]: option for option in options if option.name != "help"}


def declared(name: str) -> list[tuple[Any, dict[str, Any]]]:
    """The forms of a study, each with its settings by flag; none of a command that is no study."""
    name = name.removesuffix(" judge")
    return [
        (form, {flag_of(one.name, one.metadata[META]): one for one in fields(form.settings) if META in one.metadata})
        for form in (study_command(name).forms.values() if name in study_names() else ())
    ]


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
        flags = {word: flag for flag, one in options_of(name).items() for word in (*one.opts, *one.secondary_opts)}
        calls[base] = []
        for mark, given, words in re.findall(r"(!*)(-.+?)(?: : (.+?))?(?: ; |$)", tried):
            flag = flags.get(given.split()[0], "")
            assert flag, f"CALLS: {name} has no option {given}"
            effect = {"": SHARED.get(flag, ("acts", ""))[0], "!": "refused", "!!": "only refused"}[mark]
            calls[base].append(Case(name, flag, base, effect, (given,), words))
    return table


def values(name: str, flag: str) -> tuple[str, ...]:
    """What an option may be given by its declaration, without its default; the first that acts is enough."""
    option, words = options_of(name)[flag], chosen_from(name, flag)
    if option.is_flag:
        return tuple(option.secondary_opts) if option.default else (flag,)
    if hasattr(option.type, "choices"):
        words = [str(choice) for choice in option.type.choices]
    elif option.type.name.startswith(("int", "float")):
        least, most = getattr(option.type, "min", None) or 0, getattr(option.type, "max", None) or np.inf
        numbers = (1, 2, 9, 0.5) if option.type.name.startswith("float") else (1, 2, 9)
        words = [str(number) for number in numbers if least <= number <= most]
    return tuple(f"{flag} {word}" for word in words if word != str(option.default))


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
                yield Case(name, flag, base, SHARED[flag][0], (SHARED[flag][1],))
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
                yield Case(name, flag, base, "refused", (f"{flag} nosuch",))
                yield Case(name, flag, base, "refused", (f"{flag} {misspelt}",), "did you mean")
        for flag, setting in {flag: one for _, others in forms for flag, one in others.items()}.items():
            if flag not in settings and flag not in " ".join(FORMS.values()):
                word = "" if isinstance(setting.default, bool) else " 1"
                yield Case(name, flag, base, "refused", (f"{flag}{word}",), f"{flag} is not for {form.title}")


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
        for option in options_of(name).values():
            for short in option.opts[1:]:
                meanings.setdefault(short, set()).add(option.opts[0])
    assert {short: names for short, names in meanings.items() if len(names) > 1} == {}


OWN_WORDS = {
    "--by", "--examples", "--option", "--baseline", "--output", "--dev", "--draws", "--release", "--to", "--format",
    "--seed", "--preset", "--scheme", "--mode", "--form", "--max", "--perturb", "--per-sentence", "--procedure",
    "--language", "--partial", "--phenomena",
}  # fmt: skip
"""What each command says in its own words: it means the same, but there is something else to choose from."""
HOMONYMS = {
    "suites check --against": "another form of the suite, elsewhere an earlier run",
    "report --grid": "the page over many runs, elsewhere a file of studies",
    "train --jobs": "trainings at a time, elsewhere processes",
    "show --limit": "sentences, elsewhere examples",
    "show --system": "whose trees are shown, elsewhere of which the card is",
    "treebank search --limit": "matches, and it may be 0, elsewhere examples",
    "constructions find --list": "a published list, elsewhere all checks",
    "reproduce --list": "the same list, and what is done without it",
    "constructions find --max-length": "of what --sample draws, elsewhere of what is evaluated",
    "logs --metric": "of a log, elsewhere of regions",
    "train --order": "of n-grams, elsewhere of siblings",
    "treebank diff --parsed": "one parse, elsewhere a folder of parsed test sets",
    "treebank split --random": "by chance, elsewhere how many splits by chance",
    "train --resume": "a training, elsewhere a plan",
    "card --run": "has a default, and holds a run for each exam",
    "train --seeds": "models to keep, elsewhere trainings to compare",
    "reproduce --seeds": "models of a plan, elsewhere trainings to compare",
    "report --sentences": "on the page, elsewhere in the study",
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
    trained = registry.Kind("counted", f"{__name__}:Trained", "X", "counts", trainer=f"{__name__}:counted_trainer")
    monkeypatch.setattr(registry, "KINDS", (*registry.KINDS, asked, trained))
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
    option, value = options_of(name)[flag], given.partition(" ")[2].strip("'")
    words = [*option.opts, *option.secondary_opts, re.sub("-", "[- _]", flag[2:]), "leave out the others"]
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
    assert calls("--no-cache") > 0


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
    here, there = call(name, ELSEWHERE[name]), call(name, f"{ELSEWHERE[name]} --cluster local:2")
    assert (there.code, there.out) == (here.code, here.out), there.err
    assert process_tasks


def test_a_time_limit_ends_what_takes_longer(call: Caller) -> None:
    slow = f"@de_gold-test.conllu 'command:{sys.executable} @slow.py' --time-limit"
    begin = time.monotonic()
    ended = call("evaluate", f"{slow} 0.2")
    assert (ended.code, ended.out) == (2, "")
    assert "0.2 s" in ended.err
    assert time.monotonic() - begin < 20


# ---- small files


SUITE = "Word Order\tOther Properties\tSubject Position\tObject Position\tSentence\n"
ROLES = f"""{SUITE}VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDer Hund sucht einen Knochen .
VF[O]LK[V]MF[S]\tbase-acc\t5\t2\tEinen Knochen sucht der Hund .
VF[S]LK[V]MF[O]\tbase-acc\t2\t5\tDie Katze sucht einen Vogel .
VF[S]LK[V]MF[O]\tdat\t2\t5\tDie Katze hilft dem Vogel .
VF[S]LK[V]MF[O]\tdat\t2\t5\tDie Kuh hilft dem Vogel .
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
    "logs/model/samples_x_2026-01-01T00-00-00.0.jsonl": "\n".join(
        json.dumps({"doc_id": n, "doc": {}, "metrics": ["acc", "half"], "acc": int(n > 2), "half": 0.5})
        for n in range(8)
    ),
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
    known = ["--write-baseline", str(place / "known.json"), "-o", str(place / "problems.txt")]
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
    from gardenpath import consistency, evaluate, plan

    gold = place / "de_gold-test.conllu"
    for name, file, by in (("a", "a", ""), ("b", "b", ""), ("g", "de_gold-test", ""), ("c", "a", "length")):
        evaluate(gold, {name: str(place / f"{file}.conllu")}, by=by, run=place / f"run-{name}")
    both = {"a": "baseline:right-branching", "b": "baseline:nearest-head"}
    evaluate(place / "documents.conllu", both, gold="tags", run=place / "run-d")
    consistency(gold, both, perturb="names", per_sentence=2, gold="tags", run=place / "run-h")
    systems = [f"ngram:{place / name}.npz" for name in ("ngram", "unigram")]
    _lines(place / "grid.toml", f'[[study]]\nsources = ["{place / "border.json"}"]\nsystems = {json.dumps(systems)}\n')
    plan(place / "planned" / "plan", grid=place / "grid.toml")
    chance, rows = np.random.default_rng(0), ["item\tgroup\tvalue\tright"]
    for item, at in product(range(12), range(6)):
        value = item / 6 + at % 2 + chance.normal()
        rows.append(f"i{item}\t{'xy'[at % 2]}\t{value:.3f}\t{int(value > 1.5)}")
    _lines(place / "table.tsv", "\n".join(rows) + "\n")
