"""What a typed function says of itself: how a model calls it, as a schema or in a line, and whether a call fits it."""

from collections.abc import Callable
from difflib import get_close_matches
from inspect import Parameter, getdoc, signature
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from reactkit.actions import Action, Note
from reactkit.literals import read_data

__all__ = ["Signature"]

JSON = {str: {"type": "string"}, int: {"type": "integer"}, float: {"type": "number"}, bool: {"type": "boolean"}}
JSON |= {list: {"type": "array", "items": {}}, dict: {"type": "object"}, NoneType: {"type": "null"}}


class Signature:
    """How the tool `run` is called: the `types` that fit each parameter (none: any), those that it `needs`, its `form`.

    The one value of an `unnamed` tool, whose parameter is positional only, may come under any name, or none.
    """

    def __init__(self, run: Callable, name: str):
        try:
            found = [*signature(run, eval_str=True).parameters.values()]
        except ValueError:  # some builtins do not say
            found = [Parameter("text", Parameter.POSITIONAL_ONLY)]
        self.unnamed = [each.kind.name for each in found[:1]] in (["POSITIONAL_ONLY"], ["VAR_POSITIONAL"])
        taken = found[:1] if self.unnamed else [each for each in found if "VAR" not in each.kind.name]
        self.types = {each.name: types_of(each.annotation) for each in taken}
        self.needs = [each.name for each in taken if each.default is each.empty]
        filled = ", ".join(f"{each}=<{told(fit)}>" for each, fit in self.types.items())
        text = self.unnamed or [*self.types.values()] in ([()], [(str,)])
        self.name, self.form = name, f"{name}[…]" if text else f"{name}({filled})"
        self.about = (getdoc(getattr(run, "func", run)) or "").partition("\n")[0]

    def prompt_line(self) -> str:
        """Return one line that tells a model how to call the tool, and what for."""
        return f"{self.form}: {self.about}".removesuffix(": ")

    def schema(self) -> dict:
        """Return the tool as a server with function calling wants it described."""
        fields = {name: schema_of(types) for name, types in self.types.items()}
        taken = {"type": "object", "properties": fields, "required": self.needs, "additionalProperties": False}
        return {"type": "function", "function": {"name": self.name, "description": self.about, "parameters": taken}}

    def bind(self, action: Action) -> dict[str, object] | Note:
        """Return the values that the call gives, by name, or what to tell the model; no value is changed to fit."""
        given, types, tool = self.named(action), self.types, self.name
        had = ", ".join(given) or "nothing"
        if given.keys() - types:
            unknown = ", ".join(name for name in given if name not in types)
            hint = "".join(f"Did you mean {near}?" for near in get_close_matches(unknown, types, 1))
            message = f"{unknown} is not an argument of {tool}. {hint or f'Write {self.form}.'}"
            return Note("unexpected_argument", message if types else f"{tool} takes no arguments; remove {had}.")
        if not given.keys() >= {*self.needs}:
            if self.form.endswith("]") and (self.unnamed or action.arguments is None):
                return Note("empty_input", f"{tool}[] is empty. Write what to use between the brackets.")
            needs = ", ".join(f"{name} ({told(types[name])})" for name in self.needs if name not in given)
            return Note("missing_argument", f"{tool} needs {needs}; you gave {had}. Write {self.form}.")
        for name, value in given.items():
            kind, fit = type(value), types[name]
            if fit and kind not in fit and value not in fit and not (kind is int and float in fit):
                had = f"{value!r:.80} ({kind.__name__})"
                return Note("wrong_type", f"{name} of {tool} must be {told(fit)}; you gave {had}.")
        return given

    def named(self, action: Action) -> dict[str, object]:
        """Return the values of a call by name; a text without one goes to the only parameter that it can be for."""
        if action.arguments is not None and not (self.unnamed and len(action.arguments) == 1):
            return dict(action.arguments)
        [value] = (action.arguments or {"": action.argument}).values()
        names = self.needs or [*self.types]
        name = names[0] if len(names) == 1 else f"{value!r:.40}"
        if action.arguments is None and str not in (self.types.get(name) or (str,)):
            value = value if (data := read_data(value)[0]) is None else data
        return {} if isinstance(value, str) and not value.strip() else {name: value}


def types_of(annotation) -> tuple:
    """Return the types that an annotation allows, or the values of a `Literal`; none where any will do."""
    if annotation in (Parameter.empty, Any):
        return ()
    options = get_args(annotation) if get_origin(annotation) in (Union, UnionType, Literal) else (annotation,)
    types = tuple(get_origin(option) or option for option in options)
    if not (get_origin(annotation) is Literal or all(each in JSON for each in types)):
        raise TypeError(f"{annotation} has no form in JSON; use {', '.join(each.__name__ for each in JSON)} or Literal")
    return types


def schema_of(types: tuple) -> dict:
    if types and types[0] not in JSON:
        return {"enum": [*types]}
    options = [JSON[each] for each in types]
    return options[0] if len(options) == 1 else {"anyOf": options} if options else {}


def told(types: tuple[type, ...]) -> str:
    return " or ".join(getattr(each, "__name__", repr(each)) for each in types) or "anything"
