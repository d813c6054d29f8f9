"""Live Wikipedia as a `Source`, recorded as it is read: who reads a page again, today or in a year, asks nobody.

Requests go out one by one, a pause apart, with the contact of whoever runs this, as Wikimedia's policy for clients has
it. Pages, misses and search answers are kept in a frozen collection; to begin anew, give another file.
"""

import os
import re
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from threading import Lock

import httpx

from reactkit.encyclopedia import Page
from reactkit.errors import DataError, SourceError
from reactkit.freezer import Freezer
from reactkit.mediawiki import ABOUT_PAGE, ABOUT_SEARCH, PASSING, answer, article, asked, found, searchable, spaced
from reactkit.titles import key
from reactkit.wire import LONGEST_WAIT, seconds

__all__ = ["Wikipedia", "operator"]

CONTACT = re.compile(r"(?=.*([^\s@]@[^\s@]|https?://\w))[ -'*-~]{5,200}")  # one line of ASCII, no round brackets
WANTED = "give your mail address or web page, one line of ASCII, as contact= or in the variable REACTKIT_CONTACT"
WHY = """Wikipedia wants to know whom it can write to if this program gives it trouble. Your answer goes to it with each
request, and is remembered on this machine. Your mail address, or the address of a page about you: """


class Wikipedia:
    """A live `Source` that keeps what it reads in the file `kept`, by default one in `folder`, for `Frozen` to replay.

    `language` is the code of a Wikipedia, or the whole address of another wiki's api.php. Requests are `pause` seconds
    apart, and one that failed is sent up to `tries` times where that may help. A failure that stays is a `SourceError`;
    what was read before is kept. Several processes may share the file. `clock` gives seconds since 1970.
    """

    def __init__(
        self, contact: str | None = None, kept: str | Path | None = None, *, language: str = "en",
        client: httpx.Client | None = None, pause: float = 1.0, tries: int = 4, timeout: float = 20.0,
        wait: Callable[[float], object] = time.sleep, clock: Callable[[], float] = time.time,
        ask: Callable[[str], str] = input, folder: str | Path = "~/.reactkit",
    ):  # fmt: skip
        folder = Path(folder).expanduser()
        self.address = language if "://" in language else f"https://{language}.wikipedia.org/w/api.php"
        self.name = re.sub(r"^\w+://([^/]*@)?|/.*", "", self.address)
        self.contact, self.client = operator(contact, ask, folder), client or httpx.Client()
        agent = f"reactkit/{metadata.version('reactkit')} ({self.contact}) httpx/{httpx.__version__}"
        self.sending = {"headers": {"User-Agent": agent}, "timeout": timeout}
        self.pause, self.tries, self.wait, self.clock, self.ready, self.lock = pause, tries, wait, clock, 0.0, Lock()
        path = Path(kept or folder / f"wikipedia-{re.sub('[^a-z0-9.-]+', '-', language)}.sqlite")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"no folder for {path}: {error}; give another place as kept=") from error
        now = datetime.fromtimestamp(clock(), timezone.utc).isoformat(timespec="seconds")
        self.kept = Freezer(path, {"source": self.name, "date": now, "licence": "not stated"})
        if self.kept.frozen.about.get("source") != self.name:
            raise DataError(f"{path} does not hold pages of {self.name}; give another file as kept=")

    def page(self, title: str) -> Page | None:
        """Return the page that the wiki has under this title, or None, and ask for it only the first time."""
        name, full = asked(title), spaced(title)
        with self.lock:
            if name and not self.kept.frozen.rows("SELECT 1 FROM names WHERE name = ?", (full,)):
                page, names, licence = self.get({**ABOUT_PAGE, "titles": name}, article)
                with self.kept.batch():
                    self.kept.say({"licence": licence})
                    if page:
                        self.kept.add(page)
                    for other in (full, *names):
                        self.kept.name(other, page.title if page else "")
            return self.kept.frozen.page(full) if name else None

    def similar(self, title: str) -> list[str]:
        """Return up to five titles that the wiki finds for these words, or else for those that it suggests instead."""
        words = searchable(title)
        with self.lock:
            if words and not self.kept.frozen.rows("SELECT 1 FROM answers WHERE asked = ?", (key(title),)):
                titles, instead = self.get({**ABOUT_SEARCH, "srsearch": words}, found)
                if instead and not titles:
                    titles, _ = self.get({**ABOUT_SEARCH, "srsearch": instead}, found)
                with self.kept.batch():
                    self.kept.answer(title, titles)
            return self.kept.frozen.similar(title) if words else []

    def get(self, question: Mapping, read: Callable):
        """Return what the wiki answers, after as many tries as it takes and may take, each at its time."""
        for sent in range(1, self.tries + 1):
            self.wait(min(max(self.ready - self.clock(), 0), LONGEST_WAIT))
            try:
                return answer(*self.outcome(question), self.name, read)
            except SourceError as error:
                if error.kind not in PASSING or sent == self.tries or error.wait > LONGEST_WAIT:
                    raise SourceError(error.kind, f"{error} (requests sent: {sent})") from error
                self.ready = self.clock() + max(error.wait, 2**sent)

    def outcome(self, question: Mapping) -> tuple[str, str, float]:
        """Return what came of one request: its status or failure, the text, and for how long to stay away."""
        try:
            response = self.client.get(self.address, params=question, **self.sending)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return type(error).__name__, str(error), 0.0
        finally:
            self.ready = self.clock() + self.pause
        text = response.text.replace(self.contact, "***")
        return f"HTTP {response.status_code}", text, seconds(response.headers)


def operator(contact: str | None, ask: Callable[[str], str], folder: Path, environ: Mapping = os.environ) -> str:
    """Return the contact of who runs this: as given, of the environment, as remembered in `folder`, or asked for."""
    remembered = folder / "contact.txt"
    try:
        given = contact or environ.get("REACTKIT_CONTACT") or (remembered.is_file() and remembered.read_text("utf-8"))
        said = (given or ask(WHY)).strip()
        if not CONTACT.fullmatch(said):
            raise SourceError("no_contact", f"the contact is no address; {WANTED}")
        if not given:
            folder.mkdir(parents=True, exist_ok=True)
            remembered.write_text(f"{said}\n", "utf-8")
    except (EOFError, OSError, NotImplementedError) as error:  # nobody there to ask, or nowhere to write
        raise SourceError("no_contact", f"Wikipedia must know who asks, but {error!r}; {WANTED}") from error
    return said
