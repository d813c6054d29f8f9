"""Nine published forms, over 700 episodes of real models: read, counted, and printed again without loss."""

import json
import re
from collections import Counter
from itertools import groupby

import pytest
from printouts import FORMS, read_printout, read_published

from reactkit.actions import read_action
from reactkit.errors import DataError
from reactkit.metrics import exact_match, label_accuracy
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

ROOM = "You are in a kitchen. You see a cup 1.\nYour task is to: warm a cup."
ROOM_LINES = ["observation environment None You are in a kitchen. You see a cup 1.", "question person None warm a cup."]
SMALL = {  # form: the text of an episode in our own words, its lines
    "reflexion": (
        "---- BEGIN ----\n\nQuestion: Is ice warm?\nThought 1: I look.\nAction 1: Search[Ice]\nObservation 1: Cold.\n\n"
        "Very cold.\nCorrect answer: no\n\n",
        [
            "question person None Is ice warm?",
            "thought model 1 I look.",
            "action model 1 Search[Ice]",
            "observation environment 1 Cold.\n\nVery cold.",
        ],
    ),
    "reflexion cot": (
        "Context: \nQuestion: Is ice warm?\nThought: It is cold.\nAction: Finish[no]\nObservation: CORRECT\n"
        "Correct answer: no\n\n",
        [
            "instruction person None Context: ",
            "question person None Is ice warm?",
            "rationale model None It is cold.",
            "action model None Finish[no]",
            "observation environment None CORRECT",
        ],
    ),
    "fireact chat": (
        "user: Is ice warm?\nassistant: Thought: I look.\nAction: search[ice]\nuser: Observation: Cold.\nAction: go.\n"
        "assistant: Thought: So no.\nAction: finish[no]\nuser: Observation: Done.",
        [
            "question person None Is ice warm?",
            "thought model 1 I look.",
            "action model 1 search[ice]",
            "observation environment 1 Cold.\nAction: go.",
            "thought model 2 So no.",
            "action model 2 finish[no]",
            "observation environment 2 Done.",
        ],
    ),
    "fireact alpaca": (
        "Below is a task.\n\n### Instruction:\nIs ice warm?\n\n### Response:\nThought: No.\nAction: finish[no]\n"
        "Observation: Done.\n",
        [
            "instruction person None Below is a task.",
            "question person None Is ice warm?",
            "thought model 1 No.",
            "action model 1 finish[no]",
            "observation environment 1 Done.",
        ],
    ),
    "knowagent hotpotqa": (
        "Answer.\nQuestion: Is fire cold?\nAction 1: Finish[no]\n(END OF EXAMPLES)\nQuestion: Is ice warm?\n"
        "ActionPath 1: Start\nThought 1: No.\nAction 1: Finish[no]\nObservation 1: CORRECT",
        [
            "instruction person None Answer.\nQuestion: Is fire cold?\nAction 1: Finish[no]\n(END OF EXAMPLES)",
            "question person None Is ice warm?",
            "thought model 1 Start",
            "thought model 1 No.",
            "action model 1 Finish[no]",
            "observation environment 1 CORRECT",
        ],
    ),
    "knowagent alfworld": (
        f"{ROOM}\n> Think: I take it.\n> ActionPath: Start\n> take cup 1\nTaken.\nIt is cold.\n> heat cup 1\nWarm.\n",
        [
            *ROOM_LINES,
            "thought model 1 I take it.",
            "thought model 1 Start",
            "action model 1 take cup 1",
            "observation environment 1 Taken.\nIt is cold.",
            "action model 2 heat cup 1",
            "observation environment 2 Warm.",
        ],
    ),
    "adapt alfworld": (
        f"{ROOM}\n> think: I take it.\nOK.\n> take cup 1\nYou take it.\n>\n\n\n heat cup 1\nWarm.\n>\n",
        [
            *ROOM_LINES,
            "thought model 1 I take it.",
            "observation environment 1 OK.",
            "action model 2 take cup 1",
            "observation environment 2 You take it.",
            "action model 3 heat cup 1",
            "observation environment 3 Warm.",
        ],
    ),
    "webshop": (
        "4\nAction: reset\nObservation: \nShop \nInstruction:  \na red cup \n[Search] \n\nAction: search[red cup]\n"
        "Observation: \nOne cup. \n\nAction: think[That is it.]\nObservation: OK.\n\nAction: click[Buy Now]\n"
        "Observation: \n\n3 0.5 0.5 0.0\n-------------\n",
        [
            "action harness None reset",
            "observation environment None Shop ",
            "question person None a red cup ",
            "observation environment None [Search] ",
            "action model 1 search[red cup]",
            "observation environment 1 One cup. ",
            "thought model 2 think[That is it.]",
            "observation environment 2 OK.",
            "action model 3 click[Buy Now]",
            "observation environment 3 ",
        ],
    ),
}
LINES = (
    "instruction person",
    "question person",
    "instruction harness",
    "action harness",
    "rationale model",
    "thought model",
    "action model",
    "observation environment",
)
FILES = {  # file: form, episodes, lines in the order of LINES, answers or purchases, right ones by the file's own facts
    "react_fever_davinci002.jsonl": ("printout", 250, (0, 250, 1, 0, 0, 623, 623, 623), 245, 145),
    "react_fever_davinci002_stdout.txt": ("printout", 35, (0, 35, 0, 0, 0, 84, 84, 84), 35, 22),
    "react_hotpotqa_gpt35_stdout.txt": ("printout", 3, (0, 3, 2, 0, 0, 8, 8, 8), 3, 0),
    "reflexion_react_hotpotqa.txt": ("reflexion", 52, (0, 52, 0, 0, 0, 192, 192, 192), 47, 17),
    "reflexion_cot_hotpotqa.txt": ("reflexion cot", 50, (50, 50, 0, 0, 50, 0, 50, 50), 50, 16),
    "fireact_gpt35_chat.json": ("fireact chat", 120, (0, 120, 0, 0, 0, 162, 162, 162), 120, 57),
    "fireact_llama2_7b_alpaca.json": ("fireact alpaca", 50, (50, 50, 0, 0, 0, 100, 100, 100), 50, 19),
    "fireact_llama2_13b_alpaca.json": ("fireact alpaca", 30, (30, 30, 0, 0, 0, 60, 60, 60), 30, 9),
    "knowagent_hotpotqa_llama2_13b.jsonl": ("knowagent hotpotqa", 16, (16, 16, 0, 0, 0, 110, 55, 55), 16, 8),
    "knowagent_alfworld_llama2_13b.jsonl": ("knowagent alfworld", 40, (0, 40, 0, 0, 0, 980, 687, 727), 0, 10),
    "adapt_alfworld_davinci003.json": ("adapt alfworld", 69, (0, 69, 0, 0, 0, 337, 770, 1176), 0, 55),
    "react_webshop_davinci002.jsonl": ("webshop", 60, (0, 60, 0, 60, 0, 118, 261, 499), 59, 21),
}
ANSWERED = [name for name, row in FILES.items() if "alfworld" not in row[0] and row[0] != "webshop"]


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


@pytest.fixture(scope="module", params=FILES)
def published(request, real_data):
    """Each published file: its name, its text and its episodes."""
    with (real_data / "trajectories" / request.param).open(encoding="utf-8", newline="") as file:
        text = file.read()
    return request.param, text, read_published(text, FILES[request.param][0], MODEL)


def is_right(printout):
    """Return what the file itself says of an episode: a field of its facts, or the environment's last words."""
    facts = printout.facts
    told = [facts[name] == 1 for name in ("em", "correct", "result", "reward", "score") if name in facts]
    return told[0] if told else printout.trajectory.lines[-1].text == "Answer is CORRECT"


def ended_with(trajectory):
    """Return the input of the Finish or the purchase that ends an episode, or None where it was cut off."""
    actions = trajectory.keep("action").lines
    action = read_action(actions[-1].text) if actions else None
    ends = action and (action.tool.lower() == "finish" or action.argument == "Buy Now")
    return action.argument if ends else None


@pytest.mark.parametrize("form", SMALL)
def test_a_small_episode_of_each_form_becomes_lines_with_their_authors(form):
    text, lines = SMALL[form]
    printout = read_printout(text, MODEL, form)
    assert [f"{line.role} {line.author} {line.step} {line.text}" for line in printout.trajectory] == lines
    assert (printout.trajectory.badge, str(printout)) == (f"recorded · {MODEL}", text)


def test_every_form_has_a_small_episode_and_a_file():
    assert FORMS.keys() == {"printout", *SMALL} == {form for form, *_ in FILES.values()}


def test_the_episodes_lines_answers_and_right_ones_of_each_file_are_counted(published):
    name, _, printouts = published
    counts = Counter(f"{line.role} {line.author}" for printout in printouts for line in printout.trajectory)
    answers = sum(ended_with(printout.trajectory) is not None for printout in printouts)
    lines = tuple(counts.pop(kind, 0) for kind in LINES)
    assert (len(printouts), lines, answers, sum(map(is_right, printouts))) == FILES[name][1:]
    assert not counts


def test_each_file_can_be_made_again_from_its_episodes(published):
    name, text, printouts = published
    if name.endswith(".txt"):
        assert "".join(map(str, printouts)) == text
    elif name.endswith(".jsonl"):
        assert [record(printout) for printout in printouts] == [json.loads(row) for row in text.splitlines()]
    else:
        document = json.loads(text)
        document.pop("overall", None)  # no episode: the one loss that is stated
        assert document_of(printouts) == document


def document_of(printouts):
    """Return the JSON document whose records stand where the facts' paths lead."""
    document = {}
    for printout in printouts:
        *above, last = printout.facts["path"]
        place = document
        for key in above:
            place = place.setdefault(key, {})
        place[last] = record(printout)
    return document


def record(printout):
    """Return the fields of an episode as its JSON file had them."""
    fields = {name: fact for name, fact in printout.facts.items() if name != "path"}
    text = str(printout)
    if printout.after.startswith("{'steps'"):  # these facts are in the text
        fields = {name: fields[name] for name in ("order", "idx", "claim", "label")}
    if "plans" in fields:
        return fields | dict(zip(("problem", "trace"), text.split("\n>", 1)))
    if text.startswith("user: "):
        parts = re.split(r"(?:^|\n)(user|assistant): ", text)[1:]
        return fields | {"traj": [{"role": role, "content": words} for role, words in zip(parts[::2], parts[1::2])]}
    field = "traj" if {"gt", "result"} & fields.keys() else "prompt" if "halted" in fields else "text"
    return fields | {field: text}


def test_what_no_line_holds_is_labels_alone(published):
    _, _, printouts = published
    words = "BEGIN (?:IN)?CORRECT AGENTS|BEGIN HALTED AGENTS|Claim|Question|ActionPath|Thought|Action|Observation|"
    words += "Correct answer|Your task is to|Instruction|Response|user|assistant|[Tt]hink"
    labels = {label for printout in printouts for label in printout.labels}
    assert [label for label in labels if re.sub(rf"\b(?:{words})\b|[\s\d:>#-]", "", label)] == []


def test_steps_count_from_one_and_only_the_environment_says_ok(published):
    _, _, printouts = published
    for printout in printouts:
        steps = [step for step, _ in groupby(line.step for line in printout.trajectory if line.step)]
        assert steps == list(range(1, len(steps) + 1))
        assert {line.author for line in printout.trajectory if line.text == "OK."} <= {"environment"}


@pytest.mark.parametrize("published", ANSWERED, indirect=True)
def test_the_kit_scores_each_answer_as_its_file_does(published):
    _, _, printouts = published
    for printout in printouts:
        facts = printout.facts
        gold = next((facts[key] for key in ("gt_answer", "gt", "answer") if key in facts), printout.after.strip())
        assert exact_match(ended_with(printout.trajectory) or "", gold) == is_right(printout)


@pytest.mark.parametrize(
    "text, form, message",
    [
        ("", "printout", "not a whole file"),
        (TINY, "printout", "not a whole file"),
        (SMALL["reflexion"][0] + "Question: Cut", "reflexion", "not a whole file"),
        ('{"text": "7 Claim: Cut"}', "printout", "not a printed episode"),
        ('{"text": "7 Claim: Cut\\n{\'steps\': }"}', "printout", "no Python dict"),
        ('{"text": ', "printout", "no JSON file"),
        ('{"text": 7}', "printout", "no JSON file"),
        ('{"score": 1}', "webshop", "not a whole file"),
        (SMALL["reflexion"][0], "reflection", "the form 'reflection' is not known; use one of printout, reflexion"),
    ],
)
def test_a_file_of_another_form_is_a_data_error(text, form, message):
    with pytest.raises(DataError, match=message):
        read_published(text, form, MODEL)
