"""The one value that everything else reads or returns: who wrote which line, in order.

A thought, an action and an observation are lines (paper, section 2: the context c_t is the sequence so far). The four
methods of the paper are four choices of roles from the same lines, so keeping lines by role *is* the ablation.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Literal, get_args

from reactkit.errors import DataError
from reactkit.marks import badge, badge_html, card, credits_html, lines_html

__all__ = ["Author", "Kind", "Line", "Role", "Trajectory"]

Role = Literal["instruction", "question", "rationale", "thought", "action", "observation", "answer"]
Author = Literal["person", "model", "environment", "harness"]
Kind = Literal["scripted", "recorded", "live"]
IN_STEPS = frozenset({"thought", "action", "observation"})
ROLES, AUTHORS, KINDS = (frozenset(get_args(known)) for known in (Role, Author, Kind))
MARKERS = re.compile(r"(?<=<)(?=\||/?s>|(?:start|end)_of_turn>)|(?<=\[)(?=/?INST\])")  # of turns, which servers obey
ENDS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"  # of a row, for some reader or other
IMITATION = re.compile(  # where a row inside a line begins like a label
    rf"(?<=[{ENDS}])(?=(?:[^\w{ENDS}]|[_\d]){{0,40}}(?:question|claim|thought|act(?!ion[ _]?input)|obs|answer|final"
    r" answer|harness|instruction|human|user|system|assistant|/?inst))",
    re.IGNORECASE,
)


def label_of(role: Role, step: int | None = None, asks: str = "Question") -> str:
    """Return the label of a line of this role, such as "Thought 1"; `asks` is the word for a question."""
    word = {"rationale": "Thought", "question": asks}.get(role) or role.capitalize()
    return word if step is None else f"{word} {step}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line; `step` counts passes of the loop from 1, and is None for a line outside them.

    `failed` marks an observation that reports a call that did not work; `full` is all that the tool returned, where
    `text` is shortened.
    """

    role: Role
    text: str
    author: Author = "person"
    step: int | None = None
    failed: bool = field(default=False, repr=False)
    full: str | None = field(default=None, repr=False)

    def __post_init__(self):
        if self.role not in ROLES or self.author not in AUTHORS or not isinstance(self.text, str):
            refuse_unknown("role", self.role, Role)
            refuse_unknown("author", self.author, Author)
            raise DataError(f"a line's text is {self.text!r}; use a string")

    def label(self, asks: str = "Question") -> str:
        """Return the words before the colon, such as "Thought 1"; `asks` is the word for a question."""
        if self.role == "instruction":
            return "Harness" if self.author == "harness" else "Instruction"
        return label_of(self.role, self.step, asks)

    def prompt_text(self, asks: str = "Question") -> str:
        """Return the line as a model reads it; a person's instruction stands without a label.

        Where a row inside it begins like a label, it is indented, so that no page and no argument can forge a line.
        """
        if self.role == "instruction" and self.author != "harness":
            return self.text
        text = IMITATION.sub("  ", self.text)
        text = MARKERS.sub(" ", text) if self.role == "observation" else text
        label = f"{self.role.capitalize()} {self.step}" if self.role in IN_STEPS and self.step else self.label(asks)
        return f"{label}: {text}"

    def __str__(self) -> str:
        return self.prompt_text()


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Lines in order, with the kind of trace they are and, where a model wrote them, its name.

    `asks` is the word that labels the question: "Question" for HotpotQA, "Claim" for FEVER. `credits` says whose text
    stands in the observations, where that is to be printed with it.
    """

    lines: tuple[Line, ...] = ()
    kind: Kind = "scripted"
    model: str | None = None
    asks: str = "Question"
    credits: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self):
        if self.kind not in KINDS:
            refuse_unknown("kind", self.kind, Kind)
        object.__setattr__(self, "lines", tuple(self.lines))
        object.__setattr__(self, "credits", tuple(self.credits))

    def __add__(self, more: Line | Iterable[Line]) -> "Trajectory":
        """Return a new trajectory with one line, or several, at its end."""
        lines = self.lines + ((more,) if isinstance(more, Line) else tuple(more))
        return Trajectory(lines, self.kind, self.model, self.asks, self.credits)

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def keep(self, *roles: Role) -> "Trajectory":
        """Return the trajectory with only the lines of these roles: the paper's ablation (section 3.2)."""
        for role in roles:
            refuse_unknown("role", role, Role)
        return replace(self, lines=tuple(line for line in self.lines if line.role in roles))

    def by(self, *authors: Author) -> tuple[Line, ...]:
        """Return the lines that these authors wrote."""
        for author in authors:
            refuse_unknown("author", author, Author)
        return tuple(line for line in self.lines if line.author in authors)

    def labels(self) -> tuple[str, ...]:
        """Return each line's label, such as "Claim" or "Action 2"."""
        return tuple(line.label(self.asks) for line in self.lines)

    def __str__(self) -> str:
        """The trajectory as prompt text, one line of it under the other."""
        return "\n".join([line.prompt_text(self.asks) for line in self.lines])

    @property
    def badge(self) -> str:
        """The words that mark this trace wherever it is shown: its kind, and the model where there is one."""
        return badge(self.kind, self.model)

    def to_json(self) -> str:
        """Return the trajectory as JSON text; `from_json` gives an equal one back."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @staticmethod
    def from_json(text: str) -> "Trajectory":
        """Return the trajectory written by `to_json`; text of another form is a `DataError`."""
        try:
            return from_fields(json.loads(text))
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(f"this is not a trajectory in JSON ({error}); write it with to_json()") from error

    def _repr_html_(self) -> str:
        return card(self.html())

    def html(self) -> str:
        """Return the trajectory as a readable list under its badge, without style."""
        listed = lines_html(zip(self.labels(), self.lines, strict=True))
        return f'{badge_html(self.kind, self.model)}<div class="rk-tracks">{listed}</div>{credits_html(self.credits)}'


def from_fields(fields: dict) -> Trajectory:
    return Trajectory(**{**fields, "lines": [Line(**line) for line in fields["lines"]]})


def refuse_unknown(field: str, value, known) -> None:
    if value not in get_args(known):
        raise DataError(f"the {field} {value!r} is not known; use one of {', '.join(get_args(known))}")
