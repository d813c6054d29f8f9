"""pyproject.toml, constraints.txt and environment.yml say the same, and tie nobody to one index."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
PINS = [Requirement(line) for line in CONSTRAINTS.splitlines()]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
CONDA_NAMES = {"matplotlib-base": "matplotlib"}  # the same library; conda's `matplotlib` brings a window toolkit
EVERY = [Requirement(text) for text in [*PROJECT["dependencies"], *EXTRAS["lab"], *EXTRAS["test"], *EXTRAS["train"]]]
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]


def name_of(requirement):
    return re.sub("[-_.]+", "-", requirement.name).lower()


def test_constraints_hold_names_versions_and_markers_only():
    assert "://" not in CONSTRAINTS
    assert [str(pin) for pin in PINS if pin.url or not re.fullmatch(r"==[\w.]+", str(pin.specifier))] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_each_dependency_is_pinned_once_within_its_bounds(python):
    here = {**default_environment(), "python_version": python, "python_full_version": f"{python}.9"}
    wanted = {name_of(need): need.specifier for need in EVERY if not need.marker or need.marker.evaluate(here)}
    pins = [pin for pin in PINS if name_of(pin) in wanted and (not pin.marker or pin.marker.evaluate(here))]
    assert sorted(map(name_of, pins)) == sorted(wanted)
    outside = [str(pin) for pin in pins if not wanted[name_of(pin)].contains(str(pin.specifier).lstrip("="))]
    assert outside == [], "make it anew; CONTRIBUTING.md has the command"


@pytest.mark.parametrize("need", EVERY, ids=str)
def test_each_dependency_has_a_lower_and_an_upper_bound(need):
    assert sorted(specifier.operator for specifier in need.specifier) == ["<", ">="]


def test_environment_yml_equals_the_dependencies_and_the_lab_extra():
    listed = [entry for entry in CONDA["dependencies"] if isinstance(entry, str) and "=" in entry]
    conda = [Requirement(entry) for entry in listed if not entry.startswith("python=")]
    needs = [Requirement(text) for text in [*PROJECT["dependencies"], *EXTRAS["lab"]]]
    assert {CONDA_NAMES.get(name_of(need), name_of(need)): need.specifier for need in conda} == {
        name_of(need): need.specifier for need in needs
    }


def test_environment_yml_names_one_python_that_the_kit_supports_and_installs_the_kit_last():
    [python] = [entry.split("=")[1] for entry in CONDA["dependencies"] if str(entry).startswith("python=")]
    assert SpecifierSet(PROJECT["requires-python"]).contains(python)
    assert re.fullmatch(r"3\.\d+", python), "Binder reads a range as its lowest Python"
    assert CONDA["dependencies"][-1] == {"pip": ["-e ."]}


def test_no_lock_file_and_no_binder_folder_stand_in_the_way():
    assert [name for name in ("uv.lock", "pylock.toml", "requirements.txt", "binder") if (ROOT / name).exists()] == []
