"""The one place that touches the network: a client for OpenAI-compatible model servers, near or far.

A failure is a `ServerError`. Its `kind` is the first word of a row in `FAULTS`, or server_reported, no_choices,
null_content, content_filtered (the reply is none), or unsafe_address (a key would travel unencrypted).
"""

import json
import os
import random
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from email.utils import formatdate, parsedate_to_datetime

import httpx

from reactkit import wire
from reactkit.errors import ServerError
from reactkit.models import Completion, cut
from reactkit.wire import Fault

__all__ = ["Server"]

SETTINGS = {"temperature": 0, "max_tokens": 512}  # one that is given as None is not sent
INSTEAD = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
REQUIRED = {"model", "messages", "prompt", "tools"}  # without one of these it would be another request
REFUSED = re.compile(
    r"unsupported|unrecogni|unknown|unexpected|extra_|extra (?:input|field)|only the default|deprecated|incompatible"
    r"|instead|passed back|(?:not|n't) (?:be |currently )?(?:support|permit|allow|accept|used)"
)
LONGEST_WAIT = 120.0  # seconds
SHORTEST_KEY = 7  # characters; what is shorter, such as "none", only stands in for a key, and may occur in any reply
HERE = r"http://(localhost|127\.[\d.]+|\[::1\])(:\d+)?$"
OF_MESSAGES = r"\bmessages|\b(user|system|assistant) (message|turn)|\broles?\b|prompt|context|template"
FAULTS = [  # kind, what the clue looks like, advice, whether it may pass; the first row that fits counts
    ("stream_cut", "stream", "", True),
    ("auth_failed", "40[13]", "the key was refused; which variable holds the key? Here it is {source}", False),
    ("rate_limited", "429.*insufficient_quota", "", False),
    ("rate_limited", "429", "", True),
    ("timeout", "408|[a-z ]*timeout", "", True),
    ("content_filtered", "400.*content.?(filter|manag)", "the provider blocked this prompt", False),
    ("prompt_too_long", "4.*context.(length|size|window)", "shorten it, or raise the server's context length", False),
    ("unknown_model", r"404 \{.*model", "is it spelled as the server lists it? does the address end in /v1?", False),
    ("wrong_address", "3|404|405", "does the address end in /v1?", False),
    ("request_refused", "4(?!09)", "", False),
    ("server_error", rf"500 \{{.*({OF_MESSAGES})", "the prompt may exceed the server's context length", False),
    ("server_error", "5|409", "", True),
    ("not_json", "JSONDecodeError", "does the address end in /v1?", False),
    ("broken_reply", r"\w*(value|type|attribute|key|index|time|recursion|code)error", "is it a model server?", False),
    ("connection_refused", ".*refused", "nothing answers at {host}; is the model server running?", False),
    ("connection_lost", ".*(gaierror|ssl|UnsupportedProtocol|LocalProtocol|InvalidURL)", "", False),
    ("connection_lost", "", "", True),
]
SHAPES = (ValueError, TypeError, AttributeError, LookupError, RuntimeError)  # what a reply of no known form raises


@dataclass(repr=False, eq=False)
class Server:
    """A live model behind an OpenAI-compatible server: a `Model`, with `converse` for whole messages.

    `base_url` may have /v1 or not. The key, where one is needed, comes from `key` or the environment variable
    `key_name`; no attribute, error or recording holds it. `settings` go into each request. A parameter that the server
    refuses is changed or left out from then on, and the reply's `told` says so. `stream` shows the reply to `show` as
    it grows. `thinks` sends no stop string, as one could end the reply within its thinking; the client cuts anyhow.
    `timeout`, and what `wait` is given, are seconds; `tries` bounds how often one request is sent.
    """

    base_url: str
    model: str
    _: KW_ONLY
    key: InitVar[str | None] = None
    key_name: str = "REACTKIT_KEY"
    chat: bool = True
    stream: bool = False
    thinks: bool = False
    settings: Mapping = field(default_factory=dict)
    timeout: float = 60.0
    tries: int = 4
    client: httpx.Client | None = None
    show: Callable[[str], object] = lambda text: None
    wait: Callable[[float], object] = time.sleep
    random: Callable[[], float] = random.random

    def __post_init__(self, key: str | None):
        self.kind, self.name, self.changes, self.shown = "live", self.model, {}, ""
        self.secret = lambda: (os.environ.get(self.key_name, "") if key is None else key).strip()
        self.source = f"{self.key_name} of the environment" if key is None else "the argument key"
        scheme, _, rest = wire.address(self.base_url, self.chat).partition("://")
        self.host = f"{scheme}://{rest.partition('/')[0].rpartition('@')[2]}"

    def __repr__(self) -> str:
        return f"Server({self.host!r}, {self.model!r})"

    def __call__(self, context: str, stop: Sequence[str] = ()) -> Completion:
        """Return how the model goes on after `context`, up to the first of the `stop` strings."""
        asked = {"messages": [{"role": "user", "content": context}]} if self.chat else {"prompt": context}
        reply = wire.completion(self.ask(asked, stop), stop)
        self.progress(reply)
        return reply

    def converse(self, messages: Sequence[Mapping], tools: Sequence | None = None, stop: Sequence[str] = ()) -> dict:
        """Return the assistant's next message, with its `tool_calls`, `finish_reason`, `tokens_read` and `told`."""
        return self.ask({"messages": messages, "tools": tools}, stop)

    def ask(self, asked: Mapping, stop: Sequence[str]) -> dict:
        """Return the message that answers, after the tries and changes that it takes; a fault that stays is raised."""
        here = re.match(HERE, self.host)
        if self.secret() and not here and not self.host.startswith("https:"):
            raise ServerError("unsafe_address", f"the key would go to {self.host} unencrypted; use https, or key=''")
        self.client = self.client or httpx.Client(trust_env=not here)  # no proxy stands between us and this machine
        streamed = {"stream": True, "stream_options": {"include_usage": True}} if self.stream else {}
        end = {"stop": None if self.thinks else [*stop] or None}
        fields, sent, told = {"model": self.model, **asked, **SETTINGS, **self.settings, **end, **streamed}, 1, []
        while isinstance(got := self.attempt(wire.request(fields, self.changes), stop), Fault):
            if got.refused:
                told.append(self.change(got.refused))
            elif sent < min(self.tries, got.tries):
                told.append(f"tried again, since {got.message}")
                self.wait(max(min(got.wait, LONGEST_WAIT), 2 ** (sent - 2)) * (1 + self.random() / 4))
                sent += 1
            else:
                raise ServerError(got.kind, got.message + f" (tried {sent} times)" * (sent > 1))
        return {**got, "told": told}

    def change(self, name: str) -> str:
        """Remember what to send instead of a parameter that the server refused; return what to tell the user of it."""
        other = INSTEAD.get(name)
        self.changes[name] = other = None if other in self.changes else other
        instead = f"it is sent as {other!r}" if other else "the client cuts" if name == "stop" else "it is left out"
        told = f"the server refused {name!r}; from now on {instead}"
        warnings.warn(told, stacklevel=2)
        return told

    def attempt(self, body: Mapping, stop: Sequence[str]) -> dict | Fault:
        """Return what one request brings. No error leaves here, since its frames would hold the signed request."""
        url, message = wire.address(self.base_url, "messages" in body), None
        sending = {"content": json.dumps(body), "timeout": self.timeout}
        try:
            with self.client.stream("POST", url, headers=self.headers(), **sending) as response:
                if response.is_success and "event-stream" in response.headers.get("content-type", ""):
                    lines, message = map(self.scrubbed, wire.events(response.iter_bytes())), {}
                    text = json.dumps(wire.gathered(lines, message, lambda grown: self.enough(grown, stop)))
                else:
                    text = response.read().decode("utf-8", "replace")
            if not response.is_success:
                return self.refused(response, body, self.scrubbed(text))
            return wire.answer(json.loads(self.scrubbed(text)), self.host)
        except KeyboardInterrupt:
            pass
        except (httpx.HTTPError, httpx.InvalidURL, OSError, EOFError, *SHAPES) as error:
            return self.lost(error, message)
        raise KeyboardInterrupt  # a fresh one, for the same reason

    def headers(self) -> dict[str, str]:
        """Return the headers of a request; the only place where the key stands in the open."""
        signed = {"Authorization": f"Bearer {self.secret()}"} if self.secret() else {}
        return {"Content-Type": "application/json", **signed}

    def scrubbed(self, text: str) -> str:
        """Return a server's text without the key, however escaped, where it echoes it."""
        key = self.secret()
        return re.sub(r"\\*".join(map(re.escape, key)), "***", text) if len(key) >= SHORTEST_KEY else text

    def enough(self, message: Mapping, stop: Sequence[str]) -> bool:
        """Show what is new of a growing reply, and return whether a stop string has ended it."""
        text = message.get("content", "")
        if self.thinks and "</think>" not in text and not wire.thinking(message):
            return False
        self.progress(wire.visible(text, stop))
        return cut(wire.parted(text)[1], stop) != wire.parted(text)[1]

    def progress(self, text: str) -> None:
        """Show what is new in the part of a reply that may be shown."""
        if self.stream and text not in ("", self.shown):
            self.show(text.removeprefix(self.shown))
            self.shown = text

    def refused(self, response: httpx.Response, body: Mapping, text: str) -> Fault:
        """Return the fault that a status of 300 or more means."""
        clue, wait = f"{response.status_code} {text[:4000].strip()}", seconds(response.headers)
        long = f"; it asks to wait {wait:.0f} s, and {LONGEST_WAIT:.0f} s is the limit" * (wait > LONGEST_WAIT)
        fault = self.fault(clue, f"answered HTTP {response.status_code}: {wire.words(text)}{long}")
        name = refused_parameter(text, body, self.changes) if response.status_code in (400, 422) else ""
        return replace(fault, wait=wait, refused=name)

    def lost(self, error: Exception, message: Mapping | None) -> Fault:
        """Return the fault that an error of the connection means, or a reply of no known form."""
        said, clue = wire.words(self.scrubbed(getattr(error, "doc", "") or str(error))), ""
        if message is not None:
            return self.fault("stream", f"broke off after {len(message.get('content', ''))} characters: {said}")
        while error:
            clue, error = f"{clue}{type(error).__name__} ", error.__cause__ or error.__context__
        return self.fault(clue + said, f"gave no usable reply: {said}")

    def fault(self, clue: str, said: str) -> Fault:
        """Return the fault of the first row that fits the clue."""
        kind, _, advice, passing = next(row for row in FAULTS if re.match(row[1], clue, re.DOTALL | re.IGNORECASE))
        advice = f"; {advice}".format(host=self.host, source=self.source) if advice else ""
        return Fault(kind, f"{self.host} {said}{advice}", self.tries if passing else 1)


def seconds(headers: Mapping[str, str]) -> float:
    """Return how long a server asks to wait, by a number or a date; 0 where it says nothing, or nothing sensible."""
    asked = headers.get("retry-after", "0").strip()
    try:
        if re.fullmatch(r"[\d.]+", asked):
            return float(asked)
        now = parsedate_to_datetime(headers.get("date") or formatdate(usegmt=True))
        return (parsedate_to_datetime(asked) - now).total_seconds()
    except (ValueError, TypeError):
        return 0.0


def refused_parameter(text: str, body: Mapping, changes: Mapping) -> str:
    """Return which parameter an error is about, by its `param`, else by the first that its text names; "" for none."""
    param = re.search(r'"param":\s*"([^"]+)"', text)
    names = {*body, "reasoning_content"} - REQUIRED - changes.keys()
    found = re.search(rf"\b({'|'.join(map(re.escape, names))})\b", param[1] if param else text)
    return found[1] if found and (found[1] == "stop" or REFUSED.search(text.casefold())) else ""
