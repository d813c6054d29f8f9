"""The offline encyclopedia: pages in the kit's own words, and the paper's two actions over them (section 3.1).

Search shows a page's first five sentences, or up to five similar titles; Lookup shows the next sentence of the open
page that holds a string, as Ctrl+F would. Where the authors' code has quirks, these are our choices:
a miss keeps the open page (as theirs does) and *says* so; a redirect is named; a disambiguation page lists its titles
and opens nothing, instead of searching again; Lookup before any Search says that no page is open; sentences are stored
one by one, so no full stop inside an abbreviation cuts one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import Protocol
from unicodedata import normalize

from reactkit.errors import DataError
from reactkit.shipped import shipped, shipped_names

__all__ = ["Encyclopedia", "Page", "Shelf", "Source", "last_end", "sentences", "shipped_pages"]

SENTENCES_SHOWN = 5
TITLES_SHOWN = 5
ABBREVIATIONS = r"Dr|Mr|Ms|Mrs|Prof|St|Mt|Jr|Sr|vs|Gen|Col|Capt|Lt|e\.g|i\.e|[A-HJ-UWYZ]"
END = re.compile(
    "".join(rf"(?<!\b{word})" for word in ABBREVIATIONS.split("|"))
    + r"(?:(?<!\b[IVX])|(?!\.\s+\w\.))"  # a king's number ends a sentence, where it is not one of two initials
    + r"""(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s+["'“‘(\[]*[^\W\d_a-z]|\s*\Z)|[。！？]|(?<=\S)(?=\n)"""
)
LONGEST_TITLE = 300  # characters; what is longer is no title, and would cost seconds to compare


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its sentences in order, other names that lead to it, and what each fact rests on.

    A disambiguation page has no sentences; `may_mean` holds the titles it points to.
    """

    title: str
    sentences: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    may_mean: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()


class Source(Protocol):
    """Where pages come from: an exact page or None, and titles that a person may have meant."""

    def page(self, title: str) -> Page | None:
        """Return the page of exactly this title, or None."""

    def similar(self, title: str) -> list[str]:
        """Return up to five titles like this one, the best first."""


class Shelf:
    """A `Source` in memory. Titles match without regard to case, underscores and surplus spaces."""

    def __init__(self, pages: Iterable[Page]):
        self.pages = tuple(pages)
        self.by_name = {}
        for page in self.pages:
            for name in (page.title, *page.redirects):
                if key(name) in self.by_name:
                    raise DataError(
                        f"the title {name!r} leads to two pages: {self.by_name[key(name)].title!r} and {page.title!r}"
                    )
                self.by_name[key(name)] = page

    def page(self, title: str) -> Page | None:
        """Return the page of this title or redirect, or None."""
        return self.by_name.get(key(title))

    def similar(self, title: str) -> list[str]:
        """Return up to five titles that resemble `title`, most alike first; none where nothing resembles it."""
        asked = key(title[:LONGEST_TITLE])
        scored = sorted((-likeness(asked, key(page.title)), page.title) for page in self.pages)
        return [name for score, name in scored[:TITLES_SHOWN] if score < 0]


class Encyclopedia:
    """The paper's world over a `Source`: at most one page is open, and Lookup remembers where it stands on it."""

    def __init__(self, source: Source | None = None):
        self.source = Shelf(shipped_pages()) if source is None else source
        self.reset()

    def reset(self) -> None:
        """Close the open page, as at the start of an episode."""
        self.open: Page | None = None
        self.keyword, self.shown = None, 0

    def search(self, title: str, /) -> str:
        """Open the page called `title` and return its first five sentences; else return up to five similar titles."""
        page = self.source.page(title)
        if page is None:
            return self.missed(title)
        if page.may_mean:
            return f"{page.title} may mean: {'; '.join(page.may_mean)}. {self.still_open()}".strip()
        self.open, self.keyword, self.shown = page, None, 0
        led = key(title) != key(page.title)
        first = [f"Redirected from {title} to {page.title}."] if led else []
        return " ".join([*first, *page.sentences[:SENTENCES_SHOWN]])

    def lookup(self, keyword: str, /) -> str:
        """Return the next sentence of the open page that holds `keyword`, with its place, as in "(Result 1 / 2)"."""
        if self.open is None:
            return "No page is open, so there is nothing to look up. Search for a page first."
        found = [sentence for sentence in self.open.sentences if keyword.casefold() in sentence.casefold()]
        if keyword.casefold() != self.keyword:
            self.keyword, self.shown = keyword.casefold(), 0
        if not found:
            return f'The page "{self.open.title}" does not contain "{keyword}".'
        if self.shown == len(found):
            place = f'on the page "{self.open.title}": {self.shown} of {self.shown} shown'
            return f'No more results for "{keyword}" {place}.'
        self.shown += 1
        return f"(Result {self.shown} / {len(found)}) {found[self.shown - 1]}"

    def missed(self, title: str) -> str:
        """Return what Search says where no page has this title."""
        names = self.source.similar(title)
        hint = f"Similar titles: {'; '.join(names)}." if names else "No title resembles it."
        return f"Could not find [{title[:LONGEST_TITLE]}]. {hint} {self.still_open()}".strip()

    def still_open(self) -> str:
        """Return the sentence that names the open page, or nothing."""
        return f'The page "{self.open.title}" stays open.' if self.open else ""


@cache
def shipped_pages() -> tuple[Page, ...]:
    """Return the pages that come with the kit, in the order of their files."""
    entries = (entry for name in shipped_names("pages") for entry in shipped(name))
    return tuple(Page(**{field: frozen(value) for field, value in entry.items()}) for entry in entries)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, for pages that come in one piece."""
    ends = [0, *(found.end() for found in END.finditer(text)), len(text)]
    return tuple(piece for start, end in zip(ends, ends[1:]) if (piece := text[start:end].strip()))


def last_end(text: str, room: int) -> int:
    """Return where to cut a text to `room` characters: where a sentence ends, or else between two words."""
    ends = [found.end() for found in END.finditer(text) if found.end() <= room]
    return max(ends or [gap.start() for gap in re.finditer(r"\s", text[: room + 1])], default=0)


def frozen(value):
    return tuple(value) if isinstance(value, list) else value


def key(title: str) -> str:
    return " ".join(normalize("NFC", title).replace("_", " ").casefold().split())


def likeness(asked: str, title: str) -> float:
    """Return how alike two keys of titles are, 0 to 1: by letters, or by the share of the words asked for that it has.

    Letters count from 0.7 on, which forgives a typing error, words from one half on; below, nothing is alike.
    """
    asked_words, title_words = set(words(asked)), set(words(title))
    letters = SequenceMatcher(None, asked, title).ratio()
    shared = len(asked_words & title_words) / max(len(asked_words), 1)
    return max(letters if letters >= 0.7 else 0.0, 0.98 * shared if shared >= 0.5 else 0.0)


def words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text).split()
