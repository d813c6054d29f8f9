"""A coding agent in small: three tools over a program in memory, and a story in which the first edit breaks a test.

The tests run in a process of their own, with limits of time, memory and output. That is no prison: what runs there can
do what you can. So edits need somebody's approval, and nothing that a model wrote is run without it.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from reactkit.loop import solve
from reactkit.models import Scripted
from reactkit.prompts import REACT, Exemplars
from reactkit.runs import Run
from reactkit.shipped import shipped
from reactkit.tasks import Task
from reactkit.tools import Refused, Tool, Toolbox

__all__ = ["CodingStory", "Project", "coding_story"]


class Project:
    """Files in memory, by name, and what an agent may do to them. A test is a `test_…` function in tests.py."""

    def __init__(self, files: Mapping[str, str], seconds: float = 20):
        self.given, self.files, self.seconds = dict(files), dict(files), seconds

    def tools(self, approve: Callable | None = None) -> Toolbox:
        """Return the three tools; where there is nobody to `approve` edits, there are none. Its reset undoes edits."""
        tools = [self.read_file, Tool(self.replace_text, changes=True), self.run_tests]
        return Toolbox(tools, lambda: self.files.update(self.given), approve)

    def read_file(self, path: str) -> str:
        """Return the text of a file."""
        if path not in self.files:
            raise Refused(f"There is no file {path!r:.80}. Files are: {', '.join(self.files)}.")
        return self.files[path]

    def replace_text(self, path: str, old: str, new: str) -> str:
        """Put a new text in the place of an old one, which must occur exactly once in the file."""
        text = self.read_file(path)
        if text.count(old) != 1:
            raise Refused(f"The old text occurs {text.count(old)} times in {path}; quote one that occurs exactly once.")
        self.files[path] = text.replace(old, new)
        return f"{path} is changed."

    def run_tests(self) -> str:
        """Run all tests and say which failed."""
        command = [sys.executable, "-I", "-B", "-X", "utf8", "-c", "\n".join(shipped("coding.json")["runner"])]
        kept = {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}  # all of the environment that Python needs, on Windows
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder, TemporaryFile() as sink:
            for path, text in self.files.items():
                Path(folder, path).write_text(text, encoding="utf-8")
            streams = {"stdin": subprocess.DEVNULL, "stdout": sink, "stderr": sink}
            ended = subprocess.run(command, cwd=folder, env=kept, timeout=self.seconds, **streams).returncode
            sink.seek(0)
            told = sink.read(4000).decode("utf-8", "replace").replace("\r\n", "\n").strip()
        return f"{told}\nThe tests broke off with exit code {ended}.".strip() if ended else told


@dataclass(frozen=True, slots=True)
class CodingStory:
    """A task in a program, and the scripted replies of a model that mends it in two edits."""

    task: Task
    project: Project
    replies: tuple[str, ...]

    def run(self, approve: Callable = lambda edit: True) -> Run:
        """Return the run of the story from its script; both edits were read by people, so by default they pass."""
        tools, opening = self.project.tools(approve), shipped("coding.json")["instruction"]
        shown = Exemplars(instruction=f"{opening}\n{tools.prompt_lines()}\nFinish[…]: Give the answer.")
        return solve(self.task, REACT, Scripted(self.replies), tools, shown)


def coding_story() -> CodingStory:
    """Return the story of the tide table: its clock forgets that a day ends, and the first remedy forgets noon."""
    stored = shipped("coding.json")
    project = Project({path: "\n".join(rows) + "\n" for path, rows in stored["files"].items()})
    return CodingStory(Task(stored["question"], stored["answer"], name="tide table"), project, tuple(stored["replies"]))
