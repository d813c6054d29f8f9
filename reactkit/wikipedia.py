"""Live Wikipedia as a `Source`, recorded as it is read: who reads a page again, today or in a year, asks nobody.

Requests go out one by one, a pause apart, with the contact of whoever runs this, as Wikimedia's policy for clients has
it. Pages, misses and search answers are kept in a frozen collection; to begin anew, give another file.
"""

import getpass
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from threading import Lock

import httpx

from reactkit.encyclopedia import Page
from reactkit.errors import DataError, SourceError
from reactkit.freezer import Freezer
from reactkit.mediawiki import ABOUT_PAGE, ABOUT_SEARCH, PASSING, answer, article, asked, found, searchable
from reactkit.titles import key, readable, spaced
from reactkit.wire import LONGEST_WAIT, bounded, seconds

__all__ = ["Wikipedia", "operator"]

CONTACT = re.compile(r"(?=.*([^\s@]@[^\s@]|https?://\w))[ -'*-~]{5,200}")  # one line of ASCII, no round brackets
WANTED = "give your mail address or web page, one line of ASCII, as contact= or in the variable REACTKIT_CONTACT"
WHY = """Wikipedia wants to know whom it can write to if this program gives it trouble. Your answer goes to it with each
request, and is remembered on this machine; it is not shown. Your mail address, or the address of a page about you: """


class Wikipedia(AbstractContextManager):
    """A live `Source` that keeps what it reads in the file `kept`, by default one in `folder`, for `Frozen` to replay.

    `language` is the code of a Wikipedia, or the whole address of another wiki's api.php. Requests are `pause` seconds
    apart, and one that failed is sent up to `tries` times where that may help. A failure that stays is a `SourceError`;
    what was read before is kept. Programs may share the file: one asks at a time, and all wait as one was told to.
    `timeout` is in seconds, for one read; an answer may take three. `clock` gives seconds since 1970. A title in other
    capitals is another title here, as MediaWiki has it, though not over pages of the kit.
    """

    def __init__(
        self, contact: str | None = None, kept: str | Path | None = None, *, language: str = "en",
        client: httpx.Client | None = None, pause: float = 1.0, tries: int = 4, timeout: float = 20.0,
        wait: Callable[[float], object] = time.sleep, clock: Callable[[], float] = time.time,
        ask: Callable[[str], str] | None = None, folder: str | Path = "~/.reactkit",
    ):  # fmt: skip
        self.address = language if "://" in language else f"https://{language}.wikipedia.org/w/api.php"
        self.name = re.sub(r"^\w+://([^/]*@)?|/.*", "", self.address)
        try:
            folder, self.client = Path(folder).expanduser(), client or httpx.Client()
            path = Path(kept or folder / f"wikipedia-{re.sub('://[^/]*@|[^a-z0-9.-]+', '-', language)}.sqlite")
            path.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError, ValueError, ImportError, httpx.InvalidURL) as error:
            raise DataError(f"cannot read {self.name}: {error}; give another place as kept=, or client=") from error
        self.contact = operator(contact, ask or (lambda words: getpass.getpass(words)), folder)  # notebooks swap it
        agent = f"reactkit/{metadata.version('reactkit')} ({self.contact}) httpx/{httpx.__version__}"
        self.sending, self.lent = {"headers": {"User-Agent": agent}, "timeout": timeout}, client
        self.pause, self.tries, self.wait, self.clock, self.ready, self.lock = pause, tries, wait, clock, 0.0, Lock()
        now = datetime.fromtimestamp(clock(), timezone.utc).isoformat(timespec="seconds")
        self.kept = Freezer(path, {"source": self.name, "date": now, "licence": "not stated"}, LONGEST_WAIT * tries)
        if self.kept.frozen.about.get("source") != self.name:
            self.close()
            raise DataError(f"{path} does not hold pages of {self.name}; give another file as kept=")

    def close(self, *error) -> None:
        """Close the kept file, and the client unless it was handed in."""
        for opened in (self.kept, self.client)[: 1 if self.lent else 2]:
            opened.close()

    __exit__ = close

    def page(self, title: str) -> Page | None:
        """Return the page that the wiki has under this title, or None, and ask for it only the first time."""
        title = readable(title)
        name, full = asked(title), spaced(title)
        with self.turn("SELECT name FROM names WHERE name = ?", full if name else "") as mine:
            if mine:
                page, names, licence = self.get({**ABOUT_PAGE, "titles": name}, article)
                self.kept.say({"licence": licence})
                if page:
                    self.kept.add(page)
                for other in (full, *names):
                    self.kept.name(other, page.title if page else "")
        return self.kept.frozen.page(full) if name else None

    def similar(self, title: str) -> list[str]:
        """Return up to five titles that the wiki finds for these words, or else for those that it suggests instead."""
        title = readable(title)
        words = searchable(title)
        with self.turn("SELECT asked FROM answers WHERE asked = ?", key(title) if words else "") as mine:
            if mine:
                titles, instead = self.get({**ABOUT_SEARCH, "srsearch": words}, found)
                if not titles and searchable(instead):
                    titles, _ = self.get({**ABOUT_SEARCH, "srsearch": searchable(instead)}, found)
                self.kept.answer(title, titles)
        return self.kept.frozen.similar(title) if words else []

    @contextmanager
    def turn(self, known: str, value: str) -> Iterator[bool]:
        """Hold the kept file, so that one program asks at a time; give whether what is asked for is still unknown."""
        with self.lock:
            if not value or self.kept.frozen.rows(known, (value,)):
                yield False
                return
            failed = None
            with self.kept.batch():  # what another program has asked for meanwhile is known by now
                last, most = (float(self.kept.frozen.about.get(name, 0)) for name in ("ready", "wait"))
                self.ready = max(self.ready, min(last, self.clock() + max(most, self.pause)))  # its clock may be odd
                try:
                    yield not self.kept.frozen.rows(known, (value,))
                except SourceError as error:  # nothing is kept then but how long to wait
                    failed = error
                self.kept.say({"ready": f"{self.ready}", "wait": f"{self.ready - self.clock()}"})
            if failed:
                raise failed

    def get(self, question: Mapping, read: Callable):
        """Return what the wiki answers, after as many tries as it takes and may take, each at its time."""
        for sent in range(1, self.tries + 1):
            left = self.ready - self.clock()
            if left > LONGEST_WAIT:
                raise SourceError("busy", f"{self.name} asked to be left alone for {left:.0f} s; try then", left)
            self.wait(max(left, 0))
            try:
                return answer(*self.outcome(question), self.name, read)
            except SourceError as error:
                self.ready = self.clock() + max(error.wait, 2**sent * (error.kind in PASSING), self.pause)
                if error.kind not in PASSING or sent == self.tries or error.wait > LONGEST_WAIT:
                    raise SourceError(error.kind, f"{error} (requests sent: {sent})", error.wait) from error

    def outcome(self, question: Mapping) -> tuple[str, str, float]:
        """Return what came of one request: its status or failure, the text, and for how long to stay away."""
        try:
            with self.client.stream("GET", self.address, params=question, **self.sending) as response:
                came = b"".join(bounded(response.iter_bytes(), 3 * self.sending["timeout"], time.monotonic))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OverflowError) as error:
            return type(error).__name__, str(error), 0.0
        finally:
            self.ready = self.clock() + self.pause
        text = came.decode("utf-8", "replace").replace(self.contact, "***")
        return f"HTTP {response.status_code}", text, seconds(response.headers)


def operator(contact: str | None, ask: Callable[[str], str], folder: Path, environ: Mapping = os.environ) -> str:
    """Return the contact of who runs this: as given, of the environment, as remembered in `folder`, or asked for."""
    remembered, given = folder / "contact.txt", contact or environ.get("REACTKIT_CONTACT", "").strip()
    with suppress(OSError, UnicodeError):  # what cannot be read, or is no contact, is asked for again
        given = given or next(filter(CONTACT.fullmatch, remembered.read_text("utf-8-sig").split("\n")), "")
    try:
        said = (given or ask(WHY)).strip()
    except (EOFError, OSError, NotImplementedError, UnicodeError) as error:  # nobody is there to ask
        raise SourceError("no_contact", f"Wikipedia must know who asks, but {error!r}; {WANTED}") from error
    if not CONTACT.fullmatch(said):
        raise SourceError("no_contact", f"the contact is no address; {WANTED}")
    with suppress(OSError):
        if not given:
            folder.mkdir(parents=True, exist_ok=True)
            remembered.touch(0o600)  # on a shared machine it is nobody else's
            remembered.write_text(f"{said}\n", "utf-8")
    return said
