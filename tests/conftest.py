"""What all tests share: no network but loopback, a Jupyter home of their own, the way to the real data."""

import os
import runpy
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OFFLINE = ROOT / "tests" / "offline"

# At import, not in a fixture: collection and notebook cells, which use no fixtures, are covered too.
runpy.run_path(str(OFFLINE / "sitecustomize.py"))


def pytest_configure(config):
    config.stash["home"] = home = tempfile.TemporaryDirectory(prefix="reactkit-tests-", ignore_cleanup_errors=True)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(OFFLINE), str(ROOT)])
    os.environ["IPYTHONDIR"] = str(Path(home.name) / "ipython")
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # a kernel `python3` of the user's must not stand in for ours


def pytest_unconfigure(config):
    config.stash["home"].cleanup()


def shared(name, environ=os.environ):
    """Return the folder of real inputs called `name`; where it is absent, skip, and fail in CI."""
    folder = Path(environ.get("REACTKIT_SHARED") or ROOT.parent / "shared") / name
    if folder.is_dir():
        return folder
    message = f"no real inputs at {folder}; set REACTKIT_SHARED to the folder that holds {name}/"
    if environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def real_data():
    """The folder of real data, read in place: prompts, trajectories, questions, Wikipedia answers."""
    return shared("data")


@pytest.fixture(scope="session")
def real_cases():
    """The folder of real model replies and what a reader should make of them."""
    return shared("cases")
