"""Titles: when two forms are the same, and their words."""

import re
from unicodedata import category, normalize

__all__ = ["LONGEST_TITLE", "TITLES_SHOWN", "key", "plain", "readable", "spaced"]

TITLES_SHOWN = 5
LONGEST_TITLE = 300  # characters; what is longer is no title, and would cost seconds to compare
TYPED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", **dict.fromkeys("’‘ʼʻʿʾ`´", "")}
)  # letters that Unicode does not take apart, and apostrophes


def key(title: str) -> str:
    """Return what two forms of one title have in common: no case, no underscores, no surplus spaces."""
    return " ".join(normalize("NFC", title).replace("_", " ").casefold().split())


def spaced(title: str) -> str:
    """Return a title without underscores and surplus spaces."""
    return " ".join(title.replace("_", " ").split())


def readable(text: str) -> str:
    """Return a text in which each half of a character, as broken JSON may bring, is replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain(title: str) -> str:
    """Return the words of a title as somebody types them in haste: no case, accents, apostrophes, punctuation."""
    letters = title[:LONGEST_TITLE].casefold().replace("'", "")
    if not letters.isascii():
        parted = normalize("NFKD", letters.translate(TYPED))
        letters = "".join(letter for letter in parted if category(letter)[0] != "M")
    return " ".join(re.findall(r"[^\W_]+", letters))
