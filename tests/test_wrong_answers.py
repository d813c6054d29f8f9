"""Each exercise: the solution passes, so does a right answer in another style; each wrong one gets its own words."""

import runpy
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent


def cells(notebook):
    """Yield (grade id or None, source) of each code cell of a solution notebook."""
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code":
            yield cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source


def report(notebook, exercise, answer=None):
    """Return the report of an exercise's check, with `answer` in place of the solution where one is given."""
    names = {}
    for name, source in cells(notebook):
        if name == exercise.replace("ex_", "check_"):
            *before, last = source.rstrip().split("\ncheck(")
            exec("\ncheck(".join(before), names)
            return eval("check(" + last, names)
        exec(answer if name == exercise and answer is not None else source, names)
    raise LookupError(f"{notebook.name} has no check for {exercise}")


def exercises():
    for notebook in sorted((ROOT / "solutions").glob("*.ipynb")):
        bank = runpy.run_path(str(ROOT / "tests" / "wrong_answers" / f"nb_{notebook.name[:2]}.py"))
        for name, _ in cells(notebook):
            if name and name.startswith("ex_"):
                yield notebook, name, bank


EXERCISES = [pytest.param(*found, id=found[1]) for found in exercises()]


@pytest.mark.parametrize(("notebook", "exercise", "bank"), EXERCISES)
def test_the_solution_and_another_right_answer_pass(notebook, exercise, bank):
    assert bank["RIGHT"][exercise], "write one right answer in another style"
    reports = [report(notebook, exercise, answer) for answer in (None, *bank["RIGHT"][exercise])]
    assert [found.problem for found in reports] == [None] * len(reports)


@pytest.mark.parametrize(("notebook", "exercise", "bank"), EXERCISES)
def test_each_wrong_answer_gets_the_message_meant_for_it(notebook, exercise, bank):
    wrong = bank["WRONG"][exercise]
    assert len(wrong) >= 2, "write at least two plausible wrong answers"
    missed = [
        (answer, told.problem)
        for answer, words in wrong
        if words not in ((told := report(notebook, exercise, answer)).problem or "")
    ]
    assert missed == []


@pytest.mark.parametrize(("notebook", "exercise", "bank"), EXERCISES)
def test_an_untouched_stub_is_not_started_yet(notebook, exercise, bank):
    generated = dict(cells(ROOT / "exercises" / notebook.name))
    assert "Not started yet" in report(notebook, exercise, generated[exercise]).problem


def test_the_bank_names_only_exercises_that_exist():
    listed = {
        exercise
        for _, _, bank in (found.values for found in EXERCISES)
        for exercise in (*bank["WRONG"], *bank["RIGHT"])
    }
    assert listed == {found.values[1] for found in EXERCISES}
