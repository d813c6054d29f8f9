"""live against a real server: llama.cpp with a small model, in a process of its own, on loopback."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from test_readme import fenced

from reactkit import ACT, COT, REACT, STANDARD, Exemplars, exemplars, solve
from reactkit.errors import ServerError
from reactkit.live import Server
from reactkit.models import Completion

ROOT = Path(__file__).resolve().parents[1]
SERVE = ROOT / "tests" / "tools" / "serve.py"
COUNT = "1, 2, 3, 4, 5, 6,"


@pytest.fixture(scope="module")
def address():
    """The address of a server that ends with this module's tests; without one they skip, and fail in CI."""
    server = subprocess.Popen([sys.executable, SERVE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        first = server.stdout.readline()
        if " answers at http://127.0.0.1:" not in first:
            told = f"no local model server: {first}{server.communicate(timeout=60)[0]}"
            (pytest.fail if os.environ.get("CI") else pytest.skip)(told)
        yield first.split(" answers at ")[1].split(";")[0]
    finally:
        server.kill()
        server.communicate()


def test_the_readmes_example_runs(address):
    example, _, _ = fenced("py")
    program = example.replace("http://127.0.0.1:8080", address)
    assert program != example
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", cwd=ROOT)
    assert (ran.returncode, ran.stderr, ran.stdout[:10]) == (0, "", "Question: ")


def test_the_server_tells_of_the_call_that_the_readme_shows():
    how = runpy.run_path(str(SERVE))["HOW"].format(name="SmolLM2-135M-Instruct", address="http://127.0.0.1:8080")
    [call] = re.findall(r"^    (model = .*)$", how, re.M)
    assert f"\n{call}\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_file_that_is_no_model_is_not_served_nor_another_one_in_its_place(address):
    ran = subprocess.run([sys.executable, SERVE, "none.gguf"], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (1, "none.gguf is no model file; give the path of a .gguf\n")


@pytest.fixture(params=["", "/", "/v1", "/v1/chat/completions"], ids=["bare", "slash", "v1", "whole"])
def form(request, address):
    return address + request.param


def served(address, **options):
    return Server(address, "SmolLM2", **options)


@pytest.mark.parametrize("stream", [False, True])
def test_the_completion_endpoint_goes_on_with_the_text(form, stream):
    shown = []
    reply = served(form, chat=False, stream=stream, settings={"max_tokens": 4}, show=shown.append)(COUNT)
    assert (reply.strip()[0], reply.finish_reason, reply.tokens_read > 8) == ("7", "length", True)
    assert "".join(shown) == (reply if stream else "")


@pytest.mark.parametrize("stream", [False, True])
def test_a_stop_string_ends_the_reply(address, stream):
    reply = served(address, chat=False, stream=stream, settings={"max_tokens": 40})(COUNT, [", 9"])
    assert (reply, reply.finish_reason) == (" 7, 8", "stop")


@pytest.mark.parametrize("stream", [False, True])
def test_of_a_model_that_thinks_a_reply_that_is_cut_before_it_says_so_is_all_thinking(address, stream):
    reply = served(address, chat=False, stream=stream, thinks=True, settings={"max_tokens": 40})(COUNT, [", 9"])
    assert (reply, reply.finish_reason) == ("", "length")
    assert reply.reasoning.startswith("7, 8, 9, 10")


@pytest.mark.parametrize("stream", [False, True])
def test_the_chat_endpoint_answers(address, stream):
    model = served(address, stream=stream, settings={"max_tokens": 12})
    reply, message = model("Say hello."), model.converse([{"role": "user", "content": "Say hello."}])
    assert (isinstance(reply, Completion), reply != "", reply.tokens_read > 3) == (True, True, True)
    assert (message["content"], message["role"]) == (reply, "assistant")


def test_temperature_nought_gives_the_same_reply_again(address):
    model = served(address, settings={"max_tokens": 12, "seed": 1})
    assert model("Name a colour.") == model("Name a colour.")


@pytest.mark.parametrize(
    ("path", "context", "settings", "kind", "mentions"),
    [
        ("/nowhere/v1", "Q", {}, "wrong_address", "HTTP 404"),
        ("", "word " * 9000, {}, "prompt_too_long", "8192 tokens"),  # the lessons' examples and a run fit in so many
        ("", "Q", {"temperature": "warm"}, "request_refused", "HTTP 400"),
    ],
)
def test_what_the_server_refuses_is_an_error_of_its_kind(address, path, context, settings, kind, mentions):
    with pytest.raises(ServerError) as caught:
        served(address + path, settings=settings, tries=1)(context)
    assert (caught.value.kind, mentions in str(caught.value)) == (kind, True), caught.value


@pytest.mark.parametrize("method", [STANDARD, COT, ACT, REACT], ids=lambda method: method.name)
@pytest.mark.parametrize("chat", [False, True], ids=["completion", "chat"])
def test_the_loop_runs_with_a_real_model_and_comes_to_an_end(address, method, chat):
    model = served(address, chat=chat, settings={"max_tokens": 32})
    shown = Exemplars((exemplars().trajectories[0],))  # one, since six take a small machine many seconds to read
    run = solve("Which program was the Apple Remote first made for?", method, model, shown=shown, step_cap=2)
    assert (run.trajectory.kind, run.trajectory.model) == ("live", "SmolLM2")
    assert 1 <= len(run.calls) <= 4 and run.outcome in ("finished", "step cap", "no answer")
    assert all(call.context for call in run.calls)
