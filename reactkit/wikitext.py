"""Wikitext to plain prose: what a reader sees of it, in lines, with templates only where a sentence needs them.

A disambiguation page is known by its template: not by its links, and not as a page of a name, which has prose to tell.
"""

import re
import sys
from html import unescape

from reactkit.errors import DataError

__all__ = ["meanings", "prose", "redirect"]

DISAMBIGUATION = re.compile(
    r"(?!(?:no|non|not|r|for|from|to|about|other|see|incomplete)\b)(?:.*[ –—-])?(?:disamb(?:ig(?:uation)?)?(?: page"
    r"| cleanup)?|set index(?: article)?)|sia|dab|(?:hn|geo|math|road)dis|(?:ship|mountain|lake) ?index|homonymie|dp"
    r"|disambigua|ujednoznacznienie|desambig(?:uación|uação)?|begriffsklärung|doorverwijspagina|förgrening|gren"
)
REDIRECT = re.compile(r"\s*#[^][\s:#]{2,}\s*(?::\s*)?\[\[[ :]*([^][|\n]*)(?:\|[^][\n]*)?\]\][ \t]*(?!\s*[#*]|[^\n{<[])")
CALLED, LISTED, LINKED = map(re.compile, (r"\{\{([^][{}|]{1,99})", r"(?m)^[*#:].*", r"\[\[([^][|#\n]+)"))
NAMESPACES = """-2 media\n-1 special\n1 talk\n2 user\n4 project|wikipedia\n8 mediawiki\n10 template\n12 help
6 file|image|datei|bild|fichier|archivo|imagen|immagine|grafika\n14 category|kategorie|catégorie|categoría\n"""
HIDDEN = re.compile(r"6|14|(?:[a-z]{2,3}(?:-[a-z-]+)?|simple):")  # files, categories, other languages
UNSEEN = re.compile(  # each up to its end, but not beyond the next beginning: one left open hides nothing else
    r"(?is)<!--.*?(?:-->|\Z)|<(nowiki|pre|ref|math|gallery|source|syntaxhighlight|style|timeline|score|imagemap"
    r"|includeonly|templatedata)\b[^<>]*?(?:/>|>([^<]*(?:<(?!/?\1\b)[^<]*)*)</\1\s*>)"
)
INNERMOST, DEEPEST = re.compile(  # taken from within, so often at most: templates and tables, links, other brackets
    r"[{[](?:(?<=\{)(?:\{\{[^][{}]*\}\}\}|\|[^][{}]*\|\}|\{([^][{}]*)\}\})"
    r"|(?<=\[)(\[[^][{}]*\]\]|(?:https?:|ftp:)?//[^][{}\n]*\])|((?<=\{)[^][{}]*\}|(?<=\[)[^][{}\n]*\]))"
), 20  # fmt: skip
TAG = re.compile(r"(?i)</?(?:(br|hr|p|div|li|d[dt]|t[dhr]|blockquote|poem)|[a-z]\w*)(?:\s[^<>=]*=[^<>]*|\s*/?)>")
MARKS = re.compile(r"(?m)^\{?[|!].*|[{}]|__[A-Z]+__|^=.*=[ \t]*$|^[*#:;]+|'{2,}")
SHOWN = {ord(mark): f"&#{ord(mark)};" for mark in "[]{}<>|'=*:_!"}  # but marking nothing
LINK, MOST = str.maketrans("[]|", "\1\2\3"), 200_000  # no dump holds these letters; more links take the parser minutes
EMPTIED = re.compile(r" ?\([\s,;:]*\)|,(?= ?,)|(?<=\()[\s,;:]+|(?<![\s,;])[\s,;]+(?=\))| +(?=[,.](?:\s|\Z))")
SHAPES = {  # of a template that a sentence needs; {0} is its name, {1} its first parameter
    "{1}": "nowrap|nobr|abbr|small|big|sup|sub|em|strong|math|mvar|chem2|lang-|ill|quote|blockquote|birth-date",
    "{2}": "lang|langx|rtl-lang", "{last}": "transl|transliteration|translit", "{1} ({2}, {3})": "nihongo", "'": "'",
    "{date}": "birth date|birth date and age|birth year and age|death date|death date and age|start date|end date",
    "{as} {date}": "as of", "c. {1}": "circa|c.|ca.", "{1}{e} {u}": "val", "{measure}": "convert|cvt", "–": "ndash",
    "{0} {1}": "ss|hms|uss|rms|mv|hmas|hmcs|sms|usns", "{1} {2}": "ship", "{1}-class {2}": "sclass|sclass2",
    "—": "mdash", " – ": "snd|spnd|spaced ndash", "\N{NO-BREAK SPACE}": "nbsp|spaces",
}  # fmt: skip
SHAPE = {name: shape for shape, names in SHAPES.items() for name in names.split("|")}
PARAMETER, NUMBER = re.compile(r"(?s)\s*(?:([\w-]+)\s*=)?\s*(.*)"), re.compile(r"(?i)\s*formatnum:\s*(-?\d{1,30})(.*)")
MEASURE = re.compile(r"[^|]*(?:\|(?:to|and|or|by|[-–x×±]|\+/-)\|[^|]+)*(?:\|[^|]+(?:\|\d+\|[a-z]+)?)?")  # 5 to 9 km
MONTHS = "January February March April May June July August September October November December".split()
MONTH = {str(number): name for number, name in enumerate(MONTHS, 1)}


def prose(wikitext: str, listed: str = "") -> str | None:
    """Return what a reader sees; None where parsing would take minutes. `listed` has the wiki's lines like `6 File`."""
    text = UNSEEN.sub(literal, wikitext)
    for _ in range(DEEPEST):
        text, found = INNERMOST.subn(outside, text)
        if not found:
            break
    text = TAG.sub(lambda tag: "\n" if tag[1] else "", text)
    text = MARKS.sub("", text).replace("<", "&lt;").replace("[", "&#91;")
    if sum(map(text.count, ("\1", "&", "://"))) > MOST:
        return None
    parsed = parser()(text.replace("\1", "[").replace("\2", "]").replace("\3", "|"), skip_style_tags=True)
    for link in parsed.filter_wikilinks():
        title = str(link.title)
        if HIDDEN.fullmatch(namespace(title, listed)):
            link.title, link.text = "", None
        elif title.startswith(":"):
            link.title = title[1:]
    return EMPTIED.sub("", re.sub("  +", " ", parsed.strip_code()))


def literal(found: re.Match) -> str:
    """Return what is shown of a tag whose text is no wikitext, or of a formula without commands."""
    tag, text = found.groups("")
    return text.translate(SHOWN) if re.match(r"(?i)nowiki|pre|math[^\\]*\Z", tag + text) else ""


def outside(found: re.Match) -> str:
    """Return what stands for brackets that hold no other: a template's text, a link, or brackets to be shown."""
    if found.lastindex == 3:
        return found[0][0].translate(SHOWN) + found[0][1:-1] + found[0][-1].translate(SHOWN)
    if found.lastindex == 2:  # most of what a parser would take its time for is plain
        return found[0].translate(LINK) if ":" in found[0] else found[0].strip("[]").rpartition("|")[2]
    return seen(found[1] or "")


def seen(template: str) -> str:
    """Return what a reader sees of a template, of which is given what its braces hold."""
    name, *parameters = template.split("|")
    if number := NUMBER.match(name):
        return f"{int(number[1]):,}{number[2]}"
    name = named(name)
    shape = SHAPE.get("lang-" if name.startswith("lang-") else name)
    if not shape:
        return ""
    pairs = [PARAMETER.match(text.rstrip()).groups("") for text in parameters]
    given = [value for key, value in pairs if key in ("", "1", "2", "3")]
    told = {"u": "", "e": "", "last": (given or [""])[-1], **dict(pairs)}
    told |= {"e": told["e"] and f" × 10^{told['e']}", "as": "as of" if "lc" in told else "As of"}
    told["date"] = " ".join((*given[2:3], *(MONTH.get(month.lstrip("0"), month) for month in given[1:2]), *given[:1]))
    told["measure"] = MEASURE.match("|".join(given))[0].replace("|-|", "–").replace("|", " ")
    return shape.format(name.upper(), *given, "", "", "", **told)


def named(name: str) -> str:
    """Return a template's name as all its forms have it: small letters, single spaces, no namespace."""
    return " ".join(name.replace("_", " ").split()).casefold().removeprefix("template:").strip()


def namespace(title: str, listed: str) -> str:
    """Return the number of a title's namespace, or the prefix of another wiki; nothing for an article's."""
    name, colon, _ = title[:99].partition(":")
    found = colon and re.search(rf"(?im)^(-?\d+) (?:.*\|)?{re.escape(name.strip())}(?:\||$)", NAMESPACES + listed)
    return found[1] if found else f"{name.strip()}:" if re.match(r"\s*[a-z-]{0,16}:\S", title) else ""


def parser():
    """Return the parser of wikitext, which only those who freeze a dump need to install."""
    try:
        from mwparserfromhell import parse
    except ImportError as error:
        remedy = f'{sys.executable} -m pip install "mwparserfromhell>=0.6.6,<1"'
        raise DataError(f"to freeze a MediaWiki dump, install what reads its markup: {remedy}") from error
    return parse


def meanings(wikitext: str, listed: str = "") -> list[str]:
    """Return the titles that a disambiguation page points to, the first link of each line; none for another page."""
    text = UNSEEN.sub(literal, wikitext)
    if not ("__DISAMBIG__" in text or any(DISAMBIGUATION.fullmatch(named(name)) for name in CALLED.findall(text))):
        return []
    own = ([title for title in LINKED.findall(line) if not namespace(title, listed)] for line in LISTED.findall(text))
    return [unescape(titles[0]).replace("_", " ") for titles in own if titles]


def redirect(wikitext: str) -> str:
    """Return the title, with its section, that a text leads to as a redirect; nothing for another text."""
    found = REDIRECT.match(wikitext)
    title = unescape(found[1]).replace("_", " ").strip() if found else ""
    return title[:1].upper() + title[1:]
