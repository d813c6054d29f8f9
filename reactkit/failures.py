"""What kind of wrong: recorded runs labelled by reading them, by the modes of the paper's Table 2, and automatic hints.

The failure modes stand in the order to ask in; the first that fits is it. Standard has none: its runs never say why.
Hints are scored against the labels and never make one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from reactkit.encyclopedia import TEXTS
from reactkit.errors import DataError
from reactkit.guards import Repeats, Ungrounded
from reactkit.laboratory import ACTING, FOLDER, recorded_runs
from reactkit.marks import counted
from reactkit.measures import bootstrap, right
from reactkit.paper import Table, number, table
from reactkit.plots import APART, METHOD_LOOKS, Chart, draw_kinds, share
from reactkit.prompts import REACT
from reactkit.recordings import digest
from reactkit.runs import Run
from reactkit.shipped import shipped
from reactkit.tasks import Task

__all__ = [
    "HINTS", "MODES", "Label", "hint_scores", "hints", "labels", "modes_of", "own_table_2", "written_in",
]  # fmt: skip

MODES = {  # the rows of the paper's Table 2
    "success, true positive": "The answer is right, each stated fact is true, and the answer follows from them.",
    "success, false positive": "The answer is right, but something stated is made up, or the answer does not follow.",
    "failure, label ambiguity": "The answer is right, and what it rests on is true; only the label says it otherwise.",
    "failure, search result error": "It asked for what it needed, got nothing or nothing of use, and failed for that.",
    "failure, reasoning error": "Were all that it states true, it would still be wrong; or it misses what it saw.",
    "failure, hallucination": "It would be right if what it states were true, and that stands on no page.",
}
HINTS = {  # and the mode that each points to
    "repeat": "failure, reasoning error",
    "no answer": "failure, reasoning error",
    "empty search": "failure, search result error",
    "ungrounded": "failure, hallucination",
}
FIELDS = ("model", "method", "task", "replies", "mode", "reason", "by")
MISSES = tuple(TEXTS[name][0].partition("{")[0] for name in ("missing", "no page", "no hit", "no more"))


@dataclass(frozen=True, slots=True)
class Label:
    """What somebody who read a recorded run took it for: a key of `MODES`, the reason, and who it was."""

    task: Task
    run: Run
    mode: str
    reason: str
    by: str


def modes_of(method: str) -> tuple[str, ...]:
    """Return the modes that can be seen in runs of a method, such as "CoT", in the order to ask in."""
    return tuple(mode for mode in MODES if method in ACTING or method == "CoT" and "search" not in mode)


def labels(entries: Sequence[Mapping] = (), folder: str | Path = FOLDER) -> tuple[Label, ...]:
    """Return the labels in data/failures.json, or these, with their runs; one that fits no run is a `DataError`."""
    return tuple(labelled(entry, folder) for entry in entries or shipped("failures.json"))


def labelled(entry: Mapping, folder: str | Path) -> Label:
    where = f"data/failures.json, {entry.get('method')} on {entry.get('task')}"
    if set(entry) != {*FIELDS} or not all(str(text).strip() for text in entry.values()):
        raise DataError(f"{where}: a label has {', '.join(FIELDS)}, and none of them is empty")
    model, method, name, replies, mode, *told = (entry[field] for field in FIELDS)
    if mode not in (seen := modes_of(method)):
        raise DataError(f"{where}: {mode!r} cannot be seen in such a run; its modes: {'; '.join(seen) or 'none'}")
    for task, runs in recorded_runs(model, method, folder).items():
        for run in (run for run in runs if task.name == name and written_in(run) == replies):
            if right(task, run) != mode.startswith("success"):
                raise DataError(f"{where}: {mode!r} does not go with how the answer {run.answer!r} is scored")
            return Label(task, run, mode, *told)
    raise DataError(f"{where}: no recorded run of {model} has these replies; read the run and label it anew")


def written_in(run: Run) -> str:
    """Return 16 digits that stand for all that the model wrote: a label is for these words and no others."""
    return digest([str(call.reply) for call in run.calls])[:16]


def hints(run: Run) -> frozenset[str]:
    """Return which of `HINTS` a program raises on a run; where nothing was observed, an answer is ungrounded.

    A "repeat" is a call made before with the same observation, as `guards.Repeats` tells it, whatever was thought. In
    the paper's loop thoughts come again, too; but the same thought in other words is for a reader to see.
    """
    raised = {
        "repeat": any(Repeats()(replace(run, calls=run.calls[: call.step])) for call in run.calls),
        "no answer": run.answer is None,
        "empty search": any(line.text.startswith(MISSES) for line in run.trajectory.by("environment")),
        "ungrounded": Ungrounded()(replace(run, method=REACT)) is not None,
    }
    return frozenset(hint for hint, noticed in raised.items() if noticed)


def hint_scores(model: str, read: Sequence[Label] = ()) -> Table:
    """Return, in %, how often a hint on a wrong run means the mode it points to, and how many of that mode have it."""
    read = [one for one in of_model(model, read) if one.mode.startswith("failure")]
    wrong, rows = [(one, hints(one.run)) for one in read], []
    can = ((hint, way) for hint in HINTS for way in METHOD_LOOKS if HINTS[hint] in modes_of(way))
    for hint, way in (pair for pair in can if pair[0] != "repeat" or pair[1] in ACTING):
        runs = [(hint in noticed, one.mode == HINTS[hint]) for one, noticed in wrong if one.run.method.name == way]
        flagged, meant = [of for has, of in runs if has], [has for has, of in runs if of]
        scores = (str(bootstrap(values)) if values else None for values in (flagged, meant))
        if runs:
            rows.append((f"{hint}, {way}", HINTS[hint], len(runs), len(flagged), len(meant), *scores))
    columns = ("hint", "points to", "wrong runs", "with the hint", "of the mode", "precision in %", "recall in %")
    title = f"recorded · {model}: {counted(len(read), 'labelled wrong run')}, with 95 % intervals"
    return Table(title, columns, tuple(rows))


def of_model(model: str, read: Sequence[Label]) -> list[Label]:
    """Return the labels of a model's runs; where there are none, a `DataError` names the models that have some."""
    found = [one for one in read or labels() if one.run.trajectory.model == model]
    if not found:
        there = sorted({str(one.run.trajectory.model) for one in read or labels()})
        raise DataError(f"no run of {model!r} is labelled; labelled are runs of {' and '.join(there)}")
    return found


def own_table_2(model: str, read: Sequence[Label] = ()) -> Chart:
    """Return the kit's own Table 2, in %: a model's labelled runs on the kit's questions, and what the paper has."""
    read = [one for one in of_model(model, read) if one.task.asks == "Question"]
    paper, pairs = table("Table 2"), [(one.run.method.name, one.mode) for one in read]
    runs = Counter((name, mode.split(",")[0]) for name, mode in pairs)
    methods = [name for name in paper.columns[1:] if runs[name, "success"] and runs[name, "failure"]]
    columns, rows, wide = (*methods, *(f"{APART}{name}" for name in paper.columns[1:])), [], 0.0
    for kind, *printed in paper.rows:
        half = kind.split(",")[0]
        alike = ([mode == kind for way, mode in pairs if way == name and mode.startswith(half)] for name in methods)
        own = [bootstrap([*map(float, those)]) for those in alike]  # of right runs, or of wrong ones
        wide = max(wide, *(max(one.high - one.mean, one.mean - one.low) for one in own), 0.0)
        rows.append((kind, *(one.mean if kind in modes_of(way) else None for way, one in zip(methods, own)), *printed))
    counts = [" and ".join(f"{runs[name, half]} {name}" for name in methods) for half in ("success", "failure")]
    titles = [f"Of {count} runs, {name}" for count, name in zip(counts, ("right", "wrong"))]
    caption = f"recorded · {model}, the kit's questions, labelled by {' and '.join(sorted({one.by for one in read}))}: "
    caption += f"{counts[0]} runs that are right, {counts[1]} that are wrong; a 95 % interval reaches up to {wide:.0f} "
    caption += "points from a share. In brackets: PaLM-540B on HotpotQA, labelled by people (printed in the paper, "
    caption += f"{number('table 2 sample/ReAct/failure').source()})."
    told = "; ".join(f"{kind}: {', '.join(map('{} {}'.format, columns, map(share, cells)))}" for kind, *cells in rows)
    twin = Table(f"Kinds of answers, in %: {model}", ("kind", *columns), tuple(rows))
    return Chart(twin, caption, f"Bar chart in two panels. {told}.", partial(draw_kinds, titles=titles), (8, 7.5))
