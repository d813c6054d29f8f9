"""Evaluation of many tasks, many at once, on any executor; whatever stops it, the same call goes on.

A result is a line of a file, written when it comes. A task that failed, since a server or a source did, is not wrong:
it is counted apart, and tried again by the next call.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from itertools import islice
from operator import length_hint
from pathlib import Path
from typing import TextIO

from reactkit.errors import DataError, ReactKitError
from reactkit.loop import solve
from reactkit.measures import bootstrap, endings, right
from reactkit.metrics import f1
from reactkit.models import Model, kind_of, name_of
from reactkit.paper import Table
from reactkit.progress import Bar
from reactkit.prompts import Exemplars, Method
from reactkit.recordings import digest
from reactkit.tasks import Task
from reactkit.tools import Environment, encyclopedia_tools
from reactkit.votes import spent

__all__ = ["Result", "Results", "evaluate", "table"]

COLUMNS = "method", "n", "right in %", "F1 in %", "calls", "tokens read", "written", "seconds", "outcomes", "failed"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one task: its answer and score, or the `error` that kept it from one. Scores are 0 to 1."""

    task: str
    asks: str
    question: str
    gold: str
    answer: str | None = None
    right: float = 0.0
    f1: float = 0.0
    outcome: str = "failed"
    steps: int = 0
    calls: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Results:
    """The results of one method with one model, in the order of the tasks; it shows itself as a table.

    `note` says how many tasks are missing, where the work was stopped.
    """

    method: str
    model: str | None
    kind: str
    found: tuple[Result, ...]
    note: str = ""

    def __repr__(self) -> str:
        return repr(table(self)) + (f"\n{self.note}" if self.note else "")

    def _repr_html_(self) -> str:
        return table(self)._repr_html_() + (f"<p>{self.note}</p>" if self.note else "")


def evaluate(
    tasks: Iterable[Task], method: Method, model: Model, path: str | Path, *,
    environment: Callable[[], Environment] = encyclopedia_tools, shown: Exemplars | None = None,
    step_cap: int | None = None, executor: Executor | None = None, in_flight: int = 32, show: TextIO | None = None,
) -> Results:  # fmt: skip
    """Return the results of all tasks; the file at `path` keeps each as it comes, and what it has is not done again.

    Up to `in_flight` tasks are under way, and no more are drawn from `tasks`. They run in threads, or on an `executor`
    of your own; one with other processes needs a model and an `environment` that can be pickled, as with
    `dask.distributed.Client(...).get_executor()`. Each run gets a new `environment()`. Ctrl-C returns what there is. A
    file of another method or model is a `DataError`.
    """
    head = {"method": method.name, "model": name_of(model), "kind": kind_of(model)}
    held, wanted = read(Path(path), head), {}
    bar = Bar(length_hint(tasks), 0, show or sys.stderr, unit="tasks", of="right")
    pool, how, note = executor or ThreadPoolExecutor(in_flight), (method, model, environment, shown, step_cap), ""
    started = (pool.submit(one, task, name, *how) for name, task in new(tasks, held, wanted))
    try:
        with open(path, "a", encoding="utf-8") as file:
            for result in coming(started, in_flight):
                held[result.task] = result
                file.write(f"{json.dumps(asdict(result), ensure_ascii=False)}\n")
                file.flush()
                bar.pages += result.right == 1
                bar(len(held))
    except KeyboardInterrupt:
        note = "stopped before all tasks were done; the same call goes on"
    finally:
        if executor is None:
            pool.shutdown(wait=False, cancel_futures=True)
    found = tuple(held[name] for name in wanted if name in held)
    return Results(**head, found=found, note=note)


def new(tasks: Iterable[Task], held: dict[str, Result], wanted: dict) -> Iterator[tuple[str, Task]]:
    """Yield the tasks that have no result, each once, with their names; note all as `wanted`."""
    for task in tasks:
        name = digest(task.asks, task.text, task.gold)
        again = name not in wanted and (name not in held or bool(held[name].error))
        wanted[name] = True
        if again:
            yield name, task


def coming(started: Iterator[Future], most: int) -> Iterator[Result]:
    """Yield results as they come, with at most so many under way."""
    under_way = {*islice(started, most)}
    try:
        while under_way:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            under_way |= {*islice(started, len(done))}
            yield from (future.result() for future in done)
    finally:
        for future in under_way:
            future.cancel()


def one(task: Task, name: str, method: Method, model: Model, environment, shown, step_cap) -> Result:
    """Return the result of one task, here or in another process; a failure of the world is one, too."""
    begun, about = time.monotonic(), {"task": name, "asks": task.asks, "question": task.text, "gold": task.gold}
    try:
        run = solve(task, method, model, environment(), shown, step_cap)
    except ReactKitError as error:
        return Result(**about, error=f"{type(error).__name__}: {error}", seconds=round(time.monotonic() - begun, 3))
    cost, overlap = spent([run]), f1(run.answer or "", task.gold)
    scores = run.answer, right(task, run), overlap, run.outcome, run.calls[-1].step
    return Result(
        *about.values(), *scores, cost.calls, cost.tokens_read, cost.tokens_written, round(time.monotonic() - begun, 3)
    )


def read(path: Path, head: dict) -> dict[str, Result]:
    """Return the results in a file by task, once its first line says that they are of this `head`; half a line goes."""
    try:
        data = path.read_bytes() if path.exists() else b""
        *lines, half = data.split(b"\n")
        if lines and json.loads(lines[0]) != head:
            raise DataError(
                f"{path} holds results of {lines[0].decode()}, not of {json.dumps(head)}; give another file"
            )
        if half or not lines:
            path.write_bytes(data[: len(data) - len(half)] if lines else f"{json.dumps(head)}\n".encode())
        found = [Result(**json.loads(line)) for line in lines[1:]]
    except OSError as error:
        raise DataError(f"{path} cannot be used ({error.strerror}); check the path") from error
    except (ValueError, TypeError) as error:
        raise DataError(f"{path} holds a line that is no result ({error}); give another file") from error
    return {result.task: result for result in found}


def table(*results: Results) -> Table:
    """Return a row for each method, right by exact match or by label; of other kinds or models, a `DataError`."""
    told = {(each.kind, each.model, one.asks) for each in results for one in each.found}
    if len(told) > 1:
        raise DataError(f"one table is of one kind, one model and one sort of task, not of {sorted(map(str, told))}")
    kind, model, asks = next(iter(told), (results[0].kind, results[0].model, "task"))
    return Table(f"{kind} · {model}: {asks.lower()}s, with 95 % intervals", COLUMNS, tuple(map(row, results)))


def row(results: Results) -> tuple[str | float | None, ...]:
    done = [one for one in results.found if not one.error]
    scores = [str(bootstrap([getattr(one, of) for one in done])) if done else None for of in ("right", "f1")]
    sums = [sum(getattr(one, of) for one in done) for of in ("calls", "tokens_read", "tokens_written", "seconds")]
    ended = endings(one.outcome for one in done)
    return results.method, len(done), *scores, *sums[:3], round(sums[3], 1), ended, len(results.found) - len(done)
