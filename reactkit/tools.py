"""Named functions that a model may call, and the rule that only they write observations."""

from collections.abc import Callable, Mapping
from typing import Protocol

from reactkit.actions import Action
from reactkit.encyclopedia import Encyclopedia

__all__ = ["Environment", "Toolbox", "encyclopedia_tools"]


class Environment(Protocol):
    """A world that answers actions with text; `names` are the tools that it knows, `Finish` not among them."""

    names: tuple[str, ...]

    def observe(self, action: Action) -> str:
        """Return what the world answers to one action."""

    def reset(self) -> None:
        """Forget the last episode."""


class Toolbox:
    """An `Environment` of functions from one string to one string; tool names match without regard to case.

    `reset` is called before each episode, for tools that remember something.
    """

    def __init__(self, tools: Mapping[str, Callable[[str], str]], reset: Callable[[], None] = lambda: None):
        self.tools, self.reset = dict(tools), reset
        self.by_name = {name.lower(): tool for name, tool in self.tools.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, as they were given."""
        return tuple(self.tools)

    def observe(self, action: Action) -> str:
        """Return what the named tool answers, or a message that helps the model where it cannot be run."""
        tool = self.by_name.get(action.tool.lower())
        if tool is None:
            known = ", ".join(f"{name}[…]" for name in (*self.names, "Finish"))
            return f"There is no action called {action.tool}. Actions are: {known}."
        if not action.argument:
            return f"{action.tool}[] is empty. Write what to use between the brackets."
        return tool(action.argument)


def encyclopedia_tools(encyclopedia: Encyclopedia | None = None) -> Toolbox:
    """Return Search and Lookup over an encyclopedia: the kit's own pages where none is given."""
    encyclopedia = encyclopedia or Encyclopedia()
    return Toolbox({"Search": encyclopedia.search, "Lookup": encyclopedia.lookup}, encyclopedia.reset)
