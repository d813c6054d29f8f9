"""Scores with intervals: what runs come to, what sets two methods apart, what more samples bring.

Intervals are bootstrapped: 95 % of the means of 2,000 draws of as many tasks lie in one. Two made-up tasks, of the
lowest score and of the highest, are drawn from too, so that 5 right of 5 is not taken for certain.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from random import Random
from typing import NamedTuple

from reactkit.errors import DataError
from reactkit.metrics import f1
from reactkit.paper import Table
from reactkit.runs import Run
from reactkit.tasks import Task
from reactkit.votes import Verdict, ballot, spent, vote

__all__ = ["Estimate", "bootstrap", "difference", "endings", "matched", "measure", "right", "sampled"]

DRAWS, SUBSETS = 2000, 100
COLUMNS = ("method", "n", "right in %", "F1 in %", "calls", "tokens read", "written", "steps a task", "outcomes")
ByTask = Mapping[Task, Run | Verdict]


class Estimate(NamedTuple):
    """A mean and the ends of its 95 % interval, in %, to one decimal; a tuple, since it is a table's cells."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean} ({self.low} to {self.high})"


def measure(*results: ByTask) -> Table:
    """Return a row for each method's runs or verdicts by task: right by exact match, or by a claim's label."""
    badge, asks = sole(*results)
    rows = tuple(cells(one, asks) for one in results)
    return Table(f"{badge}: {asks.lower()}s, with 95 % intervals", COLUMNS, rows)


def cells(results: ByTask, asks: str) -> tuple[str | float | None, ...]:
    (name,), runs = {one.method.name for one in results.values()}, [run for _, run in behind(results)]
    overlap = [f1(one.answer or "", task.gold) for task, one in results.items() if asks == "Question"]
    scores = str(bootstrap([right(*pair) for pair in results.items()])), str(bootstrap(overlap)) if overlap else None
    steps, cost = sum(run.calls[-1].step for run in runs) / len(results), spent(runs)
    counts = cost.calls, cost.tokens_read, cost.tokens_written, round(steps, 2)
    return name, len(results), *scores, *counts, endings(one.outcome for one in results.values())


def endings(outcomes: Iterable[str]) -> str:
    """Return how often each outcome came, in words."""
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(Counter(outcomes).items()))


def right(task: Task, result: Run | Verdict) -> float:
    """Return 1.0 for an answer that the official scorer takes for right, else 0.0; a task needs a gold answer."""
    if not task.gold:
        raise DataError(f"the task {task.text!r:.80} has no gold answer; nothing can be scored against it")
    matched(task, result)
    return float(result.answer is not None and ballot(result.answer, task.asks) == ballot(task.gold, task.asks))


def matched(task: Task, result: Run | Verdict) -> None:
    """Refuse, with a `DataError`, a run that stands beside a task but is on another."""
    for run in getattr(result, "runs", (result,)):
        if (asked := run.trajectory.lines[0].text) != task.text:
            told = f"the task {task.text!r:.80} stands beside the run of another one, {asked!r:.80}"
            raise DataError(f"{told}; give each task the runs that solve(task, ...) returned for it")


def bootstrap(values: Sequence[float], lowest: float = 0.0, seed: int = 0) -> Estimate:
    """Return the mean of values from `lowest` to 1.0, one a task, and its interval; the same each time."""
    chance, size = Random(seed), len(values)
    means = sorted(fsum(chance.choices([*values, lowest, 1.0], k=size)) / size for _ in range(DRAWS))
    ends = means[DRAWS // 40], means[-1 - DRAWS // 40]
    return Estimate(*(round(100 * mean, 1) + 0.0 for mean in (fsum(values) / size, *ends)))


def difference(first: ByTask, second: ByTask) -> Estimate:
    """Return by how much the first method is right more often, in points; an interval with 0 in it settles nothing."""
    sole(first, second)
    if first.keys() != second.keys():
        raise DataError("two methods are compared on the same tasks; measure both on all of them")
    return bootstrap([right(task, result) - right(task, second[task]) for task, result in first.items()], -1.0)


def sampled(samples: Mapping[Task, Sequence[Run]], size: int, settle: Callable = lambda task, voted: voted) -> Estimate:
    """Return how often what comes of a vote over `size` of each task's samples is right, a mean over 100 drawings."""
    chance, means = Random(size), []
    for task, runs in samples.items():
        drawn = [sorted(chance.sample(range(len(runs)), size)) for _ in range(SUBSETS)]
        means.append(fsum(right(task, settle(task, vote(runs[at] for at in places))) for places in drawn) / SUBSETS)
    return bootstrap(means)


def sole(*results: ByTask) -> tuple[str, str]:
    """Return the badge and the word for a task that all results share; each is of one method."""
    told = {(run.trajectory.badge, task.asks) for one in results for task, run in behind(one)}
    mixed = [f"{badge}, {asks.lower()}s" for badge, asks in sorted(told) if len(told) > 1]
    for one in results:
        names = sorted({result.method.name for result in one.values()})
        mixed += [" and ".join(names) or "no task"] * (len(names) != 1)
    if mixed or not told:
        what = "; ".join(mixed) or "nothing"
        raise DataError(f"a row is of one method, model, kind and sort of task, not of {what}. Measure them apart")
    return told.pop()


def behind(results: ByTask) -> list[tuple[Task, Run]]:
    return [(task, run) for task, one in results.items() for run in getattr(one, "runs", (one,))]
