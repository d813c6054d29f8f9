"""The kit's own tasks: each is proved from the pages, and the proof itself is seen to fail on each kind of fault."""

from collections import Counter

import prove_tasks
import pytest

from reactkit.encyclopedia import Page, Shelf, shipped_pages
from reactkit.prompts import exemplars
from reactkit.stories import apple_remote
from reactkit.tasks import Evidence, Task, kit_claims, kit_questions

SHIPPED = Shelf(shipped_pages())
TASKS = (*kit_questions(), *kit_claims())
SMALL = Shelf(
    [
        Page("Kite", ("A kite flies on a line.", "The Kite Club keeps one of paper.")),
        Page("Kite Club", ("The Kite Club meets in Oslo.", "It owns 20 kites and 5 lines.")),
        Page("Line", (), may_mean=("Kite", "Kite Club")),
    ]
)
HOP = (Evidence("Kite", ("Kite Club keeps",)), Evidence("Kite Club", ("meets in Oslo",)))
SUM = (Evidence("Kite", ("Kite Club",)), Evidence("Kite Club", ("20 kites", "5 lines")))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_pages_prove_the_task(task):
    assert prove_tasks.problems(task, SHIPPED) == []


def test_the_script_prints_one_line_for_each_task_and_exemplar(capsys):
    assert prove_tasks.main() == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(TASKS) + 6 + 3
    assert printed[0] == f"ok   q01 {TASKS[0].text}" and printed[24].startswith("ok   c01 ")


def test_the_script_names_what_is_wrong_and_exits_with_1(capsys):
    assert prove_tasks.main([Task("A kite?", "Oslo", name="q99")]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "FAIL q99 it names no page"


def test_there_are_24_questions_and_six_claims_of_each_label():
    assert [task.name for task in TASKS] == [f"q{n:02}" for n in range(1, 25)] + [f"c{n:02}" for n in range(1, 19)]
    assert Counter(task.type for task in kit_questions()) == {"bridge": 22, "comparison": 1, "sum": 1}
    assert Counter(task.gold for task in kit_claims()) == {"SUPPORTS": 6, "REFUTES": 6, "NOT ENOUGH INFO": 6}


def test_the_first_question_is_the_apple_remote_story():
    story, first = apple_remote().task, kit_questions()[0]
    assert (first.text, first.gold) == (story.text, story.gold)


def test_no_exemplar_is_a_task_or_has_its_answer():
    shown = [trajectory for asks in ("Question", "Claim") for trajectory in exemplars(asks).trajectories]
    assert not {trajectory.lines[0].text for trajectory in shown} & {task.text for task in TASKS}
    answers = {trajectory.lines[-1].text for trajectory in exemplars().trajectories}
    assert not answers & {task.gold for task in kit_questions()}


@pytest.mark.parametrize(
    "task",
    [
        Task("In which town meets the club that keeps a paper kite?", "Oslo", type="bridge", evidence=HOP),
        Task("How many kites and lines has the club that keeps a paper kite?", "25", type="sum", evidence=SUM),
        Task("Which is lighter, Kite or Kite Club?", "Kite", type="comparison", evidence=HOP),
        Task("A kite flies.", "SUPPORTS", "Claim", evidence=(Evidence("Kite", ("a kite FLIES",)),)),
        Task("A kite is red.", "NOT ENOUGH INFO", "Claim", evidence=(Evidence("Kite", never=("red",)),)),
        Task("One line is a Kite.", "REFUTES", "Claim", evidence=(Evidence("Line", ("Kite Club",)),)),
    ],
    ids=lambda task: task.type or task.gold,
)
def test_the_proof_accepts_a_sound_task(task):
    assert prove_tasks.problems(task, SMALL) == []


@pytest.mark.parametrize(
    "task, problem",
    [
        (Task("A kite?", "Oslo", type="bridge"), "it names no page"),
        (Task("A kite?", "Oslo", type="bridge", evidence=(Evidence("Drone"),)), "there is no page 'Drone'"),
        (Task("A kite?", "Oslo", type="bridge", evidence=HOP[:1]), "a question needs words from two pages"),
        (Task("A kite?", "Os", type="bridge", evidence=HOP), "Kite Club does not give the answer 'Os'"),
        (Task("A kite in Oslo?", "Oslo", type="bridge", evidence=HOP), "the question gives its answer away"),
        (Task("A kite?", "Oslo", type="bridge", evidence=HOP[::-1]), "nothing read before it leads to Kite Club"),
        (Task("A kite?", "26", type="sum", evidence=SUM), "the numbers do not add up to 26"),
        (Task("A kite?", "Drone", type="comparison", evidence=HOP), "'Drone' is not one of the pages compared"),
        (Task("A kite?", "Oslo", type="riddle", evidence=HOP), "its type is 'riddle'"),
        (Task("A kite.", "MAYBE", "Claim", evidence=HOP), "its label is 'MAYBE'"),
        (Task("A kite.", "REFUTES", "Claim", evidence=(Evidence("Kite"),)), "it lists no words that must stand there"),
        (
            Task("A kite.", "NOT ENOUGH INFO", "Claim", evidence=HOP[:1]),
            "it lists no words that must not stand there",
        ),
        (
            Task("A kite.", "NOT ENOUGH INFO", "Claim", evidence=(Evidence("Kite", never=("Paper",)),)),
            "Kite says 'Paper'",
        ),
        (
            Task("A kite.", "SUPPORTS", "Claim", evidence=(Evidence("Kite", ("in Rome",)),)),
            "Kite does not say 'in Rome'",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_proof_finds_the_fault(task, problem):
    assert any(problem in found for found in prove_tasks.problems(task, SMALL))
