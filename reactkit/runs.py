"""What came of one task: the lines, each call of the model, and how it ended. The loop writes it, all else reads it."""

from dataclasses import dataclass
from typing import Literal

from reactkit.actions import Action
from reactkit.marks import card, exact
from reactkit.prompts import Method
from reactkit.trajectory import Trajectory

__all__ = ["Call", "Outcome", "Run"]

Outcome = Literal["finished", "step cap", "no answer", "repeat", "budget", "prompt cut"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the model: the exact text that it read, what it replied, and what of that was not used.

    `action` is what could be run of it; `tokens_read` is what the server says that it read, None where it does not say.
    """

    step: int
    context: str
    reply: str
    dropped: str = ""
    action: Action | None = None
    tokens_read: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Run:
    """What came of one task: `answer` is None unless the outcome is "finished"."""

    method: Method
    trajectory: Trajectory
    outcome: Outcome = "step cap"
    answer: str | None = None
    calls: tuple[Call, ...] = ()

    def __repr__(self) -> str:
        ending = self.outcome if self.answer is None else f"{self.outcome}: {self.answer}"
        return f"{self.method.name}, {ending} (model calls: {len(self.calls)}; {self.trajectory.badge})"

    def _repr_html_(self) -> str:
        return card(f'{self.trajectory.html()}<p class="rk-end">{exact(repr(self))}</p>')
