"""The doctor names what is missing and how to mend it."""

import platform
import subprocess
import sys
from functools import partial
from importlib import metadata

import pytest

from reactkit import doctor
from reactkit.doctor import Check, check, checksums, data, examine, report


def version_of(name):
    try:
        return {"ipywidgets": "8.1.9", "matplotlib": "3.8", "nothing-said": "1"}[name]
    except KeyError:
        raise metadata.PackageNotFoundError(name) from None


@pytest.mark.parametrize(
    ("need", "ok", "detail"),
    [
        ("ipywidgets>=8.1,<9", True, "8.1.9, wanted >=8.1,<9"),
        ("ipywidgets<9,>=8.1", True, "8.1.9, wanted <9,>=8.1"),
        ("ipywidgets>=8.1.10,<9", False, "8.1.9, wanted >=8.1.10,<9"),
        ("ipywidgets>=7,<8", False, "8.1.9, wanted >=7,<8"),
        ("matplotlib>=3.9,<4", False, "3.8, wanted >=3.9,<4"),
        ("matplotlib>=3.8,<4", True, "3.8, wanted >=3.8,<4"),
        ("nothing-said", True, "1"),
        ("jupyterlab>=4", False, "No package metadata was found for jupyterlab"),
    ],
)
def test_a_package_is_held_against_its_bounds(need, ok, detail):
    assert check("it", partial(doctor.package, need, version_of), "install") == Check("it", ok, detail, "install")


def test_data_are_whole_until_a_file_changes_comes_or_goes(tmp_path):
    (tmp_path / "a.json").write_bytes(b"1\r\n")
    (tmp_path / "b.json").write_bytes(b"2\n")
    listed = str(checksums(tmp_path)).replace("'", '"')
    (tmp_path / "checksums.json").write_text(listed, encoding="utf-8")
    assert check("data", partial(doctor.data, tmp_path), "").detail == "2 files, whole"
    (tmp_path / "a.json").write_bytes(b"1\n")  # only the line end: the same text
    (tmp_path / "b.json").unlink()
    (tmp_path / "c.json").write_bytes(b"3\n")
    found = check("data", partial(doctor.data, tmp_path), "take it anew")
    assert found == Check("data", False, "changed: b.json, c.json", "take it anew")


def no_kernel():
    raise KeyError("python3")


@pytest.mark.parametrize(
    ("command", "ok", "detail"),
    [
        (lambda: "python", True, "python3 is this Python"),
        (lambda: sys.executable, True, "python3 is this Python"),
        (lambda: "/usr/lib/other/bin/python3", False, "python3 is another Python"),
        (no_kernel, False, "'python3'"),
    ],
)
def test_the_kernel_is_this_python(command, ok, detail):
    assert check("kernel", partial(doctor.kernel, command), "") == Check("kernel", ok, detail, "")


def test_notebooks_are_found_from_the_kit_and_from_beside_it(tmp_path):
    (tmp_path / "notebooks").mkdir()
    assert not check("notebooks", partial(doctor.notebooks, tmp_path), "").ok
    (tmp_path / "notebooks" / "00_welcome.ipynb").touch()
    for folder in (tmp_path, tmp_path / "notebooks", tmp_path / "exercises"):
        assert doctor.notebooks(folder) == "1 found"


def test_a_folder_that_cannot_be_written_fails(tmp_path):
    assert check("folder", partial(doctor.writable, tmp_path), "").ok
    assert not check("folder", partial(doctor.writable, tmp_path / "absent"), "").ok


def test_a_port_that_cannot_be_had_fails():
    assert check("loopback", doctor.loopback, "").ok
    assert not check("loopback", partial(doctor.loopback, "256.0.0.1"), "").ok


def test_the_report_gives_remedies_only_where_something_failed():
    bad = Check("colour", False, "grey", "paint it")
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}\n"
    assert report([Check("size", True, "10", "grow"), bad]) == (
        f"{python}OK    size: 10\nFAIL  colour: grey\n      Remedy: paint it\n1 of 2 checks failed."
    )
    assert report([Check("size", True, "10", "grow")]) == f"{python}OK    size: 10\nAll 1 checks passed."


def test_whatever_a_check_raises_is_a_failed_check(tmp_path):
    (tmp_path / "checksums.json").write_text("{", encoding="utf-8")
    found = check("data", lambda: data(tmp_path), "take it anew")
    assert (found.ok, found.detail.startswith("Expecting property name")) == (False, True)


def test_the_report_fits_one_screen_even_where_all_fails():
    lines = report([Check(c.name, False, c.detail, c.remedy) for c in examine()]).splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 79
    assert len(report(examine()).splitlines()) <= 20


@pytest.mark.parametrize(("arguments", "status"), [(["doctor"], 0), ([], 1), (["nurse"], 1)])
def test_the_command_says_how_it_went_by_its_exit_status(arguments, status, request):
    ran = subprocess.run(
        [sys.executable, "-m", "reactkit", *arguments], capture_output=True, cwd=request.config.rootpath
    )
    assert ran.returncode == status, ran.stdout + ran.stderr
