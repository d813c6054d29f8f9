"""The checks inside lesson 04: right code passes, each misunderstanding gets its own words, and nothing hangs."""

from pathlib import Path

import nbformat
import pytest

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "04_react.ipynb"
CELLS = {cell.id: cell.source for cell in nbformat.read(LESSON, as_version=4).cells if cell.cell_type == "code"}
OURS = CELLS["04-loop"].replace("def react(", "def my_react(")
ROLES = 'def role_of(thought):\n    return ("decompose", "extract", "reformulate", "conclude")[thought - 1]\n'
FOR_EVER = "step = 0\n    while True:\n        step += 1"


def report(check, answer):
    """Return what a check of the lesson says to `answer`, with the lesson's imports and world before it."""
    names = {}
    for source in (CELLS["04-imports"], CELLS["04-world-and-model"], answer):
        exec(source, names)
    *before, last = CELLS[check].rstrip().split("\ncheck(")
    exec("\ncheck(".join(before), names)
    return eval("check(" + last, names)


def changed(old, new, code=OURS):
    assert code.count(old) == 1, old
    return code.replace(old, new)


def test_the_lessons_own_loop_and_roles_pass():
    assert report("04-my-react-check", OURS).passed
    assert report("04-role-check", ROLES).passed


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (changed('[f"\\nObservation {step}:"]', "[]"), "Hand it the stop string"),
        (changed("for step in range(1, step_cap + 1):", FOR_EVER), "With step_cap=1 the model may be asked once"),
        (changed("return argument, transcript", "return argument"), "return a pair: answer, transcript"),
        (changed("return argument, transcript", "return transcript, argument"), "return the pair in this order"),
        ("def my_react(*given):\n    pass\n", "return a pair: answer, transcript"),
        (changed("Observation {step}: {tools", "Result {step}: {tools"), "its label, its spaces"),
        ("def my_react(question, model, tools, step_cap=7):\n    while True:\n        tools['Search']('A')\n", "anew"),
    ],
)
def test_each_wrong_loop_gets_the_words_meant_for_it(answer, words):
    assert words in report("04-my-react-check", answer).problem


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ROLES.replace("decompose", "Decompose"), "Right, but in lower case"),
        (changed("[thought - 1]", "[0]", ROLES), "Where does it have that from?"),
    ],
)
def test_each_wrong_role_gets_the_words_meant_for_it(answer, words):
    assert words in report("04-role-check", answer).problem
