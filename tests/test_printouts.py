"""250 printed FEVER episodes of text-davinci-002, and 38 raw printouts: read, and printed again without loss."""

import json
from collections import Counter

import pytest

from reactkit.actions import read_action
from reactkit.errors import DataError
from reactkit.metrics import exact_match, label_accuracy
from reactkit.printouts import read_printout
from reactkit.trajectory import Line, Trajectory

MODEL = "text-davinci-002"
LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
TINY = """7 Claim: Ice is warm.
Thought 1: I should look.
Action 1: Search[Ice]
Observation 1: Ice is frozen water.

ohh...  I know it now.
Thought 2: I know it now.
Action 2: Finish[REFUTES]
Observation 2: Episode finished, reward = 1


{'steps': 2, 'answer': 'REFUTES', 'gt_answer': 'REFUTES', 'question_idx': 7, 'em': 1, 'reward': 1, 'f1': 1}\x20

1 1 1.0 4.08
"""


@pytest.fixture(scope="module")
def rows(real_data):
    path = real_data / "trajectories" / "react_fever_davinci002.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def printouts(rows):
    return [read_printout(row["text"], MODEL) for row in rows]


def finished_with(trajectory):
    """Return the input of the last action if that is Finish, else "", as the notebook scores a run that was cut off."""
    action = read_action(trajectory.keep("action").lines[-1].text)
    return action.argument if action and action.tool == "Finish" else ""


def test_a_small_printout_becomes_lines_with_their_authors():
    assert read_printout(TINY, MODEL).trajectory == Trajectory(
        (
            Line("question", "Ice is warm."),
            Line("thought", "I should look.", "model", 1),
            Line("action", "Search[Ice]", "model", 1),
            Line("observation", "Ice is frozen water.\n", "environment", 1),
            Line("instruction", "ohh...  I know it now.", "harness", 2),
            Line("thought", "I know it now.", "model", 2),
            Line("action", "Finish[REFUTES]", "model", 2),
            Line("observation", "Episode finished, reward = 1\n\n", "environment", 2),
        ),
        "recorded",
        MODEL,
        "Claim",
    )
    assert str(read_printout(TINY, MODEL)) == TINY


@pytest.mark.parametrize("text", ["", "Claim: Ice is warm.", "7 Claim: Ice is warm.\nThought 1: I should look."])
def test_text_that_is_no_printed_episode_is_a_data_error(text):
    with pytest.raises(DataError, match="not a printed episode"):
        read_printout(text, MODEL)


def test_all_250_episodes_print_again_character_by_character(rows, printouts):
    assert len(rows) == 250
    assert [str(printout) for printout in printouts] == [row["text"] for row in rows]


@pytest.mark.parametrize("name, count", [("react_fever_davinci002", 35), ("react_hotpotqa_gpt35", 3)])
def test_each_raw_printout_prints_again_character_by_character(real_data, name, count):
    with (real_data / "trajectories" / f"{name}_stdout.txt").open(encoding="utf-8", newline="") as file:
        episodes = file.read().removesuffix("-----------\n\n").split("-----------\n\n")
    assert len(episodes) == count
    assert [str(read_printout(text, MODEL)) for text in episodes] == episodes


def test_every_line_has_its_role_and_its_author(printouts):
    lines = [line for printout in printouts for line in printout.trajectory]
    assert Counter((line.role, line.author) for line in lines) == {
        ("question", "person"): 250,
        ("thought", "model"): 623,
        ("action", "model"): 623,
        ("observation", "environment"): 623,
        ("instruction", "harness"): 1,
    }


def test_every_trajectory_is_marked_as_recorded_and_counts_its_steps(printouts):
    assert {printout.trajectory.badge for printout in printouts} == {f"recorded · {MODEL}"}
    for printout in printouts:
        steps = [line.step for line in printout.trajectory.keep("action")]
        assert steps == list(range(1, min(printout.facts["steps"], 7) + 1))  # a run cut off counts one step more


def test_the_claim_the_index_and_the_answer_are_those_of_the_file(rows, printouts):
    for row, printout in zip(rows, printouts, strict=True):
        claim = printout.trajectory.lines[0].text
        assert (claim, printout.index, printout.facts["gt_answer"]) == (row["claim"], row["idx"], row["label"])
        assert finished_with(printout.trajectory) == printout.facts["answer"]


def test_the_kit_scores_the_answers_as_the_notebook_did(rows, printouts):
    pairs = [(finished_with(printout.trajectory), row["label"]) for printout, row in zip(printouts, rows, strict=True)]
    right = [exact_match(given, gold) for given, gold in pairs]
    assert right == [bool(printout.facts["em"]) for printout in printouts]
    assert (sum(right), label_accuracy(pairs)) == (145, 145 / 250)


def test_the_answers_by_gold_label_are_these(rows, printouts):
    counts = Counter(
        (row["label"], finished_with(printout.trajectory)) for row, printout in zip(rows, printouts, strict=True)
    )
    table = {gold: tuple(counts[gold, given] for given in (*LABELS, "")) for gold in LABELS}
    assert table == {"SUPPORTS": (68, 10, 3, 1), "REFUTES": (10, 46, 19, 1), "NOT ENOUGH INFO": (31, 27, 31, 3)}


def test_every_trajectory_survives_json(printouts):
    for printout in printouts:
        assert Trajectory.from_json(printout.trajectory.to_json()) == printout.trajectory
