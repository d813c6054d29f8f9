"""Be the model: type the thoughts and actions yourself, and let the harness and the environment answer.

What you type goes through the reading that a model's reply goes through in `reactkit.loop`, so the rules are the same:
a thought changes nothing outside, an action is run, and an observation that you wrote yourself is dropped.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from html import escape

from anywidget import AnyWidget
from ipywidgets import HTML, Button, HBox, Layout, Output, Text, VBox

from reactkit.actions import read_action
from reactkit.errors import DataError, expect
from reactkit.loop import final_answer, lines_of, result
from reactkit.marks import card, credit_lines, credits_html, exact, lines_html, static
from reactkit.replies import Reply, read_reply
from reactkit.runs import Run
from reactkit.tasks import Task
from reactkit.tools import Environment, encyclopedia_tools, forms_of
from reactkit.trajectory import Line, Trajectory
from reactkit.views import TraceView, side_by_side

__all__ = ["Game", "play"]

TYPED = "typed by a person, who plays the model"
BRACKETS = " If you meant an action: both brackets are needed, as in Search[…]."
ONE_CALL = " If you meant an action: one at a time, and nothing behind its closing bracket."
EMPTY = "Nothing was typed, so nothing happened."
OVER = "The episode is over: nothing follows the answer. Start again, or undo."
NOT_YET = "Finish first: the other runs would give it away. Finish[I give up] is an answer, too."
COMPARED = "Your run and the others are below, step by step."
DROPPED = "Not used: “{}” Only the environment writes observations, and only one action is run at a time."


def play(task: Task | str, environment: Environment | None = None, others: Iterable[Run] = ()) -> "Game":
    """Return a game on one question, played against the offline encyclopedia where no `environment` is given.

    With `others`, runs on the same question as of a recorded model, there is a button that sets yours beside them once
    you have finished. A run on another question is a `DataError`.
    """
    expect(Iterable, others, "play(): others", "runs in a list, as others=[run]")
    task = task if isinstance(task, Task) else Task(task)
    return Game(task, encyclopedia_tools() if environment is None else environment, tuple(others))


def soon(do: Callable[[], object]) -> None:
    """Do something a moment later: a browser reports the Enter key first, and then the text."""
    asyncio.get_running_loop().call_later(0.2, do)


class Guard(AnyWidget):
    """What keeps the notebook's own keys from the buttons of a game; nothing is seen of it."""

    _esm = static("play.js")


class Game:
    """One episode played by hand; `trajectory` is the play so far, `answer` is None until it is finished.

    Jupyter shows it with a text box and buttons, and as a readable list where there is no kernel.
    """

    def __init__(
        self,
        task: Task,
        environment: Environment,
        others: tuple[Run, ...] = (),
        later: Callable[[Callable], object] = soon,
    ):
        self.task, self.environment, self.later = task, environment, later
        self.forms, self.others = forms_of(environment), self.named(others)
        self.lines, self.note, self.box, self.below = HTML(), HTML(), self.text_box(), Output()
        self.reset()

    def act(self, text: str) -> str:
        """Make one move and return what came of it: the observation, or what the harness did with the text."""
        note, lines = self.judge(text.strip())
        self.moves += (text,) if lines else ()
        credits = getattr(self.environment, "credits", tuple)()
        self.trajectory = replace(self.trajectory + lines, credits=credits)
        return self.show(note)

    def undo(self) -> str:
        """Take the last move back: the environment starts again, and the moves before it are replayed."""
        kept, taken = self.moves[:-1], self.moves[-1:]
        self.reset()
        for move in kept:
            self.act(move)
        return self.show(f"Taken back: {taken[0]}" if taken else "There is no move to take back.")

    def reset(self) -> str:
        """Start again, with the question alone."""
        self.environment.reset()
        self.moves, self.answer = (), None
        self.trajectory = Trajectory((Line("question", self.task.text),), "live", "a person", self.task.asks)
        return self.show(f"Your move: {self.forms}, or a thought in your own words.")

    def judge(self, text: str) -> tuple[str, list[Line]]:
        """Return what to say to a move, and the lines that it adds."""
        if not text or self.answer is not None:
            return (OVER if text else f"{EMPTY} Type {self.forms}, or a thought."), []
        reply = read_reply(text, "action" if read_action(text.split("\n")[0]) else "thought")
        note, lines = self.answered(reply, 1 + len(self.trajectory.keep("action")))
        names = "|".join(map(re.escape, (*self.environment.names, "Finish")))
        meant = reply.thought and re.match(rf"({names})\b|.*\[", reply.thought, re.IGNORECASE | re.DOTALL)
        hint = (ONE_CALL if "]" in reply.thought else BRACKETS) if reply.action_text is None and meant else ""
        said = [note + hint, DROPPED.format(reply.dropped) if reply.dropped else ""]
        return " ".join(filter(None, said)), lines

    def answered(self, reply: Reply, step: int) -> tuple[str, list[Line]]:
        """Return what to say to a reply once it is read, and the lines that it adds, as `solve` would."""
        lines = [replace(line, author="person") for line in lines_of(reply, True, step)]
        self.answer = final_answer(reply) or None
        if self.answer is not None:
            return f"Finished: your answer is {self.answer}.", lines
        if reply.action_text is not None:
            lines.append(result(reply, step, self.environment))
            return str(lines[-1]), lines
        kept = f"Kept as Thought {step}. It changes nothing outside; Action {step} is still to come."
        return (kept if lines else ""), lines

    def show(self, note: str) -> str:
        """Show the play so far under `note`, and return the note."""
        self.lines.value, self.below.outputs = self.html(), ()
        role = "alert" if self.moves else "note"  # a status put in with its text is often not read aloud
        self.note.value = f'<p role="{role}">{exact(note)}</p>'
        return note

    def html(self) -> str:
        """Return the play so far as a readable list."""
        badge = f'<p class="rk-badge"><b>{escape(self.trajectory.badge)}</b> {TYPED}</p>'
        listed = lines_html(zip(self.trajectory.labels(), self.trajectory, strict=True))
        end = f'<p class="rk-end"><b>Finished</b>: your answer is {exact(self.answer)}</p>' if self.answer else ""
        name = f'role="group" aria-label="Play the agent: {escape(self.task.text)}"'
        end += credits_html(self.trajectory.credits)
        return card(f'{badge}<div class="rk-tracks">{listed}</div>{end}', f'class="rk" {name}')

    def text_box(self) -> Text:
        """Return the box for a move; Enter makes it. The text comes whole, or it would lag behind a quick typist."""
        layout = Layout(flex="1 1 auto", width="auto", min_width="12em")
        box = Text(description="Your move", placeholder="Search[…]", continuous_update=False, layout=layout)
        box.on_msg(lambda _, content, buffers: content.get("event") == "submit" and self.later(self.submit))
        return box

    def submit(self) -> None:
        """Make the move that stands in the box, and empty the box."""
        move, self.box.value = self.box.value, ""
        self.act(move)

    def beside(self, *runs: Run) -> TraceView:
        """Return your play in lock-step with the others and these runs, all on the same question."""
        others = self.named([*self.others.values(), *runs])
        return side_by_side({"You": self.trajectory, **others}, f"You and others: {self.task.text}")

    def named(self, runs: Iterable[Run]) -> dict[str, Run]:
        """Return the runs by method and model, numbered where two have both; another question is a `DataError`."""
        named, names = {}, []
        for run in runs:
            expect(Run, run, "each of the others", "runs in a list, as others=[run]")
            names.append(name := f"{run.method.name}, {run.trajectory.model or run.trajectory.kind}")
            named[f"{name} ({names.count(name)})" if names.count(name) > 1 else name] = run
        if odd := [name for name, run in named.items() if run.trajectory.lines[0].text != self.task.text]:
            raise DataError(f"{odd[0]} has another question than yours, which is {self.task.text!r:.200}")
        return named

    def compare(self) -> str:
        """Show your finished play beside the others under the game, and return what is said to that."""
        said = self.show(NOT_YET if self.answer is None else COMPARED)
        if self.answer is not None:
            shown = {"output_type": "display_data", "data": self.beside()._repr_mimebundle_(), "metadata": {}}
            self.below.outputs = (shown,)
        return said

    def panel(self) -> VBox:
        """Return the widgets: the lines, what came of the last move, a text box and buttons."""
        doings = {"Act": self.submit, "Undo": self.undo, "Start again": self.reset}
        doings |= {"Compare": self.compare} if self.others else {}
        row = [self.box, *(self.button(*item) for item in doings.items())]
        layout = Layout(flex_flow="row wrap", max_width="870px")  # as wide as the card above it
        return VBox([Guard(), self.lines, self.note, HBox(row, layout=layout), self.below]).add_class("rk-game")

    def button(self, words: str, do) -> Button:
        """Return a button that does something and leads back to the box."""
        button = Button(description=words, layout=Layout(width="auto"))
        button.on_click(lambda _: (do(), self.box.focus()))
        return button

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        return {**self.panel()._repr_mimebundle_(), "text/html": self.html(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        asks = self.trajectory.asks
        rows = (f"{line.label(asks)} (written by the {line.author}): {line.text}" for line in self.trajectory)
        return "\n".join([f"[{self.trajectory.badge}] {TYPED}", *rows, *credit_lines(self.trajectory.credits)])
