"""Parsers and models on the same items: garden paths, effects and their association, all counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from joint_cases import Key, model, parsed, sentence, suites

import gardenpath as gp
from gardenpath.errors import GardenpathError, InputError
from gardenpath.runs.result.result import Finding, Value, Verdict
from gardenpath.runs.result.verdict import NOT_SHOWN, SHOWN, SUGGESTED
from gardenpath.stats.sampling import Clusters, compare_groups
from gardenpath.studies.engine.study import run
from gardenpath.studies.joint.declaration import JointSettings
from gardenpath.studies.joint.study import JOINT, joint_verdicts
from gardenpath.suites.regions.positions import arc_of, carries_arcs
from gardenpath.suites.regions.reader import read_region_suites
from group_checks import group
from verdict_checks import check_verdicts, unfounded

KEYS: list[Key] = [(name, number) for name in ("a", "b") for number in range(1, 5)]
WRONG = {("a", 1): "hard", ("a", 2): "hard", ("a", 3): "both", ("b", 1): "hard", ("b", 2): "plain"}
EFFECTS = dict(zip(KEYS, [5.0, 3.0, 1.0, 2.0, 12.0, 10.0, 9.0, 11.0], strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return suites(tmp_path / "suites", KEYS)


def test_by_hand(folder: Path) -> None:
    result = gp.joint(folder, {"p": parsed(WRONG, KEYS)}, {"m": model(EFFECTS)})
    # Of 8 items, 3 are wrong in the ambiguous sentence alone; one more is wrong in both, one in the plain one.
    assert result.value("astray", "p") == pytest.approx(37.5)
    assert result.value("astray", "p", construction="a") == pytest.approx(50.0)
    assert result.value("arcs_right", "p", condition="ambiguous") == pytest.approx(50.0)
    assert result.value("arcs_right", "p", condition="unambiguous") == pytest.approx(75.0)
    assert result.value("effect", "m") == pytest.approx(53 / 8)
    assert result.value("effect_astray", "m", parser="p") == pytest.approx((5 + 3 + 12) / 3)
    assert result.value("effect_elsewhere", "m", parser="p") == pytest.approx((1 + 2 + 10 + 9 + 11) / 5)
    # Within constructions: a has the pairs 5-1, 5-2, 3-1, 3-2, b has 12-10, 12-9, 12-11.
    assert result.value("effect_gap", "m", parser="p") == pytest.approx((4 + 3 + 2 + 1 + 2 + 3 + 1) / 7)
    assert result.value("rank_biserial", "m", parser="p") == 1.0
    assert result.value("effect_gap", "m", parser="p", construction="b") == pytest.approx(2.0)
    # Without regard to them: 6.67 against 6.6.
    assert result.value("effect_gap_pooled", "m", parser="p") == pytest.approx(20 / 3 - 33 / 5)
    paths = {tuple(finding.by.values()): finding.value for finding in result.findings if finding.measure == "item_path"}
    assert paths["a", "3"] == "wrong in both"
    assert paths["b", "2"] == "right when ambiguous alone"
    check_verdicts(result)


def test_intervals_go_by_lexeme(folder: Path) -> None:
    result = gp.joint(folder, {"p": parsed(WRONG, KEYS)}, {"m": model(EFFECTS)})
    assert "clusters:lexeme=4" in result.signature
    gap = next(finding for finding in result.findings if finding.measure == "effect_gap" and len(finding.by) == 1)
    astray = [WRONG.get(key) == "hard" for key in KEYS]
    clusters, strata = Clusters.of(lexeme=[number for _, number in KEYS]), [name for name, _ in KEYS]
    expected = compare_groups(list(EFFECTS.values()), astray, clusters, strata)
    assert expected is not None
    assert (gap.low, gap.high, gap.n) == (expected.gap.low, expected.gap.high, 8)
    alone = gp.joint(folder, {"p": parsed(WRONG, KEYS)}, {"m": model(EFFECTS)}, independent=True)
    assert "clusters:item=8" in alone.signature


def test_labels_are_a_set_without_subtypes(tmp_path: Path) -> None:
    shares = {}
    for labels in (("nsubj",), ("csubj", "dislocated"), ("csubj", "nsubj")):
        where = suites(tmp_path / "-".join(labels), KEYS, labels)
        result = gp.joint(where, {"p": parsed({}, KEYS)}, {"m": model(EFFECTS)})
        shares[labels] = result.value("arcs_right", "p", condition="ambiguous")
    assert list(shares.values()) == [100.0, 0.0, 100.0]


def test_failures_stay_in_the_denominator(folder: Path, tmp_path: Path) -> None:
    """A model that cannot score an item leaves it out of means, and is counted; a parser that fails is wrong."""
    lines = ["sentence_id\ttoken_id\ttoken\tsurprisal"]
    sentences = [(key, ambiguous) for key in KEYS for ambiguous in (True, False)]
    for number, (key, ambiguous) in enumerate(sentences, 1):
        words = sentence(key, ambiguous=ambiguous)
        (values,) = model(EFFECTS)([words])
        failed = key == ("a", 1)
        lines += [f"{number}\t{place}\t{word}\t{'nan' if failed else value}"
                  for place, (word, value) in enumerate(zip(words, values, strict=True), 1)]  # fmt: skip
    scored = tmp_path / "scored.tsv"
    scored.write_text("\n".join(lines) + "\n", encoding="utf-8")
    trees = parsed(WRONG, KEYS).to_bytes().decode()
    headless = "".join(
        line.replace("\t2\tobj\t", "\t_\t_\t") for line in trees.splitlines(keepends=True)
    )  # the wrong arcs of the parser are no arcs at all
    (tmp_path / "p.conllu").write_text(headless, encoding="utf-8")
    result = run(JOINT, [str(folder)], [f"conllu:{tmp_path / 'p.conllu'}", f"m=surprisals:{scored}"])
    by = {(finding.system, finding.measure): finding for finding in result.findings if not finding.by}
    assert by["m", "effect"].value == pytest.approx(48 / 7)
    assert by["m", "effect"].n == 7
    assert next(finding.value for key, finding in by.items() if key[1] == "astray") == pytest.approx(37.5)
    assert result.failures["m: items failed (not scored)"] == 1
    assert any("tested words without head" in kind for kind in result.failures)


def test_the_order_of_a_file_changes_no_number(folder: Path, tmp_path: Path) -> None:
    trees = parsed(WRONG, KEYS)
    blocks = trees.to_bytes().decode().rstrip("\n").split("\n\n")
    (tmp_path / "p.conllu").write_text("\n\n".join(sorted(blocks)) + "\n\n", encoding="utf-8")
    systems = {"p": str(tmp_path / "p.conllu")}, {"m": model(EFFECTS)}
    assert [(finding.measure, finding.value, finding.low) for finding in gp.joint(folder, *systems).findings] == [
        (finding.measure, finding.value, finding.low)
        for finding in gp.joint(folder, {"p": trees}, {"m": model(EFFECTS)}).findings
    ]


@pytest.fixture(scope="module")
def many() -> tuple[list[Key], dict[Key, str], np.random.Generator]:
    keys = [(name, number) for name in ("a", "b") for number in range(1, 41)]
    draw = np.random.default_rng(3)
    return keys, {key: "hard" for key in keys if draw.random() < 0.5}, draw


@pytest.mark.parametrize(("gap", "sure"), [(2.0, SHOWN), (-2.0, SHOWN), (0.0, NOT_SHOWN)])
def test_verdicts(
    gap: float, sure: str, many: tuple[list[Key], dict[Key, str], np.random.Generator], tmp_path: Path
) -> None:
    keys, wrong, draw = many
    effects = {key: 9 + gap * (key in wrong) + float(draw.normal()) for key in keys}
    result = gp.joint(suites(tmp_path / "suites", keys), {"p": parsed(wrong, keys)}, {"m": model(effects)})
    check_verdicts(result)
    verdict = next(verdict for verdict in result.verdicts if "association" in verdict.text or "Where p" in verdict.text)
    assert verdict.sure == sure
    begin = {2.0: "Where p takes the garden path, m is more surprised than at other items of the same construction: +",
             -2.0: "Where p takes the garden path, m is less surprised than at other items of the same construction: -",
             0.0: "No association between the errors of p and the surprise of m is shown: "}[gap]  # fmt: skip
    assert verdict.text.startswith(begin)


def test_the_order_of_systems_changes_no_verdict(folder: Path) -> None:
    parsers = {"p": parsed(WRONG, KEYS), "q": parsed({("b", 3): "hard"}, KEYS)}
    models = {"m": model(EFFECTS), "n": model({key: 12 - effect for key, effect in EFFECTS.items()})}
    texts = [
        {(verdict.text, verdict.sure) for verdict in gp.joint(folder, *systems, by="all").verdicts}
        for systems in ((parsers, models), (dict(reversed(parsers.items())), dict(reversed(models.items()))))
    ]
    assert texts[0] == texts[1]


def test_a_parser_that_never_errs_cannot_be_compared(folder: Path) -> None:
    result = gp.joint(folder, {"p": parsed({}, KEYS)}, {"m": model(EFFECTS)})
    assert not [finding for finding in result.findings if finding.measure == "effect_gap"]
    assert "p and m cannot be compared: too few garden paths taken, 0.0 % of 8 items." in [
        verdict.text for verdict in result.verdicts
    ]
    check_verdicts(result)


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        (["ngram:x"], "no parser is named"),
        (["baseline:right-branching"], "no language model is named"),
        (["parsed.conllu", "ngram:x"], "a file alone does not say what wrote it"),
        (["a=baseline:right-branching", "a=surprisals:x"], "named twice: a"),
        (["trees:x", "ngram:x"], "a parser is needed here"),
    ],
)
def test_systems_of_both_sorts(systems: list[str], message: str) -> None:
    with pytest.raises(GardenpathError, match=message):
        run(JOINT, "bundled:en-surprisal", systems)


def test_suites_that_cannot_be_asked(tmp_path: Path) -> None:
    systems = ["baseline:right-branching"], {"m": model(EFFECTS)}
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("item\tgood\tbad\n1\ta b\ta c\n", encoding="utf-8")
    with pytest.raises(InputError, match="no suite here says which arcs are decisive"):
        gp.joint(pairs, *systems)
    where = suites(tmp_path / "two", KEYS) / "a.json"
    prediction = '{"type": "formula", "formula": "(2;%ambiguous%) > (2;%plain%)"}'
    text = where.read_text("utf-8")
    assert prediction in text
    where.write_text(text.replace(prediction, f"{prediction}, {prediction.replace('2;', '1;')}"), encoding="utf-8")
    with pytest.raises(InputError, match="2 predictions compare a region in two conditions"):
        gp.joint(where, *systems)
    where = suites(tmp_path / "few", KEYS) / "a.json"
    where.write_text(where.read_text("utf-8").replace('"arc"', '"ark"', 1), encoding="utf-8")
    material = JOINT.read([where], JointSettings())
    assert (len(material), material.left_out) == (3, {"items without a decisive arc, left out": 1})


def test_the_bundled_garden_paths_have_arcs() -> None:
    """All 78 items: the subject of the verb that disambiguates, or of its predicate, in both conditions."""
    arcs_by_suite: dict[str, list[tuple[str, str]]] = {}
    for suite in read_region_suites("bundled:en-surprisal"):
        for item in suite.items if carries_arcs(suite) else ():
            arcs = {condition.name: arc_of(suite, item, condition) for condition in item.conditions}
            words = {
                (condition.words[arc.dependent - 1], condition.words[arc.head - 1], arc.labels)
                for condition in item.conditions
                if (arc := arcs[condition.name]) is not None
            }
            assert len(words) == 1
            dependent, head, labels = words.pop()
            assert labels == ("nsubj",)
            arcs_by_suite.setdefault(suite.title, []).append((dependent, head))
    assert {title: len(arcs) for title, arcs in arcs_by_suite.items()} == dict.fromkeys(
        ("garden_path_mvrr", "garden_path_nps", "garden_path_npz"), 26
    )
    assert arcs_by_suite["garden_path_mvrr"][:2] == [("horse", "fell"), ("boat", "sank")]
    assert arcs_by_suite["garden_path_npz"][:2] == [("deer", "ran"), ("baby", "slept")]
    assert arcs_by_suite["garden_path_nps"][:4:3] == [("answer", "wrong"), ("book", "kitchen")]


def test_figures_and_a_run(folder: Path, tmp_path: Path) -> None:
    result = gp.joint(folder, {"p": parsed(WRONG, KEYS)}, {"m": model(EFFECTS)}, run=tmp_path / "run")
    from gardenpath.report.figures import figures_of

    figures = {figure.name: figure for figure in figures_of(result)}
    assert list(figures) == ["joint-items", "joint-astray", "joint-effect", "joint-association"]
    (rows,) = figures["joint-items"].data
    assert len(rows) == 8
    assert sum(row["group"] == "garden path" for row in rows) == 3
    import polars

    rows = polars.read_csv(tmp_path / "run" / "observations.tsv", separator="\t")
    assert len(rows) == 16 + 8
    assert rows.filter(polars.col("system") == "p")["value"].sum() == 4 + 6  # arcs right of 16 sentences
    from gardenpath.report.page.contents import contents
    from gardenpath.runs.record.run import Run

    page = contents(Run.load(tmp_path / "run"))
    texts = page["sentences"]["texts"]
    shown = [texts[place] for place in page["observations"]["places"]]  # sentences of parsers, items of models
    assert len(set(shown[:16])) == 16
    assert shown[16:] == shown[:16:2]


# ---- garden paths, effects and their association by a column of the suites, counted by hand


def test_joint(tmp_path: Path) -> None:
    keys = [(name, number) for name in ("a", "b") for number in range(1, 5)]
    wrong = {("a", 1): "hard", ("a", 2): "hard", ("b", 2): "hard"}
    effects = dict(zip(keys, [5.0, 3.0, 1.0, 2.0, 12.0, 10.0, 9.0, 11.0], strict=True))
    result = gp.joint(suites(tmp_path / "all", keys), {"p": parsed(wrong, keys)}, {"m": model(effects)}, by="lexeme")
    assert group(result, "astray", lexeme="m1").value == 50.0
    assert group(result, "astray", lexeme="m2").value == 100.0
    assert group(result, "effect", lexeme="m1").value == pytest.approx((5 + 12) / 2)
    assert group(result, "effect_astray", lexeme="m2", parser="p").value == pytest.approx((3 + 10) / 2)
    shown = [table.name for table in result.tables if not table.folded]
    assert shown == ["parsers", "association", "by-lexeme", "effect-by-lexeme"]


# ---- the rules of the joint study, on findings made by hand: of a construction only what is shown is said


def association(gap: float, p: float, p_holm: float, clusters: int, **by: Value) -> list[Finding]:
    head, keys = ("joint", "s", "m"), {**by, "parser": "p"}
    return [
        Finding(*head, "effect_elsewhere", 3.0, 60, 2.5, 3.5, keys),
        Finding(*head, "effect_gap", gap, 60, gap - 0.5, gap + 0.5, keys),
        Finding(*head, "effect_gap_p", p, clusters, by=keys),
        Finding(*head, "effect_gap_p_holm", p_holm, 12, by=keys),
        Finding(*head, "effect_gap_p_bh", p_holm / 3, 12, by=keys),
    ]


def test_what_each_does_by_itself_reads_as_a_sentence() -> None:
    effect = Finding("joint", "s", "m", "effect", 3.2, 60, 2.1, 4.3)
    paths = [Finding("joint", "s", name, "astray", 20.0, 60, 12.0, 32.0) for name in "pq"]
    texts = [verdict.text for verdict in joint_verdicts([paths[0], effect], "item")]
    assert texts == [
        "p takes the garden path in 20.0 % [12.0, 32.0] of 60 items.",
        "m needs 3.2 bits [2.1, 4.3] more where an ambiguous sentence is resolved than in its counterpart, 60 items.",
    ]
    several = next(iter(joint_verdicts([*paths, effect], "item")))
    assert several.text == "Per cent of garden paths taken: p 20.0 [12.0, 32.0], q 20.0 [12.0, 32.0]; 60 items."


def test_what_is_not_shown_says_how_many_items_would_show_it() -> None:
    (verdict,) = [verdict for verdict in told(association(0.2, 0.4, 0.4, 30)) if "No association" in verdict.text]
    # t with 29 degrees of freedom is 2.0452: (1.96 + 0.8416) · (0.5 / 2.0452) / 0.2 = 3.4245; 30 · 3.4245² = 351.8
    assert verdict.text.endswith("; about 352 would be needed there to show a difference of this size.")
    assert unfounded(verdict) == []


def told(*findings: list[Finding]) -> list[Verdict]:
    each = [Finding("joint", "s", "p", "astray", 20.0, 60, 12.0, 32.0), Finding("joint", "s", "m", "effect", 3.2, 60)]
    return list(joint_verdicts([*each, *(finding for some in findings for finding in some)], "item"))


@pytest.mark.parametrize(
    ("p", "p_holm", "clusters", "speaks"),
    [(0.001, 0.01, 30, True), (0.02, 0.2, 30, False), (0.001, 0.01, 19, False), (0.4, 0.9, 30, False)],
    ids=["shown", "correction takes it away", "too few items", "no difference"],
)
def test_a_construction_is_named_only_where_it_is_shown(p: float, p_holm: float, clusters: int, speaks: bool) -> None:
    verdicts = told(association(1.5, p, p_holm, clusters, construction="npz"))
    named = [verdict for verdict in verdicts if " at npz" in verdict.text]
    assert len(named) == speaks
    for verdict in named:
        assert verdict.text.startswith(
            "Where p takes the garden path at npz, m is more surprised: +1.5 [1.0, 2.0] bits"
        )
    assert all(unfounded(verdict) == [] for verdict in verdicts)


def test_of_all_items_what_is_suggested_is_marked_and_zero_in_the_interval_claims_nothing() -> None:
    (suggested,) = [verdict for verdict in told(association(1.5, 0.02, 0.2, 30)) if "Where p" in verdict.text]
    assert suggested.sure == SUGGESTED
    assert suggested.text.endswith("(suggested).")
    assert [verdict for verdict in told(association(0.2, 0.4, 0.4, 30)) if "Where p" in verdict.text] == []
