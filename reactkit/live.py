"""The one place that touches the network: a client for OpenAI-compatible model servers, near or far.

A failure is a `ServerError`. Its `kind` is the first word of a row in `FAULTS`, that of a fault in
`wire.answer`, or unsafe_address (a key would travel unencrypted, or stands in the address).
"""

import json
import os
import random
import re
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field
from functools import cache, partial

import httpx

from reactkit import wire
from reactkit.errors import ServerError
from reactkit.marks import counted
from reactkit.models import Completion

__all__ = ["Server"]

SETTINGS = {"temperature": 0, "max_tokens": 512}  # one that is given as None is not sent
DONE = {"stop": "the client that cuts", "reasoning_content": "sent back"}  # other parameters are left out
REQUIRED = {"model", "messages", "prompt", "tools"}  # without one of these it would be another request
REFUSED = r"un(supported|recogni|known|expected)|extra|deprecated|(not|n't) (\w+ )?(support|permit|allow|accept)"
FAULTS = [  # kind, what the clue looks like, advice, whether it may pass; the first row that fits counts
    ("timeout", "408|[a-z ]*timeout", "a longer timeout= may help", True),
    ("stream_cut", "stream", "", True),
    ("auth_failed", "40[13]", "the key was refused; which variable holds the key? Here it is {source}", False),
    ("rate_limited", "429", "", True),
    ("content_filtered", "400.*content.?(filter|manag)", "the provider blocked this prompt", False),
    ("prompt_too_long", "4.*context.(length|size|window)", "shorten it, or raise the server's context length", False),
    ("unknown_model", r"404 \{.*model", "is it spelled as the server lists it? does the address end in /v1?", False),
    ("wrong_address", "3|404|405", "does the address end in /v1?", False),
    ("request_refused", "4(?!09)", "", False),
    ("server_error", r"500 \{.*(messages|prompt|\brole)", "the prompt may exceed the server's context length", False),
    ("server_error", "5|409", "", True),
    ("broken_reply", "odd", "is it a model server? does the address end in /v1?", False),
    ("connection_refused", ".*refused", "nothing answers at {host}; is the model server running?", False),
    ("connection_lost", ".*(gaierror|ssl|UnsupportedProtocol|InvalidURL)", "", False),
    ("connection_lost", "", "", True),
]
SECRET = re.compile(r"@|[?&][\w.-]*(key|token|secret|passw|sig|auth)[\w.-]*=", re.IGNORECASE)  # in an address
IN_ADDRESS = (
    "a user, password or key stands in the address, which files and other programs may show; leave it out of there and"
    " give key= or set {key_name}, or for a user and password give client=httpx.Client(auth=(user, password))"
)
ODD = (TypeError, AttributeError, LookupError, RuntimeError, OverflowError)  # what a reply of no known form raises
CLIENT = cache(lambda process, trust: httpx.Client(trust_env=trust, limits=httpx.Limits()))  # of as many as ask at once


@dataclass(repr=False, eq=False)
class Server:
    """A live model behind an OpenAI-compatible server: a `Model`, with `converse` for whole messages.

    The key, where one is needed, comes from `key` or the environment variable `key_name`; no attribute, error or
    recording holds it. `settings` go into each request. What a server refuses of it is changed or left out from then
    on, and the reply's `told` says so. `stream` shows the reply to `show` as it grows. `thinks` leaves stop strings to
    the client, as one could end the thinking. `timeout` and `wait` are in seconds; `tries` is for one request, and a
    whole reply may take ten timeouts. Pickled for another process, it has the key of the environment there, no other.
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
        self.card = {"settings": {**SETTINGS, **self.settings, "chat": self.chat}}
        self.secret = lambda name=self.key_name: (os.environ.get(name, "") if key is None else key).strip()
        self.source = f"{self.key_name} of the environment" if key is None else "the argument key"
        if SECRET.search(self.base_url):
            raise ServerError("unsafe_address", IN_ADDRESS.format(key_name=self.key_name))
        scheme, _, rest = wire.address(self.base_url, self.chat).partition("://")
        self.host = f"{scheme}://{rest.partition('/')[0]}".lower()
        self.here = re.match(r"http://(localhost|127\.[\d.]+|\[::1\])(:\d+)?$", self.host) is not None
        self.client = self.client or CLIENT(os.getpid(), not self.here)  # no proxy stands between us and this machine

    def __repr__(self) -> str:
        return f"Server({self.host!r}, {self.model!r})"

    def __reduce__(self):
        names = ("key_name", "chat", "stream", "thinks", "settings", "timeout", "tries")
        options = {name: getattr(self, name) for name in names} | ({} if self.secret() else {"key": ""})
        return partial(Server, self.base_url, self.model, **options), (), {"changes": self.changes, "card": self.card}

    def __call__(self, context: str, stop: Sequence[str] = ()) -> Completion:
        """Return how the model goes on after `context`, up to the first of the `stop` strings."""
        asked = {"messages": [{"role": "user", "content": context}]} if self.chat else {"prompt": context}
        return wire.completion(self.ask(asked, stop), stop, self.thinks)

    def converse(self, messages: Sequence[Mapping], tools: Sequence | None = None, stop: Sequence[str] = ()) -> dict:
        """Return the assistant's next message, with its `tool_calls`, `finish_reason`, `tokens_read` and `told`."""
        return self.ask({"messages": messages, "tools": tools}, stop)

    def ask(self, asked: Mapping, stop: Sequence[str]) -> dict:
        """Return the message that answers, or the `models` where nothing is asked, after the tries that it takes."""
        if re.search("[^ -~]", self.secret()):
            raise ServerError("auth_failed", f"{self.source} has a line break or a sign outside ASCII, as no key has")
        if self.secret() and not self.here and not self.host.startswith("https:"):
            raise ServerError("unsafe_address", f"the key would go to {self.host} unencrypted; use https, or key=''")
        flow = {"stream": True, "stream_options": {"include_usage": True}} if self.stream else {}
        body = {"model": self.model, **asked, **SETTINGS, **self.settings, "stop": [*stop] * (not self.thinks), **flow}
        changes, told, sent, self.shown = dict(self.changes), [], 1, ""
        while isinstance(got := self.tried(wire.request(body if asked else {}, changes), stop), wire.Fault):
            if got.refused not in ("", *changes):
                renamed = got.refused == "max_tokens" and "max_completion_tokens" in got.message
                changes[got.refused] = "max_completion_tokens" if renamed else None
            elif sent < min(self.tries, got.tries):
                told.append(f"tried again, since {got.message}")
                self.wait(max(min(got.wait, wire.LONGEST_WAIT), 2 ** (sent - 2)) * (1 + self.random() / 4))
                sent += 1
            else:
                also = "".join(f" (tried without {name!r})" for name in changes if name not in self.changes)
                raise ServerError(got.kind, got.message + f" (tried {sent} times)" * (sent > 1) + also)
        for name in [name for name in changes if name not in self.changes]:
            told.append(f"the server refused {name!r}; from now on it is {changes[name] or DONE.get(name, 'left out')}")
            warnings.warn(told[-1], stacklevel=3)
        self.changes = changes
        return {**got, "told": told}

    def tried(self, body: Mapping, stop: Sequence[str]) -> dict | wire.Fault:
        """Return what one request brings, and `show` what is new of the reply; the frames of that never meet."""
        for got in self.attempt(body, stop):
            if not (self.stream and body) or isinstance(got, wire.Fault):
                continue
            text = got if isinstance(got, str) else wire.told_apart(got, stop, self.thinks)[1]
            if text not in ("", self.shown):
                new, self.shown = text.removeprefix(self.shown), text
                self.show(new)
        return got

    def attempt(self, body: Mapping, stop: Sequence[str]) -> Iterator[str | dict | wire.Fault]:
        """Yield what may be shown of a reply while it grows, and at last the message, or a fault.

        No error leaves here with its traceback, since its frames would hold the signed request.
        """
        url, response, seen = wire.address(self.base_url, "messages" in body), None, {}
        where = ("POST", url) if body else ("GET", re.sub(r"/completions(?=\?|$)", "/models", url))
        sending = {"content": json.dumps(body) if body else None, "timeout": self.timeout}
        try:
            with self.client.stream(*where, headers=self.headers(), **sending) as response:
                came = wire.bounded(response.iter_bytes(), 10 * self.timeout, time.monotonic)
                if response.is_success and "event-stream" in response.headers.get("content-type", ""):
                    for message in wire.gathered(map(self.scrubbed, wire.events(came)), seen):
                        message["content"] = self.scrubbed(message["content"])  # the key may have come in pieces
                        text, ended = wire.visible(message, stop, self.thinks, self.secret())
                        yield text
                        if ended:
                            break
                else:
                    seen["text"] = self.scrubbed(b"".join(came).decode("utf-8", "replace"))
            made = wire.answer if body else wire.listed
            got = self.read(seen, None, made) if response.is_success else self.refused(response, body, seen["text"])
        except (httpx.HTTPError, httpx.InvalidURL, OSError, EOFError, ValueError, *ODD) as error:
            got = self.read(seen, error)
        except BaseException as error:
            got, response = error.with_traceback(None), None
            got.args, got.__cause__, got.__context__ = tuple(self.scrubbed(str(said)) for said in got.args), None, None
        if isinstance(got, BaseException):
            raise got
        yield got

    def headers(self) -> dict[str, str]:
        """Return the headers of a request; the only place where the key stands in the open."""
        signed = {"Authorization": f"Bearer {self.secret()}"} if self.secret() else {}
        return {"Content-Type": "application/json", **signed}

    def scrubbed(self, text: str) -> str:
        """Return a server's text without the key, however escaped; a short one, as "none", is no key."""
        signs = [rf"\\*(?:{re.escape(sign)}|u(?i:{ord(sign):04x}))" for sign in self.secret()]
        return re.sub("".join(signs), "***", text) if len(signs) > 6 else text

    def refused(self, response: httpx.Response, body: Mapping, text: str) -> wire.Fault:
        """Return the fault that a status of 300 or more means."""
        clue, wait = f"{response.status_code} {text[:4000].strip()}", wire.seconds(response.headers)
        name = refused_parameter(text, body, self.settings) if response.status_code in (400, 422) else ""
        said = f"answered HTTP {response.status_code}: {wire.words(text)}{wire.too_long(wait)}"
        return self.fault(clue, said, wait, name)

    def read(self, seen: Mapping, error: Exception | None = None, made=wire.answer) -> dict | wire.Fault:
        """Return the message in what a server sent; where that is odd, or not whole by an `error`, the fault."""
        [choice] = seen.get("choices", [{}]) if not isinstance(error, ODD) else [{}]
        if error is None or choice.get("finish_reason"):
            return made(json.loads(seen.get("text", self.scrubbed(json.dumps(seen)))), self.host)
        said = wire.words(self.scrubbed(seen.get("text") or str(error) or type(error).__name__))
        gave = counted(len(choice["message"]["content"]), "character") if choice else ""
        gave = f"broke off after {gave}" if choice else "gave no usable reply"
        clue = "stream " if choice else "odd " if isinstance(error, (ValueError, *ODD)) else ""
        while error:
            clue, error = f"{clue}{type(error).__name__} ", error.__cause__ or error.__context__
        return self.fault(clue + said, f"{gave}: {said}")

    def fault(self, clue: str, said: str, wait: float = 0.0, refused: str = "") -> wire.Fault:
        """Return the fault of the first row that fits the clue."""
        kind, _, advice, passing = next(row for row in FAULTS if re.match(row[1], clue, re.DOTALL | re.IGNORECASE))
        if kind == "auth_failed" and not self.secret():
            advice = "no key was sent; set {key_name}, or give key="
        advice = f"; {advice}".format(**vars(self)) if advice else ""
        return wire.Fault(kind, f"{self.host} {said}{advice}", self.tries if passing else 1, wait, refused)


def refused_parameter(text: str, body: Mapping, given: Mapping) -> str:
    """Return which parameter an error refuses, or ""; of one `given` by the user, only the value may be wrong."""
    param, names = re.search(r'"param":\s*"([^"]+)"', text), {*body, "reasoning_content"} - REQUIRED
    said = (param[1] if param else f"{wire.words(text)} {text}").casefold()
    found = re.search(rf"\b({'|'.join(map(re.escape, names))})\b", said)
    ours = found and found[1] not in given and found.start() < 60
    return found[1] if ours or found and re.search(REFUSED, text.casefold()) else ""
