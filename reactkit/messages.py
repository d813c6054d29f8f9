"""A trajectory as chat messages with tool calls, and back; and a model that calls tools natively in the same loop.

Assistant messages count the steps. Nothing is lost: a message that would not give its lines back has them in a field
`lines`, and lines that would not give their message back have it in the first one's `full`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial, reduce
from itertools import groupby

from reactkit.actions import Action, read_action
from reactkit.literals import read_data
from reactkit.models import Completion
from reactkit.prompts import REACT, Exemplars
from reactkit.trajectory import MARKERS, Line, Trajectory
from reactkit.wire import completion

__all__ = ["Native", "from_messages", "sendable", "to_messages"]

NOT_RUN, GO_ON = "Not run: one action per step.", "Call one tool, or Finish."
ANSWER = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
FINISH = {"type": "function", "function": {"name": "Finish", "description": "End with this.", "parameters": ANSWER}}
dumps = partial(json.dumps, ensure_ascii=False)


def to_messages(trajectory: Trajectory) -> list[dict]:
    """Return the lines as chat messages in OpenAI's form; `from_messages` gives the same lines back."""
    messages, before = [], []
    for _, turn in groupby(trajectory, lambda line: line.step if line.role in ("thought", "action") else id(line)):
        lines = [*turn]
        messages.append(message_of(lines, before))
        before += lines
    return messages


def from_messages(messages: Iterable[Mapping], kind="live", model: str | None = None, asks="Question") -> Trajectory:
    """Return what chat messages tell as a trajectory; `kind`, `model` and `asks` stand in no message, so say them."""
    return Trajectory(reduce(lambda before, one: before + lines_of(one, before), messages, []), kind, model, asks)


def message_of(lines: list[Line], before: list[Line]) -> dict:
    barred = {"lines"} if lines[0].author == "model" else {"lines", "tool_calls"}  # what a tool returns may be anything
    for message in (read_data(lines[0].full or "")[0], chat_message(lines)):
        if isinstance(message, dict) and barred.isdisjoint(message) and lines_of(message, before) == lines:
            return message
    return {**message, "lines": [asdict(line) for line in lines]}


def lines_of(message: Mapping, before: list[Line]) -> list[Line]:
    if "lines" in message:
        return [Line(**line) for line in message["lines"]]
    first, *others = lines = chat_lines(message, last_step(before))
    return lines if chat_message(lines) == message else [replace(first, full=dumps(message)), *others]


def chat_message(lines: list[Line]) -> dict:
    line, thoughts = lines[0], [line.text for line in lines if line.role == "thought"]
    calls = [call_of(line) for line in lines if line.role == "action"]
    if line.role == "observation":
        return {"role": "tool", "tool_call_id": f"call{line.step or 0:05}", "content": line.text}
    if calls or thoughts:
        return {"role": "assistant", "content": "\n".join(thoughts)} | ({"tool_calls": calls} if calls else {})
    speaker = {"question": "user", "instruction": "system"}.get(line.role, "assistant")
    return {"role": "user" if line.author == "harness" else speaker, "content": line.text}


def chat_lines(message: Mapping, step: int) -> list[Line]:
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls") or ()
    text = content if isinstance(content, str) else ""
    if role == "tool":
        return [Line("observation", text, "environment", step)]
    if role != "assistant":
        return [Line("instruction" if role == "system" else "question", text)]
    actions = [Line("action", action_text(call, step + 1), "model", step + 1) for call in calls]
    return [Line("thought", text, "model", step + 1)] * bool(text or not actions) + actions


def action_text(call: Mapping, step: int = 0) -> str:
    """Return a call as an action: in brackets where `call_of` made it of one at this step, else in JSON."""
    function = call.get("function") or {}
    name, arguments = function.get("name"), function.get("arguments") or "{}"
    arguments = arguments if isinstance(arguments, str) else dumps(arguments)
    given = read_data(arguments)[0]
    if call.get("id") == f"call{step:05}" and isinstance(given, dict) and given.keys() == {"input"}:
        return f"{name}[{given['input']}]"
    return f'{{"name": {dumps(name)}, "arguments": {arguments}}}'


def call_of(line: Line) -> dict:
    action = read_action(line.text) or Action("unreadable", line.text)
    given = {"input": action.argument} if action.arguments is None else action.arguments
    function = {"name": action.tool, "arguments": dumps(given)}
    return {"id": f"call{line.step or 0:05}", "type": "function", "function": function}


def last_step(lines: Sequence[Line]) -> int:
    return next((line.step for line in reversed(lines) if line.step), 0)


def sendable(messages: Sequence[Mapping]) -> list[dict]:
    """Return messages as servers take them: without our field, with an answer to each call, ending on our word."""
    sent, answered = [], {message.get("tool_call_id") for message in messages}
    for message in messages:
        sent.append({name: value for name, value in message.items() if name != "lines"})
        sent[-1] |= {"content": MARKERS.sub(" ", message["content"])} if message["role"] == "tool" else {}
        calls = [call["id"] for call in message.get("tool_calls") or () if call["id"] not in answered]
        sent += [{"role": "tool", "tool_call_id": identity, "content": NOT_RUN} for identity in calls]
    return sent + [{"role": "user", "content": GO_ON}] * (bool(sent) and sent[-1]["role"] == "assistant")


class Native:
    """A model that offers the tools of `toolbox` to `server.converse`; the loop hands it lines, and reads its calls."""

    def __init__(self, server, toolbox):
        self.server, self.toolbox, self.name = server, toolbox, getattr(server, "name", None)

    def reply_to(self, trajectory: Trajectory, shown: Exemplars, step: int) -> Completion:
        """Return the reply to the run so far: what was said, then each call as an action in JSON."""
        lines = [Line("instruction", shown.instruction)] if shown.instruction else []
        for episode in (*(example.keep(*REACT.roles) for example in shown.trajectories), trajectory):
            past = last_step(lines)  # steps go on from one episode to the next, so that all ids differ
            lines += [replace(line, step=line.step and line.step + past) for line in episode]
        messages = sendable(to_messages(Trajectory(lines)))
        message = self.server.converse(messages, [*self.toolbox.schemas(), FINISH])
        calls = [f"Action: {action_text(call)}" for call in message.get("tool_calls") or ()]
        reply = completion(message, (), getattr(self.server, "thinks", False))
        text = "\n".join([f"Thought:\n{reply}", *calls] if reply else calls)  # so labelled, "Yes." is no call
        counted = reply.tokens_read, reply.told, reply.tokens_written
        told = Completion(text, reply.finish_reason, reply.reasoning, *counted)
        told.asked = dumps(messages)
        return told
