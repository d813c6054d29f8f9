"""The kit's exemplars: what the pages answer to their actions is what they show, and they slice four ways."""

import json
from dataclasses import replace

import prove_tasks
import pytest

from reactkit.actions import read_action
from reactkit.encyclopedia import Encyclopedia, shipped_pages
from reactkit.prompts import ACT, COT, REACT, STANDARD, exemplars
from reactkit.tasks import LABELS
from reactkit.tools import encyclopedia_tools
from reactkit.trajectory import Line, Trajectory

QUESTIONS, CLAIMS = exemplars("Question").trajectories, exemplars("Claim").trajectories
EACH = pytest.mark.parametrize("exemplar", [*QUESTIONS, *CLAIMS], ids=lambda exemplar: exemplar.lines[0].text)


def replayed(exemplar):
    """Return the exemplar rebuilt in its plain form, with the observations of a fresh encyclopedia."""
    tools = encyclopedia_tools(Encyclopedia())
    lines = [*exemplar.lines[:2]]
    passes = zip(exemplar.keep("thought"), exemplar.keep("action"), strict=True)
    for step, (thought, action) in enumerate(passes, start=1):
        lines += [Line("thought", thought.text, step=step), Line("action", action.text, step=step)]
        asked = read_action(action.text)
        if asked.tool != "Finish":
            lines.append(Line("observation", tools.observe(asked), "environment", step))
    return Trajectory((*lines, Line("answer", asked.argument)), asks=exemplar.asks)


@EACH
def test_replaying_the_actions_gives_the_same_exemplar(exemplar):
    assert exemplar == replayed(exemplar)


@EACH
def test_it_opens_with_a_question_and_a_rationale_that_people_wrote(exemplar):
    assert [(line.role, line.author, line.step) for line in exemplar.lines[:2]] == [
        ("question", "person", None),
        ("rationale", "person", None),
    ]
    assert exemplar.badge == "scripted"


@EACH
def test_the_proof_finds_no_flaw(exemplar):
    assert prove_tasks.flaws(exemplar) == []


@pytest.mark.parametrize(
    "place, text, flaw",
    [
        (4, "The Danube is short.", "observation 1 is not what the pages answer"),
        (-2, "Finish[Alps]", "it finishes with 'Finish[Alps]' and answers 'Valdai Hills'"),
        (-1, "Alps", "no observation holds 'Alps'"),
    ],
)
def test_the_proof_finds_a_flaw(place, text, flaw):
    lines = list(QUESTIONS[0].lines)
    lines[place] = replace(lines[place], text=text)
    assert flaw in prove_tasks.flaws(replace(QUESTIONS[0], lines=tuple(lines)))


@pytest.mark.parametrize(
    "method, labels",
    [
        (STANDARD, "Question, Answer"),
        (COT, "Question, Thought, Answer"),
        (ACT, "Question, Action 1, Observation 1, Action 2, Observation 2, Action 3"),
        (
            REACT,
            "Question, Thought 1, Action 1, Observation 1, Thought 2, Action 2, Observation 2, Thought 3, Action 3",
        ),
    ],
    ids=["Standard", "CoT", "Act", "ReAct"],
)
def test_an_exemplar_slices_four_ways(method, labels):
    assert ", ".join(QUESTIONS[0].keep(*method.roles).labels()) == labels


def test_between_them_the_six_questions_show_every_move():
    shown = ["\n".join(line.text for line in exemplar.keep("action", "observation")) for exemplar in QUESTIONS]
    moves = ["Lookup[", "Could not find [", " may mean: ", "(Result 2 / 2)"]
    assert [[move in text for move in moves] for text in shown] == [
        [False, False, False, False],  # two hops, two pages
        [True, False, False, False],  # a Lookup after a Search
        [False, True, False, False],  # a miss, handled through a similar title
        [False, False, True, False],  # a disambiguation
        [False, False, False, False],  # a comparison
        [True, False, False, True],  # find-next
    ]


def test_the_three_claims_have_one_label_each():
    assert tuple(exemplar.lines[-1].text for exemplar in CLAIMS) == LABELS


def test_only_claims_have_an_instruction_and_it_names_the_three_labels():
    assert exemplars("Question").instruction is None
    assert all(label in exemplars("Claim").instruction for label in LABELS)


def test_no_page_settles_the_claim_that_is_not_enough_info():
    told = [sentence for page in shipped_pages() for sentence in page.sentences if "Bohemian Rhapsody" in sentence]
    assert len(told) == 3 and not any("London" in sentence or "studio" in sentence for sentence in told)


def test_no_exemplar_gives_the_apple_remote_story_away():
    text = "\n".join(exemplars(asks).text(REACT) for asks in ("Question", "Claim"))
    assert not any(word in text for word in ("Apple", "Front Row", "remote", "function keys"))


def test_no_two_thoughts_are_alike():
    thoughts = [line.text for exemplar in (*QUESTIONS, *CLAIMS) for line in exemplar.keep("thought")]
    assert len({thought.split(".")[0] for thought in thoughts}) == len(thoughts) == 34
    assert max(map(len, thoughts)) < 200


def test_the_stored_form_is_the_one_that_a_trajectory_writes():
    assert all(Trajectory.from_json(exemplar.to_json()) == exemplar for exemplar in (*QUESTIONS, *CLAIMS))
    assert json.loads(QUESTIONS[0].to_json())["lines"][0]["role"] == "question"
