"""Feedback for exercises: what was tried, what came, what was wanted and where to look.

A check never stops the notebook: an untouched stub is "not started yet", an error of the learner's code is shown as
what came. Values are compared whole, never by parts of their text.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from reactkit.marks import card, exact

__all__ = ["Report", "Trial", "check"]

LONGEST = 400  # characters of a value shown; the whole of it can be printed by the learner


@dataclass(frozen=True, slots=True)
class Trial:
    """One call to try: the learner's `function` with `given`, the value `wanted`, and where to `look` if it differs.

    `mistakes` holds pairs of a value that a likely misunderstanding gives, and what to say to it.
    """

    function: Callable
    given: tuple
    wanted: object
    look: str
    mistakes: tuple[tuple[object, str], ...] = ()
    shown: str | None = None

    @property
    def tried(self) -> str:
        """The call as the learner would write it; `shown` replaces it where the values are long."""
        return self.shown or f"{self.function.__name__}({', '.join(short(value) for value in self.given)})"

    def problem(self) -> str | None:
        """Return None where the call gives what was wanted, else the report of it."""
        try:
            came = self.function(*self.given)
        except NotImplementedError:
            return "Not started yet. Write your code where the cell says YOUR CODE HERE, then run this cell again."
        except Exception as error:  # the learner's code may raise anything
            return self.told(f"{type(error).__name__}: {error}", self.look)
        if same(came, self.wanted):
            return None
        look = f"The function returned None: is a return missing? {self.look}" if came is None else self.look
        said = next((words for mistake, words in self.mistakes if same(came, mistake)), look)
        return self.told(short(came), said)

    def told(self, came: str, look: str) -> str:
        """Return the four lines of a report."""
        return f"tried:  {self.tried}\ncame:   {came}\nwanted: {short(self.wanted)}\nlook:   {look}"


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an exercise: how many trials were right, and the first problem where there is one."""

    exercise: str
    right: int
    of: int
    problem: str | None = field(default=None)

    @property
    def passed(self) -> bool:
        """Whether all of it is right; there is no second standard behind this one."""
        return self.problem is None

    def __repr__(self) -> str:
        heading = f"{self.exercise}: {'passed, ' if self.passed else ''}{self.right} of {self.of} tries right"
        return heading if self.passed else f"{heading}\n{self.problem}"

    def _repr_html_(self) -> str:
        word = "Passed" if self.passed else "Not yet"
        heading = f"<p><b>{word}</b> {exact(self.exercise)}: {self.right} of {self.of} tries right</p>"
        rest = f"<pre><code>{exact(self.problem)}</code></pre>" if self.problem else ""
        return card(heading + rest, f'class="rk rk-{"passed" if self.passed else "open"}" role="status"')


def check(exercise: str, trials: Iterable[Trial]) -> Report:
    """Return the report of all `trials` of the exercise; every one is run, and the first problem is told."""
    trials = list(trials)
    if not trials:
        raise ValueError(f"{exercise} has no trial, so there is nothing to check")
    problems = [trial.problem() for trial in trials]
    first = next((problem for problem in problems if problem), None)
    return Report(exercise, problems.count(None), len(problems), first)


def same(came: object, wanted: object) -> bool:
    return type(came) is type(wanted) and came == wanted


def short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters in all)"
