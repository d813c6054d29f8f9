"""The shared cases of what tools and pages do, each played through the loop and each of its fields asserted."""

import json
from pathlib import Path

import httpx
import pytest

from reactkit import ACT, Encyclopedia, Exemplars, Page, Scripted, Toolbox, read_action, solve
from reactkit.calculator import calculate
from reactkit.sentences import sentences
from reactkit.tools import Tool

ORDER = "No page is open"  # the only failure for which an observation of the encyclopedia has no name
POINTS = {  # a point that an observation must make, where our wording is another
    "search a page first": "Search for a page first",
    "try again or another search": "Try again or another call",
}


class World:
    """What stands behind the tool of a case; it notes what it is asked."""

    def __init__(self, given):
        self.backend, self.given, self.asked = given["backend"], given, []
        self.pages, self.seen = Encyclopedia(self), []
        self.names = self.box().names

    def box(self):
        tools, limit = {}, self.given.get("observation_limit")
        if "pages" in self.backend:
            whole = self.backend["pages"].__getitem__  # one text, where the limit of the toolbox is to be seen
            tools = {"Search": self.pages.search if limit is None else whole, "Lookup": self.pages.lookup}
        elif self.backend.get("tool") == "calculator":
            tools = {"calculate": calculate}
        else:
            run = self.sent if "http" in self.backend else self.tried
            tools = [Tool(run, read_action(self.given["calls"][0]).tool, timeout=self.given.get("timeout_s"))]
        return Toolbox(tools, self.pages.reset, limit=limit)

    def page(self, title):
        title = self.backend.get("redirects", {}).get(title, title)
        if title in self.backend["pages"]:
            return Page(title, sentences(self.backend["pages"][title]))
        titles = self.backend.get("disambiguation", {}).get(title)
        return Page(title, may_mean=tuple(titles)) if titles else None

    def similar(self, title):
        return [self.backend["suggest"][title]] if title in self.backend.get("suggest", {}) else []

    def sent(self, term, /):
        answers = httpx.MockTransport(lambda request: self.asked.append(request.url.params["q"]) or httpx.Response(200))
        return httpx.Client(transport=answers).get("http://wiki.test/", params={"q": term}).text

    def tried(self, term, /):
        """Call the backend, and again after a timeout: retries are the backend's own business."""
        while True:
            self.asked.append(term)
            if "raises" not in self.backend:
                return self.backend["returns"]
            if len(self.asked) > self.given.get("retries", 0):
                raise TimeoutError if self.backend["raises"] == "timeout" else RuntimeError(self.backend["raises"])

    def observe(self, action):
        self.seen.append(self.box().observe(action))
        return self.seen[-1]

    def reset(self):
        self.pages.reset()


def played(given, folder):
    """Return what came of a case, as a check of each field that a case may have."""
    world = World(given)
    script = Scripted([*given["calls"], "Finish[done]"])
    run = solve("Q?", ACT, script, world, Exemplars(), 9)
    last, line = str(world.seen[-1]), [line for line in run.trajectory if line.role == "observation"][-1]
    failure = world.seen[-1].failure or ("lookup_before_search" if last.startswith(ORDER) else None)
    full = next(iter(given["backend"].get("pages", {}).values()), None)
    kept = last.partition(" [truncated")[0]
    return {
        "error": lambda value: failure == value,
        "ok": lambda value: line.failed != value,
        "counts_as_tool_failure": lambda value: line.failed == value,
        "run_continues": lambda value: (run.outcome == "finished") == value,
        "observation": lambda value: last == line.text == value,
        "observations": lambda value: all(map(str.startswith, map(str, world.seen[-len(value) :]), value)),
        "observation_mentions": lambda value: mentions(last, value),
        "last_mentions": lambda value: mentions(last, value),
        "observation_max_chars": lambda value: len(last) <= value,
        "cut_at": lambda value: value.startswith("sentence end") and full.startswith(f"{kept} ") and kept.endswith("."),
        "full_text_in_record": lambda value: (line.full == full) == value,
        "page_title": lambda value: world.pages.open.title == value,
        "must_not_contain": lambda value: value not in last,
        "sentences": lambda value: world.pages.open.sentences == tuple(value),
        "sent_query_value": lambda value: world.asked == [value],
        "backend_calls_at_most": lambda value: 0 < len(world.asked) <= value,
        "nonempty": lambda value: bool(last.strip()) == value,
        "side_effects": lambda value: len(list(Path(folder).iterdir())) == value,
    }


def mentions(text, points):
    return all(POINTS.get(point, point).casefold() in text.casefold() for point in points)


def differences(case, folder):
    """Return the fields of a case that do not hold; a field without a check is one, too."""
    checks = played(case["input"], folder)
    return [name for name, value in case["expected"].items() if name not in checks or not checks[name](value)]


def test_every_shared_case_of_what_an_environment_did_is_right(real_cases, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where a call that escaped would leave its file
    rows = [json.loads(row) for row in (real_cases / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [case for case in rows if case["family"] == "environment"]
    wrong = {case["id"]: fields for case in found if (fields := differences(case, tmp_path))}
    assert (len(found), wrong) == (13, {})


def case(calls, backend, expected, **more):
    return {"input": {"calls": calls, "backend": backend, **more}, "expected": expected}


OURS = [
    case(
        ["Search[Mill]"], {"pages": {}}, {"error": None, "observation": "Could not find [Mill]. No title resembles it."}
    ),
    case(
        ["Search[Mill]"],
        {"pages": {}, "disambiguation": {"Mill": ["Mill (town)", "Mill (machine)"]}},
        {"error": None, "observation": "Mill may mean: Mill (town); Mill (machine)."},
    ),
    case(
        ["Search[Mill]", "Lookup[sail]"],
        {"pages": {"Mill": "A mill grinds. It has e.g. four arms."}},
        {
            "observation": 'The page "Mill" does not contain "sail".',
            "sentences": ["A mill grinds.", "It has e.g. four arms."],
        },
    ),
    case(["Lookup[]"], {"pages": {}}, {"error": "empty_input", "run_continues": True, "nonempty": True}),
    case(["Find[Mill]"], {"pages": {}}, {"error": "unknown_tool", "observation_mentions": ["Search[…]", "Finish[…]"]}),
    case(
        ["ask[x]"], {"raises": "disk full"}, {"error": "tool_error", "ok": False, "observation_mentions": ["disk full"]}
    ),
    case(["ask[x]"], {"raises": "timeout"}, {"error": "timeout", "observation_mentions": ["timed out. Try"]}),
    case(["ask[x]"], {"returns": ""}, {"error": None, "observation_mentions": ["ran", "empty"], "nonempty": True}),
    case(["ask[x]"], {"returns": {"a": [1, None]}}, {"error": None, "observation": '{"a": [1, null]}'}),
    case(["ask[x]"], {"returns": {"ok": False}}, {"error": "tool_reported_error", "counts_as_tool_failure": True}),
    case(["calculate[1 / 0]"], {"tool": "calculator"}, {"error": "tool_error", "observation_mentions": ["zero"]}),
    case(["calculate[9**9**9]"], {"tool": "calculator"}, {"error": "argument_refused", "run_continues": True}),
    case(
        ["Search[Words]"],
        {"pages": {"Words": "word " * 99}},
        {"observation_max_chars": 90, "full_text_in_record": True},
        observation_limit=90,
    ),
]


@pytest.mark.parametrize(
    "ours", OURS, ids=lambda ours: f"{ours['input']['calls'][-1]} {ours['input']['backend']!r:.40}"
)
def test_other_cases_of_the_same_kinds_are_right(ours, tmp_path):
    assert differences(ours, tmp_path) == []


def test_a_field_without_a_check_and_a_check_that_fails_are_both_told(tmp_path):
    odd = case(["Search[Mill]"], {"pages": {}}, {"colour": "red", "ok": False, "error": None})
    assert differences(odd, tmp_path) == ["colour", "ok"]
