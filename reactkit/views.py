"""Trajectories to step through: readable HTML first, then one script that turns it into a stepper.

A view holds no state and no random names, so the same run gives the same bytes. Without the script every line
is there to read; with it, lines arrive one by one. Nothing is shortened, and all text is escaped.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from os.path import commonprefix

from reactkit.contexts import call_html, call_text, dropped_html, growth_html, growth_text, parts
from reactkit.errors import expect
from reactkit.marks import (
    INVENTED,
    badge_html,
    credit_lines,
    credits_html,
    exact,
    invented,
    line_html,
    lines_html,
    static,
    style,
)
from reactkit.runs import Run
from reactkit.trajectory import Trajectory

__all__ = ["TraceView", "context_at", "side_by_side", "stepper"]

ASKED = (("instruction", "person"), ("question", "person"))
PLACES = {"action": 1, "answer": 1, "observation": 2, "instruction": 2}  # in a pass, after the thought
ABSENT = ("no thought", "no action", "no observation")


@dataclass(frozen=True, slots=True)
class TraceView:
    """A view as markup and as plain text; `html` adds the style, of `sheets` too, and the script. Jupyter shows it."""

    markup: str
    text: str
    sheets: tuple[str, ...] = ()

    @property
    def html(self) -> str:
        """The markup between its style and its script: all that a page needs, without network."""
        return f"{style(*self.sheets)}{self.markup}<script>{static('stepper.js')}</script>"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def stepper(shown: Trajectory | Run, name: str | None = None) -> TraceView:
    """Return the view of one trajectory, line by line; a `Run` also shows what was dropped and how it ended.

    `name` is what assistive technology calls the view: the method and the question where it is None.
    """
    trajectory = trajectory_of(shown)
    items = items_of(shown)
    body = f'{head_html(trajectory)}<div class="rk-tracks">{track("Lines", items)}</div>{ending(shown, len(items))}'
    return TraceView(section(name or name_of(shown), badge_of(trajectory) + body), plain(shown))


def side_by_side(runs: Mapping[str, Trajectory | Run], name: str = "Side by side") -> TraceView:
    """Return a lock-step view of named runs on one question: step n shows the first n lines of each.

    Runs that act are aligned by pass: where one of them has a line that another lacks, the other says so.
    """
    rows = aligned(list(runs.values()))
    same = together(rows)
    columns = "".join(column(*named, items) for named, items in zip(runs.items(), rows, strict=True))
    shared = {make(trajectory_of(shown)): None for make in (badge_of, head_html) for shown in runs.values()}
    tracks = f'<div class="rk-tracks" style="--rows: {2 + max(map(len, rows), default=0)}">{columns}</div>'
    body = "".join(shared) + (same and f'<p class="rk-same">{same}</p>') + tracks
    markup = section(name, body, classes="rk rk-columns")
    texts = [same, *(f"{title}\n{plain(shown)}" for title, shown in runs.items())]
    return TraceView(markup, "\n\n".join(filter(None, texts)))


def context_at(run: Run, name: str | None = None) -> TraceView:
    """Return the view of what the model read: each call's exact context, its parts, what is new in it, and the reply.

    Characters are counted for each part; tokens are the server's count or else an estimate, and the view says which.
    """
    expect(Run, run, "context_at(): the run", "what solve() returns; a trajectory alone does not hold what was read")
    counted, befores = parts(run), ["", *(call.context for call in run.calls)]
    calls = [call_html(*call) for call in zip(run.calls, befores, counted, strict=False)]
    body = f'{growth_html(run, counted)}<div class="rk-tracks">{track("Calls", calls)}</div>'
    markup = section(name or f"Context: {name_of(run)}", badge_of(run.trajectory) + body, "Call")
    texts = map(call_text, range(1, len(befores)), run.calls, counted)
    return TraceView(markup, "\n\n".join(filter(None, [growth_text(run), *texts])), ("contexts",))


def trajectory_of(shown) -> Trajectory:
    trajectory = getattr(shown, "trajectory", shown)
    expect(Trajectory, trajectory, "what a view shows", "a Run, as solve() returns it, or its trajectory")
    return trajectory


def name_of(shown) -> str:
    questions = [line.text for line in trajectory_of(shown) if line.role == "question"]
    return ": ".join([shown.method.name if hasattr(shown, "method") else "Trajectory", *questions[:1]])


def section(name: str, body: str, unit: str = "Step", classes: str = "rk") -> str:
    marks = f'class="{classes}" role="group" aria-label="{exact(name)}" data-unit="{unit}"'
    return f"<section {marks}>{body}</section>"


def badge_of(trajectory: Trajectory) -> str:
    return badge_html(trajectory.kind, trajectory.model)


def asked(trajectory: Trajectory) -> int:
    """Return how many lines stand before the first step: what a person asked for, always in sight."""
    opening = takewhile(lambda line: (line.role, line.author) in ASKED, trajectory)
    return len(list(opening))


def head_html(trajectory: Trajectory) -> str:
    pairs = list(zip(trajectory.labels(), trajectory, strict=True))[: asked(trajectory)]
    return lines_html(pairs).replace("<ol>", '<ol class="rk-head">', 1) if pairs else ""


def track(name: str, items: list[str]) -> str:
    return f'<ol aria-label="{exact(name)}">{"".join(items)}</ol>'


def items_of(shown) -> list[str]:
    """Return the steps as list items, with dropped text under the last line that the model wrote in its step."""
    trajectory, dropped = trajectory_of(shown), dropped_at(shown)
    rows = list(enumerate(zip(trajectory.labels(), trajectory, strict=True)))[asked(trajectory) :]
    return [line_html(label, line, "".join(map(dropped_html, dropped.get(at, ())))) for at, (label, line) in rows]


def aligned(runs: list) -> list[list[str]]:
    """Return the items of each run; one that acts has an item wherever another has one, up to its own end."""
    slots = [dict(zip(slots_of(trajectory_of(shown)), items_of(shown))) for shown in runs]
    rows = sorted({slot for own in slots for slot in own})
    ends = [max(own, default=()) for own in slots]
    filled = [[own.get(slot, absent_html(slot)) for slot in rows if slot <= end] for own, end in zip(slots, ends)]
    return [acting or items_of(shown) for acting, shown in zip(filled, runs)]


def together(rows: list[list[str]]) -> str:
    """Return how far all runs are the same, as the branches of a fork are up to it; nothing where they never are."""
    same = len(commonprefix(rows)) if len(rows) > 1 else 0
    return f"Up to step {same} these runs are the same." if same else ""


def slots_of(trajectory: Trajectory) -> list[tuple[int, int, int]]:
    """Return where each step of a run that acts belongs: its pass, its place in the pass, and a running number."""
    slots = [(0, 0, 0)]
    for line in trajectory.lines[asked(trajectory) :] if trajectory.keep("action") else ():
        slot = (line.step or slots[-1][0], PLACES.get(line.role, 0), 0)
        slots.append(slot if slot > slots[-1] else (*slots[-1][:2], slots[-1][2] + 1))
    return slots[1:]


def absent_html(slot: tuple[int, int, int]) -> str:
    return f'<li class="rk-absent"><i>{"no line" if slot[2] else ABSENT[slot[1]]}</i></li>'


def dropped_at(shown) -> dict[int, tuple[str, ...]]:
    """Return what the model wrote and nobody used, by the index of the line of its step that it stands under."""
    lines, found = trajectory_of(shown).lines, {}
    for call in (call for call in getattr(shown, "calls", ()) if call.dropped):
        written = [at for at, line in enumerate(lines) if line.author == "model"]
        own = [at for at in written if lines[at].step == call.step]
        earlier = [at for at, line in enumerate(lines) if line.step and line.step <= call.step]
        at = (own or earlier or written or [len(lines) - 1])[-1]
        found[at] = (*found.get(at, ()), call.dropped)
    return found


def outcome(shown) -> tuple[str, str]:
    """Return in words how a run ended, and with what; a bare trajectory knows neither."""
    if not hasattr(shown, "outcome"):
        return "End of the trajectory", ""
    given = f"the answer is {shown.answer}" if shown.answer else "there is no answer"
    how = {"finished": "Finished", "step cap": "Stopped by the harness"}.get(shown.outcome, "Ended")
    return how, f": {given}"


def ending(shown, steps: int) -> str:
    how, what = outcome(shown)
    end = f'<p class="rk-end" data-end="{steps}"><b>{how}</b><span>{exact(what)}</span></p>'
    return end + credits_html(trajectory_of(shown).credits)


def column(title: str, shown, items: list[str]) -> str:
    badge = exact(trajectory_of(shown).badge)
    marks = f'aria-label="{exact(title)}" data-name="{exact(title)} {badge}" style="--own: {len(items) or 1}"'
    heading = f'<p class="rk-name"><b>{exact(title)}</b> <i>{badge}</i></p>'
    end = f'<div class="rk-ending">{ending(shown, len(items))}</div>'
    return f"<article {marks}>{heading}{track(title, items)}{end}</article>"


def plain(shown) -> str:
    """Return the view without any markup: each line with its author, and what was dropped."""
    trajectory, dropped = trajectory_of(shown), dropped_at(shown)
    rows = [f"[{trajectory.badge}]"]
    for at, line in enumerate(trajectory):
        by = f"{line.author}; {INVENTED}" if invented(line) else line.author
        rows.append(f"{line.label(trajectory.asks)} (written by the {by}): {line.text}")
        rows.extend(f"  Dropped (written by the model, not used): {text}" for text in dropped.get(at, ()))
    return "\n".join([*rows, "".join(outcome(shown)), *credit_lines(trajectory.credits)])
