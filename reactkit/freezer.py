"""What writes a frozen collection: a file that is being made, or one that grows while a live Wikipedia is read."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from reactkit.encyclopedia import Page
from reactkit.frozen import SCHEMA, Frozen, digest, in_words, number, sealed
from reactkit.likeness import keys, roots
from reactkit.titles import key, plain

__all__ = ["Freezer"]

FREE = "SELECT coalesce(max(id), :least) + 1 FROM names WHERE id BETWEEN :least AND :least + 1099511627775"  # 2**40 - 1
REMEDY = "Is it one, is there room on the disk, may you write there? Then do the same again: what was written is kept"


class Freezer:
    """The file of a frozen collection, open for more pages; it is made where it is not there yet.

    All changes stand in a `batch`. Another program that writes is waited for, `wait` seconds.
    """

    def __init__(self, path: str | Path, about: Mapping[str, str], wait: float = 30.0):
        self.path, self.names, self.pages, self.sum = Path(path), [], 0, 0
        with in_words(self.path, REMEDY):
            self.file = sqlite3.connect(self.path.absolute(), wait, check_same_thread=False, isolation_level=None)
        with in_words(self.path, REMEDY, self.file):
            if self.empty():  # the first question undoes what a killed program left half done
                with self.batch():
                    self.lay_out(about)
            self.frozen = Frozen(self.path, wait)

    def empty(self) -> bool:
        """Whether the file has no tables."""
        return self.file.execute("SELECT 1 FROM sqlite_master").fetchone() is None

    def lay_out(self, about: Mapping[str, str]) -> None:
        """Make the tables, unless another program has just done so."""
        if self.empty():
            for statement in SCHEMA.split(";"):
                self.file.execute(statement)
            self.say({"pages": "0", "checksum": f"{0:064x}", **about})

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Keep what the block adds, as a whole or not at all, also where the program is killed."""
        self.names.clear()
        self.pages = self.sum = 0
        with in_words(self.path, REMEDY), self.file:
            self.file.execute("BEGIN IMMEDIATE")
            yield
            for name, title in sorted(self.names, key=lambda pair: len(plain(pair[0]))):  # FTS5 is fast in order
                self.name(name, title)
            self.seal()

    def seal(self) -> None:
        """Write how many pages there are now, the checksum of all rows, and the seal of all that the file says."""
        told = dict(self.file.execute("SELECT name, value FROM about WHERE name != 'seal'"))
        told["pages"] = str(int(told["pages"]) + self.pages)
        told["checksum"] = f"{(int(told['checksum'], 16) + self.sum) % 2**256:064x}"
        self.say({**told, "seal": sealed(told)})

    def add(self, page: Page) -> str:
        """Add a page, and return "new"; where its title is taken, "same" or "different", and the first page stays."""
        fields = page.title, lines(page.sentences), lines(page.may_mean), page.credit
        made = digest(*fields)
        for (kept,) in self.file.execute("SELECT digest FROM pages WHERE title = ?", (page.title,)):
            return "same" if kept == made else "different"
        self.file.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?)", (*fields, made))
        self.names += ((name, page.title) for name in (page.title, *page.redirects))
        self.pages, self.sum = self.pages + 1, self.sum + int.from_bytes(made, "big")
        return "new"

    def name(self, name: str, title: str) -> None:
        """Let a name lead to a title; one that has a page of its own, or leads elsewhere already, keeps its way."""
        for (kept,) in self.file.execute("SELECT title FROM names WHERE name = ?", (name,)):
            if name == title != kept:
                self.file.execute("UPDATE names SET title = name WHERE name = ?", (name,))
                self.sum += number("name", name, title) - number("name", name, kept)
            return
        words, self.sum = plain(name), self.sum + number("name", name, title)
        values = {"name": name, "title": title, "plain": words, "least": len(words) << 40}
        row = self.file.execute(f"INSERT INTO names VALUES (({FREE}), :name, :title, :plain)", values).lastrowid
        self.file.execute("INSERT INTO words (rowid, roots) VALUES (?, ?)", (row, " ".join(roots(words))))
        self.file.executemany("INSERT OR IGNORE INTO marks VALUES (?, ?)", keys(words))

    def answer(self, asked: str, titles: Iterable[str]) -> None:
        """Keep what a live search answered, so that it is answered the same way from the file."""
        row = key(asked), lines(titles)
        for (kept,) in self.file.execute("SELECT titles FROM answers WHERE asked = ?", row[:1]):
            self.sum -= number("answer", row[0], kept)
        self.file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", row)
        self.sum += number("answer", *row)

    def say(self, facts: Mapping[str, str]) -> None:
        """Write what the file says of itself, each fact in place of what it said before."""
        self.file.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", facts.items())

    def close(self) -> None:
        """Close the file."""
        self.frozen.close()
        self.file.close()


def lines(texts: Iterable[str]) -> str:
    """Return texts one a line; a line break within one becomes a space."""
    return "\n".join(text.replace("\n", " ") for text in texts)
