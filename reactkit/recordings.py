"""What a model replied, written to a file and given back without it.

A recording is JSON lines: a card of whose replies these are, then an exchange a line, on the disk before it is used.
A `check` covers its line and the check before it: of lines changed, dropped or moved the first is named; only that last
ones are missing can't be told. A script stays scripted: a recording makes no evidence.
"""

import json
import os
import platform
import re
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from io import FileIO
from os.path import commonprefix
from pathlib import Path
from threading import Lock

from reactkit.errors import DataError, ModelError, ReplayError
from reactkit.marks import counted
from reactkit.models import Completion, Model, kind_of, name_of
from reactkit.wire import KEY

__all__ = ["Journal", "Recording", "cleaned", "digest", "record", "replay"]

FORM, OPENING, CHECK = 2, b'{"form": ', b', "check": "'
KNOWN = ("finish_reason", "reasoning", "tokens_read", "tokens_written", "told")  # of a reply, beside its text


class Journal:
    """A file of checked lines that only grows: its `card`, and the `lines` that it had when it was opened.

    A new file needs a `card`, whose first field is its `form`. A file of another form, or with other values in its
    card, is a `DataError`. `by` is the function to be called for such a file.
    """

    def __init__(self, path: str | Path, card: Mapping | None = None, form: int | str = FORM, by: str = "record"):
        try:
            data = Path(path).read_bytes() if card is None or Path(path).exists() else b""
        except (OSError, TypeError, ValueError) as error:  # the latter two: it is no path at all
            raise DataError(f"{path} cannot be read ({getattr(error, 'strerror', error)}); check the path") from error
        (*whole, half), lines, check = data.split(b"\n"), [], ""
        for at, line in enumerate(whole, start=1):
            body, _, end = line.rstrip(b"\r").rpartition(CHECK)
            check = digest(check, body.decode("utf-8", "replace"))[:16]
            if end != check.encode() + b'"}':
                raise DataError(f"{path}, line {at} was changed, or is not in its place; get it again, or {by} anew")
            lines.append(json.loads(body + b"}"))
        if not (lines[0].get("form") == form if lines else card and half[: len(OPENING)] == OPENING[: len(half)]):
            raise DataError(f"{path} is empty, or not of form {form}; {by} the run first, in a file of its own")
        if half:
            warnings.warn(f"{path} ends in half a line, which is dropped; {by}() asks for it again", stacklevel=4)
        self.card, *self.lines = lines or [card]
        for odd in [name for name in card or () if self.card.get(name) != card[name]]:
            raise DataError(f"{path} is of {odd} {self.card.get(odd)!r}, not {card[odd]!r}; use another file")
        self.path, self.by, self.check, self.size, self.end = Path(path), by, check, len(data) - len(half), len(data)

    def write(self, *lines: Mapping, sync: bool = True) -> None:
        """Put lines, first of all the card, at the end, in place of half a line; `sync` sees them on the disk."""
        data, check = b"", self.check
        for line in lines if self.size else (self.card, *lines):
            body = json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace")[:-1]
            check = digest(check, body.decode())[:16]
            data += b'%b%b%b"}\n' % (body, CHECK, check.encode())
        try:
            with self.path.open("ab", 0) as file:  # without a buffer, which would be written again at the end
                with suppress(ImportError, OSError):  # Windows, and some disks, have no such lock
                    import_module("fcntl").flock(file, 2)  # for one program, until it closes the file
                if file.seek(0, os.SEEK_END) != self.end:
                    raise DataError(f"{self.path} was changed meanwhile, maybe by another program; {self.by}() goes on")
                self.append(file, data, sync)
        except OSError as error:
            told = f"{self.path} cannot be written ({error.strerror}); the newest line is lost, all others are there"
            raise DataError(f"{told}. If the disk is full, make room; then {self.by}() goes on") from error
        self.check, self.size, self.end = check, self.size + len(data), self.size + len(data)

    def append(self, file: FileIO, data: bytes, sync: bool) -> None:
        """Write all of the data, or where that is broken off, as by a full disk, leave the whole lines before it."""
        file.truncate(self.size)
        self.end = self.size
        try:
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno()) if sync else None
        except BaseException:  # Ctrl-C, too
            file.truncate(self.size)
            raise


class Recording:
    """A model that gives back the replies in the file at `path`, and asks `model`, where there is one, for the others.

    A request is its context, its stop strings and the card's settings. At temperature 0 it has one reply; else each
    time that it is asked brings its next sample. What is missing and can't be asked for is a `ReplayError`.
    """

    def __init__(self, path: str | Path, model: Model | None = None, card=None, contexts=False, clock=time.time):
        self.journal = Journal(path, card)
        self.path, self.model, self.contexts, self.clock, self.lock = Path(path), model, contexts, clock, Lock()
        self.card, self.name = self.journal.card, self.journal.card["model"]
        self.kind = self.card["kind"] if model or self.card["kind"] == "scripted" else "recorded"
        self.greedy = self.card["settings"].get("temperature") == 0
        self.held, self.asked = defaultdict(list), Counter()  # both by the digest of the request
        for line in self.journal.lines:
            self.held[line["request"]].append(line)

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return the reply to this request as the file has it, where needed after asking the model."""
        request = digest(context, [*stop], self.card["settings"])
        with self.lock:
            number, held = 0 if self.greedy else self.asked[request], self.held[request]
            self.asked[request] += 1
        if number >= len(held) and self.model is None:
            raise ReplayError(f"{self.path} holds {self.missing(len(held), context, [*stop])}")
        line = held[number] if number < len(held) else self.ask(request, context, [*stop])
        known = {name: line[name] for name in KNOWN if name in line}
        return Completion(line["reply"], **known) if known else line["reply"]

    def ask(self, request: str, context: str, stop: list[str]) -> Mapping:
        """Return the line of a new exchange, once it is written; of one greedy request the first that came stays."""
        begun = self.clock()
        reply = self.model(context, stop)
        if not isinstance(reply, str):
            raise ModelError(f"the model returned {type(reply).__name__}, not a string; nothing was recorded")
        known = {name: said for name in KNOWN if (said := getattr(reply, name, None)) not in (None, "", ())}
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(begun))
        line = {"reply": reply, **known, "seconds": round(self.clock() - begun, 3), "when": when}
        line |= {"context": context, "stop": stop} if self.contexts else {}
        with self.lock:
            held = self.held[request]
            if not (self.greedy and held):
                line = {"request": request, "sample": len(held) + 1, **cleaned(line, self.model)}
                self.journal.write(line)
                held.append(line)
            return held[-1]

    def missing(self, times: int, context: str, stop: list[str]) -> str:
        """Return what the file holds instead of one more reply to a request, and what to do."""
        if times:
            told = f"{counted(times, 'reply', 'replies')} to this request, and one more is asked for"
            return f"{told}; a new replay() begins with the first"
        kept = [line for lines in self.held.values() for line in lines if "context" in line]
        rows = [*re.findall("^(?:Question|Claim): .*", context, re.MULTILINE)[-1:], context.rpartition("\n")[2]]
        told = difference(kept, context, stop) if kept else "; with contexts=True you are told what differs"
        return f"no reply to {' ... '.join(row[:80] for row in rows)!r}{told}. Undo the change, or record again"


def record(model: Model, path: str | Path, contexts=False, clock: Callable[[], float] = time.time, **card) -> Recording:
    """Return a model that asks `model` for what the file at `path` does not hold, and adds it there.

    The card has what the model says of itself, and what you do: `settings`, `licence`, `quantisation`, `runtime`,
    `prompts` (the `digest` of what is shown before a question). A file with other values is a `DataError`, and stays as
    it is; half a last line, as a crash leaves it, is asked for again. `contexts` keeps the requests, some 6,000
    characters each, so that a replay can tell what differs. What is the model's key, or looks like one, becomes ***.
    """
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    if not Path(str(path)).parent.is_dir():
        raise DataError(f"there is no folder {Path(path).parent} to record in")
    whose = {"form": FORM, "model": name_of(model), "kind": kind_of(model), "settings": {}, "machine": machine}
    card = cleaned({**whose, **getattr(model, "card", {}), **card}, model)
    return Recording(path, model, card, contexts, clock)


def replay(path: str | Path) -> Recording:
    """Return a model that gives back the replies in a file that `record` wrote, and asks nobody."""
    return Recording(path)


def digest(*parts: object) -> str:
    """Return 32 hexadecimal digits that stand for these texts, lists and numbers."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True)
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def cleaned(line: Mapping, model: Model) -> dict:
    """Return a line as JSON gives it back, without the model's key and what looks like one."""
    return json.loads(KEY.sub("***", getattr(model, "scrubbed", str)(json.dumps(line))))


def difference(lines: Sequence[Mapping], context: str, stop: list[str]) -> str:
    """Return what sets this request apart from the recorded one that is most like it."""
    near, at = max(((line, len(commonprefix([line["context"], context]))) for line in lines), key=lambda pair: pair[1])
    if near["context"] == context:
        return f" with stop={stop}, only with stop={near['stop']}"
    row, around = context[:at].count("\n") + 1, slice(max(at - 20, 0), at + 20)
    return f"; at line {row}, character {at + 1}: recorded {near['context'][around]!r}, asked {context[around]!r}"
