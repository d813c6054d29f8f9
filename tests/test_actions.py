import pytest

from reactkit.actions import Action, find_action, read_action

SEARCH = Action("Search", "Apple Remote")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Search[Apple Remote]", SEARCH),
        ("  search[ Apple Remote ] ", Action("search", "Apple Remote")),
        ("Search [Apple Remote]", SEARCH),
        ("Lookup[a [1] b]", Action("Lookup", "a [1] b")),
        ("Search[A] Action 2: Search[B]", None),
        ("Search[A][B]", None),
        ("Finish[]", Action("Finish", "")),
        ("Search[Apple Remote", None),
        ("Search Apple Remote", None),
        ("Search", None),
        ("search('Apple Remote')", Action("search", "Apple Remote")),
        ('search(query="Apple Remote")', Action("search", "", {"query": "Apple Remote"})),
        ("search(Apple Remote)", Action("search", "Apple Remote")),
        ("set_gate(gate='north', level=3)", Action("set_gate", "", {"gate": "north", "level": 3})),
        ("set_gate('north', level=3)", None),
        ("set_gate(level=open('x'))", None),
        ("search(**{'query': 'x'})", None),
        ('{"tool": "Search", "input": "Apple Remote"}', SEARCH),
        ('```json\n{"action": "Search", "action_input": "Apple Remote"}\n```', SEARCH),
        (
            '{"function": {"name": "search", "arguments": "{\\"query\\": \\"x\\"}"}}',
            Action("search", "", {"query": "x"}),
        ),
        ('{"query": "x"}', None),
        ("Search\nAction Input: Apple Remote", SEARCH),
        ('Search\nAction Input: "Apple Remote"', SEARCH),
        ("**Search[Apple Remote]**", SEARCH),
        ("FINISH[x]", Action("Finish", "x")),
        ("final_answer(answer=3)", Action("Finish", "3")),
        ('{"action": "Final Answer", "action_input": "x"}', Action("Finish", "x")),
        ("I would use Search[Apple Remote] now, please", None),
        ("", None),
    ],
)
def test_only_a_whole_call_is_an_action(text, action):
    assert read_action(text) == action


def test_a_call_can_be_written_down_and_read_again():
    for action in (SEARCH, Action("set_gate", "", {"gate": "north [2]", "level": 3, "open": True})):
        assert read_action(str(action)) == action


def test_calls_that_mean_the_same_have_the_same_key():
    assert Action("Search", "Apple  Remote").key == Action("search", "apple remote ").key
    assert Action("f", "", {"a": 1, "b": "x"}).key == Action("F", "", {"b": "x", "a": 1}).key
    assert Action("f", "", {"a": 1}).key != Action("f", "", {"a": 2}).key


def test_a_refused_call_names_what_is_missing():
    assert find_action("Search[Apple Remote")[2][0].message == (
        "The closing ] is missing, so nothing was run. Write Search[Apple Remote]."
    )
    told = find_action('set_gate\nAction Input: {"level": 5 // a guess\n}')[2][0].message
    assert told.startswith("The arguments of set_gate are not JSON:")
    assert told.endswith("comments are not allowed.")


@pytest.mark.parametrize(
    "text", ["a " * 50_000, "a" + " " * 100_000 + "b", '"\\' * 50_000, "{" * 50_000, "f(" + "'" * 50_001]
)
def test_long_and_strange_text_is_read_at_once(text):
    assert find_action(text)[0] is None
