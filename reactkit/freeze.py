"""`reactkit freeze`: build a frozen collection from files, and go on where a build was stopped.

The collection grows in `FILE.part` and gets its name when it is whole. Pages and the place reached in the inputs are
written together, so whatever stops a build, the same command goes on with nothing lost or doubled. Redirects wait in a
table until all pages are there, since a redirect may lead to a page that comes later, or to another redirect.
"""

import json
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TextIO

from reactkit.dumps import Item, items, unpack
from reactkit.encyclopedia import Page
from reactkit.errors import DataError
from reactkit.freezer import Freezer
from reactkit.frozen import Frozen, in_words, replaceable
from reactkit.inputs import beginning, described, may_make, same
from reactkit.marks import counted
from reactkit.progress import Bar

__all__ = ["Build", "freeze", "report"]

END = """WITH RECURSIVE way (name) AS (VALUES (?) UNION ALL SELECT title FROM way JOIN redirects USING (name) LIMIT 20)
SELECT title FROM way CROSS JOIN names USING (name) LIMIT 1"""  # of 20 steps at most, so that a loop ends
TAKEN = {"same": "the same page again", "different": "another page of a title that is taken"}
OPTIONS = "source", "licence", "made_with"  # what all parts of a build share
STATE, EXAMPLES = ("reached", "skipped", "examples"), 3  # of each reason why something was skipped


def freeze(
    inputs: str | Path | Sequence[str | Path],
    to: str | Path,
    source: str = "",
    licence: str = "",
    again: bool = False,
    date: str = "",
    batch: int = 500,
    show: TextIO | None = None,
) -> Frozen:
    """Build the collection `to` from inputs, or go on with it, and return it; what stops the build is a `DataError`.

    `again` makes anew what is there, or was begun from other inputs. `date` is today's unless it is given, `batch` how
    many items are written together, and `show` where progress goes, the error output unless it is given.
    """
    paths, to = [Path(path) for path in ([inputs] if isinstance(inputs, (str, Path)) else inputs)], Path(to)
    try:
        may_make(to, again)
        part, about = Path(f"{to}.part"), facts(paths, source, licence, date)
        gone_on = part.exists()
        with closing(Build(begun(part, about, again, paths), about, batch, show or sys.stderr)) as build:
            build.run(paths)
        if not build.bar.pages:
            part.unlink()
            found = "; ".join(f"{count} skipped: {reason}" for reason, count in build.skipped.items()) or "it is empty"
            raise DataError(f"there is no page in {', '.join(path.name for path in paths)} ({found})")
        if gone_on:  # a part may have been damaged in the meantime
            with Frozen(part) as made:
                made.verify()
        Path(f"{to}-journal").unlink(missing_ok=True)  # that of a killed writer would be applied to the new file
        os.replace(part, to)
    except OSError as error:
        raise DataError(f"{to}: {error}. When this is mended, the same command goes on") from error
    return Frozen(to)


def facts(paths: Sequence[Path], source: str, licence: str, date: str) -> dict[str, str]:
    """Return what a collection says of itself at first."""
    return {
        "source": source or ", ".join(path.name for path in paths),
        "licence": licence or "not stated",
        "date": date or datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "made_with": f"reactkit {version('reactkit')}",
        "inputs": json.dumps([*described(paths)]),
        "reached": "[0, 0, 0]",
        **dict.fromkeys(("skipped", "examples"), "{}"),
    }


def begun(part: Path, about: dict[str, str], again: bool, paths: Sequence[Path]) -> Freezer:
    """Return the writer of the file that is being made: as it stands, where it was begun from the same; else new."""
    if part.exists():
        replaceable(part)
    try:
        freezer = Freezer(part, about, wait=0)
        kept = freezer.frozen.about
        old, new = (json.loads(told.get("inputs", "[]")) for told in (kept, about))
        if all(kept.get(name) == about[name] for name in OPTIONS) and same(old, new, paths):
            return freezer
        freezer.close()
        raise DataError(f"{part} was begun from other inputs, or otherwise")
    except DataError as error:
        if "locked" in str(error.__cause__):  # the words of SQLite, which hold no path
            raise DataError(f"another `reactkit freeze` is at work on {part}; let it end") from error
        if isinstance(error.__cause__, sqlite3.OperationalError):  # of the disk or the folder, not of what is there
            raise
        if not again:
            raise DataError(f"{error}. With --again it is made anew") from error
    for left in (Path(f"{part}-journal"), part):  # in this order: a journal would be applied to the new file
        left.unlink(missing_ok=True)
    return Freezer(part, about)


class Build:
    """A build that is going on: its file, kept from others until it is closed, and the place reached in the inputs."""

    def __init__(self, freezer: Freezer, about: dict[str, str], size: int, show: TextIO):
        self.freezer, self.file, self.inputs, self.size = freezer, freezer.file, json.loads(about["inputs"]), size
        with in_words(freezer.path, "Another `reactkit freeze` is at work on it"):
            self.file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.file.execute("BEGIN EXCLUSIVE")
            self.file.execute("CREATE TABLE IF NOT EXISTS redirects (name TEXT PRIMARY KEY, title TEXT NOT NULL)")
            kept = dict(self.file.execute("SELECT name, value FROM about"))
            self.file.execute("COMMIT")
        self.reached, self.skipped, self.examples = map(json.loads, (kept[name] for name in STATE))
        stated = kept["licence"] != "not stated"
        self.credit = f", {kept['source']}, {kept['licence']}" if stated else ""  # of pages that bring none
        self.bar = Bar(sum(size for _, size, _ in self.inputs), int(kept["pages"]), show)

    def run(self, paths: Sequence[Path]) -> None:
        """Read all that is not read yet, then let the redirects lead to their pages."""
        self.paths = paths
        while self.reached[0] <= len(paths):
            number, reached, _ = self.reached
            stream = self.items(paths[number], not reached) if number < len(paths) else self.redirects()
            for read, _ in islice(stream, reached):
                self.bar(self.before() + read)
            while self.batch(stream):
                pass
        with self.freezer.batch():
            [(redirects,)] = self.file.execute("SELECT count(*) FROM names WHERE name != title")
            self.freezer.say({"redirects": str(redirects)})
            self.file.execute("DROP TABLE redirects")

    def items(self, path: Path, new: bool) -> Iterator[tuple[int, Item]]:
        """Yield the items of an input; a new one that is packed is unpacked before, since damage shows at its end."""
        if new:
            unpack(path, lambda read: self.bar(self.before() + read))
        self.bar.began = None  # the pace of reading is another
        yield from items(path)

    def before(self) -> int:
        """Return the bytes of the inputs before the one that is being read."""
        return sum(size for _, size, _ in self.inputs[: self.reached[0]])

    def close(self) -> None:
        """Close the line of the bar, and the file."""
        self.bar.show.write("\n" * (self.bar.pause < 1))
        self.freezer.close()

    def batch(self, rest: Iterator[tuple[int, Item]]) -> bool:
        """Write the next items, and the place reached with them; return whether there were any."""
        (number, reached, read), taken, broken = self.reached, 0, None
        with self.freezer.batch():
            try:
                for read, make in islice(rest, self.size):
                    self.keep(make())
                    taken += 1
                    self.bar(self.before() + read)
            except DataError as error:
                broken = error
                self.inputs[number] = beginning(self.paths[number], read)
            self.reached = [number, reached + taken, read] if taken or broken else [number + 1, 0, 0]
            self.freezer.say({name: json.dumps(getattr(self, name)) for name in ("inputs", *STATE)})
        if broken:
            raise DataError(f"{broken}. What came before is kept; when this is mended, the same command goes on")
        return taken > 0

    def keep(self, found: Iterable[Page | tuple[str, str]]) -> None:
        """Keep the pages of an item; count what is skipped, with the first few as examples."""
        for entry in found:
            if isinstance(entry, tuple):
                self.skip(*entry)
            elif not (entry.sentences or entry.may_mean):
                rows = [(name, entry.title) for name in entry.redirects]
                self.file.executemany("INSERT OR IGNORE INTO redirects VALUES (?, ?)", rows)
            elif (how := self.freezer.add(credited(entry, self.credit))) == "new":
                self.bar.pages += 1
            else:
                self.skip(TAKEN[how], entry.title)

    def skip(self, reason: str, where: str) -> None:
        """Count what is skipped for a reason, and keep the first few as examples."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1
        if self.skipped[reason] <= EXAMPLES:
            self.examples.setdefault(reason, []).append(where.encode(errors="replace").decode()[:80])

    def redirects(self) -> Iterator[tuple[int, Item]]:
        """Yield an item for each redirect that waits."""
        for name, title in self.file.execute("SELECT name, title FROM redirects"):
            yield 0, partial(self.lead, name, title)

    def lead(self, name: str, title: str) -> list:
        """Let a redirect lead to its page, at the end of a chain; one to no page, or in a loop, is skipped."""
        found = self.file.execute(END, (title,)).fetchone()
        self.freezer.names += [(name, *found)] if found else []
        return [] if found else [("a redirect to no page", name)]


def credited(page: Page, credit: str) -> Page:
    """Return the page with whose text it is: as it says itself, or else by source and licence of the collection."""
    return page if page.credit or not credit else replace(page, credit=f"{page.title}{credit}")


def report(frozen: Frozen) -> str:
    """Return what a collection says of itself: a line for each fact, and for each reason why something was skipped."""
    about = {"redirects": "0", "skipped": "{}", "examples": "{}", **frozen.about}
    size, examples = frozen.path.stat().st_size / 1e6, json.loads(about["examples"])
    counts = counted(int(about["pages"]), "page"), counted(int(about["redirects"]), "other name")
    lines = [f"{frozen.path}: {', '.join(counts)}, {size:,.1f} MB"]
    lines += [f"{name.replace('_', ' ')}: {about.get(name, 'not stated')}" for name in ("date", *OPTIONS, "checksum")]
    for reason, count in json.loads(about["skipped"]).items():
        lines.append(f"skipped {count:,}: {reason}, such as {'; '.join(examples[reason])}")
    return "\n".join(lines)
