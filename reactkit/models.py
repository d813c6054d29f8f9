"""Things that write text. A `Model` is any function from (context, stop) to a reply; nothing here is more than that.

A model may carry a `name` and a `kind` ("scripted", "recorded" or "live"), which the trajectory takes over; a plain
function counts as live, under its own name. `stop` holds the strings before which the server should end the reply.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from os.path import commonprefix
from pathlib import Path
from typing import Protocol

from reactkit.errors import DataError, ReplayError, ScriptError

__all__ = ["Deaf", "Exchange", "Model", "Recorder", "Replay", "Rules", "Scripted", "cut"]


class Model(Protocol):
    """Anything that answers a context with text."""

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return how the text goes on after `context`, up to the first of the `stop` strings."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request to a model and its reply."""

    context: str
    stop: tuple[str, ...]
    reply: str


class Log(list):
    """The exchanges of one model, in order; it counts calls and characters."""

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return len(self)

    @property
    def characters_read(self) -> int:
        """How many characters the model was given."""
        return sum(len(exchange.context) for exchange in self)

    @property
    def characters_written(self) -> int:
        """How many characters it wrote."""
        return sum(len(exchange.reply) for exchange in self)

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
        if self.log.calls == len(self.replies):
            raise ScriptError(
                f"the script has {len(self.replies)} replies and was asked once more; add a reply or lower the step cap"
            )
        return self.log.keep(context, stop, cut(self.replies[self.log.calls], stop))


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


class Replay:
    """A model that gives back recorded replies, found by the exact request; any other request is a `ReplayError`."""

    kind = "recorded"

    def __init__(self, exchanges: Iterable[Exchange], name: str | None = None):
        self.exchanges, self.name, self.log = tuple(exchanges), name, Log()
        self.replies = {(exchange.context, exchange.stop): exchange.reply for exchange in self.exchanges}

    @classmethod
    def load(cls, path: str | Path, name: str | None = None) -> "Replay":
        """Return the replay of a file that `Recorder` wrote; a damaged line is a `DataError` that names it."""
        exchanges = []
        recorded = Path(path).read_text(encoding="utf-8").rstrip("\n").split("\n")
        for number, line in enumerate(recorded, start=1):
            try:
                fields = json.loads(line)
                exchanges.append(Exchange(fields["context"], tuple(fields["stop"]), fields["reply"]))
            except (ValueError, TypeError, KeyError) as error:
                raise DataError(
                    f"{path}, line {number} is not a recorded exchange ({error!r}); record it again"
                ) from error
        return cls(exchanges, name)

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the recorded reply to exactly this request."""
        reply = self.replies.get((context, tuple(stop)))
        if reply is None:
            raise ReplayError(self.difference(context, tuple(stop)))
        return self.log.keep(context, stop, reply)

    def difference(self, context: str, stop: tuple[str, ...]) -> str:
        """Return what sets this request apart from the recorded one that is most like it."""
        if not self.exchanges:
            return "the recording is empty; record the run first"
        nearest = max(self.exchanges, key=lambda exchange: len(commonprefix([exchange.context, context])))
        if nearest.context == context:
            return f"the recording holds this context with stop={list(nearest.stop)}, not with stop={list(stop)}"
        place = len(commonprefix([nearest.context, context]))
        line = context[:place].count("\n") + 1
        return (
            f"no recorded request equals this one; the nearest differs at line {line}, character {place + 1}: "
            f"recorded {excerpt(nearest.context, place)}, asked {excerpt(context, place)}. "
            "Record the run again, or undo the change"
        )


class Recorder:
    """A model that asks `model` and appends each exchange to the file at `path`, as one line of JSON."""

    def __init__(self, model: Model, path: str | Path):
        self.model, self.path, self.log = model, Path(path), Log()
        self.kind, self.name = getattr(model, "kind", "live"), getattr(model, "name", None)

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the model's reply, after writing it to the file."""
        reply = self.log.keep(context, stop, self.model(context, stop))
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(asdict(self.log[-1]), ensure_ascii=False) + "\n")
        return reply


class Deaf:
    """A model that asks `model` without any stop string, as a server does that ignores `stop`: replies run on."""

    def __init__(self, model: Model):
        self.model = model
        self.kind, self.name = getattr(model, "kind", "live"), getattr(model, "name", None)

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the model's reply to the context alone."""
        return self.model(context, ())


def cut(text: str, stop: Sequence[str]) -> str:
    """Return `text` up to the first of the `stop` strings that occurs in it, as a model server would."""
    return text[: min((text.find(end) for end in stop if end and end in text), default=len(text))]


def excerpt(text: str, place: int) -> str:
    return repr(text[max(place - 20, 0) : place + 20])
