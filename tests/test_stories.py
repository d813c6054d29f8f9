import pytest

from reactkit import (
    ACT,
    METHODS,
    REACT,
    STANDARD,
    DataError,
    Deaf,
    Page,
    Shelf,
    apple_remote,
    encyclopedia_tools,
    paris_coat,
    shipped_pages,
    solve,
)
from reactkit.encyclopedia import Encyclopedia

ANSWERS = {"Standard": "iPod", "CoT": "iPhone, iPad, iPod Touch", "Act": "yes", "ReAct": "keyboard function keys"}


def test_four_methods_answer_the_apple_remote_question_as_in_the_papers_figure():
    assert {name: run.answer for name, run in apple_remote().runs().items()} == ANSWERS


def test_act_and_react_saw_the_same_observations():
    runs = apple_remote().runs()
    assert str(runs["Act"].trajectory.keep("observation")) == str(runs["ReAct"].trajectory.keep("observation"))


def test_the_react_run_has_the_shape_of_the_papers_figure():
    trajectory = apple_remote().run(REACT).trajectory
    assert [len(trajectory.keep(role)) for role in ("thought", "action", "observation")] == [4, 4, 3]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_clues_tell_the_same_story_as_the_script(method):
    story = apple_remote()
    assert solve(story.task, method, story.clues(method)).trajectory == story.run(method).trajectory


def test_an_edited_page_changes_what_the_clues_do():
    story = apple_remote()
    silent = Page("Front Row (software)", ("Front Row is a program that Apple made.",))
    pages = [silent if page.title == silent.title else page for page in shipped_pages()]
    run = solve(story.task, ACT, story.clues(ACT), encyclopedia_tools(Encyclopedia(Shelf(pages))))
    assert (run.outcome, str(run.trajectory.lines[-2])[:14]) == ("step cap", "Observation 7:")


def test_the_coat_takes_two_passes_one_tool_call_and_four_lines():
    run = paris_coat().run(REACT)
    kept = [line.label() for line in run.trajectory][1:-1]
    assert (len(run.calls), kept) == (2, ["Thought 1", "Action 1", "Observation 1", "Thought 2"])
    assert run.answer == paris_coat().task.gold


def test_without_a_stop_the_coat_script_runs_on_into_an_invented_observation():
    story = paris_coat()
    run = solve(story.task, REACT, Deaf(story.script(REACT)), story.tools(), story.shown())
    assert run.calls[0].dropped.startswith("Observation 1: Paris: 24 °C, sunny.")
    assert run.trajectory.lines == story.run(REACT).trajectory.lines


def test_a_city_without_a_report_is_told_which_there_are():
    assert (
        paris_coat().report("Atlantis") == "There is no report for Atlantis. Cities are: Paris, Cairo, Bergen, Madrid."
    )


def test_a_method_that_a_story_does_not_tell_is_an_error():
    with pytest.raises(DataError, match="no replies for Standard; it has ReAct"):
        paris_coat().run(STANDARD)
