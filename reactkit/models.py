"""Things that write text. A `Model` is any function from (context, stop) to a reply; nothing here is more than that.

A model may carry a `name` and a `kind` ("scripted", "recorded" or "live") for its trajectories, and a `card` for
recordings; a plain function is live, under its own name. `stop` holds the strings that should end a reply before them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from reactkit.errors import ScriptError
from reactkit.marks import counted

__all__ = ["Completion", "Deaf", "Exchange", "Log", "Model", "Rules", "Scripted", "cut", "kind_of", "name_of"]


class Model(Protocol):
    """Anything that answers a context with text."""

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return how the text goes on after `context`, up to the first of the `stop` strings."""


class Completion(str):
    """A reply that knows how it came about; it is a string, so any model may return one.

    `finish_reason` is "stop", or "length" where the server cut the reply at its limit of tokens; `reasoning` is what a
    reasoning model thought before it; `tokens_read` and `tokens_written` are what the server counted, or None; `told`
    are the adjustments and oddities that the user should hear of, one sentence each; `asked` is what the model read
    where that was no context, as with tool calls.
    """

    asked = ""

    def __new__(
        cls, text: str, finish_reason="stop", reasoning="", tokens_read: int | None = None, told=(), tokens_written=None
    ):
        """Return the reply `text` with what is known about it."""
        self = super().__new__(cls, text)
        self.finish_reason, self.reasoning = finish_reason, reasoning
        self.tokens_read, self.tokens_written, self.told = tokens_read, tokens_written, tuple(told)
        return self


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request to a model and its reply."""

    context: str
    stop: tuple[str, ...]
    reply: str


class Log(list):
    """The exchanges of one model, in order."""

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return len(self)

    def keep(self, context: str, stop: Sequence[str], reply: str) -> str:
        """Note one exchange and return its reply."""
        self.append(Exchange(context, tuple(stop), reply))
        return reply


class Scripted:
    """A model that gives `replies` one after another, whatever it is asked; `log` shows what it was asked."""

    kind = "scripted"

    def __init__(self, replies: Iterable[str], name: str | None = None):
        self.replies, self.name, self.log = tuple(replies), name, Log()

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the next reply of the script, cut at `stop`."""
        if len(self.log) == len(self.replies):
            has = counted(len(self.replies), "reply", "replies")
            raise ScriptError(f"the script has {has} and was asked once more; add a reply or lower the step cap")
        return self.log.keep(context, stop, cut(self.replies[len(self.log)], stop))


class Rules:
    """A model without memory: what it reads last decides the reply.

    `rules` maps a clue (plain text, any case) to a reply, in which `{step}` becomes the number of the pass. The clues
    are tried in order on the last observation of the current episode, or on its question where nothing was observed
    yet. So the same context always gets the same reply, and an edited observation changes what comes next.
    """

    kind = "scripted"

    def __init__(self, rules: Mapping[str, str], otherwise: str = "I know no rule for this.", name: str | None = None):
        self.rules, self.otherwise, self.name, self.log = dict(rules), otherwise, name, Log()

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the reply of the first rule whose clue is in what was read last, cut at `stop`."""
        newest = re.split(r"^(?:Question|Claim|Observation \d+): ", context, flags=re.MULTILINE)[-1].casefold()
        reply = next((reply for clue, reply in self.rules.items() if clue.casefold() in newest), self.otherwise)
        steps = re.findall(r"^\w+ (\d+):", context, re.MULTILINE)
        return self.log.keep(context, stop, cut(reply.replace("{step}", steps[-1] if steps else "1"), stop))


class Deaf:
    """A model that asks `model` without any stop string, as a server does that ignores `stop`: replies run on."""

    def __init__(self, model: Model):
        self.model, self.card = model, getattr(model, "card", {})
        self.kind, self.name = kind_of(model), name_of(model)

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the model's reply to the context alone."""
        return self.model(context, ())


def cut(text: str, stop: Sequence[str]) -> str:
    """Return `text` up to the first of the `stop` strings that occurs in it, as a model server would."""
    found = list(filter(text.__contains__, filter(None, stop)))
    return text[: min(map(text.find, found))] if found else text  # an uncut reply stays the value that it is


def kind_of(model: Model) -> str:
    """Return what kind of trace the model's replies make: live, unless the model says otherwise."""
    return getattr(model, "kind", "live")


def name_of(model: Model) -> str | None:
    """Return the model's name: a live function that has none goes by its own."""
    own = getattr(model, "__name__", None) if kind_of(model) == "live" else None
    return getattr(model, "name", None) or own
