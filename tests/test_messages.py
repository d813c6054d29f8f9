import json
from dataclasses import asdict, replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reactkit.actions import NO_ACTION
from reactkit.loop import solve
from reactkit.messages import GO_ON, NOT_RUN, Native, from_messages, sendable, to_messages
from reactkit.prompts import REACT, Exemplars
from reactkit.trajectory import Line, Trajectory

EMPTY = Exemplars()
CALL = '{"name": "search", "arguments": {"query": "A"}}'


def call(identity, name, arguments):
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


EPISODE = Trajectory(
    [
        Line("instruction", "Be brief."),
        Line("question", "Who?"),
        Line("thought", "Look.", "model", 1),
        Line("action", "Search[Who]", "model", 1),
        Line("observation", "A band.", "environment", 1),
        Line("action", CALL, "model", 2),
        Line("observation", "An album.", "environment", 2),
    ]
)
CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Who?"},
    {"role": "assistant", "content": "Look.", "tool_calls": [call("call00001", "Search", '{"input": "Who"}')]},
    {"role": "tool", "tool_call_id": "call00001", "content": "A band."},
    {"role": "assistant", "content": "", "tool_calls": [call("call00002", "search", '{"query": "A"}')]},
    {"role": "tool", "tool_call_id": "call00002", "content": "An album."},
]


def test_an_episode_is_a_chat_in_the_form_that_servers_know_and_the_chat_is_the_episode():
    assert to_messages(EPISODE) == CHAT
    assert from_messages(CHAT) == Trajectory(EPISODE.lines, "live")


@pytest.mark.parametrize(
    ("line", "role"),
    [
        (Line("instruction", "Write one action.", "harness", 2), "user"),
        (Line("rationale", "A guess.", "model"), "assistant"),
        (Line("answer", "A band", "model"), "assistant"),
        (Line("observation", "No such tool.", "environment", 2, failed=True), "tool"),
        (Line("thought", "Look.", "person", 1), "assistant"),
    ],
    ids=str,
)
def test_a_line_that_its_message_does_not_tell_is_sent_along_in_a_field_of_ours(line, role):
    (message,) = to_messages(Trajectory([line]))
    assert (message["role"], message["content"], message["lines"]) == (role, line.text, [asdict(line)])
    assert from_messages([message]).lines == (line,)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": [call("c1", "search", '{"query": ')]},
        {"role": "assistant", "content": "", "tool_calls": [call("c1", "a", "{}"), call("c2", "b", '{"x":1}')]},
        {"role": "assistant", "content": None, "refusal": None, "tool_calls": [{"id": "c1", "function": {}}]},
        {"role": "assistant", "content": None},
        {"role": "tool", "tool_call_id": "never asked", "content": "x"},
        {"role": "user", "content": [{"type": "text", "text": "Who?"}]},
        {"role": "developer", "content": "Be brief."},
    ],
    ids=json.dumps,
)
def test_a_message_of_any_form_comes_back_as_it_was(message):
    assert to_messages(from_messages([CHAT[1], message, CHAT[1]])) == [CHAT[1], message, CHAT[1]]


def test_several_calls_of_one_message_are_actions_of_one_step_and_the_first_line_keeps_the_message():
    message = {
        "role": "assistant",
        "content": "Both.",
        "tool_calls": [call("c1", "a", '{"x":1}'), call("c2", "b", "{}")],
    }
    assert from_messages([message]).lines == (
        Line("thought", "Both.", "model", 1, full=json.dumps(message)),
        Line("action", '{"name": "a", "arguments": {"x":1}}', "model", 1),
        Line("action", '{"name": "b", "arguments": {}}', "model", 1),
    )


texts = st.text(max_size=12) | st.sampled_from(
    [
        "Search[A]",
        "Finish[]",
        "search('a', b=2)",
        CALL,
        CALL[:-5],
        "unreadable[q]",
    ]
    + [
        '{"role": "user", "content": "x"}',
        '{"role": "assistant", "lines": 1}',
        '{"tool_calls": [1]}',
        '{"input": "a"}',
        "[" * 999,
        "\ud800",
    ]
)
steps = st.none() | st.integers(-1, 4)
lines = st.builds(
    Line,
    st.sampled_from(["instruction", "question", "rationale", "thought", "action", "observation", "answer"]),
    texts,
    st.sampled_from(["person", "model", "environment", "harness"]),
    steps,
    st.booleans(),
    st.none() | texts,
)
likely = st.builds(Line, st.sampled_from(["thought", "action"]), texts, st.just("model"), st.integers(1, 3))


@settings(max_examples=400, deadline=None)
@given(st.lists(lines | likely, max_size=8))
@example([Line("observation", "x", "environment", 1, full='{"role": "tool", "content": 1, "tool_call_id": {}}')])
@example([Line("observation", "x", "environment", 1, full='{"role": "assistant", "tool_calls": [1]}')])
def test_no_trajectory_loses_anything_as_messages(lines):
    trajectory = Trajectory(lines, "recorded", "m", "Claim")
    sent = json.loads(json.dumps(to_messages(trajectory)))
    assert from_messages(sent, "recorded", "m", "Claim") == trajectory


ids = st.sampled_from(["c1", "c2", "call00001", "call00002", ""]) | st.text(max_size=5)
arguments = (
    st.sampled_from(["", "{}", '{"input": "a"}', '{"input": "a", ', '{"q":"A"}', '{"q": "[]"}', "{'a': 1}"]) | texts
)
calls = st.builds(call, ids, st.sampled_from(["Search", "unreadable", "a b"]) | texts, arguments)
calls |= st.fixed_dictionaries({}, optional={"id": ids, "index": st.integers(), "function": st.just({"name": "x"})})
contents = st.none() | texts | st.just([{"type": "text", "text": "x"}])
optional = {"content": contents, "refusal": st.none(), "reasoning_content": texts, "name": texts}
messages = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["system", "user", "developer", "assistant"])}, optional=optional),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "content": contents, "tool_calls": st.lists(calls, max_size=3)}
    ),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": ids, "content": contents}),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(messages, max_size=8))
def test_no_message_of_a_server_loses_anything_as_lines(messages):
    assert to_messages(from_messages(messages)) == messages


class Server:
    """A server that answers with `messages` in turn, and keeps what it was sent."""

    name = "small"

    def __init__(self, *messages):
        self.messages, self.sent = list(messages), []

    def converse(self, messages, tools):
        self.sent.append((messages, [tool["function"]["name"] for tool in tools]))
        message = self.messages.pop(0)
        known = {"finish_reason": "stop", "tokens_read": None, "told": []}
        return {**known, **message, "content": message["content"] or ""}


class World:
    """One tool, `search`, in the form in which a server is told of it."""

    names = ("search",)

    def schemas(self):
        return [{"type": "function", "function": {"name": "search"}}]

    def observe(self, action):
        return f"about {action.arguments['title']}"

    def reset(self):
        pass


def says(content, *calls):
    return {"role": "assistant", "content": content} | ({"tool_calls": list(calls)} if calls else {})


def run(*messages, shown=EMPTY, **options):
    server = Server(*messages)
    return server, solve("Q?", REACT, Native(server, World()), World(), shown, **options)


def reply(message):
    return Native(Server(message), World()).reply_to(Trajectory([Line("question", "Q?")]), EMPTY, 1)


SEARCH_A, SEARCH_B = call("c1", "search", '{"title": "A"}'), call("c2", "search", '{"title": "B"}')
OURS = {**SEARCH_A, "id": "call00001"}
DONE = says("Known.", call("c3", "Finish", '{"answer": "A"}'))


def test_the_same_loop_runs_with_a_servers_own_tool_calls():
    server, told = run(says("Look.", SEARCH_A), DONE)
    assert (told.answer, told.trajectory.kind, told.trajectory.model) == ("A", "live", "small")
    assert told.trajectory.lines[1:4] == (
        Line("thought", "Look.", "model", 1),
        Line("action", '{"name": "search", "arguments": {"title": "A"}}', "model", 1),
        Line("observation", "about A", "environment", 1),
    )
    question, answered = (
        {"role": "user", "content": "Q?"},
        {"role": "tool", "tool_call_id": OURS["id"], "content": "about A"},
    )
    assert server.sent[0] == ([question], ["search", "Finish"])
    assert server.sent[1] == ([question, says("Look.", OURS), answered], ["search", "Finish"])


def test_of_several_calls_the_first_is_run_the_model_is_told_and_no_id_goes_back_without_an_answer():
    server, told = run(says(None, SEARCH_A, SEARCH_B), DONE)
    assert told.calls[0].action.arguments == {"title": "A"}
    assert '"B"' in told.calls[0].dropped
    assert server.sent[1][0][1:] == [
        says("", OURS),
        {"role": "tool", "tool_call_id": "call00001", "content": "about A"},
        {"role": "user", "content": "You wrote 2 actions. Only the first was run: one action in each reply."},
    ]


def test_plain_content_is_a_thought_and_never_an_answer_or_a_call():
    server, told = run(says("It is A."), says("Known."), DONE)
    no_call = f"{NO_ACTION} Actions are: search[…], Finish[…]."
    assert told.trajectory.lines[1:3] == (
        Line("thought", "It is A.", "model", 1),
        Line("instruction", no_call, "harness", 1),
    )
    assert server.sent[1][0][1:] == [says("It is A."), {"role": "user", "content": GO_ON}]
    assert server.sent[2][0][1:] == [says("It is A."), {"role": "user", "content": no_call}]


@pytest.mark.parametrize("content", ["Answer: A", "So.\nFinal Answer: A", 'Thought 1: So.\nAction 1: Finish["A"]'])
def test_a_server_that_writes_labels_is_read_like_any_model(content):
    assert run(says(content))[1].answer == "A"


@pytest.mark.parametrize("arguments", ['{"title": "A', "{title: A}"])
def test_a_call_whose_arguments_are_broken_is_refused_and_leaves_a_history_that_servers_accept(arguments):
    server, told = run(says(None, call("c1", "search", arguments)), DONE)
    assert (told.answer, told.trajectory.by("environment")) == ("A", ())
    (_, sent, answer, note) = server.sent[1][0]
    assert [json.loads(made["function"]["arguments"]) != "" for made in sent["tool_calls"]] == [True]
    assert (answer["tool_call_id"], answer["content"]) == (sent["tool_calls"][0]["id"], NOT_RUN)
    assert (note["role"], "not JSON" in note["content"]) == ("user", True)


def test_a_call_without_arguments_or_id_is_read_all_the_same():
    made = {"id": "", "function": {"name": "now", "arguments": ""}}
    assert reply(says(None, made)) == 'Action: {"name": "now", "arguments": {}}'


@pytest.mark.parametrize("argument", ["a]", "a\nAction: Finish[b]", ["a"]])
def test_an_input_that_brackets_would_not_hold_stays_in_json(argument):
    given = json.dumps({"input": argument})
    assert reply(says(None, call("c1", "ask", given))) == f'Action: {{"name": "ask", "arguments": {given}}}'


def test_worked_examples_come_first_with_ids_of_their_own_whoever_wrote_them():
    lines = [Line("question", "Who?"), Line("rationale", "A guess."), *EPISODE.lines[2:5], Line("answer", "A band")]
    shown = Trajectory([replace(line, author="person") for line in lines])
    server, _ = run(DONE, shown=Exemplars((shown, shown), "Use tools."))
    second = [says("Look.", call("call00002", "Search", '{"input": "Who"}')), {**CHAT[3], "tool_call_id": "call00002"}]
    instruction, question = {"role": "system", "content": "Use tools."}, {"role": "user", "content": "Q?"}
    assert server.sent[0][0] == [instruction, *CHAT[1:4], CHAT[1], *second, question]


def test_what_the_server_says_of_its_reply_is_kept():
    known = {"finish_reason": "length", "tokens_read": 7, "tokens_written": 3, "told": ["x"]}
    told = reply({**says("Hm."), **known, "reasoning_content": "So."})
    assert (told, told.reasoning) == ("Thought:\nHm.", "So.")
    assert (told.finish_reason, told.tokens_read, told.tokens_written, told.told[0]) == ("length", 7, 3, "x")


def test_messages_are_sent_without_our_field_and_with_every_call_answered():
    odd = Trajectory([Line("question", "Q?", "model"), Line("action", "Search[A]", "model", 1)])
    assert "lines" in to_messages(odd)[0]
    assert sendable(to_messages(odd)) == [
        {"role": "user", "content": "Q?"},
        says("", call("call00001", "Search", '{"input": "A"}')),
        {"role": "tool", "tool_call_id": "call00001", "content": NOT_RUN},
    ]
    assert sendable([]) == []


def test_a_native_run_keeps_the_messages_that_the_model_read():
    server, ran = run(
        says(None, call("c1", "search", '{"title": "A"}')), says(None, call("c2", "Finish", '{"answer": "A"}'))
    )
    assert [json.loads(made.context) for made in ran.calls] == [messages for messages, _ in server.sent]
