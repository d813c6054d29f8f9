"""Titles: when two are the same, and which ones a person may have meant.

A large source fetches what is worth ranking by `marks`: one typing error leaves two thirds of a word whole, and most
misspellings touch only vowels and doubled letters, which leaves its `bones`. Of real titles without one of their words
94 of 100 were found (n = 300), by rapidfuzz's comparison of letters 60: see tests/benchmarks/encyclopedia.py.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from unicodedata import category, normalize

__all__ = [
    "LONGEST_TITLE", "agree", "key", "likeness", "marks", "most_alike", "near", "plain", "readable", "spaced",
    "spelled_alike",
]  # fmt: skip

TITLES_SHOWN = 5
LONGEST_TITLE = 300  # characters; what is longer is no title, and would cost seconds to compare
SAME, QUALIFIED, HOLDS_ALL, MISSPELLED, ALIKE_ALL, HELD = 1.0, 0.9, 0.85, 0.7, 0.4, 0.3  # from here on down
OTHER_NAME, MUCH_LESS = 0.75, 0.25
ENOUGH, HALF = 0.75, 0.5  # of the letters must be the same; of what is asked, where it holds all words of a title


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
    """Return the words of a title as somebody types them in haste: no case, no accents, no punctuation."""
    letters = normalize("NFKD", title[:LONGEST_TITLE].casefold())
    return " ".join(re.findall(r"[^\W_]+", "".join(letter for letter in letters if category(letter)[0] != "M")))


@lru_cache(1000)
def bones(name: str) -> str:
    """Return a plain name without spaces, doubled letters and vowels, its first letter kept."""
    single = re.sub(r"(.)\1+", r"\1", name.replace(" ", ""))
    return single[:1] + re.sub("[aeiouy]", "", single[1:])


def parts(name: str, length: int) -> list[str]:
    """Return a plain name without its last, its middle, and its first third, cut as if it had that length."""
    third, size = length // 3, len(name)
    middle, back = f"{name[:third]}-{name[size - third :]}", name[max(size + third - length, 0) :]
    return [f"{length}{name[: length - third]}>", f"{length}{middle}", f"{length}<{back}"]


def marks(name: str) -> list[str]:
    """Return what a plain name is found by: two thirds of it, in three ways, and its bones."""
    return [*parts(name, len(name)), bones(name)]


def near(name: str) -> list[str]:
    """Return twelve marks of which every name that is spelled like `name` has one.

    One letter left out, put in, exchanged, or swapped with its neighbour leaves two thirds of a name whole, unless it
    was swapped across a cut: these two cases are looked for as they were.
    """
    size, third = len(name), len(name) // 3
    swapped = (f"{name[: n - 1]}{name[n : n + 1]}{name[n - 1 : n]}{name[n + 1 :]}" for n in (third, size - third))
    found = [mark for length in (size - 1, size, size + 1) for mark in parts(name, length)]
    return [*found, *(parts(other, size)[0] for other in swapped), bones(name)]


def spelled_alike(one: str, other: str) -> float:
    """Return 1 where two plain names differ by one typing error at most; up to 1 where their bones agree; else 0."""
    if abs(len(one) - len(other)) < 2 < min(len(one), len(other)):
        start = next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        a, b = one[start:], other[start:]
        if a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:]):
            return 1.0
    if one[:1] != other[:1] or bones(one) != bones(other) or len(bones(one)) < 3:
        return 0.0
    alike = SequenceMatcher(None, one, other).ratio()
    return alike if alike >= ENOUGH else 0.0


def agree(word: str, other: str) -> bool:
    """Whether two words are one, but for the spelling where they are long; short ones are too often others."""
    return word == other or (len(word) > 3 < len(other) and spelled_alike(word, other) > 0)


def likeness(asked: str, title: str) -> float:
    """Return how likely `asked`, made plain, means a title: 0 to 1, by the kind of fault, then its size."""
    name = plain(title)
    if name == asked:
        return SAME
    if title.endswith(")") and plain(title.rpartition("(")[0]) == asked:  # as in "Front Row (software)"
        return QUALIFIED
    ours, theirs = asked.split(), name.split()
    surplus = min(len(theirs) - len(ours), 9) / 100
    if surplus >= 0 and set(ours) <= set(theirs):
        return HOLDS_ALL - surplus + 0.005 * name.startswith(asked)
    if alike := spelled_alike(asked, name):
        return MISSPELLED * alike
    pairs = [(word, other) for word in ours for other in theirs if agree(word, other)]
    of_asked, of_title = share({word for word, _ in pairs}, ours), share({other for _, other in pairs}, theirs)
    if of_asked == 1:
        return ALIKE_ALL - surplus
    enough = HALF if set(theirs) <= set(ours) else ENOUGH
    return HELD * of_asked * of_title if min(of_asked, of_title) >= enough else 0.0


def share(some: set[str], words: list[str]) -> float:
    """Return the share of the letters of `words` that stand in some of them, 0 to 1."""
    return sum(len(word) for word in words if word in some) / max(sum(map(len, words)), 1)


def most_alike(asked: str, names: Iterable[tuple[str, str]]) -> list[str]:
    """Return up to five titles of pages that `asked` may mean, most alike first; none where nothing resembles it.

    Each name comes with the title it leads to; another name than the title itself counts for less. What is much less
    likely than the best is left out.
    """
    wanted, scores = plain(asked), {}
    for name, title in names if wanted else ():
        score = likeness(wanted, name)
        score *= 1 if name == title or score == SAME else OTHER_NAME
        scores[title] = max(scores.get(title, 0.0), score)
    least = max(scores.values(), default=0.0) - MUCH_LESS
    likely = (title for title, score in scores.items() if score > max(least, 0))
    return sorted(likely, key=lambda title: (-scores[title], title != asked, title))[:TITLES_SHOWN]
