"""Likeness: which titles a person may have meant.

Words are compared by their roots, so that Volcanoes is a volcano and World War Two is World War II. A large source
fetches what is worth comparing by `keys`: one typing error leaves two thirds of a word whole, and most misspellings
leave its consonants as they sound, its letters in another order, or its beginning.

Scores are an order of kinds: the same words, the same roots, all but a qualifier, all words and more, another
qualifier, misspelled, initials, a title within what is asked, words that only agree. What is MUCH_LESS likely than the
best is left out. The figures, and how others do, come from tests/benchmarks/encyclopedia.py; its titles written by hand
are in two banks, since these numbers were set with one of them in view.
"""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from reactkit.titles import TITLES_SHOWN, plain

__all__ = [
    "agree", "beginning", "initialism", "initials", "kernel", "keys", "likeness", "most_alike", "near", "roots",
    "spelled_alike",
]  # fmt: skip

SAME, FORM, QUALIFIED, HOLDS_ALL, OTHERWISE = 1.0, 0.95, 0.9, 0.85, 0.8  # from here on down
MISSPELLED, SHORT_FORM, WITHIN, ALIKE_ALL, HELD = 0.6, 0.57, 0.48, 0.32, 0.25
OTHER_NAME, OTHER_NUMBER, MUCH_LESS = 0.75, 0.6, 0.25
ENOUGH = 0.75  # of the letters must be the same
MOST, SOME = 0.6, 0.3  # of what is asked, where it holds all words of a title, misspelled or not
LONG = 4  # letters; shorter words that differ are too often other words
SMALL = frozenset("the of a an and in on at to for is s".split())
NUMBERS = {
    word: str(number)
    for row in (
        "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx",
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    )
    for number, word in enumerate(row.split(), 1)
}
SOUNDS = str.maketrans("cqzw", "kksv")
FULL = {"mt": "mount", "st": "saint", "univ": "university"}


@lru_cache(2000)
def root(word: str) -> str:
    """Return what the forms of a plain word have in common: its number, or its letters without a plural's ending."""
    if word in NUMBERS or len(word) <= 3:
        return NUMBERS.get(word, FULL.get(word, word))
    word = FULL.get(word, word)
    word = word[:-1] if word[-1] == "s" and word[-2] not in "ius" else word
    word = word.removesuffix("e")
    return word[:-1] + {"y": "i", "v": "f"}.get(word[-1], word[-1])


@lru_cache(2000)
def roots(name: str) -> tuple[str, ...]:
    """Return the roots of the words of a plain name, in order; small words only where there are no others."""
    words = re.findall(r"\d+|[^\W\d]+", re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", name))
    return tuple(root(word) for word in words if word not in SMALL) or tuple(words)


def bones(name: str) -> str:
    """Return a plain name without spaces, vowels, h and doubled letters, its first letter kept; letters by sound."""
    sounds = name.replace(" ", "").replace("ph", "f").replace("x", "ks").translate(SOUNDS)
    return re.sub(r"(.)\1+", r"\1", sounds[:1] + re.sub("[aeiouyh]", "", sounds[1:]))


@lru_cache(2000)
def shapes(name: str) -> list[str]:
    """Return two marks that many misspellings of a plain name share with it: its bones, its letters in any order."""
    return [bones(name), f"~{''.join(sorted(name))}"]


def parts(name: str, length: int) -> list[str]:
    """Return a plain name without its last, its middle, and its first third, cut as if it had that length."""
    third, size = length // 3, len(name)
    middle, back = f"{name[:third]}-{name[size - third :]}", name[max(size + third - length, 0) :]
    return [f"{length}{name[: length - third]}>", f"{length}{middle}", f"{length}<{back}"]


def keys(name: str) -> set[tuple[str, str]]:
    """Return what a plain name is found by: marks, each with the name, or the root of a word, that has it."""
    spelled = {(mark, word) for word in {name, *roots(name)} for mark in (*parts(word, len(word)), *shapes(word))}
    begun = {(beginning(word), word) for word in roots(name) if len(word) > LONG}
    return spelled | begun | {(f"={short}", name) for short in initials(name)}


def beginning(word: str) -> str:
    """Return the mark of a root's first letters, which other forms of it share, or other languages'."""
    return f"^{word[:LONG]}"


def initials(name: str) -> set[str]:
    """Return the first letters of a plain name of several words, with its numbers as they stand and in digits."""
    words = [word for word in name.split() if word not in SMALL]
    forms = zip(*((word, root(word)) if root(word).isdigit() else (word[0],) * 2 for word in words))
    return {"".join(letters) for letters in forms} if len(words) > 1 else set()


def initialism(asked: str) -> bool:
    """Whether what is asked looks like initials, which are not taken for a misspelling."""
    return asked.isupper() and asked.isalnum() and len(asked) < 7


def near(name: str) -> list[str]:
    """Return eleven marks of which every name that is spelled like `name` has one.

    One letter left out, put in or exchanged leaves two thirds of a name whole; two that are swapped leave its letters.
    """
    size = len(name)
    return [*(mark for length in (size - 1, size, size + 1) for mark in parts(name, length)), *shapes(name)]


def spelled_alike(one: str, other: str) -> float:
    """Return 1 where two plain names differ by one typing error at most; up to 1 where their bones agree; else 0."""
    if abs(len(one) - len(other)) < 2 and len(one + other) > 4:
        start = next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        a, b = one[start:], other[start:]
        if a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:]):
            return 1.0
    if (
        one[:1] != other[:1]
        or min(len(one), len(other)) <= LONG
        or len(bones(one)) < 3
        or not any(map(str.__eq__, shapes(one), shapes(other)))
    ):
        return 0.0
    alike = SequenceMatcher(None, one, other).ratio()
    return alike if alike >= ENOUGH else 0.0


def agree(word: str, other: str) -> bool:
    """Whether two roots are one, but for the spelling where they are long, or for one that is an initial."""
    if word == other:
        return True
    if min(len(word), len(other)) == 1:
        return word[0] == other[0] and not (word + other).isdigit()
    if min(len(word), len(other)) < LONG or word[0] != other[0] or " " in word + other:
        return False
    return spelled_alike(word, other) > 0 or related(word, other)


def related(word: str, other: str) -> bool:
    """Whether two roots begin alike and are most of the same letters, as Herodotus and Hérodote."""
    if beginning(word) != beginning(other) or min(len(word), len(other)) <= LONG:
        return False
    match = SequenceMatcher(None, word, other)
    return match.real_quick_ratio() >= ENOUGH and match.quick_ratio() >= ENOUGH and match.ratio() >= ENOUGH


def kernel(title: str) -> tuple[str, ...]:
    """Return the roots of a title without what stands behind a comma or in brackets at its end."""
    return roots(plain(re.sub(r"(?<=.)(,.*| ?\([^()]*\))$", "", title) if title[-1:] == ")" or "," in title else title))


def likeness(asked: str, title: str) -> float:
    """Return how likely `asked` means a title: 0 to 1, by the kind of difference, then its size."""
    one, other = plain(asked), plain(title)
    if one == other:
        return SAME
    ours, theirs, main = roots(one), roots(other), kernel(title)
    surplus = min(len(theirs) - len(ours), 9) / 100
    if sorted(ours) == sorted(theirs):
        return FORM - 0.01 * (ours != theirs)
    if ours == main:  # as in "Front Row" for "Front Row (software)"
        return QUALIFIED
    if set(ours) <= set(theirs) and len(one) > 1:
        return HOLDS_ALL - surplus + 0.005 * other.startswith(one) + 0.006 * (set(one.split()) <= set(other.split()))
    if kernel(asked) == main:
        return OTHERWISE
    if initialism(asked):
        return SHORT_FORM * (one in initials(other))
    if alike := spelled_alike(one, other):
        return MISSPELLED * alike * (1 if numbers(ours) == numbers(theirs) else OTHER_NUMBER)
    return shared(ours, theirs, main, surplus)


def numbers(words: Iterable[str]) -> list[str]:
    """Return which of the words are numbers."""
    return [word for word in words if word.isdigit()]


def shared(ours: tuple[str, ...], theirs: tuple[str, ...], main: tuple[str, ...], surplus: float) -> float:
    """Return the likeness of two names, given as roots, of which only some words agree, or only nearly."""
    held = share(set(theirs), ours)
    if set(main) <= set(ours) and held >= SOME and sum(map(len, main)) >= LONG:
        return WITHIN + 0.1 * held
    pairs = [(word, other) for word in ours for other in theirs if agree(word, other)]
    least = LONG + (len(ours) == 1 < len(theirs))  # one word alone says less
    if all(word != other and min(len(word), len(other)) <= least for word, other in pairs):
        return 0.0
    of_asked, of_title = share({word for word, _ in pairs}, ours), share({other for _, other in pairs}, theirs)
    if of_asked == 1:
        return ALIKE_ALL - surplus
    return HELD * of_asked * of_title if of_title >= ENOUGH and of_asked >= (MOST if of_title == 1 else ENOUGH) else 0.0


def share(some: set[str], words: list[str]) -> float:
    """Return the share of the letters of `words` that stand in some of them, 0 to 1."""
    return sum(len(word) for word in words if word in some) / max(sum(map(len, words)), 1)


def most_alike(asked: str, names: Iterable[tuple[str, str]]) -> list[str]:
    """Return up to five titles of pages that `asked` may mean, most alike first; none where nothing resembles it.

    Each name comes with the title it leads to; another name than the title itself counts for less. What is much less
    likely than the best is left out.
    """
    scores = {}
    for name, title in names if plain(asked) else ():
        score = likeness(asked, name)
        score *= 1 if name == title or score == SAME else OTHER_NAME
        scores[title] = max(scores.get(title, 0.0), score)
    few = sum(score == SHORT_FORM for score in scores.values()) <= TITLES_SHOWN
    least = max(scores.values(), default=0.0) - MUCH_LESS
    likely = (title for title, score in scores.items() if score > max(least, 0))
    likely = [title for title in likely if scores[title] != SHORT_FORM or few]  # initials of many single out none
    return sorted(likely, key=lambda title: (-scores[title], title != asked, title))[:TITLES_SHOWN]
