"""One call of a tool, and the forms in which models write one. Nothing is run here, and no call is guessed.

    Search[Apple Remote]                                        bracket: the paper's form
    search('Apple Remote')  set_gate(gate='north', level=3)     parenthesis
    {"action": "Search", "action_input": "Apple Remote"}        json, under several names of keys
    Search
    Action Input: Apple Remote                                  pair: two labels

Layout is forgiven: backticks, bold type, a fence around the call, spaces. What is cut off or ambiguous is refused,
with a note that says what to write. JSON is read first as JSON, then as a Python literal, then without trailing commas.
"""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from reactkit.literals import UNREADABLE, data_end, group_end, literal, quiet, read_data

__all__ = ["FINISH", "NO_ACTION", "REFUSALS", "SEVERAL", "Action", "Note", "find_action", "read_action"]

REFUSALS = frozenset({"no_action", "truncated_output", "unclosed_bracket", "bad_json_arguments", "empty_answer"})
FINISH = frozenset({"finish", "final answer", "final_answer", "answer"})  # the names under which models end a run
TOOL_KEYS = ("action", "tool", "tool_name", "name")
INPUT_KEYS = ("action_input", "tool_input", "tool_arguments", "input", "args", "arguments", "parameters")
OPENING = re.compile(r"\s*(?:```[\w ]*\r?\n\s*|[`*_]+(?=[\w\[{]))?")
CLOSING = re.compile(r"[`*_]*[.;]?(?:\s*(?:```|</tool_call>))?(?=\s|$)")
NO_ACTION = "No action could be read. Use the Thought / Action format; to answer, write Finish[answer]."
SEVERAL = "You wrote {} actions. Only the first was run: one action in each reply."
NAME = r"\w[\w.-]*(?: [\w.-]+)*"
PAIR = re.compile(
    r"([^\n]{1,80}?)\s{1,9}[*_`]{0,3}action[ _]?input[*_` ]{0,3}\d* ?[:：][*_`]{0,3}[ \t]*(.*)", re.I | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Action:
    """One tool name and its input: one text, such as `Search[Apple Remote]`, or values by name in `arguments`."""

    tool: str
    argument: str = ""
    arguments: Mapping[str, object] | None = None

    def __str__(self) -> str:
        if self.arguments is None:
            return f"{self.tool}[{self.argument}]"
        return f"{self.tool}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"

    @property
    def key(self) -> str:
        """The call as one string that is equal for equal calls: case and spaces folded, arguments in order."""
        given = self.arguments or {}
        only = next(iter(given.values())) if len(given) == 1 else self.argument if not given else None
        named = only if isinstance(only, str) else json.dumps(given, sort_keys=True, ensure_ascii=False)
        return f"{squeezed(self.tool)}[{squeezed(named)}]"


@dataclass(frozen=True, slots=True)
class Note:
    """Something the model should hear about its reply; a kind in `REFUSALS` means that nothing was run."""

    kind: str
    message: str


Found = tuple[Action | None, int, tuple[Note, ...]]  # what stands at the beginning of a text, its end, and notes


def read_action(text: str) -> Action | None:
    """Return the action that the whole of `text` is, as in `Search[Apple Remote]`, or None where it is something else.

    A name alone is none, although a tool without input may be called so in a reply.
    """
    action, end, _ = find_action(text)
    return action if end == len(text.rstrip()) and not re.fullmatch(r"\s*[\w.-]+\s*", text) else None


def find_action(text: str) -> Found:
    """Return the action at the beginning of `text` or None, where it ends, and notes on it.

    `text` is all that stands under one label for actions.
    """
    start = OPENING.match(text).end()
    for opening, reader in FORMS:
        match = opening.match(text, start)
        if match:
            action, end, notes = reader(text, match)
            closing = CLOSING.match(text, end)
            return finishing(action), closing.end() if closing else end, notes
    return None, len(text.partition("\n")[0]), (Note("no_action", NO_ACTION),)


def finishing(action: Action | None) -> Action | None:
    """Return the action; whatever name a model gives to ending the run, and to the answer in it, becomes Finish."""
    if action is None or action.tool.casefold() not in FINISH:
        return action
    given = action.arguments or {}
    only = next(iter(given.values())) if len(given) == 1 else action.argument
    return Action("Finish", as_text(given.get("answer", only)))


def bracket(text: str, match: re.Match) -> Found:
    """Read `Search[Apple Remote]`; brackets inside the input must close one another."""
    quoted = text[match.end() :].lstrip()[:1] in ("'", '"', "{")  # then a bracket inside the quotes is text
    end = group_end(text, match.end() - 1, True) if quoted else -1
    end = end if end > 0 else group_end(text, match.end() - 1)
    if end < 0:
        return unclosed(text, match, "]")
    return called(match[1].strip(), unquoted(text[match.end() : end - 1]), end, ())


def parenthesis(text: str, match: re.Match) -> Found:
    """Read `search('Apple Remote')` or `set_gate(gate='north', level=3)`; values are literals, never expressions."""
    end = max(group_end(text, match.end() - 1, quotes) for quotes in (True, False))
    if end < 0:
        return unclosed(text, match, ")")
    tool, inner = match[1].strip(), text[match.end() : end - 1].strip()
    if not re.match(r"""["'{\[*]|\w+\s*=|-?[\d.]+$""", inner):
        return Action(tool, inner), end, ()
    try:
        call = quiet(ast.parse, f"f({inner})", mode="eval").body
        values = [literal(value) for value in call.args]
        named = {argument.arg: literal(argument.value) for argument in call.keywords}
    except UNREADABLE:
        values, named = [], {None: None}
    if len(values) > 1 or (values and named) or None in named:
        told = f"The arguments of {tool} cannot be read: give each its name and a plain value, texts in quotes."
        return None, end, (Note("bad_json_arguments", told),)
    return called(tool, values[0] if values else named, end, ())


def json_call(text: str, match: re.Match) -> Found:
    """Read an object that holds the name of a tool under one key and its input under another."""
    end = data_end(text, match.start())
    value, fault = read_data(text[match.start() : end])
    several = len(value) if isinstance(value, list) else 1
    value = value[0] if isinstance(value, list) else value
    while isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    fields = value if isinstance(value, dict) else {}
    tool = next((fields[key] for key in TOOL_KEYS if isinstance(fields.get(key), str)), None)
    if value is None:
        return bad_data("the action", fault, end)
    if not tool:
        return None, end, (Note("no_action", f"The JSON names no tool. {NO_ACTION}"),)
    given = next((fields[key] for key in INPUT_KEYS if key in fields), fields.get("answer", ""))
    more = (Note("several_actions", SEVERAL.format(several)),) if several > 1 else ()
    return called(tool, given, end, lenient(fault) + more)


def pair(text: str, match: re.Match) -> Found:
    """Read a name, and its input under a label of its own."""
    name = re.sub(r"^[`*_]+|[`*_]+$", "", match[1].strip())
    tool = name.strip(" []()\"'`.:").replace("\\_", "_")
    cleaned = (Note("tool_name_cleaned", f"The tool is written {tool}, not {name}."),) if tool != name else ()
    given, stop = match[2], len(text.rstrip())
    fenced = OPENING.match(given).end()
    if given[fenced : fenced + 1] != "{":
        return called(tool, unquoted(given), stop, cleaned)
    start = match.start(2) + fenced
    end = data_end(text, start)
    value, fault = read_data(text[start:end])
    return bad_data(tool, fault, end) if value is None else called(tool, value, end, cleaned + lenient(fault))


def called(tool: str, given: object, end: int, notes: tuple[Note, ...]) -> Found:
    """Return the action of a tool with what was given to it: values by name, or one text."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        value, fault = read_data(given)
        given, notes = (value, notes + lenient(fault)) if isinstance(value, dict) else (given, notes)
    action = Action(tool, "", given) if isinstance(given, dict) else Action(tool, as_text(given))
    return action, end, notes


def unclosed(text: str, match: re.Match, closer: str) -> Found:
    first = text[match.start() :].partition("\n")[0].rstrip()
    told = f"The closing {closer} is missing, so nothing was run. Write {first}{closer}."
    return None, len(text.rstrip()), (Note("unclosed_bracket", told),)


def lenient(fault: str) -> tuple[Note, ...]:
    return (Note("lenient_json", f"This was not quite JSON: {fault}."),) if fault else ()


def bad_data(tool: str, what: str, end: int) -> Found:
    return None, end, (Note("bad_json_arguments", f"The arguments of {tool} are not JSON: {what}."),)


FORMS = (  # how a call begins, and what reads it from there
    (re.compile(r"(?=\{|\[\s*\{)"), json_call),
    (re.compile(rf"({NAME})[ \t]*\["), bracket),
    (PAIR, pair),
    (re.compile(rf"({NAME})[ \t]*\("), parenthesis),
    (re.compile(r"([\w.-]+)[`*_]*[ \t]*(?:\r?\n|\r?$)"), lambda _, name: (Action(name[1]), name.end(1), ())),
)


def unquoted(text: str) -> str:
    """Return the text without the quotes around the whole of it."""
    stripped = text.strip()
    quoted = re.fullmatch(r"""(["'`])([^"'`\\]*)\1|```\w*\s*\n(?P<fenced>.*?)\s*```""", stripped, re.DOTALL)
    return (quoted[2] or quoted["fenced"] or "").strip() if quoted else stripped


def as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def squeezed(text: str) -> str:
    return " ".join(text.casefold().split())
