"""The encyclopedia: pages, and the paper's two actions over them (section 3.1).

Search shows a page's first five sentences, or up to five similar titles; Lookup shows the next sentence of the open
page that holds a string, as Ctrl+F would. What the paper leaves open, and where the authors' code (wikienv.py) differs:

- A miss keeps the open page and the place of Lookup, as theirs does, and says so, since a reader cannot guess it.
- A redirect is named, since the page may never mention the title that was asked for. Theirs is silent.
- A disambiguation page lists its titles and opens nothing. Theirs searches for it in brackets, without end if need be.
- No page, no hit and no more hits are told apart, since each asks for another move. Theirs: "No more results." thrice.
- Case and kinds of spaces make no difference. Theirs begins anew at another spelling; a no-break space hides a hit.
- Sentences are whole, and short ones stay. Theirs are cut at each ". ", as after "Dr.", get a second full stop at the
  end of a paragraph, and lack blocks of one or two words. Five are shown, though their prompt says "first paragraph".
- A text is shown as it is. Theirs takes a backslash for an escape, and raises where it is none.
- An unknown action is answered with the known ones. Theirs: "Invalid action" and its text. In both it costs a step.
- A thought is a line, not a move (section 2), so there is no Think. Theirs answers think[...] with "Nice thought."

With `authors_format`, observations read as theirs, to replay published runs; line breaks in sentences end
paragraphs, which only a `Shelf` keeps.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from reactkit.errors import DataError
from reactkit.likeness import most_alike
from reactkit.shipped import shipped, shipped_names
from reactkit.titles import LONGEST_TITLE, TITLES_SHOWN, key

__all__ = ["Encyclopedia", "Page", "Shelf", "Source", "shipped_pages"]

SENTENCES_SHOWN = 5
MEANINGS_SHOWN = 20  # Wikipedia's lists run to hundreds, which a prompt has no room for
NO_MORE = "No more results.\n"
TEXTS = {  # outcome: our words, those of the authors' code
    "missing": ("Could not find [{asked}]. {hint}{stays}", "Could not find {asked}. Similar: {titles}."),
    "ambiguous": ("{page.title} may mean: {hint}.{stays}", "Could not find [{asked}]. Similar: {titles}."),
    "no text": ('The page "{page.title}" has no text.', ""),
    "no page": ("No page is open, so there is nothing to look up. Search for a page first.", NO_MORE),
    "no hit": ('The page "{page.title}" does not contain "{asked}".', NO_MORE),
    "no more": ('No more results for "{asked}" on the page "{page.title}": {shown} of {shown} shown.', NO_MORE),
}


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its sentences in order, other names that lead to it, and what each fact rests on.

    A disambiguation page has no sentences; `may_mean` holds the titles it points to. `credit` is to be printed with a
    page that was read from somewhere: its title, revision, time and licence.
    """

    title: str
    sentences: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    may_mean: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    credit: str = ""


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
        names = ((name, page.title) for page in self.pages for name in (page.title, *page.redirects))
        return most_alike(title, names)


class Encyclopedia:
    """The paper's world over a `Source`: at most one page is open, and Lookup remembers where it stands on it.

    `authors_format` is for replaying runs that the authors' code printed.
    """

    def __init__(self, source: Source | None = None, authors_format: bool = False):
        self.source, self.authors_format = shipped_shelf() if source is None else source, authors_format
        self.reset()

    def reset(self) -> None:
        """Close the open page and forget the credits, as at the start of an episode."""
        self.open: Page | None = None
        self.sentences, self.keyword, self.shown, self.credited = (), None, 0, {}

    def search(self, title: str, /) -> str:
        """Open the page called `title` and return its first five sentences; else return up to five similar titles."""
        page = self.source.page(title)
        if page is None:
            return self.missed(title)
        self.credited[page.credit] = True
        if page.may_mean:
            left = len(page.may_mean[MEANINGS_SHOWN:])
            hint = "; ".join(page.may_mean[:MEANINGS_SHOWN]) + (f"; and {left} more" if left else "")
            return self.said("ambiguous", page, asked=title, hint=hint, titles=[*page.may_mean[:TITLES_SHOWN]])
        self.open, self.keyword, self.shown = page, None, 0
        self.sentences = fragments(page) if self.authors_format else page.sentences
        led = not self.authors_format and key(title) != key(page.title)
        first = [f"Redirected from {title} to {page.title}."] if led else []
        return " ".join([*first, *self.sentences[:SENTENCES_SHOWN]]) or self.said("no text", page)

    def lookup(self, keyword: str, /) -> str:
        """Return the next sentence of the open page that holds `keyword`, with its place, as in "(Result 1 / 2)"."""
        if self.open is None:
            return self.said("no page")
        wanted = self.compared(keyword)
        found = [sentence for sentence in self.sentences if wanted and wanted in self.compared(sentence)]
        if wanted != self.keyword:
            self.keyword, self.shown = wanted, 0
        if self.shown == len(found):
            return self.said("no more" if found else "no hit", self.open, asked=keyword, shown=self.shown)
        self.shown += 1
        return f"(Result {self.shown} / {len(found)}) {found[self.shown - 1]}"

    def compared(self, text: str) -> str:
        """Return what Lookup compares of a text: no case, each white space as one space, and no word joiner."""
        return text.casefold() if self.authors_format else key(text.replace("\u2060", ""))

    def credits(self) -> tuple[str, ...]:
        """Return the credits of the pages that Search found in this episode, each once, in order."""
        return tuple(filter(None, self.credited))

    def missed(self, title: str) -> str:
        """Return what Search says where no page has this title."""
        names = self.source.similar(title)
        hint = f"Similar titles: {'; '.join(names)}." if names else "No title resembles it."
        return self.said("missing", asked=title[:LONGEST_TITLE], hint=hint, titles=names)

    def said(self, outcome: str, page: Page | None = None, **fields) -> str:
        """Return the words for an outcome, of `TEXTS`."""
        stays = f' The page "{self.open.title}" stays open.' if self.open else ""
        return TEXTS[outcome][self.authors_format].format(page=page, stays=stays, **fields)


def fragments(page: Page) -> list[str]:
    """Return what the authors' code takes for sentences: what stands between two ". ", with a full stop after each."""
    blocks = (block for block in " ".join(page.sentences).split("\n") if len(block.split(" ")) > 2)
    pieces = (piece.strip() for block in blocks for piece in block.split(". "))
    return [f"{piece}." for piece in pieces if piece]


@cache
def shipped_pages() -> tuple[Page, ...]:
    """Return the pages that come with the kit, in the order of their files."""
    entries = (entry for name in shipped_names("pages") for entry in shipped(name))
    return tuple(Page(**{field: frozen(value) for field, value in entry.items()}) for entry in entries)


@cache
def shipped_shelf() -> Shelf:
    """Return the pages that come with the kit as a source, made once, since a run for each task would make it again."""
    return Shelf(shipped_pages())


def frozen(value):
    return tuple(value) if isinstance(value, list) else value
