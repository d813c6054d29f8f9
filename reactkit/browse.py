"""The run browser: every run a row, to sort, to filter and to open line by line; made for thousands.

The page holds the rows of the first runs as a plain table, which needs no script. All runs travel beside it, packed,
and the script lays out a hundred rows at a time and builds the view of a run when you open it.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import compress

from reactkit.errors import DataError
from reactkit.foresee import dressed
from reactkit.marks import KIND_MEANINGS, badge, counted, exact, static
from reactkit.measures import ByTask, matched, right
from reactkit.paper import Table, printed
from reactkit.tasks import Task
from reactkit.views import TraceView, section, side_by_side, stepper
from reactkit.votes import spent

if TYPE_CHECKING:
    from reactkit.runs import Run

__all__ = ["RunBrowser", "browse"]

COLUMNS = ("question", "method", "answer", "right", "outcome", "steps", "calls", "tokens", "kind and model")
NUMBERS = ("steps", "calls", "tokens")
LISTED, MOST = 300, 2_000_000  # rows without script; characters of all runs, packed
COUNTED = "Tokens are those read and written together, as the server counted, or 4 characters each."
TOO_MANY = "JupyterLab takes no more than 3 MB from a cell: give browse() fewer runs to see the others"
NO_LINES = "<p>Of this run only the result was kept, not its lines.</p>"


@dataclass(frozen=True, slots=True, repr=False)
class RunBrowser(TraceView):
    """A table of runs; `packed` is each run's cells, its row and its view: deflated JSON in base64."""

    packed: str = ""

    @property
    def html(self) -> str:
        """The markup with its styles, its script and all runs: all that a page needs, without network."""
        return dressed(self.markup, "browse", f'"{self.packed}", () => {{\n{static("stepper.js")}\n}}')


def browse(*results: "ByTask | Mapping[Task, Iterable[Run]]", name: str = "Runs", most: int = MOST) -> RunBrowser:
    """Return a table of all runs in these results, of whatever kinds, to sort, filter and open; a row says its own.

    A result is one method's `Run` or `Verdict` by task, or several runs by task, as `laboratory.recorded_runs` gives
    them. What `evaluation.evaluate` returns has rows too, but no lines to open. `name` is the name of the table,
    and `most` how many characters all runs may take, packed: of more, it has the first, and says so.
    """
    if odd := [one for one in results if not (isinstance(one, Mapping) or hasattr(one, "found"))]:
        raise DataError(f"browse() takes runs by task, as {{task: run}}, not {type(odd[0]).__name__}")
    runs = [run for one in results for run in runs_of(one)]
    kept, packed = pack(runs, most)
    listed = runs[: min(kept, LISTED)]
    counts = f"{name}: {f'the first {kept:,} of ' * (kept < len(runs))}{counted(len(runs), 'run')}"
    title = f"{counts}, {len(listed)} of them listed here" if kept > len(listed) else counts
    kinds = {cells[-1].split(" · ")[0] for cells, _ in runs[:kept]}
    notes = [f"{kind}: {KIND_MEANINGS[kind]}." for kind in KIND_MEANINGS if kind in kinds]
    notes = [*[f"{TOO_MANY}."][: kept < len(runs)], *notes, COUNTED]
    text = Table(title, COLUMNS, tuple(tuple(cut(cell, 60) for cell in cells) for cells, _ in listed))
    return RunBrowser(table_html(name, title, notes, listed), "\n".join([repr(text), *notes]), packed=packed)


def runs_of(one) -> Iterator[tuple[tuple, str]]:
    """Yield the cells and the view of each run in a result."""
    for each in getattr(one, "found", ()):
        tokens, scored = each.tokens_read + each.tokens_written, not each.error and bool(each.gold)
        told = each.answer, ("no", "yes")[each.right == 1] if scored else None, each.outcome, each.steps, each.calls
        yield (each.question, one.method, *told, tokens, badge(one.kind, one.model)), section(each.question, NO_LINES)
    for task, came in one.items() if isinstance(one, Mapping) else ():
        for result in came if isinstance(came, (tuple, list)) else (came,):
            yield cells_of(task, result), view_of(result)


def cells_of(task: Task, result) -> tuple:
    """Return what the table says of one run, or of a verdict and all the runs behind it."""
    matched(task, result)
    runs = getattr(result, "runs", (result,))
    cost, steps = spent(runs), sum(max((call.step for call in run.calls), default=0) for run in runs)
    verdict = ("no", "yes")[right(task, result) == 1] if task.gold else None
    told = task.text, result.method.name, result.answer, verdict, result.outcome
    return *told, steps, cost.calls, cost.tokens_read + cost.tokens_written, runs[0].trajectory.badge


def view_of(result) -> str:
    runs = getattr(result, "runs", None)
    named = {f"Run {number} of {len(runs)}": run for number, run in enumerate(runs or (), 1)}
    return side_by_side(named, result.method.name).markup if runs else stepper(result).markup


def pack(runs: list, most: int) -> tuple[int, str]:
    """Return how many of the runs fit into one cell's output, and these, packed."""
    packed = b64encode(compress(json.dumps([[cells, row_html(cells), view] for cells, view in runs]).encode()))
    if len(packed) <= most:
        return len(runs), packed.decode()
    return pack(runs[: len(runs) * most // len(packed)], most)


def cut(cell: str | int | None, most: int) -> str | int | None:
    """Return a cell in one row, cut where it is long: the run itself, once opened, is shown whole."""
    text = " ".join(cell.split()) if isinstance(cell, str) else cell
    return f"{text[:most]}… ({len(cell):,} characters)" if isinstance(cell, str) and len(text) > most else text


def row_html(cells: tuple) -> str:
    first, *others = (exact(printed(cut(cell, 160))) for cell in cells)
    tds = "".join(f"<td{mark(name)}>{cell}</td>" for name, cell in zip(COLUMNS[1:], others))
    return f'<tr><th scope="row">{first}</th>{tds}</tr>'


def mark(name: str) -> str:
    return ' class="rk-number"' if name in NUMBERS else ""


def table_html(name: str, title: str, notes: list[str], listed: list) -> str:
    head = "".join(f'<th scope="col"{mark(name)}>{name}</th>' for name in COLUMNS)
    body = "".join(row_html(cells) for cells, _ in listed)
    table = f"<table><caption>{exact(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    notes = "".join(f"<p>{exact(note)}</p>" for note in notes)
    return section(name, f'<div class="rk-runs">{table}</div><div class="rk-notes">{notes}</div>')
