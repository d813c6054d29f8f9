"""A frozen collection: any number of pages in one SQLite file, read as a `Source` and never changed.

The file says where its pages come from, when, under which licence, how many they are and what was left out. What it
says is sealed, and each page has a checksum, both compared when they are read; `verify` compares all that it holds.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePath
from threading import Lock
from urllib.parse import quote

from reactkit.encyclopedia import Page
from reactkit.errors import DataError
from reactkit.likeness import agree, beginning, initialism, kernel, keys, most_alike, near, roots, spelled_alike
from reactkit.titles import key, plain, spaced

__all__ = ["FORMAT", "MARK", "SCHEMA", "Frozen", "digest", "in_words", "number", "replaceable", "sealed"]

MARK, FORMAT = 0x52654163, 2  # what the head of the file says: that it is one of ours, and the edition of its schema
SCHEMA = f"""
PRAGMA application_id = {MARK}; PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE pages (title TEXT PRIMARY KEY, sentences TEXT, may_mean TEXT, credit TEXT, digest BLOB);
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT UNIQUE, title TEXT, plain TEXT);
CREATE TABLE marks (mark TEXT, spelled TEXT, PRIMARY KEY (mark, spelled)) WITHOUT ROWID;
CREATE TABLE answers (asked TEXT PRIMARY KEY, titles TEXT) WITHOUT ROWID;
CREATE INDEX names_plain ON names (plain);
CREATE VIRTUAL TABLE words USING fts5 (roots, content = '', columnsize = 0, detail = none, tokenize = 'ascii')
"""  # names are numbered in order of length, so that a search by words that is cut off has met the shortest
PAGES = "SELECT title, sentences, may_mean, credit, hex(digest) FROM pages"
PAGE = f"{PAGES} WHERE title = ?"
LED = "SELECT name, title FROM names WHERE plain = ?"
NAMED = "SELECT name, title FROM names JOIN pages USING (title) WHERE plain = ?"
SPELLED = "SELECT DISTINCT spelled FROM marks WHERE mark IN ({}) LIMIT 1000"
INITIALS = """SELECT name, title FROM marks JOIN names ON plain = spelled JOIN pages USING (title)
              WHERE mark = ? LIMIT 50"""
HOLDING = """SELECT name, title FROM words CROSS JOIN names ON id = words.rowid JOIN pages USING (title)
             WHERE words MATCH ? LIMIT 50"""
OF_NAME = "SELECT EXISTS (SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?)"
OF_MARK = "SELECT EXISTS (SELECT 1 FROM marks WHERE mark = ? AND spelled = ?)"
DAMAGED = "If no other program is writing to it, it is damaged or half made: make it again, or fetch it"
QUOTED = '"{}"'.format
WORDS_READ = 8  # of a title that is asked for


class Frozen:
    """A `Source` over the file of a frozen collection. Another program that writes is waited for, `wait` seconds.

    The file stays open until `close()`, or the end of a `with`; Windows neither moves nor deletes an open file.
    """

    def __init__(self, path: str | Path, wait: float = 5.0):
        self.path, self.lock = Path(path), Lock()
        if not self.path.is_file():
            raise DataError(f"there is no frozen collection at {self.path.absolute()}; `reactkit freeze` makes one")
        with in_words(self.path, DAMAGED):
            self.file = sqlite3.connect(address(self.path.absolute()), wait, uri=True, check_same_thread=False)
        with in_words(self.path, DAMAGED, self.file):
            head = [self.file.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")]
            if head != [(MARK,), (FORMAT,)]:
                raise DataError(f"{self.path} is no frozen collection of this edition of the kit; make it again")

    def __enter__(self) -> "Frozen":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    @property
    def about(self) -> dict[str, str]:
        """What the file says of itself; a word of it that was changed is a `DataError`."""
        told = dict(self.rows("SELECT name, value FROM about"))
        if told.pop("seal", "") != sealed(told):
            raise DataError(f"what {self.path} says of itself was changed; make it again, or fetch it")
        return told

    def rows(self, question: str, values: Sequence[str] = ()) -> list[tuple[str, ...]]:
        """Return the rows that answer a question in SQL; none where a value holds half a letter, as broken JSON may."""
        try:
            with self.lock:
                found = self.file.execute(question, values).fetchall()
        except UnicodeEncodeError:
            return []
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise told(error, self.path, DAMAGED) from error
        if not all(type(value) is str for row in found for value in row):
            raise told("it holds what is no text", self.path, DAMAGED)
        return found

    def page(self, title: str) -> Page | None:
        """Return the page of this title, in any form of it, or of a name that leads to it; else None."""
        found = self.rows(PAGE, (title,)) or self.rows(PAGE, (self.led_to(title),))
        return self.whole(*found[0]) if found else None

    def led_to(self, title: str) -> str:
        """Return the title that a form of it, or a name, leads to; where only case tells names apart, the likeliest."""
        name, asked = spaced(title), key(title)
        forms = name, name[:1].upper() + name[1:]
        same = [row for row in self.rows(LED, (plain(title),)) if key(row[0]) == asked]
        return min(same, key=lambda row: (row[0] not in forms, row[0] != row[1], row), default=("", ""))[1]

    def whole(self, title: str, sentences: str, may_mean: str, credit: str, kept: str) -> Page:
        """Return a row of pages as a page; one that changed since it was written is a `DataError`."""
        if shown(title, sentences, may_mean, credit) != kept:
            raise DataError(f"the page {title!r} in {self.path} is damaged; make the collection again, or fetch it")
        lines, titles = (tuple(text.split("\n")) if text else () for text in (sentences, may_mean))
        return Page(title, lines, may_mean=titles, credit=credit)

    def similar(self, title: str) -> list[str]:
        """Return up to five titles like this one, the best first; what a live search answered is kept as it was."""
        for (titles,) in self.rows("SELECT titles FROM answers WHERE asked = ?", (key(title),)):
            return titles.split("\n") if titles else []
        return most_alike(title, self.candidates(title))

    def candidates(self, title: str) -> set[tuple[str, str]]:
        """Return names, with their titles: spelled like `title`, with all of its words, or with no others.

        Where nothing has all of its words, those with all but one; each word may be spelled in another way. What is in
        capitals is not misspelled, but may be the initials of a name.
        """
        name, capitals = plain(title), initialism(title)
        words = [*dict.fromkeys(roots(name))][:WORDS_READ]  # of which an initial is none to look for
        words = [word for word in words if len(word) > 1 or word.isdigit()] or words
        groups, alone = {word: {word} for word in words}, {word: self.holding([{word}]) for word in words}
        spelled = {name} if capitals else {name, *self.alike(name, near(name), spelled_alike)}
        found = {row for other in spelled for row in self.rows(NAMED, (other,))} | self.holding(groups.values())
        found |= {row for row in self.rows(INITIALS, (f"={name}",)) if capitals}
        if not found and not capitals:
            for word in [word for word in words if not alone[word]] or words:  # what no name has is misspelled
                groups[word] |= {*self.alike(word, [*near(word), beginning(word)], agree)}
                alone[word] = self.holding([groups[word]])
            found = self.holding(groups.values())
        if not found:
            found = {row for left in words for row in self.holding([groups[word] for word in words if word != left])}
        asked = {one for some in groups.values() for word in some for one in (word, word[0])}  # or an initial
        return found | {row for rows in alone.values() for row in rows if asked.issuperset(kernel(row[0]))}

    def holding(self, groups: Iterable[set[str]]) -> set[tuple[str, str]]:
        """Return the shortest 50 names, with their titles, that hold a word of each group."""
        words = " AND ".join(f"({' OR '.join(map(QUOTED, sorted(group)))})" for group in groups)
        return {*self.rows(HOLDING, (words,))} if words else set()

    def alike(self, name: str, marks: Sequence[str], same: Callable[[str, str], object]) -> Iterator[str]:
        """Yield what is the same but for its spelling, of the names and roots in the file that have these marks."""
        found = self.rows(SPELLED.format(", ".join("?" * len(marks))), marks)
        return (other for (other,) in found if same(other, name))

    def verify(self) -> None:
        """Compare all that the file holds with its checksum, and each name with what finds it; else a `DataError`."""
        sound = all(self.rows(f"PRAGMA integrity_check({table})") == [("ok",)] for table in ("pages", "names", "marks"))
        about, (count, total) = self.about, (0, 0)
        with self.lock, in_words(self.path, DAMAGED):
            for *fields, kept in self.file.execute(PAGES):
                count, total = count + 1, total + number(*fields)
                sound = sound and shown(*fields) == kept
            for name, title, words, row in self.file.execute("SELECT name, title, plain, id FROM names"):
                total += number("name", name, title)
                sound = sound and words == plain(name) and self.found(words, row)
            total += sum(number("answer", *row) for row in self.file.execute("SELECT asked, titles FROM answers"))
        if not sound or (str(count), f"{total % 2**256:064x}") != (about["pages"], about["checksum"]):
            raise DataError(f"the pages in {self.path} are not those that it was made with; make it again, or fetch it")

    def found(self, name: str, row: int) -> bool:
        """Whether a plain name is found by its words and by its marks."""
        every = [(OF_NAME, (" AND ".join(map(QUOTED, roots(name))), row))] if name else []
        every += [(OF_MARK, found) for found in keys(name)]
        return all(self.file.execute(*question).fetchone()[0] for question in every)


def replaceable(path: Path) -> None:
    """Refuse what its head does not call a collection of this kit, of any edition: nobody wants it replaced."""
    head = b"folder"
    if path.is_file():
        with open(path, "rb") as file:
            head = file.read(72)
    if head and head[68:] != MARK.to_bytes(4, "big"):
        raise DataError(f"{path} is there and is no frozen collection; give another name")


def address(path: PurePath) -> str:
    """Return the address by which SQLite only reads a file, on a network drive of Windows, too."""
    place = quote(path.as_posix())
    return f"file://{'' if place.startswith('/') else '/'}{place}?mode=ro"


def digest(*fields: str) -> bytes:
    """Return the checksum of texts, 32 bytes; what is no text is a `TypeError`."""
    return sha256("\x1f".join(fields).encode()).digest()


def shown(*fields: str) -> str:
    """Return the checksum of texts as SQLite's hex() shows it."""
    return digest(*fields).hex().upper()


def number(*fields: str) -> int:
    """Return the checksum of texts as a number; added up, those of all rows are the same in any order."""
    return int.from_bytes(digest(*fields), "big")


def sealed(told: Mapping[str, str]) -> str:
    """Return the seal of what a file says of itself."""
    return digest(*(text for fact in sorted(told.items()) for text in fact)).hex()


@contextmanager
def in_words(path: Path, remedy: str, file: sqlite3.Connection | None = None) -> Iterator[None]:
    """Turn what SQLite reports while the block runs into a `DataError` with a remedy; close the `file` if it fails."""
    try:
        yield
    except BaseException as error:
        if file:
            file.close()
        if isinstance(error, (sqlite3.Error, UnicodeError, TypeError)):
            raise told(error, path, remedy) from error
        raise


def told(error: Exception | str, path: Path, remedy: str) -> DataError:
    """Return what SQLite reports about a file as a `DataError` with a remedy."""
    without = "This Python's SQLite lacks FTS5: use one from python.org or conda-forge"
    return DataError(f"the frozen collection {path}: {error}. {without if 'module: fts5' in str(error) else remedy}")
