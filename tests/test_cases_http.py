"""The shared cases about model servers: every field that a case expects is asserted, and an unknown one fails."""

import builtins
import json
from dataclasses import dataclass, field

import httpx
from test_live import World, everything, ok, refused

from reactkit import REACT, solve
from reactkit.errors import ServerError
from reactkit.messages import action_text, sendable
from reactkit.replies import read_reply

INVENTED = "Thought 1: x\nAction 1: Search[A]\nObservation 1: lies"


@dataclass
class Seen:
    """What came of one case: the world, and the message, reply or error that the server object gave."""

    world: World
    message: dict = field(default_factory=dict)
    reply: str = ""
    error: Exception | None = None

    @property
    def told(self):
        return " ".join(map(str, [self.error or "", *getattr(self.reply, "told", ())]))

    @property
    def retries(self):
        return len(self.world.requests) - 1


class Case:
    """One case, played against our client. Each method from `result` on says whether the field of its name holds."""

    def __init__(self, stored):
        self.given, self.expected = stored["input"], stored["expected"]
        self.asked = self.given.get("request", {})

    def answers(self, headers):
        if "exception" in self.given:
            return [getattr(builtins, self.given["exception"])()]
        body = self.given.get("body")
        content = body if isinstance(body, str) else json.dumps(body)
        first = httpx.Response(self.given.get("status", 200), headers=headers, content=content)
        param = body["error"].get("param") if isinstance(body, dict) and "error" in body else None
        return [first, ok(INVENTED)] if param else [first]

    def seen(self, model=None, headers=None, key=None):
        base_url = self.asked.get("url", "http://127.0.0.1:9/v1")
        key = self.expected.get("must_not_print", "") if key is None else key
        world = World(*self.answers(headers or self.given.get("headers")), base_url=base_url, key=key)
        world.server.model = model or self.asked.get("model", "m")
        seen, stop = Seen(world), self.asked.get("stop", ["\nObservation"])
        try:
            if "tools" in self.given or "history" in self.given:
                history = self.given.get("history", [{"role": "user", "content": "Q"}])
                seen.message = world.server.converse(history, [{}] if "tools" in self.given else None)
            else:
                seen.reply = world.server("Q", stop)
        except ServerError as error:
            seen.error = error
        return seen

    def run(self):
        """Return what a whole run raises, as the class of the error and the roles of the lines so far."""
        try:
            solve("Q?", REACT, self.seen().world.server)
        except ServerError as error:
            return type(error), [line.role for line in error.trajectory]

    def read(self, seen):
        return read_reply(seen.reply, finish_reason=seen.reply.finish_reason)

    def result(self, wanted, seen):
        outcomes = {
            "error": lambda: seen.error is not None or self.read(seen).refusal is not None,
            "text": lambda: bool(seen.reply),
            "call": lambda: bool(seen.message.get("tool_calls")),
            "retry": lambda: seen.retries > 0,
        }
        return outcomes[wanted]()

    def error(self, wanted, seen):
        return (seen.error.kind if seen.error else self.read(seen).refusal.kind) == wanted

    def tell_user(self, wanted, seen):
        return all(point in seen.told for point in wanted)

    def retry(self, wanted, seen):
        return (seen.retries > 0) == wanted

    def retries_at_most(self, wanted, seen):
        return seen.retries <= wanted

    retry_at_most = retries_at_most

    def text(self, wanted, seen):
        return seen.reply == wanted

    text_kept = text

    def tool_runs(self, wanted, seen):
        return (self.read(seen).action is not None) == wanted

    def called(self, seen):
        calls = seen.message["tool_calls"] if seen.message else []
        return read_reply("\n".join(f"Action: {action_text(call)}" for call in calls), None)

    def tool(self, wanted, seen):
        return self.called(seen).action.tool == wanted

    def args(self, wanted, seen):
        return self.called(seen).action.arguments == wanted

    def warnings(self, wanted, seen):
        known = {
            "several_actions": "several_actions" in [note.kind for note in self.called(seen).notes],
            "stop_not_supported": "the server refused 'stop'" in seen.told,
        }
        return [name for name, warned in known.items() if warned] == wanted

    def told(self, seen):
        ran = {"role": "tool", "tool_call_id": seen.message["tool_calls"][0]["id"], "content": "what came of it"}
        sent = sendable([seen.message, ran])
        return {one["tool_call_id"]: one["content"] for one in sent if one["role"] == "tool"}

    def answered_ids(self, wanted, seen):
        return sorted(self.told(seen)) == wanted

    def c2_reply_mentions(self, wanted, seen):
        return all(point in self.told(seen)["c2"].casefold() for point in wanted)

    def drop(self, wanted, seen):
        first, second = seen.world.bodies
        return first.keys() - second.keys() == set(wanted)

    def cut_on_client(self, wanted, seen):
        return (seen.reply == INVENTED.partition("\nObservation")[0]) == wanted

    def remember_for_model(self, wanted, seen):
        seen.world.server("Q", ["\nObservation"])
        return ("stop" not in seen.world.bodies[-1] and len(seen.world.bodies) == 3) == wanted

    def decided_by(self, wanted, seen):
        assert wanted == "the error's param field"
        other = World(refused(400, "no", param="temperature", code="unsupported_value"), ok())
        other.server("Q", ["x"])
        return other.server.changes == {"temperature": None} and seen.world.server.changes == {"stop": None}

    def not_by(self, wanted, seen):
        assert wanted == "a list of model names"
        glad = World(ok())
        glad.server.model = self.asked["model"]
        glad.server("Q", ["x"])
        return "stop" in glad.bodies[0] and self.seen(model="m-small").world.server.changes == {"stop": None}

    def must_not_print(self, wanted, seen):
        return not any(wanted in everything(one.error) for one in (seen, self.seen(key="")) if one.error)

    def waits_at_least_s(self, wanted, seen):
        return min(seen.world.waits) >= wanted

    def also_accepts(self, wanted, seen):
        assert wanted == "HTTP-date form"
        dates = {"date": "Mon, 02 Mar 2026 10:00:00 GMT", "retry-after": "Mon, 02 Mar 2026 10:00:30 GMT"}
        return min(self.seen(headers=dates).world.waits) >= 30

    def then(self, wanted, seen):
        return all(getattr(self, name)(value, seen) for name, value in wanted.items())

    def message_max_chars(self, wanted, seen):
        return len(str(seen.error)) <= wanted

    def becomes_observation(self, wanted, seen):
        return ("observation" in self.run()[1]) == wanted

    def every_content_is_string(self, wanted, seen):
        return all(isinstance(past["content"], str) for past in seen.world.bodies[0]["messages"]) == wanted

    def assistant_content(self, wanted, seen):
        return seen.world.bodies[0]["messages"][0]["content"] == wanted

    def keeps(self, wanted, seen):
        assert wanted == "reasoning_content only when the server sent it and asks for it back"
        seen.world.answers = [refused(400, "reasoning_content must be passed back"), ok()]
        seen.world.server.converse(self.given["history"])
        return ["reasoning_content" in body["messages"][0] for body in seen.world.bodies] == [False, False, True]


def faults(case):
    """Return the fields of a case that do not hold; where it gives no answer of the server, that is "ok"."""
    played = Case(case)
    if case["input"]["kind"] == "build_request":
        played.given |= {"status": 200, "body": {"choices": [{"message": {"content": "ok"}}]}}
    seen = played.seen()
    return [name for name, wanted in played.expected.items() if not getattr(played, name)(wanted, seen)]


def test_each_shared_case_about_servers_comes_out_as_it_expects(real_cases):
    stored = map(json.loads, (real_cases / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines())
    cases = [case for case in stored if case["family"] == "http_client"]
    assert ({case["id"]: broken for case in cases if (broken := faults(case))}, len(cases)) == ({}, 16)
