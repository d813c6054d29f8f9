"""Real replies of real models, from the published runs: how many are read, and what is said of the others."""

import sys
from collections import Counter

from conftest import ROOT

from reactkit.replies import read_command, read_reply

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
from harness import commands, turns, written


def test_real_turns_in_the_papers_form_are_read_and_every_refusal_is_named(real_data):
    counts = Counter()
    for thought, label, action in turns(real_data / "trajectories"):
        text = written(thought, label, action)
        reply = read_reply(text, "thought")
        assert "".join(piece for _, piece in reply.parts) == text
        counts[reply.refusal.kind if reply.refusal else "read" if "[" in action else "a name alone"] += 1
        assert reply.refusal or (reply.thought or "") == (thought or "").strip()
    assert counts == {"read": 1593, "a name alone": 1, "empty_answer": 1}


def test_every_row_of_the_published_worlds_of_commands_is_read(real_data):
    replies = map(read_command, commands(real_data / "trajectories"))
    counts = Counter("read" if reply.action or reply.thought else reply.notes[0].kind for reply in replies)
    assert counts == {"read": 2774}
