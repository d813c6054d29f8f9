import threading

import pytest

from reactkit import Action, DataError, Encyclopedia, Page, Shelf, Toolbox, encyclopedia_tools
from reactkit.tools import Refused, Tool

TOOLS = Toolbox({"Shout": str.upper, "Count": lambda text: str(len(text))})
ASKED = Action("Ask", "x")
KNOWN = "Actions are: Shout[…], Count[…], Finish[…]."


def set_gate(gate: str, level: int) -> str:
    """Set a gate to a level."""
    return f"{gate} is at {level}"


def seen(tool, action=None, **options):
    """Return what a toolbox says to a call of its one tool, Ask: the text and the failure."""
    observed = Toolbox([tool if isinstance(tool, Tool) else Tool(tool, "Ask")], **options).observe(action or ASKED)
    return str(observed), observed.failure


def raises(error):
    def tool(text):
        raise error

    return tool


@pytest.mark.parametrize(
    ("action", "observation", "failure"),
    [
        (Action("Shout", "hey"), "HEY", ""),
        (Action("shout", "hey"), "HEY", ""),
        (Action("Shout", "", {"text": "hey"}), "HEY", ""),
        (Action("Count", "hey"), "3", ""),
        (Action("Whisper", "hey"), f"There is no action called Whisper. {KNOWN}", "unknown_tool"),
        (Action("Shuot", "hey"), f"There is no action called Shuot. {KNOWN} Did you mean Shout?", "unknown_tool"),
        (
            Action("Use Count", "hey"),
            f"There is no action called Use Count. {KNOWN} Did you mean Count?",
            "unknown_tool",
        ),
        (Action("Finnish"), f"There is no action called Finnish. {KNOWN} Did you mean Finish?", "unknown_tool"),
        (Action("Count", ""), "Count[] is empty. Write what to use between the brackets.", "empty_input"),
    ],
)
def test_each_action_gets_its_own_answer(action, observation, failure):
    observed = TOOLS.observe(action)
    assert (str(observed), observed.failure, observed.full) == (observation, failure, None)


def test_a_toolbox_knows_its_names_but_not_finish():
    assert (TOOLS.names, encyclopedia_tools().names) == (("Shout", "Count"), ("Search", "Lookup"))


def test_functions_may_be_listed_under_their_own_names():
    box = Toolbox([set_gate, Tool(str.upper, "Shout"), Tool(set_gate, "again")])
    assert box.names == ("set_gate", "Shout", "again")
    assert box.observe(Action("again", "", {"gate": "north", "level": 3})) == "north is at 3"
    assert box.prompt_lines().splitlines() == [
        "set_gate(gate=<str>, level=<int>): Set a gate to a level.",
        "Shout[…]: Return a copy of the string converted to uppercase.",
        "again(gate=<str>, level=<int>): Set a gate to a level.",
    ]
    assert [schema["function"]["name"] for schema in box.schemas()] == ["set_gate", "Shout", "again"]


def test_a_call_that_does_not_fit_never_reaches_its_tool():
    called = []
    told = seen(lambda text, more: called.append(text), Action("Ask", "", {"text": "x"}))
    assert told[1] == "missing_argument"
    assert called == []


@pytest.mark.parametrize(
    ("approve", "runs"),
    [(None, False), (lambda action: False, False), (lambda action: "yes", False), (lambda action: True, True)],
)
def test_a_tool_that_changes_something_runs_only_where_it_is_approved(approve, runs):
    called = []
    tool = Tool(lambda text: called.append(text), "Ask", changes=True)
    refused = ("Ask was not approved, so it did not run. Go on without it.", "not_approved")
    assert seen(tool, approve=approve) == (("Ask ran and returned nothing.", "") if runs else refused)
    assert called == ["x"] * runs


def test_approval_is_asked_with_the_call_and_only_for_one_that_fits():
    asked = []
    box = Toolbox([Tool(set_gate, changes=True)], approve=asked.append)
    calls = [Action("set_gate", "", {"gate": "n", "level": level}) for level in ("3", 3)]
    assert [box.observe(call).failure for call in calls] == ["wrong_type", "not_approved"]
    assert asked == calls[1:]


@pytest.mark.parametrize(
    ("result", "text", "failure"),
    [
        (None, "Ask ran and returned nothing.", ""),
        ("", "Ask ran and returned an empty text.", ""),
        (" \n", "Ask ran and returned an empty text.", ""),
        (0, "0", ""),
        (False, "false", ""),
        ([], "[]", ""),
        ({"depth": 90, "näme": None}, '{"depth": 90, "näme": null}', ""),
        ({"error": None, "depth": 90}, '{"error": null, "depth": 90}', ""),
        ({"error": "not configured"}, 'Ask failed: {"error": "not configured"}', "tool_reported_error"),
        ({"ok": False, "why": "closed"}, 'Ask failed: {"ok": false, "why": "closed"}', "tool_reported_error"),
        ({1, 2}, '"{1, 2}"', ""),
        ("a\x00b\x1b[0m\u2028c", "a\x00b\x1b[0m\u2028c", ""),
        ("half \ud83d", "half \ufffd", ""),
        ("two halves \ud83d\ude00", "two halves 😀", ""),
    ],
)
def test_whatever_a_tool_returns_becomes_text(result, text, failure):
    assert seen(lambda asked: result) == (text, failure)


@pytest.mark.parametrize(
    ("error", "text", "failure"),
    [
        (ValueError("no such lake"), "Ask failed: ValueError: no such lake", "tool_error"),
        (KeyError(), "Ask failed: KeyError", "tool_error"),
        (SystemExit(2), "Ask failed: SystemExit: 2", "tool_error"),
        (RuntimeError("x" * 900), f"Ask failed: RuntimeError: {'x' * 200}", "tool_error"),
        (Refused("Ask takes only lakes"), "Ask takes only lakes", "argument_refused"),
        (TimeoutError("slow"), "Ask timed out. Try again or another call.", "timeout"),
        (type("ReadTimeout", (Exception,), {})(), "Ask timed out. Try again or another call.", "timeout"),
    ],
)
@pytest.mark.parametrize("patience", [None, 9])
def test_what_a_tool_raises_becomes_a_failed_observation(error, text, failure, patience):
    after = text.replace("timed out", "timed out after 9 s") if patience else text
    assert seen(Tool(raises(error), "Ask", timeout=patience)) == (after, failure)


@pytest.mark.parametrize("error", [DataError("page damaged"), KeyboardInterrupt()])
def test_what_is_no_fault_of_the_model_passes_through(error):
    with pytest.raises(type(error)):
        seen(raises(error))
    with pytest.raises(type(error)):
        seen(Tool(raises(error), "Ask", timeout=9))


def test_a_tool_that_hangs_is_left_after_its_timeout():
    never = threading.Event()
    try:
        told = seen(Tool(lambda text: never.wait(), "Ask", timeout=0.05))
    finally:
        never.set()
    assert told == ("Ask timed out after 0.05 s. Try again or another call.", "timeout")


def test_a_tool_with_a_timeout_that_answers_in_time_just_answers():
    assert seen(Tool(str.upper, "Ask", timeout=60)) == ("X", "")


def lengths(text, limit):
    observed = Toolbox({"Ask": lambda asked: text}, limit=limit).observe(Action("Ask", "x"))
    assert len(observed) <= limit
    return str(observed), observed.full


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "The total was 1234567 units. " + "Only filler follows. " * 20,
            "The total was 1234567 units. Only filler follows.",
        ),
        (
            "It was seen by Dr. Vell and J. Smith. " + "The road goes on and on and " * 9,
            "It was seen by Dr. Vell and J. Smith.",
        ),
        ("one row\nanother row\n" + "a row that goes on and on and on " * 9, "one row\nanother row"),
        ("pi is 3.14159 and " * 20, "pi is 3.14159 and pi is 3.14159 and pi is 3.14159 and pi is"),
        ("x" * 500, ""),
    ],
)
def test_a_long_observation_is_cut_at_a_sentence_or_a_word_and_keeps_its_full_text(text, kept):
    shown, full = lengths(text, 100)
    mark = f"[truncated: {len(kept)} of {len(text)} characters shown]"
    assert (shown, full) == (f"{kept} {mark}".strip(), text)


def test_an_observation_that_fits_is_not_touched():
    assert lengths("x" * 100, 100) == ("x" * 100, None)
    assert seen(raises(ValueError("y " * 90)), limit=80)[1] == "tool_error"


def test_reset_closes_the_open_page():
    world = encyclopedia_tools()
    world.observe(Action("Search", "Apple Remote"))
    world.reset()
    assert world.observe(Action("Lookup", "infrared")).startswith("No page is open")


def test_the_encyclopedia_takes_its_one_text_under_any_name():
    world = encyclopedia_tools(Encyclopedia(Shelf([Page("Kite", ("It flies.",))])))
    assert world.observe(Action("Search", "", {"query": "Kite"})) == "It flies."
    assert world.observe(Action("Lookup", "", {"words": "flies"})) == "(Result 1 / 1) It flies."


def test_two_tools_of_one_name_or_one_called_finish_are_refused():
    for names in (("A", "a"), ("Finish",)):
        with pytest.raises(ValueError, match="a name of its own"):
            Toolbox(dict.fromkeys(names, str.upper))
