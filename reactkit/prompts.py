"""What the model reads: one set of exemplars, sliced four ways, and the episode so far.

The paper makes its baselines by removing lines from the ReAct exemplars (section 3.2); here a method *is* the roles
that it keeps. The exemplars are our own, over the kit's own pages: six questions and three claims, as many as the paper
uses. As in the paper, questions need no instruction; claims begin with one that names the three labels.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property

from reactkit.shipped import shipped
from reactkit.trajectory import Role, Trajectory, from_fields

__all__ = ["ACT", "COT", "METHODS", "REACT", "STANDARD", "Exemplars", "Method", "context", "exemplars"]


@dataclass(frozen=True)
class Method:
    """A way of prompting: its name and the roles that its lines may have, in order.

    The second role is what the model is asked for first.
    """

    name: str
    roles: tuple[Role, ...]

    @cached_property
    def acts(self) -> bool:
        """Whether the model may act, so that an environment answers."""
        return "action" in self.roles

    @cached_property
    def cue(self) -> Role:
        """The role that the model is asked for: its label stands at the end of the context."""
        return self.roles[1]

    @cached_property
    def ends_with(self) -> Role:
        """The role without which a reply is not complete: an action, or the answer."""
        return "action" if self.acts else "answer"


STANDARD = Method("Standard", ("question", "answer"))
COT = Method("CoT", ("question", "rationale", "answer"))
ACT = Method("Act", ("question", "action", "observation"))
REACT = Method("ReAct", ("question", "thought", "action", "observation"))
METHODS = (STANDARD, COT, ACT, REACT)


@dataclass(frozen=True, slots=True)
class Exemplars:
    """Worked examples to show before a question, after an `instruction` where there is one."""

    trajectories: tuple[Trajectory, ...] = ()
    instruction: str | None = None

    texts: dict = field(default_factory=dict, init=False, repr=False, compare=False)  # by roles: each step asks again

    def text(self, method: Method) -> str:
        """Return the exemplars as `method` shows them: only its roles, a blank line between two exemplars."""
        if method.roles not in self.texts:
            opening = [self.instruction] if self.instruction else []
            kept = [*opening, *(str(shown.keep(*method.roles)) for shown in self.trajectories)]
            self.texts[method.roles] = "\n\n".join(kept)
        return self.texts[method.roles]


def context(method: Method, shown: Exemplars, so_far: Trajectory, cue: str) -> str:
    """Return the exact text that the model reads: exemplars, the episode so far, and the label to go on from."""
    return "\n\n".join(filter(None, [shown.text(method), f"{so_far}\n{cue}:"]))


@cache
def exemplars(asks: str = "Question") -> Exemplars:
    """Return the kit's exemplars for a task that `asks` a "Question" (six) or a "Claim" (three)."""
    stored = shipped("exemplars.json")[asks]
    return Exemplars(tuple(from_fields(fields) for fields in stored["trajectories"]), stored["instruction"])
