"""Run notebooks and solutions anew, write them in one normal form, and generate what is made from them.

python start.py refresh [NOTEBOOK ...]        run these, or all, then generate the exercises and checksums
python start.py refresh --check               run nothing, write nothing; say what is not as it should be
python start.py refresh --checksums           only renew reactkit/data/checksums.json
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "solutions")]

import make_exercises  # noqa: E402

from reactkit.doctor import DATA, checksums  # noqa: E402

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python", "pygments_lexer": "ipython3"}


def executed_notebooks() -> list[Path]:
    """Return the notebooks that are committed with their outputs."""
    return sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*.ipynb")])


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run all cells in a fresh kernel that starts in `folder`; outputs land in the notebook."""
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()


def as_before_use(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the notebook without what JupyterLab adds when it opens, runs and saves one."""
    kept = {key: value for key, value in notebook.metadata.items() if key not in ("widgets", "signature")}
    notebook.metadata = nbformat.from_dict({**kept, **KERNEL, "language_info": LANGUAGE})
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        output.get("data", {}).pop(WIDGET_VIEW, None)
    hide_answers(notebook)  # running a cell unfolds it
    return notebook


def normalise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the notebook without what changes from machine to machine and run to run."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells, start=1):
        cell.setdefault("id", f"cell-{number}")
        for passing in ("execution", "ExecuteTime", "collapsed", "scrolled"):
            cell.metadata.pop(passing, None)
    return as_before_use(notebook)


def hide_answers(notebook: nbformat.NotebookNode) -> None:
    """Fold the output after each prediction: nobody reads the answer first, and JupyterLab unfolds it on running."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for asked, told in zip(code, code[1:]):
        if re.search(r"^predict\(", asked.source, re.MULTILINE):
            told.metadata["jupyter"] = {**told.metadata.get("jupyter", {}), "outputs_hidden": True}


def text_of(notebook: nbformat.NotebookNode) -> str:
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def flaws(path: Path) -> Iterator[str]:
    """Yield what keeps an executed notebook from being committed."""
    notebook = nbformat.read(path, as_version=4)
    counts = [
        cell.execution_count
        for cell in notebook.cells
        if cell.cell_type == "code" and "nbval-skip" not in cell.metadata.get("tags", [])
    ]
    if counts != list(range(1, len(counts) + 1)):
        yield f"{path.name}: its cells were not run in order from a fresh kernel, but as {counts}"
    saved = text_of(as_before_use(notebook))
    if text_of(normalise(notebook)) != saved:
        yield f"{path.name}: not in the normal form"


def write(path: Path, text: str) -> None:
    """Write UTF-8 with \\n line ends, and only where something changed."""
    if not path.exists() or path.read_bytes() != text.encode("utf-8"):
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"  wrote {path.relative_to(ROOT).as_posix()}")


def refresh(path: Path) -> bool:
    """Run one notebook and write it; print its seconds. An error leaves the file as it was."""
    notebook = nbformat.read(path, as_version=4)
    begun = time.monotonic()
    try:
        execute(notebook, path.parent)
    except CellExecutionError as error:
        print(f"FAILED {path.relative_to(ROOT).as_posix()}\n{error}")
        return False
    print(f"{time.monotonic() - begun:6.1f} s  {path.relative_to(ROOT).as_posix()}", flush=True)
    write(path, text_of(normalise(notebook)))
    return True


def write_checksums() -> None:
    """Renew the checksums and name each data file that is another one now: each is yours to answer for."""
    listed = DATA / "checksums.json"
    before = json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else {}
    for name in sorted({name for name, _ in before.items() ^ checksums().items()}):
        print(f"  changed reactkit/data/{name}")
    write(DATA / "checksums.json", json.dumps(checksums(), indent=1) + "\n")


def check() -> list[str]:
    """Return all that is not as a refresh leaves it, without running anything."""
    listed = DATA / "checksums.json"
    current = listed.exists() and json.loads(listed.read_text(encoding="utf-8")) == checksums()
    stale = [] if current else ["reactkit/data/checksums.json: other files or contents"]
    return [flaw for path in executed_notebooks() for flaw in flaws(path)] + make_exercises.stale() + stale


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--checksums", action="store_true")
    asked = parser.parse_args()
    if asked.check:
        found = check()
        print("\n".join(found) or "all is as a refresh leaves it")
        return bool(found)
    write_checksums()
    if asked.checksums:
        return 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["IPYTHONDIR"], os.environ["JUPYTER_PREFER_ENV_PATH"] = home, "1"
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "tests" / "offline"), str(ROOT)])  # as under test
        done = [refresh(path.resolve()) for path in asked.notebooks or executed_notebooks()]
    make_exercises.main([])
    return not all(done)


if __name__ == "__main__":
    sys.exit(main())
