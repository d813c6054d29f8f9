"""Tools: named functions that a model may call, and the rule that only they write observations.

A call that does not fit its tool, was not approved, raised or took too long is an observation marked as failed.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from difflib import get_close_matches
from functools import partial
from threading import Thread
from typing import Protocol

from reactkit.actions import Action, Note
from reactkit.calculator import Refused
from reactkit.encyclopedia import Encyclopedia
from reactkit.errors import ReactKitError
from reactkit.sentences import last_end
from reactkit.signatures import Signature
from reactkit.titles import readable

__all__ = ["Environment", "Observation", "Refused", "Tool", "Toolbox", "encyclopedia_tools", "forms_of"]

FLAGS = ("ok", "success")  # under which tools report how it went
MARK = " [truncated: {} of {} characters shown]"


class Environment(Protocol):
    """A world that answers actions with text; `names` are the tools that it knows, `Finish` not among them."""

    names: tuple[str, ...]

    def observe(self, action: Action) -> str:
        """Return what the world answers to one action."""

    def reset(self) -> None:
        """Forget the last episode."""


class Observation(str):
    """What came of a call. `failure` names what went wrong, or is empty; `full` is all of a text that was cut."""

    def __new__(cls, text: str, failure: str = "", full: str | None = None):
        """Return the observation `text` with what is known about it."""
        self = super().__new__(cls, text)
        self.failure, self.full = failure, full
        return self


class Tool:
    """A typed function with a docstring; one that `changes` something needs approval, and `timeout` is in seconds."""

    def __init__(self, run: Callable, name: str = "", changes: bool = False, timeout: float | None = None):
        self.run, self.changes, self.timeout = run, changes, timeout
        self.name = name or getattr(getattr(run, "func", run), "__name__", type(run).__name__)
        self.signature = Signature(run, self.name)


class Toolbox:
    """An `Environment` of tools, whose names match without regard to case; none may be called Finish.

    `tools` maps names to functions, or lists functions and `Tool`s. `reset()` is called before each episode, and
    `credits()` returns whose texts were shown in it. What changes something runs only where `approve(action)` is True.
    `limit`, from about 80 characters on, cuts an answer.
    """

    def __init__(
        self, tools: Iterable, reset=lambda: None, approve: Callable | None = None, limit: int | None = None,
        credits: Callable[[], tuple[str, ...]] = tuple,
    ):  # fmt: skip
        named = [*map(Tool, tools.values(), tools)] if isinstance(tools, Mapping) else tools
        made = [tool if isinstance(tool, Tool) else Tool(tool) for tool in named]
        self.tools, self.names = {tool.name.casefold(): tool for tool in made}, tuple(tool.name for tool in made)
        self.reset, self.approve, self.limit, self.credits = reset, approve, limit, credits
        if len(self.tools) < len(made) or "finish" in self.tools:
            raise ValueError("each tool needs a name of its own, without regard to case, and none may be called Finish")
        self.forms = [tool.signature.form for tool in made]

    def schemas(self) -> list[dict]:
        """Return the tools as a server with function calling wants them described."""
        return [tool.signature.schema() for tool in self.tools.values()]

    def prompt_lines(self) -> str:
        """Return one line for each tool that tells a model how to call it; Finish is not among them."""
        return "\n".join(tool.signature.prompt_line() for tool in self.tools.values())

    def observe(self, action: Action) -> Observation:
        """Return what came of a call: the tool's answer as text, or why there is none."""
        tool = self.tools.get(action.tool.casefold())
        if tool is None:
            return self.unknown(action.tool)
        values = tool.signature.bind(action)
        if isinstance(values, Note):
            return Observation(values.message, values.kind)
        if tool.changes and (self.approve is None or self.approve(action) is not True):
            return Observation(f"{tool.name} was not approved, so it did not run. Go on without it.", "not_approved")
        told = outcome(tool, values)
        return told if self.limit is None or len(told) <= self.limit else shortened(told, self.limit)

    def unknown(self, asked: str) -> Observation:
        """Return the observation about a tool that is not here, with the name that may be meant."""
        known = {name.casefold(): name for name in (*self.names, "Finish")}
        words = re.findall("|".join(rf"\b{re.escape(name)}\b" for name in known), asked.casefold())
        near = words or get_close_matches(asked.casefold(), known, 1)
        hint = f" Did you mean {known[near[0]]}?" if near else ""
        return Observation(
            f"There is no action called {asked:.60}. Actions are: {forms_of(self)}.{hint}", "unknown_tool"
        )


def forms_of(environment: Environment) -> str:
    """Return how each action in a world is written, Finish last: as its `forms` say, else by its names."""
    forms = getattr(environment, "forms", [f"{name}[…]" for name in environment.names])
    return ", ".join([*forms, "Finish[…]"])


def encyclopedia_tools(encyclopedia: Encyclopedia | None = None) -> Toolbox:
    """Return Search and Lookup over an encyclopedia: the kit's own pages where none is given."""
    encyclopedia = encyclopedia or Encyclopedia()
    return Toolbox(
        {"Search": encyclopedia.search, "Lookup": encyclopedia.lookup}, encyclopedia.reset, credits=encyclopedia.credits
    )


def outcome(tool: Tool, values: Mapping[str, object]) -> Observation:
    """Return what came of running a tool; an error of the kit's own, as of a damaged page, is raised all the same."""
    call = partial(tool.run, *values.values()) if tool.signature.unnamed else partial(tool.run, **values)
    try:
        return told(tool.name, call() if tool.timeout is None else within(tool.timeout, call))
    except ReactKitError:
        raise
    except Refused as error:
        return Observation(str(error), "argument_refused")
    except (Exception, SystemExit) as error:  # a tool is any function, so it may raise anything
        kind = type(error).__name__
        if "Timeout" in kind:  # ours, or one of the many of the tool's own
            after = f" after {tool.timeout:g} s" if tool.timeout else ""
            return Observation(f"{tool.name} timed out{after}. Try again or another call.", "timeout")
        return Observation(f"{tool.name} failed: {kind}: {error!s:.200}".removesuffix(": "), "tool_error")


def within(seconds: float, call: Callable) -> object:
    """Return what a call returns, or raise what it raises; one that takes longer is left to itself."""
    answer = Future()

    def deliver():
        try:
            answer.set_result(call())
        except BaseException as error:  # raised again where the answer is waited for
            answer.set_exception(error)

    Thread(target=deliver, daemon=True).start()
    return answer.result(seconds)


def told(name: str, result: object) -> Observation:
    """Return what a tool returned as an observation, in JSON where it is no text; it is never empty."""
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    text = readable(text)
    if isinstance(result, dict) and (result.get("error") or result.get("isError") or False in map(result.get, FLAGS)):
        return Observation(f"{name} failed: {text}", "tool_reported_error")
    lacking = "nothing" if result is None else "" if text.strip() else "an empty text"
    return Observation(f"{name} ran and returned {lacking}." if lacking else text)


def shortened(told: Observation, limit: int) -> Observation:
    """Return the observation cut at the end of a sentence, or else between two words, with a mark that says so."""
    end = last_end(told[:limit], limit - len(MARK.format(len(told), len(told))))
    return Observation((told[:end] + MARK.format(end, len(told))).strip(), told.failure, str(told))
