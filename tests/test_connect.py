"""connect: a server that answers, and has the model; the servers are functions (`httpx.MockTransport`)."""

import httpx
import pytest

from reactkit import DataError, ServerError, connect

KEY = 'sk-key/of"ours-123'


def client(status=200, content=None, requests=None):
    """Return a client whose every request gets this answer, and is kept in `requests`."""

    def answered(request):
        (requests if requests is not None else []).append(request)
        return httpx.Response(status, json=content)

    return httpx.Client(transport=httpx.MockTransport(answered))


def listed(*names):
    return {"object": "list", "data": [{"id": name, "object": "model"} for name in names]}


def test_no_address_is_refused():
    with pytest.raises(DataError, match=r'the address is a str, not None; give one such as "http://'):
        connect(None)


def test_it_asks_once_for_the_list_and_gives_the_server_with_its_options():
    requests = []
    server = connect(
        "https://h/v1", "b", key=KEY, chat=False, client=client(content=listed("a", "b"), requests=requests)
    )
    assert (repr(server), server.name, server.chat) == ("Server('https://h', 'b')", "b", False)
    [request] = requests
    assert (request.method, str(request.url), request.content) == ("GET", "https://h/v1/models", b"")
    assert request.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("localhost:1", "http://localhost:1/v1/models"),
        ("http://localhost:1/v1/chat/completions", "http://localhost:1/v1/models"),
        ("https://h/v1/?api-version=3", "https://h/v1/models?api-version=3"),
    ],
)
@pytest.mark.parametrize("chat", [True, False])
def test_any_form_of_the_address_leads_to_the_list(address, asked, chat):
    requests = []
    connect(address, "a", key="", chat=chat, client=client(content=listed("a"), requests=requests))
    assert str(requests[0].url) == asked


@pytest.mark.parametrize(
    ("names", "model", "name"),
    [
        (["a", "b"], "b", "b"),
        (["only"], None, "only"),
        (["llama3:latest", "llama3:70b"], "llama3", "llama3"),
        (["models/gemini"], "gemini", "gemini"),
    ],
)
def test_a_model_is_found_by_the_names_that_servers_take(names, model, name):
    server = connect("http://localhost:1", model, client=client(content=listed(*names)))
    assert (server.name, server.model) == (name, name)


def test_a_list_may_come_bare_and_a_server_may_stream():
    server = connect("http://localhost:1", "a", stream=True, client=client(content=[{"id": "a"}]))
    assert (server.name, server.stream) == ("a", True)


@pytest.mark.parametrize(
    ("names", "model", "told"),
    [
        (["a", "b"], "c", "model='c' is none of what http://localhost:1 lists: a, b"),
        (["a", "b"], None, "model=None is none of what http://localhost:1 lists: a, b"),
        (["llama3:70b"], "llama3", "model='llama3' is none of what http://localhost:1 lists: llama3:70b"),
        ([], None, "model=None is none of what http://localhost:1 lists: nothing"),
    ],
)
def test_a_model_that_is_not_there_is_refused_with_what_is_there(names, model, told):
    with pytest.raises(ServerError) as caught:
        connect("http://localhost:1", model, client=client(content=listed(*names)))
    assert (caught.value.kind, str(caught.value)) == ("unknown_model", told)


@pytest.mark.parametrize(
    ("status", "content", "kind"),
    [
        (401, {"error": {"message": f"the key {KEY} is bad"}}, "auth_failed"),
        (404, {"error": "nothing here"}, "wrong_address"),
        (200, {"hello": "world"}, "broken_reply"),
        (200, {"data": [KEY]}, "broken_reply"),
        (503, {"error": {"message": "Loading model"}}, "server_error"),
    ],
)
def test_a_server_that_gives_no_list_is_an_error_of_its_kind_without_the_key(status, content, kind):
    with pytest.raises(ServerError) as caught:
        connect("https://h", "a", key=KEY, tries=1, client=client(status, content))
    assert (caught.value.kind, "ours" in str(caught.value)) == (kind, False)


def test_a_server_that_still_loads_its_model_is_asked_again():
    answers = [httpx.Response(503, json={"error": {"message": "Loading model"}}), httpx.Response(200, json=listed("a"))]
    slow = httpx.Client(transport=httpx.MockTransport(lambda request: answers.pop(0)))
    waits = []
    assert connect("http://localhost:1", "a", wait=waits.append, client=slow).name == "a" and len(waits) == 1


def test_a_key_does_not_travel_unencrypted_even_to_ask_for_the_list():
    with pytest.raises(ServerError, match="unencrypted"):
        connect("http://far.example", "a", key=KEY, client=client(content=listed("a")))


def test_where_nothing_listens_the_error_says_so():
    with pytest.raises(ServerError, match="is the model server running"):
        connect("http://127.0.0.1:9", "a", tries=1)
