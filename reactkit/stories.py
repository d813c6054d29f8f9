"""The two stories that the lessons tell, with every reply written by people: they show the mechanism, never evidence.

The Apple Remote is the paper's Figure 1 (1), the same question under four methods; the Paris coat is a tool loop with
no encyclopedia. Pages and wording are the kit's own; the answers are those of the paper's figure.
"""

from dataclasses import dataclass
from functools import cache

from reactkit.errors import DataError
from reactkit.loop import solve
from reactkit.models import Rules, Scripted
from reactkit.prompts import METHODS, Exemplars, Method, exemplars
from reactkit.runs import Run
from reactkit.shipped import shipped
from reactkit.tasks import Task
from reactkit.tools import Toolbox, encyclopedia_tools

__all__ = ["Story", "apple_remote", "paris_coat"]


@dataclass(frozen=True, slots=True)
class Story:
    """A task with the scripted replies of a model to it, by the name of the method.

    Replies run on past the point where a server would stop, as a model's do; `rules` answer the same by what stands
    last in the context. `weather` is what the Weather tool reports by city; without it the world is the encyclopedia.
    """

    task: Task
    replies: dict[str, tuple[str, ...]]
    rules: dict[str, dict[str, str]]
    instruction: str | None
    weather: dict[str, str]

    def script(self, method: Method) -> Scripted:
        """Return a fresh model that says the story's replies for `method`, one after another."""
        return Scripted(self.part(self.replies, method))

    def clues(self, method: Method) -> Rules:
        """Return a model that tells the same story from the context alone, so that edits and forks work."""
        return Rules(self.part(self.rules, method))

    def tools(self) -> Toolbox:
        """Return a fresh environment for the story."""
        return Toolbox({"Weather": self.report}) if self.weather else encyclopedia_tools()

    def shown(self) -> Exemplars:
        """Return what the model reads before the question."""
        return Exemplars(instruction=self.instruction) if self.instruction else exemplars(self.task.asks)

    def run(self, method: Method) -> Run:
        """Return the run of the story by `method`, played through the loop from its script."""
        return solve(self.task, method, self.script(method), self.tools(), self.shown())

    def runs(self) -> dict[str, Run]:
        """Return the run of each method that the story tells, by the method's name."""
        return {method.name: self.run(method) for method in METHODS if method.name in self.replies}

    def report(self, city: str) -> str:
        """Return the day's weather in `city`, as the story has it."""
        known = {name.casefold(): report for name, report in self.weather.items()}
        return known.get(city.casefold(), f"There is no report for {city}. Cities are: {', '.join(self.weather)}.")

    def part(self, parts: dict, method: Method):
        """Return what the story has for `method`; a method that it does not tell is a `DataError`."""
        if method.name not in parts:
            raise DataError(f"this story has no replies for {method.name}; it has {', '.join(parts)}")
        return parts[method.name]


def apple_remote() -> Story:
    """Return the story of the paper's Figure 1 (1): what else operates the program the remote was made for?"""
    return story("apple remote")


def paris_coat() -> Story:
    """Return the story of the coat: two passes, one tool call, and a sum that can be checked by hand."""
    return story("paris coat")


@cache
def story(name: str) -> Story:
    stored = shipped("stories.json")[name]
    replies = {method: tuple(lines) for method, lines in stored["replies"].items()}
    task = Task(stored["question"], stored["answer"], name=name)
    return Story(task, replies, stored["rules"], stored.get("instruction"), stored.get("weather", {}))
