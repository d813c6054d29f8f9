"""exercises/ is what solutions/ generates, holds no answer, and runs to its end untouched."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "solutions"))

import make_exercises  # noqa: E402
from make_exercises import exercise_source  # noqa: E402

SOLUTIONS = sorted(ROOT.glob("solutions/*.ipynb"))
EXERCISES = sorted(ROOT.glob("exercises/*.ipynb"))
SOLVED = """def double(n):
    ### BEGIN SOLUTION
    return n + n
    ### END SOLUTION
### BEGIN HIDDEN TESTS
assert double(2) == 4
### END HIDDEN TESTS
"""


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.name)


def notebook(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


def code(path):
    """Return all code of a notebook, each line without its indent."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(line.strip() for c in cells if c.cell_type == "code" for line in c.source.splitlines())


def solution_blocks(path):
    """Return what stands between the markers of a solution notebook, each line without its indent."""
    return [match[0].partition("\n")[2].rpartition("\n")[0] for match in make_exercises.SOLUTION.finditer(code(path))]


def test_a_marked_block_becomes_a_stub_and_hidden_tests_go():
    assert exercise_source(SOLVED) == (
        'def double(n):\n    # YOUR CODE HERE\n    raise NotImplementedError("not started yet")'
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", "belong inside a function"),
        ("def f():\n    ### BEGIN SOLUTION\n    return 1", "BEGIN SOLUTION has no partner"),
        ("x = 1\n### END SOLUTION", "END SOLUTION has no partner"),
        ("### BEGIN HIDDEN TESTS\nassert x", "BEGIN HIDDEN TESTS has no partner"),
    ],
)
def test_markers_that_would_leak_or_stop_run_all_are_refused(source, message):
    with pytest.raises(ValueError, match=message):
        exercise_source(source)


def test_an_exercise_keeps_ids_and_grading_but_nothing_of_a_run():
    graded = {"nbgrader": {"grade_id": "ex_00_1", "solution": True}}
    ran = nbformat.v4.new_code_cell(
        SOLVED,
        id="ex-1",
        execution_count=3,
        metadata={**graded, "execution": {"iopub.execute_input": "2026-01-01T00:00:00Z"}},
    )
    ran.outputs = [nbformat.v4.new_output("stream", text="4")]
    hint = nbformat.v4.new_markdown_cell("The answer is n + n.", metadata={"tags": ["solution-only"]})
    made = make_exercises.exercise(notebook(hint, ran))
    assert [(cell.id, cell.metadata, cell.outputs, cell.execution_count) for cell in made.cells] == [
        ("ex-1", graded, [], None)
    ]


def test_only_what_the_learner_gets_makes_an_exercise_stale(tmp_path):
    solutions, exercises = tmp_path / "solutions", tmp_path / "exercises"
    solutions.mkdir(), exercises.mkdir()
    text, code = nbformat.v4.new_markdown_cell("# Try"), nbformat.v4.new_code_cell(SOLVED)
    nbformat.write(notebook(text, code), solutions / "00_a.ipynb")
    late = ["exercises/00_a.ipynb: not what solutions/00_a.ipynb generates"]
    assert make_exercises.stale(solutions, exercises) == late
    (exercises / "00_a.ipynb").write_text(make_exercises.generate(solutions / "00_a.ipynb"), "utf-8", newline="\n")
    code.execution_count, code.source = 7, SOLVED.replace("n + n", "2 * n")
    nbformat.write(notebook(text, code), solutions / "00_a.ipynb")
    assert make_exercises.stale(solutions, exercises) == []
    text.source = "# Try this"
    nbformat.write(notebook(text, code), solutions / "00_a.ipynb")
    assert make_exercises.stale(solutions, exercises) == late


def test_the_committed_exercises_are_what_the_solutions_generate():
    command = [sys.executable, ROOT / "solutions" / "make_exercises.py", "--check"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "exercises/ is what solutions/ generates\n")


@each(SOLUTIONS)
def test_no_solution_stands_anywhere_in_its_exercise(path):
    given = code(ROOT / "exercises" / path.name)
    blocks = solution_blocks(path)
    assert len(blocks) >= 3 and [block for block in blocks if not block.strip() or block in given] == []


@each(EXERCISES)
def test_an_untouched_exercise_runs_to_its_end_and_says_not_started(path):
    untouched = nbformat.read(path, as_version=4)
    NotebookClient(
        untouched, timeout=120, kernel_name="python3", resources={"metadata": {"path": path.parent}}
    ).execute()
    shown = [
        output.data["text/plain"] for cell in untouched.cells for output in cell.get("outputs", []) if "data" in output
    ]
    stubs = sum(make_exercises.STUB in cell.source for cell in untouched.cells)
    assert sum("Not started yet" in text for text in shown) == stubs > 0
