"""live: one client for OpenAI-compatible servers, against servers that are functions (`httpx.MockTransport`)."""

import json
import pickle
import re
import socket
import ssl
import sys
import traceback
from pathlib import Path

import httpx
import pytest

from reactkit.errors import ServerError
from reactkit.live import Server

STOP = ["\nObservation 1:"]
KEY = 'sk-key/of"ours-123'
SSE = {"content-type": "text/event-stream; charset=utf-8"}


def said(text, reason="stop", **more):
    """Return the response of a chat server that says `text`."""
    message = {"role": "assistant", "content": text}
    return {"choices": [{"message": message, "finish_reason": reason}], "usage": {"prompt_tokens": 7}, **more}


def ok(text="ok", **more):
    return httpx.Response(200, json=said(text, **more))


def refused(status, message, headers=None, **error):
    return httpx.Response(status, json={"error": {"message": message, **error}}, headers=headers)


def streamed(*events, done=True):
    lines = [f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n" for event in events]
    return httpx.Response(200, content="".join(lines + ["data: [DONE]\n\n"] * done).encode(), headers=SSE)


def delta(text, reason=None):
    return {"choices": [{"delta": {"content": text}, "finish_reason": reason}]}


def called(piece):
    return {"choices": [{"delta": {"tool_calls": [{"index": 0, **piece}]}}]}


class World:
    """Stands in for the network: gives its answers in order, and keeps what was asked and how long was waited."""

    def __init__(self, *answers, base_url="http://127.0.0.1:9", key="", **options):
        self.answers, self.requests, self.waits, self.shown = list(answers), [], [], []
        client = httpx.Client(transport=httpx.MockTransport(self.answered))
        told = {"client": client, "wait": self.waits.append, "random": lambda: 0.0, "show": self.shown.append}
        self.server = Server(base_url, "m", key=key, **{**told, **options})

    def answered(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]  # the last one goes on
        if isinstance(answer, BaseException):
            raise answer
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def bodies(self):
        return [json.loads(request.content) for request in self.requests]

    def fault(self):
        with pytest.raises(ServerError) as caught:
            self.server("Q", STOP)
        return caught.value


def test_a_chat_server_reads_the_context_as_one_message_of_the_user():
    world = World(ok(" Look."))
    reply = world.server("Question: Q?\nThought 1:", STOP)
    assert (reply, reply.finish_reason, reply.tokens_read, reply.told) == (" Look.", "stop", 7, ())
    assert world.shown == []
    assert str(world.requests[0].url) == "http://127.0.0.1:9/v1/chat/completions"
    assert world.bodies == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Question: Q?\nThought 1:"}],
            "temperature": 0,
            "max_tokens": 512,
            "stop": STOP,
        }
    ]


def test_a_completion_server_reads_the_context_as_it_is():
    world = World(httpx.Response(200, json={"choices": [{"text": " Look.", "finish_reason": "length"}]}), chat=False)
    reply = world.server("Q", ())
    assert (reply, reply.finish_reason) == (" Look.", "length")
    assert str(world.requests[0].url) == "http://127.0.0.1:9/v1/completions"
    assert world.bodies == [{"model": "m", "prompt": "Q", "temperature": 0, "max_tokens": 512}]


def test_settings_are_sent_and_none_leaves_one_out():
    world = World(ok(), settings={"temperature": None, "max_tokens": 9, "seed": 1})
    world.server("Q")
    assert world.bodies == [{"model": "m", "messages": [{"role": "user", "content": "Q"}], "max_tokens": 9, "seed": 1}]


def test_a_context_that_is_no_valid_unicode_is_sent_all_the_same():
    assert World(ok()).server("\ud800") == "ok"


def test_the_client_cuts_at_stop_whatever_the_server_does():
    reply = World(ok("Act\nObservation 1: lies", reason="length")).server("Q", STOP)
    assert (reply, reply.finish_reason) == ("Act", "stop")


def test_a_server_tells_its_name_and_kind_and_shows_itself():
    server = Server("http://h:1/v1", "m", key=KEY)
    assert (server.kind, server.name, repr(server)) == ("live", "m", "Server('http://h:1', 'm')")


CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"query": "A"'}}


def test_converse_gives_the_message_with_its_tool_calls_broken_arguments_and_all():
    message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    world = World(httpx.Response(200, json={"choices": [{"message": message, "finish_reason": "tool_calls"}]}))
    tools = [{"type": "function", "function": {"name": "search"}}]
    told = {"reasoning_content": "", "finish_reason": "stop", "tokens_read": None, "tokens_written": None, "told": []}
    assert world.server.converse([{"role": "user", "content": "Q"}], tools) == {**message, "content": "", **told}
    assert (world.bodies[0]["tools"], "stop" in world.bodies[0]) == (tools, False)


def test_converse_goes_to_the_chat_endpoint_and_sends_no_null_content():
    world = World(ok(), chat=False)
    world.server.converse([{"role": "assistant", "content": None, "tool_calls": [CALL]}])
    assert str(world.requests[0].url) == "http://127.0.0.1:9/v1/chat/completions"
    assert world.bodies[0]["messages"] == [{"role": "assistant", "tool_calls": [CALL], "content": ""}]


NOT_HERE = "The field 'stop' cannot be used with m."


@pytest.mark.parametrize(
    ("answer", "changes", "told"),
    [
        (refused(400, NOT_HERE, param="stop"), {"stop": None}, "'stop'; from now on it is the client that cuts"),
        (refused(400, "With temperature, this is unsupported.", param="stop"), {"stop": None}, "'stop'"),
        (refused(400, "at most 4 strings", param="stop"), {"stop": None}, "'stop'"),
        (refused(422, "Extra inputs are not permitted: stop"), {"stop": None}, "'stop'"),
        (
            httpx.Response(422, json={"detail": [{"loc": ["body", "stop"], "msg": "extra fields not permitted"}]}),
            {"stop": None},
            "'stop'",
        ),
        (
            refused(400, "'max_tokens' is not supported; use 'max_completion_tokens' instead.", param="max_tokens"),
            {"max_tokens": "max_completion_tokens"},
            "'max_tokens'; from now on it is max_completion_tokens",
        ),
        (refused(400, "max_tokens: 512 > 256, which is the maximum"), {"max_tokens": None}, "it is left out"),
        (
            refused(400, "Only the default (1) will do.", param="temperature"),
            {"temperature": None},
            "'temperature'; from now on it is left out",
        ),
        (refused(400, "temperature isn't supported by this reasoning model"), {"temperature": None}, "'temperature'"),
        (refused(400, "Temperature is fixed at 1"), {"temperature": None}, "'temperature'"),
        (refused(400, "invalid temperature: only 1 is allowed for this model"), {"temperature": None}, "'temperature'"),
        (refused(400, "must be greater than 0", param="temperature"), {"temperature": None}, "'temperature'"),
        (
            httpx.Response(422, json={"error": "Input validation error: `temperature` must be strictly positive"}),
            {"temperature": None},
            "'temperature'",
        ),
        (refused(400, "The reasoning_content must be passed back"), {"reasoning_content": None}, "it is sent back"),
    ],
)
def test_a_refused_parameter_is_changed_once_and_remembered_and_told(answer, changes, told):
    world = World(answer, ok("a\nObservation 1: b"))
    with pytest.warns(UserWarning, match=re.escape(told)) as warned:
        first, second = world.server("Q", STOP), world.server("Q", STOP)
    assert len(warned) == 1
    assert (first, second, len(world.requests), world.server.changes, world.waits) == ("a", "a", 3, changes, [])
    assert (told in first.told[0], second.told) == (True, ())
    assert world.bodies[1] == world.bodies[2]
    assert set(changes) & set(world.bodies[1]) == set()


def test_several_refused_parameters_are_changed_one_after_the_other():
    words = {"max_tokens": "use max_completion_tokens", "stop": "no", "max_completion_tokens": "unsupported"}
    world = World(*[refused(400, said, param=name) for name, said in words.items()], ok())
    with pytest.warns(UserWarning, match="the server refused"):
        assert len(world.server("Q", STOP).told) == 3
    assert world.bodies[-1].keys() == {"model", "messages", "temperature"}


GIVEN = {"temperature": 3, "max_tokens": 9000, "seed": 1}


@pytest.mark.parametrize(
    "answer",
    [
        refused(400, "temperature must be at most 2", param="temperature"),
        refused(400, "max_tokens is too large: this model supports at most 256", param="max_tokens"),
        refused(400, "Odd seed."),
        refused(400, "unsupported content in messages", param="messages"),
        refused(400, "unsupported", param="top_k"),
        refused(404, "temperature is unsupported"),
    ],
)
def test_a_wrong_value_is_the_users_to_mend(answer):
    world = World(answer, settings=GIVEN)
    assert world.fault().kind in ("request_refused", "wrong_address")
    assert len(world.requests) == 1


def test_a_parameter_that_an_error_only_mentions_late_is_not_what_it_is_about():
    world = World(refused(400, "The request is odd in one way or another. For more on " * 2 + "temperature, see below"))
    assert (world.fault().kind, len(world.requests)) == ("request_refused", 1)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Unsupported parameter: 'seed'", "seed"),
        ("got an unexpected keyword argument 'seed'", "seed"),
        ("This model does not currently support the temperature parameter", "temperature"),
        ("Unrecognized request argument supplied: max_tokens", "max_tokens"),
    ],
)
def test_what_the_user_gives_is_left_out_only_where_the_server_knows_no_such_thing(said, name):
    world = World(refused(400, said), ok(), settings=GIVEN)
    with pytest.warns(UserWarning, match=f"refused '{name}'; from now on it is left out"):
        assert world.server("Q") == "ok"
    assert world.bodies[0].keys() - world.bodies[1].keys() == {name}


@pytest.mark.parametrize(
    ("answers", "tried"),
    [
        ([refused(400, "unsupported", param="stop")], ["stop"]),
        ([refused(400, "The messages must stop with a user message")], ["stop"]),
        ([refused(400, "unsupported", param="reasoning_content")], ["reasoning_content"]),
        ([refused(400, "no stop"), refused(400, "no temperature"), refused(400, "odd")], ["stop", "temperature"]),
        ([refused(400, "no stop"), refused(401, "bad key")], ["stop"]),
    ],
)
def test_a_change_that_does_not_help_is_undone_and_the_error_says_what_was_tried(answers, tried):
    world = World(*answers)
    assert str(world.fault()).endswith("".join(f" (tried without '{name}')" for name in tried))
    assert (world.server.changes, len(world.requests)) == ({}, 1 + len(tried))
    world.answers = [ok()]
    assert (world.server("Q", STOP).told, world.bodies[-1]) == ((), world.bodies[0])


def test_a_change_that_helps_after_another_try_is_remembered():
    world = World(refused(400, "no", param="stop"), refused(503, "busy"), ok())
    with pytest.warns(UserWarning, match="'stop'"):
        world.server("Q", STOP)
    assert (world.server.changes, len(world.requests)) == ({"stop": None}, 3)


HTML = "<html><h1>Bad gateway</h1>" + "<p>filler</p>" * 99


@pytest.mark.parametrize(
    ("answer", "kind", "tries", "mentions"),
    [
        (refused(401, "no"), "auth_failed", 1, "HTTP 401: no; the key was refused; which variable holds the key?"),
        (refused(403, "no"), "auth_failed", 1, "Here it is the argument key"),
        (httpx.Response(404, text="no such page"), "wrong_address", 1, "no such page; does the address end in /v1?"),
        (refused(404, "model 'm' not found"), "unknown_model", 1, "model 'm' not found; is it spelled as"),
        (httpx.Response(308, headers={"location": "x"}), "wrong_address", 1, "HTTP 308"),
        (httpx.Response(405), "wrong_address", 1, "HTTP 405"),
        (refused(400, "request exceeds the available context size"), "prompt_too_long", 1, "shorten it"),
        (refused(400, "x", code="content_filter"), "content_filtered", 1, "the provider blocked this prompt"),
        (refused(422, "odd"), "request_refused", 1, "HTTP 422: odd"),
        (refused(408, "slow"), "timeout", 4, "HTTP 408: slow; a longer timeout= may help (tried 4 times)"),
        (refused(409, "busy"), "server_error", 4, "HTTP 409: busy (tried 4 times)"),
        (refused(429, "slow down"), "rate_limited", 4, "slow down (tried 4 times)"),
        (refused(503, "Loading model"), "server_error", 4, "Loading model"),
        (refused(500, "broke"), "server_error", 4, "broke"),
        (refused(500, "no user turn in messages"), "server_error", 1, "may exceed the server's context length"),
        (httpx.Response(502, text=HTML), "server_error", 4, "HTTP 502: Bad gateway filler"),
        (httpx.Response(200, text=HTML), "broken_reply", 1, "Bad gateway filler"),
        (httpx.Response(204), "broken_reply", 1, "is it a model server? does the address end in /v1?"),
        (httpx.Response(200, text="[" * 99999), "broken_reply", 1, "gave no usable reply: [["),
        (httpx.Response(200, json=[1]), "broken_reply", 1, "gave no usable reply: [1]; is it a model server?"),
        (httpx.Response(200, json="ready"), "broken_reply", 1, "gave no usable reply: ready; is it a model server?"),
        (httpx.Response(200, json={"choices": "abc"}), "broken_reply", 1, 'gave no usable reply: {"choices": "abc"}'),
        (httpx.Response(200, json={"error": "quota"}), "server_reported", 1, "reported: quota"),
        (httpx.Response(200, json={"choices": None}), "no_choices", 1, "keys: choices"),
        (ok(None), "null_content", 2, "the reply has no text (tried 2 times)"),
        (ok("half", reason="content_filter"), "content_filtered", 1, "blocked this reply"),
        (httpx.ConnectError("[Errno 111] Connection refused"), "connection_refused", 1, "nothing answers at"),
        (ConnectionRefusedError(111, "x"), "connection_refused", 1, "is the model server running?"),
        (httpx.ReadTimeout("x"), "timeout", 4, "gave no usable reply: x; a longer timeout= may help"),
        (TimeoutError("x"), "timeout", 4, "no usable reply"),
        (httpx.ReadError("reset"), "connection_lost", 4, "reset (tried 4 times)"),
        (httpx.ReadError(""), "connection_lost", 4, "gave no usable reply: ReadError (tried 4 times)"),
        (httpx.RemoteProtocolError("left"), "connection_lost", 4, "left"),
        (socket.gaierror(-2, "no such name"), "connection_lost", 1, "no such name"),
        (httpx.UnsupportedProtocol("ftp"), "connection_lost", 1, "ftp"),
        (streamed(delta("abc"), done=False), "stream_cut", 4, "broke off after 3 characters"),
        (streamed(delta("abc"), '{"choi', done=False), "stream_cut", 4, "broke off after 3 characters"),
        (streamed(delta("abc"), {"error": {"message": "died"}}), "server_reported", 1, "reported: died"),
        (streamed(delta("abc", "error")), "server_reported", 1, "reported: error"),
        (streamed("5"), "broken_reply", 1, "is it a model server?"),
        (streamed(delta("abc"), {"choices": [{"delta": "d"}]}), "broken_reply", 1, "gave no usable reply"),
        (streamed(called({"function": {"arguments": {"a": 1}}})), "broken_reply", 1, "gave no usable reply"),
    ],
)
def test_each_failure_has_its_kind_its_tries_and_its_words(answer, kind, tries, mentions):
    world = World(answer, key="k")
    error = world.fault()
    assert (error.kind, len(world.requests)) == (kind, tries), error
    assert mentions in str(error) and len(str(error)) <= 300
    assert world.waits == [0.5, 1.0, 2.0][: tries - 1]


def test_what_passes_is_tried_again_and_told():
    world = World(httpx.ReadError("reset"), refused(503, "Loading model"), ok())
    reply = world.server("Q", STOP)
    assert (reply, len(world.requests)) == ("ok", 3)
    assert [told.split(":")[0] for told in reply.told] == ["tried again, since http", "tried again, since http"]
    assert ("reset" in reply.told[0], "Loading model" in reply.told[1]) == (True, True)


def test_no_fault_is_tried_again_more_often_than_the_user_allows():
    world = World(ok(None), tries=1)
    assert (world.fault().kind, len(world.requests)) == ("null_content", 1)


def test_the_jitter_lengthens_a_pause_by_a_quarter_at_most_and_tries_are_the_users_to_set():
    world = World(refused(503, "x"), tries=3, random=lambda: 1.0)
    world.fault()
    assert (world.waits, len(world.requests)) == ([0.625, 1.25], 3)


DATED = {"date": "Mon, 02 Mar 2026 10:00:00 GMT", "retry-after": "Mon, 02 Mar 2026 10:00:30 GMT"}


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": "30"}, 30.0),
        ({"retry-after": " 1.5 "}, 1.5),
        (DATED, 30.0),
        ({**DATED, "retry-after": "Mon, 02 Mar 2026 09:00:00 GMT"}, 0.5),
        ({"retry-after": "0"}, 0.5),
        ({"retry-after": "-5"}, 0.5),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "9" * 400}, 120.0),
    ],
)
def test_a_server_says_how_long_to_wait_in_seconds_or_as_a_date(headers, pause):
    world = World(refused(429, "slow down", headers), ok())
    world.server("Q")
    assert world.waits == [pause]


def test_an_absurd_wait_is_bounded_and_the_error_says_so():
    error = World(refused(429, "slow down", {"retry-after": "86400"})).fault()
    assert "it asks to wait 86400 s, and 120 s is the limit" in str(error)


CHUNKS = [
    delta(text) for text in ("<think>h", "m</think>Thought 1: x\nAct", "ion 1: f[a]\nObs", "ervation 1: no", "more")
]


def test_a_stream_is_shown_as_it_grows_without_thinking_and_stop_and_read_no_further():
    world = World(streamed(*CHUNKS), stream=True)
    reply = world.server("Q", STOP)
    assert (reply, reply.reasoning, reply.finish_reason) == ("Thought 1: x\nAction 1: f[a]", "hm", "stop")
    assert world.shown == ["Thought 1: x\nAct", "ion 1: f[a]"]
    assert (world.bodies[0]["stream"], world.bodies[0]["stream_options"]) == (True, {"include_usage": True})


def test_a_tail_held_back_is_shown_once_the_reply_is_whole():
    world = World(
        streamed(delta("a\nObs"), delta("", "stop"), {"choices": [], "usage": {"prompt_tokens": 7}}), stream=True
    )
    assert (world.server("Q", STOP).tokens_read, "".join(world.shown)) == (7, "a\nObs")


def test_a_server_that_refuses_to_stream_is_read_at_once():
    world = World(refused(400, "stream is not supported", param="stream"), ok("all"), stream=True)
    assert (world.server("Q"), world.shown) == ("all", ["all"])


def test_a_stream_that_is_cut_is_asked_for_again():
    assert World(streamed(delta("a"), done=False), streamed(delta("b", "stop")), stream=True).server("Q") == "b"


class Breaking(httpx.SyncByteStream):
    def __init__(self, error, *events):
        self.error, self.events = error, events

    def __iter__(self):
        yield from (f"data: {json.dumps(event)}\n".encode() for event in self.events)
        raise self.error


def broken(error, *events, **options):
    answer = httpx.Response(200, headers=SSE, stream=Breaking(error, *events))
    client = httpx.Client(transport=httpx.MockTransport(lambda request: answer))
    return Server("localhost:9", "m", client=client, wait=lambda pause: None, tries=1, **options)


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (httpx.ReadError("reset"), "stream_cut", "broke off after 3 characters: reset"),
        (httpx.ReadError(""), "stream_cut", "broke off after 3 characters: ReadError"),
        (httpx.ReadTimeout("slow"), "timeout", "broke off after 3 characters: slow; a longer timeout= may help"),
    ],
)
def test_a_connection_lost_in_mid_stream_says_how_much_arrived(error, kind, told):
    with pytest.raises(ServerError) as caught:
        broken(error, delta("abc"))("Q")
    assert (caught.value.kind, str(caught.value)) == (kind, f"http://localhost:9 {told}")


@pytest.mark.parametrize("usage", [{"prompt_tokens": 7}, "odd"])
def test_a_connection_lost_once_the_reply_is_whole_is_no_loss(usage):
    reply = broken(httpx.ReadError("reset"), delta("abc", "length"), {"usage": usage})("Q")
    assert (reply, reply.finish_reason, reply.tokens_read) == ("abc", "length", 7 if usage != "odd" else None)


def test_a_stream_is_read_no_further_than_a_stop_string():
    assert broken(httpx.ReadError("not reached"), *CHUNKS)("Q", STOP) == "Thought 1: x\nAction 1: f[a]"


def test_each_reply_is_shown_anew():
    world = World(streamed(delta("Same", "stop")), streamed(delta("Sam")), stream=True)
    for _ in range(3):
        world.server("Q")
    assert world.shown == ["Same", "Sam", "Sam"]


@pytest.mark.parametrize("error", [ValueError("mine"), OSError("disk full"), KeyboardInterrupt(), SystemExit(3)])
def test_an_error_of_what_shows_the_reply_passes_as_it_is(error):
    def show(text):
        raise error

    world = World(streamed(delta("a"), delta("b", "stop")), stream=True, key=KEY, show=show)
    with pytest.raises(type(error)) as caught:
        world.server("Q")
    assert (caught.value, len(world.requests), "ours-123" in everything(error)) == (error, 1, False)
    assert "show" in [frame.name for frame in traceback.extract_tb(error.__traceback__)]


THOUGHT = "Observe:\nObservation 1: not yet"


@pytest.mark.parametrize(
    "answer",
    [
        ok(f"<think>{THOUGHT}</think>Act\nObservation 1: no"),
        ok(f"{THOUGHT}</think>Act\nObservation 1: no"),
        ok(f"<Thinking>{THOUGHT}</Thinking>Act\nObservation 1: no"),
        streamed(
            delta("<Think"), delta(f'ing a="b">{THOUGHT}'), delta("</Thinking>Act\nObservation 1: no"), delta("more")
        ),
        streamed(delta(THOUGHT), delta("</think>Act\nObservation 1: no"), delta("more")),
        streamed(
            {"choices": [{"delta": {"reasoning_content": THOUGHT}}]}, delta("Act\nObservation 1: no"), delta("more")
        ),
    ],
)
def test_a_stop_string_in_the_thinking_ends_nothing_where_the_model_thinks(answer):
    world = World(answer, thinks=True, stream=True)
    reply = world.server("Q", STOP)
    assert (reply, reply.reasoning, reply.finish_reason) == ("Act", THOUGHT, "stop")
    assert ("stop" in world.bodies[0], "".join(world.shown)) == (False, "Act")


@pytest.mark.parametrize("stream", [False, True])
def test_thinking_that_the_prompt_opened_and_the_limit_cut_is_no_reply(stream):
    cut = "Hm.\nAction 1: Finish[a guess] would be too soon, since"
    answer = streamed(delta(cut), {"choices": [{"delta": {}, "finish_reason": "length"}]}) if stream else None
    world = World(answer or ok(cut, reason="length"), thinks=True, stream=stream)
    reply = world.server("Q", STOP)
    assert (reply, reply.reasoning, reply.finish_reason, "".join(world.shown)) == ("", cut, "length", "")
    assert World(ok(cut, reason="length")).server("Q", STOP) == cut  # this one does not think


@pytest.mark.parametrize(
    ("cause", "kind", "tries"),
    [
        (ConnectionRefusedError(10061, "verweigert"), "connection_refused", 1),
        (socket.gaierror(11001, "unbekannt"), "connection_lost", 1),
        (ssl.SSLCertVerificationError("abgelaufen"), "connection_lost", 1),
        (ConnectionResetError(10054, "getrennt"), "connection_lost", 4),
    ],
)
def test_a_lost_connection_is_known_by_its_cause_whatever_language_the_system_speaks(cause, kind, tries):
    error = httpx.ConnectError("keine Verbindung")
    error.__cause__ = cause
    world = World(error)
    assert (world.fault().kind, len(world.requests)) == (kind, tries)


ESCAPED = "".join(f"\\u{ord(sign):04X}" for sign in KEY)
ECHOES = [
    refused(401, f"The key {KEY} is not valid."),
    refused(400, "odd", param=KEY),
    httpx.Response(502, text=f"<p>Bearer {KEY}</p>"),
    httpx.Response(403, text=f'{{"error": "{KEY}"}}'.replace('of"', 'of\\"').replace("/", "\\/")),
    httpx.Response(403, text=f'{{"error": "{ESCAPED}"}}'),
    httpx.Response(200, json={"error": {"message": KEY}}),
    httpx.Response(200, text=f"not json {KEY}"),
    httpx.Response(200, json={"choices": [KEY]}),
    streamed(delta(KEY), {"error": {"message": KEY}}),
    streamed(delta(KEY), done=False),
    httpx.LocalProtocolError(f"Illegal header value b'Bearer {KEY}'"),
    httpx.ReadError("reset"),
    ConnectionRefusedError(KEY),
    RuntimeError(f"the client has been closed, {KEY}"),
]


def held(value):
    """Return how a local shows itself, and how what it holds does."""
    shown = [f"{value!r}"]
    for inner in (vars(value) if hasattr(value, "__dict__") else {}).values():
        shown += [
            f"{inner!r}",
            f"{getattr(inner, 'raw', '')!r}",
            f"{getattr(getattr(inner, 'headers', ''), 'raw', '')!r}",
        ]
    return " ".join(shown)


def everything(error):
    """Return all that a traceback could show of an error: its words, each frame's locals, and the errors behind it."""
    shown, seen = [], []
    while error and error not in seen:
        seen.append(error)
        walked = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        frames = [frame for frame in walked if Path(frame.f_code.co_filename).parent != Path(__file__).parent]
        shown += [repr(error), *traceback.format_exception_only(error), repr(vars(error))]
        shown += [f"{name}={held(value)}" for frame in frames for name, value in frame.f_locals.items()]
        error = error.__cause__ or error.__context__
    return "\n".join(shown)


@pytest.mark.parametrize("answer", ECHOES, ids=range(len(ECHOES)))
def test_no_error_shows_the_key_even_where_the_server_echoes_it(answer):
    world = World(answer, key=KEY)
    shown = everything(world.fault())
    assert world.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert [part for part in (KEY, json.dumps(KEY)[1:-1], repr(KEY)[1:-1], "ours-123") if part in shown] == []


@pytest.mark.parametrize("key", ["sk-schl\u00fcssel-ours-123", "sk-key\nours-123"])
def test_a_key_that_no_header_can_hold_is_an_error_that_does_not_show_it(key):
    error = World(ok(), key=key).fault()
    assert (
        error.kind,
        "the argument key has a line break or a sign outside ASCII" in str(error),
        "ours-123" in everything(error),
    ) == ("auth_failed", True, False)


def test_without_a_key_the_error_says_so():
    error = World(refused(401, "missing"), key=None, key_name="REACTKIT_TEST_KEY").fault()
    assert str(error).endswith("HTTP 401: missing; no key was sent; set REACTKIT_TEST_KEY, or give key=")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, MemoryError, ZeroDivisionError])
@pytest.mark.parametrize("where", ["request", "reply", "stream"])
def test_what_interrupts_a_request_shows_no_key_either(kind, where):
    error = kind(KEY)
    error.__context__ = ValueError(KEY)
    world = World(error, key=KEY)
    if where != "request":
        answer = httpx.Response(200, headers=SSE if where == "stream" else {}, stream=Breaking(error))
        world.server.client = httpx.Client(transport=httpx.MockTransport(lambda request: answer))
    with pytest.raises(kind) as caught:
        world.server("Q")
    assert "ours-123" not in everything(caught.value)


def test_a_key_echoed_in_pieces_or_in_other_spelling_is_neither_shown_nor_told():
    pieces = [delta(KEY[at : at + 5]) for at in range(0, len(KEY), 5)]
    world = World(streamed(delta("It is "), *pieces, delta(".", "stop")), key=KEY, stream=True)
    assert (world.server("Q"), "".join(world.shown)) == ("It is ***.", "It is ***.")
    calls = [called({"id": "c1", "function": {"name": "f", "arguments": part}}) for part in (KEY[:9], KEY[9:])]
    told = World(streamed(*calls, delta("", "stop")), key=KEY).server.converse([])
    assert told["tool_calls"][0]["function"]["arguments"] == "***"
    body = json.dumps(said("KEY")).replace("KEY", ESCAPED)
    assert World(httpx.Response(200, text=body), key=KEY).server("Q") == "***"


def test_no_reply_holds_the_key_and_no_look_at_the_server_shows_it():
    world = World(ok(f"my key is {KEY}"), key=KEY)
    assert world.server("Q") == "my key is ***"
    told = World(streamed(delta(KEY), delta("", "stop")), key=KEY, stream=True)
    assert (told.server("Q"), told.shown) == ("***", ["***"])
    assert "ours-123" not in f"{world.server!r} {vars(world.server)}"
    assert b"ours-123" not in pickle.dumps(world.server)


def test_a_pickled_server_is_the_same_with_the_key_of_its_environment(monkeypatch):
    options = {"key": KEY, "settings": {"top_k": 1}, "timeout": 5.0, "tries": 2}
    world = World(refused(400, "Unsupported parameter", param="stop"), ok(), **options)
    with pytest.warns(UserWarning, match="refused 'stop'"):
        world.server("Q", ["X"])
    monkeypatch.setenv("REACTKIT_KEY", "theirs-456")
    again, keyless = (pickle.loads(pickle.dumps(one)) for one in (world.server, World(key="").server))
    alike = ("base_url", "model", "name", "kind", "card", "settings", "timeout", "tries", "changes", "host", "here")
    assert [getattr(again, name) for name in alike] == [getattr(world.server, name) for name in alike]
    assert (again.secret(), keyless.secret(), again.client is keyless.client) == ("theirs-456", "", True)


def test_all_servers_of_a_process_share_a_client_that_opens_as_many_connections_as_are_used():
    near, other, far = Server("localhost:1", "a"), Server("http://127.0.0.1:2", "b"), Server("https://far.example", "a")
    assert near.client is other.client is not far.client
    pools = [one.client._transport._pool for one in (near, far)]
    assert {(pool._max_connections, pool._max_keepalive_connections) for pool in pools} == {(sys.maxsize, sys.maxsize)}


@pytest.mark.parametrize("headers", [None, SSE], ids=["whole", "streamed"])
def test_a_reply_that_drips_in_is_given_up_after_ten_timeouts(headers):
    fault = World(httpx.Response(200, content=b"data: {}\n\n", headers=headers), timeout=-1.0, tries=1).fault()
    assert (fault.kind, "came in -10 s, which is the limit" in str(fault)) == ("timeout", True)


def test_a_reply_beyond_all_measure_is_given_up():
    fault = World(httpx.Response(200, content=b" " * (2**24 + 1)), tries=3).fault()
    assert (fault.kind, "larger than 16,777,216 bytes" in str(fault)) == ("broken_reply", True)


def test_a_placeholder_for_a_key_is_left_alone_in_replies():
    assert World(ok("none"), key="none").server("Q") == "none"


def test_the_key_is_read_from_the_environment_at_each_call(monkeypatch):
    world = World(ok(), key=None, key_name="REACTKIT_TEST_KEY")
    for key in ("", "one\n", "two"):
        monkeypatch.setenv("REACTKIT_TEST_KEY", key)
        world.server("Q")
    sent = [request.headers.get("authorization") for request in world.requests]
    assert sent == [None, "Bearer one", "Bearer two"]


def test_a_refused_key_of_the_environment_is_named_by_its_variable(monkeypatch):
    monkeypatch.setenv("REACTKIT_TEST_KEY", KEY)
    assert "REACTKIT_TEST_KEY" in str(World(refused(401, "no"), key=None, key_name="REACTKIT_TEST_KEY").fault())


@pytest.mark.parametrize(
    ("base_url", "sent"),
    [
        ("https://h", True),
        ("http://localhost:8080/v1", True),
        ("HTTP://LocalHost:8080", True),
        ("HTTPS://h", True),
        ("127.0.0.1:8080", True),
        ("http://[::1]:8080", True),
        ("http://h", False),
        ("http://127.0.0.1.example:80", False),
    ],
)
def test_a_key_goes_out_unencrypted_to_this_machine_only(base_url, sent):
    world = World(ok(), base_url=base_url, key=KEY)
    assert (world.server("Q") if sent else world.fault().kind) == ("ok" if sent else "unsafe_address")
    assert len(world.requests) == sent
    assert World(ok(), base_url=base_url).server("Q") == "ok"


@pytest.mark.parametrize(
    "base_url",
    [
        "https://me:my-pass@h/v1",
        "https://my-pass@h",
        "me:my-/pass@h/v1",
        "http://localhost@h",
        "https://h/v1?key=my-pass",
    ]
    + [f"https://h/v1?api-version=3&{name}=my-pass" for name in ("api_key", "access_token", "sig", "Password")],
)
def test_a_key_in_the_address_is_refused_without_telling_it(base_url):
    with pytest.raises(ServerError, match="stands in the address, .* give key= or set REACTKIT_KEY, or for") as caught:
        Server(base_url, "m")
    assert caught.value.kind == "unsafe_address" and "my-" not in f"{caught.value!r} {caught.value}"


def test_nothing_listens_at_a_real_address():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(ServerError, match=f"nothing answers at http://127.0.0.1:{port}; is the model") as caught:
        Server(f"http://127.0.0.1:{port}", "m", key=KEY)("Q")
    assert caught.value.kind == "connection_refused" and "ours-123" not in everything(caught.value)
