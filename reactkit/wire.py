"""What a model server is sent and what it sends back, as plain values; `live` does the sending.

OpenAI-compatible servers differ in many small ways, and each way has its place here.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from itertools import chain

from reactkit.labels import ENDS_THINKING, MARK, OPENS_THINKING, TAG, THINKING
from reactkit.models import Completion

__all__ = [
    "KEY", "LONGEST_WAIT", "Fault", "address", "answer", "bounded", "completion", "events", "gathered", "listed",
    "parted", "request", "seconds", "told_apart", "too_long", "visible", "words",
]  # fmt: skip

LONGEST_WAIT, LARGEST_ANSWER = 120.0, 2**24  # seconds, bytes
REASONING = ("reasoning_content", "reasoning")  # the fields in which servers send thinking
CLOSED = re.compile(rf"/{TAG}[>\]](?![\s\S]*[<\[]{TAG}\b)", re.IGNORECASE)  # thinking is over, as far as one can see
KEY = re.compile(r"(?:\b|(?<=\\[nrt]))(?:sk|gsk|hf|xai|pk)[-_][\w*-]{6,}")  # what looks like a key, in JSON too


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
    path, mark, query = base_url.strip().partition("?")
    base, whole = re.subn(r"/(chat/)?completions$", "", re.sub(r"^(?!\w+://)", "http://", path.rstrip("/")))
    version = "" if whole or re.search(r"/v\d\w*(/|$)", base) else "/v1"
    return base + version + ("/chat/completions" if chat else "/completions") + mark + query


def request(fields: Mapping, changes: Mapping[str, str | None]) -> dict:
    """Return the body of a request, changed as the server wants; in history, no null and no thinking not asked for."""
    body = dict(fields)
    for name, instead in changes.items():
        if name in body:
            body[instead or ""] = body.pop(name)  # under no name it is left out below
    known = {"role", "name", "tool_calls", "tool_call_id", *changes}
    if "messages" in body:
        kept = [{name: m[name] for name in known & m.keys() if m[name]} for m in body["messages"]]
        body["messages"] = [said | {"content": m.get("content") or ""} for said, m in zip(kept, body["messages"])]
    return {name: value for name, value in body.items() if name and value not in (None, [])}


def listed(data: Mapping | list, host: str) -> dict:
    """Return the names of the `models` in the list of a `host`, which comes bare or as its `data`."""
    return {"models": [str(one["id"]) for one in (data["data"] if isinstance(data, Mapping) else data)]}


def answer(data: Mapping, host: str) -> dict | Fault:
    """Return the assistant's message in a response, with its `finish_reason`, "stop" or "length", and its tokens."""
    choice = (data.get("choices") or [{}])[0]
    reason, usage = str(choice.get("finish_reason")).lower(), data.get("usage")
    if error := data.get("error") or choice.get("error") or reason == "error" and reason:
        return Fault("server_reported", f"{host} reported: {words(error)}")
    if not choice:
        sent = f"the server sent no choices (keys: {', '.join(data)}), but {words(data)}"
        return Fault("no_choices", f"{sent}; is {host} a model server?")
    message = choice.get("message") or {"content": choice.get("text")}
    text, inside = text_of(message.get("content")), thinking(message)
    ended = "length" if re.search("length|max", reason) else "stop"
    if reason == "content_filter" or message.get("refusal"):
        return Fault("content_filtered", f"the provider blocked this reply: {words(message.get('refusal') or reason)}")
    if not text and (inside or message.get("content") is None) and ended == "stop" and not message.get("tool_calls"):
        return Fault("null_content", f"the reply has no text{', only thinking' * bool(inside)}", tries=2)
    read, wrote = map(usage.get, ("prompt_tokens", "completion_tokens")) if isinstance(usage, dict) else (None, None)
    told = {REASONING[0]: inside, "content": text, "finish_reason": ended, "tokens_read": read, "tokens_written": wrote}
    return {"role": "assistant", **message, **told}


def words(said: object) -> str:
    """Return a server's words on a failure, from any form in use: short, no tags, nothing that looks like a key."""
    try:
        said = json.loads(said) if isinstance(said, str) else said
    except (ValueError, RecursionError):
        pass
    for name in ("error", "detail", "message", "info"):
        said = said.get(name) or said if isinstance(said, dict) else said
    text = re.sub(r"(?is)<(style|script)\b.*?</\1>|<[^>]*>", " ", said if isinstance(said, str) else json.dumps(said))
    return KEY.sub("***", " ".join(text.split()))[:150]


def seconds(headers: Mapping[str, str]) -> float:
    """Return how long a server asks to wait, by a number or a date; 0 where it says nothing, or nothing sensible."""
    asked, now = headers.get("retry-after", "0").strip(), headers.get("date") or formatdate(usegmt=True)
    try:
        if re.fullmatch(r"[\d.]+", asked):
            return float(asked)
        return (parsedate_to_datetime(asked) - parsedate_to_datetime(now)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


def too_long(wait: float) -> str:
    """Return what is said of a wait in seconds that is beyond the limit, else nothing."""
    return f"; it asks to wait {wait:.0f} s, and {LONGEST_WAIT:.0f} s is the limit" if wait > LONGEST_WAIT else ""


def bounded(chunks: Iterable[bytes], longest: float, clock: Callable, largest: int = LARGEST_ANSWER) -> Iterator[bytes]:
    """Yield the pieces of an answer, which may take `longest` seconds in all: a client's timeout is for one read."""
    end, size = clock() + longest, 0
    for chunk in chunks:
        size += len(chunk)
        if size > largest:
            raise OverflowError(f"the answer is larger than {largest:,} bytes, which is the limit")
        if clock() > end:
            raise TimeoutError(f"{size:,} bytes came in {longest:g} s, which is the limit, and not the whole answer")
        yield chunk


def text_of(content: object, kinds: Sequence = ("text", "output_text", None)) -> str:
    """Return content as text: of content that comes in parts, those of the `kinds`, joined."""
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") or part.get("thinking") for part in parts if part.get("type") in kinds]
    return "".join(text_of(text) if isinstance(text, list) else str(text) for text in texts if text)


def thinking(message: Mapping) -> str:
    """Return what a server sent as thinking beside the reply, in a field of its own or among the parts."""
    places = [*map(message.get, REASONING), text_of(message.get("content"), ("thinking", "reasoning"))]
    return next((sent for sent in places if sent and isinstance(sent, str)), "")


def parted(text: str, stop: Sequence[str]) -> tuple[str, str, bool]:
    """Return the thinking that opens a reply, the rest up to a stop string outside thinking, and whether one came."""
    ends = ENDS_THINKING.match(text)  # the prompt may have opened it
    at = (ends if ends and not OPENS_THINKING.search(ends[1]) else re.match(rf"(?im)(?:\s*{THINKING})*", text)).end()
    reply = text[at:].lstrip() if at else text
    stops = "|".join(map(re.escape, filter(None, stop))) or r"\Z"
    cuts = (found.start() for found in re.finditer(f"(?im:{THINKING})|(?P<stop>{stops})", reply) if found["stop"])
    kept = reply[: next(cuts, None)]
    return MARK.sub("\n", text[:at]).strip(), kept, kept != reply


def unclosed(message: Mapping) -> bool:
    """Return whether all of a reply may still be thinking, whose opening mark may stand in the prompt."""
    return not thinking(message) and not CLOSED.search(message["content"])


def told_apart(message: Mapping, stop: Sequence[str], thinks: bool) -> tuple[str, str, bool]:
    """Return the parts of a whole message, as `parted`; of a model that thinks, one cut too early is all thinking."""
    if thinks and message["finish_reason"] == "length" and unclosed(message):
        return MARK.sub("\n", message["content"]).strip(), "", False
    return parted(message["content"], stop)


def completion(message: Mapping, stop: Sequence[str], thinks: bool = False) -> Completion:
    """Return the reply in a message: thinking kept apart, the rest cut at `stop`, whatever the server did."""
    inside, kept, cut = told_apart(message, stop, thinks)
    reason, told = "stop" if cut else message["finish_reason"], list(message["told"])
    if reason == "length":
        told.append("the reply hit the token limit; raise max_tokens in the settings")
    elif inside and not CLOSED.search(message["content"]):
        told.append("the reply ended within its thinking; thinks=True keeps a stop string from ending it there")
    counted = message["tokens_read"], told, message.get("tokens_written")
    return Completion(kept, reason, thinking(message) or inside, *counted)


def visible(message: Mapping, stop: Sequence[str], thinks: bool, key: str = "") -> tuple[str, bool]:
    """Return what may be shown of a growing reply, no thinking, no part of a stop string or `key`; and if it ended."""
    if thinks and unclosed(message):
        return "", False
    _, reply, ended = parted(message["content"], stop)
    starts = [n for end in (*stop, key) for n in range(1, len(end)) if reply.endswith(end[:n])]
    begun = re.fullmatch(r"\s*[<\[][^\n>\]]{0,50}", reply)  # perhaps of a mark that opens the thinking
    return "" if begun else reply if ended else reply[: len(reply) - max(starts, default=0)], ended


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of each server-sent event, one a line; comments, keep-alives and other fields are passed over."""
    rest = b""
    for chunk in chain(chunks, [b"\n"]):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line[5:].strip().decode("utf-8", "replace") for line in lines if re.match(rb"data:\s*\S", line))


def gathered(events: Iterable[str], whole: dict) -> Iterator[dict]:
    """Yield a streamed message as it grows, and `whole` with it to a response; an early end is an `EOFError`."""
    choice, calls = {"message": {"content": ""}, "finish_reason": None}, {}
    whole["choices"] = [choice]
    for event in events:
        if event == "[DONE]":
            return
        chunk = json.loads(event)
        whole.update({name: chunk[name] for name in ("usage", "error") if chunk.get(name)})
        for part in (chunk.get("choices") or [])[:1]:
            grow(choice["message"], calls, part.get("delta") or {"content": part.get("text")})
            choice.update({name: part[name] for name in ("finish_reason", "error") if part.get(name)})
        yield choice["message"]
    if not choice["finish_reason"] and "error" not in {*whole, *choice}:
        raise EOFError("the stream ended before the reply did")


def grow(message: dict, calls: dict, delta: Mapping) -> None:
    """Add to a message what one event brings; `calls` holds the newest tool call at each index."""
    grown = {"content": text_of(delta.get("content")), "refusal": delta.get("refusal"), REASONING[0]: thinking(delta)}
    message.update({name: message.get(name, "") + more for name, more in grown.items() if more})
    for piece in delta.get("tool_calls") or []:
        at, identity, more = piece.get("index", piece.get("id")), piece.get("id"), piece.get("function") or {}
        if at not in calls or identity not in (None, "", calls[at]["id"] or identity):
            calls[at] = {"id": identity, "type": "function", "function": {"name": "", "arguments": ""}}
            message.setdefault("tool_calls", []).append(calls[at])
        calls[at]["id"] = calls[at]["id"] or identity
        function = calls[at]["function"]
        function["name"] = function["name"] or more.get("name") or ""
        function["arguments"] += more.get("arguments") or ""
