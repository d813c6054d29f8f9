"""What runs may cost, before anything is asked, and a model that is not asked beyond a limit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, groupby
from math import inf
from threading import Lock

from reactkit.errors import BudgetError, DataError
from reactkit.loop import passes
from reactkit.models import Model, kind_of, name_of
from reactkit.prompts import Exemplars, Method, context, exemplars
from reactkit.tasks import Task
from reactkit.trajectory import Line, Trajectory, label_of

__all__ = ["Capped", "Cost", "dry_run", "estimate"]

Price = tuple[float, float]  # of a million tokens read, and of a million written


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls of a model, the tokens that it reads and writes, and their price."""

    calls: int = 0
    tokens_read: int = 0
    tokens_written: int = 0
    price: float = 0.0

    def plus(self, read: int, written: int, price: Price, calls: int = 1) -> "Cost":
        """Return this and `calls` more, with the tokens that they read and write, at the `price` of a million."""
        more = (read * price[0] + written * price[1]) / 1e6
        return Cost(self.calls + calls, self.tokens_read + read, self.tokens_written + written, self.price + more)


def estimate(tasks: Iterable[Task | str], method: Method, samples: int = 1, price: Price = (0.0, 0.0), **how) -> Cost:
    """Return what runs of the tasks may come to, each task `samples` times, by a `dry_run` of each; nobody is asked.

    Tokens are estimated at 4 characters each. A model that misses the format is asked up to twice as often. Fewer than
    one sample is a `DataError`.
    """
    if samples < 1:
        raise DataError(f"estimate(): samples is {samples}; give how often each task is asked, 1 or more")
    one = isinstance(tasks, str | Task)
    calls = [call for task in ([tasks] if one else tasks) for call in dry_run(task, method, **how)]
    read, written = (samples * sum(len(call[side]) // 4 for call in calls) for side in (0, 1))
    return Cost().plus(read, written, price, samples * len(calls))


def dry_run(task: Task | str, method: Method, shown: Exemplars | None = None, step_cap: int | None = None) -> list:
    """Return each context and reply of a run that takes all its steps; those of the exemplars stand in for new ones."""
    task = task if isinstance(task, Task) else Task(task)
    shown = exemplars(task.asks) if shown is None else shown
    examples = [one.keep(*method.roles[1:]) for one in shown.trajectories or exemplars(task.asks).trajectories]
    steps = [[*lines] for one in examples for _, lines in groupby(one, lambda line: line.step)]
    steps = cycle(lines for lines in steps if lines[-1].role in ("observation", "answer"))  # not those that finish
    calls, so_far = [], Trajectory((Line("question", task.text),), asks=task.asks)
    for step, lines in zip(range(1, passes(task, method, step_cap) + 1), steps):
        read = context(method, shown, so_far, label_of(method.cue, step if method.acts else None))
        calls.append((read, "\n".join(line.prompt_text() for line in lines if line.role != "observation")))
        so_far += [Line(line.role, line.text, step=step) for line in lines]
    return calls


class Capped:
    """A model that asks `model` unless one more call might pass a limit: that is a `BudgetError`.

    All runs and threads share the limits; `guards.Budget` ends one run, after it passed. Before a call its context
    counts 3 characters a token, its reply the `max_tokens` of the settings: the calls under way may pass a limit where
    a text has more tokens, or none are set. What is on file in `record(Capped(...), path)` costs nothing.
    """

    def __init__(self, model: Model, per_million=(0.0, 0.0), calls=inf, tokens_read=inf, tokens_written=inf, price=inf):
        if not all(limit >= 0 for limit in (calls, tokens_read, tokens_written, price)):  # nan is below no number
            raise DataError("a limit of Capped(...) is 0 or more, so that it can be reached")
        if price != inf and not any(per_million):
            raise DataError("a limit in price needs per_million=(read, written), the prices of a million tokens")
        self.model, self.kind, self.name = model, kind_of(model), name_of(model)
        self.card, self.scrubbed, self.lock = getattr(model, "card", {}), getattr(model, "scrubbed", str), Lock()
        self.limits, self.per_million, self.used = Cost(calls, tokens_read, tokens_written, price), per_million, Cost()

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the model's reply, unless this call might pass a limit."""
        most = len(context) // 3, self.card.get("settings", {}).get("max_tokens") or 0
        with self.lock:
            after = self.used.plus(*most, self.per_million)
            for name in [name for name in Cost.__slots__ if getattr(after, name) > getattr(self.limits, name)]:
                raise BudgetError(f"one more call might pass {name}={getattr(self.limits, name)}; so far: {self.used}")
            self.used = after
        reply = self.model(context, stop)
        read = getattr(reply, "tokens_read", None) or len(context) // 4
        written = getattr(reply, "tokens_written", None) or len(reply) // 4
        with self.lock:
            self.used = self.used.plus(read - most[0], written - most[1], self.per_million, 0)
        return reply
