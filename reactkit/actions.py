"""From a model's text to a thought and an action; nothing is run here.

The form read is the paper's: `Thought 1: …`, `Action 1: Search[…]`, or the figure's `Act 1: …`; an `Answer: …` ends an
episode as `Finish[…]` does. Layout and spelling of labels are forgiven. A tool is never guessed out of prose, a call
whose bracket is not closed is never run, and an observation that the model wrote is never taken for one.
"""

import re
from dataclasses import dataclass

__all__ = ["Action", "Reply", "read_action", "read_reply"]

LABEL = re.compile(
    r"^[ \t]*(question|claim|thought|action|act|observation|obs|answer)[ \t]*\d*[ \t]*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
SHORT = {"act": "action", "obs": "observation"}  # the labels of the paper's figure
CALL = re.compile(r"(\w[\w ]*?)\s*\[(.*)\]")


@dataclass(frozen=True, slots=True)
class Action:
    """One tool name and its input, such as `Search[Apple Remote]`."""

    tool: str
    argument: str

    def __str__(self) -> str:
        return f"{self.tool}[{self.argument}]"


@dataclass(frozen=True, slots=True)
class Reply:
    """What one reply of a model holds; a part that is not there is None.

    `action_text` is the action as the model wrote it, `action` what can be run of it: None where it has not the form
    `Tool[input]`. `dropped` is all that stands after the part that counts: an invented observation, a second action.
    """

    thought: str | None = None
    action_text: str | None = None
    action: Action | None = None
    answer: str | None = None
    dropped: str = ""


def read_action(text: str) -> Action | None:
    """Return the action that `text` is, as in `Search[Apple Remote]`, or None where it has another form."""
    found = CALL.fullmatch(text.strip())
    return Action(found[1], found[2].strip()) if found and balanced(found[2]) else None


def balanced(argument: str) -> bool:
    """Return whether each bracket closes one that was opened, so that two calls on one line are not read as one."""
    depth = 0
    for letter in argument:
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0


def read_reply(text: str, cue: str, acts: bool = True) -> Reply:
    """Return the parts of a reply that was asked for after the role `cue`, such as "thought".

    Text before the first label belongs to the cue. The first line of an action or answer ends the part that counts,
    and so does an observation, which only the environment may write. A thought counts only where one was asked for,
    an action only where the method `acts`; what does not count is dropped.
    """
    thinks = cue in ("thought", "rationale")
    thoughts, found, dropped = [], {}, []
    for role, label_at, start, end in segments(text, "thought" if thinks else cue):
        if (role == "thought" and not thinks) or (role == "action" and not acts):
            dropped.append(text[label_at:end].strip())
        elif role == "thought":
            thoughts.append(text[start:end].strip())
        else:
            line, rest = first_line(text[start:end])
            if role == "action":
                found = {"action_text": line, "action": read_action(line)}
            elif role == "answer":
                found = {"answer": line}
            dropped.append(rest + text[end:] if found else text[label_at:])
            break
    return Reply(" ".join(thoughts) or None, **found, dropped="\n".join(dropped).strip())


def segments(text: str, cue: str):
    """Yield (role, where its label starts, where its text starts, where it ends), the unlabelled beginning first."""
    found = list(LABEL.finditer(text))
    roles = [cue, *(SHORT.get(label[1].lower(), label[1].lower()) for label in found)]
    labels_at = [0, *(label.start() for label in found)]
    starts = [0, *(label.end() for label in found)]
    for role, label_at, start, end in zip(roles, labels_at, starts, [*labels_at[1:], len(text)], strict=True):
        if text[start:end].strip():
            yield role, label_at, start, end


def first_line(text: str) -> tuple[str, str]:
    line, _, rest = text.strip().partition("\n")
    return line.strip(), rest + "\n"
