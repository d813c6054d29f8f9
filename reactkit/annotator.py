"""Label runs by keyboard with the kinds of right and wrong of the paper's Table 2, then compare and chart the labels.

The browser keeps the labels by itself, so that a busy kernel does not stop it; anywidget lets Python hear of them.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from anywidget import AnyWidget
from traitlets import List, Unicode

from reactkit.agreement import Agreement, beside_table_2, kappa
from reactkit.errors import DataError
from reactkit.marks import counted, static, style
from reactkit.measures import matched, right
from reactkit.paper import Table
from reactkit.plots import Chart
from reactkit.recordings import digest
from reactkit.runs import Run
from reactkit.tasks import Task
from reactkit.views import stepper

__all__ = ["Annotations"]

FORM, FIELDS = "reactkit labels 1", ("label", "note", "of")


class Panel(AnyWidget):
    """What the browser shows, and `moves`, each change so far, which the browser and Python both write."""

    _esm = static("annotator.js")
    _css = style("annotator")[len("<style>") : -len("</style>")]
    form, traces, modes, moves = (kind().tag(sync=True) for kind in (Unicode, List, List, List))


class Annotations:
    """Labels and notes for runs, by name; Jupyter shows a panel to read and label them in.

    `cases` are the runs with their tasks, `modes` the labels with their meanings. With a `path`, the labels that stand
    there are read first, and each change is saved there, so that they outlive the kernel and Run All. Once something
    else has changed that file, nothing is saved there any more.
    """

    def __init__(self, cases: Mapping[str, tuple[Task, Run]], modes: Mapping[str, str], path: str | Path | None = None):
        if not cases:
            raise DataError("there is no trace to label; give runs with their tasks, as {'first': (task, run)}")
        self.cases, self.modes, self.path, self.kept = dict(cases), dict(modes), path, None
        self.known = {name: digest(str(run.trajectory)) for name, (_, run) in cases.items()}
        self.about = " and ".join(sorted({run.trajectory.badge for _, run in cases.values()}))
        traces = [{"name": name, "of": self.known[name], **shown(name, *case)} for name, case in cases.items()]
        self.panel = Panel(form=FORM, traces=traces, modes=[list(mode) for mode in modes.items()])
        if path and Path(path).exists():
            self.read(path)
        self.panel.observe(self.changed, "moves")
        self.panel.on_msg(self.imported)

    @property
    def marks(self) -> dict[str, tuple[str, str]]:
        """Label and note of each run that has one of them; the other may be an empty text."""
        last = {name: tuple(mark) for move in self.panel.moves for name, mark in move.items()}
        return {name: last[name] for name in self.cases if any(last.get(name, ()))}

    @property
    def labels(self) -> dict[str, str]:
        """The label of each run that has one, by the run's name."""
        return {name: label for name, (label, _) in self.marks.items() if label}

    def label(self, which: int | str, mode: str | None = None, note: str | None = None) -> None:
        """Label a run, which is named or counted from 1; "failure, " may be left out, and what is None stays."""
        name = dict(enumerate(self.cases, 1)).get(which, which)
        fitting = [known for known in self.modes if mode in (None, known, known.partition(", ")[2])]
        if name not in self.cases or not fitting:
            there = f"there are traces 1 to {len(self.cases)}, and the labels {'; '.join(self.modes)}"
            raise DataError(f"trace {which!r} cannot be labelled {mode!r}: {there}")
        label, old = self.marks.get(name, ("", ""))
        mark = [fitting[0] if mode else label, old if note is None else note]
        self.panel.moves = [*self.panel.moves, {name: mark}]

    def undo(self) -> None:
        """Take the last change back, whether it was made here or in the panel."""
        self.panel.moves = self.panel.moves[:-1]

    def save(self, path: str | Path) -> None:
        """Write labels and notes as JSON; a file that is there already must hold labels of these traces."""
        rows = {name: dict(zip(FIELDS, (*mark, self.known[name]))) for name, mark in self.marks.items()}
        text, fresh = json.dumps({"form": FORM, "labels": rows}, ensure_ascii=False, indent=1), Path(f"{path}.new")
        if Path(path).exists():
            self.parsed(path)
            self.refuse_foreign(Path(path))
        try:
            fresh.write_text(f"{text}\n", encoding="utf-8")
            fresh.replace(path)  # whole or not at all
            self.seen(path)
        except OSError as error:
            raise DataError(f"{path} cannot be written ({error.strerror}); nothing is lost, save elsewhere") from error

    def read(self, path: str | Path, text: str | None = None) -> None:
        """Take what a file, or its `text`, holds for yours; undo brings yours back, and a bad file changes nothing."""
        marks = self.parsed(path, text)
        if text is None:
            self.seen(path)
        self.panel.moves = [*self.panel.moves, marks]

    def parsed(self, path: str | Path, text: str | None = None) -> dict[str, list[str]]:
        """Return label and note of every run; a file of another form, or of other runs, is a `DataError`."""
        try:
            found = json.loads(Path(path).read_text(encoding="utf-8") if text is None else text)
            rows = {name: [row["label"], str(row["note"]), row["of"]] for name, row in found["labels"].items()}
            fits = [of == self.known.get(name) and label in ("", *self.modes) for name, (label, _, of) in rows.items()]
            if found["form"] != FORM or not all(fits):
                raise ValueError("it has another form, other traces or other labels")
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise DataError(f"{path} does not hold labels of these traces ({error}); nothing was changed") from error
        return {name: rows.get(name, ["", ""])[:2] for name in self.cases}

    def agreement(self, other: Mapping[str, str] | str | Path, reader: str = "the key") -> Agreement:
        """Return how far your labels agree with a key, by name of the run, or with a neighbour's file."""
        if not isinstance(other, Mapping):
            other = {name: label for name, (label, _) in self.parsed(other).items() if label}
        return kappa(self.labels, other, ("you", reader), [*self.modes], self.about)

    def chart(self, method: str = "ReAct") -> Chart:
        """Return the shares of your labels for the runs of a method beside the paper's."""
        mine = {name: label for name, label in self.labels.items() if self.cases[name][1].method.name == method}
        return beside_table_2(mine, method, self.about)

    def table(self) -> Table:
        """Return every run with its label and note."""
        rows = []
        for name, (task, run) in self.cases.items():
            label, note = self.marks.get(name, ("", ""))
            rows.append((name, task.text, run.answer, task.gold, label or None, note or None))
        title = f"{len(self.labels)} of {counted(len(rows), 'trace')} labelled ({self.about})"
        return Table(title, ("trace", "task", "answer", "gold", "label", "note"), tuple(rows))

    def changed(self, change) -> None:
        """Save what was changed, where a path was given; the panel says so where that fails."""
        try:
            if self.path:
                self.save(self.path)
        except DataError as error:
            self.panel.send({"said": str(error)})
            raise

    def refuse_foreign(self, path: Path) -> None:
        """Refuse to write to the file that is kept up to date once another panel or program has written there."""
        if self.path and path == Path(self.path) and path.read_bytes() != self.kept:
            told = f"{path} was changed meanwhile, maybe by another panel; your newest label is only here"
            raise DataError(f"{told}. Run the cell anew to go on from the file, or keep yours with save() elsewhere")

    def seen(self, path: str | Path) -> None:
        """Note how the file that is kept up to date stands, if it is that one, to see when something else writes."""
        if self.path and Path(path) == Path(self.path):
            self.kept = Path(path).read_bytes()

    def imported(self, panel: Panel, content: Mapping, buffers) -> None:
        """Read the text of a file that was chosen in the panel, which says so where that fails."""
        try:
            self.read("the file", content["text"])
        except DataError as error:
            panel.send({"said": str(error)})

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        texts = {"text/html": self.table()._repr_html_(), "text/plain": repr(self)}
        return self.panel._repr_mimebundle_()[0] | texts

    def __repr__(self) -> str:
        return repr(self.table())


def shown(name: str, task: Task, run: Run) -> dict:
    """Return what the panel shows of one run: its lines, and the facts to judge it by."""
    matched(task, run)
    score = task.gold and ("wrong", "right")[int(right(task, run))]
    evidence = "; ".join(": ".join([found.page, *found.contains]) for found in task.evidence)
    facts = [("Its answer", run.answer or "none"), ("Gold answer", task.gold), ("By exact match", score)]
    return {"html": stepper(run, name).markup, "facts": [fact for fact in [*facts, ("Evidence", evidence)] if fact[1]]}
