"""What a model server is sent and what it sends back, as plain values; `live` does the sending.

OpenAI-compatible servers differ in many small ways, and each way has its place here.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from reactkit.models import Completion, cut

__all__ = ["Fault", "address", "answer", "completion", "events", "first_call", "gathered", "parted", "request"]
__all__ += ["thinking", "visible", "words"]

THINKING = ("reasoning_content", "reasoning")  # the fields in which servers send it
KEY = re.compile(r"\b(?:sk|gsk|hf|xai|pk)[-_][\w*-]{6,}")  # what looks like a key, whoever it belongs to


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure that is no error yet, since it may pass."""

    kind: str
    message: str
    tries: int = 1  # how often the request may be sent in all
    wait: float = 0.0  # seconds until then
    refused: str = ""  # a parameter that the server will not have, and the request can do without


def address(base_url: str, chat: bool) -> str:
    """Return where requests go; `base_url` may lack http:// and /v1, or be the whole address already."""
    given = re.sub(r"^(?!\w+://)", "http://", base_url.strip().rstrip("/"))
    base = re.sub(r"/(chat/)?completions$", "", given)
    version = "" if base != given or re.search(r"/v\d\w*(/|$)", base) else "/v1"
    return base + version + ("/chat/completions" if chat else "/completions")


def request(fields: Mapping, changes: Mapping[str, str | None]) -> dict:
    """Return the body of a request: nothing that is None, parameters changed as the server wants, and history mended.

    In history no content is null, and thinking goes back only to a server that asked for it.
    """
    body = dict(fields)
    for name, instead in changes.items():
        if name in body:
            body[instead or ""] = body.pop(name)  # under no name it is left out below
    known = {"role", "name", "tool_calls", "tool_call_id", *changes}
    if "messages" in body:
        kept = [{name: m[name] for name in known & m.keys() if m[name]} for m in body["messages"]]
        body["messages"] = [said | {"content": m.get("content") or ""} for said, m in zip(kept, body["messages"])]
    return {name: value for name, value in body.items() if name and value is not None}


def answer(data: Mapping, host: str) -> dict | Fault:
    """Return the assistant's message in a response, with its `finish_reason`, "stop" or "length", and `tokens_read`."""
    choice = (data.get("choices") or [{}])[0]
    if error := data.get("error") or choice.get("error"):
        return Fault("server_reported", f"{host} reported: {words(error)}")
    if not choice:
        return Fault("no_choices", f"the server sent no choices (keys: {', '.join(data)}); is {host} a model server?")
    message = choice.get("message") or {"content": choice.get("text")}
    text, reason = text_of(message.get("content")), str(choice.get("finish_reason")).lower()
    ended = "length" if re.match("length|max", reason) else "stop"
    if reason == "content_filter" or message.get("refusal"):
        return Fault("content_filtered", f"the provider blocked this reply: {words(message.get('refusal') or reason)}")
    if text is None and ended == "stop" and not message.get("tool_calls"):
        return Fault("null_content", f"the reply has no text{', only thinking' * bool(thinking(message))}", tries=2)
    tokens = (data.get("usage") or {}).get("prompt_tokens")
    return {"role": "assistant", **message, "content": text or "", "finish_reason": ended, "tokens_read": tokens}


def words(said: object) -> str:
    """Return a server's words on a failure, from any form in use: short, no tags, nothing that looks like a key."""
    try:
        said = json.loads(said) if isinstance(said, str) else said
    except (ValueError, RecursionError):
        pass
    for name in ("error", "detail", "message"):
        said = said.get(name) or said if isinstance(said, dict) else said
    text = re.sub(r"<[^>]*>", " ", said if isinstance(said, str) else json.dumps(said))
    return KEY.sub("***", " ".join(text.split()))[:150]


def text_of(content: object) -> str | None:
    """Return content as text, its parts joined where it comes in parts."""
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content)
    return content if isinstance(content, str) else None


def thinking(message: Mapping) -> str:
    """Return what a server sent as thinking, beside the reply."""
    return next((message[name] for name in THINKING if isinstance(message.get(name), str)), "")


def parted(text: str) -> tuple[str, str]:
    """Return the thinking that opens a reply, and the reply proper; the prompt may have opened the block already."""
    before, closed, after = text.partition("</think>")
    if before.lstrip().startswith("<think>") or (closed and "<think>" not in before):
        return before.strip().removeprefix("<think>").strip(), after.lstrip()
    return "", text


def completion(message: Mapping, stop: Sequence[str]) -> Completion:
    """Return the reply in a message: thinking kept apart, the rest cut at `stop`, whatever the server did."""
    inside, text = parted(message["content"])
    kept, told = cut(text, stop), list(message["told"])
    reason = message["finish_reason"] if kept == text else "stop"
    if reason == "length":
        told.append("the reply hit the token limit; raise max_tokens in the settings")
    elif inside and "</think>" not in message["content"]:
        told.append("the reply ended within its thinking; thinks=True keeps a stop string from ending it there")
    return Completion(kept, reason, thinking(message) or inside, message["tokens_read"], told)


def visible(text: str, stop: Sequence[str]) -> str:
    """Return what may be shown of a reply still being written: no thinking, and no part of a stop string."""
    reply = parted(text)[1]
    kept = cut(reply, stop)
    starts = [n for end in (*stop, "<think>") for n in range(1, len(end)) if reply.endswith(end[:n])]
    return kept if kept != reply else reply[: len(reply) - max(starts, default=0)]


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """Return the data of each server-sent event, one a line; comments, keep-alives and other fields are passed over."""
    rest = b""
    for chunk in chain(chunks, [b"\n"]):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line[5:].strip().decode("utf-8", "replace") for line in lines if line.startswith(b"data:"))


def gathered(events: Iterable[str], message: dict, enough: Callable[[Mapping], bool]) -> dict:
    """Return the response that streamed `events` make, in the form of one that comes at once.

    `message` grows meanwhile, until `enough` says so of it. A stream that ends before its reply is an `EOFError`.
    """
    calls, reason, usage = {}, None, None
    for event in events:
        if event == "[DONE]":
            break
        chunk = json.loads(event)
        if chunk.get("error"):
            return chunk
        usage = chunk.get("usage") or usage
        for choice in (chunk.get("choices") or [])[:1]:
            grow(message, calls, choice.get("delta") or {"content": choice.get("text")})
            reason = choice.get("finish_reason") or reason
        if enough(message):
            reason = "enough"
            break
    if reason is None:
        raise EOFError("the stream ended before the reply did")
    whole = {**(message or {"content": ""}), "tool_calls": [*calls.values()]}
    return {"choices": [{"message": whole, "finish_reason": reason}], "usage": usage}


def grow(message: dict, calls: dict, delta: Mapping) -> None:
    """Add to a message, and to its tool calls, what one event brings."""
    for name in ("content", "refusal", *THINKING):
        if (more := text_of(delta.get(name))) is not None:
            message[name] = message.get(name, "") + more
    for piece in delta.get("tool_calls") or []:
        empty = {"id": piece.get("id"), "type": "function", "function": {"name": "", "arguments": ""}}
        function, more = calls.setdefault(piece.get("index", piece.get("id")), empty)["function"], piece["function"]
        function["name"] = function["name"] or more.get("name") or ""
        function["arguments"] += more.get("arguments") or ""


def first_call(message: Mapping) -> tuple[dict | None, list[dict]]:
    """Return the one tool call of a message that is run, or None, and the answers that the others get."""
    first, *others = message.get("tool_calls") or [None]
    unrun = {"role": "tool", "content": "not run: one action per step"}
    return first, [{**unrun, "tool_call_id": call["id"]} for call in others]
