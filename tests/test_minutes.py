"""The minutes at the top of a lesson are computed from its words, cells and questions, not felt."""

import re
from pathlib import Path

import nbformat
import pytest

LESSONS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


def minutes(notebook):
    """Return the estimate to the next 5: 200 words a minute, half a minute a code cell, one a question to answer."""
    found = nbformat.read(notebook, as_version=4).cells
    words = sum(len(re.sub(r"<[^>]+>", " ", cell.source).split()) for cell in found if cell.cell_type == "markdown")
    code = [cell.source for cell in found if cell.cell_type == "code"]
    asked = sum(len(re.findall(r"^(?:predict|quiz)\(", source, re.MULTILINE)) for source in code)
    return max(5, 5 * round((words / 200 + 0.5 * len(code) + asked) / 5))


@pytest.mark.parametrize("notebook", LESSONS, ids=lambda notebook: notebook.stem)
def test_the_stated_minutes_are_the_computed_ones_and_under_thirty(notebook):
    stated = re.search(r"About (\d+) minutes", nbformat.read(notebook, as_version=4).cells[0].source)
    assert stated, "the first cell states no minutes"
    assert (int(stated[1]), minutes(notebook) <= 30) == (minutes(notebook), True)
