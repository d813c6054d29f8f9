"""Generate exercises/ from solutions/, the one source.

    python solutions/make_exercises.py           write exercises/*.ipynb
    python solutions/make_exercises.py --check   write nothing; exit 1 and name what is stale

Between `### BEGIN SOLUTION` and `### END SOLUTION`, inside a function, stands what the learner is to write. It becomes
a "not started yet" error, which the check of the exercise reports calmly, so that Run All goes on.
Cells tagged solution-only and blocks between `### BEGIN HIDDEN TESTS` and `### END HIDDEN TESTS` are left out.
"""

import re
import sys
from pathlib import Path

import nbformat

HERE = Path(__file__).resolve().parent
EXERCISES = HERE.parent / "exercises"
YOURS = "# YOUR CODE HERE"
STUB = 'raise NotImplementedError("not started yet")'
SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)
HIDDEN = re.compile(r"^[ \t]*### BEGIN HIDDEN TESTS.*?^[ \t]*### END HIDDEN TESTS[ \t]*\n?", re.M | re.S)


def stub(match: re.Match) -> str:
    """Return what stands in an exercise for one marked block, at the block's own indent."""
    if not match[1]:
        raise ValueError(f"the markers belong inside a function, or Run All would stop here:\n{match[0]}")
    return f"{match[1]}{YOURS}\n{match[1]}{STUB}"


def exercise_source(source: str) -> str:
    """Return a cell's source as the learner gets it; a marker without its partner is an error."""
    stripped = HIDDEN.sub("", SOLUTION.sub(stub, source))
    left = re.search(r"### (BEGIN|END) (SOLUTION|HIDDEN TESTS)", stripped)
    if left:
        raise ValueError(f"{left[0]} has no partner in this cell:\n{source}")
    return stripped.rstrip("\n")


def exercise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the notebook as the learner gets it: stubs for solutions, nothing run; cell ids and tags stay."""
    notebook.cells = [cell for cell in notebook.cells if "solution-only" not in cell.metadata.get("tags", [])]
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.source, cell.outputs, cell.execution_count = exercise_source(cell.source), [], None
    return notebook


def generate(source: Path) -> str:
    """Return the text of the exercise notebook made from one solution notebook."""
    notebook = exercise(nbformat.read(source, as_version=4))
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def stale(solutions: Path = HERE, exercises: Path = EXERCISES) -> list[str]:
    """Return the exercise notebooks that differ from what their solutions generate, or have none."""
    wanted = {path.name: generate(path).encode("utf-8") for path in solutions.glob("*.ipynb")}
    present = {path.name: path.read_bytes() for path in exercises.glob("*.ipynb")}
    names = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    return [f"exercises/{name}: not what solutions/{name} generates" for name in names]


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        found = stale()
        print("\n".join(found) or "exercises/ is what solutions/ generates")
        return bool(found)
    EXERCISES.mkdir(exist_ok=True)
    for name in {path.name for path in EXERCISES.glob("*.ipynb")} - {path.name for path in HERE.glob("*.ipynb")}:
        (EXERCISES / name).unlink()
    for path in sorted(HERE.glob("*.ipynb")):
        (EXERCISES / path.name).write_text(generate(path), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
