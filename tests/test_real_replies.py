"""Real replies of real models, from the published runs: how many are read, and what is said of the others."""

import json
from collections import Counter

import pytest
from test_printouts import FILES

from reactkit.printouts import read_printout, read_published
from reactkit.replies import read_command, read_reply

PAPER_FORM = [name for name, row in FILES.items() if "alfworld" not in row[0]]
WORLDS = [name for name, row in FILES.items() if "alfworld" in row[0]]


def turns(printout):
    """Yield the thought, the label and the action of each turn of the model that ends in an action."""
    thought = None
    for label, line in zip(printout.labels, printout.trajectory):
        if line.author == "model" and line.role == "action":
            yield thought, label.strip(), line.text
        thought = line.text if line.author == "model" and line.role == "thought" else None


@pytest.fixture(scope="module")
def episodes(real_data):
    """All episodes of the published runs in the paper's form, by file."""
    folder = real_data / "trajectories"
    rows = (folder / "react_fever_davinci002.jsonl").read_text(encoding="utf-8").splitlines()
    found = {"react_fever_davinci002.jsonl": [read_printout(json.loads(row)["text"], "a model") for row in rows]}
    for name in PAPER_FORM:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            found[name] = read_published(file.read(), FILES[name][0], "a model")
    return found


def test_real_turns_in_the_papers_form_are_read_and_every_refusal_is_named(episodes):
    counts = Counter()
    for thought, label, action in (turn for found in episodes.values() for one in found for turn in turns(one)):
        text = f"{'' if thought is None else ' ' + thought}\n{label} {action}"
        reply = read_reply(text, "thought")
        assert "".join(piece for _, piece in reply.parts) == text
        counts[reply.refusal.kind if reply.refusal else "read" if "[" in action else "a name alone"] += 1
        assert reply.refusal or (reply.thought or "") == (thought or "").strip()
    assert counts == {"read": 1593, "a name alone": 1, "empty_answer": 1}


def test_every_row_of_the_published_worlds_of_commands_is_read(real_data):
    counts = Counter()
    for name in WORLDS:
        with (real_data / "trajectories" / name).open(encoding="utf-8", newline="") as file:
            for line in (
                line for one in read_published(file.read(), FILES[name][0], "a model") for line in one.trajectory
            ):
                if line.author == "model":
                    reply = read_command(f"think: {line.text}" if line.role == "thought" else line.text)
                    counts["read" if reply.action or reply.thought else reply.notes[0].kind] += 1
    assert counts == {"read": 2774}
