"""Evaluation: nothing lost or doubled, never more under way than asked for, and a failure of the world is not wrong."""

import io
import itertools
import json
import re
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Barrier, Event, Lock, Thread

import pytest

from reactkit.costs import Capped
from reactkit.errors import DataError, ModelError, ReplayError, ServerError, SourceError
from reactkit.evaluation import Results, evaluate, table
from reactkit.live import Server
from reactkit.prompts import ACT, STANDARD, exemplars
from reactkit.recordings import record, replay
from reactkit.tasks import Task
from reactkit.tools import encyclopedia_tools

TASKS = [Task(f"What is {n} and {n}?", str(2 * n)) for n in range(40)]


def adder(context, stop=()):
    """A model that adds up what the last question asks for, but takes 7 for 8."""
    number = int(context.rpartition("What is ")[2].split()[0])
    return f" {2 * number + (number == 7)}"


class Fails:
    """A model that fails on some numbers, and counts how many ask at once."""

    name = "adder"

    def __init__(self, *numbers):
        self.numbers, self.lock, self.now, self.most, self.asked = numbers, Lock(), 0, 0, 0

    def __call__(self, context, stop=()):
        with self.lock:
            self.now, self.asked = self.now + 1, self.asked + 1
            self.most = max(self.most, self.now)
        try:
            if int(adder(context)) // 2 in self.numbers:
                raise ServerError("server_error", "the server is gone")
            return adder(context)
        finally:
            with self.lock:
                self.now -= 1


def done(path, tasks=TASKS, model=adder, **options):
    return evaluate(tasks, STANDARD, model, path, show=io.StringIO(), **options)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_results_are_in_the_order_of_the_tasks_on_any_executor(tmp_path, executor):
    with executor(2) if executor else io.StringIO() as pool:
        results = done(tmp_path / "a.jsonl", executor=pool if executor else None, in_flight=5)
    assert [(one.question, one.answer, one.right) for one in results.found] == [
        (task.text, str(2 * n + (n == 7)), float(n != 7)) for n, task in enumerate(TASKS)
    ]
    assert (results.method, results.model, results.kind, results.note) == ("Standard", "adder", "live", "")


@pytest.mark.parametrize(
    ("tasks", "method", "in_flight", "told"),
    [
        (TASKS, "ReAct", 9, r"evaluate\(\): the method is a Method, not 'ReAct'; give one such as REACT"),
        ("What is 1 and 1?", STANDARD, 9, r"each of the tasks is a Task, not 'What is 1 and 1\?'; give a list of them"),
        (
            ["What is 1 and 1?"],
            STANDARD,
            9,
            r"each of the tasks is a Task, not 'What is 1 and 1\?'; give a list of them",
        ),
        (TASKS, STANDARD, 0, "in_flight is 0; give how many tasks may be under way, 1 or more"),
    ],
)
def test_what_is_no_task_no_method_or_no_number_of_tasks_is_refused(tmp_path, tasks, method, in_flight, told):
    with pytest.raises(DataError, match=told):
        evaluate(tasks, method, adder, tmp_path / "a", in_flight=in_flight, show=io.StringIO())
    with pytest.raises(DataError, match="None cannot be read .*; check the path"):
        done(None)


def test_an_environment_that_all_runs_would_share_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"environment is a Callable, not .*; give what makes one for each run"):
        done(tmp_path / "a", environment=encyclopedia_tools())


def test_what_a_run_would_trip_over_is_refused_before_it_is_paid_for(tmp_path):
    asked = []

    def model(context, stop=()):
        asked.append(context)
        return " 2"

    for step_cap in ("7", 0):
        with pytest.raises(DataError, match=f"step_cap is {step_cap!r}; give how many steps"):
            evaluate(TASKS[:1], STANDARD, model, tmp_path / "a", step_cap=step_cap, show=io.StringIO())
    assert not (tmp_path / "a").exists()
    with pytest.raises(DataError, match="the gold answer of 'What is 1 and 1.' is a str, not 5; give "):
        evaluate([Task("What is 1 and 1?", 5)], STANDARD, model, tmp_path / "a", show=io.StringIO())
    assert asked == []


def test_the_table_tells_n_scores_with_intervals_costs_and_endings(tmp_path):
    results = done(tmp_path / "a.jsonl", TASKS[:10], Fails(3))
    [row] = table(results).rows
    assert (row[0], row[1], row[4], row[8], row[9]) == ("Standard", 9, 9, "9 finished", 1)
    assert row[2].startswith("88.9 (")
    assert repr(results) == f"{table(results)!r}\nfirst failure: ServerError: the server is gone"
    assert "live · adder: questions" in repr(results)


def test_what_the_file_has_is_not_done_again_and_a_failure_is(tmp_path):
    path, first, second = tmp_path / "a.jsonl", Fails(3, 5), Fails(5)
    done(path, TASKS[:6], first)
    results = done(path, TASKS[:8], second)
    assert (first.asked, second.asked) == (6, 2 + 2)
    assert [one.error for one in results.found] == [""] * 5 + ["ServerError: the server is gone"] + [""] * 2


def test_the_same_task_twice_is_done_once(tmp_path):
    model = Fails()
    assert len(done(tmp_path / "a.jsonl", [*TASKS[:3], *TASKS[:3]], model).found) == 3
    assert (model.asked, len(lines(tmp_path / "a.jsonl"))) == (3, 4)


@pytest.mark.parametrize(("executor", "ahead"), [(ThreadPoolExecutor, 4), (None, 5)])
def test_of_endless_tasks_no_more_are_drawn_than_may_be_in_flight_and_a_few(tmp_path, executor, ahead):
    drawn, model = [], Fails()

    def endless():
        for number in itertools.count():
            drawn.append(len(drawn) - model.asked)
            yield Task(f"What is {number} and {number}?", f"{2 * number}")

    with executor(1) if executor else io.StringIO() as pool:
        done(tmp_path / "a", endless(), Capped(model, calls=30), executor=pool if executor else None, in_flight=4)
    assert (model.asked, model.most <= 4, max(drawn) < ahead + 4) == (30, True, True)


def test_as_many_run_at_once_as_were_asked_for(tmp_path):
    together = Barrier(8)

    def model(context, stop=()):
        together.wait(20)  # goes on only when eight are here
        return adder(context)

    assert [one.error for one in done(tmp_path / "a", TASKS[:16], model, in_flight=8).found] == [""] * 16


def test_the_kind_of_a_replay_is_kept_apart(tmp_path):
    live = done(tmp_path / "a", TASKS[:9], record(adder, tmp_path / "r"))
    again = done(tmp_path / "b", TASKS[:9], replay(tmp_path / "r"))
    assert (live.kind, again.kind, list(map(untimed, again.found))) == (
        "live",
        "recorded",
        list(map(untimed, live.found)),
    )


def test_half_a_last_line_is_done_again(tmp_path):
    path = tmp_path / "a.jsonl"
    before = done(path)
    path.write_bytes(path.read_bytes()[:-30])
    model = Fails()
    with pytest.warns(UserWarning, match="half a line, which is dropped; evaluate.. asks for it again"):
        again = done(path, model=model)
    assert (model.asked, len(lines(path)), list(map(untimed, again.found))) == (1, 41, list(map(untimed, before.found)))


def untimed(result):
    return replace(result, seconds=0)


WORKER = """
import sys, time
sys.path[:0] = sys.argv[2:]
from test_evaluation import Fails, done
class Slow(Fails):
    def __call__(self, context, stop=()):
        time.sleep(0.01)
        print("asked", flush=True)
        return super().__call__(context, stop)
print(done(sys.argv[1], model=Slow(), in_flight=4).note)
"""


def stopped(path, request, replies, how):
    """Run an evaluation in a process of its own, and send it a signal after so many replies; return what it said."""
    command = [sys.executable, "-c", WORKER, str(path), str(request.path.parent)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for _ in range(replies):
        worker.stdout.readline()
    worker.send_signal(how)
    return worker.communicate(timeout=60)[0]


@pytest.mark.filterwarnings("ignore:.*half a line")
def test_after_kills_no_task_is_lost_or_doubled(tmp_path, request):
    path, model = tmp_path / "a.jsonl", Fails()
    for replies in (6, 12):
        stopped(path, request, replies, getattr(signal, "SIGKILL", signal.SIGTERM))
    with path.open("ab") as file:
        file.write(b'{"task": "half a li')  # what a kill in the middle of a write leaves
    kept = {one.question for one in Results.read(path).found}
    results = done(path, model=model)
    assert (0 < len(kept) < 40, model.asked) == (True, 40 - len(kept))
    assert [(one.question, one.answer) for one in results.found] == [
        (task.text, adder(task.text)[1:]) for task in TASKS
    ]
    assert sorted(line["question"] for line in lines(path)[1:]) == sorted(task.text for task in TASKS)


@pytest.mark.skipif(sys.platform == "win32", reason="no process can be interrupted from outside there")
def test_ctrl_c_leaves_a_table_and_the_same_call_goes_on(tmp_path, request):
    path = tmp_path / "a.jsonl"
    said = stopped(path, request, 12, signal.SIGINT)
    assert "stopped before all tasks were done; the same call goes on\n" in said
    assert 0 < len(Results.read(path).found) < 40 == len(done(path, model=Fails()).found)


def test_an_interrupt_leaves_a_table_of_what_there_is(tmp_path):
    class Stopped(Fails):
        def __call__(self, context, stop=()):
            if self.asked == 20:
                raise KeyboardInterrupt
            return super().__call__(context, stop)

    path = tmp_path / "a.jsonl"
    results = done(path, model=Stopped(), in_flight=2)
    assert "stopped before all tasks were done; the same call goes on" in repr(results)
    assert 0 < len(results.found) == len(lines(path)) - 1 < 40
    assert len(done(path).found) == 40


def test_the_cap_ends_it_and_what_was_under_way_is_kept(tmp_path):
    results = done(tmp_path / "a.jsonl", model=Capped(Fails(), calls=5), in_flight=2)
    assert (len(results.found), len(lines(tmp_path / "a.jsonl"))) == (5, 1 + 5)
    assert results.note.startswith("stopped before all tasks were done (one more call might pass calls=5")
    model = Fails()
    assert (len(done(tmp_path / "a.jsonl", model=model).found), model.asked) == (40, 35)


def test_after_a_stop_what_is_held_of_the_tasks_that_were_not_drawn_is_told_as_well(tmp_path):
    done(tmp_path / "a.jsonl", TASKS[30:], Fails())
    results = done(tmp_path / "a.jsonl", model=Capped(Fails(), calls=5), in_flight=2)
    assert [one.question for one in results.found] == [task.text for task in (*TASKS[:5], *TASKS[30:])]


class Raises(Fails):
    """A model that raises an error in its fourth call."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def __call__(self, context, stop=()):
        if self.asked == 3:
            self.asked += 1
            raise self.error
        return super().__call__(context, stop)


@pytest.mark.parametrize(
    "error", [ModelError("odd"), SourceError("busy", "later"), ServerError("timeout", "slow"), KeyError("a")]
)
def test_what_the_world_does_wrong_is_a_failed_task_and_the_rest_goes_on(tmp_path, error):
    found = done(tmp_path / "a.jsonl", model=Raises(error), in_flight=1).found
    assert [one.question for one in found if one.error] == [TASKS[3].text] and len(found) == 40


@pytest.mark.parametrize("error", [ReplayError("nothing is held"), DataError("no such page")])
def test_any_other_error_is_raised_once_what_came_is_kept(tmp_path, error):
    with pytest.raises(type(error), match=str(error)):
        done(tmp_path / "a.jsonl", model=Raises(error), in_flight=1)
    assert [one.question for one in Results.read(tmp_path / "a.jsonl").found] == [task.text for task in TASKS[:3]]


OTHERS = [
    ({"method": ACT}, "method 'Standard', not 'Act'; use another file"),
    ({"model": adder}, "model 'adding', not 'adder'"),
    ({"step_cap": 3}, "step_cap None, not 3"),
    ({"shown": exemplars("Claim")}, "prompts None, not '"),
    ({"settings": {"temperature": 0}}, "settings {}, not {'temperature': 0}"),
]


@pytest.mark.parametrize(("other", "named"), OTHERS, ids=[named for _, named in OTHERS])
def test_a_file_of_something_else_is_refused_before_anything_is_asked(tmp_path, other, named):
    path, model, options = tmp_path / "a.jsonl", Fails(), {"method": STANDARD, **other}
    model.name, model.card = "adding", {"settings": options.pop("settings", {})}
    first = Fails()
    first.name = "adding"
    done(path, TASKS[:3], first)
    before = path.read_bytes()
    with pytest.raises(DataError, match=named):
        evaluate(TASKS, model=options.pop("model", model), path=path, show=io.StringIO(), **options)
    assert (path.read_bytes(), model.asked) == (before, 0)


@pytest.mark.parametrize(
    "content", ['{"method": "Standard", "model": "adder", "kind": "live"}\n', "no JSON\n", "no JSON"]
)
def test_a_file_that_is_no_evaluation_is_refused_and_stays_as_it_is(tmp_path, content):
    (tmp_path / "a.jsonl").write_text(content)
    for opened in (done, Results.read):
        with pytest.raises(
            DataError, match="was changed, or is not in its place; .* evaluate anew|is empty, or not of"
        ):
            opened(tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_text() == content


def test_a_recording_is_no_evaluation_and_a_changed_result_is_refused(tmp_path):
    record(adder, tmp_path / "recording")("What is 1 ?")
    with pytest.raises(DataError, match="not of form results 1; evaluate the run first"):
        done(tmp_path / "recording")
    done(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_bytes((tmp_path / "a.jsonl").read_bytes().replace(b'"right": 0.0', b'"right": 1.0'))
    with pytest.raises(DataError, match="was changed, or is not in its place"):
        Results.read(tmp_path / "a.jsonl")


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path):
    model = Fails()
    for path in (tmp_path, tmp_path / "none" / "a.jsonl"):
        with pytest.raises(DataError, match="cannot be (read|written)"):
            done(path, model=model)
    assert model.asked == 0


def test_a_file_that_another_program_writes_to_is_left_to_it(tmp_path):
    path = tmp_path / "a.jsonl"

    class Doubled(Fails):
        def __call__(self, context, stop=()):
            if self.asked == 10:
                self.asked += 1
                done(path, TASKS[30:], Fails())
            return super().__call__(context, stop)

    with pytest.raises(DataError, match="was changed meanwhile"):
        done(path, TASKS[:30], Doubled(), in_flight=1)
    assert len(done(path, model=Fails()).found) == 40 == len(lines(path)) - 1


def test_results_are_read_and_shown_without_a_model(tmp_path):
    results = done(tmp_path / "a.jsonl", TASKS[:9], Fails(3), in_flight=1)
    assert Results.read(tmp_path / "a.jsonl") == results
    assert repr(Results.read(tmp_path / "a.jsonl")) == repr(results)


def test_a_claim_has_no_f1(tmp_path):
    claims = [Task("What is 1 and 1?", "2", "Claim")]
    assert table(done(tmp_path / "a.jsonl", claims)).rows[0][2:4] == ("100.0 (0.0 to 100.0)", None)


def test_no_key_reaches_the_file(tmp_path):
    def leaks(context, stop=()):
        if "1 and 1" in context:
            raise ServerError("auth_failed", "the key sk-mine-12345678 was refused")
        return "sk-mine-12345678"

    found = done(tmp_path / "a.jsonl", TASKS[1:3], leaks).found
    assert [(one.answer, one.error) for one in found] == [(None, "ServerError: the key *** was refused"), ("***", "")]
    assert "sk-mine" not in (tmp_path / "a.jsonl").read_text(encoding="utf-8")


class Adder(BaseHTTPRequestHandler):
    """A model server that adds, and keeps the keys and connections that it saw."""

    protocol_version, wbufsize, seen = "HTTP/1.1", -1, []

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.headers["Authorization"], self.client_address))
        body = json.dumps({"choices": [{"text": adder(asked["prompt"]), "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture
def served():
    """Return a server that is pickled with each task, to which a key was given here; and what it will have seen."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Adder) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        Adder.seen.clear()
        yield Server(f"http://127.0.0.1:{server.server_port}", "m", key="sk-ours-123", chat=False), Adder.seen
        server.shutdown()


def test_other_processes_ask_a_server_over_few_connections_and_never_get_the_key_from_here(tmp_path, served):
    with ProcessPoolExecutor(2) as pool:
        results = done(tmp_path / "a.jsonl", model=served[0], executor=pool, in_flight=4)
    assert sum(one.right for one in results.found) == 39
    assert {key for key, _ in served[1]} == {None} and len({address for _, address in served[1]}) <= 2


def test_a_cluster_of_dask_can_do_the_work(tmp_path, served):
    distributed = pytest.importorskip("distributed")
    here = {"host": "127.0.0.1", "dashboard_address": None, "n_workers": 2, "threads_per_worker": 1}
    with distributed.LocalCluster(**here) as cluster, distributed.Client(cluster) as client:
        results = done(tmp_path / "a.jsonl", model=served[0], executor=client.get_executor(), in_flight=4)
    assert sum(one.right for one in results.found) == 39 and {key for key, _ in served[1]} == {None}


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        (TASKS[:9], r"\r\[#+ *\] \d of 9 tasks, 0 right, .*left\n"),
        ((one for one in TASKS[:9]), r"\r\d tasks, 0 right, 0/s\n"),
    ],
)
def test_progress_counts_the_tasks_and_ends_its_line(tmp_path, tasks, said):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    show, slow = Terminal(), Event()
    evaluate(tasks, STANDARD, lambda context, stop=(): slow.wait(0.25) or "x", tmp_path / "a", show=show, in_flight=9)
    assert re.search(f"{said}$", show.getvalue())


def test_results_of_two_models_are_not_put_in_one_table(tmp_path):
    def other(context, stop=()):
        return adder(context)

    one, two = done(tmp_path / "a.jsonl"), done(tmp_path / "b.jsonl", model=other)
    assert len(table(one, one).rows) == 2
    with pytest.raises(DataError, match="one kind, one model and one sort of task"):
        table(one, two)
