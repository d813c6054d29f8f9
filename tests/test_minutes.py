"""The minutes at the top of a lesson are computed from its words, cells, questions and own work, not felt."""

import re
from pathlib import Path

import nbformat
import pytest

LESSONS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


def minutes(notebook):
    """Return the estimate to the next 5.

    200 words a minute; half a minute a code cell; one a question to answer; three a cell tagged your-turn, in which
    the reader plays or writes.
    """
    found = nbformat.read(notebook, as_version=4).cells
    words = sum(len(re.sub(r"<[^>]+>", " ", cell.source).split()) for cell in found if cell.cell_type == "markdown")
    code = [cell for cell in found if cell.cell_type == "code"]
    asked = sum(len(re.findall(r"^(?:predict|quiz)\(", cell.source, re.MULTILINE)) for cell in code)
    yours = sum("your-turn" in cell.metadata.get("tags", []) for cell in code)
    return max(5, 5 * round((words / 200 + 0.5 * len(code) + asked + 3 * yours) / 5))


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda notebook: notebook.stem)
def test_the_stated_minutes_are_the_computed_ones_and_under_thirty(notebook):
    stated = re.search(r"About (\d+) minutes", nbformat.read(notebook, as_version=4).cells[0].source)
    assert stated, "the first cell states no minutes"
    assert (int(stated[1]), minutes(notebook) <= 30) == (minutes(notebook), True)


def test_a_cell_in_which_the_reader_writes_counts_three_minutes_more(tmp_path):
    code = nbformat.v4.new_code_cell("x = 1")
    cells = [nbformat.v4.new_code_cell("x = 1") for _ in range(9)]
    nbformat.write(nbformat.v4.new_notebook(cells=[*cells, code]), tmp_path / "a.ipynb")
    code.metadata["tags"] = ["your-turn"]
    nbformat.write(nbformat.v4.new_notebook(cells=[*cells, code]), tmp_path / "b.ipynb")
    assert (minutes(tmp_path / "a.ipynb"), minutes(tmp_path / "b.ipynb")) == (5, 10)
