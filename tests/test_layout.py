"""The shape of the house: floors, third parties, sizes, checksums, and what no committed file may hold.

`python -m pytest tests/test_layout.py -s` prints the table of sizes.
"""

import ast
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from reactkit.doctor import checksums

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "reactkit"
MODULES = sorted(PACKAGE.glob("**/*.py"))
FLOORS = {
    "errors": 0, "metrics": 0, "marks": 0, "literals": 0, "sentences": 0, "titles": 0, "progress": 0,
    "shipped": 1, "likeness": 1, "wikitext": 1, "trajectory": 1, "actions": 1, "calculator": 1,
    "paper": 2, "encyclopedia": 2, "coinage": 2, "prompts": 2, "models": 2, "labels": 2, "signatures": 2,
    "dumps": 3, "tools": 3, "tasks": 3, "runs": 3, "wire": 3, "replies": 3, "frozen": 3,
    "guards": 4, "live": 4, "messages": 4, "mediawiki": 4, "freezer": 4, "recordings": 4,
    "inputs": 4, "atlas": 4, "freeze": 5, "loop": 5, "routes": 5, "wikipedia": 5, "adapters": 4, "servers": 5,
    "stories": 6, "teaching": 7, "tuning": 8, "expert": 6, "coding": 6, "costs": 6, "contexts": 6,
    "plots": 7, "views": 7, "questions": 7, "checks": 7, "doctor": 7, "audit": 7, "votes": 7,
    "measures": 8, "foresee": 8, "play": 8,
    "laboratory": 9, "evaluation": 9, "browse": 9, "agreement": 9,
    "failures": 10, "annotator": 10, "figures": 10,
    "reports": 11, "__main__": 12, "__init__": 12,
}  # fmt: skip
THIRD_PARTIES = {  # package: the modules that may import it
    "httpx": {"live", "wikipedia"},
    "matplotlib": {"plots"},
    "ipywidgets": {"play"},
    "anywidget": {"annotator", "play"},
    "traitlets": {"annotator"},
    "IPython": {"play", "checks"},
    "jupyter_client": {"doctor"},
    "mwparserfromhell": {"wikitext"},
    "xllamacpp": {"servers"},
    "gguf": {"adapters"},
    "torch": {"tuning"},
    "transformers": {"tuning"},
    "peft": {"tuning"},
}
HEAVY = ["httpx", "matplotlib", "ipywidgets", "anywidget", "numpy", "IPython", "xllamacpp", "torch", "gguf"]
HOSTS = [("pypi", ".org"), ("python", "hosted"), ("registry", ".npmjs"), ("deb", ".debian")]
LINES_IN_ALL, LINES_IN_A_MODULE, LINES_IN_A_FUNCTION, MEDIAN_OF_FUNCTIONS = 7900, 200, 30, 6


def imports(path):
    """Yield the dotted name of each thing that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def own_imports(path):
    for name in imports(path):
        assert not name.startswith("."), f"{path.name}: write imports of the kit in full, not as {name}"
        if name.split(".")[0] == "reactkit":
            yield next((part for part in name.split(".")[1:2] if part in FLOORS), "__init__")


def nonblank(text):
    return sum(bool(line.strip()) for line in text.splitlines())


def functions(path):
    """Return the non-blank lines of each function or method, its docstring not counted."""
    text = path.read_text(encoding="utf-8")
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {f"{path.stem}.{n.name}": length(n, text) for n in ast.walk(ast.parse(text)) if isinstance(n, kinds)}


def length(node, text):
    documented = nonblank(ast.get_source_segment(text, node.body[0])) if ast.get_docstring(node) else 0
    return nonblank(ast.get_source_segment(text, node)) - documented


def committed():
    """Return each file that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True)
    if listed.returncode:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("git does not list the files of this folder")
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def texts():
    for path in committed():
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            assert path.suffix == ".png", f"{path.name} is not UTF-8 text"


def test_every_module_has_its_floor():
    assert {path.stem for path in MODULES} - FLOORS.keys() == set(), "give the new module a floor in FLOORS"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_imports_point_to_lower_floors_only(path):
    upward = {name for name in own_imports(path) if FLOORS[name] >= FLOORS[path.stem]}
    assert upward == set(), f"{path.stem} is on floor {FLOORS[path.stem]}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_third_parties_stay_where_they_belong(path):
    roots = {name.split(".")[0] for name in imports(path)} - sys.stdlib_module_names - {"reactkit"}
    assert {root for root in roots if path.stem not in THIRD_PARTIES.get(root, ())} == set()


def test_importing_the_kit_loads_nothing_heavy():
    program = f"import sys, reactkit; print([name for name in {HEAVY} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


def test_the_package_stays_small(capsys):
    files = MODULES + sorted(PACKAGE.glob("**/*.js")) + sorted(PACKAGE.glob("**/*.css"))
    sizes = {path.relative_to(PACKAGE).as_posix(): nonblank(path.read_text(encoding="utf-8")) for path in files}
    lengths = {name: lines for path in MODULES for name, lines in functions(path).items()}
    total, median = sum(sizes.values()), statistics.median(lengths.values())
    rows = [f"{lines:6}  {name}" for name, lines in sorted(sizes.items(), key=lambda row: -row[1])]
    table = "\n".join([*rows, f"{total:6}  of {LINES_IN_ALL}; {len(lengths)} functions, median {median} lines"])
    print(f"\n{table}")
    assert total <= LINES_IN_ALL, table
    assert {name for name, lines in sizes.items() if lines > LINES_IN_A_MODULE} == set(), table
    assert {name: lines for name, lines in lengths.items() if lines > LINES_IN_A_FUNCTION} == {}
    assert median <= MEDIAN_OF_FUNCTIONS, table


def test_data_match_their_checksums():
    listed = json.loads((PACKAGE / "data" / "checksums.json").read_text(encoding="utf-8"))
    changed = sorted({name for name, _ in listed.items() ^ checksums().items()})
    assert changed == [], "if each change is meant: python start.py refresh --checksums"


def test_no_file_names_this_machine_or_a_registry():
    roots = "|".join(("work", "farm", "tmp", "home", "Users"))  # in pieces, so that this file passes too
    places = rf"(?<![\w.:])/({roots})/|/root/\.|[A-Z]:\\Users"
    hosts = "|".join(re.escape(name + end) for name, end in HOSTS)
    matches = {name: re.search(f"{places}|{hosts}", text) for name, text in texts()}
    assert {name: match[0] for name, match in matches.items() if match} == {}


def test_every_text_file_has_unix_line_ends_and_closes_its_last_line():
    assert [name for name, text in texts() if "\r" in text or (text and not text.endswith("\n"))] == []


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_lint_and_format_are_clean(command):
    ran = subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
