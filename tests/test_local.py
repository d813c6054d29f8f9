"""local: a real server of its own on this machine, which ends when it is closed, dropped or orphaned."""

import os
import signal
import subprocess
import sys
import time

import httpx
import pytest

from reactkit import REACT, DataError, Exemplars, ServerError, connect, exemplars, local, record, replay, solve
from reactkit.servers import weights


@pytest.fixture(scope="module")
def model():
    """The small model; where it is not installed these tests skip, and fail in CI."""
    try:
        server = local(settings={"max_tokens": 24})
    except ServerError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))
    yield server
    server.close()


def answers(address):
    try:
        return httpx.get(f"{address}/v1/models").is_success
    except httpx.HTTPError:
        return False


def test_it_answers_and_tells_what_it_is(model):
    reply = model("1, 2, 3, 4, 5, 6,", [", 9"])
    assert (reply, reply.finish_reason, reply.tokens_written > 3) == (" 7, 8", "stop", True)
    assert model.base_url.startswith("http://127.0.0.1:") and model.name == "SmolLM2-135M-Instruct"
    settings, told = {"temperature": 0, "max_tokens": 24, "chat": False}, model.card["runtime"]
    known = {"settings": settings, "quantisation": "Q4_1", "runtime": told, "licence": "Apache-2.0"}
    assert (model.card, told[:10]) == (known, "xllamacpp ")


def test_connect_finds_it_by_the_name_that_it_lists(model):
    assert connect(model.base_url).name == connect(model.base_url, model.name).name == "SmolLM2-135M-Instruct"
    with pytest.raises(ServerError, match="model='other' is none of what .* lists: SmolLM2-135M-Instruct"):
        connect(model.base_url, "other")


def test_a_run_with_it_is_recorded_and_replays_line_by_line(model, tmp_path):
    shown = Exemplars(exemplars().trajectories[:1])
    first = solve("Which program was the Apple Remote made for?", REACT, record(model, tmp_path / "a"), None, shown, 2)
    again = solve("Which program was the Apple Remote made for?", REACT, replay(tmp_path / "a"), None, shown, 2)
    assert again.trajectory.lines == first.trajectory.lines and again.calls == first.calls
    assert (first.trajectory.kind, again.trajectory.badge) == ("live", "recorded · SmolLM2-135M-Instruct")


def test_another_file_by_its_path_with_several_slots_and_its_end_on_close(model):
    other = local(weights(), context=512, slots=2)
    assert (answers(other.base_url), other.card["licence"], other.base_url != model.base_url) == (True, None, True)
    with pytest.raises(ServerError, match="512"):
        other("word " * 600)
    other.close(), other.close()
    assert not answers(other.base_url)


def test_it_ends_when_nothing_refers_to_it_any_more(model):
    address = local().base_url
    assert not answers(address)


WORKER = "import reactkit, sys; model = reactkit.local(); print(model.base_url, flush=True); sys.stdin.read({})"


@pytest.mark.parametrize("killed", [False, True], ids=["at its end", "killed"])
def test_it_ends_with_the_python_that_started_it(model, killed):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    worker = subprocess.Popen([sys.executable, "-c", WORKER.format("")], **pipes)
    address = worker.stdout.readline().strip()
    assert answers(address)
    worker.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM)) if killed else None
    worker.communicate()
    until = time.monotonic() + 20
    while answers(address) and time.monotonic() < until:
        time.sleep(0.05)
    assert not answers(address)


@pytest.mark.skipif(os.name == "nt", reason="a process group is interrupted as a whole on POSIX only")
def test_an_interrupt_of_the_kernel_is_none_of_the_server(model):
    server = local()
    assert os.getpgid(server.close.peek()[2][0].pid) != os.getpgid(0) and answers(server.base_url)


def test_a_file_that_is_no_whole_model_is_told_of(model, tmp_path):
    (tmp_path / "half.gguf").write_bytes(weights().read_bytes()[:1_000_000])
    with pytest.raises(ServerError, match="half.gguf can't be served; is the file whole"):
        local(tmp_path / "half.gguf")
    for wrong in (tmp_path / "none.gguf", tmp_path, "model.bin"):
        with pytest.raises(DataError, match="is no model file; give the path of a .gguf"):
            local(wrong)
