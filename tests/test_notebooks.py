"""What nbval does not look at: cells never run, pictures without words, stray numbers, dead links."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from reactkit.paper import known

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "tools"))

import refresh  # noqa: E402

LESSONS = sorted(ROOT.glob("notebooks/*.ipynb"))
SOLUTIONS = sorted(ROOT.glob("solutions/*.ipynb"))
EXERCISES = sorted(ROOT.glob("exercises/*.ipynb"))
PAGES = [*LESSONS, *SOLUTIONS, *EXERCISES, *sorted(ROOT.glob("*.md"))]
IGNORED_OUTPUTS = {}  # (file, cell id): why its output cannot be compared
NOT_OF_THE_PAPER = {  # a figure in prose: why it is not among the paper's numbers
    "3.10": "the oldest Python that the kit runs on",
    "4.0": "the version of the Creative Commons licence",
    "2210.03629": "the paper's arXiv number",
}
FIGURE = re.compile(r"(?<![\w.])(?<!Python )(?<!ection )(?<!§)(?:\d+(?:,\d{3})*\.\d+|\d+(?=\s?%))(?!\.?\w)(?:\s?%)?")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)|(?:src|href)=\"([^\"]+)\"")
NAMELESS = r"<(Figure size .*|[\w.]+ object( at .*)?)>"  # what Python prints where nobody wrote a repr
FENCED = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.M | re.S)


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.relative_to(ROOT).as_posix())


def cells(path, kind):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def prose(path):
    """Return the Markdown of a notebook or page, without its fenced code."""
    notebook = path.suffix == ".ipynb"
    text = "\n\n".join(c.source for c in cells(path, "markdown")) if notebook else path.read_text(encoding="utf-8")
    return FENCED.sub("", text)


def tags(cell):
    return set(cell.metadata.get("tags", []))


def outputs(path):
    for cell in cells(path, "code"):
        for output in cell.outputs:
            yield cell, output


def test_there_are_lessons_and_solutions():
    assert LESSONS and SOLUTIONS


@each([*LESSONS, *SOLUTIONS])
def test_a_notebook_is_committed_as_refresh_leaves_it(path):
    assert list(refresh.flaws(path)) == [], "somebody worked in it; python start.py refresh puts it in order"


@each([*LESSONS, *SOLUTIONS])
def test_what_git_holds_has_no_widget_state_and_no_trace_of_a_machine(path):
    name = path.relative_to(ROOT).as_posix()
    shown = subprocess.run(["git", "show", f"HEAD:{name}"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    if shown.returncode:
        pytest.skip("this is no git clone, or the notebook was never committed")
    assert refresh.text_of(refresh.normalise(nbformat.reads(shown.stdout, as_version=4))) == shown.stdout, (
        "python start.py refresh"
    )


def test_a_notebook_that_jupyterlab_opened_and_saved_is_still_as_refresh_leaves_it(tmp_path):
    notebook = refresh.normalise(nbformat.read(LESSONS[0], as_version=4))
    notebook.metadata["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    notebook.metadata["language_info"].update(version="3.12.1", codemirror_mode={"name": "ipython", "version": 3})
    shown = next(output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output)
    shown.data[refresh.WIDGET_VIEW] = {"model_id": "f00", "version_major": 2, "version_minor": 0}
    folded = next(cell for cell in notebook.cells if "outputs_hidden" in cell.metadata.get("jupyter", {}))
    folded.metadata = {}
    nbformat.write(notebook, tmp_path / "saved.ipynb")
    assert list(refresh.flaws(tmp_path / "saved.ipynb")) == []


@each(EXERCISES)
def test_an_exercise_is_committed_before_it_was_run(path):
    assert [cell.id for cell in cells(path, "code") if cell.outputs or cell.execution_count] == []


@each([*LESSONS, *SOLUTIONS, *EXERCISES])
def test_a_notebook_is_valid_and_each_of_its_cells_is_python(path):
    nbformat.validate(nbformat.read(path, as_version=4))
    ids = [cell["id"] for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]  # read() would mend doubles
    assert sorted(set(ids)) == sorted(ids)
    for cell in cells(path, "code"):
        source = TransformerManager().transform_cell(cell.source)
        compile(source, f"{path.name}, cell {cell.id}", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


@each([*LESSONS, *SOLUTIONS])
def test_no_output_is_an_unexpected_error_or_a_warning(path):
    errors = [
        c.id for c, output in outputs(path) if output.output_type == "error" and "raises-exception" not in tags(c)
    ]
    warnings = [cell.id for cell, output in outputs(path) if output.get("name") == "stderr"]
    assert (errors, warnings) == ([], [])


@each([*LESSONS, *SOLUTIONS])
def test_every_view_and_picture_has_words_beside_it(path):
    shown = [(cell.id, output.data) for cell, output in outputs(path) if "data" in output]
    bare = [name for name, data in shown if not data.get("text/plain", "").strip()]
    unnamed = [name for name, data in shown if re.fullmatch(NAMELESS, data.get("text/plain", ""))]
    assert (bare, unnamed) == ([], [])


@each([*LESSONS, *SOLUTIONS])
def test_outputs_are_compared_except_the_few_that_say_why(path):
    ignored = {(path.name, cell.id) for cell in cells(path, "code") if "nbval-ignore-output" in tags(cell)}
    assert ignored <= IGNORED_OUTPUTS.keys()
    assert [cell.id for cell in cells(path, "code") if "NBVAL_" in cell.source] == [], (
        "use tags; readers do not see them"
    )


@each(PAGES)
def test_headings_begin_at_the_top_and_skip_no_rank(path):
    ranks = [len(marks) for marks in re.findall(r"^(#{1,6}) ", prose(path), re.M)]
    assert ranks[:1] == [1]
    assert [pair for pair in zip(ranks, ranks[1:]) if pair[1] > pair[0] + 1] == []


@each(LESSONS)
def test_a_lesson_begins_with_its_number_and_title(path):
    first = nbformat.read(path, as_version=4).cells[0]
    assert first.cell_type == "markdown" and first.source.startswith(f"# {path.name[:2]} · ")


@each(PAGES)
def test_every_figure_in_prose_is_the_papers_or_says_why_not(path):
    text = re.sub(r"https?://\S+", "", LINK.sub("", prose(path)))
    figures = {figure for figure in FIGURE.findall(text) if figure not in NOT_OF_THE_PAPER}
    assert {figure for figure in figures if not known(figure)} == set()


@each(PAGES)
def test_links_between_files_lead_somewhere(path):
    targets = {(one or other).split("#")[0] for one, other in LINK.findall(prose(path))}
    local = {target for target in targets if target and not re.match(r"\w+:", target)}
    assert {target for target in local if not (path.parent / target).exists()} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("27.4 and 60.9 % of 3,104.5", ["27.4", "60.9 %", "3,104.5"]),
        ("99% or 6 %, not 12", ["99%", "6 %"]),
        ("3.11.7, Python 3.12, step 2., v0.1, Section 3.2, §4.1", []),
        ("ends with 35.1.", ["35.1"]),
    ],
)
def test_figures_are_decimals_and_percentages_but_not_versions(text, found):
    assert FIGURE.findall(text) == found
