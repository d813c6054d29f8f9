"""Lesson 14 with a real model: its optional cell, switched on, after `python start.py local --install-only`."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from reactkit import ServerError
from reactkit.servers import weights

LESSON = Path(__file__).resolve().parent.parent / "notebooks" / "14_your_own_model.ipynb"


def test_a_real_model_answers_in_lesson_14_once_its_cell_is_switched_on():
    try:
        weights()
    except ServerError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))
    notebook = nbformat.read(LESSON, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    at = next(number for number, cell in enumerate(cells) if cell.id == "14-server-local")
    cells[at].source = cells[at].source.replace("LIVE = False", "LIVE = True")
    notebook.cells = cells[: at + 1]
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(LESSON.parent)}}).execute()
    told = notebook.cells[-1].outputs[-1].get("data", {}).get("text/plain", "nothing")
    assert told.endswith("(model calls: 1; live · SmolLM2-135M-Instruct)"), told
