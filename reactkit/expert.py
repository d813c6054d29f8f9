"""The expert of an Atlas: a model that knows the way to each answer, and reads what the environment says on it.

It is asked through `solve` as any model is, so that it never writes an observation. With Search and Lookup it goes on
only from what it has read: a name that misses is searched for as the hint spells it, and a word that is not on the page
is followed by another. Without them, in Standard and CoT, it says what it knows.
"""

import re
from collections.abc import Generator, Iterable, Sequence
from random import Random

from reactkit.atlas import Fact
from reactkit.errors import DataError
from reactkit.loop import solve
from reactkit.models import cut
from reactkit.prompts import Exemplars, Method
from reactkit.routes import Route
from reactkit.runs import Run
from reactkit.shipped import shipped
from reactkit.tasks import Task
from reactkit.tools import Environment

__all__ = ["Expert", "training_pieces", "worked_run"]

EPISODE = re.compile(r"^(?:Question|Claim): (.*)", re.MULTILINE)
OBSERVATION = re.compile(r"^Observation \d+: (.*)", re.MULTILINE)
RESULT = re.compile(r"\(Result (\d+) / (\d+)\)")
Move = tuple[str, str]  # a thought and an action


class Expert:
    """A model that solves the tasks of these `routes` correctly, by each of the four methods."""

    kind, name = "scripted", "expert"

    def __init__(self, routes: Iterable[Route]):
        self.routes = {route.task.text: route for route in routes}

    def __call__(self, context: str, stop: Sequence[str] = ()) -> str:
        """Return what the expert writes next; a question that none of the routes asks is a `DataError`."""
        asked = [*EPISODE.finditer(context)][-1]
        if asked[1] not in self.routes:
            raise DataError(f"the expert knows no way to answer {asked[1]!r}; give it the route of this task")
        route, told = self.routes[asked[1]], OBSERVATION.findall(context, asked.end())
        cue, _, step = context.rpartition("\n")[2].rstrip(":").partition(" ")
        if step:
            thought, action = next_move(route, told)
            reply = f" {thought}\nAction {step}: {action}" if cue == "Thought" else f" {action}"
        else:
            reply = f" {rationale(route)}\nAnswer: {route.task.gold}" if cue == "Thought" else f" {route.task.gold}"
        return cut(reply, stop)


def next_move(route: Route, told: Sequence[str]) -> Move:
    """Return the thought and the action that follow these observations; the same ones always get the same words."""
    moves = play(route, Random(route.task.text))
    move = next(moves)
    for observation in told:
        move = moves.send(observation)
    return move


def play(route: Route, rng: Random) -> Generator[Move, str, None]:
    """Yield the expert's moves one by one; what it is sent is the observation of the last."""
    known, fact = "", route.facts[0]
    for fact in route.facts:
        opening = say(rng, "next" if known else "first", known=known, goal=fact.goal)
        told = yield opening, f"Search[{fact.about.called}]"
        missed = "missed" * told.startswith("Could not find") or "ambiguous" * ("may mean:" in told)
        if missed and fact.about.title in told:
            told = yield say(rng, missed, title=fact.about.title, kind=fact.about.kind), f"Search[{fact.about.title}]"
        told = yield from look_up(fact, told, rng)
        if fact.sentence not in told:
            break
        known = fact.known
    else:
        yield ending(route, known, rng), f"Finish[{route.task.gold}]"
        return
    unknown = "NOT ENOUGH INFO" if route.task.asks == "Claim" else "unknown"
    yield say(rng, "NOT ENOUGH INFO", goal=fact.goal), f"Finish[{unknown}]"


def look_up(fact: Fact, told: str, rng: Random) -> Generator[Move, str, str]:
    """Yield lookups until the fact is told, by one word after another, and return the last observation."""
    tone = "lookup"
    for word in fact.forms["words"]:
        more = True
        while more and fact.sentence not in told:
            told = yield say(rng, tone, word=word), f"Lookup[{word}]"
            place = RESULT.match(told)
            more, tone = bool(place) and place[1] != place[2], "again"
        tone = "another"
    return told


def ending(route: Route, known: str, rng: Random) -> str:
    """Return the last thought, which says why the answer follows from what is known."""
    if not route.word:
        return say(rng, route.task.gold if route.task.asks == "Claim" else "answer", known=known)
    winner, loser = sorted(route.facts, key=lambda fact: fact.about.called != route.task.gold)
    return say(rng, "compared", known=known, winner=winner.value, loser=loser.value, word=route.word)


def rationale(route: Route) -> str:
    """Return the chain of thought that leads to the answer where nothing can be looked up."""
    rng, last = Random(route.task.text), route.facts[-1]
    known = " ".join(fact.known for fact in route.facts if fact.told)
    if last.told:
        return ending(route, known, rng)
    return f"{known} {say(rng, 'NOT ENOUGH INFO', goal=last.goal)}".strip()


def say(rng: Random, tone: str, **words: str) -> str:
    """Return a thought of this tone in one of its wordings."""
    return rng.choice(shipped("atlas.json")["thoughts"][tone]).format(**words)


def worked_run(task: Task, method: Method, expert: Expert, environment: Environment) -> Run:
    """Return the run of a task by the expert, without exemplars: what a model is trained on."""
    return solve(task, method, expert, environment, Exemplars())


def training_pieces(run: Run) -> tuple[tuple[str, str], ...]:
    """Return for each call of a run what was new to the model, and what it wrote; joined, they are the whole text.

    Only the second is to be learned. The stop string is the model's too, where one ended its reply: it must write that
    to be stopped. A run whose replies were not kept as they are is a `DataError`.
    """
    found, before = [], ""
    for call, after in zip(run.calls, (*run.calls[1:], None)):
        if not call.context.startswith(before):
            raise DataError(f"the context of step {call.step} does not go on from the reply before; leave this run out")
        stop, whole = f"\nObservation {call.step}:", call.context + call.reply
        wrote = call.reply + stop * bool(after and after.context.startswith(whole + stop))
        found.append((call.context[len(before) :], wrote))
        before = call.context + wrote
    return tuple(found)
