"""Readers of what a collection is frozen from: text files, JSON lines, HotpotQA's JSON, a MediaWiki dump.

An input is read item by item (a file, a line, a question, a page of the dump), and an item's text is looked at only
when its pages are asked for. What gives no page gives a pair instead: the reason, and where it stands. A page with
neither sentences nor meanings is a redirect. In a text file a single line break is a space, since such text is wrapped.
"""

import bz2
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import unescape
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from reactkit.encyclopedia import Page
from reactkit.errors import DataError
from reactkit.sentences import sentences
from reactkit.titles import LONGEST_TITLE, key
from reactkit.wikitext import meanings, prose, redirect

__all__ = ["CHUNK", "Item", "items", "reader", "unpack"]

CHUNK, LONGEST = 2**16, 2**22  # bytes or letters: read at a time; of one item at most
AHEAD = 8192  # bytes that a TextIOWrapper has read and not yet given
UNREADABLE = re.compile("[\0\ud800-\udfff]")  # broken UTF-8 is decoded to such letters, too
WRAPPED = re.compile(r"(?<=\S)[ \t]*\n(?=[ \t]*[^\s*•-])")
SITE, SPACES = "siteinfo/sitename", "namespaces/namespace"
COMMA = re.compile(r"\s*(?:,\s*|(?=\]))")
FIELDS = {"page/title", "page/ns", "page/redirect", "revision/id", "revision/timestamp", "revision/text"}
KINDS = "a folder of .txt files, JSON lines (.jsonl), HotpotQA's JSON, a MediaWiki dump (.xml, .xml.bz2, .xml.gz)"
Item = Callable[[], Iterable[Page | tuple[str, str]]]


def items(path: Path) -> Iterator[tuple[int, Item]]:
    """Yield for each item of an input the bytes of the input read so far, and what makes the item's pages.

    Where the input breaks off, or is damaged so that nothing behind can be read, this is a `DataError`.
    """
    read = reader(path)
    if read is folder:
        yield from folder(path)
        return
    with open(path, "rb") as raw:
        try:
            for item in read(unpacked(raw)):
                yield max(raw.tell() - getattr(item, "behind", 0), 0), item
        except (OSError, EOFError, ValueError, LookupError, zlib.error, expat.ExpatError) as error:
            raise DataError(f"{path} is damaged or cut off at about byte {raw.tell()}: {error}") from error


def reader(path: Path) -> Callable:
    """Return what reads this kind of input, which its name and first letter tell; any other kind is a `DataError`."""
    if path.is_dir():
        return folder
    if not path.is_file():
        raise DataError(f"there is no file and no folder {path}")
    try:
        with open(path, "rb") as raw:
            first = unpacked(raw).read(CHUNK).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    found = {b"{": lines, b"[": questions, b"<": articles}.get(b"{" if ".jsonl" in path.suffixes else first)
    if found is None:
        raise DataError(f"{path} is none of what can be frozen: {KINDS}")
    return found


def unpacked(raw: BinaryIO) -> BinaryIO:
    """Return the file that a packed file holds, or the file itself."""
    return {b"BZh": bz2.open, b"\x1f\x8b\x08": gzip.open}.get(raw.peek(3)[:3], lambda same: same)(raw)


def unpack(path: Path, told: Callable[[int], object]) -> None:
    """Unpack a packed input to its end; `told` hears the bytes read. A damaged one is a `DataError`."""
    if path.is_dir():
        return
    with open(path, "rb") as raw:
        try:
            packed = unpacked(raw)
            while packed is not raw and packed.read(CHUNK):
                told(raw.tell())
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"{path} is damaged or cut off at about byte {raw.tell()}: {error}") from error


def page(where: str, title: str, text: str, split=sentences, may_mean: Sequence[str] = (), **more):
    """Return the page; or a pair, why it cannot be used and where it stands."""
    if not (isinstance(title, str) and isinstance(text, str)):
        return "of another shape", where
    title = " ".join(title.split())
    faults = {
        "no title": not title,
        f"a title over {LONGEST_TITLE} letters": len(title) > LONGEST_TITLE,
        "no text": not (text.strip() or may_mean),
        "over 4 MB": len(text) > LONGEST,
        "NUL bytes, or no UTF-8": UNREADABLE.search(title + text + more.get("credit", "")),
    }
    for reason in (reason for reason, found in faults.items() if found):
        return reason, where
    return Page(title, () if may_mean else tuple(filter(None, split(text))), may_mean=may_mean, **more)


def names(found: object) -> tuple[str, ...]:
    """Return what of a list can be titles, each once."""
    readable = (name for name in found if isinstance(name, str)) if isinstance(found, list) else ()
    told = (" ".join(name.split()) for name in readable if not UNREADABLE.search(name))
    return tuple(dict.fromkeys(name for name in told if 0 < len(name) <= LONGEST_TITLE))


def folder(path: Path) -> Iterator[tuple[int, Item]]:
    """Yield the items of a folder: its files, by name."""
    read = 0
    for file in sorted(path.iterdir()):
        read += file.lstat().st_size
        yield read, partial(text_file, file)


def text_file(path: Path) -> list:
    """Return the page of a text file, whose name is the title; a first line that repeats the title is left out."""
    if path.is_symlink() or not path.is_file() or path.suffix.lower() != ".txt":
        return [("no plain .txt file", path.name)]
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            text = file.read(LONGEST + 1).lstrip()
    except OSError as error:
        return [(f"unreadable: {error.strerror}", path.name)]
    title = path.stem.replace("_", " ")
    first, _, rest = text.partition("\n")
    return [page(path.name, title, WRAPPED.sub(" ", rest if key(first.strip(" #=")) == key(title) else text))]


def lines(file: BinaryIO) -> Iterator[Item]:
    """Yield the items of a file of JSON lines; of a line that is too long, only the beginning is kept."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST), b""), 1):
        rest = line
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST)
        yield partial(json_line, f"line {number}", line)


def json_line(where: str, line: bytes) -> list:
    """Return the pages of a line of JSON; none where the line is blank."""
    try:
        return pages(where, json.loads(line.decode("utf-8-sig", "surrogateescape"))) if line.strip() else []
    except (ValueError, RecursionError):
        return [("no JSON, or over 4 MB", where)]


def pages(where: str, entry: object) -> list:
    """Return the page of an entry with a title and a text, or the paragraphs of one of HotpotQA's questions."""
    match entry:
        case {"title": title, "text": text} | {"title": title, "extract": text} | {"title": title, "contents": text}:
            told = {name: names(entry.get(name)) for name in ("redirects", "may_mean")}
            return [page(where, title, text, credit=str(entry.get("credit") or ""), **told)]
        case {"context": [*pairs]}:
            return [paragraph(where, pair) for pair in pairs]
    return [("of another shape", where)]


def paragraph(where: str, pair: object) -> Page | tuple[str, str]:
    """Return the page of a paragraph, a pair of its title and its sentences, which stay as they are split."""
    match pair:
        case [str(title), [*told]] if all(isinstance(sentence, str) for sentence in told):
            text = "\n".join(" ".join(sentence.split()) for sentence in told)
            return page(where, unescape(title), text, str.splitlines)
    return "of another shape", where


def questions(file: BinaryIO) -> Iterator[Item]:
    """Yield the items of HotpotQA's JSON: its questions, each decoded from a window that holds little else."""
    text, decode = TextIOWrapper(file, "utf-8-sig", "surrogateescape"), json.JSONDecoder().raw_decode
    window, number, comma = text.read(CHUNK).lstrip()[1:].lstrip(), 1, None
    while not window.startswith("]"):
        try:
            question, end = decode(window)
            comma = COMMA.match(window, end)
        except (ValueError, RecursionError):
            comma = None
        if comma:
            window, item = window[comma.end() :], partial(pages, f"question {number}", question)
            item.behind, number = len(window.encode("utf-8", "surrogateescape")) + AHEAD, number + 1  # bytes, at most
            yield item
        elif len(window) <= LONGEST and (more := text.read(max(CHUNK, len(window)))):
            window = (window + more).lstrip()
        else:
            raise EOFError(f"question {number} breaks off, is no JSON, or is longer than 4 MB")


def articles(file: BinaryIO) -> Iterator[Item]:
    """Yield the items of a MediaWiki dump: its pages. A DOCTYPE is refused, since entities can grow without end."""
    path, ready, fields, parser = [], [], dict.fromkeys((*FIELDS, SITE, SPACES), ""), expat.ParserCreate()

    def start(name, attributes):
        path.append(name)
        key = attributes.get("key")  # of a namespace
        letters(f"\n{key} " if key else attributes.get("title", ""), anew=not key or len(fields[SPACES]) > CHUNK)

    def letters(text, anew=False):
        if (place := "/".join(path[-2:])) in fields:
            fields[place] = ("" if anew else fields[place][:LONGEST]) + text

    def end(name):
        path.pop()
        if name == "page":
            ready.append(partial(article, {**fields}))
            fields.update(dict.fromkeys(FIELDS, ""))

    def refuse(*_):
        raise ValueError("it declares a DOCTYPE, which no dump of MediaWiki does")

    parser.buffer_text, parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = True, letters, refuse
    parser.StartElementHandler, parser.EndElementHandler = start, end
    for chunk in iter(partial(file.read, CHUNK), b""):
        parser.Parse(chunk)
        yield from ready
        ready.clear()
        if max(len(path), len(parser.intern)) > 999 or file.tell() - parser.CurrentByteIndex > LONGEST:
            raise ValueError("too many names, or one too long, for a dump of MediaWiki")
    parser.Parse(b"", True)


def article(fields: dict[str, str]) -> list:
    """Return the page of an article, or the redirect; one outside the namespace of articles is skipped."""
    title, text = fields["page/title"], fields["revision/text"]
    if fields["page/ns"] not in ("", "0"):
        return [("no article: another namespace", title)]
    if target := fields["page/redirect"] or redirect(text):
        return [Page(target.partition("#")[0].strip(), redirects=names([title]))]
    credit = "{page/title}, revision {revision/id} of {revision/timestamp}, {siteinfo/sitename}".format_map(fields)
    listed = fields[SPACES]
    text, may_mean = (text, ()) if len(text) > LONGEST else (prose(text, listed), names(meanings(text, listed)))
    if text is None:
        return [("more links than can be parsed in seconds", title)]
    return [page(title, title, text, may_mean=may_mean, credit=credit)]
