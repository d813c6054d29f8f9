"""Evaluation: nothing lost or doubled, never more under way than asked for, and a failure of the world is not wrong."""

import io
import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from threading import Lock

import pytest

from reactkit.errors import DataError, ServerError
from reactkit.evaluation import evaluate, table
from reactkit.prompts import STANDARD
from reactkit.tasks import Task

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


def test_the_table_tells_n_scores_with_intervals_costs_and_endings(tmp_path):
    results = done(tmp_path / "a.jsonl", TASKS[:10], Fails(3))
    [row] = table(results).rows
    assert (row[0], row[1], row[4], row[8], row[9]) == ("Standard", 9, 9, "9 finished", 1)
    assert row[2].startswith("88.9 (")
    assert "live · adder: questions" in repr(results) == repr(table(results))


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


def test_tasks_are_drawn_no_further_than_as_many_as_may_be_under_way(tmp_path):
    drawn, seen = [], []

    def endless():
        for task in TASKS:
            drawn.append(task)
            yield task

    class Watching(Fails):
        def __call__(self, context, stop=()):
            seen.append(len(drawn))
            return super().__call__(context, stop)

    model = Watching()
    done(tmp_path / "a.jsonl", endless(), model, in_flight=3)
    finished = range(len(TASKS))  # before the n-th call at most n are done
    assert all(count <= before + 3 + 3 for before, count in zip(finished, seen))
    assert (model.most <= 3, len(drawn)) == (True, 40)


def test_half_a_last_line_is_done_again(tmp_path):
    path = tmp_path / "a.jsonl"
    done(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    model = Fails()
    model.name = "adder"
    assert (len(done(path, model=model).found), model.asked) == (40, 1)
    assert sorted(json.dumps(line) for line in map(untimed, lines(path))) == sorted(
        json.dumps(untimed(json.loads(line))) for line in whole.splitlines()
    )


def untimed(line):
    return {name: value for name, value in line.items() if name != "seconds"}


KILLED = """
import os, sys
sys.path[:0] = sys.argv[2:]
from test_evaluation import TASKS, adder, done
count = 0
def model(context, stop=()):
    global count
    count += 1
    if count == 25:
        os.kill(os.getpid(), 9)
    return adder(context)
model.__name__ = "adder"
done(sys.argv[1], model=model, in_flight=4)
"""


def test_after_a_kill_no_task_is_lost_or_doubled(tmp_path, request):
    path = tmp_path / "a.jsonl"
    ran = subprocess.run([sys.executable, "-c", KILLED, str(path), str(request.path.parent)])
    kept = len(lines(path)) - 1
    model = Fails()
    results = done(path, model=model)
    assert (ran.returncode, 15 < kept < 25, model.asked) == (-9, True, 40 - kept)
    assert sorted(line["question"] for line in lines(path)[1:]) == sorted(task.text for task in TASKS)
    assert len(results.found) == 40


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


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"method": "ReAct", "model": "adder", "kind": "live"}\n', "holds results of .*ReAct.*not of .*Standard"),
        ('{"a": 1}\n', "holds results of"),
        ("no JSON\n", "holds a line that is no result"),
        ('{"method": "Standard", "model": "adder", "kind": "live"}\n{"b": 2}\n', "holds a line that is no result"),
    ],
)
def test_a_file_of_something_else_is_refused_and_stays_as_it_is(tmp_path, content, told):
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    with pytest.raises(DataError, match=told):
        done(path)
    assert path.read_text() == content


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path):
    model = Fails()
    for path in (tmp_path, tmp_path / "none" / "a.jsonl"):
        with pytest.raises(DataError, match="cannot be used"):
            done(path, model=model)
    assert model.asked == 0


def test_results_of_two_models_are_not_put_in_one_table(tmp_path):
    def other(context, stop=()):
        return adder(context)

    one, two = done(tmp_path / "a.jsonl"), done(tmp_path / "b.jsonl", model=other)
    assert len(table(one, one).rows) == 2
    with pytest.raises(DataError, match="one kind, one model and one sort of task"):
        table(one, two)
