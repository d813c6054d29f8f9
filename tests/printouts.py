"""Published runs of real models, read back into trajectories with nothing lost.

A row of `FORMS` holds the labels that open the lines of one form. A line's text runs from its label to the next one. A
`Printout` keeps the labels too, so that labels and texts in turn are the episode's text again, character by character;
all other fields of a JSON file are its `facts`, unchanged but for order and layout. What else is lost, or may surprise:

- any form: text of the environment that imitates a label would be read as one. No published run has it.
- printout: nothing. `ohh...` and the bad reply it quotes are the harness's; the thought that was kept follows them.
- reflexion (both), fireact chat: nothing. A section's heading, or a message's role, is part of the label below it.
- fireact alpaca, knowagent: nothing. A prompt with its examples is one instruction; action paths are thoughts.
- adapt alfworld: `overall`, which is no episode. The text is problem and trace, joined by the prompt's `>`. Empty
  replies, which end a part of the trace, are in the labels. No line says to which of the plans a part belongs.
- webshop: nothing. `reset` is the harness's, and the first page is cut in three: the instruction in it is the question.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reactkit.errors import DataError
from reactkit.trajectory import Line, Trajectory

__all__ = ["FORMS", "Printout", "read_printout", "read_published"]

LINES = {  # group of a pattern in FORMS: role and author of the line that it opens
    "instruction": ("instruction", "person"),
    "question": ("question", "person"),
    "rationale": ("rationale", "model"),
    "thought": ("thought", "model"),
    "action": ("action", "model"),
    "observation": ("observation", "environment"),
    "harness": ("instruction", "harness"),
    "reset": ("action", "harness"),
}
STEPS = r"(?P<thought>\n(?:ActionPath|Thought) \d+: )|(?P<action>\nAction \d+: )|(?P<observation>\nObservation \d+: )"
GOLD = r"(?P<after>\nCorrect answer: )[\s\S]*"
TASK = r"(?P<question>\n(?P<asks>Your task is to): )|(?P<observation>^|\n)(?!>)[\s\S]+?(?=\n>|\nYour task is to: |\n\Z)"
ALFWORLD = rf"{TASK}|(?P<thought>\n>\s+(?:[Tt]hink|ActionPath): )|(?P<action>\n>\s+)[^\s>].*|(?P<after>\n>?\s*)\Z"
FORMS = {  # the named group is the label; no label is looked for in what a pattern matches behind it
    "printout": rf"(?P<question>^(?P<index>\d+) (?P<asks>\w+): )|{STEPS}|(?P<harness>\n)ohh\.\.\. "
    r"|(?P<after>\n)\{'steps'.*\}[\s\S]*",
    "reflexion": rf"(?P<question>^(?:-.*\n\n)?Question: )|{STEPS}|{GOLD}",
    "reflexion cot": r"(?P<instruction>^(?:-.*\n\n)?)Context: |(?P<question>\nQuestion: )|(?P<rationale>\nThought: )"
    rf"|(?P<action>\nAction: )|(?P<observation>\nObservation: )|{GOLD}",
    "fireact chat": r"(?P<question>^user: )|(?P<thought>\nassistant: Thought: )|(?P<action>\nAction: )"
    r"|(?P<observation>\nuser: Observation: )[\s\S]*?(?=\nassistant: |\Z)|(?P<after>\Z)",
    "fireact alpaca": r"(?P<instruction>^)Below|(?P<question>\n\n### Instruction:\n)|(?P<action>\nAction: )"
    r"|(?P<thought>(?:\n\n### Response:)?\nThought: )|(?P<observation>\nObservation: )|(?P<after>\n\Z)",
    "knowagent hotpotqa": r"(?P<instruction>^)[\s\S]*\(END OF EXAMPLES\)|(?P<question>\nQuestion: )"
    rf"|{STEPS}|(?P<after>\Z)",
    "knowagent alfworld": ALFWORLD,
    "adapt alfworld": ALFWORLD,
    "webshop": r"(?P<reset>^(?P<index>\d+)\nAction: )|(?P<question>\n(?P<asks>Instruction): +\n)"
    r"|(?P<thought>\n+Action: )think\[|(?P<action>\n+Action: )|(?P<observation>\nObservation: \n?|\n(?=\[Search\]))"
    r"|(?P<after>\n+)\d+(?: [\d.]+){3}\n-+\n\Z",
}
FIELDS = (("problem", "trace"), ("traj",), ("text",), ("prompt",))  # where JSON files keep an episode's text
CLOSED = re.compile(r"[\s\S]+?^(?:-{11}|Correct answer: .*)\n+", re.MULTILINE)  # an episode in the other files


@dataclass(frozen=True, slots=True)
class Printout:
    """One published episode: the trajectory, the label printed before each line, what followed the last, the facts.

    The last of the labels stands before `after`. `index` is the number that the text begins with, or None.
    """

    index: int | None
    trajectory: Trajectory
    labels: tuple[str, ...]
    after: str
    facts: dict

    def __str__(self) -> str:
        """The printed text again, character by character."""
        texts = [line.text for line in self.trajectory] + [self.after]
        return "".join(label + text for label, text in zip(self.labels, texts, strict=True))


def read_published(text: str, form: str, model: str) -> tuple[Printout, ...]:
    """Return all episodes of a published file's `text`; `form` is a key of `FORMS`, and `facts` those of the file.

    In `facts`, "path" holds the keys that led to the episode. A file that is not of this form is a `DataError`.
    """
    is_json = text.startswith("{")
    try:
        found = list(json_episodes(text)) if is_json else [(part, {}) for part in CLOSED.findall(text)]
    except (ValueError, TypeError, KeyError) as error:
        raise DataError(f"this is no JSON file of episodes ({error}): it begins {text[:40]!r}") from error
    if not found or not is_json and "".join(part for part, _ in found) != text:
        raise DataError(f"this is not a whole file of episodes: it begins {text[:40]!r} and ends {text[-40:]!r}")
    return tuple(read_printout(part, model, form, facts) for part, facts in found)


def json_episodes(text: str) -> Iterator[tuple[str, dict]]:
    """Yield the text and the facts of each episode in one JSON document, or in one on each line."""
    for document in [text] if text.startswith("{\n") else text.strip().split("\n"):
        for path, names, fields in records(json.loads(document)):
            texts = [fields.pop(name) for name in names]
            if isinstance(texts[0], list):
                texts = ["\n".join(f"{message['role']}: {message['content']}" for message in texts[0])]
            yield "\n>".join(texts), {"path": path, **fields}


def records(value, *path: str) -> Iterator[tuple[tuple, tuple, dict]]:
    """Yield the keys that lead to each object with an episode's text, the names of those fields, and the object."""
    fields = value if isinstance(value, dict) else {}
    names = next((names for names in FIELDS if fields.keys() >= set(names)), None)
    if names:
        yield path, names, fields
    else:
        for key, below in fields.items():
            yield from records(below, *path, key)


def read_printout(text: str, model: str, form: str = "printout", facts: dict | None = None) -> Printout:
    """Return the episode that `text` prints, as a trajectory recorded from `model`; another form is a `DataError`."""
    if form not in FORMS:
        raise DataError(f"the form {form!r} is not known; use one of {', '.join(FORMS)}")
    found = list(re.finditer(FORMS[form], text))
    if not found or found[0].start() or found[-1].lastgroup != "after":
        raise DataError(f"this is not a printed episode ({form}): it begins {text[:40]!r}, or what ends one is missing")
    texts = [text[one.end(one.lastgroup) : two.start()] for one, two in zip(found, found[1:])]
    after = text[found[-1].end("after") :]
    named = {name: words for label in found for name, words in label.groupdict().items() if words}
    trajectory = Trajectory(published_lines(found, texts), "recorded", model, named.get("asks", "Question"))
    labels = tuple(label[label.lastgroup] for label in found)
    try:
        printed = ast.literal_eval(after.split("\n")[0].strip()) if after.startswith("{") else {}
    except (ValueError, SyntaxError) as error:
        raise DataError(f"the facts printed after the episode are no Python dict: {after[:60]!r}") from error
    index = int(named["index"]) if "index" in named else None
    return Printout(index, trajectory, labels, after, {**(facts or {}), **printed})


def published_lines(labels: list[re.Match], texts: list[str]) -> list[Line]:
    """Return the lines; a step is that of the label, or without one begins where the model follows something else."""
    lines, step, last = [], 0, None
    for label, text in zip(labels, texts):
        role, author = LINES[label.lastgroup]
        number = re.search(r"(\d+): $", label[label.lastgroup])
        begins = last in ("question", "observation") and role in ("thought", "action", "instruction")
        step, last = int(number[1]) if number else step + begins, role
        lines.append(Line(role, text, author, None if author == "person" else step or None))
    return lines
