from __future__ import annotations

from functools import partial
from typing import Literal, Optional

import pytest

from reactkit.actions import Action
from reactkit.encyclopedia import Encyclopedia
from reactkit.signatures import Signature


def set_gate(gate: str, level: int, slow: bool = False, note: str | None = None) -> str:
    """Set a gate to a level.

    Levels are counted from the sea.
    """


def plot_tide(station_name: str, days: int = 7) -> str:
    """Draw the tide at a station."""


def shout(text: str) -> str: ...


def current_date() -> str:
    """Return today's date."""


def square(number: int) -> str: ...


def half(number: float, /) -> str: ...


def sort(words: list[str], options: dict, by: Optional[str] = None, *, limit=5, **more) -> str: ...  # noqa: UP045


def wrapper(*given, **named): ...


SEARCH = Encyclopedia().search


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (set_gate, "f(gate=<str>, level=<int>, slow=<bool>, note=<str or NoneType>): Set a gate to a level."),
        (plot_tide, "f(station_name=<str>, days=<int>): Draw the tide at a station."),
        (current_date, "f(): Return today's date."),
        (square, "f(number=<int>)"),
        (half, "f[…]"),
        (sort, "f(words=<list>, options=<dict>, by=<str or NoneType>, limit=<anything>)"),
        (wrapper, "f[…]"),
        (lambda text: text, "f[…]"),
        (partial(plot_tide, "Norwell"), "f(days=<int>): Draw the tide at a station."),
        (str.upper, "f[…]: Return a copy of the string converted to uppercase."),
    ],
)
def test_a_prompt_line_shows_the_call_and_the_first_line_of_the_docstring(run, line):
    assert Signature(run, "f").prompt_line() == line


def test_a_method_that_takes_one_text_is_called_with_brackets():
    assert Signature(SEARCH, "Search").prompt_line().startswith("Search[…]: Open the page called `title`")


def test_a_schema_names_the_types_and_what_is_required():
    listed = {
        "words": {"type": "array", "items": {}},
        "options": {"type": "object"},
        "by": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "limit": {},
    }
    taken = {"type": "object", "properties": listed, "required": ["words", "options"], "additionalProperties": False}
    described = {"name": "sort", "description": "", "parameters": taken}
    assert Signature(sort, "sort").schema() == {"type": "function", "function": described}
    gate = Signature(set_gate, "set_gate").schema()["function"]
    assert gate["description"] == "Set a gate to a level."
    assert list(gate["parameters"]["properties"].values())[:3] == [
        {"type": "string"},
        {"type": "integer"},
        {"type": "boolean"},
    ]


@pytest.mark.parametrize(
    ("run", "action", "values"),
    [
        (set_gate, Action("f", "", {"gate": "north", "level": 3}), {"gate": "north", "level": 3}),
        (set_gate, Action("f", "", {"gate": "", "level": 3, "note": None}), {"gate": "", "level": 3, "note": None}),
        (plot_tide, Action("f", "Norwell"), {"station_name": "Norwell"}),
        (current_date, Action("f"), {}),
        (current_date, Action("f", "", {}), {}),
        (square, Action("f", "12"), {"number": 12}),
        (half, Action("f", "3"), {"number": 3}),
        (half, Action("f", "", {"any name": 2.5}), {"number": 2.5}),
        (partial(plot_tide, "Norwell"), Action("f"), {}),
        (partial(plot_tide, "Norwell"), Action("f", "3"), {"days": 3}),
        (SEARCH, Action("f", "12"), {"title": "12"}),
        (SEARCH, Action("f", "", {"query": "Apple Remote"}), {"title": "Apple Remote"}),
        (str.upper, Action("f", "", {"text": "hey"}), {"self": "hey"}),
        (wrapper, Action("f", "hey"), {"given": "hey"}),
        (lambda text: text, Action("f", "12"), {"text": "12"}),
        (lambda text: text, Action("f", "", {"text": [1]}), {"text": [1]}),
    ],
)
def test_a_call_that_fits_gives_each_value_its_name(run, action, values):
    bound = Signature(run, "f").bind(action)
    assert (bound, [type(value) for value in bound.values()]) == (values, [type(value) for value in values.values()])


@pytest.mark.parametrize("run", [max, iter, {}.get, print])  # some say what they take in some versions of Python
def test_a_builtin_is_given_one_text_whether_it_has_a_signature_or_not(run):
    described = Signature(run, "f")
    assert (described.form, [*described.bind(Action("f", "hey")).values()]) == ("f[…]", ["hey"])


WRITE = "Write f(gate=<str>, level=<int>, slow=<bool>, note=<str or NoneType>)."


@pytest.mark.parametrize(
    ("run", "action", "kind", "message"),
    [
        (set_gate, Action("f", "", {"gate": "n"}), "missing_argument", f"f needs level (int); you gave gate. {WRITE}"),
        (set_gate, Action("f"), "missing_argument", f"f needs gate (str), level (int); you gave nothing. {WRITE}"),
        (set_gate, Action("f", "n, 3"), "unexpected_argument", f"'n, 3' is not an argument of f. {WRITE}"),
        (
            plot_tide,
            Action("f", "", {"station_nme": "Norwell"}),
            "unexpected_argument",
            "station_nme is not an argument of f. Did you mean station_name?",
        ),
        (
            current_date,
            Action("f", "", {"type": "object", "properties": {}}),
            "unexpected_argument",
            "f takes no arguments; remove type, properties.",
        ),
        (current_date, Action("f", "today"), "unexpected_argument", "f takes no arguments; remove 'today'."),
        (square, Action("f", "", {"number": "12"}), "wrong_type", "number of f must be int; you gave '12' (str)."),
        (square, Action("f", "twelve"), "wrong_type", "number of f must be int; you gave 'twelve' (str)."),
        (square, Action("f", "12.0"), "wrong_type", "number of f must be int; you gave 12.0 (float)."),
        (square, Action("f", "true"), "wrong_type", "number of f must be int; you gave True (bool)."),
        (square, Action("f", "True"), "wrong_type", "number of f must be int; you gave True (bool)."),
        (half, Action("f", "", {"x": "3"}), "wrong_type", "number of f must be float; you gave '3' (str)."),
        (half, Action("f", "", {"x": False}), "wrong_type", "number of f must be float; you gave False (bool)."),
        (
            sort,
            Action("f", "", {"words": "a", "options": {}}),
            "wrong_type",
            "words of f must be list; you gave 'a' (str).",
        ),
        (SEARCH, Action("f", "", {"title": 5}), "wrong_type", "title of f must be str; you gave 5 (int)."),
        (shout, Action("f", "", {}), "missing_argument", "f needs text (str); you gave nothing. Write f[…]."),
        (shout, Action("f"), "empty_input", "f[] is empty. Write what to use between the brackets."),
        (SEARCH, Action("f", " "), "empty_input", "f[] is empty. Write what to use between the brackets."),
        (
            SEARCH,
            Action("f", "", {"title": ""}),
            "empty_input",
            "f[] is empty. Write what to use between the brackets.",
        ),
        (
            square,
            Action("f", "", {}),
            "missing_argument",
            "f needs number (int); you gave nothing. Write f(number=<int>).",
        ),
    ],
)
def test_a_call_that_does_not_fit_is_told_what_is_wrong(run, action, kind, message):
    told = Signature(run, "f").bind(action)
    assert (told.kind, told.message) == (kind, message)


def test_a_long_value_is_shown_short():
    told = Signature(square, "f").bind(Action("f", "", {"number": ["x" * 500] * 99}))
    assert len(told.message) < 250


def test_an_annotation_that_nobody_can_resolve_is_the_writers_error():
    def lost(gate: Gate): ...  # noqa: F821

    with pytest.raises(NameError, match="Gate"):
        Signature(lost, "lost")


def test_a_literal_is_one_of_its_values_and_other_types_are_refused_when_the_tool_is_made():
    def turn(way: Literal["left", "right"]):
        return way

    signature = Signature(turn, "turn")
    assert signature.schema()["function"]["parameters"]["properties"] == {"way": {"enum": ["left", "right"]}}
    assert signature.bind(Action("turn", "", {"way": "left"})) == {"way": "left"}
    assert signature.bind(Action("turn", "", {"way": "up"})).kind == "wrong_type"

    def when(day: bytes):
        return day

    with pytest.raises(TypeError, match="has no form in JSON; use str"):
        Signature(when, "when")
