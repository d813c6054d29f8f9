"""Tuning: a small model learns from teaching texts, by an adapter of a few numbers beside its own, which stay.

Needs the extra `train` (torch, transformers, peft). Where it is stopped, the same call goes on, and ends where an
unbroken one would. The processor, its number of threads and the versions decide the last digits, and the card tells
them.
"""

import os
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from reactkit.adapters import write_adapter
from reactkit.errors import DataError
from reactkit.servers import weights
from reactkit.teaching import Example, Recipe, batches, encoded, teaching_texts

__all__ = ["Learner", "tune"]

SAVED, WARM, LONGEST = 10, 10, 1.0  # steps between two saves; steps until the rate is highest; length of a gradient
ALPHA, PADDING = 2, 0  # the adapter's product counts twice, as is usual; the padding is never learned nor attended to


class Learner:
    """A small model with an adapter, that takes one step of a recipe after another; `losses` has one of each step.

    `folder` keeps the state, from which a new learner goes on. Of another recipe, it is a `DataError`.
    """

    def __init__(self, recipe: Recipe, folder: str | Path, model, examples: list[Example]):
        import peft
        import torch

        torch.manual_seed(recipe.seed)
        self.recipe, self.examples, self.state = recipe, examples, Path(folder) / "state.pt"
        wanted = peft.LoraConfig(r=recipe.rank, lora_alpha=ALPHA * recipe.rank, target_modules=r".*self_attn\.\w_proj")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # which one library raises by what it asks of the other
            self.model = peft.get_peft_model(model, wanted)
        self.learned = {name: one for name, one in self.model.named_parameters() if one.requires_grad}
        self.optimiser, self.losses, self.seconds = torch.optim.AdamW(self.learned.values()), [], 0.0
        lengths = [len(ids) for ids, _ in examples]
        self.schedule = [some for turn in range(recipe.passes) for some in batches(lengths, recipe, turn)]
        if self.state.exists():
            self.load(torch.load(self.state, weights_only=True))

    def load(self, kept: dict) -> None:
        """Go on from a state that was saved."""
        if kept["recipe"] != asdict(self.recipe):
            raise DataError(f"{self.state} is of {kept['recipe']}; use another folder, or delete it to begin anew")
        for name, values in kept["learned"].items():
            self.learned[name].data.copy_(values)
        self.optimiser.load_state_dict(kept["optimiser"])
        self.losses, self.seconds = kept["losses"], kept["seconds"]

    def save(self) -> None:
        """Keep the state in one stroke, so that a crash leaves the old one or the new one."""
        import torch

        learned = {name: one.detach() for name, one in self.learned.items()}
        kept = {"recipe": asdict(self.recipe), "learned": learned, "optimiser": self.optimiser.state_dict()}
        half = self.state.with_suffix(".part")
        torch.save({**kept, "losses": self.losses, "seconds": self.seconds}, half)
        os.replace(half, self.state)

    def rate(self, step: int) -> float:
        """Return the learning rate of a step: it rises for a few steps, then falls evenly to nothing."""
        return self.recipe.rate * min((step + 1) / WARM, 1 - step / len(self.schedule))

    def step(self) -> float:
        """Learn from the next batch, and return its loss: nats for a token that is learned, on average."""
        import torch

        begun, step = time.monotonic(), len(self.losses)
        loss = self.loss([self.examples[at] for at in self.schedule[step]])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.learned.values(), LONGEST)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate(step)
        self.optimiser.step()
        self.optimiser.zero_grad()
        self.losses.append(round(loss.item(), 5))
        self.seconds += time.monotonic() - begun
        return self.losses[-1]

    def loss(self, examples: list[Example]):
        """Return the mean loss of the tokens that are learned, each given all before it."""
        import torch

        longest = max(len(ids) for ids, _ in examples)
        ids = torch.tensor([[*ids, *[PADDING] * (longest - len(ids))] for ids, _ in examples])
        real = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in examples])
        learned = torch.tensor([[*own, *[False] * (longest - len(own))] for _, own in examples])[:, 1:]
        inner = self.model.get_base_model()
        states = inner.model(input_ids=ids, attention_mask=real).last_hidden_state[:, :-1]
        return torch.nn.functional.cross_entropy(inner.lm_head(states[learned]), ids[:, 1:][learned])

    def matrices(self) -> dict:
        """Return the adapter's matrices as numpy arrays, by name."""
        return {name: one.detach().numpy() for name, one in self.learned.items()}


def loaded(path: str | Path | None = None):
    """Return the tokeniser and the model in a GGUF file, its numbers turned back into 32 bits."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = weights(path)
    where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    return AutoTokenizer.from_pretrained(**where), AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)


def tune(recipe: Recipe, folder: str | Path, show: Callable[[str], object] = print, path=None) -> Path:
    """Return the file of an adapter that is trained by the recipe; `folder` keeps it, and its state until then."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    tokeniser, model = loaded(path)
    heads = model.config.num_attention_heads, model.config.num_key_value_heads

    def tokens(text: str) -> list[int]:
        return tokeniser(text, add_special_tokens=False)["input_ids"]

    texts = teaching_texts(recipe)
    examples = [encoded(pieces, tokens, tokeniser.eos_token_id, recipe.everything) for pieces in texts]
    learner, read = Learner(recipe, folder, model, examples), sum(len(ids) for ids, _ in examples)
    total, own = len(learner.schedule), sum(sum(learned) for _, learned in examples)
    show(f"{len(examples)} texts of {read:,} tokens, {own:,} of them learned; {total} steps")
    while (done := len(learner.losses)) < total:
        learner.step()
        if (done + 1) % SAVED == 0 or done + 1 == total:
            learner.save()
            left = learner.seconds / (done + 1) * (total - done - 1) / 60
            show(f"step {done + 1} of {total}: loss {sum(learner.losses[-SAVED:]) / SAVED:.3f}, {left:.0f} min left")
    card = {"base": weights(path).stem, **asdict(recipe), "tokens": read, "learned": own, "losses": learner.losses}
    file = Path(folder) / f"{recipe.method.lower()}.gguf"
    return write_adapter(file, learner.matrices(), heads, ALPHA * recipe.rank, {**card, **machine(learner.seconds)})


def machine(seconds: float) -> dict:
    """Return what decides the last digits, and how long it took."""
    from importlib.metadata import version

    import torch

    versions = {name: version(name) for name in ("torch", "transformers", "peft")}
    return {"versions": versions, "threads": torch.get_num_threads(), "minutes": round(seconds / 60, 1)}
