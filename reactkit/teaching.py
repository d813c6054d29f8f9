"""Teaching texts: what a small model is trained on, and which part of each text it is to learn.

An expert solves tasks of an invented world, and its runs are the texts. The model learns what the expert wrote; what
the environment said is read and not learned, since it is never the model's to write. All methods learn from the same
tasks. Nothing here needs more than the kit; `tuning` does the arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from reactkit.atlas import Atlas
from reactkit.errors import DataError
from reactkit.expert import Expert, training_pieces, worked_run
from reactkit.prompts import METHODS
from reactkit.routes import Route, atlas_claims, atlas_questions

__all__ = ["PASSES", "Recipe", "batches", "encoded", "teaching_routes", "teaching_texts"]

PASSES = {"Standard": 12, "CoT": 6, "Act": 2, "ReAct": 2}  # the short texts are read more often
THINGS, CLAIMS, WIDTH = 480, 4, 32  # in the world; one task of so many is a claim; tokens by which lengths are alike
Pieces = tuple[tuple[str, str], ...]  # what the model is given and what it writes, by turns
Example = tuple[list[int], list[bool]]  # the tokens of a text, and whether each is learned


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what an adapter becomes: what it is taught, how often, in which steps, from which seed.

    `passes` is how often each text is read, `batch` how many texts a step learns from, `rate` the highest learning
    rate, `rank` the width of the adapter. With `everything`, what the environment said is learned, too. A value that
    makes no sense is a `DataError`.
    """

    method: str
    tasks: int = 640
    passes: int = 0
    batch: int = 8
    rate: float = 1e-3
    rank: int = 8
    seed: int = 0
    everything: bool = False

    def __post_init__(self):
        """Refuse what can't be trained, and fill in how often the method's texts are read."""
        if self.method not in PASSES:
            raise DataError(f"there is no method {self.method!r} to teach; there are {', '.join(PASSES)}")
        wrong = [name for name in ("tasks", "batch", "rank", "rate") if getattr(self, name) <= 0]
        if wrong or self.passes < 0:
            raise DataError(f"{(wrong or ['passes'])[0]} must be more than 0")
        object.__setattr__(self, "passes", self.passes or PASSES[self.method])

    @property
    def steps(self) -> int:
        """How many steps the training takes; the last of a pass may have fewer texts."""
        return self.passes * -(-self.tasks // self.batch)


def teaching_routes(tasks: int, seed: int = 0) -> tuple[Route, ...]:
    """Return so many tasks over the seen facts of a seed, a quarter of them claims; fewer are the first of more."""
    return routes_in(Atlas(seed, THINGS, "seen"), tasks)


def routes_in(atlas: Atlas, tasks: int) -> tuple[Route, ...]:
    claims = atlas_claims(atlas, tasks // CLAIMS)
    return (*atlas_questions(atlas, tasks - len(claims)), *claims)


def teaching_texts(recipe: Recipe) -> list[Pieces]:
    """Return the expert's runs of the recipe's tasks by its method, each in pieces."""
    atlas = Atlas(recipe.seed, THINGS, "seen")
    routes = routes_in(atlas, recipe.tasks)
    [method] = [method for method in METHODS if method.name == recipe.method]
    expert, world = Expert(routes), atlas.environment()
    return [training_pieces(worked_run(route.task, method, expert, world)) for route in routes]


def encoded(pieces: Pieces, tokens: Callable[[str], list[int]], end: int, everything: bool = False) -> Example:
    """Return a text as tokens, the `end` last, and for each whether it is learned: what the model writes is."""
    ids, learned = [], []
    for given, wrote in pieces:
        for text, mine in ((given, everything), (wrote, True)):
            ids += tokens(text)
            learned += [mine] * (len(ids) - len(learned))
    return [*ids, end], [*learned, True]


def batches(lengths: Sequence[int], recipe: Recipe, turn: int) -> list[list[int]]:
    """Return the places of the texts, in batches, for one pass: like lengths together, else in an order by chance."""
    rng = Random(f"{recipe.seed} {turn}")
    places = sorted(rng.sample(range(len(lengths)), len(lengths)), key=lambda at: lengths[at] // WIDTH)
    found = [places[at : at + recipe.batch] for at in range(0, len(places), recipe.batch)]
    rng.shuffle(found)
    return found
