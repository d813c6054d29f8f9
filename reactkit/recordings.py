"""What a model replied, written to a file and given back without it.

A recording is UTF-8, a line of JSON each: first whose replies these are (`model`, `kind`, `settings`), then one
exchange a line. Replies of a script stay scripted when they are replayed: a recording makes no evidence.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from os.path import commonprefix
from pathlib import Path
from typing import get_args

from reactkit.errors import DataError, ReplayError
from reactkit.models import Exchange, Log, Model, kind_of, name_of
from reactkit.trajectory import Kind

__all__ = ["Recorder", "Replay"]


class Recorder:
    """A model that asks `model` and appends each exchange to the file at `path`.

    `settings` are noted with the model's name and kind. A file that holds another model's replies, or other settings,
    is a `DataError`, and stays as it is.
    """

    def __init__(self, model: Model, path: str | Path, settings: Mapping | None = None):
        self.model, self.path, self.log = model, Path(path), Log()
        self.kind, self.name = kind_of(model), name_of(model)
        self.head = {"model": self.name, "kind": self.kind, "settings": dict(settings or {})}
        held = read(self.path)[0] if self.path.exists() else self.head
        if held != self.head:
            raise DataError(f"{path} is a recording of {held}, not of {self.head}; use another file")

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the model's reply, after writing it to the file."""
        reply = self.log.keep(context, stop, self.model(context, stop))
        lines = [asdict(self.log[-1])] if self.path.exists() else [self.head, asdict(self.log[-1])]
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        return reply


class Replay:
    """A model that gives back recorded replies, found by the exact request.

    A request that was recorded several times with different replies, as in sampling, gets them in their order, each
    once. A request that the recording does not hold, or not so often, is a `ReplayError` that says what differs.
    """

    def __init__(self, exchanges: Iterable[Exchange], name: str | None = None, kind: str = "recorded"):
        self.exchanges, self.name, self.kind, self.log = tuple(exchanges), name, kind, Log()
        self.replies, self.asked = defaultdict(list), Counter()  # both by request
        for exchange in self.exchanges:
            self.replies[exchange.context, exchange.stop].append(exchange.reply)

    @classmethod
    def load(cls, path: str | Path) -> "Replay":
        """Return the replay of a file that `Recorder` wrote; a missing or damaged one is a `DataError`."""
        head, exchanges = read(Path(path))
        return cls(exchanges, head["model"], "scripted" if head["kind"] == "scripted" else "recorded")

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the recorded reply to exactly this request."""
        request = context, tuple(stop)
        replies, asked = self.replies.get(request), self.asked[request]
        if not replies:
            raise ReplayError(self.difference(*request))
        if asked >= len(replies) and len(set(replies)) > 1:
            raise ReplayError(f"this request was recorded {len(replies)} times, and is asked for once more")
        self.asked[request] += 1
        return self.log.keep(context, stop, replies[min(asked, len(replies) - 1)])

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


def read(path: Path) -> tuple[dict, list[Exchange]]:
    """Return the head of a recording and its exchanges; what cannot be read is a `DataError` that names the line."""
    try:
        lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error}); check the path, or record it again") from error
    head = parsed(path, 1, lines[0], {"model": (str, type(None)), "kind": str, "settings": dict})
    fields = [parsed(path, number, line, EXCHANGE) for number, line in enumerate(lines[1:], start=2)]
    return head, [Exchange(found["context"], tuple(found["stop"]), found["reply"]) for found in fields]


EXCHANGE = {"context": str, "stop": list, "reply": str}


def parsed(path: Path, number: int, line: str, wanted: dict) -> dict:
    """Return the fields of one line of a recording, each of the type wanted."""
    try:
        found = json.loads(line)
        whole = isinstance(found, dict) and all(isinstance(found[name], kind) for name, kind in wanted.items())
    except (ValueError, KeyError, RecursionError) as error:
        raise DataError(f"{path}, line {number} is damaged ({error!r}); record it again") from error
    if (
        not whole
        or found.get("kind", "live") not in get_args(Kind)
        or not all(isinstance(end, str) for end in found.get("stop", []))
    ):
        raise DataError(f"{path}, line {number} does not hold {', '.join(wanted)}; record it again")
    return found


def excerpt(text: str, place: int) -> str:
    return repr(text[max(place - 20, 0) : place + 20])
