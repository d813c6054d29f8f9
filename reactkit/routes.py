"""Routes: questions and claims about an Atlas, each with the facts on the way to its answer.

A question is kept only where it is fair: neither it nor a page on the way gives the answer away, and a reader comes by
it within the paper's cap on steps. A claim's label follows from the pages: REFUTES puts another thing's value in the
place of the true one, NOT ENOUGH INFO is about a fact that no page tells.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from reactkit.atlas import Atlas, Fact, sentence
from reactkit.errors import DataError
from reactkit.metrics import normalise
from reactkit.tasks import LABELS, Evidence, Task

__all__ = ["Route", "atlas_claims", "atlas_questions"]

SORTS = ("one hop", "two hops", "two hops", "two hops", "three hops", "comparison")
HOPS = {"one hop": 1, "two hops": 2, "three hops": 3, "comparison": 0}
LONGEST = {"Question": 7, "Claim": 5}  # moves, Finish among them: the paper's caps on steps
TRIES = 2000  # draws in vain before a world is found too small


@dataclass(frozen=True, slots=True)
class Route:
    """A task, and the facts that lead to its answer, in order; `word` is what a comparison asks, such as "earlier"."""

    task: Task
    facts: tuple[Fact, ...]
    word: str = ""


def atlas_questions(atlas: Atlas, count: int, sorts: Sequence[str] = SORTS) -> tuple[Route, ...]:
    """Return `count` different questions about a world; a `DataError` where it is too small for so many.

    The `sorts` are "one hop", "two hops", "three hops" and "comparison"; one that is named twice comes twice as often.
    """
    refuse_unknown(sorts, HOPS)

    def draw(rng: Random, sort: str) -> Route | None:
        return question(rng, atlas, HOPS[sort]) if HOPS[sort] else comparison(rng, atlas)

    return drawn(atlas, "Question", count, sorts, draw)


def atlas_claims(atlas: Atlas, count: int, labels: Sequence[str] = LABELS) -> tuple[Route, ...]:
    """Return `count` different claims of one or two hops, with these `labels`; `DataError` as for questions."""
    refuse_unknown(labels, LABELS)
    return drawn(atlas, "Claim", count, labels, lambda rng, label: claim(rng, atlas, label, rng.choice((1, 1, 2))))


def refuse_unknown(asked: Sequence[str], known: Iterable[str]) -> None:
    if not asked or not {*asked} <= {*known}:
        raise ValueError(f"{asked!r} is not a choice among {', '.join(known)}")


def drawn(atlas: Atlas, asks: str, count: int, sorts: Sequence[str], draw: Callable) -> tuple[Route, ...]:
    """Return the first `count` fair routes that differ, of each sort by turns; a longer list begins with a shorter."""
    found, vain, rng = {}, 0, Random(f"{asks} {atlas.part} {atlas.seed}")
    while len(found) < count and vain < TRIES:
        route, vain = draw(rng, sorts[len(found) % len(sorts)]), vain + 1
        if route and route.task.text not in found and fair(atlas, route):
            name, vain = f"atlas-{atlas.part}-{atlas.seed}-{asks[0].lower()}{len(found) + 1}", 0
            found[route.task.text] = replace(route, task=replace(route.task, name=name))
    if len(found) < count:
        raise DataError(f"{len(atlas.things)} things give {len(found)} tasks, not {count}; make a larger Atlas")
    return tuple(found.values())


def walk(rng: Random, atlas: Atlas, hops: int, told: bool = True) -> tuple[Fact, ...]:
    """Return facts, each about the thing that the last one leads to; `told` is about the last. Empty at a dead end."""
    facts, at = [], rng.choice(atlas.things)
    for left in reversed(range(hops)):
        ways = [fact for fact in atlas.facts[at] if (fact.told and fact.to if left else fact.told == told)]
        if not ways:
            return ()
        facts.append(rng.choice(ways))
        at = facts[-1].to
    return tuple(facts)


def question(rng: Random, atlas: Atlas, hops: int) -> Route | None:
    """Return a question of so many hops, or None at a dead end."""
    facts = walk(rng, atlas, hops)
    if not facts:
        return None
    text = sentence(rng.choice(facts[-1].forms["asks"]), described(facts))
    return Route(Task(text, facts[-1].value, type="bridge" if hops > 1 else "single", evidence=found_in(facts)), facts)


def comparison(rng: Random, atlas: Atlas) -> Route | None:
    """Return a question that compares two things of a kind by a number, or None where there is none to compare."""
    ways = [fact for fact in atlas.facts[rng.choice(atlas.things)] if fact.told and "compare" in fact.forms]
    one = rng.choice(ways) if ways else None
    others = [fact for fact in rivals(atlas, one) if fact.told] if one else []
    if not others:
        return None
    facts, (form, word) = (one, rng.choice(others)), one.forms["compare"]
    best = (min if word == "earlier" else max)(facts, key=lambda fact: int(fact.value))
    text = sentence(form, *(fact.about.words() for fact in facts))
    return Route(Task(text, best.about.called, type="comparison", evidence=found_in(facts)), facts, word)


def claim(rng: Random, atlas: Atlas, label: str, hops: int) -> Route | None:
    """Return a claim with this label, or None at a dead end."""
    facts = walk(rng, atlas, hops, told=label != "NOT ENOUGH INFO")
    others = rivals(atlas, facts[-1]) if facts else []
    if not others:
        return None
    claimed = facts[-1] if label == "SUPPORTS" else rng.choice(others)
    text = sentence(facts[-1].forms["claim"], described(facts), value=claimed.value)
    evidence = found_in(facts) if facts[-1].told else missing_in(facts, claimed)
    return Route(Task(text, label, "Claim", evidence=evidence), facts)


def described(facts: Sequence[Fact]) -> str:
    """Return the words for the thing that the last fact is about, as in "the author of the book Night"."""
    words = facts[0].about.words("asked")
    for fact in facts[:-1]:
        words = fact.forms["noun"].format(words)
    return words


def rivals(atlas: Atlas, fact: Fact) -> list[Fact]:
    """Return the same relation of all other things of a kind, where the value is another."""
    alike = (other for thing in atlas.of_kind[fact.about.kind] for other in atlas.facts[thing])
    return [other for other in alike if other.relation == fact.relation and other.value != fact.value]


def found_in(facts: Sequence[Fact]) -> tuple[Evidence, ...]:
    return tuple(Evidence(fact.about.title, (fact.sentence,)) for fact in facts)


def missing_in(facts: Sequence[Fact], claimed: Fact) -> tuple[Evidence, ...]:
    """Return the evidence that no page tells the last fact: on the way or on what is claimed."""
    *way, last = facts
    pages = [Evidence(fact.about.title, (fact.sentence,), (claimed.value,)) for fact in way]
    silent = Evidence(last.about.title, never=tuple(last.forms["words"]))
    other = [Evidence(claimed.to.title, never=(last.about.called,))] if claimed.to else []
    return (*pages, silent, *other)


def fair(atlas: Atlas, route: Route) -> bool:
    """Return whether a task can be settled in time and in no shorter way than along its facts."""
    task, (*way, last) = route.task, route.facts
    early = " ".join(said for fact in way for said in atlas.page_of[fact.about].sentences)
    return (
        moves(atlas, route.facts) <= LONGEST[task.asks]
        and (route.word or not holds(described(route.facts), last.value))
        and (route.word or not any(holds(task.text, fact.value) for fact in way))
        and (task.type != "bridge" or not holds(early, last.value))
        and not any(said_on(atlas, evidence, words) for evidence in task.evidence for words in evidence.never)
        and (last.told or not said_of(atlas, last))
    )


def moves(atlas: Atlas, facts: Sequence[Fact]) -> int:
    """Return how many actions lead along these facts to an answer."""
    return 1 + sum(fact.about.searches + fact.lookups(atlas.page_of[fact.about]) for fact in facts)


def said_on(atlas: Atlas, evidence: Evidence, words: str) -> bool:
    """Return whether the page of this evidence has these words."""
    return any(words.casefold() in said.casefold() for said in atlas.shelf.page(evidence.page).sentences)


def said_of(atlas: Atlas, missing: Fact) -> bool:
    """Return whether another page uses the words for this fact with the name of its thing, as that of a pupil does."""
    told = (fact for facts in atlas.facts.values() for fact in facts if fact.told and fact.to)
    return any(fact.to.called == missing.about.called and fact.relation == missing.relation for fact in told)


def holds(text: str, words: str) -> bool:
    """Return whether these words stand in a text, as the exact-match score reads both."""
    return f" {normalise(words)} " in f" {normalise(text)} "
