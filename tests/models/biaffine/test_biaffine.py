"""Biaffine and tagging parsers: scores and losses by hand, tags there and back, and real trainings."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import GardenpathError, InputError
from gardenpath.treebank import Treebank, read, score
from gardenpath_models.biaffine.arc_tags import arc_tags, head_at, split_tag
from interrupted_training import interrupt_after_an_epoch


@pytest.mark.parametrize("name", ["bundled:de-train", "bundled:zh-test", "made:odd"])
def test_arc_tags_lead_back_to_the_heads(name: str, file_named: Callable[[str], Path]) -> None:
    treebank = read(file_named(name))
    upos, labels, heads = treebank.column("upos").strings(), treebank.column("deprel").strings(), treebank.heads
    for begin, end in pairwise(treebank.offsets.tolist()):
        tags, own = upos[begin:end], heads[begin:end].tolist()
        for at, tag in enumerate(arc_tags(tags, own, labels[begin:end])):
            distance, part, label = split_tag(tag)
            assert label == labels[begin + at]
            assert head_at(tags, at, distance, part) == own[at]


def test_an_arc_tag_without_its_word_names_no_head() -> None:
    assert head_at(["DET", "NOUN"], 0, 2, "NOUN") is None
    assert head_at(["DET", "NOUN"], 1, -1, "NOUN") is None
    assert head_at(["DET", "NOUN"], 1, -1, "DET") == 1


class TestWithTorch:
    @pytest.fixture(autouse=True)
    def single_thread(self) -> object:
        pytest.importorskip("torch", reason="the extra neural is not installed")
        from gardenpath.systems import torch_threads

        with torch_threads(seed=0):
            yield

    def network(self, arcs: str = "biaffine") -> tuple[object, object, object]:
        """A random network of three labels for two sentences of three words and one."""
        import torch

        from gardenpath_models.biaffine.system import BiaffineShape
        from gardenpath_models.chart.network import Encoded, Sizes

        shape = BiaffineShape("biaffine", 1, 4, 3, 3, 3, 3, 3, 5, 6, 0.0, arcs=arcs)
        network = shape.network(Sizes(9, 9, 9, 2, 1, 3, 3), shape)
        for weight in network.requires_grad_(False).parameters():
            torch.nn.init.normal_(weight)
        encoded = Encoded(torch.randn(2, 3, 2), torch.randn(2, 3, 8), torch.randn(2, 4, 8))
        return network.eval(), encoded, torch.tensor([3, 1])

    def test_scores_are_those_of_the_formula(self) -> None:
        import torch

        network, encoded, lengths = self.network()
        arcs, heads = network.arcs(encoded, lengths), torch.tensor([[2, 0, 1], [0, 0, 0]])
        labels = network.labels(encoded, heads)
        for sentence, length in enumerate([3, 1]):
            nodes = [network.root, *encoded.words[sentence]]
            for word in range(length):
                child = torch.cat([network.child(nodes[word + 1]), torch.ones(1)])
                for head in range(4):
                    by_hand = child @ network.arc @ network.head(nodes[head]) if head <= length else -torch.inf
                    assert float(arcs[sentence, word, head]) == pytest.approx(float(by_hand), rel=1e-4)
                left = torch.cat([network.arc_child(nodes[word + 1]), torch.ones(1)])
                right = torch.cat([network.arc_head(nodes[int(heads[sentence, word])]), torch.ones(1)])
                for label in range(3):
                    by_hand = left @ network.label[label] @ right
                    assert float(labels[sentence, word, label]) == pytest.approx(float(by_hand), rel=1e-4)

    def test_the_best_tree_has_one_root_and_is_the_best_of_all(self) -> None:
        """Against all trees of four words."""
        from itertools import product

        from gardenpath.treebank import root_counts, tree_mask
        from gardenpath_models.biaffine.network import best_tree

        rng = np.random.default_rng(5)
        candidates = [list(heads) for heads in product(range(5), repeat=4)]
        offsets = np.arange(0, 4 * len(candidates) + 1, 4)
        flat = np.array(candidates).ravel()
        trees = [
            heads
            for heads, is_tree, roots in zip(
                candidates, tree_mask(flat, offsets), root_counts(flat, offsets), strict=True
            )
            if is_tree and roots == 1
        ]
        assert len(trees) == 64  # 4 roots times the 16 rooted trees of four nodes, by Cayley
        for _ in range(30):
            arcs = np.log(rng.dirichlet(np.ones(5), size=4))
            worth = {tuple(heads): arcs[range(4), heads].sum() for heads in trees}
            assert tuple(best_tree(arcs, 4)) == max(worth, key=lambda heads: worth[heads])

    @pytest.mark.parametrize(("arcs", "least"), [("biaffine", 72), ("tags", 70)])
    def test_it_learns_and_gives_trees(self, arcs: str, least: float, samples: Path, tmp_path: Path) -> None:
        """UDPipe, trained on the same sentences with its own tags, has an LAS of 78."""
        from gardenpath.systems import parse_with, train
        from gardenpath.treebank import root_counts, tree_mask

        dev = read(samples / "de_garden-dev.conllu")[:40]
        made = train(
            "biaffine", read(samples / "de_garden-train.conllu"), dev, output=tmp_path / "m", preset="tiny",
            options={"arcs": arcs},
        )  # fmt: skip
        test = read(samples / "de_garden-test.conllu")
        result = parse_with(made.system, test)
        parsed = result.treebank
        assert not result.failures
        assert tree_mask(parsed.heads, parsed.offsets).all()
        assert (root_counts(parsed.heads, parsed.offsets) == 1).all()
        assert score(test, parsed).f1("LAS") > least
        assert score(test, parsed).f1("UPOS") > 93
        labels = zip(parsed.column("deprel").strings(), parsed.heads.tolist(), strict=True)
        assert all((label == "root") == (head == 0) for label, head in labels)
        # Dev chose the epoch by the same score.
        assert made.card["dev_scores"]["LAS"] == pytest.approx(made.card["log"]["epochs"][-1]["dev"], abs=2)

    def test_an_interrupted_training_goes_on_to_the_same_weights(self, samples: Path, tmp_path: Path) -> None:
        from gardenpath.systems import train

        data = read(samples / "de_garden-train.conllu")[:40]

        def trained(name: str, seed: int = 3) -> str:
            made = train("biaffine", data, output=tmp_path / name, preset="tiny", seed=seed, options={"epochs": "3"})
            return str(made.card["signature"])

        whole = trained("whole")
        interrupt_after_an_epoch(lambda: trained("part"))
        assert trained("part") == whole
        assert trained("other", seed=4) != whole

    def test_a_sentence_that_is_too_long_is_a_counted_failure(self, samples: Path, tmp_path: Path) -> None:
        from gardenpath.systems import parse_with, train

        data = read(samples / "de_garden-train.conllu")[:30]
        longest = max(map(len, data))
        made = train("biaffine", data, output=tmp_path / "m", preset="tiny",
                     options={"epochs": "1", "longest": str(longest - 1)})  # fmt: skip
        assert made.card["log"]["too_long"] == sum(len(sentence) == longest for sentence in data)
        assert sum(parse_with(made.system, data).failures.values()) == made.card["log"]["too_long"]

    def test_a_pretrained_encoder_is_read_and_stored(self, samples: Path, tmp_path: Path) -> None:
        pytest.importorskip("transformers", reason="the extra hf is not installed")
        from gardenpath.systems import parse_with, train
        from systems.hf.tiny_transformers import saved, wordpiece

        saved(tmp_path / "bert", "bert", wordpiece())
        data = read(samples / "de_garden-train.conllu")[:30]
        made = train("biaffine", data, output=tmp_path / "m", preset="tiny",
                     options={"epochs": "1", "encoder": str(tmp_path / "bert")})  # fmt: skip
        shutil.rmtree(tmp_path / "bert")
        assert len(made.card["log"]["encoder"]) == 64
        assert not parse_with(made.system, data).failures

    @pytest.mark.parametrize(
        ("options", "message"),
        [({"arcs": "tag"}, "did you mean tags"), ({"scheme": "tiger"}, "unknown option"), ({"dropout": "1"}, "share")],
    )
    def test_options_that_cannot_be(self, options: dict[str, str], message: str, tmp_path: Path, samples: Path) -> None:
        from gardenpath.systems import train

        data = read(samples / "de_garden-train.conllu")[:9]
        with pytest.raises(GardenpathError, match=message):
            train("biaffine", data, output=tmp_path / "m", preset="tiny", options=options)

    def test_a_spoiled_model_is_refused(self, samples: Path, tmp_path: Path) -> None:
        from gardenpath.systems import parse_with, train

        data: Treebank = read(samples / "de_garden-train.conllu")[:9]
        options = {"epochs": "1", "arcs": "tags", "min_count": "1"}
        made = train("biaffine", data, output=tmp_path / "m", preset="tiny", options=options)
        inventory = tmp_path / "m" / "inventory.json"
        saved = json.loads(inventory.read_text("utf-8"))
        inventory.write_text(json.dumps({**saved, "functions": ["nsubj", *saved["functions"][1:]]}), encoding="utf-8")
        with pytest.raises(InputError, match="not an arc tag"):
            parse_with(made.system, data[:1])
