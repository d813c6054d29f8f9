import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reactkit import Action, Line, read_command, read_reply
from reactkit.replies import taken_apart

SEARCH = Action("Search", "Apple Remote")
CALL = "Search[Apple Remote]"


def summary(reply):
    return reply.thought, reply.action, reply.answer, reply.dropped


@pytest.mark.parametrize(
    ("cue", "text", "parts"),
    [
        ("thought", f" I look.\nAction 1: {CALL}", ("I look.", SEARCH, None, "")),
        ("thought", f" I look.\nAct 1: {CALL}", ("I look.", SEARCH, None, "")),
        ("thought", f"thought 1: I look.\naction 1：{CALL}", ("I look.", SEARCH, None, "")),
        ("thought", f"a\nb\nAction 1: {CALL}", ("a\nb", SEARCH, None, "")),
        ("thought", " It is 12 °C.\nAnswer: Yes", ("It is 12 °C.", None, "Yes", "")),
        ("thought", " Only prose, Search[x] in it", ("Only prose, Search[x] in it", None, None, "")),
        ("thought", "", (None, None, None, "")),
        ("thought", " Hm.\nAction 1: look around", ("Hm.", None, None, "")),
        ("thought", " Hm.\nAction 1: Search[cut", ("Hm.", None, None, "")),
        ("thought", " Hm.\nAction 1:\nObservation 1: x", ("Hm.", None, None, "Observation 1: x")),
        ("thought", "Obs 1: lies\nAction 1: Finish[lies]", (None, None, None, "Obs 1: lies\nAction 1: Finish[lies]")),
        ("action", f" {CALL}", (None, SEARCH, None, "")),
        ("action", f" I should look.\nAction 1: {CALL}", (None, SEARCH, None, "I should look.")),
        ("rationale", " Step one.\nAnswer: 42", ("Step one.", None, "42", "")),
        ("answer", " iPod\nQuestion: Next?", (None, None, "iPod", "Question: Next?")),
        ("answer", " iPod\nIt is small.", (None, None, "iPod", "It is small.")),
        (None, "Final Answer: one\ntwo", (None, None, "one\ntwo", "")),
    ],
)
def test_a_reply_is_read_into_its_parts(cue, text, parts):
    assert summary(read_reply(text, cue)) == parts


def test_an_observation_that_the_model_wrote_is_dropped_with_all_that_follows():
    reply = read_reply(" I look.\nAction 1: Search[A]\nObservation 1: B\nThought 2: C\nAction 2: Finish[B]", "thought")
    assert reply.action == Action("Search", "A")
    assert reply.dropped == "Observation 1: B\nThought 2: C\nAction 2: Finish[B]"


def test_of_two_actions_the_first_counts_and_the_model_is_told_how_many():
    for second in ("\nAction 2: Search[B]", " Search[B]", "\nThought 2: and\nAction 2: Search[B]"):
        reply = read_reply(f" Both.\nAction 1: Search[A]{second}", "thought")
        assert (reply.action, reply.dropped) == (Action("Search", "A"), second.strip())
        assert [note.message for note in reply.notes] == [
            "You wrote 2 actions. Only the first was run: one action in each reply."
        ]


def test_an_observation_is_one_however_far_its_row_is_indented():
    reply = read_reply(" I look.\n" + " " * 500 + "Observation 1: B\nAction 1: Finish[B]", "thought")
    assert (reply.thought, reply.action, reply.refusal.kind) == ("I look.", None, "no_action")


def test_the_word_observation_inside_a_sentence_is_text():
    reply = read_reply(" The Observation: it said so.\nAction 1: Search[A]", "thought")
    assert (reply.thought, reply.dropped) == ("The Observation: it said so.", "")


@pytest.mark.parametrize(
    "tail", [" A", "\n\nQuestion: Next?", "\nAction 2: Search[", " or so\nThought 2: A", "\n\n\nx"]
)
def test_a_call_that_other_words_follow_is_run_though_the_server_cut_the_reply_later(tail):
    uncut = read_reply(f" Hm.\nAction 1: Finish[A]{tail}", "thought")
    reply = read_reply(f" Hm.\nAction 1: Finish[A]{tail}", "thought", finish_reason="length")
    assert (reply, reply.action) == (uncut, Action("Finish", "A"))
    assert reply.dropped == tail.strip()


def test_a_reply_that_the_server_cut_in_its_call_or_right_behind_it_is_never_run():
    calls = "\nAction 1: Search[A]", "\nAction 1: Search[A or", "\nAction 1: Finish[A]\nObservation"
    for text in (f" Hm.{tail}" for tail in (*calls, "\nFinal Answer: A")):
        reply = read_reply(text, "thought", finish_reason="length")
        assert (reply.thought, reply.action, reply.answer, reply.refusal.kind) == (
            "Hm.",
            None,
            None,
            "truncated_output",
        )


@pytest.mark.parametrize(
    "text",
    [
        "Sure! <think>hm\nAction 1: Finish[A] would be a guess, so",
        "Thought 1: <think>hm\nAction 1: Finish[A] would be a guess, so",
        "Sure! [THINK]hm\nAction 1: Finish[A] would be a guess, so",
        "<think>a</think>Sure! <think>hm\nAction 1: Finish[A] would be a guess, so",
        "hm\nAction 1: Finish[A] would be a guess, so\n</thi",
        "hm\nAction 1: Finish[A] would be a guess, so\n<",
        "hm\nAction 1: Finish[A] would be a guess, so [/TH",
    ],
)
def test_a_call_inside_thinking_that_the_limit_cut_is_never_run(text):
    assert read_reply(text, "action", finish_reason="length").action is None
    for cue in (None, "thought"):
        reply = read_reply(text, cue, finish_reason="length")
        assert (reply.action, reply.answer, reply.refusal.kind) == (None, None, "truncated_output")
        assert "cut off while thinking" in reply.refusal.message and "Finish[A] would" in reply.reasoning


def test_a_mark_of_thinking_in_the_input_of_a_call_or_behind_it_hides_no_call_of_a_reply_that_was_cut():
    for call, tail in (("Search[the <think> tag]", " or so"), ("Search[A]", " first. <think>hm\nAction 1: Finish[A]")):
        reply = read_reply(f"Hm.\nAction 1: {call}{tail}", None, finish_reason="length")
        assert (reply.action_text, reply.refusal) == (call, None)


@pytest.mark.parametrize(
    ("text", "reasoning"),
    [
        (f"<think>Action 1: Lookup[x]</think>\nThought 1: a\nAction 1: {CALL}", "Action 1: Lookup[x]"),
        (f"Final Answer: no\n</think>\nThought 1: a\nAction 1: {CALL}", "Final Answer: no"),
        (f"Thought 1: a\n<think>Observation: x</think>\nAction 1: {CALL}", "Observation: x"),
        (f"[THINK]Action 1: Lookup[x]\n[/THINK]\nThought 1: a\nAction 1: {CALL}", "Action 1: Lookup[x]"),
        (f"<think time=3>Hm.</think>\nThought 1: a\nAction 1: {CALL}", "Hm."),
    ],
)
def test_what_a_reasoning_model_thinks_is_kept_apart_and_never_read(text, reasoning):
    reply = read_reply(text, None)
    assert (reply.thought, reply.action, reply.reasoning, reply.dropped) == ("a", SEARCH, reasoning, "")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("> go to shelf 1", Action("go", "to shelf 1")),
        ("look", Action("look", "")),
        ("I think: no! 2 + 2 [x]", None),
        ("", None),
    ],
)
def test_a_row_of_a_world_of_commands_is_a_command(text, action):
    reply = read_command(text)
    assert (reply.action, [note.kind for note in reply.notes]) == (action, [] if action else ["no_action"])
    assert read_command("> think: I look first.").thought == "I look first."


def test_a_method_that_may_not_act_gets_neither_action_nor_refusal():
    reply = read_reply(" a\nAction 1: Search[A]\nAnswer: b", "rationale", acts=False)
    assert (reply.action, reply.answer, reply.dropped, reply.notes) == (None, "b", "Action 1: Search[A]", ())


PIECES = st.sampled_from(
    [
        "Thought 1:",
        "Action 1:",
        "Action:",
        "Action Input:",
        "Observation 1:",
        "Obs",
        "Answer:",
        "Final Answer:",
        "Question:",
    ]
    + [
        "Search[A]",
        "Finish[",
        "]",
        "[",
        "search(",
        ")",
        "'",
        '"',
        "{",
        "}",
        '{"action": "Search", "action_input": "A"}',
    ]
    + ["<think>", "</think>", "<|user|>", "```", "**", "- ", "\n", "\n\n", " ", "x", "\r", "\u2028", "\x85", ":", "："]
)
OBSERVATION = re.compile(r"[ \t>]{0,3}[*_#`]{0,2}obs(ervation)?[ \t]?\d*[*_]{0,2}[:：]", re.IGNORECASE)
CUES = st.sampled_from(["thought", "action", "rationale", "answer", None])


@given(
    st.lists(PIECES, max_size=25).map("".join) | st.text(),
    CUES,
    st.booleans(),
    st.sampled_from([None, "stop", "length"]),
)
@example("<think>\n", None, True, "length")
def test_every_reply_is_accounted_for_character_by_character_and_forges_no_observation(text, cue, acts, reason):
    reply = read_reply(text, cue, acts, reason)
    assert "".join(piece for _, piece in reply.parts) == text
    assert reply.refusal is None or (reply.action is None or reply.refusal.kind == "empty_answer")
    assert not (acts and reply.action is None and reply.answer is None and reply.refusal is None)
    kept = {"thought": reply.thought, "action": reply.action_text, "answer": reply.answer}
    printed = "\n".join(str(Line(role, part, "model", 1)) for role, part in kept.items() if part is not None)
    assert not any(OBSERVATION.match(row) for row in printed.splitlines()[1:])


@pytest.mark.parametrize(
    "piece", [" ", "\n", "a ", "**", "> ", "<think>", "Ob\n", "Action: {", "Final Answer", "\nThought 1"]
)
def test_a_very_long_reply_is_read_at_once(piece):
    text = piece * (100_000 // len(piece))
    for cue in (None, "thought"):
        assert "".join(part for _, part in read_reply(text, cue).parts) == text


PLAIN_PIECES = st.sampled_from(
    [
        " ",
        "\n",
        "Action 1:",
        "Action 2: ",
        " Search[A]",
        "Finish[A]",
        " act[x y]",
        "Observation 1:",
        "x",
        "Thought 1:",
        "[",
        "]",
        "<",
        '"',
        "I look",
        "User:",
        "\r",
        ". ",
        "`",
    ]
)


@given(st.lists(PLAIN_PIECES, max_size=8).map("".join))
@example(" I look\nAction 1: Search[A]")
@example("I look\nAction 1: final_answer[A b ]")
def test_the_short_way_for_the_papers_form_and_the_long_way_agree(text):
    assert read_reply(text) == taken_apart(text, "thought", True, False)


@pytest.mark.parametrize(
    "call",
    [
        "Action: Search\nAction Input: Apple Remote",
        "**Action:** Search\n**Action Input:** Apple Remote",
        'Action 1: Search["a ] b"]',
        "Action 1: Python[\"print(']')\nx = 1\"]",
        'Action: Search[{"q": "a]b",\n"n": 1}]',
        'Action: {\n"action": "Search",\n"action_input": {"q": "A"}\n}',
        'Action:\n```json\n{"action": "Search",\n"action_input": "A"}\n```',
        'Action: [{"action": "Search", "action_input": "A"},\n{"action": "Search", "action_input": "B"}]',
    ],
)
def test_wherever_the_server_cuts_a_reply_its_whole_call_is_run_or_none(call):
    whole = f" Hm.\n{call}\nObservation 1: x\nThought 2: y"
    wanted = read_reply(whole, "thought", finish_reason="stop").action
    for end in range(len(whole)):
        reply = read_reply(whole[:end], "thought", finish_reason="length")
        assert reply.action == wanted or reply.refusal.kind == "truncated_output", whole[:end]
