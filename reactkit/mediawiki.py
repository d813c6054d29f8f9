"""What a wiki is asked through the action API of MediaWiki, and what its answers mean, as plain values.

Answers of both editions of the format are read: pages in a list, and pages keyed by number with "" for true.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from reactkit.encyclopedia import Page
from reactkit.errors import SourceError
from reactkit.sentences import sentences
from reactkit.titles import LONGEST_TITLE, TITLES_SHOWN, spaced
from reactkit.wire import too_long, words

__all__ = ["ABOUT_PAGE", "ABOUT_SEARCH", "PASSING", "answer", "article", "asked", "found", "searchable"]

QUERY = {"action": "query", "format": "json", "formatversion": 2, "maxlag": 5}  # a wiki 5 s behind is left alone
PROPERTIES = {"prop": "extracts|pageprops|revisions|info|links", "ppprop": "disambiguation", "rvprop": "ids|timestamp"}
SITE = {"inprop": "url", "meta": "siteinfo", "siprop": "rightsinfo"}
ABOUT_PAGE = {**QUERY, **PROPERTIES, **SITE, "redirects": 1, "explaintext": 1, "plnamespace": 0, "pllimit": "max"}
HITS = {"srlimit": TITLES_SHOWN, "srnamespace": 0, "srinfo": "suggestion", "srprop": ""}
ABOUT_SEARCH = {**QUERY, **HITS, "list": "search"}
FORBIDDEN = re.compile(r"[<>\[\]{}|\x00-\x1f\x7f\ud800-\udfff\ufffd]")  # in a title; "|" would make it two
OPERATORS = re.compile(r'["~*?\\/:!|+<>()\[\]{}^=#\x00-\x1f\x7f-]+')  # or no text
HEADING = re.compile(r"^={2,6}[^=\n].*=$", re.MULTILINE)
SYMBOLS = re.compile(r"\n {4,}(?!\{\\(?:display|text)style ).*")  # of a formula, one to a line, before it comes in TeX
FORMULA = re.compile(r"\s*\n {4,}\{\\(?:display|text)style (.*)\}\s*")
PASSES = r"maxlag|ratelimited|readonly|internal_|[\w-]*(busy|backend-error)"
WHERE = "is it the address of an api.php?"
FAULTS = (  # kind, what came of a request, and how its text begins, advice; the first row that fits counts
    ("refused", "HTTP 40[13]", "is yours a contact that can be reached? See w.wiki/4wJS"),
    ("busy", rf'HTTP (429|408|5|200.*"code":\s*"({PASSES}))', "try again later"),
    ("wrong_address", "HTTP [34]|InvalidURL|Unsupported", WHERE),
    ("request_refused", "HTTP", "does this wiki know all that the kit asks for?"),
    ("not_reached", "ConnectError", "is there a network? is the address right?"),
    ("too_slow", "TimeoutError", "try again later, or give a longer timeout="),
    ("too_large", "OverflowError", WHERE),
    ("connection_lost", "", "try again; what was read is kept"),
)
PASSING = ("busy", "connection_lost", "broken_answer")  # kinds that may be gone in a while


def asked(title: str) -> str:
    """Return the title that a wiki is asked for, without "#section"; "" where no page can have it."""
    name = spaced(title.partition("#")[0])
    return "" if FORBIDDEN.search(name) or "\ufffd" in title or len(name.encode()) > 255 else name


def searchable(text: str) -> str:
    """Return the words of a text, none of which a search engine takes for an operator; "" for a broken text."""
    text = re.sub(r"\b(AND|OR|NOT)\b", lambda word: word[0].lower(), text[:LONGEST_TITLE])
    return "" if "\ufffd" in text else spaced(OPERATORS.sub(" ", text))


def answer(outcome: str, text: str, wait: float, wiki: str, read: Callable[[Mapping, str], object]):
    """Return what `read` makes of the query in an answer, where the `outcome` is "HTTP 200"; else a `SourceError`."""
    said = words(text[:4000])
    try:
        data = json.loads(text) if outcome == "HTTP 200" else {"error": said}
        if "error" not in data:
            return read(data["query"], wiki)
    except (ValueError, RecursionError) as error:
        told = f"{wiki} sent what is no JSON, or not all of it: {said}; {WHERE}"
        raise SourceError("broken_answer", told, wait) from error
    except (TypeError, AttributeError, LookupError) as error:
        raise SourceError("odd_answer", f"{wiki} sent an answer of another form: {said}; {WHERE}") from error
    kind, _, advice = next(row for row in FAULTS if re.match(row[1], f"{outcome} {text[:4000]}", re.DOTALL))
    raise SourceError(kind, f"{wiki}: {outcome}: {said}{too_long(wait)}; {advice}", wait)


def article(query: Mapping, wiki: str) -> tuple[Page | None, list[str], str]:
    """Return the page that a title leads to, the names on the way there, and the licence that the wiki states.

    A loop of redirects leads to no page. A page without text, where the wiki cannot extract it, is a `SourceError`.
    """
    steps = [step for kind in ("normalized", "redirects") for step in query.get(kind) or ()]
    names, rights = [step[end] for step in steps for end in ("from", "to")], query.get("rightsinfo") or {}
    licence = " ".join(filter(None, (rights.get("text"), rights.get("url")))) or "licence not stated"
    pages = query.get("pages", ()) if steps or "interwiki" in query else query["pages"]
    entry = next(iter(pages.values() if isinstance(pages, Mapping) else pages), {"missing": True})
    if entry.get("ns") or any(entry.get(flag, False) is not False for flag in ("missing", "invalid", "special")):
        return None, names, licence
    if not isinstance(entry.get("extract"), str):
        told = f"{wiki} sent the page {entry['title']!r} without its text; does it have the extension TextExtracts?"
        raise SourceError("without_text", told)
    text, credit = cleaned(entry["extract"]), credited(entry, wiki, licence)
    listing = "disambiguation" in entry.get("pageprops", ())
    may_mean = pointed(entry["title"], text, entry.get("links") or ()) if listing else ()
    return Page(entry["title"], () if may_mean else sentences(text), may_mean=may_mean, credit=credit), names, licence


def cleaned(extract: str) -> str:
    """Return the text of a page without headings, and each formula once, in TeX, instead of symbol by symbol."""
    text = HEADING.sub("", extract)
    return FORMULA.sub(r" \1 ", SYMBOLS.sub("", text)) if FORMULA.search(text) else text


def pointed(title: str, text: str, links: Sequence[Mapping]) -> tuple[str, ...]:
    """Return the titles that a disambiguation page points to, in its order: the first link of each line.

    Quotation marks and capitals may differ. Links that begin with the page's own name are there in any case; else all.
    """
    titles = [(bare(link["title"]).casefold(), link["title"]) for link in links if link.get("ns") == 0]
    either = "|".join(sorted((re.escape(shown) for shown, _ in titles if shown), key=len, reverse=True)) or r"(?!)"
    lines = bare(re.sub("<[^>]*>", "", text)).casefold().split("\n")
    firsts = (re.search(rf"(?<!\w)({either})(?!\w)", line) for line in lines)
    own = bare(title.removesuffix(" (disambiguation)")).casefold()
    listed = [name for first in firsts if first for shown, name in titles if shown == first[0]]
    named = [name for shown, name in titles if shown.startswith(own)]
    return tuple(dict.fromkeys(listed + named or [name for _, name in titles]))


def bare(text: str) -> str:
    """Return a text without quotation marks."""
    return re.sub("[\"'“”„«»]", "", text)


def credited(entry: Mapping, wiki: str, licence: str) -> str:
    """Return whose text a page is: title, wiki, revision with its time, licence, and a link to just this revision."""
    [revision] = entry.get("revisions") or [{}]
    number, link = revision.get("revid", entry.get("lastrevid")), entry.get("canonicalurl") or entry.get("fullurl")
    edition = f"revision {number} {revision.get('timestamp', '')}".strip() if number else ""
    place = f"{link}{'&' if '?' in link else '?'}oldid={number}" if link else ""
    return ", ".join(filter(None, (entry["title"], wiki, edition, licence, place)))


def found(query: Mapping, wiki: str) -> tuple[list[str], str]:
    """Return the titles that a search found, and what the `wiki` would rather search for, or ""."""
    titles = [hit["title"] for hit in query["search"] if hit.get("ns", 0) == 0]
    return titles[:TITLES_SHOWN], (query.get("searchinfo") or {}).get("suggestion") or ""
