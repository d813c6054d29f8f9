import pytest

from reactkit.actions import Action
from reactkit.coding import Project, coding_story

PROJECT = {
    "tides.py": "HIGH = 745\n",
    "tests.py": "from tides import HIGH\n\n\ndef test_high():\n    assert HIGH == 750\n",
}


def calls(project, *actions, approve=lambda action: True):
    tools = project.tools(approve)
    return [str(tools.observe(action)) for action in actions]


def edit(path, old, new):
    return Action("replace_text", "", {"path": path, "old": old, "new": new})


def test_the_first_edit_brings_a_new_failure_and_the_second_mends_both():
    run = coding_story().run()
    morning, afternoon, night = (
        "test_a_morning_has_its_zeros",
        "test_an_afternoon_counts_on_to_24",
        "test_the_next_high_water_may_be_tomorrow",
    )
    reports = [line.text.splitlines() for line in run.trajectory if line.text.endswith("tests passed")]
    assert reports == [
        [
            f"passed: {morning}",
            f"passed: {afternoon}",
            f"FAILED: {night}: AssertionError: found 27:25, wanted 03:25",
            "2 of 3 tests passed",
        ],
        [
            f"passed: {morning}",
            f"FAILED: {afternoon}: AssertionError: found 01:25, wanted 13:25",
            f"passed: {night}",
            "2 of 3 tests passed",
        ],
        [f"passed: {morning}", f"passed: {afternoon}", f"passed: {night}", "3 of 3 tests passed"],
    ]
    assert (run.outcome, run.answer) == ("finished", coding_story().task.gold)
    assert [line for line in run.trajectory if line.failed or line.author == "harness"] == []


def test_without_approval_the_story_changes_nothing():
    run = coding_story().run(approve=lambda edit: False)
    assert [line.text for line in run.trajectory if line.failed] == [
        "replace_text was not approved, so it did not run. Go on without it."
    ] * 2


def test_the_model_reads_how_each_tool_is_called():
    opening = coding_story().run().calls[0].context
    for call in ("read_file[…]", "replace_text(path=<str>, old=<str>, new=<str>)", "run_tests()", "Finish[…]"):
        assert f"\n{call}: " in opening


@pytest.mark.parametrize("path", ["other.py", "../tides.py", "/etc/hosts", ""])
def test_no_other_file_can_be_reached(path):
    told = "There is no file {!r}. Files are: tides.py, tests.py."
    read = Action("read_file", "", {"path": path})
    assert calls(Project(PROJECT), read, edit(path, "a", "b")) == [told.format(path)] * 2


@pytest.mark.parametrize(("old", "times"), [("748", 0), ("7", 2), ("", 12)])
def test_the_old_text_must_occur_exactly_once(old, times):
    project = Project({"tides.py": "HIGH = 747\n"})
    told = f"The old text occurs {times} times in tides.py; quote one that occurs exactly once."
    assert calls(project, edit("tides.py", old, "0")) == [told]
    assert project.files == project.given


def test_an_edit_is_seen_by_the_tests_and_undone_by_a_reset():
    project = Project(PROJECT)
    test = Action("run_tests")
    assert calls(project, test, edit("tides.py", "745", "750"), test) == [
        "FAILED: test_high: AssertionError: \n0 of 1 tests passed",
        "tides.py is changed.",
        "passed: test_high\n1 of 1 tests passed",
    ]
    project.tools().reset()
    assert project.files == PROJECT


@pytest.mark.parametrize(
    ("tests", "told"),
    [
        ("", "0 of 0 tests passed"),
        ("import os\nos._exit(3)", "The tests broke off with exit code 3."),
        (
            "def f(:",
            "FAILED: tests.py cannot be loaded: SyntaxError: invalid syntax (tests.py, line 1)\n0 of 0 tests passed",
        ),
        ("def test_a():\n    raise SystemExit(1)", "FAILED: test_a: SystemExit: 1\n0 of 1 tests passed"),
        ("import sys\ndef test_a():\n    assert not sys.stdin.read()", "passed: test_a\n1 of 1 tests passed"),
        ("def test_a():\n    print('é\\n')", "é\n\npassed: test_a\n1 of 1 tests passed"),
    ],
)
def test_whatever_the_tests_do_the_model_is_told(tests, told):
    assert calls(Project({"tests.py": tests}), Action("run_tests")) == [told]


def test_the_tests_see_nothing_of_the_environment(monkeypatch):
    monkeypatch.setenv("REACTKIT_KEY", "secret")
    tests = "import os\n\n\ndef test_key():\n    assert 'REACTKIT_KEY' not in os.environ\n"
    assert calls(Project({"tests.py": tests}), Action("run_tests"))[0].startswith("passed")


def test_tests_that_never_end_are_stopped():
    tools = Project({"tests.py": "while True:\n    pass\n"}, seconds=0.5).tools()
    told = tools.observe(Action("run_tests"))
    assert (str(told), told.failure) == ("run_tests timed out. Try again or another call.", "timeout")


def test_tests_that_print_without_end_are_cut():
    [told] = calls(Project({"tests.py": "while True:\n    print('high water ' * 99)\n"}), Action("run_tests"))
    assert 3000 < len(told) < 4100
