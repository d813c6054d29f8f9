"""Invented names: readable, no two of them a letter apart, and each in one part of all names by its spelling alone."""

from collections.abc import Iterator
from random import Random

from reactkit.shipped import shipped

__all__ = ["PARTS", "coined_names", "part_of"]

PARTS = ("seen", "unseen", "tuning")  # so that worlds of two parts share no name, and thus no fact
TRIES = 40  # in vain, before a name gets one more syllable


def part_of(name: str) -> str:
    """Return the part that a coined name is in: the sum of its letters decides, so no name is in two."""
    return PARTS[sum(map(ord, name)) % len(PARTS)]


def coined_names(rng: Random, part: str) -> Iterator[str]:
    """Yield names of one part of `PARTS` without end; any two differ in more than one letter."""
    first, middle, last = (shipped("atlas.json")["syllables"][place] for place in ("first", "middle", "last"))
    taken, tries = set(), 0
    while True:
        between = "".join(rng.choice(middle) for _ in range(tries // TRIES))
        name, tries = rng.choice(first) + between + rng.choice(last), tries + 1
        if part_of(name) == part and taken.isdisjoint(shapes(name)):
            taken.update(shapes(name))
            tries = 0
            yield name


def shapes(name: str) -> set[str]:
    """Return a name and what is left of it without each of its letters; names a letter apart have one in common."""
    return {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))}
