"""A model's reply taken apart: thought, action or answer, and all that is not used. Nothing is run here.

What counts ends with the first action or answer. Behind an action, an answer is refused, since no observation stood
before it; behind an answer, all is dropped. An observation is the environment's to write, so a model's is dropped, and
what follows it too. No text is lost: the parts of a reply, joined, are the reply.
"""

import re
from dataclasses import dataclass
from itertools import takewhile

from reactkit.actions import FINISH, NO_ACTION, REFUSALS, SEVERAL, TOOL_KEYS, Action, Note, find_action
from reactkit.labels import MARK, segments, thought_until

__all__ = ["Reply", "read_command", "read_reply"]

HALF_A_STOP = re.compile(r"\n[ \t*]*Ob(?:s|se|ser|serv|serva|servat|servati|servatio|servation ?\d*)?\s*\Z")
PLAIN = re.compile(  # exactly the paper's form, and nothing in it that could be read in two ways: most replies
    r"((?-i:Thought)(?: \d+)?:)?(?![\W\d_]*(?:question|claim|thought|act|obs|final|answer|human|user))"
    r"((?:[^<\[\n\r\v\f\x85\u2028\u2029]|\[(?!/?(?:inst|th|reas)))*\n)"
    r"((?-i:Action)(?: \d+)?:)( (\w+)\[([^\s<\[\]\"'][^\n<\[\]]*)\])(\s*)",
    re.IGNORECASE,
)
CALLS = re.compile(
    rf"\b[A-Za-z_]\w*(?:\[[^\[\]\n]*\]|\([^()\n]*\))|^\s*\{{\s*\"(?:{'|'.join(TOOL_KEYS)})\"", re.MULTILINE
)
INPUT = "\nAction Input:"
KEPT = frozenset({"label", "reasoning", "thought", "action", "answer"})
NOTES = {
    "truncated_output": "Your reply was cut off at the limit of tokens, so nothing was run. Reply again, shorter.",
    "no_action": NO_ACTION,
    "several_actions": SEVERAL,
    "trailing_text_ignored": "Nothing may follow a call: what stood behind it was not used.",
    "empty_answer": "Finish[] is empty. Write the answer between the brackets.",
    "answer_not_accepted": "An answer behind an action does not count: no observation stood before it.",
    "missing_thought_label": "Begin with the label Thought.",
    "turn_marker_in_reply": "Write your own turn only; the other side writes its own.",
}
CUT_THINKING = "Your reply was cut off while thinking, so nothing was run. Raise the token limit, or think less."


Segments = list[tuple[str, str, str]]  # role, label, what stands under it
Pieces = list[tuple[str, str]]  # what a piece of a reply was taken for, and the piece, spaces and all


@dataclass(frozen=True, slots=True)
class Reply:
    """What one reply of a model holds; a thought, action or answer that is not there is None.

    `action_text` is the action as the model wrote it, `action` what can be run of it: None where that is refused.
    `parts` are pairs of a kind and a text; the texts, joined, are the reply. `notes` say what was odd or refused.
    `dropped` is all that was not used: an invented observation, a second action, an answer that came too early.
    """

    thought: str | None = None
    action_text: str | None = None
    action: Action | None = None
    answer: str | None = None
    parts: tuple[tuple[str, str], ...] = ()
    notes: tuple[Note, ...] = ()
    dropped: str = ""

    @property
    def reasoning(self) -> str:
        """What a reasoning model thought before its reply; it is kept apart and never read for calls."""
        return "\n".join([MARK.sub("\n", text).strip() for kind, text in self.parts if kind == "reasoning"])

    @property
    def refusal(self) -> Note | None:
        """The note that says why nothing was run, or None."""
        return next((note for note in self.notes if note.kind in REFUSALS), None)


def read_reply(text: str, cue: str | None = "thought", acts: bool = True, finish_reason: str | None = None) -> Reply:
    """Return the parts of a reply that was asked for after the label of the role `cue`, such as "thought".

    Text before the first label belongs to the cue; None means that no label was given, as to a chat model. A thought
    counts only where one was asked for, an action only where the method `acts`. The `finish_reason` "length" says
    that the server cut the reply: then nothing of it is run, unless the model had gone on behind its call.
    """
    cut = finish_reason == "length"
    plain = PLAIN.fullmatch(text) if cue == "thought" and acts and not cut else None
    if plain is None or plain[2].isspace():
        return taken_apart(text, cue, acts, cut)
    begun, thought, label, written, tool, argument, rest = plain.groups()
    parts = (("thought", thought), ("label", label), ("action", written))
    parts = ((("label", begun),) if begun else ()) + parts + ((("label", rest),) if rest else ())
    action = Action("Finish" if tool.casefold() in FINISH else tool, argument.strip())
    return Reply(thought.strip(), written.strip(), action, parts=parts)


def taken_apart(text: str, cue: str | None, acts: bool, cut: bool, begin: int = 0) -> Reply:
    """Return the parts of a reply in any form, segment by segment; what comes before `begin` is thinking."""
    half, thinks = HALF_A_STOP.search(text), cue in (None, "thought", "rationale")
    whole = text[: half.start()] if half else text
    found = segments(whole, "thought" if thinks else cue, cut, begin)
    at = decisive(found, acts)
    opening = opened(found[:at], thinks)
    last, counts, notes = decided(found[at:], cue is None)
    if counts and not found[0][2] and (ends := thought_until(whole, len(whole) - len(behind(last)), cut)):
        return taken_apart(text, cue, acts, cut, ends)
    cut = cut and not over(last, counts)
    parts = parts_of([*opening, *last, ("partial_stop", text[len(whole) :])])
    thoughts = [piece.strip() for kind, piece in opening if kind == "thought"]
    talk = at > 1 and bool(found[1][2].strip())  # under no label
    said = {
        "truncated_output": cut,
        "no_action": acts and not counts and not cut,
        "missing_thought_label": cue is None and (talk or ("answer" in counts and not thoughts)),
        "turn_marker_in_reply": any(role == "turn" and body.strip() for role, _, body in found[2:]),
    }
    told = tuple(Note(kind, NOTES[kind]) for kind, holds in said.items() if holds)
    if cut:
        thinking = parts[-1:] and parts[-1][0] == "reasoning"
        told = (Note("truncated_output", CUT_THINKING if thinking else NOTES["truncated_output"]),)
        counts, notes = {"action_text": counts.get("action_text")}, ()
    unused = "\n".join(piece.strip() for kind, piece in parts if kind not in KEPT)
    return Reply(" – ".join(thoughts) or None, **counts, parts=parts, notes=told + notes, dropped=unused)


def over(pieces: Pieces, counts: dict) -> bool:
    """Return whether what counts was over, and other words begun, before the server cut the reply.

    Behind a name alone the input may have been about to come; and in an open quote, a bracket closes nothing.
    """
    action, written = counts.get("action"), counts.get("action_text") or ""
    if action is None and "answer" not in counts:
        return False
    if action and (re.fullmatch(r"[\s`*_]*[\w.-]+[\s`*_]*", written) or action.argument[:1] in ("'", '"', "{")):
        return False
    return bool(behind(pieces).strip())


def behind(pieces: Pieces) -> str:
    """Return what stands behind the action or answer."""
    at = next((at for at, (kind, _) in enumerate(pieces) if kind in ("action", "answer")), len(pieces))
    return "".join(piece for _, piece in pieces[at + 1 :])


def parts_of(pieces: Pieces) -> tuple[tuple[str, str], ...]:
    return tuple(("label" if piece.isspace() else kind, piece) for kind, piece in pieces if piece)


def decisive(found: Segments, acts: bool) -> int:
    """Return where a reply ends: at an action or answer, or at what is not the model's to write."""
    ends = {"observation", "question", "action input"}
    own, begun = {"answer", "action"} if acts else {"answer"}, False
    for at, (role, _, body) in enumerate(found):
        if role in ends or (role in own or role == "turn" and begun) and body.strip():
            return at
        begun = begun or role != "reasoning" and bool(body.strip())
    return len(found)


def opened(found: Segments, thinks: bool) -> Pieces:
    """Return what comes before that in pieces; a marker of a turn there is a chat template that leaked in."""
    pieces = []
    for role, label, body in found:
        if role == "reasoning" or not body.strip():
            pieces.append(("reasoning" if role == "reasoning" else "label", label + body))
        elif thinks and role in ("thought", "turn"):
            pieces += [("label", label), ("thought", body)]
        else:
            pieces.append(("not_asked", label + body))
    return pieces


def decided(rest: Segments, whole: bool) -> tuple[Pieces, dict, tuple[Note, ...]]:
    """Return the rest of a reply in pieces, what counts of it, and notes; without labels, the `whole` is an answer."""
    role, label, body = rest[0] if rest else ("", "", "")
    if role == "action":
        return acted(label, body, rest[1:])
    if role != "answer":
        return dropped("", rest, "not_asked"), {}, ()
    row = body.find("\n", len(body) - len(body.lstrip()))
    end = len(body) if whole or row < 0 or "final" in label.lower() else row  # else only its first row, as in the paper
    after = body[end:] + joined(rest[1:])
    return [("label", label), ("answer", body[:end]), ("after_answer", after)], {"answer": body[:end].strip()}, ()


def acted(label: str, body: str, behind: Segments) -> tuple[Pieces, dict, tuple[Note, ...]]:
    """Read the call under a label for actions; what stands behind it is dropped, and the calls in it are counted."""
    has_input = bool(behind) and behind[0][0] == "action input"
    _, input_label, given = behind[0] if has_input else ("", "", "")
    action, end, notes = find_action(f"{body}{INPUT}{given}" if has_input else body)  # its label in the plainest form
    end += len(input_label) - len(INPUT) if has_input and end > len(body) else 0
    body, behind = body + input_label + given, behind[has_input:]
    pieces = [("label", label), ("action", body[:end]), *dropped(body[end:], behind, "after_action")]
    unseen = takewhile(lambda other: other[0] in ("thought", "action", "action input"), behind)
    more = len(CALLS.findall(body, end)) + sum(role == "action" for role, _, _ in unseen)
    said = {
        "empty_answer": action is not None and action.tool == "Finish" and not action.argument,
        "several_actions": action is not None and more > 0 and not any(n.kind == "several_actions" for n in notes),
        "trailing_text_ignored": action is not None and not more and bool(body[end:].strip()),
        "answer_not_accepted": "unearned_answer" in dict(pieces),
    }
    notes += tuple(Note(kind, NOTES[kind].format(more + 1)) for kind, holds in said.items() if holds)
    return pieces, {"action_text": body[:end].strip(), "action": action}, notes


def dropped(trailing: str, behind: Segments, kind: str) -> Pieces:
    """Return what is not used in pieces: an invented observation stands apart from what is built on it."""
    if not behind:
        return [(kind, trailing)]
    roles = [role for role, _, _ in behind]
    at = roles.index("observation") if "observation" in roles else len(roles)
    first = "unearned_answer" if "answer" in roles[:at] else kind
    last = "unearned_answer" if "answer" in roles[at:] else "after_observation"
    seen = [("model_observation", joined(behind[at : at + 1])), (last, joined(behind[at + 1 :]))]
    return [(first, trailing + joined(behind[:at])), *seen]


def joined(found: Segments) -> str:
    return "".join([label + body for _, label, body in found])


def read_command(text: str) -> Reply:
    """Return the reply of an agent in a world of commands, as in ALFWorld, where `think: …` is a thought.

    All else is a command: a verb and the words after it, in one row, such as `go to shelf 1`; other rows are refused.
    """
    mark, row, rest = re.fullmatch(r"(\s*>?\s*)([^\n]*)([\s\S]*)", text).groups()
    thought = row[6:].strip() if row[:6].casefold() == "think:" else ""
    command = re.fullmatch(r"(?!think:)([A-Za-z]+)((?: [\w.,'/()-]+)*)[.\s]*", row, re.IGNORECASE)
    parts = parts_of([("label", mark), ("thought" if thought else "action", row), ("after_action", rest)])
    if thought:
        return Reply(thought, parts=parts, dropped=rest.strip())
    action = Action(command[1], command[2].strip()) if command else None
    refused = () if command else (Note("no_action", "No command could be read."),)
    return Reply(None, row.strip() or None, action, None, parts, refused, rest.strip())
