"""adapters: a file in llama.cpp's names and order, and a card that knows its file."""

import json
import os

import pytest

from reactkit import DataError
from reactkit.adapters import adapter_file, card_of_adapter, turned, write_adapter

try:
    import gguf
    import numpy
except ImportError:
    (pytest.fail if os.environ.get("CI") else pytest.skip)("needs the extra train", allow_module_level=True)

LAYER = "base_model.model.model.layers.{}.self_attn.{}.lora_{}.default.weight"
HEADS = 4, 2  # that ask, that answer


def written(folder, **more):
    """Return an adapter of rank 2 on a model 16 wide, and the numbers in it."""
    wide = {"q_proj": 16, "k_proj": 8, "v_proj": 8, "o_proj": 16}
    made = numpy.random.default_rng(0).normal(size=(2, 4, 2, 16, 2)).astype("float32")
    matrices = {}
    for layer in range(2):
        for at, (name, rows) in enumerate(wide.items()):
            matrices[LAYER.format(layer, name, "A")] = made[layer, at, 0].T
            matrices[LAYER.format(layer, name, "B")] = made[layer, at, 1, :rows]
    return write_adapter(folder / "a.gguf", {**matrices, **more}, HEADS, 16, {"seed": 3}), matrices


def test_the_file_has_each_matrix_by_llama_cpps_name(tmp_path):
    path, matrices = written(tmp_path)
    read = gguf.GGUFReader(path)
    held = {tensor.name: tensor.data for tensor in read.tensors}
    assert len(held) == len(matrices) == 16
    theirs = {"v_proj": "attn_v", "o_proj": "attn_output", "q_proj": "attn_q", "k_proj": "attn_k"}
    for ours, name in theirs.items():
        for side in "AB" if ours[0] in "vo" else "A":
            expected = matrices[LAYER.format(1, ours, side)].astype("float16")
            assert numpy.array_equal(held[f"blk.1.{name}.weight.lora_{side.lower()}"], expected)
    told = {name: read.fields[name].contents() for name in ("general.type", "adapter.type", "adapter.lora.alpha")}
    assert told == {"general.type": "adapter", "adapter.type": "lora", "adapter.lora.alpha": 16}


def test_the_numbers_that_turn_together_lie_side_by_side():
    rows = numpy.arange(16).reshape(16, 1)  # two heads of eight: 0 turns with 4, 1 with 5
    assert turned(rows, 2).ravel().tolist() == [0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15]


def test_the_card_says_what_it_was_told_and_knows_its_file(tmp_path):
    path, _ = written(tmp_path)
    assert card_of_adapter(path)["seed"] == 3 and adapter_file(str(path)) == path
    assert written(tmp_path)[0].read_bytes() == path.read_bytes()
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(DataError, match="is not the file on its card; get both again"):
        card_of_adapter(path)
    path.with_suffix(".json").unlink()
    with pytest.raises(DataError, match="has no card beside it"):
        card_of_adapter(path)


def test_a_matrix_of_another_place_is_refused(tmp_path):
    with pytest.raises(DataError, match="mlp.up_proj.lora_A is no matrix of an attention adapter"):
        written(tmp_path, **{"layers.0.mlp.up_proj.lora_A": numpy.zeros((2, 16))})


def test_an_adapter_that_is_not_there_names_those_that_are(tmp_path):
    with pytest.raises(DataError, match="there is no adapter .*none.gguf; give the path"):
        adapter_file(tmp_path / "none.gguf")


def test_the_card_is_readable_text(tmp_path):
    path, _ = written(tmp_path)
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert [*card] == ["seed", "sha256"] and path.with_suffix(".json").read_text(encoding="utf-8").endswith("}\n")
