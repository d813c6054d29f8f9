"""Wikitext to plain prose: what a reader sees of it, in lines.

What stands in braces (templates, tables), references, files, categories and headings are dropped. A link is its text,
and each line of a list stays a line. A disambiguation page is known by its template; no list of links alone makes one.
"""

import re
import sys

from reactkit.errors import DataError

__all__ = ["meanings", "prose"]

DISAMBIGUATION = re.compile(
    r"(?i)\{\{ ?(?:[\w -]{0,30}disambig(?:uation)?(?: page| cleanup)?|dab|(?:hn|geo|math)dis|surname|given name"
    r"|homonymie|begriffsklärung|desambiguación) ?[|}\n]|__DISAMBIG__"
)
LISTED = re.compile(r"(?m)^[*#:][^\[\n]*\[\[([^\[\]|#\n]+)")  # the first link of a line
UNSEEN = re.compile(
    r"(?is)<!--.*?(?:-->|\Z)|<(ref|math|gallery|source|style|timeline)\b[^<>]*?(?:/>|>.*?(?:</\1\s*>|\Z))"
)
BRACES, DEEPEST = re.compile(r"\{[^{}]*\}"), 80  # taken away from within, so often at most
MARKS = re.compile(r"(?m)[{}]|__[A-Z]+__|^=.*=[ \t]*$|^[|!].*|^[*#:;]+|'{2,}")
HIDDEN = re.compile(r"(?i)\s*(file|image|category|datei|bild|kategorie|fichier|catégorie|archivo|categoría)\s*:")
EMPTIED = re.compile(r" ?\([\s,;:]*\)|(?<=\()[\s,;:]+")  # what a template leaves behind
CLOSED = re.compile(r"(?i)\[[^\[\]]*\]|<(\w{1,20})\b[^<>]*>[^<>]*</\1\s*>|<[^<>]*/>|</?(?:br|hr|li|p)\b[^<>]*>")
TANGLED = 2_000_000  # marks left open times letters, from which on a parser may need minutes


def prose(wikitext: str) -> str:
    """Return what a reader sees of wikitext; nothing where so many marks are left open that parsing takes minutes."""
    text = UNSEEN.sub("", wikitext.replace("<br", "\n<br"))
    for _ in range(DEEPEST):
        text = BRACES.sub("", text)
    text = MARKS.sub("", text)
    left = CLOSED.sub("", CLOSED.sub("", CLOSED.sub("", text)))
    if (left.count("<") + left.count("[")) * len(text) > TANGLED:
        return ""
    parsed = parser().parse(text, skip_style_tags=True)
    for link in parsed.filter_wikilinks():
        if HIDDEN.match(str(link.title)):
            link.title, link.text = "", None
    return re.sub("  +", " ", EMPTIED.sub("", parsed.strip_code()))


def parser():
    """Return the parser of wikitext, which only those who freeze a dump need to install."""
    try:
        from mwparserfromhell.parser import Parser
    except ImportError as error:
        remedy = f'{sys.executable} -m pip install "mwparserfromhell>=0.6.6,<1"'
        raise DataError(f"to freeze a MediaWiki dump, install what reads its markup: {remedy}") from error
    return Parser()


def meanings(wikitext: str) -> list[str]:
    """Return the titles that a disambiguation page points to, the first link of each line; none for another page."""
    return LISTED.findall(wikitext) if DISAMBIGUATION.search(wikitext) else []
