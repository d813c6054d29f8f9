"""The loop that lesson 04 writes on plain strings, taken out of the notebook, beside the package's own."""

import ast
from pathlib import Path

import nbformat
import pytest

from reactkit import REACT, Encyclopedia, Exemplars, Rules, Scripted, Toolbox, apple_remote, paris_coat, solve

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "04_react.ipynb"
ROUND = [f" Once more.\nAction {step}: Search[Front Row]\nObservation {step}: lies" for step in range(1, 8)]
STORIES = {  # the question, the replies of the model, and how the run must end
    "Apple Remote": (apple_remote().task.text, apple_remote().replies["ReAct"], "finished"),
    "into the cap": ("Q?", ROUND, "step cap"),
    "at once": ("Q?", [" Known.\nAction 1: Finish[42 [km]]"], "finished"),
    "Lookup too": (
        "Q?",
        [" A.\nAction 1: Search[Warsaw]", " B.\nAction 2: Lookup[Vistula]", " C.\nAction 3: Finish[yes]"],
        "finished",
    ),
}


def tagged(tag):
    """Return the code of the one cell of the lesson that carries the tag."""
    cells = nbformat.read(LESSON, as_version=4).cells
    (source,) = [cell.source for cell in cells if tag in cell.metadata.get("tags", [])]
    return source


@pytest.fixture(scope="module")
def react():
    """The lesson's own loop, run from the notebook, with nothing but Python's built-in names around it."""
    names = {}
    exec(compile(tagged("plain-loop"), "04-loop", "exec"), names)
    return names["react"]


def watched_tools():
    """Return the tools of a fresh encyclopedia, and the list of all that they will be asked."""
    asked, world = [], Encyclopedia()

    def watch(name, tool):
        return lambda argument: asked.append((name, argument)) or tool(argument)

    return {name: watch(name, getattr(world, name.lower())) for name in ("Search", "Lookup")}, asked


@pytest.mark.parametrize(("question", "replies", "outcome"), STORIES.values(), ids=STORIES)
def test_the_lessons_loop_and_the_packages_loop_tell_the_same_story(react, question, replies, outcome):
    (ours, asked_by_us), (theirs, asked_by_them) = watched_tools(), watched_tools()
    plain, packed = Scripted(replies), Scripted(replies)
    run = solve(question, REACT, packed, Toolbox(theirs), Exemplars())
    assert react(question, plain, ours) == (run.answer, str(run.trajectory))
    assert asked_by_us == asked_by_them
    assert plain.log == packed.log  # the same contexts and stop strings, call by call
    assert (run.outcome, len(run.calls)) == (outcome, len(replies))


def test_the_apple_remote_asks_the_tools_three_times(react):
    story, (tools, asked) = apple_remote(), watched_tools()
    assert react(story.task.text, story.script(REACT), tools)[0] == "keyboard function keys"
    assert asked == [("Search", "Apple Remote"), ("Search", "Front Row"), ("Search", "Front Row (software)")]


@pytest.mark.parametrize("cap", [1, 3])
def test_both_loops_keep_to_another_cap(react, cap):
    rules = Rules({"Q?": " A.\nAction {step}: Search[Moon]", "Moon": " B.\nAction {step}: Lookup[Moon]"})
    run = solve("Q?", REACT, rules, shown=Exemplars(), step_cap=cap)
    assert react("Q?", rules, watched_tools()[0], cap) == (None, str(run.trajectory))
    assert run.outcome == "step cap"


def test_the_lessons_loop_serves_any_tools(react):
    story = paris_coat()
    script = Scripted([story.replies["ReAct"][0], " It is 12 °C.\nAction 2: Finish[yes]"])
    answer, transcript = react(story.task.text, script, {"Weather": story.report})
    assert (answer, "Observation 1: Paris: 12 °C, rain." in transcript.split("\n")) == ("yes", True)


def test_the_lessons_loop_is_plain_strings_in_about_14_lines():
    source = tagged("plain-loop")
    assert len([line for line in source.splitlines() if line.strip()]) <= 14
    assert not [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]
