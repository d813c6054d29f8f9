"""Foresee: the lines in Python's markup; the questions, the verdicts and the counts in a real browser."""

import shutil
from pathlib import Path

import nbformat
import pytest
from browser import faults_of, jupyter, open_notebook, press, run_all
from playwright.sync_api import expect
from traces import HOSTILE, HOSTILE_TRAJECTORY, QUESTION, RUNS

from reactkit.foresee import foresee
from reactkit.trajectory import Line, Trajectory
from reactkit.views import stepper

pytest_plugins = ["pages"]
RUN = RUNS["ReAct"]
LINES = list(RUN.trajectory)[1:]
KINDS = ("thought", "action", "observation", "answer", "something else", "nothing more")
KEYS = {"model": "M", "environment": "E", "harness": "H", "person": "P"}
START = "Nothing is shown yet. What comes first?"
CELLS = [
    "from traces import QUESTION, RUNS",
    "from reactkit.foresee import foresee\nforesee(RUNS['ReAct'], 'Mine')",
    "from reactkit.browse import browse\nfrom reactkit.tasks import Task\nbrowse({Task(QUESTION): RUNS['ReAct']})",
]
LONG = f"{HOSTILE} \N{WAVING HAND SIGN}\u200f" + "x" * 100_000


def kind(line):
    return line.role if line.role in KINDS else "something else"


def answered(line, sure="8"):
    """The keys that foresee a line."""
    return f"{1 + KINDS.index(kind(line))} {KEYS[line.author]} {sure} Enter"


def shown(page):
    return page.locator(".rk-tracks li:not([hidden]) > span").evaluate_all("all => all.map(each => each.textContent)")


def says(page, words):
    expect(page.get_by_role("status")).to_have_text(words)


def rows(page, caption):
    """The cells of a table of the last page, row by row; a bar is an empty cell."""
    cells = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    return page.get_by_role("table", name=caption).locator("tr").evaluate_all(cells)


# In Python


def test_the_view_is_the_steppers_readable_list_with_another_name_and_script():
    view = foresee(RUN)
    own, other = f"Foresee ReAct: {QUESTION}", f"ReAct: {QUESTION}"
    assert view.markup == stepper(RUN).markup.replace(other, own, 1)
    assert repr(view) == repr(stepper(RUN)) == view._repr_mimebundle_()["text/plain"]
    assert 'aria-label="Mine"' in foresee(RUN.trajectory, "Mine").markup


def test_hostile_text_stands_escaped_and_the_bytes_are_the_same_each_time():
    html = foresee(HOSTILE_TRAJECTORY).html
    assert (html.count("<script>"), html.count("</script>"), "<img" in html) == (1, 1, False)
    assert html == foresee(HOSTILE_TRAJECTORY).html


# In a browser


def test_each_line_comes_after_its_question_and_the_verdict_is_in_words(open_page):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    says(page, START)
    for at, line in enumerate(LINES):
        assert shown(page) == [each.text for each in LINES[:at]]
        press(page, answered(line))
        said = f"You said {kind(line)} by the {line.author}, 75 % sure."
        says(page, f"Right. {said} It is {line.label()}, written by the {line.author}.")
        expect(page.locator(".rk-guess").nth(at)).to_have_text(f"Right. {said}")
        assert not page.get_by_text("Finished: the answer is 1811").is_visible()
    press(page, "6 9 Enter")
    says(page, "Right. You said nothing more, 100 % sure. Nothing more comes.")
    assert page.get_by_text("Finished: the answer is 1811").is_visible()
    expect(page.locator(".rk-foreseen")).to_be_focused()


def test_a_choice_is_made_by_mouse_too_and_a_half_choice_is_asked_for_the_rest(open_page):
    page = open_page(foresee(RUN).html)
    following = page.get_by_role("button", name="Show the line")
    page.get_by_role("radio", name="observation").check()
    following.click()
    says(page, "Choose what comes next and who writes it, or skip.")
    assert shown(page) == []
    page.get_by_role("radio", name="model").check()
    following.click()
    says(page, "Wrong kind. You said observation by the model. It is Thought 1, written by the model.")
    assert page.locator("input:checked").count() == 0


@pytest.mark.parametrize(
    ("keys", "verdict"),
    [
        ("1 M", "Right. You said thought by the model."),
        ("1 E", "Wrong author. You said thought by the environment."),
        ("2 M 7", "Wrong kind. You said action by the model, 50 % sure."),
        ("3 E", "Wrong kind and author. You said observation by the environment."),
        ("6 M", "Wrong kind and author. You said nothing more."),
    ],
)
def test_kind_and_author_are_judged_apart(open_page, keys, verdict):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    press(page, f"{keys} Enter")
    says(page, f"{verdict} It is Thought 1, written by the model.")


def test_every_question_may_be_skipped_and_nothing_is_counted_then(open_page):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    press(page, "s")
    says(page, "It is Thought 1, written by the model.")
    press(page, "End")
    assert shown(page) == [line.text for line in LINES]
    assert page.get_by_text("Choices on this page: 0. Right: 0.").is_visible()
    expect(page.locator("form fieldset:visible, .rk-guess")).to_have_count(0)
    press(page, "Home")
    says(page, START)
    assert (shown(page), page.locator(".rk-foreseen").is_visible()) == ([], False)


def test_the_last_page_counts_by_how_sure_and_whom_was_named_over_all_views_of_the_page(open_page):
    page = open_page(foresee(RUN, "One").html + foresee(RUNS["Standard"], "Two").html)
    one, two = (page.get_by_role("group", name=name, exact=True) for name in ("One", "Two"))
    one.focus()
    press(page, "1 M 8 Enter 2 M 8 Enter 3 M 8 Enter 1 E Enter")
    two.focus()
    press(page, "4 M 9 Enter 6 9 Enter")
    assert two.get_by_text("Choices on this page: 6. Right: 4. Right kind: 6. Right author: 4.").is_visible()
    assert [row[:4] for row in rows(two, "How often you were right, by how sure you were")] == [
        ["you were", "right", "of (n)", "in %"],
        ["75 % sure", "2", "3", "67 %"],
        ["100 % sure", "2", "2", "100 %"],
        ["not said", "0", "1", "0 %"],
    ]
    assert rows(two, "Who wrote it, and whom you named") == [
        ["written by", "you: model", "you: environment", "you: nobody"],
        ["model", "3", "1", "0"],
        ["environment", "1", "0", "0"],
        ["nobody", "0", "0", "1"],
    ]


def test_the_bars_are_as_long_as_the_shares_and_marked_at_how_sure(open_page):
    page = open_page(foresee(RUN).html)
    page.get_by_role("group").first.focus()
    press(page, "1 M 8 Enter 1 M 8 Enter End")
    assert page.locator(".rk-share").get_attribute("style") == "--share: 50%; --said: 75%"


def test_without_script_and_on_paper_every_line_is_there(open_page):
    page = open_page(foresee(RUN).html, java_script_enabled=False)
    assert shown(page) == [line.text for line in LINES]
    page = open_page(foresee(RUN).html)
    page.emulate_media(media="print")
    seen = page.locator("li").evaluate_all("all => all.map(each => each.checkVisibility())")
    assert (seen, page.locator("form").is_visible()) == ([True] * len(RUN.trajectory), False)
    page.emulate_media(media="screen")


@pytest.mark.parametrize("text", [HOSTILE, LONG], ids=["hostile", "long"])
def test_hostile_text_is_text_and_never_runs(open_page, text):
    lines = [Line(role, text, "model", 1) for role in ("question", "thought", "observation", "answer")]
    page = open_page(foresee(Trajectory(lines, "recorded", HOSTILE), HOSTILE).html)
    page.get_by_role("group").first.focus()
    press(page, "5 M Enter 1 M Enter 3 E Enter s End")
    assert shown(page) == [text] * 4
    assert page.evaluate("[typeof window.ran, document.querySelectorAll('.rk img').length]") == ["undefined", 0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault_before_and_after(open_page, theme):
    page = open_page(foresee(RUN).html, theme)
    page.get_by_role("group").first.focus()
    press(page, "1 M 7 Enter 2")
    assert faults_of(page) == []
    press(page, "M Enter End")
    assert faults_of(page) == []


def test_the_view_fits_a_phone_also_at_its_last_page(open_page):
    page = open_page(foresee(RUN).html, width=390)
    page.get_by_role("group").first.focus()
    for keys in ("1 M 7 Enter 2 E Enter 3 H", "Enter 6 Enter 1 P Enter End"):
        press(page, keys)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_nothing_moves_for_those_who_asked_for_less_motion(open_page):
    page = open_page(foresee(RUN).html, reduced_motion="reduce")
    page.get_by_role("button", name="Skip").click()
    assert page.locator("[aria-current]").evaluate("each => getComputedStyle(each).animationName") == "none"


# In JupyterLab


def test_the_notebooks_own_keys_do_nothing_in_either_view_and_both_answer_to_theirs(one_browser, tmp_path):
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    shutil.copy(Path(__file__).with_name("traces.py"), work)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    nbformat.write(nbformat.v4.new_notebook(metadata=kernel, cells=cells), work / "views.ipynb")
    with jupyter(home, work) as address:
        page = open_notebook(one_browser.new_page(), address, "views.ipynb")
        page.set_default_timeout(30_000)
        assert run_all(page)
        view, row = page.get_by_role("group", name="Mine", exact=True), page.get_by_role("button", name=QUESTION)
        view.press("Home")
        press(page, "d d x b 1 d d x M 8 Enter")
        assert page.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)
        says(view, "Right. You said thought by the model, 75 % sure. It is Thought 1, written by the model.")
        row.press("Home")
        expect(row).to_be_focused()
        press(page, "d d x b Enter")
        opened = page.get_by_role("dialog").get_by_role("group", name=f"ReAct: {QUESTION}")
        expect(opened).to_be_focused()
        press(page, "d d x b ArrowRight")
        says(opened, "Step 1 of 11: Thought 1, written by the model")
        press(page, "Escape")
        expect(row).to_be_focused()
        assert page.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)
        page.close()
