"""Adapters: the few numbers that training adds to a small model, as a file which llama.cpp reads beside the model.

An adapter is two narrow matrices for each of the model's attention matrices (LoRA, Hu et al. 2021). Beside the file
lies its card, which tells the recipe, the losses, and how the model was measured.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from reactkit.errors import DataError

__all__ = ["adapter_file", "card_of_adapter", "write_adapter"]

FOLDER = Path(__file__).with_name("data") / "adapters"
NAMES = {"q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output"}  # theirs and llama.cpp's
TENSOR = re.compile(r"layers\.(\d+)\.self_attn\.(\w_proj)\.lora_([AB])\b")


def adapter_file(name: str | Path) -> Path:
    """Return the file of an adapter, given by path or by the name of one that comes with the kit, such as "ReAct"."""
    path = Path(name) if str(name).endswith(".gguf") else FOLDER / f"{str(name).lower()}.gguf"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in FOLDER.glob("*.gguf"))) or "none"
        raise DataError(f"there is no adapter {path}; give the path of a .gguf. With the kit come: {there}")
    return path


def card_of_adapter(name: str | Path) -> dict:
    """Return the card of an adapter; a file that is not the one on its card is a `DataError`."""
    path = adapter_file(name)
    try:
        card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path} has no card beside it, or a damaged one ({error}); train it again") from error
    if sha256(path.read_bytes()).hexdigest() != card.get("sha256"):
        raise DataError(f"{path} is not the file on its card; get both again, or train it again")
    return card


def write_adapter(path: str | Path, matrices: Mapping, heads: tuple[int, int], alpha: float, card: Mapping) -> Path:
    """Write an adapter and its card, and return the path of the first.

    `matrices` are numpy arrays by their names in peft; `heads` is how many heads ask and how many answer; `alpha` over
    the rank is by what the product of the two is multiplied. Names that are none of attention's are a `DataError`.
    """
    import gguf  # here, so that reading a card needs no package

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for name, matrix in matrices.items():
        found = TENSOR.search(name)
        if not found:
            raise DataError(f"{name} is no matrix of an attention adapter; llama.cpp would not know where it belongs")
        layer, ours, side = found.groups()
        if side == "B" and ours in ("q_proj", "k_proj"):
            matrix = turned(matrix, heads[ours == "k_proj"])
        writer.add_tensor(f"blk.{layer}.{NAMES[ours]}.weight.lora_{side.lower()}", matrix.astype("float16"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    path = Path(path)
    told = json.dumps({**card, "sha256": sha256(path.read_bytes()).hexdigest()}, indent=1, ensure_ascii=False)
    path.with_suffix(".json").write_text(f"{told}\n", encoding="utf-8")
    return path


def turned(matrix, heads: int):
    """Return the rows as llama.cpp has them: within a head, the two numbers that turn together side by side."""
    return matrix.reshape(heads, 2, len(matrix) // heads // 2, -1).swapaxes(1, 2).reshape(matrix.shape)
