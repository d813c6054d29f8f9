"""Evaluation of many tasks, many at once, on any executor; whatever stops it, the same call goes on.

A result is a line of a file, written when it comes. A task that failed, since a model, source or tool did, is not
wrong: it is counted apart, and tried again by the next call.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import astuple, dataclass
from html import escape
from itertools import islice
from operator import length_hint
from pathlib import Path
from queue import SimpleQueue
from typing import TextIO

from reactkit.errors import BudgetError, DataError, ModelError, SourceError, ToolError, expect
from reactkit.loop import METHOD, solve
from reactkit.measures import bootstrap, endings, right
from reactkit.metrics import f1
from reactkit.models import Model, kind_of, name_of
from reactkit.paper import Table
from reactkit.progress import Bar
from reactkit.prompts import Exemplars, Method
from reactkit.recordings import Journal, cleaned, digest
from reactkit.tasks import Task
from reactkit.tools import Environment, encyclopedia_tools
from reactkit.votes import spent

__all__ = ["Result", "Results", "evaluate", "table"]

FORM, WHOSE = "results 1", ("method", "model", "kind")
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

    `note` says what stopped the work, where something did.
    """

    method: str
    model: str | None
    kind: str
    found: tuple[Result, ...]
    note: str = ""

    @staticmethod
    def read(path: str | Path) -> "Results":
        """Return what the file of an evaluation holds by now, in the order in which it came; nobody is asked."""
        journal = Journal(path, form=FORM, by="evaluate")
        return Results(*map(journal.card.get, WHOSE), tuple(newest(journal).values()))

    @property
    def told(self) -> str:
        """What stands under the table: the note, and the first reason why a task failed."""
        failed = next((f"first failure: {one.error}" for one in self.found if one.error), "")
        return "\n".join(filter(None, (self.note, failed)))

    def __repr__(self) -> str:
        return "\n".join(filter(None, (repr(table(self)), self.told)))

    def _repr_html_(self) -> str:
        return table(self)._repr_html_() + (f"<p>{escape(self.told)}</p>" if self.told else "")


def evaluate(
    tasks: Iterable[Task], method: Method, model: Model, path: str | Path, *,
    environment: Callable[[], Environment] = encyclopedia_tools, shown: Exemplars | None = None,
    step_cap: int | None = None, executor: Executor | None = None, in_flight: int = 32, show: TextIO | None = None,
) -> Results:  # fmt: skip
    """Return the results of all tasks; the file at `path` keeps each as it comes, and what it has is not done again.

    Up to `in_flight` tasks are under way. They run in threads, where a few more wait, or on an `executor` of your own;
    one with other processes, as `dask.distributed.Client(...).get_executor()`, needs a model and an `environment` that
    can be pickled. A server can, and takes its key from the variable there. Each run gets a new `environment()`.

    Ctrl-C returns what there is. After a `BudgetError` no task is begun, and those under way are awaited; so they are
    after any other error that is not the world's, which then is raised. A file of another method, model, settings, step
    cap or exemplars is a `DataError`; so is one that another program writes to. The file does not tell environments
    apart: give each world a file of its own.
    """
    refuse_odd(method, environment, in_flight, step_cap)
    whose = dict(zip(WHOSE, (method.name, name_of(model), kind_of(model))))
    settings, prompts = getattr(model, "card", {}).get("settings", {}), shown and digest(shown.text(method))
    card = {"form": FORM, **whose, "settings": settings, "step_cap": step_cap, "prompts": prompts}
    journal = Journal(path, cleaned(card, model), FORM, "evaluate")
    journal.write()  # that nothing can be written there is better known now
    held, wanted = newest(journal), {}
    rest, bar = new(tasks, held, wanted), Bar(length_hint(tasks), 0, show or sys.stderr, unit="tasks", of="right")
    pool, how = executor or ThreadPoolExecutor(in_flight), (method, model, environment, shown, step_cap)
    most = in_flight if executor else in_flight + in_flight // 4  # some wait, so that no thread does
    try:
        error = kept((pool.submit(one, *each, *how) for each in rest), most, journal, held, wanted, bar)
    except KeyboardInterrupt as stopped:
        error = stopped
    finally:
        bar.show.write("\n" * (bar.pause < 1 and bar.width > 0))
        if executor is None:
            pool.shutdown(wait=False, cancel_futures=True)
    if error and not isinstance(error, BudgetError | KeyboardInterrupt):
        raise error
    note = f"stopped before all tasks were done ({error}); the same call goes on".replace(" ()", "") if error else ""
    deque(rest if length_hint(tasks) else (), 0)  # of tasks that were not drawn, too, it is told what is held
    return Results(**whose, found=tuple(held[name] for name in wanted if name in held), note=note)


def refuse_odd(method: object, environment: object, in_flight: int, step_cap: object) -> None:
    """Refuse, before a file is written, what `evaluate` would trip over later."""
    expect(Method, method, "evaluate(): the method", METHOD)
    expect(Callable, environment, "evaluate(): the environment", "what makes one for each run, as encyclopedia_tools")
    if in_flight < 1:
        raise DataError(f"evaluate(): in_flight is {in_flight}; give how many tasks may be under way, 1 or more")
    if step_cap is not None and (not isinstance(step_cap, int) or step_cap < 1):
        raise DataError(f"evaluate(): step_cap is {step_cap!r}; give how many steps a run may take, 1 or more, or None")


def kept(started: Iterator[Future], most: int, journal: Journal, held: dict, wanted: dict, bar: Bar):
    """Write and show what comes, with up to `most` under way; return the first error that is no result, and ends it."""
    came, under_way, error = SimpleQueue(), set(), None
    try:
        while True:
            for future in islice(started, 0 if error else most - len(under_way)):
                under_way.add(future)
                future.add_done_callback(came.put)
            if not under_way:
                return error
            done = [came.get(), *(came.get() for _ in range(came.qsize()))]
            under_way.difference_update(done)
            error = next(filter(None, map(Future.exception, done)), error)
            lines = [future.result() for future in done if not future.exception()]
            journal.write(*lines, sync=False)  # a busy disk would take longer than the model
            held.update((line["task"], Result(**line)) for line in lines)
            bar.pages += sum(line.get("right") == 1 for line in lines)
            bar(len(wanted) - len(under_way))
    finally:
        for future in under_way:
            future.cancel()


def newest(journal: Journal) -> dict[str, Result]:
    return {one.task: one for one in (Result(**line) for line in journal.lines)}


def new(tasks: Iterable[Task], held: dict[str, Result], wanted: dict) -> Iterator[tuple[Task, str]]:
    """Yield the tasks that have no result, each once, with their names; note all as `wanted`."""
    for task in [tasks] if isinstance(tasks, str) else tasks:
        expect(Task, task, "evaluate(): each of the tasks", "a list of them, as kit_questions(), or [Task(text, gold)]")
        expect(str, task.gold, f"evaluate(): the gold answer of {task.text!r:.80}", "Task(text, gold), to score by")
        name = digest(task.asks, task.text, task.gold)
        again = name not in wanted and (name not in held or bool(held[name].error))
        wanted[name] = True
        if again:
            yield task, name


def one(task: Task, name: str, method: Method, model: Model, environment, shown, step_cap) -> dict:
    """Return the fields of one result, made here or in another process; a failure of the world is one, too."""
    begun, found = time.monotonic(), {"task": name, "asks": task.asks, "question": task.text, "gold": task.gold}
    try:
        run = solve(task, method, model, environment(), shown, step_cap)
        scores = run.answer, right(task, run), f1(run.answer or "", task.gold), run.outcome, run.calls[-1].step
        found = dict(zip(Result.__slots__, (*found.values(), *scores, *astuple(spent([run]))[:3])))
    except (ModelError, SourceError, ToolError) as error:
        found["error"] = f"{type(error).__name__}: {error}"
    return cleaned(found, model) | {"seconds": round(time.monotonic() - begun, 3)}


def table(*results: Results) -> Table:
    """Return a row for each method, right by exact match or by label; of other kinds or models, a `DataError`."""
    told = {(each.kind, each.model, one.asks) for each in results for one in each.found}
    if len(told) > 1:
        raise DataError(f"one table is of one kind, one model and one sort of task, not of {sorted(map(str, told))}")
    kind, model, asks = next(iter(told), (results[0].kind, results[0].model, "task"))
    return Table(f"{kind} · {model}: {asks.lower()}s, with 95 % intervals", COLUMNS, tuple(map(row, results)))


def row(results: Results) -> tuple[str | float | None, ...]:
    done = [one for one in results.found if not one.error]
    asked = {"right": done, "f1": [one for one in done if one.asks != "Claim"]}
    scores = [str(bootstrap([getattr(one, of) for one in these])) if these else None for of, these in asked.items()]
    sums = [sum(getattr(one, of) for one in done) for of in ("calls", "tokens_read", "tokens_written", "seconds")]
    ended = endings(one.outcome for one in done)
    return results.method, len(done), *scores, *sums[:3], round(sums[3], 1), ended, len(results.found) - len(done)
