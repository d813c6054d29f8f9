"""Episodes as the authors' notebooks printed them, read back into trajectories with nothing lost.

The form is that of `FEVER.ipynb` and `hotpotqa.ipynb` in the repository ysymyth/ReAct: the index and the question, then
numbered thoughts, actions and observations, then a line with the episode's facts and a line with running scores. Where
a reply held no action, the notebook printed `ohh...` and that reply before it asked again: the harness's line, since
the thought that the model was held to follows under its own label.
"""

import ast
import re
from dataclasses import dataclass

from reactkit.errors import DataError
from reactkit.trajectory import Line, Trajectory

__all__ = ["Printout", "read_printout"]

HEAD = re.compile(r"(?P<index>\d+) (?P<asks>\w+): ")
LABEL = re.compile(r"^(?:(?P<word>Thought|Action|Observation) (?P<step>\d+): |(?=ohh\.\.\. ))", re.MULTILINE)
ROLES = {
    "Thought": ("thought", "model"),
    "Action": ("action", "model"),
    "Observation": ("observation", "environment"),
    None: ("instruction", "harness"),
}
FACTS = re.compile(r"^\{'steps'.*\}", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Printout:
    """One printed episode: the trajectory, what the notebook printed after it, and the facts in that."""

    index: int
    trajectory: Trajectory
    after: str
    facts: dict

    def __str__(self) -> str:
        """The printed text again, character by character."""
        asks = self.trajectory.asks
        episode = [line.text if line.author == "harness" else line.prompt_text(asks) for line in self.trajectory]
        return "\n".join([f"{self.index} {episode[0]}", *episode[1:], self.after])


def read_printout(text: str, model: str) -> Printout:
    """Return the episode that `text` prints, as a trajectory recorded from `model`; another form is a `DataError`."""
    head, facts = HEAD.match(text), FACTS.search(text)
    if head is None or facts is None:
        raise DataError(f"this is not a printed episode: it begins {text[:40]!r} and has no line of facts, or no index")
    episode, after = text[: facts.start() - 1], text[facts.start() :]
    trajectory = Trajectory(printed_lines(episode, head), "recorded", model, head["asks"])
    return Printout(int(head["index"]), trajectory, after, ast.literal_eval(facts[0]))


def printed_lines(episode: str, head: re.Match) -> list[Line]:
    """Return the question and every labelled line; text that runs over several printed lines stays in its line."""
    labels = list(LABEL.finditer(episode))
    ends = [label.start() - 1 for label in labels] + [len(episode)]
    lines = [Line("question", episode[head.end() : ends[0]])]
    for label, end in zip(labels, ends[1:], strict=True):
        role, author = ROLES[label["word"]]
        step = int(label["step"] or (lines[-1].step or 0) + 1)
        lines.append(Line(role, episode[label.end() : end], author, step))
    return lines
