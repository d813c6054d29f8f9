"""Feedback for exercises: what was tried, what came, what was wanted and where to look.

A check never stops the notebook: an untouched stub is "not started yet", an error of the learner's code is shown as
what came. Values are compared whole, never by parts of their text.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import indent

from reactkit.marks import card, exact

__all__ = ["Report", "Trial", "check"]

Told = tuple[tuple[str, str], ...]  # (name, text), such as ("came", "4")
NOT_STARTED = "Write your code where the cell says YOUR CODE HERE, then run this cell again."
PARTS = ("tried", "came", "wanted", "where", "look")
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
        return self.shown or f"{self.function.__name__}({', '.join(short((value,))[1:-2] for value in self.given)})"

    def problem(self) -> Told:
        """Return nothing where the call gives what was wanted, else the named parts of what is to be told."""
        try:
            came = self.function(*self.given)
            right = same(came, self.wanted)
        except NotImplementedError:
            return (("came", "Not started yet."), ("look", NOT_STARTED))
        except (Exception, SystemExit) as error:  # the learner's code may raise anything
            return self.told(f"{type(error).__name__}: {error}", self.look)
        if right:
            return ()
        hint = guess(came, self.wanted) + self.look
        look = next((words for mistake, words in self.mistakes if same(came, mistake)), hint)
        return self.told(short(came), look, first_difference(came, self.wanted))

    def told(self, came: str, look: str, differ: str = "") -> Told:
        """Return the parts of a report; `differ` is the first line of two texts that is not the same."""
        texts = (self.tried, came, short(self.wanted), differ, look)
        return tuple((name, text) for name, text in zip(PARTS, texts) if text)


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an exercise: how many trials were right, and the first problem where there is one."""

    exercise: str
    right: int
    of: int
    told: Told = ()

    @property
    def problem(self) -> str | None:
        """What is to be told, as text; None where all is right."""
        rows = (f"{name + ':':<8}{indent(text, ' ' * 8).lstrip()}" for name, text in self.told)
        return "\n".join(rows) or None

    @property
    def passed(self) -> bool:
        """Whether all of it is right; there is no second standard behind this one."""
        return not self.told

    def __repr__(self) -> str:
        heading = f"{self.exercise}: {'passed, ' if self.passed else ''}{self.right} of {self.of} tries right"
        return heading if self.passed else f"{heading}\n{self.problem}"

    def _repr_html_(self) -> str:
        word, kind = ("Passed", "passed") if self.passed else ("Not yet", "open")
        heading = f"<p><b>{word}</b> {exact(self.exercise)}: {self.right} of {self.of} tries right</p>"
        rest = f"<dl>{''.join(row_html(*part) for part in self.told)}</dl>" if self.told else ""
        return card(heading + rest, f'class="rk rk-{kind}" role="status"')


def check(exercise: str, trials: Iterable[Trial]) -> Report:
    """Return the report of all `trials` of the exercise; every one is run, and the first problem is told."""
    trials = list(trials)
    if not trials:
        raise ValueError(f"{exercise} has no trial, so there is nothing to check")
    problems = [trial.problem() for trial in trials]
    return Report(exercise, problems.count(()), len(problems), next(filter(None, problems), ()))


def row_html(name: str, text: str) -> str:
    shown = exact(text) if name == "look" else f"<code>{exact(text)}</code>"
    return f"<dt>{name}</dt><dd>{shown}</dd>"


def same(came: object, wanted: object) -> bool:
    """Return whether both are equal and of one type, and so is what they hold: 1 is not True."""
    if kind_of(came) is not kind_of(wanted) or came != wanted:
        return False
    if isinstance(wanted, dict):
        return all(same(came[key], value) for key, value in wanted.items())
    return not isinstance(wanted, list | tuple) or all(map(same, came, wanted))


def guess(came: object, wanted: object) -> str:
    """Return what may be amiss: nothing was returned, or the right value in another type."""
    if came is None:
        return "The function returned None: is a return missing? "
    kinds, name = {kind_of(came), kind_of(wanted)}, type(wanted).__name__
    order = sorted if kinds & {set, frozenset} else list
    alike = came == wanted or (
        kinds <= {list, tuple, set, frozenset} and order(map(repr, came)) == order(map(repr, wanted))
    )
    told = f"Right value, wrong type: return {'an' if name == 'int' else 'a'} {name}. "
    return told if alike and len(kinds) == 2 else ""


def kind_of(value: object) -> type:
    return str if isinstance(value, str) else type(value)  # an observation is a text that knows more


def first_difference(came: object, wanted: object) -> str:
    """Return the first line in which two texts of several lines differ, else nothing."""
    if not (isinstance(came, str) and isinstance(wanted, str) and "\n" in came + wanted):
        return ""
    lines = enumerate(zip_longest(came.split("\n"), wanted.split("\n")), 1)
    number, pair = next((number, pair) for number, pair in lines if pair[0] != pair[1])
    left, right = ("no such line" if line is None else short(line) for line in pair)
    return f"first difference, line {number}: came {left} / wanted {right}"


def short(value: object) -> str:
    """Return a value as it is written, a text of several lines as it is printed; a long one is cut."""
    try:
        text = value if isinstance(value, str) and "\n" in value else repr(value)
    except Exception:  # the learner's own repr may raise anything
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters in all)"
