"""How every lesson opens: objectives that an exercise or quiz meets, and words that mean the same in each lesson."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NAMES = {"Standard", "Act", "CoT", "CoT-SC", "F1"}  # terms that begin with a capital letter


def section(notebook, title):
    """Return the list items of a lesson's section, without their dashes."""
    cells = [cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "markdown"]
    (source,) = [source for source in cells if source.startswith(f"## {title}\n")]
    return re.findall(r"^- (.+)$", source, re.MULTILINE)


def words(notebook):
    """Yield (term, definition) for each term of a lesson's list of words."""
    for item in section(notebook, "Words"):
        terms, definition = item.split(": ", 1)
        yield from ((term, definition) for term in re.findall(r"\*\*(.+?)\*\*", terms))


def each(lessons):
    return pytest.mark.parametrize("notebook", lessons, ids=lambda notebook: notebook.stem)


def test_a_term_has_one_definition_in_all_lessons():
    meanings = {}
    for notebook in LESSONS:
        for term, definition in words(notebook):
            meanings.setdefault(term, set()).add(definition)
    assert {term: found for term, found in meanings.items() if len(found) > 1} == {}


@each(LESSONS)
def test_words_are_written_in_one_style(notebook):
    found = list(words(notebook))
    assert [term for term, _ in found if term not in NAMES and not term[0].islower()] == []
    assert [term for term, definition in found if not definition.endswith(".")] == [] != found


@each(LESSONS)
def test_each_objective_is_something_to_do_that_an_exercise_or_quiz_asks_for(notebook):
    objectives = section(notebook, "What you will be able to do")
    assert 2 <= len(objectives) <= 5
    assert [text for text in objectives if not re.fullmatch(r"[a-z].*\((exercise|quiz).*\d\).*?", text)] == []


@each(LESSONS)
def test_each_exercise_and_quiz_that_an_objective_names_exists(notebook):
    named = set()
    for kind, numbers in re.findall(
        r"(exercise|quiz)(?:s|zes)? ((?:\d(?:, | and )?)+)", " ".join(section(notebook, "What you will be able to do"))
    ):
        named |= {(kind, number) for number in re.findall(r"\d", numbers)}
    lesson, exercises = (
        nbformat.read(ROOT / folder / notebook.name, as_version=4) for folder in ("notebooks", "exercises")
    )
    there = {
        ("exercise", c.source.split()[2].strip(":")) for c in exercises.cells if c.source.startswith("## Exercise ")
    }
    there |= {("quiz", cell.id[-1]) for cell in lesson.cells if "-quiz-" in cell.id}
    assert named - there == set() != named
