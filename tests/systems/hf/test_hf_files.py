"""Files of models of Transformers, GGUF among them: what is read, and what is refused."""

from __future__ import annotations

import json
import math
import os
import shutil
import socket
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from tiny_transformers import SENTENCES

from gardenpath.errors import FailedOnInput, GardenpathError, InputError, SystemFailure, UsageError
from gardenpath.systems.asking.registry import language_model
from gardenpath.systems.language_models.hf.system import CHOICES, HFModel, parse, written
from gardenpath.systems.language_models.running_text import readings_with
from gardenpath.systems.language_models.scoring import score_with
from hostile import Hostile

DEFAULTS = {option: values[0] for option, values in CHOICES.items()}


def test_names_have_options_after_hashes():
    assert parse("models/gpt2") == ("models/gpt2", DEFAULTS)
    model, options = parse("a#b/gpt2#bos=none#space=corrected")
    assert model == "a#b/gpt2"
    assert (options["bos"], options["space"]) == ("none", "corrected")
    assert written(options) == "#bos=none#space=corrected"
    assert parse("x#as=masked")[1] == {**DEFAULTS, "as": "masked"}
    for argument, told in (
        ("x#boss=none", "unknown option 'boss'"), ("x#bos=maybe", "unknown value of bos 'maybe'"),
        ("x#bos=none#bos=add", "twice"), ("#bos=none", "no model is named"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=told):
            parse(argument)


def test_a_pickle_is_refused_and_not_read(gpt2, tmp_path):
    torch = pytest.importorskip("torch")
    folder, harm = tmp_path / "hostile", tmp_path / "harm"
    shutil.copytree(gpt2, folder)
    (folder / "model.safetensors").unlink()
    torch.save({"transformer.wte.weight": Hostile(harm)}, folder / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"its weights are a pickle \(pytorch_model.bin\)"):
        language_model(f"hf:{folder}")
    # Beside weights that are no pickle it is not looked at, also where these do not fit.
    (folder / "other.safetensors").write_bytes(b"\x00" * 8)
    with pytest.raises(GardenpathError, match="cannot be loaded"):
        language_model(f"hf:{folder}").readings(["The"])
    assert not harm.exists()


def test_code_beside_a_model_is_not_run(gpt2, tmp_path):
    folder, harm = tmp_path / "code", tmp_path / "harm"
    shutil.copytree(gpt2, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "mine.Mine", "AutoModelForCausalLM": "mine.Mine"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "mine.py").write_text(f"import os\nos.mkdir({str(harm)!r})\n")
    with pytest.raises(SystemFailure, match="cannot be loaded"):
        language_model(f"hf:{folder}").readings(["The"])
    assert not harm.exists()


def test_causal_and_masked_are_told_apart_by_the_architecture(gpt2, bert, tmp_path):
    assert language_model(f"hf:{gpt2}").task == "causal"
    assert language_model(f"hf:{bert}").task == "masked"
    folder = tmp_path / "t5"
    shutil.copytree(gpt2, folder)
    (folder / "config.json").write_text(json.dumps({"architectures": ["T5ForConditionalGeneration"]}))
    # A T5 says is_encoder_decoder too; the name alone is also that of models that see.
    with pytest.raises(InputError, match="a T5ForConditionalGeneration is not a causal, masked or encoder-decoder"):
        language_model(f"hf:{folder}")
    assert language_model(f"hf:{folder}#as=causal").task == "causal"


def test_weights_that_are_not_there_are_not_made_up(bert, tmp_path):
    """A BERT without its head loads in Transformers with a random one, and a warning."""
    from transformers import AutoModel

    folder = tmp_path / "headless"
    AutoModel.from_pretrained(bert).save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bert / file, folder / file)
    with pytest.raises(InputError, match=r"the weights are not whole: \d+ are missing, such as cls"):
        language_model(f"hf:{folder}#as=masked").readings(["The"])


def test_folders_that_are_no_model(tmp_path, gpt2):
    for argument, told in ((tmp_path, "no config.json"), (tmp_path / "none" / "where", "no such folder")):
        with pytest.raises(InputError, match=told):
            language_model(f"hf:{argument}")
    with pytest.raises(InputError, match="a model is a folder"):
        language_model(f"hf:{gpt2 / 'config.json'}")
    adapter = tmp_path / "adapter"
    shutil.copytree(gpt2, adapter)
    (adapter / "adapter_config.json").write_text("{}")
    with pytest.raises(InputError, match="this is an adapter"):
        language_model(f"hf:{adapter}")
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "config.json").write_text("{")
    with pytest.raises(InputError, match="there are no weights"):
        language_model(f"hf:{bare}")
    (bare / "model.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="not JSON that can be read"):
        language_model(f"hf:{bare}")


def test_nothing_reaches_the_network(gpt2, monkeypatch, tmp_path):
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert len(language_model(f"hf:{gpt2}").readings(["The keys"])) == 1
    with pytest.raises(UsageError, match="no such model in the cache of Hugging Face") as caught:
        language_model("hf:nobody/no-such-model-anywhere")
    assert "#download=yes" in str(caught.value)
    with pytest.raises(UsageError, match="in the revision step1000") as caught:
        language_model("hf:nobody/no-such-model-anywhere@step1000")
    assert "hf:nobody/no-such-model-anywhere@step1000#download=yes fetches it" in str(caught.value)


def test_the_signature_is_of_the_files_that_count(gpt2, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(gpt2, folder)
    before = language_model(f"hf:{folder}").signature
    assert before == language_model(f"hf:{gpt2}").signature
    (folder / "README.md").write_text("about it")
    assert language_model(f"hf:{folder}").signature == before
    text = (folder / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(text + " ")
    assert language_model(f"hf:{folder}").signature != before


_SECOND = """
import sys
import warnings
from gardenpath.systems.language_models.scoring import score_with
from gardenpath.systems.language_models.running_text import readings_with
(reading,), _ = readings_with(sys.argv[1], ["The keys to the cabinet are on the table."])
scores = score_with(sys.argv[1], [["The", "keys"]])
print(float(reading.surprisals.sum()), float(scores.surprisals[0].sum()))
print([name for name in ("torch", "transformers") if name in sys.modules])
"""


def test_a_second_run_comes_from_the_cache_and_loads_no_model(gpt2):
    name = f"hf:{gpt2}"
    (reading,), _ = readings_with(name, SENTENCES[:1])
    scores = score_with(name, [["The", "keys"]])
    done = subprocess.run(
        [sys.executable, "-c", _SECOND, name], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    values, loaded = done.stdout.splitlines()
    assert [float(value) for value in values.split()] == [reading.surprisals.sum(), scores.surprisals[0].sum()]
    assert loaded == "[]"


def test_readings_come_back_from_the_cache_as_they_were(gpt2):
    name = f"hf:{gpt2}#bos=none"
    first, second = readings_with(name, SENTENCES)[0], readings_with(name, SENTENCES)[0]
    for one, other in zip(first, second, strict=True):
        assert one.tokens == other.tokens
        np.testing.assert_array_equal(one.surprisals, other.surprisals)
        np.testing.assert_array_equal(one.oov, other.oov)


def test_a_tokenizer_without_places_is_an_error(gpt2, monkeypatch):
    import transformers

    class Slow:
        is_fast = False

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", lambda *_, **__: Slow())
    with pytest.raises(InputError, match="its tokenizer, a Slow, does not tell where in the text a token is"):
        language_model(f"hf:{gpt2}").readings(["The"])


def test_names_have_tokens_devices_revisions_and_batches():
    model, options = parse("x#bos=<|endoftext|>#device=cuda:1#revision=refs/pr/3#batch=64#dtype=bfloat16")
    chosen = {"bos": "<|endoftext|>", "device": "cuda:1", "revision": "refs/pr/3", "batch": "64", "dtype": "bfloat16"}
    assert (model, options) == ("x", {**DEFAULTS, **chosen})
    assert parse("me/pythia@step1000")[1]["revision"] == "step1000"
    assert parse(f"x{written(options)}")[1] == options
    for argument in ("x#batch=0", "x#device=gpu", "x#revision=", "x#bos="):
        with pytest.raises(UsageError, match="unknown value of"):
            parse(argument)


def test_a_revision_is_of_a_model_by_name(gpt2, tmp_path, monkeypatch):
    import huggingface_hub

    with pytest.raises(UsageError, match="files on this machine have no revision"):
        language_model(f"hf:{gpt2}#revision=step1")
    asked = []

    def snapshot(name, *, revision, **_):
        asked.append((name, revision))
        if revision == "none":
            raise OSError("no such revision")
        return str(gpt2)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot)
    model = language_model("hf:me/model@step1000")
    assert language_model(model.name).signature == model.signature  # as another process makes it
    language_model("hf:me/model")
    assert asked == [("me/model", "step1000"), ("me/model", "main")]
    with pytest.raises(UsageError, match="in the revision none"):
        language_model("hf:me/model#revision=none")


def gguf(path, tokens, **ids):
    """A header as the format says it: magic, version, tensors, pairs; then keys, types and values."""

    def string(text):
        data = text.encode()
        return struct.pack("<Q", len(data)) + data

    pairs = [string("general.name") + struct.pack("<I", 8) + string("tiny")]
    pairs += [string("scores") + struct.pack("<IIQ", 9, 6, 2) + struct.pack("<2f", 1, 2)]
    pairs += [string("general.ok") + struct.pack("<I?", 7, True)]
    pairs += [string(f"tokenizer.ggml.{role}_token_id") + struct.pack("<II", 4, number) for role, number in ids.items()]
    pairs += [string("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, len(tokens)) + b"".join(map(string, tokens))]
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + b"".join(pairs))
    return path


def test_the_tokens_of_a_gguf_file_are_in_the_signature(transformers, tmp_path):
    path = gguf(tmp_path / "model.gguf", ["<unk>", "<bos>", "wört"], bos=1, eos=2)
    assert "|bos:<bos>|" in language_model(f"hf:{path}").signature
    assert "|bos:wört|" in language_model(f"hf:{path}#bos=eos").signature
    assert "|bos:<x>|" in language_model(f"hf:{path}#bos=<x>").signature
    other = gguf(tmp_path / "b" if (tmp_path / "b").mkdir() else tmp_path / "b" / "model.gguf", ["a", "b"])
    assert "|bos:none|" in language_model(f"hf:{other}").signature
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(InputError, match="the header of this GGUF file is damaged"):
        language_model(f"hf:{path}")


def test_a_link_to_a_gguf_file_is_that_file(transformers, tmp_path):
    """In the cache of Hugging Face the files of a model are links to others, which are called by their hash."""
    (tmp_path / "blobs").mkdir()
    (tmp_path / "snapshot").mkdir()
    path = gguf(tmp_path / "blobs" / "0a1b2c", ["<unk>", "<bos>"], bos=1)
    link = tmp_path / "snapshot" / "model.gguf"
    link.symlink_to(path)
    model = language_model(f"hf:{link}")
    assert "|bos:<bos>|" in model.signature
    assert model.name == f"hf:{link}"


def test_a_mark_of_chats_before_every_sentence_is_warned_of(transformers, tmp_path):
    path = gguf(tmp_path / "model.gguf", ["<|im_start|>", "<|endoftext|>"], bos=0, eos=1)
    with pytest.warns(UserWarning, match=r"<\|im_start\|> stands before every sentence.*#bos=TOKEN"):
        model = language_model(f"hf:{path}")
    assert "|bos:</im_start/>|" in model.signature
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for bos, token in (("eos", "</endoftext/>"), ("none", "none"), ("<|im_start|>", "</im_start/>")):
            assert f"|bos:{token}|" in language_model(f"hf:{path}#bos={bos}").signature


TEXTS = [*SENTENCES, "他昨天買了三本書。", "  two  blanks "]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A random Llama as a folder of Transformers, and its weights as a GGUF file in single precision."""
    for package in ("gguf", "accelerate", "transformers"):
        pytest.importorskip(package)
    from tiny_gguf import write_llama
    from tiny_transformers import bpe, loaded, saved

    folder = tmp_path_factory.mktemp("gguf") / "llama"
    saved(folder, "llama", bpe())
    return folder, write_llama(folder.with_suffix(".gguf"), *loaded(folder))


def test_the_numbers_are_those_of_the_network(tiny: tuple[Path, Path]) -> None:
    from tiny_transformers import plain_nats

    folder, path = tiny
    model = HFModel(str(path))
    for text, reading in zip(TEXTS, model.readings(TEXTS), strict=True):
        np.testing.assert_allclose(reading.surprisals, np.array(plain_nats(folder, text)) / math.log(2), atol=1e-4)
    assert model.readings([""])[0].surprisals.tolist() == []


def test_what_cannot_be_read_is_said(tiny: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(tiny[1].read_bytes()[:-5000])
    with pytest.raises(GardenpathError, match="cannot be loaded"):
        HFModel(str(path)).readings(["The keys"])
    with pytest.raises(FailedOnInput, match="and the model reads 64"):
        HFModel(str(tiny[1])).readings(["zebra! " * 60])
