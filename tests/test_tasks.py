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
CLUB = ("The Kite Club meets in Oslo.", "It owns 20 kites and 5 lines.", "It began in 1925.", "It has a hut.")
SMALL = Shelf(
    [
        Page("Kite", ("A kite flies on a line.", "The Kite Club keeps one of paper.", "It has been known since 1300.")),
        Page("Kite Club", (*CLUB, "It is small.", "Ann leads it."), ("KC",)),
        Page("Line", (), may_mean=("Kite", "Kite Club")),
        Page("Oslo", ("Many people fly a blue kite in Oslo.",), ("Christiania",)),
    ]
)
HOP = (Evidence("Kite", ("Kite Club keeps",)), Evidence("Kite Club", ("meets in Oslo",)))
SUM = (Evidence("Kite", ("Kite Club",)), Evidence("Kite Club", ("20 kites", "5 lines")))
PAIR = (Evidence("Kite", ("known since 1300",)), Evidence("Kite Club", ("It began in 1925",)))
ANN = (HOP[0], Evidence("Kite Club", ("Ann",)))
LATER = "Which is later, Kite or KC?"
LONG = tuple(Evidence(page) for page in ("Kite", "Kite Club", "Oslo", "Kite", "Oslo", "Kite Club", "Kite"))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_pages_prove_the_task(task):
    assert prove_tasks.problems(task, SHIPPED) == []


def test_the_script_prints_one_line_for_each_task_and_exemplar(capsys):
    assert prove_tasks.main() == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(TASKS) + 6 + 3
    assert printed[0] == f"ok   q01 {TASKS[0].text}" and printed[64].startswith("ok   c01 ")


def test_the_script_names_what_is_wrong_and_exits_with_1(capsys):
    assert prove_tasks.main([Task("A kite?", "Oslo", name="q99")]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "FAIL q99 it names no page"


def test_there_are_64_questions_and_twenty_claims_of_each_label():
    assert [task.name for task in TASKS] == [f"q{n:02}" for n in range(1, 65)] + [f"c{n:02}" for n in range(1, 61)]
    assert Counter(task.type for task in kit_questions()) == {"bridge": 48, "comparison": 15, "sum": 1}
    assert Counter(task.gold for task in kit_claims()) == {"SUPPORTS": 20, "REFUTES": 20, "NOT ENOUGH INFO": 20}


def test_no_task_and_no_answer_of_a_bridge_is_there_twice():
    assert len({task.text for task in TASKS}) == len(TASKS)
    answers = Counter(task.gold for task in kit_questions() if task.type == "bridge")
    assert [answer for answer, times in answers.items() if times > 1] == []


def test_of_two_things_compared_the_second_is_right_about_half_the_time():
    comparisons = [task for task in kit_questions() if task.type == "comparison"]
    assert sum(task.text.endswith(f"{task.gold}?") for task in comparisons) == 7  # of 15


def test_only_two_bridges_show_their_answer_on_their_first_page():
    bridges = [(task, SHIPPED.page(task.evidence[0].page)) for task in kit_questions() if task.type == "bridge"]
    shown = [task.name for task, page in bridges if prove_tasks.holds(" ".join(page.sentences), task.gold)]
    assert shown == ["q07", "q18"]


@pytest.mark.parametrize("outcome", ["Could not find", "may mean", "Redirected", "(Result"])
def test_at_least_ten_tasks_meet_each_outcome_of_a_move(outcome):
    assert sum(outcome in prove_tasks.played(task, SHIPPED).read for task in TASKS) >= 10


def test_the_moves_of_a_task_search_for_what_was_read_and_look_up_what_was_not_shown():
    assert prove_tasks.played(kit_questions()[30], SHIPPED).moves == [
        "Search[Stripped]",
        "Search[Stripped (Christina Aguilera album)]",
        "Lookup[single]",
        "Search[Dirrty]",
    ]


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
        Task("Which was there earlier, Kite or Kite Club?", "Kite", type="comparison", evidence=PAIR),
        Task("Which came later, Kite or KC?", "KC", type="comparison", evidence=PAIR),
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
        (Task("A kite in Christiania?", "Oslo", type="bridge", evidence=HOP), "the question gives its answer away"),
        (Task("The club of a kite?", "Kite Club", type="bridge", evidence=HOP), "the question gives its answer away"),
        (Task("A kite?", "Oslo", type="bridge", evidence=LONG), "it takes 8 moves: Search[Kite] Search[Kite Club]"),
        (Task("Who?", "Ann", type="bridge", evidence=ANN), "only its answer leads to 'Ann' on Kite Club"),
        (Task("A kite?", "Oslo", type="bridge", evidence=HOP[::-1]), "nothing read before it leads to Kite Club"),
        (Task("A kite?", "26", type="sum", evidence=SUM), "the numbers do not add up to 26"),
        (Task(LATER, "Kite", type="comparison", evidence=PAIR), "'Kite' is not Kite Club, which has 1925"),
        (Task(LATER, "Drone", type="comparison", evidence=PAIR), "'Drone' is not Kite Club, which has 1925"),
        (Task(LATER, "Kite", type="comparison", evidence=HOP), "it compares no two different numbers"),
        (Task("Kite or Kite Club?", "Kite", type="comparison", evidence=PAIR), "does not say which of them it means"),
        (Task("Is KC later?", "KC", type="comparison", evidence=PAIR), "it does not name what it compares"),
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
            Task("A kite in Christiania.", "NOT ENOUGH INFO", "Claim", evidence=(Evidence("Kite", never=("red",)),)),
            "it names Oslo, for which it lists no words",
        ),
        (
            Task("A kite.", "NOT ENOUGH INFO", "Claim", evidence=(Evidence("Kite", never=("blue",)),)),
            "Oslo says 'blue' of Kite",
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
