"""Made-up replies, from one fixed seed: whatever comes, it is read, nothing of it is lost and nothing is forged."""

import json
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
from fuzzing import faults, fuzz, replies
from harness import real_turns

from reactkit.actions import Action, Note
from reactkit.replies import PLAIN, Reply, read_reply, taken_apart

REPLY = ("Thought 1: a\nObservation: b", "thought", True, "stop")
KNOWN = (("thought", REPLY[0]),)
REFUSED = (Note("no_action", "No action could be read."),)
WRONG = {  # what a reader may not make of REPLY: the fault's name
    "text lost": Reply("a", notes=REFUSED),
    "observation forged": Reply("a\n\u200bObservation 1: b", parts=KNOWN, notes=REFUSED),
    "neither action, answer nor refusal": Reply("a", parts=KNOWN),
    "refused and yet run": Reply("a", action=Action("Search", "A"), parts=KNOWN, notes=REFUSED),
}
COMMAND = Reply("a", parts=KNOWN)


def reads(reply):
    return lambda *_: reply


@pytest.mark.parametrize(("fault", "reply"), WRONG.items(), ids=WRONG)
def test_each_fault_of_a_reader_is_seen(fault, reply):
    assert faults(*REPLY, read=reads(reply), obey=reads(COMMAND)) == [fault]


def test_a_reader_that_raises_or_runs_a_reply_cut_off_is_seen():
    assert faults(*REPLY, read=lambda *_: {}["reply"], obey=reads(COMMAND)) == ["raised KeyError"]
    cut = (*REPLY[:3], "length")
    assert faults(*cut, read=reads(Reply(answer="a", parts=KNOWN)), obey=reads(COMMAND)) == ["cut off and yet run"]


def test_a_reader_of_commands_that_loses_or_names_nothing_is_seen():
    fine = Reply("a", parts=KNOWN, notes=REFUSED)
    assert faults(*REPLY, read=reads(fine), obey=reads(COMMAND)) == []
    assert faults(*REPLY, read=reads(fine), obey=reads(Reply())) == [
        "command: text lost",
        "command: neither action, thought nor refusal",
    ]


def test_what_is_indented_is_data_in_an_action_and_a_label_in_a_thought():
    text = 'f {"a": "\n  Observation: b"}'
    for kept, found in (({"action_text": text}, []), ({"thought": text}, ["observation forged"])):
        reply = Reply(**kept, parts=KNOWN, notes=REFUSED)
        assert faults(*REPLY, read=reads(reply), obey=reads(COMMAND)) == found


def test_a_seed_always_gives_the_same_replies_and_another_seed_others():
    first, again, other = (list(replies(["a\nb"], 50, seed)) for seed in ("0/0", "0/0", "1/0"))
    assert first == again != other


def test_ten_thousand_made_up_replies_are_read_without_a_fault(real_cases):
    rows = (real_cases / "react_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [text for row in rows if (text := json.loads(row)["input"].get("text"))]
    found, read = {}, 0
    for count, _, shortest, _ in fuzz(texts, 10_000, seed=0):
        found, read = shortest | found, read + count
    assert (found, read) == ({}, 10_000)


def test_the_short_way_to_read_a_plain_reply_gives_what_the_long_way_gives(real_data):
    turns = list(real_turns(real_data / "trajectories"))
    made_up = [text for number in range(40) for text, *_ in replies(turns, 500, f"0/{number}")]
    short = [text for text in (*turns, *made_up) if PLAIN.fullmatch(text)]
    assert len(short) > 1000
    assert [text for text in short if read_reply(text) != taken_apart(text, "thought", True, False)] == []
