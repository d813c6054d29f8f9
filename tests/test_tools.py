import pytest

from reactkit import Action, Toolbox, encyclopedia_tools

TOOLS = Toolbox({"Shout": str.upper, "Count": lambda text: str(len(text))})


@pytest.mark.parametrize(
    ("action", "observation"),
    [
        (Action("Shout", "hey"), "HEY"),
        (Action("shout", "hey"), "HEY"),
        (Action("Count", "hey"), "3"),
        (Action("Whisper", "hey"), "There is no action called Whisper. Actions are: Shout[…], Count[…], Finish[…]."),
        (Action("Count", ""), "Count[] is empty. Write what to use between the brackets."),
    ],
)
def test_each_action_gets_its_own_answer(action, observation):
    assert TOOLS.observe(action) == observation


def test_a_toolbox_knows_its_names_but_not_finish():
    assert (TOOLS.names, encyclopedia_tools().names) == (("Shout", "Count"), ("Search", "Lookup"))


def test_reset_closes_the_open_page():
    world = encyclopedia_tools()
    world.observe(Action("Search", "Apple Remote"))
    world.reset()
    assert world.observe(Action("Lookup", "infrared")).startswith("No page is open")
