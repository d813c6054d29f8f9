"""README.md says what is so: its example prints what it shows, its tables are those of the kit, its plans add up."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from reactkit import METHODS, apple_remote

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLAN = re.compile(r"^\*\*A (\d+)-minute class\*\*.*?\n\n((?:\|.*\n)+)", re.M)


def fenced(language):
    """Return the fenced blocks in one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


def rows(text):
    """Return the cells of each table row in a text."""
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line[:1] == "|"]


def lesson_rows():
    """Return (title, file, question, minutes) of each lesson in the map."""
    found = [(re.fullmatch(r"\[(.+)\]\((notebooks/.+)\)", cells[0]), *cells[1:]) for cells in rows(README)]
    return [(link[1], link[2], question, int(time)) for link, question, time in (f for f in found if f[0])]


def ran(code):
    """Return what a fresh Python prints for `code`, from the repository's folder."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environ = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, cwd=ROOT, check=True).stdout


def test_the_example_has_ten_lines_and_prints_what_the_page_shows():
    (example,), (shown,) = fenced("python"), fenced("text")
    assert len([line for line in example.splitlines() if line.strip()]) <= 10
    assert ran(example) == shown


def test_the_four_answers_are_those_that_the_kit_gives():
    table = [cells for cells in rows(README) if cells[0] in {method.name for method in METHODS}]
    assert table == [
        [name, lines_of(run.method), f"{len(run.calls)}", f"{len(run.trajectory.by('environment'))}", run.answer]
        for name, run in apple_remote().runs().items()
    ]


def lines_of(method):
    return ", ".join(method.roles[1:]).replace("rationale", "thought")


def test_the_question_is_the_storys():
    assert f"*{apple_remote().task.text}*" in README


def test_the_map_lists_each_lesson_once():
    assert [file for _, file, _, _ in lesson_rows()] == sorted(
        f"notebooks/{p.name}" for p in ROOT.glob("notebooks/*.ipynb")
    )


@pytest.mark.parametrize(("title", "file", "question", "minutes"), lesson_rows())
def test_the_map_gives_each_lessons_own_title_question_and_minutes(title, file, question, minutes):
    first = nbformat.read(ROOT / file, as_version=4).cells[0].source
    number, name, asked = re.match(r"# (\d\d) · ([^:\n]+).*\n\n\*(.+)\*", first).groups()
    stated = int(re.search(r"About (\d+) minutes", first)[1])
    assert (title, question, minutes) == (f"{number} {name}", asked, stated)


def test_the_parts_of_each_plan_add_up():
    plans = {int(total): [int(cells[0]) for cells in rows(table)[2:]] for total, table in PLAN.findall(README)}
    assert {total: sum(parts) for total, parts in plans.items()} == {50: 50, 90: 90}


def sections():
    """Yield (lesson, its sections) for each place that a plan names, such as "Lesson 00, sections 1, 2 and 4"."""
    for lesson, named in re.findall(r"[Ll]esson (\d\d), sections? (\d+(?:(?:, | and | to )\d+)*)", README):
        digits = re.findall(r"\d+", named)
        yield lesson, {str(n) for n in range(int(digits[0]), int(digits[-1]) + 1)} if " to " in named else {*digits}


@pytest.mark.parametrize(("lesson", "named"), list(sections()))
def test_each_section_that_a_plan_names_exists(lesson, named):
    (path,) = ROOT.glob(f"notebooks/{lesson}_*.ipynb")
    prose = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
    assert named <= set(re.findall(r"^## (\d+)\. ", prose, re.M))


def test_the_teachers_table_has_each_lesson_with_the_minutes_of_the_map_and_a_question_that_is_taken_up():
    table = [cells for cells in rows(README) if re.fullmatch(r"\d\d", cells[0]) and len(cells) == 4]
    assert [(cells[0], int(cells[2])) for cells in table] == [(row[0][:2], row[3]) for row in lesson_rows()]
    answered = dict(re.findall(r"^- \*\*(\d\d), \"(.+)\"\*\*$", README, re.M))
    assert {cells[0]: cells[3].replace('"', "'") for cells in table} == answered


def test_the_first_screen_holds_picture_and_both_commands_for_two_kinds_of_system():
    first, _ = README.split("\n## ", 1)
    wanted = (
        'images/stepper.png" width="560"',
        "python start.py lab",
        "python start.py test",
        "py start.py lab",
        "py start.py test",
    )
    assert [words for words in wanted if words not in first] == []


def test_each_picture_is_there_and_has_words_for_those_who_do_not_see_it():
    pictures = re.findall(r'<img src="([^"]+)" width="\d+" alt="([^"]+)">', README)
    assert [path for path, _ in pictures if not (ROOT / path).exists()] == []
    assert len(pictures) == README.count("<img") and min(len(words.split()) for _, words in pictures) >= 10


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_each_link_leads_to_a_file_or_to_the_web(target):
    assert target.startswith("https://") or (ROOT / target).exists()


def test_each_command_that_it_names_exists():
    known = runpy.run_path(str(ROOT / "start.py"))["COMMANDS"]
    assert set(re.findall(r"start\.py (\w+)", README)) <= known.keys()


@pytest.mark.parametrize("module", re.findall(r"`(reactkit/[\w/.]+|\w+/)`", README))
def test_each_folder_and_file_that_it_names_exists(module):
    assert (ROOT / module).exists()


def test_a_collection_can_be_made_checked_and_played_in_as_the_page_says(tmp_path):
    (tmp_path / "my_texts").mkdir()
    (tmp_path / "my_texts" / "Notes.txt").write_text("They say nothing.", encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    for told in re.findall(r"^python start\.py (freeze .*)$", README, re.M):
        command = [sys.executable, "-m", "reactkit", *shlex.split(told, comments=True)]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 0
    (_, example, _) = fenced("py")
    played = example.replace('play("', 'game = play("', 1) + 'print(game.act("Search[Notes]"))'
    command = [sys.executable, "-c", played]
    ran = subprocess.run(command, cwd=tmp_path / "notebooks", capture_output=True, encoding="utf-8")
    assert (ran.stdout, ran.stderr) == ("Observation 1: They say nothing.\n", "")
