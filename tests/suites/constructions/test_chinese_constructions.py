"""Constructions in schemes with few or no functions: the Penn treebanks of Chinese and English, and Sinica."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from gardenpath.phrase import PhraseTree, to_notation
from gardenpath.phrase.edits.gaps import FORMS, as_shown
from gardenpath.phrase.edits.grammar import without_functions
from gardenpath.phrase.edits.tokens import with_extraposed, without_traces
from gardenpath.phrase.formats.brackets import read_penn
from gardenpath.phrase.formats.sinica import read_sinica
from gardenpath.phrase.formats.source import stream
from gardenpath.phrase.heads import head_child, head_token
from gardenpath.studies.constructions.judging import judge
from gardenpath.suites.constructions.finding import find, find_in, misgivings
from gardenpath.suites.constructions.model import PHENOMENA

TREES = {
    "sinica": {
        "ppn": "S(agent:NP(Head:Nhaa:他)|Head:VE2:說明|goal:NP(goal:PP‧的(head:PP(Head:P31:對|DUMMY:NP(Head:Nab:貓))|"
        "Head:DE:的)|Head:Nad:看法))",
        "ppn without 的": "S(theme:NP(goal:PP(Head:P31:對|DUMMY:NP(Head:Nca:日本))|Head:Nac:貿易)|Head:VH16:減少)",
        "ppv": "S(agent:NP(Head:Nhaa:我)|location:PP(Head:P21:在|DUMMY:GP(DUMMY:NP(Head:Nab:桌子)|Head:Ng:上))|"
        "Head:VC2:畫|goal:NP(Head:Nab:畫))",
        "ppv before 的": "S(theme:NP(predication:VP‧的(head:VP(location:PP(Head:P21:在|DUMMY:NP(Head:Nca:山城))|"
        "Head:VA4:唱歌)|Head:DE:的)|Head:Nab:人)|Head:VA11:來|particle:Ta:了)",
        "agent": "S(goal:NP(Head:Nhaa:他)|agent:PP(Head:P02:被|DUMMY:NP(Head:Nab:狗))|Head:VC2:追)",
        "clause": "S(time:PP(Head:P16:當|DUMMY:GP(DUMMY:S(agent:NP(Head:Nhaa:我)|Head:VA4:睡覺)|Head:Ng:時))|"
        "agent:NP(Head:Nhaa:他)|Head:VA11:走)",
        "fcr": "S(agent:NP(Head:Nhaa:她)|Head:VP(DUMMY1:VP(Head:VC2:洗|goal:NP(Head:Nab:碗))|Head:Caa:和|"
        "DUMMY2:VP(Head:VC2:掃|goal:NP(Head:Nab:地))))",
        "cuc": "S(theme:NP(Head:Nhaa:他)|Head:VK1:喜歡|goal:VP(DUMMY1:NP(Head:Nad:音樂)|Head:Caa:和|"
        "DUMMY2:VP(Head:VC2:爬|goal:NP(Head:Nab:山))))",
        "wide": "S(theme:NP(Head:Nhaa:他)|Head:VK1:知道|goal:S(DUMMY1:VP(Head:VH11:便宜)|Head:Caa:、|"
        "DUMMY2:S(theme:NP(Head:Nad:品質)|Head:VH11:好)))",
    },
    "ctb": {
        "ppn": "(IP (NP-SBJ (PN 他)) (VP (VV 說明) (NP-OBJ (DNP (PP (P 對) (NP (NN 貓))) (DEG 的)) (NP (NN 看法)))))",
        "ppn without 的": "(IP (NP-SBJ (PP (P 對) (NP (NR 日本))) (NP (NN 貿易))) (VP (VV 減少)))",
        "ppv": "(IP (NP-SBJ (PN 我)) (VP (PP-LOC (P 在) (LCP (NP (NN 桌子)) (LC 上))) (VP (VV 畫) (NP-OBJ (NN 畫)))))",
        "ppv before 的": "(IP (NP-SBJ (CP (WHNP-1 (-NONE- *OP*)) (CP (IP (NP-SBJ (-NONE- *T*-1)) (VP (PP-LOC (P 在) "
        "(NP (NR 山城))) (VP (VV 唱歌)))) (DEC 的))) (NP (NN 人))) (VP (VV 來)) (SP 了))",
        "agent": "(IP (NP-SBJ-1 (PN 他)) (VP (LB 被) (IP-OBJ (NP-SBJ (NN 狗)) (VP (VV 追) (NP-OBJ (-NONE- *-1))))))",
        "clause": "(IP (PP-TMP (P 當) (LCP (IP (NP-SBJ (PN 我)) (VP (VV 睡覺))) (LC 時))) "
        "(NP-SBJ (PN 他)) (VP (VV 走)))",
        "fcr": "(IP (NP-SBJ (PN 她)) (VP (ADVP (AD 也)) (VP (VP (VV 洗) (NP-OBJ (NN 碗))) (CC 和) (VP (VV 掃) "
        "(NP-OBJ (NN 地))))))",
        "cuc": "(IP (NP-SBJ (PN 他)) (VP (VV 喜歡) (UCP-OBJ (NP (NN 音樂)) (CC 和) (VP (VV 爬) (NP-OBJ (NN 山))))))",
        "wide": "(IP (NP-SBJ (PN 他)) (VP (VV 知道) (UCP-OBJ (VP (VA 便宜)) (CC 和) (IP (NP-SBJ (NN 品質)) "
        "(VP (VA 好))))))",
    },
}
ANCHORS = {
    "ppn": {"preposition": "對", "noun": "貓", "governor": "看法"},
    "ppn without 的": {"preposition": "對", "noun": "日本", "governor": "貿易"},
    "ppv": {"preposition": "在", "noun": "桌子", "governor": "畫"},
    "ppv before 的": {"preposition": "在", "noun": "山城", "governor": "唱歌"},
    "fcr": {"verb1": "洗", "verb2": "掃", "subject": "她"},
    "cuc": {"conjunct1": "音樂", "conjunct2": "爬"},
}
CHINESE = ("sinica", "ctb")


def gold(scheme: str, name: str) -> PhraseTree:
    text = TREES[scheme][name]
    if scheme == "sinica":
        (tree,) = read_sinica(f"#1:1.[0] {text}#。(PERIODCATEGORY)")
        return tree
    return without_traces(list(read_penn(text)))[0][0]


@pytest.mark.parametrize("scheme", CHINESE)
@pytest.mark.parametrize("name", ANCHORS)
def test_each_is_found_with_its_anchors_and_gold_judged_by_itself_is_right(scheme: str, name: str) -> None:
    tree = gold(scheme, name)
    (construction,) = find(tree, scheme)
    assert construction.phenomenon == name[:3]
    assert {anchor: tree.words[token] for anchor, token in construction.anchors} == ANCHORS[name]
    assert judge(tree, construction, tree, scheme).right
    assert judge(tree, construction, without_functions(tree), scheme, functions=False).right


@pytest.mark.parametrize("scheme", CHINESE)
@pytest.mark.parametrize("name", ["agent", "clause", "wide"])
def test_agents_and_clauses_after_prepositions_are_no_such_pp_and_clauses_with_verbs_are_wide(
    scheme: str, name: str
) -> None:
    tree = gold(scheme, name)
    assert not find(tree, scheme)
    assert [hit.variant for hit in find(tree, scheme, wide=True)] == ["s+vp"] * (name == "wide")


@pytest.mark.parametrize("scheme", CHINESE)
def test_what_the_other_attachment_must_be_ruled_out_for_is_ambiguous(scheme: str) -> None:
    flags = {name: [hit.flags for hit in find(gold(scheme, name), scheme)] for name in ANCHORS if name[:2] == "pp"}
    assert flags == {
        "ppn": [()],  # no verb comes later
        "ppn without 的": [("ambiguous",)],
        "ppv": [()],  # no 的 comes later
        "ppv before 的": [("ambiguous",)],
    }


@pytest.mark.parametrize(
    ("scheme", "parse"),
    [
        (
            "sinica",
            "S(NP(predication:VP‧的(head:VP(Head:VA4:唱歌)|Head:DE:的)|Head:Nab:人)|Head:VA11:來|particle:Ta:了)",
        ),
        ("ctb", "(NP (CP (IP (VP (VV 唱歌))) (DEC 的)) (NP (NN 人))) (VP (VV 來)) (SP 了))"),
    ],
)
def test_a_pp_taken_out_of_a_relative_clause_is_class_d(scheme: str, parse: str) -> None:
    """*在山城唱歌的人來了*: those who sing there came, not: those who sing came there."""
    tree = gold(scheme, "ppv before 的")
    (construction,) = find(tree, scheme)
    if scheme == "sinica":
        phrase = "PP(Head:P21:在|DUMMY:NP(Head:Nca:山城))"
        (wrong,) = read_sinica(f"#1:1.[0] {parse.replace('S(', f'S(location:{phrase}|theme:', 1)}#。(PERIODCATEGORY)")
    else:
        (wrong,) = read_penn(f"(IP (PP (P 在) (NP (NR 山城))) {parse}")
    verdict = judge(tree, construction, wrong, scheme, functions=False)
    assert verdict.primary == "D"
    assert verdict.reason == "PP attached to the verb *來*, gold verb *唱歌*"


@pytest.mark.parametrize("scheme", CHINESE)
def test_verb_phrases_that_are_not_conjoined_are_class_c(scheme: str) -> None:
    tree = gold(scheme, "fcr")
    (construction,) = find(tree, scheme)
    if scheme == "sinica":
        (wrong,) = read_sinica(
            "#1:1.[0] S(agent:NP(Head:Nhaa:她)|Head:VC2:洗|goal:NP(DUMMY1:NP(Head:Nab:碗)|Head:Caa:和|DUMMY2:NP("
            "predication:VP(Head:VC2:掃)|Head:Nab:地)))#。(PERIODCATEGORY)"
        )
    else:
        (wrong,) = read_penn(
            "(IP (NP (PN 她)) (VP (ADVP (AD 也)) (VP (VV 洗) (NP (NP (NN 碗)) (CC 和) (NP (CP (IP (VP (VV 掃)))) "
            "(NP (NN 地)))))))"
        )
    assert judge(tree, construction, wrong, scheme, functions=False).primary == "C"


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("NP(DUMMY1:NP(Head:Nab:貓)|Head:Caa:和|DUMMY2:NP(Head:Nab:狗))", "貓"),
        ("NP(apposition:NP(Head:Nhaa:我們)|Head:NP(quantifier:Neqa:每|Head:Nab:人))", "人"),
        ("NP(Head:Nab:同學|quantifier:Naea:們)", "同學"),
        ("NP(DUMMY:NP(Head:Nab:貓)|Head:Cab:等)", "貓"),
        ("VP(manner:VH11:仔細|Head:VE2:看)", "看"),
        ("VP(Head:VA4(DUMMY1:VA4:唱歌|Head:Caa:、|DUMMY2:VA4:跳舞))", "唱歌"),
        ("GP(DUMMY:NP(Head:Nab:屋子)|Head:Ng:裡)", "屋子"),
        ("NP(property:V‧的(head:VH11:高|Head:DE:的))", "高"),
        ("VP(Head:VH13:長|complement:得‧V(Head:DE:得|head:VH13:高))", "長"),
    ],
)
def test_heads_in_sinica_are_content_words(line: str, head: str) -> None:
    (tree,) = read_sinica(f"#1:1.[0] {line}#")
    assert tree.words[head_token(tree.top[0], "sinica")] == head
    assert tree.words[head_token(without_functions(tree).top[0], "sinica")] == head


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("(NP (NP (NR 中國)) (NP (NN 經濟)))", "經濟"),
        ("(NP (NP (NN 貓)) (PU 、) (NP (NN 狗)) (CC 和) (NP (NN 魚)))", "貓"),
        ("(IP (NP-SBJ (PN 他)) (VP (VV 會) (VP (PP (P 在) (NP (NN 家))) (VP (VV 睡覺)))))", "睡覺"),
        ("(IP (NP-SBJ (PN 他)) (VP (BA 把) (IP-OBJ (NP-SBJ (NN 書)) (VP (VRD (VV 看) (VV 完)) (AS 了)))))", "看"),
        ("(IP (NP-SBJ (NN 今天)) (NP-PRD (NT 星期一)))", "星期一"),
        ("(DP (DT 這) (CLP (M 本)))", "這"),
        ("(QP (CD 三) (CLP (M 本)))", "三"),
        ("(DVP (VP (VA 高興)) (DEV 地))", "高興"),
    ],
)
def test_heads_in_the_chinese_treebank(line: str, head: str) -> None:
    (tree,) = read_penn(line)
    assert tree.words[head_token(tree.top[0], "ctb")] == head


def test_trees_of_one_chinese_scheme_do_not_look_like_the_other() -> None:
    sinica, ctb = ([gold(scheme, name) for name in ANCHORS] for scheme in CHINESE)
    assert misgivings(sinica, "sinica") == misgivings(ctb, "ctb") == ""
    assert misgivings(sinica, "ctb") == "the trees look like sinica, not ctb"
    assert misgivings(ctb, "sinica") == "the trees look like ctb, not sinica"
    assert misgivings(sinica, "tiger").startswith("none of the functions of TIGER")


def test_on_real_trees_gold_is_right_in_every_form_and_heads_are_those_that_are_marked(
    file_named: Callable[[str], Path],
) -> None:
    trees = list(islice(stream(file_named("phrase/sinica/parsed")), 8100, 8700))
    hits = list(find_in(trees, "sinica", tuple(PHENOMENA), wide=True))
    assert Counter(hit.phenomenon for _, hit in hits).keys() == {"ppn", "ppv", "fcr", "cuc"}
    verdicts = {
        (hit.phenomenon, judge(trees[number], hit, as_shown(trees[number], "sinica", form), "sinica", form).primary)
        for number, hit in hits
        for form in FORMS
    }
    assert verdicts == {("ppn", "right"), ("ppv", "right"), ("cuc", "right"), ("fcr", "shown")}
    marked = [
        (node, [child for child in node.children if child.function == "Head"])
        for tree in trees
        for node in tree.inner
        if node.label in {"S", "VP", "NP", "PP"} and len(node.children) > 1
    ]
    single = [(node, head) for node, (head, *more) in ((node, heads) for node, heads in marked if heads) if not more]
    content = [(node, head) for node, head in single if not head.label.startswith("Ca")]
    right = sum(head_child(node, "sinica") == head for node, head in content)
    assert len(content) > 2000
    assert right / len(content) > 0.985


PENN = {
    "ppn": "( (S (NP-SBJ (PRP He)) (VP (VBD bought) (NP (NP (DT a) (NN map)) (PP (IN of) (NP (NNP Rome)))))))",
    "ppv": "( (S (NP-SBJ (PRP He)) (VP (MD will) (VP (VB wait) (PP-TMP (IN for) (NP (DT a) (NN week)))))))",
    "agent": "( (S (NP-SBJ-1 (PRP He)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)) "
    "(PP (IN by) (NP-LGS (NNP Ann)))))))",
    "erc": "( (S (NP-SBJ (NP (DT A) (NN guest)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came) (SBAR-1 (WHNP-2 (WP who)) "
    "(S (NP-SBJ (-NONE- *T*-2)) (VP (VBD sang)))))))",
    "fcr": "( (S (NP-SBJ (NNP Ann)) (VP (VP (VBD came)) (CC and) (VP (VBD saw) (NP (PRP him))))))",
    "cuc": "( (S (NP-SBJ (NNP Ann)) (VP (VBZ wants) (UCP (NP (NN rest)) (CC and) (SBAR (IN that) (S (NP-SBJ (PRP he)) "
    "(VP (VBZ goes))))))))",
}


def ptb_gold(name: str) -> PhraseTree:
    return without_traces([with_extraposed(tree) for tree in read_penn(PENN[name])])[0][0]


@pytest.mark.parametrize(
    ("name", "anchors"),
    [
        ("ppn", {"preposition": "of", "noun": "Rome", "governor": "map"}),
        ("ppv", {"preposition": "for", "noun": "week", "governor": "wait"}),
        ("erc", {"relative": "who", "verb": "sang", "noun": "guest", "matrix": "came"}),
        ("fcr", {"verb1": "came", "verb2": "saw", "subject": "Ann"}),
        ("cuc", {"conjunct1": "rest", "conjunct2": "goes"}),
    ],
)
def test_each_of_ptb_is_found_with_its_anchors_and_judged_right(name: str, anchors: dict[str, str]) -> None:
    tree = ptb_gold(name)
    (construction,) = find(tree, "ptb")
    assert construction.phenomenon == name
    assert {anchor: tree.words[token] for anchor, token in construction.anchors} == anchors
    assert judge(tree, construction, tree, "ptb").right


def test_a_passive_agent_is_no_such_pp() -> None:
    assert not find(ptb_gold("agent"), "ptb")


def test_an_extraposed_clause_hangs_at_its_noun_again() -> None:
    assert to_notation(ptb_gold("erc")) == (
        "(S (NP:SBJ#1 (NP (DT A) (NN guest))) (VP (VBD came)) (NP:SBJ#1 (SBAR (WHNP (WP who)) (S (VP (VBD sang))))))"
    )


def test_wide_takes_any_two_kinds_of_conjuncts() -> None:
    (tree,) = read_penn(
        "( (S (NP-SBJ (PRP It)) (VP (VBZ is) (UCP-PRD (ADJP (JJ old)) (CC and) (NP (DT a) (NN ruin))))))"
    )
    assert not find(tree, "ptb")
    (construction,) = find(tree, "ptb", wide=True)
    assert (construction.phenomenon, construction.variant) == ("cuc", "ap+np")


def test_a_pp_at_another_word_is_class_d() -> None:
    tree = ptb_gold("ppn")
    (construction,) = find(tree, "ptb")
    (parse,) = read_penn("( (S (NP (PRP He)) (VP (VBD bought) (NP (DT a) (NN map)) (PP (IN of) (NP (NNP Rome))))))")
    assert judge(tree, construction, parse, "ptb").primary == "D"


@pytest.mark.parametrize("form", ["discontinuous", "raised"])
def test_gold_judged_by_gold_is_never_wrong_on_real_trees(file_named: Callable[[str], Path], form: str) -> None:
    read = list(islice(stream(file_named("phrase/ptb-sample/wsj-sample.mrg")), 60))
    trees, _ = without_traces([with_extraposed(tree) for tree in read])
    hits = list(find_in(trees, "ptb", tuple(PHENOMENA)))
    verdicts = Counter(
        judge(trees[number], hit, as_shown(trees[number], "ptb", form), "ptb", form, functions=False).primary
        for number, hit in hits
    )
    assert len(hits) > 100
    assert verdicts.keys() <= {"right", "shown", "n/a"}
