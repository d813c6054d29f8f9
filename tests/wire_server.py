"""A wiki on this machine: it plays given answers, or answers for a handful of pages as MediaWiki would."""

import json
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import parse_qsl, urlsplit

from reactkit.encyclopedia import Shelf

RIGHTS = {"url": "https://licence.example/by-sa", "text": "CC BY-SA 4.0"}


@dataclass(frozen=True)
class Sent:
    """One answer: a body that is neither text nor bytes is sent as JSON.

    `cut` is after how many bytes the line goes dead; `drip`, in seconds, is the pause after each byte.
    """

    body: object = ""
    status: int = 200
    headers: dict = field(default_factory=dict)
    cut: int | None = None
    drip: float = 0.0

    @property
    def content(self):
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Served:
    """A running wiki: its address, and each request as its parameters and its User-Agent."""

    address: str
    asked: list


@contextmanager
def serving(answer):
    """Serve what `answer(parameters)` returns, on loopback, for as long as the block runs."""
    asked, closed = [], Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
            asked.append((parameters, self.headers["user-agent"]))
            sent = answer(parameters)
            if sent.cut is None or sent.cut > 0:
                self.send_response_only(sent.status)  # no date but the answer's own
                for name, value in {"Content-Length": str(len(sent.content)), **sent.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.write(sent)

        def write(self, sent):
            body = sent.content[: sent.cut]
            with suppress(ConnectionError):  # who is tired of waiting hangs up
                for at in range(0, len(body), 1 if sent.drip else len(body)):
                    self.wfile.write(body[at : at + 1] if sent.drip else body)
                    closed.wait(sent.drip)

        def log_message(self, *what):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_port}/w/api.php", asked)
    finally:
        closed.set()
        server.shutdown()
        server.server_close()


def playing(*answers):
    """Return what gives these answers in order; the last one goes on."""
    left = list(answers)
    return lambda parameters: left.pop(0) if len(left) > 1 else left[0]


def wiki_of(pages):
    """Return what answers as a wiki of these pages would: only the first letter may be small, redirects do the rest."""
    shelf = Shelf(pages)

    def answer(parameters):
        query = page_query(shelf, parameters["titles"]) if "titles" in parameters else search_query(shelf, parameters)
        return Sent({"batchcomplete": True, "query": {**query, "rightsinfo": RIGHTS}})

    return answer


def search_query(shelf, parameters):
    hits = shelf.similar(parameters["srsearch"])
    return {"searchinfo": {"totalhits": len(hits)}, "search": [{"ns": 0, "title": title} for title in hits]}


def page_query(shelf, asked):
    title = asked[:1].upper() + asked[1:]
    query = {"normalized": [{"fromencoded": False, "from": asked, "to": title}]} if title != asked else {}
    page = shelf.page(title)
    if page is None or title not in (page.title, *page.redirects):
        return {**query, "pages": [{"ns": 0, "title": title, "missing": True}]}
    if page.title != title:
        query["redirects"] = [{"from": title, "to": page.title}]
    return {**query, "pages": [entry(page)]}


def entry(page):
    number = sum(page.title.encode())
    lines = [f"{page.title} may refer to:", *page.may_mean] if page.may_mean else page.sentences
    return {
        "pageid": number,
        "ns": 0,
        "title": page.title,
        "extract": "\n".join(lines) + "\n\n\n== References ==",
        "canonicalurl": f"https://wiki.example/wiki/{page.title.replace(' ', '_')}",
        "revisions": [{"revid": number, "parentid": 1, "timestamp": "2026-01-02T03:04:05Z"}],
        "links": [{"ns": 0, "title": title} for title in sorted(page.may_mean)],
        **({"pageprops": {"disambiguation": ""}} if page.may_mean else {}),
    }
