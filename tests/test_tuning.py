"""tuning: a miniature training whose loss falls, that goes on where it was stopped, and that llama.cpp reads alike."""

import json
import math
import os
import subprocess
import sys

import httpx
import pytest

from reactkit import DataError, ServerError, local
from reactkit.servers import weights
from reactkit.teaching import Recipe, encoded, teaching_texts

try:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from reactkit.tuning import Learner, loaded, tune

    weights()
except (ImportError, ServerError) as error:
    told = f"needs the extra train and the small model: {error}"
    (pytest.fail if os.environ.get("CI") else pytest.skip)(told, allow_module_level=True)

TINY = Recipe("ReAct", tasks=8, passes=3, batch=4, rank=2, rate=1e-2)
MINIATURE = Recipe("ReAct", tasks=6, passes=3, batch=3, rank=8, rate=4e-3)
QUESTION = "Which town is the home town of Olga Zelrix?"


def letters(text):
    return [ord(letter) % 128 for letter in text]


def learner(folder, recipe=TINY):
    """Return a learner of a model that is random, tiny, and reads letter by letter."""
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 128}
    examples = [encoded(pieces, letters, 0, recipe.everything) for pieces in teaching_texts(recipe)]
    return Learner(recipe, folder, LlamaForCausalLM(LlamaConfig(**sizes, **heads)), examples)


def numbers(one):
    return torch.cat([torch.from_numpy(matrix).ravel() for matrix in one.matrices().values()])


def test_stopped_and_taken_up_again_it_ends_where_an_unbroken_training_ends(tmp_path):
    (whole := tmp_path / "whole").mkdir(), (broken := tmp_path / "broken").mkdir()
    unbroken, first = learner(whole), learner(broken)
    for _ in range(6):
        unbroken.step()
    for _ in range(3):
        first.step()
    first.save(), first.step()  # the last step is lost, as by a crash
    second = learner(broken)
    assert second.losses == unbroken.losses[:3]
    for _ in range(3):
        second.step()
    assert second.losses == unbroken.losses and torch.equal(numbers(second), numbers(unbroken))
    assert unbroken.losses[-1] < unbroken.losses[0] and not torch.equal(numbers(unbroken), numbers(learner(whole)))


def test_the_state_of_another_recipe_is_refused(tmp_path):
    learner(tmp_path).save()
    with pytest.raises(DataError, match="'seed': 0.*; use another folder, or delete it"):
        learner(tmp_path, Recipe("ReAct", tasks=8, passes=3, batch=4, rank=2, rate=1e-2, seed=1))


@pytest.mark.parametrize("everything", [False, True])
def test_the_loss_is_that_of_the_library_on_the_learned_tokens(tmp_path, everything):
    one = learner(tmp_path, Recipe("ReAct", tasks=8, passes=3, batch=4, rank=2, everything=everything))
    some = one.examples[:3]
    longest = max(len(ids) for ids, _ in some)
    ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in some])
    shown = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in some])
    labels = [[at if mine else -100 for at, mine in zip(*each)] for each in some]
    labels = torch.tensor([row + [-100] * (longest - len(row)) for row in labels])
    with torch.no_grad():
        theirs = one.model(input_ids=ids, attention_mask=shown, labels=labels).loss
        assert torch.allclose(one.loss(some), theirs, atol=1e-5)


def test_the_rate_rises_then_falls_to_nothing(tmp_path):
    one = learner(tmp_path, Recipe("ReAct", tasks=8, passes=20, batch=4, rate=1.0))
    rates = [one.rate(step) for step in range(len(one.schedule) + 1)]
    top = rates.index(max(rates))
    assert rates[0] == 0.1 and rates[: top + 1] == sorted(rates[: top + 1]) and 5 < top < 10
    assert rates[top:] == sorted(rates[top:], reverse=True) and rates[-1] == 0


@pytest.fixture(scope="module")
def small():
    """The tokeniser and the small model itself."""
    return loaded()


def test_pieces_are_cut_where_the_tokeniser_cuts_whole_texts(small):
    tokeniser, _ = small
    for method in ("CoT", "Act", "ReAct"):
        for pieces in teaching_texts(Recipe(method, tasks=40)):
            apart = encoded(pieces, lambda text: tokeniser(text)["input_ids"], tokeniser.eos_token_id)[0][:-1]
            assert apart == tokeniser("".join(map("".join, pieces)))["input_ids"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The small model, trained for six steps: the file of its adapter, and what was shown meanwhile."""
    shown = []
    return tune(MINIATURE, tmp_path_factory.mktemp("adapter"), shown.append), shown


def test_a_miniature_training_makes_the_loss_fall(trained):
    path, shown = trained
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    losses = card["losses"]
    assert len(losses) == MINIATURE.steps == 6 and sum(losses[-2:]) < 0.8 * sum(losses[:2])
    assert (card["base"], card["method"], card["seed"]) == ("SmolLM2-135M-Instruct.Q4_1", "ReAct", 0)
    assert shown[0].startswith("6 texts of ") and shown[-1].startswith("step 6 of 6: loss ")
    assert path.stat().st_size < 5_000_000


def test_llama_cpp_reads_the_adapter_as_the_library_does(trained, small):
    """The same next token, as likely, where rows in a wrong order or a wrong scale would change it."""
    from peft import LoraConfig, get_peft_model

    path, _ = trained
    text = f"Question: {QUESTION}\nThought 1:"
    tokeniser, base = small
    with torch.no_grad():
        ids = torch.tensor([tokeniser(text)["input_ids"]])
        before = base(ids).logits[0, -1].softmax(-1)
        wanted = LoraConfig(r=8, lora_alpha=16, target_modules=r".*self_attn\.\w_proj")
        model = get_peft_model(base, wanted)
        kept = torch.load(path.with_name("state.pt"), weights_only=True)["learned"]
        for name, one in model.named_parameters():
            one.data.copy_(kept[name]) if name in kept else None
        ours = model(ids).logits[0, -1].softmax(-1)
    asked = {"prompt": text, "n_predict": 1, "n_probs": 8, "temperature": 0}
    found = {}
    for learned in (path, None):
        server = local(context=512, adapter=learned)
        assert server.name == "SmolLM2-135M-Instruct" + " + react" * bool(learned)
        reply = httpx.post(f"{server.base_url}/completion", json=asked, timeout=60).json()
        found[learned] = {
            each["id"]: math.exp(each["logprob"]) for each in reply["completion_probabilities"][0]["top_logprobs"]
        }
        server.close()
    far = {learned: max(abs(ours[at].item() - share) for at, share in of.items()) for learned, of in found.items()}
    assert far[path] < 0.02 < far[None] and abs(before - ours).max() > 0.1


def test_without_the_extra_the_command_says_what_to_do():
    program = "import sys; sys.modules['torch'] = None; from reactkit.__main__ import main; main(['train', 'Act'])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (
        ran.returncode == 1 and "torch is missing; `python start.py train` installs what training needs" in ran.stderr
    )
