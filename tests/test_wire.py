"""wire: what is sent and what comes back, in the many forms of OpenAI-compatible servers."""

import json

import pytest

from reactkit import wire
from reactkit.models import Completion
from reactkit.wire import Fault

HOST = "http://h"
STOP = ["\nObservation 1:"]
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"query": "A"'}}


@pytest.mark.parametrize(
    ("base_url", "chat"),
    [
        ("http://h:1", "http://h:1/v1/chat/completions"),
        ("http://h:1/", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", "http://h:1/v1/chat/completions"),
        ("https://h/v1beta/openai/", "https://h/v1beta/openai/chat/completions"),
        ("https://h/openai", "https://h/openai/v1/chat/completions"),
        ("http://h:1/v1/chat/completions", "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/completions", "http://h:1/v1/chat/completions"),
        ("http://h:1/chat/completions/", "http://h:1/chat/completions"),
        (" localhost:1 ", "http://localhost:1/v1/chat/completions"),
        ("https://h/v1/?api-version=3", "https://h/v1/chat/completions?api-version=3"),
        ("https://h/d/chat/completions?a=/v1", "https://h/d/chat/completions?a=/v1"),
    ],
)
def test_any_form_of_the_address_leads_to_both_endpoints(base_url, chat):
    completions = chat.replace("/chat/completions", "/completions")
    assert (wire.address(base_url, True), wire.address(base_url, False)) == (chat, completions)


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        ({}, {"model": "m", "max_tokens": 9, "stop": ["x"]}),
        ({"stop": None}, {"model": "m", "max_tokens": 9}),
        ({"max_tokens": "max_completion_tokens"}, {"model": "m", "max_completion_tokens": 9, "stop": ["x"]}),
        ({"max_tokens": "max_completion_tokens", "max_completion_tokens": None}, {"model": "m", "stop": ["x"]}),
        ({"temperature": None}, {"model": "m", "max_tokens": 9, "stop": ["x"]}),
    ],
)
def test_a_request_is_made_as_the_server_wants_it(changes, sent):
    fields = {"model": "m", "max_tokens": 9, "stop": ["x"], "tools": None}
    assert wire.request(fields, changes) == sent
    assert fields == {"model": "m", "max_tokens": 9, "stop": ["x"], "tools": None}


PAST = [
    {"role": "assistant", "content": None, "reasoning_content": "r", "tool_calls": [CALL], "finish_reason": "stop"},
    {"role": "tool", "tool_call_id": "c1", "content": "a", "told": []},
    {"role": "assistant", "content": "b", "tool_calls": [], "refusal": None},
]


@pytest.mark.parametrize(
    ("changes", "back"), [({}, {}), ({"reasoning_content": None}, {"reasoning_content": "r"})], ids=["plain", "back"]
)
def test_history_is_sent_as_every_server_takes_it(changes, back):
    assert wire.request({"messages": PAST}, changes)["messages"] == [
        {"role": "assistant", "content": "", "tool_calls": [CALL], **back},
        {"role": "tool", "tool_call_id": "c1", "content": "a"},
        {"role": "assistant", "content": "b"},
    ]


def chat(reason="stop", **message):
    return {"choices": [{"message": message, "finish_reason": reason}], "usage": {"prompt_tokens": 7}}


PARTS = [{"type": "text", "text": "a"}, {"type": "image_url", "text": "c"}, {"type": "output_text", "text": "b"}]


@pytest.mark.parametrize(
    ("data", "read"),
    [
        (chat(content="a"), ("a", "stop", 7)),
        (chat(content=""), ("", "stop", 7)),
        (chat(content=PARTS), ("ab", "stop", 7)),
        (chat(content="a", refusal=None), ("a", "stop", 7)),
        (chat(content=[{"text": "a"}]), ("a", "stop", 7)),
        (chat("length", content="a"), ("a", "length", 7)),
        (chat("model_length", content="a"), ("a", "length", 7)),
        (chat("MAX_TOKENS", content=None), ("", "length", 7)),
        (chat("tool_calls", content=None, tool_calls=[CALL]), ("", "stop", 7)),
        ({"choices": [{"text": "a", "finish_reason": "stop"}]}, ("a", "stop", None)),
        ({"choices": [{"text": "a"}], "error": None, "usage": None}, ("a", "stop", None)),
        ({"choices": [{"text": "a"}], "usage": "n"}, ("a", "stop", None)),
    ],
)
def test_a_reply_is_read_from_any_form(data, read):
    message = wire.answer(data, HOST)
    assert (message["content"], message["finish_reason"], message["tokens_read"]) == read


def test_what_was_read_and_written_is_told_as_the_server_counted_it():
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    message = wire.answer({"choices": [{"text": "a", "finish_reason": "stop"}], "usage": usage}, HOST)
    reply = wire.completion({**message, "told": []}, ())
    assert (reply.tokens_read, reply.tokens_written) == (7, 3)


@pytest.mark.parametrize(
    ("message", "reasoning"),
    [
        ({"content": "b", "reasoning_content": "h"}, "h"),
        ({"content": "b", "reasoning": "h", "reasoning_content": ""}, "h"),
        ({"content": [{"type": "reasoning", "text": "h"}, {"type": "text", "text": "b"}]}, "h"),
        ({"content": [{"type": "thinking", "thinking": "h"}, {"type": "text", "text": "b"}]}, "h"),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}, {"text": "b"}]}, "h"),
        ({"content": "b", "reasoning": {"odd": 1}}, ""),
    ],
)
def test_thinking_that_is_sent_apart_is_no_part_of_the_reply(message, reasoning):
    got = wire.completion({**wire.answer(chat(**message), HOST), "told": []}, STOP)
    assert (got, got.reasoning) == ("b", reasoning)


def test_tool_calls_are_passed_on_as_they_came_with_broken_arguments_too():
    assert wire.answer(chat(content=None, tool_calls=[CALL]), HOST)["tool_calls"] == [CALL]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"error": {"message": "quota"}}, Fault("server_reported", "http://h reported: quota")),
        ({"choices": [{"error": "lost"}]}, Fault("server_reported", "http://h reported: lost")),
        (chat("error", content="Action 1: Search[x]"), Fault("server_reported", "http://h reported: error")),
        (
            {"id": "x", "choices": None},
            Fault(
                "no_choices",
                "the server sent no choices (keys: id, choices), "
                'but {"id": "x", "choices": null}; is http://h a model server?',
            ),
        ),
        (
            {"choices": []},
            Fault(
                "no_choices",
                'the server sent no choices (keys: choices), but {"choices": []}; is http://h a model server?',
            ),
        ),
        (chat(content=None), Fault("null_content", "the reply has no text", 2)),
        (
            chat(content=None, reasoning_content="hm"),
            Fault("null_content", "the reply has no text, only thinking", 2),
        ),
        (
            chat(content="", reasoning_content="hm"),
            Fault("null_content", "the reply has no text, only thinking", 2),
        ),
        (
            chat("content_filter", content="half"),
            Fault("content_filtered", "the provider blocked this reply: content_filter"),
        ),
        (
            chat(content=None, refusal="I may not."),
            Fault("content_filtered", "the provider blocked this reply: I may not."),
        ),
    ],
)
def test_a_reply_that_is_none_is_a_fault_that_says_why(data, fault):
    assert wire.answer(data, HOST) == fault


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ('{"error": {"message": "a"}}', "a"),
        ('{"error": "a"}', "a"),
        ('{"object": "error", "message": "a"}', "a"),
        ('{"detail": [{"loc": ["body", "stop"]}]}', '[{"loc": ["body", "stop"]}]'),
        ("<html><h1>Bad\n gateway</h1></html>", "Bad gateway"),
        ("plain", "plain"),
        ("x" * 999, "x" * 150),
        (
            "The key sk-someone-elses-123 is bad, m-mini-2031-04-16 is not",
            "The key *** is bad, m-mini-2031-04-16 is not",
        ),
        ("[" * 9999, "[" * 150),
    ],
)
def test_a_servers_words_are_found_in_any_form_short_and_without_keys(said, words):
    assert wire.words(said) == words


NO = "hm\nObservation 1: no"


@pytest.mark.parametrize(
    ("content", "reply", "reasoning", "reason"),
    [
        ("a", "a", "", "length"),
        ("a\nObservation 1: b", "a", "", "stop"),
        ("<think>\nhm\n</think>\n\na", "a", "hm", "length"),
        ("hm</think>\na", "a", "hm", "length"),
        ("The tag </think> closes it.", "The tag </think> closes it.", "", "length"),
        (f"<think>{NO}</think>a", "a", NO, "length"),
        (f"<Think>{NO}</Think>a", "a", NO, "length"),
        (f"<thinking>{NO}</thinking>a\nObservation 1: b", "a", NO, "stop"),
        (f"[THOUGHT]{NO}[/THOUGHT] a", "a", NO, "length"),
        (f'<reasoning effort="low">{NO}</reasoning>a', "a", NO, "length"),
        (f"<think>{NO}</think>\n<think>b</think>a", "a", f"{NO}\n\nb", "length"),
        ("<think>hm", "", "hm", "length"),
        ("a <think>b</think>", "a <think>b</think>", "", "length"),
        (f"a <think>{NO}</think> b\nObservation 1: c", f"a <think>{NO}</think> b", "", "stop"),
    ],
)
def test_thinking_is_kept_apart_and_never_cut_and_the_rest_is_cut_here_too(content, reply, reasoning, reason):
    got = wire.completion({"content": content, "finish_reason": "length", "tokens_read": 7, "told": []}, STOP)
    assert (got, got.reasoning, got.finish_reason, got.tokens_read) == (reply, reasoning, reason, 7)
    assert isinstance(got, Completion)
    assert got.told == (("the reply hit the token limit; raise max_tokens in the settings",) * (reason == "length"))


def test_a_stop_string_is_no_pattern_and_an_empty_one_is_none():
    message = {"content": "a.b|c", "finish_reason": "stop", "tokens_read": None, "told": []}
    assert [wire.completion(message, stop) for stop in (["", "|"], ["", "B"], [""])] == ["a.b", "a.b|c", "a.b|c"]


def test_a_reply_that_ended_within_its_thinking_says_what_to_do():
    got = wire.completion({"content": "<think>hm", "finish_reason": "stop", "tokens_read": None, "told": ["x"]}, STOP)
    assert got.told[0] == "x" and "thinks=True" in got.told[1]


@pytest.mark.parametrize(
    ("so_far", "shown", "ended"),
    [
        ("Act", "Act", False),
        ("Act\n", "Act", False),
        ("Act\nObs", "Act", False),
        ("Act\nObservation 1: x", "Act", True),
        ("Act\nObserve", "Act\nObserve", False),
        ("<thi", "", False),
        ('<Thinking effort="l', "", False),
        ("<think>hm", "", False),
        (f"<think>{NO}", "", False),
        ("<think>hm</think>\nAct", "Act", False),
        ("<think>hm</think>\n<th", "", False),
        ("Act my-ke", "Act ", False),
        ("Act my-kettle", "Act my-kettle", False),
        ("", "", False),
    ],
)
def test_what_is_shown_holds_no_thinking_and_no_part_of_a_stop_string_or_of_the_key(so_far, shown, ended):
    assert wire.visible({"content": so_far}, STOP, False, "my-key") == (shown, ended)


@pytest.mark.parametrize(
    ("message", "seen"),
    [
        ({"content": NO}, ("", False)),
        ({"content": f"<think>a</think> Act <thought>{NO}"}, ("", False)),
        ({"content": f"{NO}</Think>\nAct\nObservation 1:"}, ("Act", True)),
        ({"content": "Act\nObservation 1:", "reasoning_content": NO}, ("Act", True)),
    ],
)
def test_nothing_is_shown_and_nothing_ends_a_reply_while_a_model_that_thinks_may_be_at_it(message, seen):
    assert wire.visible(message, STOP, True) == seen


def test_the_shared_stream_shows_what_its_case_expects(real_cases):
    lines = (real_cases / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    [case] = [case for case in map(json.loads, lines) if case["input"]["kind"] == "stream"]
    chunks, stop = case["input"]["chunks"], case["input"]["stop"]
    grown = [wire.visible({"content": "".join(chunks[: n + 1])}, stop, False) for n in range(len(chunks))]
    whole = case["expected"]["shown_to_user"]
    assert grown[-1] == (whole, True) and all(whole.startswith(shown) for shown, _ in grown)


def test_an_answer_within_the_bounds_comes_as_it_is():
    assert list(wire.bounded([b"ab", b"c"], 2.0, iter([0.0, 1.0, 2.0]).__next__, 3)) == [b"ab", b"c"]


@pytest.mark.parametrize(
    ("chunks", "longest", "largest", "error", "told"),
    [
        ([b"a"] * 9, 2.5, 99, TimeoutError, "3 bytes came in 2.5 s, which is the limit, and not the whole answer"),
        ([b"ab"] * 9, 99.0, 5, OverflowError, "the answer is larger than 5 bytes, which is the limit"),
    ],
    ids=["drips", "floods"],
)
def test_an_answer_without_end_is_read_no_further_than_the_bounds(chunks, longest, largest, error, told):
    left, ticks = iter(chunks), iter(range(99))
    with pytest.raises(error) as caught:
        list(wire.bounded(left, longest, ticks.__next__, largest))
    assert (str(caught.value), len(list(left))) == (told, 6)


SSE = ': ping\r\n\r\nevent: x\ndata:\ndata: \r\n\r\ndata: {"a": "é\u2028"}\r\n\r\ndata:[DONE]'.encode()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 999])
def test_events_come_whole_however_the_bytes_are_split(size):
    chunks = [SSE[at : at + size] for at in range(0, len(SSE), size)]
    assert list(wire.events(chunks)) == ['{"a": "é\u2028"}', "[DONE]"]


def stream(*deltas, reason="stop"):
    chunks = [{"choices": [{"delta": delta, "finish_reason": None}]} for delta in deltas]
    ending = [{"choices": [{"delta": {}, "finish_reason": reason}]}, {"choices": [], "usage": {"prompt_tokens": 7}}]
    ending += [{"choices": [{"delta": {}, "finish_reason": None}], "usage": None}]
    return [json.dumps(chunk) for chunk in chunks + ending] + ["[DONE]", "not read"]


def piece(index, arguments, **more):
    return {"tool_calls": [{"index": index, **more, "function": {"name": more.get("name"), "arguments": arguments}}]}


def called(*calls):
    """Return the message with these calls, each as (id, name, arguments)."""
    functions = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    return {"content": "", "tool_calls": functions}


def gathered(events):
    """Return the response that a stream makes, and the message at each time that it has grown."""
    whole = {}
    grown = [json.dumps(message) for message in wire.gathered(events, whole)]
    return whole, [json.loads(message) for message in grown]


@pytest.mark.parametrize(
    ("deltas", "message"),
    [
        ([], {"content": ""}),
        ([None, {"content": "a"}], {"content": "a"}),
        ([{"role": "assistant", "content": None}, {"content": "a"}, {"content": "b"}], {"content": "ab"}),
        (
            [{"content": [{"type": "thinking", "thinking": "h"}]}, {"content": PARTS}],
            {"content": "ab", "reasoning_content": "h"},
        ),
        ([{"reasoning_content": "h"}, {"reasoning": "m"}], {"content": "", "reasoning_content": "hm"}),
        ([{"refusal": "I may"}, {"refusal": " not."}], {"content": "", "refusal": "I may not."}),
        (
            [piece(0, "", id="c1", name="f"), piece(0, "{"), piece(1, "1", id="c2", name="g"), piece(0, "}")],
            called(("c1", "f", "{}"), ("c2", "g", "1")),
        ),
        (
            [piece(0, "{}", id="c1", name="f"), piece(0, "1", id="c2", name="g"), piece(0, "2")],
            called(("c1", "f", "{}"), ("c2", "g", "12")),
        ),
        ([piece(0, "{", id="c1", name="f"), piece(0, "}", id="c1", name="f")], called(("c1", "f", "{}"))),
        ([piece(0, "{", name="f"), piece(0, "}", id="c1")], called(("c1", "f", "{}"))),
        ([{"tool_calls": [{"index": 0, "id": "c1"}]}, piece(0, "{}", name="f")], called(("c1", "f", "{}"))),
        (
            [{"tool_calls": [{"id": "c1", "function": {"name": "f"}}, {"id": "c2", "function": {"name": "g"}}]}],
            called(("c1", "f", ""), ("c2", "g", "")),
        ),
    ],
)
def test_a_stream_is_gathered_into_the_response_that_comes_at_once(deltas, message):
    whole = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7}}
    assert gathered(stream(*deltas))[0] == whole


def test_a_stream_of_the_completion_endpoint_is_gathered_too():
    events = [
        json.dumps({"choices": [{"text": text, "finish_reason": end}]}) for text, end in [("a", None), ("b", "length")]
    ]
    whole, grown = gathered(events)
    assert whole == {"choices": [{"message": {"content": "ab"}, "finish_reason": "length"}]}
    assert grown == [{"content": "a"}, {"content": "ab"}]


def test_a_stream_is_read_no_further_than_one_asks():
    events = iter(stream({"content": "a"}, {"content": "b"}, {"content": "c"}))
    grown = wire.gathered(events, {})
    assert (next(grown), '"b"' in next(events)) == ({"content": "a"}, True)


def test_a_stream_that_ends_early_is_an_error_and_its_text_is_at_hand():
    whole = {}
    with pytest.raises(EOFError, match="before the reply did"):
        [*wire.gathered(stream({"content": "a"})[:1], whole)]
    assert whole == {"choices": [{"message": {"content": "a"}, "finish_reason": None}]}


@pytest.mark.parametrize("events", [["[DONE]"], stream({"content": "a"})[:1] + ["[DONE]"], stream()[:1]])
def test_a_stream_is_whole_where_its_end_is_said_either_way(events):
    assert wire.answer(gathered(events)[0], HOST)["finish_reason"] == "stop"


@pytest.mark.parametrize(
    ("last", "reported"),
    [
        ({"error": "busy"}, "busy"),
        ({"choices": [{"delta": {}, "error": {"message": "lost"}, "finish_reason": "error"}]}, "lost"),
        ({"choices": [{"delta": {}, "error": "lost"}]}, "lost"),
        ({"choices": [{"delta": {}, "finish_reason": "error"}]}, "error"),
    ],
)
def test_an_error_within_a_stream_is_the_response(last, reported):
    whole, _ = gathered([*stream({"content": "Action 1: Search[x]"})[:1], json.dumps(last)])
    assert wire.answer(whole, HOST) == Fault("server_reported", f"http://h reported: {reported}")


def test_what_a_server_says_in_place_of_choices_is_told():
    fault = wire.answer({"object": "error", "message": "bad thing", "code": 400}, "host")
    assert fault.message == (
        "the server sent no choices (keys: object, message, code), but bad thing; is host a model server?"
    )
