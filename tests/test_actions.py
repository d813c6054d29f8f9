import pytest
from hypothesis import given
from hypothesis import strategies as st

from reactkit import Action, Line, Reply, read_action, read_reply

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
        ("I would use Search[Apple Remote] now, please", None),
        ("", None),
    ],
)
def test_only_a_whole_call_is_an_action(text, action):
    assert read_action(text) == action


@pytest.mark.parametrize(
    ("cue", "text", "reply"),
    [
        ("thought", " I look.\nAction 1: Search[Apple Remote]", Reply("I look.", "Search[Apple Remote]", SEARCH)),
        ("thought", " I look.\nAct 1: Search[Apple Remote]", Reply("I look.", "Search[Apple Remote]", SEARCH)),
        (
            "thought",
            "thought 1: I look.\naction 1：Search[Apple Remote]",
            Reply("I look.", "Search[Apple Remote]", SEARCH),
        ),
        ("thought", "a\nb\nAction 1: Search[Apple Remote]", Reply("a\nb", "Search[Apple Remote]", SEARCH)),
        ("thought", " It is 12 °C.\nAnswer: Yes", Reply("It is 12 °C.", answer="Yes")),
        ("thought", " Only prose, Search[x] in it", Reply("Only prose, Search[x] in it")),
        ("thought", "", Reply()),
        ("thought", " Hm.\nAction 1: look around", Reply("Hm.", "look around", None)),
        ("thought", " Hm.\nAction 1: Search[cut", Reply("Hm.", "Search[cut", None)),
        ("thought", " Hm.\nAction 1:\nObservation 1: x", Reply("Hm.", dropped="Observation 1: x")),
        ("thought", "Obs 1: lies\nAction 1: Finish[lies]", Reply(dropped="Obs 1: lies\nAction 1: Finish[lies]")),
        ("action", " Search[Apple Remote]", Reply(action_text="Search[Apple Remote]", action=SEARCH)),
        ("rationale", " Step one.\nAnswer: 42", Reply("Step one.", answer="42")),
        ("answer", " iPod\nQuestion: Next?", Reply(answer="iPod", dropped="Question: Next?")),
    ],
)
def test_a_reply_is_read_into_its_parts(cue, text, reply):
    assert read_reply(text, cue) == reply


def test_an_observation_that_the_model_wrote_is_dropped_with_all_that_follows():
    reply = read_reply(" I look.\nAction 1: Search[A]\nObservation 1: B\nThought 2: C\nAction 2: Finish[B]", "thought")
    assert reply.action == Action("Search", "A")
    assert reply.dropped == "Observation 1: B\nThought 2: C\nAction 2: Finish[B]"


def test_an_observation_before_any_action_ends_the_reply():
    reply = read_reply(" I know.\nObservation 1: B\nAction 1: Finish[B]", "thought")
    assert reply == Reply("I know.", dropped="Observation 1: B\nAction 1: Finish[B]")


def test_of_two_actions_the_first_counts():
    reply = read_reply(" Both.\nAction 1: Search[A]\nAction 2: Search[B]", "thought")
    assert (reply.action, reply.dropped) == (Action("Search", "A"), "Action 2: Search[B]")


def test_the_word_observation_inside_a_sentence_is_text():
    reply = read_reply(" The Observation: it said so.\nAction 1: Search[A]", "thought")
    assert (reply.thought, reply.dropped) == ("The Observation: it said so.", "")


PIECES = st.sampled_from(
    ["Thought 1:", "Action 1:", "Observation 1:", "Answer:", "Search[A]", "Finish[", "]", "\n", " ", "x"]
)


@given(st.lists(PIECES).map("".join), st.sampled_from(["thought", "action", "rationale", "answer"]))
def test_no_text_raises_or_forges_the_line_of_an_observation(text, cue):
    reply = read_reply(text, cue)
    parts = {"thought": reply.thought, "action": reply.action_text, "answer": reply.answer}
    printed = "\n".join(str(Line(role, part, "model", 1)) for role, part in parts.items() if part is not None)
    assert not any(line.lstrip().startswith("Observation") for line in printed.split("\n"))
